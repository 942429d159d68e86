//! A thrown body as the engine plays it: when its corners strike, how hard, that it comes to rest,
//! and that none of it depends on the sample rate or the block size.

use crate::playing::{
    amplitude_at, is_the_same_in_all_blocks, level, off, on, patch_of, play, score,
};
use ictus::body::UserModes;
use ictus::cli::events::{Report, Score, listen};
use ictus::contact::release;
use ictus::contact::restitution::{damping_unit_n_s_per_m, grid};
use ictus::exciter::tumble::TumblingBody;
use ictus::params::event::NoteAddress;
use ictus::params::{Param, Patch};
use ictus::rigid_body::tumble::Strikes;
use ictus::voice::events::ContactEvents;
use ictus::voice::{Voice, VoiceContext};

const BODIES: [&str; 6] = ["Die", "Brick", "Coin", "Rod", "Bowling pin", "Stone"];

/// A tumbling patch with some parameters set from text.
fn patch(settings: &[(&str, &str)]) -> Patch {
    patch_of(
        &[("gest", "Tumble"), ("dmode", "Restitution"), ("rest", "0.5"), ("angle", "40")],
        settings,
    )
}

fn tumble(patch: &Patch, rate_hz: f64) -> Report {
    listen(patch, &score(rate_hz))
}

/// Energy of the throw including the height of its centre, J.
fn thrown_j(patch: &Patch) -> f64 {
    TumblingBody::of_note(patch, &patch.scale(), f64::from(0.8f32), 0).tumble.energy_j()
}

#[test]
fn every_body_comes_to_rest_and_the_note_ends() {
    for body in BODIES {
        for coupling in ["Rigid", "Two-way"] {
            let got =
                tumble(&patch(&[("thrown", body), ("coupl", coupling), ("supp", "50")]), 48_000.0);
            let rest_s = got.rest_s.unwrap_or_else(|| panic!("{body} {coupling}: no rest"));
            println!(
                "{body} {coupling}: {} contacts, rest after {rest_s:.2} s",
                got.contacts.len()
            );
            assert!(got.contacts.len() >= 3, "{body} {coupling}");
            assert!(
                got.contacts.iter().all(|contact| contact.time_s < rest_s),
                "{body} {coupling}"
            );
            assert!(got.note_end_s.is_some_and(|end_s| end_s > rest_s), "{body} {coupling}");
        }
    }
}

#[test]
fn a_die_ends_on_a_face() {
    for seed in ["0", "1", "2", "3", "4", "5", "6", "7"] {
        let patch = patch(&[("seed", seed)]);
        let mut tumbling_body = TumblingBody::of_note(&patch, &patch.scale(), 0.8, 0);
        let mut strikes = Strikes::new();
        for _ in 0..10_000 {
            tumbling_body.tumble.tick(&mut strikes);
        }
        assert!(tumbling_body.tumble.is_resting(), "seed {seed}");
        let up = tumbling_body.tumble.motion().axes()[2];
        assert!(up.iter().any(|share| share.abs() > 0.999), "seed {seed}: on edge, {up:?}");
    }
}

#[test]
fn no_strike_has_more_momentum_than_the_throw() {
    for body in BODIES {
        for seed in ["0", "1", "2", "3"] {
            for rings in ["Struck body", "Thrown body", "Both"] {
                let patch = patch(&[("thrown", body), ("seed", seed), ("rings", rings)]);
                let (max_j, mass_kg) = (thrown_j(&patch), patch.get(Param::Mass));
                let contacts = tumble(&patch, 48_000.0).contacts;
                for (n, contact) in contacts.iter().enumerate() {
                    let energy_j = contact.energy_before_j;
                    assert!(
                        energy_j <= max_j,
                        "{body} {seed}: blow {n} with {energy_j} J of {max_j} J"
                    );
                    assert!(
                        contact.mass_kg <= mass_kg * (1.0 + 1e-9),
                        "{body} {seed}: {} kg",
                        contact.mass_kg
                    );
                    assert_eq!(
                        contact.gravity_m_per_s2, 0.0,
                        "a corner does not come back by itself"
                    );
                }
                // The body has lost most of its energy by the last impact.
                let last = contacts.last().expect("blows").energy_before_j;
                assert!(
                    last < 0.05 * max_j,
                    "{body} {seed}: the last of {} with {last} J",
                    contacts.len()
                );
            }
        }
    }
}

