//! The blow: its spectrum by quadrature, its times by the contact's own, its losses by its law.

use std::f64::consts::PI;

use super::super::blow::{FeltBlow, REFERENCE_J, ReferenceBlow, half_sine, half_sine_of_s, own_at_1_s};
use super::super::rehearsal::Meeting;
use super::{close, integral};
use crate::body::Point;
use crate::body::macros::{contact_time_s, stiffness};
use crate::contact::restitution::{damping_unit_n_s_per_m, grid};
use crate::contact::{ContactSettings, Coupling, Dent, HuntCrossley, Law, contact_time, release};

fn reference(alpha: f64, length: f64, pitch_hz: f64, mu_s_per_m: f64) -> ReferenceBlow {
    ReferenceBlow {
        striker_kg: 0.02 * length.powi(3),
        body_kg: 0.4,
        alpha,
        length,
        pitch_hz,
        mu_s_per_m,
        point: Point::along(0.3),
        own_at_1_s: None,
        felt: None,
    }
}

fn contact(kind: Law, mass_kg: f64, alpha: f64, restitution: Option<f64>) -> ContactSettings {
    let law = HuntCrossley { stiffness: 3e6, mu_s_per_m: 0.4, alpha };
    ContactSettings { kind, law, mass_kg, restitution, damper_n_s_per_m: 7.0, ..ContactSettings::default() }
}

#[test]
fn the_spectrum_of_a_half_sine_is_its_integral() {
    for turns in [0.0, 0.1, 0.3, 0.499, 0.5, 0.6, 1.0, 1.5, 3.2] {
        let wave = |u: f64| 0.5 * PI * (PI * u).sin() * (2.0 * PI * turns * (u - 0.5)).cos();
        let wanted = integral(1.0, 2_000, wave);
        assert!((half_sine(turns) - wanted).abs() < 1e-11, "{turns}: {} {wanted}", half_sine(turns));
    }
    // Next to where both are 0 nothing is lost.
    assert!((half_sine(0.5 + 1e-8) - 0.25 * PI).abs() < 1e-7 && (half_sine(0.5 - 1e-6) - 0.25 * PI).abs() < 1e-5);
}

/// Variance of a force `sin^alpha` of duration 1.
fn variance(alpha: f64) -> f64 {
    let force = |u: f64| (PI * u).sin().max(0.0).powf(alpha);
    integral(1.0, 20_000, |u| force(u) * (u - 0.5).powi(2)) / integral(1.0, 20_000, force)
}

#[test]
fn the_pulse_that_stands_for_a_contact_has_its_variance() {
    close(half_sine_of_s(variance(1.0)), 1.0, 1e-3);
    for alpha in [1.0, 1.5, 2.0, 3.0] {
        for (length, pitch_hz) in [(1.0, 100.0), (0.5, 100.0), (3.0, 100.0), (1.0, 5_000.0)] {
            let blow = reference(alpha, length, pitch_hz, 0.0);
            let at_1_s = (contact_time_s(0.5) * length).min(0.75 / pitch_hz);
            let law = HuntCrossley { stiffness: stiffness(at_1_s, blow.striker_kg, alpha), mu_s_per_m: 0.0, alpha };
            let contact_s = contact_time::exact(&law, blow.striker_kg, blow.speed_m_per_s());
            let wanted = contact_s * (variance(alpha) / variance(1.0)).sqrt();
            close(blow.pulse_s(), wanted, 2e-3);
        }
    }
}

