//! Whose the keys are: the host's, unless something is typed into a field here.
//!
//! The framework wants every key. It asks for them on its window, where they stop on their way up
//! to the host's as long as the pointer is over it, and takes the input focus with the first click.
//! So once the window is in a host's
//!
//! - it asks for no keys (only its own connection can take that back), and what is pressed goes up
//!   to the host's window by itself, as if the pointer were beside the editor; nothing is sent on,
//!   because toolkits overlook what is sent;
//! - the framework is told that it has the focus and hears of no change, so that a click takes it
//!   from nobody;
//! - the few keys that do something here are taken one by one, and only from a click in the window
//!   until the pointer leaves it;
//! - while a field is typed in, all of them come here with the focus, and go back to whoever had
//!   it.

use nice_plug_egui::baseview::{HandlerError, WindowContext};
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ConnectionExt, EventMask, FOCUS_IN_EVENT, FOCUS_OUT_EVENT,
    FocusInEvent, Grab, GrabMode, InputFocus, ModMask, NotifyDetail, NotifyMode,
};
use x11rb::xcb_ffi::XCBConnection;

use super::id_of;
use super::wire::{self, codes, with_connection};

/// Keys by what they write. Those of the keyboard strip, which play: see `keyboard.rs`.
const NOTES: &[u8] = b"zsxdcvgbhnjmq2w3er5t6y7ui";
const SPACE: u32 = 0x20;
const TAB: u32 = 0xff09;
/// Enter, Escape, and the four arrows.
const ON_CONTROLS: [u32; 6] = [0xff0d, 0xff1b, 0xff51, 0xff52, 0xff53, 0xff54];
/// Locks of the keyboard, which change nothing: capitals and numbers.
const LOCKS: [u16; 4] = [0, 2, 16, 18];

/// What keys are wanted for; each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum KeyGrab {
    Nothing,
    /// To play, to go from control to control, to take steps back and forth.
    Few,
    /// And to act on a control that was gone to, or a list that is open.
    Controls,
    /// To type.
    All,
}

/// The keys of a window that is in another one.
pub struct Keys {
    window: u32,
    parent: u32,
    root: u32,
    grab: KeyGrab,
    /// Whether the window was clicked and the pointer has not left it since.
    clicked: bool,
    /// Who had the focus when the typing began.
    before: Option<u32>,
    /// Whether the space bar was sent on and not yet let go.
    sent: bool,
}

impl Keys {
    /// Of a window, if it is in another one. One that stands by itself gets its keys as every
    /// window does.
    pub fn new(context: &WindowContext) -> Result<Option<Self>, HandlerError> {
        with_connection(context, |connection| {
            let window = id_of(context)?;
            let tree = connection.query_tree(window)?.reply()?;
            if tree.parent == tree.root {
                return Ok(None);
            }
            let (parent, root, grab) = (tree.parent, tree.root, KeyGrab::Nothing);
            let keys =
                Self { window, parent, root, grab, clicked: false, before: None, sent: false };
            keys.listen(connection, false)?;
            keys.send_focus_in(connection)?;
            Ok(Some(keys))
        })
    }

    /// Once a frame, when everything is drawn: give back what is no longer wanted, take what is.
    /// `spaces` are the space bar pressed (or let go) in this frame.
    pub fn follow(
        &mut self,
        ui: &egui::Ui,
        context: &WindowContext,
        spaces: &[bool],
    ) -> Result<(), HandlerError> {
        let is_typing = ui.ctx().text_edit_focused();
        let is_acting =
            ui.memory(|memory| memory.focused().is_some()) || egui::Popup::is_any_open(ui.ctx());
        let (is_pressed, is_here) =
            ui.input(|input| (input.pointer.any_pressed(), input.pointer.has_pointer()));
        self.clicked = (self.clicked || is_pressed) && is_here;
        let grab = match (is_typing, self.clicked, is_acting) {
            (true, _, _) => KeyGrab::All,
            (_, false, _) => KeyGrab::Nothing,
            (_, _, true) => KeyGrab::Controls,
            _ => KeyGrab::Few,
        };
        // Somebody may have taken the focus meanwhile; a click into the field asks for it again.
        let takes = is_typing && (self.grab != KeyGrab::All || is_pressed);
        // Let go where it belongs, after the key that kept it here.
        self.sent &= is_other_held(ui);
        if grab == self.grab && !takes && (is_typing || spaces.is_empty()) {
            return Ok(());
        }
        with_connection(context, |connection| {
            if grab != self.grab {
                self.set_grab(connection, grab)?;
            }
            if takes {
                self.take_focus(connection)?;
            }
            if !is_typing {
                spaces.iter().try_for_each(|pressed| self.send_on(connection, SPACE, *pressed))?;
            }
            connection.flush()?;
            Ok(())
        })
    }

