//! Contacts from onset to release, step by step.

use crate::number_snapshots;
use ictus::contact::rigid::RigidContact;
use ictus::contact::trial::{Grid, RigidTrial};
use ictus::contact::{Integrator, Law, Oversampling, Striker, Wall};

#[test]
fn touches() {
    number_snapshots::check("contact_touches.txt", &super::names("touch", 144), |seed, nudge| {
        let settings = super::settings(seed);
        let sample_s = 1.0 / super::pick(seed, 21, &[48_000.0, 8_000.0, 192_000.0]);
        let v_in = super::pick(seed, 22, &[0.5, 4.0, 0.02, 30.0]) * (1.0 + nudge);
        let mut rigid_contact = RigidContact::begin(&settings, v_in, sample_s);
        let x_max_m = rigid_contact.curve().x_max_m();
        let energy_j = rigid_contact.onset_energy_j();
        let mut numbers = vec![
            energy_j / rigid_contact.curve().mass_kg,
            f64::from(rigid_contact.steps_per_sample()),
        ];
        let mut impulse = 0.0;
        let mut count = 0;
        for _ in 0..3_000 {
            let h_s = sample_s / f64::from(rigid_contact.steps_per_sample());
            let step = rigid_contact.step(h_s);
            impulse += step.force_n * step.duration_s;
            count += 1;
            if count % 7 == 1 && count < 64 || step.released {
                let motion = rigid_contact.motion();
                numbers.extend([
                    motion.x_m / x_max_m,
                    motion.v_m_per_s / v_in,
                    step.duration_s / sample_s,
                ]);
                numbers.extend([
                    step.force_n * sample_s / rigid_contact.curve().mass_kg,
                    rigid_contact.energy_j() / energy_j,
                ]);
                numbers.extend([
                    super::flag(motion.unsettled),
                    super::flag(rigid_contact.is_off_curve()),
                ]);
                numbers.extend([
                    rigid_contact.compression_by_curve_m(&motion) / x_max_m,
                    super::flag(rigid_contact.has_stayed()),
                ]);
                numbers.extend(
                    step.moments
                        .0
                        .map(|moment_ns| moment_ns / (rigid_contact.curve().mass_kg * v_in)),
                );
            }
            if step.released || rigid_contact.is_resting() {
                break;
            }
        }
        numbers.extend([
            f64::from(count),
            impulse / (rigid_contact.curve().mass_kg * v_in),
            rigid_contact.elapsed_s() / sample_s,
        ]);
        numbers.extend([
            rigid_contact.separation_m() / x_max_m,
            super::flag(rigid_contact.is_resting()),
            super::flag(rigid_contact.is_damped()),
        ]);
        numbers.extend([
            rigid_contact.release_height_m(&settings) / x_max_m,
            f64::from(rigid_contact.steps_per_sample()),
        ]);
        if settings.gravity_m_per_s2 > 0.0 {
            let flight = rigid_contact.departure(&settings);
            numbers.extend(
                flight.map_or([-1.0; 3], |f| [f.duration_s, f.landing_m_per_s, f.left_s(sample_s)]),
            );
        }
        numbers
    });
}

