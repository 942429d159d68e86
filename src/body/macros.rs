//! Macro controls: hardness, size, key tracking and thickness, each by one scaling law.

use super::Geometry;
use super::material::Damping;
use crate::contact::contact_time;

/// Contact time of the softest and the hardest setting at 1 m/s, s.
const CONTACT_S: (f64, f64) = (8e-3, 0.04e-3);

/// Range of the Size control.
pub const SIZE: (f64, f64) = (0.25, 4.0);
/// Range of the Thickness control.
pub const THICKNESS: (f64, f64) = (0.25, 4.0);
/// Range of the length scale of Size and key together; masses grow with its cube.
const LENGTH: (f64, f64) = (1.0 / 16.0, 16.0);
/// Key at which resizing changes nothing: middle C, Hz.
pub const RESIZE_REFERENCE_HZ: f64 = 261.625_565_300_598_6;

fn keep(value: f64, (low, high): (f64, f64), otherwise: f64) -> f64 {
    if value.is_nan() { otherwise } else { value.clamp(low, high) }
}

/// Contact time at 1 m/s for a hardness of 0…1, s: `T = 8 ms (0.04/8)^h`.
///
/// Equal steps are equal ratios. Faster strikes are shorter by a factor `v^((1-alpha)/(1+alpha))`.
pub fn contact_time_s(hardness: f64) -> f64 {
    let (soft, hard) = CONTACT_S;
    soft * (hard / soft).powf(keep(hardness, (0.0, 1.0), 0.5))
}

/// Stiffness k (N/m^alpha) that keeps `mass_kg` in contact for `contact_s` at 1 m/s.
///
/// `T = 2 c_a ((alpha+1)/2 m/k)^(1/(alpha+1)) v^((1-alpha)/(1+alpha))` solved for k. Exact without
/// dissipation, which lengthens a contact. The contact's own limit (k up to 1e11) bounds the
/// hardest settings.
pub fn stiffness(contact_s: f64, mass_kg: f64, alpha: f64) -> f64 {
    mass_kg * 0.5 * (alpha + 1.0) * (2.0 * contact_time::shape(alpha) / contact_s).powf(alpha + 1.0)
}

/// Contact time of `mass_kg` on a surface of stiffness k at 1 m/s, s: the inverse of [`stiffness`].
pub fn contact_of_stiffness_s(stiffness: f64, mass_kg: f64, alpha: f64) -> f64 {
    2.0 * contact_time::shape(alpha)
        * (0.5 * (alpha + 1.0) * mass_kg / stiffness).powf(1.0 / (alpha + 1.0))
}

/// Effect of the key on the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyTracking {
    /// The body is tuned to the key.
    #[default]
    Retune,
    /// The body is scaled by [`BodyScale`]: the sound is the same with time stretched.
    Resize,
}

/// Body and striker scaled by a length factor L.
///
/// Same materials, same speed: frequencies scale with 1/L, masses with L^3, contact time with L
/// (for any alpha, because k scales with L^(2-alpha)), decay times with L. The spectrum keeps its
/// shape relative to the lowest partial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyScale {
    length: f64,
}

impl BodyScale {
    /// Pitch (Hz) and scale for a key: Size divides the pitch, and [`KeyTracking::Resize`] adds a
    /// scale.
    pub fn of_key(key_hz: f64, size: f64, tracking: KeyTracking) -> (f64, Self) {
        let size = keep(size, SIZE, 1.0);
        let by_key = match tracking {
            KeyTracking::Retune => 1.0,
            KeyTracking::Resize => RESIZE_REFERENCE_HZ / key_hz,
        };
        (key_hz / size, Self::new(size * by_key))
    }

    /// The scale with length factor L, clamped to 1/16…16.
    pub fn new(length: f64) -> Self {
        Self { length: keep(length, LENGTH, 1.0) }
    }

    /// Factor of lengths and times, L.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Factor of every mass.
    pub fn mass(&self) -> f64 {
        self.length.powi(3)
    }

    /// Factor of the contact stiffness.
    pub fn stiffness(&self, alpha: f64) -> f64 {
        self.length.powf(2.0 - alpha)
    }

    /// Damping with which a mode at f/L decays L times as slowly.
    pub fn damping(&self, damping: &Damping) -> Damping {
        Damping {
            support_per_s: damping.support_per_s / self.length,
            loss_factor: damping.loss_factor,
            viscous_s: damping.viscous_s * self.length,
        }
    }
}

