//! A chain of balls as the engine plays it: which balls leave, when it ends, and that nothing
//! depends on the block size.

use crate::playing::{
    amplitude_at, is_the_same_in_all_blocks, kink, off, on, patch_of, play, score,
};
use assert_no_alloc::assert_no_alloc;
use ictus::body::Parts;
use ictus::cli::events::{Contact, Report, Score, listen};
use ictus::contact::release;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::{Param, Patch};
use ictus::voice::settings::BodySettings;

/// A chain patch with some parameters set from text. Contacts lie at 0, 1/(n-1), ... along the
/// body.
fn patch(settings: &[(&str, &str)]) -> Patch {
    patch_of(&[("gest", "Chain"), ("pos", "0 %"), ("dmode", "Restitution")], settings)
}

fn row(patch: &Patch, rate_hz: f64) -> Report {
    listen(patch, &score(rate_hz))
}

/// Speeds of all balls after the contacts, from the speeds before and the listed contacts.
fn speeds_after(contacts: &[Contact], mut speeds: Vec<f64>) -> Vec<f64> {
    let pairs = speeds.len() - 1;
    for contact in contacts {
        let i = (contact.point * pairs as f64).round() as usize;
        assert!((contact.point * pairs as f64 - i as f64).abs() < 1e-6);
        let approach = speeds[i] - speeds[i + 1];
        assert!((approach - contact.speed_in_m_per_s).abs() < 1e-6, "{approach} {contact:?}");
        let mean = 0.5 * (speeds[i] + speeds[i + 1]);
        speeds[i] = mean - 0.5 * contact.speed_out_m_per_s;
        speeds[i + 1] = mean + 0.5 * contact.speed_out_m_per_s;
    }
    speeds
}

const LAWS: [&str; 2] = ["Hunt-Crossley", "Hertz-damper"];

#[test]
fn as_many_leave_as_come() {
    for (law, pulled) in LAWS.into_iter().flat_map(|law| (1..=4).map(move |pulled| (law, pulled))) {
        let patch = patch(&[
            ("rest", "1"),
            ("swing", "Single shot"),
            ("pulled", &pulled.to_string()),
            ("law", law),
        ]);
        let v = patch.impact_speed_m_per_s(f64::from(0.8f32));
        let got = row(&patch, 48_000.0);
        let before: Vec<f64> = (0..5).map(|ball| if ball < pulled { v } else { 0.0 }).collect();
        let after = speeds_after(&got.contacts, before);
        println!("{law}, {pulled} in: {after:?}");
        for (ball, speed) in after.iter().enumerate() {
            let expected = if ball >= 5 - pulled { v } else { 0.0 };
            assert!((speed - expected).abs() < 1e-6 * v, "{pulled} in: {after:?}");
        }
        assert!(got.rest_s.is_some() && got.note_end_s > got.rest_s);
    }
}

#[test]
fn a_cradle_swings_in_its_time_and_comes_to_an_end() {
    let patch = patch(&[("rest", "0.95"), ("supp", "50"), ("cord", "0.25 m")]);
    let got = row(&patch, 48_000.0);
    let swing_s =
        std::f64::consts::TAU * (patch.get(Param::Cord) / patch.get(Param::Gravity)).sqrt();
    // A quarter swing down, then an impact every half swing, slightly later for the time through
    // the gaps.
    assert!(
        (got.contacts[0].time_s / (0.25 * swing_s) - 1.0).abs() < 0.01,
        "{:?}",
        got.contacts[0]
    );
    assert!(
        (got.contacts[4].time_s / (0.75 * swing_s) - 1.0).abs() < 0.01,
        "{:?}",
        got.contacts[4]
    );
    let energies: Vec<f64> = got.contacts.iter().map(|contact| contact.energy_before_j).collect();
    assert!(energies.iter().all(|&energy| energy <= energies[0] * (1.0 + 1e-9)));
    assert!(got.rest_s.is_some() && got.note_end_s > got.rest_s);
    for contact in &got.contacts {
        assert!(contact.energy_after_j <= contact.energy_before_j * (1.0 + 1e-9));
    }
    // The restitution of the chain is that of its contacts.
    let first = got.contacts[0];
    assert!((first.speed_out_m_per_s / first.speed_in_m_per_s - 0.95).abs() < 1e-3, "{first:?}");
}

