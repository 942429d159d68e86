//! The factory presets as a list of programs: a chosen program is heard, and saved as it is heard.

use crate::clap_state_parity::{framed, load_preset};
use crate::common::assert_same;
use crate::helpers::{BLOCK, RATE, Scenario, clap, difference, playing, vst3};
use crate::support::child::run_isolated;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use crate::vst3_host::{Param, Programs, RunLoop, Vst3Host};
use ictus::io::presets::factory;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vst3::Steinberg::Vst::{kNoParentUnitId, kNoProgramListId, kRootUnitId};

/// The parameter that chooses a program, and the list.
pub fn programs(host: &Vst3Host) -> (Param, Programs) {
    let param =
        host.params().into_iter().find(|param| param.is_program()).expect("a program parameter");
    let mut lists = host.program_lists();
    assert_eq!(lists.len(), 1, "one list of programs");
    (param, lists.remove(0))
}

/// The normalised value of a program by its name.
pub fn program(host: &Vst3Host, name: &str) -> (u32, f64) {
    let (param, list) = programs(host);
    let place = list.names.iter().position(|known| known == name).expect("there is such a program");
    (param.id, place as f64 / f64::from(param.step_count))
}

/// Chooses a program as a host does when the user picks one: in the controller, and in the next
/// block.
fn choose(host: &Vst3Host, name: &str) {
    let (id, value) = program(host, name);
    host.set_value(id, value);
    let mut block = host.block(BLOCK);
    block.points.push((id, 0, value));
    host.process(&mut block).expect("answers");
}

fn name_of(key: &str) -> String {
    factory::load(key).expect("a preset").about.name
}

#[test]
fn units_and_programs_are_listed() {
    run_isolated(|| {
        let host = vst3();
        let units = host.units();
        let root = units.iter().find(|unit| unit.id == kRootUnitId).expect("there is a root");
        assert_eq!(root.parent, kNoParentUnitId);
        for unit in &units {
            let has_parent =
                unit.id == kRootUnitId || units.iter().any(|parent| parent.id == unit.parent);
            assert!(has_parent && !unit.name.is_empty(), "{unit:?}");
            assert_eq!(units.iter().filter(|other| other.id == unit.id).count(), 1, "{unit:?}");
        }
        for param in host.params() {
            assert!(units.iter().any(|unit| unit.id == param.unit), "{param:?} is in no unit");
        }
        let (param, list) = programs(&host);
        let owner: Vec<_> = units.iter().filter(|unit| unit.programs != kNoProgramListId).collect();
        assert!(
            owner.len() == 1 && owner[0].programs == list.list && owner[0].id == param.unit,
            "{owner:?}"
        );
        let names: Vec<_> = factory::ALL.iter().map(|(key, _)| name_of(key)).collect();
        let mut listed = list.names.clone();
        assert!(names.iter().all(|name| listed.contains(name)), "{listed:?}");
        assert_eq!(param.step_count as usize + 1, listed.len());
        for (place, name) in listed.iter().enumerate() {
            let value = place as f64 / f64::from(param.step_count);
            assert_eq!(host.text(param.id, value).as_ref(), Some(name), "program {place}");
        }
        listed.sort();
        listed.dedup();
        assert_eq!(listed.len(), list.names.len(), "two programs have one name");
    });
}

/// Waits until the VST3 has the values of a CLAP with this preset.
#[track_caller]
fn assert_arrives(host: &Vst3Host, theirs: &mut ClapHost, name: &str) {
    let (start, run_loop) = (Instant::now(), RunLoop::default());
    while let Some(difference) = difference(host, theirs) {
        assert!(start.elapsed() < Duration::from_secs(60), "{name} does not arrive: {difference}");
        host.render(&Score::new(), &[BLOCK]).expect("plays");
        run_loop.run_for(Duration::from_millis(5));
    }
}

#[test]
fn a_program_that_is_chosen_is_loaded_and_saved_as_it_is_heard() {
    run_isolated(|| {
        let host = playing();
        for key in ["church-bell", "marimba", "newton-s-cradle", "vibraphone", "ping-pong-ball"] {
            let name = name_of(key);
            choose(&host, &name);
            let mut theirs = clap();
            load_preset(&mut theirs, key);
            assert_arrives(&host, &mut theirs, &name);
            // The saved state sounds as the preset does, in both formats.
            let ours = host.save().expect("saves");
            let preset = Scenario {
                state: theirs.save().ok(),
                ..Scenario::new(Score::new().on(5, 60, 0.9))
            };
            let saved = Scenario { state: Some(framed(&ours)), ..preset.clone() };
            assert_same(&name, &saved.vst3(), &preset.clap());
            assert_same(&name, &saved.clap(), &preset.clap());
            let (id, value) = program(&host, &name);
            assert_eq!(host.value(id), value, "the program is the one that was chosen");
        }
    });
}

/// The program parameter that comes with a state, as Reaper sends it, must not overwrite the state.
#[test]
fn a_state_outlives_the_program_that_comes_with_it() {
    run_isolated(|| {
        let host = playing();
        choose(&host, &name_of("marimba"));
        let mut theirs = clap();
        load_preset(&mut theirs, "marimba");
        assert_arrives(&host, &mut theirs, "marimba");
        let tune = crate::helpers::id("tune");
        host.render(&Score::new().param(0, tune, 0.77), &[BLOCK]).expect("plays");
        let state = host.save().expect("saves");
        let again = vst3();
        again.restore(&state).expect("it opens");
        again.activate(RATE, BLOCK).expect("it can be activated");
        let (id, _) = program(&again, &name_of("marimba"));
        let sent = again.value(id);
        let mut block = again.block(BLOCK);
        block.points.push((id, 0, sent));
        again.process(&mut block).expect("answers");
        std::thread::sleep(Duration::from_millis(200));
        again.render(&Score::new(), &fixed_blocks(4800, BLOCK)).expect("plays");
        assert!((again.value(tune) - 0.77).abs() < 1e-6, "the edit is lost: {}", again.value(tune));
    });
}

/// With a running run loop and no editor: nothing waits for a window.
#[test]
fn a_program_is_loaded_without_an_editor() {
    run_isolated(|| {
        let run_loop = Arc::new(RunLoop::default());
        let host = playing();
        let view = host.editor(Some(&run_loop));
        drop(view);
        choose(&host, &name_of("church-bell"));
        let mut theirs = clap();
        load_preset(&mut theirs, "church-bell");
        assert_arrives(&host, &mut theirs, "church-bell");
    });
}
