//! One instance in the host, with its editor open or closed.

use std::time::{Duration, Instant};

use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiError, GuiSize, PluginGui, Window};

use crate::screen::Screen;
use crate::support::clap_host::{ClapHost, HostError};

const PATIENCE: Duration = Duration::from_secs(60);

/// An editor that is open.
pub struct Open {
    pub parent: u32,
    pub size: (u16, u16),
    pub at: (i16, i16),
}

fn gui(host: &mut ClapHost) -> PluginGui {
    host.instance().plugin_handle().get_extension().expect("it has an editor")
}

/// Open the editor in a window of the host.
#[allow(unsafe_code)] // The framework takes the number of a window on trust; it is closed after the editor.
pub fn open(host: &mut ClapHost, screen: &Screen, at: (i16, i16)) -> Result<Open, GuiError> {
    let gui = gui(host);
    let configuration = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
    let handle = host.instance().plugin_handle();
    gui.create(&handle, configuration)?;
    let size = gui.get_size(&handle).expect("it has a size");
    let size = (size.width as u16, size.height as u16);
    let parent = screen.window(at, size);
    unsafe { gui.set_parent(&handle, Window::from_x11_handle(parent.into()))? };
    gui.show(&handle)?;
    Ok(Open { parent, size, at })
}

/// The size that the editor would have, or has.
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

/// Wait until something holds; the host does its part meanwhile.
pub fn wait_for(host: &mut ClapHost, what: &str, mut holds: impl FnMut(&mut ClapHost) -> bool) {
    let start = Instant::now();
    while !holds(host) {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
        host.answer_requests();
    }
}

/// Wait until it is drawn: letters have many colours.
pub fn wait_for_picture(host: &mut ClapHost, screen: &Screen, open: &Open) {
    wait_for(host, "a picture", |_| screen.colours(open.at, open.size) > 100);
}

pub fn load(name: &str) -> Result<ClapHost, HostError> {
    ClapHost::load(&crate::support::built(name))
}