#[test]
fn friction_takes_energy_from_what_slides() {
    // With more friction a brick thrown flat over the ground comes to rest sooner.
    let rest_s = |fric: &str| {
        let patch = patch(&[("thrown", "Brick"), ("angle", "75"), ("fric", fric), ("speed", "6")]);
        tumble(&patch, 48_000.0).rest_s.expect("rest")
    };
    assert!(rest_s("0.6") < 0.8 * rest_s("0.1"));
}

#[test]
fn the_result_depends_on_the_seed_alone() {
    for body in ["Die", "Stone"] {
        let with_seed =
            |seed: &str| tumble(&patch(&[("thrown", body), ("seed", seed)]), 48_000.0).contacts;
        assert_eq!(with_seed("1"), with_seed("1"));
        assert_ne!(with_seed("1"), with_seed("2"));
    }
}

#[test]
fn the_list_is_the_same_at_every_rate() {
    for body in BODIES {
        let patch = patch(&[("thrown", body)]);
        let [first, others @ ..] =
            [44_100.0, 48_000.0, 96_000.0, 192_000.0].map(|rate_hz| tumble(&patch, rate_hz));
        for other in others {
            assert_eq!(first.contacts.len(), other.contacts.len(), "{body}");
            let mut worst = 0.0f64;
            for (a, b) in first.contacts.iter().zip(&other.contacts) {
                worst = worst.max((a.time_s - b.time_s).abs());
                assert!(a.mass_kg == b.mass_kg && a.point == b.point, "{body}: {a:?} {b:?}");
                assert!((a.speed_in_m_per_s - b.speed_in_m_per_s).abs() < 1e-9, "{body}");
            }
            println!("{body}: {} contacts, {worst:.1e} s apart", first.contacts.len());
            assert!(worst < 1e-6, "{body}: {worst} s");
        }
    }
}

#[test]
fn corners_of_a_ringing_body_differ() {
    let got = tumble(&patch(&[("rings", "Thrown body"), ("seed", "3")]), 48_000.0);
    let mut points: Vec<f64> = got.contacts.iter().map(|contact| contact.point).collect();
    points.sort_by(f64::total_cmp);
    points.dedup_by(|a, b| (*a - *b).abs() < 1e-3);
    assert!(points.len() >= 4, "{points:?}");
    // A die on a ground of a metre and a half strikes near the point of the throw.
    let struck = tumble(&patch(&[("seed", "3"), ("angle", "0"), ("pos", "50 %")]), 48_000.0);
    assert!(
        struck.contacts.iter().all(|contact| (contact.point - 0.5).abs() < 0.25),
        "{:?}",
        struck.contacts
    );
}

#[test]
fn on_a_small_ground_it_turns_round_at_the_ends() {
    let got = tumble(&patch(&[("span", "5 cm"), ("speed", "5"), ("angle", "70")]), 48_000.0);
    assert!(got.contacts.iter().all(|contact| (0.0..=1.0).contains(&contact.point)));
    let (low, high) = got
        .contacts
        .iter()
        .fold((1.0f64, 0.0f64), |(low, high), c| (low.min(c.point), high.max(c.point)));
    assert!(low < 0.3 && high > 0.7, "{low} to {high}");
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    for more in [
        vec![("thrown", "Coin"), ("rest", "0.7")],
        vec![("thrown", "Brick"), ("coupl", "Two-way")],
        vec![("thrown", "Stone"), ("rings", "Thrown body"), ("noff", "Catch and damp")],
        vec![("thrown", "Rod"), ("rings", "Both"), ("dmode", "Fixed"), ("law", "Hertz-damper")],
        vec![("rings", "Both"), ("coupl", "Two-way")],
    ] {
        let events = [on(5, 60), on(3_001, 67), on(9_001, 60), off(20_345, 60)];
        is_the_same_in_all_blocks(&patch(&more), &events, 60_000, &format!("{more:?}"));
    }
}

