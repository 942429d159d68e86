//! The parameter table as the framework's parameters.

mod slot;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use nice_plug::params::internals::ParamPtr;
use nice_plug::prelude::*;

use super::extras::{BuiltSurface, Extras};
use super::session::Session;
use super::{catch_panic, lock, state};
use crate::history::{Change, Edit, Step};
use crate::io::presets::{Origin, Sound};
use crate::io::surfaces::SurfaceRequest;
use crate::params::{Param as Row, Patch};
use crate::sync::{AtomicBatch, SequenceLock};
use slot::Knob;
pub use slot::Slot;

/// Rounding that a host may apply to a value, as a share of its range.
const ROUNDING: f32 = 1e-5;

/// The id of the host's bypass, which is not part of a sound.
pub const BYPASS: &str = "bypass";

/// What the editor can request from a host besides setting parameters.
pub trait HostLink: Send + Sync {
    /// Whether the host has a context menu for parameters.
    fn has_menu(&self) -> bool;
    /// Opens that menu at a position in the window, pixels.
    fn open_menu(&self, param: ParamPtr, x: i32, y: i32);
    /// Notifies the host of a loaded preset, so that its own browser follows.
    fn preset_loaded(&self, origin: &Origin);
}

/// All parameters, in the order of the table.
pub struct HostParams {
    slots: Box<[Slot]>,
    bypass: BoolParam,
    host: OnceLock<Arc<dyn HostLink>>,
    extras: Arc<Extras>,
    edits: Arc<Mutex<Vec<Edit>>>,
    session: Mutex<Session>,
    /// Guards parameters that change together.
    version: SequenceLock,
    /// Parameters of a step that the host delivers one by one.
    batch: AtomicBatch,
}

impl HostParams {
    /// The parameters of an instrument, at their defaults.
    pub fn new(extras: Arc<Extras>) -> Self {
        Self::with_defaults(extras, Self::default_of)
    }

    /// The parameters of an effect, at their defaults.
    pub fn for_effect(extras: Arc<Extras>) -> Self {
        Self::with_defaults(extras, Self::effect_default_of)
    }

    /// The default of a parameter in the instrument.
    pub fn default_of(row: Row) -> f32 {
        row.spec().default_stored()
    }

    /// The default of a parameter in the effect, whose input strikes.
    pub fn effect_default_of(row: Row) -> f32 {
        if row == Row::ExternalMode { 1.0 } else { Self::default_of(row) }
    }

    fn with_defaults(extras: Arc<Extras>, default: impl Fn(Row) -> f32) -> Self {
        let edits = Arc::new(Mutex::new(Vec::new()));
        let slot =
            |row: Row| Slot { row, knob: Knob::new(row, default(row)), edits: edits.clone() };
        Self {
            slots: Row::ALL.into_iter().map(slot).collect(),
            bypass: BoolParam::new("Bypass", false).make_bypass(),
            host: OnceLock::new(),
            extras,
            edits: edits.clone(),
            session: Mutex::default(),
            version: SequenceLock::default(),
            batch: AtomicBatch::new(Row::COUNT),
        }
    }

    /// The host parameter of a row.
    pub fn slot(&self, row: Row) -> &Slot {
        &self.slots[row as usize]
    }

    /// The link to the host, if the format has one.
    pub fn host(&self) -> Option<&dyn HostLink> {
        self.host.get().map(AsRef::as_ref)
    }

    /// Sets the link to the host, once.
    pub fn set_host(&self, host: Arc<dyn HostLink>) {
        let _ = self.host.set(host);
    }

    /// Whether the host bypasses the plug-in.
    pub fn is_bypassed(&self) -> bool {
        self.bypass.value()
    }

    /// The index of a choice, without the host's modulation.
    pub fn choice(&self, row: Row) -> usize {
        let slot = self.slot(row);
        (slot.position() * slot.steps().unwrap_or(1) as f32).round() as usize
    }

    /// Announces a step whose changes arrive one by one.
    pub fn expect(&self, step: &Step) {
        // A single change is atomic.
        if step.changes.len() > 1 {
            let change = |row: Row| step.changes.iter().find(|change| change.param == row);
            self.batch
                .expect(Row::ALL.into_iter().map(|row| Some(self.pending_batch(change(row)?))));
        }
    }

    /// The value of a parameter after the host has set it.
    fn pending_batch(&self, change: &Change) -> f32 {
        let knob = &self.slot(change.param).knob;
        knob.at(knob.position_of(change.after))
    }

    /// Builds the surface of the current parameters, if their gesture needs one, and passes it to
    /// the audio thread. Call it at the end of a load, before the change becomes visible. Takes
    /// tens of milliseconds.
    pub fn load_surface(&self) {
        self.extras.voices().reserve_for(&self.patch());
        if let Some(request) = SurfaceRequest::of(&self.patch()) {
            self.extras.load_surface(BuiltSurface::new(request, self.extras.surface().as_deref()));
        }
    }

