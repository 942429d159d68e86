//! `ictus strike3d`: impacts of rigid bodies in three dimensions, from a file of cases.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::{print_report, within};
use crate::rigid_body::simultaneous::{self, Budget, Contacts, Cor, ImpactSettings, MAX_POINTS};
use crate::rigid_body::single_point::{self, Accuracy, Impact, Restitution};

/// Largest file of cases, bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Arguments of `ictus strike3d`.
#[derive(clap::Args)]
pub struct Args {
    /// One frictional contact of two bodies (Jia and Wang), or several points at once (PLUS)
    #[arg(long, value_enum)]
    model: Model,
    /// JSON file with the cases: a list, or an object with a list `cases`
    #[arg(long, value_name = "FILE")]
    cases: PathBuf,
    /// Accuracy of the slip in jia
    #[arg(long, value_enum, default_value_t = Steps::Default)]
    accuracy: Steps,
    /// Kind of coefficient of the `e` of jia
    #[arg(long, value_enum, default_value_t = Law::Stronge)]
    restitution: Law,
    /// Bound on the work of plus
    #[arg(long, value_enum, default_value_t = Work::Study)]
    budget: Work,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    Jia,
    Plus,
}

#[derive(Clone, Copy, ValueEnum)]
enum Steps {
    Default,
    Fine,
}

#[derive(Clone, Copy, ValueEnum)]
enum Law {
    Stronge,
    Poisson,
}

#[derive(Clone, Copy, ValueEnum)]
enum Work {
    RealTime,
    Study,
}

#[derive(Deserialize)]
struct JiaCase {
    name: String,
    #[serde(rename = "W")]
    w: [[f64; 3]; 3],
    v_minus: [f64; 3],
    mu: f64,
    e: f64,
}

#[derive(Deserialize)]
struct PlusCase {
    name: String,
    n_points: usize,
    mu: f64,
    e_min: f64,
    v_capture: f64,
    v_plastic: f64,
    v_transition: f64,
    theta_max: f64,
    alpha_min: f64,
    #[serde(rename = "A")]
    a: Vec<Vec<f64>>,
    v_minus: Vec<f64>,
}

/// The printed result of jia. The names of the fields are an interface.
#[derive(Serialize)]
struct JiaReport {
    name: String,
    total_impulse: [f64; 3],
    v_plus: [f64; 3],
    sequence: &'static str,
    i_zc: f64,
    i_zs: Option<f64>,
    i_zr: f64,
    steps: u32,
    capped: bool,
}

/// The printed result of plus. The names of the fields are an interface.
#[derive(Serialize)]
struct PlusReport {
    name: String,
    total_impulse: Vec<[f64; 3]>,
    v_plus: Vec<[f64; 3]>,
    n_rounds: u32,
    n_intervals: u32,
    solves: u32,
    newton: u32,
    capped: bool,
}

/// A case with a name for error messages.
trait Named {
    fn name(&self) -> &str;
}

impl Named for JiaCase {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for PlusCase {
    fn name(&self) -> &str {
        &self.name
    }
}

impl JiaCase {
    /// Fails unless the numbers describe an impact of two bodies.
    fn check(&self) -> Result<()> {
        within("mu", self.mu, 0.0, 100.0)?;
        within("e", self.e, 0.0, 1.0)?;
        check_velocities("v_minus", &self.v_minus)?;
        check_inverse_inertia("W", &self.w.map(Vec::from))?;
        let w = &self.w;
        let minor = w[0][0] * w[1][1] - w[0][1] * w[1][0];
        let det = w[2][2] * minor - w[2][0] * (w[0][2] * w[1][1] - w[0][1] * w[1][2])
            + w[2][1] * (w[0][2] * w[1][0] - w[0][0] * w[1][2]);
        ensure!(w[0][0] > 0.0 && minor > 0.0 && det > 0.0, "W is not positive definite");
        ensure!(self.v_minus[2] < 0.0, "v_minus does not approach: its z is {}", self.v_minus[2]);
        Ok(())
    }

