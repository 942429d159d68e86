//! How finely contacts are stepped where the work is bounded, as it is in a voice.

use std::collections::VecDeque;

use ictus::contact::settings::Law;
use ictus::contact::two_way::beater::OWED_STEPS;
use ictus::contact::two_way::{Ground, SEATS};
use ictus::contact::{ContactSettings, HuntCrossley, TwoWay};

use crate::body::Body;

/// What a voice allows per second, and what it may save up.
const PER_S: f64 = 768e3;
const SAVED: u32 = 6144;
/// Samples of a block.
const BLOCK: usize = 64;
/// Watched for, s.
const WATCH_S: f64 = 0.02;

/// Speeds, m/s, and where in the first sample the blow falls.
const SPEEDS_AND_ONSETS: [(f64, f64); 9] =
    [(0.1, 0.0), (0.1, 0.45), (0.1, 0.7), (1.0, 0.1), (1.0, 0.45), (1.0, 0.8), (10.0, 0.2), (10.0, 0.45), (10.0, 0.9)];

const LAWS_AND_GRAVITIES: [(Law, f64); 4] =
    [(Law::HuntCrossley, 0.0), (Law::HuntCrossley, 9.81), (Law::HertzDamper, 0.0), (Law::HertzDamper, 9.81)];

#[derive(Clone, Copy, Debug, Default)]
struct Blow {
    kind: Law,
    modes: usize,
    rate_hz: f64,
    stiffness: f64,
    speed_m_per_s: f64,
    gravity_m_per_s2: f64,
    onset: f64,
    /// So many others are struck that nothing is left to share out.
    in_a_storm: bool,
}

/// What came of it: the sub-steps of each contact, most sub-steps of any 64 samples, all of them, and the largest rise of energy in one
/// of them as a share of the start.
struct Outcome {
    contacts: Vec<u32>,
    most: u32,
    all: u32,
    growth: f64,
}

impl Blow {
    fn per_sample(&self) -> u32 {
        (PER_S / self.rate_hz).ceil() as u32
    }

    fn fall(&self) -> Outcome {
        let dt_s = 1.0 / self.rate_hz;
        let mut body = Body::generic(self.modes);
        let mut two_way = TwoWay::default();
        two_way.set_allowance(self.per_sample(), SAVED);
        two_way.set_ration(self.in_a_storm.then_some(0));
        let law = HuntCrossley { stiffness: self.stiffness, mu_s_per_m: 0.3, alpha: 1.5 };
        let gravity_m_per_s2 = self.gravity_m_per_s2;
        let kind = self.kind;
        let settings = ContactSettings { law, kind, mass_kg: 0.01, gravity_m_per_s2, ..ContactSettings::default() };
        two_way.strike(&mut body.ground(), 0, &settings, self.speed_m_per_s, self.onset * dt_s);
        let start_j = two_way.beater(0).energy_j();
        let (mut contacts, mut now, mut before_j, mut growth) = (Vec::new(), 0, start_j, 0.0f64);
        let (mut block, mut in_block, mut most, mut all) = (VecDeque::new(), 0, 0, 0);
        for _ in 0..(WATCH_S * self.rate_hz) as u32 {
            two_way.advance_with(&mut body.ground(), dt_s, &mut [], &mut |beaters, ground| {
                let now_j = beaters[0].energy_j() + ground.energy_j();
                growth = growth.max((now_j - before_j) / start_j);
                before_j = now_j;
                now += u32::from(beaters[0].compression_m() > 0.0);
                if beaters[0].contacts() as usize > contacts.len() {
                    contacts.push(std::mem::take(&mut now));
                }
            });
            all += two_way.steps();
            in_block += two_way.steps();
            block.push_back(two_way.steps());
            if block.len() > BLOCK {
                in_block -= block.pop_front().unwrap_or(0);
            }
            most = most.max(in_block);
        }
        Outcome { contacts, most, all, growth }
    }
}

#[test]
fn every_contact_has_24_steps_and_a_block_its_bound() {
    let mut short = Vec::new();
    for (kind, gravity_m_per_s2) in LAWS_AND_GRAVITIES {
        let of_kind = Blow { kind, gravity_m_per_s2, ..Blow::default() };
        for stiffness in [1e6, 1e8, 1e9, 2e10, 1e11] {
            let (mut contacts, mut fewest, mut most, mut all, mut growth) = (0, u32::MAX, 0, 0, 0.0f64);
            for modes in [1, 32, 128] {
                for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
                    for (speed_m_per_s, onset) in SPEEDS_AND_ONSETS {
                        let blow = Blow { modes, rate_hz, stiffness, speed_m_per_s, onset, ..of_kind };
                        let outcome = blow.fall();
                        assert!(outcome.growth <= 1e-12, "{blow:?}: {:e}", outcome.growth);
                        assert!(outcome.most <= SAVED + blow.per_sample() * BLOCK as u32, "{blow:?}: {}", outcome.most);
                        let least = outcome.contacts.iter().copied().min().unwrap_or(u32::MAX);
                        if least < 24 {
                            short.push(format!("{blow:?}: {:?}", outcome.contacts));
                        }
                        contacts += outcome.contacts.len();
                        (fewest, growth) = (fewest.min(least), growth.max(outcome.growth));
                        (most, all) = (most.max(outcome.most), all.max(outcome.all));
                    }
                }
            }
            println!(
                "{kind:?}, k {stiffness:7.0e}, g {gravity_m_per_s2:4}: {contacts:4} contacts of {fewest} steps or more; {most} sub-steps in a \
                 block, {all} in 20 ms; growth {growth:.1e}"
            );
        }
    }
    assert!(short.is_empty(), "fewer than 24 steps: {short:#?}");
}

