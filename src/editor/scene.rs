//! The thing that is hit, alive: how it bends, what moves over it, where it is struck and heard.
//!
//! All motion comes from the engine ([`crate::view::View`]); only two things are for the eye: bending is shown larger than
//! it is, and slower, because the real one is too small and too fast to be seen.

pub mod camera;
pub mod facets;
pub mod mesh;
pub mod solid;
pub mod things;

use std::f32::consts::TAU;

use egui::{Align2, Color32, Pos2, Rect, Response, Sense, Ui, vec2};

use super::control::Board;
use super::theme::{self, Palette};
use crate::body::{Point, UserModes};
use crate::gesture::{Gesture, row};
use crate::patch::relevance::Say;
use crate::patch::{Param, Patch};
use crate::plugin::telemetry::Telemetry;
use crate::rigid::shape::{Kind as ThrownKind, Shape as Rigid};
use crate::view::{MODES, View, VoiceView};
use camera::{Camera, Place};
use facets::Facets;
use mesh::Net;

/// The lowest mode swings this often a second on the screen.
const SHOWN_HZ: f32 = 1.6;
/// No mode is shown faster than this.
const FASTEST_HZ: f32 = 7.0;
/// Largest bending shown, in half lengths of the body.
const LARGEST: f32 = 0.13;
/// What counts as the largest swing is forgotten by 1/e in this time, s.
const MEMORY_S: f32 = 6.0;
/// A swing so many times that of the frame before is a blow.
const BLOW: f32 = 1.4;
/// What has struck is seen for this long, s.
const AFTER_IMAGE_S: f32 = 0.16;
/// A pointer this near has hold of a mark.
const REACH: f32 = 14.0;

/// What can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Strike,
    Left,
    Right,
}

impl Mark {
    const ALL: [Mark; 3] = [Mark::Strike, Mark::Left, Mark::Right];

    const fn name(self) -> &'static str {
        match self {
            Mark::Strike => "Mark of the strike point",
            Mark::Left => "Mark of the left pickup",
            Mark::Right => "Mark of the right pickup",
        }
    }

    fn params(self) -> [Param; 2] {
        match self {
            Mark::Strike => [Param::Position, Param::PositionY],
            Mark::Left => [Param::PickupLeft, Param::PickupLeftY],
            Mark::Right => [Param::PickupRight, Param::PickupRightY],
        }
    }
}

/// The picture, and what it remembers from frame to frame.
#[derive(Default)]
pub struct Scene {
    net: Option<Net>,
    patch: Patch,
    phases: [f32; MODES],
    largest: f32,
    highest_m: f32,
    /// The mark under the hand, and how far beside it the hand is.
    held: Option<(Mark, egui::Vec2)>,
    /// The key that a click strikes: the last one that was heard.
    key: Option<u8>,
    struck: Option<u8>,
    /// How far the body swung in the last frame, and how long ago a blow was seen in that, s.
    swing: f32,
    since_blow_s: f32,
    /// What is thrown, as it was made: which, how large, by which seed.
    thrown: Option<((usize, f64, f64), Facets)>,
    /// The gesture of the last frame.
    gesture: usize,
    /// Notes that had been begun at the last frame; those up to `past` belong to another sound.
    notes: u64,
    past: u64,
    /// Another sound has come on since the last frame.
    is_turned: bool,
}

impl Scene {
    /// Another sound is on: what moves now belongs to the one before, and is not drawn any more.
    pub fn turn_page(&mut self) {
        self.is_turned = true;
    }

