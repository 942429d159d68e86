//! Hosts create, open, save and delete on any thread, and in any order. Nothing aborts.

use crate::common::TestRng;
use crate::editor::{automate, open};
use crate::helpers::{BLOCK, RATE, assert_plays, id, on_display, playing, vst3};
use crate::screen::Screen;
use crate::support::child::run_isolated;
use crate::vst3_host::{LoopThread, RunLoop, View, Vst3Host};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use vst3::Steinberg::kResultOk;

/// Ten parameters in each of a few blocks.
fn automate_blocks(host: &Vst3Host, blocks: usize) {
    let names =
        ["mass", "speed", "pos", "tune", "size", "thick", "pickl", "pickr", "level", "gest"];
    for number in 0..blocks {
        let mut block = host.block(BLOCK);
        let value = |n: usize| ((number * 7 + n) % 11) as f64 / 10.0;
        block.points =
            names.iter().enumerate().map(|(n, name)| (id(name), n as i32, value(n))).collect();
        host.process(&mut block).expect("answers");
    }
}

/// Tasks for the main thread of a deleted instance must not stop those of another.
#[test]
fn deleted_with_everything_queued() {
    run_isolated(|| {
        for _ in 0..50 {
            let (one, other) = (playing(), playing());
            automate_blocks(&one, 20);
            drop(one);
            automate_blocks(&other, 20);
            drop(other);
        }
        assert_plays(&playing());
    });
}

/// The same, with an audio thread that ends right before.
#[test]
fn deleted_right_after_its_audio_thread() {
    run_isolated(|| {
        for _ in 0..50 {
            let (one, other) = (playing(), playing());
            std::thread::scope(|scope| {
                scope.spawn(|| automate_blocks(&one, 10));
                scope.spawn(|| automate_blocks(&other, 10));
            });
            drop(one);
            drop(other);
        }
    });
}

/// The same with its editor open.
#[test]
fn deleted_with_everything_queued_and_the_editor_open() {
    on_display(|| {
        let (screen, run_loop) = (Screen::new(), Arc::new(RunLoop::default()));
        for round in 0..20 {
            let (one, other) = (playing(), playing());
            let (view, window) = open(&one, &screen, Some(&run_loop));
            automate_blocks(&one, 20);
            if round % 2 == 0 {
                run_loop.run_for(Duration::from_millis(20));
            }
            view.remove();
            drop(view);
            drop(one);
            run_loop.run_for(Duration::from_millis(2));
            automate_blocks(&other, 20);
            drop(other);
            screen.close(window);
        }
        assert_eq!(run_loop.registered(), 0, "handlers left registered");
    });
}

