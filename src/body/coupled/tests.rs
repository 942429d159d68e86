//! Coupled modes against sums over the modes in closed form.

use super::*;
use crate::body::material::Damping;
use crate::body::tests::{LOSSES, RATE_HZ, bar, close, heard_at, struck};
use crate::body::{Listening, PerMode, Point};
use crate::contact::coupled::{CompliantSurface, SingleSlotSurface};

const DT_S: f64 = 1.0 / 48_000.0;

fn modes() -> Modes {
    let mut modes = Modes::default();
    let damping = Damping { support_per_s: 50.0, loss_factor: 1e-2, viscous_s: 1e-8 };
    modes.set(
        500.0,
        &damping,
        Listening { left: Point::along(0.0), right: Point::along(1.0) },
        48_000.0,
    );
    modes.arrive();
    modes
}

fn ringing(modes: &Modes) -> (CoupledModes, Bank) {
    let mut coupled_modes = CoupledModes::default();
    coupled_modes.set_masses(&[0.3; MAX_MODES]);
    coupled_modes.set_point(0, &modes.drive_gains(0.1, 1.0));
    coupled_modes.set_point(1, &modes.drive_gains(0.6, 1.0));
    let mut bank = Bank::default();
    let mut ground = coupled_modes.on(&mut bank, modes);
    ground.prepare(1, DT_S);
    let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
    forces_n[0] = 30.0;
    for _ in 0..7 {
        ground.push(&forces_n);
    }
    (coupled_modes, bank)
}

#[test]
fn what_it_says_of_a_step_is_what_the_step_does() {
    let modes = modes();
    let (mut coupled_modes, mut bank) = ringing(&modes);
    let mut ground = coupled_modes.on(&mut bank, &modes);
    for steps in [1, 2, 16, 1024] {
        ground.prepare(steps, DT_S);
        let before: [f64; 2] = std::array::from_fn(|slot| ground.displacement_m(slot));
        let free: [f64; 2] = std::array::from_fn(|slot| ground.free_m(slot));
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        (forces_n[0], forces_n[1]) = (50.0, 20.0);
        let given: [f64; 2] = std::array::from_fn(|at| {
            (0..2).map(|from| ground.mobility_m_per_n(at, from) * forces_n[from]).sum()
        });
        ground.push(&forces_n);
        for slot in 0..2 {
            let change = ground.displacement_m(slot) - before[slot];
            let error = (change - free[slot] - given[slot]).abs();
            assert!(
                error < 1e-15 * ground.motion_bounds(slot).reach_m,
                "{steps} {slot}: {error:e} of {change:e}"
            );
        }
    }
}

#[test]
fn the_work_of_a_force_is_all_the_energy_there_is_to_gain() {
    let modes = modes();
    let (mut coupled_modes, mut bank) = ringing(&modes);
    let mut ground = coupled_modes.on(&mut bank, &modes);
    ground.prepare(8, DT_S);
    for n in 0..200 {
        let force_n = 40.0 * f64::from(n).sin();
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        forces_n[1] = force_n;
        let (before_j, before_m) = (ground.energy_j(), ground.displacement_m(1));
        ground.push(&forces_n);
        let work_j = force_n * (ground.displacement_m(1) - before_m);
        assert!(ground.energy_j() - before_j <= work_j + 1e-14 * before_j, "step {n}");
    }
}

#[test]
fn points_feel_each_other_alike() {
    let modes = modes();
    let (mut coupled_modes, mut bank) = ringing(&modes);
    let mut ground = coupled_modes.on(&mut bank, &modes);
    ground.prepare(4, DT_S);
    let (there, back) = (ground.mobility_m_per_n(0, 1), ground.mobility_m_per_n(1, 0));
    assert!((there - back).abs() <= 1e-15 * there.abs());
    assert!(ground.mobility_m_per_n(0, 0) * ground.mobility_m_per_n(1, 1) >= there * back);
}

