//! The plug-in: a thin shell around the engine. Host events in, parameters to a patch, status out.

mod clap_entry;
pub mod extras;
pub mod fx;
pub mod ground;
pub mod loading;
pub mod notes;
pub mod params;
pub mod session;
pub mod state;
pub mod telemetry;

use std::sync::Arc;

use nice_plug::editor::dpi::LogicalSize;
use nice_plug::midi::{Channel, Key, VoiceID};
use nice_plug::prelude::*;
use nice_plug_egui::{EguiEditorState, EguiNiceSettings, RepaintNotifier, create_egui_editor};

use crate::editor::remembered;
use crate::editor::shell::{Around, Shell};
use crate::editor::{self, App};
use crate::engine::io::{GroupOut, Io};
use crate::engine::{Engine, MOST_VOICES, NoteEnds};
use crate::event::{Event, EventKind, EventQueue, NoteAddress, NoteEnd};
use crate::external::Input;
use crate::patch::{KEY_GROUPS, Patch};
use crate::voice::happening::What;
use extras::Extras;
use ground::Builder;
use params::HostParams;
use telemetry::Telemetry;

/// The plug-in as the framework sees it.
pub struct Ictus {
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    extras: Arc<Extras>,
    surfaces: Builder,
    offline: bool,
    editor_state: Arc<EguiEditorState>,
    repaint: RepaintNotifier,
    engine: Engine,
    patch: Patch,
    queue: EventQueue,
    /// Notes for the first sample of the next piece.
    held: EventQueue,
    /// Those among them that are this piece's, left over by the last one.
    due: std::ops::Range<usize>,
    ends: NoteEnds,
    /// Keys that the editor was last told to sound.
    shown_keys: u128,
}

impl Default for Ictus {
    fn default() -> Self {
        Self::new(HostParams::new)
    }
}

impl Ictus {
    fn new(params: impl Fn(Arc<Extras>) -> HostParams) -> Self {
        let (width, height) = editor::SIZE;
        let extras = Arc::new(Extras::default());
        Self {
            params: Arc::new(params(extras.clone())),
            surfaces: Builder::new(extras.clone()),
            extras,
            offline: false,
            telemetry: Arc::new(Telemetry::new()),
            editor_state: EguiEditorState::from_size(LogicalSize::new(width, height), 1.0),
            repaint: RepaintNotifier::new(),
            engine: Engine::new(),
            patch: Patch::default(),
            queue: EventQueue::default(),
            held: EventQueue::default(),
            due: 0..0,
            ends: NoteEnds::new(),
            shown_keys: 0,
        }
    }
}

impl Plugin for Ictus {
    const NAME: &'static str = "Ictus";
    const VENDOR: &'static str = "Ictus";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    // The first one has no input: what hosts do with an instrument that has one differs too much. The second is offered
    // to CLAP hosts that let the user choose; in a VST3 the number of buses is fixed (see `fx` for both). The third has
    // outputs besides; in the first the framework would play nothing in a host that leaves one of them unconnected.
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: NonZeroU32::new(2),
            ..AudioIOLayout::const_default()
        },
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: NonZeroU32::new(2),
            aux_input_ports: &[new_nonzero_u32(2)],
            names: PortNames {
                layout: Some("Stereo with external strike"),
                aux_inputs: &["External strike"],
                ..PortNames::const_default()
            },
            ..AudioIOLayout::const_default()
        },
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: NonZeroU32::new(2),
            aux_input_ports: &[new_nonzero_u32(2)],
            aux_output_ports: &[new_nonzero_u32(2); KEY_GROUPS],
            names: PortNames {
                layout: Some("Key groups on outputs of their own"),
                aux_inputs: &["External strike"],
                aux_outputs: &["Key group 1", "Key group 2", "Key group 3", "Key group 4"],
                ..PortNames::const_default()
            },
        },
    ];
    // In the VST3 each controller of each channel is a hidden parameter, two thousand in all: the format has no other
    // way to a pedal or a wheel.
    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    // Twice as many as any dense MIDI file has in a block; beyond it the framework allocates.
    const INPUT_EVENT_CAPACITY: usize = 8192;

    type Editor = Shell;
    type SysExMessage = ();
    type BackgroundTask = loading::Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        loading::executor(self.params.clone())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.params.clone()
    }

    fn filter_state(state: &mut PluginState) {
        state::filter(state, HostParams::default_of);
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.window(Self::NAME)
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        self.prepare(config);
        context.set_current_voice_capacity(self.patch.voices() as u32);
        true
    }

    fn reset(&mut self) {
        self.engine.reset();
        self.let_go();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let input = match aux.inputs.first().map(|side_chain| side_chain.as_slice_immutable()) {
            Some([left, right]) => Input { left, right },
            _ => Input::default(),
        };
        self.run(buffer, &input, aux.outputs, context)
    }
}