/// The editor is opened and closed on other threads, while this one restores states and a further
/// one sends parameters.
#[test]
fn each_task_on_a_thread_of_its_own() {
    on_display(|| {
        let screen = Screen::new();
        for run_loop in [None, Some(Arc::new(RunLoop::default()))] {
            let (host, ends) = (playing(), AtomicBool::new(false));
            let state = host.save().expect("saves");
            std::thread::scope(|scope| {
                scope.spawn(|| automate(&host, &ends));
                for _ in 0..10 {
                    let (view, window) = scope
                        .spawn(|| {
                            let opened = open(&host, &screen, run_loop.as_ref());
                            if let Some(run_loop) = &run_loop {
                                run_loop.run_for(Duration::from_millis(30));
                            }
                            opened
                        })
                        .join()
                        .expect("no panic");
                    for _ in 0..5 {
                        host.restore(&state).expect("opens");
                        host.save().expect("saves");
                        host.set_value(id("size"), 0.4);
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    // Closed on another thread than it was opened on.
                    scope
                        .spawn(move || {
                            view.remove();
                            drop(view);
                        })
                        .join()
                        .expect("no panic");
                    screen.close(window);
                }
                ends.store(true, Ordering::SeqCst);
            });
        }
    });
}

#[test]
fn the_window_goes_before_the_view() {
    on_display(|| {
        // One for both rounds: a display without clients restarts.
        let screen = Screen::new();
        for run_loop in [None, Some(Arc::new(RunLoop::default()))] {
            let host = playing();
            for _ in 0..10 {
                let (view, window) = open(&host, &screen, run_loop.as_ref());
                std::thread::sleep(Duration::from_millis(60));
                screen.close(window);
                if let Some(run_loop) = &run_loop {
                    run_loop.run_for(Duration::from_millis(30));
                }
                std::thread::sleep(Duration::from_millis(30));
                view.remove();
                drop(view);
            }
            assert_plays(&host);
        }
    });
}

/// The instance is deleted first; the view is removed later, or never.
#[test]
fn released_with_the_view_attached() {
    on_display(|| {
        let screen = Screen::new();
        for run_loop in [None, Some(Arc::new(RunLoop::default()))] {
            for round in 0..12 {
                let host = playing();
                let (view, window) = open(&host, &screen, run_loop.as_ref());
                std::thread::sleep(Duration::from_millis(40));
                automate_blocks(&host, 3);
                drop(host);
                if let Some(run_loop) = &run_loop {
                    run_loop.run_for(Duration::from_millis(20));
                }
                match round % 3 {
                    // Dropping the view removes it.
                    0 => drop(view),
                    1 => {
                        view.remove();
                        drop(view);
                    }
                    _ => {
                        screen.close(window);
                        drop(view);
                        continue;
                    }
                }
                screen.close(window);
            }
        }
    });
}

/// A place for an instance, and its editor if that is open.
#[derive(Default)]
struct Place {
    host: RwLock<Option<Arc<Vst3Host>>>,
    view: Mutex<Option<(View, u32)>>,
}

impl Place {
    fn host(&self) -> Option<Arc<Vst3Host>> {
        self.host.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, host: Option<Arc<Vst3Host>>) -> Option<Arc<Vst3Host>> {
        std::mem::replace(&mut self.host.write().unwrap_or_else(PoisonError::into_inner), host)
    }

    /// A random action of a host. The editor's lock keeps two threads from one instance.
    fn act(&self, chance: &mut TestRng, screen: &Screen, run_loop: Option<&Arc<RunLoop>>) {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.host(), chance.below(7)) {
            (None, _) => {
                let host = Arc::new(vst3());
                host.activate(RATE, 512).expect("it can be activated");
                self.put(Some(host));
            }
            (Some(host), 0 | 1) if view.is_none() => {
                *view = host.editor(run_loop).map(|new| {
                    let window = screen.window((0, 0), new.size());
                    assert_eq!(new.attach(window), kResultOk);
                    (new, window)
                });
            }
            (Some(_), 0..=2) => {
                if let Some((old, window)) = view.take() {
                    old.remove();
                    drop(old);
                    screen.close(window);
                }
            }
            (Some(host), 3) => {
                let state = host.save().expect("saves");
                host.restore(&state).expect("opens");
            }
            (Some(host), 4) => drop(host.set_value(id("tune"), chance.unit())),
            (Some(host), _) => {
                self.put(None);
                // The audio thread ends its block before a host deletes.
                while Arc::strong_count(&host) > 1 {
                    std::thread::yield_now();
                }
                drop(host);
                if let Some((old, window)) = view.take() {
                    drop(old);
                    screen.close(window);
                }
            }
        }
    }
}

/// Ten instances are created and deleted on two threads in a random order, while a third plays and
/// automates all.
fn in_any_order(seed: u64, screen: &Screen, run_loop: Option<Arc<RunLoop>>) {
    let places: Vec<Place> = (0..10).map(|_| Place::default()).collect();
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ends.load(Ordering::SeqCst) {
                for host in places.iter().filter_map(|place| place.host()) {
                    automate_blocks(&host, 1);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let act = |seed: u64| {
            let mut chance = TestRng(seed);
            for _ in 0..120 {
                places[chance.below(10) as usize].act(&mut chance, screen, run_loop.as_ref());
            }
        };
        let other = scope.spawn(move || act(seed + 1000));
        act(seed);
        other.join().expect("no panic");
        ends.store(true, Ordering::SeqCst);
    });
    for place in places {
        drop(place.put(None));
    }
}

#[test]
fn ten_instances_in_any_order_without_a_run_loop() {
    on_display(|| {
        let screen = Screen::new();
        (0..3).for_each(|seed| in_any_order(seed, &screen, None));
    });
}

#[test]
fn ten_instances_in_any_order_with_a_run_loop() {
    on_display(|| {
        let screen = Screen::new();
        for seed in 10..13 {
            let run_loop = Arc::new(RunLoop::default());
            let _thread = LoopThread::start(run_loop.clone());
            in_any_order(seed, &screen, Some(run_loop));
        }
    });
}