#[test]
fn on_the_note_means_at_once() {
    let got = row(&patch(&[("first", "On the note")]), 48_000.0);
    let gap_s = 1e-3 / patch(&[]).impact_speed_m_per_s(f64::from(0.8f32));
    assert!((got.contacts[0].time_s - gap_s).abs() < 1e-6, "{}", got.contacts[0].time_s);
}

#[test]
fn the_list_is_all_but_the_same_at_every_rate() {
    let patch = patch(&[("rest", "0.9"), ("supp", "50")]);
    let [first, others @ ..] =
        [44_100.0, 48_000.0, 96_000.0, 192_000.0].map(|rate_hz| row(&patch, rate_hz));
    for other in others {
        assert!(first.contacts.len().abs_diff(other.contacts.len()) <= 1);
        let worst = (first.contacts.iter().zip(&other.contacts).take(12))
            .fold(0.0f64, |worst, (a, b)| worst.max((a.time_s - b.time_s).abs()));
        println!("{} contacts, the first 12 {worst:.1e} s apart", first.contacts.len());
        assert!(worst < 1e-6, "{worst}");
    }
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    for more in [
        vec![("cord", "0.05 m")],
        vec![("balls", "12"), ("bgap", "0"), ("hard", "90 %")],
        vec![("noff", "Catch and damp"), ("swing", "Single shot"), ("bgap", "1 cm")],
        vec![
            ("law", "Hertz-damper"),
            ("cord", "0.05 m"),
            ("ballrg", "Each ball"),
            ("bsprd", "20 %"),
        ],
        vec![
            ("hard", "30 %"),
            ("first", "On the note"),
            ("bgap", "0"),
            ("balls", "9"),
            ("dmode", "Fixed"),
        ],
    ] {
        let events = [on(5, 60), on(2_001, 67), on(9_001, 60), off(9_345, 60)];
        is_the_same_in_all_blocks(&patch(&more), &events, 40_000, &format!("{more:?}"));
    }
}

#[test]
fn a_caught_chain_is_silent_and_the_note_ends_once() {
    for bgap in ["1 mm", "0"] {
        let patch = patch(&[("noff", "Catch"), ("rest", "1"), ("supp", "100"), ("bgap", bgap)]);
        let caught = listen(&patch, &Score { hold_s: Some(0.3), ..score(48_000.0) });
        assert!(caught.contacts.iter().all(|contact| contact.time_s < 0.33), "{bgap}");
        let (_, ended) = play(&patch, &[on(0, 69), off(14_400, 69)], 96_000, || 64);
        assert_eq!(ended, 1, "{bgap}");
    }
}

#[test]
fn chains_of_all_sizes_stay_finite() {
    for balls in ["2", "3", "16"] {
        for bgap in ["0", "0.01 mm", "1 cm"] {
            for hard in ["0 %", "100 %"] {
                let patch =
                    patch(&[("balls", balls), ("bgap", bgap), ("hard", hard), ("cord", "2 cm")]);
                let events: Vec<_> = (0..20).map(|n| on(100 * n, 40 + (n % 18) as u8)).collect();
                let (sound, _) = play(&patch, &events, 12_000, || 64);
                assert!(
                    sound.iter().all(|x| x.is_finite() && x.abs() < 0.9),
                    "{balls} {bgap} {hard}"
                );
                assert!(sound.iter().any(|x| x.abs() > 1e-3), "{balls} {bgap} {hard}: silent");
            }
        }
    }
}

/// Two balls on strings, which meet twice per swing.
fn pair(settings: &[(&str, &str)]) -> Report {
    let two = [
        ("balls", "2"),
        ("bgap", "0.1 mm"),
        ("supp", "50"),
        ("cord", "0.05 m"),
        ("first", "On the note"),
    ];
    row(&patch(&[&two[..], settings].concat()), 48_000.0)
}

