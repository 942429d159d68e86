//! A trial: one mass, its rebounds off a rigid wall, and how far from the truth they were.
//!
//! The measures are those of the paper (III-B): deviations are the largest absolute ones over all
//! steps in contact, in per cent of `x_max` (eq. 28) and of the energy lost `|Delta H_tau|` (eq.
//! 27).

use super::onset::Onset;
use super::rigid::{ContactStep, RigidContact};
use super::settings::ContactSettings;
use super::striker::Striker;
use super::{Surface, Wall, contact_time, release};

/// Where rebounds begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grid {
    /// Each on a sample at x = 0 with the speed of the last release, as in the paper's Table III.
    #[default]
    Ideal,
    /// Wherever in the sample a real flight ends.
    Samples,
}

/// Most steps of one contact on the ideal grid: a lossless mass under gravity never comes off for
/// good.
const MAX_STEPS: u32 = 40_000_000;

/// Error of velocity per stride where the equation of motion is solved as a reference.
const FINE: f64 = 1e-13;

/// Restitution of one contact as the law has it.
fn restitution_exact(settings: &ContactSettings, v_in_m_per_s: f64) -> f64 {
    let settings = settings.within_limits();
    let onset = settings.at_onset(v_in_m_per_s);
    match onset.damper_n_s_per_m {
        Some(_) => onset.rebound(settings.mass_kg, v_in_m_per_s, FINE).e,
        None => release::exact(onset.law.mu_s_per_m * v_in_m_per_s).restitution,
    }
}

/// What to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidTrial {
    /// The contact. Its gravity makes the flights of [`Grid::Samples`].
    pub settings: ContactSettings,
    /// Speed of the first onset, m/s.
    pub v_in_m_per_s: f64,
    /// Sample rate, Hz.
    pub sample_rate_hz: f64,
    /// Where inside the sample the first contact begins, 0...1.
    pub onset: f64,
    /// How many contacts.
    pub rebounds: u32,
    /// Where they begin.
    pub grid: Grid,
}

/// What came of it. Without a word on which, a figure is of the first contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidTrialResult {
    /// Release velocity, m/s.
    pub v_out: f64,
    /// Compression at which the force was gone, m; 0 with Hunt–Crossley.
    pub x_separation_m: f64,
    /// Largest `|x - x(v)|`, % of x_max; 0 with a linear damper, which has no x(v).
    pub dev_x_pct: f64,
    /// Largest `|H - H(v)|`, % of the energy lost; 0 with a linear damper.
    pub dev_h_pct: f64,
    /// Steps in which the velocity said nothing about the compression (heavy damping), so that
    /// there was nothing to compare with; the deviations are without them.
    pub off_curve_steps: u32,
    /// Sample instants with x > 0.
    pub contact_samples: u32,
    /// From onset to release, s.
    pub contact_time_s: f64,
    /// Largest compression met in a step, m.
    pub x_max_m: f64,
    /// What the wall was given, N s.
    pub impulse_ns: f64,
    /// Contacts that took place.
    pub contacts: u32,
    /// Release speed of the last contact, m/s.
    pub last_speed_m_per_s: f64,
    /// All contacts together, s.
    pub contact_time_total_s: f64,
    /// On the real grid: all flights that ended together, s.
    pub flight_time_total_s: f64,
    /// On the real grid: from the first onset until the mass rests, or the last rebound asked for
    /// is over, s; to the sample.
    pub train_time_s: f64,
    /// Energy after the last contact against the exact chain of eq. (6), %.
    pub accumulated_err_pct: f64,
    /// Largest deviation of H along all contacts, %.
    pub max_dev_h_pct: f64,
    /// Largest rise of energy in one step, as a share of the energy at the start (above lying
    /// still).
    pub max_energy_growth: f64,
    /// An iteration did not settle within its bound.
    pub unsettled: bool,
}

impl RigidTrial {
    /// One contact beginning on a sample.
    pub fn single(settings: ContactSettings, v_in_m_per_s: f64, sample_rate_hz: f64) -> Self {
        Self { settings, v_in_m_per_s, sample_rate_hz, onset: 0.0, rebounds: 1, grid: Grid::Ideal }
    }

    /// The law with its damping at the first onset.
    pub fn onset(&self) -> Onset {
        self.settings.within_limits().at_onset(self.v_in_m_per_s)
    }

    /// Velocity of release as the law has it, m/s: eq. (6), or the equation of motion solved to
    /// 1e-11.
    pub fn v_out_exact(&self) -> f64 {
        -self.v_in_m_per_s * restitution_exact(&self.settings, self.v_in_m_per_s)
    }

    /// Contact time as the law has it, s: eq. (9), or the equation of motion.
    pub fn contact_time_exact_s(&self) -> f64 {
        let (onset, mass_kg) = (self.onset(), self.settings.mass_kg);
        match onset.damper_n_s_per_m {
            Some(_) => onset.rebound(mass_kg, self.v_in_m_per_s, FINE).time,
            None => contact_time::exact(&onset.law, mass_kg, self.v_in_m_per_s),
        }
    }

