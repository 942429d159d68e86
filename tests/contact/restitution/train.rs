//! Trains of bounces. With constant restitution they end after `t0 (1+e)/(1-e)`; with constant
//! damping they do not. A damping that is kept from the first onset fails both tests.

use ictus::contact::{ContactSettings, Dent, HuntCrossley, Law, Striker, Wall};

const GRAVITY_M_PER_S2: f64 = 9.81;

/// Drops a ball from `height_m`. Returns the time until rest, s, as the middle of the sample in
/// which it rests, and the speeds of all onsets; `None` if it does not rest within `max_length_s`.
fn train(
    settings: &ContactSettings,
    height_m: f64,
    rate_hz: f64,
    max_length_s: f64,
) -> (Option<f64>, Vec<f64>) {
    let dt_s = 1.0 / rate_hz;
    let settings = ContactSettings { gravity_m_per_s2: GRAVITY_M_PER_S2, ..*settings };
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    let mut speeds = Vec::new();
    striker.throw(&settings, height_m, 0.0);
    for n in 0..(max_length_s * rate_hz) as u64 {
        let before = striker.contacts();
        striker.advance(dt_s, &mut wall);
        if striker.contacts() > before {
            speeds.push(striker.last_contact().v_in_m_per_s);
        }
        if striker.is_resting() {
            return (Some((n as f64 + 0.5) * dt_s), speeds);
        }
    }
    (None, speeds)
}

/// A contact so stiff that all contacts of a train together are shorter than a sample.
fn hard(kind: Law, e: f64, dent: Dent) -> ContactSettings {
    ContactSettings {
        kind,
        law: HuntCrossley { stiffness: 1e11, mu_s_per_m: 0.0, alpha: 1.0 },
        mass_kg: 1e-5,
        restitution: Some(e),
        dent,
        ..ContactSettings::default()
    }
}

#[test]
fn constant_restitution_ends_when_it_should_within_a_sample() {
    for (kind, dent) in [
        (Law::HuntCrossley, Dent::Recovers),
        (Law::HertzDamper, Dent::Recovers),
        (Law::HertzDamper, Dent::Stays),
    ] {
        for e in [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95] {
            for (height_m, rate_hz) in [(0.3, 44_100.0), (0.05, 44_100.0), (1.0, 48_000.0)] {
                let t0_s = (2.0_f64 * height_m / GRAVITY_M_PER_S2).sqrt();
                let expected_s = t0_s * (1.0 + e) / (1.0 - e);
                let (end_s, speeds) =
                    train(&hard(kind, e, dent), height_m, rate_hz, 3.0 * expected_s);
                let end_s = end_s.unwrap_or_else(|| panic!("{kind:?} {e}: no end"));
                let off = (end_s - expected_s) * rate_hz;
                println!(
                    "{kind:?} {dent:?} e {e} h {height_m}: {off:+.2} samples, {} in sight",
                    speeds.len()
                );
                assert!(off.abs() < 1.0, "{kind:?} {dent:?} {e}: {off} samples off");
            }
        }
    }
}

#[test]
fn every_bounce_of_a_train_has_the_same_restitution() {
    for (kind, tolerance) in [(Law::HuntCrossley, 1e-12), (Law::HertzDamper, 1e-7)] {
        for dent in [Dent::Recovers, Dent::Stays] {
            let settings = ContactSettings {
                kind,
                restitution: Some(0.6),
                dent,
                ..ContactSettings::default()
            };
            let (end_s, speeds) = train(&settings, 0.2, 48_000.0, 10.0);
            assert!(end_s.is_some() && speeds.len() > 6, "{}", speeds.len());
            for pair in speeds.windows(2) {
                assert!(
                    (pair[1] / pair[0] - 0.6).abs() < tolerance,
                    "{kind:?}: {}",
                    pair[1] / pair[0]
                );
            }
        }
    }
}

