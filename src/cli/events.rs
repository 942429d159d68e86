//! `ictus events`: the contacts of a note, as the engine plays it.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use plotters::prelude::*;
use serde::Serialize;

use super::render::install_surface;
use super::settings::{self, parse_key};
use super::{DARK_BLUE, DARK_RED, within};
use crate::body::UserModes;
use crate::engine::{Engine, NoteEnds};
use crate::io::presets::Sound;
use crate::params::event::{Event, EventKind, NoteAddress};
use crate::params::{Param, Patch};
use crate::voice::events::ContactEventKind;

/// Samples per block; the result does not depend on it.
const BLOCK: usize = 256;

/// Default time for which the key of a rolling gesture is held, s.
const ROLL_S: f64 = 2.0;

/// Arguments of `ictus events`.
#[derive(clap::Args)]
pub struct Args {
    /// Gesture; by default that of the settings
    #[arg(long, value_enum)]
    gesture: Option<Gesture>,
    /// The key: a MIDI number or a name such as A4 or C#3
    #[arg(long, default_value = "A4", value_parser = parse_key)]
    note: u8,
    /// Velocity, 1 to 127
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=127))]
    velocity: u8,
    /// Release the key after this many seconds; by default never, or after 2 for rolling gestures
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

/// The printed report. The names of the fields are an interface.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Sample rate, Hz.
    pub sample_rate_hz: f64,
    /// In the order of their onsets.
    pub contacts: Vec<Contact>,
    /// Time at which the ball came to rest, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_s: Option<f64>,
    /// Time at which the note ended and the body was silent, s.
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
    /// Position on the body, 0…1: along it, from its centre outwards, or up to its rim.
    pub point: f64,
    /// Position across the body or around it.
    pub point_y: f64,
    /// Effective mass in contact, kg.
    pub mass_kg: f64,
    /// Kinetic and potential energy at onset, J.
    pub energy_before_j: f64,
    /// Kinetic and potential energy at release, J. A rigid body has no potential energy, except
    /// with the Passive integrator.
    pub energy_after_j: f64,
    /// Acceleration that returns the striker, m/s^2; 0 if it does not return.
    pub gravity_m_per_s2: f64,
}

/// The note to play.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// Key, 0…127.
    pub key: u8,
    /// Velocity, 0…1.
    pub velocity: f32,
    /// Time of note-off, s.
    pub hold_s: Option<f64>,
    /// Sample rate, Hz.
    pub sample_rate_hz: f64,
    /// Quarter notes per minute.
    pub tempo_bpm: f64,
    /// Longest time to listen, s.
    pub max_length_s: f64,
}

/// Plays one note on a new engine until it ends.
pub fn listen(patch: &Patch, score: &Score) -> Report {
    listen_to(patch, &UserModes::default(), score)
}

fn listen_to(patch: &Patch, list: &UserModes, score: &Score) -> Report {
    let rate = score.sample_rate_hz;
    let mut engine = Engine::new();
    engine.prepare(rate);
    engine.set_tempo(score.tempo_bpm);
    engine.set_list(list);
    install_surface(&mut engine, patch, None);
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
                    // Rounding may place the first onset slightly before the note.
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

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    within("--fs", args.fs, 1e3, 1e6)?;
    within("--tempo", args.tempo, 5.0, 1e3)?;
    within("--seconds", args.seconds, 1e-3, 36_000.0)?;
    within("--hold", args.hold.unwrap_or(0.0), 0.0, 36_000.0)?;
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
    // A contact is reported at its end: a striker that stays reports only its rest.
    if report.contacts.is_empty() && report.rest_s.is_none() {
        bail!("nothing touched the body within {} s", args.seconds);
    }
    if let Some(path) = &args.out {
        draw(path, &report)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print_table(&report);
    }
    Ok(())
}

fn print_table(report: &Report) {
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

/// Points of one flight.
const POINTS: usize = 24;
/// Flights shorter than this share of the whole time are drawn as a line.
const MIN_FLIGHT: f64 = 1e-3;

/// Draws the height of the ball over time into an SVG file, with the contacts marked.
fn draw(path: &Path, report: &Report) -> Result<()> {
    let (Some(first), Some(last)) = (report.contacts.first(), report.contacts.last()) else {
        bail!("--out: nothing to draw");
    };
    if first.gravity_m_per_s2 <= 0.0 {
        bail!("--out: this gesture has no height to draw");
    }
    let end_s = report.rest_s.unwrap_or(last.time_s);
    let mut heights = fall(first);
    for pair in report
        .contacts
        .windows(2)
        .filter(|pair| pair[1].time_s - pair[0].time_s > MIN_FLIGHT * end_s)
    {
        heights.extend(flight(&pair[0], &pair[1]));
    }
    heights.push((end_s, 0.0));
    let contacts: Vec<f64> = report.contacts.iter().map(|contact| contact.time_s).collect();
    paint(path, &heights, &contacts, end_s).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn paint(
    path: &Path,
    heights: &[(f64, f64)],
    contacts: &[f64],
    end_s: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let top_m = heights.iter().fold(1e-9, |top: f64, (_, height)| top.max(*height));
    let root = SVGBackend::new(path, (720, 300)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..1.02 * end_s, -0.06 * top_m..1.06 * top_m)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("time, s")
        .y_desc("height, m")
        .draw()?;
    chart.draw_series(LineSeries::new(heights.iter().copied(), DARK_BLUE.stroke_width(1)))?;
    let mark =
        |x: &f64| PathElement::new(vec![(*x, -0.05 * top_m), (*x, 0.0)], DARK_RED.stroke_width(1));
    chart.draw_series(contacts.iter().map(mark))?;
    root.present()?;
    Ok(())
}

/// The fall before the first contact.
fn fall(first: &Contact) -> Vec<(f64, f64)> {
    let (v, g) = (first.speed_in_m_per_s, first.gravity_m_per_s2);
    let height = |before_s: f64| (v * before_s - 0.5 * g * before_s * before_s).max(0.0);
    let before_s = |i: usize| first.time_s * (POINTS - i) as f64 / POINTS as f64;
    (0..=POINTS).map(|i| (first.time_s - before_s(i), height(before_s(i)))).collect()
}

fn flight(from: &Contact, to: &Contact) -> impl Iterator<Item = (f64, f64)> {
    let (v, g) = (from.speed_out_m_per_s, from.gravity_m_per_s2);
    // The contact, and the recovery of a dent, precede the flight.
    let flight_s = (2.0 * v / g).min(to.time_s - from.time_s);
    (0..=POINTS).map(move |i| {
        let t = flight_s * i as f64 / POINTS as f64;
        (to.time_s - flight_s + t, (v * t - 0.5 * g * t * t).max(0.0))
    })
}
