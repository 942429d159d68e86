//! Strikers that are coupled to the surface.

use super::ground::Modes;
use crate::number_snapshots;
use ictus::contact::coupled::step_size::StepSize;
use ictus::contact::coupled::{
    CompliantSurface, ContactBody, FreeMass, MotionBounds, OccupiedSlot, StepLevel,
};
use ictus::contact::recorder::ContactRecorder;
use ictus::contact::trial::CoupledTrial;
use ictus::contact::{ContactSettings, CoupledSolver, HuntCrossley, Law, Oversampling};

const DT_S: f64 = 1.0 / 48_000.0;

fn settings(seed: usize) -> ContactSettings {
    let mut settings = super::settings(seed);
    settings.steps_per_sample =
        super::pick(seed, 20, &[Oversampling::Auto, Oversampling::Auto, Oversampling::Times(6)]);
    settings
}

fn of_free_mass(free_mass: &FreeMass) -> Vec<f64> {
    let last = free_mass.last_contact();
    let mut numbers =
        vec![1e6 * free_mass.compression_m(), free_mass.velocity_m_per_s(), free_mass.force_n()];
    numbers.extend([
        1e3 * free_mass.energy_j(),
        f64::from(free_mass.contacts()),
        free_mass.gravity_m_per_s2(),
    ]);
    numbers.extend(
        [
            free_mass.is_active(),
            free_mass.is_in_contact(),
            free_mass.is_resting(),
            free_mass.lifts_off(),
        ]
        .map(super::flag),
    );
    numbers.extend([
        last.ended_s / DT_S,
        last.v_in_m_per_s,
        last.own_in_m_per_s,
        last.v_out_m_per_s,
        last.mass_kg,
    ]);
    numbers.extend([
        last.duration_s / DT_S,
        1e6 * last.separation_m,
        1e6 * last.height_in_m,
        1e6 * last.height_m,
    ]);
    numbers
}

fn of(two_way: &CoupledSolver, ground: &Modes, slots: usize) -> Vec<f64> {
    let mut numbers = ground.numbers();
    numbers.extend([
        ground.impulse_ns,
        ground.prepared,
        f64::from(two_way.steps()),
        f64::from(two_way.finest()),
    ]);
    numbers.extend(
        [two_way.is_active(), two_way.is_at_rest(), two_way.is_unsettled()].map(super::flag),
    );
    (0..slots).for_each(|slot| numbers.extend(of_free_mass(two_way.free_mass(slot))));
    numbers
}

/// One strike, or one ball that returns.
#[test]
fn blows() {
    number_snapshots::check("two_way_blows.txt", &super::names("blow", 96), |seed, nudge| {
        let (mut ground, mut two_way) = (Modes::new(seed), CoupledSolver::default());
        let v = super::pick(seed, 21, &[1.0, 0.1, 6.0]) * (1.0 + nudge);
        if seed % 7 == 6 {
            two_way.set_share(400);
        }
        if seed % 4 == 1 {
            two_way.throw(&mut ground, seed % 8, &settings(seed), 1e-5, 0.3 * v);
        } else {
            two_way.strike(
                &mut ground,
                seed % 8,
                &settings(seed),
                v,
                [0.0, 1.7][seed / 2 % 2] * DT_S,
            );
        }
        let mut numbers = Vec::new();
        let mut samples = 0.0;
        for sample in 0..90 {
            if seed % 11 == 10 && sample == 5 {
                two_way.free_mass_mut(seed % 8).lift_off(1e-3);
            }
            if seed % 13 == 12 && sample == 4 {
                two_way.free_mass_mut(seed % 8).set_settings(&settings(seed + 1));
            }
            two_way.advance(&mut ground, DT_S);
            samples += f64::from(two_way.steps() * (1 + sample));
            if [0, 1, 3, 9, 30, 60].contains(&sample) {
                numbers.extend(ground.numbers());
                numbers.extend(of_free_mass(two_way.free_mass(seed % 8)));
            }
        }
        numbers.extend([samples, f64::from(two_way.take_work())]);
        numbers.extend(of(&two_way, &ground, 0));
        numbers
    });
}

