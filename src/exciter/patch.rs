//! Reads the gesture and the contact settings of the striker from a patch.

use super::Gesture;
use crate::body::macros::{self, BodyScale};
use crate::contact::{
    ContactSettings, Coupling, DamperFit, Dent, HuntCrossley, Integrator, Law, Oversampling,
    Release,
};
use crate::params::{Param, Patch};

impl Patch {
    /// The gesture of the patch.
    pub fn gesture(&self) -> Gesture {
        Gesture::ALL[self.choice(Param::Gesture).min(Gesture::ALL.len() - 1)]
    }

    /// Contact settings for a striker of the size set by the patch.
    pub fn contact(&self) -> ContactSettings {
        self.contact_of(&self.scale())
    }

    /// Contact settings for a striker of the given size.
    pub fn contact_of(&self, scale: &BodyScale) -> ContactSettings {
        let (mass_kg, alpha) = (self.get(Param::Mass), self.get(Param::Alpha));
        let stiffness = match self.choice(Param::StiffnessMode) {
            0 => {
                macros::stiffness(macros::contact_time_s(self.get(Param::Hardness)), mass_kg, alpha)
            }
            _ => self.get(Param::Stiffness),
        };
        ContactSettings {
            kind: match self.choice(Param::Law) {
                0 => Law::HuntCrossley,
                _ => Law::HertzDamper,
            },
            damper_n_s_per_m: self.get(Param::Damper),
            restitution: (self.choice(Param::DampingMode) == 1)
                .then(|| self.get(Param::Restitution)),
            fit: match self.choice(Param::DamperFit) {
                0 => DamperFit::Exact,
                _ => DamperFit::ClosedForm,
            },
            // Only matters for a striker that returns to its dent.
            dent: match self.choice(Param::Dent) {
                0 => Dent::Recovers,
                _ => Dent::Stays,
            },
            law: HuntCrossley {
                stiffness: stiffness * scale.stiffness(alpha),
                mu_s_per_m: self.get(Param::Mu),
                alpha,
            },
            coupling: if self.choice(Param::Coupling) == 1 {
                Coupling::CoupledSolver
            } else {
                Coupling::Rigid
            },
            mass_kg: mass_kg * scale.mass(),
            integrator: Integrator::ALL
                [self.choice(Param::Integrator).min(Integrator::ALL.len() - 1)],
            hybrid: self.is_on(Param::Hybrid),
            release: match self.choice(Param::ReleaseMode) {
                0 => Release::Free,
                1 => Release::Approximate,
                _ => Release::Exact,
            },
            threshold_pct: self.get(Param::Threshold),
            steps_per_sample: match self.choice(Param::Oversampling) {
                0 => Oversampling::Auto,
                power => Oversampling::Times(1 << (power - 1)),
            },
            // A strike ends at release; gestures with repeated landings set their own gravity.
            gravity_m_per_s2: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(settings: &[(Param, f64)]) -> Patch {
        let mut patch = Patch::default();
        settings.iter().for_each(|(param, value)| {
            patch.set(*param, *value);
        });
        patch
    }

    fn close(got: f64, wanted: f64) {
        assert!((got - wanted).abs() <= 1e-6 * wanted.abs(), "{got} instead of {wanted}");
    }

    #[test]
    fn contact_settings_follow_every_choice() {
        let plain = Patch::default().contact();
        assert_eq!(
            (plain.kind, plain.coupling, plain.restitution),
            (Law::HuntCrossley, Coupling::Rigid, None)
        );
        let other = with(&[
            (Param::Law, 1.0),
            (Param::Damper, 12.0),
            (Param::DampingMode, 1.0),
            (Param::Restitution, 0.4),
            (Param::DamperFit, 1.0),
            (Param::Dent, 1.0),
            (Param::Coupling, 1.0),
            (Param::StiffnessMode, 1.0),
            (Param::Stiffness, 3e7),
            (Param::Threshold, 0.5),
            (Param::Hybrid, 0.0),
            (Param::Mass, 0.05),
            (Param::Alpha, 2.0),
            (Param::Mu, 0.7),
        ])
        .contact_of(&BodyScale::new(2.0));
        let choices = (other.kind, other.fit, other.dent, other.coupling, other.hybrid);
        assert_eq!(
            choices,
            (Law::HertzDamper, DamperFit::ClosedForm, Dent::Stays, Coupling::CoupledSolver, false)
        );
        close(other.damper_n_s_per_m, 12.0);
        close(other.restitution.expect("wanted"), 0.4);
        // Twice the size: eight times the mass, the same stiffness at alpha = 2.
        close(other.mass_kg, 0.4);
        close(other.law.stiffness, 3e7);
        close(other.law.mu_s_per_m, 0.7);
        close(other.threshold_pct, 0.5);
        for (choice, release) in
            [Release::Free, Release::Approximate, Release::Exact].into_iter().enumerate()
        {
            assert_eq!(with(&[(Param::ReleaseMode, choice as f64)]).contact().release, release);
        }
        for (choice, integrator) in Integrator::ALL.into_iter().enumerate() {
            assert_eq!(
                with(&[(Param::Integrator, choice as f64)]).contact().integrator,
                integrator
            );
        }
        for (choice, steps) in [
            Oversampling::Auto,
            Oversampling::Times(1),
            Oversampling::Times(2),
            Oversampling::Times(4),
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(
                with(&[(Param::Oversampling, choice as f64)]).contact().steps_per_sample,
                steps
            );
        }
    }

    #[test]
    fn the_gesture_follows_its_choice() {
        for (choice, gesture) in Gesture::ALL.into_iter().enumerate() {
            assert_eq!(with(&[(Param::Gesture, choice as f64)]).gesture(), gesture);
        }
    }
}
