//! One instance in the host, with its editor open or closed.

use std::time::{Duration, Instant};

use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiError, GuiSize, PluginGui, Window};

use crate::screen::Screen;
use crate::support::clap_host::{ClapHost, HostError};

/// Maximum wait for a condition: generous, because a busy machine is slow and no time is measured.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An open editor.
pub struct Open {
    pub parent: u32,
    pub size: (u16, u16),
    pub at: (i16, i16),
}

fn gui(host: &mut ClapHost) -> PluginGui {
    host.instance().plugin_handle().get_extension().expect("it has an editor")
}

/// Opens the editor in a window of the host.
pub fn open(host: &mut ClapHost, screen: &Screen, at: (i16, i16)) -> Result<Open, GuiError> {
    create(host)?;
    let (width, height) = size(host);
    let size = (width as u16, height as u16);
    let parent = screen.window(at, size);
    show_in(host, parent)?;
    Ok(Open { parent, size, at })
}

/// The first half of opening.
pub fn create(host: &mut ClapHost) -> Result<(), GuiError> {
    let configuration = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
    gui(host).create(&host.instance().plugin_handle(), configuration)
}

/// The second half of opening.
#[allow(unsafe_code)] // The framework does not check the window's id.
pub fn show_in(host: &mut ClapHost, parent: u32) -> Result<(), GuiError> {
    let (gui, handle) = (gui(host), host.instance().plugin_handle());
    unsafe { gui.set_parent(&handle, Window::from_x11_handle(parent.into()))? };
    gui.show(&handle)
}

/// The size of the editor, open or not.
pub fn size(host: &mut ClapHost) -> (u32, u32) {
    let size = gui(host).get_size(&host.instance().plugin_handle()).expect("it has a size");
    (size.width, size.height)
}

pub fn resize(host: &mut ClapHost, width: u32, height: u32) -> Result<(), GuiError> {
    gui(host).set_size(&host.instance().plugin_handle(), GuiSize { width, height })
}

pub fn close_editor(host: &mut ClapHost) {
    gui(host).destroy(&host.instance().plugin_handle());
}

pub fn close(host: &mut ClapHost, screen: &Screen, open: Open) {
    close_editor(host);
    screen.close(open.parent);
}

/// Waits for a condition, and serves the plug-in's requests to the host meanwhile.
pub fn wait_for(host: &mut ClapHost, what: &str, holds: impl FnMut(&mut ClapHost) -> bool) {
    assert!(holds_within(PATIENCE, host, holds), "timed out: {what}");
}

/// The same with a time limit, for steps that can be tried again.
pub fn holds_within(
    time: Duration,
    host: &mut ClapHost,
    mut holds: impl FnMut(&mut ClapHost) -> bool,
) -> bool {
    let start = Instant::now();
    while !holds(host) {
        if start.elapsed() > time {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
        host.answer_requests();
    }
    true
}

/// Waits until it is drawn: text has many colours.
pub fn wait_for_picture(host: &mut ClapHost, screen: &Screen, open: &Open) {
    wait_for(host, "a picture", |_| screen.colours(open.at, open.size) > 100);
}

pub fn load(name: &str) -> Result<ClapHost, HostError> {
    ClapHost::load(&crate::support::built(name))
}