#[test]
fn no_ring_goes_beyond_its_bounds() {
    let modes = modes();
    let (mut coupled_modes, mut bank) = ringing(&modes);
    let mut ground = coupled_modes.on(&mut bank, &modes);
    let bound = ground.motion_bounds(1);
    for _ in 0..2000 {
        let before_m = ground.displacement_m(1);
        ground.push(&[0.0; MAX_CONTACT_SLOTS]);
        let now_m = ground.displacement_m(1);
        assert!(
            now_m.abs() <= bound.reach_m && (now_m - before_m).abs() <= bound.speed_m_per_s * DT_S
        );
    }
    let later = ground.motion_bounds(1);
    assert!(later.reach_m < bound.reach_m && later.speed_m_per_s < bound.speed_m_per_s);
}

#[test]
fn it_is_heard_as_a_bank_left_alone_is() {
    let mut modes = modes();
    let (mut coupled_modes, mut bank) = ringing(&modes);
    let mut other = bank.clone();
    let mut modes_too = modes.clone();
    for _ in 0..100 {
        let (mut l, mut r) = ([0.0], [0.0]);
        other.process(&mut modes_too, &mut l, &mut r);
        let mut ground = coupled_modes.on(&mut bank, &modes);
        ground.prepare(4, DT_S);
        for _ in 0..4 {
            ground.push(&[0.0; MAX_CONTACT_SLOTS]);
        }
        modes.move_on(1);
        let (left, right) = bank.hear(&modes);
        // A bank without forces renders in single precision.
        assert!((left - l[0]).abs() < 1e-7 && (right - r[0]).abs() < 1e-7, "{left} {}", l[0]);
    }
}

#[test]
fn what_is_remembered_of_a_slot_is_what_a_fresh_look_would_say() {
    let modes = modes();
    let (mut coupled_modes, mut bank) = ringing(&modes);
    let mut looks = 0;
    let mut check = |coupled_modes: &mut CoupledModes, bank: &mut Bank| {
        for slot in [0, 1] {
            let mut fresh = coupled_modes.clone();
            (fresh.next_step, fresh.cached_bounds) = (None, Cell::default());
            let mut bank_too = bank.clone();
            let (fresh, known) = (fresh.on(&mut bank_too, &modes), coupled_modes.on(bank, &modes));
            assert_eq!(known.free_m(slot), fresh.free_m(slot), "{slot}");
            assert_eq!(known.motion_bounds(slot), fresh.motion_bounds(slot), "{slot}");
            assert_eq!(
                known.max_acceleration_m_per_s2(slot),
                fresh.max_acceleration_m_per_s2(slot),
                "{slot}"
            );
            looks += 1;
        }
    };
    let mut change = |by: &mut dyn FnMut(&mut CoupledModes, &mut Bank)| {
        by(&mut coupled_modes, &mut bank);
        check(&mut coupled_modes, &mut bank);
    };
    let elsewhere = modes.drive_gains(0.35, 1.0);
    change(&mut |coupled_modes, bank| coupled_modes.on(bank, &modes).push_one(0, 20.0));
    change(&mut |coupled_modes, bank| coupled_modes.on(bank, &modes).prepare(4, DT_S));
    change(&mut |coupled_modes, bank| coupled_modes.on(bank, &modes).push_one(1, 7.0));
    change(&mut |_, bank| bank.scale(&modes, 0.5));
    change(&mut |coupled_modes, bank| coupled_modes.on(bank, &modes).push_one(0, 3.0));
    change(&mut |coupled_modes, _| coupled_modes.set_point(0, &elsewhere));
    change(&mut |coupled_modes, bank| {
        coupled_modes.on(bank, &modes).push(&[5.0; MAX_CONTACT_SLOTS])
    });
    change(&mut |_, bank| bank.unbend(&modes));
    change(&mut |coupled_modes, bank| {
        for steps in 1..=2 * CACHED_STEPS as u32 {
            coupled_modes.on(bank, &modes).prepare(steps, DT_S);
        }
    });
    assert_eq!(looks, 18);
}

const MASS_KG: f64 = 0.3;

struct Body {
    modes: Modes,
    bank: Bank,
    coupled_modes: CoupledModes,
    shapes: [PerMode; 2],
}

