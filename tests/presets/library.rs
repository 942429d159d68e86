//! The user's folder: damaged, read-only, or written by several processes at once.

use crate::folder;
use ictus::io::presets::library::Query;
use ictus::io::presets::{About, Library, Origin, Preset, factory};
use ictus::params::Param;
use std::fs;

fn preset(name: &str, tune: f64) -> Preset {
    let about = About {
        name: name.into(),
        category: "Mine".into(),
        tags: vec!["soft".into()],
        ..About::default()
    };
    let mut preset = Preset { about, ..Preset::default() };
    preset.sound.patch.set(Param::Tune, tune);
    preset
}

fn users(library: &Library) -> Vec<String> {
    let entries = library.entries();
    entries
        .into_iter()
        .filter(|e| matches!(e.origin, Origin::User(_)))
        .map(|e| e.about.name)
        .collect()
}

#[test]
fn a_saved_preset_is_listed_loaded_renamed_and_deleted() {
    let library = Library::at(folder("life"));
    assert!(users(&library).is_empty(), "a folder that is not there is empty");
    let path = library.save(&preset("Tiny thud", 3.0), false).unwrap();
    assert_eq!(users(&library), ["Tiny thud"]);
    assert_eq!(library.load(&Origin::User(path.clone())).unwrap(), preset("Tiny thud", 3.0));
    let error = format!("{:#}", library.save(&preset("Tiny thud", 4.0), false).unwrap_err());
    assert!(error.contains("there is a preset 'Tiny thud' already"), "{error}");
    assert_eq!(
        library.load(&Origin::User(path.clone())).unwrap(),
        preset("Tiny thud", 3.0),
        "the old one is there"
    );
    library.save(&preset("Tiny thud", 4.0), true).unwrap();
    library.set_favourite(&Origin::User(path.clone()), true).unwrap();
    let renamed = library.rename(&path, "Big thud").unwrap();
    assert!(!path.exists());
    let entries = library.entries();
    let entry = entries.iter().find(|e| e.about.name == "Big thud").unwrap();
    assert!(entry.favourite, "the mark goes with it");
    assert_eq!(library.load(&entry.origin).unwrap().sound, preset("", 4.0).sound);
    library.delete(&renamed).unwrap();
    assert!(users(&library).is_empty());
    assert!(library.delete(&renamed).is_err());
}

#[test]
fn nothing_outside_the_folder_is_touched() {
    let outside = folder("outside");
    fs::create_dir_all(&outside).unwrap();
    let file = outside.join("other.json");
    fs::write(&file, preset("Other", 0.0).write()).unwrap();
    let library = Library::at(folder("inside"));
    library.save(&preset("../../outside/other", 1.0), true).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), preset("Other", 0.0).write());
    let sneaking = library.folder().unwrap().join("../outside/other.json");
    for path in [&file, &sneaking] {
        assert!(library.delete(path).is_err() && library.rename(path, "Mine").is_err());
    }
    assert!(file.exists());
}

#[test]
fn a_folder_with_damaged_files_is_listed_with_their_errors() {
    let folder = folder("poisoned");
    let library = Library::at(folder.clone());
    library.save(&preset("Good", 1.0), false).unwrap();
    fs::write(folder.join("brackets.json"), "[".repeat(1 << 20)).unwrap();
    fs::write(folder.join("large.json"), " ".repeat(1 << 21)).unwrap();
    fs::write(folder.join("bytes.json"), [0xFF; 100]).unwrap();
    fs::write(folder.join("infinite.json"), r#"{"ictus": "0.1.0", "params": {"mass": 1e39}}"#)
        .unwrap();
    fs::write(folder.join("readme.txt"), "no preset").unwrap();
    fs::write(folder.join(".favourites"), "{{{").unwrap();
    fs::create_dir_all(folder.join("deeper/still")).unwrap();
    fs::write(folder.join("deeper/still/found.json"), preset("Found", 2.0).write()).unwrap();
    fs::create_dir_all(folder.join("a-folder.json")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder, folder.join("circle")).unwrap();
    let entries = library.entries();
    let of_user = || entries.iter().filter(|e| matches!(e.origin, Origin::User(_)));
    let good: Vec<_> =
        of_user().filter(|e| e.fault.is_none()).map(|e| e.about.name.as_str()).collect();
    assert_eq!(good, ["Found", "Good"]);
    let faults: Vec<_> = of_user().filter_map(|e| e.fault.as_deref()).collect();
    assert_eq!(faults.len(), 4, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.contains(".json")), "each names its file: {faults:?}");
    assert!(faults.iter().any(|fault| fault.contains("params.mass")), "{faults:?}");
    // Damaged marks are kept aside, not lost, when new ones are made.
    library.set_favourite(&Origin::Factory("anvil"), true).unwrap();
    assert!(library.entries().iter().any(|e| e.favourite));
    assert_eq!(fs::read_to_string(folder.join(".favourites.damaged")).unwrap(), "{{{");
}

