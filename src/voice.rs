//! One key's body, and what strikes it.

pub mod hands;
pub mod happening;
pub mod level;
pub mod riders;
pub mod row;
pub mod settings;
pub mod thrown;

use std::sync::Arc;

use crate::body::bank::CHUNK;
use crate::body::macros::Scale;
use crate::body::{Bank, Modes, UserModes, bank};
use crate::event::NoteAddress;
use crate::gesture::roll::note::Played;
use crate::gesture::row::Launch;
use crate::gesture::surface::SurfaceTable;
use crate::gesture::tumble::Toss;
use crate::gesture::{Blow, Throw};
use crate::patch::Patch;
use hands::{Hands, Scene};
use happening::{Happening, Happenings, What};
use level::Level;
use riders::{Riders, is_two_way};
use row::Row;
use settings::{Reading, Settings};
use thrown::{Blows, Thrown};

/// What a voice is played in.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The settings of the instrument.
    pub patch: &'a Patch,
    /// What is rolled over, if there is anything.
    pub table: Option<&'a Arc<SurfaceTable>>,
    /// The list of modes for a body that is one.
    pub list: &'a UserModes,
    /// Number of that list; another list has another.
    pub list_number: u64,
}

/// A choked or stolen voice is gone after this time (s).
const CHOKE_S: f64 = 0.005;

/// As long as something is on the body nobody knows how long it will ring.
const UNKNOWN_TAIL: u64 = u64::MAX;

/// A sounding key.
///
/// Its control rate runs on its own clock: every [`CHUNK`] samples since its first blow or the last change of its
/// settings. Nothing in it depends on how the host cuts time into blocks.
#[derive(Clone, Debug)]
pub struct Voice {
    note: Option<NoteAddress>,
    key: u8,
    modes: Modes,
    bank: Bank,
    hands: Hands,
    riders: Riders,
    thrown: Thrown,
    row: Row,
    level: Level,
    /// How much louder its gesture is made.
    boost: f64,
    /// Samples since the last control tick.
    since_tick: usize,
    /// The last tick brought new settings, and the pickups are on their way.
    moving: bool,
    damped: bool,
    /// A pedal holds a hand on it.
    muted: bool,
    /// The key has been let go, but the pedal keeps the note.
    kept: bool,
    /// What the player does to it.
    played: Played,
    key_pressure: f64,
    /// Factor of a choke in progress, and its change per sample; 1 and 0 otherwise.
    fade: f64,
    fade_step: f64,
    loudest: f64,
    tail_samples: u64,
    settings: Settings,
    reading: Reading,
    sample_rate_hz: f64,
}

impl Default for Voice {
    fn default() -> Self {
        Self::new()
    }
}

impl Voice {
    /// A silent voice.
    pub fn new() -> Self {
        Self {
            note: None,
            key: 0,
            modes: Modes::default(),
            bank: Bank::default(),
            hands: Hands::default(),
            riders: Riders::default(),
            thrown: Thrown::default(),
            row: Row::new(),
            level: Level::default(),
            boost: 1.0,
            since_tick: 0,
            moving: false,
            damped: false,
            muted: false,
            kept: false,
            played: Played::default(),
            key_pressure: 0.0,
            fade: 1.0,
            fade_step: 0.0,
            loudest: 0.0,
            tail_samples: 0,
            settings: Settings::new(&Patch::default(), 69, false, 0),
            reading: Reading::default(),
            sample_rate_hz: 48_000.0,
        }
    }

