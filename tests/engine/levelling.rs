//! The reference strike of every patch, body and key is about equally loud. The whole engine
//! renders it, and the loudness filter of BS.1770 measures its loudest 400 ms.
//!
//! The bounds are those of the closed-form estimate (`levelling`). Trim corrects each
//! patch as a whole, so the important figure is the spread over the keys of one patch.

use ictus::body::material::Material;
use ictus::body::{BodyKind, Geometry, Listening, Modes, Point, UserModes};
use ictus::cli::render::install_surface;
use ictus::contact::ContactSettings;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::Gesture;
use ictus::io::presets::{Preset, factory};
use ictus::levelling::ReferenceBlow;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 480;
/// 400 ms, and the step of the window.
const WINDOW: usize = 19_200;
const STEP: usize = 4_800;
/// Low enough to keep the limiter inactive, dB.
const DOWN_DB: f64 = 60.0;
const KEYS: [u8; 6] = [36, 48, 60, 72, 84, 96];

struct Player {
    engine: Engine,
}

impl Player {
    fn new() -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        Self { engine }
    }

    /// Loudest 400 ms of a note at full velocity, dB, as if Level were at 0 dB.
    fn level_db(&mut self, patch: &Patch, key: u8, seconds: f64) -> f64 {
        let mut patch = patch.clone();
        crate::patches::set(&mut patch, "level", &format!("{}", -DOWN_DB));
        self.engine.reset();
        let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
        let mut events = vec![Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 1.0 } }];
        let length = (seconds * RATE_HZ) as usize / BLOCK * BLOCK;
        let mut sound = [vec![0.0f32; length], vec![0.0f32; length]];
        let mut ends = NoteEnds::new();
        for start in (0..length).step_by(BLOCK) {
            let [left, right] = &mut sound;
            let piece = start..start + BLOCK;
            let (left, right) = (&mut left[piece.clone()], &mut right[piece]);
            let status = self.engine.process(&patch, &events, left, right, &mut ends);
            assert!(status.limiter_gain == 1.0, "limited");
            ends.clear();
            events.clear();
        }
        let power = |start: usize| -> f64 {
            let part = |side: &[f32]| {
                side[start..start + WINDOW].iter().map(|x| f64::from(*x)).collect::<Vec<_>>()
            };
            sound.iter().map(|side| crate::k_weighting::mean_square(&part(side))).sum()
        };
        let loudest = (0..=length - WINDOW).step_by(STEP).map(power).fold(0.0, f64::max);
        DOWN_DB - 0.691 + 10.0 * loudest.log10()
    }

    fn levels_db(&mut self, preset: &Preset, patch: &Patch) -> Vec<f64> {
        let extras = &preset.sound.extras;
        self.engine.reset();
        while self.engine.take_retired_surface().is_some() {}
        self.engine.set_list(&extras.modes.as_deref().cloned().unwrap_or_default());
        install_surface(&mut self.engine, patch, extras.surface.as_deref());
        let seconds = if patch.choice(Param::Gesture) == 0 { 0.5 } else { 1.5 };
        KEYS.iter().map(|key| self.level_db(patch, *key, seconds)).collect()
    }
}

fn mean(levels: &[f64]) -> f64 {
    levels.iter().sum::<f64>() / levels.len() as f64
}

fn spread(levels: &[f64]) -> f64 {
    levels.iter().fold(f64::MIN, |most, level| most.max(*level))
        - levels.iter().fold(f64::MAX, |least, level| least.min(*level))
}

/// The spread over the keys of every factory preset, largest first.
fn spreads_of_presets(
    coupling: Option<&str>,
    may_be: fn(Gesture) -> bool,
) -> Vec<(f64, &'static str)> {
    let mut player = Player::new();
    let mut spreads = Vec::new();
    for (name, _) in factory::ALL {
        let preset = factory::load(name).unwrap();
        let mut patch = preset.sound.patch.clone();
        if !may_be(patch.gesture()) {
            continue;
        }
        coupling
            .into_iter()
            .for_each(|coupling| crate::patches::set(&mut patch, "coupl", coupling));
        let levels = player.levels_db(&preset, &patch);
        println!(
            "PRESET {coupling:?} {name} {:.2} {:.2} {levels:.1?}",
            mean(&levels),
            spread(&levels)
        );
        spreads.push((spread(&levels), *name));
    }
    spreads.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all: Vec<_> = spreads.iter().map(|(spread, _)| *spread).collect();
    println!(
        "ALL {coupling:?}: worst {:?}, median {:.2}, mean {:.2}",
        &spreads[..6],
        all[all.len() / 2],
        mean(&all)
    );
    spreads
}

fn strikes(gesture: Gesture) -> bool {
    gesture == Gesture::Strike
}

