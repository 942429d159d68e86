//! Scaling laws, materials, and the fading body.

use super::{RATE_HZ, bar, close, later, struck};
use crate::body::fading_body::{CROSSFADE_S, risen};
use crate::body::macros::{
    BodyScale, KeyTracking, RESIZE_REFERENCE_HZ, Thickness, contact_of_stiffness_s, contact_time_s,
    stiffness,
};
use crate::body::material::{Damping, MIN_LOSS_FACTOR, Material, rate_of_t60};
use crate::body::{FadingBody, Geometry, Kernel, MAX_MODES};

const LOSS: Damping = Damping { support_per_s: 3.0, loss_factor: 2e-3, viscous_s: 5e-7 };

#[test]
fn what_is_l_times_as_large_scales_by_powers_of_l() {
    let scale = BodyScale::new(2.0);
    assert_eq!((scale.length(), scale.mass()), (2.0, 8.0));
    close(scale.stiffness(1.5), 2f64.sqrt(), 1e-15);
    close(scale.stiffness(3.0), 0.5, 1e-15);
    let damping = scale.damping(&LOSS);
    assert_eq!((damping.support_per_s, damping.loss_factor, damping.viscous_s), (1.5, 2e-3, 1e-6));
    assert_eq!(
        (
            BodyScale::new(1e3).length(),
            BodyScale::new(1e-3).length(),
            BodyScale::new(f64::NAN).length()
        ),
        (16.0, 0.0625, 1.0)
    );
}

#[test]
fn a_key_and_a_size_make_a_pitch_and_a_scale() {
    let (hz, scale) = BodyScale::of_key(600.0, 2.0, KeyTracking::Retune);
    assert_eq!((hz, scale.length()), (300.0, 2.0));
    let (hz, scale) = BodyScale::of_key(2.0 * RESIZE_REFERENCE_HZ, 4.0, KeyTracking::Resize);
    close(hz, 0.5 * RESIZE_REFERENCE_HZ, 1e-15);
    close(scale.length(), 2.0, 1e-15);
    assert_eq!(BodyScale::of_key(600.0, 99.0, KeyTracking::Retune).1.length(), 4.0);
    assert_eq!(BodyScale::of_key(600.0, f64::NAN, KeyTracking::Retune).1.length(), 1.0);
}

#[test]
fn what_is_thicker_is_heavier_and_loses_more() {
    let thick = Thickness::new(3.0);
    assert_eq!(thick.mass(), 3.0);
    let damping = thick.damping(&LOSS);
    close(damping.support_per_s, 9.0, 1e-15);
    close(damping.loss_factor, 6e-3, 1e-15);
    close(damping.viscous_s, 1.5e-6, 1e-15);
    let string = Geometry {
        inharmonicity: 2e-3,
        aspect: 1.8,
        split: 0.01,
        count: 12.0,
        ..Geometry::default()
    };
    let thicker = thick.geometry(&string);
    close(thicker.inharmonicity, 1.8e-2, 1e-15);
    assert_eq!(
        (thicker.aspect, thicker.split, thicker.count, thicker.kind),
        (1.8, 0.01, 12.0, string.kind)
    );
    assert_eq!(thick.geometry(&Geometry { inharmonicity: 0.09, ..string }).inharmonicity, 0.1);
    assert_eq!(
        (Thickness::new(9.0).mass(), Thickness::new(0.0).mass(), Thickness::new(f64::NAN).mass()),
        (4.0, 0.25, 1.0)
    );
}

#[test]
fn stiffness_and_contact_time_undo_each_other() {
    for (mass_kg, alpha) in [(0.02, 1.5), (3.0, 1.0), (1e-3, 2.7)] {
        for hardness in [0.0, 0.4, 1.0] {
            let contact_s = contact_time_s(hardness);
            close(
                contact_of_stiffness_s(stiffness(contact_s, mass_kg, alpha), mass_kg, alpha),
                contact_s,
                1e-12,
            );
        }
    }
    // A mass on a linear spring: half a period.
    close(
        contact_of_stiffness_s(2e5, 0.02, 1.0),
        std::f64::consts::PI * (0.02f64 / 2e5).sqrt(),
        1e-9,
    );
    close(contact_time_s(f64::NAN), contact_time_s(0.5), 1e-15);
    close(contact_time_s(0.25), 8e-3 * 0.005f64.powf(0.25), 1e-14);
}

#[test]
fn the_pad_mixes_its_corners_in_ratios() {
    let corners = [Material::ALL[1], Material::ALL[6], Material::RUBBER, Material::ALL[2]];
    for (x, y) in [(0.5, 0.5), (0.25, 0.6), (0.9, 0.1)] {
        let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y];
        let ratio = |of: fn(&Material) -> f64| -> f64 {
            corners.iter().zip(weights).map(|(corner, weight)| of(corner).powf(weight)).product()
        };
        let got = Material::on_pad(x, y);
        close(got.density_kg_per_m3, ratio(|m| m.density_kg_per_m3), 1e-12);
        close(got.young_pa, ratio(|m| m.young_pa), 1e-12);
        close(got.damping.support_per_s, ratio(|m| m.damping.support_per_s), 1e-12);
        close(got.damping.viscous_s, ratio(|m| m.damping.viscous_s), 1e-12);
        close(
            got.damping.loss_factor,
            ratio(|m| m.damping.loss_factor.max(MIN_LOSS_FACTOR)),
            1e-12,
        );
        let poisson: f64 =
            corners.iter().zip(weights).map(|(corner, weight)| weight * corner.poisson).sum();
        close(got.poisson, poisson, 1e-12);
        close(got.speed_m_per_s().powi(2) * got.density_kg_per_m3, got.young_pa, 1e-12);
    }
}

