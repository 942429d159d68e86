//! Trials: the rebounds of one mass off a rigid wall and their errors, and one mass on a coupled
//! surface and its energy.
//!
//! The measures are those of the paper (III-B): deviations are the largest absolute ones over all
//! steps in contact, in per cent of `x_max` (eq. 28) and of the energy lost `|Delta H_tau|` (eq.
//! 27).

use super::coupled::{CompliantSurface, CoupledSolver, MAX_STEPS as MAX_COUPLED_STEPS};
use super::restitution::Onset;
use super::rigid::{ContactStep, RigidContact};
use super::settings::{ContactSettings, Oversampling};
use super::striker::Striker;
use super::{Surface, Wall, contact_time, release};

/// Onsets of the rebounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grid {
    /// Each on a sample, at x = 0 and with the speed of the last release, as in Table III.
    #[default]
    Ideal,
    /// Where the flight ends within a sample.
    Samples,
}

/// Maximum steps of one contact on the ideal grid: a lossless mass under gravity never separates
/// for good.
const MAX_STEPS: u32 = 40_000_000;

/// Error of velocity per step of the reference solution of the equation of motion.
const FINE: f64 = 1e-13;

/// Restitution of one contact by the law.
fn restitution_exact(settings: &ContactSettings, v_in_m_per_s: f64) -> f64 {
    let settings = settings.within_limits();
    let onset = settings.at_onset(v_in_m_per_s);
    match onset.damper_n_s_per_m {
        Some(_) => onset.rebound(settings.mass_kg, v_in_m_per_s, FINE).e,
        None => release::exact(onset.law.mu_s_per_m * v_in_m_per_s).restitution,
    }
}

/// A trial against a rigid wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidTrial {
    /// Settings of the contact. The flights of [`Grid::Samples`] follow from the gravity.
    pub settings: ContactSettings,
    /// Speed of the first onset, m/s.
    pub v_in_m_per_s: f64,
    /// Sample rate, Hz.
    pub sample_rate_hz: f64,
    /// Position of the first onset within the sample, 0...1.
    pub onset: f64,
    /// Number of contacts.
    pub rebounds: u32,
    /// Onsets of the contacts.
    pub grid: Grid,
}

/// Result of a trial. Unless stated otherwise, a figure describes the first contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidTrialResult {
    /// Release velocity, m/s.
    pub v_out: f64,
    /// Compression at release, m; 0 with Hunt–Crossley.
    pub x_separation_m: f64,
    /// Largest `|x - x(v)|`, % of x_max; 0 with a linear damper, which has no x(v).
    pub dev_x_pct: f64,
    /// Largest `|H - H(v)|`, % of the energy lost; 0 with a linear damper.
    pub dev_h_pct: f64,
    /// Steps in which the velocity did not determine the compression (heavy damping); the
    /// deviations exclude them.
    pub off_curve_steps: u32,
    /// Sample instants with x > 0.
    pub contact_samples: u32,
    /// From onset to release, s.
    pub contact_time_s: f64,
    /// Largest compression of all steps, m.
    pub x_max_m: f64,
    /// Impulse on the wall, N s.
    pub impulse_ns: f64,
    /// Number of contacts.
    pub contacts: u32,
    /// Release speed of the last contact, m/s.
    pub last_speed_m_per_s: f64,
    /// Total time of all contacts, s.
    pub contact_time_total_s: f64,
    /// On the sample grid: total time of all finished flights, s.
    pub flight_time_total_s: f64,
    /// On the sample grid: from the first onset until the mass rests or the last rebound ends, s,
    /// to one sample.
    pub train_time_s: f64,
    /// Energy after the last contact against the exact chain of eq. (6), %.
    pub accumulated_err_pct: f64,
    /// Largest deviation of H along all contacts, %.
    pub max_dev_h_pct: f64,
    /// Largest rise of energy in one step, as a share of the energy at the start (above rest).
    pub max_energy_growth: f64,
    /// An iteration did not converge within its bound.
    pub unsettled: bool,
}

