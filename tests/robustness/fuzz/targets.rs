//! One function per kind of input: it takes any bytes, must not panic, and must not accept anything
//! out of range. The tests and the programs in `fuzz/` share them.

use std::cell::RefCell;

use ictus::cli::render::install_surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::io::midi_file;
use ictus::io::presets::Preset;
use ictus::io::surfaces::{self, Height, SurfaceFile, SurfaceScale};
use ictus::io::{mode_lists, tunings};
use ictus::params::event::{Event, EventKind, EventQueue, ExpressionKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::tuning::{Keyboard, ScalaScale as Tones, Tuning};

/// A function that takes any bytes.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const ALL: &[(&str, Target)] = &[
    ("preset", preset),
    ("surface", surface),
    ("recipe", recipe),
    ("list", list),
    ("scala", scala),
    ("keyboard", keyboard),
    ("midi", midi_file),
    ("parameters", parameters),
    ("events", events),
    #[cfg(feature = "plugin")]
    ("state", state),
];

fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// A preset, which is also how a project stores a sound: refused, or complete and unchanged when
/// written and read again.
pub fn preset(data: &[u8]) {
    let Ok(preset) = Preset::read(&text(data), "x") else { return };
    for param in Param::ALL {
        is_inside(&preset.sound.patch, param);
    }
    let again = Preset::read(&preset.write(), "x").expect("what is written can be read");
    assert_eq!(again, preset);
}

fn is_inside(patch: &Patch, param: Param) {
    let ((low, high), value) = (param.spec().range_si(), patch.get(param));
    assert!((low..=high).contains(&value), "{}: {value}", param.spec().id);
}

/// The state of a saved project, as the plug-in restores it: refused without any effect, or
/// complete, with every parameter in range, and unchanged when saved and restored again.
#[cfg(feature = "plugin")]
pub fn state(data: &[u8]) {
    use ictus::shared_state::params::HostParams;
    use ictus::shared_state::state::{filter, refusal, value};
    use nice_plug::plugin::PluginState;

    let Ok(mut state) = serde_json::from_slice::<PluginState>(data) else { return };
    filter(&mut state, HostParams::default_of);
    if refusal(&state.fields).is_some() {
        assert!(state.params.is_empty() && state.fields.len() == 1, "something of it is left");
        restored(&state.fields, |_, fields| assert!(fields.is_empty(), "it changes something"));
        return;
    }
    let mut patch = Patch::default();
    for param in Param::ALL {
        let kept = state.params.get(param.spec().id).expect("it is complete");
        patch.set_stored(param, stored(kept));
        is_inside(&patch, param);
        // Only fields of the plug-in: the framework ignores others.
        let own = value(param, patch.stored(param));
        assert_eq!(
            std::mem::discriminant(kept),
            std::mem::discriminant(&own),
            "{}",
            param.spec().id
        );
    }
    let saved = restored(&state.fields, |sound, fields| {
        assert!(
            sound
                .extras
                .modes
                .iter()
                .all(|list| list.modes().iter().all(|mode| mode.ratio.is_finite()))
        );
        assert!(
            sound.extras.tuning.iter().all(|tuning| tuning.read().is_ok()),
            "a tuning that cannot be read"
        );
        fields
    });
    let mut again =
        PluginState { version: state.version, params: state.params, fields: saved.clone() };
    filter(&mut again, HostParams::default_of);
    assert!(refusal(&again.fields).is_none(), "what was saved is refused: {:?}", again.fields);
    restored(&saved, |_, fields| assert_eq!(fields, saved, "it is another when it is saved again"));
}

/// Restores the fields of a state in a new instance. `look` gets its sound, and the fields that it
/// would save.
#[cfg(feature = "plugin")]
fn restored<T>(
    fields: &std::collections::BTreeMap<String, String>,
    look: impl FnOnce(ictus::io::presets::Sound, std::collections::BTreeMap<String, String>) -> T,
) -> T {
    use nice_plug::prelude::Params;
    let params = ictus::shared_state::params::HostParams::new(std::sync::Arc::default());
    params.deserialize_fields(fields);
    look(params.sound(), params.serialize_fields())
}

#[cfg(feature = "plugin")]
fn stored(value: &nice_plug::plugin::ParamValue) -> f32 {
    use nice_plug::plugin::ParamValue::{Bool, F32, I32, String};
    match value {
        F32(value) => *value,
        I32(value) => *value as f32,
        Bool(value) => (*value).into(),
        String(text) => panic!("no parameter is a text: {text}"),
    }
}

/// A surface from a sound or an image.
pub fn surface(data: &[u8]) {
    let scale = SurfaceScale { length_m: 0.3, height: Height::Rms(1e-5), row: None };
    let Ok(surface) = surfaces::parse(data, &scale) else { return };
    let written = surfaces::StoredSurface::of(&surface);
    let again = written.read().expect("what is kept can be read");
    let is_same =
        again.heights_m().iter().zip(surface.heights_m()).all(|(a, b)| (a - b).abs() <= 1e-9);
    assert!(
        is_same || again.heights_m().len() < surface.heights_m().len(),
        "kept heights are others"
    );
}

/// A surface recipe.
pub fn recipe(data: &[u8]) {
    if let Ok(file) = SurfaceFile::parse(&text(data)) {
        let recipe = file.recipe();
        assert!(recipe.length_m.is_finite() && recipe.length_m > 0.0);
    }
}

