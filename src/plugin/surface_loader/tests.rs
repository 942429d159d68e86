//! Tests of the whole plug-in, block by block, with a worker that is fast, late or missing.

use std::collections::VecDeque;

use nice_plug::context::process::{SendEventError, Transport};
use nice_plug::midi::{Channel, Key, PluginNoteEvent, VoiceID};
use nice_plug::prelude::*;

use super::*;
use crate::engine::{NoteEnds, VoiceRoom};
use crate::exciter::external::Input;
use crate::exciter::surface::UserSurface;
use crate::io::presets::{Preset, factory};
use crate::params::Param as Row;
use crate::params::event::{Event, EventKind, NoteAddress};
use crate::plugin::Ictus;
use crate::plugin::instance_parts::Task;
use crate::shared_state::state;

const RATE_HZ: f64 = 48_000.0;
const SWITCH_DELAY: usize = 12_000;
const ROLL: f64 = 2.0;
const WASHBOARD: f64 = 5.0;
const FILE: f64 = 7.0;
/// The sample at which *Surface* changes in most tests, and their length, samples.
const CHANGE: usize = 5_003;
const LENGTH: usize = 24_000;

struct Context {
    transport: Transport,
    notes: VecDeque<NoteEvent<()>>,
}

impl ProcessContext<Ictus> for Context {
    fn plugin_api(&self) -> PluginApi {
        PluginApi::Clap
    }
    fn execute_background(&self, _: Task) {}
    fn execute_gui(&self, _: Task) {}
    fn transport(&self) -> &Transport {
        &self.transport
    }
    fn next_event(&mut self) -> Option<PluginNoteEvent<Ictus>> {
        self.notes.pop_front()
    }
    fn try_send_event(
        &mut self,
        _: PluginNoteEvent<Ictus>,
    ) -> Result<(), (PluginNoteEvent<Ictus>, SendEventError)> {
        Ok(())
    }
    fn set_latency_samples(&self, _: u32) {}
    fn request_restart(&self) {}
    fn set_current_voice_capacity(&self, _: u32) {}
}

/// The host's timing, and the speed of the worker.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HostSpeed {
    /// The host announces offline rendering; the worker delivers nothing.
    Offline,
    /// The host renders ahead of the clock without announcing it; the worker delivers nothing.
    Ahead,
    /// Real time; the worker needs this number of blocks.
    RealTime { blocks: usize },
    /// The worker runs freely.
    Free,
}

struct Host {
    ictus: Ictus,
    speed: HostSpeed,
    /// Blocks since the last request.
    blocks_waited: usize,
}

impl Host {
    /// Creates an activated instance.
    fn new(speed: HostSpeed) -> Self {
        let mut host = Self { ictus: Ictus::default(), speed, blocks_waited: 0 };
        if speed != HostSpeed::Free {
            // Makes the worker exit as soon as it starts.
            host.ictus.surfaces.shared.is_closing.store(true, Ordering::Release);
        }
        host.activate();
        host
    }

    fn activate(&mut self) {
        let process_mode = match self.speed {
            HostSpeed::Offline | HostSpeed::Free => ProcessMode::Offline,
            HostSpeed::Ahead | HostSpeed::RealTime { .. } => ProcessMode::Realtime,
        };
        let config = BufferConfig {
            sample_rate: RATE_HZ as f32,
            min_buffer_size: None,
            max_buffer_size: LENGTH as u32,
            process_mode,
        };
        self.ictus.prepare(&config);
    }

    /// Sets a parameter as a host does.
    fn set(&self, row: Row, value: f64) {
        self.set_stored(row, row.spec().si_to_stored(value));
    }

    #[allow(unsafe_code)]
    fn set_stored(&self, row: Row, stored: f32) {
        let (_, pointer, _) = self.ictus.parts.params.param_map().swap_remove(row as usize);
        // SAFETY: the parameters outlive the call.
        unsafe { pointer._internal_set_normalized_value(pointer.preview_normalized(stored)) };
    }

    /// Loads a preset as the browser of a CLAP host does.
    fn load(&self, key: &str) {
        let preset = factory::load(key).expect("a preset");
        state::load_preset(&self.ictus.parts.params, &preset, |_| {
            self.set_all(&preset);
            true
        });
    }

