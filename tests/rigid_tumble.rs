//! A thrown body lands, tumbles and comes to rest.

use ictus::rigid::shape::{Kind, Shape};
use ictus::rigid::tumble::{MOST_IMPACTS, Settings, Strikes, TICK_S, Throw, Tumble};

fn shape(kind: Kind, seed: u64) -> Shape {
    match kind {
        Kind::Die => Shape::new(kind, 0.016, 0.005, seed),
        Kind::Brick => Shape::new(kind, 0.215, 2.5, seed),
        Kind::Coin => Shape::new(kind, 0.024, 0.008, seed),
        Kind::Rod => Shape::new(kind, 0.3, 0.5, seed),
        Kind::BowlingPin => Shape::new(kind, 0.381, 1.5, seed),
        Kind::Stone => Shape::new(kind, 0.06, 0.15, seed),
    }
}

#[test]
fn every_body_comes_to_rest() {
    for kind in Kind::ALL {
        for seed in 0..20 {
            let mut tumble = Tumble::new(shape(kind, seed), &Settings::default(), &Throw { seed, ..Throw::default() });
            let mut strikes = Strikes::new();
            let mut count = 0;
            let mut worst_solves = 0;
            while !tumble.is_resting() && tumble.time_s() < 20.0 {
                tumble.tick(&mut strikes);
                count += strikes.len();
                worst_solves = worst_solves.max(tumble.last_solves());
            }
            let m = tumble.motion();
            let axes = m.axes();
            println!(
                "{:>12} seed {seed:2} rest {} at {:.3} s, {count} strikes, height {:.5} solves {worst_solves} up {:.4} {:.4} {:.4}",
                kind.name(),
                tumble.is_resting(),
                tumble.time_s(),
                m.centre_m[2],
                axes[2][0],
                axes[2][1],
                axes[2][2]
            );
        }
    }
    let _ = (MOST_IMPACTS, TICK_S);
}