/// The outputs of the groups of keys, from sample `start` of the host's block on.
struct GroupBuffers<'a, 'b> {
    buffers: &'a mut [Buffer<'b>],
    start: usize,
}

impl GroupOut for GroupBuffers<'_, '_> {
    fn write(&mut self, group: usize, start: usize, left: &[f64], right: &[f64]) {
        let Some(buffer) = self.buffers.get_mut(group) else { return };
        for (channel, side) in buffer.as_slice().iter_mut().zip([left, right]) {
            let from = (self.start + start).min(channel.len());
            for (out, x) in channel[from..].iter_mut().zip(side) {
                *out = *x as f32;
            }
        }
    }
}

/// The host's block, and how far it has been played.
struct Block<'a> {
    input: &'a Input<'a>,
    left: &'a mut [f32],
    right: &'a mut [f32],
    start: usize,
}

impl Ictus {
    fn window(&self, title: &str) -> Option<Shell> {
        let (width, height) = editor::MIN_SIZE;
        let app = App::new(self.params.clone(), self.telemetry.clone(), self.extras.clone());
        let around = Around { server: app.server(), extras: self.extras.clone(), scale: app.scale() };
        if let Some(look) = remembered::look() {
            self.extras.change_look(|shown| *shown = look);
        }
        let editor = create_egui_editor(
            self.editor_state.clone(),
            self.repaint.clone(),
            EguiNiceSettings::new()
                .with_tile(title)
                .with_resize_hint(ResizeHint::RESIZABLE.with_min_logical_size(LogicalSize::new(width, height))),
            app,
        )?;
        Some(Shell::new(editor, around, self.repaint.clone(), title))
    }

    fn prepare(&mut self, config: &BufferConfig) {
        self.engine.prepare(f64::from(config.sample_rate));
        self.telemetry.set_sample_rate(f64::from(config.sample_rate));
        self.offline = config.process_mode == ProcessMode::Offline;
        self.params.write_to(&mut self.patch);
        self.surfaces.prepare(&self.patch, &mut self.engine);
        self.let_go();
    }

