//! Presets as programs, from CLAP's preset discovery: first those inside the plug-in, then the
//! files of the user's folder.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::path::Path;
use std::ptr::null;

use clap_sys::factory::preset_discovery::*;
use clap_sys::universal_plugin_id::clap_universal_plugin_id;
use clap_sys::version::CLAP_VERSION;

use super::core::Core;
use super::text;
use crate::plugin::clap_entry::clap_entry;

/// Maximum number of programs of a list.
const MAX_PROGRAMS: usize = 4096;

/// One preset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub name: String,
    pub category: String,
    kind: clap_preset_discovery_location_kind,
    location: CString,
    key: CString,
}

impl Program {
    /// Whether this is the preset at a location.
    pub fn is_at(&self, location: &str, key: &str) -> bool {
        self.location.to_str() == Ok(location) && self.key.to_str() == Ok(key)
    }

    /// Loads the preset into an instance.
    pub fn load(&self, core: &Core) -> bool {
        let pointer = |text: &CString| if text.is_empty() { null() } else { text.as_ptr() };
        let load = core.extensions().preset_load.and_then(|presets| presets.from_location);
        // SAFETY: called as a CLAP host does.
        load.is_some_and(|load| unsafe {
            load(core.plugin(), self.kind, pointer(&self.location), pointer(&self.key))
        })
    }
}

/// The results of preset discovery.
#[derive(Default)]
struct Discovery {
    locations: RefCell<Vec<(clap_preset_discovery_location_kind, CString)>>,
    programs: RefCell<Vec<Program>>,
    /// The location that is being read.
    current: RefCell<(clap_preset_discovery_location_kind, CString)>,
    /// The plug-ins that the last preset is meant for.
    plugins: RefCell<Vec<CString>>,
}

/// All presets for a plug-in.
pub fn list(clap_id: &CStr) -> Vec<Program> {
    let found = Discovery::default();
    // SAFETY: called as a CLAP host does; `found` outlives the provider.
    unsafe { discover(&found, clap_id) };
    let mut programs = found.programs.into_inner();
    programs.truncate(MAX_PROGRAMS);
    programs
}

/// # Safety
/// As for any call of CLAP.
unsafe fn discover(found: &Discovery, clap_id: &CStr) -> Option<()> {
    let indexer = clap_preset_discovery_indexer {
        clap_version: CLAP_VERSION,
        name: c"VST3".as_ptr(),
        vendor: c"".as_ptr(),
        url: c"".as_ptr(),
        version: c"".as_ptr(),
        indexer_data: (&raw const *found).cast_mut().cast(),
        declare_filetype: Some(declare_filetype),
        declare_location: Some(declare_location),
        declare_soundpack: None,
        get_extension: None,
    };
    // SAFETY: called as a CLAP host does; the indexer outlives the provider.
    unsafe {
        let factory = (clap_entry.get_factory?)(CLAP_PRESET_DISCOVERY_FACTORY_ID.as_ptr());
        let factory = factory.cast::<clap_preset_discovery_factory>().as_ref()?;
        for index in 0..(factory.count?)(factory) {
            let descriptor = (factory.get_descriptor?)(factory, index).as_ref()?;
            let provider = (factory.create?)(factory, &indexer, descriptor.id).as_ref()?;
            if provider.init.is_some_and(|init| init(provider)) {
                for (kind, location) in found.locations.take() {
                    read_location(found, provider, kind, &location, clap_id);
                }
            }
            if let Some(destroy) = provider.destroy {
                destroy(provider);
            }
        }
    }
    Some(())
}

