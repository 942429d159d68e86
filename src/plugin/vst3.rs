//! VST3 adapter: presents the plug-ins of the CLAP entry as VST3 classes.
//!
//! It depends on the two standards and not on the instrument. Every call of a VST3 host becomes
//! calls of the CLAP plug-in's C functions, so that both formats run the same code and sound
//! identical to the bit.
//!
//! | module | content |
//! |---|---|
//! | `core` | one CLAP instance, its extensions, and work for the main thread |
//! | `host` | the host functions that the CLAP plug-in calls |
//! | `component` | the VST3 object as processor: life cycle, buses, blocks |
//! | `controller` | the same as controller: parameters, units, programs, note expressions |
//! | `state` | saved states, with the chosen program |
//! | `params` | parameters, MIDI controllers as hidden parameters, the program parameter |
//! | `events` | notes, expressions and values, as CLAP events |
//! | `process` | a block: buffers, automation, transport |
//! | `programs` | presets, from CLAP's preset discovery |
//! | `view` | the editor's window |
//!
//! No call is bound to a thread. Work that VST3 restricts to the main thread is queued in [`core`]
//! and performed by the host's run loop, by the view, or by any call on the thread that created the
//! instance.

#![allow(unsafe_code, non_snake_case)]
// VST3's constants have different types on Windows.
#![allow(clippy::unnecessary_cast)]

mod component;
mod controller;
mod core;
mod events;
mod host;
mod params;
mod process;
mod programs;
mod state;
mod view;

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use clap_sys::plugin::clap_plugin_descriptor;
use vst3::Steinberg::Vst::ComponentFlags_::kSimpleModeSupported;
use vst3::Steinberg::Vst::TChar;
use vst3::Steinberg::*;
use vst3::{Class, ComWrapper};

use self::core::{Core, plugin_factory};
use super::VST3_CLASSES;
use crate::shared_state::catch_panic;
use component::Component;

/// A CLAP plug-in as a VST3 class.
pub struct ClassSpec {
    /// The class id, in the byte order of all systems but Windows.
    pub cid: [u8; 16],
    pub clap_id: &'static CStr,
    /// The subcategories, separated by `|`.
    pub subcategories: &'static str,
    pub email: &'static str,
}

impl ClassSpec {
    /// The class id in the byte order of this system.
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

/// The entry point of the library.
///
/// # Safety
/// Called by a host, which receives a counted pointer.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetPluginFactory() -> *mut c_void {
    catch_panic(null_mut(), || {
        let factory = ComWrapper::new(Factory::new());
        let pointer = factory.to_com_ptr::<IPluginFactory>();
        pointer.map_or(null_mut(), |pointer| pointer.into_raw().cast())
    })
}

/// Defines a function that hosts call when they load or unload the library.
macro_rules! module_call {
    ($name:ident, $($argument:ident: $kind:ty)?) => {
        /// Called by hosts when they load or unload the library.
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

/// The SDK version that the classes report.
const SDK_VERSION: &str = "VST 3.7.14";
const CATEGORY: &str = "Audio Module Class";

/// The factory of all classes.
struct Factory {
    classes: Vec<(&'static ClassSpec, &'static clap_plugin_descriptor)>,
}

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2, IPluginFactory3);
}

impl Factory {
    /// Creates a factory of the classes whose id the CLAP entry knows.
    fn new() -> Self {
        let classes = VST3_CLASSES.iter().filter_map(|class| Some((class, descriptor(class)?)));
        Self { classes: classes.collect() }
    }

    fn class(&self, index: i32) -> Option<&(&'static ClassSpec, &'static clap_plugin_descriptor)> {
        self.classes.get(usize::try_from(index).ok()?)
    }
}

/// The CLAP descriptor of a class. It lives as long as the library.
fn descriptor(class: &ClassSpec) -> Option<&'static clap_plugin_descriptor> {
    let factory = plugin_factory()?;
    // SAFETY: called as a CLAP host does.
    unsafe {
        let (count, get) = (factory.get_plugin_count?, factory.get_plugin_descriptor?);
        (0..count(factory)).filter_map(|index| get(factory, index).as_ref()).find(|descriptor| {
            !descriptor.id.is_null() && CStr::from_ptr(descriptor.id) == class.clap_id
        })
    }
}

/// The class id in the interfaces' type.
fn cid(class: &ClassSpec) -> TUID {
    class.cid().map(|byte| byte as _)
}

impl IPluginFactoryTrait for Factory {
    unsafe fn getFactoryInfo(&self, info: *mut PFactoryInfo) -> tresult {
        // SAFETY: the host passes a pointer to write to.
        let (Some(info), Some((class, descriptor))) =
            (unsafe { info.as_mut() }, self.classes.first())
        else {
            return kInvalidArgument;
        };
        // SAFETY: the descriptor's strings are NUL-terminated.
        unsafe {
            write_narrow(text(descriptor.vendor), &mut info.vendor);
            write_narrow(text(descriptor.url), &mut info.url);
        }
        write_narrow(class.email, &mut info.email);
        info.flags = PFactoryInfo_::FactoryFlags_::kUnicode as _;
        kResultOk
    }

