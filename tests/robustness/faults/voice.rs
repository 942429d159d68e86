//! NaN or infinity in a voice ends at most that voice, within the block in which it would be heard,
//! and leaves nothing behind.
//!
//! Every word of a voice's memory that holds a float is made NaN or infinite, one at a time, in the
//! middle of various gestures.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assert_no_alloc::assert_no_alloc;
use ictus::body::UserModes;
use ictus::exciter::surface::SurfaceTable;
use ictus::io::surfaces::SurfaceRequest;
use ictus::modulation::Onset;
use ictus::params::Patch;
use ictus::params::event::NoteAddress;
use ictus::tuning::Tuning;
use ictus::voice::events::ContactEvents;
use ictus::voice::fault::{put_nan, regions};
use ictus::voice::{Voice, VoiceContext};

use super::memory::{TargetWord, VALUES, damage, words};
use super::scenario::{BLOCK, RATE_HZ, SCENARIOS};
use crate::patches::patch;

/// Words of one part that an ordinary run tries.
const TRIED: usize = 60;
/// Blocks for which a damaged voice is rendered.
const BLOCKS: usize = 4;
/// Blocks for which a voice may sound different, within bounds, before its output is non-finite and
/// it ends.
const LATEST: usize = 1;

const NOTE: NoteAddress = NoteAddress { id: None, channel: Some(0), key: Some(57) };

fn context<'a>(
    patch: &'a Patch,
    table: Option<&'a Arc<SurfaceTable>>,
    list: &'a UserModes,
) -> VoiceContext<'a> {
    VoiceContext {
        patch,
        knobs: patch,
        table,
        list,
        list_number: 0,
        tuning: &Tuning::EQUAL,
        forces_n: &[],
        tempo_bpm: 120.0,
    }
}

/// Renders some blocks of a voice; `None` if its output is non-finite, else whether it ended.
fn play(
    voice: &mut Voice,
    context: &VoiceContext,
    samples: usize,
    sound: &mut Vec<f64>,
) -> Option<bool> {
    let mut ended = false;
    for _ in 0..samples.div_ceil(BLOCK) {
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        ended |= voice.process(context, &mut left, &mut right, &mut ContactEvents::new()).is_some();
        if !left.iter().chain(&right).all(|x| x.is_finite()) {
            return None;
        }
        sound.extend(left.iter().chain(&right));
    }
    Some(ended)
}

/// Starts a note on a voice and returns its sound.
fn render_after_reset(voice: &mut Voice, context: &VoiceContext) -> Vec<f64> {
    let mut sound = Vec::new();
    voice.begin(NOTE, 57, context);
    voice.play(Onset { velocity: 0.8, count: 3 }, context);
    play(voice, context, 4 * BLOCK, &mut sound);
    sound
}

/// Parts that cache results for one body. A fault in them while they are inaudible may change later
/// notes within bounds; as soon as the output is non-finite the voice is rebuilt.
const KEPT: [&str; 3] = ["object", "level", "coupled contacts"];

/// The effect of a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Consequence {
    /// The voice sounds as a healthy one, to the bit.
    Unheard,
    /// It is silent from the block on in which it would have sounded different.
    Lost,
    /// It sounds different, within bounds.
    Otherwise,
    /// It sounded different, within bounds, for at most [`LATEST`] blocks and is silent from then
    /// on.
    Late,
}

/// Renders a damaged voice block by block beside a healthy one.
fn listen(
    damaged: &mut Voice,
    context: &VoiceContext,
    healthy: &[Vec<f64>],
) -> Result<Consequence, String> {
    let (mut met, mut since) = (Consequence::Unheard, 0);
    for healthy in healthy {
        let mut sound = Vec::with_capacity(healthy.len());
        let ended = play(damaged, context, BLOCK, &mut sound).ok_or("the output is non-finite")?;
        if sound.iter().any(|x| x.abs() > 1e6) {
            return Err("it is loud beyond measure".into());
        }
        met = match (met, ended) {
            (Consequence::Unheard, true) => return Ok(Consequence::Lost),
            (_, true) if since <= LATEST => return Ok(Consequence::Late),
            (_, true) => return Err(format!("it ended {since} blocks after it was heard")),
            (Consequence::Unheard, false) if sound == *healthy => Consequence::Unheard,
            _ => Consequence::Otherwise,
        };
        since += usize::from(met == Consequence::Otherwise);
    }
    Ok(met)
}

/// A voice that has never played. (Voices are large: they are built in frames of their own.)
#[inline(never)]
fn fresh() -> Box<Voice> {
    let mut voice = Box::new(Voice::new());
    voice.prepare(RATE_HZ);
    voice
}

