//! Keyboard focus: keys belong to the host unless a text field of the editor is active.
//!
//! The framework listens to all keys on its window, which keeps them from the host's window while
//! the pointer is over the editor, and it takes the input focus on the first click. Therefore, if
//! the window has a parent,
//!
//! - it listens to no keys, so that key presses propagate to the host's window. They are not sent
//!   there by `XSendEvent`, because toolkits ignore such events;
//! - the framework gets one focus event, so that a click does not take the focus again;
//! - the few keys that the editor uses are grabbed one by one, from a click in the window until
//!   the pointer leaves it;
//! - while a text field is active, the window has the focus and all keys. Afterwards the focus
//!   returns to the window that had it.
//!
//! Memory: baseview 0.4.2 reads the keyboard map through the crate `xkbcommon-dl` and never
//! releases it (`src/wrappers/xkbcommon.rs`). Each opened window leaks about 72 kB, which only a
//! fix in baseview can prevent.

use nice_plug_egui::baseview::{HandlerError, WindowContext};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ConnectionExt, EventMask, FOCUS_IN_EVENT, FOCUS_OUT_EVENT,
    FocusInEvent, Grab, GrabMode, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, KeyButMask,
    KeyPressEvent, ModMask, NotifyDetail, NotifyMode,
};
use x11rb::xcb_ffi::XCBConnection;
use x11rb::{CURRENT_TIME, NONE};

use super::{id_of, with_connection};

/// The letters that play notes; see `keyboard.rs`.
const NOTES: &[u8] = b"zsxdcvgbhnjmq2w3er5t6y7ui";
const SPACE: u32 = 0x20;
const TAB: u32 = 0xff09;
/// Enter, Escape, and the four arrows, which act on the focused control.
const CONTROL_KEYS: [u32; 6] = [0xff0d, 0xff1b, 0xff51, 0xff52, 0xff53, 0xff54];
/// Modifier masks of Caps Lock and Num Lock, which must not affect grabs.
const LOCKS: [u16; 4] = [0, 2, 16, 18];

/// Which keys the editor receives; each variant includes the previous ones.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum KeyGrab {
    Nothing,
    /// Notes, Tab, undo and redo.
    Few,
    /// Also the keys that act on the focused control or an open list.
    Controls,
    /// All keys: a text field is active.
    All,
}

/// Keyboard handling of a window that has a parent window.
pub struct Keys {
    window: u32,
    parent: u32,
    root: u32,
    grab: KeyGrab,
    /// True from a click in the window until the pointer leaves it.
    is_clicked: bool,
    /// The window that had the focus before the text field.
    previous_focus: Option<u32>,
    /// True while a forwarded space bar has not been released.
    is_space_sent: bool,
}

impl Keys {
    /// Creates the handling; `None` for a top-level window, which receives its keys as usual.
    pub fn new(context: &WindowContext) -> Result<Option<Self>, HandlerError> {
        with_connection(context, |connection| {
            let window = id_of(context)?;
            let tree = connection.query_tree(window)?.reply()?;
            if tree.parent == tree.root {
                return Ok(None);
            }
            let (parent, root, grab) = (tree.parent, tree.root, KeyGrab::Nothing);
            let keys = Self {
                window,
                parent,
                root,
                grab,
                is_clicked: false,
                previous_focus: None,
                is_space_sent: false,
            };
            keys.listen(connection, false)?;
            keys.send_focus_in(connection)?;
            Ok(Some(keys))
        })
    }

