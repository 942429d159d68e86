//! Disks that are full, read-only or missing, and two processes that save at once. Saved files stay
//! whole.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use ictus::io::presets::{About, Library, Origin, Preset};
use ictus::params::Param;

/// The task of a child process, and its folder.
const TASK: &str = "ICTUS_TEST_TASK";
const FOLDER: &str = "ICTUS_TEST_FOLDER";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn preset(tune: f64) -> Preset {
    // Too long for a limit of 512 bytes.
    let about = About {
        name: "Kept".into(),
        description: "words ".repeat(150).trim().into(),
        ..About::default()
    };
    let mut preset = Preset { about, ..Preset::default() };
    preset.sound.patch.set(Param::Tune, tune);
    preset
}

fn drafts(folder: &PathBuf) -> usize {
    let is_draft = |path: PathBuf| path.extension().is_some_and(|ending| ending == "tmp");
    fs::read_dir(folder).unwrap().filter(|file| is_draft(file.as_ref().unwrap().path())).count()
}

/// This program as a child with one task; `before` is a command for the shell that starts it.
fn child(before: &str, task: &str, folder: &PathBuf) -> Command {
    let itself = std::env::current_exe().expect("this program has a file");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        &format!(
            "{before} exec \"$0\" --exact faults::disk::a_task_of_another_process --nocapture"
        ),
    ]);
    shell.arg(itself).env(TASK, task).env(FOLDER, folder);
    shell
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Not a test of its own: the tasks of the children that other tests start.
#[test]
fn a_task_of_another_process() {
    let (Ok(task), Some(folder)) = (std::env::var(TASK), std::env::var_os(FOLDER)) else { return };
    let library = Library::at(PathBuf::from(folder));
    match task.as_str() {
        "save" => println!("said: {:#}", library.save(&preset(2.0), true).expect_err("no room")),
        "save often" => {
            (0..100).for_each(|n| drop(library.save(&preset(f64::from(n % 24)), true).unwrap()))
        }
        "usual" => match Library::default().folder() {
            Ok(folder) => println!("said: {}", folder.display()),
            Err(_) => {
                assert!(!Library::default().entries().is_empty(), "ours are there");
                println!(
                    "said: {:#}",
                    Library::default().save(&preset(1.0), true).expect_err("no folder")
                );
            }
        },
        other => panic!("{other}"),
    }
}

#[test]
fn a_disk_that_is_full_leaves_the_old_file_whole() {
    let folder = folder("full");
    let library = Library::at(folder.clone());
    let path = library.save(&preset(1.0), false).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(before.len() > 1024, "{}", before.len());
    // Files are limited to one block of 512 bytes: the draft cannot be written to its end.
    let output = child("ulimit -f 1; trap '' XFSZ;", "save", &folder).output().unwrap();
    let said = said(&output);
    assert!(output.status.success() && said.contains("cannot be written"), "{said}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(drafts(&folder), 0, "a draft is left behind");
    assert_eq!(library.load(&Origin::User(path)).unwrap(), preset(1.0));
}

#[test]
fn two_instances_that_save_at_once_leave_one_whole_file() {
    let folder = folder("two");
    let path = Library::at(folder.clone()).save(&preset(0.0), false).unwrap();
    let mut children = [(); 2].map(|()| {
        child("", "save often", &folder).stdout(std::process::Stdio::null()).spawn().unwrap()
    });
    let mut reads = 0;
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        assert_eq!(
            Preset::load(&path).unwrap().about,
            preset(0.0).about,
            "half a file after {reads} reads"
        );
        reads += 1;
    }
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(drafts(&folder), 0);
    assert_eq!(Preset::load(&path).unwrap(), preset(3.0), "the last that was saved");
}

/// The kernel's own folders are never writable.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_read_only_is_named() {
    for place in ["/proc/ictus-presets", "/sys/ictus-presets"] {
        let library = Library::at(PathBuf::from(place));
        let error = format!("{:#}", library.save(&preset(1.0), false).unwrap_err());
        assert!(error.contains(place) && error.contains("the folder cannot be made"), "{error}");
        assert!(library.set_favourite(&Origin::Factory("anvil"), true).is_err());
        assert!(
            library.entries().iter().all(|entry| matches!(entry.origin, Origin::Factory(_))),
            "none but ours"
        );
    }
}

#[test]
fn an_account_without_a_home_still_has_the_factory_presets() {
    let folder = folder("homeless");
    // A home that is no path, for accounts without an entry in the list of users.
    let output = child("unset XDG_DATA_HOME ICTUS_PRESETS; export HOME=nowhere;", "usual", &folder)
        .output()
        .unwrap();
    let said = said(&output);
    assert!(output.status.success() && said.contains("has no home folder"), "{said}");
    let output = child("unset XDG_DATA_HOME; export ICTUS_PRESETS=/given;", "usual", &folder)
        .output()
        .unwrap();
    assert!(self::said(&output).contains("said: /given"));
}