#[inline(never)]
fn like(voice: &Voice) -> Box<Voice> {
    Box::new(voice.clone())
}

/// How the undamaged voice would continue, block by block.
fn healthy(voice: &Voice, context: &VoiceContext) -> [Vec<f64>; BLOCKS] {
    let mut voice = like(voice);
    [(); BLOCKS].map(|()| {
        let mut sound = Vec::new();
        assert_eq!(play(&mut voice, context, BLOCK, &mut sound), Some(false), "it ends by itself");
        sound
    })
}

/// The effect of one damaged word, or an error message.
fn trial(
    damaged: &mut Voice,
    part: &str,
    context: &VoiceContext,
    healthy: &[Vec<f64>],
    wanted: &[f64],
) -> Result<Consequence, String> {
    let met = listen(damaged, context, healthy)?;
    let ended = matches!(met, Consequence::Lost | Consequence::Late);
    if ended && damaged.note().is_some() {
        return Err("it ended and has a note".into());
    }
    if !ended {
        // A surviving voice can be released.
        damaged.choke();
        let ended =
            play(damaged, context, 4 * BLOCK, &mut Vec::new()).ok_or("the fade is non-finite")?;
        if !ended {
            return Err("it cannot be sent off".into());
        }
    }
    let next = render_after_reset(damaged, context);
    let goes_on = next.len() == wanted.len() && next.iter().all(|x| x.abs() < 1e6);
    let is_like_new = next == wanted;
    if is_like_new || (goes_on && !ended && KEPT.contains(&part)) {
        Ok(met)
    } else {
        Err("the next note on the voice is another".into())
    }
}

#[test]
fn rebuilding_a_voice_does_not_allocate() {
    let (patch, list) = (Patch::default(), UserModes::default());
    let context = context(&patch, None, &list);
    let mut voice = Voice::new();
    voice.prepare(RATE_HZ);
    voice.begin(NOTE, 57, &context);
    voice.play(Onset { velocity: 0.8, count: 1 }, &context);
    let (mut left, mut right, mut reported) = ([0.0; BLOCK], [0.0; BLOCK], ContactEvents::new());
    assert!(voice.process(&context, &mut left, &mut right, &mut reported).is_none());
    put_nan(&mut voice);
    let ended = assert_no_alloc(|| voice.process(&context, &mut left, &mut right, &mut reported));
    assert_eq!(ended.map(|(_, note)| note), Some(NOTE));
}

#[test]
fn nan_in_a_voice_affects_that_voice_alone() {
    let list = UserModes::default();
    let mut faults = Vec::new();
    let under_way = TargetWord::new();
    for scenario in SCENARIOS.iter().filter(|scenario| scenario.is_tried()) {
        let patch = patch(scenario.settings);
        let table = SurfaceRequest::of(&patch).map(|request| request.build(None));
        let context = context(&patch, table.as_ref(), &list);
        let mut voice = fresh();
        voice.begin(NOTE, 57, &context);
        voice.play(Onset { velocity: 0.8, count: 1 }, &context);
        let mut sound = Vec::new();
        assert_eq!(
            play(&mut voice, &context, scenario.samples, &mut sound),
            Some(false),
            "{}",
            scenario.name
        );
        assert!(sound.iter().any(|x| *x != 0.0), "{}: silent", scenario.name);
        let healthy = healthy(&voice, &context);
        let wanted = render_after_reset(&mut fresh(), &context);
        assert!(
            wanted == render_after_reset(&mut like(&voice), &context),
            "{}: a voice remembers",
            scenario.name
        );
        let words = words(&mut voice, TRIED);
        let mut came = Vec::new();
        for &word in &words {
            under_way.is_at(word);
            for value in VALUES {
                let mut damaged = like(&voice);
                damage(&mut damaged, word, value);
                let part = regions(&mut voice)[word.0].name;
                let result = catch_unwind(AssertUnwindSafe(|| {
                    trial(&mut damaged, part, &context, &healthy, &wanted)
                }));
                match result.unwrap_or_else(|_| Err("it panics".into())) {
                    Ok(met) => came.push(met),
                    Err(what) => faults
                        .push(format!("{}: {part} + {}: {value}: {what}", scenario.name, word.1)),
                }
            }
        }
        let count = |wanted: Consequence| came.iter().filter(|met| **met == wanted).count();
        let counts =
            [Consequence::Unheard, Consequence::Lost, Consequence::Otherwise, Consequence::Late]
                .map(|met| format!("{} {met:?}", count(met)));
        println!("{}: {} words: {}", scenario.name, words.len(), counts.join(", "));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
