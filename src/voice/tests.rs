//! A voice that breaks, and how large it is.

use super::events::ContactEvents;
use super::*;
use crate::body::bank::CHUNK;
use crate::exciter::Blow;

fn context(patch: &Patch) -> VoiceContext<'_> {
    static LIST: std::sync::LazyLock<UserModes> = std::sync::LazyLock::new(UserModes::default);
    VoiceContext {
        patch,
        knobs: patch,
        table: None,
        list: &LIST,
        list_number: 0,
        tuning: &Tuning::EQUAL,
        forces_n: &[],
        tempo_bpm: 120.0,
    }
}

fn struck() -> Voice {
    let patch = Patch::default();
    let mut voice = Voice::new();
    voice.prepare(48_000.0);
    let note = NoteAddress { id: Some(1), channel: Some(0), key: Some(60) };
    voice.begin(note, 60, &context(&patch));
    voice.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
    voice
}

#[test]
fn a_voice_that_is_nan_any_more_ends_without_a_trace() {
    let patch = Patch::default();
    let mut voice = struck();
    let (mut left, mut right) = (vec![0.0; 8 * CHUNK], vec![0.0; 8 * CHUNK]);
    assert_eq!(
        voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new()),
        None
    );
    assert!(left.iter().any(|x| *x != 0.0));

    // Whatever it may be that breaks a body, it ends in its modes.
    voice.object.modes.rotation_re[2] = f64::NAN;
    voice.object.modes.block_rotations.re[2] = f64::NAN;
    let (before_left, before_right) = (left.clone(), right.clone());
    let end = voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new());
    assert_eq!(end.and_then(|(_, note)| note.id), Some(1), "the host is told");
    assert_eq!((left, right), (before_left, before_right), "nothing was added to the others");
    assert_eq!(voice.note(), None);

    // And it plays again.
    let mut voice_replay_inputs = voice;
    voice_replay_inputs.begin(
        NoteAddress { id: Some(2), channel: Some(0), key: Some(62) },
        62,
        &context(&patch),
    );
    voice_replay_inputs.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
    let (mut left, mut right) = (vec![0.0; 100], vec![0.0; 100]);
    assert_eq!(
        voice_replay_inputs.process(
            &context(&patch),
            &mut left,
            &mut right,
            &mut ContactEvents::new()
        ),
        None
    );
    assert!(left.iter().all(|x| x.is_finite()) && left.iter().any(|x| *x != 0.0));
}

/// What is shown is what rings: nothing before the blow, its own key, and less when it has rung for
/// a while.
#[test]
fn what_is_seen_of_a_voice_rings_and_dies_away() {
    let patch = Patch::default();
    let mut voice = struck();
    let swing = |voice: &Voice| voice.snapshot().mode_amplitudes.iter().sum::<f32>();
    assert_eq!((voice.snapshot().key, swing(&voice)), (60, 0.0));
    let (mut left, mut right) = (vec![0.0; 4800], vec![0.0; 4800]);
    voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new());
    let soon = swing(&voice);
    voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new());
    assert!(
        soon.is_finite() && soon > 0.0 && swing(&voice) < soon,
        "{soon}, then {}",
        swing(&voice)
    );
}
