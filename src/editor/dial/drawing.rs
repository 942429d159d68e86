//! What a dial looks like: round with its name and its value, or a flat bar.

use std::f32::consts::PI;

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::{Dial, DialStyle};
use crate::editor::control::grid::{CELL, MIDDLE, SPACE};
use crate::editor::theme::{self, Palette};
use crate::shared_state::params::Slot;

const RADIUS: f32 = 16.0;
/// The cap that is turned.
const CAP: f32 = 11.5;
/// How much is left of the picture of one that is not heard. Its words stay as legible as others.
const FAINT: f32 = 0.35;
/// The arc of the modulation lies this far out.
const OUTER: f32 = RADIUS + 3.5;
/// The arc begins and ends this far from straight down.
const OPENING: f32 = 0.25 * PI;
/// Smaller letters are not set.
const MIN: f32 = 8.5;

/// Names that would not fit.
const SHORT: [(&str, &str); 19] = [
    ("Strike point", "Strike X"),
    ("Strike point Y", "Strike Y"),
    ("Left pickup", "Pickup L X"),
    ("Left pickup Y", "Pickup L Y"),
    ("Right pickup", "Pickup R X"),
    ("Right pickup Y", "Pickup R Y"),
    ("String stiffness", "Stiff string"),
    ("Internal friction", "Friction"),
    ("MPE bend range", "MPE bend"),
    ("Hardness spread", "Hard spr."),
    ("Velocity to hardness", "Vel→hard."),
    ("Velocity to thickness", "Vel→thick."),
    ("Velocity to support", "Vel→supp."),
    ("Mass scatter", "Mass scat."),
    ("Contact damping", "Damping"),
    ("Hand damping", "Hand damp."),
    ("Friction heard", "Fric. heard"),
    ("Ball roughness", "Ball rough."),
    ("External threshold", "Ext thresh."),
];

/// Where the value stands.
pub fn place_of_value(style: DialStyle, rect: Rect) -> Rect {
    match style {
        DialStyle::Round(_) => Rect::from_min_max(rect.left_bottom() - vec2(0.0, 17.0), rect.max),
        DialStyle::Bar => rect,
    }
}

/// Draw one; without its value while that is typed.
pub fn draw(ui: &Ui, dial: &Dial, rect: Rect, lit: bool, value: Option<&str>) {
    match dial.style {
        DialStyle::Round(name) => draw_round(ui, dial, rect, name, lit, value),
        DialStyle::Bar => draw_bar(ui, dial, rect, lit, value),
    }
}

fn draw_round(ui: &Ui, dial: &Dial, rect: Rect, name: &str, lit: bool, value: Option<&str>) {
    let (palette, painter, slot) = (theme::of(ui), ui.painter(), dial.slot);
    let faint = if dial.is_relevant { 1.0 } else { FAINT };
    // In a low cell it is smaller, and its words are as large as ever.
    let scale = (rect.height() / CELL.y).min(1.0);
    let centre = rect.center_top() + vec2(0.0, scale * MIDDLE);
    write(
        painter,
        rect.center_top(),
        Align2::CENTER_TOP,
        &short(name),
        rect.width() + SPACE.x,
        palette.muted,
    );
    if let Some(value) = value {
        let ink = if dial.is_relevant { palette.text } else { palette.muted };
        write(
            painter,
            rect.center_bottom(),
            Align2::CENTER_BOTTOM,
            &brief(value),
            rect.width(),
            ink,
        );
    }
    let mut painter = painter.clone();
    painter.multiply_opacity(faint);
    let painter = &painter;
    arc(painter, centre, scale * RADIUS, 0.0, 1.0, Stroke::new(3.0, palette.track));
    let (position, origin) = (slot.position(), origin(slot));
    let (low, high) = if position < origin { (position, origin) } else { (origin, position) };
    arc(painter, centre, scale * RADIUS, low, high, Stroke::new(3.0, palette.accent));
    modulated(painter, centre, scale * OUTER, dial, palette);
    cap(painter, centre, scale * CAP, lit, palette);
    let way = direction(position);
    painter.line_segment(
        [centre + 4.0 * way, centre + (scale * CAP - 1.5) * way],
        Stroke::new(2.0, palette.text),
    );
}

