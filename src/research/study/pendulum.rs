//! The two pendulums of Poursina and Nikravesh (section 6), with contact laws and piecewise.
//!
//! Two thin rods hang side by side, `a` between their pivots; the tip of the short one (left) hits
//! the long one. The paper gives the geometry only as a drawing; this reading has its three impacts
//! in 8 s.

use crate::contact::restitution::Estimate;
use crate::contact::restitution::{fit, grid, hunt_crossley};

const GRAVITY_M_PER_S2: f64 = 9.81;
const LONG_M: f64 = 6.0;
const SHORT_M: f64 = 4.0;
const APART_M: f64 = 2.0;
/// Moments of inertia about the pivots, m L^2/3, of 1 kg and 0.2 kg.
const INERTIA: [f64; 2] = [LONG_M * LONG_M / 3.0, 0.2 * SHORT_M * SHORT_M / 3.0];
/// Stiffness, N/m^1.5.
const STIFFNESS: f64 = 1e8;
/// Exponent.
const EXPONENT: f64 = 1.5;
/// Wanted restitution.
pub const RESTITUTION: f64 = 0.3;
/// Simulated time, s.
const DURATION_S: f64 = 8.0;
/// Step in flight, s.
const FLIGHT_STEP_S: f64 = 1e-3;
/// Step in contact, s: some thousand per contact.
const CONTACT_STEP_S: f64 = 2e-7;

/// Model of the impacts.
#[derive(Clone, Copy, PartialEq)]
pub enum Model {
    /// Instantaneous, by impulse and momentum.
    Piecewise,
    /// Hertz spring and linear damper with c of our table.
    DamperExact,
    /// Hertz spring and linear damper with c of eq. (49).
    DamperClosedForm,
    /// Hunt–Crossley with the exact mu.
    HuntCrossleyExact,
    /// Hunt–Crossley with an estimate; the paper takes eq. (16).
    HuntCrossley(Estimate),
}

/// Angles and rates of the long rod and of the short one.
#[derive(Clone, Copy)]
pub struct State {
    /// rad.
    pub angle: [f64; 2],
    /// rad/s.
    pub rate: [f64; 2],
}

/// One impact.
#[derive(Clone, Copy)]
pub struct Impact {
    /// Onset, s.
    pub time_s: f64,
    /// Resulting restitution.
    pub e: f64,
}

/// Result of a simulation.
#[derive(Default)]
pub struct Simulation {
    /// Time and state.
    pub frames: Vec<(f64, State)>,
    /// All impacts.
    pub impacts: Vec<Impact>,
    /// Penetration (m) and force (N) during the first.
    pub first: Vec<(f64, f64)>,
}

/// The law of one contact: k x^n (1 + mu v) + c v.
#[derive(Clone, Copy, Default)]
struct Damping {
    mu: f64,
    c: f64,
}

impl State {
    fn start() -> Self {
        use std::f64::consts::PI;
        Self { angle: [PI / 12.0, -PI / 2.0], rate: [0.0; 2] }
    }

    /// Penetration of the tip into the long rod, m; negative before contact.
    fn penetration_m(&self) -> f64 {
        let [long, short] = self.angle;
        SHORT_M * (short - long).sin() - APART_M * long.cos()
    }

    /// Derivative of the penetration by the two angles.
    fn lever_m(&self) -> [f64; 2] {
        let [long, short] = self.angle;
        let across = SHORT_M * (short - long).cos();
        [APART_M * long.sin() - across, across]
    }

    fn closing_m_per_s(&self) -> f64 {
        let [a, b] = self.lever_m();
        a * self.rate[0] + b * self.rate[1]
    }

    fn effective_mass_kg(&self) -> f64 {
        let [a, b] = self.lever_m();
        1.0 / (a * a / INERTIA[0] + b * b / INERTIA[1])
    }

    fn force_n(&self, damping: Option<Damping>) -> f64 {
        let Some(Damping { mu, c }) = damping else { return 0.0 };
        let (x, v) = (self.penetration_m().max(0.0), self.closing_m_per_s());
        (STIFFNESS * x.powf(EXPONENT) * (1.0 + mu * v) + c * v).max(0.0)
    }

