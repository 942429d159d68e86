//! The step size of contacts when the work is bounded, as in a voice.

use ictus::contact::coupled::{CompliantSurface, StepBudget};
use ictus::contact::settings::Law;
use ictus::contact::{ContactSettings, CoupledSolver, HuntCrossley};

use super::body::Body;

/// Length of a budget window, s, and the work of all voices in it.
const WINDOW_S: f64 = 32.0 / 48_000.0;
const WORK: u32 = 24_000;
/// Length of each run, s.
const WATCH_S: f64 = 0.02;

/// Speeds, m/s, and onsets within the first sample.
const SPEEDS_AND_ONSETS: [(f64, f64); 9] = [
    (0.1, 0.0),
    (0.1, 0.45),
    (0.1, 0.7),
    (1.0, 0.1),
    (1.0, 0.45),
    (1.0, 0.8),
    (10.0, 0.2),
    (10.0, 0.45),
    (10.0, 0.9),
];

const LAWS_AND_GRAVITIES: [(Law, f64); 4] = [
    (Law::HuntCrossley, 0.0),
    (Law::HuntCrossley, 9.81),
    (Law::HertzDamper, 0.0),
    (Law::HertzDamper, 9.81),
];

#[derive(Clone, Copy, Debug, Default)]
struct Blow {
    kind: Law,
    modes: usize,
    rate_hz: f64,
    stiffness: f64,
    speed_m_per_s: f64,
    gravity_m_per_s2: f64,
    onset: f64,
    /// Work allowed per window.
    share: u32,
}

/// The result of one run.
#[derive(Default)]
struct Outcome {
    /// Sub-steps and impulse of each contact, N s.
    contacts: Vec<(u32, f64)>,
    /// Largest work in a window.
    work: u32,
    /// Largest rise of energy in one sub-step, as a share of the initial energy.
    growth: f64,
    /// Energy of the body at the end, J.
    rings_j: f64,
}

impl Outcome {
    /// Sub-steps of the first contact.
    fn first(&self) -> u32 {
        self.contacts.first().map_or(u32::MAX, |contact| contact.0)
    }

    /// Impulse of all contacts, and of those with fewer than 24 sub-steps.
    fn impulses_ns(&self) -> (f64, f64) {
        let sum = |below: u32| {
            self.contacts.iter().filter(|(steps, _)| *steps < below).map(|(_, ns)| ns).sum()
        };
        (sum(u32::MAX), sum(24))
    }
}

impl Blow {
    fn fall(&self) -> Outcome {
        let dt_s = 1.0 / self.rate_hz;
        let window = (WINDOW_S * self.rate_hz).round() as u32;
        let mut body = Body::generic(self.modes);
        let mut two_way = CoupledSolver::default();
        let law = HuntCrossley { stiffness: self.stiffness, mu_s_per_m: 0.3, alpha: 1.5 };
        let gravity_m_per_s2 = self.gravity_m_per_s2;
        let kind = self.kind;
        let settings = ContactSettings {
            law,
            kind,
            mass_kg: 0.01,
            gravity_m_per_s2,
            ..ContactSettings::default()
        };
        two_way.strike(&mut body.ground(), 0, &settings, self.speed_m_per_s, self.onset * dt_s);
        let start_j = two_way.free_mass(0).energy_j();
        let (mut outcome, mut now, mut before_j) = (Outcome::default(), 0, start_j);
        for sample in 0..(WATCH_S * self.rate_hz) as u32 {
            if sample % window == 0 {
                outcome.work = outcome.work.max(two_way.take_work());
                two_way.set_share(self.share);
            }
            two_way.advance_with(&mut body.ground(), dt_s, &mut [], &mut |free_masses, ground| {
                let now_j = free_masses[0].energy_j() + ground.energy_j();
                outcome.growth = outcome.growth.max((now_j - before_j) / start_j);
                before_j = now_j;
                now += u32::from(free_masses[0].compression_m() > 0.0);
                if free_masses[0].contacts() as usize > outcome.contacts.len() {
                    let last = free_masses[0].last_contact();
                    let impulse_ns = 0.01 * (last.own_in_m_per_s - last.v_out_m_per_s).abs();
                    outcome.contacts.push((std::mem::take(&mut now), impulse_ns));
                }
            });
        }
        outcome.rings_j = body.ground().energy_j();
        outcome
    }
}