    /// Take what is wanted now in place of what was.
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
            self.take(connection, &notes, &[0, shift])?;
            self.take(connection, &[TAB], &[0, shift])?;
            self.take(connection, &[u32::from(b'z')], &[control, control | shift])?;
            self.take(connection, &[u32::from(b'y')], &[control])?;
        }
        if grab == KeyGrab::Controls {
            self.take(connection, &ON_CONTROLS, &[0])?;
        }
        Ok(())
    }

    /// Ask for keys or not, and for the rest of what the framework asks for, but for changes of the
    /// focus.
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

    /// Tell the framework that the window has lost the focus and has it again: no key is down any
    /// more, and it does not take the focus with the next click.
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
            self.before = Some(now);
            // If the editor is closed meanwhile the focus falls to the host's window. It may be
            // hidden just now.
            let _ =
                connection.set_input_focus(InputFocus::PARENT, self.window, CURRENT_TIME)?.check();
        }
        Ok(())
    }

    fn restore_focus(&mut self, connection: &XCBConnection) -> Result<(), HandlerError> {
        self.listen(connection, false)?;
        let before = self.before.take().unwrap_or(self.parent);
        if connection.get_input_focus()?.reply()?.focus == self.window {
            let give = |to| {
                Ok::<_, HandlerError>(
                    connection.set_input_focus(InputFocus::PARENT, to, CURRENT_TIME)?.check(),
                )
            };
            // Who had it may be gone.
            if give(before)?.is_err() {
                let _ = give(self.parent)?;
            }
        }
        self.send_focus_in(connection)
    }

    /// Take keys for this window, with other keys held that change what they mean.
    fn take(
        &self,
        connection: &XCBConnection,
        symbols: &[u32],
        held: &[u16],
    ) -> Result<(), HandlerError> {
        let codes = codes(connection)?;
        for code in symbols.iter().filter_map(|symbol| codes(*symbol)) {
            for held in held.iter().flat_map(|held| LOCKS.map(|lock| ModMask::from(held | lock))) {
                let mode = GrabMode::ASYNC;
                // Where a key cannot be had, the host has it.
                connection.grab_key(false, self.window, held, code, mode, mode)?.ignore_error();
            }
        }
        Ok(())
    }

    /// Send a key on to the host's window, or the next one above it that wants keys: once, as a
    /// host may send it back.
    fn send_on(
        &mut self,
        connection: &XCBConnection,
        symbol: u32,
        pressed: bool,
    ) -> Result<(), HandlerError> {
        if std::mem::replace(&mut self.sent, pressed) == pressed {
            return Ok(());
        }
        wire::send_key(connection, symbol, pressed, self.parent, self.root)
    }
}

/// Whether a key other than the space bar is held here.
fn is_other_held(ui: &egui::Ui) -> bool {
    ui.input(|input| input.keys_down.iter().any(|key| *key != egui::Key::Space))
}

/// When the space bar was pressed (or let go) since the last frame while another key is held here,
/// which keeps all the others. Otherwise it comes only if the host itself sends it.
pub fn spaces(ui: &egui::Ui) -> Vec<bool> {
    if !is_other_held(ui) {
        return Vec::new();
    }
    let is_it = |event: &egui::Event| match event {
        egui::Event::Key { key: egui::Key::Space, pressed, .. } => Some(*pressed),
        _ => None,
    };
    ui.input(|input| input.events.iter().filter_map(is_it).collect())
}
