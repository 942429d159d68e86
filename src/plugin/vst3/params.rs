//! The parameters of the VST3 object.
//!
//! The CLAP parameters come first, with their own ids. The program parameter follows if there are
//! presets. Then come the MIDI controllers, which VST3 hosts send as changes of hidden parameters:
//! controllers that shape single notes have one parameter per channel (MPE needs that), and every
//! other controller has one for all channels.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use clap_sys::ext::note_ports::clap_plugin_note_ports;
use clap_sys::ext::params::{
    CLAP_PARAM_IS_AUTOMATABLE, CLAP_PARAM_IS_BYPASS, CLAP_PARAM_IS_HIDDEN, CLAP_PARAM_IS_READONLY,
    CLAP_PARAM_IS_STEPPED, clap_param_info,
};
use vst3::Steinberg::Vst::ParameterInfo_::ParameterFlags_::{
    kCanAutomate, kIsBypass, kIsHidden, kIsList, kIsProgramChange, kIsReadOnly,
};
use vst3::Steinberg::Vst::{ParameterInfo, kRootUnitId};

use super::core::Core;
use super::{array_text, write_wide};

/// The id of the program parameter. MIDI controllers have ids above it; none collides with a CLAP
/// id.
pub const PROGRAM: u32 = 0x7d00_0000;
const MIDI: u32 = 0x7e00_0000;
const CHANNEL_COUNT: u8 = 16;

/// VST3's controller numbers above the MIDI controllers.
pub const CHANNEL_PRESSURE: u8 = 128;
pub const PITCH_BEND: u8 = 129;
/// Controllers with a parameter per channel: wheel, breath, data entry, volume, pan, expression,
/// pedals, timbre, RPN and NRPN numbers, resets, pressure and bend.
const PER_CHANNEL: [u8; 24] = [
    1,
    2,
    6,
    7,
    10,
    11,
    38,
    64,
    66,
    67,
    74,
    98,
    99,
    100,
    101,
    120,
    121,
    123,
    124,
    125,
    126,
    127,
    CHANNEL_PRESSURE,
    PITCH_BEND,
];
/// Number of controllers that VST3 hosts can assign.
const CONTROLLER_COUNT: u8 = 130;

/// The meaning of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A CLAP parameter, with its range.
    Clap { min: f64, max: f64 },
    /// The choice of a preset.
    Program,
    /// A MIDI controller. Channel 0 if one parameter serves all channels.
    Midi { channel: u8, controller: u8 },
}

/// One parameter.
pub struct Param {
    pub id: u32,
    pub kind: Kind,
    title: String,
    steps: i32,
    default: f64,
    pub unit: i32,
    flags: i32,
    /// The last value of a controller, as bits.
    value: AtomicU64,
}

impl Param {
    /// Writes the description for the host.
    pub fn write_to(&self, info: &mut ParameterInfo) {
        info.id = self.id;
        write_wide(&self.title, &mut info.title);
        write_wide(&self.title, &mut info.shortTitle);
        write_wide("", &mut info.units);
        info.stepCount = self.steps;
        info.defaultNormalizedValue = self.default;
        info.unitId = self.unit;
        info.flags = self.flags;
    }

    /// The last value of a controller.
    pub fn stored(&self) -> f64 {
        f64::from_bits(self.value.load(Ordering::Relaxed))
    }

    /// Stores the value of a controller.
    pub fn store(&self, value: f64) {
        self.value.store(value.to_bits(), Ordering::Relaxed);
    }

    /// The value in CLAP's range, or the index of a program.
    pub fn plain(&self, normalized: f64) -> f64 {
        let normalized = if normalized.is_finite() { normalized.clamp(0.0, 1.0) } else { 0.0 };
        match self.kind {
            Kind::Clap { min, max } => min + normalized * (max - min),
            Kind::Program => (normalized * f64::from(self.steps)).round(),
            Kind::Midi { .. } => normalized,
        }
    }

