//! The host's side of the display: a window to put the editor in, eyes, and a mouse.

use std::collections::HashSet;
use std::io::IoSlice;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{ConnectionExt, CreateWindowAux, ImageFormat, WindowClass};
use x11rb::rust_connection::RustConnection;

/// Pressed and let go are 4 and 5 in the protocol, moved is 6.
const PRESSED: u8 = 4;
const RELEASED: u8 = 5;
const MOVED: u8 = 6;

pub struct Screen {
    connection: RustConnection,
    root: u32,
    /// The number of the extension that fakes input (XTEST).
    fake_input: u8,
}

impl Screen {
    pub fn new() -> Self {
        let (connection, number) = x11rb::connect(None).expect("there is a display");
        let root = connection.setup().roots[number].root;
        let extension = connection.extension_information("XTEST").expect("it answers").expect("it has XTEST");
        Self { connection, root, fake_input: extension.major_opcode }
    }

    /// A window for the editor, shown at a place.
    pub fn window(&self, at: (i16, i16), size: (u16, u16)) -> u32 {
        let id = self.connection.generate_id().expect("there are ids");
        let class = WindowClass::INPUT_OUTPUT;
        let aux = CreateWindowAux::new().background_pixel(0x00ff_ffff);
        self.connection
            .create_window(0, id, self.root, at.0, at.1, size.0, size.1, 0, class, 0, &aux)
            .and_then(|_| self.connection.map_window(id))
            .expect("it can be asked for");
        self.connection.sync();
        id
    }

    pub fn close(&self, window: u32) {
        self.connection.destroy_window(window).expect("it can be asked for");
        self.connection.sync();
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

    /// How many colours a part of the screen has.
    pub fn colours(&self, at: (i16, i16), size: (u16, u16)) -> usize {
        self.look(at, size).into_iter().collect::<HashSet<_>>().len()
    }

    /// Move the mouse.
    pub fn point_at(&self, x: i16, y: i16) {
        self.fake(MOVED, 0, x, y);
    }

    /// Press the left button, or let go of it.
    pub fn press(&self, pressed: bool) {
        self.fake(if pressed { PRESSED } else { RELEASED }, 1, 0, 0);
    }

    /// The request `FakeInput` as the extension's protocol has it.
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

/// Everything asked for has been done when this returns.
trait Sync {
    fn sync(&self);
}

impl Sync for RustConnection {
    fn sync(&self) {
        self.get_input_focus().expect("it can be asked for").reply().expect("it answers");
    }
}
