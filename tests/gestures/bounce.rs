//! A bouncing ball as the engine plays it: its landing times, its losses, its end, and that none of
//! it depends on the sample rate or the block size.

use crate::playing::{is_the_same_in_all_blocks, kink, patch_of, play, score};
use ictus::cli::events::{Contact, Report, Score, listen};
use ictus::contact::{ContactSettings, Integrator, contact_time, release};
use ictus::params::event::Event;
use ictus::params::{Param, Patch};

const RATES_HZ: [f64; 4] = [44_100.0, 48_000.0, 96_000.0, 192_000.0];

/// A bouncing patch with some parameters set from text.
fn patch(settings: &[(&str, &str)]) -> Patch {
    patch_of(&[("gest", "Bounce"), ("kmode", "k")], settings)
}

fn bounce(patch: &Patch, rate_hz: f64) -> Report {
    listen(patch, &score(rate_hz))
}

/// Speed after a contact, its duration, and the time its dent takes to recover, from the law.
fn analytic(contact: &ContactSettings, v_in: f64) -> (f64, f64, f64) {
    let onset = contact.at_onset(v_in);
    if onset.damper_n_s_per_m.is_some() {
        let rebound = onset.rebound(contact.mass_kg, v_in, 1e-13);
        let way_out_s = match contact.dent {
            ictus::contact::Dent::Recovers => rebound.x_separation / (rebound.e * v_in),
            ictus::contact::Dent::Stays => 0.0,
        };
        return (rebound.e * v_in, rebound.time, way_out_s);
    }
    let v_out = -release::v_out_exact(onset.law.mu_s_per_m, v_in);
    (v_out, contact_time::exact(&onset.law, contact.mass_kg, v_in), 0.0)
}

#[test]
fn thirty_bounces_come_when_the_closed_forms_say() {
    let hard = [("k", "1e10"), ("mass", "5 g"), ("height", "1 m")];
    for (name, more) in [
        ("constant e", vec![("dmode", "Restitution"), ("rest", "0.85")]),
        ("constant mu", vec![("mu", "0.4")]),
        (
            "constant e, damper",
            vec![("dmode", "Restitution"), ("rest", "0.85"), ("law", "Hertz-damper")],
        ),
        (
            "constant e, damper, dent",
            vec![
                ("dmode", "Restitution"),
                ("rest", "0.85"),
                ("law", "Hertz-damper"),
                ("dent", "Stays"),
            ],
        ),
        ("constant c", vec![("law", "Hertz-damper"), ("damper", "30")]),
    ] {
        let patch = patch(&[&hard[..], &more].concat());
        let contact = patch.contact();
        let gravity = patch.get(Param::Gravity);
        let throw = patch.impact_speed_m_per_s(f64::from(0.8f32));
        for rate_hz in RATES_HZ {
            let got = bounce(&patch, rate_hz);
            assert!(got.contacts.len() >= 30, "{name}: {} bounces", got.contacts.len());
            let mut v = (throw * throw + 2.0 * gravity * patch.get(Param::Height)).sqrt();
            let mut t_s = (v - throw) / gravity;
            let mut worst = 0.0f64;
            for contact_got in &got.contacts[..30] {
                worst = worst.max((contact_got.time_s - t_s).abs() * rate_hz);
                assert!((contact_got.speed_in_m_per_s / v - 1.0).abs() < 1e-5, "{name}");
                let (v_out, contact_s, way_out_s) = analytic(&contact, v);
                t_s += contact_s + way_out_s + 2.0 * v_out / gravity;
                v = v_out;
            }
            println!("{name} at {rate_hz} Hz: up to {worst:.1e} samples off in 30 bounces");
            assert!(worst < 1e-3, "{name} at {rate_hz} Hz: {worst} samples");
        }
    }
}