    /// Updates the grabs and the focus after a frame was drawn. `spaces` are the presses (or
    /// releases) of the space bar in this frame.
    pub fn process(
        &mut self,
        ui: &egui::Ui,
        context: &WindowContext,
        spaces: &[bool],
    ) -> Result<(), HandlerError> {
        let is_typing = ui.ctx().text_edit_focused();
        let is_control_active =
            ui.memory(|memory| memory.focused().is_some()) || egui::Popup::is_any_open(ui.ctx());
        let (is_pressed, has_pointer) =
            ui.input(|input| (input.pointer.any_pressed(), input.pointer.has_pointer()));
        self.is_clicked = (self.is_clicked || is_pressed) && has_pointer;
        let grab = match (is_typing, self.is_clicked, is_control_active) {
            (true, _, _) => KeyGrab::All,
            (_, false, _) => KeyGrab::Nothing,
            (_, _, true) => KeyGrab::Controls,
            _ => KeyGrab::Few,
        };
        // Another window may have taken the focus since; a click in the field takes it again.
        let takes_focus = is_typing && (self.grab != KeyGrab::All || is_pressed);
        // The release of the space bar reaches the host directly once no other key is held.
        self.is_space_sent &= is_other_held(ui);
        if grab == self.grab && !takes_focus && (is_typing || spaces.is_empty()) {
            return Ok(());
        }
        with_connection(context, |connection| {
            if grab != self.grab {
                self.set_grab(connection, grab)?;
            }
            if takes_focus {
                self.take_focus(connection)?;
            }
            if !is_typing {
                spaces.iter().try_for_each(|pressed| self.forward_space(connection, *pressed))?;
            }
            connection.flush()?;
            Ok(())
        })
    }

    /// Replaces the current grab.
    fn set_grab(&mut self, connection: &XCBConnection, grab: KeyGrab) -> Result<(), HandlerError> {
        match (self.grab, grab) {
            (_, KeyGrab::All) => self.listen(connection, true)?,
            (KeyGrab::All, _) => self.restore_focus(connection)?,
            _ => {}
        }
        self.grab = grab;
        connection.ungrab_key(Grab::ANY, self.window, ModMask::ANY)?.ignore_error();
        if grab == KeyGrab::All {
            return Ok(());
        }
        let (shift, control) = (u16::from(ModMask::SHIFT), u16::from(ModMask::CONTROL));
        if grab >= KeyGrab::Few {
            let notes: Vec<u32> = NOTES.iter().map(|letter| u32::from(*letter)).collect();
            self.grab_keys(connection, &notes, &[0, shift])?;
            self.grab_keys(connection, &[TAB], &[0, shift])?;
            self.grab_keys(connection, &[u32::from(b'z')], &[control, control | shift])?;
            self.grab_keys(connection, &[u32::from(b'y')], &[control])?;
        }
        if grab == KeyGrab::Controls {
            self.grab_keys(connection, &CONTROL_KEYS, &[0])?;
        }
        Ok(())
    }

    /// Listens to keys or not. Keeps the framework's other events except focus changes.
    fn listen(&self, connection: &XCBConnection, keys: bool) -> Result<(), HandlerError> {
        let own =
            u32::from(connection.get_window_attributes(self.window)?.reply()?.your_event_mask);
        let all = u32::from(EventMask::KEY_PRESS | EventMask::KEY_RELEASE);
        let rest = own & !all & !u32::from(EventMask::FOCUS_CHANGE);
        let mask = EventMask::from(if keys { rest | all } else { rest });
        let aux = ChangeWindowAttributesAux::new().event_mask(mask);
        connection.change_window_attributes(self.window, &aux)?.check()?;
        Ok(())
    }

    /// Sends the framework a loss and a gain of focus. It then considers all keys released, and
    /// does not take the focus on the next click.
    fn send_focus_in(&self, connection: &XCBConnection) -> Result<(), HandlerError> {
        for response_type in [FOCUS_OUT_EVENT, FOCUS_IN_EVENT] {
            let (detail, mode) = (NotifyDetail::NONLINEAR, NotifyMode::NORMAL);
            let event =
                FocusInEvent { response_type, detail, sequence: 0, event: self.window, mode };
            connection.send_event(false, self.window, EventMask::NO_EVENT, event)?.check()?;
        }
        Ok(())
    }

    fn take_focus(&mut self, connection: &XCBConnection) -> Result<(), HandlerError> {
        let now = connection.get_input_focus()?.reply()?.focus;
        if now != self.window {
            self.previous_focus = Some(now);
            // `PARENT`: if the editor closes, the focus reverts to the host's window. Errors are
            // ignored because the window may be hidden.
            let _ =
                connection.set_input_focus(InputFocus::PARENT, self.window, CURRENT_TIME)?.check();
        }
        Ok(())
    }