/// However many voices are struck at once (an empty ration is the least that a voice can get) every contact has 24 steps. The work is
/// bounded by the contacts there are: each has what it is owed, twice that at most as steps are powers of two, and as much again
/// goes by where a touch cannot be told from a near miss.
#[test]
fn every_contact_has_24_steps_however_many_are_struck() {
    let (mut contacts, mut fewest, mut each, mut short) = (0, u32::MAX, 0, Vec::new());
    for (kind, gravity_m_per_s2) in LAWS_AND_GRAVITIES {
        let of_kind = Blow { kind, gravity_m_per_s2, in_a_storm: true, ..Blow::default() };
        for stiffness in [1e5, 1e6, 1e7, 1e8, 1e9, 2e10, 1e11] {
            for modes in [1, 6, 32, 128] {
                for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
                    for (speed_m_per_s, onset) in SPEEDS_AND_ONSETS {
                        let blow = Blow { modes, rate_hz, stiffness, speed_m_per_s, onset, ..of_kind };
                        let outcome = blow.fall();
                        assert!(outcome.growth <= 1e-12, "{blow:?}: {:e}", outcome.growth);
                        // One that is not over by then has one step per sample at least.
                        let least = outcome.contacts.iter().copied().min().unwrap_or(u32::MAX);
                        if least < 24 {
                            short.push(format!("{blow:?}: {:?}", outcome.contacts));
                        }
                        contacts += outcome.contacts.len();
                        fewest = fewest.min(least);
                        let samples = (WATCH_S * rate_hz) as u32;
                        let beside = outcome.all - samples.min(outcome.all);
                        each = each.max(beside.div_ceil(outcome.contacts.len() as u32 + 1));
                    }
                }
            }
        }
    }
    println!("{contacts} contacts of {fewest} steps or more; for each {each} at most beside one per sample");
    assert!(short.is_empty(), "fewer than 24 steps: {short:#?}");
    assert!(each <= 2 * OWED_STEPS, "{each}");
}

/// Several strikers on one body share what there is. What a step of n of them costs counts n^2, and all in all there is no more of it than
/// the allowance has, beside one step per sample and what each contact is owed. (That is twice that much as steps are powers of two, but those that
/// touch at the same time share their steps: together they stay below what is owed once.)
#[test]
fn what_several_cost_is_bounded_too() {
    const SAMPLES: usize = 600;
    for rate_hz in [44_100.0, 192_000.0] {
        for (strikers, stiffness, in_a_storm) in
            [(2, 1e9, false), (2, 2e10, true), (4, 1e9, true), (4, 2e10, false), (8, 1e9, false), (8, 2e10, true)]
        {
            let dt_s = 1.0 / rate_hz;
            let per_sample = (PER_S / rate_hz).ceil() as u32;
            let (mut body, mut two_way) = (Body::generic(32), TwoWay::default());
            two_way.set_allowance(per_sample, SAVED);
            two_way.set_ration(in_a_storm.then_some(0));
            let law = HuntCrossley { stiffness, mu_s_per_m: 0.3, alpha: 1.5 };
            let settings = ContactSettings { law, mass_kg: 0.01, gravity_m_per_s2: 9.81, ..ContactSettings::default() };
            for seat in 0..strikers {
                let delay_s = 1.7 * seat as f64 * dt_s;
                two_way.strike(&mut body.ground(), seat, &settings, 1.0 + seat as f64, delay_s);
            }
            let mut spent = 0u64;
            for _ in 0..SAMPLES {
                body.advance(&mut two_way, dt_s);
                spent += u64::from(two_way.take_spent());
            }
            let contacts: u64 = (0..SEATS).map(|seat| u64::from(two_way.beater(seat).contacts())).sum();
            let each = (strikers * strikers) as u64;
            let allowed = u64::from(if in_a_storm { 0 } else { SAVED + per_sample * SAMPLES as u32 });
            let beside = spent.saturating_sub(allowed + each * SAMPLES as u64);
            let owed = each * u64::from(OWED_STEPS) * (contacts + strikers as u64);
            println!(
                "{strikers} strikers, {stiffness:e}, {rate_hz} Hz: {contacts} contacts, {spent} spent, {beside} of {owed} owed"
            );
            assert!(contacts >= strikers as u64, "{strikers} strikers, {stiffness:e}: {contacts}");
            assert!(beside <= owed, "{strikers} strikers, {stiffness:e}, {rate_hz} Hz: {spent}");
        }
    }
}
