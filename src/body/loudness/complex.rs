//! Complex numbers, as far as loudness needs them.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    pub fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    pub fn times(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    pub fn scaled(self, by: f64) -> Self {
        Self { re: self.re * by, im: self.im * by }
    }

    pub fn less(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }

    pub fn turned_back(self) -> Self {
        Self { im: -self.im, ..self }
    }

    pub fn power(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// 1/z
    pub fn inverse(self) -> Self {
        let power = self.power().max(f64::MIN_POSITIVE);
        Self { re: self.re / power, im: -self.im / power }
    }
}
