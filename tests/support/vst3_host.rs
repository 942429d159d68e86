//! A small VST3 host: it loads a built bundle and plays the same [`Score`](super::clap_host::Score)
//! through it as the CLAP host does. Every method may be called from any thread, as hosts do; the
//! plug-in must not abort.

// The interfaces are C++: every call is unsafe. Pointers are valid for the call that they are
// passed to; objects that the plug-in keeps are counted by reference.
#![allow(dead_code, unsafe_code, non_upper_case_globals)]

#[path = "vst3_objects.rs"]
pub mod objects;
#[path = "vst3_run.rs"]
mod run;
#[path = "vst3_view.rs"]
pub mod view;

use objects::{Application, Stream, lock, text, utf16};
pub use objects::{Handler, RollContacts};
pub use run::{Block, Bus, Buses, note_on};
pub use view::{LoopThread, RunLoop, View};

use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use vst3::Steinberg::Vst::BusInfo_::BusFlags_ as BusFlags;
use vst3::Steinberg::Vst::ParameterInfo_::ParameterFlags_ as Flags;
use vst3::Steinberg::Vst::{
    BusDirections_, BusInfo, IAudioProcessor, IAudioProcessorTrait, IComponent, IComponentHandler,
    IComponentTrait, IConnectionPoint, IConnectionPointTrait, IEditController,
    IEditControllerTrait, IHostApplication, IMidiMapping, IUnitInfo, IUnitInfoTrait, MediaTypes_,
    ParameterInfo, ProcessModes_, ProcessSetup, ProgramListInfo, String128, SymbolicSampleSizes_,
    UnitInfo,
};
use vst3::Steinberg::{
    FUnknown, IBStream, IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, PClassInfo, TUID,
    int32, kResultOk, tresult,
};
use vst3::{ComPtr, ComWrapper, Interface};

/// Why the plug-in could not be loaded or failed a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError(String);

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostError {}

fn error(text: impl Into<String>) -> HostError {
    HostError(text.into())
}

fn good(what: &str, result: tresult) -> Result<(), HostError> {
    if result == kResultOk { Ok(()) } else { Err(error(format!("{what} answers {result}"))) }
}

fn give_state(
    state: &[u8],
    piece: usize,
    take: impl FnOnce(*mut IBStream) -> tresult,
) -> Result<(), HostError> {
    let stream = Stream::new(state, piece);
    let pointer = stream.as_com_ref::<IBStream>().ok_or_else(|| error("no stream"))?.as_ptr();
    good("setState", take(pointer))
}

/// The library inside a bundle, loaded once and never unloaded: Rust's standard library registers a
/// destructor with every thread that has run a plug-in's code.
pub struct Module {
    library: libloading::Library,
    factory: ComPtr<IPluginFactory>,
}

/// A class of a factory.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassInfo {
    pub id: [u8; 16],
    pub category: String,
    pub name: String,
}

fn enter(library: &libloading::Library) -> bool {
    // SAFETY: conforms to the standard; the plug-in does not use the handle.
    unsafe {
        let enter = library.get::<unsafe extern "system" fn(*mut c_void) -> bool>(b"ModuleEntry\0");
        enter.is_ok_and(|enter| enter(std::ptr::null_mut()))
    }
}

impl Module {
    pub fn load(bundle: &Path) -> Result<&'static Self, HostError> {
        static LOADED: Mutex<Vec<(PathBuf, &'static Module)>> = Mutex::new(Vec::new());
        let mut loaded = lock(&LOADED);
        if let Some((_, module)) = loaded.iter().find(|(path, _)| path == bundle) {
            return Ok(module);
        }
        let name = bundle.file_stem().ok_or_else(|| error("the bundle has no name"))?;
        let file = bundle.join("Contents/x86_64-linux").join(name).with_extension("so");
        // SAFETY: the file is a plug-in that this repository has built, with the functions of the
        // standard.
        let module = unsafe {
            let library = libloading::Library::new(&file)
                .map_err(|e| error(format!("cannot load {}: {e}", file.display())))?;
            if !enter(&library) {
                return Err(error("ModuleEntry fails"));
            }
            let factory = library
                .get::<unsafe extern "system" fn() -> *mut IPluginFactory>(b"GetPluginFactory\0")
                .map_err(|e| error(e.to_string()))?();
            let factory = ComPtr::from_raw(factory).ok_or_else(|| error("there is no factory"))?;
            Self { library, factory }
        };
        let module: &'static Module = Box::leak(Box::new(module));
        loaded.push((bundle.to_owned(), module));
        Ok(module)
    }

