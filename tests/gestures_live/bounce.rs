//! A ball that feels the body: when it lands, what it loses, and that it ends.

use ictus::cli::events::{Contact, listen};
use ictus::contact::trial::{Grid, Trial};
use ictus::contact::{Dent, Law};
use ictus::patch::Param;

use crate::common::{patch, score};

/// A drum head of 64 modes below 1 kHz: the same body at every rate.
const DRUM: [(&str, &str); 6] =
    [("gest", "Bounce"), ("coupl", "Two-way"), ("body", "Membrane"), ("modes", "64"), ("weight", "2"), ("mass", "5 g")];

/// The first contact of each landing: a body that gives way may knock several times before the ball is off for good.
fn landings(contacts: &[Contact]) -> Vec<Contact> {
    let mut landed: Vec<Contact> = Vec::new();
    let mut last_end_s = f64::MIN;
    for contact in contacts {
        if contact.time_s - last_end_s > 2e-3 {
            landed.push(*contact);
        }
        last_end_s = contact.time_s + contact.contact_time_s;
    }
    landed
}

/// Onsets of the first ten landings, in samples of 48 kHz.
fn onsets(settings: &[(&str, &str)], over: &str, rate_hz: f64) -> Vec<f64> {
    let patch = patch(&[settings, &[("over", over)]].concat());
    let landed = landings(&listen(&patch, &score(45, rate_hz, 0.65)).contacts);
    assert!(landed.len() >= 10, "{} landings", landed.len());
    landed[..10].iter().map(|contact| contact.time_s * 48_000.0).collect()
}

/// The same at 768 kHz with so many steps in every sample of a contact.
fn fold(settings: &[(&str, &str)], steps: u32) -> Vec<f64> {
    let over = format!("{steps}x");
    let patch = patch(&[settings, &[("over", over.as_str())]].concat());
    let contacts = listen(&patch, &score(45, 768_000.0, 0.65)).contacts;
    let last_s = landings(&contacts)[9].time_s;
    for contact in contacts.iter().filter(|contact| contact.time_s <= last_s) {
        // A voice adds one step to its allowance with each sample of 768 kHz, and saves up 6144: none is cut short.
        let spent = contact.contact_time_s * 768_000.0 * f64::from(steps - 1);
        assert!(spent < 6000.0, "a contact of {} s takes {spent} steps", contact.contact_time_s);
    }
    onsets(settings, &over, 768_000.0)
}

#[test]
fn two_way_onsets_are_those_of_a_finer_run() {
    // On a body that still moves when the ball comes back a bounce is chaotic: heavy, and damped.
    let calm = [("weight", "50"), ("mass", "1 g"), ("supp", "200"), ("speed", "0.1"), ("height", "5 mm")];
    for more in [
        &[("mu", "0.5")][..],
        &[("dmode", "Restitution"), ("rest", "0.85")],
        &[("law", "Hertz-damper"), ("damper", "0.2")],
    ] {
        let settings = [&DRUM[..], &calm, more].concat();
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs()));
        // 16 times the rate with 4 steps in each sample: 64 steps in a sample of 48 kHz, all of which the allowance has.
        let fine = fold(&settings, 4);
        // Were the reference itself off, half its step would show it.
        let finer = apart(&fine, &fold(&settings, 8));
        println!("{more:?}: the reference from one twice as fine {finer:.4} samples");
        assert!(finer < 0.02, "{more:?}: {finer} samples");
        for over in ["Auto", "64x"] {
            let worst = apart(&onsets(&settings, over, 48_000.0), &fine);
            println!("{more:?}, {over}: {worst:.4} samples");
            assert!(worst < 0.1, "{more:?}, {over}: {worst} samples");
        }
    }
}

#[test]
fn energy_never_rises_between_two_way_bounces_and_they_end() {
    for (weight, mass) in [("0.05", "20 g"), ("0.4", "20 g"), ("10", "2 g")] {
        for law in ["Hunt-Crossley", "Hertz-damper"] {
            let settings = [("gest", "Bounce"), ("coupl", "Two-way"), ("weight", weight), ("mass", mass), ("law", law)];
            let more = [("dmode", "Restitution"), ("rest", "0.7"), ("height", "5 cm"), ("supp", "20")];
            let got = listen(&patch(&[&settings[..], &more].concat()), &score(57, 48_000.0, 30.0));
            assert!(got.contacts.len() > 3, "{} contacts", got.contacts.len());
            // A body that rings may give back what it took, so one contact may well speed the ball up: but never beyond what
            // came in first, and in the air nothing is won. (All there is, body included, is watched step by step in tests/two_way.)
            let first_j = got.contacts[0].energy_before_j;
            let most_j = got.contacts.iter().fold(0.0f64, |most, contact| most.max(contact.energy_after_j));
            let in_the_air = |pair: &[Contact]| (pair[1].energy_before_j - pair[0].energy_after_j) / first_j;
            let risen = got.contacts.windows(2).map(in_the_air).fold(f64::MIN, f64::max);
            println!("{weight} kg, {mass}, {law}: most after a contact {:.3}, risen {risen:.1e}", most_j / first_j);
            assert!(most_j <= first_j * (1.0 + 1e-9), "{most_j} of {first_j}");
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
                let settings = ictus::contact::ContactSettings { gravity_m_per_s2: gravity, ..patch.contact() };
                assert_eq!((settings.kind, settings.dent), (kind, dent));
                let trial = Trial {
                    settings,
                    v_in_m_per_s: v,
                    sample_rate_hz: 48_000.0,
                    onset: 0.0,
                    rebounds: 1_000_000,
                    grid: Grid::Samples,
                }
                .run();
                // From the first impact on: t0 (1+e)/(1-e) less the fall t0 itself.
                let t0_s = v / gravity;
                let flights_s = t0_s * 2.0 * e / (1.0 - e);
                let rest_s = got.rest_s.expect("it comes to rest");
                let (off, by_law) =
                    ((rest_s - trial.train_time_s) * 48_000.0, (trial.flight_time_total_s - flights_s) * 48_000.0);
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
        let settings = [("gest", "Bounce"), ("dmode", "Restitution"), ("rest", "0.5"), ("law", law), ("dent", dent)];
        let got = listen(&patch(&settings), &score(69, 48_000.0, 20.0));
        got.contacts.iter().take(5).map(|contact| contact.time_s).collect::<Vec<_>>()
    };
    assert_eq!(times("Hunt-Crossley", "Recovers"), times("Hunt-Crossley", "Stays"));
    let (recovers, stays) = (times("Hertz-damper", "Recovers"), times("Hertz-damper", "Stays"));
    assert!(recovers[0] == stays[0] && recovers[1] > stays[1] + 1e-6, "{recovers:?} {stays:?}");
}