#[test]
fn every_contact_of_two_balls_comes_apart_as_asked() {
    for law in LAWS {
        for (rest, e) in [("0.3", 0.3), ("0.7", 0.7), ("0.95", 0.95)] {
            let contacts = pair(&[("law", law), ("rest", rest)]).contacts;
            assert!(contacts.len() >= 4, "{law} {e}: {}", contacts.len());
            let off = |c: &Contact| (c.speed_out_m_per_s / c.speed_in_m_per_s - e).abs();
            let worst = contacts.iter().fold(0.0f64, |worst, c| worst.max(off(c)));
            println!("{law} {e}: {} contacts, up to {worst:.1e} off", contacts.len());
            assert!(worst < 2e-3, "{law} {e}: {worst}");
        }
    }
}

#[test]
fn a_fixed_mu_gives_back_what_its_speed_says() {
    let contacts = pair(&[("dmode", "Fixed"), ("mu", "0.5")]).contacts;
    for contact in &contacts[..10] {
        let expected = release::exact(0.5 * contact.speed_in_m_per_s).restitution;
        let got = contact.speed_out_m_per_s / contact.speed_in_m_per_s;
        assert!((got - expected).abs() < 2e-3, "{got} {expected}");
    }
}

#[test]
fn with_constant_restitution_a_cradle_ends_and_with_constant_mu_it_lingers() {
    // Both lose the same at first.
    let fixed = pair(&[("dmode", "Fixed"), ("mu", "0.3")]).contacts;
    let first = fixed[0].speed_out_m_per_s / fixed[0].speed_in_m_per_s;
    let by_e = pair(&[("rest", &format!("{first:.6}"))]).contacts;
    // With a constant restitution every speed is e times the one before ...
    for (n, contact) in by_e.iter().enumerate() {
        let expected = by_e[0].speed_in_m_per_s * first.powi(n as i32);
        assert!(
            (contact.speed_in_m_per_s / expected - 1.0).abs() < 0.02,
            "{n}: {contact:?} {expected}"
        );
    }
    // ... and with a constant mu the inverse of the speed grows by 2/3 mu each time: a train that
    // takes many times as long.
    let last = fixed.len() - 1;
    let growth = (1.0 / fixed[last].speed_in_m_per_s - 1.0 / fixed[last / 2].speed_in_m_per_s)
        / (last - last / 2) as f64;
    println!(
        "{} contacts by e = {first:.3}, {} by mu; 1/v grows by {growth}",
        by_e.len(),
        fixed.len()
    );
    assert!((growth / (2.0 / 3.0 * 0.3) - 1.0).abs() < 0.1, "{growth}");
    assert!(fixed.len() > 3 * by_e.len(), "{} and {}", fixed.len(), by_e.len());
}

#[test]
fn restarting_a_touching_chain_makes_no_click() {
    let soft = [("hard", "0 %"), ("first", "On the note"), ("bgap", "0")];
    let patch = patch(&soft);
    let contact = row(&patch, 48_000.0).contacts[0];
    let own = kink(&play(&patch, &[on(0, 69)], 4_800, || 256).0);
    for share in [0.2, 0.4, 0.6, 0.8] {
        let at = ((contact.time_s + share * contact.contact_time_s) * 48_000.0) as usize;
        let (sound, _) = play(&patch, &[on(0, 69), on(at, 69)], 9_600, || 256);
        let click = kink(&sound[at - 2..at + 48]);
        println!("after {share} of a contact: {click:.1e}, a strike {own:.1e}");
        assert!(click <= own, "{share}: {click} beside {own}");
    }
}

/// The frequency of each ball, Hz.
fn pitches_hz(patch: &Patch) -> Vec<f64> {
    let settings = BodySettings::new(patch, patch, 0.0, 0.0, false, 0);
    let Parts::Sizes { count, sizes } = settings.parts else { panic!("one body") };
    sizes[..count].iter().map(|size| settings.pitch_hz / size).collect()
}