    /// A further `ModuleEntry`.
    pub fn enter(&self) -> bool {
        enter(&self.library)
    }

    /// `ModuleExit`, for a further `ModuleEntry`.
    pub fn exit(&self) -> bool {
        // SAFETY: conforms to the standard.
        unsafe {
            let exit = self.library.get::<unsafe extern "system" fn() -> bool>(b"ModuleExit\0");
            exit.is_ok_and(|exit| exit())
        }
    }

    pub fn classes(&self) -> Vec<ClassInfo> {
        let chars = |chars: &[std::ffi::c_char]| {
            let bytes: Vec<u8> = chars.iter().map(|c| *c as u8).collect();
            CStr::from_bytes_until_nul(&bytes)
                .map(|text| text.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let class = |index| {
            // SAFETY: a plain structure of numbers.
            let mut info: PClassInfo = unsafe { std::mem::zeroed() };
            assert_eq!(unsafe { self.factory.getClassInfo(index, &mut info) }, kResultOk);
            let id = info.cid.map(|c| c as u8);
            ClassInfo { id, category: chars(&info.category), name: chars(&info.name) }
        };
        (0..unsafe { self.factory.countClasses() }).map(class).collect()
    }

    fn create<I: Interface>(&self, id: &[u8; 16]) -> Result<ComPtr<I>, HostError> {
        let mut object = std::ptr::null_mut();
        // SAFETY: both ids are of 16 bytes.
        unsafe {
            let answer = self.factory.createInstance(
                id.as_ptr().cast(),
                I::IID.as_ptr().cast(),
                &mut object,
            );
            good("createInstance", answer)?;
            ComPtr::from_raw(object.cast()).ok_or_else(|| error("there is no object"))
        }
    }
}

/// One parameter as the controller declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub id: u32,
    pub title: String,
    pub step_count: i32,
    /// Normalised.
    pub default: f64,
    pub unit: i32,
    pub flags: i32,
}

impl Param {
    fn has(&self, flag: i32) -> bool {
        self.flags & flag != 0
    }

    pub fn is_automatable(&self) -> bool {
        self.has(Flags::kCanAutomate)
    }

    pub fn is_hidden(&self) -> bool {
        self.has(Flags::kIsHidden)
    }

    pub fn is_bypass(&self) -> bool {
        self.has(Flags::kIsBypass)
    }

    pub fn is_program(&self) -> bool {
        self.has(Flags::kIsProgramChange)
    }
}

/// A list of programs.
#[derive(Clone, Debug)]
pub struct Programs {
    pub list: i32,
    pub names: Vec<String>,
}

/// A unit: its id, that of its parent, its name and its list of programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub id: i32,
    pub parent: i32,
    pub name: String,
    pub programs: i32,
}

/// One instance of a class.
pub struct Vst3Host {
    pub component: ComPtr<IComponent>,
    pub processor: ComPtr<IAudioProcessor>,
    pub controller: ComPtr<IEditController>,
    pub handler: ComWrapper<Handler>,
    midi: Option<ComPtr<IMidiMapping>>,
    units: Option<ComPtr<IUnitInfo>>,
    is_separate: bool,
    /// Steps by parameter.
    steps: HashMap<u32, i32>,
    rate: Mutex<f64>,
    mode: Mutex<i32>,
    player: Mutex<run::Player>,
    is_active: Mutex<bool>,
    _application: ComWrapper<Application>,
}

impl Vst3Host {
    /// An instance of the bundle's first class, set up as hosts do it: initialised, connected, not
    /// active.
    pub fn load(bundle: &Path) -> Result<Self, HostError> {
        Self::load_number(bundle, 0)
    }