    /// Does the same for the parameters after an announced step, if it changes the surface.
    pub fn load_surface_after(&self, step: &Step) {
        let (before, file) = (self.patch(), self.extras.surface());
        let mut after = before.clone();
        for change in &step.changes {
            after.set_stored(change.param, self.pending_batch(change));
        }
        self.extras.voices().reserve_for(&after);
        let next_file = step.extras.as_ref().map_or(&file, |(_, extras)| &extras.surface);
        if let Some(request) = SurfaceRequest::of(&after)
            && (SurfaceRequest::of(&before) != Some(request)
                || request.uses_file() && *next_file != file)
        {
            self.extras.load_surface(BuiltSurface::new(request, next_file.as_deref()));
        }
    }

    /// The current parameters, even while they change. Not for the audio thread.
    fn patch(&self) -> Patch {
        let mut patch = Patch::default();
        for (row, slot) in Row::ALL.into_iter().zip(&self.slots) {
            patch.set_stored(row, slot.knob.stored());
        }
        patch
    }

    /// Does [`write_to`](Self::write_to) unless a step has only partly arrived; `time_s` passes
    /// until the next call. Returns whether the patch is up to date.
    pub fn update_patch(&self, patch: &mut Patch, time_s: f32) -> bool {
        let has_arrived = |index: usize, expected: f32| {
            let (min, max) = Row::ALL[index].spec().range_stored();
            (self.slots[index].knob.unmodulated() - expected).abs() <= ROUNDING * (max - min)
        };
        let next = self.batch.take(time_s, has_arrived, || self.read(patch));
        next.map(|next| *patch = next).is_some()
    }

    /// Updates the patch with a complete change, or leaves it unchanged.
    pub fn write_to(&self, patch: &mut Patch) {
        if let Some(next) = self.read(patch) {
            *patch = next;
        }
    }

    /// Reads the patch, if no change is in progress.
    fn read(&self, patch: &Patch) -> Option<Patch> {
        self.version.read(|| {
            let mut next = patch.clone();
            for (row, slot) in Row::ALL.into_iter().zip(&self.slots) {
                next.set_stored(row, slot.knob.stored());
            }
            next
        })
    }

    /// Until [`end_write`](Self::end_write), the audio thread keeps its patch. Only for the one
    /// thread that loads.
    pub fn begin_write(&self) {
        self.version.begin_write();
    }

    /// Makes the changes visible to the audio thread.
    pub fn end_write(&self) {
        self.version.end_write();
    }

    /// The sound without the host's modulation. Not for the audio thread.
    pub fn sound(&self) -> Sound {
        let mut sound = Sound { extras: self.extras.all(), ..Sound::default() };
        for (row, slot) in Row::ALL.into_iter().zip(&self.slots) {
            sound.patch.set_stored(row, slot.knob.unmodulated());
        }
        sound
    }

    /// The project data besides the parameters.
    pub fn extras(&self) -> &Extras {
        &self.extras
    }

    /// Undo history, name of the sound, and A/B. Not for the audio thread.
    pub fn session(&self) -> MutexGuard<'_, Session> {
        lock(&self.session)
    }

    /// Takes the user's edits since the last call.
    pub fn take_edits(&self) -> Vec<Edit> {
        std::mem::take(&mut *lock(&self.edits))
    }
}

// SAFETY: the pointers point into a boxed slice that is never replaced, and the framework keeps
// this object in an `Arc` for as long as it uses them.
#[allow(unsafe_code)]
unsafe impl Params for HostParams {
    fn param_map(&self) -> Vec<(String, ParamPtr, String)> {
        let of_table = Row::ALL.iter().zip(&self.slots).map(|(row, slot)| {
            let spec = row.spec();
            (spec.id.to_string(), slot.as_ptr(), spec.group.name().to_string())
        });
        let bypass = (BYPASS.to_string(), self.bypass.as_ptr(), String::new());
        of_table.chain([bypass]).collect()
    }

    fn serialize_fields(&self) -> BTreeMap<String, String> {
        catch_panic(BTreeMap::new(), || {
            let mut fields = self.extras.save();
            self.session().save(&mut fields);
            fields
        })
    }

    fn deserialize_fields(&self, fields: &BTreeMap<String, String>) {
        catch_panic((), || self.restore(fields));
    }
}

impl HostParams {
    fn restore(&self, fields: &BTreeMap<String, String>) {
        let mut session = self.session();
        if let Some(reason) = state::refusal(fields) {
            session.set_message(format!("The saved state was refused: {reason}"), false);
            return;
        }
        if state::is_preset(fields) {
            return;
        }
        session.restore(fields);
        drop(session);
        self.extras.restore(fields);
        self.load_surface();
    }
}

#[cfg(test)]
mod tests {
    // These tests change a whole sound while the audio thread reads: it sees the old sound or all
    // of the new one.
    use super::*;
    use crate::body::UserModes;
    use crate::body::shape::UserMode;
    use crate::io::presets::Preset;
    use crate::shared_state::state;

