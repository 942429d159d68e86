//! Draws dials: round with name and value, or as a flat bar.

use std::f32::consts::PI;

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::{Dial, DialStyle};
use crate::editor::control::grid::{CELL, MIDDLE, SPACE};
use crate::editor::theme::{self, Palette};
use crate::shared_state::params::Slot;

/// Radius of the arc, points.
const RADIUS: f32 = 16.0;
/// Radius of the cap, points.
const CAP_RADIUS: f32 = 11.5;
/// Opacity of an irrelevant dial. Its text is not dimmed.
const DIMMED: f32 = 0.35;
/// Radius of the modulation's arc, points.
const MODULATION_RADIUS: f32 = RADIUS + 3.5;
/// Angle between straight down and either end of the arc, rad.
const OPENING: f32 = 0.25 * PI;
/// Minimum font size, points.
const MIN_FONT_SIZE: f32 = 8.5;

/// Short forms of names that would not fit.
const SHORT_NAMES: [(&str, &str); 19] = [
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

/// The rectangle of the value.
pub fn value_rect(style: DialStyle, rect: Rect) -> Rect {
    match style {
        DialStyle::Round(_) => Rect::from_min_max(rect.left_bottom() - vec2(0.0, 17.0), rect.max),
        DialStyle::Bar => rect,
    }
}

/// Draws a dial, without its value while the text field is open.
pub fn draw(ui: &Ui, dial: &Dial, rect: Rect, is_lit: bool, value: Option<&str>) {
    match dial.style {
        DialStyle::Round(name) => draw_round(ui, dial, rect, name, is_lit, value),
        DialStyle::Bar => draw_bar(ui, dial, rect, is_lit, value),
    }
}

fn draw_round(ui: &Ui, dial: &Dial, rect: Rect, name: &str, is_lit: bool, value: Option<&str>) {
    let (palette, painter, slot) = (theme::of(ui), ui.painter(), dial.slot);
    let opacity = if dial.is_relevant { 1.0 } else { DIMMED };
    // A low cell shrinks the dial, but not its text.
    let scale = (rect.height() / CELL.y).min(1.0);
    let centre = rect.center_top() + vec2(0.0, scale * MIDDLE);
    write(
        painter,
        rect.center_top(),
        Align2::CENTER_TOP,
        &short_name(name),
        rect.width() + SPACE.x,
        palette.muted,
    );
    if let Some(value) = value {
        let colour = if dial.is_relevant { palette.text } else { palette.muted };
        write(
            painter,
            rect.center_bottom(),
            Align2::CENTER_BOTTOM,
            &short_value(value),
            rect.width(),
            colour,
        );
    }
    let mut painter = painter.clone();
    painter.multiply_opacity(opacity);
    let painter = &painter;
    draw_arc(painter, centre, scale * RADIUS, 0.0, 1.0, Stroke::new(3.0, palette.track));
    let (position, origin) = (slot.position(), origin(slot));
    let (low, high) = if position < origin { (position, origin) } else { (origin, position) };
    draw_arc(painter, centre, scale * RADIUS, low, high, Stroke::new(3.0, palette.accent));
    draw_modulation(painter, centre, scale * MODULATION_RADIUS, dial, palette);
    draw_cap(painter, centre, scale * CAP_RADIUS, is_lit, palette);
    let direction = direction(position);
    painter.line_segment(
        [centre + 4.0 * direction, centre + (scale * CAP_RADIUS - 1.5) * direction],
        Stroke::new(2.0, palette.text),
    );
}

/// Draws the cap, lit from above, as a fan of triangles.
fn draw_cap(painter: &Painter, centre: Pos2, radius: f32, is_lit: bool, palette: &Palette) {
    const CORNERS: u32 = 16;
    let base = if is_lit { palette.track.lerp_to_gamma(palette.text, 0.12) } else { palette.track };
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

fn draw_bar(ui: &Ui, dial: &Dial, rect: Rect, is_lit: bool, value: Option<&str>) {
    let (palette, slot) = (theme::of(ui), dial.slot);
    let mut painter = ui.painter().clone();
    painter.multiply_opacity(if dial.is_relevant { 1.0 } else { DIMMED });
    painter.rect_filled(rect, 4.0, palette.track);
    let across = |position: f32| rect.left() + position * rect.width();
    let (position, origin) = (across(slot.position()), across(origin(slot)));
    let filled = Rect::from_x_y_ranges(position.min(origin)..=position.max(origin), rect.y_range());
    painter.rect_filled(filled, 4.0, palette.accent.gamma_multiply(theme::FILLED));
    painter.vline(
        position.clamp(rect.left() + 1.0, rect.right() - 1.0),
        rect.y_range(),
        Stroke::new(2.0, palette.accent),
    );
    if is_lit {
        painter.rect_stroke(rect, 4.0, Stroke::new(1.0, palette.muted), StrokeKind::Inside);
    }
    if let Some(value) = value {
        let colour = if dial.is_relevant { palette.text } else { palette.muted };
        let at = rect.right_center() - vec2(5.0, 0.0);
        write(
            ui.painter(),
            at,
            Align2::RIGHT_CENTER,
            &short_value(value),
            rect.width() - 10.0,
            colour,
        );
    }
}

/// Draws the range of the modulation as a thin arc, and the host's modulated position as a dot.
fn draw_modulation(painter: &Painter, centre: Pos2, radius: f32, dial: &Dial, palette: &Palette) {
    let (slot, (down, up)) = (dial.slot, dial.reach);
    let (position, modulated) = (slot.position(), slot.modulated_position());
    let ends = [modulated + down as f32, modulated + up as f32].map(|end| end.clamp(0.0, 1.0));
    let (low, high) = (ends[0].min(position), ends[1].max(position));
    draw_arc(painter, centre, radius, low, high, Stroke::new(2.0, palette.second));
    if (position - modulated).abs() > 1e-4 {
        painter.circle_filled(centre + radius * direction(modulated), 3.0, palette.second);
    }
}

/// The short form of a name for the control. Tooltip and menu show the full name.
fn short_name(name: &str) -> String {
    if let Some((_, short)) = SHORT_NAMES.iter().find(|(long, _)| *long == name) {
        return short.to_string();
    }
    let abbreviations = [
        ("Envelope", "Env"),
        ("External", "Ext"),
        ("Velocity", "Vel"),
        ("friction", "fric."),
        (" to ", "→"),
        ("Thrown", "Thr."),
        (" spread", " spr."),
    ];
    abbreviations
        .into_iter()
        .fold(name.to_string(), |name, (long, short)| name.replace(long, short))
}

/// Removes trailing zeros of the mantissa from a long value.
fn short_value(value: &str) -> String {
    match value.split_once('e') {
        Some((digits, rest)) if value.len() > 9 && digits.contains('.') => {
            format!("{}e{rest}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => value.to_string(),
    }
}

/// Draws text in the usual font size, or smaller if it does not fit.
pub fn write(painter: &Painter, at: Pos2, align: Align2, text: &str, width: f32, colour: Color32) {
    write_in(painter, at, align, text, width, colour, theme::small().size);
}

/// Draws text in this font size, or smaller if it does not fit.
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
        let smaller = (size * width / galley.size().x).max(MIN_FONT_SIZE.min(size - 1.0));
        let at =
            if align.y() == egui::Align::TOP { at + vec2(0.0, 0.7 * (size - smaller)) } else { at };
        painter.text(at, align, text, egui::FontId::proportional(smaller), colour);
    }
}

/// The position from which the dial is filled: the middle if that is the neutral default.
fn origin(slot: &Slot) -> f32 {
    if (slot.default_position() - 0.5).abs() < 1e-6 && slot.text(0.0).starts_with('-') {
        0.5
    } else {
        0.0
    }
}

/// The direction from the centre for a position of the dial.
fn direction(position: f32) -> Vec2 {
    let angle = 0.5 * PI + OPENING + position * (2.0 * PI - 2.0 * OPENING);
    vec2(angle.cos(), angle.sin())
}

/// Draws an arc between two positions of the dial.
fn draw_arc(painter: &Painter, centre: Pos2, radius: f32, from: f32, to: f32, stroke: Stroke) {
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
        let mut too_wide = Vec::new();
        for param in crate::params::Param::ALL {
            let (spec, colour) = (param.spec(), Color32::WHITE);
            let is_dial = matches!(
                spec.kind,
                crate::params::ParamKind::Float { .. } | crate::params::ParamKind::Whole { .. }
            );
            // Slots are shown without names, groups of keys with other names.
            if !is_dial || spec.name.starts_with("Slot") || spec.name.starts_with("Group") {
                continue;
            }
            let width = context.fonts_mut(|fonts| {
                fonts.layout_no_wrap(short_name(spec.name), theme::small(), colour).size().x
            });
            // A slightly smaller font is still legible.
            if width > (crate::editor::control::CELL.x + SPACE.x) * 1.1 {
                too_wide.push((spec.name, width));
            }
        }
        assert!(too_wide.is_empty(), "{too_wide:?}");
    }

    #[test]
    fn long_values_lose_only_trailing_zeros() {
        assert_eq!(short_value("1.500e8 N/m^a"), "1.5e8 N/m^a");
        assert_eq!(short_value("2.000e8 N/m^a"), "2e8 N/m^a");
        assert_eq!(short_value("1.234e8 N/m^a"), "1.234e8 N/m^a");
        assert_eq!(short_value("300.0 g"), "300.0 g");
        assert_eq!(short_value("12.00 degrees"), "12.00 degrees");
    }
}
