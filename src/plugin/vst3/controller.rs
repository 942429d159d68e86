//! The VST3 object as controller: parameters, units, programs, MIDI assignments and note
//! expressions.

use std::sync::atomic::Ordering;

use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{ComRef, ComWrapper};

use super::component::Component;
use super::core::work;
use super::events::{expression, value_event};
use super::params::{Kind, Param};
use super::view::View;
use super::{array_text, read_wide, text, write_wide};
use crate::shared_state::catch_panic;

/// The id of the only program list.
const PROGRAM_LIST: ProgramListID = 1;
/// The name of program 0, which loads nothing.
const NO_PROGRAM: &str = "Current sound";

impl Component {
    /// The name of a program; 0 is no program.
    fn program_name(&self, index: usize) -> &str {
        let program = index.checked_sub(1).and_then(|index| self.core.programs.get(index));
        program.map_or(NO_PROGRAM, |program| &program.name)
    }

    fn param(&self, id: ParamID) -> Option<&Param> {
        self.core.table().find(id)
    }

    /// Parses a text with the CLAP plug-in.
    fn clap_value(&self, id: u32, text: &str) -> Option<f64> {
        let text = std::ffi::CString::new(text).ok()?;
        let read = self.core.extensions().params?.text_to_value?;
        let mut plain = 0.0;
        // SAFETY: called as a CLAP host does.
        unsafe { read(self.core.plugin(), id, text.as_ptr(), &mut plain) }.then_some(plain)
    }
}

impl IEditControllerTrait for Component {
    // This object is also the component, which saves the state.
    unsafe fn setComponentState(&self, _state: *mut IBStream) -> tresult {
        kResultOk
    }

    unsafe fn setState(&self, _state: *mut IBStream) -> tresult {
        kResultOk
    }

    unsafe fn getState(&self, _state: *mut IBStream) -> tresult {
        kResultOk
    }

    unsafe fn getParameterCount(&self) -> int32 {
        self.core.table().len() as int32
    }

    unsafe fn getParameterInfo(&self, index: int32, info: *mut ParameterInfo) -> tresult {
        let index = usize::try_from(index).ok();
        let param = index.and_then(|index| self.core.table().at(index));
        // SAFETY: the host passes a pointer to write to.
        let (Some(param), Some(info)) = (param, unsafe { info.as_mut() }) else {
            return kInvalidArgument;
        };
        param.write_to(info);
        kResultOk
    }

