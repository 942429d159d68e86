//! Thread time of each block of a scene.

use super::scene::{BLOCK, RATE_HZ, Scene};

#[path = "../engine/clock.rs"]
mod clock;

/// Cost of a scene, in % of the time of a block.
pub struct Cost {
    pub worst: f64,
    pub mean: f64,
}

impl Cost {
    /// Play the scene `runs` times.
    pub fn of(runs: usize, scene: impl Fn() -> Scene) -> Self {
        let mut least_ns: Vec<f64> = Vec::new();
        for _ in 0..runs {
            let mut scene = scene();
            for block in 0..scene.blocks {
                let start_ns = clock::now_ns();
                scene.play(block);
                let ns = clock::now_ns() - start_ns;
                match least_ns.get_mut(block) {
                    Some(least_ns) => *least_ns = least_ns.min(ns),
                    None => least_ns.push(ns),
                }
            }
        }
        let asking_ns = clock::asking_ns();
        let percent = |ns: f64| 100.0 * (ns - asking_ns) * 1e-9 * RATE_HZ / BLOCK as f64;
        let worst = least_ns.iter().copied().fold(0.0, f64::max);
        let mean = least_ns.iter().sum::<f64>() / least_ns.len() as f64;
        Self { worst: percent(worst), mean: percent(mean) }
    }
}
