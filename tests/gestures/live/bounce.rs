//! A ball coupled to the body: its landing times, its losses, and that it ends.

use ictus::cli::events::{Contact, listen};
use ictus::contact::trial::{Grid, RigidTrial};
use ictus::contact::{Dent, Law};
use ictus::params::Param;

use super::common::{patch, score};

#[test]
fn energy_never_rises_between_two_way_bounces_and_they_end() {
    for (weight, mass) in [("0.05", "20 g"), ("0.4", "20 g"), ("10", "2 g")] {
        for law in ["Hunt-Crossley", "Hertz-damper"] {
            let settings = [
                ("gest", "Bounce"),
                ("coupl", "Two-way"),
                ("weight", weight),
                ("mass", mass),
                ("law", law),
            ];
            let more =
                [("dmode", "Restitution"), ("rest", "0.7"), ("height", "5 cm"), ("supp", "20")];
            let got = listen(&patch(&[&settings[..], &more].concat()), &score(57, 48_000.0, 30.0));
            assert!(got.contacts.len() > 3, "{} contacts", got.contacts.len());
            // A ringing body may return energy, so a single contact may speed the ball up, but
            // never beyond its initial energy, and a flight gains none. (`tests/contact/coupled`
            // checks the total energy, body included, step by step.)
            let first_j = got.contacts[0].energy_before_j;
            let max_j =
                got.contacts.iter().fold(0.0f64, |most, contact| most.max(contact.energy_after_j));
            let in_the_air =
                |pair: &[Contact]| (pair[1].energy_before_j - pair[0].energy_after_j) / first_j;
            let risen = got.contacts.windows(2).map(in_the_air).fold(f64::MIN, f64::max);
            println!(
                "{weight} kg, {mass}, {law}: most after a contact {:.3}, risen {risen:.1e}",
                max_j / first_j
            );
            assert!(max_j <= first_j * (1.0 + 1e-9), "{max_j} of {first_j}");
            assert!(risen < 1e-12, "risen in the air by {risen} of the first");
            assert!(got.rest_s.is_some() && got.note_end_s.is_some());
        }
    }
}

#[test]
fn a_train_of_constant_e_ends_as_the_impact_says() {
    for (law, kind) in [("Hunt-Crossley", Law::HuntCrossley), ("Hertz-damper", Law::HertzDamper)] {
        for (dent_name, dent) in [("Recovers", Dent::Recovers), ("Stays", Dent::Stays)] {
            for (text, e) in [("0.5", 0.5), ("0.8", 0.8)] {
                let patch = patch(&[
                    ("gest", "Bounce"),
                    ("first", "On the note"),
                    ("height", "30 cm"),
                    ("dmode", "Restitution"),
                    ("rest", text),
                    ("law", law),
                    ("dent", dent_name),
                    ("hard", "90 %"),
                ]);
                let got = listen(&patch, &score(69, 48_000.0, 60.0));
                let v = got.contacts[0].speed_in_m_per_s;
                let gravity = patch.get(Param::Gravity);
                let settings = ictus::contact::ContactSettings {
                    gravity_m_per_s2: gravity,
                    ..patch.contact()
                };
                assert_eq!((settings.kind, settings.dent), (kind, dent));
                let trial = RigidTrial {
                    settings,
                    v_in_m_per_s: v,
                    sample_rate_hz: 48_000.0,
                    onset: 0.0,
                    rebounds: 1_000_000,
                    grid: Grid::Samples,
                }
                .run();
                // From the first impact on: t0 (1+e)/(1-e) minus the fall t0 itself.
                let t0_s = v / gravity;
                let flights_s = t0_s * 2.0 * e / (1.0 - e);
                let rest_s = got.rest_s.expect("it comes to rest");
                let (off, by_law) = (
                    (rest_s - trial.train_time_s) * 48_000.0,
                    (trial.flight_time_total_s - flights_s) * 48_000.0,
                );
                println!(
                    "{law} {dent_name} e {e}: rest {off:+.3} samples from the trial's, its flights {by_law:+.3} samples off"
                );
                assert!(off.abs() <= 1.0 && by_law.abs() < 1.0, "{off} {by_law}");
                assert_eq!(got.contacts.len() as u32, trial.contacts);
            }
        }
    }
}

#[test]
fn a_dent_delays_a_bouncing_ball_with_the_damper_alone() {
    let times = |law: &str, dent: &str| {
        let settings = [
            ("gest", "Bounce"),
            ("dmode", "Restitution"),
            ("rest", "0.5"),
            ("law", law),
            ("dent", dent),
        ];
        let got = listen(&patch(&settings), &score(69, 48_000.0, 20.0));
        got.contacts.iter().take(5).map(|contact| contact.time_s).collect::<Vec<_>>()
    };
    assert_eq!(times("Hunt-Crossley", "Recovers"), times("Hunt-Crossley", "Stays"));
    let (recovers, stays) = (times("Hertz-damper", "Recovers"), times("Hertz-damper", "Stays"));
    assert!(recovers[0] == stays[0] && recovers[1] > stays[1] + 1e-6, "{recovers:?} {stays:?}");
}