    /// Restores a state as a host does.
    fn restore(&self, key: &str) {
        self.set_all(&factory::load(key).expect("a preset"));
        self.ictus.parts.params.deserialize_fields(&Default::default());
    }

    fn set_all(&self, preset: &Preset) {
        Row::ALL.into_iter().for_each(|row| self.set_stored(row, preset.sound.patch.stored(row)));
    }

    /// Processes one block, with a note at its first sample if `note`.
    #[allow(unsafe_code)]
    fn block(&mut self, samples: usize, note: bool) -> Vec<f32> {
        self.simulate_timing();
        let mut context =
            Context { transport: Transport::new(RATE_HZ as f32), notes: VecDeque::new() };
        if note {
            context.notes.push_back(NoteEvent::NoteOn {
                timing: 0,
                voice_id: VoiceID::Wildcard,
                channel: Channel::Number(0),
                key: Key::Number(60),
                velocity: 0.8,
            });
        }
        let (mut left, mut right) = (vec![f32::NAN; samples], vec![f32::NAN; samples]);
        let mut buffer = Buffer::default();
        // SAFETY: both outlive the buffer and have its length.
        unsafe { buffer.set_slices(samples, |slices| *slices = vec![&mut left, &mut right]) };
        self.ictus.process_guarded::<Ictus>(
            &mut buffer,
            (&Input::default(), false),
            &mut [],
            &mut context,
        );
        assert!(right.iter().all(|x| x.is_finite()));
        left
    }

    /// Processes `samples` samples in blocks of a length.
    fn blocks(&mut self, samples: usize, block: usize) -> Vec<f32> {
        let starts = (0..samples).step_by(block);
        starts.flat_map(|start| self.block(block.min(samples - start), false)).collect()
    }

    fn simulate_timing(&mut self) {
        let loader = &mut self.ictus.surfaces;
        let since = match self.speed {
            HostSpeed::Ahead => Some(Instant::now()),
            HostSpeed::RealTime { .. } => Instant::now().checked_sub(Duration::from_secs(1)),
            HostSpeed::Offline | HostSpeed::Free => None,
        };
        if let (Some(pending), Some(since)) = (&mut loader.pending, since) {
            pending.since = since;
        }
        if let HostSpeed::RealTime { blocks } = self.speed {
            self.blocks_waited =
                if loader.shared.requested.is_empty() { 0 } else { self.blocks_waited + 1 };
            if self.blocks_waited > blocks
                && let Some(request) = loader.shared.requested.pop()
            {
                loader.shared.free_retired();
                drop(loader.shared.built.force_push(loader.shared.build(request)));
            }
        }
    }
}

fn bits(samples: &[f32]) -> Vec<u32> {
    samples.iter().map(|x| x.to_bits()).collect()
}

#[track_caller]
fn assert_same(what: &str, ours: &[f32], theirs: &[f32]) {
    let differ = ours.iter().zip(theirs).position(|(a, b)| a.to_bits() != b.to_bits());
    assert_eq!(
        (differ, ours.len()),
        (None, theirs.len()),
        "{what}: first difference at this sample"
    );
}

fn is_audible(samples: &[f32]) -> bool {
    samples.iter().any(|x| x.abs() > 1e-4)
}

/// *Gesture* is set to Roll, and a note is played at once. 16 instances, no worker.
#[test]
fn a_roll_sounds_at_once() {
    let play = |speed| {
        let mut host = Host::new(speed);
        host.set(Row::Gesture, ROLL);
        [host.block(512, true), host.blocks(4_000, 512)].concat()
    };
    let first = play(HostSpeed::Offline);
    assert!(is_audible(&first));
    for run in 0..15 {
        let speed = [HostSpeed::Ahead, HostSpeed::RealTime { blocks: usize::MAX }, HostSpeed::Free]
            [run % 3];
        assert_same(&format!("{speed:?}"), &play(speed), &first);
    }
}

