//! The instrument as an effect: the input strikes or drives a body.
//!
//! It is a separate plug-in, because hosts insert effects and instruments in different places.

use std::sync::Arc;

use nice_plug::prelude::*;

use super::Ictus;
use super::instance_parts::{self, EditorFactory, Task};
use crate::exciter::external::Input;
use crate::shared_state::params::HostParams;
use crate::shared_state::{catch_panic, state};

/// The effect, as the framework uses it.
pub struct IctusFx {
    inner: Ictus,
    /// A copy of the block's input, because the output overwrites it.
    input: [Vec<f32>; 2],
}

impl Default for IctusFx {
    fn default() -> Self {
        let inner = Ictus::new(Self::NAME, HostParams::for_effect);
        Self { inner, input: Default::default() }
    }
}

impl Plugin for IctusFx {
    const NAME: &'static str = "Ictus FX";
    const VENDOR: &'static str = Ictus::VENDOR;
    const URL: &'static str = Ictus::URL;
    const EMAIL: &'static str = Ictus::EMAIL;
    const VERSION: &'static str = Ictus::VERSION;

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[AudioIOLayout {
        main_input_channels: NonZeroU32::new(2),
        main_output_channels: NonZeroU32::new(2),
        ..AudioIOLayout::const_default()
    }];
    const MIDI_INPUT: MidiConfig = Ictus::MIDI_INPUT;
    const SAMPLE_ACCURATE_AUTOMATION: bool = Ictus::SAMPLE_ACCURATE_AUTOMATION;
    const INPUT_EVENT_CAPACITY: usize = Ictus::INPUT_EVENT_CAPACITY;

    type Editor = EditorFactory;
    type SysExMessage = ();
    type BackgroundTask = Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        instance_parts::executor(self.inner.parts.clone())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.inner.parts.params.clone()
    }

    fn filter_state(state: &mut PluginState) {
        catch_panic((), || state::filter(state, HostParams::effect_default_of));
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.inner.parts.editor_factory.clone()
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let is_ready = catch_panic(false, || {
            self.inner.prepare(config);
            true
        });
        self.input = std::array::from_fn(|_| vec![0.0; config.max_buffer_size as usize]);
        context.set_current_voice_capacity(self.inner.patch.voices() as u32);
        is_ready
    }

    fn reset(&mut self) {
        self.inner.silence();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        for (copy, channel) in self.input.iter_mut().zip(buffer.as_slice().iter()) {
            // If the block is longer than announced, treat the rest of the input as silence.
            let samples = channel.len().min(copy.len());
            copy[..samples].copy_from_slice(&channel[..samples]);
            copy[samples..].fill(0.0);
        }
        let [left, right] = self.input.each_ref().map(Vec::as_slice);
        self.inner.process_guarded(buffer, (&Input { left, right }, true), &mut [], context)
    }
}

impl ClapPlugin for IctusFx {
    const CLAP_ID: &'static str = "audio.ictus.ictus-fx";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Sound that strikes or drives things");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[ClapFeature::AudioEffect, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> =
        Ictus::CLAP_POLY_MODULATION_CONFIG;
}
