//! Hosts that violate the standard, through the bare functions of CLAP: calls in the wrong order,
//! buffers that are missing or of another width, and invalid lists of events. Nothing aborts, and a
//! main output of two channels plays whatever else is wrong. Each test runs in a process of its
//! own.

#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

use crate::support::built;
use crate::support::child::run_isolated;
use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::entry::clap_plugin_entry;
use clap_sys::events::{
    CLAP_EVENT_NOTE_ON, clap_event_header, clap_event_note, clap_input_events, clap_output_events,
};
use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use clap_sys::version::CLAP_VERSION;
use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

const FRAMES: usize = 256;

unsafe extern "C" fn no_extension(_: *const clap_host, _: *const c_char) -> *const c_void {
    null()
}

unsafe extern "C" fn ignore(_: *const clap_host) {}

static HOST: clap_host = clap_host {
    clap_version: CLAP_VERSION,
    host_data: null_mut(),
    name: c"Ictus test host".as_ptr(),
    vendor: c"Ictus".as_ptr(),
    url: c"".as_ptr(),
    version: c"1.0".as_ptr(),
    get_extension: Some(no_extension),
    request_restart: Some(ignore),
    request_process: Some(ignore),
    request_callback: Some(ignore),
};

/// An instance, without anything between it and the test. All functions of the standard are
/// present.
struct Raw(*const clap_plugin);

impl Raw {
    fn new() -> Self {
        let path = built("ICTUS_CLAP");
        // SAFETY: the file is a plug-in that this repository has built. It is never unloaded.
        unsafe {
            let library = Box::leak(Box::new(libloading::Library::new(&path).expect("it loads")));
            let entry =
                library.get::<*const clap_plugin_entry>(b"clap_entry\0").expect("it has an entry");
            let path = CString::new(path.to_str().expect("plain")).expect("plain");
            assert!(((**entry).init.expect("init"))(path.as_ptr()));
            let factory =
                ((**entry).get_factory.expect("factories"))(CLAP_PLUGIN_FACTORY_ID.as_ptr());
            let factory = factory.cast::<clap_plugin_factory>();
            let create = (*factory).create_plugin.expect("it creates");
            let plugin = create(factory, &HOST, c"audio.ictus.ictus".as_ptr());
            assert!(!plugin.is_null() && ((*plugin).init.expect("init"))(plugin));
            Self(plugin)
        }
    }

    fn playing() -> Self {
        let raw = Self::new();
        assert!(raw.activate() && raw.start());
        raw
    }

    fn activate(&self) -> bool {
        unsafe { ((*self.0).activate.expect("activate"))(self.0, 48_000.0, 1, FRAMES as u32) }
    }

    fn deactivate(&self) {
        unsafe { ((*self.0).deactivate.expect("deactivate"))(self.0) }
    }

    fn start(&self) -> bool {
        unsafe { ((*self.0).start_processing.expect("start"))(self.0) }
    }

    fn stop(&self) {
        unsafe { ((*self.0).stop_processing.expect("stop"))(self.0) }
    }

    fn reset(&self) {
        unsafe { ((*self.0).reset.expect("reset"))(self.0) }
    }

    fn process(&self, process: &clap_process) -> clap_process_status {
        unsafe { ((*self.0).process.expect("process"))(self.0, process) }
    }

    /// A block with these events into a stereo output; the samples of both channels.
    fn play(&self, frames: usize, events: &Events) -> (clap_process_status, [Vec<f32>; 2]) {
        let mut sides = [vec![f32::NAN; frames], vec![f32::NAN; frames]];
        let mut pointers = sides.each_mut().map(|side| side.as_mut_ptr());
        let mut output = buffer(pointers.as_mut_ptr(), 2);
        let lists = (events.list(), OUT);
        (self.process(&block(frames, &mut output, 1, &lists)), sides)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        unsafe { ((*self.0).destroy.expect("destroy"))(self.0) }
    }
}

fn buffer(data32: *mut *mut f32, channels: u32) -> clap_audio_buffer {
    clap_audio_buffer {
        data32,
        data64: null_mut(),
        channel_count: channels,
        latency: 0,
        constant_mask: 0,
    }
}

fn block(
    frames: usize,
    outputs: *mut clap_audio_buffer,
    count: u32,
    (events, out): &(clap_input_events, clap_output_events),
) -> clap_process {
    clap_process {
        steady_time: -1,
        frames_count: frames as u32,
        transport: null(),
        audio_inputs: null(),
        audio_outputs: outputs,
        audio_inputs_count: 0,
        audio_outputs_count: count,
        in_events: events,
        out_events: out,
    }
}

/// Events in the given order; `None` is a null pointer.
struct Events(Vec<Option<clap_event_note>>);

impl Events {
    fn none() -> Self {
        Self(Vec::new())
    }

