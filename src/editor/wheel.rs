//! To whom the wheel belongs.
//!
//! It turns the dial under the pointer, and scrolls the page where there is none. Whichever it did
//! first it goes on doing until it has rested: a dial that slides under the pointer while the page
//! is scrolled is not turned. A run of notches on one dial is one gesture for the host and one step
//! back.

use egui::{Id, Ui};

use super::control::Controls;
use crate::params::Param;

/// After this long without a notch the next one begins anew, s.
const PAUSE_S: f64 = 0.3;

/// A run of notches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ScrollGesture {
    owner: Owner,
    until_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    /// Just begun: the dial under the pointer may claim it.
    Unclaimed,
    Page,
    /// A dial, by its parameter's name for hosts.
    Dial(&'static str),
}

fn memory() -> Id {
    Id::unique("the run of the wheel")
}

/// At the beginning of a frame: see whether a run begins, goes on or is over.
pub fn follow(ui: &Ui, controls: &Controls) {
    let (turns, now_s) =
        ui.input(|input| (input.smooth_scroll_delta() != egui::Vec2::ZERO, input.time));
    let gesture = ui.data(|data| data.get_temp::<ScrollGesture>(memory()));
    let next = match gesture {
        Some(ScrollGesture { owner: Owner::Unclaimed, .. }) if turns => {
            Some(ScrollGesture { owner: Owner::Page, until_s: now_s + PAUSE_S })
        }
        Some(gesture) if turns && now_s <= gesture.until_s => {
            Some(ScrollGesture { until_s: now_s + PAUSE_S, ..gesture })
        }
        Some(gesture) if now_s <= gesture.until_s => Some(gesture),
        _ => turns.then_some(ScrollGesture { owner: Owner::Unclaimed, until_s: now_s + PAUSE_S }),
    };
    if let Some(ScrollGesture { owner: Owner::Dial(id), .. }) = gesture
        && next.is_none_or(|next| next.owner != Owner::Dial(id))
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
    /// Nothing: it belongs to another, or to the page.
    None,
    /// Turn, and say so to the host first.
    First,
    /// Go on turning.
    Repeated,
}

/// The dial under the pointer asks for the wheel.
pub fn claim(ui: &Ui, id: &'static str) -> Claim {
    ui.data_mut(|data| match data.get_temp::<ScrollGesture>(memory()) {
        Some(gesture) if gesture.owner == Owner::Unclaimed => {
            data.insert_temp(memory(), ScrollGesture { owner: Owner::Dial(id), ..gesture });
            Claim::First
        }
        Some(gesture) if gesture.owner == Owner::Dial(id) => Claim::Repeated,
        _ => Claim::None,
    })
}
