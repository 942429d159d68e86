//! A sound: parameters, and the data that is not a parameter.

use std::sync::Arc;
use std::thread::JoinHandle;

use crate::body::UserModes;
use crate::engine::auto_level;
use crate::exciter::surface::UserSurface;
use crate::io::surfaces::SurfaceRequest;
use crate::io::tunings::StoredTuning;
use crate::params::{Param, Patch};

/// All parameters and other data of a sound. Copies share the large parts.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// The parameters.
    pub patch: Patch,
    /// Data that is not a parameter.
    pub extras: Extras,
}

/// The parts of a sound that are not parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The modes of a body that is a list of modes.
    pub modes: Option<Arc<UserModes>>,
    /// The surface from a file.
    pub surface: Option<Arc<UserSurface>>,
    /// The tuning from Scala files.
    pub tuning: Option<Arc<StoredTuning>>,
}

impl PartialEq for Sound {
    fn eq(&self, other: &Self) -> bool {
        self.patch.is_same(&other.patch) && self.extras == other.extras
    }
}

/// Stack of a measuring thread, bytes: an engine is built on it, and threads of hosts may have only
/// 512 kB.
const STACK: usize = 16 << 20;

impl Sound {
    /// Starts to measure the loudness of the reference blow ([`auto_level`]), LUFS; none if silent.
    ///
    /// A new engine plays the blow on its own thread, so that the result does not depend on earlier
    /// measurements. It takes some tens of milliseconds.
    pub fn measure(&self) -> std::io::Result<JoinHandle<Option<f64>>> {
        let Self { patch, extras } = self.clone();
        let measure = move || {
            let modes = extras.modes.unwrap_or_default();
            let tuning = extras.tuning.and_then(|tuning| tuning.read().ok());
            let surface = SurfaceRequest::of(&patch);
            let surface = surface.map(|request| request.build(extras.surface.as_deref()));
            auto_level::measure(&patch, &modes, tuning.as_ref(), surface)
        };
        std::thread::Builder::new().stack_size(STACK).spawn(measure)
    }

    /// Measures the loudness ([`measure`](Self::measure)) and waits for the result.
    pub fn loudness_lufs(&self) -> Option<f64> {
        self.measure().ok()?.join().ok()?
    }

    /// Sets *Trim* so that the reference blow has the common loudness at *Level* 0 dB. A silent
    /// sound keeps its *Trim*.
    pub fn set_trim(&mut self) {
        if let Some(lufs) = self.loudness_lufs() {
            self.patch.set(Param::Trim, auto_level::trim_db(lufs));
        }
    }

    /// Gives a sound of version 0.1 the common loudness.
    ///
    /// Its *Level* did what *Trim* does now, for bodies that were levelled differently.
    pub fn relevel(&mut self) {
        self.set_trim();
        self.patch.set(Param::Level, Param::Level.spec().default);
    }
}
