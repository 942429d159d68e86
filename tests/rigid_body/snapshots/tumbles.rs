//! Bodies thrown onto a plane.

use ictus::random::Random;
use ictus::rigid_body::shape::{RigidShape, RigidShapeKind};
use ictus::rigid_body::tumble::{Rebound, Strikes, Tumble, TumbleSettings, TumbleThrow};

#[test]
fn tumbles() {
    let ticks = [40, 90, 140, 200, 300, 450, 700, 1200];
    let cases: Vec<String> = (0..30)
        .flat_map(|seed| ticks.map(|ticks| format!("tumble {seed} after {ticks}")))
        .collect();
    crate::number_snapshots::check("rigid_tumbles.txt", &cases, |case, nudge| {
        let (seed, ticks) = (case / ticks.len(), ticks[case % ticks.len()]);
        let mut chance = Random::new(seed as u64);
        let size_m = chance.between(0.02, 0.2);
        let shape = RigidShape::new(
            RigidShapeKind::ALL[seed % 6],
            size_m,
            2000.0 * size_m.powi(3),
            seed as u64,
        );
        let rebound = match seed / 6 {
            0 | 1 => Rebound::Given,
            2 => Rebound::HuntCrossley { mu_s_per_m: 0.4 },
            _ => Rebound::HertzDamper { stiffness: 1e7, alpha: 1.5, damper_n_s_per_m: 30.0 },
        };
        let settings = TumbleSettings {
            mu: chance.between(0.1, 0.9),
            rebound,
            max_impacts: [4, 4, 4, 1, 2][seed % 5],
            ..TumbleSettings::default()
        };
        let throw = TumbleThrow {
            height_m: 0.06,
            velocity_m_per_s: super::vector(&mut chance, 0.6).map(|v| v * (1.0 + nudge)),
            spin_rad_per_s: super::vector(&mut chance, 30.0),
            seed: seed as u64,
        };
        let mut tumble = Tumble::new(shape, &settings, &throw);
        let mut strikes = Strikes::new();
        let (mut count, mut sums, mut solves) = (0.0, [0.0; 10], 0.0);
        for _ in 0..ticks {
            tumble.tick(&mut strikes);
            solves += f64::from(tumble.last_solves());
            for strike in &strikes {
                count += 1.0;
                let all = [
                    strike.time_s,
                    strike.corner as f64,
                    strike.plane_m[0] + 3.0 * strike.plane_m[1],
                    strike.normal_m_per_s,
                    strike.slip_m_per_s[0] + 3.0 * strike.slip_m_per_s[1],
                    strike.impulse_ns,
                    strike.friction_ns[0] + 3.0 * strike.friction_ns[1],
                    strike.effective_mass_kg,
                    strike.restitution,
                    strike.body_point_m[0],
                ];
                sums = std::array::from_fn(|i| sums[i] + count * all[i]);
            }
        }
        let motion = tumble.motion();
        let mut numbers = motion.centre_m.to_vec();
        numbers.extend(motion.attitude.0.iter().chain(&motion.velocity_m_per_s));
        // Scaled to the size of the other numbers.
        let unit = tumble.shape().inertia.moments_kg_m2[0];
        numbers.extend(motion.momentum_kg_m2_per_s.map(|momentum| momentum / unit));
        numbers.extend(sums);
        numbers.extend([count, solves, f64::from(u8::from(tumble.is_resting())), tumble.time_s()]);
        numbers
    });
}
