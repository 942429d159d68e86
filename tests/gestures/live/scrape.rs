//! A scraping tip compared with a rolling ball.

use super::common::{RATE_HZ, one, patch};
use crate::k_weighting::mean_square;
use crate::sound::third_octaves_db;

const SURFACES: [&str; 6] =
    ["Floorboards", "Ceramic tiles", "Asphalt", "Brushed steel", "Washboard", "Marble table"];

/// The level above that of a ball at the same settings, dB, on each shipped surface.
fn louder_than_a_roll_db(speed: &str, press: &str) -> Vec<f64> {
    let level_db = |gesture: &str, surface: &str| {
        let patch =
            patch(&[("gest", gesture), ("surf", surface), ("speed", speed), ("press", press)]);
        // More than a metre of every surface: in 30 cm a single grain makes 4 dB.
        let played = one(&patch, 57, 8.0, RATE_HZ);
        let heard = |side: &[f64]| mean_square(&side[24_000..]);
        10.0 * (heard(&played.left) + heard(&played.right)).log10() - 0.691
    };
    let louder = |surface: &&str| {
        let (scraped, rolled) = (level_db("Scrape", surface), level_db("Roll", surface));
        println!(
            "{speed} m/s, {press} N, {surface}: roll {rolled:.1} LUFS, scrape {scraped:.1} LUFS"
        );
        scraped - rolled
    };
    SURFACES.iter().map(louder).collect()
}

#[test]
fn a_scrape_is_as_loud_as_a_roll() {
    for (speed, press) in [("0.15", "2"), ("0.3", "2"), ("0.3", "8")] {
        let mut louder_db = louder_than_a_roll_db(speed, press);
        louder_db.sort_by(f64::total_cmp);
        let middle_db = 0.5 * (louder_db[2] + louder_db[3]);
        println!(
            "{speed} m/s, {press} N: {middle_db:+.1} dB in the middle, {:+.1} to {:+.1}",
            louder_db[0], louder_db[5]
        );
        assert!(middle_db.abs() < 3.0, "{speed} m/s, {press} N: {louder_db:?}");
        assert!(louder_db[0] > -6.0 && louder_db[5] < 6.0, "{speed} m/s, {press} N: {louder_db:?}");
    }
}

#[test]
fn law_and_damping_are_heard_in_what_scrapes_and_rolls() {
    let heard = |gesture: &str, more: &[(&str, &str)]| {
        let plain = [
            ("gest", gesture),
            ("surf", "Asphalt"),
            ("speed", "0.5"),
            ("kmode", "k"),
            ("k", "3e8"),
        ];
        let played = one(&patch(&[&plain[..], more].concat()), 57, 3.0, RATE_HZ);
        assert!(played.left.iter().chain(&played.right).all(|x| x.is_finite()));
        assert!(played.peak() > 1e-4, "{gesture} {more:?}: {}", played.peak());
        third_octaves_db(&played.left[24_000..], RATE_HZ)
            .into_iter()
            .map(|(_, db)| db)
            .collect::<Vec<_>>()
    };
    let apart_db = |a: &[f64], b: &[f64]| {
        let audible = |(a, b): &(&f64, &f64)| a.max(**b) > -90.0;
        let off: Vec<f64> =
            a.iter().zip(b).filter(audible).map(|(a, b)| (a - b) * (a - b)).collect();
        assert!(off.len() > 5, "{} bands", off.len());
        (off.iter().sum::<f64>() / off.len() as f64).sqrt()
    };
    for gesture in ["Scrape", "Roll"] {
        let fixed = heard(gesture, &[]);
        let damper = heard(gesture, &[("law", "Hertz-damper"), ("damper", "20")]);
        let bouncy = |law: &str, e: &str| {
            heard(gesture, &[("law", law), ("dmode", "Restitution"), ("rest", e)])
        };
        let (dead, lively) = (bouncy("Hunt-Crossley", "0.1"), bouncy("Hunt-Crossley", "0.95"));
        let (dead_too, lively_too) =
            (bouncy("Hertz-damper", "0.1"), bouncy("Hertz-damper", "0.95"));
        for (what, a, b) in [
            ("law", &fixed, &damper),
            ("restitution", &dead, &lively),
            ("restitution with the damper", &dead_too, &lively_too),
            ("law at e 0.1", &dead, &dead_too),
        ] {
            let rms_db = apart_db(a, b);
            println!("{gesture}, {what}: third octaves differ by {rms_db:.1} dB rms");
            assert!(rms_db > 1.0, "{gesture}, {what}: {rms_db} dB");
        }
    }
}
