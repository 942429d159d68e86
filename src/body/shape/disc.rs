//! Circular membranes and plates.
//!
//! Shape: `(J_m(k r) + C I_m(k r)) cos(2 pi m y)`, and the same with a sine for m > 0; C = 0 for
//! the membrane. The wave numbers k, C and the scale to mean square 1 are tables: solving for them
//! takes too long on the audio thread. They hold the 256 lowest modes, pairs counted twice.

pub mod bessel;
pub mod table;

/// One row of a table: a mode with m nodal diameters, or a pair of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Nodal diameters m.
    pub diameters: u8,
    /// Wave number k, radius 1.
    pub k: f64,
    /// C e^k.
    pub c: f64,
    /// Factor to a mean square of 1 over the disc, cosine included.
    pub scale: f64,
}

/// Which edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disc {
    /// Membrane: frequencies as k.
    Membrane,
    /// Free plate: frequencies as k^2.
    Free,
    /// Clamped plate: frequencies as k^2.
    Clamped,
}

impl Disc {
    /// Its table, the lowest first.
    pub fn rows(self) -> &'static [Row] {
        match self {
            Disc::Membrane => &table::MEMBRANE,
            Disc::Free => &table::FREE,
            Disc::Clamped => &table::CLAMPED,
        }
    }

    /// Frequency of a row in units of the lowest one.
    pub fn ratio(self, row: usize) -> f64 {
        let rows = self.rows();
        let k = rows[row].k / rows[0].k;
        if self == Disc::Membrane { k } else { k * k }
    }
}

impl Row {
    /// The shape along the radius r, 0…1.
    pub fn radial(&self, r: f64) -> f64 {
        let m = u32::from(self.diameters);
        let mut shape = bessel::j(m, self.k * r);
        if self.c != 0.0 {
            shape += self.c * (-self.k * (1.0 - r)).exp() * bessel::i_scaled(m, self.k * r);
        }
        self.scale * shape
    }
}
