//! A host finds the instrument, identifies it, and loads it quickly. Otherwise it would be listed
//! as an effect, lack audio or note ports, or cost a minute in a folder of a thousand plug-ins.

use crate::common::{assert_same, guarded, instance, keep, playing};
use crate::support::built;
use crate::support::clap_host::{Score, fixed_blocks};
use clack_extensions::audio_ports::{AudioPortFlags, AudioPortInfoBuffer, PluginAudioPorts};
use clack_extensions::note_ports::{NoteDialect, NotePortInfoBuffer, PluginNotePorts};
use clack_extensions::voice_info::PluginVoiceInfo;

#[test]
fn the_bundle_holds_an_instrument_and_an_effect_that_say_what_they_are() {
    let entry = keep(&built("ICTUS_CLAP"));
    let factory = entry.get_plugin_factory().expect("a factory");
    let descriptors: Vec<_> = factory.plugin_descriptors().collect();
    assert_eq!(descriptors.len(), 2);
    let text = |text: Option<&std::ffi::CStr>| {
        text.expect("it is there").to_str().expect("UTF-8").to_owned()
    };
    assert_eq!(text(descriptors[0].id()), "audio.ictus.ictus", "projects find the plug-in by this");
    assert_eq!(text(descriptors[0].name()), "Ictus");
    assert_eq!(text(descriptors[0].version()), env!("CARGO_PKG_VERSION"));
    assert_eq!(text(descriptors[1].id()), "audio.ictus.ictus-fx", "likewise");
    assert_eq!(text(descriptors[1].name()), "Ictus FX");
    for (descriptor, kind) in descriptors.iter().zip(["instrument", "audio-effect"]) {
        let features: Vec<_> =
            descriptor.features().map(|f| f.to_str().expect("UTF-8").to_owned()).collect();
        assert!([kind, "stereo"].iter().all(|f| features.iter().any(|g| g == f)), "{features:?}");
    }
}

#[test]
fn it_takes_notes_and_gives_stereo() {
    let mut host = guarded();
    let handle = host.instance().plugin_handle();
    let audio: PluginAudioPorts = handle.get_extension().expect("audio ports");
    assert_eq!((audio.count(&handle, true), audio.count(&handle, false)), (0, 1));
    let mut buffer = AudioPortInfoBuffer::new();
    let port = audio.get(&handle, 0, false, &mut buffer).expect("the output");
    assert_eq!(port.channel_count, 2);
    assert!(port.flags.contains(AudioPortFlags::IS_MAIN));
    let notes: PluginNotePorts = handle.get_extension().expect("note ports");
    assert_eq!((notes.count(&handle, true), notes.count(&handle, false)), (1, 0));
    let mut buffer = NotePortInfoBuffer::new();
    let port = notes.get(&handle, 0, true, &mut buffer).expect("the note input");
    for dialect in [NoteDialect::Clap, NoteDialect::Midi] {
        assert!(port.supported_dialects.supports(dialect));
    }
    let voices: PluginVoiceInfo = handle.get_extension().expect("voice info");
    assert_eq!(
        voices.get(&handle).expect("voices").voice_capacity as usize,
        ictus::engine::MAX_VOICES
    );
}

/// Bytes that this thread has read of files so far; mapped ones do not count.
#[cfg(target_os = "linux")]
fn bytes_read() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/io").expect("the kernel counts");
    text.lines()
        .find_map(|line| line.strip_prefix("rchar: "))
        .expect("a count")
        .parse()
        .expect("a number")
}

/// Some hosts scan a folder of a thousand plug-ins at every start: nothing may be read but what the
/// loader reads, and no preset, surface or font may be built. One preset alone has more bytes than
/// a loader's header.
#[test]
#[cfg(target_os = "linux")]
fn a_scan_reads_no_file() {
    let folder = std::env::temp_dir().join(format!("ictus-scan-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    // A copy of the file: one that is loaded already would cost nothing.
    let copy = folder.join("scan.clap");
    std::fs::copy(built("ICTUS_CLAP"), &copy).expect("a copy");
    let before = bytes_read();
    let own = bytes_read() - before;
    let names = keep(&copy).get_plugin_factory().expect("a factory").plugin_descriptors().count();
    let listed = bytes_read() - before - 2 * own;
    drop(instance(&copy));
    let made = bytes_read() - before - 3 * own;
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(names, 2);
    println!("a scan reads {listed} bytes, and an instance {} more", made - listed);
    assert!(listed < 16_384, "a scan reads {listed} bytes");
    assert!(made - listed < 16_384, "an instance reads {} bytes", made - listed);
}

#[test]
fn the_guard_is_in_the_guarded_bundle_and_what_it_plays_is_what_is_shipped() {
    let guard = b"nice_assert_no_alloc";
    let holds = |name| {
        let bytes = std::fs::read(built(name)).expect("the bundle is one file");
        bytes.windows(guard.len()).any(|w| w == guard)
    };
    if cfg!(target_os = "linux") {
        assert!(holds("ICTUS_GUARDED_CLAP"), "nothing would notice an allocation");
        assert!(!holds("ICTUS_CLAP"), "the guard costs time and must not be shipped");
    }
    let score =
        Score::new().note(10, 9000, 60, 0.9).note(2000, 9000, 67, 0.3).note(5000, 100, 60, 1.0);
    let blocks = fixed_blocks(24_000, 256);
    let mut shipped = instance(&built("ICTUS_CLAP"));
    shipped.activate(48_000.0, 256).expect("it can be activated");
    let (ours, theirs) =
        (shipped.render(&score, &blocks), playing(48_000.0, 256).render(&score, &blocks));
    assert_same("shipped and guarded", &ours.expect("plays"), &theirs.expect("plays"));
}

/// Voices are large, and a host may create an instance on a thread with a small stack. Regression:
/// building them overflowed two megabytes.
#[test]
fn an_instance_can_be_made_and_played_on_a_small_stack() {
    let host = std::thread::Builder::new().stack_size(512 << 10).spawn(|| {
        let mut host = playing(48_000.0, 64);
        let score = Score::new().on(3, 60, 0.8);
        host.render(&score, &fixed_blocks(4800, 64)).expect("it plays").peak()
    });
    let peak = host.expect("a thread").join().expect("no overflow");
    assert!(peak > 0.01 && peak < 1.0, "{peak}");
}
