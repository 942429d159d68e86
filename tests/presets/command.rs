//! `ictus presets`, and presets by name.

use std::process::{Command, Output};

fn ictus(args: &[&str]) -> Output {
    let own = crate::folder(&format!("command-{}", args.join("-").replace(['/', ' ', '.'], "-")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
    command.args(args).env("ICTUS_PRESETS", own).output().expect("the command starts")
}

#[test]
fn the_list_is_json_with_every_factory_preset() {
    let output = ictus(&["presets", "list", "--json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), ictus::io::presets::factory::ALL.len());
    assert!(list.iter().any(|entry| entry["name"] == "Anvil" && entry["key"] == "anvil"));
}

#[test]
fn a_damaged_file_fails_the_check_with_its_fault() {
    let file = std::env::temp_dir().join(format!("ictus-check-{}.json", std::process::id()));
    std::fs::write(&file, r#"{"ictus": "0.1.0", "params": {"mass": 1e39}}"#).unwrap();
    let output = ictus(&["presets", "check", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        !output.status.success()
            && said.contains("params.mass")
            && said.contains("0.1000 g to 5.000 kg"),
        "{said}"
    );
    let good = ictus(&["presets", "check", "plugin-assets/presets/anvil.json"]);
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
}

#[test]
fn a_preset_is_rendered_by_its_name_as_by_its_file() {
    let folder = crate::folder("rendered");
    std::fs::create_dir_all(&folder).unwrap();
    let render = |preset: &str, out: &str| {
        let out = folder.join(out);
        let output =
            ictus(&["render", "--preset", preset, "--seconds", "0.2", out.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(out).unwrap()
    };
    assert_eq!(
        render("Wood block", "name.wav"),
        render("plugin-assets/presets/wood-block.json", "file.wav")
    );
    let output = ictus(&["render", "--preset", "no-such-thing", "never.wav"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("no-such-thing"), "{said}");
}

#[test]
fn a_preset_of_ones_own_is_found_by_its_name() {
    let folder = crate::folder("by-name");
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string("plugin-assets/presets/wood-block.json")
        .unwrap()
        .replace("Wood block", "My Log");
    std::fs::write(folder.join("some file.json"), text).unwrap();
    let show = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
        command
            .args(["presets", "show", name])
            .env("ICTUS_PRESETS", &folder)
            .output()
            .expect("the command starts")
    };
    for name in ["My Log", "my log", "my-log"] {
        let output = show(name);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("\"My Log\""), "{name}: {said}");
    }
    assert!(!show("Another log").status.success());
}

#[test]
fn a_category_is_found_in_any_case() {
    let list = |name: &str| ictus(&["presets", "list", "--category", name]).stdout;
    assert!(!list("Metal").is_empty());
    assert_eq!(list("Metal"), list("metal"));
}