    /// Miri is a thousand times slower, but explores more orderings than a processor.
    const ROUNDS: usize = if cfg!(miri) { 2 } else { 1000 };

    /// One of each kind, and the first and last of the table.
    const CHANGED: [Row; 6] =
        [Row::Mass, Row::Speed, Row::Gesture, Row::Hybrid, Row::Seed, Row::ALL[Row::COUNT - 1]];

    /// Sets a parameter as the framework does.
    #[allow(unsafe_code)]
    fn set(params: &HostParams, row: Row, stored: f32) {
        let slot = params.slot(row);
        let position = slot.knob.position_of(stored);
        // SAFETY: the slot outlives the call.
        unsafe { slot.as_ptr()._internal_set_normalized_value(position) };
    }

    /// A sound with the changed parameters at the lower or upper ends of their ranges, and two or
    /// three modes.
    fn sound(is_high: bool) -> Sound {
        let mut sound = Sound::default();
        for row in CHANGED {
            let (low, high) = row.spec().range_stored();
            sound.patch.set_stored(row, if is_high { high } else { low });
        }
        let modes =
            vec![UserMode { ratio: 1.5, ..UserMode::default() }; if is_high { 3 } else { 2 }];
        sound.extras.modes = Some(Arc::new(UserModes::new(&modes)));
        sound
    }

    /// The values of the changed parameters.
    type Values = [f32; CHANGED.len()];

    fn values(patch: &Patch) -> Values {
        CHANGED.map(|row| patch.stored(row))
    }

    /// The values that the audio thread reads after a whole sound has arrived.
    fn loaded_values(params: &HostParams, sound: &Sound) -> Values {
        CHANGED.into_iter().for_each(|row| set(params, row, sound.patch.stored(row)));
        let mut patch = Patch::default();
        params.write_to(&mut patch);
        values(&patch)
    }

    /// Two sounds, of which the first is loaded, and the values that the audio thread reads of
    /// each.
    fn load_two_sounds(params: &HostParams) -> ([Sound; 2], [Values; 2]) {
        let sounds = [sound(false), sound(true)];
        let second = loaded_values(params, &sounds[1]);
        let whole = [loaded_values(params, &sounds[0]), second];
        assert!(
            whole[0].iter().zip(whole[1]).all(|(first, second)| *first != second),
            "the test would see no difference"
        );
        (sounds, whole)
    }

    /// Reads as the audio thread does until the other thread is done. Each read must give one of
    /// the two sounds.
    fn read_meanwhile(
        params: &HostParams,
        whole: &[Values; 2],
        is_done: impl Fn() -> bool,
    ) -> [usize; 2] {
        let (mut patch, mut seen) = (sound(false).patch, [0; 2]);
        loop {
            let is_last = is_done();
            params.update_patch(&mut patch, 0.0);
            let which = whole
                .iter()
                .position(|whole| *whole == values(&patch))
                .expect("a mixture of two sounds");
            seen[which] += 1;
            if let Some(list) = params.extras().take_list() {
                assert!([2, 3].contains(&list.modes().len()), "half a list");
            }
            if is_last {
                return seen;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_preset_from_the_host_arrives_whole() {
        let params = Arc::new(HostParams::new(Arc::new(Extras::default())));
        let (sounds, whole) = load_two_sounds(&params);
        std::thread::scope(|scope| {
            let loader = scope.spawn(|| {
                for round in 1..=ROUNDS {
                    let sound = sounds[round % 2].clone();
                    let preset = Preset { sound, ..Preset::default() };
                    state::load_preset(&params, &preset, |_| {
                        CHANGED
                            .into_iter()
                            .for_each(|row| set(&params, row, preset.sound.patch.stored(row)));
                        true
                    });
                    std::thread::yield_now();
                }
            });
            let seen = read_meanwhile(&params, &whole, || loader.is_finished());
            assert!(seen[0] > 0, "{seen:?}");
        });
        let mut patch = Patch::default();
        assert!(
            params.update_patch(&mut patch, 0.0) && values(&patch) == whole[ROUNDS % 2],
            "the last sound is loaded"
        );
    }

    #[test]
    fn a_sound_from_the_editor_arrives_whole() {
        let params = HostParams::new(Arc::new(Extras::default()));
        let (sounds, whole) = load_two_sounds(&params);
        std::thread::scope(|scope| {
            let editor = scope.spawn(|| {
                for round in 1..=ROUNDS {
                    let step =
                        Step::between("Preset", &sounds[(round + 1) % 2], &sounds[round % 2]);
                    params.expect(&step);
                    for change in &step.changes {
                        set(&params, change.param, change.after);
                        std::thread::yield_now();
                    }
                }
            });
            read_meanwhile(&params, &whole, || editor.is_finished());
        });
        let mut patch = Patch::default();
        assert!(
            params.update_patch(&mut patch, 0.0) && values(&patch) == whole[ROUNDS % 2],
            "the last sound is loaded"
        );
    }
}
