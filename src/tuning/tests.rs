use super::*;

const EQUAL: &str = "! equal.scl\n!\n12 equal steps\n 12\n!\n 100.0\n 200.\n 300.0\n 400.0\n 500.0\n 600.0\n 700.0\n 800.0\n 900.0\n 1000.0\n 1100.0\n 2/1\n";
const PYTHAGORAS: &str = "! pyth.scl\r\n!\r\nPythagorean\r\n 12\r\n!\r\n 2187/2048\r\n 9/8 D\r\n 32/27\r\n 81/64\r\n 4/3\r\n 729/512\r\n 3/2\r\n 6561/4096\r\n 27/16\r\n 16/9\r\n 243/128\r\n 2/1\r\n";

fn scale(text: &str) -> ScalaScale {
    ScalaScale::parse(text).unwrap()
}

fn equal_steps(count: u32, period: &str, cents: f64) -> ScalaScale {
    let steps =
        (1..count).map(|step| format!("{:.12}\n", cents * f64::from(step) / f64::from(count)));
    scale(&format!("steps\n{count}\n{}{period}\n", steps.collect::<String>()))
}

fn near(a: Option<f64>, b: f64, tolerance: f64) {
    let a = a.expect("a mapped key");
    assert!((a / b - 1.0).abs() < tolerance, "{a} Hz instead of {b} Hz");
}

#[test]
fn twelve_equal_steps_are_the_default_bit_by_bit() {
    assert_eq!(Tuning::new(&scale(EQUAL), &Keyboard::default()).unwrap(), Tuning::default());
    assert_eq!(
        Tuning::new(&ScalaScale::default(), &Keyboard::default()).unwrap(),
        Tuning::default()
    );
    let at_a4 = Keyboard::parse("0\n0\n127\n60\n69\n440.0\n12\n").unwrap();
    assert_eq!(Tuning::new(&scale(EQUAL), &at_a4).unwrap(), Tuning::default());
    for key in 0..128 {
        let expected = 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
        assert_eq!(Tuning::default().hz(key).unwrap().to_bits(), expected.to_bits());
    }
}

#[test]
fn pythagoras_has_pure_fifths() {
    let tuning = Tuning::new(&scale(PYTHAGORAS), &Keyboard::default()).unwrap();
    let c4 = 440.0 * (-0.75f64).exp2();
    near(tuning.hz(60), c4, 1e-14);
    near(tuning.hz(67), 1.5 * c4, 1e-14);
    near(tuning.hz(74), 2.25 * c4, 1e-14);
    near(tuning.hz(64), 81.0 / 64.0 * c4, 1e-14);
    near(tuning.hz(53), c4 * 2.0 / 3.0, 1e-14);
    near(tuning.hz(0), c4 / 32.0, 1e-14);
    assert_eq!(scale(PYTHAGORAS).description(), "Pythagorean");
}

#[test]
fn nineteen_steps_to_the_octave() {
    let tuning = Tuning::new(&equal_steps(19, "2/1", 1200.0), &Keyboard::default()).unwrap();
    let c4 = 440.0 * (-0.75f64).exp2();
    for key in 0..128u8 {
        near(tuning.hz(key), c4 * ((f64::from(key) - 60.0) / 19.0).exp2(), 1e-12);
    }
}

#[test]
fn bohlen_and_pierce_need_no_octave() {
    let tritave = 1200.0 * 3f64.log2();
    let tuning = Tuning::new(&equal_steps(13, "3/1", tritave), &Keyboard::default()).unwrap();
    let c4 = 440.0 * (-0.75f64).exp2();
    near(tuning.hz(73), 3.0 * c4, 1e-12);
    near(tuning.hz(47), c4 / 3.0, 1e-12);
    near(tuning.hz(66), c4 * 3f64.powf(6.0 / 13.0), 1e-12);
}

