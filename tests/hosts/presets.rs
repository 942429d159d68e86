//! A host's browser lists the presets without an instance, and loads one into an instance. Errors
//! would leave the browser empty, name sounds that cannot be loaded, or cut off ringing notes.

use crate::common::{guarded, keep, playing, values};
use crate::support::built;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use clack_extensions::preset_discovery::PluginPresetLoad;
use clack_extensions::preset_discovery::indexer::IndexerImpl;
use clack_extensions::preset_discovery::metadata_receiver::MetadataReceiverImpl;
use clack_extensions::preset_discovery::prelude::*;
use clack_extensions::preset_discovery::provider::Provider;
use clack_host::prelude::{HostError, HostInfo};
use ictus::history::{Locks, randomise};
use ictus::io::presets::{About, Preset, Sound, factory};
use ictus::params::{Param, Patch};
use std::ffi::{CStr, CString};

/// The locations that a browser received.
#[derive(Default)]
struct Index {
    endings: Vec<String>,
    places: Vec<(String, Flags, Option<String>)>,
}

fn text(text: &CStr) -> String {
    text.to_str().expect("UTF-8").to_owned()
}

impl IndexerImpl for Index {
    fn declare_filetype(&mut self, kind: FileType) -> Result<(), HostError> {
        self.endings.extend(kind.file_extension.map(text));
        Ok(())
    }
    fn declare_location(&mut self, place: LocationInfo) -> Result<(), HostError> {
        self.places.push((text(place.name), place.flags, place.location.file_path().map(text)));
        Ok(())
    }
    fn declare_soundpack(&mut self, _: Soundpack) -> Result<(), HostError> {
        Ok(())
    }
}

/// What a browser received about one preset.
#[derive(Default, Debug)]
struct Found {
    name: String,
    key: Option<String>,
    plugins: Vec<(String, String)>,
    flags: Flags,
    creators: Vec<String>,
    description: String,
    features: Vec<String>,
    info: Vec<(String, String)>,
}

#[derive(Default)]
struct Listener {
    found: Vec<Found>,
    errors: Vec<String>,
}

impl Listener {
    fn last(&mut self) -> &mut Found {
        self.found.last_mut().expect("a preset was begun")
    }
}

impl MetadataReceiverImpl for Listener {
    fn on_error(&mut self, _: i32, message: Option<&CStr>) {
        self.errors.push(message.map(text).unwrap_or_default());
    }
    fn begin_preset(&mut self, name: Option<&CStr>, key: Option<&CStr>) -> Result<(), HostError> {
        self.found.push(Found {
            name: name.map(text).expect("a name"),
            key: key.map(text),
            ..Found::default()
        });
        Ok(())
    }
    fn add_plugin_id(&mut self, id: UniversalPluginId) {
        let id = (text(id.abi), text(id.id));
        self.last().plugins.push(id);
    }
    fn set_soundpack_id(&mut self, _: &CStr) {}
    fn set_flags(&mut self, flags: Flags) {
        self.last().flags = flags;
    }
    fn add_creator(&mut self, creator: &CStr) {
        self.last().creators.push(text(creator));
    }
    fn set_description(&mut self, description: &CStr) {
        self.last().description = text(description);
    }
    fn set_timestamps(&mut self, _: Option<Timestamp>, _: Option<Timestamp>) {}
    fn add_feature(&mut self, feature: &CStr) {
        self.last().features.push(text(feature));
    }
    fn add_extra_info(&mut self, key: &CStr, value: &CStr) {
        let pair = (text(key), text(value));
        self.last().info.push(pair);
    }
}

fn provider() -> Provider<Index> {
    let entry = keep(&built("ICTUS_GUARDED_CLAP"));
    let factory: PresetDiscoveryFactory = entry.get_factory().expect("the bundle lists presets");
    let ids: Vec<_> = factory
        .provider_descriptors()
        .filter_map(|provider| provider.id().map(CStr::to_owned))
        .collect();
    assert_eq!(ids.len(), 1);
    let host = HostInfo::new("Ictus test host", "Ictus", "https://example.invalid", "1.0")
        .expect("a host");
    Provider::instantiate(Index::default(), &entry, &ids[0], &host).expect("it can be made")
}

/// As a host's browser does it.
pub fn load(host: &mut ClapHost, location: Location, key: Option<&str>) -> bool {
    let handle = host.instance().plugin_handle();
    let extension: PluginPresetLoad = handle.get_extension().expect("presets can be loaded");
    let key = key.map(|key| CString::new(key).expect("a key"));
    extension.load_from_location(&handle, location, key.as_deref()).is_ok()
}

fn value_text(host: &mut ClapHost, name: &str) -> String {
    let param = host.param(name).expect("a parameter");
    let value = host.value(param.id).expect("a value");
    host.text(param.id, value).expect("a text")
}

#[test]
fn a_browser_lists_every_factory_preset_with_what_it_says_of_itself() {
    let mut provider = provider();
    let index = provider.indexer();
    assert_eq!(index.endings, ["json"]);
    assert!(index.places[0].1.contains(Flags::IS_FACTORY_CONTENT) && index.places[0].2.is_none());
    let mut listener = Listener::default();
    provider.get_metadata(Location::Plugin, &mut listener);
    assert!(listener.errors.is_empty(), "{:?}", listener.errors);
    assert_eq!(listener.found.len(), factory::ALL.len());
    for found in &listener.found {
        let about = factory::load(found.key.as_deref().expect("a key"))
            .expect("the key leads to a preset")
            .about;
        assert_eq!((&found.name, &found.description), (&about.name, &about.description));
        assert_eq!(found.plugins, [("clap".to_string(), "audio.ictus.ictus".to_string())]);
        assert!(found.flags.contains(Flags::IS_FACTORY_CONTENT), "{found:?}");
        assert_eq!(found.creators, [about.author]);
        assert!(about.tags.iter().all(|tag| found.features.contains(tag)), "{found:?}");
        assert_eq!(found.info, [("category".to_string(), about.category)]);
    }
}

