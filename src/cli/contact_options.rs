//! What `ictus impact` and `ictus couple` both ask of a contact.

use anyhow::{Result, ensure};
use clap::ValueEnum;

use crate::contact::{self, ContactSettings, HuntCrossley};

const MU_S_PER_M: f64 = 0.5;
const DAMPER_N_S_PER_M: f64 = 50.0;

/// The law of a contact and the mass behind it.
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
    /// Damp each contact so that it gives this restitution against a wall (0 to 1; below 1e-4 it is
    /// 1e-4), instead of --mu or --damper
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

/// Refuse a value that is out of range, by the name of its option.
pub fn within(name: &str, value: f64, low: f64, high: f64) -> Result<()> {
    ensure!((low..=high).contains(&value), "--{name} {value} is not within {low:e} to {high:e}");
    Ok(())
}

impl ContactOptions {
    /// Refuse an option that only a damper listens to, where there is none.
    pub fn only_with_a_damper(&self, name: &str, is_given: bool) -> Result<()> {
        ensure!(
            !is_given || self.law == Law::HertzDamper,
            "--{name} belongs to --law hertz-damper; the law is hunt-crossley"
        );
        Ok(())
    }

    /// The contact of this stiffness; all else is as usual.
    pub fn settings(&self, stiffness: f64) -> Result<ContactSettings> {
        self.only_with_a_damper("damper", self.damper.is_some())?;
        ensure!(
            self.mu.is_none() || self.law == Law::HuntCrossley,
            "--mu belongs to --law hunt-crossley; the law is hertz-damper"
        );
        let (mu_s_per_m, damper_n_s_per_m) =
            (self.mu.unwrap_or(MU_S_PER_M), self.damper.unwrap_or(DAMPER_N_S_PER_M));
        within("k", stiffness, 1e3, 1e11)?;
        within("mu", mu_s_per_m, 0.0, 5.0)?;
        within("damper", damper_n_s_per_m, 0.0, 1e6)?;
        within("restitution", self.restitution.unwrap_or(1.0), 0.0, 1.0)?;
        within("alpha", self.alpha, 1.0, 3.5)?;
        within("m", self.m, 1e-5, 1e2)?;
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
