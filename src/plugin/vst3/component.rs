//! The VST3 object as processor. It is also the controller (`controller.rs`).

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use clap_sys::ext::audio_ports::{CLAP_AUDIO_PORT_IS_MAIN, clap_audio_port_info};
use clap_sys::ext::render::{CLAP_RENDER_OFFLINE, CLAP_RENDER_REALTIME};
use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{Class, ComRef};

use super::core::Core;
use super::process::{Audio, clear_outputs};
use super::{array_text, state, write_wide};
use crate::shared_state::{catch_panic, lock};

/// One instance.
pub struct Component {
    pub core: Arc<Core>,
    setup: Mutex<Option<ProcessSetup>>,
    /// Whether the host has activated it. It becomes active after its setup, which some hosts send
    /// later.
    is_enabled: AtomicBool,
    is_active: AtomicBool,
    /// Set while a call uses [`audio`](Self::audio).
    is_busy: AtomicBool,
    audio: UnsafeCell<Audio>,
    /// Active buses, one bit each.
    active_inputs: AtomicU64,
    active_outputs: AtomicU64,
}

// SAFETY: `is_busy` lets one call at a time use `audio`; the other fields are thread-safe.
unsafe impl Sync for Component {}

impl Class for Component {
    type Interfaces = (
        IComponent,
        IAudioProcessor,
        IEditController,
        IMidiMapping,
        IUnitInfo,
        INoteExpressionController,
        IProcessContextRequirements,
    );
}

/// Whether a bus direction is input.
fn is_input(direction: BusDirection) -> bool {
    direction == BusDirections_::kInput as BusDirection
}

impl Component {
    /// Creates the object of a CLAP instance.
    pub fn new(core: Arc<Core>) -> Self {
        let count = |is_input| port_count(&core, is_input);
        let on = |is_input| {
            let is_main =
                |index: &u32| port(&core, is_input, *index).is_some_and(|port| is_main(&port));
            (0..count(is_input)).filter(is_main).fold(0u64, |on, index| on | 1 << index)
        };
        Self {
            audio: UnsafeCell::new(Audio::new(count(true) as usize, count(false) as usize)),
            active_inputs: AtomicU64::new(on(true)),
            active_outputs: AtomicU64::new(on(false)),
            setup: Mutex::default(),
            is_enabled: AtomicBool::new(false),
            is_active: AtomicBool::new(false),
            is_busy: AtomicBool::new(false),
            core,
        }
    }

    /// Deactivates the CLAP plug-in if it is active.
    fn deactivate(&self) {
        let plugin = self.core.plugin();
        if !self.is_active.swap(false, Ordering::AcqRel) {
            return;
        }
        self.stop_processing();
        // SAFETY: called as a CLAP host does.
        unsafe {
            if let Some(deactivate) = (*plugin).deactivate {
                deactivate(plugin);
            }
        }
    }

    fn start_processing(&self) {
        let plugin = self.core.plugin();
        if !self.core.is_processing.swap(true, Ordering::AcqRel) {
            // SAFETY: called as a CLAP host does.
            unsafe { (*plugin).start_processing.map(|start| start(plugin)) };
        }
    }

    fn stop_processing(&self) {
        let plugin = self.core.plugin();
        if self.core.is_processing.swap(false, Ordering::AcqRel) {
            // SAFETY: called as a CLAP host does.
            unsafe { (*plugin).stop_processing.map(|stop| stop(plugin)) };
        }
    }