impl Body {
    fn new() -> Self {
        let modes = bar(21.0, 60.0);
        let bank = struck(&modes);
        let mut coupled_modes = CoupledModes::default();
        let masses_kg: PerMode = std::array::from_fn(|i| MASS_KG + 0.01 * i as f64);
        coupled_modes.set_masses(&masses_kg);
        let shapes = [0.1, 0.6].map(|x| modes.drive_gains(x, 1.0));
        coupled_modes.set_point(0, &shapes[0]);
        coupled_modes.set_point(1, &shapes[1]);
        Self { modes, bank, coupled_modes, shapes }
    }

    fn ground(&mut self) -> CoupledModesSurface<'_> {
        self.coupled_modes.on(&mut self.bank, &self.modes)
    }

    /// Sum over the modes of a function of index, displacement, |y|, decay, frequency and mass.
    fn sum(&self, of: impl Fn(usize, f64, f64, f64, f64, f64) -> f64) -> f64 {
        (0..21)
            .map(|i| {
                let (re, im) = self.bank.amplitude(i);
                let (d, w) = (self.modes.decay_per_s[i], self.modes.omega[i]);
                of(i, im / w, re.hypot(im), d, w, MASS_KG + 0.01 * i as f64)
            })
            .sum()
    }
}

#[test]
fn what_is_said_of_a_point_are_sums_over_the_modes() {
    let mut body = Body::new();
    body.ground().prepare(3, 1.0 / RATE_HZ);
    for slot in 0..2 {
        let phi = body.shapes[slot];
        let wanted = [
            body.sum(|i, q, _, _, _, _| phi[i] * q),
            body.sum(|i, _, size, _, w, _| phi[i].abs() * size / w),
            body.sum(|i, _, size, d, w, _| phi[i].abs() * size * (1.0 + (d / w).powi(2)).sqrt()),
            body.sum(|i, _, size, _, w, _| phi[i].abs() * size * w),
            body.sum(|i, _, _, _, _, m| phi[i] * phi[i] / m),
            body.sum(|i, _, _, _, w, m| phi[i] * phi[i] / m / (1.0 + (0.5 * w * 2e-4).powi(2))),
        ];
        let max = (0..21)
            .map(|i| 1.0 + (body.modes.decay_per_s[i] / body.modes.omega[i]).powi(2))
            .fold(1.0, f64::max);
        let ground = body.ground();
        let motion_bounds = ground.motion_bounds(slot);
        let got = [
            motion_bounds.displacement_m,
            motion_bounds.reach_m,
            motion_bounds.speed_m_per_s,
            ground.max_acceleration_m_per_s2(slot) / max,
            ground.per_mass_per_kg(slot, 0.0),
            ground.per_mass_per_kg(slot, 2e-4),
        ];
        assert_eq!(ground.displacement_m(slot), motion_bounds.displacement_m);
        for (got, wanted) in got.into_iter().zip(wanted) {
            close(got, wanted, 1e-10);
        }
        assert!(max > 1.0);
    }
    let energy = body.sum(|i, q, _, d, w, m| {
        let rate = body.bank.amplitude(i).0 - d * q;
        0.5 * m * (rate * rate + (d * d + w * w) * q * q)
    });
    close(body.ground().energy_j(), energy, 1e-12);
}

/// `Im((e^(s h) - 1)/s)/w` of each mode.
#[test]
fn a_newton_moves_a_point_by_what_every_mode_gives_way() {
    let mut body = Body::new();
    for steps in [1, 4, 16] {
        let h_s = 1.0 / RATE_HZ / f64::from(steps);
        body.ground().prepare(steps, 1.0 / RATE_HZ);
        let force_response_im = |d: f64, w: f64| {
            let (sin, cos) = (w * h_s).sin_cos();
            let (a, b) = ((-d * h_s).exp() * cos - 1.0, (-d * h_s).exp() * sin);
            (-b * d - a * w) / (d * d + w * w)
        };
        for (at, from) in [(0, 0), (0, 1), (1, 1)] {
            let wanted = body.sum(|i, _, _, d, w, m| {
                body.shapes[at][i] * body.shapes[from][i] / m * force_response_im(d, w) / w
            });
            let mut ground = body.ground();
            close(ground.mobility_m_per_n(at, from), wanted, 1e-9);
            if at == from {
                let own = ground.mobility_m_per_n(at, at);
                assert_eq!(
                    (ground.own_mobility_m_per_n(at), ground.own_mobility_m_per_n(at)),
                    (own, own)
                );
            }
        }
    }
}