    unsafe fn getParamStringByValue(
        &self,
        id: ParamID,
        value: ParamValue,
        string: *mut String128,
    ) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a pointer to write to.
            let (Some(param), Some(string)) = (self.param(id), unsafe { string.as_mut() }) else {
                return kInvalidArgument;
            };
            let plain = param.plain(value);
            match param.kind {
                Kind::Midi { .. } => write_wide(&format!("{:.0}", plain * 127.0), string),
                Kind::Program => write_wide(self.program_name(plain as usize), string),
                Kind::Clap { .. } => {
                    let mut text = [0; 256];
                    let write = self.core.extensions().params.and_then(|it| it.value_to_text);
                    // SAFETY: called as a CLAP host does; the buffer has 256 bytes.
                    let is_written = write.is_some_and(|write| unsafe {
                        write(self.core.plugin(), id, plain, text.as_mut_ptr(), 256)
                    });
                    if !is_written {
                        return kResultFalse;
                    }
                    write_wide(&array_text(&text), string);
                }
            }
            kResultOk
        })
    }

    unsafe fn getParamValueByString(
        &self,
        id: ParamID,
        string: *mut TChar,
        value: *mut ParamValue,
    ) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a NUL-terminated string and a pointer to write to.
            let (Some(param), Some(text), Some(value)) =
                (self.param(id), unsafe { read_wide(string) }, unsafe { value.as_mut() })
            else {
                return kInvalidArgument;
            };
            let plain = match param.kind {
                Kind::Midi { .. } => text.trim().parse::<f64>().ok().map(|number| number / 127.0),
                Kind::Program => {
                    let count = self.core.programs.len() + 1;
                    let index = (0..count).find(|index| self.program_name(*index) == text);
                    index.map(|index| index as f64)
                }
                Kind::Clap { .. } => self.clap_value(id, &text),
            };
            let Some(plain) = plain else { return kResultFalse };
            *value = param.normalized(plain);
            kResultOk
        })
    }

    unsafe fn normalizedParamToPlain(&self, id: ParamID, value: ParamValue) -> ParamValue {
        let Some(param) = self.param(id) else { return value };
        match (param.kind, self.core.extensions().plain_values) {
            // SAFETY: called as a CLAP host does.
            (Kind::Clap { .. }, Some(plain)) => unsafe {
                (plain.to_plain)(self.core.plugin(), id, value)
            },
            _ => param.plain(value),
        }
    }

    unsafe fn plainParamToNormalized(&self, id: ParamID, plain: ParamValue) -> ParamValue {
        let Some(param) = self.param(id) else { return plain };
        match (param.kind, self.core.extensions().plain_values) {
            // SAFETY: called as a CLAP host does.
            (Kind::Clap { .. }, Some(values)) => unsafe {
                (values.to_normalized)(self.core.plugin(), id, plain)
            },
            _ => param.normalized(plain),
        }
    }

    unsafe fn getParamNormalized(&self, id: ParamID) -> ParamValue {
        catch_panic(0.0, || {
            let Some(param) = self.param(id) else { return 0.0 };
            match param.kind {
                Kind::Midi { .. } => param.stored(),
                Kind::Program => self.core.program(),
                Kind::Clap { .. } => {
                    let mut plain = 0.0;
                    let get = self.core.extensions().params.and_then(|params| params.get_value);
                    // SAFETY: called as a CLAP host does.
                    get.map(|get| unsafe { get(self.core.plugin(), id, &mut plain) });
                    param.normalized(plain)
                }
            }
        })
    }

    unsafe fn setParamNormalized(&self, id: ParamID, value: ParamValue) -> tresult {
        catch_panic(kInternalError, || {
            let Some(param) = self.param(id) else { return kInvalidArgument };
            let plain = param.plain(value);
            match param.kind {
                Kind::Midi { .. } => param.store(value),
                Kind::Program => {
                    self.core.cancel_work(work::PROGRAM);
                    self.core.load_program(value);
                    self.core.idle();
                }
                // While blocks are processed, the value arrives with them, at its sample.
                Kind::Clap { .. } if !self.core.is_processing.load(Ordering::Acquire) => {
                    self.core.flush(Some(value_event(0, id, plain)));
                }
                Kind::Clap { .. } => {}
            }
            kResultOk
        })
    }

    unsafe fn setComponentHandler(&self, handler: *mut IComponentHandler) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes its handler or null.
            let handler = unsafe { ComRef::from_raw(handler) };
            self.core.set_handler(handler.map(|handler| handler.to_com_ptr()));
            self.core.idle();
            kResultOk
        })
    }

    unsafe fn createView(&self, name: FIDString) -> *mut IPlugView {
        catch_panic(std::ptr::null_mut(), || {
            // SAFETY: the host passes a NUL-terminated string or null.
            let is_editor = unsafe { text(name) } == "editor";
            if !is_editor || self.core.extensions().gui.is_none() {
                return std::ptr::null_mut();
            }
            let view = ComWrapper::new(View::new(self.core.clone()));
            let pointer = view.to_com_ptr::<IPlugView>();
            pointer.map_or(std::ptr::null_mut(), |pointer| {
                view.set_pointer(pointer.as_ptr());
                pointer.into_raw()
            })
        })
    }
}

impl IMidiMappingTrait for Component {
    unsafe fn getMidiControllerAssignment(
        &self,
        bus: int32,
        channel: int16,
        controller: CtrlNumber,
        id: *mut ParamID,
    ) -> tresult {
        let assigned =
            (bus == 0).then(|| self.core.table().assigned(channel, controller)).flatten();
        // SAFETY: the host passes a pointer to write to.
        let (Some(assigned), Some(id)) = (assigned, unsafe { id.as_mut() }) else {
            return kResultFalse;
        };
        *id = assigned;
        kResultTrue
    }
}

