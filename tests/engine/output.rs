//! The output: width, key pan, the share of the contact sound, the limiter.

use ictus::cli::render::{Length, render};
use ictus::engine::{Engine, NoteEnds};
use ictus::engine::{GroupOut, Io};
use ictus::exciter::external::Input;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;

fn heard(settings: &[(Param, f64)], key: u8, rate_hz: f64) -> [Vec<f32>; 2] {
    let mut patch = Patch::default();
    settings.iter().for_each(|(param, value)| {
        patch.set(*param, *value);
    });
    let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
    let events = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 1.0 } }];
    render(&patch, &events, Length::Fixed((0.5 * rate_hz) as usize), rate_hz, 512, |_| {})
}

fn peak(sound: &[f32]) -> f32 {
    sound.iter().fold(0.0, |peak, x| peak.max(x.abs()))
}

#[test]
fn without_width_both_sides_are_alike() {
    let [left, right] = heard(&[], 60, RATE_HZ);
    assert_ne!(left, right);
    let [left, right] = heard(&[(Param::Width, 0.0)], 60, RATE_HZ);
    let apart = left.iter().zip(&right).fold(0f32, |most, (l, r)| most.max((l - r).abs()));
    assert!(apart < 1e-6 && peak(&left) > 0.01, "{apart}");
}

#[test]
fn keys_stand_where_the_pan_puts_them() {
    let spread = |key: u8| {
        heard(&[(Param::KeyPan, 1.0), (Param::Level, -12.0)], key, RATE_HZ).map(|side| peak(&side))
    };
    let [left, right] = spread(108);
    assert!(left < 1e-6 * right, "{left} {right}");
    let [left, right] = spread(12);
    assert!(right < 1e-6 * left, "{left} {right}");
    assert_eq!(spread(60), heard(&[(Param::Level, -12.0)], 60, RATE_HZ).map(|side| peak(&side)));
}

#[test]
fn the_contact_alone_is_a_click_of_the_same_size_at_every_rate_and_on_every_body() {
    for (coupling, gesture) in [(0.0, 0.0), (1.0, 0.0), (0.0, 5.0)] {
        let click = |rate_hz: f64, body: f64| {
            let settings = [
                (Param::Air, 1.0),
                (Param::Coupling, coupling),
                (Param::Gesture, gesture),
                (Param::Body, body),
                (Param::FirstHit, 1.0),
            ];
            let [left, right] = heard(&settings, 60, rate_hz);
            assert_eq!(left, right, "air is on both sides alike");
            left
        };
        let (slow, fast) = (click(48_000.0, 0.0), click(192_000.0, 0.0));
        let (a, b) = (peak(&slow), peak(&fast));
        println!("coupling {coupling}, gesture {gesture}: {a} and {b}");
        assert!((0.02..0.9).contains(&a) && (a / b - 1.0).abs() < 0.05, "{a} and {b}");
        if gesture == 0.0 {
            let loudest = slow.iter().position(|x| x.abs() == a).unwrap();
            // Only the output's DC block still has state.
            assert!(
                loudest < 480 && peak(&slow[960..]) < 0.02 * a,
                "at {loudest}: {}",
                peak(&slow[960..])
            );
        }
        if coupling == 0.0 {
            assert_eq!(
                click(48_000.0, 0.0),
                click(48_000.0, 4.0),
                "a rigid contact does not know the body"
            );
        }
    }
}

#[test]
fn half_way_the_body_is_as_it_was_and_the_contact_is_added() {
    let quiet = (Param::Level, -20.0);
    let [body, _] = heard(&[quiet], 60, RATE_HZ);
    let [both, _] = heard(&[quiet, (Param::Air, 0.5)], 60, RATE_HZ);
    let [contact, _] = heard(&[quiet, (Param::Air, 1.0)], 60, RATE_HZ);
    let off =
        (0..body.len()).fold(0f32, |most, n| most.max((both[n] - body[n] - contact[n]).abs()));
    assert!(off < 1e-6, "{off}");
}

#[test]
fn without_the_limiter_peaks_are_cut() {
    let loud = (Param::Level, 24.0);
    let [on, _] = heard(&[loud], 60, RATE_HZ);
    let [off, _] = heard(&[loud, (Param::Limiter, 0.0)], 60, RATE_HZ);
    assert!(peak(&on) <= 0.8913 && peak(&off) <= 0.8913, "{} and {}", peak(&on), peak(&off));
    // Disabled contact sound leaves the rest unchanged in level.
    let level = |sound: &[f32]| sound.iter().map(|x| x * x).sum::<f32>();
    assert!(level(&off) > 1.1 * level(&on), "{} and {}", level(&off), level(&on));
}

/// The left channels of four groups.
struct Groups([Vec<f32>; 4]);

impl GroupOut for Groups {
    fn write(&mut self, group: usize, start: usize, left: &[f64], _: &[f64]) {
        assert_eq!(self.0[group].len(), start, "in order, and without gaps");
        self.0[group].extend(left.iter().map(|x| *x as f32));
    }
}

#[test]
fn keys_of_a_group_leave_by_its_own_output_and_the_sum_is_the_same() {
    let mut patch = Patch::default();
    for (param, value) in [
        (Param::Group1Low, 40.0),
        (Param::Group1High, 50.0),
        (Param::Group3Low, 61.0),
        (Param::Group3High, 72.0),
        (Param::Level, -20.0),
    ] {
        patch.set(param, value);
    }
    let note = |key| NoteAddress { id: None, channel: Some(0), key: Some(key) };
    let on = EventKind::NoteOn { velocity: 0.8 };
    let events = [(45, 0), (60, 1000), (64, 1500)].map(|(key, offset)| Event {
        offset,
        note: note(key),
        kind: on,
    });
    let play = |groups: Option<&mut dyn GroupOut>| {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        let (mut left, mut right) = (vec![0.0; 4800], vec![0.0; 4800]);
        let groups = groups.map(|groups| groups as &mut dyn GroupOut);
        let io = Io { input: Input::default(), left: &mut left, right: &mut right, groups };
        engine.process_io(&patch, &events, io, &mut NoteEnds::new());
        left
    };
    let together = play(None);
    let mut groups = Groups(Default::default());
    let main = play(Some(&mut groups));
    let [one, two, three, four] = &groups.0;
    assert!(two.iter().chain(four).all(|x| *x == 0.0));
    for (sound, first) in [(one, 0), (&main, 1000), (three, 1500)] {
        assert_eq!(sound.len(), 4800);
        // The look-ahead of the limiter delays all outputs.
        let first = first + Engine::new().latency_samples(&patch);
        let heard = sound.iter().position(|x| *x != 0.0).unwrap();
        assert!((first..first + 4).contains(&heard), "{heard}");
    }
    let off =
        (0..4800).fold(0f32, |most, n| most.max((main[n] + one[n] + three[n] - together[n]).abs()));
    assert!(off < 1e-6, "{off}");
}
