//! Tumbling bodies over the body of a voice, on the voice's clock.
//!
//! A tumbling body advances in ticks of its own ([`TICK_S`]). Nothing outside acts on it between
//! the throw and its rest, so `TICKS_AHEAD` ticks are computed together and ahead of time, at
//! instants that differ from voice to voice: bodies that land together are not computed together,
//! and the work of an impact is spread over the time before it. The hits of a tick wait for the
//! sample in which they happen. The sound does not depend on when a tick was computed, on the
//! block size, or on the sample rate.

use arrayvec::ArrayVec;

use super::exciters::{Exciter, FreeBody, Sample};
use crate::body::Point;
use crate::exciter::Blow;
use crate::exciter::tumble::{Hit, MAX_BLOWS, TumblingBody};
use crate::params::Patch;
use crate::rigid_body::tumble::{MAX_IMPACTS, Strikes, TICK_S};
use crate::snapshot::{TumblingSnapshot, VoiceSnapshot};

/// Bodies that tumble over one voice. A further one replaces the oldest.
const MAX_BODIES: usize = 2;

/// Ticks that are computed together.
const TICKS_AHEAD: u64 = 16;

/// Most blows of one tick.
const MAX_BLOWS_PER_TICK: usize = MAX_IMPACTS * MAX_BLOWS;

/// Most blows that wait. The current tick and the next must fit; without room for another whole
/// tick none is computed ahead of time.
const MAX_WAITING: usize = 6 * MAX_BLOWS_PER_TICK;

/// Most blows of one sample: the strongest, if more fall together.
const MAX_AT_ONCE: usize = 8;

/// The blows of one sample.
pub type FallenBlows = ArrayVec<Blow, MAX_AT_ONCE>;

/// One body and its hits to come.
#[derive(Clone, Debug)]
struct ThrownBody {
    tumbling_body: TumblingBody,
    /// Samples since the throw.
    samples: u64,
    /// Ticks computed.
    ticks: u64,
    waiting: ArrayVec<Hit, MAX_WAITING>,
    number: u64,
}

/// When (s) the batch of ticks that contains this one is to be computed, `early` ticks ahead.
fn batch_s(ticks: u64, early: f64) -> f64 {
    // The cast saturates, so that a NaN phase does not panic.
    let together = ticks.saturating_add(early as u64) / TICKS_AHEAD * TICKS_AHEAD;
    (together as f64 - early) * TICK_S
}

impl ThrownBody {
    /// When (s) a voice of this phase computes the next tick.
    fn tick_due_s(&self, phase: f64) -> f64 {
        if self.tumbling_body.tumble.is_resting() {
            return f64::INFINITY;
        }
        if self.waiting.remaining_capacity() < 2 * MAX_BLOWS_PER_TICK {
            return self.ticks as f64 * TICK_S;
        }
        batch_s(self.ticks, phase * TICKS_AHEAD as f64)
    }

    /// When (s) the next tick, blow or rest is due.
    fn next_s(&self, phase: f64) -> f64 {
        let rest_s = if self.tumbling_body.tumble.is_resting() {
            self.tumbling_body.tumble.time_s()
        } else {
            f64::INFINITY
        };
        let waiting_s = self.waiting.first().map_or(rest_s, |hit| hit.time_s);
        waiting_s.min(self.tick_due_s(phase))
    }

    /// Number of samples, up to `max`, before anything is due.
    fn quiet_samples(&self, max: usize, phase: f64, dt_s: f64) -> usize {
        let next_s = self.next_s(phase);
        let is_due = |ahead: usize| next_s < (self.samples + ahead as u64 + 1) as f64 * dt_s;
        // Exact except for rounding, which the search below corrects.
        let guess =
            (next_s / dt_s - self.samples as f64).floor().clamp(1.0, max.max(1) as f64) as usize;
        let from = if guess > 1 && is_due(guess - 1) { guess - 1 } else { guess };
        (from..max).find(|&ahead| is_due(ahead)).unwrap_or(max)
    }

