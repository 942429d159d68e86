//! The life cycle of a striker on a ringing body, as a voice runs it.

use ictus::body::bank::CHUNK;
use ictus::contact::coupled::{
    CompliantSurface, ContactBody, InverseMassFn, MotionBounds, OccupiedSlot,
};
use ictus::contact::integrator::passive::{Push, Reach};
use ictus::contact::law::Spring;
use ictus::contact::{ContactSettings, CoupledSolver, HuntCrossley, Oversampling};

use super::body::{Body, energy_j};

const RATE_HZ: f64 = 48_000.0;
const DT_S: f64 = 1.0 / RATE_HZ;

fn mallet() -> ContactSettings {
    let law = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.3, alpha: 1.5 };
    ContactSettings { law, mass_kg: 0.02, ..ContactSettings::default() }
}

fn ball() -> ContactSettings {
    ContactSettings { gravity_m_per_s2: 9.81, restitution: Some(0.8), ..mallet() }
}

/// Plays as a voice does: in blocks while nothing can touch, sample by sample otherwise. Returns
/// the left channel and the number of samples that ran in blocks.
fn play(
    body: &mut Body,
    two_way: &mut CoupledSolver,
    samples: usize,
    blocks: impl Fn(usize) -> usize,
) -> (Vec<f64>, usize) {
    let (mut heard, mut coasted, mut since_tick, mut block) = (Vec::new(), 0, 0, 0);
    while heard.len() < samples {
        let size = blocks(block).min(samples - heard.len());
        block += 1;
        let mut done = 0;
        while done < size {
            let room = CHUNK - since_tick;
            // Reading the body ends the bank's frame, so read it only where a contact-free stretch
            // begins or ends.
            let free = match two_way.coasting_samples() {
                0 => two_way.free_samples(
                    &mut body.coupled_modes.on(&mut body.bank, &body.modes),
                    DT_S,
                    room,
                ),
                left => left.min(room),
            };
            let free = free.min(size - done);
            let n = free.max(1);
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            if free > 0 {
                body.bank.process(&mut body.modes, &mut l[..n], &mut r[..n]);
                if two_way.coasted(n) {
                    two_way.land(&mut body.coupled_modes.on(&mut body.bank, &body.modes));
                }
                coasted += n;
            } else {
                two_way.advance(&mut body.coupled_modes.on(&mut body.bank, &body.modes), DT_S);
                body.modes.move_on(1);
                l[0] = body.bank.hear(&body.modes).0;
            }
            heard.extend_from_slice(&l[..n]);
            done += n;
            since_tick = (since_tick + n) % CHUNK;
        }
    }
    (heard, coasted)
}

