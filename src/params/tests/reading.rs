//! Tests of patch accessors, parameter scales, and text formats.

use crate::params::text::Unit;
use crate::params::{Group, KeyGroup, Param, ParamKind, ParamScale, Patch};

fn with(settings: &[(Param, f64)]) -> Patch {
    let mut patch = Patch::default();
    settings.iter().for_each(|(param, value)| {
        patch.set(*param, *value);
    });
    patch
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() <= 1e-6 * wanted.abs(), "{got} instead of {wanted}");
}

#[test]
fn note_off_level_and_switches_follow_the_choices() {
    for (choice, wanted) in
        [(false, false), (true, false), (false, true), (true, true)].into_iter().enumerate()
    {
        assert_eq!(with(&[(Param::NoteOff, choice as f64)]).note_off(), wanted);
    }
    close(with(&[(Param::Level, -20.0)]).level(), 0.1);
    assert!(
        with(&[(Param::Hybrid, 1.0)]).is_on(Param::Hybrid)
            && !with(&[(Param::Hybrid, 0.0)]).is_on(Param::Hybrid)
    );
}

#[test]
fn a_range_of_keys_may_be_entered_either_way() {
    let patch = with(&[
        (Param::Group1Low, 40.0),
        (Param::Group1High, 50.0),
        (Param::Group1Chokes, 1.0),
        (Param::Group4Low, 90.0),
        (Param::Group4High, 80.0),
        (Param::Group4Chokes, 0.0),
        (Param::Voices, 7.0),
        (Param::Restrike, 1.0),
    ]);
    let groups = patch.key_groups();
    assert_eq!(groups[0], KeyGroup { low: 40, high: 50, chokes: true });
    assert_eq!(groups[3], KeyGroup { low: 80, high: 90, chokes: false });
    assert!([39, 40, 50, 51].map(|key| groups[0].has(key)) == [false, true, true, false]);
    assert_eq!((patch.voices(), patch.strikes_same_body()), (7, false));
    assert!(Patch::default().strikes_same_body() && Patch::default().voices() >= 1);
}

#[test]
fn layouts_undo_themselves_and_bear_what_is_out_of_range() {
    for layout in [ParamScale::Linear, ParamScale::Log, ParamScale::Cubic] {
        for si in [1e-3, 0.5, 8.0] {
            close(layout.read(layout.store(si)), si);
        }
    }
    close(ParamScale::Log.store(100.0), 2.0);
    close(ParamScale::Cubic.store(27.0), 3.0);
    assert!(ParamScale::Log.store(-1.0).is_finite() && ParamScale::Cubic.store(-8.0) == 0.0);
}

/// The table is built at compile time; this runs its constructors at run time.
#[test]
fn the_makers_of_the_table_say_what_they_are_given() {
    use crate::params::spec::{cubic, linear, log};
    for (kind, wanted) in [
        (log(1.0, 5.0, Unit::Hertz), (1.0, 5.0, ParamScale::Log, Unit::Hertz)),
        (linear(-1.0, 2.0, Unit::Decibel), (-1.0, 2.0, ParamScale::Linear, Unit::Decibel)),
        (cubic(3.0, Unit::Newton), (0.0, 3.0, ParamScale::Cubic, Unit::Newton)),
    ] {
        let ParamKind::Float { min, max, scale, unit } = kind else {
            panic!("{kind:?} is no quantity")
        };
        assert_eq!((min, max, scale, unit), wanted);
    }
    let mut names: Vec<_> = Group::ALL.into_iter().map(Group::name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Group::ALL.len());
}

#[test]
fn every_unit_is_shown_and_read() {
    for (unit, si, text) in [
        (Unit::Plain, 1.5, "1.500"),
        (Unit::Kilogram, 0.02, "20.00 g"),
        (Unit::Kilogram, 0.99999, "1.000 kg"),
        (Unit::MetrePerSecond, 3.0, "3.000 m/s"),
        (Unit::MetrePerSecondSquared, 9.81, "9.810 m/s^2"),
        (Unit::Metre, 0.25, "25.00 cm"),
        (Unit::Metre, 3e-9, "3.000 nm"),
        (Unit::Metre, 3e-12, "0.003000 nm"),
        (Unit::Decibel, -0.001, "0.00 dB"),
        (Unit::Degree, 12.34, "12.3 deg"),
        (Unit::Percent, 0.5, "50.0 %"),
        (Unit::PercentPlain, 0.5, "0.50 %"),
        (Unit::Stiffness, 2.5e8, "2.500e8 N/m^a"),
        (Unit::SecondPerMetre, 0.5, "0.5000 s/m"),
        (Unit::NewtonSecondPerMetre, 50.0, "50.00 N s/m"),
        (Unit::Newton, 12.0, "12.00 N"),
        (Unit::PerMetre, 80.0, "80.00 1/m"),
        (Unit::Semitone, -7.0, "-7.00 st"),
        (Unit::PerSecond, 0.0, "0 1/s"),
        (Unit::Hertz, 440.0, "440.0 Hz"),
        (Unit::Second, 2e-9, "2.000 ns"),
        (Unit::Second, 0.0, "0 ms"),
        (Unit::Second, -0.0, "0 ms"),
        (Unit::Metre, 0.0, "0 mm"),
    ] {
        assert_eq!(unit.format(si), text);
        let read = unit.parse(text).expect("its own text");
        assert!((read - si).abs() <= 5e-3 * si.abs() || text == "0.00 dB", "{text}: {read}");
        assert!(unit.parse("nan").is_none() && unit.parse("loud").is_none());
    }
    // Without a unit the first prefix applies.
    close(Unit::Percent.parse("50").expect("a number"), 0.5);
}

#[test]
fn the_allowed_values_are_reported_in_words() {
    let text = |param: Param| param.spec().range_text();
    assert!(text(Param::Mass).contains(" to ") && text(Param::Law).starts_with("one of "));
    assert_eq!(text(Param::Hybrid), "on or off");
    assert_eq!(text(Param::Group1Low), "a whole number from 0 to 127");
    let hybrid = Param::Hybrid.spec();
    for (word, value) in [
        ("ON", Some(1.0)),
        ("true", Some(1.0)),
        ("0", Some(0.0)),
        ("False", Some(0.0)),
        ("x", None),
    ] {
        assert_eq!(hybrid.parse_si(word), value, "{word}");
    }
    assert_eq!((hybrid.format_stored(1.0), hybrid.format_stored(0.0)), ("On".into(), "Off".into()));
    let law = Param::Law.spec();
    assert_eq!((law.parse_si("1"), law.parse_si("nothing")), (Some(1.0), None));
    let key = Param::Group1Low.spec();
    assert_eq!(
        (key.parse_si(" 60 "), key.parse_si("60.5"), key.format_stored(60.0)),
        (Some(60.0), None, "60".into())
    );
    assert_eq!(key.exact_text(60.0), "60");
}
