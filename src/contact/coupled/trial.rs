//! A trial: one mass against a ground at rest, and what becomes of the energy.

use super::super::settings::{ContactSettings, Oversampling};
use super::{CompliantSurface, CoupledSolver, MAX_STEPS};

/// Samples after which a mass that has not come off is called stuck: far beyond any contact that
/// the limits allow.
const MAX_SAMPLES: u32 = 2_000_000;

/// What to try, on seat 0 of a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledTrial {
    /// The contact.
    pub settings: ContactSettings,
    /// Speed at onset, m/s.
    pub v_in_m_per_s: f64,
    /// Sample interval, s.
    pub dt_s: f64,
    /// Where inside the first sample the contact begins, 0...1.
    pub onset: f64,
    /// How long it is watched from the onset on, s; longer if it has not come off by then.
    pub watch_s: f64,
}

/// What came of it.
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
    /// Contacts until the end.
    pub contacts: u32,
    /// The shortest sub-step, as a number of such per sample.
    pub max_steps: u32,
    /// It did not come off.
    pub stuck: bool,
}

impl CoupledTrial {
    /// Carry it out. The ground is left as it is at the end.
    pub fn run(&self, ground: &mut impl CompliantSurface) -> CoupledTrialResult {
        let mut two_way = CoupledSolver::default();
        two_way.strike(ground, 0, &self.settings, self.v_in_m_per_s, self.onset * self.dt_s);
        let start_j = two_way.free_mass(0).energy_j() + ground.energy_j();
        let mut verdict = CoupledTrialResult::default();
        let mut before_j = start_j;
        let samples = (self.watch_s / self.dt_s + self.onset).ceil() as u32;
        for sample in 0..MAX_SAMPLES {
            two_way.advance_with(ground, self.dt_s, &mut [], &mut |free_masses, ground| {
                let free_mass = &free_masses[0];
                let now_j = free_mass.energy_j() + ground.energy_j();
                verdict.max_energy_growth =
                    verdict.max_energy_growth.max((now_j - before_j) / start_j);
                before_j = now_j;
                verdict.first_contact_steps +=
                    u32::from(verdict.contacts == 0 && free_mass.compression_m() > 0.0);
                if verdict.contacts == 0 && free_mass.contacts() > 0 {
                    verdict.v_first = free_mass.last_contact().v_out_m_per_s / self.v_in_m_per_s;
                    verdict.first_contact_s = free_mass.last_contact().duration_s;
                }
                verdict.contacts = free_mass.contacts();
            });
            verdict.max_steps = verdict.max_steps.max(two_way.finest());
            if sample + 1 >= samples && verdict.contacts > 0 {
                break;
            }
        }
        verdict.stuck = verdict.contacts == 0;
        verdict.energy_ratio = before_j / start_j;
        verdict
    }

    /// The same until the first separation, beginning on a sample, with steps `times` finer than
    /// `max_steps` per sample.
    pub fn finer(&self, times: u32, max_steps: u32) -> Self {
        let steps_per_sample = Oversampling::Times(max_steps.clamp(1, MAX_STEPS));
        Self {
            settings: ContactSettings { steps_per_sample, ..self.settings },
            dt_s: self.dt_s / f64::from(times),
            onset: 0.0,
            watch_s: 0.0,
            ..*self
        }
    }
}
