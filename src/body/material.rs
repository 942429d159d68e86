//! Materials and damping.

use std::f64::consts::PI;

/// The mixed damping law: support, hysteretic and viscous loss.
///
/// A mode of frequency f (Hz, omega = 2 pi f) decays as e^(-d t) with `d = support/2 + pi f
/// loss_factor + viscous omega^2/2` (1/s), so that T60 = ln(1000)/d. The first and the last term
/// are Rayleigh damping, the middle one is constant internal friction tan(phi).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping {
    /// Loss into the support, 1/s; the same for all modes.
    pub support_per_s: f64,
    /// Loss factor tan(phi) of the material.
    pub loss_factor: f64,
    /// Viscous loss, s.
    pub viscous_s: f64,
}

impl Damping {
    /// Decay rate d of a mode, 1/s.
    pub fn rate_per_s(&self, frequency_hz: f64) -> f64 {
        let omega = 2.0 * PI * frequency_hz;
        0.5 * self.support_per_s
            + PI * frequency_hz * self.loss_factor
            + 0.5 * self.viscous_s * omega * omega
    }
}

/// Density, stiffness and loss of a material.
///
/// The table's losses are Rayleigh damping (support and viscous terms), as measured; only rubber,
/// which the source lacks, has internal friction as well. The key fixes the pitch, so stiffness and
/// density set the mass of the body and its speed of sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Density rho, kg/m^3.
    pub density_kg_per_m3: f64,
    /// Young's modulus E, Pa.
    pub young_pa: f64,
    /// Poisson's ratio nu.
    pub poisson: f64,
    /// Energy loss.
    pub damping: Damping,
}

impl Material {
    /// Names in the order of [`Material::ALL`].
    pub const NAMES: [&'static str; 8] =
        ["Ceramic", "Glass", "Wood", "Plastic", "Iron", "Polycarbonate", "Steel", "Tin"];

    /// The materials of KleinPAT (Wang and James 2019, table 4).
    pub const ALL: [Material; 8] = [
        Material::new(2700.0, 7.2e10, 0.19, 6.0, 1e-7),
        Material::new(2600.0, 6.2e10, 0.20, 1.0, 1e-7),
        Material::new(750.0, 1.1e10, 0.25, 60.0, 2e-6),
        Material::new(1070.0, 1.4e9, 0.35, 30.0, 1e-6),
        Material::new(8000.0, 2.1e11, 0.28, 5.0, 1e-7),
        Material::new(1190.0, 2.4e9, 0.37, 0.5, 4e-7),
        Material::new(7850.0, 2.0e11, 0.29, 5.0, 3e-8),
        Material::new(7265.0, 5e10, 0.325, 2.0, 3e-8),
    ];

    /// A soft rubber with loss factor 0.1, the softest material in the listening tests of Klatzky,
    /// Pai and Krotkov (2000).
    pub const RUBBER: Material = Material {
        damping: Damping { support_per_s: 60.0, loss_factor: 0.1, viscous_s: 1e-6 },
        ..Material::new(1100.0, 1e7, 0.49, 0.0, 0.0)
    };

    const fn new(
        density_kg_per_m3: f64,
        young_pa: f64,
        poisson: f64,
        alpha_per_s: f64,
        beta_s: f64,
    ) -> Self {
        let damping = Damping { support_per_s: alpha_per_s, loss_factor: 0.0, viscous_s: beta_s };
        Self { density_kg_per_m3, young_pa, poisson, damping }
    }

    /// Speed of sound along a thin rod, sqrt(E/rho), m/s; the pitch of a body of given size is
    /// proportional to it.
    pub fn speed_m_per_s(&self) -> f64 {
        (self.young_pa / self.density_kg_per_m3).sqrt()
    }

    /// Material at a point of the pad, both coordinates 0…1: x from light to heavy and stiff, y
    /// from low loss to high.
    ///
    /// Corners: glass (0, 0), steel (1, 0), rubber (0, 1), wood (1, 1). All properties but
    /// Poisson's ratio are interpolated bilinearly in their logarithm, so that equal distances are
    /// equal ratios; a loss factor of 0 counts as [`MIN_LOSS_FACTOR`].
    pub fn on_pad(x: f64, y: f64) -> Self {
        let keep = |value: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        let (x, y) = (keep(x), keep(y));
        let corners = [Self::ALL[1], Self::ALL[6], Self::RUBBER, Self::ALL[2]];
        let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y];
        let blend = |value: fn(&Self) -> f64| -> f64 {
            corners.iter().zip(weights).map(|(m, w)| w * value(m)).sum()
        };
        Self {
            density_kg_per_m3: blend(|m| m.density_kg_per_m3.ln()).exp(),
            young_pa: blend(|m| m.young_pa.ln()).exp(),
            poisson: blend(|m| m.poisson),
            damping: Damping {
                support_per_s: blend(|m| m.damping.support_per_s.ln()).exp(),
                loss_factor: blend(|m| m.damping.loss_factor.max(MIN_LOSS_FACTOR).ln()).exp(),
                viscous_s: blend(|m| m.damping.viscous_s.ln()).exp(),
            },
        }
    }
}