#[test]
fn white_keys_only() {
    // Seven degrees on the white keys, black keys unmapped; A4 is the sixth and has 432 Hz.
    let text =
        "! white.kbm\n12\n0\n127\n60\n69\n432.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nX\n5\nx\n6 ! B\n";
    let just = scale("just\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2/1\n");
    let tuning = Tuning::new(&just, &Keyboard::parse(text).unwrap()).unwrap();
    let c4 = 432.0 * 3.0 / 5.0;
    near(tuning.hz(69), 432.0, 1e-14);
    for (key, ratio) in [
        (60, 1.0),
        (62, 9.0 / 8.0),
        (64, 1.25),
        (65, 4.0 / 3.0),
        (67, 1.5),
        (71, 15.0 / 8.0),
        (72, 2.0),
    ] {
        near(tuning.hz(key), c4 * ratio, 1e-13);
        near(tuning.hz(key - 36), c4 * ratio / 8.0, 1e-13);
    }
    for octave in 0..10 {
        for black in [1, 3, 6, 8, 10] {
            assert_eq!(tuning.hz(12 * octave + black), None);
        }
    }
}

#[test]
fn a_pattern_may_be_cut_short_and_a_range_leaves_the_rest_alone() {
    // Missing entries at the end are unmapped; keys outside 48 to 72 do not change.
    let keyboard = Keyboard::parse("4\n48\n72\n60\n60\n300\n2\n0\n1\n").unwrap();
    let tuning = Tuning::new(&scale("two\n2\n600.0\n2/1\n"), &keyboard).unwrap();
    near(tuning.hz(60), 300.0, 1e-14);
    near(tuning.hz(61), 300.0 * 2f64.sqrt(), 1e-14);
    assert_eq!((tuning.hz(62), tuning.hz(63)), (None, None));
    near(tuning.hz(64), 600.0, 1e-14);
    near(tuning.hz(57), 150.0 * 2f64.sqrt(), 1e-14);
    assert_eq!(tuning.hz(47), Tuning::default().hz(47));
    assert_eq!(tuning.hz(73), Tuning::default().hz(73));
}

#[test]
fn keys_beyond_hearing_have_no_sound() {
    let wide = Tuning::new(&scale("octaves\n1\n2/1\n"), &Keyboard::default()).unwrap();
    assert_eq!((wide.hz(0), wide.hz(127)), (None, None));
    near(wide.hz(61), 2.0 * 440.0 * (-0.75f64).exp2(), 1e-14);
    // A single degree: every key has the same pitch.
    let one = Tuning::new(&scale("one\n0\n"), &Keyboard::default()).unwrap();
    assert!((0..128).all(|key| one.hz(key) == one.hz(60)));
}

#[test]
fn what_a_reader_must_put_up_with() {
    // A byte order mark, no description, spaces, tabs, remarks, non-ASCII letters.
    let odd = scale(
        "\u{feff}! h\u{e9}\n\n\t 3 notes\n\n  204. D\u{e9}\n\t3/2\tG ! pure\n+1200.00\n\nand that was it\n",
    );
    assert_eq!((odd.description(), odd.len()), ("", 3));
    assert!((odd.pitch_st(1) - 2.04).abs() < 1e-12 && (odd.pitch_st(3) - 12.0).abs() < 1e-12);
    assert!((scale("down\n2\n-50.0\n2\n").pitch_st(1) + 0.5).abs() < 1e-12);
}

#[test]
fn hostile_scales_are_refused_with_their_line() {
    let digits = "9".repeat(1 << 20);
    let many = |line: &str| format!("many\n2\n{line}\n2/1\n");
    for (text, line, expected) in [
        (String::new(), 1, "is empty"),
        ("! only\n! comments\n".to_string(), 2, "is empty"),
        ("name\n".to_string(), 1, "expected the number of degrees"),
        ("name\nmany\n".to_string(), 2, "'many': allowed is 0 to 1024"),
        ("name\n-3\n".to_string(), 2, "allowed is 0 to 1024"),
        ("name\n99999999999999999999999\n2/1\n".to_string(), 2, "allowed is 0 to 1024"),
        ("name\n1000000\n2/1\n".to_string(), 2, "allowed is 0 to 1024"),
        ("name\n12\n100.0\n200.0\n".to_string(), 4, "ends after 2 of the 12 degrees that line 2"),
        ("name\n1\n3/2\n! so\n2/1\n".to_string(), 5, "another degree after the 1 that line 2"),
        (many("nan"), 3, "neither cents nor a ratio"),
        (many("NaN."), 3, "not a pitch in cents"),
        (many("inf"), 3, "neither cents nor a ratio"),
        (many("1e3."), 3, "not a pitch in cents"),
        (many("."), 3, "not a pitch in cents"),
        (many("1.2.3"), 3, "not a pitch in cents"),
        (many("-"), 3, "cannot be negative"),
        (many("0/1"), 3, "no zero"),
        (many("3/0"), 3, "no zero"),
        (many("0"), 3, "no zero"),
        (many("-3/2"), 3, "cannot be negative"),
        (many("3/-2"), 3, "neither cents nor a ratio"),
        (many("3/2/1"), 3, "neither cents nor a ratio"),
        (many("701,955"), 3, "neither cents nor a ratio"),
        (many("\u{663}/\u{662}"), 3, "neither cents nor a ratio"),
        (many("100000.0"), 3, "allowed is -24000 to 24000 cents"),
        (many("99999999/1"), 3, "allowed is -24000 to 24000 cents"),
        (many(&digits), 3, "too far"),
        (many(&format!("{digits}.0")), 3, "not a pitch in cents"),
        (many(&format!("{digits}/{digits}")), 3, "too long"),
        (many(&format!("1/{digits}")), 3, "too long"),
    ] {
        let fault = ScalaScale::parse(&text).unwrap_err();
        let message = fault.to_string();
        assert!(
            message.contains(expected) && fault.line == line,
            "{}: {message}",
            fault::shown(&text)
        );
        assert!(message.len() < 200, "{} letters", message.len());
    }
}

