//! On the sample grid, in every gesture and with both laws, the contact yields the wanted
//! restitution however short it is, never pulls, and never gains energy.

use ictus::contact::restitution::{fit, grid, rebound};
use ictus::contact::trial::{Grid, RigidTrial};
use ictus::contact::{
    ContactSettings, DamperFit, Dent, HuntCrossley, Integrator, Law, Release, Striker, Surface,
    Wall,
};

const RATES_HZ: [f64; 2] = [44_100.0, 192_000.0];

/// Numbers from 0 to 1 (SplitMix64).
struct TestRng(u64);

impl TestRng {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn linear(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn log(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

/// Draws a system of the paper's section 5.1, its speed and its onset within the sample. Half of
/// the values of e are uniform, half are logarithmic.
fn paper_system(dice: &mut TestRng, index: u32) -> (ContactSettings, f64, f64) {
    let e = if index.is_multiple_of(2) { dice.linear(1e-4, 1.0) } else { dice.log(1e-4, 1.0) };
    let settings = ContactSettings {
        kind: Law::HertzDamper,
        law: HuntCrossley {
            stiffness: dice.log(1e5, 1e10),
            mu_s_per_m: 0.0,
            alpha: dice.linear(1.0, 2.0),
        },
        mass_kg: dice.log(1e-5, 1e2),
        restitution: Some(e),
        ..ContactSettings::default()
    };
    (settings, dice.log(1e-3, 1e2), dice.unit())
}

/// The impulse on the wall, and the lowest force: negative if the contact ever pulls.
#[derive(Default)]
struct WallForce {
    wall: Wall,
    lowest_n: f64,
}

impl Surface for WallForce {
    fn push(&mut self, force_n: f64, duration_s: f64) {
        self.lowest_n = self.lowest_n.min(force_n);
        self.wall.push(force_n, duration_s);
    }
}

/// One strike on the sample grid. Returns the restitution, and the impulse in units of m v_in.
fn strike(settings: &ContactSettings, v_in: f64, onset: f64, rate_hz: f64) -> (f64, f64, Striker) {
    let dt_s = 1.0 / rate_hz;
    let mut striker = Striker::new();
    let mut felt = WallForce::default();
    striker.strike(settings, v_in, onset * dt_s);
    let mut samples = 0u64;
    while striker.is_active() && samples < 20_000_000 {
        striker.advance(dt_s, &mut felt);
        samples += 1;
    }
    assert!(!striker.is_active(), "{settings:?} never comes off");
    assert_eq!(felt.lowest_n, 0.0, "a pull");
    let e_out = -striker.last_contact().v_out_m_per_s / v_in;
    (e_out, felt.wall.impulse_ns / (settings.mass_kg * v_in), striker)
}

#[test]
fn three_hundred_systems_of_the_paper_return_their_e() {
    let mut dice = TestRng(1);
    let (mut worst, mut worst_impulse, mut shortest): (f64, f64, f64) = (0.0, 0.0, f64::INFINITY);
    for index in 0..300 {
        let (settings, v_in, onset) = paper_system(&mut dice, index);
        let e = settings.restitution.unwrap();
        for rate_hz in RATES_HZ {
            let (e_out, impulse, striker) = strike(&settings, v_in, onset, rate_hz);
            worst = worst.max((e_out - e).abs());
            worst_impulse = worst_impulse.max((impulse - (1.0 + e_out)).abs());
            shortest = shortest.min(striker.last_contact().duration_s * rate_hz);
            assert!(
                (e_out - e).abs() < 1e-6,
                "{index} at {rate_hz}: {e_out} for {e}, {settings:?}, v {v_in}"
            );
        }
    }
    println!(
        "worst |e_out - e| {worst:e}; impulse off by {worst_impulse:e}; shortest contact {shortest:e} samples"
    );
    assert!(
        worst_impulse < 1e-9,
        "the surface was not given what the mass lost: {worst_impulse:e}"
    );
}

#[test]
fn hunt_crossley_returns_its_e_on_the_grid() {
    let mut dice = TestRng(2);
    let mut worst: f64 = 0.0;
    for index in 0..300 {
        let e = if index % 2 == 0 { dice.linear(0.02, 1.0) } else { 1.0 - dice.log(1e-9, 0.98) };
        let settings = ContactSettings {
            law: HuntCrossley {
                stiffness: dice.log(1e3, 1e11),
                mu_s_per_m: 0.3,
                alpha: dice.linear(1.0, 3.5),
            },
            mass_kg: dice.log(1e-5, 1e2),
            restitution: Some(e),
            ..ContactSettings::default()
        };
        let (v_in, onset) = (dice.log(1e-3, 1e2), dice.unit());
        for rate_hz in RATES_HZ {
            let (e_out, impulse, _) = strike(&settings, v_in, onset, rate_hz);
            worst = worst.max((e_out - e).abs());
            assert!((impulse - (1.0 + e_out)).abs() < 1e-9, "{settings:?}: {impulse}");
        }
    }
    println!("worst {worst:e}");
    assert!(worst < 1e-9, "{worst:e}");
}

/// Under heavy damping the mass has its release velocity to the last digit long before it
/// separates. A rule that takes this for the release ends the contact at 0.4 of its time (e =
/// 0.02).
#[test]
fn soft_hunt_crossley_contacts_have_the_right_contact_time() {
    for e in [0.1, 0.03, 0.02, 0.01] {
        for (v, rate_hz) in [(2.0, 44_100.0), (0.05, 192_000.0)] {
            let settings = ContactSettings { restitution: Some(e), ..ContactSettings::default() };
            let trial = RigidTrial { onset: 0.3, ..RigidTrial::single(settings, v, rate_hz) };
            let got = trial.run();
            let off = got.contact_time_s / trial.contact_time_exact_s() - 1.0;
            assert!(off.abs() < 1e-4, "e {e}, v {v}: {off:e}");
        }
    }
    // Below this speed only the recovery matters: x_max at the limit velocity e v_in.
    for e in [1e-3, 1e-4] {
        let settings =
            ContactSettings { restitution: Some(e), mass_kg: 1e-3, ..ContactSettings::default() };
        let (_, _, striker) = strike(&settings, 1.0, 0.3, 48_000.0);
        let x_max_m =
            ictus::contact::closed_form::Curve::new(&settings.at_onset(1.0).law, 1e-3, 1.0)
                .x_max_m();
        let off = striker.last_contact().duration_s * e / x_max_m - 1.0;
        assert!(off.abs() < 0.02, "e {e}: {off}");
    }
}

#[test]
fn the_softest_contacts_are_finite_and_end() {
    for kind in [Law::HuntCrossley, Law::HertzDamper] {
        for integrator in Integrator::ALL {
            for e in [0.0, 1e-4, 1e-3, f64::NAN, -3.0, 7.0] {
                let settings = ContactSettings {
                    kind,
                    integrator,
                    restitution: Some(e),
                    mass_kg: 1e-3,
                    ..ContactSettings::default()
                };
                let (e_out, _, _) = strike(&settings, 1.0, 0.3, 48_000.0);
                assert!(e_out.is_finite(), "{kind:?} {integrator:?} {e}");
                if integrator == Integrator::Exact {
                    let wanted = if e.is_nan() { 1.0 } else { e.clamp(1e-4, 1.0) };
                    assert!((e_out - wanted).abs() < 1e-6, "{kind:?} {e}: {e_out}");
                }
            }
        }
    }
}

#[test]
fn the_contact_has_the_error_of_the_closed_form() {
    for (e, n) in [(0.65, 1.0), (0.3, 1.5), (0.9, 1.2)] {
        let settings = ContactSettings {
            kind: Law::HertzDamper,
            law: HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha: n },
            restitution: Some(e),
            fit: DamperFit::ClosedForm,
            ..ContactSettings::default()
        };
        let (e_out, _, _) = strike(&settings, 2.0, 0.7, 44_100.0);
        let by_hand = rebound::solve(fit::damping(e, n), n, 1e-13).e;
        assert!((e_out - by_hand).abs() < 1e-8, "{e_out} {by_hand}");
        assert!((e_out - e).abs() > 1e-5 && (e_out - e).abs() < 0.0035);
    }
}

#[test]
fn the_force_is_gone_at_release_and_the_dent_is_left() {
    // (51): x_separation = (v_in c e/k)^(1/n).
    for (e, n) in [(0.1, 1.0), (0.5, 1.5), (0.8, 1.5), (0.99, 2.0)] {
        let (k, m, v) = (3e7, 0.02, 1.7);
        let settings = ContactSettings {
            kind: Law::HertzDamper,
            law: HuntCrossley { stiffness: k, mu_s_per_m: 0.0, alpha: n },
            mass_kg: m,
            restitution: Some(e),
            ..ContactSettings::default()
        };
        let c = grid::damper_n_s_per_m(e, k, n, m, v);
        let (_, _, striker) = strike(&settings, v, 0.4, 44_100.0);
        let expected_m = (v * c * e / k).powf(1.0 / n);
        let got_m = striker.last_contact().separation_m;
        assert!((got_m / expected_m - 1.0).abs() < 1e-5, "{e} {n}: {got_m:e} {expected_m:e}");
    }
}

#[test]
fn every_integrator_steps_the_damper_and_none_makes_energy() {
    for integrator in Integrator::ALL {
        for (e, limit) in [(0.9, 0.02), (0.5, 0.03), (0.2, 0.05)] {
            let settings = ContactSettings {
                kind: Law::HertzDamper,
                integrator,
                restitution: Some(e),
                release: Release::Free,
                ..ContactSettings::default()
            };
            // Fine enough for the coarsest integrator.
            let trial = RigidTrial { onset: 0.37, ..RigidTrial::single(settings, 0.5, 192_000.0) };
            let got = trial.run();
            let e_out = -got.v_out / 0.5;
            println!(
                "{integrator:?} e {e}: {e_out:.6}, growth {:e}, left {:e} m",
                got.max_energy_growth, got.x_separation_m
            );
            assert!((e_out - e).abs() < limit, "{integrator:?} {e}: {e_out}");
            assert!(got.x_separation_m > 0.0 && !got.unsettled);
            if matches!(integrator, Integrator::Exact | Integrator::Passive) {
                assert!(
                    got.max_energy_growth < 1e-12,
                    "{integrator:?}: {:e}",
                    got.max_energy_growth
                );
            }
        }
    }
}

#[test]
fn passive_makes_no_energy_with_the_damper_at_any_rate() {
    let mut dice = TestRng(5);
    for index in 0..200 {
        let (mut settings, v_in, onset) = paper_system(&mut dice, index);
        settings.integrator = Integrator::Passive;
        settings.gravity_m_per_s2 = if index % 3 == 0 { 9.81 } else { 0.0 };
        let steps = ictus::contact::Oversampling::Times(1 << (index % 5));
        settings.steps_per_sample = steps;
        let got = RigidTrial { onset, ..RigidTrial::single(settings, v_in, 44_100.0) }.run();
        assert!(got.max_energy_growth < 1e-12, "{index}: {:e} {settings:?}", got.max_energy_growth);
        assert!(got.v_out <= 0.0 && got.v_out.is_finite());
    }
}

#[test]
fn fixed_dampers_are_taken_as_entered() {
    let settings = ContactSettings {
        kind: Law::HertzDamper,
        damper_n_s_per_m: 37.0,
        ..ContactSettings::default()
    };
    let trial = RigidTrial { grid: Grid::Ideal, ..RigidTrial::single(settings, 0.8, 48_000.0) };
    assert_eq!(trial.onset().damping(), 37.0);
    assert!((trial.run().v_out / trial.v_out_exact() - 1.0).abs() < 1e-8);
    // With c fixed and n > 1, damping weighs more in slower hits: e falls.
    let slow = RigidTrial::single(settings, 0.08, 48_000.0);
    assert!(-slow.v_out_exact() / 0.08 < -trial.v_out_exact() / 0.8);
    assert_eq!(settings.dent, Dent::Recovers);
}
