use super::super::super::MAX_MODES;
use super::super::blow::{half_sine, half_sine_of_s};
use super::*;
use crate::contact::HuntCrossley;

const STRIKER_KG: f64 = 0.02;
const SPEED_M_PER_S: f64 = 3.0;

fn blow() -> FeltBlow {
    let law = HuntCrossley { stiffness: 1.0, mu_s_per_m: 0.0, alpha: 1.5 };
    let contact = ContactSettings { law, mass_kg: STRIKER_KG, ..ContactSettings::default() };
    FeltBlow::new(&contact, 1.0, 440.0, SPEED_M_PER_S)
}

/// A group of modes, the first of `hz` and the others an octave apart each, all with deflection 1 but for padding.
fn rehearse(hz: f64, count: usize, body_kg: f64) -> (Modes, Rehearsal) {
    let (mut modes, mut rehearsal) = (Modes::default(), Rehearsal::default());
    modes.len = LANES;
    for i in 0..count {
        modes.omega[i] = 2.0 * PI * hz * f64::from(1 << i);
        modes.presence[i] = 1.0;
    }
    assert!(
        rehearsal.play(&modes, &blow(), (&[1.0; MAX_MODES], MAX_MODES), body_kg, 1.0, (None, true, u32::MAX)).is_ok()
    );
    (modes, rehearsal)
}

#[test]
fn a_body_that_hardly_swings_takes_the_impulse_of_an_elastic_collision() {
    for body_kg in [0.002, 0.02, 0.4, 50.0] {
        let (_, rehearsal) = rehearse(0.01, 1, body_kg);
        let both_kg = STRIKER_KG * body_kg / (STRIKER_KG + body_kg);
        let expected_ns = 2.0 * both_kg * SPEED_M_PER_S;
        for got_ns in [rehearsal.course().impulse_ns, body_kg * rehearsal.left_with(0).re] {
            assert!((got_ns / expected_ns - 1.0).abs() < 0.005, "{body_kg}: {got_ns} {expected_ns}");
        }
    }
}

#[test]
fn a_body_that_does_not_give_way_is_the_wall_of_the_closed_form() {
    let body_kg = 1e4;
    let (modes, rehearsal) = rehearse(100.0, 4, body_kg);
    let pulse_s = half_sine_of_s(rehearsal.course().variance_s2());
    assert!((0.5 * blow().contact_s()..blow().contact_s()).contains(&pulse_s), "{pulse_s}");
    for i in 0..4 {
        let wall_ns = 2.0 * STRIKER_KG * SPEED_M_PER_S * half_sine(modes.omega[i] / (2.0 * PI) * pulse_s);
        let got_ns = body_kg * rehearsal.left_with(i).power().sqrt();
        assert!((got_ns / wall_ns - 1.0).abs() < 0.02, "mode {i}: {got_ns} {wall_ns}");
    }
}

#[test]
fn a_usual_blow_is_over_after_a_few_steps_and_none_takes_more_than_the_bound() {
    let steps = |hz, body_kg| rehearse(hz, 8, body_kg).1.course().steps;
    assert!(steps(200.0, 2.0) < 40, "{}", steps(200.0, 2.0));
    for (hz, body_kg) in [(20.0, 1e-5), (200.0, 1e-4), (1000.0, 1e-6)] {
        let steps = steps(hz, body_kg);
        assert!(steps <= MOST_FINER_STEPS, "{hz} {body_kg}: {steps}");
    }
}
