//! How loud a blow will be, before it falls; and the gain that makes all bodies equally loud.
//!
//! Levelling acts on the sound, not on the physics. A blow of [`REFERENCE_J`] by the striker at hand, of the reference
//! hardness, is predicted from the modes: mode i of a body of mass M is left with a velocity of
//! `a_i = P(f_i) phi_strike phi_pickup/M`, P the spectrum of the blow's force. Against a wall that is a pulse of known
//! impulse and duration; where the body gives way it is rehearsed. What is heard is the K-weighted (ITU-R BS.1770) mean
//! square of the first 400 ms. Hardness, striking speed and dissipation keep their effect on loudness, but a blow of
//! the same energy is no more than 2.5 dB louder for its hardness.

mod blow;
mod complex;
mod ear;
mod hasty;
mod pace;
mod plain;
mod rehearsal;
mod ringing;
mod weighting;
mod window;

use std::f64::consts::PI;

use super::shape::{Kind, Place, Shapes};
use super::{MAX_MODES, Modes};
pub use blow::{FeltBlow, REFERENCE_J, ReferenceBlow, own_at_1_s};
use blow::{half_sine, half_sine_of_s};
use complex::Complex;
use ear::RingingOn;
use pace::Pace;
use rehearsal::Rehearsal;
pub use rehearsal::Stage;
use ringing::Ringing;
use weighting::{high_pass, shelf_power};
use window::{Span, WINDOW_S, ringing_s};

/// What all are levelled to, m/s (K-weighted, both pickups together): a plain steel bar of 400 g at A4.
const TARGET_M_PER_S: f64 = 0.25;
/// Least and most gain: what is soft is turned up by 60 dB at most; what is loud, down by as much as it takes.
const GAIN: (f64, f64) = (1e-9, 1e3);
/// A blow on a node, or a pickup there, counts as no softer than this share of the mean over the body (power, -18 dB): the
/// next blow may fall beside the node. Pickups near the edge of a clamped disc hear 16 dB less than the mean.
const LEAST_SHARE: f64 = 1.0 / 64.0;
/// How much louder than one of the reference hardness a blow of the same energy may be, as power: 2.5 dB. On a body that hardly hears
/// the reference blow a hard one would be 13 dB louder.
const MOST_LOUDER: f64 = 1.78;
/// What levelling takes of a mode, and of two that beat, in steps of a mode: the unit of [`Leveller::gain_within`].
const WORK_PER_MODE: u32 = 100;
const WORK_PER_PAIR: u32 = 35;
/// Most work of a rehearsal, which may be that of two blows, each of them gone through once and then once more in finer steps, and one as it
/// will be played.
pub const MOST_REHEARSED: u32 =
    2 * MAX_MODES as u32 * (rehearsal::MOST_STEPS + rehearsal::MOST_FINER_STEPS) + rehearsal::MOST_PLAYED;

/// Predicts; keeps the shapes at the strike point, which change seldom.
#[derive(Clone, Debug)]
pub struct Leveller {
    struck: Shapes,
    /// Of how many modes the first body may have.
    lanes: usize,
    rehearsal: Rehearsal,
    /// What the last level came to, per plain estimate of it.
    over_plain: Option<f64>,
}

impl Default for Leveller {
    fn default() -> Self {
        Self { struck: Shapes::NONE, lanes: 0, rehearsal: Rehearsal::default(), over_plain: None }
    }
}

/// A level, the plain estimate of it, and the work that both were.
struct Levelled {
    m_per_s: f64,
    plain_m_per_s: f64,
    work: u32,
}

impl Levelled {
    /// The same, or what leaves a blow of its own hardness no more than so much louder.
    fn but_no_louder(self, own: Option<Self>) -> Self {
        let Some(own) = own else { return self };
        Self {
            m_per_s: self.m_per_s.max(own.m_per_s / MOST_LOUDER.sqrt()),
            work: self.work + own.work,
            plain_m_per_s: self.plain_m_per_s,
        }
    }
}

