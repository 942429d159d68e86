//! The marks in the scene follow the mouse, and a click strikes.

use egui::{Role, vec2};
use ictus::body::BodyKind;
use ictus::params::Param;

use crate::listen::{Player, RingingEngine, difference};
use crate::reader::ScreenReader;
use crate::stage::Stage;

const MARKS: [(&str, Param); 3] = [
    ("Mark of the strike point", Param::Position),
    ("Mark of the left pickup", Param::PickupLeft),
    ("Mark of the right pickup", Param::PickupRight),
];

#[test]
fn marks_are_dragged_along_every_body_and_stay_under_the_pointer() {
    let mut reader = ScreenReader::new();
    for kind in BodyKind::ALL.into_iter().filter(|kind| *kind != BodyKind::User) {
        for (name, param) in MARKS {
            reader.editor().set_defaults();
            reader.editor().set("body", kind.name());
            // Apart from one another: the nearest mark is taken.
            for (id, text) in [("pos", "20 %"), ("pickl", "35 %"), ("pickr", "75 %")] {
                reader.editor().set(id, text);
            }
            reader.settle();
            let before = reader.editor().position(param);
            let from = reader.place(Role::Image, name).center();
            // Towards the middle of the scene, which every body crosses.
            let scene = reader.place(Role::Canvas, "Scene: click to strike").center();
            let by = 0.3 * vec2(if from.x < scene.x { 120.0 } else { -120.0 }, 0.0);
            reader.drag(from, by);
            let to = reader.place(Role::Image, name).center();
            assert!((reader.editor().position(param) - before).abs() > 1e-3, "{kind:?} {name}");
            assert!(
                (to - from - by).length() < 14.0,
                "{kind:?} {name}: from {from:?} by {by:?} to {to:?}"
            );
            let notes: Vec<_> = reader.editor().telemetry.take_notes().collect();
            assert!(
                notes.is_empty(),
                "{kind:?} {name}: a drag strikes nothing, but played {notes:?}"
            );
        }
    }
}

#[test]
fn a_drag_of_a_mark_is_one_step_back() {
    let mut reader = ScreenReader::new();
    let before = reader.editor().params.sound();
    let from = reader.place(Role::Image, "Mark of the strike point").center();
    reader.drag(from, vec2(60.0, 0.0));
    assert_ne!(reader.editor().params.sound(), before);
    reader.click(Role::Button, "Undo");
    let after = reader.editor().params.sound().patch;
    // Both of its coordinates were dragged.
    for param in [Param::Position, Param::PositionY] {
        assert_eq!(after.stored(param), before.patch.stored(param), "{param:?}");
    }
}

#[test]
fn a_click_strikes_there_and_letting_go_lets_go() {
    let mut reader = ScreenReader::new();
    let at = reader.place(Role::Image, "Mark of the strike point").center() + vec2(70.0, -24.0);
    let before = reader.editor().position(Param::Position);
    // Beside the marks, on the bar.
    let middle = reader.place(Role::Image, "Mark of the strike point").center().lerp(at, 0.6);
    reader.press(middle);
    reader.release(middle);
    reader.settle();
    let notes: Vec<_> = reader.editor().telemetry.take_notes().collect();
    assert_eq!(notes, [(60, Some(0.8)), (60, None)]);
    assert_ne!(reader.editor().position(Param::Position), before);
}

#[test]
fn a_pipe_is_struck_on_top() {
    let mut reader = ScreenReader::new();
    reader.editor().set("body", "Free bar");
    reader.settle();
    let flat = reader.place(Role::Image, "Mark of the strike point").center();
    reader.editor().set("body", "Tubular bell");
    reader.settle();
    let round = reader.place(Role::Image, "Mark of the strike point").center();
    assert!(round.y < flat.y - 3.0, "{round:?} is not above {flat:?}");
}

#[test]
fn modulation_stops_at_once_with_another_preset() {
    // Dots of charts are discs, too: away from them.
    let scene = |stage: &Stage| {
        stage.discs_in(egui::Rect::from_min_max(egui::pos2(215.0, 80.0), egui::pos2(770.0, 370.0)))
    };
    let mut stage = Stage::new();
    let at_rest = scene(&stage);
    for (id, text) in [("gest", "Bounce"), ("body", "Free plate")] {
        stage.editor.set(id, text);
    }
    stage.frame(vec![]);
    let mut ringing = RingingEngine::new(&stage.editor, &[60]);
    for _ in 0..4 {
        ringing.pass(&stage.editor, 1600);
        stage.frame(vec![]);
    }
    assert!(scene(&stage) > at_rest, "the ball is seen");
    stage.click_on(ictus::editor::icons::NEXT);
    ringing.pass(&stage.editor, 1600);
    stage.frame(vec![]);
    assert_eq!(scene(&stage), at_rest, "the ball of the sound before is gone");
    // Or with another gesture.
    stage.click_on("Undo");
    stage.editor.set("gest", "Strike");
    let mut ringing = RingingEngine::new(&stage.editor, &[60, 62]);
    ringing.pass(&stage.editor, 1600);
    stage.frame(vec![]);
    ringing.pass(&stage.editor, 1600);
    stage.editor.set("gest", "Roll");
    stage.frame(vec![]);
    assert_eq!(scene(&stage), at_rest);
}

#[test]
fn the_modes_are_dragged_and_heard() {
    let (mut reader, mut player) = (ScreenReader::new(), Player::new());
    reader.editor().set("auto", "Off");
    let before = reader.editor().params.sound();
    let modes = reader.place(Role::Image, "Modes of the body");
    let heard = player.play(&before.patch);
    // Horizontally: only the pitch changes. Upwards: it rings longer, because the support absorbs
    // less.
    for (by, param, sign) in
        [(vec2(20.0, 0.0), Param::Tune, 1.0), (vec2(0.0, -25.0), Param::Support, -1.0)]
    {
        let was = reader.editor().params.sound().patch;
        reader.press(modes.center());
        reader.move_to(modes.center() + by);
        reader.release(modes.center() + by);
        reader.settle();
        let now = reader.editor().params.sound().patch;
        assert!(sign * (now.stored(param) - was.stored(param)) > 0.0, "{param:?}");
        let others = Param::ALL
            .into_iter()
            .filter(|other| *other != param && now.stored(*other) != was.stored(*other));
        assert_eq!(others.count(), 0, "{param:?} alone");
        assert!(difference(&heard, &player.play(&now)) > 1e-2, "{param:?} is heard");
    }
    // A mode stays under the pointer: twenty points are as many octaves as on the axis.
    let octaves = 20.0 / (modes.width() - 28.0) * (20_000.0f32 / 30.0).log2();
    let tuned = reader.editor().params.sound().patch.stored(Param::Tune);
    assert!((tuned / 12.0 / octaves - 1.0).abs() < 0.02, "{tuned} semitones for {octaves} octaves");
    reader.click(Role::Button, "Undo");
    reader.click(Role::Button, "Undo");
    assert_eq!(reader.editor().params.sound(), before);
}
