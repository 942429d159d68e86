//! The bodies there are.

use super::Point;

/// What rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Uniform bar, free at both ends.
    FreeBar,
    /// Rod or tine, clamped at x = 0.
    ClampedBar,
    /// Bar pinned at both ends.
    PinnedBar,
    /// Marimba bar, tuned 1 : 4 : 10 : 20.
    Marimba,
    /// Xylophone bar, tuned 1 : 3 : 6.
    Xylophone,
    /// Vibraphone bar.
    Vibraphone,
    /// String with stiffness.
    String,
    /// Circular membrane without air.
    Membrane,
    /// Circular plate with a free edge, Poisson's ratio 0.33.
    FreeDisc,
    /// Circular plate with a clamped edge.
    ClampedDisc,
    /// Rectangular plate with free edges, Poisson's ratio 0.3.
    FreePlate,
    /// Rectangular plate with simply supported edges.
    SupportedPlate,
    /// Tubular bell.
    TubularBell,
    /// Church bell.
    ChurchBell,
    /// Wine glass.
    WineGlass,
    /// Singing bowl.
    Bowl,
    /// Thin ring, in its plane.
    Ring,
    /// Air in a tube open at both ends.
    OpenTube,
    /// Air in a tube closed at x = 0.
    ClosedTube,
    /// A list of modes.
    User,
}

impl BodyKind {
    /// Work of finding the shape of one mode at one place, in passes over eight modes of a bank.
    /// Measured: most shapes are a few sines; those of discs are recurrences, those of the free
    /// plate sums of products.
    pub fn shape_work(self) -> u32 {
        match self {
            BodyKind::Membrane | BodyKind::FreeDisc | BodyKind::ClampedDisc => 128,
            BodyKind::FreePlate => 64,
            _ => 16,
        }
    }

    /// All of them, in the order in which choices are stored: new ones go to the end.
    pub const ALL: [BodyKind; 20] = [
        BodyKind::FreeBar,
        BodyKind::ClampedBar,
        BodyKind::PinnedBar,
        BodyKind::Marimba,
        BodyKind::Xylophone,
        BodyKind::Vibraphone,
        BodyKind::String,
        BodyKind::Membrane,
        BodyKind::FreeDisc,
        BodyKind::ClampedDisc,
        BodyKind::FreePlate,
        BodyKind::SupportedPlate,
        BodyKind::TubularBell,
        BodyKind::ChurchBell,
        BodyKind::WineGlass,
        BodyKind::Bowl,
        BodyKind::Ring,
        BodyKind::OpenTube,
        BodyKind::ClosedTube,
        BodyKind::User,
    ];

    /// Name for people, in the order of [`BodyKind::ALL`].
    pub const NAMES: [&'static str; 20] = crate::params::table::BODIES;

    /// Name for people.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether places on it have a y.
    pub fn is_flat_or_round(self) -> bool {
        !matches!(
            self,
            BodyKind::FreeBar
                | BodyKind::ClampedBar
                | BodyKind::PinnedBar
                | BodyKind::Marimba
                | BodyKind::Xylophone
                | BodyKind::Vibraphone
                | BodyKind::String
                | BodyKind::TubularBell
                | BodyKind::OpenTube
                | BodyKind::ClosedTube
                | BodyKind::User
        )
    }

    /// Where it is well struck and heard left and right: off the nodes of its lower modes.
    pub fn usual_points(self) -> [Point; 3] {
        match self {
            BodyKind::ClampedBar => [Point::along(0.85), Point::along(1.0), Point::along(0.6)],
            BodyKind::PinnedBar | BodyKind::String => {
                [Point::along(0.13), Point::along(0.31), Point::along(0.77)]
            }
            BodyKind::Membrane | BodyKind::ClampedDisc => {
                [Point::new(0.45, 0.03), Point::new(0.5, 0.15), Point::new(0.5, 0.86)]
            }
            BodyKind::FreeDisc => {
                [Point::new(0.85, 0.03), Point::new(0.95, 0.15), Point::new(0.95, 0.86)]
            }
            BodyKind::FreePlate => {
                [Point::new(0.28, 0.12), Point::new(0.02, 0.9), Point::new(0.93, 0.07)]
            }
            BodyKind::SupportedPlate => {
                [Point::new(0.28, 0.37), Point::new(0.13, 0.71), Point::new(0.83, 0.23)]
            }
            BodyKind::ChurchBell | BodyKind::WineGlass | BodyKind::Bowl | BodyKind::Ring => {
                [Point::new(0.95, 0.03), Point::new(1.0, 0.15), Point::new(1.0, 0.86)]
            }
            BodyKind::OpenTube => [Point::along(0.28), Point::along(0.13), Point::along(0.83)],
            BodyKind::ClosedTube => [Point::along(0.02), Point::along(0.13), Point::along(0.55)],
            _ => [Point::along(0.28), Point::along(0.02), Point::along(0.93)],
        }
    }
}
