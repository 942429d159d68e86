//! Modulation destinations: pitch, volume and pan of a note, and every parameter that can differ
//! between notes.
//!
//! Excluded are surfaces, which all notes share and which are built in advance; choices, which are
//! not continuous; and output parameters, which act on the sum of all notes.

use crate::params::Param;

/// Semitones of pitch at full depth.
pub const PITCH_ST: f64 = 12.0;
/// Decibels of volume at full depth.
pub const VOLUME_DB: f64 = 24.0;

/// Destination of a modulation slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// No destination.
    None,
    /// Pitch of the note, [`PITCH_ST`] either way at full depth.
    Pitch,
    /// Volume of the note, [`VOLUME_DB`] either way at full depth.
    Volume,
    /// Pan of the note, fully to one side at full depth.
    Pan,
    /// A parameter, over its whole range at full depth.
    Param(Param),
}

macro_rules! destinations {
    ($( $name:literal $param:ident ),* $(,)?) => {
        impl Destination {
            /// All destinations, in the order of the parameter's choices. New ones come last:
            /// projects store the index.
            pub const ALL: [Destination; Destination::NAMES.len()] =
                [Destination::None, Destination::Pitch, Destination::Volume, Destination::Pan, $(Destination::Param(Param::$param)),*];

            /// Names in the user interface; parameters use their own names.
            pub const NAMES: [&'static str; 4 + [$($name),*].len()] = ["None", "Pitch", "Volume", "Pan", $($name),*];
        }
    };
}

destinations! {
    "Hardness" Hardness, "Mass" Mass, "Speed" Speed, "Strike point" Position, "Strike point Y" PositionY,
    "Scatter" Scatter, "Size" Size, "Thickness" Thickness, "Support loss" Support, "Tune" Tune, "Weight" Weight,
    "Modes" Modes, "Aspect" Aspect, "Split" Split, "String stiffness" Inharmonicity, "Pad X" MaterialX,
    "Pad Y" MaterialY, "Internal friction" Friction, "Viscous loss" Viscosity, "Left pickup" PickupLeft,
    "Left pickup Y" PickupLeftY, "Right pickup" PickupRight, "Right pickup Y" PickupRightY, "Hand damping" Hand,
    "Stiffness" Stiffness, "Dissipation" Mu, "Exponent" Alpha, "Restitution" Restitution, "Damper" Damper,
    "Height" Height, "Gravity" Gravity, "Mass scatter" MassScatter, "Drift" Drift, "Spin" Spin, "Follow" Follow,
    "Rolling friction" RollFriction, "Slope" Slope, "Off centre" OffCentre, "Contact damping" RollDamping,
    "Way" Span, "Press" Press, "Scrape friction" ScrapeFriction, "Angle" Angle, "Friction" SlipFriction,
    "Friction heard" FrictionShare, "Thrown size" ThrownSize, "Tumbling" Tumbling, "Ball gap" BallGap, "Strings" Cord,
    "LFO rate" LfoRate, "Slot 2 depth" Depth2, "Slot 3 depth" Depth3, "Slot 4 depth" Depth4, "Slot 5 depth" Depth5,
    "Slot 6 depth" Depth6, "Slot 7 depth" Depth7, "Slot 8 depth" Depth8,
}

impl Destination {
    /// The destination of a parameter's choice.
    pub fn of_choice(choice: usize) -> Self {
        Self::ALL.get(choice).copied().unwrap_or(Destination::None)
    }

    /// True if `param` can be modulated per note.
    pub fn takes(param: Param) -> bool {
        Self::ALL.contains(&Destination::Param(param))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::ParamKind;

    /// The choices of version 0.2: projects store their indices, so they must not change.
    const FIRST: [&str; 61] = [
        "None", "Pitch", "Volume", "Pan", "hard", "mass", "speed", "pos", "posy", "scat", "size",
        "thick", "supp", "tune", "weight", "modes", "aspect", "split", "inharm", "matx", "maty",
        "tanphi", "visc", "pickl", "pickly", "pickr", "pickry", "hand", "k", "mu", "alpha", "rest",
        "damper", "height", "grav", "mscat", "drift", "spin", "follow", "rfric", "slope", "offc",
        "rdamp", "span", "press", "sfric", "angle", "fric", "fshare", "tsize", "tspin", "bgap",
        "cord", "lforat", "s2amt", "s3amt", "s4amt", "s5amt", "s6amt", "s7amt", "s8amt",
    ];

    #[test]
    fn no_choice_ever_means_another_parameter() {
        for (index, id) in FIRST.into_iter().enumerate() {
            match Destination::of_choice(index) {
                Destination::Param(param) => assert_eq!(param.spec().id, id, "{index}"),
                _ => assert_eq!(Destination::NAMES[index], id),
            }
        }
    }

    #[test]
    fn parameters_go_by_their_own_names_and_slide() {
        for (destination, name) in Destination::ALL.into_iter().zip(Destination::NAMES) {
            if let Destination::Param(param) = destination {
                assert_eq!(param.spec().name, name);
                assert!(matches!(param.spec().kind, ParamKind::Float { .. }), "{name}");
                assert_eq!(
                    Destination::ALL.iter().filter(|&&other| other == destination).count(),
                    1,
                    "{name}"
                );
            }
        }
        assert!(Destination::takes(Param::Hardness) && !Destination::takes(Param::Level));
    }
}
