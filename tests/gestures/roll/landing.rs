//! Hops: the rebound of a landing, with either law, with fixed damping or a wanted restitution.

use ictus::contact::restitution::{damping_unit_n_s_per_m, grid};
use ictus::contact::{HuntCrossley, Law, release};
use ictus::exciter::Recipe;
use ictus::exciter::roll::{Pull, Roll, RollSettings, RollSurface};

use super::body::table;

/// A rigid ground that is kicked once from below and then stays.
struct Knocking {
    left_s: f64,
    speed_m_per_s: f64,
}

impl RollSurface for Knocking {
    fn free_m(&mut self, h_s: f64) -> f64 {
        if self.left_s > 0.0 { self.speed_m_per_s * h_s } else { 0.0 }
    }
    fn mobility_m_per_n(&mut self, _: f64) -> f64 {
        0.0
    }
    fn push(&mut self, _: f64, h_s: f64) {
        self.left_s -= h_s;
    }
}

/// Speed of the flying ball at its landing or last take-off, m/s.
fn ground_speed_m_per_s(roll: &Roll) -> Option<f64> {
    let (m, settings) = (roll.motion(), roll.settings());
    let fall = settings.weight_n() / settings.mass_kg;
    (m.compression_m < 0.0 && m.force_n == 0.0)
        .then(|| (m.z_m_per_s * m.z_m_per_s - 2.0 * fall * m.compression_m).sqrt())
}

/// Speeds at landing and take-off of a ball that was kicked up, for `seconds` and down to `slowest`
/// m/s.
fn hops(
    settings: &RollSettings,
    knock_m_per_s: f64,
    seconds: f64,
    slowest: f64,
    rate_hz: f64,
) -> Vec<(f64, f64)> {
    let mut recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
    recipe.roughness.rms_m = 0.0;
    let mut roll = Roll::new();
    roll.prepare(rate_hz);
    let still = Pull::Follow { speed_m_per_s: 0.0, time_s: 1.0 };
    roll.begin(settings, &table(&recipe, settings), 0.0, still);
    let mut ground = Knocking { left_s: 0.0, speed_m_per_s: 0.0 };
    for _ in 0..(0.2 * rate_hz) as usize {
        roll.advance(&mut ground);
    }
    ground = Knocking { left_s: 0.002, speed_m_per_s: knock_m_per_s };
    let (mut found, mut coming, mut landings) = (Vec::new(), None, 0);
    for i in 0..(seconds * rate_hz) as usize {
        roll.advance(&mut ground);
        let Some(speed) = ground_speed_m_per_s(&roll) else { continue };
        if let Some(landing) = coming
            && roll.motion().landings == landings + 1
        {
            found.push((landing, speed));
        }
        if speed < slowest {
            break;
        }
        // Unknown above a moving ground.
        coming = (i as f64 > 0.003 * rate_hz).then_some(speed);
        landings = roll.motion().landings;
    }
    found
}

/// The slowest landing, `w d0`, m/s.
fn slowest_m_per_s(settings: &RollSettings) -> f64 {
    2.0 * std::f64::consts::PI * settings.contact_resonance_hz() * settings.rest_compression_m()
}

#[test]
fn a_hop_keeps_the_restitution_that_was_asked_for() {
    for kind in [Law::HuntCrossley, Law::HertzDamper] {
        for (alpha, stiffness) in [(1.5, 1.2e9), (1.0, 1.2e6), (2.3, 5e10)] {
            let (mut worst, mut slow, mut count) = (0.0f64, 0.0f64, 0);
            for e in [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97] {
                for rate_hz in [44_100.0, 192_000.0] {
                    let law = HuntCrossley { stiffness, mu_s_per_m: 0.5, alpha };
                    let settings =
                        RollSettings { kind, law, restitution: Some(e), ..RollSettings::default() };
                    let v0 = slowest_m_per_s(&settings);
                    for (v_in, v_out) in hops(&settings, 0.4, 20.0, 3.0 * v0, rate_hz) {
                        let off = (v_out / v_in - e).abs();
                        if v_in > 10.0 * v0 {
                            worst = worst.max(off);
                        } else if v_in > 3.0 * v0 {
                            slow = slow.max(off);
                        }
                        count += 1;
                    }
                }
            }
            println!(
                "{kind:?}, alpha {alpha}: {count} landings, e off by {worst:.1e}; by {slow:.1e} at 3 to 10 times the slowest"
            );
            assert!(count > 100, "{count} landings");
            assert!(worst < 1e-3, "{kind:?}, alpha {alpha}: off by {worst:e}");
            assert!(slow < 1e-2, "{kind:?}, alpha {alpha}: off by {slow:e} where it is slow");
        }
    }
}