    fn note() -> Self {
        Self(vec![Some(note(3, 60))])
    }

    fn list(&self) -> clap_input_events {
        clap_input_events {
            ctx: (&raw const *self).cast_mut().cast(),
            size: Some(size),
            get: Some(get),
        }
    }
}

fn note(time: u32, key: i16) -> clap_event_note {
    let size = size_of::<clap_event_note>() as u32;
    let header = clap_event_header { size, time, space_id: 0, type_: CLAP_EVENT_NOTE_ON, flags: 0 };
    clap_event_note { header, note_id: -1, port_index: 0, channel: 0, key, velocity: 0.9 }
}

unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
    unsafe { (*(*list).ctx.cast::<Events>()).0.len() as u32 }
}

unsafe extern "C" fn get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    let events = unsafe { &*(*list).ctx.cast::<Events>() };
    events.0.get(index as usize).and_then(Option::as_ref).map_or(null(), |note| &note.header)
}

unsafe extern "C" fn refuse(_: *const clap_output_events, _: *const clap_event_header) -> bool {
    false
}

const OUT: clap_output_events = clap_output_events { ctx: null_mut(), try_push: Some(refuse) };

/// The sound of a note under valid conditions.
fn normal() -> Vec<f32> {
    let (_, sides) = Raw::playing().play(FRAMES, &Events::note());
    assert!(sides[0].iter().any(|sample| sample.abs() > 1e-3), "there is nothing to hear");
    sides.concat()
}

#[track_caller]
fn assert_refused((status, sides): (clap_process_status, [Vec<f32>; 2])) {
    assert_eq!(status, CLAP_PROCESS_ERROR);
    assert!(sides.iter().flatten().all(|sample| sample.is_nan() || *sample == 0.0), "it plays");
}

#[test]
fn processing_before_activation_is_refused() {
    run_isolated(|| {
        let raw = Raw::new();
        assert_refused(raw.play(FRAMES, &Events::note()));
        raw.start();
        assert_refused(raw.play(FRAMES, &Events::note()));
        raw.stop();
        assert!(raw.activate() && raw.start());
        assert!(
            raw.play(FRAMES, &Events::note()).1.concat() == normal(),
            "it plays afterwards as always"
        );
        raw.stop();
        raw.deactivate();
        assert_refused(raw.play(FRAMES, &Events::note()));
    });
}

#[test]
fn calls_in_the_wrong_order_do_no_harm() {
    run_isolated(|| {
        let raw = Raw::new();
        raw.reset();
        raw.deactivate();
        raw.stop();
        assert!(raw.activate());
        raw.activate();
        // Without start_processing.
        raw.play(FRAMES, &Events::note());
        raw.start();
        raw.start();
        raw.deactivate();
        raw.deactivate();
        raw.play(FRAMES, &Events::note());
        assert!(raw.activate() && raw.start());
        assert!(
            raw.play(FRAMES, &Events::note()).1.concat() == normal(),
            "it plays afterwards as always"
        );
        // Destroyed while it is active.
    });
}

#[test]
fn missing_outputs_do_no_harm() {
    run_isolated(|| {
        let events = Events::note();
        let lists = (events.list(), OUT);
        let mut none = [null_mut(); 2];
        for (mut output, count) in [
            (buffer(null_mut(), 2), 1),
            (buffer(none.as_mut_ptr(), 2), 1),
            (buffer(null_mut(), 0), 1),
        ] {
            let raw = Raw::playing();
            raw.process(&block(FRAMES, &mut output, count, &lists));
        }
        for count in [0, 1] {
            Raw::playing().process(&block(FRAMES, null_mut(), count, &lists));
        }
        unsafe {
            let raw = Raw::playing();
            ((*raw.0).process.expect("process"))(raw.0, null());
        }
    });
}

#[test]
fn outputs_of_another_width_play() {
    run_isolated(|| {
        let normal = normal();
        for width in [1usize, 3, 8] {
            let mut channels = vec![vec![f32::NAN; FRAMES]; width];
            let mut pointers: Vec<_> =
                channels.iter_mut().map(|channel| channel.as_mut_ptr()).collect();
            let mut output = buffer(pointers.as_mut_ptr(), width as u32);
            let events = Events::note();
            Raw::playing().process(&block(FRAMES, &mut output, 1, &(events.list(), OUT)));
            assert!(
                channels.iter().flatten().all(|sample| sample.is_finite()),
                "{width}: some are not written"
            );
            assert!(channels[0].iter().any(|sample| sample.abs() > 1e-3), "{width}: it is silent");
            if width > 1 {
                assert!(channels[..2].concat() == normal, "{width}: the first two are as always");
                assert!(
                    channels[2..].iter().flatten().all(|sample| *sample == 0.0),
                    "{width}: the others are silent"
                );
            }
        }
        // More outputs than exist.
        let mut channels = vec![vec![f32::NAN; FRAMES]; 8];
        let mut pointers: Vec<_> =
            channels.iter_mut().map(|channel| channel.as_mut_ptr()).collect();
        let mut outputs: Vec<_> =
            pointers.chunks_mut(2).map(|pair| buffer(pair.as_mut_ptr(), 2)).collect();
        let events = Events::note();
        Raw::playing().process(&block(FRAMES, outputs.as_mut_ptr(), 4, &(events.list(), OUT)));
        assert!(channels[..2].concat() == normal, "the main output is as always");
    });
}