    /// Take over a sample rate, and be silent.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.sample_rate_hz = sample_rate_hz;
        self.riders.prepare(sample_rate_hz);
        self.reset();
    }

    /// Be silent.
    pub fn reset(&mut self) {
        self.note = None;
        self.bank.reset();
        self.hands.reset();
        self.riders.reset();
        self.thrown.reset();
        self.row.reset();
        self.loudest = 0.0;
        self.tail_samples = 0;
    }

    /// The note that sounds, if any.
    pub fn note(&self) -> Option<NoteAddress> {
        self.note
    }

    /// Whether it sounds and is not on its way out.
    pub fn is_playing(&self) -> bool {
        self.note.is_some() && self.fade_step == 0.0
    }

    /// Loudest amplitude of a mode at the last control tick; for choosing what to give up. A ball that is yet to land
    /// counts as loud.
    pub fn loudness(&self) -> f64 {
        if self.hands.are_coming() || self.riders.are_coming() || self.thrown.are_active() || self.row.is_active() {
            self.fade
        } else {
            self.loudest * self.fade
        }
    }

    /// Samples until it is silent, if nothing more happens: an upper bound.
    pub fn tail_samples(&self) -> u64 {
        self.tail_samples
    }

    /// Begin a new body for this note. It is silent until struck.
    pub fn begin(&mut self, note: NoteAddress, key: u8, world: &World) {
        self.reset();
        self.key = key;
        self.since_tick = 0;
        self.moving = false;
        self.fade = 1.0;
        self.fade_step = 0.0;
        self.take(note);
        self.boost = level::boost(world.patch);
        self.set_modes(Settings::new(world.patch, key, false, world.list_number), world.list);
        self.modes.arrive();
        self.level.begin(&self.modes, &self.settings.blow, self.boost);
    }

    /// Give the body to another note of the same key; returns the one that had it.
    pub fn take(&mut self, note: NoteAddress) -> Option<NoteAddress> {
        self.damped = false;
        self.kept = false;
        self.key_pressure = 0.0;
        self.note.replace(note)
    }

    /// Let a blow fall, now.
    pub fn strike(&mut self, blow: &Blow, patch: &Patch) {
        let scene =
            Scene { modes: &self.modes, patch, weight_kg: self.settings.weight_kg, dt_s: 1.0 / self.sample_rate_hz };
        if is_two_way(patch) {
            self.riders.strike(blow, &scene, &mut self.bank);
        } else {
            self.hands.strike(blow, &scene.gains(blow.point));
        }
        self.tail_samples = UNKNOWN_TAIL;
    }

    /// Let go of a ball, now.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch) {
        if is_two_way(patch) {
            let scene = Scene {
                modes: &self.modes,
                patch,
                weight_kg: self.settings.weight_kg,
                dt_s: 1.0 / self.sample_rate_hz,
            };
            self.riders.throw(throw, &scene, &mut self.bank);
        } else {
            self.hands.throw(throw, patch);
        }
        self.tail_samples = UNKNOWN_TAIL;
    }

    /// Throw a body that tumbles, now.
    pub fn toss(&mut self, toss: Toss) {
        self.thrown.throw(toss);
        self.tail_samples = UNKNOWN_TAIL;
    }

    /// Let go of a row of balls, now.
    pub fn launch(&mut self, launch: &Launch) {
        self.row.launch(launch);
        self.tail_samples = UNKNOWN_TAIL;
    }

    /// Voices with different phases, 0…1, do not work out their thrown bodies at the same instant.
    pub fn set_phase(&mut self, phase: f64) {
        self.thrown.set_phase(phase);
    }

    /// Corners of thrown bodies that come down in the sample to come. Says how many bodies have come to rest.
    fn let_fall(&mut self, patch: &Patch) -> usize {
        if !self.thrown.are_active() {
            return 0;
        }
        let mut blows = Blows::new();
        let rested = self.thrown.fall_due(1.0 / self.sample_rate_hz, patch, &mut blows);
        let scene =
            Scene { modes: &self.modes, patch, weight_kg: self.settings.weight_kg, dt_s: 1.0 / self.sample_rate_hz };
        for blow in &blows {
            if is_two_way(patch) {
                self.riders.strike(blow, &scene, &mut self.bank);
            } else {
                self.hands.land(blow, &scene.gains_of(blow));
            }
        }
        rested
    }

    /// The scale of the striker of this key.
    pub fn scale(&self, patch: &Patch) -> Scale {
        settings::scale_of(patch, self.key)
    }

    /// Set something down that rolls over the surface `table`, or push what rolls already.
    pub fn roll(&mut self, velocity: f64, table: &Arc<SurfaceTable>, patch: &Patch) {
        self.played = Played { velocity, let_go: false, ..self.played };
        let scene =
            Scene { modes: &self.modes, patch, weight_kg: self.settings.weight_kg, dt_s: 1.0 / self.sample_rate_hz };
        self.riders.roll(&self.played, table, &scene, &mut self.bank);
        self.tail_samples = UNKNOWN_TAIL;
    }

    /// The player's hand on the channel is at `channel`, 0…1; and on this very key, if that is told.
    pub fn press(&mut self, channel: f64, key: Option<f64>) {
        self.key_pressure = key.unwrap_or(self.key_pressure);
        self.played.pressed = channel.max(self.key_pressure);
    }

    /// The key is let go: do what the patch wants done then.
    pub fn let_go(&mut self, patch: &Patch) {
        self.kept = false;
        self.played.let_go = true;
        let (damp, catch) = patch.note_off();
        self.damped |= damp;
        if catch {
            self.hands.catch();
            self.riders.catch();
            self.thrown.catch();
            self.row.catch();
        }
    }

    /// The pedal puts a hand on the body, or takes it off.
    pub fn mute(&mut self, muted: bool) {
        self.muted = muted;
    }

    /// The key is let go, but the pedal is down.
    pub fn keep(&mut self) {
        self.kept = true;
    }

    /// Whether only the pedal keeps the note.
    pub fn is_kept(&self) -> bool {
        self.kept
    }

    /// Channel of the note.
    pub fn channel(&self) -> Option<u8> {
        self.note.and_then(|note| note.channel)
    }

    /// Put what is no number into its body: to see what happens to the others.
    pub fn spoil(&mut self) {
        self.bank.spoil(&self.modes);
    }

    /// Fade out quickly.
    pub fn choke(&mut self) {
        if self.fade_step == 0.0 {
            self.fade_step = -1.0 / (CHOKE_S * self.sample_rate_hz);
        }
    }

    /// Add `left.len()` samples to `left` and `right`, and what happened to `told`. Returns the note if it came to its
    /// end, and the sample at which it did.
    pub fn process(
        &mut self,
        world: &World,
        left: &mut [f64],
        right: &mut [f64],
        told: &mut Happenings,
    ) -> Option<(usize, NoteAddress)> {
        // A change acts at its own sample: the control clock begins anew there. While one is being carried out the next
        // waits for the tick, or automation of every sample would make the modes anew at every sample.
        self.note?;
        let settings = self.reading.take(world.patch, self.key, self.damped || self.muted, world.list_number);
        if !self.moving && settings != self.settings {
            self.since_tick = 0;
        }
        let mut done = 0;
        while done < left.len() {
            if self.since_tick == 0 && !self.tick(settings, world) {
                return self.end().map(|note| (done, note));
            }
            let n = (left.len() - done).min(CHUNK - self.since_tick);
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            self.ring(world.patch, &mut l[..n], &mut r[..n], done, told);
            // One voice that went wrong must not take the others with it.
            let kernel = self.modes.kernel;
            if !(kernel.is_finite(&l) && kernel.is_finite(&r)) {
                return self.end().map(|note| (done, note));
            }
            let (left, right) = (&mut left[done..done + n], &mut right[done..done + n]);
            if self.fade_step == 0.0 {
                self.level.mix(kernel, left, &l, self.since_tick);
                self.level.mix(kernel, right, &r, self.since_tick);
            } else if let Some(i) = self.fade_out(left, right, &l, &r) {
                return self.end().map(|note| (done + i, note));
            }
            done += n;
            self.since_tick = (self.since_tick + n) % CHUNK;
            self.tail_samples = self.tail_samples.saturating_sub(n as u64);
        }
        None
    }

    /// Add to `left` and `right` during a choke. Returns the sample at which it is over.
    fn fade_out(&mut self, left: &mut [f64], right: &mut [f64], l: &[f64], r: &[f64]) -> Option<usize> {
        for i in 0..left.len() {
            let gain = self.fade * self.level.after(self.since_tick + i + 1);
            left[i] += l[i] * gain;
            right[i] += r[i] * gain;
            self.fade += self.fade_step;
            if self.fade <= 0.0 {
                return Some(i);
            }
        }
        None
    }

    fn end(&mut self) -> Option<NoteAddress> {
        let note = self.note;
        self.reset();
        note
    }

    /// Ring for at most [`CHUNK`] samples, with the strikers that are on the body. `done` samples of the block came before.
    fn ring(&mut self, patch: &Patch, left: &mut [f64], right: &mut [f64], done: usize, told: &mut Happenings) {
        let dt_s = 1.0 / self.sample_rate_hz;
        let note = self.note.unwrap_or_default();
        let mut n = 0;
        while n < left.len() {
            for _ in 0..self.let_fall(patch) {
                let _ = told.try_push(Happening { offset: done + n, after_s: 0.0, note, what: What::Rest });
            }
            let (room, tick) = (left.len() - n, CHUNK - self.since_tick - n);
            let clear = self.riders.clear_samples(&mut self.bank, &self.modes, dt_s, tick).min(room);
            let clear = self.thrown.quiet_samples(clear, dt_s);
            let clear = if self.row.is_active() {
                let clear = self.hands.airborne(clear, dt_s);
                self.row.fly(clear, dt_s)
            } else {
                clear
            };
            let alone = if self.hands.are_touching() { self.hands.fly(clear, dt_s) } else { clear };
            if alone > 0 {
                let end = n + alone;
                self.bank.process(&mut self.modes, &mut left[n..end], &mut right[n..end]);
                self.riders.coasted(&mut self.bank, &self.modes, alone);
                self.thrown.pass(alone);
                n = end;
                continue;
            }
            // Nobody may be listening: what does not fit is forgotten.
            let mut tell = |after_s, what| {
                let _ = told.try_push(Happening { offset: done + n, after_s, note, what });
            };
            if self.riders.are_active() {
                let scene = Scene { modes: &self.modes, patch, weight_kg: self.settings.weight_kg, dt_s };
                self.riders.advance(&scene, &mut self.bank, &mut tell);
                self.modes.move_on(1);
            } else {
                self.bank.advance(&mut self.modes);
            }
            let scene = Scene { modes: &self.modes, patch, weight_kg: self.settings.weight_kg, dt_s };
            self.hands.advance(&scene, |drive| self.bank.take(&self.modes, drive), &mut tell);
            self.row.advance(&scene, self.hands.steps(), |drive| self.bank.take(&self.modes, drive), &mut tell);
            (left[n], right[n]) = self.bank.hear(&self.modes);
            self.thrown.pass(1);
            n += 1;
        }
    }

    /// Control rate. Returns whether there is anything left to hear.
    fn tick(&mut self, settings: Settings, world: &World) -> bool {
        self.bank.catch_up(&self.modes);
        self.riders.land(&mut self.bank, &self.modes);
        self.modes.arrive();
        self.moving = settings != self.settings;
        if self.moving {
            // A hand on the body takes its sound; it must not be made up for.
            let by_hand =
                Settings { damping: self.settings.damping, ..settings } == self.settings && (self.damped || self.muted);
            if !by_hand {
                self.level.change();
            }
            self.set_modes(settings, world.list);
        }
        let scene = Scene {
            modes: &self.modes,
            patch: world.patch,
            weight_kg: settings.weight_kg,
            dt_s: 1.0 / self.sample_rate_hz,
        };
        self.riders.tick(&self.played, world.table, &scene);
        let touched =
            self.hands.are_touching() || self.riders.are_active() || self.thrown.are_active() || self.row.is_active();
        self.level.tick(&self.modes, &self.settings.blow, self.boost, touched, self.sample_rate_hz);
        self.loudest = self.bank.settle(&self.modes, self.level.after(0));
        let ring_s = (self.loudest / bank::FLOOR).max(1.0).ln() / self.modes.slowest_per_s;
        self.tail_samples = if touched { UNKNOWN_TAIL } else { (ring_s * self.sample_rate_hz) as u64 + CHUNK as u64 };
        touched || self.loudest > 0.0
    }

    fn set_modes(&mut self, settings: Settings, list: &UserModes) {
        self.settings = settings;
        self.modes.set_body(&settings.geometry, list);
        self.modes.set_parts(&settings.parts, list);
        self.modes.set(settings.pitch_hz, &settings.damping, settings.listening, self.sample_rate_hz);
        self.hands.forget_steps();
        self.row.forget_places();
        self.riders.set_body(&self.modes, settings.weight_kg);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(patch: &Patch) -> World<'_> {
        static LIST: std::sync::LazyLock<UserModes> = std::sync::LazyLock::new(UserModes::default);
        World { patch, table: None, list: &LIST, list_number: 0 }
    }

    fn struck() -> Voice {
        let patch = Patch::default();
        let mut voice = Voice::new();
        voice.prepare(48_000.0);
        let note = NoteAddress { id: Some(1), channel: Some(0), key: Some(60) };
        voice.begin(note, 60, &world(&patch));
        voice.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
        voice
    }

    #[test]
    fn a_voice_that_is_no_number_any_more_ends_without_a_trace() {
        let patch = Patch::default();
        let mut voice = struck();
        let (mut left, mut right) = (vec![0.0; 8 * CHUNK], vec![0.0; 8 * CHUNK]);
        assert_eq!(voice.process(&world(&patch), &mut left, &mut right, &mut Happenings::new()), None);
        assert!(left.iter().any(|x| *x != 0.0));

        // Whatever it may be that breaks a body, it ends in its modes.
        voice.modes.turn_re[2] = f64::NAN;
        voice.modes.leaps.re[2] = f64::NAN;
        let (before_left, before_right) = (left.clone(), right.clone());
        let end = voice.process(&world(&patch), &mut left, &mut right, &mut Happenings::new());
        assert_eq!(end.and_then(|(_, note)| note.id), Some(1), "the host is told");
        assert_eq!((left, right), (before_left, before_right), "nothing was added to the others");
        assert_eq!(voice.note(), None);

        // And it plays again.
        let mut voice_again = voice;
        voice_again.begin(NoteAddress { id: Some(2), channel: Some(0), key: Some(62) }, 62, &world(&patch));
        voice_again.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
        let (mut left, mut right) = (vec![0.0; 100], vec![0.0; 100]);
        assert_eq!(voice_again.process(&world(&patch), &mut left, &mut right, &mut Happenings::new()), None);
        assert!(left.iter().all(|x| x.is_finite()) && left.iter().any(|x| *x != 0.0));
    }
}
