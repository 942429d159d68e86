//! Parameters keep their identity from version to version, follow the one table, and read in both
//! directions. A wrong identity would break every saved project and automation lane.

use crate::common::{guarded, is_stepped};
use clack_extensions::params::ParamInfoFlags;
use ictus::params::{Param, ParamKind};

/// Of version 0.1. Rows may be added; one that is missing or renamed breaks projects.
const FIRST_IDS: [&str; 162] = [
    "mass", "speed", "dyn", "pos", "scat", "seed", "k", "mu", "alpha", "integ", "hybrid", "relse",
    "thres", "over", "tune", "weight", "supp", "tanphi", "visc", "pickl", "pickr", "noff", "hand",
    "level", "law", "dmode", "rest", "damper", "dfit", "gest", "height", "gap", "first", "grav",
    "mscat", "drift", "spin", "dent", "posy", "radius", "push", "follow", "rfric", "slope", "offc",
    "rdamp", "span", "press", "sfric", "surf", "srms", "sslope", "spitch", "sdepth", "sshape",
    "sgrit", "sgrith", "brough", "hard", "kmode", "coupl", "body", "size", "keytrk", "thick",
    "modes", "aspect", "split", "inharm", "mater", "matx", "maty", "pickly", "pickry", "angle",
    "fric", "fshare", "thrown", "tsize", "tspin", "rings", "balls", "pulled", "bgap", "swing",
    "cord", "tpitch", "tshare", "ballrg", "bsprd", "voices", "restrk", "g1low", "g1high", "g1chk",
    "g2low", "g2high", "g2chk", "g3low", "g3high", "g3chk", "g4low", "g4high", "g4chk", "a4",
    "width", "air", "keypan", "limit", "xmode", "xgain", "xthres", "xhold", "xkey", "vcurve",
    "velhrd", "velsiz", "velthk", "velsup", "bend", "mpe", "mpebnd", "hhard", "hmass", "hspeed",
    "htime", "fresh", "lforat", "lfosyn", "lfoshp", "lfofad", "lfophs", "envdel", "envatt",
    "envhld", "envdec", "envsus", "envrel", "s1src", "s1dst", "s1amt", "s2src", "s2dst", "s2amt",
    "s3src", "s3dst", "s3amt", "s4src", "s4dst", "s4amt", "s5src", "s5dst", "s5amt", "s6src",
    "s6dst", "s6amt", "s7src", "s7dst", "s7amt", "s8src", "s8dst", "s8amt",
];

/// The number of an identifier in events and automation, in every host.
fn number(id: &str) -> u32 {
    id.bytes().fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
        & 0x7fff_ffff
}

#[test]
fn no_parameter_identity_is_lost() {
    let there: Vec<_> = guarded().params().expect("parameters").iter().map(|p| p.id).collect();
    for id in FIRST_IDS {
        assert!(Param::from_id(id).is_some(), "{id} has gone from the table");
        assert!(there.contains(&number(id)), "{id} has gone from the plug-in");
    }
}

#[test]
fn the_host_sees_the_table() {
    let shown = guarded().params().expect("parameters");
    // The table, and the host's bypass.
    assert_eq!(shown.len(), Param::COUNT + 1);
    assert!(shown[Param::COUNT].flags.contains(ParamInfoFlags::IS_BYPASS));
    for (shown, param) in shown.iter().zip(Param::ALL) {
        let spec = param.spec();
        assert_eq!(shown.id, number(spec.id), "{}", spec.id);
        assert_eq!(shown.name, spec.name);
        assert_eq!(shown.module, spec.group.name(), "{}", spec.id);
        let is_automatable = shown.flags.contains(ParamInfoFlags::IS_AUTOMATABLE);
        assert_eq!(is_automatable, !["limit", "auto"].contains(&spec.id), "{}", spec.id);
        assert_eq!(is_stepped(shown), !matches!(spec.kind, ParamKind::Float { .. }), "{}", spec.id);
        assert!(
            shown.min == 0.0 && (shown.min..=shown.max).contains(&shown.default),
            "{}",
            spec.id
        );
        if let ParamKind::Choice(names) = spec.kind {
            assert_eq!(shown.max, (names.len() - 1) as f64, "{}", spec.id);
        }
    }
}

#[test]
fn values_read_as_in_the_table_and_their_texts_are_understood() {
    let mut host = guarded();
    for (shown, param) in host.params().expect("parameters").into_iter().zip(Param::ALL) {
        let spec = param.spec();
        assert_eq!(host.value(shown.id), Ok(shown.default), "{}", spec.id);
        assert_eq!(
            host.text(shown.id, shown.default),
            Ok(spec.format_stored(spec.default_stored())),
            "{}",
            spec.id
        );
        for step in 0..=200 {
            let mut value = shown.min + (shown.max - shown.min) * f64::from(step) / 200.0;
            if is_stepped(&shown) {
                value = value.round();
            }
            let text = host.text(shown.id, value).expect("a text");
            let read = host
                .parse(shown.id, &text)
                .expect("asked")
                .unwrap_or_else(|| panic!("{}: {text:?}", spec.id));
            // A text is rounded, so the value may move; its text and its step may not.
            assert_eq!(host.text(shown.id, read).expect("a text"), text, "{}", spec.id);
            // Steps pass through the framework's single-precision share of the range.
            assert!(
                !is_stepped(&shown) || read.round() == value,
                "{}: {value} came back as {read}",
                spec.id
            );
        }
        for nonsense in ["", "loud", "nan", "1e999", "12 parsecs"] {
            assert_eq!(host.parse(shown.id, nonsense), Ok(None), "{} takes {nonsense:?}", spec.id);
        }
    }
}
