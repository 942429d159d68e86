//! The body that a patch describes: geometry, material, strike point and pickups.

use super::macros::{BodyScale, KeyTracking};
use super::material::{Damping, Material};
use super::shape::kind::HeldEdges;
use super::{BodyKind, Geometry, Listening, Point};
use crate::params::{Param, Patch};

/// Density at which *Weight* applies unchanged, kg/m^3: steel's.
const DENSITY_OF_WEIGHT_KG_PER_M3: f64 = 7850.0;

/// Distance that pickups keep from a held edge, in lengths of the body.
const EDGE_MARGIN: f64 = 0.1;

impl Patch {
    /// The shape of the body.
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

    /// The chosen material; none if the losses are set one by one.
    fn material(&self) -> Option<Material> {
        let choice = self.choice(Param::Material).checked_sub(1)?;
        Some(Material::ALL.get(choice).copied().unwrap_or_else(|| {
            Material::on_pad(self.get(Param::MaterialX), self.get(Param::MaterialY))
        }))
    }

    /// Damping of the body: its support plus its material.
    pub fn damping(&self) -> Damping {
        let own = Damping {
            support_per_s: 0.0,
            loss_factor: self.get(Param::Friction),
            viscous_s: self.get(Param::Viscosity),
        };
        let damping = self.material().map_or(own, |material| material.damping);
        Damping { support_per_s: damping.support_per_s + self.get(Param::Support), ..damping }
    }

    /// Mass of the body at size 1, kg; a chosen material scales it by its density relative to
    /// steel.
    pub fn weight_kg(&self) -> f64 {
        let density =
            self.material().map_or(1.0, |m| m.density_kg_per_m3 / DENSITY_OF_WEIGHT_KG_PER_M3);
        self.get(Param::Weight) * density
    }

    /// Whether a key retunes the body or resizes it.
    pub fn key_tracking(&self) -> KeyTracking {
        if self.choice(Param::KeyTracking) == 1 { KeyTracking::Resize } else { KeyTracking::Retune }
    }

    /// The scale by *Size* alone, without the key.
    pub fn scale(&self) -> BodyScale {
        BodyScale::new(self.get(Param::Size))
    }

    /// The point that the striker hits.
    pub fn strike_point(&self) -> Point {
        self.place(self.get(Param::Position), self.get(Param::PositionY))
    }

    /// The point on the body for knob positions 0…1. On round bodies x runs from rim to rim
    /// through the centre and y rotates that line; a clamped bar is measured from its free end.
    pub fn place(&self, x: f64, y: f64) -> Point {
        self.geometry().kind.spec().layout.point(x, y)
    }

    /// The knob positions of a point on the body: one of the two inverses of [`Patch::place`].
    pub fn knobs_at(&self, point: Point) -> [f64; 2] {
        self.geometry().kind.spec().layout.controls(point.within_limits())
    }

    /// The point of a pickup. A held edge does not move, so the knobs end a tenth before it.
    fn pickup(&self, x: f64, y: f64) -> Point {
        let inset = |along: f64| EDGE_MARGIN + (1.0 - 2.0 * EDGE_MARGIN) * along;
        match self.geometry().kind.spec().held_edges {
            HeldEdges::XAndY => self.place(inset(x), inset(y)),
            HeldEdges::X => self.place(inset(x), y),
            HeldEdges::None => self.place(x, y),
        }
    }

    /// The points of both pickups.
    pub fn listening(&self) -> Listening {
        Listening {
            left: self.pickup(self.get(Param::PickupLeft), self.get(Param::PickupLeftY)),
            right: self.pickup(self.get(Param::PickupRight), self.get(Param::PickupRightY)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::table::BODIES;

    #[test]
    fn bodies_have_the_names_of_the_choices_and_each_another() {
        for (n, kind) in BodyKind::ALL.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.name()), (n, BODIES[n]));
            assert!(!BODIES[..n].contains(&kind.name()));
        }
        assert_eq!(BODIES.len(), BodyKind::ALL.len());
    }
}
