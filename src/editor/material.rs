//! What materials look like: a colour, and how much they shine. For the eye alone.

use egui::Color32;

use crate::params::{Param, Patch};

/// The look of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// In full light.
    pub colour: Color32,
    /// 0 is dull, 1 is polished.
    pub gloss: f32,
}

const fn material(r: u8, g: u8, b: u8, gloss: f32) -> Material {
    Material { colour: Color32::from_rgb(r, g, b), gloss }
}

const GLASS: Material = material(142, 196, 208, 1.0);
const STEEL: Material = material(172, 182, 198, 0.9);
const RUBBER: Material = material(104, 96, 106, 0.15);
const WOOD: Material = material(200, 146, 92, 0.3);

/// At the corners of the pad: bottom left, bottom right, top left, top right.
pub const CORNERS: [(&str, Material); 4] =
    [("Glass", GLASS), ("Steel", STEEL), ("Rubber", RUBBER), ("Wood", WOOD)];

impl Material {
    /// Roughly what a body is made of.
    pub fn of(patch: &Patch) -> Self {
        match patch.choice(Param::Material) {
            0 => {
                // By its losses: metals ring, wood and rubber do not.
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

    /// At a place of the pad, from its lower left corner, 0…1 each.
    pub fn at(x: f32, y: f32) -> Self {
        let [glass, steel, rubber, wood] = CORNERS.map(|(_, material)| material);
        glass.mixed(steel, x).mixed(rubber.mixed(wood, x), y)
    }

    fn mixed(self, other: Self, share: f32) -> Self {
        let gloss = self.gloss + share * (other.gloss - self.gloss);
        Self { colour: self.colour.lerp_to_gamma(other.colour, share), gloss }
    }
}