#[test]
fn each_ball_rings_at_its_own_pitch_and_only_if_it_is_touched() {
    // Slow balls with wide gaps: a quarter of a second from one contact to the next.
    let patch = patch(&[
        ("ballrg", "Each ball"),
        ("bsprd", "30 %"),
        ("seed", "5"),
        ("speed", "0.4"),
        ("bgap", "5 cm"),
        ("swing", "Single shot"),
        ("rest", "1"),
        ("pos", "2 %"),
        ("supp", "1"),
    ]);
    let contacts = row(&patch, 48_000.0).contacts;
    let pitches = pitches_hz(&patch);
    println!("{pitches:?}");
    let (sound, _) = play(&patch, &[on(0, 69)], 96_000, || 256);
    let mut touched = [false; 5];
    for (n, pair) in contacts.windows(2).take(3).enumerate() {
        let ball = ((pair[0].point - 0.02) * 4.0).round() as usize;
        touched[ball..ball + 2].fill(true);
        let window =
            (pair[0].time_s * 48_000.0) as usize + 500..(pair[1].time_s * 48_000.0) as usize - 50;
        assert!(window.len() > 6_000);
        let heard: Vec<f64> =
            pitches.iter().map(|&hz| amplitude_at(&sound[window.clone()], hz)).collect();
        println!("{n}: {heard:.5?}");
        let of =
            |wanted: bool| heard.iter().zip(touched).filter(move |(_, touched)| *touched == wanted);
        let softest = of(true).fold(f64::INFINITY, |least, (&a, _)| least.min(a));
        for (ball, (&amplitude, _)) in of(false).enumerate() {
            assert!(
                amplitude < 0.02 * softest,
                "after contact {n} untouched ball {ball}: {amplitude:e}, {softest:e}"
            );
        }
    }
}

#[test]
fn many_ringing_balls_are_about_as_loud_as_one_body() {
    for balls in ["2", "5", "16"] {
        let levels = ["One body", "Each ball"].map(|rings| {
            let patch = patch(&[
                ("balls", balls),
                ("ballrg", rings),
                ("bsprd", "10 %"),
                ("cord", "0.05 m"),
                ("pos", "28 %"),
            ]);
            crate::playing::level(&play(&patch, &[on(0, 69)], 48_000, || 256).0)
        });
        let apart_db = 20.0 * (levels[1] / levels[0]).log10();
        println!("{balls} balls: {apart_db:.1} dB");
        assert!(apart_db.abs() < 6.0, "{balls}: {apart_db} dB");
    }
}

#[test]
fn no_chain_of_touching_balls_breaks_down() {
    // As many keys as there are voices: one that became NaN would have ended at once.
    for (law, hard) in
        LAWS.into_iter().flat_map(|law| ["0 %", "20 %", "60 %", "100 %"].map(|hard| (law, hard)))
    {
        for (balls, rest) in [("16", "0.95"), ("16", "0.3"), ("9", "1")] {
            let settings =
                [("balls", balls), ("hard", hard), ("bgap", "0"), ("law", law), ("rest", rest)];
            let patch = patch(
                &[&settings[..], &[("cord", "3 cm"), ("first", "On the note"), ("supp", "0.1")]]
                    .concat(),
            );
            let events: Vec<_> = (0..4).map(|n| on(0, 40 + 4 * n)).collect();
            let (sound, ended) = play(&patch, &events, 24_000, || 64);
            assert_eq!(ended, 0, "{law} {hard} {balls} {rest}");
            assert!(sound[22_000..].iter().any(|x| x.abs() > 1e-6), "{law} {hard} {balls} {rest}");
        }
    }
}

#[test]
fn coupling_does_not_affect_a_chain() {
    let heard =
        |coupling: &str| play(&patch(&[("coupl", coupling)]), &[on(0, 60)], 24_000, || 512).0;
    let (rigid, two_way) = (heard("Rigid"), heard("Two-way"));
    assert!(rigid.iter().any(|x| x.abs() > 1e-3));
    assert!(rigid == two_way);
}

/// Recording for the editor allocates nothing either.
#[test]
fn recording_a_chain_allocates_nothing() {
    let patch = patch(&[("balls", "9")]);
    let (mut engine, mut ends, mut seen) = (Box::new(Engine::new()), NoteEnds::new(), 0);
    engine.watch(true);
    for block in 0..400 {
        let events = if block % 100 == 0 { vec![on(3, 60)] } else { vec![] };
        let (mut left, mut right) = ([0.0; 128], [0.0; 128]);
        let view = assert_no_alloc(|| {
            engine.process(&patch, &events, &mut left, &mut right, &mut ends);
            engine.snapshot()
        });
        seen += usize::from(view.voice.is_some_and(|voice| voice.contact.is_some()));
        ends.clear();
    }
    assert!(seen > 100, "{seen}");
}
