//! Contacts on the audio thread: nothing is allocated, and a change during a contact takes effect
//! at the next contact, so no setting can interrupt a contact or cause a click.

use assert_no_alloc::assert_no_alloc;
use ictus::contact::{ContactSettings, HuntCrossley, Integrator, Release, Striker, Wall};

#[test]
fn nothing_is_allocated() {
    for integrator in Integrator::ALL {
        for release in [Release::Free, Release::Approximate, Release::Exact] {
            let settings = ContactSettings {
                integrator,
                release,
                gravity_m_per_s2: 9.81,
                ..ContactSettings::default()
            };
            assert_no_alloc(|| {
                let mut striker = Striker::new();
                let mut wall = Wall::default();
                striker.throw(&settings, 0.01, 0.0);
                for _ in 0..48_000 {
                    striker.advance(1.0 / 48_000.0, &mut wall);
                }
                striker.reset();
            });
        }
    }
}

/// Force of every sample while the settings change at sample `change`, if given.
fn forces(change: Option<usize>) -> Vec<f64> {
    let law = HuntCrossley { stiffness: 1e5, mu_s_per_m: 0.2, alpha: 1.5 };
    let first = ContactSettings { law, gravity_m_per_s2: 9.81, ..ContactSettings::default() };
    let other = ContactSettings {
        law: HuntCrossley { stiffness: 1e9, mu_s_per_m: 2.0, alpha: 2.0 },
        mass_kg: 1.0,
        integrator: Integrator::Verlet,
        hybrid: false,
        release: Release::Free,
        ..first
    };
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    striker.strike(&first, 0.05, 0.0);
    (0..4000)
        .map(|n| {
            if change == Some(n) {
                striker.set_settings(&other);
            }
            striker.advance(1.0 / 48_000.0, &mut wall);
            striker.force_n()
        })
        .collect()
}

#[test]
fn a_change_in_mid_contact_waits_for_the_next() {
    let (still, changed) = (forces(None), forces(Some(100)));
    assert!(still[100] > 0.0, "in contact when the change comes");
    let end = still.iter().position(|f| *f == 0.0).expect("it comes off");
    assert_eq!(still[..end], changed[..end]);
    assert_ne!(still[end..], changed[end..], "the change never came");
}

#[test]
fn reset_forgets_everything() {
    let settings = ContactSettings { gravity_m_per_s2: 9.81, ..ContactSettings::default() };
    let run = |striker: &mut Striker| {
        let mut wall = Wall::default();
        striker.throw(&settings, 0.001, 0.1);
        (0..5000)
            .map(|_| {
                striker.advance(1.0 / 48_000.0, &mut wall);
                striker.force_n()
            })
            .collect::<Vec<_>>()
    };
    let mut used = Striker::new();
    let first = run(&mut used);
    used.reset();
    assert!(!used.is_active() && used.contacts() == 0);
    assert_eq!(first, run(&mut used));
}