#[test]
fn a_strike_rings_out_in_blocks() {
    let mut body = Body::generic(32).at_rate(RATE_HZ);
    let mut two_way = CoupledSolver::default();
    two_way.strike(&mut body.ground(), 0, &mallet(), 2.0, 0.3 * DT_S);
    let (heard, coasted) = play(&mut body, &mut two_way, 48_000, |_| 64);
    assert!(!two_way.is_active(), "{:?}", two_way.free_mass(0));
    assert!(coasted > 40_000, "only {coasted} samples went block-wise");
    let loud = heard.iter().fold(0.0f64, |a, x| a.max(x.abs()));
    assert!(heard.iter().all(|x| x.is_finite()) && loud > 0.1, "{loud}");
    let end = heard[47_000..].iter().fold(0.0f64, |a, x| a.max(x.abs()));
    assert!(end > 0.0 && end < 0.5 * loud, "{end} of {loud}");
    // The same, sample by sample, without blocks.
    let mut other = Body::generic(32).at_rate(RATE_HZ);
    let mut same = CoupledSolver::default();
    same.strike(&mut other.ground(), 0, &mallet(), 2.0, 0.3 * DT_S);
    for x in &heard {
        same.advance(&mut other.ground(), DT_S);
        other.modes.move_on(1);
        let (left, _) = other.bank.hear(&other.modes);
        // The block path renders in single precision.
        assert!((left - x).abs() < 1e-6 * loud, "{left} {x}");
    }
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    let run = |blocks: fn(usize) -> usize| {
        let mut body = Body::generic(6).at_rate(RATE_HZ);
        let mut two_way = CoupledSolver::default();
        two_way.throw(&mut body.ground(), 0, &ball(), 0.005, 0.0);
        two_way.strike(&mut body.ground(), 1, &mallet(), 1.0, 0.01);
        play(&mut body, &mut two_way, 20_000, blocks)
    };
    let (whole, coasted) = run(|_| 20_000);
    assert!(coasted > 5_000, "{coasted}");
    for blocks in [(|_| 1) as fn(usize) -> usize, |n| 1 + (n * 37) % 101, |_| 64, |_| 20_000] {
        assert!(run(blocks).0.iter().zip(&whole).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

#[test]
fn a_ringing_body_strikes_a_mass_that_hangs_before_it() {
    let mut body = Body::generic(6);
    let mut two_way = CoupledSolver::default();
    two_way.strike(&mut body.ground(), 1, &mallet(), 5.0, 0.0);
    for _ in 0..100 {
        body.advance(&mut two_way, DT_S);
    }
    let mut hanging = CoupledSolver::default();
    let height_m = 0.1 * body.ground().motion_bounds(0).reach_m;
    hanging.throw(&mut body.ground(), 0, &mallet(), height_m, 0.0);
    let start_j = energy_j(&hanging, &body.ground());
    let mut samples = 0;
    while hanging.is_active() && samples < 48_000 {
        let growth_j = body.advance(&mut hanging, DT_S);
        assert!(growth_j <= 1e-12 * start_j, "{}", growth_j / start_j);
        samples += 1;
    }
    assert!(
        hanging.free_mass(0).contacts() > 0 && hanging.free_mass(0).velocity_m_per_s() < 0.0,
        "{:?}",
        hanging.free_mass(0)
    );
    assert!(!hanging.is_active(), "never left");
    println!("struck {} times within {samples} samples", hanging.free_mass(0).contacts());
}

#[test]
fn a_moving_body_is_struck_at_the_speed_between_the_two() {
    // A heavy body that moves away at 1 m/s: a lossless strike at 3 m/s equals one at 2 m/s in the
    // body's frame.
    let mass_kg = 0.05;
    let blow = ContactSettings {
        law: HuntCrossley { stiffness: 1e9, mu_s_per_m: 0.0, alpha: 1.5 },
        ..ContactSettings::default()
    };
    for body_m_per_s in [-1.0, 1.0] {
        let mut body = Body::new(1, 0.01, 0.01, mass_kg, 0.0);
        let mut forces_n = [0.0; 8];
        forces_n[0] = mass_kg * body_m_per_s / DT_S;
        let ground = &mut body.ground();
        ground.prepare(1, DT_S);
        ground.push(&forces_n);
        let mut two_way = CoupledSolver::default();
        two_way.strike(ground, 0, &blow, 3.0, 0.0);
        for _ in 0..100 {
            body.advance(&mut two_way, DT_S);
        }
        let approach = 3.0 - body_m_per_s;
        let wanted = 3.0 - 2.0 * mass_kg / (mass_kg + blow.mass_kg) * approach;
        let got = two_way.free_mass(0).last_contact();
        assert!((got.v_in_m_per_s / approach - 1.0).abs() < 1e-3, "{got:?}");
        assert!((got.v_out_m_per_s - wanted).abs() < 1e-3, "{got:?} instead of {wanted}");
    }
}

#[test]
fn steps_may_change_at_every_sample() {
    let mut body = Body::generic(32);
    let mut two_way = CoupledSolver::default();
    two_way.strike(&mut body.ground(), 0, &mallet(), 3.0, 0.0);
    let start_j = energy_j(&two_way, &body.ground());
    for sample in 0..400u32 {
        let steps_per_sample = Oversampling::Times(1 << (sample * 7 % 11));
        two_way.free_mass_mut(0).set_settings(&ContactSettings { steps_per_sample, ..mallet() });
        let growth_j = body.advance(&mut two_way, DT_S);
        assert!(growth_j <= 1e-12 * start_j, "sample {sample}: {}", growth_j / start_j);
    }
    assert!(two_way.free_mass(0).contacts() > 0);
}

#[test]
fn a_mass_that_is_lifted_off_takes_energy_and_is_gone() {
    let mut body = Body::generic(6);
    let mut two_way = CoupledSolver::default();
    let heavy = ContactSettings {
        law: HuntCrossley { stiffness: 1e4, mu_s_per_m: 0.1, alpha: 1.5 },
        mass_kg: 1.0,
        ..ContactSettings::default()
    };
    two_way.strike(&mut body.ground(), 0, &heavy, 1.0, 0.0);
    for _ in 0..200 {
        body.advance(&mut two_way, DT_S);
    }
    assert!(two_way.free_mass(0).is_in_contact());
    let start_j = energy_j(&two_way, &body.ground());
    two_way.free_mass_mut(0).lift_off(0.02);
    let mut samples = 0;
    while two_way.is_active() && samples < 2_000 {
        assert!(body.advance(&mut two_way, DT_S) <= 1e-12 * start_j);
        samples += 1;
    }
    assert!((950..=961).contains(&samples), "{samples}");
}

#[test]
fn invalid_values_are_refused_and_extremes_stay_finite() {
    let mut body = Body::generic(6);
    for (v, delay_s) in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (1.0, f64::NAN)] {
        let mut two_way = CoupledSolver::default();
        two_way.strike(&mut body.ground(), 0, &mallet(), v, delay_s);
        for _ in 0..10 {
            body.advance(&mut two_way, DT_S);
        }
    }
    assert!(body.ground().energy_j().is_finite());
    for stiffness in [0.0, 1e3, 1e11, f64::INFINITY] {
        for mass_kg in [1e-5, 100.0] {
            for alpha in [1.0, 3.5] {
                for v in [1e-3, 1e3] {
                    let law = HuntCrossley { stiffness, mu_s_per_m: 5.0, alpha };
                    let wild = ContactSettings {
                        law,
                        mass_kg,
                        gravity_m_per_s2: 100.0,
                        ..ContactSettings::default()
                    };
                    let mut two_way = CoupledSolver::default();
                    let mut body = Body::generic(6);
                    two_way.strike(&mut body.ground(), 0, &wild, v, 0.5 * DT_S);
                    // A soft spring under a large weight: potential energy dominates.
                    let start_j = energy_j(&two_way, &body.ground()) + 0.05 * 100.0 * mass_kg;
                    for _ in 0..50 {
                        let growth_j = body.advance(&mut two_way, DT_S);
                        assert!(
                            growth_j <= 1e-12 * start_j,
                            "{wild:?} {v}: {}",
                            growth_j / start_j
                        );
                    }
                    assert!(energy_j(&two_way, &body.ground()).is_finite());
                }
            }
        }
    }
}

/// A mass over a moving profile, which rises and falls by `HEIGHT_M` sixty times a second.
struct Rolling {
    x_m: f64,
    v_m_per_s: f64,
    time_s: f64,
    force_n: f64,
    imposed_j: f64,
    spring: Spring,
    rise_m: f64,
}

const HEIGHT_M: f64 = 2e-5;
const ROLLING_KG: f64 = 0.05;

impl ContactBody for Rolling {
    fn target_substeps(&mut self, _: &MotionBounds, _: InverseMassFn<'_>, _: f64) -> Option<u32> {
        Some(16)
    }

    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach {
        let profile = |time_s: f64| HEIGHT_M * (2.0 * std::f64::consts::PI * 60.0 * time_s).sin();
        self.rise_m = profile(self.time_s + h_s) - profile(self.time_s);
        let free_m = h_s * (self.v_m_per_s + 0.5 * 9.81 * h_s) - surface_m + self.rise_m;
        Reach {
            x_m: self.x_m,
            free_m,
            mobility_m_per_n: 0.5 * h_s * h_s / ROLLING_KG,
            h_s,
            guess_n: self.force_n,
        }
    }

    fn spring(&self) -> &Spring {
        &self.spring
    }

    fn accept(&mut self, push: &Push, h_s: f64) {
        // Moving the profile does work against the contact force.
        self.imposed_j += push.force_n * self.rise_m;
        self.v_m_per_s += h_s * (9.81 - push.force_n / ROLLING_KG);
        self.x_m += push.change_m;
        self.force_n = push.force_n;
        self.time_s += h_s;
    }

    fn dissipate(&mut self, _: f64) {
        panic!("did not settle");
    }
}

#[test]
fn a_profile_may_pass_under_a_guest_while_another_strikes() {
    let mut body = Body::generic(6);
    let mut two_way = CoupledSolver::default();
    let slot = two_way.free_slot().unwrap();
    two_way.claim(slot, true);
    let mut rolling = Rolling {
        x_m: 0.0,
        v_m_per_s: 0.0,
        time_s: 0.0,
        force_n: 0.0,
        imposed_j: 0.0,
        spring: HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.5, alpha: 1.5 }.prepare(),
        rise_m: 0.0,
    };
    let (mut impulse_ns, samples) = (0.0, 48_000);
    for sample in 0..samples {
        if sample == 24_000 {
            let free = two_way.free_slot().unwrap();
            assert_ne!(free, slot);
            two_way.strike(&mut body.ground(), free, &mallet(), 1.0, 0.0);
        }
        let ground = &mut body.coupled_modes.on(&mut body.bank, &body.modes);
        two_way.advance_with(
            ground,
            DT_S,
            &mut [OccupiedSlot { slot, contact_body: &mut rolling }],
            &mut |_, _| {},
        );
        impulse_ns += rolling.force_n * DT_S;
    }
    assert!(!two_way.is_unsettled() && rolling.imposed_j.is_finite());
    let carried = impulse_ns / (ROLLING_KG * 9.81 * samples as f64 * DT_S);
    assert!((carried - 1.0).abs() < 0.05, "{carried} of its weight");
    assert!(body.ground().energy_j() > 0.0);
}