    fn tick(&mut self) {
        let mut strikes = Strikes::new();
        self.tumbling_body.tumble.tick(&mut strikes);
        self.ticks += 1;
        // All strikes of one impact have exactly the same time.
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
    bodies: [Option<ThrownBody>; MAX_BODIES],
    throws: u64,
    /// Share of [`TICKS_AHEAD`] by which this voice is earlier than one of phase 0.
    phase: f64,
    /// Ticks have been computed since the last [`take_next_point`](Self::take_next_point).
    has_new_ticks: bool,
}

impl TumblingBodies {
    /// Sets the phase, 0…1. Voices with different phases compute their ticks at different times.
    pub fn set_phase(&mut self, phase: f64) {
        self.phase = phase.clamp(0.0, 1.0 - f64::EPSILON);
    }

    /// Throws a body at the current sample.
    pub fn throw(&mut self, tumbling_body: TumblingBody) {
        self.throws += 1;
        let body = ThrownBody {
            tumbling_body,
            samples: 0,
            ticks: 0,
            waiting: ArrayVec::new(),
            number: self.throws,
        };
        let oldest =
            self.bodies.iter_mut().min_by_key(|body| body.as_ref().map_or(0, |body| body.number));
        if let Some(place) = oldest {
            *place = Some(body);
        }
    }

    /// Adds the blows of the next sample. Returns how many bodies have come to rest.
    pub fn take_due(&mut self, dt_s: f64, patch: &Patch, blows: &mut FallenBlows) -> usize {
        let mut rested = 0;
        for place in &mut self.bodies {
            let Some(body) = place else { continue };
            let end_s = (body.samples + 1) as f64 * dt_s;
            // At most one batch, and as many ticks as fit into a sample.
            while body.tick_due_s(self.phase) < end_s {
                body.tick();
                self.has_new_ticks = true;
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

    /// Where the newest body strikes next, if ticks have been computed since the last call.
    pub fn take_next_point(&mut self, patch: &Patch) -> Option<Point> {
        if !std::mem::take(&mut self.has_new_ticks) {
            return None;
        }
        let newest = self.newest()?;
        newest.waiting.first().map(|hit| newest.tumbling_body.point(hit, patch))
    }

    /// The body thrown last.
    fn newest(&self) -> Option<&ThrownBody> {
        self.bodies.iter().flatten().max_by_key(|body| body.number)
    }

    /// Number of samples, up to `max`, before anything is due.
    pub fn quiet_samples(&self, max: usize, dt_s: f64) -> usize {
        let bodies = self.bodies.iter().flatten();
        bodies.fold(max, |max, body| body.quiet_samples(max, self.phase, dt_s))
    }

    fn pass(&mut self, samples: u64) {
        self.bodies.iter_mut().flatten().for_each(|body| body.samples += samples);
    }
}

/// Its blows are passed on to the rigid or coupled contacts by
/// [`Exciters::strike_tumbling`](super::exciters::Exciters::strike_tumbling).
impl Exciter for TumblingBodies {
    fn reset(&mut self) {
        self.bodies = Default::default();
    }

    /// Keeps a finite phase, which the sound does not depend on.
    fn rebuild(&mut self) {
        self.reset();
        self.set_phase(if self.phase.is_finite() { self.phase } else { 0.0 });
    }

    fn is_active(&self) -> bool {
        self.bodies.iter().any(Option::is_some)
    }

    fn needs_step_budget(&self, _samples: usize, _dt_s: f64) -> bool {
        self.is_active()
    }

    fn catch(&mut self) {
        self.reset();
    }

    fn clear_samples(&mut self, max: usize, body: &mut FreeBody) -> usize {
        self.quiet_samples(max, body.object.dt_s())
    }

    fn skip(&mut self, samples: usize, _body: &mut FreeBody) {
        self.pass(samples as u64);
    }

    fn advance(&mut self, _sample: &mut Sample) {
        self.pass(1);
    }

    /// Adds the body thrown last.
    fn write_snapshot(&self, _dt_s: f64, snapshot: &mut VoiceSnapshot) {
        if let Some(body) = self.newest() {
            let motion = body.tumbling_body.tumble.motion();
            snapshot.tumbling = Some(TumblingSnapshot {
                centre_m: motion.centre_m.map(|x| x as f32),
                turn: motion.attitude.0.map(|x| x as f32),
            });
        }
    }
}

/// Adds a blow; if there is no room, replaces the one of least momentum.
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
        assert_eq!(batch_s(TICKS_AHEAD, 0.0), TICKS_AHEAD as f64 * TICK_S);
    }
}