impl Leveller {
    /// Take over the shapes that another knows.
    pub fn learn(&mut self, other: &Self) {
        if other.lanes != self.lanes {
            self.struck.forget();
            self.lanes = other.lanes;
        }
        self.struck.learn(&other.struck);
        self.over_plain = other.over_plain.filter(|over| over.is_finite()).or(self.over_plain);
    }

    /// Forget how far the plain estimate was off: what comes is levelled as if it were the first.
    pub fn forget(&mut self) {
        self.over_plain = None;
    }

    /// The next body is a new one.
    pub fn begin(&mut self) {
        self.rehearsal.forget_played();
    }

    /// The shapes where the last blow was to fall.
    pub fn struck(&self) -> &Shapes {
        &self.struck
    }

    /// The gain that brings a reference blow on these modes to the common level; 1e-9…1e3.
    pub fn gain(&mut self, modes: &Modes, blow: &ReferenceBlow) -> f64 {
        self.gain_within(modes, blow, u32::MAX).0
    }

    /// The same with no more work than `most` steps of a mode, and the work that it was.
    ///
    /// Work that was begun with anything left is carried through, but for a rehearsal: one that is not over by then is broken off. What
    /// cannot be worked out is taken from a plain estimate, which is as far off as that of the body before was.
    pub fn gain_within(&mut self, modes: &Modes, blow: &ReferenceBlow, most: u32) -> (f64, u32) {
        self.gain_on(None, modes, blow, most)
    }

    /// The same of a body that is silent and lent for it: a blow that no other steps than its own tell of is rehearsed on it.
    pub fn gain_on(&mut self, stage: Option<&mut Stage>, modes: &Modes, blow: &ReferenceBlow, most: u32) -> (f64, u32) {
        let (level, work) = self.level_within(stage, modes, blow, most);
        let gain = if level > 0.0 { (TARGET_M_PER_S / level).clamp(GAIN.0, GAIN.1) } else { 1.0 };
        (gain, work)
    }

    /// K-weighted level of a reference blow in its first 400 ms, m/s: the root of the mean square, both pickups added.
    pub fn level_m_per_s(&mut self, modes: &Modes, blow: &ReferenceBlow) -> f64 {
        self.level_within(None, modes, blow, u32::MAX).0
    }

    fn level_within(
        &mut self,
        stage: Option<&mut Stage>,
        modes: &Modes,
        blow: &ReferenceBlow,
        most: u32,
    ) -> (f64, u32) {
        let kind = modes.spectrum().geometry().kind;
        // Of several bodies the first is struck.
        let lanes = modes.parts().lanes();
        if self.lanes != lanes {
            self.struck.forget();
            self.lanes = lanes;
        }
        self.struck.set(modes.spectrum(), Place::Strike, blow.point, lanes.min(modes.len));
        // The amplitudes of a list are what they are, wherever it is struck.
        let least_share = if kind == Kind::User { 0.0 } else { LEAST_SHARE };
        // The first of all has nothing to go by, and all the work it takes.
        let most = if self.over_plain.is_some() { most } else { u32::MAX };
        let mut begun = 0;
        if most > 0 {
            let levelled = match &blow.felt {
                None => {
                    let reference = self.heard(modes, blow, blow.pulse_s(), least_share);
                    let own = blow.own_pulse_s().map(|pulse_s| self.heard(modes, blow, pulse_s, least_share));
                    Ok(reference.but_no_louder(own))
                }
                Some(felt) => self.felt(stage, modes, blow, felt, least_share, most),
            };
            match levelled {
                Ok(Levelled { m_per_s, plain_m_per_s, work }) => {
                    if plain_m_per_s > 0.0 && m_per_s > 0.0 {
                        self.over_plain = Some(m_per_s / plain_m_per_s);
                    }
                    return (m_per_s, work);
                }
                Err(work) => begun = work,
            }
        }
        let (pulse_s, m_per_s) = match &blow.felt {
            None => (blow.pulse_s(), blow.impulse_ns() / blow.body_kg),
            Some(felt) => {
                let meeting = self.rehearsal.meet(modes, felt, (self.struck.values(), lanes), blow.body_kg);
                let (pulse_s, impulse_ns) = felt.pulse_of(&meeting);
                (pulse_s, impulse_ns / blow.body_kg * felt.to_reference())
            }
        };
        let plain_m_per_s = plain::level_m_per_s(modes, self.struck.values(), pulse_s, m_per_s);
        (plain_m_per_s * self.over_plain.unwrap_or(1.0), begun + modes.len as u32 * WORK_PER_MODE)
    }

