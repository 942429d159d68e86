//! Rigid and two-way coupling, through a voice.

use ictus::cli::events::listen;
use ictus::params::Param;

use super::common::{RATE_HZ, largest_step, off, on, one, patch, play, random_sizes, score};

#[test]
fn a_heavy_body_sounds_alike_either_way() {
    for body in ["Free bar", "Membrane", "Free plate", "Church bell"] {
        let level_db = |coupling: &str| {
            let patch =
                patch(&[("body", body), ("weight", "50"), ("mass", "1 g"), ("coupl", coupling)]);
            10.0 * one(&patch, 57, 1.0, RATE_HZ).energy().log10()
        };
        let off_db = level_db("Two-way") - level_db("Rigid");
        println!("{body}: two-way {off_db:+.3} dB");
        assert!(off_db.abs() < 0.5, "{body}: {off_db} dB");
    }
}

#[test]
fn a_light_body_strikes_back() {
    let count = |weight: &str, coupling: &str| {
        let patch =
            patch(&[("weight", weight), ("coupl", coupling), ("mass", "5 g"), ("hard", "90 %")]);
        listen(&patch, &score(57, RATE_HZ, 1.0)).contacts.len()
    };
    let (light, heavy) = (count("0.02", "Two-way"), count("50", "Two-way"));
    println!("contacts of one blow: {light} on 20 g, {heavy} on 50 kg");
    assert!(light > 1 && heavy == 1 && count("0.02", "Rigid") == 1);
}

#[test]
fn blocks_of_random_sizes_give_the_same_bits() {
    for settings in [
        vec![("coupl", "Two-way"), ("weight", "0.05")],
        vec![
            ("coupl", "Two-way"),
            ("gest", "Bounce"),
            ("height", "3 cm"),
            ("scat", "50 %"),
            ("mscat", "50 %"),
        ],
        vec![("gest", "Roll"), ("speed", "0.5"), ("surf", "Washboard")],
        vec![("gest", "Roll"), ("speed", "2"), ("offc", "50 %"), ("weight", "0.1")],
        vec![("gest", "Scrape"), ("speed", "0.3"), ("surf", "Brushed steel")],
        vec![
            ("gest", "Roll"),
            ("speed", "1"),
            ("surf", "Washboard"),
            ("dmode", "Restitution"),
            ("rest", "0.6"),
        ],
        vec![
            ("gest", "Scrape"),
            ("speed", "0.5"),
            ("law", "Hertz-damper"),
            ("dmode", "Restitution"),
            ("rest", "0.9"),
        ],
    ] {
        let patch = patch(&settings);
        let events = [on(0, 60, 0.8), on(3001, 60, 0.6), on(5000, 64, 0.9), off(9003, 60)];
        let run = |size: &mut dyn FnMut() -> usize| {
            play(&patch, &events, 16_000, RATE_HZ, size, |_, _| {})
        };
        let reference = run(&mut || 512);
        assert!(reference.peak() > 1e-4, "{settings:?}");
        for (seed, most) in [(1, 700), (2, 90), (3, 7)] {
            let other = run(&mut random_sizes(seed, most));
            assert!(
                reference.left == other.left && reference.right == other.right,
                "{settings:?}, up to {most}"
            );
        }
    }
}

#[test]
fn strikers_meet_on_one_body() {
    // Soft and heavy: each contact lasts longer than the time to the next.
    let patch =
        patch(&[("coupl", "Two-way"), ("hard", "10 %"), ("mass", "200 g"), ("weight", "0.4")]);
    let run = |count: usize| {
        let blows: Vec<_> = (0..count).map(|n| on(n * 120, 57, 0.7)).collect();
        play(&patch, &blows, 24_000, RATE_HZ, || 256, |_, _| {})
    };
    let (single, many) = (run(1), run(12));
    assert!(many.left.iter().all(|x| x.is_finite()));
    println!("one blow {:.3}, twelve in 30 ms {:.3}", single.peak(), many.peak());
    assert!(many.peak() < 12.0 * single.peak());
    assert!(largest_step(&many.left) < 12.0 * largest_step(&single.left));
}

#[test]
fn turning_the_body_under_a_two_way_striker_makes_no_click() {
    let settings = [
        ("coupl", "Two-way"),
        ("hard", "0 %"),
        ("mass", "100 g"),
        ("weight", "1"),
        ("body", "Free plate"),
    ];
    let patch = patch(&settings);
    // From the patch's own value to another, during the contact of 8 ms and after it.
    for (param, end) in [
        (Param::Weight, 0.3),
        (Param::Tune, 4.0),
        (Param::Position, 0.7),
        (Param::PositionY, 0.6),
        (Param::PickupLeft, 0.4),
        (Param::Aspect, 1.9),
    ] {
        let begin = patch.get(param);
        let run = |from: f64, to: f64| {
            play(
                &patch,
                &[on(0, 57, 1.0)],
                14_400,
                RATE_HZ,
                || 32,
                |patch, start| {
                    patch.set(param, from + (to - from) * (start as f64 / 4800.0).min(1.0));
                },
            )
        };
        let moved = run(begin, end);
        let usual = largest_step(&run(begin, begin).left).max(largest_step(&run(end, end).left));
        let got = largest_step(&moved.left);
        println!("{}: largest step {got:.5}, unmoved {usual:.5}", param.spec().id);
        assert!(moved.left.iter().all(|x| x.is_finite()) && moved.peak() > 1e-3);
        assert!(got < 1.25 * usual, "{}: {got} {usual}", param.spec().id);
    }
}
