//! Colours, fonts, icons and distances of the dark and the light theme.
//!
//! The accents are orange and blue, which colour-blind users can distinguish; warnings are also
//! given in words. Every text colour has a contrast of at least 4.5 : 1.

use egui::{
    Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, RichText, Stroke, Ui,
};

/// The colours of a theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Window background.
    pub background: Color32,
    /// Background of panels.
    pub panel: Color32,
    /// Background of charts.
    pub well: Color32,
    /// Empty tracks, buttons and grid lines.
    pub track: Color32,
    /// Text.
    pub text: Color32,
    /// Secondary text.
    pub muted: Color32,
    /// Values that the user sets.
    pub accent: Color32,
    /// Pickups, curves of the analysis, modulation.
    pub second: Color32,
    /// Errors, and levels that are too high.
    pub warning: Color32,
}

/// The dark theme.
pub const DARK: Palette = Palette {
    background: Color32::from_rgb(15, 16, 20),
    panel: Color32::from_rgb(27, 30, 36),
    well: Color32::from_rgb(19, 21, 26),
    track: Color32::from_rgb(54, 59, 69),
    text: Color32::from_rgb(236, 233, 226),
    muted: Color32::from_rgb(166, 170, 180),
    accent: Color32::from_rgb(242, 162, 76),
    second: Color32::from_rgb(106, 180, 240),
    warning: Color32::from_rgb(255, 122, 92),
};

/// The light theme.
pub const LIGHT: Palette = Palette {
    background: Color32::from_rgb(228, 225, 218),
    panel: Color32::from_rgb(243, 241, 236),
    well: Color32::from_rgb(252, 251, 248),
    track: Color32::from_rgb(206, 202, 194),
    text: Color32::from_rgb(28, 30, 35),
    muted: Color32::from_rgb(74, 79, 90),
    accent: Color32::from_rgb(152, 74, 0),
    second: Color32::from_rgb(10, 92, 158),
    warning: Color32::from_rgb(178, 36, 12),
};

/// Distance between related widgets, points.
pub const GAP: f32 = 6.0;
/// Font size of titles, points.
pub const TITLE: f32 = 13.5;
/// Opacity of the accent behind selected text: bounded by the text's contrast.
pub const CHOSEN: f32 = 0.45;
/// Opacity of the accent in the filled part of a bar: bounded by the text's contrast.
pub const FILLED: f32 = 0.35;
/// Corner radius of panels and charts, points.
pub const CORNER_RADIUS: f32 = 6.0;

/// The frame of a panel.
pub fn card(palette: &Palette) -> egui::Frame {
    egui::Frame::NONE
        .fill(palette.panel)
        .corner_radius(CORNER_RADIUS)
        .inner_margin(egui::Margin::symmetric(8, 6))
        .outer_margin(egui::Margin::same(3))
}

/// The active palette.
pub fn of(ui: &Ui) -> &'static Palette {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Applies a theme.
pub fn apply(context: &egui::Context, light: bool) {
    let palette = if light { &LIGHT } else { &DARK };
    let mut visuals = if light { egui::Visuals::light() } else { egui::Visuals::dark() };
    visuals.panel_fill = palette.background;
    visuals.window_fill = palette.panel;
    visuals.extreme_bg_color = palette.background;
    visuals.faint_bg_color = palette.panel;
    visuals.selection.bg_fill = palette.accent.gamma_multiply(CHOSEN);
    visuals.selection.stroke = Stroke::new(1.0, palette.text);
    visuals.override_text_color = Some(palette.text);
    // The hint in an empty text field.
    visuals.weak_text_color = Some(palette.muted);
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.warning;
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
    }
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.track);
    visuals.widgets.inactive.weak_bg_fill = palette.track;
    visuals.widgets.inactive.bg_fill = palette.track;
    visuals.widgets.hovered.weak_bg_fill = palette.track.lerp_to_gamma(palette.text, 0.16);
    visuals.widgets.hovered.bg_stroke = Stroke::new(1.0, palette.muted);
    context.set_visuals(visuals);
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(GAP, GAP - 2.0);
        style.spacing.button_padding = egui::vec2(7.0, 3.0);
        // Scroll bars stay visible, so that a scrollable page is recognised as such.
        style.spacing.scroll.dormant_handle_opacity = 0.4;
        style.interaction.tooltip_delay = 0.4;
    });
}

/// Installs the editor's fonts.
pub fn set_fonts(context: &egui::Context) {
    context.set_fonts(with_own_fonts(FontDefinitions::default()));
}

