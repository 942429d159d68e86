//! The real window of the editor in a host: opened and closed, many at once, under the mouse, and
//! without a graphics context. Each test runs in a process of its own on a display without a screen
//! (Xvfb), so that a crash differs from a failure, and memory can be counted.

#![cfg(all(target_os = "linux", feature = "plugin"))]

#[path = "../support/mod.rs"]
mod support;

mod connection_lost;
mod display;
mod in_host;
mod keys;
mod memory;
mod openings;
mod pictures;
mod screen;
mod sizes;
mod standalone;
mod window;
mod xlib;

use display::Display;

#[test]
fn it_opens_and_closes_a_hundred_times_without_a_warning_and_keeps_little_memory() {
    // Every window has a thread of its own; the allocator would make a heap for each, and only one
    // is counted.
    let said =
        Display::start(&[]).run("openings::a_hundred_openings", &[("MALLOC_ARENA_MAX", "1")]);
    assert!(
        !said.contains("Error while closing window"),
        "{}",
        said.matches("Error while").count()
    );
}

#[test]
fn ten_are_open_at_once() {
    Display::start(&[]).run("openings::ten_at_once", &[("MALLOC_ARENA_MAX", "1")]);
}

#[test]
fn a_window_comes_back_as_large_as_it_was() {
    Display::start(&[]).run("sizes::size_comes_back", &[]);
}

#[test]
fn without_a_settings_folder_everything_else_works() {
    Display::start(&[]).run("sizes::nothing_is_kept", &[("XDG_CONFIG_HOME", "/dev/null/none")]);
}

#[test]
fn a_host_that_refuses_a_larger_window_leaves_everything_in_reach() {
    Display::start(&[])
        .run("sizes::zoom_without_room", &[(support::clap_host::handlers::REFUSES, "1")]);
}

#[test]
fn the_mouse_turns_a_dial_of_the_standalone_and_the_sound_is_saved() {
    Display::start(&[]).run("standalone::standalone_under_the_mouse", &[]);
}

#[test]
fn the_mouse_turns_a_dial_and_the_host_sees_it() {
    Display::start(&[]).run("in_host::a_dial_under_the_mouse", &[]);
}

#[test]
fn the_space_bar_is_the_hosts_and_what_is_typed_is_not() {
    Display::start(&[]).run("keys::keys_are_the_hosts", &[]);
}

#[test]
fn letters_and_return_between_two_frames_are_not_lost() {
    Display::start(&[]).run("keys::keys_at_once", &[]);
}

#[test]
fn the_focus_goes_back_to_the_window_that_had_it() {
    Display::start(&[]).run("keys::keys_of_a_window_beside", &[]);
}

#[test]
fn keys_play_and_the_space_bar_is_still_the_hosts() {
    Display::start(&[]).run("keys::keys_that_play", &[]);
}

#[test]
fn typed_text_follows_the_keyboard_layout() {
    Display::start(&[]).run("keys::keys_of_another_country", &[]);
}

#[test]
fn the_sound_is_the_same_and_nothing_is_allocated_while_it_is_open() {
    Display::start(&[]).run("in_host::sound_with_and_without", &[]);
}

/// Only GLX is available.
const NO_EGL: (&str, &str) = ("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent");
/// No graphics driver is available.
const NO_DRIVERS: (&str, &str) = ("LIBGL_DRIVERS_PATH", "/nonexistent");

/// Runs a scene with EGL, with GLX, and with neither.
fn run_with_all_graphics(scene: &str) {
    Display::start(&[]).run(scene, &[]);
    Display::start(&[]).run(scene, &[NO_EGL]);
    Display::start(&["-extension", "GLX"]).run(scene, &[NO_EGL, NO_DRIVERS]);
}

#[test]
fn a_connection_that_is_lost_closes_the_window_and_nothing_else() {
    run_with_all_graphics("connection_lost::connection_is_closed");
}

#[test]
fn a_display_that_ends_closes_the_window_and_nothing_else() {
    run_with_all_graphics("connection_lost::server_ends");
}

#[test]
fn a_host_may_destroy_its_window_before_it_closes_the_editor() {
    run_with_all_graphics("connection_lost::parent_is_destroyed");
}

#[test]
fn a_host_keeps_its_own_error_handlers() {
    Display::start(&[]).run("connection_lost::errors_of_the_host", &[]);
}

#[test]
fn without_a_graphics_context_there_is_a_message_and_no_crash() {
    // Neither the server nor the library can draw.
    Display::start(&["-extension", "GLX"]).run("in_host::no_graphics", &[NO_EGL, NO_DRIVERS]);
}

#[test]
#[ignore = "writes the pictures of the manual: cargo xtask editor --pictures"]
fn pictures_are_taken() {
    // A short path: it is readable in one of the pictures.
    let presets = std::env::temp_dir().join("Ictus");
    let saved = presets.join("my-tray.json");
    let _ = std::fs::remove_file(&saved);
    let presets = presets.to_str().expect("it can be written").to_string();
    Display::start(&[]).run("pictures::of_the_documents", &[("ICTUS_PRESETS", &presets)]);
    std::fs::remove_file(saved).expect("a sound was saved");
}