/// The number of contacts of bounces, tumbles and chains within 400 ms differs from key to key.
fn touches_often(gesture: Gesture) -> bool {
    gesture != Gesture::Strike && !gesture.rolls()
}

/// Bounds on the spread over the keys: of the worst preset and of the median, dB.
fn assert_within(spreads: &[(f64, &str)], worst_db: f64, median_db: f64) {
    assert!(spreads[0].0 <= worst_db, "{:?}", spreads[0]);
    let median = spreads[spreads.len() / 2].0;
    assert!(median <= median_db, "{median} dB in the middle");
}

#[test]
fn the_keys_of_a_factory_preset_are_equally_loud() {
    assert_within(&spreads_of_presets(None, strikes), 8.5, 1.5);
    assert_within(&spreads_of_presets(None, touches_often), 15.0, 4.0);
}

#[test]
fn the_keys_of_a_factory_preset_are_equally_loud_where_the_body_gives_way() {
    assert_within(&spreads_of_presets(Some("Two-way"), strikes), 13.0, 2.5);
    assert_within(&spreads_of_presets(Some("Two-way"), touches_often), 15.0, 6.5);
}

/// Levels of a sweep of one parameter on several bodies; the largest spread.
fn sweep(id: &str, values: &[&str], coupling: &str) -> f64 {
    let mut player = Player::new();
    let bodies =
        ["Free bar", "String", "Membrane", "Free plate", "Church bell", "Vibraphone", "Bowl"];
    let mut worst = 0.0f64;
    for body in bodies {
        let Some(kind) = BodyKind::ALL.iter().find(|kind| kind.name() == body) else { continue };
        for key in [48, 60, 84] {
            let level_db = |value: &&str| {
                let settings = [("coupl", coupling), ("body", kind.name()), (id, *value)];
                player.level_db(&crate::patches::patch(&settings), key, 0.5)
            };
            let levels: Vec<_> = values.iter().map(level_db).collect();
            println!("SWEEP {id} {coupling} {body} {key} {:.2} {levels:.1?}", spread(&levels));
            worst = worst.max(spread(&levels));
        }
    }
    println!("SWEEP {id} {coupling}: worst {worst:.2}");
    worst
}

const MASSES: [&str; 6] = ["1 g", "5 g", "20 g", "0.1 kg", "0.7 kg", "5 kg"];
const SIZES: [&str; 5] = ["0.25", "0.5", "1", "2", "4"];
const HARDNESSES: [&str; 6] = ["5 %", "25 %", "45 %", "65 %", "85 %", "100 %"];
const SPEEDS: [&str; 5] = ["0.1", "0.5", "2", "6", "20"];

#[test]
fn no_single_knob_runs_away_with_the_level() {
    for (id, values) in
        [("mass", &MASSES[..]), ("size", &SIZES), ("hard", &HARDNESSES), ("speed", &SPEEDS)]
    {
        let worst = sweep(id, values, "Rigid");
        assert!(worst <= 4.0, "{id}: {worst} dB");
    }
}

/// A striker much heavier than the body touches it many times and takes back much of the energy.
#[test]
fn no_single_knob_runs_away_with_the_level_where_the_body_gives_way() {
    let knobs = [
        ("mass", &MASSES[..], 18.0),
        ("size", &SIZES, 3.0),
        ("hard", &HARDNESSES, 10.0),
        ("speed", &SPEEDS, 12.0),
    ];
    for (id, values, most_db) in knobs {
        let worst = sweep(id, values, "Two-way");
        assert!(worst <= most_db, "{id}: {worst} dB");
    }
}

/// Every body with these materials, sizes and keys.
fn levels_of_bodies(coupling: &str) -> Vec<(f64, String)> {
    let mut player = Player::new();
    let mut levels = Vec::new();
    for kind in BodyKind::ALL.into_iter().filter(|kind| *kind != BodyKind::User) {
        for material in ["Glass", "Steel", "Wood", "Plastic"] {
            for size in ["0.25", "1", "4"] {
                for key in [36, 60, 84] {
                    let settings = [
                        ("coupl", coupling),
                        ("body", kind.name()),
                        ("mater", material),
                        ("size", size),
                    ];
                    let level_db = player.level_db(&crate::patches::patch(&settings), key, 0.4);
                    levels.push((level_db, format!("{} {material} {size} {key}", kind.name())));
                }
            }
        }
    }
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| levels[((levels.len() - 1) as f64 * share) as usize].0;
    println!("BODIES {coupling} softest {:.1?}", &levels[..10]);
    println!("BODIES {coupling} loudest {:.1?}", &levels[levels.len() - 10..]);
    println!(
        "BODIES {coupling}: {} cases {:.2} to {:.2} dB; 5 to 95 %: {:.2} to {:.2} dB",
        levels.len(),
        at(0.0),
        at(1.0),
        at(0.05),
        at(0.95)
    );
    levels
}

