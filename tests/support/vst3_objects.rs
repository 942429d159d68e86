//! The objects that a VST3 host passes to a plug-in: its application, the handler of edits,
//! streams, parameter queues and event lists. Every object may be called from any thread.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use vst3::Steinberg::Vst::{
    Event, IComponentHandler, IComponentHandler2, IComponentHandler2Trait, IComponentHandler3,
    IComponentHandler3Trait, IComponentHandlerTrait, IContextMenu, IContextMenu_,
    IContextMenuTarget, IContextMenuTrait, IEventList, IEventListTrait, IHostApplication,
    IHostApplicationTrait, IParamValueQueue, IParamValueQueueTrait, IParameterChanges,
    IParameterChangesTrait, IUnitHandler, IUnitHandlerTrait, ParamID, ParamValue, ProgramListID,
    String128, UnitID,
};
use vst3::Steinberg::{
    FIDString, IBStream, IBStreamTrait, IPlugView, TBool, TUID, UCoord, int32, int64,
    kInvalidArgument, kNotImplemented, kResultFalse, kResultOk, tresult,
};
use vst3::{Class, ComWrapper};

/// Locks even if a panic has poisoned it: the content is plain data.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a VST3 text up to its end.
pub fn text(utf16: &[u16]) -> String {
    let end = utf16.iter().position(|unit| *unit == 0).unwrap_or(utf16.len());
    String::from_utf16_lossy(&utf16[..end])
}

/// Writes a VST3 text.
pub fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

/// The host as the plug-in sees it at `initialize`.
pub struct Application;

impl Class for Application {
    type Interfaces = (IHostApplication,);
}

impl IHostApplicationTrait for Application {
    unsafe fn getName(&self, name: *mut String128) -> tresult {
        let ours = utf16("Ictus test host");
        unsafe { (&mut *name)[..ours.len()].copy_from_slice(&ours) };
        kResultOk
    }

    unsafe fn createInstance(
        &self,
        _: *mut TUID,
        _: *mut TUID,
        object: *mut *mut c_void,
    ) -> tresult {
        unsafe { *object = std::ptr::null_mut() };
        kNotImplemented
    }
}

/// A call of the component handler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RollContacts {
    Begin(u32),
    Perform(u32, f64),
    End(u32),
    /// With the flags.
    Restart(i32),
    Dirty(bool),
    /// A list and a program, or all of the list.
    ProgramList(i32, i32),
    GroupEdit(bool),
}

/// The component handler: records its calls, and their threads.
#[derive(Default)]
pub struct Handler {
    reported: Mutex<Vec<(RollContacts, ThreadId)>>,
    /// Edits that the processor has not received yet: a host sends them with its next block.
    pending: Mutex<Vec<(u32, f64)>>,
}

impl Handler {
    fn note(&self, reported: RollContacts) -> tresult {
        lock(&self.reported).push((reported, std::thread::current().id()));
        kResultOk
    }

    /// The calls since the last call of this.
    pub fn take(&self) -> Vec<(RollContacts, ThreadId)> {
        std::mem::take(&mut lock(&self.reported))
    }

    /// Edits for the next block.
    pub fn take_pending(&self) -> Vec<(u32, f64)> {
        std::mem::take(&mut lock(&self.pending))
    }
}

impl Class for Handler {
    type Interfaces = (IComponentHandler, IComponentHandler2, IComponentHandler3, IUnitHandler);
}

impl IComponentHandlerTrait for Handler {
    unsafe fn beginEdit(&self, id: ParamID) -> tresult {
        self.note(RollContacts::Begin(id))
    }

    unsafe fn performEdit(&self, id: ParamID, value: ParamValue) -> tresult {
        lock(&self.pending).push((id, value));
        self.note(RollContacts::Perform(id, value))
    }

    unsafe fn endEdit(&self, id: ParamID) -> tresult {
        self.note(RollContacts::End(id))
    }

    unsafe fn restartComponent(&self, flags: int32) -> tresult {
        self.note(RollContacts::Restart(flags))
    }
}

impl IComponentHandler2Trait for Handler {
    unsafe fn setDirty(&self, state: TBool) -> tresult {
        self.note(RollContacts::Dirty(state != 0))
    }

    unsafe fn requestOpenEditor(&self, _: FIDString) -> tresult {
        kNotImplemented
    }

    unsafe fn startGroupEdit(&self) -> tresult {
        self.note(RollContacts::GroupEdit(true))
    }

    unsafe fn finishGroupEdit(&self) -> tresult {
        self.note(RollContacts::GroupEdit(false))
    }
}