    fn restore_focus(&mut self, connection: &XCBConnection) -> Result<(), HandlerError> {
        self.listen(connection, false)?;
        let before = self.previous_focus.take().unwrap_or(self.parent);
        if connection.get_input_focus()?.reply()?.focus == self.window {
            let give = |to| {
                Ok::<_, HandlerError>(
                    connection.set_input_focus(InputFocus::PARENT, to, CURRENT_TIME)?.check(),
                )
            };
            // The previous window may no longer exist.
            if give(before)?.is_err() {
                let _ = give(self.parent)?;
            }
        }
        self.send_focus_in(connection)
    }

    /// Grabs keys for this window, each with the given modifiers.
    fn grab_keys(
        &self,
        connection: &XCBConnection,
        symbols: &[u32],
        held: &[u16],
    ) -> Result<(), HandlerError> {
        let codes = codes(connection)?;
        for code in symbols.iter().filter_map(|symbol| codes(*symbol)) {
            for held in held.iter().flat_map(|held| LOCKS.map(|lock| ModMask::from(held | lock))) {
                let mode = GrabMode::ASYNC;
                // If the grab fails, the key stays with the host.
                connection.grab_key(false, self.window, held, code, mode, mode)?.ignore_error();
            }
        }
        Ok(())
    }

    /// Forwards the space bar to the host's window. Skips repeats, because a host may send the key
    /// back.
    fn forward_space(
        &mut self,
        connection: &XCBConnection,
        pressed: bool,
    ) -> Result<(), HandlerError> {
        if std::mem::replace(&mut self.is_space_sent, pressed) == pressed {
            return Ok(());
        }
        send_key(connection, SPACE, pressed, self.parent, self.root)
    }
}

/// True if a key other than the space bar is held in this window.
fn is_other_held(ui: &egui::Ui) -> bool {
    ui.input(|input| input.keys_down.iter().any(|key| *key != egui::Key::Space))
}

/// Presses (`true`) and releases of the space bar since the last frame while another key is held.
///
/// A held grabbed key diverts all other keys to this window. Without one, the space bar arrives
/// only if the host sends it.
pub fn spaces(ui: &egui::Ui) -> Vec<bool> {
    if !is_other_held(ui) {
        return Vec::new();
    }
    let space = |event: &egui::Event| match event {
        egui::Event::Key { key: egui::Key::Space, pressed, .. } => Some(*pressed),
        _ => None,
    };
    ui.input(|input| input.events.iter().filter_map(space).collect())
}

/// Returns a function from a key symbol to the code of the key that types it without modifiers.
fn codes(connection: &XCBConnection) -> Result<impl Fn(u32) -> Option<u8>, HandlerError> {
    let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
    let map = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
    let symbols_per_code = usize::from(map.keysyms_per_keycode).max(1);
    Ok(move |symbol| {
        let index = map
            .keysyms
            .chunks(symbols_per_code)
            .position(|symbols| symbols.first() == Some(&symbol))?;
        u8::try_from(usize::from(first) + index).ok()
    })
}

/// Sends a key to a window, or to its nearest ancestor that listens to keys.
fn send_key(
    connection: &XCBConnection,
    symbol: u32,
    pressed: bool,
    window: u32,
    root: u32,
) -> Result<(), HandlerError> {
    let Some(detail) = codes(connection)?(symbol) else { return Ok(()) };
    let (response_type, mask) = if pressed {
        (KEY_PRESS_EVENT, EventMask::KEY_PRESS)
    } else {
        (KEY_RELEASE_EVENT, EventMask::KEY_RELEASE)
    };
    let event = KeyPressEvent {
        response_type,
        detail,
        sequence: 0,
        time: CURRENT_TIME,
        root,
        event: window,
        child: NONE,
        root_x: 0,
        root_y: 0,
        event_x: 0,
        event_y: 0,
        state: KeyButMask::default(),
        same_screen: true,
    };
    connection.send_event(true, window, mask, event)?.check()?;
    Ok(())
}
