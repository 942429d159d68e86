//! What a patch says of the body.

use super::{Param, Patch};
use crate::body::macros::{BodyScale, KeyTracking};
use crate::body::material::{Damping, Material};
use crate::body::shape::kind::HeldEdges;
use crate::body::{BodyKind, Geometry, Listening, Point};

/// Density at which a body of a chosen material has the weight that was set, kg/m^3: steel's.
const DENSITY_OF_WEIGHT_KG_PER_M3: f64 = 7850.0;

/// How far from a held edge the pickups stay, in lengths of the body.
const EDGE: f64 = 0.1;

impl Patch {
    /// What rings.
    pub fn geometry(&self) -> Geometry {
        Geometry {
            kind: BodyKind::from_choice(self.choice(Param::Body)),
            aspect: self.get(Param::Aspect),
            split: self.get(Param::Split),
            inharmonicity: self.get(Param::Inharmonicity),
            count: self.get(Param::Modes),
        }
        .within_limits()
    }

    /// What it is made of; none if its losses are set one by one.
    fn material(&self) -> Option<Material> {
        let choice = self.choice(Param::Material).checked_sub(1)?;
        Some(Material::ALL.get(choice).copied().unwrap_or_else(|| {
            Material::on_pad(self.get(Param::MaterialX), self.get(Param::MaterialY))
        }))
    }

    /// How the body loses energy: by its support, and by what it is made of.
    pub fn damping(&self) -> Damping {
        let own = Damping {
            support_per_s: 0.0,
            loss_factor: self.get(Param::Friction),
            viscous_s: self.get(Param::Viscosity),
        };
        let damping = self.material().map_or(own, |material| material.damping);
        Damping { support_per_s: damping.support_per_s + self.get(Param::Support), ..damping }
    }

    /// Mass of the body at size 1, kg. A chosen material counts by its density, steel as set.
    pub fn weight_kg(&self) -> f64 {
        let density =
            self.material().map_or(1.0, |m| m.density_kg_per_m3 / DENSITY_OF_WEIGHT_KG_PER_M3);
        self.get(Param::Weight) * density
    }

    /// What a key does to the object.
    pub fn key_tracking(&self) -> KeyTracking {
        if self.choice(Param::KeyTracking) == 1 { KeyTracking::Resize } else { KeyTracking::Retune }
    }

    /// How much larger everything is by Size alone.
    pub fn scale(&self) -> BodyScale {
        BodyScale::new(self.get(Param::Size))
    }

    /// Where the striker hits.
    pub fn strike_point(&self) -> Point {
        self.place(self.get(Param::Position), self.get(Param::PositionY))
    }

    /// A place on the body by the knobs, 0…1 each. Round bodies are crossed from rim to rim through
    /// their middle, and y turns the line; a clamped bar is measured from its free end.
    pub fn place(&self, x: f64, y: f64) -> Point {
        self.geometry().kind.spec().layout.point(x, y)
    }

    /// The knobs that mean a place on the body: one of the two turns of [`Patch::place`].
    pub fn knobs_at(&self, point: Point) -> [f64; 2] {
        self.geometry().kind.spec().layout.controls(point.within_limits())
    }

    /// A place for a pickup. Nothing moves where an edge is held: there the knobs end a tenth
    /// before it.
    fn pickup(&self, x: f64, y: f64) -> Point {
        let inset = |along: f64| EDGE + (1.0 - 2.0 * EDGE) * along;
        match self.geometry().kind.spec().held_edges {
            HeldEdges::XAndY => self.place(inset(x), inset(y)),
            HeldEdges::X => self.place(inset(x), y),
            HeldEdges::None => self.place(x, y),
        }
    }

    /// Where the body is heard.
    pub fn listening(&self) -> Listening {
        Listening {
            left: self.pickup(self.get(Param::PickupLeft), self.get(Param::PickupLeftY)),
            right: self.pickup(self.get(Param::PickupRight), self.get(Param::PickupRightY)),
        }
    }
}