#[test]
fn a_note_sounds_the_same_in_any_voice() {
    // Voices compute their bodies at different instants; that must not be audible.
    let patch = patch(&[("thrown", "Coin")]);
    let list = UserModes::default();
    let context = VoiceContext {
        patch: &patch,
        knobs: &patch,
        table: None,
        list: &list,
        list_number: 0,
        tuning: &ictus::tuning::Tuning::EQUAL,
        forces_n: &[],
        tempo_bpm: 120.0,
    };
    let with_phase = |phase: f64| {
        let mut voice = Voice::new();
        voice.prepare(48_000.0);
        voice.set_phase(phase);
        voice.begin(NoteAddress::default(), 60, &context);
        voice.throw_tumbling_body(TumblingBody::of_note(&patch, &patch.scale(), 0.8, 0));
        let (mut left, mut right) = (vec![0.0; 48_000], vec![0.0; 48_000]);
        voice.process(&context, &mut left, &mut right, &mut ContactEvents::new());
        left
    };
    let first = with_phase(0.0);
    assert!(first.iter().any(|x| x.abs() > 0.01));
    for phase in [0.2, 0.5, 0.97, 1.0] {
        assert!(first == with_phase(phase), "{phase}");
    }
}

#[test]
fn a_caught_body_strikes_no_more() {
    let free = tumble(&patch(&[]), 48_000.0);
    let third_s = free.contacts[2].time_s;
    let caught = patch(&[("noff", "Catch")]);
    let got = listen(&caught, &Score { hold_s: Some(third_s + 0.002), ..score(48_000.0) });
    assert!(
        free.contacts.len() > 4 && got.contacts.len() <= 3,
        "{} of {}",
        got.contacts.len(),
        free.contacts.len()
    );
    assert!(got.note_end_s.is_some());
}

#[test]
fn a_note_ends_once_when_all_is_over() {
    let patch = patch(&[("supp", "100"), ("height", "1 m"), ("grav", "3")]);
    let listened = tumble(&patch, 48_000.0);
    let end = (listened.note_end_s.expect("an end") * 48_000.0).round() as usize;
    assert!(listened.note_end_s > listened.rest_s);
    assert_eq!(play(&patch, &[on(0, 69)], end, || 64).1, 0, "alive while it flies");
    assert_eq!(play(&patch, &[on(0, 69)], end + 48_000, || 64).1, 1);
}

#[test]
fn thirty_two_throws_at_once_stay_finite_and_below_the_ceiling() {
    for body in BODIES {
        let patch = patch(&[("thrown", body), ("rest", "0.8")]);
        let events: Vec<_> = (0..32).map(|n| on(0, 40 + n % 16)).collect();
        let (sound, _) = play(&patch, &events, 48_000, || 64);
        assert!(sound.iter().all(|x| x.is_finite() && x.abs() < 0.9), "{body}");
        assert!(sound.iter().any(|x| x.abs() > 0.05), "{body}: silent");
    }
}

#[test]
fn with_fixed_damping_it_comes_to_rest_too() {
    for body in BODIES {
        for law in ["Hunt-Crossley", "Hertz-damper"] {
            let got = tumble(
                &patch(&[("thrown", body), ("dmode", "Fixed"), ("law", law), ("supp", "50")]),
                48_000.0,
            );
            let rest_s = got.rest_s.unwrap_or_else(|| panic!("{body} {law}: no rest"));
            println!("{body} {law}: {} contacts, rest after {rest_s:.2} s", got.contacts.len());
            assert!(got.contacts.len() >= 3 && rest_s < 20.0, "{body} {law}: {rest_s}");
        }
    }
}