/// An inaudible loss factor: a T60 of 220 s at 1 kHz.
pub const MIN_LOSS_FACTOR: f64 = 1e-5;

/// Decay rate that loses 60 dB in `t60_s`, 1/s.
pub fn rate_of_t60(t60_s: f64) -> f64 {
    1000f64.ln() / t60_s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_decay_as_their_table_says() {
        // T60 at 200 Hz, 1 kHz and 5 kHz, s.
        let wanted = [
            [2.24, 1.39, 0.132],
            [11.9, 2.79, 0.139],
            [0.219, 0.099, 0.0068],
            [0.437, 0.199, 0.0136],
            [2.68, 1.54, 0.133],
            [12.2, 0.848, 0.035],
            [2.74, 2.23, 0.399],
            [6.75, 4.34, 0.437],
        ];
        for ((material, name), row) in Material::ALL.iter().zip(Material::NAMES).zip(wanted) {
            for (frequency_hz, t60_s) in [200.0, 1000.0, 5000.0].into_iter().zip(row) {
                let got = 1000f64.ln() / material.damping.rate_per_s(frequency_hz);
                assert!(
                    (got / t60_s - 1.0).abs() < 0.01,
                    "{name}, {frequency_hz} Hz: {got} s instead of {t60_s} s"
                );
            }
        }
    }

    #[test]
    fn the_pad_has_its_corners_and_no_steps() {
        let at = |x, y| Material::on_pad(x, y);
        for (x, y, corner) in [
            (0.0, 0.0, Material::ALL[1]),
            (1.0, 0.0, Material::ALL[6]),
            (0.0, 1.0, Material::RUBBER),
            (1.0, 1.0, Material::ALL[2]),
        ] {
            assert!((at(x, y).young_pa / corner.young_pa - 1.0).abs() < 1e-9);
            assert!((at(x, y).damping.viscous_s / corner.damping.viscous_s - 1.0).abs() < 1e-9);
        }
        for n in 0..1000 {
            let t = f64::from(n) / 1000.0;
            let (a, b) = (at(t, 1.0 - t), at(t + 1e-3, 1.0 - t - 1e-3));
            for (a, b) in [(a.density_kg_per_m3, b.density_kg_per_m3), (a.young_pa, b.young_pa)] {
                assert!((a / b).ln().abs() < 0.02);
            }
            let rate = |material: Material| material.damping.rate_per_s(500.0);
            assert!((rate(a) / rate(b)).ln().abs() < 0.02);
            assert!(rate(at(t, 0.8)) > rate(at(t, 0.3)), "more loss further up");
        }
        assert_eq!(at(f64::NAN, 7.0), at(0.0, 1.0));
    }
}
