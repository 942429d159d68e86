//! Everything that makes a sound.

use std::sync::Arc;
use std::thread::JoinHandle;

use crate::body::UserModes;
use crate::engine::Engine;
use crate::exciter::surface::UserSurface;
use crate::io::{surfaces, tunings};
use crate::engine::auto_level;
use crate::params::{Param, Patch};

/// All parameters, and what else a sound is made of. Copies share the large parts.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// The parameters.
    pub patch: Patch,
    /// What is no parameter.
    pub extras: Extras,
}

impl PartialEq for Sound {
    fn eq(&self, other: &Self) -> bool {
        self.patch.is_same(&other.patch) && self.extras == other.extras
    }
}

/// Stack of a thread that makes an engine, bytes: hosts' own threads may have as little as 512 kB.
const STACK: usize = 16 << 20;

impl Sound {
    /// Begins to measure the loudness of the reference blow ([`auto_level`]), LUFS; none if it is
    /// silent.
    ///
    /// An engine made for it plays the blow on a thread of its own: the same sound has the same
    /// loudness, whatever was measured before. Takes some tens of milliseconds.
    pub fn measure(&self) -> std::io::Result<JoinHandle<Option<f64>>> {
        let sound = self.clone();
        let measure = move || {
            let mut engine = Engine::new();
            engine.set_list(&sound.extras.modes.as_deref().cloned().unwrap_or_default());
            if let Some(Ok(tuning)) =
                sound.extras.tuning.as_deref().map(tunings::StoredTuning::read)
            {
                engine.set_tuning(&tuning);
            }
            surfaces::install_surface(&mut engine, &sound.patch, sound.extras.surface.as_deref());
            auto_level::loudness_lufs(&mut engine, &sound.patch)
        };
        std::thread::Builder::new().stack_size(STACK).spawn(measure)
    }

    /// [`measure`](Self::measure), and waits for it.
    pub fn loudness_lufs(&self) -> Option<f64> {
        self.measure().ok()?.join().ok()?
    }

    /// Sets *Trim* so that the reference blow has the common loudness at *Level* 0 dB; leaves it
    /// alone if the blow is silent.
    pub fn set_trim(&mut self) {
        if let Some(lufs) = self.loudness_lufs() {
            self.patch.set(Param::Trim, auto_level::trim_db(lufs));
        }
    }
}

impl Sound {
    /// Levels a sound of version 0.1, whose *Level* did what *Trim* does now, for bodies that were
    /// levelled otherwise: it gets the common loudness.
    pub fn relevel(&mut self) {
        self.set_trim();
        self.patch.set(Param::Level, Param::Level.spec().default);
    }
}

/// The parts of a sound that are no parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The modes of a body that is a list of them.
    pub modes: Option<Arc<UserModes>>,
    /// The surface of a file.
    pub surface: Option<Arc<UserSurface>>,
    /// The tuning of Scala's files.
    pub tuning: Option<Arc<tunings::StoredTuning>>,
}