#[test]
fn a_file_is_described_and_a_damaged_one_reported() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("host-presets");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (good, damaged) = (folder.join("good.json"), folder.join("damaged.json"));
    std::fs::write(&good, factory::load("anvil").expect("a preset").write()).expect("written");
    std::fs::write(&damaged, r#"{"ictus": "0.1.0", "params": {"mass": 1e39}}"#).expect("written");
    let path = |path: &std::path::Path| CString::new(path.to_str().expect("plain")).expect("plain");
    let mut listener = Listener::default();
    let mut provider = provider();
    provider.get_metadata(Location::File { path: &path(&good) }, &mut listener);
    assert_eq!((listener.found.len(), listener.found[0].name.as_str()), (1, "Anvil"));
    provider.get_metadata(Location::File { path: &path(&damaged) }, &mut listener);
    assert_eq!(listener.found.len(), 1);
    assert!(listener.errors[0].contains("params.mass"), "{:?}", listener.errors);

    let mut host = guarded();
    assert!(load(&mut host, Location::File { path: &path(&good) }, None));
    assert_eq!(value_text(&mut host, "Weight"), "30.00 kg");
    let before = (values(&mut host), host.save());
    assert!(!load(&mut host, Location::File { path: &path(&damaged) }, None));
    assert!(!load(&mut host, Location::File { path: c"/no/such/file.json" }, None));
    assert!(!load(&mut host, Location::Plugin, Some("no-such-preset")));
    assert!(!load(&mut host, Location::Plugin, None));
    assert_eq!((values(&mut host), host.save()), before, "what is refused changes nothing");
}

#[test]
fn every_factory_preset_loads_to_the_last_bit() {
    let mut host = guarded();
    for (key, _) in factory::ALL {
        assert!(load(&mut host, Location::Plugin, Some(key)), "{key}");
        let saved = host.save().expect("saves");
        let state: serde_json::Value = serde_json::from_slice(&saved[8..]).expect("JSON");
        let preset = factory::load(key).expect("a preset");
        for param in Param::ALL {
            let stored = &state["params"][param.spec().id];
            let found = stored["f32"]
                .as_f64()
                .or(stored["i32"].as_f64())
                .unwrap_or_else(|| f64::from(stored["bool"] == true));
            assert_eq!(
                found as f32,
                preset.sound.patch.stored(param),
                "{key}: {}",
                param.spec().id
            );
        }
        assert!(
            state["fields"]["session"].as_str().is_some_and(|s| s.contains(&preset.about.name)),
            "{key}"
        );
    }
}

/// The largest step from one sample to the next.
fn largest_step(samples: &[f32]) -> f32 {
    samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
}

#[test]
fn a_preset_change_while_ringing_does_not_click() {
    let blocks = fixed_blocks(4800, 480);
    for (from, to) in
        [("vibraphone", "church-bell"), ("glass-plate", "wood-block"), ("hand-bell", "anvil")]
    {
        let mut host = playing(48_000.0, 480);
        assert!(load(&mut host, Location::Plugin, Some(from)));
        let strike = host.render(&Score::new().on(0, 60, 0.9), &blocks).expect("plays");
        assert!(load(&mut host, Location::Plugin, Some(to)));
        let after = host.render(&Score::new(), &blocks).expect("plays");
        let seam = [&strike.left[4700..], &after.left[..]].concat();
        let (ordinary, seam) = (largest_step(&strike.left), largest_step(&seam));
        println!("{from} to {to}: {seam:.4} at the change, {ordinary:.4} at the strike");
        assert!(
            seam < ordinary,
            "{from} to {to}: a step of {seam} at the change, {ordinary} at the strike"
        );
    }
}

#[test]
fn dice_thrown_while_ringing_do_not_click() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("host-dice");
    std::fs::create_dir_all(&folder).expect("a folder");
    let blocks = fixed_blocks(4800, 480);
    let strike =
        |host: &mut ClapHost| host.render(&Score::new().on(0, 60, 0.9), &blocks).expect("plays");
    for seed in 0..24 {
        let patch = randomise::randomise(&Patch::default(), &Locks::default(), seed);
        let about = About { name: "Thrown".into(), ..About::default() };
        let path = folder.join(format!("{seed}.json"));
        let sound = Sound { patch, ..Sound::default() };
        std::fs::write(&path, Preset { about, sound }.write()).expect("written");
        let path = CString::new(path.to_str().expect("plain")).expect("plain");
        let (mut host, mut other) = (playing(48_000.0, 480), playing(48_000.0, 480));
        let before = strike(&mut host);
        assert!(load(&mut host, Location::File { path: &path }, None));
        let after = host.render(&Score::new(), &blocks).expect("plays");
        // A brighter body has larger steps in any case: compare with a strike on it.
        assert!(load(&mut other, Location::File { path: &path }, None));
        let ordinary = largest_step(&before.left).max(largest_step(&strike(&mut other).left));
        let seam = largest_step(&[&before.left[4700..], &after.left[..]].concat());
        println!("seed {seed}: {seam:.4} at the change, {ordinary:.4} at a strike");
        assert!(
            seam < ordinary,
            "seed {seed}: a step of {seam} at the change, {ordinary} at a strike"
        );
    }
}