/// Reads all presets at a location: inside the plug-in, in a file, or in the files of a folder.
unsafe fn read_location(
    found: &Discovery,
    provider: &clap_preset_discovery_provider,
    kind: clap_preset_discovery_location_kind,
    location: &CString,
    clap_id: &CStr,
) {
    let read = |kind, location: &CString| {
        let Some(get_metadata) = provider.get_metadata else { return };
        *found.current.borrow_mut() = (kind, location.clone());
        let pointer = if location.is_empty() { null() } else { location.as_ptr() };
        let receiver = clap_preset_discovery_metadata_receiver {
            receiver_data: (&raw const *found).cast_mut().cast(),
            on_error: None,
            begin_preset: Some(begin_preset),
            add_plugin_id: Some(add_plugin_id),
            set_soundpack_id: None,
            set_flags: None,
            add_creator: None,
            set_description: None,
            set_timestamps: None,
            add_feature: None,
            add_extra_info: Some(add_extra_info),
        };
        // SAFETY: called as a CLAP host does; everything lives during the call.
        unsafe { get_metadata(provider, kind, pointer, &receiver) };
        end_preset(found, clap_id);
    };
    let path = Path::new(location.to_str().unwrap_or(""));
    if kind != CLAP_PRESET_DISCOVERY_LOCATION_FILE || path.is_file() {
        return read(kind, location);
    }
    let mut files: Vec<_> = preset_files(path).collect();
    files.sort();
    for file in files.into_iter().take(MAX_PROGRAMS) {
        read(kind, &file);
    }
}

/// The files of a folder with the extension of presets.
fn preset_files(folder: &Path) -> impl Iterator<Item = CString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| path.is_file());
    let presets = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    presets.filter_map(|path| CString::new(path.to_str()?).ok())
}

/// Removes the last preset if it is not meant for this plug-in.
fn end_preset(found: &Discovery, clap_id: &CStr) {
    let plugins = found.plugins.take();
    let is_for_others = !plugins.is_empty() && plugins.iter().all(|id| id.as_c_str() != clap_id);
    if is_for_others {
        let current = found.current.borrow();
        found
            .programs
            .borrow_mut()
            .retain(|program| (program.kind, &program.location) != (current.0, &current.1));
    }
}

/// The results so far, from the data of an indexer or a receiver.
macro_rules! found {
    ($pointer:expr, $data:ident) => {
        // SAFETY: `discover` and `read_location` set this pointer; the results outlive all calls.
        unsafe { &*(*$pointer).$data.cast::<Discovery>() }
    };
}

unsafe extern "C" fn declare_filetype(
    _indexer: *const clap_preset_discovery_indexer,
    _filetype: *const clap_preset_discovery_filetype,
) -> bool {
    true
}

unsafe extern "C" fn declare_location(
    indexer: *const clap_preset_discovery_indexer,
    location: *const clap_preset_discovery_location,
) -> bool {
    // SAFETY: the provider passes a location that is valid during the call.
    let Some(location) = (unsafe { location.as_ref() }) else { return false };
    let path = if location.location.is_null() {
        CString::default()
    } else {
        // SAFETY: a provider's strings are NUL-terminated.
        unsafe { CStr::from_ptr(location.location) }.to_owned()
    };
    found!(indexer, indexer_data).locations.borrow_mut().push((location.kind, path));
    true
}

unsafe extern "C" fn begin_preset(
    receiver: *const clap_preset_discovery_metadata_receiver,
    name: *const c_char,
    key: *const c_char,
) -> bool {
    let found = found!(receiver, receiver_data);
    let (kind, location) = found.current.borrow().clone();
    // SAFETY: a provider's strings are NUL-terminated.
    let (name, key) = unsafe { (text(name).to_string(), text(key)) };
    let key = CString::new(key).unwrap_or_default();
    let mut programs = found.programs.borrow_mut();
    programs.push(Program { name, kind, location, key, ..Program::default() });
    programs.len() < MAX_PROGRAMS
}

unsafe extern "C" fn add_plugin_id(
    receiver: *const clap_preset_discovery_metadata_receiver,
    plugin: *const clap_universal_plugin_id,
) {
    // SAFETY: the provider passes an id that is valid during the call.
    if let Some(plugin) = unsafe { plugin.as_ref() }.filter(|plugin| !plugin.id.is_null()) {
        // SAFETY: its strings are NUL-terminated.
        let id = unsafe { CStr::from_ptr(plugin.id) }.to_owned();
        found!(receiver, receiver_data).plugins.borrow_mut().push(id);
    }
}

unsafe extern "C" fn add_extra_info(
    receiver: *const clap_preset_discovery_metadata_receiver,
    key: *const c_char,
    value: *const c_char,
) {
    // SAFETY: a provider's strings are NUL-terminated.
    let (key, value) = unsafe { (text(key), text(value)) };
    if key == "category"
        && let Some(program) = found!(receiver, receiver_data).programs.borrow_mut().last_mut()
    {
        program.category = value.to_string();
    }
}