/// Runs every combination with one share of the work.
fn all(share: u32, mut each: impl FnMut(&Blow, &Outcome)) {
    for (kind, gravity_m_per_s2) in LAWS_AND_GRAVITIES {
        for stiffness in [1e6, 1e8, 1e9, 2e10, 1e11] {
            for modes in [1, 32, 128] {
                for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
                    for (speed_m_per_s, onset) in SPEEDS_AND_ONSETS {
                        let blow = Blow {
                            kind,
                            modes,
                            rate_hz,
                            stiffness,
                            speed_m_per_s,
                            gravity_m_per_s2,
                            onset,
                            share,
                        };
                        let outcome = blow.fall();
                        assert!(outcome.growth <= 1e-12, "{blow:?}: {:e}", outcome.growth);
                        each(&blow, &outcome);
                    }
                }
            }
        }
    }
}

/// The first contact is the strike. Some of the later ones, in which a light body answers, are
/// glancing and shorter than predicted.
#[test]
fn a_contact_has_24_sub_steps() {
    for share in [StepBudget::UNLIMITED, WORK, WORK / 8] {
        let (mut contacts, mut fewest, mut short) = (0, u32::MAX, 0);
        let (mut impulse_ns, mut short_ns, mut work) = (0.0, 0.0, 0);
        all(share, |_, outcome| {
            contacts += outcome.contacts.len();
            fewest = fewest.min(outcome.first());
            short += outcome.contacts.iter().filter(|(steps, _)| *steps < 24).count();
            let (all_ns, below_ns) = outcome.impulses_ns();
            (impulse_ns, short_ns) = (impulse_ns + all_ns, short_ns + below_ns);
            work = work.max(outcome.work);
        });
        assert!(fewest >= 24, "{fewest}");
        let share_ns = short_ns / impulse_ns;
        // One voice alone, and one of eight.
        let most = if share == StepBudget::UNLIMITED {
            1e-4
        } else if share == WORK {
            0.05
        } else {
            0.5
        };
        assert!(share_ns < most, "share {share}: {share_ns}");
        println!(
            "share {share}: {contacts} contacts, the first with {fewest} or more; {short} below 24 with {share_ns:.1e} of the impulse; work {work}"
        );
    }
}

/// On average over all strikes of a stiffness, one of eight simultaneous voices leaves as much
/// energy in its body as a single voice. Single strikes on a light body are chaotic.
#[test]
fn a_share_that_is_spent_moves_the_level_by_less_than_1_db() {
    let levels = |share: u32| {
        let mut sums = [(0.0, 0); 5];
        all(share, |blow, outcome| {
            let index = [1e6, 1e8, 1e9, 2e10, 1e11]
                .iter()
                .position(|known| *known == blow.stiffness)
                .unwrap();
            let blow_j = 0.5 * 0.01 * blow.speed_m_per_s * blow.speed_m_per_s;
            sums[index].0 += 10.0 * (outcome.rings_j / blow_j).log10();
            sums[index].1 += 1;
        });
        sums.map(|(sum, count)| sum / f64::from(count))
    };
    let (free, bound) = (levels(StepBudget::UNLIMITED), levels(WORK / 8));
    println!("{free:.2?} dB without a bound, {bound:.2?} as one of eight");
    for (free, bound) in free.into_iter().zip(bound) {
        assert!((free - bound).abs() < 1.0, "{free} {bound}");
    }
}