    /// The same blow as it is felt, and one of its own hardness: the one of both that will fall has the `stage`.
    fn felt(
        &mut self,
        stage: Option<&mut Stage>,
        modes: &Modes,
        blow: &ReferenceBlow,
        felt: &FeltBlow,
        least_share: f64,
        most: u32,
    ) -> Result<Levelled, u32> {
        let to_reference = felt.to_reference();
        let own = felt.lasting(blow.own_at_1_s).zip(blow.own_pulse_s());
        let (first, second) = if own.is_some() { (None, stage) } else { (stage, None) };
        let first = (first, own.is_none(), most);
        let reference = self.rehearsed(modes, blow, (felt, to_reference), blow.pulse_s(), least_share, first)?;
        let Some((own, pulse_s)) = own else { return Ok(reference) };
        // Where the body gives way no pulse tells how loud that is.
        let left = most.saturating_sub(reference.work);
        match self.rehearsed(modes, blow, (&own, to_reference), pulse_s, least_share, (second, true, left)) {
            Ok(own) => Ok(reference.but_no_louder(Some(own))),
            Err(work) => Err(reference.work + work),
        }
    }

    /// From the integral of the weighted square of what a wall's pulse of `pulse_s` makes of the modes, both pickups, times the
    /// square of the body's mass; no less than a share of the mean over the body.
    fn heard(&self, modes: &Modes, blow: &ReferenceBlow, pulse_s: f64, least_share: f64) -> Levelled {
        let impulse_ns = blow.impulse_ns();
        // Of several bodies the first counts, as if it were heard in full.
        let (len, in_full) = (modes.len.min(modes.parts().lanes()), 1.0 / modes.parts().first_heard());
        let mut ringing = Ringing::new(len, Span { window_s: WINDOW_S, pulse_s });
        let (mut mean, mut plain) = (0.0, 0.0);
        for i in 0..len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            let shelf = shelf_power(w / (2.0 * PI));
            let moved = in_full * modes.presence[i] * self.struck.values()[i] * shelf.sqrt();
            let heard = [moved * modes.left.target(i), moved * modes.right.target(i)];
            let spectrum_ns = impulse_ns * half_sine(w / (2.0 * PI) * pulse_s);
            let (kept, onset) = high_pass(d, w, Complex::real(spectrum_ns));
            ringing.thump[0].add(&onset, heard[0]);
            ringing.thump[1].add(&onset, heard[1]);
            (ringing.heard[i], ringing.kept[i]) = (heard, kept);
            let rings = rings_s(modes, i);
            mean += mean_s(modes, i, shelf * kept.power(), rings);
            plain += (heard[0] * heard[0] + heard[1] * heard[1]) * kept.power() * rings;
        }
        let (energy_s, pairs) = ringing.energy_s(modes);
        let m_per_s = |energy_s: f64| (energy_s / WINDOW_S).sqrt() / blow.body_kg;
        Levelled {
            m_per_s: m_per_s(energy_s.max(least_share * mean)),
            plain_m_per_s: m_per_s(plain),
            work: len as u32 * WORK_PER_MODE + pairs * WORK_PER_PAIR,
        }
    }

    /// The same of what the modes are left with by a blow that is rehearsed, and of what is heard meanwhile; no less than a
    /// share of what a pulse of its impulse and duration would be heard at in the mean. At the reference speed its pulse against a
    /// wall would be one of `reference_s`. Where more than `most` would be needed, the work that was in vain.
    fn rehearsed(
        &mut self,
        modes: &Modes,
        blow: &ReferenceBlow,
        (felt, to_reference): (&FeltBlow, f64),
        reference_s: f64,
        least_share: f64,
        rehearsal: (Option<&mut Stage>, bool, u32),
    ) -> Result<Levelled, u32> {
        let body_kg = blow.body_kg;
        let (lanes, in_full) = (modes.parts().lanes(), 1.0 / modes.parts().first_heard());
        let rehearsed = self.rehearsal.play(modes, felt, (self.struck.values(), lanes), body_kg, in_full, rehearsal)?;
        let (len, course) = (self.rehearsal.len(), self.rehearsal.course());
        let (pulse_s, m_per_s) = (half_sine_of_s(course.variance_s2()), course.impulse_ns / body_kg);
        let span = Span { window_s: (WINDOW_S - course.time_s).max(0.0), pulse_s: 0.0 };
        let mut ringing = Ringing::new(len, span);
        let mut on = [RingingOn::default(); 2];
        let (thought_s, thought_ns) = felt.pulse_of(self.rehearsal.meeting());
        let mut pace = Pace::new(felt.pulse_s(), reference_s, thought_s);
        let (mut mean, mut left, mut pulsed) = (0.0, 0.0, 0.0);
        for i in 0..len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            if w == 0.0 {
                continue;
            }
            let (y, heard) = (self.rehearsal.left_with(i), self.rehearsal.heard(i));
            let (share, _) = high_pass(d, w, Complex::real(1.0));
            let kept = share.times(y);
            for (on, heard) in on.iter_mut().zip(heard) {
                on.add((d, w), y, kept, heard);
            }
            // From here on it rings by itself, and the shelf is that of its own frequency.
            let shelf = shelf_power(w / (2.0 * PI));
            let heard = heard.map(|heard| heard * shelf.sqrt());
            (ringing.heard[i], ringing.kept[i]) = (heard, kept);
            let moved = modes.presence[i] * self.struck.values()[i];
            let rings = rings_s(modes, i);
            pace.add(w, rings, (heard[0] * heard[0] + heard[1] * heard[1]) * moved * moved * share.power());
            let pulse = m_per_s * half_sine(w / (2.0 * PI) * pulse_s);
            let weight = shelf * share.power();
            mean += mean_s(modes, i, weight * pulse * pulse, rings);
            left += weight * rings * y.power();
            pulsed += weight * rings * (moved * pulse).powi(2);
        }
        // Of what it pushed a heavy striker takes most back again, wherever it falls.
        let mean = if left < pulsed { mean * left / pulsed } else { mean };
        let ears = self.rehearsal.ears();
        ringing.thump = [ears[0].thump(&on[0]), ears[1].thump(&on[1])];
        let (after, pairs) = if span.window_s > 0.0 { ringing.energy_s(modes) } else { (0.0, 0) };
        let heard_s =
            pace.to_reference() * (ears[0].energy_s + ears[1].energy_s + after.max(0.0)).max(least_share * mean);
        Ok(Levelled {
            m_per_s: (heard_s / WINDOW_S).sqrt() * to_reference,
            plain_m_per_s: (pace.thought() / WINDOW_S).sqrt() * thought_ns / body_kg * to_reference,
            work: rehearsed + len as u32 * WORK_PER_MODE + pairs * WORK_PER_PAIR,
        })
    }
}

/// How long a mode of power 1 rings within the window, s.
fn rings_s(modes: &Modes, mode: usize) -> f64 {
    ringing_s(2.0 * modes.decay_per_s[mode], 0.0, WINDOW_S).re
}

/// What a mode of weighted power `power` is heard at in the mean over strike points and pickups, with two pickups of a mean square
/// of 1 each.
fn mean_s(modes: &Modes, mode: usize, power: f64, rings_s: f64) -> f64 {
    if modes.omega[mode] == 0.0 {
        return 0.0;
    }
    modes.presence[mode].powi(4) * power * rings_s
}

#[cfg(test)]
mod tests;