#[test]
fn the_reference_falls_with_its_energy_and_leaps_back() {
    for length in [0.25, 1.0, 2.0] {
        let blow = reference(1.5, length, 200.0, 0.0);
        close(0.5 * blow.striker_kg * blow.speed_m_per_s().powi(2), REFERENCE_J, 1e-14);
        close(blow.impulse_ns(), 2.0 * (2.0 * blow.striker_kg * REFERENCE_J).sqrt(), 1e-14);
    }
    // A dissipating one of size 1 counts as if it lost nothing; a small one by half of what its speed costs, in decibels.
    close(reference(1.5, 1.0, 200.0, 0.6).impulse_ns(), 0.12, 1e-14);
    let small = reference(1.5, 0.25, 200.0, 0.6);
    let rebound = |speed: f64| 1.0 + release::exact(0.6 * speed).restitution;
    close(small.speed_m_per_s(), 24.0, 1e-12);
    close(small.impulse_ns(), 2.0 * small.striker_kg * 24.0 * (rebound(24.0) / rebound(3.0)).sqrt(), 1e-12);
    assert!(small.impulse_ns() < 0.9 * 2.0 * small.striker_kg * 24.0);
}

#[test]
fn its_own_contact_counts_where_it_may_be_louder() {
    let pitch_hz = 200.0;
    let at = |hardness: f64, mass_kg: f64| {
        let law =
            HuntCrossley { stiffness: stiffness(contact_time_s(hardness), mass_kg, 1.5), mu_s_per_m: 0.4, alpha: 1.5 };
        ContactSettings { law, mass_kg, ..ContactSettings::default() }
    };
    let own = |hardness: f64, mass_kg: f64, felt_kg: Option<f64>| {
        let own_s = own_at_1_s(&at(hardness, mass_kg), 1.0, pitch_hz, felt_kg);
        if let Some(own_s) = own_s {
            close(own_s, contact_time_s(hardness), 1e-9);
        }
        own_s.is_some()
    };
    // Against a wall: harder ones alone.
    assert!(own(0.6, 0.02, None) && own(0.51, 0.02, None) && !own(0.5, 0.02, None) && !own(0.4, 0.02, None));
    // 1 % shorter is alike, 3 % is not.
    let shorter = |share: f64| share.ln() / (0.04f64 / 8.0).ln();
    assert!(!own(0.5 + shorter(0.99), 0.02, None) && own(0.5 + shorter(0.97), 0.02, None));
    // A heavy striker on what gives way: softer ones, too.
    assert!(own(0.4, 0.1, Some(0.4)) && !own(0.4, 0.1, Some(0.6)) && !own(0.5, 0.1, Some(0.4)));
    assert!(!own(0.5 - shorter(0.99), 0.1, Some(0.4)) && own(0.5 - shorter(0.97), 0.1, Some(0.4)));
    assert!(own(0.6, 0.1, Some(0.4)) && own(0.6, 0.1, Some(100.0)));
    // The reference is larger for a larger thing, and shorter at a high pitch.
    let own_s = |length: f64, pitch_hz: f64| own_at_1_s(&at(0.45, 0.02), length, pitch_hz, None);
    assert!(own_s(1.0, pitch_hz).is_none() && own_s(2.0, pitch_hz).is_some() && own_s(2.0, 4_000.0).is_none());
    let blow = ReferenceBlow { own_at_1_s: Some(2e-3), ..reference(1.5, 1.0, pitch_hz, 0.0) };
    let share = 2e-3 / contact_time_s(0.5);
    close(blow.own_pulse_s().expect("one of its own"), share * blow.pulse_s(), 1e-12);
    assert!(reference(1.5, 1.0, pitch_hz, 0.0).own_pulse_s().is_none());
}