#[test]
fn a_blow_gives_back_what_the_rigid_body_took() {
    // On so short a ground corners are far apart: none merge into one strike.
    for mu in [0.1, 0.5, 2.0] {
        let text = mu.to_string();
        for contact in
            tumble(&patch(&[("dmode", "Fixed"), ("mu", &text), ("span", "5 cm")]), 48_000.0)
                .contacts
        {
            let got = contact.speed_out_m_per_s / contact.speed_in_m_per_s;
            let expected = release::exact(mu * contact.speed_in_m_per_s).restitution;
            assert!((got - expected).abs() < 1e-5, "mu {mu}: {got} {expected} {contact:?}");
        }
    }
    let damped =
        patch(&[("dmode", "Fixed"), ("law", "Hertz-damper"), ("damper", "5"), ("span", "5 cm")]);
    let law = damped.contact().law;
    let mut worst = 0.0f64;
    for contact in tumble(&damped, 48_000.0).contacts {
        let (v, mass_kg) = (contact.speed_in_m_per_s, contact.mass_kg);
        let unit = damping_unit_n_s_per_m(law.stiffness, law.alpha, mass_kg, v);
        let expected = grid::restitution(damped.get(Param::Damper) / unit, law.alpha);
        worst = worst.max((contact.speed_out_m_per_s / v - expected).abs());
    }
    println!("linear damper: up to {worst:.1e} off");
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn two_notes_ring_and_neither_masks_the_other() {
    for (body, coupling) in
        [("Rod", "Rigid"), ("Brick", "Rigid"), ("Coin", "Rigid"), ("Rod", "Two-way")]
    {
        let sound = |rings: &str, share: &str| {
            let settings =
                [("thrown", body), ("rings", rings), ("tshare", share), ("coupl", coupling)];
            let more =
                [("tpitch", "3100 Hz"), ("pos", "50 %"), ("tsize", "10 cm"), ("mass", "50 g")];
            play(&patch(&[&settings[..], &more].concat()), &[on(0, 69)], 96_000, || 256).0
        };
        let (struck, both) = (sound("Struck body", "50 %"), sound("Both", "50 %"));
        let at = |sound: &[f32], hz: f64| amplitude_at(&sound[9_600..57_600], hz);
        let (ground_hz, thing_hz) = (440.0, 3100.0);
        println!(
            "{body} {coupling}: ground {:.1e} alone, {:.1e} with the thing; thing {:.1e} and {:.1e}; {:.1} dB",
            at(&struck, ground_hz),
            at(&both, ground_hz),
            at(&struck, thing_hz),
            at(&both, thing_hz),
            20.0 * (level(&both) / level(&struck)).log10()
        );
        assert!(
            at(&both, thing_hz) > 10.0 * at(&struck, thing_hz),
            "{body} {coupling}: the thing is not heard"
        );
        assert!(
            at(&both, ground_hz) > 0.5 * at(&struck, ground_hz),
            "{body} {coupling}: the ground is not heard"
        );
        assert!((20.0 * (level(&both) / level(&struck)).log10()).abs() < 10.0, "{body} {coupling}");
        let thing = sound("Both", "100 %");
        assert!(
            at(&thing, ground_hz) < 0.05 * at(&both, ground_hz),
            "{body} {coupling}: the share has no effect"
        );
        let same = at(&thing, thing_hz) / at(&both, thing_hz);
        assert!((same - 1.0).abs() < 0.2, "{body} {coupling}: the thing itself changed by {same}");
    }
}

/// The friction of a corner along the ground adds to the loudness of its strike.
#[test]
fn friction_of_corners_is_heard_as_much_as_its_share() {
    let power = |fshare: &str, fric: &str| {
        let patch = patch(&[("fshare", fshare), ("fric", fric), ("angle", "60")]);
        play(&patch, &[on(0, 60)], 48_000, || 512).0.iter().map(|x| f64::from(x * x)).sum::<f64>()
    };
    assert_eq!(power("0 %", "0"), power("100 %", "0"), "without friction there is nothing to hear");
    let (none, half, all) = (power("0 %", "0.4"), power("50 %", "0.4"), power("100 %", "0.4"));
    assert!(none > 0.0 && half > 1.02 * none && all > 1.02 * half, "{none} {half} {all}");
    // The tangential force of no corner exceeds friction.
    assert!(all < 1.4f64.powi(2) * none, "{none} {all}");
}