impl RigidTrial {
    /// One contact that begins on a sample.
    pub fn single(settings: ContactSettings, v_in_m_per_s: f64, sample_rate_hz: f64) -> Self {
        Self { settings, v_in_m_per_s, sample_rate_hz, onset: 0.0, rebounds: 1, grid: Grid::Ideal }
    }

    /// The law with its damping at the first onset.
    pub fn onset(&self) -> Onset {
        self.settings.within_limits().at_onset(self.v_in_m_per_s)
    }

    /// Release velocity by the law, m/s: eq. (6), or the equation of motion solved to 1e-11.
    pub fn v_out_exact(&self) -> f64 {
        -self.v_in_m_per_s * restitution_exact(&self.settings, self.v_in_m_per_s)
    }

    /// Contact time by the law, s: eq. (9), or the equation of motion.
    pub fn contact_time_exact_s(&self) -> f64 {
        let (onset, mass_kg) = (self.onset(), self.settings.mass_kg);
        match onset.damper_n_s_per_m {
            Some(_) => onset.rebound(mass_kg, self.v_in_m_per_s, FINE).time,
            None => contact_time::exact(&onset.law, mass_kg, self.v_in_m_per_s),
        }
    }

    /// Runs the trial. Bounded by `rebounds` and, on the sample grid, by an hour of samples.
    pub fn run(&self) -> RigidTrialResult {
        let mut tally = Tally::new(&RigidContact::begin(
            &self.settings,
            self.v_in_m_per_s,
            1.0 / self.sample_rate_hz,
        ));
        match self.grid {
            Grid::Ideal => self.run_ideal(&mut tally, MAX_STEPS, &mut |_, _| {}),
            Grid::Samples => self.run_samples(&mut tally),
        }
        tally.result(&self.settings, self.v_in_m_per_s)
    }

    /// Runs on the ideal grid with at most `max_steps` steps per contact and passes every step to
    /// `watch`. A contact that has not ended by then is not counted.
    pub fn run_watched(
        &self,
        max_steps: u32,
        watch: &mut impl FnMut(&RigidContact, &ContactStep),
    ) -> RigidTrialResult {
        let dt_s = 1.0 / self.sample_rate_hz;
        let mut tally = Tally::new(&RigidContact::begin(&self.settings, self.v_in_m_per_s, dt_s));
        self.run_ideal(&mut tally, max_steps, watch);
        tally.result(&self.settings, self.v_in_m_per_s)
    }

    fn run_ideal(
        &self,
        tally: &mut Tally,
        max_steps: u32,
        watch: &mut impl FnMut(&RigidContact, &ContactStep),
    ) {
        let dt_s = 1.0 / self.sample_rate_hz;
        let mut v_in = self.v_in_m_per_s;
        for _ in 0..self.rebounds {
            let mut rigid_contact = RigidContact::begin(&self.settings, v_in, dt_s);
            let count = rigid_contact.steps_per_sample();
            let h_s = dt_s / f64::from(count);
            let mut index = (self.onset * f64::from(count)) as u32 + 1;
            let mut length_s = f64::from(index) * h_s - self.onset * dt_s;
            tally.onset(&rigid_contact);
            let mut over = false;
            for _ in 0..max_steps {
                let step = rigid_contact.step(length_s);
                watch(&rigid_contact, &step);
                let on_sample = index.is_multiple_of(count);
                tally.step(&rigid_contact, &step, on_sample);
                (index, length_s) = (if on_sample { 1 } else { index + 1 }, h_s);
                over = step.released || rigid_contact.is_resting();
                if over {
                    break;
                }
            }
            if !over {
                tally.result.unsettled = true;
                break;
            }
            v_in = -rigid_contact.motion().v_m_per_s;
            if rigid_contact.is_resting() || v_in <= 0.0 {
                break;
            }
        }
    }