#[test]
fn with_fixed_damping_fast_hops_lose_more_by_one_law_and_less_by_the_other() {
    // Little weight: the closed forms have none.
    let plain =
        RollSettings { damping_ratio: 0.0, gravity_m_per_s2: 0.3, ..RollSettings::default() };
    let HuntCrossley { stiffness, alpha, .. } = plain.law;
    for kind in [Law::HuntCrossley, Law::HertzDamper] {
        let settings = RollSettings { kind, damper_n_s_per_m: 2.0, ..plain };
        let mut last = None;
        for knock in [0.05, 0.15, 0.3, 0.6] {
            let found = hops(&settings, knock, 12.0, 0.02, 48_000.0);
            let &(v_in, v_out) = found.first().expect("a hop");
            let wanted = match kind {
                Law::HuntCrossley => release::exact(plain.law.mu_s_per_m * v_in).restitution,
                Law::HertzDamper => {
                    let unit = damping_unit_n_s_per_m(stiffness, alpha, plain.mass_kg, v_in);
                    grid::restitution(settings.damper_n_s_per_m / unit, alpha)
                }
            };
            let e = v_out / v_in;
            println!("{kind:?}: {v_in:.3} m/s leaves with e {e:.5}, closed form {wanted:.5}");
            assert!((e - wanted).abs() < 1e-3, "{kind:?} {v_in}: {e} instead of {wanted}");
            if let Some(last) = last {
                assert_eq!(e > last, kind == Law::HertzDamper, "{e} after {last}");
            }
            last = Some(e);
        }
    }
}

#[test]
fn a_ball_that_stays_oscillates_with_the_restitution_of_its_hops() {
    // Kicked so softly that it never separates: each half period keeps e, and contact damping adds
    // to it.
    for kind in [Law::HuntCrossley, Law::HertzDamper] {
        for (e, ratio) in [(0.9f64, 0.0), (0.6, 0.0), (0.8, 0.05)] {
            let settings = RollSettings {
                kind,
                restitution: Some(e),
                damping_ratio: ratio,
                ..RollSettings::default()
            };
            let mut recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
            recipe.roughness.rms_m = 0.0;
            let rate_hz = 192_000.0;
            let mut roll = Roll::new();
            roll.prepare(rate_hz);
            roll.begin(
                &settings,
                &table(&recipe, &settings),
                0.0,
                Pull::Follow { speed_m_per_s: 0.0, time_s: 1.0 },
            );
            let mut ground = Knocking { left_s: 0.0, speed_m_per_s: 0.0 };
            for _ in 0..(0.5 * rate_hz) as usize {
                roll.advance(&mut ground);
            }
            let landings = roll.motion().landings;
            ground = Knocking { left_s: 2e-5, speed_m_per_s: 0.05 * slowest_m_per_s(&settings) };
            // Largest and smallest compression in alternation, above that at rest.
            let (mut turns, mut before, mut rose) = (Vec::new(), roll.motion().compression_m, true);
            for _ in 0..(0.02 * rate_hz) as usize {
                roll.advance(&mut ground);
                let now = roll.motion().compression_m;
                if ground.left_s <= 0.0 && (now > before) != rose {
                    turns.push((before - settings.rest_compression_m()).abs());
                    rose = !rose;
                }
                before = now;
            }
            let z = -e.ln() / (e.ln().powi(2) + std::f64::consts::PI.powi(2)).sqrt() + ratio;
            let wanted = (-std::f64::consts::PI * z / (1.0 - z * z).sqrt()).exp();
            let got = turns[3] / turns[2];
            println!(
                "{kind:?} e {e}, ratio {ratio}: half a swing keeps {got:.4}, formula {wanted:.4}"
            );
            assert_eq!(roll.motion().landings, landings, "it hopped");
            assert!((got / wanted - 1.0).abs() < 0.02, "{got} instead of {wanted}");
        }
    }
}

/// Forces of the steps of a ball that is kicked twice, with other settings after `turn` samples.
fn forces(first: &RollSettings, then: &RollSettings, turn: usize, rate_hz: f64) -> Vec<(f64, f64)> {
    let mut recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
    recipe.roughness.rms_m = 0.0;
    let mut roll = Roll::new();
    roll.prepare(rate_hz);
    let table = table(&recipe, first);
    roll.begin(first, &table, 0.0, Pull::Follow { speed_m_per_s: 0.0, time_s: 1.0 });
    let mut ground = Knocking { left_s: 0.0, speed_m_per_s: 0.0 };
    for _ in 0..(0.2 * rate_hz) as usize {
        roll.advance(&mut ground);
    }
    // A kick, and the contact that ends the hop that follows.
    ground = Knocking { left_s: 0.002, speed_m_per_s: 0.2 };
    let mut forces = Vec::new();
    let (mut touched, mut since) = (false, 0);
    for _ in 0..(0.2 * rate_hz) as usize {
        roll.advance(&mut ground);
        let m = roll.motion();
        if ground.left_s < -0.002 && m.force_n > 0.0 {
            touched = true;
        }
        if touched {
            forces.push((m.force_n, m.compression_m));
            since += 1;
            if since == turn {
                roll.set_settings(then);
            }
        }
    }
    forces
}

