//! A first gap in note lengths.
//!
//! The ball lands with the speed that a strike of the same velocity has, so that velocity plays the loudness as ever.
//! What has to give way is gravity: from the first impact to the second are the contact, the way out of a dent that
//! recovers, and a flight of `2 v_out/g`, so `g = 2 v_out/(gap - contact - way out)`. All gaps after it follow from
//! the contact, as ever: by e each, or lingering.
//!
//! The fall takes one gap as well, as if the ball had been tossed for it: key, first and
//! second impact lie on the grid.

use crate::contact::{ContactSettings, Dent, contact_time, release};

/// Lengths of the choices after "Off", in quarter notes: sixteenth to whole, each as triplet, straight and dotted.
const STRAIGHT_QUARTERS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
const VARIANTS: [f64; 3] = [2.0 / 3.0, 1.0, 1.5];

/// A contact that fills nearly all of the gap leaves the flight this share of it. Then the gap is longer than asked.
const LEAST_FLIGHT: f64 = 0.1;
/// Error of the solution for a linear damper, as a share of the speed.
const TOLERANCE: f64 = 1e-9;

/// The gap (s) of a choice of the parameter at a tempo in quarter notes per minute; none if it is off.
pub fn gap_s(choice: usize, tempo_bpm: f64) -> Option<f64> {
    let index = choice.checked_sub(1)?;
    let quarters = STRAIGHT_QUARTERS.get(index / VARIANTS.len())? * VARIANTS[index % VARIANTS.len()];
    Some(quarters * 60.0 / tempo_bpm)
}

/// Gravity (m/s^2) under which a ball that lands with `v_in_m_per_s` lands again after `gap_s`.
pub fn gravity_m_per_s2(contact: &ContactSettings, v_in_m_per_s: f64, gap_s: f64) -> f64 {
    let contact = contact.within_limits();
    let onset = contact.at_onset(v_in_m_per_s);
    let (v_out, busy_s) = match onset.damper_n_s_per_m {
        Some(_) => {
            let rebound = onset.rebound(contact.mass_kg, v_in_m_per_s, TOLERANCE);
            let v_out = rebound.e * v_in_m_per_s;
            let way_out_s = if contact.dent == Dent::Recovers { rebound.x_separation / v_out } else { 0.0 };
            (v_out, rebound.time + way_out_s)
        }
        None => {
            let v_out = -release::v_out_exact(onset.law.mu_s_per_m, v_in_m_per_s);
            (v_out, contact_time::exact(&onset.law, contact.mass_kg, v_in_m_per_s))
        }
    };
    2.0 * v_out / (gap_s - busy_s).max(LEAST_FLIGHT * gap_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Kind, Param};

    #[test]
    fn every_choice_is_the_note_it_says() {
        let Kind::Choice(names) = Param::Gap.spec().kind else { panic!("a choice") };
        assert_eq!(gap_s(0, 120.0), None);
        assert_eq!(gap_s(names.len(), 120.0), None);
        for (choice, name) in names.iter().enumerate().skip(1) {
            let (number, variant) = match name.strip_suffix(['T', 'D']) {
                Some(number) => (number, if name.ends_with('T') { 2.0 / 3.0 } else { 1.5 }),
                None => (*name, 1.0),
            };
            let part: f64 = number.strip_prefix("1/").and_then(|n| n.parse().ok()).expect("a note");
            let gap = gap_s(choice, 90.0).expect("a gap");
            assert!((gap - 4.0 / part * variant * 60.0 / 90.0).abs() < 1e-12, "{name}: {gap}");
        }
    }
}
