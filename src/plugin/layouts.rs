//! Which inputs and outputs hosts are offered.

use nice_plug::prelude::*;

use crate::params::KEY_GROUPS;

/// The first one has no input: what CLAP hosts do with an instrument that has one differs too much.
/// The others are offered to those that let the user choose. VST3 hosts see the last one, with all
/// but the main output off (`vst3/core.rs`).
pub const INSTRUMENT: &[AudioIOLayout] = &[
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