    fn derivative(&self, damping: Option<Damping>) -> [[f64; 2]; 2] {
        let force_n = self.force_n(damping);
        let lever = self.lever_m();
        let length = [LONG_M, SHORT_M];
        let mut turn = [0.0; 2];
        for i in 0..2 {
            turn[i] = -1.5 * GRAVITY_M_PER_S2 / length[i] * self.angle[i].sin()
                - lever[i] * force_n / INERTIA[i];
        }
        [self.rate, turn]
    }

    fn moved(&self, [rate, turn]: &[[f64; 2]; 2], h_s: f64) -> Self {
        let along = |from: [f64; 2], by: &[f64; 2]| [from[0] + h_s * by[0], from[1] + h_s * by[1]];
        Self { angle: along(self.angle, rate), rate: along(self.rate, turn) }
    }

    /// One Runge–Kutta step.
    fn step(&self, damping: Option<Damping>, h_s: f64) -> Self {
        let k1 = self.derivative(damping);
        let k2 = self.moved(&k1, 0.5 * h_s).derivative(damping);
        let k3 = self.moved(&k2, 0.5 * h_s).derivative(damping);
        let k4 = self.moved(&k3, h_s).derivative(damping);
        let mut sum = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                sum[i][j] = (k1[i][j] + 2.0 * (k2[i][j] + k3[i][j]) + k4[i][j]) / 6.0;
            }
        }
        self.moved(&sum, h_s)
    }
}

impl Model {
    fn damping(self, state: &State) -> Damping {
        let (m, v, e) = (state.effective_mass_kg(), state.closing_m_per_s(), RESTITUTION);
        match self {
            Model::Piecewise => Damping::default(),
            Model::DamperExact => {
                Damping { c: grid::damper_n_s_per_m(e, STIFFNESS, EXPONENT, m, v), mu: 0.0 }
            }
            Model::DamperClosedForm => {
                Damping { c: fit::damper_n_s_per_m(e, STIFFNESS, EXPONENT, m, v), mu: 0.0 }
            }
            Model::HuntCrossleyExact => Damping { mu: hunt_crossley::mu_s_per_m(e, v), c: 0.0 },
            Model::HuntCrossley(estimate) => Damping { mu: estimate.mu_s_per_m(e, v), c: 0.0 },
        }
    }
}

/// Simulates the pendulums.
pub fn run(model: Model) -> Simulation {
    let mut simulation = Simulation::default();
    let mut state = State::start();
    let mut time_s = 0.0;
    simulation.frames.push((time_s, state));
    while time_s < DURATION_S {
        let next = state.step(None, FLIGHT_STEP_S);
        if !(next.penetration_m() > 0.0
            && next.closing_m_per_s() > 0.0
            && state.penetration_m() <= 0.0)
        {
            state = next;
            time_s += FLIGHT_STEP_S;
            simulation.frames.push((time_s, state));
            continue;
        }
        // The onset, by bisection of the step.
        let (mut low, mut high) = (0.0, FLIGHT_STEP_S);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if state.step(None, middle).penetration_m() > 0.0 { &mut high } else { &mut low }) =
                middle;
        }
        state = state.step(None, low);
        time_s += low;
        let v_in = state.closing_m_per_s();
        let onset_s = time_s;
        if model == Model::Piecewise {
            let push = (1.0 + RESTITUTION) * v_in * state.effective_mass_kg();
            let lever = state.lever_m();
            for i in 0..2 {
                state.rate[i] -= lever[i] * push / INERTIA[i];
            }
        } else {
            collide(model, &mut state, &mut time_s, &mut simulation);
        }
        simulation.impacts.push(Impact { time_s: onset_s, e: -state.closing_m_per_s() / v_in });
        simulation.frames.push((time_s, state));
    }
    simulation
}

/// One contact, until its force is zero during separation.
fn collide(model: Model, state: &mut State, time_s: &mut f64, simulation: &mut Simulation) {
    let damping = Some(model.damping(state));
    let first = simulation.impacts.is_empty();
    for n in 0..1_000_000 {
        if first && n % 20 == 0 {
            simulation.first.push((state.penetration_m().max(0.0), state.force_n(damping)));
        }
        *state = state.step(damping, CONTACT_STEP_S);
        *time_s += CONTACT_STEP_S;
        if state.closing_m_per_s() < 0.0 && state.force_n(damping) == 0.0 {
            break;
        }
    }
}
