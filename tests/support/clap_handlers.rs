//! The host's callbacks: they record the requests of the plug-in.
use clack_extensions::gui::{GuiSize, HostGui, HostGuiImpl};
use clack_extensions::latency::{HostLatency, HostLatencyImpl};
use clack_extensions::params::{
    HostParams, HostParamsImplMainThread, HostParamsImplShared, ParamClearFlags, ParamRescanFlags,
};
use clack_extensions::state::{HostState, HostStateImpl};
use clack_host::prelude::*;
use clack_host::utils::ClapId;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Set for a host that refuses a larger window.
pub const REFUSES: &str = "ICTUS_TEST_REFUSES_SIZES";

/// The plug-in's requests since the last call; thread-safe, because they may come from any thread.
#[derive(Default)]
pub struct Shared {
    pub restart: AtomicBool,
    pub process: AtomicBool,
    pub callback: AtomicBool,
    pub flush: AtomicBool,
    pub rescan: AtomicBool,
    pub dirty: AtomicBool,
    pub latency_changed: AtomicBool,
    /// Number of size requests of the editor's window.
    pub resizes: AtomicUsize,
    /// The editor's window has closed by itself.
    pub closed: AtomicBool,
}

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {
        self.restart.store(true, Ordering::SeqCst);
    }
    fn request_process(&self) {
        self.process.store(true, Ordering::SeqCst);
    }
    fn request_callback(&self) {
        self.callback.store(true, Ordering::SeqCst);
    }
}

impl HostParamsImplShared for Shared {
    fn request_flush(&self) {
        self.flush.store(true, Ordering::SeqCst);
    }
}

impl HostGuiImpl for Shared {
    fn resize_hints_changed(&self) {}
    fn request_resize(&self, _: GuiSize) -> Result<(), HostError> {
        self.resizes.fetch_add(1, Ordering::SeqCst);
        if std::env::var_os(REFUSES).is_some() {
            Err(HostError::Message("the window stays as it is"))
        } else {
            Ok(())
        }
    }
    fn request_show(&self) -> Result<(), HostError> {
        Ok(())
    }
    fn request_hide(&self) -> Result<(), HostError> {
        Ok(())
    }
    fn closed(&self, _: bool) {
        self.closed.store(true, Ordering::SeqCst);
    }
}

pub struct MainThread<'a>(pub &'a Shared);

impl<'a> MainThreadHandler<'a> for MainThread<'a> {}

impl HostParamsImplMainThread for MainThread<'_> {
    fn rescan(&self, _: ParamRescanFlags) {
        self.0.rescan.store(true, Ordering::SeqCst);
    }
    fn clear(&self, _: ClapId, _: ParamClearFlags) {}
}

impl HostStateImpl for MainThread<'_> {
    fn mark_dirty(&self) {
        self.0.dirty.store(true, Ordering::SeqCst);
    }
}

impl HostLatencyImpl for MainThread<'_> {
    fn changed(&self) {
        self.0.latency_changed.store(true, Ordering::SeqCst);
    }
}

pub struct Handlers;

impl HostHandlers for Handlers {
    type Shared<'a> = Shared;
    type MainThread<'a> = MainThread<'a>;
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Self::Shared<'_>) {
        builder
            .register::<HostParams>()
            .register::<HostState>()
            .register::<HostLatency>()
            .register::<HostGui>();
    }
}
