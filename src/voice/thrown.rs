//! Thrown bodies over the body of a voice, on the voice's clock.
//!
//! A body goes in ticks of its own ([`TICK_S`]), each worked out a little before its time. How much before differs from
//! voice to voice, so that voices begun together do not tick together. What a tick brings waits until the sample in which it
//! happens: nothing that is heard depends on when it was worked out, on the blocks, or on the sample rate.

use arrayvec::ArrayVec;

use crate::gesture::Blow;
use crate::gesture::tumble::{Hit, MOST_BLOWS, Toss};
use crate::patch::Patch;
use crate::rigid::tumble::{MOST_IMPACTS, Strikes, TICK_S};
use crate::view::{ThrownView, VoiceView};

/// Bodies that tumble over one voice. A further one takes the place of the oldest.
const BODIES: usize = 2;

/// Blows that wait, at most: those of the tick under way and of the one after.
const WAITING: usize = 2 * MOST_IMPACTS * MOST_BLOWS;

/// Blows handed over in one sample, at most: the strongest, if more fall together.
pub const MOST_AT_ONCE: usize = 8;

/// The blows of one sample.
pub type Blows = ArrayVec<Blow, MOST_AT_ONCE>;

/// One body and what it is about to do.
#[derive(Clone, Debug)]
struct Flying {
    toss: Toss,
    /// Samples since the throw.
    samples: u64,
    /// Ticks worked out.
    ticks: u64,
    waiting: ArrayVec<Hit, WAITING>,
    number: u64,
}

impl Flying {
    /// Whether anything is to be done in the sample `ahead` of this one.
    fn is_due(&self, ahead: u64, phase: f64, dt_s: f64) -> bool {
        let end_s = (self.samples + ahead + 1) as f64 * dt_s;
        self.is_tick_due(end_s, phase) || self.waiting.first().is_some_and(|hit| hit.time_s < end_s)
    }

    fn is_tick_due(&self, end_s: f64, phase: f64) -> bool {
        !self.toss.tumble.is_resting() && (self.ticks as f64 - phase) * TICK_S < end_s
    }

    fn tick(&mut self) {
        let mut strikes = Strikes::new();
        self.toss.tumble.tick(&mut strikes);
        self.ticks += 1;
        // All strikes of one impact have the very same time.
        for impact in strikes.chunk_by(|a, b| a.time_s == b.time_s) {
            for hit in self.toss.hits(impact) {
                // Holds two full ticks; what does not fit is not heard.
                let _ = self.waiting.try_push(hit);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.toss.tumble.is_resting() && self.waiting.is_empty()
    }
}

/// All bodies that tumble over one voice.
#[derive(Clone, Debug, Default)]
pub struct Thrown {
    bodies: [Option<Flying>; BODIES],
    throws: u64,
    /// Share of a tick by which this voice is ahead.
    phase: f64,
}

impl Thrown {
    /// Add what can be seen of the body thrown last.
    pub fn see(&self, view: &mut VoiceView) {
        if let Some(flying) = self.bodies.iter().flatten().max_by_key(|flying| flying.number) {
            let motion = flying.toss.tumble.motion();
            view.thrown = Some(ThrownView {
                centre_m: motion.centre_m.map(|x| x as f32),
                turn: motion.attitude.0.map(|x| x as f32),
            });
        }
    }

    /// Nothing is in the air.
    pub fn reset(&mut self) {
        self.bodies = Default::default();
    }

    /// Work ticks out by this share of one, 0…1, before their time.
    pub fn set_phase(&mut self, phase: f64) {
        self.phase = phase.clamp(0.0, 1.0);
    }

    /// Throw a body, now.
    pub fn throw(&mut self, toss: Toss) {
        self.throws += 1;
        let flying = Flying { toss, samples: 0, ticks: 0, waiting: ArrayVec::new(), number: self.throws };
        let oldest = self.bodies.iter_mut().min_by_key(|body| body.as_ref().map_or(0, |body| body.number));
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
    pub fn fall_due(&mut self, dt_s: f64, patch: &Patch, blows: &mut Blows) -> usize {
        let mut rested = 0;
        for place in &mut self.bodies {
            let Some(body) = place else { continue };
            let end_s = (body.samples + 1) as f64 * dt_s;
            // At least one tick a millisecond and one sample a tick: a sample at 1 kHz asks for two.
            while body.is_tick_due(end_s, self.phase) {
                body.tick();
            }
            while let Some(hit) = body.waiting.first().copied()
                && hit.time_s < end_s
            {
                body.waiting.remove(0);
                let delay_s = (hit.time_s - body.samples as f64 * dt_s).max(0.0);
                push_stronger(blows, body.toss.blow(&hit, delay_s, patch));
            }
            if body.is_over() {
                *place = None;
                rested += 1;
            }
        }
        rested
    }

    /// How many samples, from the one to come and up to `most`, pass before there is anything to be done again.
    pub fn quiet_samples(&self, most: usize, dt_s: f64) -> usize {
        let due = |ahead: u64| self.bodies.iter().flatten().any(|body| body.is_due(ahead, self.phase, dt_s));
        if !self.are_active() {
            return most;
        }
        (1..most as u64).find(|&ahead| due(ahead)).map_or(most, |ahead| ahead as usize)
    }

    /// That many samples have gone by.
    pub fn pass(&mut self, samples: usize) {
        for body in self.bodies.iter_mut().flatten() {
            body.samples += samples as u64;
        }
    }
}

/// Keep the strongest by momentum.
fn push_stronger(blows: &mut Blows, blow: Blow) {
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
