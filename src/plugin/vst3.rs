//! VST3 from CLAP: presents the plug-ins of a CLAP entry as VST3 classes.
//!
//! It knows the two standards and nothing of the instrument. Every call of a VST3 host becomes
//! calls of the CLAP's C functions, so that both formats run the same code and sound alike to the
//! bit.
//!
//! | file | what it translates |
//! |---|---|
//! | `factory` | the list of classes |
//! | `core` | one plug-in instance, its extensions, and work for the main thread |
//! | `host` | what a CLAP asks of its host |
//! | `component` | the VST3 object: life cycle, buses, state, parameters |
//! | `controller` | its units, programs, MIDI assignments and note expressions |
//! | `params` | parameters, MIDI controllers as hidden parameters, the program parameter |
//! | `process` | a block: buffers, automation, notes, expressions, transport |
//! | `programs` | presets, as CLAP's preset discovery lists them |
//! | `view` | the editor's window |
//!
//! Nothing here is bound to a thread. What VST3 asks to happen on the main thread is queued in
//! [`core`] and done by the host's run loop, by the view, or by any call on the thread that made
//! the instance.

#![allow(unsafe_code, non_snake_case)]
// VST3's constants have another type on Windows.
#![allow(clippy::unnecessary_cast)]

mod component;
mod controller;
mod core;
mod factory;
mod host;
mod params;
mod process;
mod programs;
mod view;

use std::ffi::{CStr, c_char, c_void};

use vst3::ComWrapper;
use vst3::Steinberg::IPluginFactory;
use vst3::Steinberg::Vst::TChar;

use super::catch_panic::catch_panic;

/// A CLAP plug-in as a VST3 class.
pub struct ClassSpec {
    /// The class id, in the order of bytes of all systems but Windows.
    pub cid: [u8; 16],
    pub clap_id: &'static CStr,
    /// Divided by `|`.
    pub subcategories: &'static str,
    pub email: &'static str,
}

impl ClassSpec {
    /// The class id in the order of bytes of this system.
    fn cid(&self) -> [u8; 16] {
        let [a, b, c, d, e, f, g, h, rest @ ..] = self.cid;
        if cfg!(target_os = "windows") {
            let head = [d, c, b, a, f, e, h, g];
            std::array::from_fn(|index| if index < 8 { head[index] } else { rest[index - 8] })
        } else {
            self.cid
        }
    }
}

/// What hosts look for in the library.
///
/// # Safety
/// Called by a host, which gets a counted pointer.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetPluginFactory() -> *mut c_void {
    catch_panic(std::ptr::null_mut(), || {
        let factory = ComWrapper::new(factory::Factory::new());
        let pointer = factory.to_com_ptr::<IPluginFactory>();
        pointer.map_or(std::ptr::null_mut(), |pointer| pointer.into_raw().cast())
    })
}

/// Defines a function that hosts call when they load or unload the library.
macro_rules! module_call {
    ($name:ident, $($argument:ident: $kind:ty)?) => {
        /// What hosts call when they load or unload the library.
        #[unsafe(no_mangle)]
        pub extern "system" fn $name($($argument: $kind)?) -> bool {
            true
        }
    };
}

#[cfg(target_os = "linux")]
module_call!(ModuleEntry, _library: *mut c_void);
#[cfg(target_os = "linux")]
module_call!(ModuleExit,);
#[cfg(target_os = "macos")]
module_call!(bundleEntry, _bundle: *mut c_void);
#[cfg(target_os = "macos")]
module_call!(bundleExit,);
#[cfg(target_os = "windows")]
module_call!(InitDll,);
#[cfg(target_os = "windows")]
module_call!(ExitDll,);

/// Writes a text for VST3, cut to fit.
fn write_wide(text: &str, to: &mut [TChar]) {
    let Some(room) = to.len().checked_sub(1) else { return };
    let mut count = 0;
    for (place, unit) in to[..room].iter_mut().zip(text.encode_utf16()) {
        *place = unit as TChar;
        count += 1;
    }
    to[count..].fill(0);
}

/// Reads a text of VST3.
///
/// # Safety
/// The pointer is null or leads to a text that ends in zero.
unsafe fn read_wide(text: *const TChar) -> Option<String> {
    /// No host passes more.
    const MAX: usize = 4096;
    if text.is_null() {
        return None;
    }
    // SAFETY: promised by the caller; nothing behind the zero is read.
    let units = (0..MAX).map(|index| unsafe { *text.add(index) as u16 });
    String::from_utf16(&units.take_while(|unit| *unit != 0).collect::<Vec<_>>()).ok()
}

/// Writes a text of bytes, cut to fit.
fn write_bytes(text: &str, to: &mut [c_char]) {
    let Some(room) = to.len().checked_sub(1) else { return };
    let count = text.floor_char_boundary(room);
    to.fill(0);
    for (place, byte) in to.iter_mut().zip(text.as_bytes()[..count].iter()) {
        *place = *byte as c_char;
    }
}

/// A text of CLAP's; empty if there is none.
///
/// # Safety
/// The pointer is null or leads to a text that ends in zero and stays.
unsafe fn text<'a>(pointer: *const c_char) -> &'a str {
    // SAFETY: promised by the caller.
    unsafe { super::clap_entry::text::from_c(pointer) }.unwrap_or("")
}

/// A text in an array of CLAP's; empty if it cannot be read.
fn array_text(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().map(|c| *c as u8).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