#[test]
fn turning_the_damping_in_a_contact_does_not_jump_the_force() {
    // Soft, so that a contact lasts for some hundred samples.
    let law = HuntCrossley { stiffness: 1e6, mu_s_per_m: 2.0, alpha: 1.5 };
    let plain = RollSettings { law, damper_n_s_per_m: 20.0, ..RollSettings::default() };
    let kinds = [
        ("mu", plain),
        ("c", RollSettings { kind: Law::HertzDamper, ..plain }),
        ("e 0.2", RollSettings { restitution: Some(0.2), ..plain }),
        ("e 0.95", RollSettings { restitution: Some(0.95), ..plain }),
        ("e 0.2, damper", RollSettings { restitution: Some(0.2), kind: Law::HertzDamper, ..plain }),
    ];
    let rate_hz = 192_000.0;
    // Largest change from sample to sample within the contact. With a damper a landing begins with
    // a non-zero force, so the first sample is left out.
    let step = |forces: &[(f64, f64)]| {
        let lasts = forces.iter().position(|(force, _)| *force == 0.0).unwrap_or(forces.len());
        forces[1..lasts]
            .windows(2)
            .fold(0.0f64, |most, pair| most.max((pair[1].0 - pair[0].0).abs()))
    };
    let own = kinds.map(|(_, settings)| forces(&settings, &settings, usize::MAX, rate_hz));
    for ((from, first), left) in kinds.iter().zip(&own) {
        // The way out takes at least as long as the way in; a ball that hardly bounces may stay.
        let contact =
            &left[..left.iter().position(|(force, _)| *force == 0.0).unwrap_or(left.len())];
        let deepest =
            (0..contact.len()).max_by(|a, b| left[*a].1.total_cmp(&left[*b].1)).expect("a contact");
        let lasts = 2 * deepest;
        let peak = left[..lasts].iter().fold(0.0f64, |peak, (force, _)| peak.max(*force));
        for ((to, then), other) in kinds.iter().zip(&own).filter(|((to, _), _)| to != from) {
            // On the way in and on the way out, where it is fast.
            for share in [0.15, 0.3, 0.7, 0.85] {
                let turn = (share * lasts as f64) as usize;
                let turned = forces(first, then, turn, rate_hz);
                let jump = (turned[turn].0 - left[turn].0).abs();
                assert!(
                    jump < 1e-9 * peak,
                    "{from} to {to} at {share}: the force jumps by {jump} N of {peak}"
                );
                // Where the change takes effect: from a deep contact, more damping reduces the
                // force faster than the landing's own, but not at once. A jump would be at least
                // half of it in one sample.
                let (got, usual) = (step(&turned), step(left).max(step(other)));
                assert!(
                    got < (1.1 * usual).max(0.125 * peak),
                    "{from} to {to} at {share}: steps of {got} N, else {usual}"
                );
            }
        }
        println!("{from}: a contact of {lasts} samples, {peak:.2} N, steps of {:.3} N", step(left));
    }
}

#[test]
fn a_damping_turned_in_a_contact_holds_from_the_next_landing_on() {
    let loose = RollSettings { restitution: Some(0.95), ..RollSettings::default() };
    let tight = RollSettings { restitution: Some(0.2), ..loose };
    let highest = |then: &RollSettings| {
        let forces = forces(&loose, then, 2, 192_000.0);
        // The hop after the landing in which settings changed, and the one after that.
        let landed = forces
            .iter()
            .skip_while(|(force, _)| *force > 0.0)
            .skip_while(|(force, _)| *force == 0.0);
        let next =
            landed.skip_while(|(force, _)| *force > 0.0).take_while(|(force, _)| *force == 0.0);
        next.fold(0.0f64, |highest, (_, compression)| highest.max(-compression))
    };
    let (as_before, turned) = (highest(&loose), highest(&tight));
    println!("the second hop after it: {as_before:.2e} m, turned {turned:.2e} m");
    assert!(turned < 0.1 * as_before, "{turned} {as_before}");
}
