//! With any settings within the allowed ranges a contact stays finite, never pulls, gives the
//! surface its full time, and with a correction on never gains energy.

use ictus::contact::release::approximation_error_pct;
use ictus::contact::rigid::{ContactStep, RigidContact};
use ictus::contact::{
    ContactSettings, HuntCrossley, Integrator, Oversampling, Release, Striker, Surface,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[derive(Default)]
struct ImpulseRecorder {
    time_s: f64,
}

impl Surface for ImpulseRecorder {
    fn push(&mut self, force_n: f64, duration_s: f64) {
        assert!(force_n >= 0.0 && force_n.is_finite(), "force {force_n}");
        assert!(duration_s > 0.0 && duration_s.is_finite(), "duration {duration_s}");
        self.time_s += duration_s;
    }
}

/// Interpolates logarithmically from `low` to `high`.
fn log_range(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (0.0..=1.0f64).prop_map(move |t| low * (high / low).powf(t))
}

fn settings() -> impl Strategy<Value = ContactSettings> {
    let law = (
        log_range(1e3, 1e11),
        prop_oneof![Just(0.0), log_range(1e-9, 5.0)],
        prop_oneof![1.0..=3.5f64, Just(1.5), Just(1.0)],
    )
        .prop_map(|(stiffness, mu_s_per_m, alpha)| HuntCrossley {
            stiffness,
            mu_s_per_m,
            alpha,
        });
    let release =
        prop_oneof![Just(Release::Free), Just(Release::Approximate), Just(Release::Exact)];
    let steps = prop_oneof![3 => Just(Oversampling::Auto), 1 => (0u32..8).prop_map(|n| Oversampling::Times(1 << n))];
    let gravity = prop_oneof![Just(0.0), 0.1..100.0f64];
    (
        law,
        log_range(1e-4, 5.0),
        0usize..6,
        any::<bool>(),
        release,
        log_range(1e-3, 10.0),
        steps,
        gravity,
    )
        .prop_map(
            |(
                law,
                mass_kg,
                integrator,
                hybrid,
                release,
                threshold_pct,
                steps_per_sample,
                gravity_m_per_s2,
            )| {
                ContactSettings {
                    law,
                    mass_kg,
                    integrator: Integrator::ALL[integrator],
                    hybrid,
                    release,
                    threshold_pct,
                    steps_per_sample,
                    gravity_m_per_s2,
                    ..ContactSettings::default()
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn finite_never_pulling_and_without_energy_gain(
        settings in settings(),
        v_in in log_range(1e-3, 20.0),
        rate in log_range(1e3, 768e3),
        onset in 0.0..3.0f64,
        thrown in any::<bool>(),
    ) {
        let dt_s = 1.0 / rate;
        let mut striker = Striker::new();
        let mut watcher = ImpulseRecorder::default();
        if thrown {
            striker.throw(&settings, onset * dt_s * v_in, v_in);
        } else {
            striker.strike(&settings, v_in, onset * dt_s);
        }
        let passive = settings.integrator == Integrator::Passive;
        let held = |v_in: f64| match settings.release {
            Release::Exact => true,
            Release::Approximate => {
                let error_pct = approximation_error_pct(settings.law.mu_s_per_m * v_in);
                passive || settings.hybrid || error_pct <= settings.threshold_pct
            }
            Release::Free => passive || settings.hybrid,
        };
        let on_curve = passive || settings.hybrid;
        let mut before_j = None;
        let mut samples = 0;
        while striker.is_active() && !striker.is_resting() && samples < 100 {
            striker.advance_watched(dt_s, &mut watcher, &mut |touch: &RigidContact, step: &ContactStep| {
                let curve = touch.curve();
                let motion = touch.motion();
                let start_j = 0.5 * curve.mass_kg * curve.v_in_m_per_s * curve.v_in_m_per_s;
                let share_j = touch.onset_energy_j();
                assert!(motion.x_m.is_finite() && motion.v_m_per_s.is_finite() && touch.energy_j().is_finite());
                // The approximate target may lie one threshold above the curve on which it ends.
                let exempt = step.released && settings.release == Release::Approximate;
                if on_curve && !exempt {
                    let growth = (touch.energy_j() - before_j.unwrap_or(start_j)) / share_j;
                    assert!(growth < 1e-12, "energy grows by {growth:e}");
                }
                if step.released && held(curve.v_in_m_per_s) {
                    assert!(touch.energy_j() <= start_j + 1e-12 * share_j, "gained in all");
                }
                before_j = (!step.released).then(|| touch.energy_j());
            });
            // Each sample gives the surface its full time.
            prop_assert!((watcher.time_s / dt_s - 1.0).abs() < 1e-12, "{} of {dt_s}", watcher.time_s);
            watcher.time_s = 0.0;
            samples += 1;
        }
        prop_assert!(striker.force_n().is_finite() && striker.velocity_m_per_s().is_finite());
    }
}

/// The corners of the ranges, each until its end: every contact must end, however soft, hard or
/// damped.
#[test]
fn every_contact_ends() {
    for corner in 0..32u32 {
        let pick = |bit: u32, low: f64, high: f64| if corner >> bit & 1 == 0 { low } else { high };
        let law = HuntCrossley {
            stiffness: pick(0, 1e3, 1e11),
            mu_s_per_m: pick(1, 0.0, 5.0),
            alpha: pick(2, 1.0, 3.5),
        };
        let v_in = pick(4, 1e-3, 20.0);
        for integrator in Integrator::ALL {
            for (hybrid, release) in
                [(true, Release::Exact), (true, Release::Free), (false, Release::Free)]
            {
                let mass_kg = pick(3, 1e-4, 5.0);
                let settings = ContactSettings {
                    law,
                    mass_kg,
                    integrator,
                    hybrid,
                    release,
                    ..Default::default()
                };
                let mut striker = Striker::new();
                striker.strike(&settings, v_in, 0.0);
                let mut samples = 0;
                while striker.is_active() {
                    striker.advance(1e-3, &mut ImpulseRecorder::default());
                    samples += 1;
                    assert!(
                        samples < 2_000_000,
                        "{settings:?} v {v_in}: {:?}",
                        striker.rigid_contact()
                    );
                }
                assert!(
                    striker.last_contact().v_out_m_per_s < 0.0,
                    "{settings:?}: {:?}",
                    striker.last_contact()
                );
            }
        }
    }
}

/// Inputs from outside may have any value.
#[test]
fn invalid_calls_do_no_harm() {
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, -1.0, 0.0, 1e300] {
        for integrator in Integrator::ALL {
            let law = HuntCrossley { stiffness: bad, mu_s_per_m: bad, alpha: bad };
            let settings = ContactSettings {
                law,
                mass_kg: bad,
                integrator,
                threshold_pct: bad,
                gravity_m_per_s2: bad,
                ..Default::default()
            };
            let mut striker = Striker::new();
            for (v, delay) in [(bad, bad), (1.0, bad), (bad, 0.0)] {
                striker.strike(&settings, v, delay);
                for _ in 0..50 {
                    striker.advance(1e-3, &mut ImpulseRecorder::default());
                }
                striker.throw(&settings, delay, v);
                for _ in 0..50 {
                    striker.advance(1e-3, &mut ImpulseRecorder::default());
                }
            }
        }
    }
}
