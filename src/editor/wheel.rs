//! To whom the wheel belongs.
//!
//! It turns the dial under the pointer, and scrolls the page where there is none. Whichever it did first it goes on doing
//! until it has rested: a dial that slides under the pointer while the page is scrolled is not turned. A run of notches on
//! one dial is one gesture for the host and one step back.

use egui::{Id, Ui};

use super::control::Board;
use crate::patch::Param;

/// After this long without a notch the next one begins anew, s.
const PAUSE_S: f64 = 0.3;

/// A run of notches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    owner: Owner,
    until_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    /// Just begun: the dial under the pointer may claim it.
    Nobody,
    Page,
    /// A dial, by its parameter's name for hosts.
    Dial(&'static str),
}

fn memory() -> Id {
    Id::unique("the run of the wheel")
}

/// At the beginning of a frame: see whether a run begins, goes on or is over.
pub fn follow(ui: &Ui, board: &Board) {
    let (turns, now_s) = ui.input(|input| (input.smooth_scroll_delta() != egui::Vec2::ZERO, input.time));
    let run = ui.data(|data| data.get_temp::<Run>(memory()));
    let next = match run {
        Some(Run { owner: Owner::Nobody, .. }) if turns => Some(Run { owner: Owner::Page, until_s: now_s + PAUSE_S }),
        Some(run) if turns && now_s <= run.until_s => Some(Run { until_s: now_s + PAUSE_S, ..run }),
        Some(run) if now_s <= run.until_s => Some(run),
        _ => turns.then_some(Run { owner: Owner::Nobody, until_s: now_s + PAUSE_S }),
    };
    if let Some(Run { owner: Owner::Dial(id), .. }) = run
        && next.is_none_or(|next| next.owner != Owner::Dial(id))
        && let Some(param) = Param::ALL.into_iter().find(|param| param.spec().id == id)
    {
        board.params.slot(param).end(board.setter);
    }
    ui.data_mut(|data| match next {
        Some(next) => {
            data.insert_temp(memory(), next);
        }
        None => data.remove::<Run>(memory()),
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
    Again,
}

/// The dial under the pointer asks for the wheel.
pub fn claim(ui: &Ui, id: &'static str) -> Claim {
    ui.data_mut(|data| match data.get_temp::<Run>(memory()) {
        Some(run) if run.owner == Owner::Nobody => {
            data.insert_temp(memory(), Run { owner: Owner::Dial(id), ..run });
            Claim::First
        }
        Some(run) if run.owner == Owner::Dial(id) => Claim::Again,
        _ => Claim::None,
    })
}
