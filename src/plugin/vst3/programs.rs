//! Presets as programs, as the CLAP's preset discovery lists them: those inside the plug-in first,
//! then the files of the user's folder.

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

/// Programs that a list may have.
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
    /// Whether it is the one at this place.
    pub fn is_at(&self, location: &str, key: &str) -> bool {
        self.location.to_str() == Ok(location) && self.key.to_str() == Ok(key)
    }

    /// Loads it.
    pub fn load(&self, core: &Core) -> bool {
        let pointer = |text: &CString| if text.is_empty() { null() } else { text.as_ptr() };
        let load = core.extensions().preset_load.and_then(|presets| presets.from_location);
        // SAFETY: called as a host does.
        load.is_some_and(|load| unsafe {
            load(core.plugin(), self.kind, pointer(&self.location), pointer(&self.key))
        })
    }
}

/// What discovery finds.
#[derive(Default)]
struct Discovery {
    places: RefCell<Vec<(clap_preset_discovery_location_kind, CString)>>,
    programs: RefCell<Vec<Program>>,
    /// The place that is being read.
    place: RefCell<(clap_preset_discovery_location_kind, CString)>,
    /// The plug-ins that the last preset is for.
    plugins: RefCell<Vec<CString>>,
}

/// All presets for a plug-in.
pub fn list(clap_id: &CStr) -> Vec<Program> {
    let found = Discovery::default();
    // SAFETY: called as a host does; `found` outlives the provider.
    unsafe { discover(&found, clap_id) };
    let mut programs = found.programs.into_inner();
    programs.truncate(MAX_PROGRAMS);
    programs
}

/// # Safety
/// As for any call of a CLAP.
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
    // SAFETY: called as a host does; the indexer outlives the provider.
    unsafe {
        let factory = (clap_entry.get_factory?)(CLAP_PRESET_DISCOVERY_FACTORY_ID.as_ptr());
        let factory = factory.cast::<clap_preset_discovery_factory>().as_ref()?;
        for index in 0..(factory.count?)(factory) {
            let descriptor = (factory.get_descriptor?)(factory, index).as_ref()?;
            let provider = (factory.create?)(factory, &indexer, descriptor.id).as_ref()?;
            if provider.init.is_some_and(|init| init(provider)) {
                for (kind, location) in found.places.take() {
                    read_place(found, provider, kind, &location, clap_id);
                }
            }
            if let Some(destroy) = provider.destroy {
                destroy(provider);
            }
        }
    }
    Some(())
}

/// Reads all presets at a place: inside the plug-in, in a file, or in the files of a folder.
unsafe fn read_place(
    found: &Discovery,
    provider: &clap_preset_discovery_provider,
    kind: clap_preset_discovery_location_kind,
    location: &CString,
    clap_id: &CStr,
) {
    let read = |kind, location: &CString| {
        let Some(get_metadata) = provider.get_metadata else { return };
        *found.place.borrow_mut() = (kind, location.clone());
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
        // SAFETY: called as a host does; everything lives during the call.
        unsafe { get_metadata(provider, kind, pointer, &receiver) };
        end_preset(found, clap_id);
    };
    let path = Path::new(location.to_str().unwrap_or(""));
    if kind != CLAP_PRESET_DISCOVERY_LOCATION_FILE || path.is_file() {
        return read(kind, location);
    }
    let mut files: Vec<_> = walkable(path).collect();
    files.sort();
    for file in files.into_iter().take(MAX_PROGRAMS) {
        read(kind, &file);
    }
}

/// The files of a folder with the ending of presets.
fn walkable(folder: &Path) -> impl Iterator<Item = CString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| path.is_file());
    let presets = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    presets.filter_map(|path| CString::new(path.to_str()?).ok())
}

/// Keeps the last preset only if it is for this plug-in.
fn end_preset(found: &Discovery, clap_id: &CStr) {
    let plugins = found.plugins.take();
    let is_for_others = !plugins.is_empty() && plugins.iter().all(|id| id.as_c_str() != clap_id);
    if is_for_others {
        let place = found.place.borrow();
        found
            .programs
            .borrow_mut()
            .retain(|program| (program.kind, &program.location) != (place.0, &place.1));
    }
}

/// What was found so far, behind an indexer or a receiver.
macro_rules! found {
    ($pointer:expr, $data:ident) => {
        // SAFETY: it is the one that was put there, and outlives all calls.
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
    // SAFETY: a provider passes a place that is good during the call.
    let Some(location) = (unsafe { location.as_ref() }) else { return false };
    let path = if location.location.is_null() {
        CString::default()
    } else {
        // SAFETY: a provider's texts end in zero.
        unsafe { CStr::from_ptr(location.location) }.to_owned()
    };
    found!(indexer, indexer_data).places.borrow_mut().push((location.kind, path));
    true
}

unsafe extern "C" fn begin_preset(
    receiver: *const clap_preset_discovery_metadata_receiver,
    name: *const c_char,
    key: *const c_char,
) -> bool {
    let found = found!(receiver, receiver_data);
    let (kind, location) = found.place.borrow().clone();
    // SAFETY: a provider's texts end in zero.
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
    // SAFETY: a provider passes an id that is good during the call.
    if let Some(plugin) = unsafe { plugin.as_ref() }.filter(|plugin| !plugin.id.is_null()) {
        // SAFETY: its texts end in zero.
        let id = unsafe { CStr::from_ptr(plugin.id) }.to_owned();
        found!(receiver, receiver_data).plugins.borrow_mut().push(id);
    }
}

unsafe extern "C" fn add_extra_info(
    receiver: *const clap_preset_discovery_metadata_receiver,
    key: *const c_char,
    value: *const c_char,
) {
    // SAFETY: a provider's texts end in zero.
    let (key, value) = unsafe { (text(key), text(value)) };
    if key == "category"
        && let Some(program) = found!(receiver, receiver_data).programs.borrow_mut().last_mut()
    {
        program.category = value.to_string();
    }
}