/// Several strikers at once, some of them shortly after others.
#[test]
fn crowds() {
    number_snapshots::check("two_way_crowds.txt", &super::names("crowd", 36), |seed, nudge| {
        let (mut ground, mut two_way) = (Modes::new(seed), CoupledSolver::default());
        let slots = [2, 3, 5, 8][seed % 4];
        if seed % 5 == 4 {
            two_way.set_share(4000);
        }
        if seed % 6 == 5 {
            two_way.set_share(3000);
        }
        for slot in 0..slots {
            let v = (0.5 + super::chance(seed, slot)) * (1.0 + nudge);
            two_way.strike(
                &mut ground,
                slot,
                &settings(seed + 5 * slot),
                v,
                super::chance(slot, seed) * 3.0 * DT_S,
            );
        }
        let mut numbers = Vec::new();
        for sample in 0..24 {
            two_way.advance(&mut ground, DT_S);
            if [1, 4, 10].contains(&sample) {
                numbers.extend(of(&two_way, &ground, slots));
            }
        }
        numbers.extend(of(&two_way, &ground, slots));
        let more = [two_way.take_work(), two_way.free_slot().unwrap_or(9) as u32];
        numbers.extend(more.map(f64::from));
        numbers
    });
}

/// An external force on a reserved contact slot beside a striker, and a single free mass.
#[test]
fn guests() {
    number_snapshots::check("two_way_guests.txt", &super::names("guest", 24), |seed, nudge| {
        let (mut ground, mut two_way) = (Modes::new(seed), CoupledSolver::default());
        let mut guest = FreeMass::striking(&settings(seed), 0.7 * (1.0 + nudge), 0.4 * DT_S);
        two_way.claim(3, true);
        let mut numbers = vec![two_way.free_samples(&mut ground, DT_S, 100) as f64];
        if seed.is_multiple_of(2) {
            two_way.strike(&mut ground, 1, &settings(seed + 3), 1.1, 2.3 * DT_S);
            for sample in 0..12 {
                let mut guests = [OccupiedSlot { slot: 3, contact_body: &mut guest }];
                two_way.advance_with(&mut ground, DT_S, &mut guests, &mut |_, _| {});
                if sample % 3 == 0 {
                    numbers.extend(of(&two_way, &ground, 2));
                    numbers.extend(of_free_mass(&guest));
                }
            }
        } else {
            if seed.is_multiple_of(3) {
                two_way.set_share(100);
            }
            for _ in 0..12 {
                two_way.advance_single(&mut ground, DT_S, 3, &mut guest);
                numbers.extend(of(&two_way, &ground, 0));
                numbers.extend(of_free_mass(&guest));
            }
        }
        numbers
    });
}

/// Balls with long flights; the surface is not touched meanwhile.
#[test]
fn coasts() {
    number_snapshots::check("two_way_coasts.txt", &super::names("coast", 30), |seed, nudge| {
        let (mut ground, mut two_way) = (Modes::new(seed), CoupledSolver::default());
        let mut settings = settings(seed);
        settings.gravity_m_per_s2 = [200.0, 0.0, 2000.0][seed % 3];
        two_way.strike(&mut ground, 0, &settings, 1.0 + nudge, 20.0 * DT_S);
        if seed.is_multiple_of(5) {
            two_way.throw(&mut ground, 2, &settings, 3e-3, -0.2);
        }
        let mut numbers = Vec::new();
        let mut sample = 0;
        while sample < 400 {
            let free = two_way.free_samples(&mut ground, DT_S, 64);
            numbers.push(free as f64);
            if free > 0 {
                let part = free.min(9);
                ground.prepare(1, DT_S);
                (0..part).for_each(|_| ground.push(&[0.0; 8]));
                let over = two_way.coasted(part);
                numbers.extend([
                    super::flag(over),
                    super::flag(two_way.is_coasting()),
                    two_way.coasting_samples() as f64,
                ]);
                if over || part % 2 == 1 {
                    two_way.land(&mut ground);
                }
                sample += part;
            } else {
                two_way.advance(&mut ground, DT_S);
                sample += 1;
                numbers.extend(of_free_mass(two_way.free_mass(0)).iter().take(2));
            }
        }
        numbers.truncate(160);
        numbers.extend(of(&two_way, &ground, 3));
        numbers
    });
}

