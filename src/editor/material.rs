//! The appearance of materials, and the pad that mixes four of them.

use egui::{
    Align2, Color32, FontId, Mesh, Pos2, Rect, Sense, Shape, Stroke, Ui, UiBuilder, pos2, vec2,
};

use super::control::{Controls, grid, set_in_one_gesture};
use super::theme;
use crate::editor::relevance::Relevance;
use crate::params::{Param, Patch};

/// Height of the pad, points.
const HEIGHT: f32 = 76.0;
/// Opacity of the colours while another material is selected.
const UNSELECTED_OPACITY: f32 = 0.45;
/// Number of cells of the colour mesh in each direction.
const STEPS: u32 = 8;

/// The appearance of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Colour in full light.
    pub colour: Color32,
    /// From 0 (dull) to 1 (polished).
    pub gloss: f32,
}

const fn material(r: u8, g: u8, b: u8, gloss: f32) -> Material {
    Material { colour: Color32::from_rgb(r, g, b), gloss }
}

const GLASS: Material = material(142, 196, 208, 1.0);
const STEEL: Material = material(172, 182, 198, 0.9);
const RUBBER: Material = material(104, 96, 106, 0.15);
const WOOD: Material = material(200, 146, 92, 0.3);

/// The materials at the corners of the pad: bottom left, bottom right, top left, top right.
const CORNERS: [(&str, Material); 4] =
    [("Glass", GLASS), ("Steel", STEEL), ("Rubber", RUBBER), ("Wood", WOOD)];

impl Material {
    /// The material of a body, approximately.
    pub fn new(patch: &Patch) -> Self {
        match patch.choice(Param::Material) {
            0 => {
                // Guessed from the losses: low in metals, high in wood and rubber.
                let loss = (patch.get(Param::Friction).log10() as f32 + 4.0) / 3.0;
                STEEL.mixed(WOOD, loss.clamp(0.0, 1.0))
            }
            1 => material(218, 210, 196, 0.8),
            2 => GLASS,
            3 => WOOD,
            4 => material(156, 170, 126, 0.4),
            5 => material(132, 136, 146, 0.5),
            6 => material(168, 186, 202, 0.9),
            7 => STEEL,
            8 => material(194, 198, 192, 0.8),
            _ => {
                let (x, y) =
                    (patch.get(Param::MaterialX) as f32, patch.get(Param::MaterialY) as f32);
                Self::at(x, y)
            }
        }
    }

    /// The mixture at a position of the pad, 0…1 from its lower left corner.
    fn at(x: f32, y: f32) -> Self {
        let [glass, steel, rubber, wood] = CORNERS.map(|(_, material)| material);
        glass.mixed(steel, x).mixed(rubber.mixed(wood, x), y)
    }

    fn mixed(self, other: Self, share: f32) -> Self {
        let gloss = self.gloss + share * (other.gloss - self.gloss);
        Self { colour: self.colour.lerp_to_gamma(other.colour, share), gloss }
    }
}

/// Shows the material pad. A double click resets it. A drag selects the pad as the material.
pub fn show_pad(ui: &mut Ui, controls: &Controls) {
    let is_selected = controls.relevance(Param::MaterialX) == Relevance::Heard;
    let material = controls.params.slot(Param::Material);
    let params = [Param::MaterialX, Param::MaterialY];
    let [x, y] = params.map(|param| controls.params.slot(param));
    let (setter, palette) = (controls.setter, theme::of(ui));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("pad"));
    grid::hide_clipped(&mut ui, rect);
    let response = ui.interact(rect, ui.scope_id().with("drag"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Material pad"));
    if response.drag_started() && !is_selected {
        set_in_one_gesture(material, setter, 1.0);
    }
    if response.drag_started() {
        controls.begin(&params);
    }
    if let Some(at) = response.interact_pointer_pos()
        && response.dragged()
    {
        let [across, up] = position_in(rect, at);
        x.set(setter, across);
        y.set(setter, up);
    }
    if response.drag_stopped() {
        controls.end(&params);
    }
    if response.double_clicked() {
        for slot in [x, y] {
            set_in_one_gesture(slot, setter, slot.default_position());
        }
    }
    let painter = ui.painter();
    painter.add(Shape::mesh(colour_mesh(
        rect,
        if is_selected { 1.0 } else { UNSELECTED_OPACITY },
        palette.well,
    )));
    let (font, inner) = (FontId::proportional(11.0), rect.shrink(5.0));
    let places = [
        (inner.left_bottom(), Align2::LEFT_BOTTOM),
        (inner.right_bottom(), Align2::RIGHT_BOTTOM),
        (inner.left_top(), Align2::LEFT_TOP),
        (inner.right_top(), Align2::RIGHT_TOP),
    ];
    for ((place, align), (name, _)) in places.into_iter().zip(CORNERS) {
        // With their own background, because the colours behind them have any brightness.
        let galley = painter.layout_no_wrap(name.to_string(), font.clone(), palette.text);
        let at = align.anchor_size(place, galley.size());
        painter.rect_filled(at.expand2(vec2(3.0, 0.0)), 3.0, palette.panel);
        painter.galley(at.min, galley, palette.text);
    }
    let dot = pos2(
        rect.left() + x.position() * rect.width(),
        rect.bottom() - y.position() * rect.height(),
    );
    let dot = rect.shrink(6.0).clamp(dot);
    painter.circle(
        dot,
        6.0,
        if is_selected { palette.accent } else { palette.muted },
        Stroke::new(2.0, palette.panel),
    );
    response
        .on_hover_text("What the body is made of, between four materials. Drag it to choose them.");
    ui.add_space(4.0);
}

/// Position of the pointer, as shares of width and height.
fn position_in(rect: Rect, at: Pos2) -> [f32; 2] {
    let across = (at.x - rect.left()) / rect.width().max(1.0);
    let up = (rect.bottom() - at.y) / rect.height().max(1.0);
    [across.clamp(0.0, 1.0), up.clamp(0.0, 1.0)]
}

/// The colours of the materials over the pad.
fn colour_mesh(rect: Rect, opacity: f32, behind: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for row in 0..=STEPS {
        for column in 0..=STEPS {
            let [across, up] = [column, row].map(|i| i as f32 / STEPS as f32);
            let at = pos2(rect.left() + across * rect.width(), rect.bottom() - up * rect.height());
            mesh.colored_vertex(at, behind.lerp_to_gamma(Material::at(across, up).colour, opacity));
            if row < STEPS && column < STEPS {
                let corner = row * (STEPS + 1) + column;
                mesh.add_triangle(corner, corner + 1, corner + STEPS + 2);
                mesh.add_triangle(corner, corner + STEPS + 2, corner + STEPS + 1);
            }
        }
    }
    mesh
}
