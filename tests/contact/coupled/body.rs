//! Bodies to strike.

use std::f64::consts::PI;

use ictus::body::coupled::CoupledModesSurface;
use ictus::body::material::Damping;
use ictus::body::shape::UserMode;
use ictus::body::{
    Bank, BodyKind, CoupledModes, Geometry, LANES, Listening, MAX_MODES, Modes, PerMode, Point,
    UserModes,
};
use ictus::contact::coupled::{CompliantSurface, CoupledSolver};

/// A body with everything that a contact needs.
#[derive(Clone)]
pub struct Body {
    pub modes: Modes,
    pub bank: Bank,
    pub coupled_modes: CoupledModes,
}

impl Body {
    /// `count` modes, evenly spaced in octaves from `low_hz` to `high_hz`, each of `mass_kg` and
    /// with a decay rate of `loss` times its angular frequency. At contact slot `slot` mode `mode`
    /// deflects by `cos(slot mode)`, so slot 0 moves all modes alike.
    pub fn new(count: usize, low_hz: f64, high_hz: f64, mass_kg: f64, loss: f64) -> Self {
        let mut modes = Modes::default();
        for i in 0..count {
            let share = i as f64 / (count.max(2) - 1) as f64;
            let undamped = 2.0 * PI * low_hz * (high_hz / low_hz).powf(share);
            modes.decay_per_s[i] = loss * undamped;
            modes.omega[i] = undamped * (1.0 - loss * loss).sqrt();
        }
        modes.len = count.next_multiple_of(LANES);
        modes.slowest_per_s = modes.decay_per_s[0];
        let mut coupled_modes = CoupledModes::default();
        coupled_modes.set_masses(&[mass_kg; MAX_MODES]);
        for slot in 0..8 {
            let shape: PerMode =
                std::array::from_fn(
                    |i| if i < count { (slot as f64 * i as f64).cos() } else { 0.0 },
                );
            coupled_modes.set_point(slot, &shape);
        }
        Self { modes, bank: Bank::default(), coupled_modes }
    }

    /// 200 Hz to 18 kHz, light enough to move the striker.
    pub fn generic(count: usize) -> Self {
        Self::new(count, 200.0, 18_000.0, 0.1, 0.0005)
    }

    /// The same body with the coefficients of `ictus::body::Bank::process` for a sample rate, and
    /// two pickups.
    pub fn at_rate(mut self, sample_rate_hz: f64) -> Self {
        let hertz = |i: usize| self.modes.omega[i].hypot(self.modes.decay_per_s[i]) / (2.0 * PI);
        let (lowest_hz, loss_factor) = (hertz(0), self.modes.decay_per_s[0] / (PI * hertz(0)));
        let mode = |i: usize| UserMode {
            ratio: hertz(i) / lowest_hz,
            right: (2.0 * i as f64).cos(),
            ..UserMode::default()
        };
        let there = (0..self.modes.len).filter(|&i| self.modes.omega[i] > 0.0);
        let list = UserModes::new(&there.map(mode).collect::<Vec<_>>());
        self.modes.set_body(&Geometry::of(BodyKind::User), &list);
        let damping = Damping { support_per_s: 0.0, loss_factor, viscous_s: 0.0 };
        let listening = Listening { left: Point::along(0.0), right: Point::along(0.0) };
        self.modes.set(lowest_hz, &damping, listening, sample_rate_hz);
        self.modes.arrive();
        self
    }

    pub fn ground(&mut self) -> CoupledModesSurface<'_> {
        self.coupled_modes.on(&mut self.bank, &self.modes)
    }

    /// Processes one sample; returns the largest rise of energy in a sub-step, J.
    pub fn advance(&mut self, two_way: &mut CoupledSolver, dt_s: f64) -> f64 {
        let mut ground = self.coupled_modes.on(&mut self.bank, &self.modes);
        let mut before_j = energy_j(two_way, &ground);
        let mut growth_j = 0.0f64;
        two_way.advance_with(&mut ground, dt_s, &mut [], &mut |free_masses, ground| {
            let now_j = ground.energy_j()
                + free_masses.iter().map(|free_mass| free_mass.energy_j()).sum::<f64>();
            growth_j = growth_j.max(now_j - before_j);
            before_j = now_j;
        });
        growth_j
    }
}

/// Total energy, J.
pub fn energy_j(two_way: &CoupledSolver, ground: &impl CompliantSurface) -> f64 {
    ground.energy_j() + (0..8).map(|slot| two_way.free_mass(slot).energy_j()).sum::<f64>()
}