    /// The same with another audio class than the first, counted from 0.
    pub fn load_number(bundle: &Path, number: usize) -> Result<Self, HostError> {
        let module = Module::load(bundle)?;
        let classes = module.classes();
        let mut audio = classes.iter().filter(|class| class.category == "Audio Module Class");
        let class =
            audio.nth(number).ok_or_else(|| error(format!("there is no class {number}")))?;
        let application = ComWrapper::new(Application);
        let context =
            application.as_com_ref::<IHostApplication>().ok_or_else(|| error("no host"))?;
        let context = context.as_ptr().cast::<FUnknown>();
        let component: ComPtr<IComponent> = module.create(&class.id)?;
        good("initialize", unsafe { component.initialize(context) })?;
        let (controller, is_separate) = match component.cast::<IEditController>() {
            Some(controller) => (controller, false),
            None => {
                let mut id: TUID = [0; 16];
                good("getControllerClassId", unsafe { component.getControllerClassId(&mut id) })?;
                let controller: ComPtr<IEditController> = module.create(&id.map(|c| c as u8))?;
                good("the controller's initialize", unsafe { controller.initialize(context) })?;
                (controller, true)
            }
        };
        let handler = ComWrapper::new(Handler::default());
        let edits = handler.as_com_ref::<IComponentHandler>().ok_or_else(|| error("no handler"))?;
        unsafe { controller.setComponentHandler(edits.as_ptr()) };
        let ends = (component.cast::<IConnectionPoint>(), controller.cast::<IConnectionPoint>());
        if let (true, (Some(one), Some(other))) = (is_separate, ends) {
            unsafe {
                one.connect(other.as_ptr());
                other.connect(one.as_ptr());
            }
        }
        let mut host = Self {
            processor: component.cast().ok_or_else(|| error("it processes no sound"))?,
            midi: controller.cast(),
            units: controller.cast(),
            component,
            controller,
            handler,
            is_separate,
            steps: HashMap::new(),
            rate: Mutex::new(48_000.0),
            mode: Mutex::new(ProcessModes_::kRealtime as i32),
            player: Mutex::default(),
            is_active: Mutex::new(false),
            _application: application,
        };
        if is_separate {
            let state = host.save()?;
            give_state(&state, usize::MAX, |stream| unsafe {
                host.controller.setComponentState(stream)
            })?;
        }
        host.steps = host.params().into_iter().map(|param| (param.id, param.step_count)).collect();
        Ok(host)
    }

    /// Sets whether the host renders offline; takes effect at the next set-up.
    pub fn set_offline(&self, is_offline: bool) {
        let mode = if is_offline { ProcessModes_::kOffline } else { ProcessModes_::kRealtime };
        *lock(&self.mode) = mode as i32;
    }

    pub fn set_up(&self, rate: f64, max_block: u32) -> tresult {
        *lock(&self.rate) = rate;
        let mut setup = ProcessSetup {
            processMode: *lock(&self.mode),
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as i32,
            maxSamplesPerBlock: max_block as i32,
            sampleRate: rate,
        };
        unsafe { self.processor.setupProcessing(&mut setup) }
    }

    pub fn set_active(&self, is_active: bool) -> tresult {
        *lock(&self.is_active) = is_active;
        unsafe { self.component.setActive(is_active.into()) }
    }

    pub fn set_processing(&self, is_processing: bool) -> tresult {
        unsafe { self.processor.setProcessing(is_processing.into()) }
    }

    /// Prepares playing, with the buses that are active by default.
    pub fn activate(&self, rate: f64, max_block: u32) -> Result<(), HostError> {
        self.activate_with(rate, max_block, |info| info.flags & BusFlags::kDefaultActive != 0)
    }

    /// The same with every bus.
    pub fn activate_all(&self, rate: f64, max_block: u32) -> Result<(), HostError> {
        self.activate_with(rate, max_block, |_| true)
    }

