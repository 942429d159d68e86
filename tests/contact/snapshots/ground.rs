//! A compliant surface of a few modes, each solved exactly, with up to eight contact slots.

use ictus::contact::coupled::{
    CompliantSurface, MAX_CONTACT_SLOTS, MotionBounds, SingleSlotSurface,
};

pub const MODES: usize = 3;

#[derive(Clone, Copy, Default)]
struct Mode {
    decay_per_s: f64,
    omega: f64,
    mass_kg: f64,
    shape: [f64; MAX_CONTACT_SLOTS],
    q: f64,
    q_per_s: f64,
}

/// Exact response over one step: the free motion, and the response to a constant force of 1 N.
#[derive(Clone, Copy, Default)]
struct Turn {
    qq: f64,
    qp: f64,
    pq: f64,
    pp: f64,
    hold: f64,
    hold_per_s: f64,
}

impl Mode {
    fn square(&self) -> f64 {
        self.omega * self.omega + self.decay_per_s * self.decay_per_s
    }

    fn turn(&self, h_s: f64) -> Turn {
        let (d, w) = (self.decay_per_s, self.omega);
        let (sin, cos) = (w * h_s).sin_cos();
        let shrink = (-d * h_s).exp();
        let qq = shrink * (cos + d / w * sin);
        let pq = -shrink * self.square() / w * sin;
        let (hold, hold_per_s) =
            ((1.0 - qq) / self.square() / self.mass_kg, -pq / self.square() / self.mass_kg);
        Turn { qq, qp: shrink * sin / w, pq, pp: shrink * (cos - d / w * sin), hold, hold_per_s }
    }
}

#[derive(Clone, Copy, Default)]
pub struct Modes {
    modes: [Mode; MODES],
    turns: [Turn; MODES],
    pub prepared: f64,
    pub impulse_ns: f64,
}

impl Modes {
    /// Lighter and higher with larger `seed`.
    pub fn new(seed: usize) -> Self {
        let mut ground = Self::default();
        for (i, mode) in ground.modes.iter_mut().enumerate() {
            let undamped = std::f64::consts::TAU
                * [180.0, 900.0, 5_000.0][i]
                * (1.0 + 0.3 * super::chance(seed, i));
            mode.decay_per_s = 20.0 + 0.01 * undamped;
            mode.omega = (undamped * undamped - mode.decay_per_s * mode.decay_per_s).sqrt();
            mode.mass_kg = [0.3, 0.05, 0.02, 1.0][seed % 4];
            mode.shape = std::array::from_fn(|slot| (0.4 + 0.7 * (slot * (i + 1)) as f64).cos());
        }
        ground
    }

    /// So heavy that it does not move.
    pub fn immovable() -> Self {
        let mut ground = Self::new(0);
        ground.modes.iter_mut().for_each(|mode| mode.mass_kg = 1e12);
        ground
    }

    fn free_of(&self, slot: usize, modes: &[Mode; MODES]) -> f64 {
        let one = |(mode, turn): (&Mode, &Turn)| {
            mode.shape[slot] * ((turn.qq - 1.0) * mode.q + turn.qp * mode.q_per_s)
        };
        modes.iter().zip(&self.turns).map(one).sum()
    }

    fn moved(&self, forces_n: &[f64; MAX_CONTACT_SLOTS]) -> [Mode; MODES] {
        let mut modes = self.modes;
        for (mode, turn) in modes.iter_mut().zip(&self.turns) {
            let force: f64 =
                mode.shape.iter().zip(forces_n).map(|(shape, force_n)| shape * force_n).sum();
            let Mode { q, q_per_s, .. } = *mode;
            mode.q = turn.qq * q + turn.qp * q_per_s + turn.hold * force;
            mode.q_per_s = turn.pq * q + turn.pp * q_per_s + turn.hold_per_s * force;
        }
        modes
    }

    pub fn numbers(&self) -> Vec<f64> {
        self.modes.iter().flat_map(|mode| [1e6 * mode.q, mode.q_per_s]).collect()
    }
}

impl CompliantSurface for Modes {
    fn prepare(&mut self, steps: u32, dt_s: f64) {
        self.turns = self.modes.map(|mode| mode.turn(dt_s / f64::from(steps)));
        self.prepared += f64::from(steps);
    }
    fn free_m(&self, slot: usize) -> f64 {
        self.free_of(slot, &self.modes)
    }
    fn mobility_m_per_n(&self, at: usize, from: usize) -> f64 {
        self.modes
            .iter()
            .zip(&self.turns)
            .map(|(mode, turn)| mode.shape[at] * mode.shape[from] * turn.hold)
            .sum()
    }
    fn push(&mut self, forces_n: &[f64; MAX_CONTACT_SLOTS]) {
        self.impulse_ns += forces_n.iter().sum::<f64>();
        self.modes = self.moved(forces_n);
    }
    fn displacement_m(&self, slot: usize) -> f64 {
        self.modes.iter().map(|mode| mode.shape[slot] * mode.q).sum()
    }
    fn motion_bounds(&self, slot: usize) -> MotionBounds {
        let (mut reach_m, mut speed_m_per_s) = (0.0, 0.0);
        for mode in &self.modes {
            let size = (mode.q * mode.q + mode.q_per_s * mode.q_per_s / mode.square()).sqrt()
                * mode.shape[slot].abs();
            reach_m += 1.1 * size;
            speed_m_per_s += 1.1 * size * mode.square().sqrt();
        }
        MotionBounds { displacement_m: self.displacement_m(slot), reach_m, speed_m_per_s }
    }
    fn max_acceleration_m_per_s2(&self, slot: usize) -> f64 {
        let size =
            |mode: &Mode| mode.q.abs() * mode.square() + mode.q_per_s.abs() * mode.square().sqrt();
        self.modes.iter().map(|mode| 1.2 * size(mode) * mode.shape[slot].abs()).sum()
    }
    fn per_mass_per_kg(&self, slot: usize, time_s: f64) -> f64 {
        let one = |mode: &Mode| {
            mode.shape[slot] * mode.shape[slot]
                / mode.mass_kg
                / (1.0 + 0.25 * mode.square() * time_s * time_s)
        };
        self.modes.iter().map(one).sum()
    }
    fn energy_j(&self) -> f64 {
        let one = |m: &Mode| 0.5 * m.mass_kg * (m.q_per_s * m.q_per_s + m.square() * m.q * m.q);
        self.modes.iter().map(one).sum()
    }
}

impl SingleSlotSurface for Modes {
    fn push_last(&mut self, slot: usize, force_n: f64) {
        self.push_one(slot, force_n);
    }
}
