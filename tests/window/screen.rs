//! The host's side of the display: a parent window for the editor, screenshots, and a mouse.

use std::collections::HashSet;
use std::io::IoSlice;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AutoRepeatMode, ChangeKeyboardControlAux, ConnectionExt, CreateWindowAux, EventMask,
    ImageFormat, InputFocus, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// Event codes of the protocol: key press and release, button press and release, motion.
const KEY_PRESSED: u8 = 2;
const KEY_RELEASED: u8 = 3;
const PRESSED: u8 = 4;
const RELEASED: u8 = 5;
const MOVED: u8 = 6;

pub struct Screen {
    connection: RustConnection,
    root: u32,
    /// The number of the extension that fakes input (XTEST).
    fake_input: u8,
}

/// A scene that takes longer hangs, even on a busy machine, s.
const MAX_WAIT_S: u64 = 1_200;

impl Screen {
    /// Connects to the display. Every scene begins with this, and ends in time or in a failure.
    pub fn new() -> Self {
        std::thread::spawn(|| {
            std::thread::sleep(std::time::Duration::from_secs(MAX_WAIT_S));
            eprintln!("the scene hangs");
            std::process::abort();
        });
        let (connection, number) = x11rb::connect(None).expect("there is a display");
        let root = connection.setup().roots[number].root;
        let extension =
            connection.extension_information("XTEST").expect("it answers").expect("it has XTEST");
        // The server would repeat a key while this program waits for its turn.
        let no_repeats = ChangeKeyboardControlAux::new().auto_repeat_mode(AutoRepeatMode::OFF);
        connection
            .change_keyboard_control(&no_repeats)
            .expect("it can be asked for")
            .check()
            .expect("it is done");
        Self { connection, root, fake_input: extension.major_opcode }
    }

    /// A window for the editor, shown at a place.
    pub fn window(&self, at: (i16, i16), size: (u16, u16)) -> u32 {
        self.window_in(self.root, at, size)
    }

    /// A child window that receives keys.
    pub fn window_in(&self, parent: u32, at: (i16, i16), size: (u16, u16)) -> u32 {
        let id = self.connection.generate_id().expect("there are ids");
        let class = WindowClass::INPUT_OUTPUT;
        let aux =
            CreateWindowAux::new().background_pixel(0x00ff_ffff).event_mask(EventMask::KEY_PRESS);
        self.connection
            .create_window(0, id, parent, at.0, at.1, size.0, size.1, 0, class, 0, &aux)
            .and_then(|_| self.connection.map_window(id))
            .expect("it can be asked for");
        self.connection.sync();
        id
    }

    pub fn close(&self, window: u32) {
        self.connection.destroy_window(window).expect("it can be asked for");
        self.connection.sync();
    }

    /// True if a window exists.
    pub fn is_there(&self, window: u32) -> bool {
        self.connection.get_geometry(window).expect("it can be asked for").reply().is_ok()
    }

    /// Closes the connection of the owner of a child window.
    pub fn kill_client_within(&self, parent: u32) {
        let tree = self.connection.query_tree(parent).expect("it can be asked for").reply();
        self.kill_client(tree.expect("it answers").children[0]);
    }

    /// Closes the connection of the owner of a window.
    pub fn kill_client(&self, window: u32) {
        self.connection.kill_client(window).expect("it can be asked for");
        self.connection.sync();
    }

    /// Size of the child window, if there is one.
    pub fn size_within(&self, parent: u32) -> Option<(u16, u16)> {
        let child = *self.connection.query_tree(parent).ok()?.reply().ok()?.children.first()?;
        let geometry = self.connection.get_geometry(child).ok()?.reply().ok()?;
        Some((geometry.width, geometry.height))
    }

    /// Position of the only window on the screen.
    pub fn only_window(&self) -> Option<((i16, i16), (u16, u16))> {
        let geometry = |window: &u32| self.connection.get_geometry(*window).ok()?.reply().ok();
        let windows = self.connection.query_tree(self.root).ok()?.reply().ok()?.children;
        let large = windows.iter().filter_map(geometry).find(|window| window.width > 500)?;
        Some(((large.x, large.y), (large.width, large.height)))
    }

