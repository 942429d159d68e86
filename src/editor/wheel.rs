//! Decides what the mouse wheel acts on.
//!
//! It turns the dial under the pointer, or else scrolls the page. The target stays the same until
//! the wheel rests, so that scrolling does not turn a dial that moves under the pointer. A scroll
//! gesture on a dial is one gesture for the host and one undo step.

use egui::{Id, Ui};

use super::control::Controls;
use crate::params::Param;

/// Pause after which a new scroll gesture begins.
const PAUSE_S: f64 = 0.3;

/// A sequence of wheel movements.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ScrollGesture {
    target: Target,
    until_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    /// Undecided: the dial under the pointer may claim it.
    Unclaimed,
    /// The page.
    Page,
    /// A dial, by its parameter's id.
    Dial(&'static str),
}

/// The key of the gesture in egui's memory.
fn memory() -> Id {
    Id::unique("scroll gesture")
}

/// Starts, continues or ends the scroll gesture. Call at the start of a frame.
pub fn process(ui: &Ui, controls: &Controls) {
    let (is_scrolling, now_s) =
        ui.input(|input| (input.smooth_scroll_delta() != egui::Vec2::ZERO, input.time));
    let gesture = ui.data(|data| data.get_temp::<ScrollGesture>(memory()));
    let next = match gesture {
        Some(ScrollGesture { target: Target::Unclaimed, .. }) if is_scrolling => {
            Some(ScrollGesture { target: Target::Page, until_s: now_s + PAUSE_S })
        }
        Some(gesture) if is_scrolling && now_s <= gesture.until_s => {
            Some(ScrollGesture { until_s: now_s + PAUSE_S, ..gesture })
        }
        Some(gesture) if now_s <= gesture.until_s => Some(gesture),
        _ => is_scrolling
            .then_some(ScrollGesture { target: Target::Unclaimed, until_s: now_s + PAUSE_S }),
    };
    if let Some(ScrollGesture { target: Target::Dial(id), .. }) = gesture
        && next.is_none_or(|next| next.target != Target::Dial(id))
        && let Some(param) = Param::ALL.into_iter().find(|param| param.spec().id == id)
    {
        controls.params.slot(param).end(controls.setter);
    }
    ui.data_mut(|data| match next {
        Some(next) => {
            data.insert_temp(memory(), next);
        }
        None => data.remove::<ScrollGesture>(memory()),
    });
}

/// What a dial may do with the wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// Nothing: the wheel acts on another dial or the page.
    None,
    /// Begin a gesture for the host, and turn.
    First,
    /// Continue to turn.
    Repeated,
}

/// Claims the wheel for the dial under the pointer.
pub fn claim(ui: &Ui, id: &'static str) -> Claim {
    ui.data_mut(|data| match data.get_temp::<ScrollGesture>(memory()) {
        Some(gesture) if gesture.target == Target::Unclaimed => {
            data.insert_temp(memory(), ScrollGesture { target: Target::Dial(id), ..gesture });
            Claim::First
        }
        Some(gesture) if gesture.target == Target::Dial(id) => Claim::Repeated,
        _ => Claim::None,
    })
}
