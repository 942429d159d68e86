//! A vibrating body of modes, and a ball on it.

use std::sync::Arc;

use ictus::exciter::roll::{Pull, Roll, RollSettings, RollSurface};
use ictus::exciter::surface::SurfaceTable;

/// One mode: modal mass 1/`gain` kg at the point of contact, heard with the same gain.
#[derive(Clone, Copy)]
struct Mode {
    decay_per_s: f64,
    omega: f64,
    gain: f64,
    q: f64,
    q_per_s: f64,
}

/// Exact response of a mode over one step.
#[derive(Clone, Copy)]
struct Step {
    qq: f64,
    qp: f64,
    pq: f64,
    pp: f64,
    /// Displacement per newton.
    hold: f64,
    hold_per_s: f64,
}

/// Modes of equal mass, evenly spaced in octaves.
pub struct Body {
    modes: Vec<Mode>,
    /// For steps of the sample over 1, 2, 4 ... 64.
    steps: Vec<Vec<Step>>,
    dt_s: f64,
}

impl Body {
    /// `count` modes between two frequencies, each of quality `q` and mass `mass_kg`.
    pub fn new(
        count: usize,
        from_hz: f64,
        to_hz: f64,
        q: f64,
        mass_kg: f64,
        sample_rate_hz: f64,
    ) -> Self {
        let dt_s = 1.0 / sample_rate_hz;
        let modes: Vec<Mode> = (0..count)
            .map(|i| {
                let hz = from_hz * (to_hz / from_hz).powf(i as f64 / (count - 1) as f64);
                let undamped = 2.0 * std::f64::consts::PI * hz;
                let decay_per_s = 0.5 * undamped / q;
                let omega = (undamped * undamped - decay_per_s * decay_per_s).sqrt();
                Mode { decay_per_s, omega, gain: 1.0 / mass_kg, q: 0.0, q_per_s: 0.0 }
            })
            .collect();
        let steps = (0..7)
            .map(|n| modes.iter().map(|mode| Step::new(mode, dt_s / f64::from(1 << n))).collect())
            .collect();
        Self { modes, steps, dt_s }
    }

    fn steps(&self, h_s: f64) -> &[Step] {
        &self.steps[(self.dt_s / h_s).log2().round() as usize]
    }

    /// The output, m/s.
    pub fn velocity_m_per_s(&self) -> f64 {
        self.modes.iter().map(|mode| mode.q_per_s).sum()
    }

    /// Energy in the modes, J.
    pub fn energy_j(&self) -> f64 {
        let energy = |m: &Mode| {
            let undamped = m.omega * m.omega + m.decay_per_s * m.decay_per_s;
            0.5 / m.gain * (m.q_per_s * m.q_per_s + undamped * m.q * m.q)
        };
        self.modes.iter().map(energy).sum()
    }
}

impl Step {
    fn new(mode: &Mode, h_s: f64) -> Self {
        let (d, w) = (mode.decay_per_s, mode.omega);
        let (sin, cos) = (w * h_s).sin_cos();
        let shrink = (-d * h_s).exp();
        let undamped = w * w + d * d;
        let qq = shrink * (cos + d / w * sin);
        let pq = -shrink * undamped / w * sin;
        Self {
            qq,
            qp: shrink * sin / w,
            pq,
            pp: shrink * (cos - d / w * sin),
            hold: mode.gain * (1.0 - qq) / undamped,
            hold_per_s: -mode.gain * pq / undamped,
        }
    }
}

impl RollSurface for Body {
    fn free_m(&mut self, h_s: f64) -> f64 {
        let free = |(mode, step): (&Mode, &Step)| (step.qq - 1.0) * mode.q + step.qp * mode.q_per_s;
        // Modes are positive away from the ball.
        -self.modes.iter().zip(self.steps(h_s)).map(free).sum::<f64>()
    }

    fn mobility_m_per_n(&mut self, h_s: f64) -> f64 {
        self.steps(h_s).iter().map(|step| step.hold).sum()
    }

    fn push(&mut self, force_n: f64, h_s: f64) {
        let n = (self.dt_s / h_s).log2().round() as usize;
        for (mode, step) in self.modes.iter_mut().zip(&self.steps[n]) {
            let q = step.qq * mode.q + step.qp * mode.q_per_s + step.hold * force_n;
            mode.q_per_s = step.pq * mode.q + step.pp * mode.q_per_s + step.hold_per_s * force_n;
            mode.q = q;
        }
    }
}

/// A rigid ground that records the mean force of each sample.
#[derive(Default)]
pub struct Scale {
    impulse_ns: f64,
}

impl Scale {
    /// Mean force since the last call, N.
    pub fn take(&mut self, dt_s: f64) -> f64 {
        std::mem::take(&mut self.impulse_ns) / dt_s
    }
}

impl RollSurface for Scale {
    fn free_m(&mut self, _: f64) -> f64 {
        0.0
    }
    fn mobility_m_per_n(&mut self, _: f64) -> f64 {
        0.0
    }
    fn push(&mut self, force_n: f64, h_s: f64) {
        self.impulse_ns += force_n * h_s;
    }
}

/// A table for these settings.
pub fn table(recipe: &ictus::exciter::Recipe, settings: &RollSettings) -> Arc<SurfaceTable> {
    Arc::new(SurfaceTable::build(recipe, &settings.within_limits().feeler()))
}

/// A ball or tip at constant speed, put down on the surface.
pub fn rolling(
    settings: &RollSettings,
    table: &Arc<SurfaceTable>,
    speed_m_per_s: f64,
    sample_rate_hz: f64,
) -> Roll {
    let mut roll = Roll::new();
    roll.prepare(sample_rate_hz);
    roll.begin(settings, table, speed_m_per_s, Pull::Follow { speed_m_per_s, time_s: 1.0 });
    roll
}

/// Force on a rigid ground, after half a second to settle, N per sample.
pub fn force(roll: &mut Roll, sample_rate_hz: f64, seconds: f64) -> Vec<f64> {
    let mut scale = Scale::default();
    let sample = |roll: &mut Roll, scale: &mut Scale| {
        roll.advance(scale);
        scale.take(1.0 / sample_rate_hz)
    };
    for _ in 0..(0.5 * sample_rate_hz) as usize {
        sample(roll, &mut scale);
    }
    (0..(seconds * sample_rate_hz) as usize).map(|_| sample(roll, &mut scale)).collect()
}

/// Velocity of the body under it, m/s, likewise.
pub fn heard(roll: &mut Roll, body: &mut Body, sample_rate_hz: f64, seconds: f64) -> Vec<f64> {
    for _ in 0..(0.5 * sample_rate_hz) as usize {
        roll.advance(body);
    }
    let sample = |_| {
        roll.advance(body);
        body.velocity_m_per_s()
    };
    (0..(seconds * sample_rate_hz) as usize).map(sample).collect()
}
