//! What the code of a plug-in format needs of an instance besides its sound.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use nice_plug_egui::RepaintNotifier;

use super::latency::Latency;
use super::params::HostParams;
use crate::editor::editor_factory::EditorFactory;

/// Shared by an instance and the code that offers it to hosts.
pub struct InstanceParts {
    /// All parameters, and what a project keeps besides.
    pub params: Arc<HostParams>,
    /// The editor; none where there is no way to draw one.
    pub editor_factory: Option<EditorFactory>,
    /// What hosts are told of the limiter's delay.
    pub latency: Arc<Latency>,
    /// Wakes the editor.
    pub repaint: RepaintNotifier,
    /// Which outputs the host listens to in this block, one bit each.
    pub connected_outputs: Arc<AtomicU32>,
}

/// Work that is given the parts of an instance. The framework has no other way to hand them out.
pub type Task = Box<dyn FnOnce(&Arc<InstanceParts>) + Send>;

/// Does tasks at once, on the thread that brings them.
pub fn executor(parts: Arc<InstanceParts>) -> Box<dyn Fn(Task) + Send> {
    Box::new(move |task| task(&parts))
}