    fn activate(&self) -> tresult {
        let (core, plugin) = (&self.core, self.core.plugin());
        let Some(setup) = *lock(&self.setup) else { return kResultOk };
        self.deactivate();
        self.core.is_processing.store(false, Ordering::Release);
        let is_offline = setup.processMode == ProcessModes_::kOffline as i32;
        core.is_offline.store(is_offline, Ordering::Relaxed);
        let mode = if is_offline { CLAP_RENDER_OFFLINE } else { CLAP_RENDER_REALTIME };
        // SAFETY: called as a CLAP host does.
        let is_ready = unsafe {
            if let Some(set) = core.extensions().render.and_then(|render| render.set) {
                set(plugin, mode);
            }
            let max_frames = u32::try_from(setup.maxSamplesPerBlock).unwrap_or(0);
            (*plugin)
                .activate
                .is_some_and(|activate| activate(plugin, setup.sampleRate, 1, max_frames))
        };
        self.is_active.store(is_ready, Ordering::Release);
        if is_ready { kResultOk } else { kResultFalse }
    }
}

impl Drop for Component {
    fn drop(&mut self) {
        catch_panic((), || self.deactivate());
    }
}

fn port_count(core: &Core, is_input: bool) -> u32 {
    let count = core.extensions().audio_ports.and_then(|ports| ports.count);
    // SAFETY: called as a CLAP host does.
    count.map_or(0, |count| unsafe { count(core.plugin(), is_input) }).min(64)
}

fn port(core: &Core, is_input: bool, index: u32) -> Option<clap_audio_port_info> {
    let get = core.extensions().audio_ports?.get?;
    // SAFETY: called as a CLAP host does.
    unsafe {
        let mut info: clap_audio_port_info = std::mem::zeroed();
        (index < port_count(core, is_input) && get(core.plugin(), index, is_input, &mut info))
            .then_some(info)
    }
}

fn is_main(port: &clap_audio_port_info) -> bool {
    port.flags & CLAP_AUDIO_PORT_IS_MAIN != 0
}

/// The speaker arrangement of a port.
fn arrangement(port: &clap_audio_port_info) -> SpeakerArrangement {
    match port.channel_count {
        1 => SpeakerArr::kMono,
        2 => SpeakerArr::kStereo,
        count => (1u64 << count.min(63)) - 1,
    }
}

impl IPluginBaseTrait for Component {
    unsafe fn initialize(&self, _context: *mut FUnknown) -> tresult {
        kResultOk
    }

    unsafe fn terminate(&self) -> tresult {
        catch_panic(kInternalError, || {
            self.deactivate();
            self.core.set_handler(None);
            kResultOk
        })
    }
}

impl IComponentTrait for Component {
    unsafe fn getControllerClassId(&self, _class: *mut TUID) -> tresult {
        // This object is also the controller.
        kNotImplemented
    }

    unsafe fn setIoMode(&self, _mode: IoMode) -> tresult {
        kResultOk
    }

    unsafe fn getBusCount(&self, media: MediaType, direction: BusDirection) -> int32 {
        catch_panic(0, || match media as MediaTypes {
            MediaTypes_::kAudio => port_count(&self.core, is_input(direction)) as int32,
            MediaTypes_::kEvent => {
                let count = self.core.extensions().note_ports.and_then(|ports| ports.count);
                // SAFETY: called as a CLAP host does.
                count.map_or(0, |count| unsafe { count(self.core.plugin(), is_input(direction)) })
                    as int32
            }
            _ => 0,
        })
    }

