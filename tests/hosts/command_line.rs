//! `ictus render` writes what the plug-in plays, to the last bit: one note, a MIDI file, a preset.
//! A command line with another engine, rounding or velocity would be a second instrument under the
//! same name.

use crate::common::{guarded, playing, state_of};
use crate::support::built;
use crate::support::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use ictus::cli::settings;
use std::path::{Path, PathBuf};
use std::process::Command;

const RATE_HZ: f64 = 48_000.0;
const SAMPLES: u64 = 48_000;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command_line");
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    folder
}

/// Left and right interleaved, as the command line writes them.
fn rendered(name: &str, args: &[&str]) -> Vec<f32> {
    let out = folder().join(name);
    let run = Command::new(built("ICTUS_CLI"))
        .args(["render", "--seconds", "1", "--block", "100"])
        .args(args)
        .arg(&out)
        .output()
        .expect("the command starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let samples = hound::WavReader::open(&out).expect("a WAV file").into_samples::<f32>();
    samples.collect::<Result<_, _>>().expect("32-bit floats")
}

fn assert_played(what: &str, file: &[f32], played: &Rendered) {
    assert_eq!(file.len(), 2 * played.left.len(), "{what}");
    assert!(played.peak() > 0.01, "{what}: nothing was played");
    let played = played.left.iter().zip(&played.right).flat_map(|(left, right)| [left, right]);
    let difference =
        file.iter().zip(played).position(|(ours, theirs)| ours.to_bits() != theirs.to_bits());
    assert_eq!(difference, None, "{what}: they part at this sample");
}

/// Without the latency that a host compensates.
fn play(host: &mut ClapHost, score: &Score) -> Rendered {
    let latency = host.latency().expect("a latency");
    let mut heard =
        host.render(score, &fixed_blocks(SAMPLES + u64::from(latency), 512)).expect("plays");
    for side in [&mut heard.left, &mut heard.right] {
        side.drain(..latency as usize);
    }
    heard
}

#[test]
fn a_note_is_that_of_the_plug_in() {
    let file = rendered("note.wav", &["--note", "G4", "--velocity", "93"]);
    let score = Score::new().on(0, 67, 93.0 / 127.0);
    assert_played("G4", &file, &play(&mut playing(RATE_HZ, 512), &score));
}

#[test]
fn a_midi_file_is_that_of_the_plug_in() {
    // 480 ticks to a quarter of half a second: 50 samples to a tick.
    let track: &[u8] = &[
        0, 0x90, 60, 100, 0x81, 0x70, 0x90, 64, 80, 0x81, 0x70, 0x90, 60, 0, 0x60, 0x93, 67, 127,
        0, 0xFF, 0x2F, 0,
    ];
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\x01\xE0MTrk".to_vec();
    bytes.extend((track.len() as u32).to_be_bytes());
    bytes.extend(track);
    let midi = folder().join("phrase.mid");
    std::fs::write(&midi, bytes).expect("it can be written");
    let file = rendered("phrase.wav", &["--midi", midi.to_str().expect("a plain path")]);
    let note = |channel, key, velocity: f64| crate::support::clap_host::Event::NoteOn {
        key,
        velocity: velocity / 127.0,
        channel,
        id: None,
    };
    let score = Score::new()
        .with(0, note(0, 60, 100.0))
        .with(12_000, note(0, 64, 80.0))
        .off(24_000, 60)
        .with(28_800, note(3, 67, 127.0));
    assert_played("a phrase", &file, &play(&mut playing(RATE_HZ, 512), &score));
}

#[test]
fn a_preset_is_that_of_the_plug_in() {
    let presets = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin-assets/presets");
    for entry in std::fs::read_dir(presets).expect("the presets") {
        let path = entry.expect("a file").path();
        let patch = settings::patch(Some(&path), &[]).expect("a preset");
        let state = state_of(&patch);
        // As when a host opens a project: the surface is then there from the start.
        let mut host = guarded();
        host.restore(&state).expect("the state is taken");
        host.activate(RATE_HZ, 512).expect("it can be activated");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let args =
            ["--preset", path.to_str().expect("a plain path"), "--note", "52", "--velocity", "110"];
        let file = rendered(&format!("{name}.wav"), &args);
        assert_played(&name, &file, &play(&mut host, &Score::new().on(0, 52, 110.0 / 127.0)));
    }
}