    fn report(self, args: &Args) -> Result<JiaReport> {
        self.check()?;
        let impact = Impact {
            w: self.w,
            v_m_per_s: self.v_minus,
            mu: self.mu,
            restitution: match args.restitution {
                Law::Stronge => Restitution::Stronge(self.e),
                Law::Poisson => Restitution::Poisson(self.e),
            },
        };
        let accuracy = match args.accuracy {
            Steps::Default => Accuracy::DEFAULT,
            Steps::Fine => Accuracy::FINE,
        };
        let got = single_point::solve(&impact, &accuracy);
        Ok(JiaReport {
            name: self.name,
            total_impulse: got.impulse_ns,
            v_plus: got.v_m_per_s,
            sequence: got.sequence.name(),
            i_zc: got.i_zc_ns,
            i_zs: got.i_zs_ns,
            i_zr: got.impulse_ns[2],
            steps: got.steps,
            capped: got.capped,
        })
    }
}

impl PlusCase {
    /// The checked contacts of the case.
    fn contacts(&self) -> Result<Contacts> {
        within("n_points", self.n_points as f64, 1.0, MAX_POINTS as f64)?;
        within("mu", self.mu, 0.0, 100.0)?;
        within("e_min", self.e_min, 0.0, 1.0)?;
        within("v_capture", self.v_capture, 0.0, 1e3)?;
        within("v_plastic", self.v_plastic, 0.0, 1e3)?;
        within("v_transition", self.v_transition, 0.0, 1e3)?;
        within("theta_max", self.theta_max, 1e-6, 1.5)?;
        within("alpha_min", self.alpha_min, 0.0, 1.0)?;
        let mut contacts = Contacts::new();
        contacts.points = self.n_points;
        let rows = contacts.rows();
        ensure!(
            self.v_minus.len() == rows,
            "v_minus has {} numbers, not {rows}",
            self.v_minus.len()
        );
        ensure!(self.a.len() == rows, "A has {} rows, not {rows}", self.a.len());
        for (i, row) in self.a.iter().enumerate() {
            ensure!(row.len() == rows, "row {i} of A has {} numbers, not {rows}", row.len());
            contacts.a[i][..rows].copy_from_slice(row);
        }
        check_velocities("v_minus", &self.v_minus)?;
        check_inverse_inertia("A", &self.a)?;
        contacts.v_m_per_s[..rows].copy_from_slice(&self.v_minus);
        for k in 0..self.n_points {
            ensure!(
                contacts.a[3 * k + 2][3 * k + 2] > 0.0,
                "A has no normal mobility at point {k}"
            );
        }
        contacts.mu = [self.mu; MAX_POINTS];
        Ok(contacts)
    }

    fn report(self, args: &Args) -> Result<PlusReport> {
        let contacts = self.contacts()?;
        let rows = contacts.rows();
        let settings = ImpactSettings {
            cor: Cor {
                e_min: self.e_min,
                v_capture_m_per_s: self.v_capture,
                v_plastic_m_per_s: self.v_plastic,
            },
            v_transition_m_per_s: self.v_transition,
            theta_max_rad: self.theta_max,
            alpha_min: self.alpha_min,
        };
        let budget = match args.budget {
            Work::RealTime => Budget::REAL_TIME,
            Work::Study => Budget::STUDY,
        };
        let got = simultaneous::solve(&contacts, &settings, &budget);
        let triples =
            |rows: &[f64]| rows.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect();
        Ok(PlusReport {
            name: self.name,
            total_impulse: triples(&got.impulse_ns[..rows]),
            v_plus: triples(&got.v_m_per_s[..rows]),
            n_rounds: got.rounds,
            n_intervals: got.intervals,
            solves: got.solves,
            newton: got.newton,
            capped: got.capped,
        })
    }
}

fn read<Case: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<Case>> {
    let shown = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut text = String::new();
    // The size of a pipe is unknown in advance.
    file.take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .with_context(|| format!("cannot read {shown}"))?;
    ensure!(text.len() as u64 <= MAX_BYTES, "{shown} has more than {MAX_BYTES} bytes");
    // Parsed as any JSON first: a syntax error names its line, and a wrong case its field.
    let value: serde_json::Value =
        serde_json::from_str(&text).with_context(|| format!("{shown} is not JSON"))?;
    let list = match value {
        serde_json::Value::Array(list) => list,
        serde_json::Value::Object(mut fields) => match fields.remove("cases") {
            Some(serde_json::Value::Array(list)) => list,
            _ => bail!("{shown} has no list `cases`"),
        },
        _ => bail!("{shown} holds neither a list nor an object with `cases`"),
    };
    list.into_iter()
        .enumerate()
        .map(|(i, case)| {
            let name = case
                .get("name")
                .and_then(|name| name.as_str())
                .unwrap_or("without name")
                .to_owned();
            serde_json::from_value(case).with_context(|| format!("case {i} ({name}) of {shown}"))
        })
        .collect()
}

/// Reports every case of the file.
fn report<Case, Report>(args: &Args, solve: fn(Case, &Args) -> Result<Report>) -> Result<()>
where
    Case: for<'a> Deserialize<'a> + Named,
    Report: Serialize,
{
    let mut reports = Vec::new();
    for case in read::<Case>(&args.cases)? {
        let name = case.name().to_owned();
        reports.push(solve(case, args).with_context(|| format!("case {name}"))?);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&reports)?);
        return Ok(());
    }
    for report in reports {
        print_report(&report, false, 14)?;
        println!();
    }
    Ok(())
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    match args.model {
        Model::Jia => report(&args, JiaCase::report),
        Model::Plus => report(&args, PlusCase::report),
    }
}