#[test]
fn energy_never_rises_with_any_method_law_or_damping() {
    for integrator in Integrator::ALL {
        for law in ["Hunt-Crossley", "Hertz-damper"] {
            for damping in ["Fixed", "Restitution"] {
                for mass_scatter in ["0", "100"] {
                    let method = integrator as usize;
                    let mut patch = patch(&[
                        ("law", law),
                        ("dmode", damping),
                        ("mscat", mass_scatter),
                        ("height", "0.1 m"),
                    ]);
                    patch.set(Param::Integrator, method as f64);
                    let got = listen(&patch, &Score { max_length_s: 20.0, ..score(48_000.0) });
                    let what = format!(
                        "{integrator:?} {law} {damping} {mass_scatter}: {}",
                        got.contacts.len()
                    );
                    assert!(got.contacts.len() > 3, "{what}");
                    for (n, contact) in got.contacts.iter().enumerate() {
                        assert!(
                            contact.energy_after_j <= contact.energy_before_j * (1.0 + 1e-12),
                            "{what}: in {n}"
                        );
                    }
                    for (n, pair) in got.contacts.windows(2).enumerate() {
                        assert!(
                            pair[1].energy_before_j <= pair[0].energy_after_j * (1.0 + 1e-9),
                            "{what}: {} to {} after {n}",
                            pair[0].energy_after_j,
                            pair[1].energy_before_j
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_list_is_the_same_at_every_rate() {
    for more in [
        vec![("dmode", "Restitution"), ("rest", "0.7")],
        vec![("mu", "0.5")],
        vec![("dmode", "Restitution"), ("rest", "0.9"), ("law", "Hertz-damper")],
        vec![
            ("dmode", "Restitution"),
            ("k", "1e5"),
            ("scat", "100"),
            ("mscat", "100"),
            ("drift", "0.7"),
            ("spin", "1"),
        ],
    ] {
        let patch = patch(&more);
        let [first, others @ ..] = RATES_HZ.map(|rate_hz| bounce(&patch, rate_hz));
        for other in others {
            assert_eq!(first.contacts.len(), other.contacts.len(), "{more:?}");
            let mut worst = (first.rest_s.expect("rest") - other.rest_s.expect("rest")).abs();
            for (a, b) in first.contacts.iter().zip(&other.contacts) {
                worst = worst.max((a.time_s - b.time_s).abs());
                assert!((a.point - b.point).abs() < 1e-6 && a.mass_kg == b.mass_kg, "{more:?}");
            }
            println!("{} bounces, {worst:.1e} s apart", first.contacts.len());
            assert!(worst < 1e-6, "{more:?}: {worst} s apart");
        }
    }
}

#[test]
fn every_ball_that_loses_energy_comes_to_rest() {
    for integrator in Integrator::ALL {
        for law in ["Hunt-Crossley", "Hertz-damper"] {
            for (damping, e) in [
                ("Restitution", "0.02"),
                ("Restitution", "0.6"),
                ("Restitution", "0.95"),
                ("Fixed", "1"),
            ] {
                for stiffness in ["1e4", "1e8", "1e11"] {
                    let mut patch =
                        patch(&[("law", law), ("dmode", damping), ("rest", e), ("k", stiffness)]);
                    patch.set(Param::Integrator, integrator as usize as f64);
                    patch.set(Param::Mu, 0.8);
                    patch.set(Param::Damper, 300.0);
                    patch.set(Param::Support, 50.0);
                    let got = bounce(&patch, 48_000.0);
                    let what = format!(
                        "{integrator:?} {law} {damping} {e} {stiffness}: {}",
                        got.contacts.len()
                    );
                    assert!(got.note_end_s.is_some(), "{what}: no end");
                    assert!(got.rest_s.is_some(), "{what}: no rest");
                }
            }
        }
    }
}

#[test]
fn the_result_depends_on_the_seed_alone() {
    let irregular = [("scat", "100"), ("mscat", "100"), ("dmode", "Restitution")];
    let with_seed = |seed: &'static str| {
        bounce(&patch(&[&irregular[..], &[("seed", seed)]].concat()), 48_000.0).contacts
    };
    assert_eq!(with_seed("1"), with_seed("1"));
    assert_ne!(with_seed("1"), with_seed("2"));
    let contacts = with_seed("1");
    let masses: Vec<f64> = contacts.iter().map(|contact| contact.mass_kg).collect();
    assert!(masses.iter().all(|mass| (0.0099..0.0401).contains(mass)), "{masses:?}");
    assert!(masses.windows(2).all(|pair| pair[0] != pair[1]), "each bounce has its own");
    assert!(contacts.windows(2).all(|pair| pair[0].point != pair[1].point));
}

#[test]
fn it_drifts_with_its_speed_and_turns_round() {
    let patch = patch(&[
        ("drift", "1"),
        ("pos", "50 %"),
        ("dmode", "Restitution"),
        ("rest", "0.9"),
        ("k", "1e10"),
    ]);
    let got = bounce(&patch, 48_000.0);
    let first = got.contacts[0];
    for contact in &got.contacts {
        let way = 0.5 + (contact.time_s - first.time_s);
        let around = way.rem_euclid(2.0);
        let expected = if around > 1.0 { 2.0 - around } else { around };
        // Contacts do not count towards it.
        assert!((contact.point - expected).abs() < 0.01, "{} instead of {expected}", contact.point);
    }
    assert!(got.contacts.iter().any(|contact| contact.point > 0.9));
    assert!(got.contacts.iter().any(|contact| contact.point < 0.1));
}

#[test]
fn a_synced_gap_is_the_note_length_at_any_velocity() {
    for more in [
        vec![("mu", "0.5")],
        vec![("dmode", "Restitution"), ("rest", "0.4"), ("k", "1e5")],
        vec![("dmode", "Restitution"), ("law", "Hertz-damper")],
    ] {
        for (gap, quarters) in [("1/16T", 1.0 / 6.0), ("1/4", 1.0), ("1/2D", 3.0)] {
            let patch = patch(&[&more[..], &[("gap", gap)]].concat());
            let gap_s = quarters * 60.0 / 97.0;
            let mut speeds = Vec::new();
            for velocity in [0.1, 0.5, 1.0] {
                let got = listen(
                    &patch,
                    &Score { velocity, tempo_bpm: 97.0, max_length_s: 10.0, ..score(48_000.0) },
                );
                let [one, two, ..] = got.contacts[..] else { panic!("two bounces") };
                assert!((one.time_s - gap_s).abs() < 1e-9, "{gap}: first after {}", one.time_s);
                assert!(
                    (two.time_s - one.time_s - gap_s).abs() < 1e-7,
                    "{more:?} {gap}: {}",
                    two.time_s - one.time_s
                );
                speeds.push(one.speed_in_m_per_s);
            }
            assert!(speeds[2] > 10.0 * speeds[0], "velocity plays the loudness");
        }
    }
}

/// A light body may return more speed than a fixed wall. With gravity computed for the rebound from
/// a wall, the ball would then fly for dozens of gaps, or for ever.
#[test]
fn a_synced_gap_is_kept_by_a_body_that_gives_way() {
    let dampings: [&[(&str, &str)]; 6] = [
        &[("mu", "0.5")],
        &[("mu", "0"), ("scat", "100 %"), ("drift", "1")],
        &[("dmode", "Restitution"), ("rest", "0.02")],
        &[("dmode", "Restitution"), ("rest", "0.8"), ("law", "Hertz-damper")],
        &[("dmode", "Restitution"), ("rest", "0.1"), ("law", "Hertz-damper"), ("k", "1e5")],
        &[("dmode", "Restitution"), ("rest", "0")],
    ];
    let tempo_bpm = 97.0;
    let (mut worst_s, mut kept, mut swallowed) = (0.0f64, 0, 0);
    for ((gap, quarters), rate_hz) in
        [(("1/16T", 1.0 / 6.0), 44_100.0), (("1/8", 0.5), 48_000.0), (("1/4", 1.0), 192_000.0)]
    {
        let gap_s = quarters * 60.0 / tempo_bpm;
        for (weight, mass) in
            [("20 g", "5 g"), ("20 g", "1 kg"), ("400 g", "5 g"), ("10 kg", "1 kg")]
        {
            for more in dampings {
                let what = format!("{gap} {weight} {mass} {more:?}");
                let body = [
                    ("coupl", "Two-way"),
                    ("gap", gap),
                    ("weight", weight),
                    ("mass", mass),
                    ("modes", "16"),
                ];
                let patch = patch(&[&body[..], more].concat());
                let got = listen(
                    &patch,
                    &Score { velocity: 0.7, tempo_bpm, max_length_s: 12.0, ..score(rate_hz) },
                );
                let Some(first) = got.contacts.first() else {
                    assert!(got.rest_s.is_some(), "{what}: it neither comes off nor rests");
                    swallowed += 1;
                    continue;
                };
                assert!((first.time_s - gap_s).abs() < 1e-9, "{what}: first at {}", first.time_s);
                // The body may strike several times before the ball separates.
                let thrown = |contact: &&Contact| contact.time_s - first.time_s < 0.5 * gap_s;
                let last = got.contacts.iter().take_while(thrown).last().expect("the first");
                let second = got.contacts.iter().find(|contact| !thrown(contact));
                if last.speed_out_m_per_s < 0.01 * first.speed_in_m_per_s {
                    // A ball that keeps less than a hundredth of its speed returns sooner.
                    assert!(
                        second.is_none_or(|second| second.time_s < first.time_s + 1.2 * gap_s),
                        "{what}: it hangs"
                    );
                    swallowed += 1;
                    continue;
                }
                // The ball lands while the body rings.
                let Some(second) = second else {
                    // A ball that comes to rest on the body reports no second contact.
                    let rest_s = got.rest_s.expect("it rests");
                    assert!(rest_s > first.time_s + 0.99 * gap_s, "{what}: at rest at {rest_s}");
                    swallowed += 1;
                    continue;
                };
                let off_s = (second.time_s - first.time_s - gap_s).abs();
                (worst_s, kept) = (worst_s.max(off_s), kept + 1);
                assert!(off_s < 2e-4, "{what}: {off_s:.1e} s");
            }
        }
    }
    println!(
        "{kept} gaps are kept to {worst_s:.1e} s, {swallowed} balls come off with next to nothing"
    );
    assert!(kept >= 60, "{kept} of 72 gaps");
}

/// The note of a synced ball ends even if the body returns almost none of its speed.
#[test]
fn a_synced_ball_does_not_hang_in_the_air() {
    for (weight, mass) in [("20 g", "1 kg"), ("400 g", "5 g"), ("10 kg", "5 g")] {
        for rest in ["0", "0.02"] {
            let more =
                [("coupl", "Two-way"), ("gap", "1/8"), ("dmode", "Restitution"), ("rest", rest)];
            let patch = patch(
                &[&more[..], &[("weight", weight), ("mass", mass), ("modes", "16")]].concat(),
            );
            let got = listen(
                &patch,
                &Score { velocity: 0.7, tempo_bpm: 97.0, max_length_s: 40.0, ..score(48_000.0) },
            );
            assert!(got.note_end_s.is_some(), "{weight} {mass} {rest}: it never ends");
        }
    }
}

#[test]
fn on_the_note_means_at_once() {
    let got = bounce(&patch(&[("first", "On the note")]), 48_000.0);
    assert!(got.contacts[0].time_s.abs() < 1e-12);
    let fallen = bounce(&patch(&[]), 48_000.0);
    assert_eq!(got.contacts.len(), fallen.contacts.len());
    assert!(
        (got.contacts[0].speed_in_m_per_s / fallen.contacts[0].speed_in_m_per_s - 1.0).abs()
            < 1e-12
    );
}

fn on(offset: usize) -> Event {
    crate::playing::on(offset, 69)
}

fn off(offset: usize) -> Event {
    crate::playing::off(offset, 69)
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    for more in [
        vec![("dmode", "Restitution"), ("scat", "80"), ("mscat", "80"), ("drift", "0.5")],
        vec![("integ", "Passive"), ("k", "1e7"), ("mu", "2")],
        vec![
            ("dmode", "Restitution"),
            ("law", "Hertz-damper"),
            ("noff", "Catch and damp"),
            ("k", "1e7"),
        ],
        vec![
            ("coupl", "Two-way"),
            ("gap", "1/16"),
            ("scat", "80"),
            ("weight", "50 g"),
            ("modes", "16"),
        ],
    ] {
        is_the_same_in_all_blocks(
            &patch(&more),
            &[on(5), on(9_001), off(52_345)],
            120_000,
            &format!("{more:?}"),
        );
    }
}

#[test]
fn a_note_ends_once_when_all_is_over() {
    let patch = patch(&[
        ("dmode", "Restitution"),
        ("rest", "0.6"),
        ("supp", "100"),
        ("height", "2 m"),
        ("grav", "1.62"),
    ]);
    let listened = bounce(&patch, 48_000.0);
    let end = (listened.note_end_s.expect("an end") * 48_000.0).round() as usize;
    assert!(listened.note_end_s > listened.rest_s);
    assert_eq!(
        play(&patch, &[on(0)], end, || 64).1,
        0,
        "alive while it flies, silent as it is between two bounces"
    );
    assert_eq!(play(&patch, &[on(0)], end + 48_000, || 64).1, 1);
}

#[test]
fn catching_and_damping_make_no_click() {
    let strike = kink(&play(&patch(&[("gest", "Strike")]), &[on(0)], 9600, || 256).0);
    // Soft, so that it can be caught in the middle of a contact.
    for (stiffness, alpha) in [("1e4", "1.5"), ("1e8", "1.5"), ("1e3", "1")] {
        let settings =
            [("dmode", "Restitution"), ("rest", "0.9"), ("k", stiffness), ("alpha", alpha)];
        let free = patch(&settings);
        let list = bounce(&free, 48_000.0).contacts;
        let third = list[2];
        let (free_sound, _) = play(&free, &[on(0)], 96_000, || 256);
        let own = kink(&free_sound[..(list[1].time_s * 48_000.0) as usize]);
        for action in ["Catch", "Damp", "Catch and damp"] {
            for (place, at_s) in [
                ("in contact", third.time_s + 0.4 * third.contact_time_s),
                ("in the air", third.time_s + third.contact_time_s + 0.01),
            ] {
                let caught = patch(&[&settings[..], &[("noff", action)]].concat());
                let at = (at_s * 48_000.0) as usize;
                let (sound, ended) = play(&caught, &[on(0), off(at)], 96_000, || 256);
                assert!(sound[..at] == free_sound[..at]);
                let click = kink(&sound[at - 2..]);
                // Catching changes the modes of the body, which may be as loud as a strike of the
                // instrument; it must not be heard beside the ball itself.
                let allowed = if action == "Catch" { own } else { own.max(strike) };
                println!(
                    "{stiffness} {action} {place}: {click:.1e}, its own strike {own:.1e}, a strike {strike:.1e}"
                );
                assert!(click <= allowed, "{stiffness} {action} {place}: {click} beside {allowed}");
                let later = (list[4].time_s * 48_000.0) as usize;
                if action.starts_with("Catch") {
                    let score = Score { hold_s: Some(at_s), ..score(48_000.0) };
                    let got = listen(&caught, &score).contacts.len();
                    assert!(got <= 3, "{action} {place}: bounces on, {got}");
                }
                if action != "Catch" {
                    let level = |sound: &[f32]| sound.iter().map(|x| f64::from(x * x)).sum::<f64>();
                    let window = later - 2000..later;
                    assert!(
                        level(&sound[window.clone()]) < 0.1 * level(&free_sound[window]),
                        "{action} {place}: rings on"
                    );
                }
                assert!(ended <= 1);
            }
        }
    }
}

#[test]
fn four_balls_share_a_body_and_the_fifth_takes_the_place_of_the_first() {
    let patch = patch(&[("dmode", "Restitution"), ("rest", "0.95"), ("height", "1 m")]);
    let events: Vec<_> = (0..12).map(|n| on(n * 3000)).collect();
    let (sound, _) = play(&patch, &events, 200_000, || 512);
    assert!(sound.iter().all(|x| x.is_finite() && x.abs() < 0.9));
}