/// Contacts take time, which `t0 (1+e)/(1-e)` does not include. The flights alone add up to it at
/// any hardness, even where the last of them are shorter than their contacts and are no longer
/// simulated.
#[test]
fn the_flights_of_any_train_add_up() {
    let (mut worst, mut trains) = (0.0f64, 0);
    for rate_hz in [44_100.0, 192_000.0] {
        for (kind, dent) in [
            (Law::HuntCrossley, Dent::Recovers),
            (Law::HertzDamper, Dent::Recovers),
            (Law::HertzDamper, Dent::Stays),
        ] {
            for (stiffness, mass_kg, alpha) in [
                (1e4, 0.5, 1.0),
                (1e5, 0.02, 1.5),
                (1e7, 0.01, 1.5),
                (1e9, 2.0, 2.0),
                (1e11, 1e-4, 1.2),
            ] {
                for e in [0.05, 0.3, 0.6, 0.85, 0.97] {
                    for height_m in [0.02, 0.3, 2.0] {
                        let settings = ContactSettings {
                            kind,
                            law: HuntCrossley { stiffness, mu_s_per_m: 0.0, alpha },
                            mass_kg,
                            restitution: Some(e),
                            dent,
                            ..ContactSettings::default()
                        };
                        let off = flights_off_samples(&settings, height_m, rate_hz);
                        // Hunt-Crossley has its e to rounding, the linear damper to 4e-8.
                        let allowed = if kind == Law::HuntCrossley { 1e-3 } else { 1.0 };
                        assert!(
                            off.abs() < allowed,
                            "{settings:?} from {height_m} m: {off} samples"
                        );
                        worst = worst.max(off.abs());
                        trains += 1;
                    }
                }
            }
        }
    }
    println!("{trains} trains, flights off by up to {worst:.1e} samples");
}

/// Returns the sum of a train's flights minus `t0 (1+e)/(1-e)`, in samples. Also asserts that
/// flights, contacts and dent recoveries add up to the total time, to within the sample of rest.
fn flights_off_samples(settings: &ContactSettings, height_m: f64, rate_hz: f64) -> f64 {
    let settings = ContactSettings { gravity_m_per_s2: GRAVITY_M_PER_S2, ..*settings };
    let e = settings.restitution.unwrap_or(0.0);
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    striker.throw(&settings, height_m, 0.0);
    let (mut others_s, mut samples) = (0.0, 0.0);
    while !striker.is_resting() {
        let before = striker.contacts();
        striker.advance(1.0 / rate_hz, &mut wall);
        samples += 1.0;
        assert!(samples < 600.0 * rate_hz, "no end");
        assert!(striker.contacts() - before <= 1, "at most one contact per sample");
        if striker.contacts() > before {
            let last = striker.last_contact();
            let followed = striker.landing(1.0 / rate_hz).is_some_and(|(_, speed)| speed > 0.0);
            let way_out_s = if settings.dent == Dent::Recovers && followed {
                last.separation_m / -last.v_out_m_per_s
            } else {
                0.0
            };
            others_s += last.duration_s + way_out_s;
        }
    }
    let late = samples - (striker.flown_s() + others_s) * rate_hz;
    assert!((-1e-3..=1.0 + 1e-3).contains(&late), "{late} samples are neither flight nor contact");
    let t0_s = (2.0 * height_m / GRAVITY_M_PER_S2).sqrt();
    (striker.flown_s() - t0_s * (1.0 + e) / (1.0 - e)) * rate_hz
}

#[test]
fn constant_mu_lingers() {
    let mu = 0.5;
    let settings = ContactSettings {
        law: HuntCrossley { stiffness: 1e10, mu_s_per_m: mu, alpha: 1.5 },
        ..ContactSettings::default()
    };
    let (_, speeds) = train(&settings, 0.2, 44_100.0, 20.0);
    // The first bounce keeps 0.6 of the speed. At that rate the train would end in 0.8 s after two
    // dozen bounces; instead the speed falls only as 3/(2 mu n).
    let first = speeds[1] / speeds[0];
    assert!((0.55..0.65).contains(&first), "{first}");
    assert!(speeds.len() > 100, "{}", speeds.len());
    for n in [50, 100] {
        let share = speeds[n] * mu * n as f64 / 1.5;
        assert!((0.85..1.05).contains(&share), "{n}: {share}");
    }
}

#[test]
fn a_dent_that_recovers_only_delays() {
    // The speeds are the same; only the recovery of each dent differs.
    let settings = |dent| ContactSettings {
        kind: Law::HertzDamper,
        law: HuntCrossley { stiffness: 1e5, mu_s_per_m: 0.0, alpha: 1.5 },
        restitution: Some(0.5),
        dent,
        ..ContactSettings::default()
    };
    let (recovers_s, one) = train(&settings(Dent::Recovers), 0.5, 48_000.0, 10.0);
    let (stays_s, two) = train(&settings(Dent::Stays), 0.5, 48_000.0, 10.0);
    assert_eq!(one.len(), two.len());
    assert!(recovers_s.unwrap() > stays_s.unwrap());
}