impl IComponentHandler3Trait for Handler {
    unsafe fn createContextMenu(&self, _: *mut IPlugView, _: *const ParamID) -> *mut IContextMenu {
        let menu = ComWrapper::new(Menu::default()).to_com_ptr::<IContextMenu>();
        menu.map_or(std::ptr::null_mut(), |menu| menu.into_raw())
    }
}

impl IUnitHandlerTrait for Handler {
    unsafe fn notifyUnitSelection(&self, _: UnitID) -> tresult {
        kResultOk
    }

    unsafe fn notifyProgramListChange(&self, list: ProgramListID, program: int32) -> tresult {
        self.note(RollContacts::ProgramList(list, program))
    }
}

/// A context menu that opens and in which nothing is chosen.
#[derive(Default)]
struct Menu(Mutex<Vec<IContextMenu_::Item>>);

impl Class for Menu {
    type Interfaces = (IContextMenu,);
}

impl IContextMenuTrait for Menu {
    unsafe fn getItemCount(&self) -> int32 {
        lock(&self.0).len() as int32
    }

    unsafe fn getItem(
        &self,
        index: int32,
        item: *mut IContextMenu_::Item,
        target: *mut *mut IContextMenuTarget,
    ) -> tresult {
        let items = lock(&self.0);
        let Some(found) = usize::try_from(index).ok().and_then(|index| items.get(index)) else {
            return kInvalidArgument;
        };
        unsafe {
            *item = *found;
            if !target.is_null() {
                *target = std::ptr::null_mut();
            }
        }
        kResultOk
    }

    unsafe fn addItem(
        &self,
        item: *const IContextMenu_::Item,
        _: *mut IContextMenuTarget,
    ) -> tresult {
        lock(&self.0).push(unsafe { *item });
        kResultOk
    }

    unsafe fn removeItem(
        &self,
        item: *const IContextMenu_::Item,
        _: *mut IContextMenuTarget,
    ) -> tresult {
        let tag = unsafe { (*item).tag };
        lock(&self.0).retain(|kept| kept.tag != tag);
        kResultOk
    }

    unsafe fn popup(&self, _: UCoord, _: UCoord) -> tresult {
        kResultOk
    }
}

/// Bytes that a plug-in reads or writes.
pub struct Stream {
    bytes: Mutex<(Vec<u8>, usize)>,
    /// At most this many are read or written by one call, as a host may do.
    piece: usize,
}

impl Stream {
    pub fn new(bytes: &[u8], piece: usize) -> ComWrapper<Self> {
        ComWrapper::new(Self { bytes: Mutex::new((bytes.to_vec(), 0)), piece })
    }

    pub fn bytes(&self) -> Vec<u8> {
        lock(&self.bytes).0.clone()
    }
}

impl Class for Stream {
    type Interfaces = (IBStream,);
}

impl IBStreamTrait for Stream {
    unsafe fn read(&self, buffer: *mut c_void, count: int32, done: *mut int32) -> tresult {
        let mut guard = lock(&self.bytes);
        let (bytes, place) = &mut *guard;
        let part = bytes.get(*place..).unwrap_or_default();
        let count = part.len().min(count.max(0) as usize).min(self.piece);
        unsafe {
            std::ptr::copy_nonoverlapping(part.as_ptr(), buffer.cast(), count);
            if !done.is_null() {
                *done = count as int32;
            }
        }
        *place += count;
        kResultOk
    }

    unsafe fn write(&self, buffer: *mut c_void, count: int32, done: *mut int32) -> tresult {
        let mut guard = lock(&self.bytes);
        let (bytes, place) = &mut *guard;
        let count = (count.max(0) as usize).min(self.piece);
        bytes.resize(bytes.len().max(*place + count), 0);
        unsafe {
            std::ptr::copy_nonoverlapping(buffer.cast::<u8>(), bytes[*place..].as_mut_ptr(), count);
            if !done.is_null() {
                *done = count as int32;
            }
        }
        *place += count;
        kResultOk
    }

    unsafe fn seek(&self, to: int64, mode: int32, result: *mut int64) -> tresult {
        let mut guard = lock(&self.bytes);
        let (bytes, place) = &mut *guard;
        let from = match mode {
            0 => 0,
            1 => *place,
            2 => bytes.len(),
            _ => return kInvalidArgument,
        };
        let Ok(new) = usize::try_from(from as int64 + to) else { return kInvalidArgument };
        *place = new;
        if !result.is_null() {
            unsafe { *result = new as int64 };
        }
        kResultOk
    }

    unsafe fn tell(&self, place: *mut int64) -> tresult {
        unsafe { *place = lock(&self.bytes).1 as int64 };
        kResultOk
    }
}

