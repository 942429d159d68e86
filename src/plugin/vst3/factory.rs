//! The list of classes, from the descriptors of the CLAP.

use std::ffi::c_void;

use clap_sys::plugin::clap_plugin_descriptor;
use vst3::Steinberg::Vst::ComponentFlags_::kSimpleModeSupported;
use vst3::Steinberg::*;
use vst3::{Class, ComWrapper};

use super::component::Component;
use super::core::{Core, plugin_factory};
use super::{ClassSpec, text, write_bytes, write_wide};
use crate::plugin::VST3_CLASSES;
use crate::plugin::catch_panic::catch_panic;

/// What the classes say they were built for.
const SDK_VERSION: &str = "VST 3.7.14";
const CATEGORY: &str = "Audio Module Class";

/// All classes.
pub struct Factory {
    classes: Vec<(&'static ClassSpec, &'static clap_plugin_descriptor)>,
}

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2, IPluginFactory3);
}

impl Factory {
    /// Those of which the CLAP knows the id.
    pub fn new() -> Self {
        let classes = VST3_CLASSES.iter().filter_map(|class| Some((class, descriptor(class)?)));
        Self { classes: classes.collect() }
    }

    fn class(&self, index: i32) -> Option<&(&'static ClassSpec, &'static clap_plugin_descriptor)> {
        self.classes.get(usize::try_from(index).ok()?)
    }
}

/// The CLAP's description of a class. It stays as long as the library.
fn descriptor(class: &ClassSpec) -> Option<&'static clap_plugin_descriptor> {
    let factory = plugin_factory()?;
    // SAFETY: called as a host does.
    unsafe {
        let (count, get) = (factory.get_plugin_count?, factory.get_plugin_descriptor?);
        (0..count(factory)).filter_map(|index| get(factory, index).as_ref()).find(|descriptor| {
            !descriptor.id.is_null() && std::ffi::CStr::from_ptr(descriptor.id) == class.clap_id
        })
    }
}

/// The class id as the interfaces want it.
fn cid(class: &ClassSpec) -> TUID {
    class.cid().map(|byte| byte as _)
}

impl IPluginFactoryTrait for Factory {
    unsafe fn getFactoryInfo(&self, info: *mut PFactoryInfo) -> tresult {
        // SAFETY: a host passes a place to write to.
        let (Some(info), Some((class, descriptor))) =
            (unsafe { info.as_mut() }, self.classes.first())
        else {
            return kInvalidArgument;
        };
        // SAFETY: a CLAP's texts end in zero.
        unsafe {
            write_bytes(text(descriptor.vendor), &mut info.vendor);
            write_bytes(text(descriptor.url), &mut info.url);
        }
        write_bytes(class.email, &mut info.email);
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
        write_bytes(CATEGORY, &mut info.category);
        // SAFETY: as above.
        write_bytes(unsafe { text(descriptor.name) }, &mut info.name);
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
            // SAFETY: a host passes ids of 16 bytes and a place to write to.
            unsafe {
                *obj = std::ptr::null_mut();
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

/// Fills the longer descriptions of a class, whose texts are of bytes or of wide characters.
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
        write_bytes(CATEGORY, &mut info.category);
        write_bytes(class.subcategories, &mut info.subCategories);
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
        describe!(self, index, info, write_bytes)
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