#[test]
fn trials() {
    number_snapshots::check("two_way_trials.txt", &super::names("trial", 24), |seed, nudge| {
        let mut settings = settings(seed);
        settings.gravity_m_per_s2 = 0.0;
        let trial = CoupledTrial {
            settings,
            v_in_m_per_s: 2.0 * (1.0 + nudge),
            dt_s: DT_S,
            onset: [0.0, 0.6][seed % 2],
            watch_s: [0.0, 1e-3][seed / 2 % 2],
        };
        let mut numbers = Vec::new();
        for trial in [trial, trial.finer(4, 3)] {
            let got = trial.run(&mut Modes::new(seed));
            numbers.extend([got.energy_ratio, got.v_first, got.first_contact_s / DT_S]);
            numbers.extend([got.first_contact_steps, got.contacts, got.max_steps].map(f64::from));
            numbers.push(super::flag(got.stuck));
            assert!(got.max_energy_growth < 1e-12, "{got:?}");
        }
        numbers
    });
}

#[test]
fn step_sizes() {
    number_snapshots::check(
        "two_way_step_sizes.txt",
        &super::names("step size", 60),
        |seed, nudge| {
            let settings = settings(seed);
            let step_size = StepSize::new(settings.law.alpha, settings.steps_per_sample);
            let spring = settings.at_onset(1.0).spring();
            let (v, stored_j) =
                ([2.0, 0.05, 0.0][seed % 3] * (1.0 + nudge), [0.0, 1e-4][seed / 3 % 2]);
            let enough_s = [1.0, 1e-4][seed / 2 % 2];
            let way = step_size.compression_time(
                &spring,
                settings.mass_kg,
                &|time_s| 30.0 / (1.0 + 1e4 * time_s),
                v,
                stored_j,
                enough_s,
            );
            let mut numbers = vec![1e3 * way.time_s, 1e3 * step_size.single_step_s(DT_S)];
            use StepLevel::{Coarse, Minimum, Single, Target};
            for max in [1024, 16] {
                let levels = [Target, Minimum, Coarse, Single];
                numbers.extend(
                    levels.map(|level| f64::from(step_size.substeps(level, way.time_s, DT_S, max))),
                );
            }
            for (later, faster, stored_j, enough_s) in [
                (0.1, 1.0, 0.0, 1.0),
                (0.49, 1.1, 0.0, 1e-5),
                (0.51, 1.0, 0.0, 1.0),
                (0.2, 1.3, 0.0, 1.0),
                (0.2, 0.45, 0.0, 1.0),
                (0.2, 0.3, 1e-4, 1.0),
            ] {
                numbers.push(super::flag(way.holds(
                    later * way.time_s,
                    faster * v,
                    stored_j,
                    enough_s,
                )));
            }
            // A mass that is about to touch, and the steps it needs.
            let mut free_mass = FreeMass::striking(&settings, 1.0, 0.5 * DT_S);
            let motion_bounds =
                MotionBounds { displacement_m: 1e-6, reach_m: 1e-5, speed_m_per_s: 0.3 };
            let wanted = free_mass.target_substeps(&motion_bounds, &|_| 10.0, DT_S);
            numbers.push(wanted.map_or(-1.0, f64::from));
            numbers.extend(
                [Minimum, Coarse].map(|level| f64::from(free_mass.substeps(1024, level, DT_S))),
            );
            numbers.extend([
                1e6 * free_mass.gap_after_m(1e-6, 0.2 * DT_S),
                1e6 * free_mass.gap_after_m(0.0, 0.0),
            ]);
            let reach = free_mass.reach(1e-7, 2.0 * DT_S);
            numbers.extend([
                1e6 * reach.x_m,
                1e6 * reach.free_m,
                1e9 * reach.mobility_m_per_n,
                reach.h_s / DT_S,
                reach.guess_n,
            ]);
            free_mass.dissipate(1e-4 * settings.mass_kg);
            numbers.extend(of_free_mass(&free_mass));
            numbers
        },
    );
}