    fn run_samples(&self, tally: &mut Tally) {
        let dt_s = 1.0 / self.sample_rate_hz;
        let mut striker = Striker::new();
        let mut wall = Wall::default();
        striker.strike(&self.settings, self.v_in_m_per_s, self.onset * dt_s);
        let max = (3600.0 * self.sample_rate_hz) as u64;
        let mut sample = 0;
        while sample < max {
            let airborne = striker.airborne(max - sample, dt_s);
            if airborne > 0 {
                striker.fly(airborne);
                wall.push(0.0, airborne as f64 * dt_s);
                sample += airborne;
                continue;
            }
            sample += 1;
            let before = striker.contacts();
            striker.advance_watched(dt_s, &mut wall, &mut |rigid_contact, step| {
                tally.watch(rigid_contact, step)
            });
            if striker.contacts() == before && striker.compression_m() > 0.0 {
                tally.count_sample(striker.contacts());
            }
            if striker.contacts() >= self.rebounds || !striker.is_active() || striker.is_resting() {
                break;
            }
        }
        tally.result.flight_time_total_s = striker.flown_s() - self.onset * dt_s;
        tally.result.train_time_s = wall.time_s - self.onset * dt_s;
    }
}

/// Collects the figures of a trial.
struct Tally {
    result: RigidTrialResult,
    energy_start_j: f64,
    energy_j: f64,
    dev_x_pct: f64,
    dev_h_pct: f64,
    in_contact: bool,
}

impl Tally {
    fn new(first: &RigidContact) -> Self {
        Self {
            result: RigidTrialResult::default(),
            energy_start_j: first.onset_energy_j(),
            energy_j: first.energy_j(),
            dev_x_pct: 0.0,
            dev_h_pct: 0.0,
            in_contact: false,
        }
    }

    fn onset(&mut self, rigid_contact: &RigidContact) {
        let v_in = rigid_contact.curve().v_in_m_per_s;
        self.energy_j = 0.5 * rigid_contact.curve().mass_kg * v_in * v_in;
        (self.dev_x_pct, self.dev_h_pct) = (0.0, 0.0);
        self.in_contact = true;
    }

    fn watch(&mut self, rigid_contact: &RigidContact, step: &ContactStep) {
        if !self.in_contact {
            self.onset(rigid_contact);
        }
        self.step(rigid_contact, step, false);
    }

    fn count_sample(&mut self, contacts: u32) {
        if contacts == 0 {
            self.result.contact_samples += 1;
        }
    }

    fn step(&mut self, rigid_contact: &RigidContact, step: &ContactStep, on_sample: bool) {
        let result = &mut self.result;
        let motion = rigid_contact.motion();
        let energy_j = rigid_contact.energy_j();
        result.max_energy_growth =
            result.max_energy_growth.max((energy_j - self.energy_j) / self.energy_start_j);
        result.unsettled |= motion.unsettled;
        result.contact_time_total_s += step.duration_s;
        self.energy_j = energy_j;
        let first = result.contacts == 0;
        if first {
            result.impulse_ns += step.force_n * step.duration_s;
            result.x_max_m = result.x_max_m.max(motion.x_m);
            if on_sample && !step.released {
                result.contact_samples += 1;
            }
        }
        if step.released {
            self.release(rigid_contact);
            return;
        }
        if rigid_contact.is_damped() {
            return;
        }
        if rigid_contact.is_off_curve() {
            result.off_curve_steps += 1;
            return;
        }
        let curve = rigid_contact.curve();
        let by_curve_m = rigid_contact.compression_by_curve_m(&motion);
        let off_x = (motion.x_m - by_curve_m).abs() / curve.x_max_m();
        // H - H(v) without the common kinetic energy, which would cancel digits where little is
        // lost. H(v) follows from the velocity alone, so that the correction is not compared with
        // itself.
        let off_h = (rigid_contact.potential_j(motion.x_m) - curve.elastic_j(motion.v_m_per_s))
            .abs()
            / curve.loss_j();
        self.dev_x_pct = self.dev_x_pct.max(100.0 * off_x);
        self.dev_h_pct = self.dev_h_pct.max(100.0 * off_h);
    }

    fn release(&mut self, rigid_contact: &RigidContact) {
        let result = &mut self.result;
        let v_out = rigid_contact.motion().v_m_per_s;
        if result.contacts == 0 {
            result.v_out = v_out;
            result.x_separation_m = rigid_contact.separation_m();
            result.contact_time_s = rigid_contact.elapsed_s();
            (result.dev_x_pct, result.dev_h_pct) = (self.dev_x_pct, self.dev_h_pct);
        }
        result.max_dev_h_pct = result.max_dev_h_pct.max(self.dev_h_pct);
        result.last_speed_m_per_s = v_out.abs();
        result.contacts += 1;
        self.in_contact = false;
    }