#[test]
fn all_bodies_materials_sizes_and_keys_are_equally_loud() {
    for (coupling, all_db, most_db) in [("Rigid", 4.0, 1.5), ("Two-way", 17.0, 6.5)] {
        let levels = levels_of_bodies(coupling);
        let at = |share: f64| levels[((levels.len() - 1) as f64 * share) as usize].0;
        let (all, most) = (at(1.0) - at(0.0), at(0.95) - at(0.05));
        assert!(
            all <= all_db && most <= most_db,
            "{coupling}: {all} dB, without the outer tenth {most} dB"
        );
    }
}

#[test]
fn velocity_keeps_its_effect() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let mut power = |velocity: f32| {
        engine.reset();
        let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
        let event = Event { offset: 0, note, kind: EventKind::NoteOn { velocity } };
        let (mut left, mut right) = (vec![0.0f32; WINDOW], vec![0.0f32; WINDOW]);
        engine.process(
            &crate::patches::patch(&[("level", "-40")]),
            &[event],
            &mut left,
            &mut right,
            &mut NoteEnds::new(),
        );
        left.iter().map(|x| f64::from(x * x)).sum::<f64>()
    };
    // Dynamics: 40 dB between the softest and the loudest note by default.
    let range_db = 10.0 * (power(1.0) / power(0.01)).log10();
    assert!(range_db > 20.0, "{range_db} dB");
}

/// A ringing voice keeps its gain, and a further strike is levelled without a change of the ringing
/// sound.
#[test]
fn a_striker_that_changes_leaves_what_rings_alone() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let strike = |velocity| Event { offset: 0, note, kind: EventKind::NoteOn { velocity } };
    let (heavy, light) =
        (crate::patches::patch(&[("mass", "1 kg")]), crate::patches::patch(&[("mass", "1 g")]));
    let mut play = |patch: &Patch, events: &[Event], samples: usize| {
        let (mut left, mut right) = (vec![0.0f32; samples], vec![0.0f32; samples]);
        engine.process(patch, events, &mut left, &mut right, &mut NoteEnds::new());
        left.iter().fold(0.0f32, |peak, x| peak.max(x.abs()))
    };
    let struck = play(&heavy, &[strike(1.0)], 9600);
    let ringing = play(&heavy, &[], 4800);
    let changed = play(&light, &[], 4800);
    assert!(ringing > 0.01 * struck && changed <= ringing, "{ringing} became {changed}");
    // A strike softer than the ringing sound: its 60 dB of gain must not apply to the ringing
    // sound.
    let again = play(&light, &[strike(0.0)], 4800);
    assert!(again < 1.3 * ringing, "{ringing} became {again}");
}

fn reference_blow(point: Point) -> ReferenceBlow {
    ReferenceBlow::new(&ContactSettings::default(), 3.0, 0.4, point, false)
}

#[test]
fn the_gain_at_a_node_is_limited() {
    for kind in BodyKind::ALL.into_iter().filter(|kind| *kind != BodyKind::User) {
        let gain = |[point, left, right]: [Point; 3]| {
            let mut modes = Modes::default();
            modes.set_body(&Geometry::of(kind), &UserModes::default());
            modes.set(220.0, &Material::ALL[6].damping, Listening { left, right }, RATE_HZ);
            reference_blow(point).gain(&mut modes)
        };
        let usual = gain(kind.spec().usual_points);
        for n in 0..50 {
            let x = f64::from(n) / 49.0;
            for place in [Point::new(x, 0.25), Point::new(x, 0.0), Point::new(1e-4 * x, 0.1)] {
                let here = gain([place; 3]);
                assert!(
                    here < 40.0 * usual,
                    "{} at {place:?}: {here}, elsewhere {usual}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn the_gain_is_finite_for_any_input() {
    let mut modes = Modes::default();
    modes.set_body(&Geometry::of(BodyKind::Membrane), &UserModes::default());
    let [point, left, right] = BodyKind::Membrane.spec().usual_points;
    modes.set(100.0, &Material::ALL[0].damping, Listening { left, right }, RATE_HZ);
    for value in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 1e300] {
        let good = ReferenceBlow { is_coupled: true, ..reference_blow(point) };
        let broken = [
            ReferenceBlow { striker_kg: value, ..good },
            ReferenceBlow { body_kg: value, ..good },
            ReferenceBlow { speed_m_per_s: value, ..good },
            ReferenceBlow { contact_s: value, ..good },
            ReferenceBlow { restitution: value, ..good },
            ReferenceBlow::new(
                &ContactSettings { mass_kg: value, ..ContactSettings::default() },
                value,
                0.4,
                point,
                true,
            ),
        ];
        for blow in broken {
            let gain = blow.gain(&mut modes);
            assert!((1e-9..=1e4).contains(&gain), "{blow:?}: {gain}");
        }
    }
}