/// The points of one parameter in a block.
pub struct Queue {
    id: u32,
    points: Mutex<Vec<(i32, f64)>>,
}

impl Class for Queue {
    type Interfaces = (IParamValueQueue,);
}

impl IParamValueQueueTrait for Queue {
    unsafe fn getParameterId(&self) -> ParamID {
        self.id
    }

    unsafe fn getPointCount(&self) -> int32 {
        lock(&self.points).len() as int32
    }

    unsafe fn getPoint(&self, index: int32, offset: *mut int32, value: *mut ParamValue) -> tresult {
        let points = lock(&self.points);
        let Some(point) = usize::try_from(index).ok().and_then(|index| points.get(index)) else {
            return kResultFalse;
        };
        unsafe { (*offset, *value) = *point };
        kResultOk
    }

    unsafe fn addPoint(&self, offset: int32, value: ParamValue, index: *mut int32) -> tresult {
        let mut points = lock(&self.points);
        points.push((offset, value));
        if !index.is_null() {
            unsafe { *index = points.len() as int32 - 1 };
        }
        kResultOk
    }
}

/// The queues of a block.
#[derive(Default)]
pub struct Changes(Mutex<Vec<ComWrapper<Queue>>>);

impl Changes {
    /// Points in the order in which they are given, gathered by parameter.
    pub fn new(points: &[(u32, i32, f64)]) -> ComWrapper<Self> {
        let changes = Self::default();
        for (id, offset, value) in points {
            lock(&changes.queue(*id).points).push((*offset, *value));
        }
        ComWrapper::new(changes)
    }

    /// The queue of a parameter, empty if it is new.
    pub fn queue(&self, id: u32) -> ComWrapper<Queue> {
        let mut queues = lock(&self.0);
        if let Some(known) = queues.iter().find(|queue| queue.id == id) {
            return known.clone();
        }
        let queue = ComWrapper::new(Queue { id, points: Mutex::default() });
        queues.push(queue.clone());
        queue
    }

    /// All points: parameter, offset and value.
    pub fn points(&self) -> Vec<(u32, i32, f64)> {
        let of = |queue: &ComWrapper<Queue>| {
            let points = lock(&queue.points).clone();
            points.into_iter().map(|(offset, value)| (queue.id, offset, value)).collect::<Vec<_>>()
        };
        lock(&self.0).iter().flat_map(of).collect()
    }

    /// A pointer owned by this list, as the interface demands.
    fn borrowed(queue: Option<&ComWrapper<Queue>>) -> *mut IParamValueQueue {
        let queue = queue.and_then(|queue| queue.as_com_ref::<IParamValueQueue>());
        queue.map_or(std::ptr::null_mut(), |queue| queue.as_ptr())
    }
}

impl Class for Changes {
    type Interfaces = (IParameterChanges,);
}

impl IParameterChangesTrait for Changes {
    unsafe fn getParameterCount(&self) -> int32 {
        lock(&self.0).len() as int32
    }

    unsafe fn getParameterData(&self, index: int32) -> *mut IParamValueQueue {
        Self::borrowed(
            usize::try_from(index)
                .ok()
                .and_then(|index| lock(&self.0).get(index).cloned())
                .as_ref(),
        )
    }

    unsafe fn addParameterData(
        &self,
        id: *const ParamID,
        index: *mut int32,
    ) -> *mut IParamValueQueue {
        let id = unsafe { *id };
        let queue = self.queue(id);
        if !index.is_null() {
            let place = lock(&self.0).iter().position(|known| known.id == id).unwrap_or(0);
            unsafe { *index = place as int32 };
        }
        Self::borrowed(Some(&queue))
    }
}

/// The events of a block.
#[derive(Default)]
pub struct Events(Mutex<Vec<Event>>);

impl Events {
    pub fn new(events: &[Event]) -> ComWrapper<Self> {
        ComWrapper::new(Self(Mutex::new(events.to_vec())))
    }
}

impl Class for Events {
    type Interfaces = (IEventList,);
}

impl IEventListTrait for Events {
    unsafe fn getEventCount(&self) -> int32 {
        lock(&self.0).len() as int32
    }

    unsafe fn getEvent(&self, index: int32, event: *mut Event) -> tresult {
        let events = lock(&self.0);
        let Some(found) = usize::try_from(index).ok().and_then(|index| events.get(index)) else {
            return kInvalidArgument;
        };
        unsafe { *event = *found };
        kResultOk
    }

    unsafe fn addEvent(&self, event: *mut Event) -> tresult {
        lock(&self.0).push(unsafe { *event });
        kResultOk
    }
}