/// What the editor shows of a contact.
#[test]
fn traces() {
    number_snapshots::check("two_way_traces.txt", &super::names("trace", 24), |seed, nudge| {
        let (mut ground, mut two_way) = (Modes::new(seed), CoupledSolver::default());
        let mut settings = settings(seed);
        settings.gravity_m_per_s2 = [0.0, 3000.0][seed % 2];
        two_way.strike(&mut ground, 1, &settings, 2.0 * (1.0 + nudge), 0.0);
        let mut recorder = ContactRecorder::default();
        recorder.set_on(true);
        for _ in 0..300 {
            two_way.advance_with(&mut ground, DT_S, &mut [], &mut |free_masses, _| {
                recorder.watch(free_masses)
            });
        }
        let mut numbers = vec![super::flag(recorder.is_on())];
        let Some(trace) = recorder.last() else { return numbers };
        numbers.extend([
            f64::from(trace.number),
            trace.points.len() as f64,
            1e3 * f64::from(trace.impulse_ns()),
        ]);
        for moment in &trace.points {
            numbers.extend(
                [moment.time_s * 1e6, moment.compression_m * 1e6, moment.impulse_ns * 1e3]
                    .map(f64::from),
            );
            numbers.push(f64::from(moment.energy_j * 1e3));
        }
        numbers
    });
}

/// Without damping and on a fixed surface, striker, height and spring have the same total energy at
/// every recorded moment, and the impulse equals the change of momentum.
#[test]
fn a_lossless_contact_is_shown_with_its_energy() {
    let mut settings = settings(0);
    settings.kind = Law::HuntCrossley;
    settings.law = HuntCrossley { stiffness: 1e7, mu_s_per_m: 0.0, alpha: 1.5 };
    settings.restitution = None;
    settings.steps_per_sample = Oversampling::Auto;
    for gravity in [0.0, 1e4] {
        settings.gravity_m_per_s2 = gravity;
        let (mut ground, mut two_way, mut recorder) =
            (Modes::immovable(), CoupledSolver::default(), ContactRecorder::default());
        recorder.set_on(true);
        two_way.strike(&mut ground, 0, &settings, 0.5, 0.0);
        for _ in 0..200 {
            two_way.advance_with(&mut ground, DT_S, &mut [], &mut |free_masses, _| {
                recorder.watch(free_masses)
            });
            if recorder.last().is_some() {
                break;
            }
        }
        let trace = recorder.last().expect("a contact that is over");
        let mass_kg = settings.within_limits().mass_kg;
        let start_j = 0.5 * mass_kg * trace.report.own_in_m_per_s * trace.report.own_in_m_per_s;
        assert!(trace.points.len() > 24);
        for moment in &trace.points {
            let off = f64::from(moment.energy_j) / start_j - 1.0;
            assert!(off.abs() < 1e-3, "gravity {gravity}: {off} at {moment:?}");
        }
        let report = &trace.report;
        let given =
            mass_kg * (report.own_in_m_per_s - report.v_out_m_per_s + gravity * report.duration_s);
        assert!(
            (f64::from(trace.impulse_ns()) / given - 1.0).abs() < 1e-3,
            "{} {given}",
            trace.impulse_ns()
        );
    }
}
