//! `ictus couple`: one mass on a vibrating body, with many onsets inside the sample.

use std::f64::consts::PI;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use serde::Serialize;

use super::impact::ContactOptions;
use super::{print_report, within};
use crate::body::shape::{Place, Spectrum};
use crate::body::{
    Bank, BodyKind, CoupledModes, Geometry, LANES, MAX_MODES, Modes, PerMode, Point, UserModes,
};
use crate::contact::trial::{CoupledTrial, CoupledTrialResult};
use crate::contact::{self, ContactSettings, Coupling, Oversampling};
use crate::io::mode_lists;

/// Simulated time of each strike, s.
const DURATION_S: f64 = 3e-3;
/// Factor between the steps of the reference and of the trials.
const REFERENCE: u32 = 64;

/// Arguments of `ictus couple`.
#[derive(clap::Args)]
pub struct Args {
    /// Modes of the body (1 to 256); those above 0.45 of the sample rate are omitted
    #[arg(long, default_value_t = 32)]
    modes: usize,
    /// Body: `generic`, modes evenly spaced in octaves from 200 Hz to 18 kHz, all with deflection
    /// 1; `bar`, a free bar struck a tenth from its end; or a type of `ictus body --type`, struck
    /// at its usual point. Nominal pitch 200 Hz
    #[arg(long, value_name = "BODY", default_value = "generic", value_parser = parse_kind)]
    body: Kind,
    /// File with a list of modes, for `--body user`
    #[arg(long, value_name = "FILE.json")]
    list: Option<PathBuf>,
    /// Modal mass of every mode, kg (1e-4 to 1e3)
    #[arg(long, default_value_t = 0.1)]
    body_mass: f64,
    /// Loss factor of the body (0 to 0.5); the decay rate is pi f times this, plus 2 per second
    /// unless it is 0
    #[arg(long, default_value_t = 0.001)]
    body_loss: f64,
    /// Stiffness k, N/m^alpha (1e3 to 1e11)
    #[arg(long, default_value_t = 1e9)]
    k: f64,
    #[command(flatten)]
    contact: ContactOptions,
    /// Speed at onset, m/s (0.001 to 100)
    #[arg(long, default_value_t = 1.0)]
    v: f64,
    /// Acceleration towards the body, m/s^2 (0 to 1e4)
    #[arg(long, default_value_t = 0.0)]
    gravity: f64,
    /// Sample rate, Hz (1e3 to 1e6)
    #[arg(long, default_value_t = 44_100.0)]
    fs: f64,
    /// Number of onsets inside the sample (1 to 1000000)
    #[arg(long, value_name = "N", default_value_t = 100)]
    offsets: u32,
    /// Sub-steps per sample: `auto`, or a power of two up to 1024
    #[arg(long, default_value = "auto")]
    substeps: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The printed report. The names of the fields are an interface.
#[derive(Serialize)]
struct Report {
    /// Largest rise of the total energy in one step, share of the initial energy.
    max_energy_growth: f64,
    /// Largest ratio of the energy 3 ms after the onset to the initial energy.
    max_energy_ratio: f64,
    v_first_min: f64,
    v_first_max: f64,
    v_first_reference: f64,
    /// Largest |v_first / reference - 1|, %.
    v_first_err_pct: f64,
    contacts_max: u32,
    stuck: bool,
    offsets: u32,
    modes: usize,
    first_contact_s: f64,
    first_contact_steps_min: u32,
    substeps_max: u32,
}

impl Args {
    fn trial(&self) -> Result<CoupledTrial> {
        within("--modes", self.modes as f64, 1.0, MAX_MODES as f64)?;
        within("--body-mass", self.body_mass, 1e-4, 1e3)?;
        within("--body-loss", self.body_loss, 0.0, 0.5)?;
        within("--v", self.v, 1e-3, 1e2)?;
        within("--gravity", self.gravity, 0.0, 1e4)?;
        within("--fs", self.fs, 1e3, 1e6)?;
        within("--offsets", f64::from(self.offsets), 1.0, 1e6)?;
        let steps_per_sample = match self.substeps.as_str() {
            "auto" => Oversampling::Auto,
            number => match number.parse::<u32>() {
                Ok(n) if n.is_power_of_two() && n <= contact::coupled::MAX_STEPS => {
                    Oversampling::Times(n)
                }
                _ => bail!("--substeps {number} is neither auto nor a power of two from 1 to 1024"),
            },
        };
        let settings = ContactSettings {
            coupling: Coupling::CoupledSolver,
            gravity_m_per_s2: self.gravity,
            steps_per_sample,
            ..self.contact.settings(self.k)?
        };
        Ok(CoupledTrial {
            settings,
            v_in_m_per_s: self.v,
            dt_s: 1.0 / self.fs,
            onset: 0.0,
            watch_s: DURATION_S,
        })
    }

