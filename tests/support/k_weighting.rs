//! The loudness filter of ITU-R BS.1770-4 at 48 kHz, with the recommendation's own coefficients.

/// One second-order section.
struct Section {
    b: [f64; 3],
    a: [f64; 2],
    state: [f64; 2],
}

impl Section {
    fn process(&mut self, x: f64) -> f64 {
        let y = self.b[0] * x + self.state[0];
        self.state[0] = self.b[1] * x - self.a[0] * y + self.state[1];
        self.state[1] = self.b[2] * x - self.a[1] * y;
        y
    }
}

/// Mean square of a sound at 48 kHz after the filter.
pub fn mean_square(sound: &[f64]) -> f64 {
    let mut shelf = Section {
        b: [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
        a: [-1.690_659_293_182_41, 0.732_480_774_215_85],
        state: [0.0; 2],
    };
    let mut high_pass = Section {
        b: [1.0, -2.0, 1.0],
        a: [-1.990_047_454_833_98, 0.990_072_250_366_21],
        state: [0.0; 2],
    };
    let sum: f64 = sound.iter().map(|x| high_pass.process(shelf.process(*x)).powi(2)).sum();
    sum / sound.len() as f64
}
