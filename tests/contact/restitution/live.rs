//! Restitution in the instrument: parameters reach the contact, the default sound is unchanged, and
//! nothing is allocated when the damping changes.

use assert_no_alloc::assert_no_alloc;
use ictus::contact::{ContactSettings, DamperFit, Integrator, Law, Striker, Wall};
use ictus::params::{Param, Patch};

#[test]
fn nothing_is_allocated() {
    for kind in [Law::HuntCrossley, Law::HertzDamper] {
        for fit in [DamperFit::Exact, DamperFit::ClosedForm] {
            for integrator in Integrator::ALL {
                let settings = ContactSettings {
                    kind,
                    fit,
                    integrator,
                    restitution: Some(0.7),
                    gravity_m_per_s2: 9.81,
                    ..ContactSettings::default()
                };
                assert_no_alloc(|| {
                    let mut striker = Striker::new();
                    let mut wall = Wall::default();
                    striker.throw(&settings, 0.01, 0.0);
                    for _ in 0..24_000 {
                        striker.advance(1.0 / 48_000.0, &mut wall);
                    }
                });
            }
        }
    }
}

#[test]
fn parameters_reach_the_contact() {
    let mut patch = Patch::default();
    let plain = patch.contact();
    assert_eq!((plain.kind, plain.restitution), (Law::HuntCrossley, None), "today's sound stays");
    patch.set(Param::Law, 1.0);
    patch.set(Param::DampingMode, 1.0);
    patch.set(Param::Restitution, 0.25);
    patch.set(Param::Damper, 300.0);
    patch.set(Param::DamperFit, 1.0);
    let set = patch.contact();
    assert_eq!((set.kind, set.fit), (Law::HertzDamper, DamperFit::ClosedForm));
    assert_eq!(set.restitution, Some(0.25));
    assert!((set.damper_n_s_per_m / 300.0 - 1.0).abs() < 1e-6);
}

#[test]
fn the_damping_follows_the_speed_of_each_hit() {
    let mut patch = Patch::default();
    patch.set(Param::DampingMode, 1.0);
    patch.set(Param::Restitution, 0.5);
    for law in [0.0, 1.0] {
        patch.set(Param::Law, law);
        for velocity in [0.0, 0.3, 1.0] {
            let speed = patch.impact_speed_m_per_s(velocity);
            let mut striker = Striker::new();
            let mut wall = Wall::default();
            striker.strike(&patch.contact(), speed, 0.0);
            while striker.is_active() {
                striker.advance(1.0 / 48_000.0, &mut wall);
            }
            let e = -striker.last_contact().v_out_m_per_s / speed;
            assert!((e - 0.5).abs() < 1e-6, "law {law}, velocity {velocity}: {e}");
        }
    }
}