    fn body(&self) -> Result<Body> {
        let is_list = matches!(self.body, Kind::Library(kind) if kind.is_mode_list());
        let list = match &self.list {
            Some(path) if is_list => mode_lists::read(path)?,
            Some(_) => bail!("--list is for --body user"),
            None if is_list => bail!("--body user needs --list FILE.json"),
            None => UserModes::default(),
        };
        let body = Body::new(self.body, &list, self.modes, self.body_mass, self.body_loss, self.fs);
        ensure!(body.count > 0, "--fs {}: no mode of the body is below 0.45 of it", self.fs);
        Ok(body)
    }
}

impl Report {
    /// Strikes the body at every onset, and once with finer steps as the reference.
    fn new(body: &Body, trial: &CoupledTrial, offsets: u32) -> Result<Self> {
        let runs: Vec<CoupledTrialResult> = (0..offsets)
            .map(|n| {
                body.strike(&CoupledTrial { onset: f64::from(n) / f64::from(offsets), ..*trial })
            })
            .collect();
        let max = |of: fn(&CoupledTrialResult) -> f64| {
            runs.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
        };
        let min =
            |of: fn(&CoupledTrialResult) -> f64| runs.iter().map(of).fold(f64::INFINITY, f64::min);
        let substeps_max = max(|run| f64::from(run.max_steps)) as u32;
        // Without a release there is nothing to compare with a reference, which takes 64 times as
        // long.
        let is_released = runs.iter().any(|run| !run.stuck);
        let reference =
            if is_released { body.strike(&trial.finer(REFERENCE, substeps_max)) } else { runs[0] };
        ensure!(
            !(is_released && reference.stuck),
            "the contact is too long for a reference at {REFERENCE} times --fs {:.0}; use a lower --fs, or a lighter or harder striker",
            1.0 / trial.dt_s
        );
        let (v_first_min, v_first_max) = (min(|run| run.v_first), max(|run| run.v_first));
        let error_pct = |v: f64| 100.0 * ((v - reference.v_first) / reference.v_first).abs();
        Ok(Self {
            max_energy_growth: max(|run| run.max_energy_growth),
            max_energy_ratio: max(|run| run.energy_ratio),
            v_first_min,
            v_first_max,
            v_first_reference: reference.v_first,
            v_first_err_pct: error_pct(v_first_min).max(error_pct(v_first_max)),
            contacts_max: max(|run| f64::from(run.contacts)) as u32,
            stuck: runs.iter().any(|run| run.stuck),
            offsets,
            modes: body.count,
            first_contact_s: reference.first_contact_s,
            first_contact_steps_min: min(|run| f64::from(run.first_contact_steps)) as u32,
            substeps_max,
        })
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let (trial, body) = (args.trial()?, args.body()?);
    let report = Report::new(&body, &trial, args.offsets)?;
    print_report(&report, args.json, 24)
}

/// Kind of the struck body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Modes evenly spaced in octaves with equal deflection.
    Generic,
    /// A free bar struck near its end.
    Bar,
    /// A body of the instrument, struck at its usual point.
    Library(BodyKind),
}

/// Lowest and highest mode of the generic body, Hz; the nominal pitch of the others is the lowest.
const BAND_HZ: (f64, f64) = (200.0, 18_000.0);
/// Strike point on the bar.
const BAR_POINT: f64 = 0.1;
/// Highest mode, as a share of the sample rate.
const MAX_RATE_SHARE: f64 = 0.45;

/// Parses a body: `generic`, `bar`, or a type of `ictus body`.
fn parse_kind(text: &str) -> Result<Kind, String> {
    match text {
        "generic" => Ok(Kind::Generic),
        "bar" => Ok(Kind::Bar),
        other => super::body::parse_kind(other)
            .map(Kind::Library)
            .map_err(|e| format!("{e}, generic and bar")),
    }
}

impl Kind {
    /// Frequencies (Hz) and deflections of up to `count` modes.
    fn modes(self, count: usize, list: &UserModes) -> Vec<(f64, f64)> {
        let (kind, point) = match self {
            Kind::Generic => {
                let share = |index: usize| index as f64 / (count.max(2) - 1) as f64;
                return (0..count)
                    .map(|i| (BAND_HZ.0 * (BAND_HZ.1 / BAND_HZ.0).powf(share(i)), 1.0))
                    .collect();
            }
            Kind::Bar => (BodyKind::FreeBar, Point::along(BAR_POINT)),
            Kind::Library(kind) => (kind, kind.spec().usual_points[0]),
        };
        let mut spectrum = Spectrum::default();
        spectrum.set(&Geometry { count: count as f64, ..Geometry::of(kind) }, list);
        let mode =
            |i| (BAND_HZ.0 * spectrum.ratio(i), spectrum.deflection(i, Place::Strike, point));
        (0..count.min(spectrum.len())).map(mode).collect()
    }
}

/// A body that is struck repeatedly from rest.
struct Body {
    modes: Modes,
    shape: PerMode,
    mass_kg: f64,
    count: usize,
}

impl Body {
    /// A body with up to `count` modes.
    fn new(
        kind: Kind,
        list: &UserModes,
        count: usize,
        mass_kg: f64,
        loss_factor: f64,
        sample_rate_hz: f64,
    ) -> Self {
        let mut modes = Modes::default();
        let mut shape = [0.0; MAX_MODES];
        let mut kept = 0;
        let heard = kind
            .modes(count, list)
            .into_iter()
            .filter(|(hz, _)| *hz > 0.0 && *hz <= MAX_RATE_SHARE * sample_rate_hz);
        for (index, (frequency_hz, deflection)) in heard.enumerate() {
            let undamped = 2.0 * PI * frequency_hz;
            let support = if loss_factor > 0.0 { 2.0 } else { 0.0 };
            let d = (support + PI * frequency_hz * loss_factor).min(0.5 * undamped);
            modes.decay_per_s[index] = d;
            modes.omega[index] = (undamped * undamped - d * d).sqrt();
            shape[index] = deflection;
            kept = index + 1;
        }
        modes.len = kept.next_multiple_of(LANES);
        Self { modes, shape, mass_kg, count: kept }
    }

    /// Strikes once, from rest.
    fn strike(&self, trial: &CoupledTrial) -> CoupledTrialResult {
        let mut coupled_modes = CoupledModes::default();
        coupled_modes.set_masses(&[self.mass_kg; MAX_MODES]);
        coupled_modes.set_point(0, &self.shape);
        trial.run(&mut coupled_modes.on(&mut Bank::default(), &self.modes))
    }
}
