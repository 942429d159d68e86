//! What a preset says of itself, told to a host.

use std::ptr::null;

use clap_sys::factory::preset_discovery::clap_preset_discovery_metadata_receiver;
use clap_sys::universal_plugin_id::clap_universal_plugin_id;

use super::{descriptors, text};
use crate::io::presets::About;

/// The host's ear.
pub struct Receiver<'a>(&'a clap_preset_discovery_metadata_receiver);

impl<'a> Receiver<'a> {
    /// None if there is none.
    ///
    /// # Safety
    /// The pointer is null or good for as long as the result is used, and its functions may be
    /// called.
    pub unsafe fn new(receiver: *const clap_preset_discovery_metadata_receiver) -> Option<Self> {
        // SAFETY: promised by the caller.
        unsafe { receiver.as_ref() }.map(Self)
    }

    /// Something is wrong with what is there.
    pub fn error(&self, error: &anyhow::Error) {
        let message = text::to_c(&format!("{error:#}"));
        if let Some(on_error) = self.0.on_error {
            // SAFETY: promised to `new`; the text lives during the call.
            unsafe { on_error(self.0, os_error(error), message.as_ptr()) };
        }
    }

    /// A preset. Returns whether the host wants more.
    pub fn preset(&self, about: &About, key: Option<&str>, flags: u32) -> bool {
        let receiver: *const _ = self.0;
        let Some(begin) = self.0.begin_preset else {
            return false;
        };
        let (name, key) = (text::to_c(&about.name), key.map(text::to_c));
        let key = key.as_ref().map_or(null(), |key| key.as_ptr());
        let plugin = clap_universal_plugin_id {
            abi: c"clap".as_ptr(),
            id: descriptors()[0].clap_id().as_ptr(),
        };
        // SAFETY: promised to `new`; every text lives during its call.
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
                add_creator(receiver, text::to_c(&about.author).as_ptr());
            }
            if let Some(set_description) = self.0.set_description
                && !about.description.is_empty()
            {
                set_description(receiver, text::to_c(&about.description).as_ptr());
            }
            if let Some(add_feature) = self.0.add_feature {
                for feature in [c"instrument".to_owned()]
                    .into_iter()
                    .chain(about.tags.iter().map(|tag| text::to_c(tag)))
                {
                    add_feature(receiver, feature.as_ptr());
                }
            }
            if let Some(add_extra_info) = self.0.add_extra_info
                && !about.category.is_empty()
            {
                add_extra_info(
                    receiver,
                    c"category".as_ptr(),
                    text::to_c(&about.category).as_ptr(),
                );
            }
        }
        true
    }
}

/// The system's number of an error, if it has one.
pub fn os_error(error: &anyhow::Error) -> i32 {
    let systems = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    systems.and_then(std::io::Error::raw_os_error).unwrap_or(0)
}
