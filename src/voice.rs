//! One key's body, and what strikes it.

pub mod air;
pub mod ball_chain;
pub mod coupled_contacts;
pub mod crossfade;
pub mod events;
pub mod external_force;
pub mod fault;
pub mod gain_pan;
mod gestures;
pub mod key_pan;
pub mod level;
pub mod object;
pub mod onset;
mod player;
mod preset_change;
mod process;
mod recovery;
mod render;
pub mod rigid_contacts;
mod schedule;
pub mod settings;
mod snapshot;
mod steady;
mod strike_shapes;
mod tail;
#[cfg(test)]
mod tests;
pub mod tumbling;

use std::sync::Arc;

use crate::body::{Bank, MAX_MODES, UserModes};
use crate::contact::coupled::StepBudget;
use crate::exciter::roll::note::Played;
use crate::exciter::surface::SurfaceTable;
use crate::modulation::{Controllers, Modulator};
use crate::params::event::NoteAddress;
use crate::params::{Param, Patch};
use crate::tuning::Tuning;
use air::Air;
use ball_chain::BallChain;
use coupled_contacts::CoupledContacts;
use crossfade::Crossfade;
use external_force::ExternalForce;
use gain_pan::GainPan;
use level::Level;
use object::Object;
use onset::Onsets;
pub use player::FADE_S;
use player::KeyState;
use rigid_contacts::RigidContacts;
use settings::SettingsCache;
use tail::Tail;
use tumbling::TumblingBodies;

/// What a voice is played in.
#[derive(Clone, Copy, Debug)]
pub struct VoiceContext<'a> {
    /// The settings of the instrument, modulated for the voice.
    pub patch: &'a Patch,
    /// The same without modulation.
    pub knobs: &'a Patch,
    /// What is rolled over, if there is anything.
    pub table: Option<&'a Arc<SurfaceTable>>,
    /// The list of modes for a body that is one.
    pub list: &'a UserModes,
    /// Number of that list; another list has another.
    pub list_number: u64,
    /// Quarter notes per minute.
    pub tempo_bpm: f64,
    /// The pitches of the keys.
    pub tuning: &'a Tuning,
    /// Force from outside in each of the samples to come, N; where it ends there is none.
    pub forces_n: &'a [f64],
}

/// A voice is new for this time after it was struck, s: about as long as soft contacts last.
const NEW_S: f64 = 0.01;

/// A sounding key.
///
/// Its control rate runs on its own clock: every [`CHUNK`](crate::body::bank::CHUNK) samples since
/// its first blow or the last change of its settings. Nothing in it depends on how the host cuts
/// time into blocks.
#[derive(Clone, Debug)]
pub struct Voice {
    note: Option<NoteAddress>,
    key: u8,
    object: Object,
    bank: Bank,
    rigid_contacts: RigidContacts,
    /// Work of rigid contacts, and of changes of the body.
    budget: StepBudget,
    coupled_contacts: CoupledContacts,
    tumbling: TumblingBodies,
    ball_chain: BallChain,
    external_force: ExternalForce,
    air: Air,
    level: Level,
    gain_pan: GainPan,
    /// What moves its settings.
    modulator: Modulator,
    onsets: Onsets,
    /// Its body has not been struck yet.
    is_unstruck: bool,
    /// How much louder its gesture is made.
    boost: f64,
    /// Whether what its boost was made for rolls.
    rolls: bool,
    /// How much louder it is, because the level has leapt since it was struck.
    kept: f64,
    /// The group of its key, if it belongs to one.
    group: Option<usize>,
    /// Where its key stands between left and right, -1…1.
    key_pan: f64,
    /// Samples since the last control tick.
    since_tick: usize,
    /// Control ticks since the note began.
    ticks: u32,
    /// The last tick brought new settings, and the pickups are on their way.
    moving: bool,
    /// The last tick came out of turn, for something that was played.
    hurried: bool,
    /// What its body was, if that is still heard.
    crossfade: Crossfade,
    damped: bool,
    /// A pedal holds a hand on it.
    muted: bool,
    key_state: KeyState,
    /// The sostenuto pedal has hold of the key.
    held: bool,
    /// What the player does to it.
    played: Played,
    /// Factor of a choke in progress, and its change per sample; 1 and 0 otherwise.
    fade: f64,
    fade_step: f64,
    loudest: f64,
    /// Samples since something was last set in motion.
    since_struck: u64,
    tail: Tail,
    /// At the last tick nothing was on the body or about to be, and nothing has been set in motion
    /// since.
    alone: bool,
    settings_cache: SettingsCache,
    /// As it was prepared for, should its object lose it.
    rate_hz: f64,
}

impl Default for Voice {
    fn default() -> Self {
        Self::new()
    }
}

impl Voice {
    /// A silent voice with room for all modes. Allocates.
    pub fn new() -> Self {
        Self::with_capacity(MAX_MODES)
    }