    /// The inverse of [`plain`](Self::plain).
    pub fn normalized(&self, plain: f64) -> f64 {
        let normalized = match self.kind {
            Kind::Clap { min, max } if max > min => (plain - min) / (max - min),
            Kind::Program if self.steps > 0 => plain / f64::from(self.steps),
            Kind::Clap { .. } | Kind::Program => 0.0,
            Kind::Midi { .. } => plain,
        };
        if normalized.is_finite() { normalized.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// All parameters, and the groups of the CLAP parameters.
#[derive(Default)]
pub struct Table {
    params: Vec<Param>,
    by_id: HashMap<u32, usize>,
    /// Names of the groups. Unit ids count from 1 in this order.
    pub units: Vec<String>,
}

impl Table {
    /// Creates the table of an instance.
    pub fn new(core: &Core) -> Self {
        let mut table = Self::default();
        for info in clap_infos(core) {
            let group = array_text(&info.module);
            let unit = table.unit(&group);
            table.push(clap_param(&info, unit));
        }
        let programs = core.programs.len();
        if programs > 0 {
            table.push(Param {
                id: PROGRAM,
                kind: Kind::Program,
                title: "Program".to_string(),
                steps: programs as i32,
                default: 0.0,
                unit: kRootUnitId,
                flags: (kCanAutomate | kIsList | kIsProgramChange) as i32,
                value: AtomicU64::new(0),
            });
        }
        if core.extensions().note_ports.is_some_and(|ports| takes_notes(core, ports)) {
            for controller in 0..CONTROLLER_COUNT {
                let is_per_channel = PER_CHANNEL.contains(&controller);
                for channel in 0..if is_per_channel { CHANNEL_COUNT } else { 1 } {
                    table.push(midi_param(channel, controller, is_per_channel));
                }
            }
        }
        table
    }

    fn push(&mut self, param: Param) {
        self.by_id.insert(param.id, self.params.len());
        self.params.push(param);
    }

    /// The unit id of a group, which is added if it is new.
    fn unit(&mut self, group: &str) -> i32 {
        if group.is_empty() {
            return kRootUnitId;
        }
        let known = self.units.iter().position(|known| known == group);
        let index = known.unwrap_or_else(|| {
            self.units.push(group.to_string());
            self.units.len() - 1
        });
        index as i32 + 1
    }

    pub fn len(&self) -> usize {
        self.params.len()
    }

    pub fn at(&self, index: usize) -> Option<&Param> {
        self.params.get(index)
    }

    pub fn find(&self, id: u32) -> Option<&Param> {
        self.params.get(*self.by_id.get(&id)?)
    }

    /// The position of a CLAP value, 0…1.
    pub fn normalized(&self, id: u32, plain: f64) -> f64 {
        self.find(id).map_or(0.0, |param| param.normalized(plain))
    }

    /// The parameter id of a controller.
    pub fn assigned(&self, channel: i16, controller: i16) -> Option<u32> {
        let channel = u8::try_from(channel).ok().filter(|channel| *channel < CHANNEL_COUNT)?;
        let controller = u8::try_from(controller).ok()?;
        let channel = if PER_CHANNEL.contains(&controller) { channel } else { 0 };
        self.find(midi_id(channel, controller)).map(|param| param.id)
    }
}

/// The parameter descriptions of the CLAP plug-in.
fn clap_infos(core: &Core) -> Vec<clap_param_info> {
    let params = core.extensions().params;
    let Some((count, get)) = params.and_then(|params| Some((params.count?, params.get_info?)))
    else {
        return Vec::new();
    };
    // SAFETY: called as a CLAP host does.
    unsafe {
        (0..count(core.plugin()))
            .filter_map(|index| {
                let mut info: clap_param_info = std::mem::zeroed();
                get(core.plugin(), index, &mut info).then_some(info)
            })
            .collect()
    }
}

fn takes_notes(core: &Core, ports: &clap_plugin_note_ports) -> bool {
    // SAFETY: called as a CLAP host does.
    ports.count.is_some_and(|count| unsafe { count(core.plugin(), true) } > 0)
}

fn clap_param(info: &clap_param_info, unit: i32) -> Param {
    let has = |flag| info.flags & flag != 0;
    let (min, max) = (info.min_value, info.max_value);
    let is_hidden = has(CLAP_PARAM_IS_HIDDEN);
    let mut flags = 0;
    for (is_set, flag) in [
        (has(CLAP_PARAM_IS_AUTOMATABLE) && !is_hidden, kCanAutomate),
        (is_hidden, kIsHidden),
        (has(CLAP_PARAM_IS_READONLY), kIsReadOnly),
        (has(CLAP_PARAM_IS_BYPASS), kIsBypass),
    ] {
        if is_set {
            flags |= flag as i32;
        }
    }
    let mut param = Param {
        id: info.id,
        kind: Kind::Clap { min, max },
        title: array_text(&info.name),
        steps: if has(CLAP_PARAM_IS_STEPPED) { (max - min).round() as i32 } else { 0 },
        default: 0.0,
        unit,
        flags,
        value: AtomicU64::new(0),
    };
    param.default = param.normalized(info.default_value);
    param
}

fn midi_id(channel: u8, controller: u8) -> u32 {
    MIDI | u32::from(channel) << 8 | u32::from(controller)
}

/// A controller as a hidden parameter. Tools that list all parameters skip names with this prefix.
fn midi_param(channel: u8, controller: u8, is_per_channel: bool) -> Param {
    let name = match controller {
        CHANNEL_PRESSURE => "MIDI CC Pressure".to_string(),
        PITCH_BEND => "MIDI CC Bend".to_string(),
        number => format!("MIDI CC {number}"),
    };
    let title = if is_per_channel { format!("{name} Ch. {}", channel + 1) } else { name };
    let default: f64 = match controller {
        7 => 100.0 / 127.0,
        10 | 74 | PITCH_BEND => 0.5,
        11 => 1.0,
        _ => 0.0,
    };
    Param {
        id: midi_id(channel, controller),
        kind: Kind::Midi { channel, controller },
        title,
        steps: 0,
        default,
        unit: kRootUnitId,
        flags: kIsHidden as i32,
        value: AtomicU64::new(default.to_bits()),
    }
}
