//! Patches from texts as a user types them.
// Every test program compiles this module for itself and uses a part of it.
#![allow(dead_code)]

use ictus::params::{Param, Patch};

/// Sets one parameter from text.
///
/// # Panics
/// If there is no such parameter, or it cannot have this value.
pub fn set(patch: &mut Patch, id: &str, text: &str) {
    let param = Param::from_id(id).unwrap_or_else(|| panic!("{id}"));
    patch.set(param, param.spec().parse_si(text).unwrap_or_else(|| panic!("{id}={text}")));
}

/// The default patch with some parameters set from text, later ones over earlier ones.
pub fn patch(settings: &[(&str, &str)]) -> Patch {
    let mut patch = Patch::default();
    settings.iter().for_each(|(id, text)| set(&mut patch, id, text));
    patch
}
