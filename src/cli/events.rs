//! `ictus events`: what happens when a note is played, as the engine plays it.

pub mod picture;

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::render::{note_name, settings};
use crate::body::UserModes;
use crate::engine::{Engine, NoteEnds};
use crate::io::presets::Sound;
use crate::params::event::{Event, EventKind, NoteAddress};
use crate::params::{Param, Patch};
use crate::voice::events::ContactEventKind;

/// Samples per block; nothing depends on it.
const BLOCK: usize = 256;

/// How long the key of what rolls is held, s.
const ROLL_S: f64 = 2.0;

/// Arguments of `ictus events`.
#[derive(clap::Args)]
pub struct Args {
    /// What the note sets in motion; by default what the settings say
    #[arg(long, value_enum)]
    gesture: Option<Gesture>,
    /// The key: a MIDI number or a name such as A4 or C#3
    #[arg(long, default_value = "A4", value_parser = note_name::parse)]
    note: u8,
    /// How hard, 1 to 127
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=127))]
    velocity: u8,
    /// Let go of the key after this many seconds; by default never, and after 2 for what rolls
    /// while it is held
    #[arg(long, value_name = "S")]
    hold: Option<f64>,
    /// Take the settings of a preset: a file, or a name
    #[arg(long, value_name = "FILE|NAME")]
    preset: Option<PathBuf>,
    /// Set one parameter, as `k=4e7` or `mass="20 g"`; may be given many times. `ictus params`
    /// lists them
    #[arg(long = "set", alias = "param", value_name = "ID=VALUE")]
    params: Vec<String>,
    /// Sample rate, Hz
    #[arg(long, default_value_t = 48_000.0)]
    fs: f64,
    /// Tempo, quarter notes per minute
    #[arg(long, default_value_t = 120.0)]
    tempo: f64,
    /// Listen for at most this many seconds
    #[arg(long, value_name = "S", default_value_t = 600.0)]
    seconds: f64,
    /// Draw the height over time into this SVG file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Gesture {
    Strike,
    Bounce,
    Roll,
    Scrape,
    Tumble,
    Chain,
}

/// What is printed; the names are the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Sample rate, Hz.
    pub sample_rate_hz: f64,
    /// In the order of their beginnings.
    pub contacts: Vec<Contact>,
    /// When the ball lay still, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_s: Option<f64>,
    /// When the note was over and the body silent, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_end_s: Option<f64>,
}

/// One contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Contact {
    /// Onset, from the note, s.
    pub time_s: f64,
    /// Onset to release, s.
    pub contact_time_s: f64,
    /// Speed at onset, m/s.
    pub speed_in_m_per_s: f64,
    /// Speed at release, m/s.
    pub speed_out_m_per_s: f64,
    /// Where on the body, 0…1: along it, from its middle outwards, or up to its rim.
    pub point: f64,
    /// The same across it, or around it.
    pub point_y: f64,
    /// Effective mass in contact, kg.
    pub mass_kg: f64,
    /// Kinetic energy at onset and that of the height there, J.
    pub energy_before_j: f64,
    /// The same at release, J. Heights are none on a body that does not give way, except with
    /// Passive.
    pub energy_after_j: f64,
    /// What pulls the striker back, m/s^2; 0 if it does not come back.
    pub gravity_m_per_s2: f64,
}

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// Key, 0…127.
    pub key: u8,
    /// Velocity, 0…1.
    pub velocity: f32,
    /// When the key is let go, s.
    pub hold_s: Option<f64>,
    /// Sample rate, Hz.
    pub sample_rate_hz: f64,
    /// Quarter notes per minute.
    pub tempo_bpm: f64,
    /// Listen for at most this long, s.
    pub max_length_s: f64,
}

/// Play one note on an engine of its own, and listen until it is over.
pub fn listen(patch: &Patch, score: &Score) -> Report {
    listen_to(patch, &UserModes::default(), score)
}

