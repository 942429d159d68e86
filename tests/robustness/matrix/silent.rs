//! Finds out why rows are silent: `cargo xtask measure silence`.
//!
//! Sets one thing at a time to its default, or leaves it out; if the row is then heard, that thing
//! is a cause.

use ictus::io::surfaces::SurfaceRequest;
use ictus::params::Param;
use ictus::params::event::EventKind;

use super::factors::Row;
use super::playing::{HEARD, Piece, Player};

impl Piece {
    /// The same row with some parameters at their defaults, before and after the change.
    fn with(&self, params: &[Param]) -> Self {
        let mut piece = self.clone();
        for patch in &mut piece.patches {
            params.iter().for_each(|param| _ = patch.set(*param, param.spec().default));
        }
        piece.tables = piece
            .patches
            .each_ref()
            .map(|patch| SurfaceRequest::of(patch).map(|request| request.build(None)));
        piece
    }

    /// Only its two notes.
    fn without_events(&self) -> Self {
        let mut piece = self.clone();
        piece.events.retain(
            |event| matches!(event.kind, EventKind::NoteOn { velocity } if velocity == 0.9),
        );
        piece
    }

    /// A longer second half.
    fn longer(&self) -> Self {
        let mut piece = self.clone();
        piece.input.resize(10 * self.input.len(), 0.0);
        piece
    }
}

/// The single causes; or, if only another gesture helps, the smallest set of causes that helps
/// together.
pub fn causes(player: &mut Player, row: &Row) -> Vec<String> {
    let piece = Piece::new(row);
    let mut is_heard = |piece: &Piece| player.loudest(row, piece) > HEARD;
    let changed = |param: &Param| {
        *param != Param::Gesture
            && piece.patches.iter().any(|patch| patch.get(*param) != param.spec().default)
    };
    let changed: Vec<Param> = Param::ALL.into_iter().filter(changed).collect();
    let named = |param: &Param| {
        let texts =
            piece.patches.each_ref().map(|patch| param.spec().format_stored(patch.stored(*param)));
        format!("{} ({})", param.spec().name, texts.join(", then "))
    };
    let alone = changed.iter().filter(|param| is_heard(&piece.with(&[**param])));
    let mut causes: Vec<String> = alone.map(named).collect();
    if is_heard(&piece.without_events()) {
        causes.push("what else happens to the notes".into());
    }
    if is_heard(&piece.longer()) {
        causes.push("it is heard in a row ten times as long".into());
    }
    if causes.is_empty() && is_heard(&piece.with(&changed)) {
        let mut fewest = changed.clone();
        for param in changed {
            let fewer: Vec<Param> =
                fewest.iter().copied().filter(|other| *other != param).collect();
            if is_heard(&piece.with(&fewer)) {
                fewest = fewer;
            }
        }
        causes
            .push(format!("together: {}", fewest.iter().map(named).collect::<Vec<_>>().join(", ")));
    }
    causes
}