/// The cap, lit from above: a fan from its middle to its rim.
fn cap(painter: &Painter, centre: Pos2, radius: f32, lit: bool, palette: &Palette) {
    const CORNERS: u32 = 16;
    let base = if lit { palette.track.lerp_to_gamma(palette.text, 0.12) } else { palette.track };
    let (top, bottom) =
        (base.lerp_to_gamma(palette.text, 0.10), base.lerp_to_gamma(palette.well, 0.75));
    painter.circle(
        centre,
        radius,
        bottom,
        Stroke::new(1.0, palette.track.lerp_to_gamma(palette.text, 0.12)),
    );
    let mut mesh = egui::Mesh::default();
    mesh.colored_vertex(centre, top.lerp_to_gamma(bottom, 0.5));
    for i in 0..CORNERS {
        let (sin, cos) = (2.0 * PI * i as f32 / CORNERS as f32).sin_cos();
        mesh.colored_vertex(
            centre + (radius - 1.0) * vec2(cos, sin),
            top.lerp_to_gamma(bottom, 0.5 + 0.5 * sin),
        );
        mesh.add_triangle(0, 1 + i, 1 + (i + 1) % CORNERS);
    }
    painter.add(Shape::mesh(mesh));
}

fn draw_bar(ui: &Ui, dial: &Dial, rect: Rect, lit: bool, value: Option<&str>) {
    let (palette, slot) = (theme::of(ui), dial.slot);
    let mut faded = ui.painter().clone();
    faded.multiply_opacity(if dial.is_relevant { 1.0 } else { FAINT });
    faded.rect_filled(rect, 4.0, palette.track);
    let across = |position: f32| rect.left() + position * rect.width();
    let (position, origin) = (across(slot.position()), across(origin(slot)));
    let filled = Rect::from_x_y_ranges(position.min(origin)..=position.max(origin), rect.y_range());
    faded.rect_filled(filled, 4.0, palette.accent.gamma_multiply(theme::FILLED));
    faded.vline(
        position.clamp(rect.left() + 1.0, rect.right() - 1.0),
        rect.y_range(),
        Stroke::new(2.0, palette.accent),
    );
    if lit {
        faded.rect_stroke(rect, 4.0, Stroke::new(1.0, palette.muted), StrokeKind::Inside);
    }
    if let Some(value) = value {
        let ink = if dial.is_relevant { palette.text } else { palette.muted };
        let at = rect.right_center() - vec2(5.0, 0.0);
        write(ui.painter(), at, Align2::RIGHT_CENTER, &brief(value), rect.width() - 10.0, ink);
    }
}

/// How far modulation takes the knob, as a thin arc outside it, and a dot where the host's holds
/// it.
fn modulated(painter: &Painter, centre: Pos2, radius: f32, dial: &Dial, palette: &Palette) {
    let (slot, (down, up)) = (dial.slot, dial.reach);
    let (set, held) = (slot.position(), slot.modulated_position());
    let ends = [held + down as f32, held + up as f32].map(|end| end.clamp(0.0, 1.0));
    let (low, high) = (ends[0].min(set), ends[1].max(set));
    arc(painter, centre, radius, low, high, Stroke::new(2.0, palette.second));
    if (set - held).abs() > 1e-4 {
        painter.circle_filled(centre + radius * direction(held), 3.0, palette.second);
    }
}

/// Long names are cut short on the control; the whole name is in the tooltip and the menu.
pub fn short(name: &str) -> String {
    if let Some((_, short)) = SHORT.iter().find(|(long, _)| *long == name) {
        return short.to_string();
    }
    let cuts = [
        ("Envelope", "Env"),
        ("External", "Ext"),
        ("Velocity", "Vel"),
        ("friction", "fric."),
        (" to ", "→"),
    ];
    let cuts = cuts.into_iter().chain([("Thrown", "Thr."), (" spread", " spr.")]);
    cuts.fold(name.to_string(), |name, (long, cut)| name.replace(long, cut))
}