    /// A silent voice with room for `capacity` modes. Allocates.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            note: None,
            key: 0,
            object: Object::new(capacity),
            bank: Bank::new(capacity),
            rigid_contacts: RigidContacts::new(capacity),
            budget: StepBudget::default(),
            coupled_contacts: CoupledContacts::new(capacity),
            tumbling: TumblingBodies::default(),
            ball_chain: BallChain::new(capacity),
            external_force: ExternalForce::new(capacity),
            air: Air::default(),
            level: Level::default(),
            gain_pan: GainPan::default(),
            modulator: Modulator::default(),
            onsets: Onsets::default(),
            is_unstruck: true,
            boost: 1.0,
            kept: 1.0,
            rolls: false,
            group: None,
            key_pan: 0.0,
            since_tick: 0,
            ticks: 0,
            moving: false,
            hurried: false,
            crossfade: Crossfade::new(capacity),
            damped: false,
            muted: false,
            key_state: KeyState::Released,
            held: false,
            played: Played::default(),
            fade: 1.0,
            fade_step: 0.0,
            loudest: 0.0,
            since_struck: 0,
            tail: Tail::Over,
            alone: false,
            settings_cache: SettingsCache::default(),
            rate_hz: 48_000.0,
        }
    }

    /// Take over a sample rate, and be silent.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.rate_hz = sample_rate_hz;
        self.object.prepare(sample_rate_hz);
        self.coupled_contacts.prepare(sample_rate_hz);
        self.modulator.prepare(sample_rate_hz);
        self.reset();
    }

    /// Be silent.
    pub fn reset(&mut self) {
        self.note = None;
        self.bank.reset();
        self.rigid_contacts.reset();
        self.budget = StepBudget::default();
        self.coupled_contacts.reset();
        self.tumbling.reset();
        self.ball_chain.reset();
        self.onsets.reset();
        self.external_force.end();
        self.crossfade.reset();
        self.air.reset();
        self.loudest = 0.0;
        self.tail = Tail::Over;
    }

    /// The note that sounds, if any.
    pub fn note(&self) -> Option<NoteAddress> {
        self.note
    }

    /// Channel of the note.
    pub fn channel(&self) -> Option<u8> {
        self.note.and_then(|note| note.channel)
    }

    /// The group of its key when it began, if it belonged to one: the first of several.
    pub fn group(&self) -> Option<usize> {
        self.group
    }

    /// Whether it sounds and is not on its way out.
    pub fn is_playing(&self) -> bool {
        self.note.is_some() && self.fade_step == 0.0
    }

    /// Its key.
    pub fn key(&self) -> u8 {
        self.key
    }

    /// Loudest amplitude of a mode at the last control tick; for choosing what to give up. Beyond
    /// measure while something is yet to land, or has just been struck: what it will be is not
    /// known before the contact is over.
    pub fn loudness(&self) -> f64 {
        let is_new = (self.since_struck as f64) < NEW_S * self.object.sample_rate_hz();
        let is_coming = self.rigid_contacts.are_coming()
            || self.coupled_contacts.are_coming()
            || self.onsets.are_waiting();
        if is_new || is_coming || self.tumbling.are_active() || self.ball_chain.is_active() {
            f64::INFINITY
        } else {
            self.loudest
        }
    }

    /// Samples since something was last set in motion.
    pub fn since_struck(&self) -> u64 {
        self.since_struck
    }

    /// How many modes it has room for.
    pub fn capacity(&self) -> usize {
        self.object.modes.capacity()
    }

    /// Look how another voice is made: what both have in common need not be worked out again.
    pub fn copy_caches_from(&mut self, other: &Self) {
        self.object.modes.copy_caches_from(&other.object.modes);
    }

    /// Begin a new body for this note. It is silent until struck.
    pub fn begin(&mut self, note: NoteAddress, key: u8, context: &VoiceContext) {
        self.start(note, key, context);
        // Something that no number went into while nobody heard it.
        let is_whole = self.object.is_at(self.rate_hz) && self.object.modes.spectrum().is_finite();
        if !self.has_finite_gains() || !is_whole {
            self.renew();
            self.start(note, key, context);
        }
    }

    fn start(&mut self, note: NoteAddress, key: u8, context: &VoiceContext) {
        self.reset();
        self.settings_cache.forget();
        self.key = key;
        self.is_unstruck = true;
        self.modulator.reset();
        (self.since_tick, self.ticks) = (0, 0);
        self.moving = false;
        self.hurried = false;
        self.fade = 1.0;
        self.fade_step = 0.0;
        self.held = false;
        self.played = Played::default();
        self.take(note);
        self.air.begin(context.patch.get(Param::Air));
        self.group = context.patch.key_groups().iter().position(|group| group.has(key));
        self.key_pan = key_pan::pan(context.patch, key);
        self.gain_pan.jump(1.0, self.key_pan);
        // A key without a pitch is not played.
        let key_st = context.tuning.pitch_st(key).unwrap_or_default();
        (self.boost, self.kept, self.rolls) =
            (level::boost(context.patch), 1.0, context.patch.gesture().rolls());
        let settings = *self.settings_cache.read(context, false, key_st, 0.0, false);
        self.make(settings, context.list);
        self.object.modes.arrive();
        self.begin_level();
    }

    /// Give the body to another note of the same key; returns the one that had it.
    pub fn take(&mut self, note: NoteAddress) -> Option<NoteAddress> {
        self.damped = false;
        self.key_state = KeyState::Held;
        // The rate once more: what may have broken in the last note does not outlast it.
        self.modulator.prepare(self.rate_hz);
        self.modulator.take(self.key, &Controllers::default());
        self.note.replace(note)
    }
}