#[test]
fn hostile_keyboards_are_refused_with_their_line_and_field() {
    for (text, line, expected) in [
        ("", 1, "'size of the pattern' is expected"),
        ("12\n0\n127\n", 3, "'middle key' is expected"),
        ("-1\n", 1, "size of the pattern '-1': allowed is a whole number from 0 to 1024"),
        ("999999999999\n", 1, "size of the pattern"),
        ("12\n128\n", 2, "first key '128': allowed is a whole number from 0 to 127"),
        ("12\n60\n59\n", 3, "last key '59': allowed is a whole number from 60 to 127"),
        ("12\n0\n127\n1.5\n", 4, "middle key '1.5'"),
        ("12\n0\n127\n60\nx\n", 5, "reference key 'x'"),
        ("12\n0\n127\n60\n69\nNaN\n", 6, "reference frequency 'NaN': allowed is 1 to 50000 Hz"),
        ("12\n0\n127\n60\n69\n1e39\n", 6, "reference frequency"),
        ("12\n0\n127\n60\n69\n-440\n", 6, "reference frequency"),
        ("12\n0\n127\n60\n69\n440\n-12\n", 7, "octave degree"),
        ("1\n0\n127\n60\n69\n440\n12\n5000\n", 8, "degree of a key '5000'"),
        ("1\n0\n127\n60\n69\n440\n12\ny\n", 8, "degree of a key 'y'"),
        ("! k\n1\n0\n127\n60\n69\n440\n12\n0\n1\n", 10, "another key after the 1"),
    ] {
        let fault = Keyboard::parse(text).unwrap_err();
        assert!(fault.to_string().contains(expected) && fault.line == line, "{text:?}: {fault}");
    }
    let unmapped = Keyboard::parse("2\n0\n127\n60\n61\n440\n12\n0\nx\n").unwrap();
    let fault = Tuning::new(&ScalaScale::default(), &unmapped).unwrap_err();
    assert!(fault.to_string().contains("line 5: reference key 61 is not mapped"), "{fault}");
}

#[test]
fn no_text_whatever_makes_a_key_without_bounds() {
    let words = [
        "12",
        "0",
        "x",
        "-1",
        "2/1",
        "100.0",
        "nan",
        "!",
        "\u{1f941}",
        "",
        "127",
        "60",
        "440.0",
        "1/3",
        "\0",
        "9e9",
    ];
    let mut state = 1u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..20_000 {
        let mut text = || {
            let count = random() % 16;
            (0..count).map(|_| words[random() % words.len()]).collect::<Vec<_>>().join("\n")
        };
        let (scl, kbm) = (text(), text());
        let (Ok(scale), keyboard) =
            (ScalaScale::parse(&scl), Keyboard::parse(&kbm).unwrap_or_default())
        else {
            continue;
        };
        if let Ok(tuning) = Tuning::new(&scale, &keyboard) {
            for hz in (0..128).filter_map(|key| tuning.hz(key)) {
                assert!((0.999..50_001.0).contains(&hz), "{scl:?} {kbm:?}: {hz} Hz");
            }
        }
    }
}
