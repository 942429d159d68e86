use super::*;
use crate::contact::HuntCrossley;

const H_S: f64 = 1e-3;

fn spring() -> Spring {
    HuntCrossley { stiffness: 1e6, mu_s_per_m: 0.4, alpha: 1.5 }.prepare().with_damper(3.0)
}

/// After steps with these mean speeds, m/s.
fn after(speeds: &[f64]) -> Loss {
    let mut loss = Loss::default();
    speeds.iter().for_each(|speed| loss.pass(speed * H_S, H_S));
    loss
}

/// A speed that falls evenly by 0.1 m/s a step: the next one is known.
#[test]
fn an_even_change_of_speed_adds_the_share_of_the_second_order() {
    let x_m = 0.02;
    let damped = after(&[1.0, 0.9, 0.8]).allow(&spring(), x_m, H_S);
    let (v, dv): (f64, f64) = (0.7, -0.1);
    let middle_m = x_m + 0.5 * H_S * v;
    let by_speed = dv * dv / (v * v);
    let by_spring = -1.5 * H_S * dv / middle_m;
    assert!((damped.mu_s_per_m() / 0.4 - (1.0 + by_speed / 12.0)).abs() < 1e-12);
    assert!((damped.damper_n_s_per_m() / 3.0 - (1.0 + (by_speed + by_spring) / 12.0)).abs() < 1e-12);
    assert_eq!((damped.stiffness(), damped.alpha()), (1e6, 1.5));
}

/// The last changes of speed were -0.1 and -0.2 m/s: it will be as much more once again.
#[test]
fn a_change_of_the_change_is_carried_on() {
    let damped = after(&[1.0, 0.9, 0.7]).allow(&spring(), 0.02, H_S);
    let (v, dv): (f64, f64) = (0.7 - 0.3, -0.2 - 0.15);
    assert!((damped.mu_s_per_m() / 0.4 - (1.0 + dv * dv / (v * v) / 12.0)).abs() < 1e-12);
}

#[test]
fn where_little_is_known_the_law_is_left_alone() {
    let plain = spring();
    assert_eq!(after(&[1.0, 0.9]).allow(&plain, 0.02, H_S), plain, "two steps");
    assert_eq!(after(&[1.0, 0.9, 0.8]).allow(&plain, 0.02, 0.5 * H_S), plain, "another step");
    assert_eq!(after(&[1.0, 0.9, 0.8]).allow(&plain, 0.0, H_S), plain, "no contact");
    assert_eq!(after(&[-1.0, -1.1, -1.2]).allow(&plain, 1e-4, H_S), plain, "it will be out of contact");
    let mut other = after(&[1.0, 0.9, 0.8]);
    other.pass(0.7 * 0.5 * H_S, 0.5 * H_S);
    assert_eq!(other.allow(&plain, 0.02, 0.5 * H_S), plain, "the first of its length");
}

#[test]
fn the_share_is_cut_where_the_speed_turns() {
    let damped = after(&[0.2, 0.1, 0.0]).allow(&spring(), 0.02, H_S);
    assert!((damped.mu_s_per_m() / 0.4 - (1.0 + 1.0 / 12.0)).abs() < 1e-12);
    let damped = after(&[0.3, 0.2, 0.1]).allow(&spring(), 0.02, H_S);
    assert!((damped.mu_s_per_m() / 0.4 - 1.5).abs() < 1e-12);
    // With the surface speeding it up the spring's share of the damper is taken away, but no more than there is.
    let damped = after(&[0.8, 0.9, 1.0]).allow(&spring(), 1e-4, H_S);
    assert_eq!(damped.damper_n_s_per_m(), 3.0);
}

#[test]
fn a_gap_closes_as_fast_as_the_middle_of_its_step_and_its_acceleration_say() {
    let loss = after(&[1.0, 1.2]);
    let closing = loss.closing_m_per_s(1.4 * H_S, H_S, 0.75 * H_S);
    assert!((closing - (1.4 + 0.25 * 0.2)).abs() < 1e-12, "{closing}");
    assert!((after(&[1.0]).closing_m_per_s(1.4 * H_S, H_S, 0.0) - 1.4).abs() < 1e-12, "nothing came before");
}
