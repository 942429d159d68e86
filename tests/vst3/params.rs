//! The controller shows the parameter table as the CLAP does, and hides everything else.

use crate::helpers::{clap, id, vst3};
use crate::support::built;
use crate::support::child::run_isolated;
use crate::vst3_host::{Module, Param};
use std::collections::HashSet;

#[test]
fn the_classes_are_those_of_saved_projects() {
    run_isolated(|| {
        let classes = Module::load(&built("ICTUS_VST3")).expect("it loads").classes();
        let audio: Vec<_> =
            classes.iter().filter(|class| class.category == "Audio Module Class").collect();
        let shown: Vec<_> = audio.iter().map(|class| (&class.id, class.name.as_str())).collect();
        assert_eq!(shown, [(b"IctusImpactSynth", "Ictus"), (b"IctusImpactFxOne", "Ictus FX")]);
    });
}

#[test]
fn the_table_bypass_and_program_can_be_automated() {
    run_isolated(|| {
        let (host, mut clap) = (vst3(), clap());
        let (params, mut table) = (host.params(), clap.params().expect("parameters"));
        // The CLAP may list its bypass as well.
        table.retain(|row| {
            ictus::params::Param::ALL.iter().any(|param| id(param.spec().id) == row.id)
        });
        assert_eq!(table.len(), ictus::params::Param::COUNT);
        let ids: HashSet<_> = params.iter().map(|param| param.id).collect();
        assert_eq!(ids.len(), params.len(), "two parameters have one id");
        let automatable: Vec<&Param> =
            params.iter().filter(|param| param.is_automatable()).collect();
        let (of_table, beside): (Vec<&Param>, Vec<&Param>) =
            automatable.into_iter().partition(|param| table.iter().any(|row| row.id == param.id));
        let fixed = [id("limit"), id("auto")];
        assert_eq!(
            of_table.len(),
            table.len() - fixed.len(),
            "every other parameter of the table can be automated"
        );
        assert!(of_table.iter().all(|param| !param.is_hidden()), "and none is hidden");
        let mut roles: Vec<_> =
            beside.iter().map(|param| (param.is_bypass(), param.is_program())).collect();
        roles.sort_unstable();
        assert_eq!(roles, [(false, true), (true, false)], "{beside:?}");
        for param in
            params.iter().filter(|param| !param.is_automatable() && !fixed.contains(&param.id))
        {
            assert!(param.is_hidden(), "{param:?}");
            assert!(param.title.starts_with("MIDI CC"), "{param:?}");
        }
    });
}

/// Ids, order, names, steps and defaults.
#[test]
fn the_table_equals_that_of_the_clap() {
    run_isolated(|| {
        let (host, mut clap) = (vst3(), clap());
        let (params, table) = (host.params(), clap.params().expect("parameters"));
        let ours = params.iter().filter(|param| table.iter().any(|row| row.id == param.id));
        for (ours, theirs) in ours.zip(&table) {
            assert_eq!((ours.id, &ours.title), (theirs.id, &theirs.name), "in the same order");
            let is_stepped = crate::common::is_stepped(theirs);
            assert_eq!(
                ours.step_count,
                if is_stepped { theirs.max as i32 } else { 0 },
                "{}",
                theirs.name
            );
            // The framework rounds steps through a share in single precision.
            let default = host.clap_value(ours.id, ours.default);
            let tolerance = 1e-6 * (theirs.max - theirs.min);
            assert!(
                (default - theirs.default).abs() < tolerance,
                "{}: {default} and {}",
                theirs.name,
                theirs.default
            );
            assert!((host.value(ours.id) - ours.default).abs() < 1e-6, "{}", theirs.name);
        }
    });
}

/// Ardour stores automation as plain values. They must remain those of version 0.1, as the table
/// stores them.
#[test]
fn plain_values_are_those_of_the_table() {
    run_isolated(|| {
        let (host, mut clap) = (vst3(), clap());
        for (param, row) in clap.params().expect("parameters").iter().zip(ictus::params::Param::ALL)
        {
            let (min, max) = row.spec().range_stored();
            for (position, expected) in [(0.0, min), (1.0, max)] {
                let (plain, back) = host.plain(param.id, position);
                assert!(
                    (plain - f64::from(expected)).abs() < 1e-5 * f64::from(max - min),
                    "{}: {plain}",
                    param.name
                );
                assert!((back - position).abs() < 1e-6, "{}: {back}", param.name);
            }
        }
    });
}

