//! A tip that is dragged, beside a ball that rolls.

use crate::common::{RATE_HZ, one, patch};
use crate::k_weighting::mean_square;

const SURFACES: [&str; 6] = ["Floorboards", "Ceramic tiles", "Asphalt", "Brushed steel", "Washboard", "Marble table"];

/// How much louder than a ball at the same settings, dB, on each surface that is shipped.
fn louder_than_a_roll_db(speed: &str, press: &str) -> Vec<f64> {
    let level_db = |gesture: &str, surface: &str| {
        let patch = patch(&[("gest", gesture), ("surf", surface), ("speed", speed), ("press", press)]);
        let played = one(&patch, 57, 2.0, RATE_HZ);
        let heard = |side: &[f64]| mean_square(&side[24_000..]);
        10.0 * (heard(&played.left) + heard(&played.right)).log10() - 0.691
    };
    let louder = |surface: &&str| {
        let (scraped, rolled) = (level_db("Scrape", surface), level_db("Roll", surface));
        println!("{speed} m/s, {press} N, {surface}: roll {rolled:.1} LUFS, scrape {scraped:.1} LUFS");
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
