//! What a contact would be with the knobs as they are now.

use crate::contact::{ContactSettings, Coupling, HuntCrossley, ReplayInputs};

/// The contact that was `last_wall` when the knobs said `then`, now that they say `now`. What
/// modulation, key, chance or a corner made of mass and stiffness stays in proportion; everything
/// else is as it was, unless its own knob has been turned.
pub fn adjusted(
    last_wall: &ReplayInputs,
    then: &ContactSettings,
    now: &ContactSettings,
) -> ReplayInputs {
    let was = &last_wall.settings;
    let law = |of: fn(&ContactSettings) -> f64| (of(was), of(then), of(now));
    let settings = ContactSettings {
        kind: keep_or_take(was.kind, then.kind, now.kind),
        damper_n_s_per_m: in_proportion((
            was.damper_n_s_per_m,
            then.damper_n_s_per_m,
            now.damper_n_s_per_m,
        )),
        restitution: keep_or_take(was.restitution, then.restitution, now.restitution),
        fit: keep_or_take(was.fit, then.fit, now.fit),
        dent: keep_or_take(was.dent, then.dent, now.dent),
        coupling: Coupling::Rigid,
        law: HuntCrossley {
            stiffness: in_proportion(law(|settings| settings.law.stiffness)),
            mu_s_per_m: keep_or_take(was.law.mu_s_per_m, then.law.mu_s_per_m, now.law.mu_s_per_m),
            alpha: keep_or_take(was.law.alpha, then.law.alpha, now.law.alpha),
        },
        mass_kg: in_proportion(law(|settings| settings.mass_kg)),
        integrator: keep_or_take(was.integrator, then.integrator, now.integrator),
        hybrid: keep_or_take(was.hybrid, then.hybrid, now.hybrid),
        release: keep_or_take(was.release, then.release, now.release),
        threshold_pct: keep_or_take(was.threshold_pct, then.threshold_pct, now.threshold_pct),
        steps_per_sample: keep_or_take(
            was.steps_per_sample,
            then.steps_per_sample,
            now.steps_per_sample,
        ),
        gravity_m_per_s2: was.gravity_m_per_s2,
    };
    ReplayInputs { settings: settings.within_limits(), ..*last_wall }
}

fn keep_or_take<T: PartialEq>(was: T, then: T, now: T) -> T {
    if then == now { was } else { now }
}

fn in_proportion((was, then, now): (f64, f64, f64)) -> f64 {
    match then {
        _ if then == now => was,
        0.0 => now,
        _ => was * now / then,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Integrator, Release};

    #[test]
    fn what_was_not_turned_stays_and_what_was_is_turned_as_far() {
        let knobs = ContactSettings::default();
        let law =
            HuntCrossley { stiffness: 3.0 * knobs.law.stiffness, mu_s_per_m: 0.1, alpha: 2.0 };
        let settings =
            ContactSettings { law, mass_kg: 0.1 * knobs.mass_kg, restitution: Some(0.3), ..knobs };
        let last_wall =
            ReplayInputs { onset_s: 1e-6, ..ReplayInputs::on_a_sample(&settings, 2.0, 48_000.0) };
        assert_eq!(adjusted(&last_wall, &knobs, &knobs), last_wall);
        let now = ContactSettings {
            mass_kg: 2.0 * knobs.mass_kg,
            integrator: Integrator::Heun,
            hybrid: false,
            release: Release::Free,
            law: HuntCrossley { stiffness: 0.5 * knobs.law.stiffness, ..knobs.law },
            ..knobs
        };
        let got = adjusted(&last_wall, &knobs, &now);
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
        assert!(near(got.settings.mass_kg, 0.2 * knobs.mass_kg));
        assert!(near(got.settings.law.stiffness, 1.5 * knobs.law.stiffness));
        assert_eq!((got.settings.law.mu_s_per_m, got.settings.law.alpha), (0.1, 2.0));
        let by_choice = (got.settings.integrator, got.settings.hybrid, got.settings.release);
        assert_eq!(by_choice, (Integrator::Heun, false, Release::Free));
        assert_eq!(
            (got.settings.restitution, got.onset_s, got.v_in_m_per_s),
            (Some(0.3), 1e-6, 2.0)
        );
    }
}