/// Range of the largest entry of an inverse inertia, 1/kg: from ships to less than a picogram.
const MOBILITIES_PER_KG: (f64, f64) = (1e-12, 1e12);
/// Largest speed of a point, m/s.
const MAX_M_PER_S: f64 = 1e6;
/// Largest asymmetry as a share of the largest entry: printed matrices have few digits.
const ASYMMETRY: f64 = 1e-4;
/// Pivots below this share of the largest entry count as zero: redundant points make a matrix
/// singular.
const ZERO_PIVOT: f64 = 1e-9;

/// Checks the velocities before an impact.
fn check_velocities(name: &str, v_m_per_s: &[f64]) -> Result<()> {
    v_m_per_s.iter().try_for_each(|v| within(name, *v, -MAX_M_PER_S, MAX_M_PER_S))
}

/// Checks that a square matrix is an inverse inertia: symmetric, positive semidefinite, of a
/// physical size.
fn check_inverse_inertia(name: &str, rows: &[Vec<f64>]) -> Result<()> {
    let size = rows.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let (low, high) = MOBILITIES_PER_KG;
    within(&format!("the largest entry of {name},"), size, low, high)?;
    for (i, row) in rows.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            ensure!(
                (value - rows[j][i]).abs() <= ASYMMETRY * size,
                "{name} is not symmetric in row {i}, column {j}"
            );
        }
    }
    ensure!(is_semidefinite(rows, size), "{name} is not positive semidefinite");
    Ok(())
}

/// Whether a matrix is positive semidefinite, by elimination without pivoting: a zero pivot of a
/// semidefinite matrix has a zero column.
fn is_semidefinite(rows: &[Vec<f64>], size: f64) -> bool {
    let mut left: Vec<Vec<f64>> = rows.to_vec();
    for k in 0..left.len() {
        let pivot = left[k][k];
        if pivot <= ZERO_PIVOT * size {
            // In a semidefinite matrix, |a_kj|^2 <= a_kk a_jj.
            let beside = left[k][k + 1..].iter().fold(0.0f64, |most, value| most.max(value.abs()));
            if pivot < -ZERO_PIVOT * size || beside > ZERO_PIVOT.sqrt() * size {
                return false;
            }
            continue;
        }
        let row = left[k].clone();
        for below in &mut left[k + 1..] {
            let share = below[k] / pivot;
            below.iter_mut().zip(&row).skip(k).for_each(|(value, above)| *value -= share * above);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_matrices_of_physical_bodies_are_accepted() {
        let check = |rows: [[f64; 3]; 3]| check_inverse_inertia("A", &rows.map(Vec::from));
        assert!(check([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]).is_ok());
        // Two points on one line: the second is redundant.
        assert!(check([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]]).is_ok());
        let error = |rows: [[f64; 3]; 3]| check(rows).expect_err("refused").to_string();
        assert!(
            error([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("semidefinite")
        );
        assert!(
            error([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("semidefinite")
        );
        assert!(error([[1.0, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("symmetric"));
        assert!(
            error([[1e300, 0.0, 0.0], [0.0, 1e300, 0.0], [0.0, 0.0, 1e300]])
                .contains("largest entry of A")
        );
        assert!(
            error([[f64::NAN, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("symmetric")
        );
        assert!(
            check_velocities("v", &[1e200]).is_err() && check_velocities("v", &[f64::NAN]).is_err()
        );
    }
}
