//! What a frame costs: laying it out and cutting it into triangles, without painting.
//!
//! `cargo test --release --test editor -- --ignored --nocapture cost` measures it.

use std::time::Duration;

use crate::listen::Ringing;
use crate::stage::Stage;

const FRAMES: u32 = 200;
/// What a frame may take in the mean.
const MOST: Duration = Duration::from_millis(2);

/// Time for which this thread has been on a processor: other programs do not count. Linux tells.
fn worked() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("measured on Linux");
    Duration::from_nanos(told.split_whitespace().next().and_then(|first| first.parse().ok()).expect("a number"))
}

/// Mean and longest time of a frame while something sounds.
fn measure(tab: &str, settings: &[(&str, &str)], keys: &[u8]) -> (Duration, Duration) {
    let mut stage = Stage::new();
    settings.iter().for_each(|(id, text)| stage.desk.set(id, text));
    stage.click_on(tab);
    let mut ringing = Ringing::new(&stage.desk, keys);
    let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
    for frame in 0..FRAMES + 10 {
        ringing.pass(&stage.desk, 1600);
        let start = worked();
        stage.frame(vec![]);
        let triangles = stage.triangles();
        let took = worked() - start;
        assert!(triangles > 1000, "{triangles}");
        // The first ones fill the atlas of letters.
        if frame >= 10 {
            total += took;
            longest = longest.max(took);
        }
    }
    (total / FRAMES, longest)
}

#[test]
#[ignore = "measures time"]
fn a_frame_with_the_scene_alive() {
    let keys: Vec<u8> = (40..72).collect();
    for (what, tab, settings) in [
        ("32 notes on a free bar", "Physics", &[][..]),
        ("32 notes on a church bell", "Physics", &[("body", "Church bell"), ("mater", "Steel")]),
        ("32 balls on a plate", "Gesture", &[("gest", "Bounce"), ("body", "Free plate")]),
        ("32 balls on a plate, stepped", "Physics", &[("gest", "Bounce"), ("body", "Free plate"), ("height", "2 cm")]),
        ("rolling over floorboards", "Gesture", &[("gest", "Roll"), ("body", "Free plate"), ("surf", "Floorboards")]),
        ("32 notes and slots", "Modulation", &[("s1src", "LFO"), ("s1dst", "Pitch"), ("s1amt", "20 %")]),
    ] {
        let keys = if what.starts_with("rolling") { &keys[..1] } else { &keys[..] };
        let (mean, longest) = measure(tab, settings, keys);
        println!(
            "{what:28} {tab:12} {:6.2} ms in the mean, {:6.2} ms at most",
            1e3 * mean.as_secs_f64(),
            1e3 * longest.as_secs_f64()
        );
        assert!(mean < MOST, "{what}: {mean:?}");
    }
}

#[test]
fn at_rest_it_is_drawn_five_times_a_second_and_alive_thirty_times() {
    let mut stage = Stage::new();
    for _ in 0..10 {
        stage.frame(vec![]);
    }
    assert_eq!(stage.next_frame(), Duration::from_secs_f32(0.2));
    let mut ringing = Ringing::new(&stage.desk, &[60]);
    ringing.pass(&stage.desk, 512);
    stage.frame(vec![]);
    assert_eq!(stage.next_frame(), Duration::from_secs_f32(1.0 / 30.0));
}