/// A value with fewer digits if it is long: those after the point that say nothing are left out.
fn brief(value: &str) -> String {
    match value.split_once('e') {
        Some((digits, rest)) if value.len() > 9 && digits.contains('.') => {
            format!("{}e{rest}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => value.to_string(),
    }
}

/// Words of the usual size; what does not fit is set in smaller letters.
pub fn write(painter: &Painter, at: Pos2, align: Align2, text: &str, width: f32, colour: Color32) {
    write_in(painter, at, align, text, width, colour, theme::small().size);
}

/// The same in letters of another size.
pub fn write_in(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    text: &str,
    width: f32,
    colour: Color32,
    size: f32,
) {
    let galley = painter.layout_no_wrap(text.to_string(), egui::FontId::proportional(size), colour);
    if galley.size().x <= width {
        painter.galley(align.anchor_size(at, galley.size()).min, galley, colour);
    } else {
        let smaller = (size * width / galley.size().x).max(MIN.min(size - 1.0));
        let at =
            if align.y() == egui::Align::TOP { at + vec2(0.0, 0.7 * (size - smaller)) } else { at };
        painter.text(at, align, text, egui::FontId::proportional(smaller), colour);
    }
}

/// Knobs whose middle means nothing happens fill from there.
fn origin(slot: &Slot) -> f32 {
    if (slot.default_position() - 0.5).abs() < 1e-6 && slot.text(0.0).starts_with('-') {
        0.5
    } else {
        0.0
    }
}

fn direction(position: f32) -> Vec2 {
    let angle = 0.5 * PI + OPENING + position * (2.0 * PI - 2.0 * OPENING);
    vec2(angle.cos(), angle.sin())
}

/// Part of the circle, by positions of the knob.
fn arc(painter: &Painter, centre: Pos2, radius: f32, from: f32, to: f32, stroke: Stroke) {
    if to - from < 1e-4 {
        return;
    }
    let steps = ((to - from) * 40.0).ceil().max(2.0) as usize;
    let point =
        |i: usize| centre + radius * direction(from + (to - from) * i as f32 / steps as f32);
    painter.add(Shape::line((0..=steps).map(point).collect(), stroke));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_fits_over_its_dial() {
        let context = egui::Context::default();
        theme::set_fonts(&context);
        context.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let mut narrow = Vec::new();
        for param in crate::params::Param::ALL {
            let (spec, ink) = (param.spec(), Color32::WHITE);
            let is_dial = matches!(
                spec.kind,
                crate::params::ParamKind::Float { .. } | crate::params::ParamKind::Whole { .. }
            );
            // Slots stand in a table, under no names; groups of keys under names of their own.
            if !is_dial || spec.name.starts_with("Slot") || spec.name.starts_with("Group") {
                continue;
            }
            let wide = context.fonts_mut(|fonts| {
                fonts.layout_no_wrap(short(spec.name), theme::small(), ink).size().x
            });
            // A little smaller is still read.
            if wide > (crate::editor::control::CELL.x + SPACE.x) * 1.1 {
                narrow.push((spec.name, wide));
            }
        }
        assert!(narrow.is_empty(), "{narrow:?}");
    }

    #[test]
    fn long_numbers_lose_only_what_says_nothing() {
        assert_eq!(brief("1.500e8 N/m^a"), "1.5e8 N/m^a");
        assert_eq!(brief("2.000e8 N/m^a"), "2e8 N/m^a");
        assert_eq!(brief("1.234e8 N/m^a"), "1.234e8 N/m^a");
        assert_eq!(brief("300.0 g"), "300.0 g");
        assert_eq!(brief("12.00 degrees"), "12.00 degrees");
    }
}
