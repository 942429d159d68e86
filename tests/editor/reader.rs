//! The editor as a screen reader sees it: a tree of names and roles.

use egui::{Pos2, Rect, Role, Vec2, vec2};
use egui_kittest::kittest::NodeT;
use egui_kittest::{Harness, Node};
use ictus::editor::tabs::Tab;
use ictus::editor::{SIZE, theme};

use crate::host::TestEditor;

/// The margin of the harness around the editor.
const MARGIN: f32 = 8.0;

/// A user who acts by names.
pub struct ScreenReader {
    pub harness: Harness<'static, TestEditor>,
}

impl ScreenReader {
    pub fn new() -> Self {
        Self::with_frame_time(0.25)
    }

    /// With the frame rate of a screen, for what depends on time.
    pub fn quick() -> Self {
        Self::with_frame_time(1.0 / 60.0)
    }

    fn with_frame_time(seconds: f32) -> Self {
        let size = vec2(SIZE.0, SIZE.1) + Vec2::splat(2.0 * MARGIN);
        let harness = Harness::builder()
            .with_size(size)
            .with_step_dt(seconds)
            .with_context_setup(theme::set_fonts)
            .build_ui_state(|ui, editor: &mut TestEditor| editor.draw(ui), TestEditor::new());
        Self { harness }
    }

    pub fn editor(&self) -> &TestEditor {
        self.harness.state()
    }

    pub fn settle(&mut self) {
        self.harness.run_steps(3);
    }

    /// All controls with this name and role.
    pub fn all<'a>(&'a self, role: Role, name: &'a str) -> impl Iterator<Item = Node<'a>> {
        let is_it = move |node: &Node| {
            let node = node.accesskit_node();
            // A field without a label is named by its placeholder.
            let is_named =
                node.label().as_deref() == Some(name) || node.data().placeholder() == Some(name);
            node.role() == role && is_named
        };
        self.harness.root().children_recursive().filter(is_it)
    }

    /// The first of them.
    pub fn find<'a>(&'a self, role: Role, name: &'a str) -> Option<Node<'a>> {
        self.all(role, name).next()
    }

    /// Its position.
    pub fn place(&self, role: Role, name: &str) -> Rect {
        self.find(role, name).unwrap_or_else(|| panic!("there is no {role:?} {name:?}")).rect()
    }

    /// Clicks on it.
    pub fn click(&mut self, role: Role, name: &str) {
        let at = self.place(role, name).center();
        self.press(at);
        self.release(at);
        self.settle();
    }

    pub fn press(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.harness.drag_at(at);
        self.harness.step();
    }

    pub fn move_to(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.harness.step();
    }

    pub fn release(&mut self, at: Pos2) {
        self.harness.drop_at(at);
        self.harness.step();
    }

    pub fn drag(&mut self, from: Pos2, by: Vec2) {
        self.press(from);
        for i in 1..=6 {
            self.move_to(from + by * (i as f32 / 6.0));
        }
        self.release(from + by);
        self.settle();
    }

    /// Opens the tab of a control and scrolls to it.
    pub fn scroll_to(&mut self, role: Role, name: &str) -> Option<Rect> {
        let mut tabs = Tab::ALL.into_iter();
        while self.find(role, name).is_none() {
            let tab = tabs.next()?.name();
            self.click(Role::Button, tab);
        }
        self.find(role, name)?.scroll_to_me();
        self.settle();
        Some(self.place(role, name))
    }
}