impl IUnitInfoTrait for Component {
    unsafe fn getUnitCount(&self) -> int32 {
        self.core.table().units.len() as int32 + 1
    }

    unsafe fn getUnitInfo(&self, index: int32, info: *mut UnitInfo) -> tresult {
        // SAFETY: the host passes a pointer to write to.
        let Some(info) = (unsafe { info.as_mut() }) else { return kInvalidArgument };
        info.programListId = kNoProgramListId;
        if index == 0 {
            info.id = kRootUnitId;
            info.parentUnitId = kNoParentUnitId;
            if !self.core.programs.is_empty() {
                info.programListId = PROGRAM_LIST;
            }
            write_wide("Root", &mut info.name);
            return kResultOk;
        }
        let unit = index.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let Some(name) = unit.and_then(|unit| self.core.table().units.get(unit)) else {
            return kInvalidArgument;
        };
        info.id = index;
        info.parentUnitId = kRootUnitId;
        write_wide(name, &mut info.name);
        kResultOk
    }

    unsafe fn getProgramListCount(&self) -> int32 {
        int32::from(!self.core.programs.is_empty())
    }

    unsafe fn getProgramListInfo(&self, index: int32, info: *mut ProgramListInfo) -> tresult {
        // SAFETY: as above.
        let Some(info) = (unsafe { info.as_mut() }) else { return kInvalidArgument };
        if index != 0 || self.core.programs.is_empty() {
            return kInvalidArgument;
        }
        info.id = PROGRAM_LIST;
        info.programCount = self.core.programs.len() as int32 + 1;
        write_wide("Presets", &mut info.name);
        kResultOk
    }

    unsafe fn getProgramName(
        &self,
        list: ProgramListID,
        index: int32,
        name: *mut String128,
    ) -> tresult {
        let number = usize::try_from(index).ok();
        let number = number.filter(|number| *number <= self.core.programs.len());
        // SAFETY: as above.
        let (Some(number), Some(name)) = (number, unsafe { name.as_mut() }) else {
            return kInvalidArgument;
        };
        if list != PROGRAM_LIST || self.core.programs.is_empty() {
            return kInvalidArgument;
        }
        write_wide(self.program_name(number), name);
        kResultOk
    }

    unsafe fn getProgramInfo(
        &self,
        list: ProgramListID,
        index: int32,
        attribute: vst3::Steinberg::Vst::CString,
        value: *mut String128,
    ) -> tresult {
        catch_panic(kInternalError, || {
            let number = usize::try_from(index).ok().and_then(|number| number.checked_sub(1));
            let program = number.and_then(|number| self.core.programs.get(number));
            // SAFETY: the host passes a NUL-terminated string and a pointer to write to.
            let (Some(program), Some(value), "MusicalCategory" | "MusicalStyle", PROGRAM_LIST) =
                (program, unsafe { value.as_mut() }, unsafe { text(attribute) }, list)
            else {
                return kResultFalse;
            };
            write_wide(&program.category, value);
            kResultOk
        })
    }

    unsafe fn hasProgramPitchNames(&self, _list: ProgramListID, _index: int32) -> tresult {
        kResultFalse
    }

    unsafe fn getProgramPitchName(
        &self,
        _list: ProgramListID,
        _index: int32,
        _pitch: int16,
        _name: *mut String128,
    ) -> tresult {
        kResultFalse
    }

    unsafe fn getSelectedUnit(&self) -> UnitID {
        kRootUnitId
    }

    unsafe fn selectUnit(&self, _unit: UnitID) -> tresult {
        kResultFalse
    }

    unsafe fn getUnitByBus(
        &self,
        _media: MediaType,
        _direction: BusDirection,
        _bus: int32,
        _channel: int32,
        _unit: *mut UnitID,
    ) -> tresult {
        kResultFalse
    }

