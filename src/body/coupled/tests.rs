use super::*;
use crate::body::material::Damping;
use crate::body::modes::Listening;

const DT_S: f64 = 1.0 / 48_000.0;

fn modes() -> Modes {
    let mut modes = Modes::default();
    let damping = Damping { support_per_s: 50.0, loss_factor: 1e-2, viscous_s: 1e-8 };
    modes.set(
        500.0,
        &damping,
        Listening { left: crate::body::Point::along(0.0), right: crate::body::Point::along(1.0) },
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
        // A bank left alone is heard in single precision.
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
            (fresh.ahead, fresh.cached_bounds) = (None, Cell::default());
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
        for steps in 1..=2 * KEPT as u32 {
            coupled_modes.on(bank, &modes).prepare(steps, DT_S);
        }
    });
    assert_eq!(looks, 18);
}
