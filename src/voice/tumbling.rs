//! Thrown bodies over the body of a voice, on the voice's clock.
//!
//! A body goes in ticks of its own ([`TICK_S`]). Nothing can happen to it between the throw and its
//! rest, so `AHEAD` of them are worked out together before their time, at instants that differ from
//! voice to voice: bodies that land together are not worked out together, and the work of an impact
//! is spread over what comes before it. What a tick brings waits until the sample in which it
//! happens: nothing that is heard depends on when it was worked out, on the blocks, or on the
//! sample rate.

use arrayvec::ArrayVec;

use crate::body::Point;
use crate::exciter::Blow;
use crate::exciter::tumble::{Hit, MAX_BLOWS, TumblingBody};
use crate::params::Patch;
use crate::rigid_body::tumble::{MAX_IMPACTS, Strikes, TICK_S};
use crate::snapshot::{TumblingSnapshot, VoiceSnapshot};

/// Bodies that tumble over one voice. A further one takes the place of the oldest.
const BODIES: usize = 2;

/// Ticks that are worked out together.
const AHEAD: u64 = 16;

/// Blows of one tick, at most.
const MAX_OF_TICK: usize = MAX_IMPACTS * MAX_BLOWS;

/// Blows that wait, at most. The tick under way and the next must fit; without room for another
/// whole tick none is worked out before its time.
const WAITING: usize = 6 * MAX_OF_TICK;

/// Blows handed over in one sample, at most: the strongest, if more fall together.
pub const MAX_AT_ONCE: usize = 8;

/// The blows of one sample.
pub type FallenBlows = ArrayVec<Blow, MAX_AT_ONCE>;

/// One body and what it is about to do.
#[derive(Clone, Debug)]
struct Flying {
    tumbling_body: TumblingBody,
    /// Samples since the throw.
    samples: u64,
    /// Ticks worked out.
    ticks: u64,
    waiting: ArrayVec<Hit, WAITING>,
    number: u64,
}

/// When (s) the ticks that are worked out together with this one are due, `early` ticks before
/// their time.
fn batch_s(ticks: u64, early: f64) -> f64 {
    // The cast saturates: a phase that has broken is no reason to panic.
    let together = ticks.saturating_add(early as u64) / AHEAD * AHEAD;
    (together as f64 - early) * TICK_S
}

impl Flying {
    /// When (s) the next tick is to be worked out, by a voice of this phase.
    fn tick_due_s(&self, phase: f64) -> f64 {
        if self.tumbling_body.tumble.is_resting() {
            return f64::INFINITY;
        }
        if self.waiting.remaining_capacity() < 2 * MAX_OF_TICK {
            return self.ticks as f64 * TICK_S;
        }
        batch_s(self.ticks, phase * AHEAD as f64)
    }

    /// When (s) there is anything to be done: a tick, a blow, or the rest.
    fn next_s(&self, phase: f64) -> f64 {
        let rest_s = if self.tumbling_body.tumble.is_resting() {
            self.tumbling_body.tumble.time_s()
        } else {
            f64::INFINITY
        };
        let waiting_s = self.waiting.first().map_or(rest_s, |hit| hit.time_s);
        waiting_s.min(self.tick_due_s(phase))
    }

    /// How many samples, from the one to come and up to `max`, pass before there is anything to be
    /// done again.
    fn quiet_samples(&self, max: usize, phase: f64, dt_s: f64) -> usize {
        let next_s = self.next_s(phase);
        let is_due = |ahead: usize| next_s < (self.samples + ahead as u64 + 1) as f64 * dt_s;
        // Right but for rounding.
        let guess =
            (next_s / dt_s - self.samples as f64).floor().clamp(1.0, max.max(1) as f64) as usize;
        let from = if guess > 1 && is_due(guess - 1) { guess - 1 } else { guess };
        (from..max).find(|&ahead| is_due(ahead)).unwrap_or(max)
    }

    fn tick(&mut self) {
        let mut strikes = Strikes::new();
        self.tumbling_body.tumble.tick(&mut strikes);
        self.ticks += 1;
        // All strikes of one impact have the very same time.
        for impact in strikes.chunk_by(|a, b| a.time_s == b.time_s) {
            for hit in self.tumbling_body.hits(impact) {
                // There is room for a full tick.
                let _ = self.waiting.try_push(hit);
            }
        }
    }

    fn is_over(&self, end_s: f64) -> bool {
        let tumble = &self.tumbling_body.tumble;
        tumble.is_resting() && self.waiting.is_empty() && tumble.time_s() < end_s
    }
}

