//! `ictus impact`: one mass on a rigid surface, and the accuracy of an integrator.

use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::{print_report, within};
use crate::contact::trial::{self, RigidTrial, RigidTrialResult};
use crate::contact::{self, ContactSettings, DamperFit, Dent, HuntCrossley, Oversampling, release};

/// Arguments of `ictus impact`.
#[derive(clap::Args)]
pub struct Args {
    /// Stiffness k, N/m^alpha (1e3 to 1e11)
    #[arg(long, default_value_t = 1e7)]
    k: f64,
    #[command(flatten)]
    contact: ContactOptions,
    /// Damper of a restitution: the solution, or the closed form of the paper [default: exact]
    #[arg(long, value_enum)]
    fit: Option<Fit>,
    /// Dent that the damper leaves [default: recovers]
    #[arg(long, value_enum)]
    dent: Option<DentKind>,
    /// Speed at onset, m/s (0.001 to 100)
    #[arg(long, default_value_t = 0.5)]
    v: f64,
    /// Sample rate, Hz (1e3 to 1e8)
    #[arg(long, default_value_t = 44_100.0)]
    fs: f64,
    /// Integrator of the contact
    #[arg(long, value_enum, default_value_t = Integrator::Exact)]
    integrator: Integrator,
    /// Compute the compression from the velocity by x(v)
    #[arg(long, value_enum, default_value_t = Switch::On)]
    hybrid: Switch,
    /// Correction of the velocity at release
    #[arg(long, value_enum, default_value_t = Release::Exact)]
    release: Release,
    /// Largest error of v~_out, per cent, up to which `--release approx` applies
    #[arg(long, value_name = "PCT", default_value_t = 0.1)]
    threshold: f64,
    /// Steps per sample in contact (a power of two; 0: chosen by the integrator)
    #[arg(long, value_name = "N", default_value_t = 0)]
    oversampling: u32,
    /// Number of rebounds
    #[arg(long, value_name = "N")]
    rebounds: Option<u32>,
    /// Onset of rebounds: each on a sample, or where the flight ends
    #[arg(long, value_enum, default_value_t = Grid::Ideal)]
    grid: Grid,
    /// Acceleration in flight, m/s^2; Passive applies it in contact, too. Default: 9.81 for
    /// flights, else 0
    #[arg(long)]
    gravity: Option<f64>,
    /// Onset of the first contact inside the sample, 0 to 1
    #[arg(long, default_value_t = 0.0)]
    onset: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Fit {
    Exact,
    ClosedForm,
}

#[derive(Clone, Copy, ValueEnum)]
enum DentKind {
    Recovers,
    Stays,
}

#[derive(Clone, Copy, ValueEnum)]
enum Integrator {
    Am1,
    Verlet,
    Heun,
    Rk4,
    Exact,
    Passive,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
enum Release {
    None,
    Approx,
    Exact,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Grid {
    Ideal,
    Samples,
}

/// The printed report. The names of the fields are an interface.
#[derive(Serialize)]
struct Report {
    v_out: f64,
    v_out_exact: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    v_out_approx: Option<f64>,
    err_v_out_pct: f64,
    e_out: f64,
    /// mu in s/m, or c in N s/m.
    damping: f64,
    x_separation_m: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dev_x_pct: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dev_h_pct: Option<f64>,
    off_curve_steps: u32,
    contact_samples: u32,
    contact_time_s: f64,
    contact_time_exact_s: f64,
    x_max_m: f64,
    impulse_ns: f64,
    impulse_exact_ns: f64,
    max_energy_growth: f64,
    converged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rebounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accumulated_err_pct: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_dev_h_pct: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    train_time_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact_time_total_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flight_time_total_s: Option<f64>,
}

impl Args {
    fn trial(&self) -> Result<RigidTrial> {
        let contact = self.contact.settings(self.k)?;
        self.contact.require_damper("fit", self.fit.is_some())?;
        self.contact.require_damper("dent", self.dent.is_some())?;
        ensure!(
            self.fit.is_none() || self.contact.restitution.is_some(),
            "--fit belongs to --restitution"
        );
        within("--v", self.v, 1e-3, 1e2)?;
        within("--fs", self.fs, 1e3, 1e8)?;
        within("--onset", self.onset, 0.0, 1.0)?;
        within("--threshold", self.threshold, 0.0, 100.0)?;
        within("--rebounds", f64::from(self.rebounds.unwrap_or(1)), 1.0, 1e6)?;
        within("--oversampling", f64::from(self.oversampling), 0.0, 65_536.0)?;
        ensure!(
            self.oversampling == 0 || self.oversampling.is_power_of_two(),
            "--oversampling {} is not a power of two",
            self.oversampling
        );
        let flying = self.rebounds.is_some() && self.grid == Grid::Samples;
        let gravity_m_per_s2 = self.gravity.unwrap_or(if flying { 9.81 } else { 0.0 });
        within("--gravity", gravity_m_per_s2, 0.0, 1e4)?;
        ensure!(
            !flying || gravity_m_per_s2 > 0.0,
            "without gravity the mass does not return: --gravity must be above 0"
        );
        let settings = ContactSettings {
            fit: match self.fit {
                None | Some(Fit::Exact) => DamperFit::Exact,
                Some(Fit::ClosedForm) => DamperFit::ClosedForm,
            },
            dent: match self.dent {
                None | Some(DentKind::Recovers) => Dent::Recovers,
                Some(DentKind::Stays) => Dent::Stays,
            },
            coupling: contact::Coupling::Rigid,
            integrator: self.integrator.into(),
            hybrid: self.hybrid == Switch::On,
            release: self.release.into(),
            threshold_pct: self.threshold,
            steps_per_sample: match self.oversampling {
                0 => Oversampling::Auto,
                n => Oversampling::Times(n),
            },
            gravity_m_per_s2,
            ..contact
        };
        Ok(RigidTrial {
            settings,
            v_in_m_per_s: self.v,
            sample_rate_hz: self.fs,
            onset: self.onset,
            rebounds: self.rebounds.unwrap_or(1),
            grid: match self.grid {
                Grid::Ideal => trial::Grid::Ideal,
                Grid::Samples => trial::Grid::Samples,
            },
        })
    }
}

impl From<Integrator> for contact::Integrator {
    fn from(integrator: Integrator) -> Self {
        match integrator {
            Integrator::Am1 => Self::Am1,
            Integrator::Verlet => Self::Verlet,
            Integrator::Heun => Self::Heun,
            Integrator::Rk4 => Self::Rk4,
            Integrator::Exact => Self::Exact,
            Integrator::Passive => Self::Passive,
        }
    }
}

impl From<Release> for contact::Release {
    fn from(release: Release) -> Self {
        match release {
            Release::None => Self::Free,
            Release::Approx => Self::Approximate,
            Release::Exact => Self::Exact,
        }
    }
}

impl Report {
    fn new(trial: &RigidTrial, got: &RigidTrialResult, with_rebounds: bool) -> Self {
        let v_out_exact = trial.v_out_exact();
        let onset = trial.onset();
        let closed = onset.damper_n_s_per_m.is_none();
        let mu = onset.law.mu_s_per_m;
        Self {
            v_out: got.v_out,
            v_out_exact,
            v_out_approx: closed.then(|| release::v_out_approximate(mu, trial.v_in_m_per_s, 4)),
            err_v_out_pct: 100.0 * (got.v_out / v_out_exact - 1.0),
            e_out: -got.v_out / trial.v_in_m_per_s,
            damping: onset.damping(),
            x_separation_m: got.x_separation_m,
            dev_x_pct: closed.then_some(got.dev_x_pct),
            dev_h_pct: closed.then_some(got.dev_h_pct),
            off_curve_steps: got.off_curve_steps,
            contact_samples: got.contact_samples,
            contact_time_s: got.contact_time_s,
            contact_time_exact_s: trial.contact_time_exact_s(),
            x_max_m: got.x_max_m,
            impulse_ns: got.impulse_ns,
            impulse_exact_ns: trial.settings.mass_kg * (trial.v_in_m_per_s - v_out_exact),
            max_energy_growth: got.max_energy_growth,
            converged: !got.unsettled,
            rebounds: with_rebounds.then_some(got.contacts),
            accumulated_err_pct: with_rebounds.then_some(got.accumulated_err_pct),
            max_dev_h_pct: (with_rebounds && closed).then_some(got.max_dev_h_pct),
            train_time_s: (with_rebounds && trial.grid == trial::Grid::Samples)
                .then_some(got.train_time_s),
            contact_time_total_s: with_rebounds.then_some(got.contact_time_total_s),
            flight_time_total_s: (with_rebounds && trial.grid == trial::Grid::Samples)
                .then_some(got.flight_time_total_s),
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let trial = args.trial()?;
    let report = Report::new(&trial, &trial.run(), args.rebounds.is_some());
    print_report(&report, args.json, 22)
}

/// Default dissipation.
const MU_S_PER_M: f64 = 0.5;
/// Default damper.
const DAMPER_N_S_PER_M: f64 = 50.0;

/// Options of a contact: the force law and the mass, shared with `ictus couple`.
#[derive(clap::Args)]
pub struct ContactOptions {
    /// Force law
    #[arg(long, value_enum, default_value_t = Law::HuntCrossley)]
    law: Law,
    /// Dissipation mu of Hunt-Crossley, s/m (0 to 5) [default: 0.5]
    #[arg(long)]
    mu: Option<f64>,
    /// Damper c of Hertz-damper, N s/m (0 to 1e6) [default: 50]
    #[arg(long)]
    damper: Option<f64>,
    /// Restitution against a wall (0 to 1; values below 1e-4 become 1e-4), instead of --mu or
    /// --damper
    #[arg(long, value_name = "E", conflicts_with_all = ["mu", "damper"])]
    pub restitution: Option<f64>,
    /// Exponent alpha (1 to 3.5)
    #[arg(long, default_value_t = 1.5)]
    alpha: f64,
    /// Mass, kg (1e-5 to 100)
    #[arg(long, default_value_t = 0.01)]
    m: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Law {
    HuntCrossley,
    HertzDamper,
}

impl ContactOptions {
    /// Fails if an option of the damper is given without the damper law.
    pub fn require_damper(&self, name: &str, is_given: bool) -> Result<()> {
        ensure!(
            !is_given || self.law == Law::HertzDamper,
            "--{name} belongs to --law hertz-damper; the law is hunt-crossley"
        );
        Ok(())
    }

    /// The settings of a contact with this stiffness.
    pub fn settings(&self, stiffness: f64) -> Result<ContactSettings> {
        self.require_damper("damper", self.damper.is_some())?;
        ensure!(
            self.mu.is_none() || self.law == Law::HuntCrossley,
            "--mu belongs to --law hunt-crossley; the law is hertz-damper"
        );
        let (mu_s_per_m, damper_n_s_per_m) =
            (self.mu.unwrap_or(MU_S_PER_M), self.damper.unwrap_or(DAMPER_N_S_PER_M));
        within("--k", stiffness, 1e3, 1e11)?;
        within("--mu", mu_s_per_m, 0.0, 5.0)?;
        within("--damper", damper_n_s_per_m, 0.0, 1e6)?;
        within("--restitution", self.restitution.unwrap_or(1.0), 0.0, 1.0)?;
        within("--alpha", self.alpha, 1.0, 3.5)?;
        within("--m", self.m, 1e-5, 1e2)?;
        Ok(ContactSettings {
            kind: match self.law {
                Law::HuntCrossley => contact::Law::HuntCrossley,
                Law::HertzDamper => contact::Law::HertzDamper,
            },
            law: HuntCrossley { stiffness, mu_s_per_m, alpha: self.alpha },
            damper_n_s_per_m,
            restitution: self.restitution,
            mass_kg: self.m,
            ..ContactSettings::default()
        })
    }
}