/// A preset or a project that is loaded while the instance is active has its surface in the next
/// block: it sounds like an instance that was activated with it.
#[test]
fn a_loaded_preset_has_its_surface_in_the_next_block() {
    for key in ["marble-roll", "washboard-scrape", "cart-on-cobbles"] {
        let play = |host: &mut Host| [host.block(64, true), host.blocks(4_000, 512)].concat();
        let mut activated = Host::new(HostSpeed::Offline);
        activated.load(key);
        activated.activate();
        let reference = play(&mut activated);
        assert!(is_audible(&reference), "{key}");
        for speed in [HostSpeed::Ahead, HostSpeed::RealTime { blocks: usize::MAX }, HostSpeed::Free]
        {
            let mut host = Host::new(speed);
            host.blocks(600, 512);
            host.load(key);
            assert_same(&format!("{key}, a preset, {speed:?}"), &play(&mut host), &reference);
            let mut host = Host::new(speed);
            host.blocks(600, 512);
            host.restore(key);
            assert_same(&format!("{key}, a state, {speed:?}"), &play(&mut host), &reference);
        }
    }
}

/// A roll with *Surface* changed at sample [`CHANGE`], in blocks of a length.
fn change_while_rolling(speed: HostSpeed, block: usize) -> Vec<f32> {
    let mut host = Host::new(speed);
    host.set(Row::Gesture, ROLL);
    let mut output = host.block(3, true);
    output.extend(host.blocks(CHANGE - 3, block));
    host.set(Row::Surface, WASHBOARD);
    output.extend(host.blocks(LENGTH - CHANGE, block));
    output
}

/// The surface changes [`SWITCH_DELAY`] samples after its parameter, as in an engine that gets the
/// new surface there.
#[test]
fn a_change_takes_effect_at_a_fixed_sample() {
    let mut patch = Patch::default();
    patch.set(Row::Gesture, ROLL);
    let mut washboard = patch.clone();
    washboard.set(Row::Surface, WASHBOARD);
    let table = |patch: &Patch| SurfaceRequest::of(patch).expect("it rolls").build(None);
    let mut engine = crate::plugin::new_engine(VoiceRoom::USUAL);
    engine.prepare(RATE_HZ);
    engine.set_surface(table(&patch)).expect("the first");
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let note = Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 0.8 } };
    let mut expected = Vec::new();
    let changed = CHANGE + SWITCH_DELAY;
    for (patch, start, end) in
        [(&patch, 0, CHANGE), (&washboard, CHANGE, changed), (&washboard, changed, LENGTH)]
    {
        if start == changed {
            engine.set_surface(table(patch)).expect("there is room");
        }
        let (mut left, mut right) = (vec![0.0; end - start], vec![0.0; end - start]);
        let events = if start == 0 { vec![note] } else { Vec::new() };
        engine.process(patch, &events, &mut left, &mut right, &mut NoteEnds::new());
        expected.extend(left);
    }
    let output = change_while_rolling(HostSpeed::Offline, 512);
    assert_same("the shell and the engine", &output, &expected);
    assert!(is_audible(&output[changed..]));
}

/// Fifty instances with various block sizes, and the worker in time, early, far too late or
/// missing.
#[test]
fn a_change_depends_neither_on_the_worker_nor_on_blocks() {
    let expected = bits(&change_while_rolling(HostSpeed::Offline, LENGTH));
    for run in 0..50 {
        let block = [512, 1, 64, 1000, 4096, 17, 480][run % 7].max(1 + run / 7);
        let in_time = (SWITCH_DELAY / block).saturating_sub(2);
        let speeds = [
            HostSpeed::Offline,
            HostSpeed::Ahead,
            HostSpeed::Free,
            HostSpeed::RealTime { blocks: run * in_time / 50 },
        ];
        let speed = speeds[run % 4];
        assert!(
            bits(&change_while_rolling(speed, block)) == expected,
            "run {run}: {speed:?}, blocks of {block}"
        );
    }
}

/// In real time a late worker delays the change; the roll continues over the old surface.
#[test]
fn a_late_table_is_used_when_it_arrives() {
    let late = change_while_rolling(HostSpeed::RealTime { blocks: SWITCH_DELAY / 512 + 6 }, 512);
    let in_time = change_while_rolling(HostSpeed::RealTime { blocks: 1 }, 512);
    let differ = late.iter().zip(&in_time).position(|(a, b)| a.to_bits() != b.to_bits());
    let due = CHANGE + SWITCH_DELAY;
    // The ball may be off the surface at the change.
    assert!(differ.is_some_and(|sample| (due..due + 2_400).contains(&sample)), "{differ:?}");
    assert!(is_audible(&late[due..due + 3_000]) && is_audible(&late[LENGTH - 2_000..]));
}

