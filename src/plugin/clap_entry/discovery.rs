//! Preset discovery: where presets are and what they contain, without an instance.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

use clap_sys::factory::preset_discovery::{
    CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT, CLAP_PRESET_DISCOVERY_IS_USER_CONTENT,
    CLAP_PRESET_DISCOVERY_LOCATION_FILE, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN,
    clap_preset_discovery_factory, clap_preset_discovery_filetype, clap_preset_discovery_indexer,
    clap_preset_discovery_location, clap_preset_discovery_location_kind,
    clap_preset_discovery_metadata_receiver, clap_preset_discovery_provider,
    clap_preset_discovery_provider_descriptor,
};
use clap_sys::universal_plugin_id::clap_universal_plugin_id;
use clap_sys::version::CLAP_VERSION;

use super::{c_string, descriptors, path_from_c};
use crate::io::presets::{About, Library, Preset, factory};
use crate::shared_state::catch_panic;

const PROVIDER_ID: &CStr = c"audio.ictus.presets";

/// The factory of the one provider, for all presets.
pub static FACTORY: clap_preset_discovery_factory = clap_preset_discovery_factory {
    count: Some(count),
    get_descriptor: Some(get_descriptor),
    create: Some(create),
};

static DESCRIPTOR: clap_preset_discovery_provider_descriptor =
    clap_preset_discovery_provider_descriptor {
        clap_version: CLAP_VERSION,
        id: PROVIDER_ID.as_ptr(),
        name: c"Ictus presets".as_ptr(),
        vendor: c"Ictus".as_ptr(),
    };

unsafe extern "C" fn count(_factory: *const clap_preset_discovery_factory) -> u32 {
    1
}

unsafe extern "C" fn get_descriptor(
    _factory: *const clap_preset_discovery_factory,
    index: u32,
) -> *const clap_preset_discovery_provider_descriptor {
    if index == 0 { &raw const DESCRIPTOR } else { null() }
}

unsafe extern "C" fn create(
    _factory: *const clap_preset_discovery_factory,
    indexer: *const clap_preset_discovery_indexer,
    id: *const c_char,
) -> *const clap_preset_discovery_provider {
    // SAFETY: the host passes a NUL-terminated string.
    if indexer.is_null() || id.is_null() || unsafe { CStr::from_ptr(id) } != PROVIDER_ID {
        return null();
    }
    let provider = clap_preset_discovery_provider {
        desc: &raw const DESCRIPTOR,
        // The indexer is the only state of a provider.
        provider_data: indexer.cast_mut().cast(),
        init: Some(init),
        destroy: Some(destroy),
        get_metadata: Some(get_metadata),
        get_extension: Some(get_extension),
    };
    Box::into_raw(Box::new(provider))
}

unsafe extern "C" fn destroy(provider: *const clap_preset_discovery_provider) {
    if !provider.is_null() {
        // SAFETY: it came from `create`, and a host destroys it once.
        drop(unsafe { Box::from_raw(provider.cast_mut()) });
    }
}

unsafe extern "C" fn get_extension(
    _provider: *const clap_preset_discovery_provider,
    _id: *const c_char,
) -> *const c_void {
    null()
}

/// Declares the locations of presets: the plug-in itself, and the user's folder if it exists.
unsafe extern "C" fn init(provider: *const clap_preset_discovery_provider) -> bool {
    // SAFETY: the host passes a provider of ours.
    catch_panic(false, || unsafe { declare(provider) })
}

unsafe fn declare(provider: *const clap_preset_discovery_provider) -> bool {
    // SAFETY: it came from `create`; its indexer outlives it.
    let indexer =
        unsafe { provider.as_ref().map_or(null_mut(), |provider| provider.provider_data) };
    let indexer: *const clap_preset_discovery_indexer = indexer.cast();
    // SAFETY: as above.
    let Some(functions) = (unsafe { indexer.as_ref() }) else {
        return false;
    };
    let (Some(declare_filetype), Some(declare_location)) =
        (functions.declare_filetype, functions.declare_location)
    else {
        return false;
    };
    let filetype = clap_preset_discovery_filetype {
        name: c"Ictus preset".as_ptr(),
        description: c"A sound of Ictus".as_ptr(),
        file_extension: c"json".as_ptr(),
    };
    let factory = clap_preset_discovery_location {
        flags: CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT,
        name: c"Ictus".as_ptr(),
        kind: CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN,
        location: null(),
    };
    // SAFETY: the pointees live during the calls, and the host copies them.
    unsafe {
        if !declare_filetype(indexer, &raw const filetype)
            || !declare_location(indexer, &raw const factory)
        {
            return false;
        }
    }
    let library = Library::default();
    let folder =
        library.folder().ok().filter(|folder| folder.is_dir()).and_then(|folder| folder.to_str());
    if let Some(folder) = folder {
        let path = c_string(folder);
        let user = clap_preset_discovery_location {
            flags: CLAP_PRESET_DISCOVERY_IS_USER_CONTENT,
            name: c"Ictus user presets".as_ptr(),
            kind: CLAP_PRESET_DISCOVERY_LOCATION_FILE,
            location: path.as_ptr(),
        };
        // SAFETY: as above. If the host refuses the folder, the factory presets remain.
        unsafe { declare_location(indexer, &raw const user) };
    }
    true
}