    fn activate_with(
        &self,
        rate: f64,
        max_block: u32,
        is_wanted: fn(&BusInfo) -> bool,
    ) -> Result<(), HostError> {
        self.deactivate();
        good("setupProcessing", self.set_up(rate, max_block))?;
        for media in [MediaTypes_::kAudio, MediaTypes_::kEvent] {
            for direction in [BusDirections_::kInput, BusDirections_::kOutput] {
                let (media, direction) = (media as i32, direction as i32);
                for (bus, info) in self.buses(media, direction).iter().enumerate() {
                    self.activate_bus(media, direction, bus as i32, is_wanted(info));
                }
            }
        }
        good("setActive", self.set_active(true))?;
        // Some plug-ins do not implement it, and hosts accept that.
        self.set_processing(true);
        Ok(())
    }

    pub fn deactivate(&self) {
        if *lock(&self.is_active) {
            self.set_processing(false);
            self.set_active(false);
        }
    }

    pub fn activate_bus(&self, media: i32, direction: i32, bus: i32, is_active: bool) -> tresult {
        unsafe { self.component.activateBus(media, direction, bus, is_active.into()) }
    }

    fn buses(&self, media: i32, direction: i32) -> Vec<BusInfo> {
        let bus = |index| {
            // SAFETY: a plain structure of numbers.
            let mut info: BusInfo = unsafe { std::mem::zeroed() };
            assert_eq!(
                unsafe { self.component.getBusInfo(media, direction, index, &mut info) },
                kResultOk
            );
            info
        };
        (0..unsafe { self.component.getBusCount(media, direction) }).map(bus).collect()
    }

    /// The channels of each audio bus.
    pub fn bus_widths(&self, is_output: bool) -> Vec<usize> {
        let direction = if is_output { BusDirections_::kOutput } else { BusDirections_::kInput };
        let buses = self.buses(MediaTypes_::kAudio as i32, direction as i32);
        buses.iter().map(|info| info.channelCount as usize).collect()
    }

    /// Requests these speaker arrangements.
    pub fn arrange(&self, inputs: &[u64], outputs: &[u64]) -> tresult {
        let (mut inputs, mut outputs) = (inputs.to_vec(), outputs.to_vec());
        let (ins, outs) = (inputs.len() as int32, outputs.len() as int32);
        unsafe {
            self.processor.setBusArrangements(inputs.as_mut_ptr(), ins, outputs.as_mut_ptr(), outs)
        }
    }

    /// Every parameter, in the controller's order.
    pub fn params(&self) -> Vec<Param> {
        let param = |index| {
            // SAFETY: a plain structure of numbers.
            let mut info: ParameterInfo = unsafe { std::mem::zeroed() };
            assert_eq!(
                unsafe { self.controller.getParameterInfo(index, &mut info) },
                kResultOk,
                "parameter {index}"
            );
            Param {
                id: info.id,
                title: text(&info.title),
                step_count: info.stepCount,
                default: info.defaultNormalizedValue,
                unit: info.unitId,
                flags: info.flags,
            }
        };
        (0..unsafe { self.controller.getParameterCount() }).map(param).collect()
    }

    /// A CLAP value as VST3's.
    pub fn normalised(&self, id: u32, value: f64) -> f64 {
        match self.steps.get(&id) {
            Some(steps) if *steps > 0 => value / f64::from(*steps),
            _ => value,
        }
    }

    /// VST3's value as CLAP's.
    pub fn clap_value(&self, id: u32, value: f64) -> f64 {
        match self.steps.get(&id) {
            Some(steps) if *steps > 0 => (value * f64::from(*steps)).round(),
            _ => value,
        }
    }

    /// The plain value at a position, and the position of that value again.
    pub fn plain(&self, id: u32, normalised: f64) -> (f64, f64) {
        unsafe {
            let plain = self.controller.normalizedParamToPlain(id, normalised);
            (plain, self.controller.plainParamToNormalized(id, plain))
        }
    }

    /// The normalised value that the controller shows.
    pub fn value(&self, id: u32) -> f64 {
        unsafe { self.controller.getParamNormalized(id) }
    }

    /// Sets the controller's value, as a host does when it reads automation.
    pub fn set_value(&self, id: u32, value: f64) -> tresult {
        unsafe { self.controller.setParamNormalized(id, value) }
    }

