//! The energy balance of a hopping ball.

use ictus::contact::Law;
use ictus::contact::integrator::passive;
use ictus::exciter::Recipe;
use ictus::exciter::roll::{Roll, RollSettings, RollSurface};

use super::body::{Body, rolling, table};
use super::physics::ball;

const FS: f64 = 48_000.0;

/// Faster than an off-centre ball can stay on the ground (1 m/s), so it hops, in small steps or
/// high and in phase with its rotation. The energy of each step comes from the surface and the
/// rotating mass only.
#[test]
fn a_hopping_ball_has_its_energy_from_surface_and_spin_alone() {
    let fixed = RollSettings { off_centre: 0.1, ..ball(0.01, 2500.0, 9e9) };
    let bouncy = |kind| RollSettings { kind, restitution: Some(0.9), ..fixed };
    let table = table(&Recipe::default(), &fixed);
    for (settings, speed_m_per_s) in [
        (fixed, 1.0),
        (fixed, 1.1),
        (fixed, 1.4),
        (RollSettings { kind: Law::HertzDamper, ..fixed }, 1.4),
        (bouncy(Law::HuntCrossley), 1.1),
        (bouncy(Law::HuntCrossley), 1.4),
        (bouncy(Law::HertzDamper), 1.1),
        (bouncy(Law::HertzDamper), 1.4),
    ] {
        let mut body = Body::new(16, 80.0, 9000.0, 20.0, 2.0, FS);
        let mut roll = rolling(&settings, &table, speed_m_per_s, FS);
        let (mut worst, mut size, mut highest) = (f64::NEG_INFINITY, 0.0f64, 0.0f64);
        for _ in 0..(15.0 * FS) as usize {
            let steps = roll.begin_sample();
            for _ in 0..steps {
                let (gain_j, energy_j) =
                    audited_step(&mut roll, &mut body, 1.0 / FS / f64::from(steps));
                worst = worst.max(gain_j);
                size = size.max(energy_j);
                highest = highest.max(-roll.motion().compression_m);
            }
        }
        println!(
            "{:?} {:?} {speed_m_per_s} m/s: largest unexplained gain {worst:e} J of {size:e} J; hops up to {highest:e} m",
            settings.kind, settings.restitution
        );
        assert!(worst < 1e-13 * size, "{worst:e} of {size:e}");
        assert!(highest > 1e-4, "it does not hop: {highest}");
    }
}

/// One step. Returns the energy gained beyond the work of the surface and of the weight, and the
/// energy before, J.
fn audited_step(roll: &mut Roll, body: &mut Body, h_s: f64) -> (f64, f64) {
    let mass_kg = roll.settings().mass_kg;
    let energy_j = |roll: &Roll, body: &Body| {
        let m = roll.motion();
        0.5 * mass_kg * m.z_m_per_s.powi(2)
            + roll.spring().potential_j(m.compression_m)
            + body.energy_j()
    };
    let (before, start_j) = (*roll.motion(), energy_j(roll, body));
    let mut reach = roll.reach(h_s);
    let own_m = reach.free_m;
    reach.free_m += body.free_m(h_s);
    reach.mobility_m_per_n += body.mobility_m_per_n(h_s);
    roll.meet(&reach);
    let push = passive::solve(roll.spring(), &reach);
    assert!(push.settled, "{reach:?} {push:?}");
    roll.accept(&push);
    body.push(push.force_n, h_s);
    let rise_m = roll.motion().height_m - before.height_m;
    let fall_m_per_s2 = 2.0 * (own_m - rise_m + h_s * before.z_m_per_s) / (h_s * h_s);
    let work_j = push.force_n * rise_m - mass_kg * fall_m_per_s2 * (roll.motion().z_m - before.z_m);
    (energy_j(roll, body) - start_j - work_j, start_j)
}