/// Describes a location: all presets of the plug-in, or the one in a file.
unsafe extern "C" fn get_metadata(
    _provider: *const clap_preset_discovery_provider,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    receiver: *const clap_preset_discovery_metadata_receiver,
) -> bool {
    // SAFETY: the host's receiver is valid during this call.
    let Some(receiver) = (unsafe { Receiver::new(receiver) }) else {
        return false;
    };
    // SAFETY: the host passes a NUL-terminated string.
    catch_panic(false, || unsafe { describe(kind, location, &receiver) })
}

/// # Safety
/// The location is NUL-terminated or null.
unsafe fn describe(
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    receiver: &Receiver,
) -> bool {
    match kind {
        CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN => {
            for (key, _) in factory::ALL {
                match factory::load(key) {
                    Ok(preset) => {
                        if !receiver.preset(
                            &preset.about,
                            Some(key),
                            CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT,
                        ) {
                            break;
                        }
                    }
                    Err(error) => receiver.error(&error),
                }
            }
            true
        }
        CLAP_PRESET_DISCOVERY_LOCATION_FILE => {
            // SAFETY: the host passes a NUL-terminated string.
            let Some(path) = (unsafe { path_from_c(location) }) else {
                return false;
            };
            match Preset::load(&path) {
                Ok(preset) => {
                    receiver.preset(&preset.about, None, CLAP_PRESET_DISCOVERY_IS_USER_CONTENT)
                }
                Err(error) => {
                    receiver.error(&error);
                    false
                }
            }
        }
        _ => false,
    }
}

/// The host's receiver of metadata.
struct Receiver<'a>(&'a clap_preset_discovery_metadata_receiver);

impl<'a> Receiver<'a> {
    /// `None` if the pointer is null.
    ///
    /// # Safety
    /// The pointer is null or outlives the result, and its functions may be called.
    unsafe fn new(receiver: *const clap_preset_discovery_metadata_receiver) -> Option<Self> {
        // SAFETY: guaranteed by the caller.
        unsafe { receiver.as_ref() }.map(Self)
    }

    /// Reports an error at the location.
    fn error(&self, error: &anyhow::Error) {
        let message = c_string(&format!("{error:#}"));
        if let Some(on_error) = self.0.on_error {
            // SAFETY: guaranteed to `new`; the string lives during the call.
            unsafe { on_error(self.0, os_error(error), message.as_ptr()) };
        }
    }

    /// Reports a preset. Returns whether the host wants more.
    fn preset(&self, about: &About, key: Option<&str>, flags: u32) -> bool {
        let receiver: *const _ = self.0;
        let Some(begin) = self.0.begin_preset else {
            return false;
        };
        let (name, key) = (c_string(&about.name), key.map(c_string));
        let key = key.as_ref().map_or(null(), |key| key.as_ptr());
        let plugin = clap_universal_plugin_id {
            abi: c"clap".as_ptr(),
            id: descriptors()[0].clap_id().as_ptr(),
        };
        // SAFETY: guaranteed to `new`; every string lives during its call.
        unsafe {
            if !begin(receiver, name.as_ptr(), key) {
                return false;
            }
            if let Some(add_plugin_id) = self.0.add_plugin_id {
                add_plugin_id(receiver, &raw const plugin);
            }
            if let Some(set_flags) = self.0.set_flags {
                set_flags(receiver, flags);
            }
            if let Some(add_creator) = self.0.add_creator
                && !about.author.is_empty()
            {
                add_creator(receiver, c_string(&about.author).as_ptr());
            }
            if let Some(set_description) = self.0.set_description
                && !about.description.is_empty()
            {
                set_description(receiver, c_string(&about.description).as_ptr());
            }
            if let Some(add_feature) = self.0.add_feature {
                for feature in [c"instrument".to_owned()]
                    .into_iter()
                    .chain(about.tags.iter().map(|tag| c_string(tag)))
                {
                    add_feature(receiver, feature.as_ptr());
                }
            }
            if let Some(add_extra_info) = self.0.add_extra_info
                && !about.category.is_empty()
            {
                add_extra_info(receiver, c"category".as_ptr(), c_string(&about.category).as_ptr());
            }
        }
        true
    }
}

/// The system's error number, or 0.
pub fn os_error(error: &anyhow::Error) -> i32 {
    let system_error = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    system_error.and_then(std::io::Error::raw_os_error).unwrap_or(0)
}
