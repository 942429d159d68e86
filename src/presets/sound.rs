//! Everything that makes a sound.

use std::sync::Arc;

use crate::body::UserModes;
use crate::gesture::surface::UserSurface;
use crate::patch::Patch;
use crate::tunings;

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

/// The parts of a sound that are no parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The modes of a body that is a list of them.
    pub modes: Option<Arc<UserModes>>,
    /// The surface of a file.
    pub surface: Option<Arc<UserSurface>>,
    /// The tuning of Scala's files.
    pub tuning: Option<Arc<tunings::Written>>,
}