    /// What is to be seen of the voice: nothing, if it belongs to another sound or gesture.
    fn present<'a>(&mut self, view: &'a View) -> Option<&'a VoiceView> {
        let gesture = self.patch.choice(Param::Gesture);
        let is_other = std::mem::replace(&mut self.gesture, gesture) != gesture;
        if std::mem::take(&mut self.is_turned) || is_other {
            self.past = self.notes;
        }
        self.notes = view.notes;
        view.voice.as_ref().filter(|_| view.notes > self.past)
    }

    /// Draw it, and follow the pointer.
    pub fn show(&mut self, ui: &mut Ui, board: &Board, telemetry: &Telemetry, view: &View, list: &UserModes) {
        let size = ui.available_size();
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Scene: click to strike"));
        board.params.write_to(&mut self.patch);
        let geometry = self.patch.geometry();
        if self.net.as_ref().is_none_or(|net| *net.geometry() != geometry) {
            self.net = Some(Net::new(&geometry, list));
        }
        self.key = view.voice.as_ref().map(|voice| voice.key).or(self.key);
        let voice = self.present(view);
        let bends = self.bends(ui.input(|input| input.stable_dt).min(0.1), voice);
        let camera = Camera::new(rect);
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        let colour = colour_of(&self.patch);
        if let Some(net) = &mut self.net {
            net.draw(&painter, &camera, &bends, colour);
        }
        if let Some(voice) = voice {
            self.draw_things(&painter, rect, &camera, &bends, voice, palette);
        }
        let places = Mark::ALL.map(|mark| self.place_of(mark, &bends));
        self.pointer(ui, board, telemetry, &response, &camera, &places);
        for (mark, place) in Mark::ALL.into_iter().zip(places) {
            self.name_mark(ui, mark, camera.see(place));
            draw_mark(&painter, camera.see(place), mark, self.held.is_some_and(|(held, _)| held == mark), palette);
        }
        self.draw_words(&painter, rect, view, palette);
    }

    /// A mark by its name, for whoever cannot see it. It takes no clicks from the scene.
    fn name_mark(&self, ui: &Ui, mark: Mark, at: Pos2) {
        let rect = Rect::from_center_size(at, egui::Vec2::splat(2.0 * REACH));
        let response = ui.interact(rect, ui.scope_id().with(mark.name()), Sense::hover());
        let [along, across] = mark.params().map(|param| param.spec().format_stored(self.patch.stored(param)));
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::Image, true, mark.name());
            info.current_text_value = Some(format!("{along}, {across}"));
            info
        });
    }

    /// Where each mode stands on the screen.
    fn bends(&mut self, dt_s: f32, voice: Option<&VoiceView>) -> [f32; MODES] {
        let Some((voice, net)) = voice.zip(self.net.as_ref()) else { return [0.0; MODES] };
        for (phase, ratio) in self.phases.iter_mut().zip(net.ratios()) {
            let hz = (SHOWN_HZ * ratio.powf(0.6)).min(FASTEST_HZ);
            *phase = (*phase + TAU * hz * dt_s) % TAU;
        }
        let total: f32 = voice.swings.iter().sum();
        self.largest = (self.largest * (-dt_s / MEMORY_S).exp()).max(total).max(1e-12);
        self.since_blow_s = if total > BLOW * self.swing { 0.0 } else { self.since_blow_s + dt_s };
        self.swing = total;
        // A root makes quiet motion visible without hiding that it dies away.
        let gain = LARGEST * (total / self.largest).sqrt() / total.max(1e-12);
        std::array::from_fn(|mode| gain * voice.swings[mode] * self.phases[mode].cos())
    }

    fn point_of(&self, mark: Mark) -> Point {
        let listening = self.patch.listening();
        match mark {
            Mark::Strike => self.patch.strike_point(),
            Mark::Left => listening.left,
            Mark::Right => listening.right,
        }
    }

    fn place(&self, point: Point, bends: &[f32; MODES]) -> Place {
        self.net.as_ref().map_or([0.0; 3], |net| net.place_of(point, bends))
    }

    fn place_of(&self, mark: Mark, bends: &[f32; MODES]) -> Place {
        self.place(self.point_of(mark), bends)
    }

    fn draw_things(
        &mut self,
        painter: &egui::Painter,
        rect: Rect,
        camera: &Camera,
        bends: &[f32; MODES],
        voice: &VoiceView,
        palette: &Palette,
    ) {
        let highest = voice.strikers.iter().map(|striker| striker.height_m).fold(0.0, f32::max);
        self.highest_m = (0.995 * self.highest_m).max(highest).max(1e-3);
        let radius = 5.0 + 26.0 * (self.patch.get(Param::Mass) as f32).powf(0.33).min(1.0);
        for striker in &voice.strikers {
            let ground = self.place(striker.point, bends);
            // The highest that was seen fits between the place and the upper edge, on a tall body too.
            let up = [ground[0], ground[1], ground[2] + 1.0];
            let room = camera.see(ground).y - rect.top() - 2.2 * radius;
            let unit = (camera.see(ground).y - camera.see(up).y).max(1.0);
            let metre = (room / unit).clamp(0.05, 0.75) / self.highest_m;
            things::striker(painter, camera, ground, striker, metre, radius, palette);
        }
        if self.patch.choice(Param::Gesture) == Gesture::Strike as usize && self.since_blow_s < AFTER_IMAGE_S {
            let ground = self.place(self.patch.strike_point(), bends);
            things::leaving(painter, camera, ground, self.since_blow_s / AFTER_IMAGE_S, radius, palette);
        }
        if let Some(roll) = &voice.roll {
            let ground = self.place(roll.point, bends);
            if self.patch.choice(Param::Gesture) == Gesture::Scrape as usize {
                things::scraping(painter, camera, ground, palette);
            } else {
                things::rolling(painter, camera, ground, roll.angle_rad, radius, palette);
            }
        }
        if let Some(pose) = &voice.thrown {
            let ground = self.place(self.patch.strike_point(), bends);
            let facets = self.facets();
            things::thrown(painter, camera, ground, facets, pose, 0.16 / facets.radius_m(), palette);
        }
        if !voice.balls.is_empty() {
            let hangs = self.patch.choice(Param::Swing) == 1;
            let widest = voice.balls.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            self.highest_m = self.highest_m.max(widest);
            let moved: Vec<f32> = voice.balls.iter().map(|x| x / self.highest_m.max(1e-9) * 3.0).collect();
            let struck = self.struck_by_row(voice.balls.len(), bends, camera);
            things::row(painter, rect, &moved, &struck, hangs, palette);
        }
    }

    /// Where on the body each two neighbours of a row are heard.
    fn struck_by_row(&self, balls: usize, bends: &[f32; MODES], camera: &Camera) -> Vec<Pos2> {
        let (contacts, y) = (balls.saturating_sub(1), self.patch.get(Param::PositionY));
        let place = |contact| self.patch.place(row::place(&self.patch, contact, contacts), y);
        (0..contacts).map(|contact| camera.see(self.place(place(contact), bends))).collect()
    }

    /// What is thrown; made anew when it is another.
    fn facets(&mut self) -> &Facets {
        let [size, seed] = [Param::ThrownSize, Param::Seed].map(|param| self.patch.get(param));
        let of = (self.patch.choice(Param::Thrown).min(ThrownKind::ALL.len() - 1), size, seed);
        if self.thrown.as_ref().is_some_and(|(made, _)| *made != of) {
            self.thrown = None;
        }
        let mass_kg = self.patch.get(Param::Mass);
        let make = || (of, Facets::new(&Rigid::new(ThrownKind::ALL[of.0], size, mass_kg, seed as u64)));
        &self.thrown.get_or_insert_with(make).1
    }

    fn pointer(
        &mut self,
        ui: &Ui,
        board: &Board,
        telemetry: &Telemetry,
        response: &Response,
        camera: &Camera,
        places: &[Place; 3],
    ) {
        let at = response.interact_pointer_pos();
        if response.is_pointer_button_down_on() && self.held.is_none() && self.struck.is_none() {
            let pressed = ui.input(|input| input.pointer.press_origin()).or(at);
            let near = pressed.and_then(|at| nearest_mark(at, camera, places));
            if let Some((mark, pressed)) = near.zip(pressed) {
                // Held where it was taken hold of, or it would jump.
                self.held = Some((mark, camera.see(places[mark as usize]) - pressed));
                mark.params().iter().for_each(|param| board.params.slot(*param).begin(board.setter));
            } else if let Some((point, _)) = at.and_then(|at| self.under(at, camera)).filter(|(_, away)| *away < REACH)
            {
                let [x, y] = self.patch.knobs_at(point);
                // One step back for both, and none for what is not heard.
                let moved = || {
                    let heard = |param: &Param| board.say(*param) == Say::Heard;
                    Mark::Strike.params().into_iter().zip([x, y]).filter(move |(param, _)| heard(param))
                };
                moved().for_each(|(param, _)| board.params.slot(param).begin(board.setter));
                moved().for_each(|(param, share)| board.params.slot(param).set(board.setter, share as f32));
                moved().for_each(|(param, _)| board.params.slot(param).end(board.setter));
                let key = self.key.unwrap_or(60);
                telemetry.play(key, Some(0.8));
                self.struck = Some(key);
            }
        }
        if let Some((mark, offset)) = self.held
            && response.dragged()
            && let Some((point, _)) = at.and_then(|at| self.under(at + offset, camera))
        {
            let [x, y] = self.patch.knobs_at(point);
            for (param, share) in mark.params().into_iter().zip([x, y]) {
                board.params.slot(param).set(board.setter, share as f32);
            }
        }
        if !response.is_pointer_button_down_on() {
            if let Some((mark, _)) = self.held.take() {
                mark.params().iter().for_each(|param| board.params.slot(*param).end(board.setter));
            }
            if let Some(key) = self.struck.take() {
                telemetry.play(key, None);
            }
        }
    }

    /// The place on the body under a pointer, and how many pixels beside it.
    fn under(&self, at: Pos2, camera: &Camera) -> Option<(Point, f32)> {
        let solid = self.net.as_ref()?.solid();
        let away = |(u, v): (f32, f32)| camera.see(solid.spot(u, v).rest).distance(at);
        let (rows, columns) = (24, 36);
        let mut best = (0.5, 0.5);
        // Of two spots behind one another the near one is meant.
        let rank =
            |spot: (f32, f32)| away(spot) + 0.01 * camera.scale() * camera.depth(solid.spot(spot.0, spot.1).rest);
        for i in 0..=rows {
            for j in 0..=columns {
                let spot = (i as f32 / rows as f32, j as f32 / columns as f32);
                if rank(spot) < rank(best) {
                    best = spot;
                }
            }
        }
        let mut step = 0.5 / rows as f32;
        for _ in 0..8 {
            for (du, dv) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let spot = ((best.0 + du).clamp(0.0, 1.0), (best.1 + dv).clamp(0.0, 1.0));
                if rank(spot) < rank(best) {
                    best = spot;
                }
            }
            step *= 0.6;
        }
        Some((solid.spot(best.0, best.1).point, away(best)))
    }

    fn draw_words(&self, painter: &egui::Painter, rect: Rect, view: &View, palette: &Palette) {
        let words = match view.voice {
            Some(_) => "",
            None if rect.width() < 330.0 => "Click to strike, drag the marks.",
            None => "Click the body to strike it there. Drag the marks to move them.",
        };
        painter.text(
            rect.center_bottom() - vec2(0.0, 4.0),
            Align2::CENTER_BOTTOM,
            words,
            theme::small(),
            palette.quiet,
        );
    }
}