#[test]
fn one_who_pushes_alone_pushes_as_one_of_many() {
    let (mut one, mut many, mut alone) = (Body::new(), Body::new(), Body::new());
    for n in 1..5 {
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        forces_n[1] = 11.0 * f64::from(n);
        for body in [&mut one, &mut many, &mut alone] {
            body.ground().prepare(n as u32, 1.0 / RATE_HZ);
        }
        one.ground().push_one(1, forces_n[1]);
        many.ground().push(&forces_n);
        alone.ground().push_last(1, forces_n[1]);
        for i in 0..21 {
            assert_eq!(one.bank.amplitude(i), many.bank.amplitude(i), "{n}, mode {i}");
            let (a, b) = (alone.bank.amplitude(i), many.bank.amplitude(i));
            assert!((a.0 - b.0).hypot(a.1 - b.1) < 1e-14, "{n}, mode {i}");
        }
    }
    let impulse: f64 = (1..5).map(|n| 11.0 * f64::from(n) / f64::from(n) / RATE_HZ).sum();
    for body in [&mut one, &mut many, &mut alone] {
        close(body.coupled_modes.take_impulse_ns(), impulse, 1e-12);
        assert_eq!(body.coupled_modes.take_impulse_ns(), 0.0);
    }
}

/// The responses to forces on several slots superpose.
#[test]
fn forces_at_several_places_add_up() {
    let after = |forces: [f64; 2]| {
        let mut body = Body::new();
        body.ground().prepare(2, 1.0 / RATE_HZ);
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        (forces_n[0], forces_n[1]) = (forces[0], forces[1]);
        body.ground().push(&forces_n);
        close(
            body.coupled_modes.take_impulse_ns() + 1.0,
            1.0 + (forces[0] + forces[1]) * 0.5 / RATE_HZ,
            1e-15,
        );
        body.bank
    };
    let (none, a, b, both) =
        (after([0.0, 0.0]), after([7.0, 0.0]), after([0.0, -3.0]), after([7.0, -3.0]));
    for i in 0..21 {
        let of = |bank: &Bank| bank.amplitude(i);
        let wanted = (of(&a).0 + of(&b).0 - of(&none).0, of(&a).1 + of(&b).1 - of(&none).1);
        assert!((of(&both).0 - wanted.0).hypot(of(&both).1 - wanted.1) < 1e-14, "mode {i}");
    }
}

#[test]
fn a_slot_glides_to_where_it_is_sent_and_no_further() {
    let mut body = Body::new();
    body.ground().prepare(1, 1.0 / RATE_HZ);
    let (from, to) = (body.shapes[0], body.modes.drive_gains(0.47, 1.0));
    let before = body.ground().own_mobility_m_per_n(0);
    body.coupled_modes.aim_point(0, &to, 5);
    for n in 1..=8 {
        body.coupled_modes.glide(&body.modes);
        let share = f64::from(n.min(5)) / 5.0;
        let shape: PerMode = std::array::from_fn(|i| from[i] + share * (to[i] - from[i]));
        let wanted = body.sum(|i, q, _, _, _, _| shape[i] * q);
        let light = body.sum(|i, _, _, _, _, m| shape[i] * shape[i] / m);
        let mut ground = body.ground();
        close(ground.displacement_m(0), wanted, 1e-9);
        close(ground.per_mass_per_kg(0, 0.0), light, 1e-12);
        assert!(ground.own_mobility_m_per_n(0) != before);
        close(ground.own_mobility_m_per_n(0), ground.mobility_m_per_n(0, 0), 1e-15);
    }
    // The other slot has not moved.
    let wanted = body.sum(|i, q, _, _, _, _| body.shapes[1][i] * q);
    close(body.ground().displacement_m(1), wanted, 1e-12);
}

