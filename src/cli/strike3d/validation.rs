//! Whether a case can be meant: sizes that bodies have, and matrices that belong to bodies.

use anyhow::{Result, ensure};

/// Largest entry of an inverse inertia, 1/kg: from bodies heavier than any ship to less than a
/// picogram.
const MOBILITIES_PER_KG: (f64, f64) = (1e-12, 1e12);
/// Fastest that a point moves, m/s.
const MAX_M_PER_S: f64 = 1e6;
/// Entries that mirror each other may differ by this share of the largest: vectors are printed with
/// few digits.
const ASYMMETRY: f64 = 1e-4;
/// A pivot above minus this share of the largest entry is none: redundant points make a matrix
/// singular.
const NO_PIVOT: f64 = 1e-9;

/// A number within bounds.
pub fn within(name: &str, value: f64, low: f64, high: f64) -> Result<()> {
    ensure!((low..=high).contains(&value), "{name} {value} is not within {low} to {high}");
    Ok(())
}

/// Velocities before an impact.
pub fn velocities(name: &str, v_m_per_s: &[f64]) -> Result<()> {
    v_m_per_s.iter().try_for_each(|v| within(name, *v, -MAX_M_PER_S, MAX_M_PER_S))
}

/// An inverse inertia: symmetric, of a size that bodies have, and giving no energy away. Square is
/// asked before.
pub fn inverse_inertia(name: &str, rows: &[Vec<f64>]) -> Result<()> {
    let size = rows.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let (least, most) = MOBILITIES_PER_KG;
    within(&format!("the largest entry of {name},"), size, least, most)?;
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

/// By elimination, without taking turns: a pivot that is none leaves a column that is none, or the
/// matrix is indefinite.
fn is_semidefinite(rows: &[Vec<f64>], size: f64) -> bool {
    let mut left: Vec<Vec<f64>> = rows.to_vec();
    for k in 0..left.len() {
        let pivot = left[k][k];
        if pivot <= NO_PIVOT * size {
            // Of a semidefinite matrix |a_kj|^2 is at most a_kk a_jj.
            let beside = left[k][k + 1..].iter().fold(0.0f64, |most, value| most.max(value.abs()));
            if pivot < -NO_PIVOT * size || beside > NO_PIVOT.sqrt() * size {
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
    fn what_belongs_to_bodies_is_reported_from_what_does_not() {
        let of = |rows: [[f64; 3]; 3]| inverse_inertia("A", &rows.map(Vec::from));
        assert!(of([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]).is_ok());
        // Two points on one line: the second adds nothing.
        assert!(of([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]]).is_ok());
        let told = |rows: [[f64; 3]; 3]| of(rows).expect_err("refused").to_string();
        assert!(told([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("semidefinite"));
        assert!(told([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("semidefinite"));
        assert!(told([[1.0, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("symmetric"));
        assert!(
            told([[1e300, 0.0, 0.0], [0.0, 1e300, 0.0], [0.0, 0.0, 1e300]])
                .contains("largest entry of A")
        );
        assert!(
            told([[f64::NAN, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).contains("symmetric")
        );
        assert!(velocities("v", &[1e200]).is_err() && velocities("v", &[f64::NAN]).is_err());
    }
}