fn nearest_mark(at: Pos2, camera: &Camera, places: &[Place; 3]) -> Option<Mark> {
    let away = |mark: &Mark| camera.see(places[*mark as usize]).distance(at);
    Mark::ALL.into_iter().filter(|mark| away(mark) < REACH).min_by(|a, b| away(a).total_cmp(&away(b)))
}

fn draw_mark(painter: &egui::Painter, at: Pos2, mark: Mark, held: bool, palette: &Palette) {
    let (colour, letter) = match mark {
        Mark::Strike => (palette.accent, "×"),
        Mark::Left => (palette.second, "L"),
        Mark::Right => (palette.second, "R"),
    };
    let radius = if held { 9.0 } else { 7.5 };
    painter.circle(at, radius, colour, egui::Stroke::new(1.5, palette.ground));
    painter.text(at, Align2::CENTER_CENTER, letter, egui::FontId::proportional(10.5), palette.ground);
}

/// Roughly the colour of what it is made of.
fn colour_of(patch: &Patch) -> Color32 {
    let [glass, steel, rubber, wood] = [(150, 190, 205), (165, 170, 182), (112, 100, 108), (184, 132, 84)];
    let colour = match patch.choice(Param::Material) {
        0 => {
            // By its losses: metals ring, wood and rubber do not.
            let loss = (patch.get(Param::Friction).log10() as f32 + 4.0) / 3.0;
            mix(steel, wood, loss.clamp(0.0, 1.0))
        }
        1 => (214, 205, 190),
        2 => glass,
        3 => wood,
        4 => (150, 160, 120),
        5 => (120, 122, 130),
        6 => (160, 175, 190),
        7 => steel,
        8 => (190, 192, 186),
        _ => {
            let (x, y) = (patch.get(Param::MaterialX) as f32, patch.get(Param::MaterialY) as f32);
            let (low, high) = (mix(glass, steel, x), mix(rubber, wood, x));
            mix((low.0, low.1, low.2), (high.0, high.1, high.2), y)
        }
    };
    Color32::from_rgb(colour.0, colour.1, colour.2)
}

fn mix(a: (u8, u8, u8), b: (u8, u8, u8), share: f32) -> (u8, u8, u8) {
    let part = |a: u8, b: u8| (f32::from(a) + share * (f32::from(b) - f32::from(a))) as u8;
    (part(a.0, b.0), part(a.1, b.1), part(a.2, b.2))
}