#[test]
fn a_save_that_fails_leaves_the_old_file_whole() {
    let folder = folder("failing");
    let library = Library::at(folder.clone());
    let path = library.save(&preset("Kept", 1.0), false).unwrap();
    let before = fs::read(&path).unwrap();
    // A preset that could not be read again is not written.
    let mut wrong = preset("Kept", 2.0);
    wrong.about.category = "two\nlines".into();
    assert!(library.save(&wrong, true).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
    // A folder in the place of the file: the last step, the swap, fails.
    let taken = folder.join("taken.json");
    fs::create_dir_all(taken.join("full")).unwrap();
    let error = format!("{:#}", library.save(&preset("Taken", 3.0), true).unwrap_err());
    assert!(error.contains("taken.json") && error.contains("cannot be written"), "{error}");
    let drafts = fs::read_dir(&folder)
        .unwrap()
        .filter(|f| f.as_ref().unwrap().path().extension() == Some("tmp".as_ref()));
    assert_eq!(drafts.count(), 0, "no draft is left behind");
    // A file in the place of the folder.
    fs::write(folder.join("file"), "").unwrap();
    let error = format!(
        "{:#}",
        Library::at(folder.join("file")).save(&preset("X", 0.0), false).unwrap_err()
    );
    assert!(error.contains("the folder cannot be made"), "{error}");
}

#[test]
fn favourites_of_concurrent_writers_are_all_kept() {
    let folder = folder("marks");
    let keys: Vec<_> = factory::ALL.iter().map(|(key, _)| *key).take(16).collect();
    std::thread::scope(|scope| {
        for key in &keys {
            let library = Library::at(folder.clone());
            scope.spawn(move || library.set_favourite(&Origin::Factory(key), true).unwrap());
        }
    });
    let marked = Library::at(folder).entries().into_iter().filter(|e| e.favourite).count();
    assert_eq!(marked, keys.len());
}

#[test]
fn readers_never_see_half_a_file() {
    let library = Library::at(folder("race"));
    let path = library.save(&preset("Racing", 0.0), false).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (0..200).for_each(|n| {
                drop(library.save(&preset("Racing", f64::from(n % 24)), true).unwrap())
            })
        });
        for _ in 0..2000 {
            assert_eq!(Preset::load(&path).unwrap().about.name, "Racing");
        }
    });
}

#[test]
fn words_categories_and_marks_narrow_the_list() {
    let library = Library::at(folder("search"));
    library.save(&preset("Tiny thud", 3.0), false).unwrap();
    let entries = library.entries();
    let found = |query: &Query| entries.iter().filter(|e| query.matches(e)).count();
    assert_eq!(found(&Query::default()), factory::ALL.len() + 1);
    assert_eq!(found(&Query { text: "THUD soft".into(), ..Query::default() }), 1);
    assert_eq!(found(&Query { text: "thud metal".into(), ..Query::default() }), 0);
    assert_eq!(found(&Query { category: Some("Mine".into()), ..Query::default() }), 1);
    assert_eq!(found(&Query { favourites: true, ..Query::default() }), 0);
}
