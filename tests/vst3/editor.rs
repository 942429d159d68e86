//! The editor in a real window: opened under automation, with the host's run loop on any thread or
//! none, under the mouse, and on a display that disappears.

use crate::display::SERVER;
use crate::helpers::{BLOCK, RATE, assert_plays, id, on_display, playing, vst3};
use crate::memory;
use crate::screen::Screen;
use crate::support::clap_host::{Score, fixed_blocks};
use crate::vst3_host::{LoopThread, RollContacts, RunLoop, View, Vst3Host};
use crate::window;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use vst3::Steinberg::kResultOk;

/// Bytes that one opening may leave allocated.
const LEFT: usize = 256 << 10;
const PATIENCE: Duration = Duration::from_secs(120);
/// The dial of the mass in a new window.
const MASS: (i16, i16) = (105, 131);

const AUTOMATED: [&str; 10] =
    ["mass", "speed", "pos", "tune", "size", "thick", "pickl", "pickr", "level", "width"];

/// Runs the run loop for this time, or sleeps if there is none.
fn idle(run_loop: Option<&Arc<RunLoop>>, milliseconds: u64) {
    let time = Duration::from_millis(milliseconds);
    match run_loop {
        Some(run_loop) => run_loop.run_for(time),
        None => std::thread::sleep(time),
    }
}

/// An editor in a window of its own.
pub fn open(host: &Vst3Host, screen: &Screen, run_loop: Option<&Arc<RunLoop>>) -> (View, u32) {
    let view = host.editor(run_loop).expect("it has an editor");
    let window = screen.window((0, 0), view.size());
    assert_eq!(view.attach(window), kResultOk, "it opens");
    (view, window)
}

fn close(screen: &Screen, (view, window): (View, u32)) {
    assert_eq!(view.remove(), kResultOk, "it closes");
    drop(view);
    screen.close(window);
}

/// Waits until it is drawn: text has many colours.
fn wait_for_picture(screen: &Screen, view: &View, run_loop: Option<&Arc<RunLoop>>) {
    let start = Instant::now();
    while screen.colours((0, 0), view.size()) < 100 {
        assert!(start.elapsed() < PATIENCE, "nothing is drawn");
        idle(run_loop, 20);
    }
}

