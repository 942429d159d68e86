//! A blow of a given energy is equally loud on every body, and where the body gives way, too: whatever it is, of whatever size,
//! material and weight, and whatever strikes it. Through the whole engine, measured by the loudness filter of BS.1770.
//!
//! Dissipation keeps its effect: 0.9 of what it takes from the impulse against a wall, in decibels, at size 1. That much is taken off
//! before cases are compared.

mod chance;
mod hardness;
#[path = "../support/k_weighting.rs"]
mod k_weighting;
#[path = "../support/patches.rs"]
mod patches;
mod two_way;

use ictus::body::Kind;
use ictus::body::macros::{contact_time_s, stiffness};
use ictus::contact::release;
use ictus::contact::restitution::{damping_unit_n_s_per_m, grid};
use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::patch::Patch;

const RATE_HZ: f64 = 48_000.0;
/// Of every blow, J.
const ENERGY_J: f64 = 0.0576;
const ALPHA: f64 = 1.5;
/// So far below its usual level the output does not meet the limiter, dB.
const DOWN_DB: f64 = 60.0;

/// How the contact is damped.
#[derive(Clone, Copy, Debug)]
enum Damping {
    Mu(f64),
    Damper(f64),
    /// Of Hunt and Crossley's law, and of the linear damper.
    Restitution(f64),
    DampedRestitution(f64),
}

/// How hard the striker is.
#[derive(Clone, Copy, Debug)]
enum Hardness {
    /// By the knob, 0 to 1.
    Knob(f64),
    /// By a stiffness that is typed, N/m^alpha.
    Typed(f64),
}

/// Of the blows to which all others are compared.
const REFERENCE: Hardness = Hardness::Knob(0.5);

#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    material: &'static str,
    size: f64,
    key: u8,
    weight_kg: f64,
    striker_kg: f64,
    damping: Damping,
    hardness: Hardness,
    is_two_way: bool,
}

/// Levels of a case at the usual setting of the output, dB.
struct Heard {
    case: Case,
    /// K-weighted, first 400 ms, without what dissipation takes.
    level_db: f64,
    peak_db: f64,
}

impl Case {
    /// Masses go with the cube of Size.
    fn speed_m_per_s(&self) -> f64 {
        (2.0 * ENERGY_J / (self.striker_kg * self.size.powi(3))).sqrt()
    }

    /// The knob goes no further.
    fn can_be_played(&self) -> bool {
        (0.01..=20.0).contains(&self.speed_m_per_s())
    }

    fn patch(&self) -> Patch {
        let mut patch = Patch::default();
        let mut set = |id: &str, text: String| patches::set(&mut patch, id, &text);
        set("coupl", if self.is_two_way { "Two-way" } else { "Rigid" }.into());
        match self.hardness {
            Hardness::Knob(share) => set("hard", format!("{} %", 100.0 * share)),
            Hardness::Typed(k) => {
                set("kmode", "k".into());
                set("k", k.to_string());
            }
        }
        set("level", format!("{}", -DOWN_DB));
        set("body", self.kind.name().into());
        set("mater", self.material.into());
        set("size", self.size.to_string());
        set("weight", self.weight_kg.to_string());
        set("mass", self.striker_kg.to_string());
        set("speed", self.speed_m_per_s().to_string());
        let (law, mode) = match self.damping {
            Damping::Mu(mu) => {
                set("mu", mu.to_string());
                ("Hunt-Crossley", "Fixed")
            }
            Damping::Damper(c) => {
                set("damper", c.to_string());
                ("Hertz-damper", "Fixed")
            }
            Damping::Restitution(e) => {
                set("rest", e.to_string());
                ("Hunt-Crossley", "Restitution")
            }
            Damping::DampedRestitution(e) => {
                set("rest", e.to_string());
                ("Hertz-damper", "Restitution")
            }
        };
        set("law", law.into());
        set("dmode", mode.into());
        patch
    }

    /// Against a wall, at size 1.
    fn restitution(&self) -> f64 {
        let speed = self.speed_m_per_s() * self.size.powf(1.5);
        match self.damping {
            Damping::Mu(mu) => release::exact(mu * speed).restitution,
            Damping::Damper(c) => {
                let k = stiffness(contact_time_s(0.5), self.striker_kg, ALPHA);
                grid::restitution(c / damping_unit_n_s_per_m(k, ALPHA, self.striker_kg, speed), ALPHA)
            }
            Damping::Restitution(e) | Damping::DampedRestitution(e) => e,
        }
    }

    fn hear(self, engine: &mut Engine) -> Heard {
        let (patch, samples) = (self.patch(), (0.4 * RATE_HZ) as usize);
        engine.prepare(RATE_HZ);
        let (mut left, mut right) = (vec![0.0f32; samples], vec![0.0f32; samples]);
        let note = NoteAddress { id: None, channel: Some(0), key: Some(self.key) };
        let mut events = vec![Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 1.0 } }];
        let mut ends = NoteEnds::new();
        for (left, right) in left.chunks_mut(256).zip(right.chunks_mut(256)) {
            let status = engine.process(&patch, &events, left, right, &mut ends);
            assert!(status.limiter_gain == 1.0, "{self:?}: limited");
            ends.clear();
            events.clear();
        }
        let wide = |side: &[f32]| side.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
        let (left, right) = (wide(&left), wide(&right));
        let power = k_weighting::mean_square(&left) + k_weighting::mean_square(&right);
        let peak = left.iter().chain(&right).fold(0.0f64, |peak, x| peak.max(x.abs()));
        let taken_db = 18.0 * (0.5 * (1.0 + self.restitution())).log10();
        Heard {
            case: self,
            level_db: DOWN_DB + 10.0 * power.log10() - taken_db,
            peak_db: DOWN_DB + 20.0 * peak.log10(),
        }
    }
}

/// All of them, the softest first.
fn hear_all(cases: impl Iterator<Item = Case>) -> Vec<Heard> {
    // One for all of them: to be made takes longer than to be played.
    let mut engine = Engine::new();
    let mut all: Vec<_> = cases.filter(Case::can_be_played).map(|case| case.hear(&mut engine)).collect();
    assert!(all.iter().all(|heard| heard.level_db.is_finite()));
    all.sort_by(|a, b| a.level_db.total_cmp(&b.level_db));
    for heard in all.iter().take(6).chain(all.iter().rev().take(6)) {
        println!("{:7.2} dB {:?}", heard.level_db, heard.case);
    }
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize].level_db;
    println!("{} cases: {:.2} to {:.2} dB", all.len(), at(0.0), at(1.0));
    println!("the middle 99 % {:.2} to {:.2} dB, 90 % {:.2} to {:.2} dB", at(0.005), at(0.995), at(0.05), at(0.95));
    let loudest = all.iter().max_by(|a, b| a.peak_db.total_cmp(&b.peak_db)).expect("cases");
    println!("highest peak before the limiter {:.2} dBFS: {:?}", loudest.peak_db, loudest.case);
    all
}

/// Widest distance between any two, dB, when this share of them is left out, the half of it at either end.
fn spread_db(all: &[Heard], left_out: f64) -> f64 {
    let skip = (0.5 * left_out * all.len() as f64) as usize;
    all[all.len() - 1 - skip].level_db - all[skip].level_db
}

fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| *kind != Kind::User)
}
