//! `ictus render`: renders notes to a sound file, exactly as the plug-in plays them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::settings::{self, parse_key};
use super::{picture, within};
use crate::engine::Io;
use crate::engine::{Engine, NoteEnds};
use crate::exciter::external::Input;
use crate::exciter::surface::UserSurface;
use crate::io::presets::Sound;
use crate::io::presets::format::set_text;
use crate::io::surfaces::SurfaceRequest;
use crate::io::{midi_file, surfaces, tunings, wav};
use crate::params::event::{Event, EventKind, EventQueue, NoteAddress};
use crate::params::{Param, Patch};

/// Longest rendered sound, s. At high rates a longer WAV file would exceed its size limit.
const MAX_LENGTH_S: f64 = 3600.0;
/// Longest tail after the last event of a MIDI file, s.
const MAX_TAIL_S: f64 = 60.0;

/// Arguments of `ictus render`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Take the settings of a preset: a file, or a name (`ictus presets list`).
    #[arg(long, value_name = "FILE|NAME")]
    preset: Option<PathBuf>,
    /// Set one parameter, as `k=4e7` or `mass="20 g"`; may be given many times. `ictus params`
    /// lists them.
    #[arg(long = "param", alias = "set", value_name = "ID=VALUE")]
    params: Vec<String>,
    /// The key to strike: a MIDI number or a name such as A4 or C#3.
    #[arg(long, default_value = "A4", value_parser = parse_key, conflicts_with = "midi")]
    note: u8,
    /// Velocity, 1 to 127.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=127), conflicts_with = "midi")]
    velocity: u8,
    /// Release the key after this many seconds.
    #[arg(long, value_name = "S", conflicts_with = "midi")]
    hold: Option<f64>,
    /// Play a standard MIDI file instead.
    #[arg(long, value_name = "FILE")]
    midi: Option<PathBuf>,
    /// Length in seconds; by default 3 for a note, and until silence for a MIDI file.
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Sample rate, Hz.
    #[arg(long, default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(1000..=768_000))]
    rate: u32,
    /// Samples per block; the sound does not depend on it.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    block: u32,
    /// Tempo of synced parameters, quarter notes per minute, 5 to 1000. A MIDI file has its own
    /// tempo for its notes.
    #[arg(long, default_value_t = 120.0)]
    tempo: f64,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=9999))]
    seed: Option<u16>,
    #[command(flatten)]
    surface: SurfaceArgs,
    /// Tune the keys by a Scala scale.
    #[arg(long, value_name = "FILE")]
    scl: Option<PathBuf>,
    /// Lay the scale out over the keys by a Scala keyboard mapping.
    #[arg(long, value_name = "FILE")]
    kbm: Option<PathBuf>,
    /// Strike or drive the body by a WAV file of the same rate, according to xmode, instead of a
    /// note.
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Draw its spectrogram into this PNG file.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// The WAV file to write.
    out: PathBuf,
}

/// A surface from a file, for rolling and scraping.
#[derive(Debug, clap::Args)]
pub struct SurfaceArgs {
    /// Roll over the heights of a WAV file (first channel) or of a row of a PNG or PGM image.
    #[arg(long = "surface", value_name = "FILE")]
    path: Option<PathBuf>,
    /// Length of that surface, m.
    #[arg(long = "surface-length", value_name = "M", default_value_t = 1.0, requires = "path")]
    length_m: f64,
    /// Root mean square of its heights, m.
    #[arg(long = "surface-rms", value_name = "M", default_value_t = 1e-5, requires = "path")]
    rms_m: f64,
    /// Which row of an image, from the top; by default the middle one.
    #[arg(long = "surface-row", value_name = "N", requires = "path")]
    row: Option<usize>,
}

impl SurfaceArgs {
    fn load(&self) -> Result<Option<UserSurface>> {
        let scale = surfaces::SurfaceScale {
            length_m: self.length_m,
            height: surfaces::Height::Rms(self.rms_m),
            row: self.row,
        };
        self.path.as_deref().map(|path| surfaces::load(path, &scale)).transpose()
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let Sound { mut patch, extras } = settings::sound(args.preset.as_deref(), &args.params)?;
    if let Some(seed) = args.seed {
        set_text(&mut patch, Param::Seed, &seed.to_string()).context("--seed")?;
    }
    let rate_hz = f64::from(args.rate);
    let events = events(&args, rate_hz)?;
    let input = match args.input.as_deref() {
        Some(path) => {
            let (rate_hz, input) = wav::read(path)?;
            ensure!(
                rate_hz == args.rate,
                "{}: has {rate_hz} Hz; expected {} Hz, the rate of the output",
                path.display(),
                args.rate
            );
            input
        }
        None => Default::default(),
    };
    if args.input.is_some() && patch.choice(Param::ExternalMode) == 0 {
        bail!("--input: xmode is Off; set --param xmode=strikes or --param xmode=force");
    }
    let last_s = events.last().map_or(0.0, |event| event.offset as f64 / rate_hz);
    if let Some(path) = &args.midi
        && last_s > MAX_LENGTH_S
    {
        bail!(
            "{}: the last note is at {last_s:.0} s; allowed is up to {MAX_LENGTH_S} s",
            path.display()
        );
    }
    let length = match args.seconds {
        Some(seconds) if seconds > 0.0 && seconds <= MAX_LENGTH_S => {
            Length::Fixed((seconds * rate_hz).round() as usize)
        }
        Some(seconds) => {
            bail!("--seconds {seconds}: allowed is more than 0 and up to {MAX_LENGTH_S}")
        }
        None if args.midi.is_some() => {
            Length::UntilSilence(((last_s + MAX_TAIL_S) * rate_hz) as usize)
        }
        None => Length::Fixed(input[0].len() + (3.0 * rate_hz) as usize),
    };
    let progress = ProgressBar::new(length.max() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}% {eta} left") {
        progress.set_style(style);
    }
    within("--tempo", args.tempo, 5.0, 1000.0)?;
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    engine.set_tempo(args.tempo);
    engine.set_list(&extras.modes.unwrap_or_default());
    let given = tunings::StoredTuning::load(args.scl.as_deref(), args.kbm.as_deref())?.1;
    let tuning = match extras.tuning {
        Some(written) if args.scl.is_none() && args.kbm.is_none() => written.read()?,
        _ => given,
    };
    engine.set_tuning(&tuning);
    let given = args.surface.load()?.map(Arc::new);
    if given.is_some() {
        patch.set(Param::Surface, Param::Surface.spec().range_si().1);
    }
    install_surface(&mut engine, &patch, given.or(extras.surface).as_deref());
    let show = |done| progress.set_position(done as u64);
    let sound = play(&mut engine, &patch, &events, &input, length, args.block as usize, show);
    progress.finish_and_clear();
    wav::write(&args.out, args.rate, &sound)?;
    if let Some(path) = &args.picture {
        picture::draw(path, args.rate, &sound)?;
    }
    let peak = sound.iter().flatten().fold(0f32, |peak, x| peak.max(x.abs()));
    println!(
        "{}: {:.3} s at {} Hz, peak {:.1} dBFS",
        args.out.display(),
        sound[0].len() as f64 / rate_hz,
        args.rate,
        20.0 * peak.max(1e-9).log10()
    );
    Ok(())
}

