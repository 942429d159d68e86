//! A host asks for the latency, and is told when it has changed.

use std::sync::atomic::Ordering;

use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_host_latency, clap_plugin_latency};
use clap_sys::plugin::clap_plugin;

use super::edits::extension;
use super::instance::Instance;

/// What hosts ask an instance for.
pub static EXTENSION: clap_plugin_latency = clap_plugin_latency { get: Some(get) };

unsafe extern "C" fn get(plugin: *const clap_plugin) -> u32 {
    // SAFETY: a host passes an instance of its own.
    unsafe { Instance::of(plugin) }.map_or(0, |instance| instance.parts.latency.samples())
}

impl Instance {
    /// Tells the host of a latency other than that of the last activation.
    ///
    /// # Safety
    /// On the host's main thread, while it activates the instance.
    pub unsafe fn report_latency(&self) {
        let samples = self.parts.latency.samples();
        let before = self.last_latency.swap(i64::from(samples), Ordering::AcqRel);
        if before >= 0 && before != i64::from(samples) {
            // SAFETY: the host outlives its instances; this name stands for this type.
            let host = unsafe { extension::<clap_host_latency>(self.host, CLAP_EXT_LATENCY) };
            if let Some(changed) = host.and_then(|host| host.changed) {
                // SAFETY: promised by the caller.
                unsafe { changed(self.host) };
            }
        }
    }

    /// Audio thread, after a block: asks for the main thread if the latency has changed.
    pub fn follow_latency(&self) {
        if self.parts.latency.take_callback() {
            // SAFETY: the host outlives its instances, and allows this on any thread.
            unsafe {
                if let Some(request) = (*self.host).request_callback {
                    request(self.host);
                }
            }
        }
    }

    /// Main thread: asks for a restart if the latency has changed.
    pub fn restart_for_latency(&self) {
        if self.parts.latency.take_restart() {
            // SAFETY: as above.
            unsafe {
                if let Some(request) = (*self.host).request_restart {
                    request(self.host);
                }
            }
        }
    }
}