    unsafe fn countClasses(&self) -> int32 {
        self.classes.len() as int32
    }

    unsafe fn getClassInfo(&self, index: int32, info: *mut PClassInfo) -> tresult {
        // SAFETY: as above.
        let (Some(info), Some((class, descriptor))) = (unsafe { info.as_mut() }, self.class(index))
        else {
            return kInvalidArgument;
        };
        info.cid = cid(class);
        info.cardinality = PClassInfo_::ClassCardinality_::kManyInstances as _;
        write_narrow(CATEGORY, &mut info.category);
        // SAFETY: as above.
        write_narrow(unsafe { text(descriptor.name) }, &mut info.name);
        kResultOk
    }

    unsafe fn createInstance(
        &self,
        cid: FIDString,
        iid: FIDString,
        obj: *mut *mut c_void,
    ) -> tresult {
        if cid.is_null() || iid.is_null() || obj.is_null() {
            return kInvalidArgument;
        }
        catch_panic(kInternalError, || {
            // SAFETY: the host passes ids of 16 bytes and a pointer to write to.
            unsafe {
                *obj = null_mut();
                let wanted = *cid.cast::<[u8; 16]>();
                let Some((class, _)) = self.classes.iter().find(|(class, _)| class.cid() == wanted)
                else {
                    return kInvalidArgument;
                };
                let Some(core) = Core::new(class.clap_id) else { return kInternalError };
                let component = ComWrapper::new(Component::new(core));
                let Some(unknown) = component.to_com_ptr::<FUnknown>() else {
                    return kInternalError;
                };
                let unknown = unknown.as_ptr();
                ((*(*unknown).vtbl).queryInterface)(unknown, iid.cast(), obj)
            }
        })
    }
}

/// Fills the longer descriptions of a class, whose strings have narrow or wide characters.
macro_rules! describe {
    ($factory:expr, $index:expr, $info:expr, $write:ident) => {{
        // SAFETY: as above.
        let (Some(info), Some((class, descriptor))) =
            (unsafe { $info.as_mut() }, $factory.class($index))
        else {
            return kInvalidArgument;
        };
        info.cid = cid(class);
        info.cardinality = PClassInfo_::ClassCardinality_::kManyInstances as _;
        info.classFlags = kSimpleModeSupported as _;
        write_narrow(CATEGORY, &mut info.category);
        write_narrow(class.subcategories, &mut info.subCategories);
        $write(SDK_VERSION, &mut info.sdkVersion);
        // SAFETY: as above.
        unsafe {
            $write(text(descriptor.name), &mut info.name);
            $write(text(descriptor.vendor), &mut info.vendor);
            $write(text(descriptor.version), &mut info.version);
        }
        kResultOk
    }};
}

impl IPluginFactory2Trait for Factory {
    unsafe fn getClassInfo2(&self, index: int32, info: *mut PClassInfo2) -> tresult {
        describe!(self, index, info, write_narrow)
    }
}

impl IPluginFactory3Trait for Factory {
    unsafe fn getClassInfoUnicode(&self, index: int32, info: *mut PClassInfoW) -> tresult {
        describe!(self, index, info, write_wide)
    }

    unsafe fn setHostContext(&self, _context: *mut FUnknown) -> tresult {
        kResultOk
    }
}

/// Writes a wide string for VST3, truncated to fit.
fn write_wide(text: &str, to: &mut [TChar]) {
    let Some(room) = to.len().checked_sub(1) else { return };
    let mut count = 0;
    for (slot, unit) in to[..room].iter_mut().zip(text.encode_utf16()) {
        *slot = unit as TChar;
        count += 1;
    }
    to[count..].fill(0);
}

/// Reads a wide string from VST3.
///
/// # Safety
/// The pointer is null or points to a NUL-terminated string.
unsafe fn read_wide(text: *const TChar) -> Option<String> {
    /// Longest string read: above any text of a parameter.
    const MAX: usize = 4096;
    if text.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller; nothing after the NUL is read.
    let units = (0..MAX).map(|index| unsafe { *text.add(index) as u16 });
    String::from_utf16(&units.take_while(|unit| *unit != 0).collect::<Vec<_>>()).ok()
}

/// Writes a narrow string, truncated to fit.
fn write_narrow(text: &str, to: &mut [c_char]) {
    let Some(room) = to.len().checked_sub(1) else { return };
    let count = text.floor_char_boundary(room);
    to.fill(0);
    for (slot, byte) in to.iter_mut().zip(text.as_bytes()[..count].iter()) {
        *slot = *byte as c_char;
    }
}

/// Borrows a C string of CLAP; empty if null or not UTF-8.
///
/// # Safety
/// The pointer is null or points to a NUL-terminated string that outlives the result.
unsafe fn text<'a>(pointer: *const c_char) -> &'a str {
    // SAFETY: guaranteed by the caller.
    unsafe { super::clap_entry::str_from_c(pointer) }.unwrap_or("")
}

/// Reads a string in a fixed array of CLAP.
fn array_text(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().map(|c| *c as u8).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