#[test]
fn steps_that_were_prepared_are_right_whenever_they_come_back() {
    let mut body = Body::new();
    let fresh = |steps: u32| {
        let mut body = Body::new();
        body.ground().prepare(steps, 1.0 / RATE_HZ);
        (body.ground().free_m(0), body.ground().own_mobility_m_per_n(1))
    };
    for steps in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 5, 11, 2, 2, 12, 3, 1] {
        body.ground().prepare(steps, 1.0 / RATE_HZ);
        assert_eq!(
            (body.ground().free_m(0), body.ground().own_mobility_m_per_n(1)),
            fresh(steps),
            "{steps}"
        );
    }
    // Steps are recomputed after the modes have changed.
    let before = body.ground().free_m(0);
    body.modes.set(70.0, &LOSSES, heard_at(0.1, 0.2), RATE_HZ);
    body.coupled_modes.forget_steps();
    body.ground().prepare(1, 1.0 / RATE_HZ);
    assert!((body.ground().free_m(0) / before - 1.0).abs() > 1e-3);
    let wanted = body.sum(|i, q, _, _, _, _| body.shapes[0][i] * q);
    close(body.ground().displacement_m(0), wanted, 1e-10);
}

/// The least recently used step is replaced.
///
/// Only a recomputed step reflects the other modes, which shows which one was replaced.
#[test]
fn steps_are_kept_while_they_are_in_use() {
    let mut body = Body::new();
    let mobility = |body: &mut Body, steps: u32| {
        body.ground().prepare(steps, 1.0 / RATE_HZ);
        body.ground().mobility_m_per_n(0, 0)
    };
    let first: Vec<_> = (1..=8).map(|steps| mobility(&mut body, steps)).collect();
    // All eight are cached. The first is used again, so the ninth replaces the second.
    assert_eq!(mobility(&mut body, 1), first[0]);
    mobility(&mut body, 9);
    body.modes.set(70.0, &LOSSES, heard_at(0.1, 0.2), RATE_HZ);
    for kept in [1, 3, 4, 5, 6, 7, 8] {
        assert_eq!(mobility(&mut body, kept), first[kept as usize - 1], "{kept}");
    }
    assert_ne!(mobility(&mut body, 2), first[1]);
}

/// The last step of a sample also moves the slot, like a push followed by a glide.
#[test]
fn a_slot_glides_with_the_last_push_of_a_sample() {
    let (mut at_once, mut apart) = (Body::new(), Body::new());
    let to = at_once.modes.drive_gains(0.47, 1.0);
    for body in [&mut at_once, &mut apart] {
        body.coupled_modes.aim_point(1, &to, 3);
    }
    for (n, steps) in [(1, 2), (2, 2), (3, 1), (4, 1)] {
        at_once.ground().prepare(steps, 1.0 / RATE_HZ);
        apart.ground().prepare(steps, 1.0 / RATE_HZ);
        at_once.ground().push_last(1, 5.0);
        apart.ground().push_one(1, 5.0);
        apart.coupled_modes.glide(&apart.modes);
        assert_eq!(at_once.coupled_modes.is_gliding(), n < 3);
        let mut ground = at_once.ground();
        close(ground.free_m(1), apart.ground().free_m(1), 1e-12);
        close(ground.own_mobility_m_per_n(1), apart.ground().own_mobility_m_per_n(1), 1e-12);
        close(ground.displacement_m(1), apart.ground().displacement_m(1), 1e-12);
    }
}

#[test]
fn ratios_are_made_once_and_again_when_they_are_forgotten() {
    let (modes, other) = (bar(21.0, 60.0), bar(21.0, 70.0));
    let mut ratios = Ratios::new(MAX_MODES);
    ratios.prepare(&modes);
    for i in 0..24 {
        let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
        if i >= 21 {
            assert_eq!(
                (ratios.per_omega[i], ratios.decay_ratio[i], ratios.speed_ratio[i]),
                (0.0, 0.0, 0.0)
            );
            continue;
        }
        close(ratios.per_omega[i], 1.0 / w, 1e-15);
        close(ratios.decay_ratio[i], d / w, 1e-14);
        close(ratios.speed_ratio[i], (d / w).hypot(1.0), 1e-15);
    }
    let before = ratios.per_omega.clone();
    ratios.prepare(&other);
    assert_eq!(ratios.per_omega, before);
    ratios.forget();
    ratios.prepare(&other);
    close(ratios.per_omega[0], 1.0 / other.omega[0], 1e-15);
    assert_eq!(MAX_MODES, ratios.decay_ratio.len());
}