/// Puts the editor's fonts before the given ones.
fn with_own_fonts(mut fonts: FontDefinitions) -> FontDefinitions {
    let own = [
        ("Inter", &include_bytes!("../../plugin-assets/fonts/Inter-Ictus.otf")[..]),
        ("Icons", &include_bytes!("../../plugin-assets/fonts/Ictus-Icons.ttf")[..]),
    ];
    for (index, (name, bytes)) in own.into_iter().enumerate() {
        fonts.font_data.insert(name.to_string(), FontData::from_static(bytes).into());
        fonts.families.entry(FontFamily::Proportional).or_default().insert(index, name.to_string());
    }
    fonts
}

/// The title of a group of controls.
pub fn title(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).color(of(ui).accent).strong().size(TITLE)
}

/// Secondary text.
pub fn muted(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).color(of(ui).muted)
}

/// The result of an action: secondary text if it succeeded, else a warning.
pub fn result(ui: &Ui, text: impl Into<String>, is_good: bool) -> RichText {
    let palette = of(ui);
    RichText::new(text).color(if is_good { palette.muted } else { palette.warning })
}

/// The font of controls.
pub fn small() -> FontId {
    FontId::proportional(11.5)
}

/// Relative luminance of an opaque colour, 0…1, by WCAG 2.
fn luminance(colour: Color32) -> f32 {
    let linear = |x: u8| {
        let x = f32::from(x) / 255.0;
        if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
}

/// Contrast of two opaque colours, 1…21, by WCAG 2.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The editor's icons, in the order of `plugin-assets/fonts/make_icons.py`.
#[allow(missing_docs)] // The names describe the icons.
pub mod icons {
    pub const PREVIOUS: &str = "\u{e000}";
    pub const NEXT: &str = "\u{e001}";
    pub const SAVE: &str = "\u{e002}";
    pub const HEART: &str = "\u{e003}";
    pub const HEART_FULL: &str = "\u{e004}";
    pub const STOP: &str = "\u{e005}";
    pub const SUN: &str = "\u{e006}";
    pub const MOON: &str = "\u{e007}";

    /// A button with an icon, and with a name for tooltips and screen readers.
    pub fn button(ui: &mut egui::Ui, icon: &str, name: &str) -> egui::Response {
        let icon = egui::RichText::new(icon).size(15.0);
        let response = ui.add(egui::Button::new(icon).min_size(egui::vec2(26.0, 24.0)));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        response.on_hover_text(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blends a colour over another one.
    fn over(front: Color32, behind: Color32, share: f32) -> Color32 {
        let mix =
            |a: u8, b: u8| (share * f32::from(a) + (1.0 - share) * f32::from(b)).round() as u8;
        Color32::from_rgb(
            mix(front.r(), behind.r()),
            mix(front.g(), behind.g()),
            mix(front.b(), behind.b()),
        )
    }

    #[test]
    fn the_fonts_have_every_character_of_the_parameters() {
        let context = egui::Context::default();
        context.set_fonts(with_own_fonts(FontDefinitions::empty()));
        // Fonts are built in the first frame.
        context.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let mut characters: Vec<char> = "µ→·×".chars().collect();
        for param in crate::params::Param::ALL {
            let spec = param.spec();
            let values =
                (0..=20).map(|i| spec.format_stored(spec.position_to_stored(f64::from(i) / 20.0)));
            for text in values.chain([spec.name.to_string(), spec.help.to_string()]) {
                characters.extend(text.chars());
            }
        }
        for character in characters {
            assert!(context.fonts_mut(|fonts| fonts.has_glyph(&small(), character)), "{character}");
        }
    }

    #[test]
    fn text_has_enough_contrast() {
        for palette in [DARK, LIGHT] {
            for ground in [palette.background, palette.panel, palette.well] {
                for text in
                    [palette.text, palette.muted, palette.accent, palette.second, palette.warning]
                {
                    assert!(
                        contrast(text, ground) >= 4.5,
                        "{text:?} on {ground:?}: {}",
                        contrast(text, ground)
                    );
                }
                // An irrelevant list is dimmed.
                let dimmed = over(palette.muted, ground, crate::editor::control::DIMMED);
                assert!(contrast(dimmed, ground) >= 4.5, "dimmed {}", contrast(dimmed, ground));
            }
            assert!(contrast(palette.text, palette.track) >= 4.5);
            for (what, colour) in [
                ("selected on the background", over(palette.accent, palette.background, CHOSEN)),
                ("selected in a list", over(palette.accent, palette.panel, CHOSEN)),
                ("hovered", palette.track.lerp_to_gamma(palette.text, 0.16)),
                ("a bar", over(palette.accent, palette.track, FILLED)),
            ] {
                let contrast = contrast(palette.text, colour);
                assert!(contrast >= 4.5, "{what}: {contrast}");
            }
        }
    }
}
