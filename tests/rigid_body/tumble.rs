//! A thrown body lands at the right time, tumbles without gaining energy, and comes to rest.

use assert_no_alloc::assert_no_alloc;
use ictus::random::Random;
use ictus::rigid_body::chain::{self, Chain};
use ictus::rigid_body::motion::Quaternion;
use ictus::rigid_body::shape::{RigidShape, RigidShapeKind};
use ictus::rigid_body::simultaneous::Cor;
use ictus::rigid_body::single_point::{Accuracy, Impact, Restitution, solve};
use ictus::rigid_body::tumble::{
    MAX_IMPACTS, MAX_SOLVES, MAX_STRIKES, REFILL, Rebound, Strike, Strikes, TICK_S, Tumble,
    TumbleSettings, TumbleThrow,
};

fn shape(kind: RigidShapeKind, seed: u64) -> RigidShape {
    let (size_m, mass_kg) = match kind {
        RigidShapeKind::Die => (0.016, 0.005),
        RigidShapeKind::Brick => (0.215, 2.5),
        RigidShapeKind::Coin => (0.024, 0.008),
        RigidShapeKind::Rod => (0.3, 0.5),
        RigidShapeKind::BowlingPin => (0.381, 1.5),
        RigidShapeKind::Stone => (0.06, 0.15),
    };
    RigidShape::new(kind, size_m, mass_kg, seed)
}

fn some_throw(chance: &mut Random, spin: f64, seed: u64) -> TumbleThrow {
    TumbleThrow {
        height_m: chance.between(0.05, 1.0),
        velocity_m_per_s: [
            chance.between(-1.0, 1.0),
            chance.between(-1.0, 1.0),
            chance.between(-2.0, 1.0),
        ],
        spin_rad_per_s: [0; 3].map(|_: i32| chance.between(-spin, spin)),
        seed,
    }
}

/// Checks that a body never gains energy.
///
/// A tick with an impact never ends with more energy than it began with. In free flight the energy
/// of a body with three different moments oscillates (`src/rigid_body/motion/rotation.rs`) but must
/// not drift upwards; that of other bodies must not rise at all.
struct EnergyWatch {
    first_j: f64,
    lowest_j: f64,
    before_j: f64,
    swing: f64,
}

impl EnergyWatch {
    fn new(tumble: &Tumble) -> Self {
        let [a, b, c] = tumble.shape().inertia.moments_kg_m2;
        let is_exact = [(a, b), (b, c), (a, c)].iter().any(|(x, y)| (x - y).abs() < 1e-9 * a);
        let first_j = tumble.energy_j();
        Self {
            first_j,
            lowest_j: first_j,
            before_j: first_j,
            swing: if is_exact { ROUNDING } else { 1e-3 },
        }
    }

    fn tick(&mut self, tumble: &Tumble, strikes: &Strikes, what: &str) {
        let Self { first_j, lowest_j, before_j, swing } = *self;
        let energy_j = tumble.energy_j();
        assert!(
            energy_j <= lowest_j + swing * first_j,
            "{what}: {energy_j} after {lowest_j} of {first_j}"
        );
        let struck = strikes.is_empty() || energy_j <= before_j + ROUNDING * first_j;
        assert!(struck, "{what}: a strike lifts {before_j} to {energy_j} of {first_j}");
        (self.lowest_j, self.before_j) = (lowest_j.min(energy_j), energy_j);
    }
}

/// What rounding may add to the energy, as a share of the initial energy.
const ROUNDING: f64 = 1e-12;

/// Runs to rest; every tick must obey the laws.
fn run(mut tumble: Tumble, max_length_s: f64) -> (Tumble, Vec<Strike>) {
    let mut strikes = Strikes::new();
    let mut all = Vec::new();
    let mut watch = EnergyWatch::new(&tumble);
    while !tumble.is_resting() && tumble.time_s() < max_length_s {
        let start_s = tumble.time_s();
        tumble.tick(&mut strikes);
        assert!(strikes.len() <= MAX_STRIKES);
        let mut before_s = start_s;
        for strike in &strikes {
            assert!(strike.time_s >= before_s && strike.time_s <= start_s + TICK_S, "{strike:?}");
            assert!(strike.impulse_ns > 0.0 && strike.effective_mass_kg > 0.0, "{strike:?}");
            assert!(
                strike.effective_mass_kg <= tumble.shape().inertia.mass_kg * (1.0 + 1e-9),
                "{strike:?}"
            );
            before_s = strike.time_s;
        }
        watch.tick(&tumble, &strikes, "a throw");
        let axes = tumble.motion().axes();
        for &corner in &tumble.shape().corners_m {
            let height = tumble.motion().height_m(&axes, corner);
            assert!(height > -1e-3 * tumble.shape().radius_m, "{height} at {}", tumble.time_s());
        }
        all.extend_from_slice(&strikes);
    }
    (tumble, all)
}