/// Thickness of a body relative to its own, at the same pitch, 0.25…4.
///
/// Mass and every loss grow with the thickness t: thick bodies are perceived as more damped (Poirot
/// 2024). The stiffness B of a string grows with t^2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thickness {
    thickness: f64,
}

impl Thickness {
    /// The body t times as thick, clamped to the range.
    pub fn new(thickness: f64) -> Self {
        Self { thickness: keep(thickness, THICKNESS, 1.0) }
    }

    /// Factor of the body's mass.
    pub fn mass(&self) -> f64 {
        self.thickness
    }

    /// Damping of the body at this thickness.
    pub fn damping(&self, damping: &Damping) -> Damping {
        Damping {
            support_per_s: damping.support_per_s * self.thickness,
            loss_factor: damping.loss_factor * self.thickness,
            viscous_s: damping.viscous_s * self.thickness,
        }
    }

    /// Geometry of the body at this thickness.
    pub fn geometry(&self, geometry: &Geometry) -> Geometry {
        Geometry {
            inharmonicity: geometry.inharmonicity * self.thickness * self.thickness,
            ..*geometry
        }
        .within_limits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;

    #[test]
    fn hardness_sets_the_contact_time_for_any_mass_and_exponent() {
        assert!(
            (contact_time_s(0.0) - 8e-3).abs() < 1e-12
                && (contact_time_s(1.0) - 4e-5).abs() < 1e-12
        );
        assert!((contact_time_s(0.5) - 0.566e-3).abs() < 1e-6);
        for hardness in [0.0, 0.3, 0.7, 1.0] {
            let wanted_s = contact_time_s(hardness);
            for mass_kg in [1e-4, 0.02, 5.0] {
                for alpha in [1.0, 1.5, 2.0, 3.0] {
                    let law = HuntCrossley {
                        stiffness: stiffness(wanted_s, mass_kg, alpha),
                        mu_s_per_m: 0.0,
                        alpha,
                    };
                    let got_s = contact_time::exact(&law, mass_kg, 1.0);
                    assert!(
                        (got_s / wanted_s - 1.0).abs() < 1e-8,
                        "alpha {alpha}: {got_s} s instead of {wanted_s} s"
                    );
                }
            }
        }
    }

    #[test]
    fn a_larger_body_is_the_same_body_in_slower_time() {
        let damping = Damping { support_per_s: 3.0, loss_factor: 1e-3, viscous_s: 1e-7 };
        let (mass_kg, alpha) = (0.02, 1.5);
        let k = stiffness(contact_time_s(0.5), mass_kg, alpha);
        let contact_s = |scale: &BodyScale| {
            let law =
                HuntCrossley { stiffness: k * scale.stiffness(alpha), mu_s_per_m: 0.0, alpha };
            contact_time::exact(&law, mass_kg * scale.mass(), 2.0)
        };
        let (pitch_hz, one) = BodyScale::of_key(261.6, 1.0, KeyTracking::Retune);
        for size in [0.25, 0.5, 2.0, 4.0] {
            let (low_hz, scale) = BodyScale::of_key(261.6, size, KeyTracking::Retune);
            assert!((low_hz * size / pitch_hz - 1.0).abs() < 1e-12);
            assert!((contact_s(&scale) / contact_s(&one) / size - 1.0).abs() < 1e-8);
            for ratio in [1.0, 2.7, 13.0] {
                let (d, slow) = (
                    damping.rate_per_s(pitch_hz * ratio),
                    scale.damping(&damping).rate_per_s(low_hz * ratio),
                );
                assert!((slow * size / d - 1.0).abs() < 1e-12, "partial {ratio}");
            }
        }
    }

    #[test]
    fn a_key_retunes_or_resizes_the_body() {
        let (hz, scale) = BodyScale::of_key(523.25, 1.0, KeyTracking::Retune);
        assert_eq!((hz, scale.length()), (523.25, 1.0));
        let (hz, scale) = BodyScale::of_key(2.0 * RESIZE_REFERENCE_HZ, 1.0, KeyTracking::Resize);
        assert!(
            (hz - 2.0 * RESIZE_REFERENCE_HZ).abs() < 1e-9 && (scale.length() - 0.5).abs() < 1e-12
        );
        assert!((scale.mass() - 0.125).abs() < 1e-12);
    }

    #[test]
    fn hostile_values_are_clamped() {
        for value in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
            assert!((0.03..30.0).contains(&BodyScale::new(value).length()));
            assert!((4e-5..=8e-3).contains(&contact_time_s(value)));
            assert!((0.25..=4.0).contains(&Thickness::new(value).mass()));
        }
    }
}
