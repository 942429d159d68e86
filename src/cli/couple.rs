//! `ictus couple`: one mass, one body that gives way, struck at many places inside the sample.

mod body;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Serialize;

use super::contact_options::{ContactOptions, within};
use crate::body::UserModes;
use crate::contact::trial::{CoupledTrial, CoupledTrialResult};
use crate::contact::{self, ContactSettings, Coupling, Oversampling};
use crate::io::mode_lists;
use body::{Body, Kind};

/// How long each strike is watched, s.
const DURATION_S: f64 = 3e-3;
/// How much finer the reference is stepped.
const REFERENCE: u32 = 64;

/// Arguments of `ictus couple`.
#[derive(clap::Args)]
pub struct Args {
    /// Modes of the body (1 to 256); those above 0.45 of the sample rate are left out
    #[arg(long, default_value_t = 32)]
    modes: usize,
    /// What is struck: `generic`, modes evenly spaced in octaves from 200 Hz to 18 kHz, all with
    /// deflection 1; `bar`, a free bar struck a tenth from its end; or one of those of `ictus body
    /// --type`, struck at its usual place. Nominal pitch 200 Hz
    #[arg(long, value_name = "BODY", default_value = "generic", value_parser = body::parse_kind)]
    body: Kind,
    /// File with a list of modes, for `--body user`
    #[arg(long, value_name = "FILE.json")]
    list: Option<PathBuf>,
    /// Modal mass of every mode, kg (1e-4 to 1e3)
    #[arg(long, default_value_t = 0.1)]
    body_mass: f64,
    /// Loss factor of the body (0 to 0.5); decay rate pi f times this, and 2 per second besides
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
    /// Places inside the sample at which the contact begins (1 to 1000000)
    #[arg(long, value_name = "N", default_value_t = 100)]
    offsets: u32,
    /// Sub-steps per sample: `auto`, or a power of two up to 1024
    #[arg(long, default_value = "auto")]
    substeps: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is printed; the names are the interface.
#[derive(Serialize)]
struct Report {
    /// Largest rise of total physical energy in one step, share of the initial.
    max_energy_growth: f64,
    /// Energy 3 ms after the onset over that before, the largest.
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
        within("modes", self.modes as f64, 1.0, crate::body::MAX_MODES as f64)?;
        within("body-mass", self.body_mass, 1e-4, 1e3)?;
        within("body-loss", self.body_loss, 0.0, 0.5)?;
        within("v", self.v, 1e-3, 1e2)?;
        within("gravity", self.gravity, 0.0, 1e4)?;
        within("fs", self.fs, 1e3, 1e6)?;
        within("offsets", f64::from(self.offsets), 1.0, 1e6)?;
        let steps_per_sample = match self.substeps.as_str() {
            "auto" => Oversampling::Auto,
            number => match number.parse::<u32>() {
                Ok(n) if n.is_power_of_two() && n <= contact::coupled::MAX_STEPS => {
                    Oversampling::Times(n)
                }
                _ => anyhow::bail!(
                    "--substeps {number} is neither auto nor a power of two from 1 to 1024"
                ),
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

    fn report(&self) -> Result<Report> {
        let trial = self.trial()?;
        let is_list = matches!(self.body, Kind::Library(kind) if kind.is_mode_list());
        let list = match &self.list {
            Some(path) if is_list => mode_lists::read(path)?,
            Some(_) => anyhow::bail!("--list is for --body user"),
            None if is_list => anyhow::bail!("--body user needs --list FILE.json"),
            None => UserModes::default(),
        };
        let body = Body::new(self.body, &list, self.modes, self.body_mass, self.body_loss, self.fs);
        ensure!(body.modes() > 0, "--fs {}: no mode of the body is below 0.45 of it", self.fs);
        let runs: Vec<CoupledTrialResult> = (0..self.offsets)
            .map(|n| {
                body.strike(&CoupledTrial {
                    onset: f64::from(n) / f64::from(self.offsets),
                    ..trial
                })
            })
            .collect();
        let most = |of: fn(&CoupledTrialResult) -> f64| {
            runs.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
        };
        let least =
            |of: fn(&CoupledTrialResult) -> f64| runs.iter().map(of).fold(f64::INFINITY, f64::min);
        let substeps_max = most(|run| f64::from(run.max_steps)) as u32;
        // Where nothing comes off there is nothing to compare, and a reference would take 64 times
        // as long to say so.
        let came_off = runs.iter().any(|run| !run.stuck);
        let reference =
            if came_off { body.strike(&trial.finer(REFERENCE, substeps_max)) } else { runs[0] };
        ensure!(
            !(came_off && reference.stuck),
            "the contact lasts too long for a reference at {REFERENCE} times --fs {}; a lower --fs, a lighter or a harder striker would do",
            self.fs
        );
        let (v_first_min, v_first_max) = (least(|run| run.v_first), most(|run| run.v_first));
        let off = |v: f64| 100.0 * ((v - reference.v_first) / reference.v_first).abs();
        Ok(Report {
            max_energy_growth: most(|run| run.max_energy_growth),
            max_energy_ratio: most(|run| run.energy_ratio),
            v_first_min,
            v_first_max,
            v_first_reference: reference.v_first,
            v_first_err_pct: off(v_first_min).max(off(v_first_max)),
            contacts_max: most(|run| f64::from(run.contacts)) as u32,
            stuck: runs.iter().any(|run| run.stuck),
            offsets: self.offsets,
            modes: body.modes(),
            first_contact_s: reference.first_contact_s,
            first_contact_steps_min: least(|run| f64::from(run.first_contact_steps)) as u32,
            substeps_max,
        })
    }
}

/// Carry it out.
pub fn run(args: Args) -> Result<()> {
    let report = args.report()?;
    let value = serde_json::to_value(&report)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else if let Some(fields) = value.as_object() {
        for (name, value) in fields {
            println!("{name:>24}  {value}");
        }
    }
    Ok(())
}