#[test]
fn trials() {
    number_snapshots::check("contact_trials.txt", &super::names("trial", 60), |seed, nudge| {
        let mut settings = super::settings(seed);
        settings.law.stiffness = settings.law.stiffness.max(1e7);
        // Passive may rest for any length of time.
        let passive = settings.integrator == Integrator::Passive;
        let grid = if passive {
            Grid::Ideal
        } else {
            super::pick(seed, 21, &[Grid::Ideal, Grid::Samples])
        };
        settings.gravity_m_per_s2 = if grid == Grid::Samples { 300.0 } else { 0.0 };
        let trial = RigidTrial {
            settings,
            v_in_m_per_s: super::pick(seed, 22, &[1.0, 0.2, 5.0]) * (1.0 + nudge),
            sample_rate_hz: super::pick(seed, 23, &[48_000.0, 16_000.0]),
            onset: super::pick(seed, 24, &[0.0, 0.3, 0.77]),
            // Damping dominates slower contacts: later ones would take too long.
            rebounds: if passive && settings.kind == Law::HertzDamper {
                1
            } else {
                super::pick(seed, 25, &[1, 4])
            },
            grid,
        };
        let got = trial.run();
        let dt_s = 1.0 / trial.sample_rate_hz;
        let mut numbers =
            vec![got.v_out, trial.v_out_exact(), got.last_speed_m_per_s, f64::from(got.contacts)];
        numbers.extend([
            got.contact_time_s / dt_s,
            trial.contact_time_exact_s() / dt_s,
            got.contact_time_total_s / dt_s,
        ]);
        numbers.extend([got.flight_time_total_s, got.train_time_s, f64::from(got.contact_samples)]);
        numbers.extend([
            1e4 * got.x_max_m,
            1e4 * got.x_separation_m,
            got.impulse_ns / trial.settings.mass_kg,
        ]);
        numbers.extend([f64::from(got.off_curve_steps), super::flag(got.unsettled)]);
        // The same result is rounding with one setting and significant with another.
        let seen = |value: f64| if value.abs() > 1e-6 { value } else { 0.0 };
        numbers.extend(
            [got.dev_x_pct, got.dev_h_pct, got.max_dev_h_pct, got.accumulated_err_pct].map(seen),
        );
        numbers.push(seen(got.max_energy_growth));
        numbers.push(trial.onset().damping());
        numbers
    });
}

/// A mass under its weight until it rests, and for a while after.
#[test]
fn stays() {
    number_snapshots::check("contact_stays.txt", &super::names("stay", 24), |seed, nudge| {
        let mut settings = super::settings(seed);
        settings.integrator = Integrator::Passive;
        settings.steps_per_sample =
            super::pick(seed, 25, &[Oversampling::Auto, Oversampling::Times(1)]);
        settings.law.mu_s_per_m = 2.0;
        settings.law.stiffness = super::pick(seed, 21, &[1e5, 1e7]);
        settings.gravity_m_per_s2 = super::pick(seed, 22, &[2e3, 1e4]);
        let sample_s = 1.0 / super::pick(seed, 23, &[48_000.0, 4_000.0]);
        let v_in = super::pick(seed, 24, &[0.2, 5e-3]) * (1.0 + nudge);
        let mut rigid_contact = RigidContact::begin(&settings, v_in, sample_s);
        let mut numbers = Vec::new();
        let (mut stayed, mut rested, mut impulse) = (0.0, 0.0, 0.0);
        for _ in 0..6_000 {
            let step = rigid_contact.step(sample_s / f64::from(rigid_contact.steps_per_sample()));
            impulse += step.force_n * step.duration_s;
            stayed += super::flag(rigid_contact.has_stayed());
            rested += super::flag(rigid_contact.is_resting());
            if step.released || rested > 9.0 {
                break;
            }
        }
        numbers.extend([
            stayed,
            rested,
            impulse / settings.mass_kg,
            rigid_contact.elapsed_s() / sample_s,
        ]);
        numbers.extend([
            1e6 * rigid_contact.motion().x_m,
            rigid_contact.motion().v_m_per_s,
            rigid_contact.energy_j() / settings.mass_kg,
        ]);
        // The same as a striker, whose steps grow longer.
        let (mut striker, mut wall, mut steps) = (Striker::new(), Wall::default(), 0.0);
        striker.strike(&settings, v_in, 0.3 * sample_s);
        for sample in 0..600 {
            striker.advance_watched(sample_s, &mut wall, &mut |_, _| steps += 1.0);
            if sample % 97 == 0 {
                numbers.extend([
                    steps,
                    wall.impulse_ns / settings.mass_kg,
                    1e6 * striker.compression_m(),
                ]);
                numbers.extend([striker.velocity_m_per_s(), striker.force_n() / settings.mass_kg]);
            }
        }
        numbers.extend([
            super::flag(striker.is_resting()),
            f64::from(striker.contacts()),
            wall.time_s / sample_s,
        ]);
        numbers
    });
}
