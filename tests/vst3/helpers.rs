//! Shared by the tests of the VST3: instances of both formats, and the same score for both.

use crate::common::{assert_same, first_difference, instance};
use crate::display::Display;
use crate::support::built;
use crate::support::child::{is_inside, run_isolated_in};
use crate::support::clap_host::{ClapHost, Event, NoteOf, Rendered, Score, Spoken, fixed_blocks};
use crate::vst3_host::Vst3Host;
use ictus::params::Param;

pub const RATE: f64 = 48_000.0;
pub const BLOCK: u32 = 256;

/// The number of a parameter in events, in both formats: the framework's hash of its identifier.
pub fn id(param: &str) -> u32 {
    assert!(Param::from_id(param).is_some(), "there is no parameter {param}");
    param.bytes().fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
        & 0x7fff_ffff
}

/// An instance of the VST3, not yet active.
pub fn vst3() -> Vst3Host {
    Vst3Host::load(&built("ICTUS_VST3")).expect("the VST3 loads")
}

/// An instance of the CLAP, not yet active.
pub fn clap() -> ClapHost {
    instance(&built("ICTUS_CLAP"))
}

/// The VST3, ready to play.
pub fn playing() -> Vst3Host {
    let host = vst3();
    host.activate(RATE, 512).expect("it can be activated");
    host
}

/// Asserts that a note is heard, whatever the parameters.
#[track_caller]
pub fn assert_plays(host: &Vst3Host) {
    let set = [
        ("level", 0.8),
        ("mass", 0.5),
        ("speed", 0.6),
        ("pos", 0.3),
        ("pickl", 0.3),
        ("pickr", 0.4),
        ("gest", 0.0),
    ];
    let score =
        set.into_iter().fold(Score::new(), |score, (name, value)| score.param(0, id(name), value));
    let heard = host.render(&score.on(1, 60, 0.9), &fixed_blocks(4800, BLOCK)).expect("plays");
    assert!(heard.peak() > 1e-3 && heard.peak() <= 1.0, "its peak is {}", heard.peak());
}

/// Runs the calling test in a process of its own on a display of its own.
pub fn on_display<F: FnOnce()>(body: F) {
    // One heap, so that memory can be counted.
    on_display_with(&[("MALLOC_ARENA_MAX", "1")], body);
}

/// The same with variables.
pub fn on_display_with<F: FnOnce()>(variables: &[(&str, &str)], body: F) {
    let display = (!is_inside()).then(|| Display::start(&[]));
    let prepare = |command: &mut std::process::Command| {
        display.iter().for_each(|display| display.prepare(command));
        command.envs(variables.iter().copied());
    };
    run_isolated_in(prepare, body);
}

/// A score and the settings with which both formats play it.
#[derive(Clone)]
pub struct Scenario {
    pub score: Score,
    pub blocks: Vec<u32>,
    pub rate: f64,
    pub is_offline: bool,
    /// A state as the CLAP saves it, set before activation.
    pub state: Option<Vec<u8>>,
}

impl Scenario {
    pub fn new(score: Score) -> Self {
        let blocks = fixed_blocks(24_000.max(score.end() + 1), BLOCK);
        Self { score, blocks, rate: RATE, is_offline: false, state: None }
    }

    pub fn max_block(&self) -> u32 {
        self.blocks.iter().copied().max().unwrap_or(1)
    }

    pub fn clap(&self) -> Rendered {
        let mut host = clap();
        if let Some(state) = &self.state {
            host.restore(state).expect("the CLAP takes the state");
        }
        host.set_offline(self.is_offline).expect("it can be set");
        host.activate(self.rate, self.max_block()).expect("it can be activated");
        host.render(&self.score, &self.blocks).expect("the CLAP plays")
    }

    pub fn vst3(&self) -> Rendered {
        let host = vst3();
        if let Some(state) = &self.state {
            host.restore(state).expect("the VST3 takes the state");
        }
        host.set_offline(self.is_offline);
        host.activate(self.rate, self.max_block()).expect("it can be activated");
        host.render(&self.score, &self.blocks).expect("the VST3 plays")
    }

    /// Asserts that both formats sound, and are the same to the last bit.
    #[track_caller]
    pub fn assert_alike(&self) -> Rendered {
        let (ours, theirs) = (self.vst3(), self.clap());
        assert!(
            theirs.peak() > 1e-4 && theirs.peak() <= 1.0,
            "the CLAP's peak is {}",
            theirs.peak()
        );
        assert_same("VST3 and CLAP", &ours, &theirs);
        theirs
    }

    /// The same, and `without` sounds different: the scenario is audible.
    #[track_caller]
    pub fn assert_alike_and_heard(&self, without: Score) {
        let other = Self { score: without, ..self.clone() };
        assert!(
            first_difference(&self.clap(), &other.clap()).is_some(),
            "the scenario tests nothing"
        );
        self.assert_alike();
    }
}

/// The VST3's controller shows the CLAP's values. The framework rounds steps through a share in
/// single precision.
pub fn difference(host: &Vst3Host, clap: &mut ClapHost) -> Option<String> {
    let params = clap.params().expect("parameters");
    let differs = |param: crate::support::clap_host::Param| {
        let theirs = clap.value(param.id).expect("a value");
        let ours = host.clap_value(param.id, host.value(param.id));
        ((ours - theirs).abs() > 1e-6 * (param.max - param.min))
            .then(|| format!("{} is {ours}, and {theirs} in the CLAP", param.name))
    };
    params.into_iter().find_map(differs)
}

/// A score of two notes with ids 1 and 2.
pub fn two_notes() -> Score {
    let note = |key, id| Event::NoteOn { key, velocity: 0.7, channel: 0, id: Some(id) };
    Score::new().with(10, note(57, 1)).with(400, note(76, 2))
}

/// An expression of note 1.
pub fn say(what: Spoken, value: f64) -> Event {
    Event::Express { what, value, note: NoteOf::id(1) }
}

/// Sends a modulation source to the volume.
pub fn route(score: Score, source: ictus::modulation::Source) -> Score {
    let target = ictus::modulation::Destination::NAMES.iter().position(|name| *name == "Volume");
    score
        .param(0, id("s1src"), source as usize as f64)
        .param(0, id("s1dst"), target.expect("there is a volume") as f64)
        .param(0, id("s1amt"), 0.25)
}