/// Drives the loader without the plug-in.
struct LoaderOnly {
    loader: SurfaceLoader,
    engine: Engine,
    patch: Patch,
}

impl LoaderOnly {
    fn new() -> Self {
        let mut loader = SurfaceLoader::new(Arc::new(Extras::default()));
        loader.shared.is_closing.store(true, Ordering::Release);
        let (mut engine, mut patch) =
            (crate::plugin::new_engine(VoiceRoom::USUAL), Patch::default());
        patch.set(Row::Gesture, ROLL);
        loader.prepare(&patch, &mut engine, RATE_HZ, true);
        Self { loader, engine, patch }
    }

    /// Advances by `samples` with a choice of *Surface*.
    fn advance(&mut self, surface: f64, mut samples: usize) {
        self.patch.set(Row::Surface, surface);
        self.loader.update(&self.patch, &mut self.engine);
        while samples > 0 {
            let step = self.loader.samples_to_change().unwrap_or(samples).min(samples);
            self.loader.advance(step, &mut self.engine);
            samples -= step;
        }
    }

    /// True if the engine uses this choice of *Surface*.
    fn is_on(&self, surface: f64) -> bool {
        let mut patch = self.patch.clone();
        patch.set(Row::Surface, surface);
        self.loader.current.map(|source| source.request) == SurfaceRequest::of(&patch)
    }
}

#[test]
fn changes_are_serialised_and_the_newest_follows() {
    let mut driver = LoaderOnly::new();
    driver.advance(1.0, SWITCH_DELAY - 1);
    assert!(driver.is_on(0.0));
    driver.advance(1.0, 1);
    assert!(driver.is_on(1.0));
    // Three more choices within the delay of one change.
    driver.advance(2.0, 1_000);
    driver.advance(3.0, 1_000);
    driver.advance(4.0, SWITCH_DELAY - 2_001);
    assert!(driver.is_on(1.0));
    driver.advance(4.0, 1);
    assert!(driver.is_on(2.0), "the first of them");
    driver.advance(4.0, SWITCH_DELAY - 1);
    assert!(driver.is_on(2.0));
    driver.advance(4.0, 1);
    assert!(driver.is_on(4.0), "the last of them");
    // Reverted within the delay: no change.
    driver.advance(5.0, SWITCH_DELAY - 1);
    driver.advance(4.0, 2 * SWITCH_DELAY);
    assert!(driver.is_on(4.0) && driver.loader.samples_to_change().is_none());
}

/// Many changes, with no thread but the audio thread of an offline host to free the tables.
#[test]
fn many_changes_leak_no_tables() {
    let mut driver = LoaderOnly::new();
    for round in 0..30 {
        driver.advance(f64::from(round % 3), SWITCH_DELAY);
        assert!(driver.is_on(f64::from(round % 3)), "round {round}");
        assert!(driver.loader.shared.retired.len() <= 2);
    }
}

/// Another file changes the surface only if the surface is that of the file.
#[test]
fn another_file_changes_its_surface() {
    let mut driver = LoaderOnly::new();
    let extras = driver.loader.shared.extras.clone();
    let set_file = |height_m: f64| {
        let heights = (0..64).map(|n| height_m * f64::from(n % 7)).collect();
        extras.set_surface(&UserSurface::new(heights, 0.5).expect("fit")).expect("it can be kept");
        extras.surface_id()
    };
    let first = set_file(1e-6);
    driver.advance(0.0, 1);
    assert!(driver.loader.samples_to_change().is_none(), "the file is not in use");
    driver.advance(FILE, SWITCH_DELAY);
    assert_eq!(driver.loader.current.map(|source| source.file_id), Some(first));
    let second = set_file(2e-6);
    driver.advance(FILE, SWITCH_DELAY - 1);
    assert_eq!(driver.loader.current.map(|source| source.file_id), Some(first));
    driver.advance(FILE, 1);
    assert_eq!(driver.loader.current.map(|source| source.file_id), Some(second));
    assert_ne!(first, second);
}
