//! The same instrument as an effect: what comes in strikes a body, or drives it.
//!
//! A plug-in of its own, because the framework leaves no other way that every host can go. An instrument's side-chain
//! would have to be in its first layout to be seen by VST3 hosts, whose number of buses is fixed; and there the framework
//! (0.4.2) reads beyond the host's list of inputs when a plug-in has a side-chain and no main input.

use std::sync::Arc;

use nice_plug::prelude::*;

use super::Ictus;
use super::params::HostParams;
use super::state;
use crate::editor::shell::Shell;
use crate::external::Input;

/// The effect as the framework sees it.
pub struct IctusFx {
    inner: Ictus,
    /// The input of the block, which the output takes the place of.
    input: [Vec<f32>; 2],
}

impl Default for IctusFx {
    fn default() -> Self {
        Self { inner: Ictus::new(HostParams::for_effect), input: Default::default() }
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

    type Editor = Shell;
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        self.inner.params.clone()
    }

    fn filter_state(state: &mut PluginState) {
        state::filter(state, HostParams::effect_default_of);
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.inner.window(Self::NAME)
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        self.inner.prepare(config);
        self.input = std::array::from_fn(|_| vec![0.0; config.max_buffer_size as usize]);
        context.set_current_voice_capacity(self.inner.patch.voices() as u32);
        true
    }

    fn reset(&mut self) {
        self.inner.engine.reset();
        self.inner.let_go();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        for (kept, channel) in self.input.iter_mut().zip(buffer.as_slice().iter()) {
            // A block beyond what was announced: its rest counts as silence.
            let samples = channel.len().min(kept.len());
            kept[..samples].copy_from_slice(&channel[..samples]);
            kept[samples..].fill(0.0);
        }
        let [left, right] = self.input.each_ref().map(Vec::as_slice);
        self.inner.run(buffer, &Input { left, right }, &mut [], context)
    }
}

impl ClapPlugin for IctusFx {
    const CLAP_ID: &'static str = "audio.ictus.ictus-fx";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Sound that strikes or drives things");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[ClapFeature::AudioEffect, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> = Ictus::CLAP_POLY_MODULATION_CONFIG;
}

impl Vst3Plugin for IctusFx {
    const VST3_CLASS_ID: [u8; 16] = *b"IctusImpactFxOne";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] = &[Vst3SubCategory::Fx, Vst3SubCategory::Stereo];
}
