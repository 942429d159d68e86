//! Knobs that move several physical numbers at once, each by one law.

use super::Geometry;
use super::material::Damping;
use crate::contact::contact_time;

/// Softest and hardest contact at 1 m/s, s.
const CONTACT_S: (f64, f64) = (8e-3, 0.04e-3);

/// Smallest and largest Size.
pub const SIZE: (f64, f64) = (0.25, 4.0);
/// Thinnest and thickest.
pub const THICKNESS: (f64, f64) = (0.25, 4.0);
/// Smallest and largest length scale of Size and key together: masses go with its cube.
const LENGTH: (f64, f64) = (1.0 / 16.0, 16.0);
/// The key at which resizing changes nothing: middle C, Hz.
pub const RESIZE_REFERENCE_HZ: f64 = 261.625_565_300_598_6;

fn keep(value: f64, (low, high): (f64, f64), otherwise: f64) -> f64 {
    if value.is_nan() { otherwise } else { value.clamp(low, high) }
}

/// How long a contact of Hardness 0…1 takes at 1 m/s, s: `T = 8 ms (0.04/8)^h`, equal steps being
/// equal ratios. Faster blows are shorter by `v^((1-alpha)/(1+alpha))` of themselves.
pub fn contact_time_s(hardness: f64) -> f64 {
    let (soft, hard) = CONTACT_S;
    soft * (hard / soft).powf(keep(hardness, (0.0, 1.0), 0.5))
}

/// The stiffness k (N/m^alpha) with which `mass_kg` is on the surface for `contact_s` at 1 m/s.
///
/// `T = 2 c_a ((alpha+1)/2 m/k)^(1/(alpha+1)) v^((1-alpha)/(1+alpha))` solved for k; exact without
/// dissipation, which draws a contact out. The contact's own limits (k up to 1e11) end the range of
/// the hardest felts.
pub fn stiffness(contact_s: f64, mass_kg: f64, alpha: f64) -> f64 {
    mass_kg * 0.5 * (alpha + 1.0) * (2.0 * contact_time::shape(alpha) / contact_s).powf(alpha + 1.0)
}

/// How long `mass_kg` is on a surface of stiffness k at 1 m/s, s: the same the other way round.
pub fn contact_of_stiffness_s(stiffness: f64, mass_kg: f64, alpha: f64) -> f64 {
    2.0 * contact_time::shape(alpha)
        * (0.5 * (alpha + 1.0) * mass_kg / stiffness).powf(1.0 / (alpha + 1.0))
}

/// What a key does to the object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyTracking {
    /// The same object tuned to the key.
    #[default]
    Retune,
    /// Another size of it: as by [`BodyScale`], so that the sound is the same but for time running
    /// faster or slower.
    Resize,
}

/// A thing and what strikes it, both made L times as large.
///
/// Of the same materials and at the same speed: frequencies 1/L, masses L^3, contact time L (for
/// any alpha, as k goes with L^(2-alpha)), decay times L. The spectrum keeps its shape relative to
/// the lowest partial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyScale {
    length: f64,
}

impl BodyScale {
    /// Pitch (Hz) and scale of the body of a key: Size divides the pitch, and a resized key scales
    /// as well.
    pub fn of_key(key_hz: f64, size: f64, tracking: KeyTracking) -> (f64, Self) {
        let size = keep(size, SIZE, 1.0);
        let by_key = match tracking {
            KeyTracking::Retune => 1.0,
            KeyTracking::Resize => RESIZE_REFERENCE_HZ / key_hz,
        };
        (key_hz / size, Self::new(size * by_key))
    }

    /// L times as large, 1/16…16.
    pub fn new(length: f64) -> Self {
        Self { length: keep(length, LENGTH, 1.0) }
    }

    /// L: factor of lengths and times.
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

    /// Damping such that at f/L every mode decays L times as slowly.
    pub fn damping(&self, damping: &Damping) -> Damping {
        Damping {
            support_per_s: damping.support_per_s / self.length,
            loss_factor: damping.loss_factor,
            viscous_s: damping.viscous_s * self.length,
        }
    }
}

/// A body made thicker or thinner at the same pitch, 0.25…4.
///
/// Its mass grows with t, and every loss with it: thick things are heard as more damped (Poirot
/// 2024). A string's stiffness B grows with t^2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thickness {
    thickness: f64,
}

impl Thickness {
    /// t times as thick.
    pub fn new(thickness: f64) -> Self {
        Self { thickness: keep(thickness, THICKNESS, 1.0) }
    }

    /// Factor of the body's mass.
    pub fn mass(&self) -> f64 {
        self.thickness
    }

    /// The losses of the thicker body.
    pub fn damping(&self, damping: &Damping) -> Damping {
        Damping {
            support_per_s: damping.support_per_s * self.thickness,
            loss_factor: damping.loss_factor * self.thickness,
            viscous_s: damping.viscous_s * self.thickness,
        }
    }

    /// The geometry of the thicker body.
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
    fn hardness_is_a_contact_time_whatever_the_mass_and_the_exponent() {
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
    fn a_larger_thing_is_the_same_thing_in_slower_time() {
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
    fn a_key_tunes_or_resizes() {
        let (hz, scale) = BodyScale::of_key(523.25, 1.0, KeyTracking::Retune);
        assert_eq!((hz, scale.length()), (523.25, 1.0));
        let (hz, scale) = BodyScale::of_key(2.0 * RESIZE_REFERENCE_HZ, 1.0, KeyTracking::Resize);
        assert!(
            (hz - 2.0 * RESIZE_REFERENCE_HZ).abs() < 1e-9 && (scale.length() - 0.5).abs() < 1e-12
        );
        assert!((scale.mass() - 0.125).abs() < 1e-12);
    }

    #[test]
    fn nothing_from_outside_gets_past_the_limits() {
        for value in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
            assert!((0.03..30.0).contains(&BodyScale::new(value).length()));
            assert!((4e-5..=8e-3).contains(&contact_time_s(value)));
            assert!((0.25..=4.0).contains(&Thickness::new(value).mass()));
        }
    }
}