    /// Presses and releases a key by its symbol, held as long as by a user.
    pub fn type_key(&self, symbol: u32) {
        for pressed in [true, false] {
            self.hold_key(symbol, pressed);
            std::thread::sleep(std::time::Duration::from_millis(60));
        }
    }

    /// Presses and releases keys without a pause, as a fast user does between two frames of a busy
    /// machine.
    pub fn type_at_once(&self, symbols: &[u32]) {
        for (symbol, pressed) in
            symbols.iter().flat_map(|symbol| [(*symbol, true), (*symbol, false)])
        {
            self.hold_key(symbol, pressed);
        }
    }

    /// Presses or releases a key by its symbol.
    pub fn hold_key(&self, symbol: u32, pressed: bool) {
        let index = self.keys().iter().position(|key| *key == symbol);
        let code = self.connection.setup().min_keycode + index.expect("it has such a key") as u8;
        self.fake(if pressed { KEY_PRESSED } else { KEY_RELEASED }, code, 0, 0);
    }

    /// The symbol of each key without modifiers.
    fn keys(&self) -> Vec<u32> {
        let setup = self.connection.setup();
        let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
        let map = self
            .connection
            .get_keyboard_mapping(first, count)
            .expect("it can be asked for")
            .reply();
        let map = map.expect("there is a keyboard");
        let each = usize::from(map.keysyms_per_keycode).max(1);
        map.keysyms.chunks(each).map(|symbols| symbols[0]).collect()
    }

    /// Keys pressed in the host's windows since the last call: the window, the symbol, and whether
    /// they were forwarded by a client.
    pub fn keys_heard(&self) -> Vec<(u32, u32, bool)> {
        self.connection.sync();
        let keys = self.keys();
        let mut heard = Vec::new();
        while let Some(event) = self.connection.poll_for_event().expect("it answers") {
            if let Event::KeyPress(key) = event {
                let symbol = keys[usize::from(key.detail - self.connection.setup().min_keycode)];
                heard.push((key.event, symbol, key.response_type & 0x80 != 0));
            }
        }
        heard
    }

    /// The window with the input focus.
    pub fn focus(&self) -> u32 {
        self.connection
            .get_input_focus()
            .expect("it can be asked for")
            .reply()
            .expect("it answers")
            .focus
    }

    pub fn give_focus(&self, window: u32) {
        self.connection
            .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
            .expect("it can be asked for");
        self.connection.sync();
    }

    /// Clicks. Without a pause: the editor receives events in the order of the server, and a button
    /// that is held for too long, because this program had to wait for its turn, is no click.
    pub fn click(&self, x: i16, y: i16) {
        self.point_at(x, y);
        self.press(true);
        self.press(false);
    }

    /// The pixels of a part of the screen.
    pub fn look(&self, at: (i16, i16), size: (u16, u16)) -> Vec<[u8; 4]> {
        let cookie = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, self.root, at.0, at.1, size.0, size.1, !0)
            .expect("it can be asked for");
        let data = cookie.reply().expect("it is on the screen").data;
        data.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect()
    }

    /// Number of colours in a part of the screen.
    pub fn colours(&self, at: (i16, i16), size: (u16, u16)) -> usize {
        self.look(at, size).into_iter().collect::<HashSet<_>>().len()
    }

    /// Moves the mouse.
    pub fn point_at(&self, x: i16, y: i16) {
        self.fake(MOVED, 0, x, y);
    }

    /// Presses or releases the left button.
    pub fn press(&self, pressed: bool) {
        self.fake(if pressed { PRESSED } else { RELEASED }, 1, 0, 0);
    }

    /// The request `FakeInput` of the extension's protocol.
    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        let mut request = [0u8; 36];
        request[..6].copy_from_slice(&[self.fake_input, 2, 9, 0, kind, detail]);
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        request[24..26].copy_from_slice(&x.to_ne_bytes());
        request[26..28].copy_from_slice(&y.to_ne_bytes());
        self.connection
            .send_request_without_reply(&[IoSlice::new(&request)], Vec::new())
            .expect("it can be asked for")
            .check()
            .expect("the mouse moves");
    }
}

/// Returns when all requests have been processed.
trait Sync {
    fn sync(&self);
}

impl Sync for RustConnection {
    fn sync(&self) {
        self.get_input_focus().expect("it can be asked for").reply().expect("it answers");
    }
}
