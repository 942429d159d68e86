//! Mean and worst block of scenes of the whole engine.
//!
//! Every scene is deterministic and is played several times; the shortest time of each block counts.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::surface::{Feeler, Recipe, SurfaceTable};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::voice::Voice;

use crate::RATE_HZ;

const BLOCK: usize = 256;
const REPEATS: usize = 7;

/// A scene.
struct Scene {
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    /// Keys, and the blocks between two strikes of each; 0 for one strike.
    keys: std::ops::Range<u8>,
    every: usize,
    /// Automated parameter, and its total change.
    turned: Option<(Param, f64)>,
    blocks: usize,
}

/// Key at which a bar has 64 modes at 48 kHz.
const LOW: u8 = 6;
const STEEL: &[(&str, &str)] = &[
    ("coupl", "Two-way"),
    ("kmode", "k"),
    ("k", "2e10"),
    ("mass", "10 g"),
    ("speed", "10"),
    ("dyn", "0"),
    ("weight", "0.1"),
    ("mu", "0"),
];
const SOFT: &[(&str, &str)] = &[
    ("gest", "Bounce"),
    ("kmode", "k"),
    ("k", "1e4"),
    ("alpha", "3.4"),
    ("rest", "0.9"),
    ("dmode", "Restitution"),
];
const SOFT_TWO_WAY: &[(&str, &str)] = &[
    ("gest", "Bounce"),
    ("kmode", "k"),
    ("k", "1e4"),
    ("alpha", "3.4"),
    ("rest", "0.9"),
    ("dmode", "Restitution"),
    ("coupl", "Two-way"),
];
const SIZED: &[(&str, &str)] = &[("keytrk", "Retune")];

const SCENES: &[Scene] = &[
    Scene {
        name: "one voice, struck every 107 ms",
        settings: &[],
        keys: LOW..LOW + 1,
        every: 20,
        turned: None,
        blocks: 200,
    },
    Scene {
        name: "the same, two-way",
        settings: &[("coupl", "Two-way")],
        keys: LOW..LOW + 1,
        every: 20,
        turned: None,
        blocks: 200,
    },
    Scene {
        name: "the same, steel at 10 m/s on 100 g",
        settings: STEEL,
        keys: LOW..LOW + 1,
        every: 20,
        turned: None,
        blocks: 200,
    },
    Scene {
        name: "ten balls, k 1e4, alpha 3.4",
        settings: SOFT,
        keys: 40..50,
        every: 40,
        turned: None,
        blocks: 400,
    },
    Scene {
        name: "the same, two-way",
        settings: SOFT_TWO_WAY,
        keys: 40..50,
        every: 40,
        turned: None,
        blocks: 400,
    },
    Scene {
        name: "one roll, 64 modes",
        settings: &[("gest", "Roll")],
        keys: LOW..LOW + 1,
        every: 0,
        turned: None,
        blocks: 400,
    },
    Scene {
        name: "one roll, steel ball (k 2e10, 5 g)",
        settings: &[("gest", "Roll"), ("kmode", "k"), ("k", "2e10"), ("mass", "5 g")],
        keys: LOW..LOW + 1,
        every: 0,
        turned: None,
        blocks: 400,
    },
    Scene {
        name: "sixteen voices ring",
        settings: SIZED,
        keys: 0..16,
        every: 0,
        turned: None,
        blocks: 100,
    },
    Scene {
        name: "the same, tuned all the time",
        settings: SIZED,
        keys: 0..16,
        every: 0,
        turned: Some((Param::Tune, 1.0)),
        blocks: 100,
    },
    Scene {
        name: "the same, thickness moved",
        settings: SIZED,
        keys: 0..16,
        every: 0,
        turned: Some((Param::Thickness, 0.5)),
        blocks: 100,
    },
    Scene {
        name: "the same, pickups moved",
        settings: SIZED,
        keys: 0..16,
        every: 0,
        turned: Some((Param::PickupLeft, 0.3)),
        blocks: 100,
    },
    Scene {
        name: "free plates, aspect moved",
        settings: &[("body", "Free plate")],
        keys: 30..46,
        every: 0,
        turned: Some((Param::Aspect, 0.5)),
        blocks: 100,
    },
];

/// Prints the cost of the scenes (all, or those numbered on the command line), and of a new engine.
pub fn print() {
    println!(
        "\nscenes at {RATE_HZ} Hz, blocks of {BLOCK} samples ({:.0} us)",
        1e6 * BLOCK as f64 / RATE_HZ
    );
    println!("  {:38} mean us   worst us   worst of real time", "");
    let table = Arc::new(SurfaceTable::build(
        &Recipe::default(),
        &Feeler { radius_m: 0.01, patch_m: 5e-5 },
    ));
    let wanted: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    for (index, scene) in SCENES.iter().enumerate() {
        if !wanted.is_empty() && !wanted.contains(&index) {
            continue;
        }
        let times = scene.times(&table);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let worst = times.iter().fold(0.0f64, |a, b| a.max(*b));
        let share = 100.0 * worst * RATE_HZ / (BLOCK as f64 * 1e6);
        println!("  {:38} {mean:7.1}   {worst:8.1}   {share:5.1} %", scene.name);
    }
    let start = (0..5).map(|_| {
        let start = Instant::now();
        black_box(Engine::new());
        start.elapsed().as_nanos() as f64
    });
    let new_us = start.fold(f64::MAX, f64::min) / 1e3;
    println!("\nEngine::new(): {new_us:.0} us; a voice: {} bytes", size_of::<Voice>());
}

impl Scene {
    fn patch(&self) -> Patch {
        let mut patch = Patch::default();
        for (id, text) in self.settings {
            let param = Param::from_id(id).expect("known");
            let value = param.spec().parse_si(text).unwrap_or_else(|| panic!("{id} {text}"));
            patch.set(param, value);
        }
        patch
    }

    /// Shortest time of every block, us.
    fn times(&self, table: &Arc<SurfaceTable>) -> Vec<f64> {
        let mut times = vec![f64::MAX; self.blocks];
        for _ in 0..REPEATS {
            let mut engine = Engine::new();
            engine.prepare(RATE_HZ);
            let _ = engine.set_surface(Arc::clone(table));
            let mut patch = self.patch();
            let mut ends = NoteEnds::new();
            let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
            for (block, time) in times.iter_mut().enumerate() {
                let strikes = if self.every == 0 { block == 0 } else { block % self.every == 0 };
                let on = |key| Event {
                    offset: 0,
                    note: NoteAddress { id: None, channel: Some(0), key: Some(key) },
                    kind: EventKind::NoteOn { velocity: 0.8 },
                };
                let events: Vec<Event> =
                    if strikes { self.keys.clone().map(on).collect() } else { Vec::new() };
                if let Some((param, by)) = self.turned {
                    patch.set(
                        param,
                        self.patch().get(param) + by * block as f64 / self.blocks as f64,
                    );
                }
                let start = Instant::now();
                engine.process(&patch, &events, &mut left, &mut right, &mut ends);
                *time = time.min(start.elapsed().as_nanos() as f64 / 1e3);
                ends.clear();
                black_box((&left, &right));
            }
        }
        times
    }
}