fn events(args: &Args, rate_hz: f64) -> Result<Vec<Event>> {
    if let Some(path) = &args.midi {
        return midi_file::read(path, rate_hz);
    }
    if args.input.is_some() {
        return Ok(Vec::new());
    }
    let note = NoteAddress { id: None, channel: Some(0), key: Some(args.note) };
    let velocity = f32::from(args.velocity) / 127.0;
    let mut events = vec![Event { offset: 0, note, kind: EventKind::NoteOn { velocity } }];
    match args.hold {
        Some(hold_s) if (0.0..=MAX_LENGTH_S).contains(&hold_s) => {
            let offset = (hold_s * rate_hz).round() as usize;
            events.push(Event { offset, note, kind: EventKind::NoteOff });
        }
        Some(hold_s) => bail!("--hold {hold_s}: allowed is 0 to {MAX_LENGTH_S}"),
        None => {}
    }
    Ok(events)
}

/// Length of a rendered sound, samples.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// Exactly this length.
    Fixed(usize),
    /// Until silence after the last event, but at most this length.
    UntilSilence(usize),
}

impl Length {
    fn max(self) -> usize {
        match self {
            Length::Fixed(samples) | Length::UntilSilence(samples) => samples,
        }
    }
}

/// Builds the surface that a patch needs and gives it to a new engine.
pub fn install_surface(engine: &mut Engine, patch: &Patch, file: Option<&UserSurface>) {
    if let Some(request) = SurfaceRequest::of(patch) {
        // An engine without a surface accepts its first one.
        let _ = engine.set_surface(request.build(file));
    }
}

/// Plays events (ordered, with offsets from the start of the sound) through a new engine.
pub fn render(
    patch: &Patch,
    events: &[Event],
    length: Length,
    rate_hz: f64,
    block: usize,
    progress: impl FnMut(usize),
) -> [Vec<f32>; 2] {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    install_surface(&mut engine, patch, None);
    play(&mut engine, patch, events, &Default::default(), length, block, progress)
}

/// Plays events through an engine, and removes the engine's latency from the sound.
fn play(
    engine: &mut Engine,
    patch: &Patch,
    events: &[Event],
    input: &[Vec<f32>; 2],
    length: Length,
    block: usize,
    mut progress: impl FnMut(usize),
) -> [Vec<f32>; 2] {
    let mut events = events.iter().peekable();
    let mut queue = EventQueue::default();
    let mut ends = NoteEnds::new();
    let latency = engine.latency_samples(patch);
    let samples = length.max() + latency;
    let mut sound = [vec![0.0; samples], vec![0.0; samples]];
    let mut start = 0;
    while start < samples {
        let mut end = (start + block).min(samples);
        queue.clear();
        while !queue.is_full()
            && let Some(event) = events.next_if(|event| event.offset < end)
        {
            let offset = event.offset.saturating_sub(start);
            let _ = queue.push(Event { offset, ..*event }); // there is room
        }
        if queue.is_full() {
            // The next event starts a new block.
            end = events.peek().map_or(end, |next| next.offset.clamp(start, end));
        }
        let [left, right] = &mut sound;
        let (left, right) = (&mut left[start..end], &mut right[start..end]);
        let [input_left, input_right] =
            input.each_ref().map(|side| side.get(start..).unwrap_or_default());
        let input = Input { left: input_left, right: input_right };
        let status = engine.process_io(
            patch,
            queue.as_slice(),
            Io { input, left, right, groups: None },
            &mut ends,
        );
        ends.clear();
        start = end;
        progress(start);
        let is_over = events.peek().is_none() && status.tail_samples == 0;
        if is_over && matches!(length, Length::UntilSilence(_)) {
            break;
        }
    }
    for channel in &mut sound {
        channel.truncate(start);
        channel.drain(..latency.min(start));
    }
    sound
}