/// A list of modes.
pub fn list(data: &[u8]) {
    let Ok(written) = serde_json::from_slice::<Vec<mode_lists::StoredMode>>(data) else { return };
    if let Ok(list) = mode_lists::check("modes", &written) {
        assert!(list.modes().iter().all(|mode| mode.ratio.is_finite() && mode.ratio > 0.0));
    }
}

/// A scale, with the default keyboard.
pub fn scala(data: &[u8]) {
    let text = text(data);
    if let Ok(scale) = Tones::parse(&text) {
        let tuning = Tuning::new(&scale, &Keyboard::default());
        tuning.iter().for_each(is_tuned);
        let file = tunings::TextFile { name: "x".into(), text: text.into() };
        let _ = tunings::StoredTuning { scl: Some(file), kbm: None }.read();
    }
}

/// A keyboard mapping, with the default scale.
pub fn keyboard(data: &[u8]) {
    if let Ok(keyboard) = Keyboard::parse(&text(data)) {
        Tuning::new(&Tones::default(), &keyboard).iter().for_each(is_tuned);
    }
}

fn is_tuned(tuning: &Tuning) {
    for key in 0..128 {
        assert!(tuning.pitch_st(key).is_none_or(f64::is_finite), "key {key}");
    }
}

/// A MIDI file.
pub fn midi_file(data: &[u8]) {
    for rate_hz in [8000.0, 768_000.0] {
        let Ok(events) = midi_file::parse(data, rate_hz) else { return };
        assert!(events.windows(2).all(|pair| pair[0].offset <= pair[1].offset), "out of order");
    }
}

/// Texts and numbers for parameters: each line is an identifier, a space and a value; or any four
/// bytes are a stored number.
pub fn parameters(data: &[u8]) {
    let mut patch = Patch::default();
    for line in text(data).lines() {
        let (id, value) = line.split_once(' ').unwrap_or(("mass", line));
        let param = Param::from_id(id).unwrap_or(Param::Mass);
        if let Some(si) = param.spec().parse_si(value) {
            patch.set(param, si);
            is_inside(&patch, param);
        }
    }
    for (n, bytes) in data.chunks_exact(4).enumerate() {
        let param = Param::ALL[n % Param::COUNT];
        patch.set_stored(param, f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        is_inside(&patch, param);
    }
}

/// Reads bytes as numbers until they are used up.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes([(); 4].map(|()| self.byte()))
    }
}

thread_local! {
    /// Built once: an engine and its surface take a hundred times as long as a short stream.
    /// `prepare` clears everything played before.
    static ENGINE: RefCell<Engine> = RefCell::new({
        let mut engine = Engine::new();
        install_surface(&mut engine, &rolling(), None);
        engine
    });
}

/// Plays a stream of events and parameters with arbitrary floats.
pub fn events(data: &[u8]) {
    ENGINE.with_borrow_mut(|engine| play(engine, Bytes(data)));
}

fn play(engine: &mut Engine, mut bytes: Bytes) {
    engine.prepare(f64::from(bytes.float()) * 1e4);
    engine.set_tempo(f64::from(bytes.float()));
    let (mut patch, mut queue, mut ends) =
        (Patch::default(), EventQueue::default(), NoteEnds::new());
    // At most some milliseconds of work, however long the input is.
    for _ in 0..12 {
        if bytes.0.is_empty() {
            break;
        }
        queue.clear();
        for _ in 0..bytes.byte() % 16 {
            let kind = kind(&mut bytes);
            let note = NoteAddress {
                id: bytes.byte().is_multiple_of(2).then(|| i32::from(bytes.byte())),
                channel: Some(bytes.byte()),
                key: (!bytes.byte().is_multiple_of(8)).then(|| bytes.byte()),
            };
            let _ = queue.push(Event { offset: usize::from(bytes.byte()) * 3, note, kind });
        }
        let param = Param::ALL[usize::from(bytes.byte()) % Param::COUNT];
        patch.set_stored(param, bytes.float());
        let (mut left, mut right) = ([f32::NAN; 300], [f32::NAN; 300]);
        let status = engine.process(&patch, queue.as_slice(), &mut left, &mut right, &mut ends);
        ends.clear();
        assert!(left.iter().chain(&right).all(|x| x.abs() <= 0.891_250_9), "not below the ceiling");
        assert!(status.limiter_gain > 0.0 && status.limiter_gain <= 1.0);
    }
}

fn rolling() -> Patch {
    let mut patch = Patch::default();
    patch.set(Param::Gesture, 2.0);
    patch
}

fn kind(bytes: &mut Bytes) -> EventKind {
    match bytes.byte() % 9 {
        0..3 => EventKind::NoteOn { velocity: bytes.float() },
        3 => EventKind::NoteOff,
        4 => EventKind::Choke,
        5 => EventKind::Controller { number: bytes.byte(), value: bytes.float() },
        6 => EventKind::Pressure { value: bytes.float() },
        7 => {
            let kind = ExpressionKind::ALL[usize::from(bytes.byte()) % ExpressionKind::ALL.len()];
            EventKind::Expression { kind, value: bytes.float() }
        }
        _ if bytes.byte().is_multiple_of(2) => EventKind::Bend { value: bytes.float() },
        _ => EventKind::Modulation {
            param: Param::ALL[usize::from(bytes.byte()) % Param::COUNT],
            offset: bytes.float(),
        },
    }
}