    /// Carry it out. Bounded by `rebounds` and, on the real grid, by an hour of samples.
    pub fn run(&self) -> RigidTrialResult {
        let mut tally = Tally::new(&RigidContact::begin(
            &self.settings,
            self.v_in_m_per_s,
            1.0 / self.sample_rate_hz,
        ));
        match self.grid {
            Grid::Ideal => self.run_ideal(&mut tally),
            Grid::Samples => self.run_samples(&mut tally),
        }
        tally.verdict(&self.settings, self.v_in_m_per_s)
    }

    fn run_ideal(&self, tally: &mut Tally) {
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
            for _ in 0..MAX_STEPS {
                let step = rigid_contact.step(length_s);
                let on_sample = index.is_multiple_of(count);
                tally.step(&rigid_contact, &step, on_sample);
                (index, length_s) = (if on_sample { 1 } else { index + 1 }, h_s);
                over = step.released || rigid_contact.is_resting();
                if over {
                    break;
                }
            }
            if !over {
                // Longer than anybody would wait for.
                tally.verdict.unsettled = true;
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
            // A flight is a parabola, however long.
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
        tally.verdict.flight_time_total_s = striker.flown_s() - self.onset * dt_s;
        tally.verdict.train_time_s = wall.time_s - self.onset * dt_s;
    }
}

/// Figures as they come in.
pub(super) struct Tally {
    verdict: RigidTrialResult,
    energy_start_j: f64,
    energy_j: f64,
    dev_x_pct: f64,
    dev_h_pct: f64,
    in_contact: bool,
}

impl Tally {
    pub(super) fn new(first: &RigidContact) -> Self {
        Self {
            verdict: RigidTrialResult::default(),
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

    pub(super) fn watch(&mut self, rigid_contact: &RigidContact, step: &ContactStep) {
        if !self.in_contact {
            self.onset(rigid_contact);
        }
        self.step(rigid_contact, step, false);
    }

    fn count_sample(&mut self, contacts: u32) {
        if contacts == 0 {
            self.verdict.contact_samples += 1;
        }
    }

    fn step(&mut self, rigid_contact: &RigidContact, step: &ContactStep, on_sample: bool) {
        let verdict = &mut self.verdict;
        let motion = rigid_contact.motion();
        let energy_j = rigid_contact.energy_j();
        verdict.max_energy_growth =
            verdict.max_energy_growth.max((energy_j - self.energy_j) / self.energy_start_j);
        verdict.unsettled |= motion.unsettled;
        verdict.contact_time_total_s += step.duration_s;
        self.energy_j = energy_j;
        let first = verdict.contacts == 0;
        if first {
            verdict.impulse_ns += step.force_n * step.duration_s;
            verdict.x_max_m = verdict.x_max_m.max(motion.x_m);
            if on_sample && !step.released {
                verdict.contact_samples += 1;
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
            verdict.off_curve_steps += 1;
            return;
        }
        let curve = rigid_contact.curve();
        let by_curve_m = rigid_contact.compression_by_curve_m(&motion);
        let off_x = (motion.x_m - by_curve_m).abs() / curve.x_max_m();
        // H - H(v) with the kinetic energy, which is in both, taken out by hand: with it the digits
        // would be gone where little is lost. H(v) is read from the velocity alone, so that the
        // correction is not judged by itself.
        let off_h = (rigid_contact.potential_j(motion.x_m) - curve.elastic_j(motion.v_m_per_s))
            .abs()
            / curve.loss_j();
        self.dev_x_pct = self.dev_x_pct.max(100.0 * off_x);
        self.dev_h_pct = self.dev_h_pct.max(100.0 * off_h);
    }

    fn release(&mut self, rigid_contact: &RigidContact) {
        let verdict = &mut self.verdict;
        let v_out = rigid_contact.motion().v_m_per_s;
        if verdict.contacts == 0 {
            verdict.v_out = v_out;
            verdict.x_separation_m = rigid_contact.separation_m();
            verdict.contact_time_s = rigid_contact.elapsed_s();
            (verdict.dev_x_pct, verdict.dev_h_pct) = (self.dev_x_pct, self.dev_h_pct);
        }
        verdict.max_dev_h_pct = verdict.max_dev_h_pct.max(self.dev_h_pct);
        verdict.last_speed_m_per_s = v_out.abs();
        verdict.contacts += 1;
        self.in_contact = false;
    }

    pub(super) fn verdict(self, settings: &ContactSettings, v_in_m_per_s: f64) -> RigidTrialResult {
        let mut verdict = self.verdict;
        let mut exact = v_in_m_per_s;
        for _ in 0..verdict.contacts {
            exact *= restitution_exact(settings, exact);
        }
        let ratio = verdict.last_speed_m_per_s / exact;
        verdict.accumulated_err_pct = 100.0 * (ratio - 1.0) * (ratio + 1.0);
        verdict
    }
}