    unsafe fn getBusInfo(
        &self,
        media: MediaType,
        direction: BusDirection,
        index: int32,
        bus: *mut BusInfo,
    ) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a pointer to write to.
            let (Some(bus), Ok(number)) = (unsafe { bus.as_mut() }, u32::try_from(index)) else {
                return kInvalidArgument;
            };
            bus.mediaType = media;
            bus.direction = direction;
            bus.busType = BusTypes_::kMain as BusType;
            bus.flags = BusInfo_::BusFlags_::kDefaultActive as uint32;
            // SAFETY: as above.
            if media as MediaTypes == MediaTypes_::kEvent
                && index < unsafe { self.getBusCount(media, direction) }
            {
                bus.channelCount = 16;
                write_wide("Note Input", &mut bus.name);
                return kResultOk;
            }
            let is_audio = media as MediaTypes == MediaTypes_::kAudio;
            let port = is_audio.then(|| port(&self.core, is_input(direction), number)).flatten();
            let Some(port) = port else { return kInvalidArgument };
            bus.channelCount = port.channel_count as int32;
            write_wide(&array_text(&port.name), &mut bus.name);
            if !is_main(&port) {
                bus.busType = BusTypes_::kAux as BusType;
                bus.flags = 0;
            }
            kResultOk
        })
    }

    unsafe fn getRoutingInfo(&self, _in: *mut RoutingInfo, _out: *mut RoutingInfo) -> tresult {
        kNotImplemented
    }

    unsafe fn activateBus(
        &self,
        media: MediaType,
        direction: BusDirection,
        index: int32,
        state: TBool,
    ) -> tresult {
        // SAFETY: called as a host does.
        if index < 0 || index >= unsafe { self.getBusCount(media, direction) } {
            return kInvalidArgument;
        }
        if media as MediaTypes == MediaTypes_::kAudio {
            let on = if is_input(direction) { &self.active_inputs } else { &self.active_outputs };
            let bit = 1u64 << index.min(63);
            if state != 0 {
                on.fetch_or(bit, Ordering::AcqRel);
            } else {
                on.fetch_and(!bit, Ordering::AcqRel);
            }
        }
        kResultOk
    }

    unsafe fn setActive(&self, state: TBool) -> tresult {
        catch_panic(kInternalError, || {
            self.core.idle();
            self.is_enabled.store(state != 0, Ordering::Release);
            if state == 0 {
                self.deactivate();
                return kResultOk;
            }
            self.activate()
        })
    }

    unsafe fn setState(&self, state: *mut IBStream) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a stream that is valid during the call.
            let bytes =
                unsafe { ComRef::from_raw(state) }.and_then(|state| state::read_all(&state));
            let Some(bytes) = bytes else { return kInvalidArgument };
            if state::load(&self.core, &bytes) { kResultOk } else { kResultFalse }
        })
    }

    unsafe fn getState(&self, state: *mut IBStream) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: as above.
            let Some(state) = (unsafe { ComRef::from_raw(state) }) else { return kInvalidArgument };
            let Some(mut bytes) = state::save(&self.core) else { return kResultFalse };
            if state::write_all(&state, &mut bytes) { kResultOk } else { kResultFalse }
        })
    }
}

impl IAudioProcessorTrait for Component {
    unsafe fn setBusArrangements(
        &self,
        inputs: *mut SpeakerArrangement,
        num_ins: int32,
        outputs: *mut SpeakerArrangement,
        num_outs: int32,
    ) -> tresult {
        catch_panic(kInternalError, || {
            let fits = |list: *mut SpeakerArrangement, count: int32, is_input| {
                (0..count.max(0) as u32).all(|index| {
                    let port = port(&self.core, is_input, index);
                    // SAFETY: the list has as many entries as the host states.
                    port.is_some_and(
                        |port| unsafe { *list.add(index as usize) } == arrangement(&port),
                    )
                })
            };
            if (num_ins > 0 && inputs.is_null()) || (num_outs > 0 && outputs.is_null()) {
                return kInvalidArgument;
            }
            let fits = fits(inputs, num_ins, true) && fits(outputs, num_outs, false);
            if fits { kResultTrue } else { kResultFalse }
        })
    }

    unsafe fn getBusArrangement(
        &self,
        direction: BusDirection,
        index: int32,
        arr: *mut SpeakerArrangement,
    ) -> tresult {
        catch_panic(kInternalError, || {
            let number = u32::try_from(index).ok();
            let port = number.and_then(|number| port(&self.core, is_input(direction), number));
            // SAFETY: the host passes a pointer to write to.
            let (Some(arr), Some(port)) = (unsafe { arr.as_mut() }, port) else {
                return kInvalidArgument;
            };
            *arr = arrangement(&port);
            kResultOk
        })
    }