#[test]
fn losses_add_up_by_their_law() {
    let hz = 1e4 / std::f64::consts::PI;
    // support/2 + pi f loss + viscous (2 pi f)^2/2
    close(LOSS.rate_per_s(hz), 1.5 + 20.0 + 0.5 * 5e-7 * 4e8, 1e-14);
    close(rate_of_t60(2.0), 0.5 * 1000f64.ln(), 1e-15);
    close(Material::RUBBER.damping.rate_per_s(hz), 30.0 + 1e3 + 0.5 * 1e-6 * 4e8, 1e-14);
}

#[test]
fn it_rings_on_as_the_body_did_and_fades_along_a_cosine() {
    let modes = bar(11.0, 300.0);
    let bank = struck(&modes);
    let start: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
    let mut fading_body = FadingBody::new(MAX_MODES);
    assert!(!fading_body.is_heard() && fading_body.samples() == 0);
    fading_body.remember(&modes, &bank);
    assert_eq!(fading_body.omega()[..modes.len], modes.omega[..modes.len]);
    fading_body.begin([0.5, -2.0], RATE_HZ);
    fading_body.scale(3.0);
    let lasts = (CROSSFADE_S * RATE_HZ) as usize;
    assert_eq!((lasts, fading_body.samples()), (240, 240));
    let (fade, step) = (0.9, -0.01);
    let (mut left, mut right) = ([0.25; 100], [-0.5; 100]);
    fading_body.process(Kernel::best(), &mut left, &mut right, (fade, step));
    assert!(fading_body.is_heard());
    assert_eq!(fading_body.samples(), 140);
    for n in 0..100 {
        let time_s = (n + 1) as f64 / RATE_HZ;
        let state = |i: usize| later(&modes, i, start[i], time_s).0;
        let heard = |gains: &[f64]| -> f64 { (0..modes.len).map(|i| gains[i] * state(i)).sum() };
        let falls = 0.5 + 0.5 * (std::f64::consts::PI * (n + 1) as f64 / 240.0).cos();
        let gain = falls * (fade + step * n as f64).max(0.0);
        let wanted = (
            0.25 + 1.5 * gain * heard(&modes.left.now),
            -0.5 - 6.0 * gain * heard(&modes.right.now),
        );
        assert!(
            (left[n] - wanted.0).abs() < 1e-12 && (right[n] - wanted.1).abs() < 1e-12,
            "{n}: {wanted:?}"
        );
    }
    // The fade ends by itself and leaves later samples unchanged.
    let (mut left, mut right) = ([0.25; 200], [-0.5; 200]);
    fading_body.process(Kernel::best(), &mut left, &mut right, (1.0, 0.0));
    assert!(!fading_body.is_heard() && fading_body.samples() == 0);
    assert!(left[138] != 0.25 && right[138] != -0.5);
    assert!(left[140..].iter().all(|x| *x == 0.25) && right[140..].iter().all(|x| *x == -0.5));
}

#[test]
fn it_is_gone_when_told_and_lasts_a_sample_at_least() {
    let modes = bar(3.0, 300.0);
    let mut fading_body = FadingBody::new(MAX_MODES);
    fading_body.remember(&modes, &struck(&modes));
    for (rate_hz, lasts) in [(48_000.0, 240), (44_100.0, 221), (10.0, 1)] {
        fading_body.begin([1.0; 2], rate_hz);
        assert_eq!((fading_body.samples(), fading_body.is_heard()), (lasts, true));
    }
    fading_body.reset();
    assert_eq!((fading_body.samples(), fading_body.is_heard()), (0, false));
}

#[test]
fn what_rises_rises_along_half_a_cosine() {
    assert_eq!((risen(0, 8), risen(8, 8), risen(9, 8)), (0.0, 1.0, 1.0));
    close(risen(4, 8), 0.5, 1e-15);
    close(risen(2, 8), 0.5 - 0.5 * 0.5f64.sqrt(), 1e-15);
    close(risen(6, 8), 0.5 + 0.5 * 0.5f64.sqrt(), 1e-15);
}

#[test]
fn how_steep_it_was_and_is_are_sums_of_magnitudes() {
    let before = bar(11.0, 300.0);
    let bank = struck(&before);
    let mut fading_body = FadingBody::new(MAX_MODES);
    fading_body.remember(&before, &bank);
    let mut after = before.clone();
    after.set(350.0, &super::LOSSES, super::heard_at(0.6, 0.2), RATE_HZ);
    let mut now = bank.clone();
    now.scale(&after, 0.7);
    let got = fading_body.steepness(&after, &now, 2e-3);
    let sums = [(&before.left, &after.left), (&before.right, &after.right)].map(|(was, is)| {
        let mut sums = [0.0; 3];
        for i in 0..before.len {
            let (re, im) = bank.amplitude(i);
            let size = re.abs() + im.abs();
            sums[0] += size * was.now[i].abs() * before.omega[i];
            sums[1] += 0.7 * size * is.target(i).abs() * after.omega[i];
            sums[2] += 0.7 * size * (is.target(i) - was.now[i]).abs();
        }
        sums
    });
    let max = |what: usize| sums[0][what].max(sums[1][what]);
    close(got.before, max(0), 1e-12);
    close(got.after, max(1), 1e-12);
    close(got.change, max(2) / 2e-3, 1e-12);
    assert!(sums[0][0] != sums[1][0] && sums[0][2] != sums[1][2]);
}