#[test]
fn every_body_comes_to_rest() {
    let mut chance = Random::new(31);
    for kind in RigidShapeKind::ALL {
        let (mut longest_s, mut most) = (0.0f64, 0);
        for seed in 0..100 {
            let throw = some_throw(&mut chance, 40.0, seed);
            let (tumble, strikes) =
                run(Tumble::new(shape(kind, seed), &TumbleSettings::default(), &throw), 20.0);
            assert!(tumble.is_resting(), "{} {seed} still moves", kind.name());
            assert!(!strikes.is_empty(), "{} {seed} never struck", kind.name());
            longest_s = longest_s.max(tumble.time_s());
            most = most.max(strikes.len());
        }
        println!("{:>12}: longest {longest_s:.2} s, most strikes {most}", kind.name());
    }
}

#[test]
fn a_die_lands_on_a_face() {
    let mut chance = Random::new(32);
    let mut faces = [0; 6];
    for seed in 0..600 {
        let throw = some_throw(&mut chance, 60.0, seed);
        let (tumble, _) = run(
            Tumble::new(shape(RigidShapeKind::Die, seed), &TumbleSettings::default(), &throw),
            20.0,
        );
        assert!(tumble.is_resting(), "die {seed}");
        let up = tumble.motion().axes()[2];
        let axis = (0..3)
            .find(|&axis| up[axis].abs() > 0.999)
            .unwrap_or_else(|| panic!("die {seed} on edge: {up:?}"));
        faces[2 * axis + usize::from(up[axis] > 0.0)] += 1;
        assert!((tumble.motion().centre_m[2] - 0.008).abs() < 1e-4, "{:?}", tumble.motion());
    }
    println!("{faces:?}");
    assert!(faces.iter().all(|&count| count > 60), "a fair die: {faces:?}");
}

#[test]
fn the_first_strike_comes_when_it_must() {
    for seed in 0..100 {
        let shape = shape(RigidShapeKind::Brick, seed);
        let throw = TumbleThrow {
            height_m: 0.5,
            velocity_m_per_s: [0.3, 0.0, 0.0],
            spin_rad_per_s: [0.0; 3],
            seed,
        };
        let start = throw.motion(&shape);
        let axes = start.axes();
        let lowest =
            shape.corners_m.iter().map(|&c| start.height_m(&axes, c)).fold(f64::INFINITY, f64::min);
        let expected_s = (2.0 * lowest / 9.81).sqrt();
        let (_, strikes) = run(Tumble::new(shape, &TumbleSettings::default(), &throw), 1.0);
        assert!(
            (strikes[0].time_s - expected_s).abs() < 2e-9,
            "{} {expected_s}",
            strikes[0].time_s
        );
        assert!((strikes[0].normal_m_per_s - 9.81 * expected_s).abs() < 1e-6);
    }
}

#[test]
fn a_sliding_brick_stops_where_friction_says() {
    // Flat on its largest face: v^2/(2 mu g), whatever its shape.
    let shape = shape(RigidShapeKind::Brick, 0);
    let settings = TumbleSettings { mu: 0.3, ..TumbleSettings::default() };
    let throw = TumbleThrow {
        height_m: 0.0,
        velocity_m_per_s: [0.0; 3],
        spin_rad_per_s: [0.0; 3],
        seed: 1,
    };
    let mut tumble = Tumble::new(shape.clone(), &settings, &throw);
    let half = shape.corners_m[0][2].abs();
    tumble.place([0.0, 0.0, half], Quaternion::IDENTITY, [1.0, 0.0, 0.0]);
    let (tumble, _) = run(tumble, 5.0);
    assert!(tumble.is_resting());
    let way = tumble.motion().centre_m[0];
    let expected = 1.0 / (2.0 * 0.3 * 9.81);
    println!("way {way} of {expected}");
    assert!((way / expected - 1.0).abs() < 0.01, "{way} {expected}");
    assert!(tumble.motion().centre_m[1].abs() < 1e-6);
}

#[test]
fn a_throw_repeats_to_the_bit() {
    let once = || {
        let throw = TumbleThrow { seed: 5, ..TumbleThrow::default() };
        run(Tumble::new(shape(RigidShapeKind::Stone, 5), &TumbleSettings::default(), &throw), 20.0)
            .1
    };
    assert_eq!(once(), once());
}