    fn result(self, settings: &ContactSettings, v_in_m_per_s: f64) -> RigidTrialResult {
        let mut result = self.result;
        let mut exact = v_in_m_per_s;
        for _ in 0..result.contacts {
            exact *= restitution_exact(settings, exact);
        }
        let ratio = result.last_speed_m_per_s / exact;
        result.accumulated_err_pct = 100.0 * (ratio - 1.0) * (ratio + 1.0);
        result
    }
}

/// Samples after which a mass that has not separated counts as stuck: far beyond any contact within
/// the limits.
const MAX_SAMPLES: u32 = 2_000_000;

/// A trial on slot 0 of a coupled surface at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledTrial {
    /// Settings of the contact.
    pub settings: ContactSettings,
    /// Speed at onset, m/s.
    pub v_in_m_per_s: f64,
    /// Sample interval, s.
    pub dt_s: f64,
    /// Position of the onset within the first sample, 0...1.
    pub onset: f64,
    /// Duration from the onset on, s; longer if the mass has not separated by then.
    pub watch_s: f64,
}

/// Result of a coupled trial.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoupledTrialResult {
    /// Largest rise of the total physical energy in one step, as a share of that at the start.
    pub max_energy_growth: f64,
    /// Energy at the end over that at the start.
    pub energy_ratio: f64,
    /// Velocity of the mass at its first separation over that of impact, positive into the surface.
    pub v_first: f64,
    /// Duration of the first contact, s.
    pub first_contact_s: f64,
    /// Sub-steps in the first contact.
    pub first_contact_steps: u32,
    /// Number of contacts.
    pub contacts: u32,
    /// Sub-steps per sample of the shortest length used.
    pub max_steps: u32,
    /// The mass did not separate.
    pub stuck: bool,
}

impl CoupledTrial {
    /// Runs the trial, and leaves the surface in its final state.
    pub fn run(&self, surface: &mut impl CompliantSurface) -> CoupledTrialResult {
        let mut solver = CoupledSolver::default();
        solver.strike(surface, 0, &self.settings, self.v_in_m_per_s, self.onset * self.dt_s);
        let start_j = solver.free_mass(0).energy_j() + surface.energy_j();
        let mut result = CoupledTrialResult::default();
        let mut before_j = start_j;
        let samples = (self.watch_s / self.dt_s + self.onset).ceil() as u32;
        for sample in 0..MAX_SAMPLES {
            solver.advance_with(surface, self.dt_s, &mut [], &mut |free_masses, surface| {
                let free_mass = &free_masses[0];
                let now_j = free_mass.energy_j() + surface.energy_j();
                result.max_energy_growth =
                    result.max_energy_growth.max((now_j - before_j) / start_j);
                before_j = now_j;
                result.first_contact_steps +=
                    u32::from(result.contacts == 0 && free_mass.compression_m() > 0.0);
                if result.contacts == 0 && free_mass.contacts() > 0 {
                    result.v_first = free_mass.last_contact().v_out_m_per_s / self.v_in_m_per_s;
                    result.first_contact_s = free_mass.last_contact().duration_s;
                }
                result.contacts = free_mass.contacts();
            });
            result.max_steps = result.max_steps.max(solver.finest());
            if sample + 1 >= samples && result.contacts > 0 {
                break;
            }
        }
        result.stuck = result.contacts == 0;
        result.energy_ratio = before_j / start_j;
        result
    }

    /// The same trial until the first separation, from an onset on a sample, with steps `times`
    /// finer than `max_steps` per sample.
    pub fn finer(&self, times: u32, max_steps: u32) -> Self {
        let steps_per_sample = Oversampling::Times(max_steps.clamp(1, MAX_COUPLED_STEPS));
        Self {
            settings: ContactSettings { steps_per_sample, ..self.settings },
            dt_s: self.dt_s / f64::from(times),
            onset: 0.0,
            watch_s: 0.0,
            ..*self
        }
    }
}
