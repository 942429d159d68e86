//! Shared by the host tests: instances, seeded random numbers, and comparison to the last bit.

use crate::support::built;
use crate::support::clap_host::{ClapHost, Param, Rendered};
use clack_extensions::audio_ports::PluginAudioPorts;
use clack_extensions::audio_ports_config::{AudioPortsConfigBuffer, PluginAudioPortsConfig};
use clack_host::prelude::PluginEntry;
use ictus::params::{Param as Id, ParamKind, Patch};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// -1 dBFS, rounded up in the fifth place: the limiter's ceiling.
pub const CEILING: f32 = 0.8913;

/// Loads a bundle, and never unloads it: Rust's standard library registers a destructor with every
/// thread that has run a plug-in's code, and the thread calls it when it ends, even if the code is
/// no longer loaded.
#[allow(unsafe_code)]
pub fn keep(bundle: &Path) -> PluginEntry {
    static KEPT: Mutex<Vec<PluginEntry>> = Mutex::new(Vec::new());
    // SAFETY: the file is the plug-in that this repository has just built.
    let entry = unsafe { PluginEntry::load(bundle) }.expect("the bundle loads");
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(entry.clone());
    entry
}

/// An instance of a bundle, not yet active.
pub fn instance(bundle: &Path) -> ClapHost {
    keep(bundle);
    ClapHost::load(bundle).expect("the plug-in loads")
}

/// An instance of the guarded plug-in, not yet active.
pub fn guarded() -> ClapHost {
    instance(&built("ICTUS_GUARDED_CLAP"))
}

/// The same, ready to play.
pub fn playing(rate: f64, max_block: u32) -> ClapHost {
    let mut host = guarded();
    host.activate(rate, max_block).expect("it can be activated");
    host
}

/// Chooses the layout whose name begins with this.
pub fn choose(host: &mut ClapHost, name: &str) {
    let handle = host.instance().plugin_handle();
    let layouts: PluginAudioPortsConfig = handle.get_extension().expect("layouts");
    let ports: PluginAudioPorts = handle.get_extension().expect("audio ports");
    let mut buffer = AudioPortsConfigBuffer::new();
    let chosen = (0..layouts.count(&handle)).find_map(|index| {
        let layout = layouts.get(&handle, index, &mut buffer)?;
        String::from_utf8_lossy(layout.name).starts_with(name).then_some(layout.id)
    });
    layouts.select(&handle, chosen.expect("it is offered")).expect("it can be chosen");
    let outputs = ports.count(&handle, false) as usize;
    host.set_outputs(outputs);
}

/// The state that a host would save of an instance with these settings.
pub fn state_of(patch: &Patch) -> Vec<u8> {
    let field = |param: &Id| {
        let (spec, stored) = (param.spec(), patch.stored(*param));
        let value = match spec.kind {
            ParamKind::Float { .. } => format!("{{\"f32\":{stored}}}"),
            ParamKind::Toggle => format!("{{\"bool\":{}}}", stored >= 0.5),
            ParamKind::Choice(_) | ParamKind::Whole { .. } => format!("{{\"i32\":{stored}}}"),
        };
        format!("\"{}\":{value}", spec.id)
    };
    let values: Vec<_> = Id::ALL.iter().map(field).collect();
    let json =
        format!("{{\"version\":\"0.1.0\",\"params\":{{{}}},\"fields\":{{}}}}", values.join(","));
    let mut state = (json.len() as u64).to_le_bytes().to_vec();
    state.extend(json.as_bytes());
    state
}

/// Asserts that both channels are the same to the last bit.
#[track_caller]
pub fn assert_same(what: &str, ours: &Rendered, theirs: &Rendered) {
    let difference = first_difference(ours, theirs);
    assert_eq!(difference, None, "{what}: they part at this sample");
}

/// The first sample in which two renders differ; the shorter one's end if their lengths differ.
pub fn first_difference(ours: &Rendered, theirs: &Rendered) -> Option<usize> {
    let sides = [(&ours.left, &theirs.left), (&ours.right, &theirs.right)];
    let parts = sides.into_iter().filter_map(|(a, b)| {
        let differ = a.iter().zip(b).position(|(a, b)| a.to_bits() != b.to_bits());
        differ.or((a.len() != b.len()).then_some(a.len().min(b.len())))
    });
    parts.min()
}

/// SplitMix64: the same numbers in every run.
pub struct TestRng(pub u64);

impl TestRng {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 up to but not including `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }

    /// 0…1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A random value for a parameter: anywhere in its range, whole where it has steps.
    pub fn value(&mut self, param: &Param) -> f64 {
        let value = param.min + self.unit() * (param.max - param.min);
        if is_stepped(param) { value.round() } else { value }
    }
}

/// Whether a parameter has steps.
pub fn is_stepped(param: &Param) -> bool {
    param.flags.contains(clack_extensions::params::ParamInfoFlags::IS_STEPPED)
}

/// Sets every parameter anywhere in its range.
pub fn randomise(host: &mut ClapHost, chance: &mut TestRng) {
    let values: Vec<_> =
        host.params().expect("parameters").iter().map(|p| (p.id, chance.value(p))).collect();
    host.set(&values).expect("parameters can be set");
}

/// The values of all parameters.
pub fn values(host: &mut ClapHost) -> Vec<f64> {
    let params = host.params().expect("parameters");
    params.iter().map(|p| host.value(p.id).expect("a value")).collect()
}