/// All bodies that tumble over one voice.
#[derive(Clone, Debug, Default)]
pub struct TumblingBodies {
    bodies: [Option<Flying>; BODIES],
    throws: u64,
    /// Share of [`AHEAD`] by which this voice is earlier than one of phase 0.
    phase: f64,
    /// Ticks have been worked out since somebody asked.
    has_changed: bool,
}

impl TumblingBodies {
    /// Add what can be seen of the body thrown last.
    pub fn write_snapshot(&self, view: &mut VoiceSnapshot) {
        if let Some(flying) = self.bodies.iter().flatten().max_by_key(|flying| flying.number) {
            let motion = flying.tumbling_body.tumble.motion();
            view.tumbling = Some(TumblingSnapshot {
                centre_m: motion.centre_m.map(|x| x as f32),
                turn: motion.attitude.0.map(|x| x as f32),
            });
        }
    }

    /// Nothing is in the air.
    pub fn reset(&mut self) {
        self.bodies = Default::default();
    }

    /// Be as it was made, with a phase that is a number: it changes when, and not what.
    pub fn renew(&mut self) {
        self.reset();
        self.set_phase(if self.phase.is_finite() { self.phase } else { 0.0 });
    }

    /// Voices with different phases, 0…1, do not work out their ticks at the same instant.
    pub fn set_phase(&mut self, phase: f64) {
        self.phase = phase.clamp(0.0, 1.0 - f64::EPSILON);
    }

    /// Throw a body, now.
    pub fn throw(&mut self, tumbling_body: TumblingBody) {
        self.throws += 1;
        let flying = Flying {
            tumbling_body,
            samples: 0,
            ticks: 0,
            waiting: ArrayVec::new(),
            number: self.throws,
        };
        let oldest =
            self.bodies.iter_mut().min_by_key(|body| body.as_ref().map_or(0, |body| body.number));
        if let Some(place) = oldest {
            *place = Some(flying);
        }
    }

    /// Catch all of them.
    pub fn catch(&mut self) {
        self.reset();
    }

    /// Whether anything tumbles.
    pub fn are_active(&self) -> bool {
        self.bodies.iter().any(Option::is_some)
    }

    /// What falls in the sample to come; says how many bodies have come to rest before it.
    pub fn fall_due(&mut self, dt_s: f64, patch: &Patch, blows: &mut FallenBlows) -> usize {
        let mut rested = 0;
        for place in &mut self.bodies {
            let Some(body) = place else { continue };
            let end_s = (body.samples + 1) as f64 * dt_s;
            // No more than are worked out together, and those that a very long sample holds.
            while body.tick_due_s(self.phase) < end_s {
                body.tick();
                self.has_changed = true;
            }
            while let Some(hit) = body.waiting.first().copied()
                && hit.time_s < end_s
            {
                body.waiting.remove(0);
                let delay_s = (hit.time_s - body.samples as f64 * dt_s).max(0.0);
                push_stronger(blows, body.tumbling_body.blow(&hit, delay_s, patch));
            }
            if body.is_over(end_s) {
                *place = None;
                rested += 1;
            }
        }
        rested
    }

    /// Where the next blow of the body thrown last falls, if ticks have been worked out since the
    /// last call and there is one.
    pub fn take_next_point(&mut self, patch: &Patch) -> Option<Point> {
        if !std::mem::take(&mut self.has_changed) {
            return None;
        }
        let newest = self.bodies.iter().flatten().max_by_key(|body| body.number)?;
        newest.waiting.first().map(|hit| newest.tumbling_body.point(hit, patch))
    }

    /// How many samples, from the one to come and up to `max`, pass before there is anything to be
    /// done again.
    pub fn quiet_samples(&self, max: usize, dt_s: f64) -> usize {
        let bodies = self.bodies.iter().flatten();
        bodies.fold(max, |max, body| body.quiet_samples(max, self.phase, dt_s))
    }

    /// That many samples have gone by.
    pub fn pass(&mut self, samples: usize) {
        for body in self.bodies.iter_mut().flatten() {
            body.samples += samples as u64;
        }
    }
}

/// Keep the strongest by momentum.
fn push_stronger(blows: &mut FallenBlows, blow: Blow) {
    let strength = |blow: &Blow| blow.contact.mass_kg * blow.speed_m_per_s;
    if !blows.is_full() {
        return blows.push(blow);
    }
    if let Some(weakest) = blows.iter_mut().min_by(|a, b| strength(a).total_cmp(&strength(b)))
        && strength(weakest) < strength(&blow)
    {
        *weakest = blow;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_that_is_nan_does_not_overflow() {
        for early in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(!batch_s(7, early).is_finite());
        }
        assert_eq!(batch_s(AHEAD, 0.0), AHEAD as f64 * TICK_S);
    }
}
