//! The cost of a frame: layout and tessellation, without painting.
//!
//! `cargo xtask editor --cost` measures the time, on which no test depends. The tests limit what
//! takes the time: the shapes of a frame and their triangles, which are the same on every machine.

use std::time::Duration;

use crate::listen::RingingEngine;
use crate::stage::Stage;

const FRAMES: u32 = 200;
/// Shapes and triangles of the largest frame, plus a tenth.
const MAX: (usize, usize) = (1_360, 38_500);

/// A scene: which sound, on which tab, and with which settings.
type Alive = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const ALIVE: [Alive; 6] = [
    ("32 notes on a free bar", "Physics", &[]),
    ("32 notes on a church bell", "Physics", &[("body", "Church bell"), ("mater", "Steel")]),
    ("32 balls on a plate", "Gesture", &[("gest", "Bounce"), ("body", "Free plate")]),
    (
        "32 balls on a plate, stepped",
        "Physics",
        &[("gest", "Bounce"), ("body", "Free plate"), ("height", "2 cm")],
    ),
    (
        "rolling over floorboards",
        "Gesture",
        &[("gest", "Roll"), ("body", "Free plate"), ("surf", "Floorboards")],
    ),
    (
        "32 notes and slots",
        "Modulation",
        &[("s1src", "LFO"), ("s1dst", "Pitch"), ("s1amt", "20 %")],
    ),
];

/// The editor of the scene.
fn begin((what, tab, settings): Alive) -> (Stage, RingingEngine) {
    let mut stage = Stage::new();
    settings.iter().for_each(|(id, text)| stage.editor.set(id, text));
    stage.click_on(tab);
    let keys: Vec<u8> = (40..72).collect();
    let keys = if what.starts_with("rolling") { &keys[..1] } else { &keys[..] };
    let ringing = RingingEngine::new(&stage.editor, keys);
    (stage, ringing)
}

/// Processor time of this thread, so that other programs do not count. Linux only.
fn cpu_time() -> Duration {
    let reported =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("measured on Linux");
    Duration::from_nanos(
        reported.split_whitespace().next().and_then(|first| first.parse().ok()).expect("a number"),
    )
}

/// Mean and longest time of a frame while something sounds.
fn measure(alive: Alive) -> (Duration, Duration) {
    let (mut stage, mut ringing) = begin(alive);
    let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
    for frame in 0..FRAMES + 10 {
        ringing.pass(&stage.editor, 1600);
        let start = cpu_time();
        stage.frame(vec![]);
        let triangles = stage.triangles();
        let took = cpu_time() - start;
        assert!(triangles > 1000, "{triangles}");
        // The first frames fill the font atlas.
        if frame >= 10 {
            total += took;
            longest = longest.max(took);
        }
    }
    (total / FRAMES, longest)
}

#[test]
#[ignore = "measures time: cargo xtask editor --cost"]
fn time_of_a_frame() {
    for alive @ (what, tab, _) in ALIVE {
        let (mean, longest) = measure(alive);
        let [mean, longest] = [mean, longest].map(|time| 1e3 * time.as_secs_f64());
        println!("{what:28} {tab:12} {mean:6.2} ms in the mean, {longest:6.2} ms at most");
    }
}

#[test]
fn a_frame_has_no_more_shapes_and_triangles() {
    let mut most = (0, 0);
    for alive in ALIVE {
        let (mut stage, mut ringing) = begin(alive);
        let mut own = (0, 0);
        for _ in 0..40 {
            ringing.pass(&stage.editor, 1600);
            stage.frame(vec![]);
            let shapes = stage.shapes.len();
            own = (shapes.max(own.0), stage.triangles().max(own.1));
        }
        println!("{:28} {:6} shapes, {:6} triangles", alive.0, own.0, own.1);
        most = (most.0.max(own.0), most.1.max(own.1));
    }
    assert!(most.0 <= MAX.0 && most.1 <= MAX.1, "{most:?} shapes and triangles, not {MAX:?}");
}

#[test]
fn at_rest_it_is_drawn_five_times_a_second_and_alive_thirty_times() {
    let mut stage = Stage::new();
    for _ in 0..10 {
        stage.frame(vec![]);
    }
    assert_eq!(stage.next_frame(), Duration::from_secs_f32(0.2));
    let mut ringing = RingingEngine::new(&stage.editor, &[60]);
    ringing.pass(&stage.editor, 512);
    stage.frame(vec![]);
    assert_eq!(stage.next_frame(), Duration::from_secs_f32(1.0 / 30.0));
    // And at rest again, after the panic button.
    stage.editor.telemetry.request_silence();
    for _ in 0..10 {
        ringing.pass(&stage.editor, 1600);
        stage.frame(vec![]);
    }
    assert_eq!(stage.next_frame(), Duration::from_secs_f32(0.2));
}

#[test]
fn a_pointer_that_rests_and_a_list_that_is_open_ask_for_no_more() {
    let mut stage = Stage::new();
    let asks = |stage: &mut Stage, what: &str| {
        // Windows have faded in, and the pointer shows a tooltip.
        (0..40).for_each(|_| stage.frame(vec![]));
        assert_eq!(stage.next_frame(), Duration::from_secs_f32(0.2), "{what}");
    };
    let (dial, value) = stage.dial_and_value("Mass");
    for (what, at) in [
        ("a dial", dial),
        ("the scene", egui::pos2(500.0, 200.0)),
        ("the keys", egui::pos2(500.0, 650.0)),
    ] {
        stage.frame(vec![egui::Event::PointerMoved(at)]);
        asks(&mut stage, what);
    }
    stage.click_on("Choose a preset");
    asks(&mut stage, "the list of presets");
    stage.key(egui::Key::Escape, true);
    stage.key(egui::Key::Escape, false);
    // The cursor of a field blinks slower than that.
    stage.click(value);
    let delays = (0..40).map(|_| {
        stage.frame(vec![]);
        stage.next_frame()
    });
    let mean = delays.sum::<Duration>() / 40;
    assert!(mean >= Duration::from_secs_f32(0.1), "{mean:?}");
}