fn listen_to(patch: &Patch, list: &UserModes, score: &Score) -> Report {
    let rate = score.sample_rate_hz;
    let mut engine = Engine::new();
    engine.prepare(rate);
    engine.set_tempo(score.tempo_bpm);
    engine.set_list(list);
    crate::io::surfaces::install_surface(&mut engine, patch, None);
    let note = NoteAddress { id: None, channel: Some(0), key: Some(score.key) };
    let mut events = vec![(0, EventKind::NoteOn { velocity: score.velocity })];
    events
        .extend(score.hold_s.map(|hold_s| ((hold_s * rate).round() as usize, EventKind::NoteOff)));
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let mut ends = NoteEnds::new();
    let mut report =
        Report { sample_rate_hz: rate, contacts: Vec::new(), rest_s: None, note_end_s: None };
    for start in (0..(score.max_length_s * rate) as usize).step_by(BLOCK) {
        let now: Vec<_> = events
            .iter()
            .filter(|(at, _)| (start..start + BLOCK).contains(at))
            .map(|&(at, kind)| Event { offset: at - start, note, kind })
            .collect();
        engine.process(patch, &now, &mut left, &mut right, &mut ends);
        for contact_event in engine.contact_events() {
            let end_s = (start + contact_event.offset) as f64 / rate + contact_event.after_s;
            match contact_event.what {
                ContactEventKind::Rest => report.rest_s = Some(end_s),
                ContactEventKind::Contact(contact) => report.contacts.push(Contact {
                    // Rounding may put the first blow of all a hair before the note.
                    time_s: (end_s - contact.duration_s).max(0.0),
                    contact_time_s: contact.duration_s,
                    speed_in_m_per_s: contact.speed_in_m_per_s,
                    speed_out_m_per_s: contact.speed_out_m_per_s,
                    point: contact.point.x,
                    point_y: contact.point.y,
                    mass_kg: contact.mass_kg,
                    energy_before_j: contact.energy_before_j(),
                    energy_after_j: contact.energy_after_j(),
                    gravity_m_per_s2: contact.gravity_m_per_s2,
                }),
            }
        }
        if let Some(end) = ends.drain(..).last() {
            report.note_end_s = Some((start + end.offset) as f64 / rate);
            break;
        }
    }
    report.contacts.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    report
}

/// Carry it out.
pub fn run(args: Args) -> Result<()> {
    let within = |name: &str, value: f64, low: f64, high: f64| {
        ensure!((low..=high).contains(&value), "--{name} {value} is not within {low} to {high}");
        Ok(())
    };
    within("fs", args.fs, 1e3, 1e6)?;
    within("tempo", args.tempo, 5.0, 1e3)?;
    within("seconds", args.seconds, 1e-3, 36_000.0)?;
    within("hold", args.hold.unwrap_or(0.0), 0.0, 36_000.0)?;
    let Sound { mut patch, extras } = settings::sound(args.preset.as_deref(), &args.params)?;
    if let Some(gesture) = args.gesture {
        let wanted = match gesture {
            Gesture::Strike => crate::exciter::Gesture::Strike,
            Gesture::Bounce => crate::exciter::Gesture::Bounce,
            Gesture::Roll => crate::exciter::Gesture::Roll,
            Gesture::Scrape => crate::exciter::Gesture::Scrape,
            Gesture::Tumble => crate::exciter::Gesture::Tumble,
            Gesture::Chain => crate::exciter::Gesture::Chain,
        };
        patch.set(Param::Gesture, wanted as usize as f64);
    }
    let score = Score {
        key: args.note,
        velocity: f32::from(args.velocity) / 127.0,
        hold_s: args.hold.or(patch.gesture().rolls().then_some(ROLL_S)),
        sample_rate_hz: args.fs,
        tempo_bpm: args.tempo,
        max_length_s: args.seconds,
    };
    let report = listen_to(&patch, &extras.modes.unwrap_or_default(), &score);
    // A contact is told when it is over: what lands and stays tells of its rest alone.
    if report.contacts.is_empty() && report.rest_s.is_none() {
        bail!("nothing touched the body within {} s", args.seconds);
    }
    if let Some(path) = &args.out {
        picture::draw(path, &report)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(())
}

fn print(report: &Report) {
    println!("    time s   contact s  in m/s     out m/s    point   mass kg    before J   after J");
    for contact in &report.contacts {
        println!(
            "{:>10.6}  {:.3e}  {:<9.4e}  {:<9.4e}  {:.4}  {:.3e}  {:.3e}  {:.3e}",
            contact.time_s,
            contact.contact_time_s,
            contact.speed_in_m_per_s,
            contact.speed_out_m_per_s,
            contact.point,
            contact.mass_kg,
            contact.energy_before_j,
            contact.energy_after_j
        );
    }
    if let Some(rest_s) = report.rest_s {
        println!("{rest_s:>10.6}  at rest");
    }
    if let Some(end_s) = report.note_end_s {
        println!("{end_s:>10.6}  silent");
    }
}
