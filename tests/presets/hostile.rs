//! Any file is either a valid preset or refused with a message that locates the fault.

use ictus::io::presets::{Preset, factory};
use proptest::prelude::*;
use serde_json::{Value, json};

fn with(field: &str, value: Value) -> String {
    let mut file = json!({"ictus": "0.1.0", "format": 2, "name": "x", "params": {"mass": "20 g"}});
    file[field] = value;
    file.to_string()
}

fn params(text: &str) -> String {
    format!(r#"{{"ictus": "0.1.0", "format": 2, "name": "x", "params": {{{text}}}}}"#)
}

#[track_caller]
fn assert_refused(text: &str, expected: &str) {
    let error = format!(
        "{:#}",
        Preset::read(text, "x").expect_err(&text.chars().take(80).collect::<String>())
    );
    assert!(error.contains(expected), "{error}");
    assert!(error.len() < 4000, "a message, not a book: {} bytes", error.len());
}

#[test]
fn a_fault_is_named_with_its_field_and_what_is_allowed() {
    for (text, expected) in [
        (params(r#""mass": "20 g", "mass": "30 g""#), "field 'mass' occurs twice"),
        (
            r#"{"ictus": "0.1.0", "name": "x", "name": "y", "params": {}}"#.to_string(),
            "field 'name' occurs twice",
        ),
        (params(r#""mass": NaN"#), "is not a preset"),
        (params(r#""mass": Infinity"#), "is not a preset"),
        (params(r#""mass": 1e999"#), "is not a preset"),
        (
            params(r#""mass": 1e39"#),
            "field 'params.mass': '1e+39' is not allowed for Mass: 0.1000 g to 5.000 kg",
        ),
        (params(r#""mass": -1"#), "field 'params.mass'"),
        (params(r#""mass": "nan kg""#), "field 'params.mass': 'nan kg' is not allowed"),
        (params(r#""mass": "inf""#), "field 'params.mass'"),
        (params(r#""mass": null"#), "field 'params.mass'"),
        (params(r#""mass": [1]"#), "field 'params.mass'"),
        (params(r#""mass": {"f32": 1}"#), "field 'params.mass'"),
        (params(r#""mass": true"#), "field 'params.mass'"),
        (params(r#""body": 2.5"#), "field 'params.body'"),
        (params(r#""body": 99"#), "one of "),
        (params(r#""body": "Nose""#), "one of "),
        (params(r#""hybrid": 2"#), "on or off"),
        (params(r#""seed": 10000"#), "a whole number from 0 to 9999"),
        (params(r#""masss": 1"#), "no parameter 'masss'"),
        (with("format", json!(3)), "reads up to 2"),
        (with("format", json!("1")), "field 'format'"),
        (with("format", json!(0)), "field 'format'"),
        (with("ictus", json!(1)), "field 'ictus'"),
        (with("ictus", json!("")), "field 'ictus'"),
        (with("name", json!("")), "field 'name'"),
        (with("name", json!("a\nb")), "field 'name'"),
        (with("name", json!("a".repeat(65))), "allowed are up to 64"),
        (with("tags", json!("metal")), "field 'tags'"),
        (with("tags", json!(["a", 3])), "field 'tags[1]'"),
        (with("tags", json!(vec!["a"; 17])), "allowed are up to 16"),
        (with("params", json!([])), "field 'params'"),
        (with("modes", json!([])), "field 'modes'"),
        (with("modes", json!([{"ratio": 1e39}])), "'modes[0].ratio'"),
        (with("surface", json!({"length_m": 1e9, "heights_nm": vec![0; 20]})), "field 'surface'"),
        (with("parms", json!({})), "field 'parms' is not known"),
        (
            r#"{"ictus": "0.1.0", "format": 1, "name": "x"}"#.to_string(),
            "field 'params' is missing",
        ),
        (r#"{"ictus": "0.1.0", "format": 1, "params": {}}"#.to_string(), "field 'name' is missing"),
        (r#"{"params": {}}"#.to_string(), "field 'ictus'"),
        (String::new(), "is not a preset"),
        ("17".to_string(), "is not a preset"),
        ("[".repeat(1 << 20), "is not a preset"),
        ("{\"params\":".repeat(100_000), "is not a preset"),
        (" ".repeat((1 << 20) + 1), "a preset has at most"),
    ] {
        assert_refused(&text, expected);
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let (_, text) = factory::ALL[0];
    for end in 0..text.trim_end().len() {
        if text.is_char_boundary(end) {
            assert!(Preset::read(&text[..end], "x").is_err(), "cut at {end}");
        }
    }
}

#[test]
fn a_file_of_other_bytes_is_refused_with_its_path() {
    let folder = crate::folder("bytes");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("noise.json");
    std::fs::write(&path, [0xFF, 0xFE, 0x00, 0x80]).unwrap();
    let error = format!("{:#}", Preset::load(&path).unwrap_err());
    assert!(error.contains("noise.json") && error.contains("cannot be read"), "{error}");
    let error = format!("{:#}", Preset::load(&folder.join("none.json")).unwrap_err());
    assert!(error.contains("none.json") && error.contains("cannot be read"), "{error}");
}

/// JSON of any shape, with the words of a preset and hostile numbers.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("params"),
        Just("ictus"),
        Just("name"),
        Just("format"),
        Just("tags"),
        Just("modes"),
        Just("surface"),
        Just("mass"),
        Just("body"),
        Just("k"),
        Just("ratio"),
        Just("length_m"),
        Just("heights_nm"),
        Just("20 g"),
        Just("nan"),
        Just("1e39"),
        Just("-inf kg"),
        Just("0.1.0"),
    ];
    let number = prop_oneof![
        Just(1e39),
        Just(-1e39),
        Just(f64::MAX),
        Just(5e-324),
        Just(-0.0),
        -10.0..10.0f64
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        number.prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..8).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(k, v)| (k.to_string(), v)).collect()
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn files_are_read_whole_or_refused(json in any_json(), field in "(params|name|tags|modes|surface|format|ictus)") {
        for text in [json.to_string(), with(&field, json)] {
            // Every accepted preset has only valid values, and can be written and read again.
            if let Ok(preset) = Preset::read(&text, "x") {
                prop_assert_eq!(Preset::read(&preset.write(), "x").unwrap(), preset);
            }
        }
    }

    #[test]
    fn a_byte_that_flips_does_no_harm(at in any::<prop::sample::Index>(), byte in any::<u8>(), which in 0..factory::ALL.len()) {
        let (key, text) = factory::ALL[which];
        let mut bytes = text.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(text) = String::from_utf8(bytes)
            && let Ok(preset) = Preset::read(&text, key)
        {
            prop_assert_eq!(Preset::read(&preset.write(), key).unwrap(), preset);
        }
    }
}