    unsafe fn setUnitProgramData(
        &self,
        _list_or_unit: int32,
        _index: int32,
        _data: *mut IBStream,
    ) -> tresult {
        kResultFalse
    }
}

/// The supported note expressions: VST3 id, name, unit, and neutral value, 0…1.
const EXPRESSIONS: [(NoteExpressionTypeIDs, &str, &str, f64); 6] = [
    (NoteExpressionTypeIDs_::kVolumeTypeID, "Volume", "x", 0.25),
    (NoteExpressionTypeIDs_::kPanTypeID, "Pan", "", 0.5),
    (NoteExpressionTypeIDs_::kTuningTypeID, "Tuning", "semitones", 0.5),
    (NoteExpressionTypeIDs_::kVibratoTypeID, "Vibrato", "", 0.0),
    (NoteExpressionTypeIDs_::kExpressionTypeID, "Expression", "", 1.0),
    (NoteExpressionTypeIDs_::kBrightnessTypeID, "Brightness", "", 0.5),
];

impl INoteExpressionControllerTrait for Component {
    unsafe fn getNoteExpressionCount(&self, bus: int32, _channel: int16) -> int32 {
        // SAFETY: called as a host does.
        let events =
            unsafe { self.getBusCount(MediaTypes_::kEvent as _, BusDirections_::kInput as _) };
        if bus == 0 && events > 0 { EXPRESSIONS.len() as int32 } else { 0 }
    }

    unsafe fn getNoteExpressionInfo(
        &self,
        bus: int32,
        channel: int16,
        index: int32,
        info: *mut NoteExpressionTypeInfo,
    ) -> tresult {
        // SAFETY: called as a host does; it passes a pointer to write to.
        let (count, info) = unsafe { (self.getNoteExpressionCount(bus, channel), info.as_mut()) };
        let Some(info) = info.filter(|_| (0..count).contains(&index)) else {
            return kInvalidArgument;
        };
        let (id, title, units, neutral) = EXPRESSIONS[index as usize];
        info.typeId = id as NoteExpressionTypeID;
        write_wide(title, &mut info.title);
        write_wide(title, &mut info.shortTitle);
        write_wide(units, &mut info.units);
        info.unitId = kRootUnitId;
        info.valueDesc = NoteExpressionValueDescription {
            defaultValue: neutral,
            minimum: 0.0,
            maximum: 1.0,
            stepCount: 0,
        };
        info.associatedParameterId = kNoParamId;
        let is_bipolar = neutral == 0.5;
        info.flags = if is_bipolar {
            NoteExpressionTypeInfo_::NoteExpressionTypeFlags_::kIsBipolar as int32
        } else {
            0
        };
        kResultOk
    }

    unsafe fn getNoteExpressionStringByValue(
        &self,
        _bus: int32,
        _channel: int16,
        id: NoteExpressionTypeID,
        value: NoteExpressionValue,
        string: *mut String128,
    ) -> tresult {
        // SAFETY: the host passes a pointer to write to.
        let (Some(string), Some((_, scale, offset))) = (unsafe { string.as_mut() }, expression(id))
        else {
            return kInvalidArgument;
        };
        write_wide(&format!("{:.3}", scale * value + offset), string);
        kResultOk
    }

    unsafe fn getNoteExpressionValueByString(
        &self,
        _bus: int32,
        _channel: int16,
        id: NoteExpressionTypeID,
        string: *const TChar,
        value: *mut NoteExpressionValue,
    ) -> tresult {
        // SAFETY: the host passes a NUL-terminated string and a pointer to write to.
        let number = unsafe { read_wide(string) }.and_then(|text| text.trim().parse::<f64>().ok());
        // SAFETY: as above.
        let (Some(number), Some(value), Some((_, scale, offset))) =
            (number, unsafe { value.as_mut() }, expression(id))
        else {
            return kResultFalse;
        };
        *value = ((number - offset) / scale).clamp(0.0, 1.0);
        kResultOk
    }
}
