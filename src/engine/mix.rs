//! Mixes the voices into the outputs.

use std::ops::Range;

use super::output::OutputParams;
use super::{Engine, NoteEnds, PIECE, Status, report_note_end};
use crate::exciter::external::Input;
use crate::params::event::NoteEnd;
use crate::params::{KEY_GROUPS, Patch};
use crate::voice::VoiceContext;

/// Receives the sound of single key groups.
pub trait GroupOut {
    /// Whether a group has an output of its own; otherwise it goes to the main output.
    fn is_connected(&self, _group: usize) -> bool {
        true
    }

    /// Takes the sound of a group from sample `start` of the block on; full scale is 1.
    fn write(&mut self, group: usize, start: usize, left: &[f64], right: &[f64]);
}

/// Input and outputs of one block.
pub struct Io<'a> {
    /// The side-chain.
    pub input: Input<'a>,
    /// Left main output; overwritten.
    pub left: &'a mut [f32],
    /// Right main output; overwritten.
    pub right: &'a mut [f32],
    /// Outputs of the key groups, which then are not in `left` and `right`.
    pub groups: Option<&'a mut dyn GroupOut>,
}

impl Io<'_> {
    /// Number of samples: that of the shorter channel.
    pub fn len(&self) -> usize {
        self.left.len().min(self.right.len())
    }

    /// Whether it has no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Both channels of a piece.
type Sides = [[f64; PIECE]; 2];

/// Buffers to mix a piece in. They are kept: clearing all of them for every piece would cost more
/// than a short piece takes.
#[derive(Clone, Debug)]
pub(super) struct MixBuffers {
    main: Sides,
    groups: [Sides; KEY_GROUPS],
}

impl Default for MixBuffers {
    fn default() -> Self {
        let nothing = [[0.0; PIECE]; 2];
        Self { main: nothing, groups: [nothing; KEY_GROUPS] }
    }
}

/// Clears the first `n` samples.
fn silence(sides: &mut Sides, n: usize) {
    sides.iter_mut().for_each(|side| side[..n].fill(0.0));
}

impl Engine {
    /// Renders the samples `piece` of a block, at most [`PIECE`], between two events. `forces_n` is
    /// the force of the side-chain.
    pub(super) fn mix(
        &mut self,
        patch: &Patch,
        forces_n: &[f64],
        io: &mut Io,
        piece: Range<usize>,
        ends: &mut NoteEnds,
        status: &mut Status,
    ) {
        let params = OutputParams::of(patch);
        if self.is_still(&params, io) {
            return self.pass_silence(io, piece);
        }
        let (start, n) = (piece.start, piece.len());
        let MixBuffers { main, groups } = &mut self.mix_buffers;
        silence(main, n);
        // Without group outputs everything goes to the main output.
        let mut groups = io.groups.as_ref().map(|_| groups);
        groups.iter_mut().flat_map(|groups| groups.iter_mut()).for_each(|sides| silence(sides, n));
        let reported = self.contact_events.len();
        let context = VoiceContext { forces_n, ..self.inputs.context(patch) };
        for voice in self.pool.sounding() {
            let out = io.groups.as_ref();
            let group =
                voice.group().filter(|group| out.is_some_and(|out| out.is_connected(*group)));
            let own = group.and_then(|group| groups.as_mut()?.get_mut(group));
            let [left, right] = own.unwrap_or(main);
            if let Some((offset, note)) =
                voice.process(&context, &mut left[..n], &mut right[..n], &mut self.contact_events)
            {
                report_note_end(ends, NoteEnd { offset: start + offset, note });
            }
        }
        let [left, right] = main;
        let (left, right) = (&mut left[..n], &mut right[..n]);
        self.pool.stolen_tail().mix(left, right);
        self.contact_events[reported..]
            .iter_mut()
            .for_each(|contact_event| contact_event.offset += start);
        self.output.process(&params, left, right);
        for (out, x) in io.left[piece.clone()]
            .iter_mut()
            .zip(left)
            .chain(io.right[piece.clone()].iter_mut().zip(right))
        {
            *out = *x as f32;
        }
        for (peak, side) in status.peak.iter_mut().zip([&io.left[piece.clone()], &io.right[piece]])
        {
            *peak = side.iter().fold(*peak, |peak, x| peak.max(x.abs()));
        }
        status.limiter_gain = status.limiter_gain.min(self.output.lowest_gain() as f32);
        let (Some(groups), Some(out)) = (groups, &mut io.groups) else { return };
        for (index, ([left, right], output)) in
            groups.iter_mut().zip(&mut self.group_outputs).enumerate()
        {
            let (left, right) = (&mut left[..n], &mut right[..n]);
            output.process(&params, left, right);
            status.limiter_gain = status.limiter_gain.min(output.lowest_gain() as f32);
            out.write(index, start, left, right);
        }
    }

    /// True if nothing sounds and the outputs are at rest, so that rendering can be skipped.
    fn is_still(&self, params: &OutputParams, io: &Io) -> bool {
        let outputs = if io.groups.is_some() { &self.group_outputs[..] } else { &[] };
        self.pool.is_silent()
            && [&self.output].into_iter().chain(outputs).all(|output| output.is_still(params))
    }

    fn pass_silence(&mut self, io: &mut Io, piece: Range<usize>) {
        let silence = &[0.0; PIECE][..piece.len()];
        io.left[piece.clone()].fill(0.0);
        io.right[piece.clone()].fill(0.0);
        self.output.pass_silence();
        let Some(out) = &mut io.groups else { return };
        for (group, output) in self.group_outputs.iter_mut().enumerate() {
            output.pass_silence();
            out.write(group, piece.start, silence, silence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Param;
    use crate::params::event::{Event, EventKind, NoteAddress};

    const SAMPLES: usize = 9 * 48_000;
    const NOTES: [usize; 2] = [0, 8 * 48_000 + 11];

    /// Two short notes with a long silence between them in blocks of this size, and the number of
    /// blocks that were skipped.
    fn played(block: usize) -> (Vec<f32>, usize) {
        let mut patch = Patch::default();
        patch.set(Param::Support, 500.0);
        let mut engine = Engine::new();
        let (mut left, mut right, mut ends) =
            (vec![0.0; SAMPLES], vec![0.0; SAMPLES], NoteEnds::new());
        let mut passed = 0;
        for start in (0..SAMPLES).step_by(block) {
            let end = (start + block).min(SAMPLES);
            let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
            let here = NOTES.iter().filter(|at| (start..end).contains(at));
            let on = |at: &usize| Event {
                offset: at - start,
                note,
                kind: EventKind::NoteOn { velocity: 0.8 },
            };
            let events: Vec<_> = here.map(on).collect();
            let (left, right) = (&mut left[start..end], &mut right[start..end]);
            let io = Io { input: Input::default(), left, right, groups: None };
            passed +=
                usize::from(events.is_empty() && engine.is_still(&OutputParams::of(&patch), &io));
            ends.clear();
            engine.process_io(&patch, &events, io, &mut ends);
        }
        left.extend(right);
        (left, passed)
    }

    #[test]
    fn skipping_silent_blocks_changes_no_sample() {
        let (sound, passed) = played(480);
        assert!(passed > 100, "{passed} silent blocks were skipped");
        let heard = |from: usize| sound[from..from + 4800].iter().any(|x| x.abs() > 0.01);
        assert!(heard(NOTES[0]) && heard(NOTES[1]));
        // A single block is not skipped.
        let (whole, passed) = played(SAMPLES);
        assert_eq!(passed, 0);
        assert!(sound == whole);
    }
}