    /// One block of whichever plug-in this is the inside of.
    fn run<P: Plugin<SysExMessage = ()>>(
        &mut self,
        buffer: &mut Buffer,
        input: &Input,
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> ProcessStatus {
        let voices = self.patch.voices();
        let lasts_s = buffer.samples() as f32 / context.transport().sample_rate.max(1.0);
        let is_settled = self.params.follow(&mut self.patch, lasts_s);
        if self.patch.voices() != voices {
            context.set_current_voice_capacity(self.patch.voices() as u32);
        }
        if let Some(tempo_bpm) = context.transport().tempo {
            self.engine.set_tempo(tempo_bpm);
        }
        // What belongs to a sound comes with its parameters.
        if is_settled && let Some(list) = self.extras.take_list() {
            self.engine.set_list(&list);
        }
        if is_settled && let Some(tuning) = self.extras.take_tuning() {
            self.engine.set_tuning(&tuning);
        }
        self.surfaces.follow(&self.patch, &mut self.engine, self.offline);
        let [left, right] = buffer.as_slice() else {
            return ProcessStatus::Error("Ictus plays in stereo");
        };
        self.engine.watch(self.editor_state.is_open());
        let clock = std::time::Instant::now();
        let mut block = Block { input, left, right, start: 0 };
        self.queue.clear();
        if self.telemetry.take_silence() {
            let everything = NoteAddress::default();
            let _ = self.queue.push(Event { offset: 0, note: everything, kind: EventKind::Choke });
        }
        for (key, velocity) in self.telemetry.take_notes() {
            let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
            let kind = velocity.map_or(EventKind::NoteOff, |velocity| EventKind::NoteOn { velocity });
            let _ = self.queue.push(Event { offset: 0, note, kind });
        }
        self.due = 0..self.held.as_slice().len();
        let mut next = self.next_event(context);
        let tail_samples = loop {
            // A queue that fills up is played before it takes more: no event is ever lost.
            while let Some(event) = next {
                let offset = event.offset.saturating_sub(block.start);
                let is_later = event.offset >= block.left.len() && !self.held.is_full();
                let (queue, offset) = if is_later { (&mut self.held, 0) } else { (&mut self.queue, offset) };
                if queue.push(Event { offset, ..event }).is_err() {
                    break;
                }
                next = self.next_event(context);
            }
            let end = next.map_or(block.left.len(), |event| event.offset.clamp(block.start, block.left.len()));
            let tail_samples = self.play(&mut block, groups, end, context);
            if next.is_none() && block.start == block.left.len() {
                break tail_samples;
            }
        };
        if self.editor_state.is_open() {
            self.telemetry.report_load(clock.elapsed().as_secs_f32() / lasts_s.max(1e-9));
            let view = self.engine.view();
            // An editor at rest looks seldom; what begins wakes it.
            if view.keys != self.shown_keys {
                self.shown_keys = view.keys;
                self.repaint.request_repaint();
            }
            self.telemetry.show(view);
        }
        match u32::try_from(tail_samples) {
            Ok(0) => ProcessStatus::Normal,
            Ok(samples) => ProcessStatus::Tail(samples),
            Err(_) => ProcessStatus::KeepAlive,
        }
    }

    /// The next event: first those that the last piece left over.
    ///
    /// The framework cuts a block before a parameter change and gives the notes of that very sample to the piece
    /// that ends there. Played by it they would strike with the old settings, but with the new ones where a host's
    /// own block happens to begin: the sound would depend on the block size.
    fn next_event<P: Plugin<SysExMessage = ()>>(&mut self, context: &mut impl ProcessContext<P>) -> Option<Event> {
        if let Some(index) = self.due.next() {
            let event = self.held.as_slice().get(index).copied();
            if self.due.is_empty() {
                self.held.clear();
            }
            return event;
        }
        // Skip what means nothing here.
        loop {
            if let Some(event) = notes::translate(context.next_event()?, context.plugin_api(), &self.params) {
                return Some(event);
            }
        }
    }

    fn let_go(&mut self) {
        self.held.clear();
        self.due = 0..0;
    }

    /// Play the queue up to sample `end`. Returns how long the rest will ring.
    fn play<P: Plugin<SysExMessage = ()>>(
        &mut self,
        block: &mut Block,
        groups: &mut [Buffer],
        end: usize,
        context: &mut impl ProcessContext<P>,
    ) -> u64 {
        let start = block.start;
        let (left, right) = (&mut block.left[start..end], &mut block.right[start..end]);
        let Input { left: input_left, right: input_right } = *block.input;
        let input = Input {
            left: input_left.get(start..).unwrap_or_default(),
            right: input_right.get(start..).unwrap_or_default(),
        };
        let mut groups = GroupBuffers { buffers: groups, start };
        let groups = if groups.buffers.is_empty() { None } else { Some(&mut groups as &mut dyn GroupOut) };
        let io = Io { input, left, right, groups };
        let status = self.engine.process_io(&self.patch, self.queue.as_slice(), io, &mut self.ends);
        self.telemetry.report(&status);
        for happening in self.engine.happenings() {
            if let What::Contact(contact) = happening.what {
                self.telemetry.set_contact_speed(contact.speed_in_m_per_s);
            }
        }
        for NoteEnd { offset, note } in self.ends.drain(..) {
            // A note without an id cannot be ended by name; its key and channel say which it was.
            let _ = context.try_send_event(NoteEvent::VoiceTerminated {
                timing: (start + offset) as u32,
                voice_id: note.id.map_or(VoiceID::Wildcard, VoiceID::ID),
                channel: note.channel.map_or(Channel::Wildcard, Channel::Number),
                key: note.key.map_or(Key::Wildcard, Key::Number),
            });
        }
        self.queue.clear();
        block.start = end;
        status.tail_samples
    }
}

impl ClapPlugin for Ictus {
    const CLAP_ID: &'static str = "audio.ictus.ictus";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("The sound of things hitting things");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Drum, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> =
        Some(PolyModulationConfig { max_voice_capacity: MOST_VOICES as u32, supports_overlapping_voices: true });
}

impl Vst3Plugin for Ictus {
    const VST3_CLASS_ID: [u8; 16] = *b"IctusImpactSynth";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth, Vst3SubCategory::Drum, Vst3SubCategory::Stereo];
}

/// The symbols that hosts of VST3 look for; those of CLAP are in [`clap_entry`].
#[allow(unsafe_code, missing_docs)]
mod export {
    use super::Ictus;
    use super::fx::IctusFx;
    use nice_plug::prelude::*;

    nice_export_vst3!(Ictus, IctusFx);
}