#[test]
fn texts_equal_those_of_the_clap_in_both_directions() {
    run_isolated(|| {
        let (host, mut clap) = (vst3(), clap());
        let mut wrong = Vec::new();
        for param in clap.params().expect("parameters") {
            let mut values: Vec<f64> = (0..=10)
                .map(|n| param.min + (param.max - param.min) * f64::from(n) / 10.0)
                .collect();
            if crate::common::is_stepped(&param) {
                values.iter_mut().for_each(|value| *value = value.round());
            }
            for value in values.into_iter().chain([param.default]) {
                let text = clap.text(param.id, value).expect("a text");
                let ours = host.text(param.id, host.normalised(param.id, value));
                let read =
                    host.parse(param.id, &text).map(|value| host.clap_value(param.id, value));
                let theirs = clap.parse(param.id, &text).expect("asked");
                let is_near = match (read, theirs) {
                    (Some(ours), Some(theirs)) => {
                        (ours - theirs).abs() <= 1e-6 * (param.max - param.min)
                    }
                    (ours, theirs) => ours == theirs,
                };
                if ours.as_deref() != Some(&text) || !is_near {
                    wrong.push(format!(
                        "{} {value}: {ours:?} and {text:?}; {read:?} and {theirs:?}",
                        param.name
                    ));
                }
            }
        }
        assert!(
            wrong.is_empty(),
            "{} texts differ:\n{}",
            wrong.len(),
            wrong[..wrong.len().min(12)].join("\n")
        );
    });
}

/// One per channel where Ictus uses it, with ids apart from the table's.
#[test]
fn controllers_are_assigned_to_hidden_parameters() {
    run_isolated(|| {
        let (host, mut clap) = (vst3(), clap());
        let params = host.params();
        let table: HashSet<_> =
            clap.params().expect("parameters").iter().map(|param| param.id).collect();
        let used = [1, 2, 7, 10, 11, 64, 66, 67, 74, 128, 129, 6, 38, 100, 101];
        let mut own = HashSet::new();
        for channel in 0..16 {
            for number in used {
                let id = host.midi_param(channel, number);
                let id = id.unwrap_or_else(|| {
                    panic!("controller {number} of channel {channel} is not assigned")
                });
                assert!(
                    own.insert(id),
                    "controller {number} of channel {channel} shares its parameter"
                );
                assert!(!table.contains(&id));
                let param = params.iter().find(|param| param.id == id).expect("it is listed");
                assert!(param.is_hidden() && !param.is_automatable(), "{param:?}");
                assert!(param.title.starts_with("MIDI CC"), "{param:?}");
            }
        }
        for (channel, number) in [(16, 1), (-1, 1), (0, 130), (0, -1), (0, i16::MAX)] {
            assert_eq!(host.midi_param(channel, number), None, "{channel} {number}");
        }
    });
}

/// A value that a host sets reads back; an invalid one leaves the parameter within its range.
#[test]
fn values_that_are_set_are_read_again() {
    run_isolated(|| {
        let (host, mut clap) = (vst3(), clap());
        for param in clap.params().expect("parameters") {
            for share in [0.0, 0.3, 1.0] {
                let share = host.normalised(param.id, host.clap_value(param.id, share));
                host.set_value(param.id, share);
                let read = host.value(param.id);
                assert!((read - share).abs() < 1e-6, "{}: {share} is read as {read}", param.name);
            }
            for odd in [f64::NAN, f64::INFINITY, -5.0, 7.0] {
                host.set_value(param.id, odd);
                assert!((0.0..=1.0).contains(&host.value(param.id)), "{}: {odd}", param.name);
            }
        }
        host.set_value(u32::MAX, 0.5);
        assert_eq!(host.text(u32::MAX, 0.5), None);
    });
}
