//! Frequencies and numbers of modes.

use ictus::body::{BodyKind, Geometry, MAX_MODES};

use crate::common::{kind_named, spectrum};

#[test]
fn frequencies_are_those_of_the_reference() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bodies.json"))
            .unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut seen = vec![BodyKind::User];
    for case in &cases {
        let name = case["kind"].as_str().unwrap();
        let number = |key: &str, otherwise: f64| {
            case.get(key).map_or(otherwise, |value| value.as_f64().unwrap())
        };
        let geometry = Geometry {
            aspect: number("aspect", 1.5),
            inharmonicity: number("inharmonicity", 0.0),
            ..Geometry::of(kind_named(name))
        };
        seen.push(geometry.kind);
        let body = spectrum(geometry);
        let mut ratios: Vec<f64> = (0..body.len()).map(|mode| body.ratio(mode)).collect();
        ratios.sort_by(f64::total_cmp);
        if case.get("pairs").is_some() {
            ratios.dedup();
        }
        for (mode, wanted) in case["ratios"].as_array().unwrap().iter().enumerate() {
            let (wanted, got) = (wanted.as_f64().unwrap(), ratios[mode]);
            assert!(
                (got / wanted - 1.0).abs() < 1e-4,
                "{name}, mode {mode}: {got} instead of {wanted}"
            );
        }
    }
    for kind in BodyKind::ALL {
        assert!(seen.contains(&kind), "{} is not in the reference", kind.name());
    }
}

#[test]
fn bodies_have_as_many_modes_as_they_say_in_rising_order() {
    for kind in BodyKind::ALL {
        let body = spectrum(Geometry::of(kind));
        let wanted = match kind {
            BodyKind::FreePlate | BodyKind::ChurchBell | BodyKind::WineGlass | BodyKind::Bowl => 64,
            BodyKind::User => 12,
            _ => MAX_MODES,
        };
        assert_eq!(body.len(), wanted, "{}", kind.name());
        for mode in 1..body.len() {
            assert!(body.ratio(mode) >= body.ratio(mode - 1), "{}, mode {mode}", kind.name());
        }
    }
}