    unsafe fn canProcessSampleSize(&self, size: int32) -> tresult {
        if size == SymbolicSampleSizes_::kSample32 as int32 { kResultTrue } else { kResultFalse }
    }

    unsafe fn getLatencySamples(&self) -> uint32 {
        let get = self.core.extensions().latency.and_then(|latency| latency.get);
        // SAFETY: called as a CLAP host does.
        get.map_or(0, |get| unsafe { get(self.core.plugin()) })
    }

    unsafe fn setupProcessing(&self, setup: *mut ProcessSetup) -> tresult {
        // SAFETY: the host passes a setup that is valid during the call.
        let Some(setup) = (unsafe { setup.as_ref() }) else { return kInvalidArgument };
        // SAFETY: called as a host does.
        if unsafe { self.canProcessSampleSize(setup.symbolicSampleSize) } != kResultTrue {
            return kResultFalse;
        }
        catch_panic(kInternalError, || {
            let before = lock(&self.setup).replace(*setup);
            let is_same = before.is_some_and(|before| {
                (before.processMode, before.maxSamplesPerBlock, before.sampleRate.to_bits())
                    == (setup.processMode, setup.maxSamplesPerBlock, setup.sampleRate.to_bits())
            });
            let is_done = is_same && self.is_active.load(Ordering::Acquire);
            if self.is_enabled.load(Ordering::Acquire) && !is_done {
                return self.activate();
            }
            kResultOk
        })
    }

    unsafe fn setProcessing(&self, state: TBool) -> tresult {
        catch_panic(kInternalError, || {
            if state == 0 {
                self.stop_processing();
            } else if self.is_active.load(Ordering::Acquire) {
                self.start_processing();
            } else {
                return kNotInitialized;
            }
            kResultOk
        })
    }

    unsafe fn process(&self, data: *mut ProcessData) -> tresult {
        // SAFETY: the host passes a block that is valid during the call.
        let Some(data) = (unsafe { data.as_ref() }) else { return kInvalidArgument };
        let is_usable = data.symbolicSampleSize == SymbolicSampleSizes_::kSample32 as int32;
        if !self.is_active.load(Ordering::Acquire) || !is_usable {
            // SAFETY: as above.
            unsafe { clear_outputs(data, |_| false) };
            return if is_usable { kNotInitialized } else { kInvalidArgument };
        }
        if self.is_busy.swap(true, Ordering::Acquire) {
            // SAFETY: as above.
            unsafe { clear_outputs(data, |_| false) };
            return kResultFalse;
        }
        self.core.blocks.fetch_add(1, Ordering::AcqRel);
        let is_processed = catch_panic(false, || {
            self.start_processing();
            let active = (
                self.active_inputs.load(Ordering::Relaxed),
                self.active_outputs.load(Ordering::Relaxed),
            );
            // SAFETY: `is_busy` admits one call at a time; the block is the host's.
            unsafe { (*self.audio.get()).process(&self.core, data, active) }
        });
        self.is_busy.store(false, Ordering::Release);
        if !is_processed {
            // SAFETY: as above.
            unsafe { clear_outputs(data, |_| false) };
        }
        if is_processed { kResultOk } else { kResultFalse }
    }

    unsafe fn getTailSamples(&self) -> uint32 {
        let get = self.core.extensions().tail.and_then(|tail| tail.get);
        // SAFETY: called as a CLAP host does.
        get.map_or(0, |get| unsafe { get(self.core.plugin()) })
    }
}

impl IProcessContextRequirementsTrait for Component {
    unsafe fn getProcessContextRequirements(&self) -> uint32 {
        use IProcessContextRequirements_::Flags_::*;
        (kNeedTempo
            | kNeedTransportState
            | kNeedProjectTimeMusic
            | kNeedBarPositionMusic
            | kNeedCycleMusic
            | kNeedTimeSignature) as uint32
    }
}