#[test]
fn a_felt_blow_takes_what_has_a_say_and_leaves_the_rest() {
    let default = ContactSettings::default();
    let wild = ContactSettings {
        coupling: Coupling::TwoWay,
        hybrid: false,
        gravity_m_per_s2: 9.0,
        dent: Dent::Stays,
        ..contact(Law::HuntCrossley, 0.03, 2.0, None)
    };
    let felt = FeltBlow::new(&wild, 1.0, 200.0, 2.0);
    let got = felt.contact();
    assert_eq!(
        (got.coupling, got.hybrid, got.gravity_m_per_s2, got.damper_n_s_per_m),
        (default.coupling, default.hybrid, default.gravity_m_per_s2, default.damper_n_s_per_m)
    );
    assert_eq!(
        (got.kind, got.mass_kg, got.dent, got.law.mu_s_per_m, got.law.alpha),
        (Law::HuntCrossley, 0.03, Dent::Stays, 0.4, 2.0)
    );
    close(got.law.stiffness, stiffness(contact_time_s(0.5), 0.03, 2.0), 1e-12);
    for (kind, restitution, mu_s_per_m, damper) in [
        (Law::HertzDamper, None, 0.0, 7.0),
        (Law::HertzDamper, Some(0.5), 0.0, default.damper_n_s_per_m),
        (Law::HuntCrossley, Some(0.5), 0.0, default.damper_n_s_per_m),
    ] {
        let got = *FeltBlow::new(&contact(kind, 0.03, 1.5, restitution), 1.0, 200.0, 2.0).contact();
        let seen = (got.kind, got.restitution, got.law.mu_s_per_m, got.damper_n_s_per_m);
        assert_eq!(seen, (kind, restitution, mu_s_per_m, damper));
    }
    assert_eq!(FeltBlow::new(&wild, 1.0, 200.0, 2.0).speed_m_per_s(), 2.0);
    assert_eq!(FeltBlow::new(&wild, 1.0, 200.0, 0.0).speed_m_per_s(), 1e-3);
    let longer = felt.lasting(Some(2e-3)).expect("one of its own");
    close(longer.contact().law.stiffness, stiffness(2e-3, 0.03, 2.0), 1e-12);
    assert_eq!((longer.contact().mass_kg, longer.contact().law.mu_s_per_m, longer.speed_m_per_s()), (0.03, 0.4, 2.0));
    let elastic = HuntCrossley { mu_s_per_m: 0.0, ..longer.contact().law };
    close(longer.contact_s(), contact_time::exact(&elastic, 0.03, 2.0), 1e-8);
    close(longer.pulse_s(), longer.contact_s() * (variance(2.0) / variance(1.0)).sqrt(), 2e-3);
    assert!(felt.lasting(None).is_none());
}

#[test]
fn what_gives_way_takes_less_of_a_blow() {
    let felt = FeltBlow::new(&contact(Law::HuntCrossley, 0.03, 1.5, None), 1.0, 200.0, 2.0);
    let mut meeting = Meeting::default();
    (meeting.contact_s, meeting.lightness) = (1e-3, 0.25);
    let (pulse_s, impulse_ns) = felt.pulse_of(&meeting);
    close(pulse_s, 1e-3 * (variance(1.5) / variance(1.0)).sqrt(), 2e-3);
    close(impulse_ns, 2.0 * 0.03 * 2.0 / 1.25, 1e-14);
}

#[test]
fn dissipation_keeps_its_effect_whatever_the_size() {
    let to_reference = |kind: Law, restitution: Option<f64>, length: f64| {
        // The same thing made larger, at the same energy.
        let speed_m_per_s = 2.0 / length.powf(1.5);
        FeltBlow::new(&contact(kind, 0.03 * length.powi(3), 1.7, restitution), length, 20.0, speed_m_per_s)
            .to_reference()
    };
    let energy = (REFERENCE_J / 0.06).sqrt();
    let of = |e: f64| energy * (2.0 / (1.0 + e)).powf(0.9);
    let k = stiffness(contact_time_s(0.5), 0.03, 1.7);
    let damping = 7.0 / damping_unit_n_s_per_m(k, 1.7, 0.03, 2.0);
    for length in [0.5, 1.0, 2.0] {
        close(to_reference(Law::HuntCrossley, Some(0.3), length), of(0.3), 1e-12);
        close(to_reference(Law::HertzDamper, Some(0.3), length), of(0.3), 1e-12);
        close(to_reference(Law::HuntCrossley, None, length), of(release::exact(0.4 * 2.0).restitution), 1e-12);
        close(to_reference(Law::HertzDamper, None, length), of(grid::restitution(damping, 1.7)), 1e-9);
    }
    assert!((0.05..0.95).contains(&grid::restitution(damping, 1.7)));
}