#[test]
fn extreme_throws_stay_bounded() {
    let mut chance = Random::new(33);
    let mut strikes = Strikes::new();
    let (mut max_solves, mut fullest, mut most_of_16) = (0, 0, 0);
    for n in 0..120 {
        let kind = RigidShapeKind::ALL[n % 6];
        let settings = TumbleSettings {
            rebound: Rebound::Given,
            mu: chance.between(0.0, 10.0),
            cor: Cor {
                e_min: chance.unit(),
                v_capture_m_per_s: 1e-3,
                v_plastic_m_per_s: chance.between(0.0, 10.0),
            },
            v_transition_m_per_s: 1e-3,
            gravity_m_per_s2: if n % 3 == 0 { 1000.0 } else { 9.81 },
            max_impacts: MAX_IMPACTS,
        };
        let throw = TumbleThrow {
            height_m: 0.0,
            velocity_m_per_s: [50.0, -50.0, -50.0],
            ..some_throw(&mut chance, 1000.0, n as u64)
        };
        let mut tumble = Tumble::new(shape(kind, n as u64), &settings, &throw);
        let mut watch = EnergyWatch::new(&tumble);
        let mut last = [0; 16];
        for tick in 0..1000 {
            assert_no_alloc(|| tumble.tick(&mut strikes));
            last[tick % 16] = tumble.last_solves();
            most_of_16 = most_of_16.max(last.iter().sum());
            max_solves = max_solves.max(tumble.last_solves());
            fullest = fullest.max(strikes.len());
            assert!(tumble.energy_j().is_finite(), "{kind:?} {n}");
            watch.tick(&tumble, &strikes, &format!("{kind:?} {n}"));
        }
    }
    println!(
        "most linear systems in a tick {max_solves}, in 16 {most_of_16}, most strikes {fullest}"
    );
    assert!(max_solves <= MAX_SOLVES);
    assert!(most_of_16 <= MAX_SOLVES + 16 * REFILL);
    assert!(most_of_16 > MAX_SOLVES, "the store was never drawn on: {most_of_16}");
    assert!(fullest >= MAX_IMPACTS);
}

#[test]
fn fewer_impacts_than_come_still_lead_to_rest() {
    for max_impacts in [0, 1] {
        for seed in 0..30 {
            let kind = RigidShapeKind::ALL[seed as usize % 6];
            let settings = TumbleSettings { max_impacts, ..TumbleSettings::default() };
            let throw =
                TumbleThrow { seed, spin_rad_per_s: [20.0, 50.0, -30.0], ..TumbleThrow::default() };
            let (tumble, strikes) = run(Tumble::new(shape(kind, seed), &settings, &throw), 20.0);
            assert!(tumble.is_resting(), "{} {seed} with {max_impacts}", kind.name());
            assert_eq!(strikes.is_empty(), max_impacts == 0);
        }
    }
}

#[test]
fn nothing_allocates() {
    let w = [[11.0, -0.9, 2.4], [-0.9, 9.9, 1.9], [2.4, 1.9, 2.6]];
    let impact =
        Impact { w, v_m_per_s: [-0.3, 0.4, -0.1], mu: 0.8, restitution: Restitution::Stronge(0.9) };
    let mut chain = Chain::new(&chain::ChainSettings::default());
    chain.launch(2, 1e-3, 1.0);
    let total = assert_no_alloc(|| {
        let mut total = solve(&impact, &Accuracy::DEFAULT).impulse_ns[2];
        for _ in 0..500 {
            total += chain.advance(1.0 / 48_000.0)[0];
        }
        total
    });
    assert!(total > 0.0);
}

#[test]
fn invalid_numbers_are_replaced() {
    let odd = f64::NAN;
    let settings = TumbleSettings {
        rebound: Rebound::Given,
        mu: odd,
        cor: Cor { e_min: odd, v_capture_m_per_s: odd, v_plastic_m_per_s: odd },
        v_transition_m_per_s: odd,
        gravity_m_per_s2: f64::INFINITY,
        max_impacts: usize::MAX,
    };
    let throw = TumbleThrow {
        height_m: odd,
        velocity_m_per_s: [odd, f64::INFINITY, 0.0],
        spin_rad_per_s: [odd; 3],
        seed: 0,
    };
    let mut tumble = Tumble::new(shape(RigidShapeKind::Die, 0), &settings, &throw);
    let mut strikes = Strikes::new();
    for _ in 0..2000 {
        tumble.tick(&mut strikes);
    }
    assert!(tumble.energy_j().is_finite());
}

#[test]
fn a_die_that_lands_flat_comes_back_as_the_contact_law_says() {
    let shape = RigidShape::new(RigidShapeKind::Die, 0.03, 0.02, 1);
    let half = shape.corners_m[0][2].abs();
    let laws = [
        Rebound::HuntCrossley { mu_s_per_m: 0.4 },
        Rebound::HertzDamper { stiffness: 1e7, alpha: 1.5, damper_n_s_per_m: 3.0 },
    ];
    for rebound in laws {
        for v in [0.3, 1.0, 3.0] {
            let settings =
                TumbleSettings { rebound, gravity_m_per_s2: 0.1, ..TumbleSettings::default() };
            let mut tumble = Tumble::new(shape.clone(), &settings, &TumbleThrow::default());
            tumble.place([0.0, 0.0, half + 1e-4], Quaternion::IDENTITY, [0.0, 0.0, -v]);
            let mut strikes = Strikes::new();
            tumble.tick(&mut strikes);
            assert_eq!(strikes.len(), 4, "{rebound:?} {v}");
            let expected = rebound.at(&settings.cor, strikes[0].effective_mass_kg, v);
            let got = tumble.motion().velocity_m_per_s[2] / v;
            assert!((got - expected).abs() < 2e-3, "{rebound:?} {v}: {got} {expected}");
            assert!(strikes.iter().all(|strike| (strike.restitution - expected).abs() < 1e-3));
        }
    }
}