/// Automates ten parameters in each block, and a controller, until it is stopped.
pub fn automate(host: &Vst3Host, ends: &AtomicBool) {
    let mut step = 0u32;
    while !ends.load(Ordering::SeqCst) {
        let value = |n: usize| 0.5 + 0.4 * (f64::from(step) * 0.1 + n as f64).sin();
        let mut block = host.block(BLOCK);
        block.points =
            AUTOMATED.iter().enumerate().map(|(n, name)| (id(name), n as i32, value(n))).collect();
        if step.is_multiple_of(20) {
            block.events.push(crate::vst3_host::note_on(0, 0, 60, 0.5, -1));
        }
        host.process(&mut block).expect("answers");
        // JUCE hosts also update the controller, from whichever thread reads the automation.
        if step.is_multiple_of(3) {
            host.set_value(id("mass"), value(0));
        }
        step += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Two hundred openings while another thread automates.
fn two_hundred_openings(run_loop: Option<&Arc<RunLoop>>, turns_here: bool) {
    const MANY: usize = 200;
    // The first openings load libraries that stay loaded.
    const FIRST: usize = 20;
    let here = run_loop.filter(|_| turns_here);
    let (screen, host, ends) = (Screen::new(), playing(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| automate(&host, &ends));
        let mut after_first = 0;
        for number in 0..MANY {
            let opened = open(&host, &screen, run_loop);
            // Some are drawn; the others are closed while they draw, or before.
            match number % 20 {
                0 => wait_for_picture(&screen, &opened.0, here),
                n => idle(here, n as u64),
            }
            if number % 3 == 0 {
                let number = number as i32;
                opened.0.set_size((900 + 7 * (number % 11), 620 + 5 * (number % 13)));
            }
            close(&screen, opened);
            idle(here, 1);
            if number + 1 == FIRST {
                after_first = memory::in_use();
            }
        }
        let each = memory::in_use().saturating_sub(after_first) / (MANY - FIRST);
        println!("{:.1} MB in use, {each} bytes more with each opening", after_first as f64 / 1e6);
        ends.store(true, Ordering::SeqCst);
        assert!(each < LEFT, "{each} bytes");
    });
    if let Some(run_loop) = run_loop {
        println!("the run loop called {} handlers", run_loop.calls());
        assert_eq!(run_loop.registered(), 0, "handlers left registered");
    }
    assert_plays(&host);
}

#[test]
fn two_hundred_openings_with_a_run_loop() {
    on_display(|| two_hundred_openings(Some(&Arc::new(RunLoop::default())), true));
}

#[test]
fn two_hundred_openings_without_a_run_loop() {
    on_display(|| two_hundred_openings(None, false));
}

/// As Carla does it: handlers run on a thread of their own.
#[test]
fn two_hundred_openings_with_a_run_loop_on_another_thread() {
    on_display(|| {
        let run_loop = Arc::new(RunLoop::default());
        let _thread = LoopThread::start(run_loop.clone());
        two_hundred_openings(Some(&run_loop), false);
    });
}

/// Sixty points to the right with the button down.
fn drag(screen: &Screen, (x, y): (i16, i16), mut meanwhile: impl FnMut()) {
    screen.point_at(x, y);
    meanwhile();
    screen.press(true);
    for step in 1..=12 {
        screen.point_at(x + 5 * step, y);
        meanwhile();
    }
    screen.press(false);
    meanwhile();
}

/// The handler received begin, edits and end for one parameter, all of it on this thread.
#[track_caller]
fn assert_edits(reported: &[(RollContacts, std::thread::ThreadId)], mass: u32, value: f64) {
    let here = std::thread::current().id();
    let mut is_held = false;
    let mut last = None;
    for (reported, thread) in reported {
        match reported {
            RollContacts::Begin(param) if *param == mass => {
                assert!(!std::mem::replace(&mut is_held, true), "begun twice")
            }
            RollContacts::End(param) if *param == mass => {
                assert!(std::mem::take(&mut is_held), "ended twice")
            }
            RollContacts::Perform(param, value) if *param == mass => {
                assert!(is_held, "moved before it was taken hold of");
                last = Some(*value);
            }
            _ => continue,
        }
        assert_eq!(*thread, here, "{reported:?} comes on another thread than the host's main one");
    }
    assert!(!is_held, "never let go");
    let last = last.expect("it was moved");
    assert!((last - value).abs() < 1e-6, "the last edit is {last}, and the value {value}");
}

/// True if the handler's last message about a parameter is its end, with this value.
fn is_let_go(reported: &[(RollContacts, std::thread::ThreadId)], mass: u32, value: f64) -> bool {
    let mut of_it = reported.iter().rev().filter_map(|(reported, _)| match reported {
        RollContacts::Perform(param, value) if *param == mass => Some(Some(*value)),
        RollContacts::End(param) if *param == mass => Some(None),
        _ => None,
    });
    of_it.next() == Some(None)
        && of_it.flatten().next().is_some_and(|last| (last - value).abs() < 1e-6)
}

/// Drags the dial of the mass until the host receives an edit.
fn mass_under_the_mouse(host: &Vst3Host, screen: &Screen, mut play: impl FnMut()) {
    let run_loop = Arc::new(RunLoop::default());
    let mass = id("mass");
    let before = host.value(mass);
    let opened = open(host, screen, Some(&run_loop));
    wait_for_picture(screen, &opened.0, Some(&run_loop));
    host.handler.take();
    let mut reported = Vec::new();
    let start = Instant::now();
    // A busy machine may draw too seldom to see the press; a user would try again.
    while !reported
        .iter()
        .any(|(reported, _)| matches!(reported, RollContacts::Perform(param, _) if *param == mass))
    {
        assert!(start.elapsed() < PATIENCE, "no edit reaches the host");
        drag(screen, MASS, || {
            run_loop.run_for(Duration::from_millis(60));
            play();
        });
        run_loop.run_for(Duration::from_millis(300));
        reported.extend(host.handler.take());
    }
    // The editor may still be processing the last moves.
    while !is_let_go(&reported, mass, host.value(mass)) {
        assert!(start.elapsed() < PATIENCE, "the last edit does not reach the host");
        run_loop.run_for(Duration::from_millis(60));
        reported.extend(host.handler.take());
        play();
    }
    let after = host.value(mass);
    println!("from {before} to {after}: {} messages", reported.len());
    assert!(after > before, "from {before} to {after}");
    assert_edits(&reported, mass, after);
    close(screen, opened);
}

#[test]
fn edits_reach_the_host_while_it_plays() {
    on_display(|| {
        let host = playing();
        mass_under_the_mouse(&host, &Screen::new(), || {
            host.render(&Score::new(), &[BLOCK]).expect("plays");
        });
    });
}

#[test]
fn edits_reach_the_host_while_it_does_not_process() {
    on_display(|| {
        let (screen, host) = (Screen::new(), vst3());
        mass_under_the_mouse(&host, &screen, || {});
        host.activate(RATE, BLOCK).expect("it can be activated");
        drop(host);
        let host = playing();
        host.set_processing(false);
        mass_under_the_mouse(&host, &screen, || {});
    });
}

/// A key that the editor does not use goes to the host.
#[test]
fn the_space_bar_is_the_hosts() {
    on_display(|| {
        let (screen, run_loop, host) = (Screen::new(), Arc::new(RunLoop::default()), playing());
        let opened = open(&host, &screen, Some(&run_loop));
        wait_for_picture(&screen, &opened.0, Some(&run_loop));
        assert!(!opened.0.press_key(u16::from(b' '), 0), "the editor takes the space bar");
        // VST3's code of the space bar.
        assert!(!opened.0.press_key(0, 7), "the editor takes the space bar by its code");
        close(&screen, opened);
    });
}

/// Ends the display server.
fn kill_the_display() {
    let server = std::env::var(SERVER).expect("the test has a display of its own");
    assert!(
        std::process::Command::new("kill")
            .args(["-9", &server])
            .status()
            .expect("there is kill")
            .success()
    );
}

/// When the connection to the display is lost, only the window closes.
#[test]
fn a_lost_display_closes_the_window_and_nothing_else() {
    on_display(|| {
        let (screen, run_loop, host) = (Screen::new(), Arc::new(RunLoop::default()), playing());
        let (view, _) = open(&host, &screen, Some(&run_loop));
        wait_for_picture(&screen, &view, Some(&run_loop));
        kill_the_display();
        for _ in 0..40 {
            assert_plays(&host);
            run_loop.run_for(Duration::from_millis(25));
        }
        // The host may not know, and request another size or close it.
        view.set_size((1000, 700));
        view.remove();
        drop(view);
        assert_plays(&host);
        let state = host.save().expect("saves");
        host.restore(&state).expect("opens");
        drop(host);
        assert_plays(&playing());
    });
}

#[test]
fn a_lost_display_closes_the_window_of_the_clap_and_nothing_else() {
    on_display(|| {
        let (screen, mut host) = (Screen::new(), window::load("ICTUS_CLAP").expect("it loads"));
        host.activate(RATE, BLOCK).expect("it can be activated");
        let opened = window::open(&mut host, &screen, (0, 0)).expect("it opens");
        window::wait_for_picture(&mut host, &screen, &opened);
        kill_the_display();
        for _ in 0..40 {
            let score = Score::new().on(0, 60, 0.9);
            assert!(
                host.render(&score, &fixed_blocks(4800, BLOCK)).expect("plays").peak() > 1e-3,
                "it plays on"
            );
            std::thread::sleep(Duration::from_millis(25));
            host.answer_requests();
        }
        window::close_editor(&mut host);
        assert!(host.render(&Score::new(), &[BLOCK]).is_ok());
    });
}

/// A host of the CLAP may call `on_main_thread` from another thread than the one that opened the
/// editor.
#[test]
fn the_main_thread_of_the_clap_may_differ_from_the_editors() {
    on_display(|| {
        let (screen, mut host) = (Screen::new(), window::load("ICTUS_CLAP").expect("it loads"));
        host.activate(RATE, BLOCK).expect("it can be activated");
        let opened = window::open(&mut host, &screen, (0, 0)).expect("it opens");
        window::wait_for_picture(&mut host, &screen, &opened);
        let plugin = host.instance().plugin_handle().as_raw_ptr() as usize;
        for step in 0..50u32 {
            let score = AUTOMATED.iter().fold(Score::new(), |score, name| {
                score.param(0, id(name), 0.3 + f64::from(step) * 0.01)
            });
            host.render(&score, &[BLOCK]).expect("plays");
            // SAFETY: the instance exists, and nothing else calls it meanwhile.
            #[allow(unsafe_code)]
            let call = move || unsafe {
                let plugin = plugin as *const clap_sys::plugin::clap_plugin;
                ((*plugin).on_main_thread.expect("it has a main thread"))(plugin);
            };
            std::thread::spawn(call).join().expect("no panic");
            std::thread::sleep(Duration::from_millis(5));
        }
        window::close(&mut host, &screen, opened);
    });
}
