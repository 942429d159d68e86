//! The shapes of a free plate along a line of constant y, for what goes along it.

use super::{ACROSS, ALONG, Blend, MODES, UNIT, polynomials};

/// The shapes along one line: for each mode the weights of the polynomials along x, with all that
/// depends on y and on the aspect summed up, in single precision, which is far more than the table
/// has. Made once for a line; a point of it then costs a ninth of the terms, and none of the
/// blending.
#[derive(Clone, Debug)]
pub struct Line {
    made_for: Option<(Blend, f64)>,
    weights: [[f32; ALONG]; MODES],
    odd: [bool; MODES],
}

impl Default for Line {
    fn default() -> Self {
        Self { made_for: None, weights: [[0.0; ALONG]; MODES], odd: [false; MODES] }
    }
}

impl Line {
    /// Shapes of the first modes at x of a plate, 0…1, on the line at y.
    pub fn deflections(&mut self, blend: &Blend, x: f64, y: f64, into: &mut [f64]) {
        if self.made_for != Some((*blend, y)) {
            self.make(blend, y);
        }
        let along: [f64; 2 * ALONG] = polynomials(2.0 * x - 1.0);
        let [even, odd]: [[f64; ALONG]; 2] =
            [0, 1].map(|parity| std::array::from_fn(|i| along[2 * i + parity]));
        for ((shape, weights), is_odd) in into.iter_mut().zip(&self.weights).zip(&self.odd) {
            let along = if *is_odd { &odd } else { &even };
            // Four sums side by side.
            let mut sums = [0.0; 4];
            for (weights, along) in weights.as_chunks::<4>().0.iter().zip(along.as_chunks::<4>().0)
            {
                for lane in 0..4 {
                    sums[lane] += f64::from(weights[lane]) * along[lane];
                }
            }
            *shape = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
    }

    fn make(&mut self, blend: &Blend, y: f64) {
        self.made_for = Some((*blend, y));
        let across: [f64; 2 * ACROSS] = polynomials(2.0 * y - 1.0);
        for (mode, (weights, is_odd)) in self.weights.iter_mut().zip(&mut self.odd).enumerate() {
            let symmetry = blend.symmetry(mode);
            let (mut sums, mut square) = ([0.0; ALONG], 0.0);
            for (i, sum) in sums.iter_mut().enumerate() {
                for j in 0..ACROSS {
                    let term = blend.term(mode, i * ACROSS + j) / UNIT;
                    *sum += term * across[2 * j + (symmetry & 1)];
                    square += term * term;
                }
            }
            let scale = 1.0 / square.max(f64::MIN_POSITIVE).sqrt();
            *weights = sums.map(|sum| (scale * sum) as f32);
            *is_odd = symmetry >> 1 == 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Legendre;
    use super::*;

    #[test]
    fn along_the_line_the_shapes_are_those_of_the_plate() {
        let mut line = Line::default();
        for (aspect, y) in [(1.5, 0.3), (1.234, 0.3), (1.234, 0.81), (2.5, 0.0)] {
            let blend = Blend::new(aspect);
            for x in [0.0, 0.2, 0.77, 1.0] {
                let mut shapes = [0.0; MODES];
                line.deflections(&blend, x, y, &mut shapes);
                let legendre = Legendre::new(x, y);
                for (mode, shape) in shapes.iter().enumerate() {
                    let wanted = blend.deflection(mode, &legendre);
                    assert!(
                        (shape - wanted).abs() < 2e-6,
                        "{aspect} {x} {y}, mode {mode}: {shape} {wanted}"
                    );
                }
            }
        }
    }
}
