//! Colours, type and distances, dark and light.
//!
//! Accents are an orange and a blue, which people who confuse red and green tell apart; where
//! something must be noticed it is also said in words. Every text colour stands out from its ground
//! by 4.5 : 1 or more.

use egui::{
    Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, RichText, Stroke, Ui,
};

/// What a theme is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything.
    pub background: Color32,
    /// Behind controls.
    pub panel: Color32,
    /// Behind charts and pictures, let into a panel.
    pub well: Color32,
    /// Empty tracks, black keys, lines of a grid.
    pub track: Color32,
    /// Text.
    pub text: Color32,
    /// Text that need not be read first.
    pub muted: Color32,
    /// What moves under the hand.
    pub accent: Color32,
    /// What answers: pickups, curves of the analysis, modulation.
    pub second: Color32,
    /// Something is too loud, or went wrong.
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

/// Distance between things that belong together.
pub const GAP: f32 = 6.0;
/// Size of the letters of titles.
pub const TITLE: f32 = 13.5;
/// How much of the accent lies over the ground of what is chosen, and over the track of a bar as
/// far as it is filled: words stand on either.
pub const CHOSEN: f32 = 0.45;
/// The same for the bar.
pub const FILLED: f32 = 0.35;
/// How round the corners of panels and wells are.
pub const ROUND: f32 = 6.0;

/// A panel of the window: lifted from the ground, with a little of it all around.
pub fn card(palette: &Palette) -> egui::Frame {
    egui::Frame::NONE
        .fill(palette.panel)
        .corner_radius(ROUND)
        .inner_margin(egui::Margin::symmetric(8, 6))
        .outer_margin(egui::Margin::same(3))
}

/// The palette in force.
pub fn of(ui: &Ui) -> &'static Palette {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Put a theme on.
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
    // What stands in an empty field.
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
        // A page that goes on further down shows a thin bar at rest, so that nobody takes it for
        // the whole.
        style.spacing.scroll.dormant_handle_opacity = 0.4;
        style.interaction.tooltip_delay = 0.4;
    });
}

/// The editor's own letters and signs.
pub fn set_fonts(context: &egui::Context) {
    context.set_fonts(with_own(FontDefinitions::default()));
}

/// The editor's own letters and signs before those there are.
fn with_own(mut fonts: FontDefinitions) -> FontDefinitions {
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

/// Title of a group of controls.
pub fn title(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).color(of(ui).accent).strong().size(TITLE)
}

/// The usual size of letters on controls.
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

/// By how much two opaque colours stand out from one another, 1…21, by WCAG 2.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it looks where only a part of it covers what is behind.
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
    fn its_own_letters_have_every_sign_that_parameters_are_reported_with() {
        let context = egui::Context::default();
        context.set_fonts(with_own(FontDefinitions::empty()));
        // Fonts are made in the first frame.
        context.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let mut signs: Vec<char> = "µ→·×".chars().collect();
        for param in crate::params::Param::ALL {
            let spec = param.spec();
            let values =
                (0..=20).map(|i| spec.format_stored(spec.position_to_stored(f64::from(i) / 20.0)));
            for text in values.chain([spec.name.to_string(), spec.help.to_string()]) {
                signs.extend(text.chars());
            }
        }
        for sign in signs {
            assert!(context.fonts_mut(|fonts| fonts.has_glyph(&small(), sign)), "{sign}");
        }
    }

    #[test]
    fn words_stand_out_from_what_is_behind_them() {
        for palette in [DARK, LIGHT] {
            for ground in [palette.background, palette.panel, palette.well] {
                for ink in
                    [palette.text, palette.muted, palette.accent, palette.second, palette.warning]
                {
                    assert!(
                        contrast(ink, ground) >= 4.5,
                        "{ink:?} on {ground:?}: {}",
                        contrast(ink, ground)
                    );
                }
                // A list that is not heard is fainter.
                let faint = over(palette.muted, ground, crate::editor::control::DIMMED);
                assert!(contrast(faint, ground) >= 4.5, "faint {}", contrast(faint, ground));
            }
            assert!(contrast(palette.text, palette.track) >= 4.5);
            for (what, colour) in [
                ("chosen on the ground", over(palette.accent, palette.background, CHOSEN)),
                ("chosen in a list", over(palette.accent, palette.panel, CHOSEN)),
                ("under the pointer", palette.track.lerp_to_gamma(palette.text, 0.16)),
                ("a bar", over(palette.accent, palette.track, FILLED)),
            ] {
                let found = contrast(palette.text, colour);
                assert!(found >= 4.5, "{what}: {found}");
            }
        }
    }
}
