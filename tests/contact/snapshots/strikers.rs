//! Masses that fly, touch and return.

use crate::number_snapshots;
use ictus::contact::{Striker, Surface};

/// Accumulates pushes, each with its own weight.
#[derive(Default)]
struct Scale {
    time_s: f64,
    pushes: f64,
    impulse_ns: f64,
    first_moment: f64,
}

impl Surface for Scale {
    fn push(&mut self, force_n: f64, duration_s: f64) {
        self.impulse_ns += force_n * duration_s;
        self.first_moment += force_n * duration_s * (self.time_s + 0.5 * duration_s);
        self.time_s += duration_s;
        self.pushes += 1.0;
    }
}

fn of(striker: &Striker, scale: &Scale, dt_s: f64, mass_kg: f64) -> Vec<f64> {
    let last = striker.last_contact();
    let (left_s, landing) = striker.landing(dt_s).unwrap_or((-1.0, -1.0));
    let mut numbers = vec![
        scale.impulse_ns / mass_kg,
        1e3 * scale.first_moment / mass_kg,
        scale.time_s / dt_s,
        scale.pushes,
    ];
    numbers.extend([
        left_s / dt_s,
        landing,
        striker.height_m(dt_s) * 1e3,
        striker.compression_m() * 1e6,
    ]);
    numbers.extend([
        striker.velocity_m_per_s(),
        striker.force_n() * dt_s / mass_kg,
        striker.flown_s(),
    ]);
    numbers.extend([f64::from(striker.contacts()), striker.gravity_m_per_s2()]);
    numbers.extend(
        [striker.is_active(), striker.is_in_contact(), striker.is_resting()].map(super::flag),
    );
    numbers.extend([
        last.ended_s / dt_s,
        last.mass_kg / mass_kg,
        last.v_in_m_per_s,
        last.own_in_m_per_s,
    ]);
    numbers.extend([
        last.v_out_m_per_s,
        last.duration_s / dt_s,
        last.separation_m * 1e6,
        last.height_in_m,
        last.height_m * 1e6,
    ]);
    numbers
}

#[test]
fn strikers() {
    number_snapshots::check("contact_strikers.txt", &super::names("striker", 96), |seed, nudge| {
        let settings = super::settings(seed);
        let dt_s = 1.0 / super::pick(seed, 21, &[48_000.0, 22_050.0]);
        let v = super::pick(seed, 22, &[0.3, 2.0, 0.01]) * (1.0 + nudge);
        let mut striker = Striker::new();
        if seed % 4 == 3 {
            striker.throw(&settings, 1e-3, -v);
        } else {
            striker.strike(&settings, v, super::pick(seed, 23, &[0.0, 2.6, 1.0]) * dt_s);
        }
        let mut scale = Scale::default();
        let mut numbers = Vec::new();
        for sample in 0..120 {
            striker.advance(dt_s, &mut scale);
            if [0, 3, 8, 20, 50].contains(&sample) {
                numbers.extend(of(&striker, &scale, dt_s, settings.mass_kg));
            }
        }
        let flying = striker.airborne(1 << 30, dt_s);
        striker.fly(flying.min(1000));
        numbers.push(flying as f64);
        numbers.extend(of(&striker, &scale, dt_s, settings.mass_kg));
        numbers
    });
}

/// A ball until it rests.
#[test]
fn trains() {
    number_snapshots::check("contact_trains.txt", &super::names("train", 24), |seed, nudge| {
        let mut settings = super::settings(seed);
        settings.gravity_m_per_s2 = 400.0;
        settings.law.stiffness = 1e7;
        settings.restitution = seed.is_multiple_of(2).then_some(0.6);
        let dt_s = 1.0 / 16_000.0;
        let mut striker = Striker::new();
        striker.strike(&settings, 1.0 + nudge, 0.0);
        let mut scale = Scale::default();
        let mut sample = 0;
        while sample < 8_000 && !striker.is_resting() && striker.is_active() {
            let flying = striker.airborne(8_000, dt_s);
            striker.fly(flying);
            sample += flying;
            striker.advance(dt_s, &mut scale);
            sample += 1;
        }
        striker.set_settings(&super::settings(seed + 1));
        let mut numbers = of(&striker, &scale, dt_s, settings.mass_kg);
        numbers.push(sample as f64);
        numbers
    });
}