#[test]
fn unexpected_inputs_change_nothing() {
    run_isolated(|| {
        let mut sides = [vec![f32::NAN; FRAMES], vec![f32::NAN; FRAMES]];
        let mut pointers = sides.each_mut().map(|side| side.as_mut_ptr());
        let (mut output, input) = (buffer(pointers.as_mut_ptr(), 2), buffer(null_mut(), 2));
        let events = Events::note();
        let lists = (events.list(), OUT);
        let process = clap_process {
            audio_inputs: &input,
            audio_inputs_count: 1,
            ..block(FRAMES, &mut output, 1, &lists)
        };
        Raw::playing().process(&process);
        assert!(sides.concat() == normal(), "a missing input is heard");
        let process = clap_process { audio_inputs: null(), audio_inputs_count: 1, ..process };
        Raw::playing().process(&process);
    });
}

#[test]
fn invalid_lists_of_events_do_no_harm() {
    run_isolated(|| {
        let with = |change: fn(&mut clap_event_note)| {
            let mut odd = note(3, 60);
            change(&mut odd);
            Some(odd)
        };
        let raw = Raw::playing();
        for events in [
            vec![None],
            vec![None, Some(note(3, 60)), None],
            vec![Some(note(200, 60)), Some(note(3, 64)), Some(note(100, 67))],
            vec![Some(note(FRAMES as u32, 60)), Some(note(u32::MAX, 64))],
            vec![
                with(|note| note.key = -1),
                with(|note| note.key = 999),
                with(|note| note.channel = 99),
            ],
            vec![with(|note| note.velocity = f64::NAN), with(|note| note.velocity = 1e300)],
            vec![with(|note| note.header.space_id = 7), with(|note| note.header.type_ = 999)],
            vec![with(|note| note.port_index = 99), with(|note| note.note_id = i32::MIN)],
        ] {
            let (_, sides) = raw.play(FRAMES, &Events(events));
            let is_good = |sample: &f32| sample.is_finite() && sample.abs() <= 1.0;
            assert!(sides.iter().flatten().all(is_good), "invalid input is heard");
        }
        // Unordered events are played, early or late.
        let raw = Raw::playing();
        raw.play(FRAMES, &Events(vec![Some(note(200, 60)), Some(note(3, 64))]));
        let (_, sides) = raw.play(FRAMES, &Events::none());
        assert!(sides[0].iter().any(|sample| sample.abs() > 1e-3), "both are lost");
        // An event beyond the block is played in it or in the next.
        let raw = Raw::playing();
        raw.play(FRAMES, &Events(vec![Some(note(10 * FRAMES as u32, 60))]));
        let (_, sides) = raw.play(FRAMES, &Events::none());
        assert!(sides[0].iter().any(|sample| sample.abs() > 1e-3), "the late one is lost");
    });
}

#[test]
fn missing_lists_do_no_harm() {
    run_isolated(|| {
        let mut sides = [vec![f32::NAN; FRAMES], vec![f32::NAN; FRAMES]];
        let mut pointers = sides.each_mut().map(|side| side.as_mut_ptr());
        let mut output = buffer(pointers.as_mut_ptr(), 2);
        let events = Events::note();
        let whole = (events.list(), OUT);
        let process = block(FRAMES, &mut output, 1, &whole);
        let raw = Raw::playing();
        raw.process(&process);
        raw.process(&clap_process { in_events: null(), out_events: null(), ..process });
        assert!(sides[0].iter().any(|sample| sample.abs() > 1e-4), "the note rings on");
    });
}

#[test]
fn empty_and_oversized_blocks_do_no_harm() {
    run_isolated(|| {
        let raw = Raw::playing();
        raw.play(0, &Events::note());
        let (_, sides) = raw.play(8192, &Events::note());
        assert!(
            sides.iter().flatten().all(|sample| sample.is_finite()),
            "a part of the block is not written"
        );
        // A block larger than announced may be refused; the next block plays.
        let (_, sides) = raw.play(FRAMES, &Events::note());
        assert!(sides[0].iter().any(|sample| sample.abs() > 1e-3), "it is silent");
    });
}