    /// A normalised value as shown to the user.
    pub fn text(&self, id: u32, value: f64) -> Option<String> {
        let mut buffer: String128 = [0; 128];
        let answer = unsafe { self.controller.getParamStringByValue(id, value, &mut buffer) };
        (answer == kResultOk).then(|| text(&buffer))
    }

    /// The normalised value of a text.
    pub fn parse(&self, id: u32, text: &str) -> Option<f64> {
        let (mut text, mut value) = (utf16(text), 0.0);
        let answer =
            unsafe { self.controller.getParamValueByString(id, text.as_mut_ptr(), &mut value) };
        (answer == kResultOk).then_some(value)
    }

    /// The state as stored in a project.
    pub fn save(&self) -> Result<Vec<u8>, HostError> {
        self.save_in_pieces(usize::MAX)
    }

    /// The same into a stream that writes at most this many bytes at once.
    pub fn save_in_pieces(&self, piece: usize) -> Result<Vec<u8>, HostError> {
        let stream = Stream::new(&[], piece);
        let pointer = stream.as_com_ref::<IBStream>().ok_or_else(|| error("no stream"))?.as_ptr();
        good("getState", unsafe { self.component.getState(pointer) })?;
        Ok(stream.bytes())
    }

    /// Restores a saved state: in the component, and then in the controller, as hosts do.
    pub fn restore(&self, state: &[u8]) -> Result<(), HostError> {
        self.restore_in_pieces(state, usize::MAX)
    }

    /// The same from a stream that reads at most this many bytes at once.
    pub fn restore_in_pieces(&self, state: &[u8], piece: usize) -> Result<(), HostError> {
        give_state(state, piece, |stream| unsafe { self.component.setState(stream) })?;
        // An object that is both component and controller may report that it ignores the call.
        let second =
            give_state(state, piece, |stream| unsafe { self.controller.setComponentState(stream) });
        if self.is_separate { second } else { Ok(()) }
    }

    /// The latency in samples.
    pub fn latency(&self) -> u32 {
        unsafe { self.processor.getLatencySamples() }
    }

    /// The tail after the end of the input, samples.
    pub fn tail(&self) -> u32 {
        unsafe { self.processor.getTailSamples() }
    }

    /// The editor, not yet in a window.
    pub fn editor(&self, run_loop: Option<&Arc<RunLoop>>) -> Option<View> {
        View::new(&self.controller, run_loop)
    }

    pub fn units(&self) -> Vec<Unit> {
        let Some(units) = &self.units else { return Vec::new() };
        let unit = |index| {
            // SAFETY: a plain structure of numbers.
            let mut info: UnitInfo = unsafe { std::mem::zeroed() };
            assert_eq!(unsafe { units.getUnitInfo(index, &mut info) }, kResultOk, "unit {index}");
            Unit {
                id: info.id,
                parent: info.parentUnitId,
                name: text(&info.name),
                programs: info.programListId,
            }
        };
        (0..unsafe { units.getUnitCount() }).map(unit).collect()
    }

    pub fn program_lists(&self) -> Vec<Programs> {
        let Some(units) = &self.units else { return Vec::new() };
        let list = |index| {
            // SAFETY: a plain structure of numbers.
            let mut info: ProgramListInfo = unsafe { std::mem::zeroed() };
            assert_eq!(
                unsafe { units.getProgramListInfo(index, &mut info) },
                kResultOk,
                "list {index}"
            );
            let name = |program| {
                let mut buffer: String128 = [0; 128];
                assert_eq!(
                    unsafe { units.getProgramName(info.id, program, &mut buffer) },
                    kResultOk
                );
                text(&buffer)
            };
            Programs { list: info.id, names: (0..info.programCount).map(name).collect() }
        };
        (0..unsafe { units.getProgramListCount() }).map(list).collect()
    }
}

impl Drop for Vst3Host {
    fn drop(&mut self) {
        self.deactivate();
        unsafe {
            self.controller.setComponentHandler(std::ptr::null_mut());
            if self.is_separate {
                self.controller.terminate();
            }
            self.component.terminate();
        }
    }
}
