//! The table of bodies, with one entry per kind.
//!
//! To add a body, append an entry to the table below and give it a `ModeLaw`. A law that needs
//! its own formulas gets a file next to `bar` and `plate`, and a mode
//! shape that is not there yet becomes a variant of `ModeShape`.

use std::f32::consts::PI as PI_F32;
use std::f64::consts::PI;

use super::disc::Disc;
use super::shell::{self, Partial};
use super::spectrum::ModeShape;
use super::{Geometry, Point, bar, plate};

/// Coordinates of a point on a body, and how the controls 0…1 map to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// x runs from end to end.
    Line,
    /// x runs from the clamp to the free end; the control runs the other way.
    LineFromTip,
    /// x runs along the longer side, y along the shorter.
    Rectangle,
    /// x runs from the centre, foot or crown to the rim, y is the angle in turns. The x control
    /// crosses the body from rim to rim, the y control turns that line.
    Round,
}

impl Layout {
    /// Returns the point that the controls x and y select.
    pub fn point(self, x: f64, y: f64) -> Point {
        match self {
            Self::Round => {
                Point::new((2.0 * x - 1.0).abs(), (y + if x > 0.5 { 0.5 } else { 0.0 }).fract())
            }
            Self::LineFromTip => Point::new(1.0 - x, y),
            Self::Line | Self::Rectangle => Point::new(x, y),
        }
    }

    /// Returns controls that select `point`: one of the two solutions on a round body.
    pub fn controls(self, point: Point) -> [f64; 2] {
        match self {
            Self::Round => [0.5 * (1.0 - point.x), point.y],
            Self::LineFromTip => [1.0 - point.x, point.y],
            Self::Line | Self::Rectangle => [point.x, point.y],
        }
    }
}

/// Edges at which the body cannot move, where a pickup would hear nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldEdges {
    /// No edge, or only one that pickups may be near.
    None,
    /// The edges that the x control reaches.
    X,
    /// All four sides of a rectangle.
    XAndY,
}

/// How the editor draws the body.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Its surface.
    pub form: Form,
    /// Its supports.
    pub supports: Supports,
}

/// Surface of a drawn body; lengths in half lengths of the body.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A plank along x.
    Plank {
        /// Half its width.
        width: f32,
    },
    /// A wire along x.
    Wire,
    /// A pipe along x.
    Pipe {
        /// The air inside vibrates, not the wall; the motion is drawn as a change of the wall's
        /// radius.
        is_air: bool,
    },
    /// A disc.
    Disc {
        /// Height of its rim.
        thickness: f32,
    },
    /// A rectangle.
    Plate,
    /// A surface of revolution around a vertical axis.
    Revolved {
        /// Radius and height by the coordinate from crown or foot (0) to rim (1).
        profile: fn(f32) -> (f32, f32),
        /// The inside is visible.
        is_open: bool,
        /// Height of its lowest part above the floor.
        standing: f32,
    },
}

/// Supports of a drawn body.
#[derive(Clone, Copy, Debug)]
pub enum Supports {
    /// Nothing is drawn.
    None,
    /// A block that clamps the end at x = 0.
    Clamp,
    /// Two posts.
    Posts {
        /// Their distance from the middle.
        at: f32,
        /// Half their width.
        width: f32,
        /// Height of their tops.
        top: f32,
    },
    /// One post under each corner.
    Corners,
    /// A stem on a foot.
    Stem,
    /// One post under the centre.
    Pedestal,
}

/// Frequencies and shapes of the modes.
#[derive(Clone, Copy, Debug)]
pub(super) enum ModeLaw {
    /// Ratio and shape of each mode by its number.
    Each(fn(&Geometry, usize) -> (f64, ModeShape)),
    /// The table of a disc.
    Disc(Disc),
    /// Pairs of modes around an axis.
    Pairs { count: usize, partial: fn(usize) -> Partial, has_height: bool },
    /// The tables of the free rectangular plate.
    FreePlate,
    /// A list from a file.
    List,
}

/// Properties of one kind of body.
#[derive(Clone, Copy, Debug)]
pub struct BodySpec {
    /// Name in lists; in lower case with hyphens also on the command line.
    pub name: &'static str,
    /// Coordinates of its points.
    pub layout: Layout,
    /// Edges that pickups keep away from.
    pub held_edges: HeldEdges,
    /// Good strike point and pickups, left and right: away from the nodes of the lower modes.
    pub usual_points: [Point; 3],
    /// Inharmonicity changes its ratios.
    pub has_inharmonicity: bool,
    /// Cost of one mode's shape at one point, in passes over eight modes of a bank (measured).
    /// A few sines cost 16, the recurrences of a disc 128, the sums of a free plate 64.
    pub shape_work: u32,
    /// How the editor draws it.
    pub picture: Picture,
    pub(super) law: ModeLaw,
}

macro_rules! bodies {
    ($( #[doc = $doc:literal] $variant:ident = $spec:expr; )*) => {
        /// A kind of body.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum BodyKind { $( #[doc = $doc] $variant ),* }

        impl BodyKind {
            /// Number of kinds.
            pub const COUNT: usize = [$(stringify!($variant)),*].len();
            /// All kinds, in the order in which choices are stored.
            pub const ALL: [BodyKind; Self::COUNT] = [$(BodyKind::$variant),*];
            const SPECS: [BodySpec; Self::COUNT] = [$($spec),*];
        }
    };
}

const BAR: BodySpec = BodySpec {
    name: "Free bar",
    layout: Layout::Line,
    held_edges: HeldEdges::None,
    usual_points: [Point::along(0.28), Point::along(0.02), Point::along(0.93)],
    has_inharmonicity: false,
    shape_work: 16,
    picture: Picture {
        form: Form::Plank { width: 0.16 },
        supports: Supports::Posts { at: 0.552, width: 0.16, top: -0.09 },
    },
    law: ModeLaw::Each(|_, i| (bar::ratio(i), ModeShape::Free { root: bar::root(i) })),
};

const TUNED_BAR: BodySpec = BodySpec {
    picture: Picture {
        form: Form::Plank { width: 0.26 },
        supports: Supports::Posts { at: 0.552, width: 0.26, top: -0.09 },
    },
    ..BAR
};

const DISC: BodySpec = BodySpec {
    layout: Layout::Round,
    usual_points: [Point::new(0.45, 0.03), Point::new(0.5, 0.15), Point::new(0.5, 0.86)],
    shape_work: 128,
    picture: Picture { form: Form::Disc { thickness: 0.045 }, supports: Supports::Pedestal },
    ..BAR
};

const PLATE: BodySpec = BodySpec {
    layout: Layout::Rectangle,
    picture: Picture { form: Form::Plate, supports: Supports::Corners },
    ..BAR
};

const SHELL: BodySpec = BodySpec {
    layout: Layout::Round,
    usual_points: [Point::new(0.95, 0.03), Point::new(1.0, 0.15), Point::new(1.0, 0.86)],
    ..BAR
};

const fn pipe(is_air: bool) -> Picture {
    Picture {
        form: Form::Pipe { is_air },
        supports: Supports::Posts { at: 0.552, width: 0.1, top: -0.08 },
    }
}

const fn revolved(profile: fn(f32) -> (f32, f32)) -> Picture {
    let form = Form::Revolved { profile, is_open: true, standing: 0.0 };
    Picture { form, supports: Supports::None }
}

/// Length of a drawn glass's stem.
pub const GLASS_STEM: f32 = 0.4;

bodies! {
    // Patches store the position in this table: append new bodies, never reorder.

    /// Uniform bar, free at both ends.
    FreeBar = BAR;

    /// Rod or tine, clamped at x = 0.
    ClampedBar = BodySpec {
        name: "Clamped bar",
        layout: Layout::LineFromTip,
        usual_points: [Point::along(0.85), Point::along(1.0), Point::along(0.6)],
        picture: Picture { form: Form::Plank { width: 0.09 }, supports: Supports::Clamp },
        law: ModeLaw::Each(|_, i| {
            let root = bar::clamped_root(i);
            ((root / bar::clamped_root(0)).powi(2), ModeShape::Clamped { root })
        }),
        ..BAR
    };

    /// Bar pinned at both ends.
    PinnedBar = BodySpec {
        name: "Pinned bar",
        held_edges: HeldEdges::X,
        usual_points: [Point::along(0.13), Point::along(0.31), Point::along(0.77)],
        picture: Picture {
            supports: Supports::Posts { at: 0.98, width: 0.16, top: -0.09 },
            ..BAR.picture
        },
        law: ModeLaw::Each(|_, i| (number(i).powi(2), sine(i))),
        ..BAR
    };

    /// Marimba bar, tuned 1 : 4 : 10 : 20.
    Marimba = BodySpec {
        name: "Marimba",
        law: ModeLaw::Each(|_, i| tuned(bar::MARIMBA, i)),
        ..TUNED_BAR
    };

    /// Xylophone bar, tuned 1 : 3 : 6.
    Xylophone = BodySpec {
        name: "Xylophone",
        law: ModeLaw::Each(|_, i| tuned(bar::XYLOPHONE, i)),
        ..TUNED_BAR
    };

    /// Vibraphone bar.
    Vibraphone = BodySpec {
        name: "Vibraphone",
        law: ModeLaw::Each(|_, i| tuned(bar::VIBRAPHONE, i)),
        ..TUNED_BAR
    };

    /// String with stiffness.
    String = BodySpec {
        name: "String",
        held_edges: HeldEdges::X,
        usual_points: [Point::along(0.13), Point::along(0.31), Point::along(0.77)],
        has_inharmonicity: true,
        picture: Picture {
            form: Form::Wire,
            supports: Supports::Posts { at: 1.0, width: 0.12, top: 0.0 },
        },
        // f = n f0 sqrt(1 + B n^2), f0 such that the first partial is the nominal pitch.
        law: ModeLaw::Each(|geometry, i| {
            let (n, b) = (number(i), geometry.inharmonicity);
            (n * ((1.0 + b * n * n) / (1.0 + b)).sqrt(), sine(i))
        }),
        ..BAR
    };

    /// Circular membrane without air.
    Membrane = BodySpec {
        name: "Membrane",
        held_edges: HeldEdges::X,
        picture: Picture { form: Form::Disc { thickness: 0.26 }, supports: Supports::None },
        law: ModeLaw::Disc(Disc::Membrane),
        ..DISC
    };

    /// Circular plate with a free edge, Poisson's ratio 0.33.
    FreeDisc = BodySpec {
        name: "Free disc",
        usual_points: [Point::new(0.85, 0.03), Point::new(0.95, 0.15), Point::new(0.95, 0.86)],
        law: ModeLaw::Disc(Disc::Free),
        ..DISC
    };

    /// Circular plate with a clamped edge.
    ClampedDisc = BodySpec {
        name: "Clamped disc",
        held_edges: HeldEdges::X,
        law: ModeLaw::Disc(Disc::Clamped),
        ..DISC
    };

    /// Rectangular plate with free edges, Poisson's ratio 0.3.
    FreePlate = BodySpec {
        name: "Free plate",
        usual_points: [Point::new(0.28, 0.12), Point::new(0.02, 0.9), Point::new(0.93, 0.07)],
        shape_work: 64,
        law: ModeLaw::FreePlate,
        ..PLATE
    };

    /// Rectangular plate with simply supported edges.
    SupportedPlate = BodySpec {
        name: "Supported plate",
        held_edges: HeldEdges::XAndY,
        usual_points: [Point::new(0.28, 0.37), Point::new(0.13, 0.71), Point::new(0.83, 0.23)],
        law: ModeLaw::Each(|geometry, i| {
            let (m, n) = plate::SUPPORTED[i];
            (plate::supported_ratio(i, geometry.aspect), ModeShape::Sines { m, n })
        }),
        ..PLATE
    };

    /// Tubular bell.
    TubularBell = BodySpec {
        name: "Tubular bell",
        picture: pipe(false),
        // The strike note is heard an octave below mode 4.
        law: ModeLaw::Each(|_, i| {
            (bar::ratio(i) / (0.5 * bar::ratio(3)), ModeShape::Free { root: bar::root(i) })
        }),
        ..BAR
    };

    /// Church bell.
    ChurchBell = BodySpec {
        name: "Church bell",
        // Seen from above, its crown hides the inside.
        picture: Picture {
            form: Form::Revolved { profile: church_bell, is_open: false, standing: 0.12 },
            supports: Supports::None,
        },
        law: shell_law(shell::bell),
        ..SHELL
    };

    /// Wine glass.
    WineGlass = BodySpec {
        name: "Wine glass",
        picture: Picture {
            form: Form::Revolved { profile: wine_glass, is_open: true, standing: GLASS_STEM },
            supports: Supports::Stem,
        },
        law: shell_law(shell::glass),
        ..SHELL
    };

    /// Singing bowl.
    Bowl = BodySpec {
        name: "Bowl",
        picture: revolved(bowl),
        law: shell_law(shell::bowl),
        ..SHELL
    };

    /// Thin ring, in its plane.
    Ring = BodySpec {
        name: "Ring",
        picture: revolved(ring),
        law: ModeLaw::Pairs { count: shell::RING_PAIRS, partial: shell::ring, has_height: false },
        ..SHELL
    };

    /// Air in a tube open at both ends.
    OpenTube = BodySpec {
        name: "Open tube",
        held_edges: HeldEdges::X,
        usual_points: [Point::along(0.28), Point::along(0.13), Point::along(0.83)],
        picture: pipe(true),
        law: ModeLaw::Each(|_, i| (number(i), sine(i))),
        ..BAR
    };

    /// Air in a tube closed at x = 0.
    ClosedTube = BodySpec {
        name: "Closed tube",
        usual_points: [Point::along(0.02), Point::along(0.13), Point::along(0.55)],
        picture: pipe(true),
        law: ModeLaw::Each(|_, i| {
            let odd = (2 * i + 1) as f64;
            (odd, ModeShape::Cosine { k: 0.5 * PI * odd })
        }),
        ..BAR
    };

    /// A list of modes from a file.
    User = BodySpec { name: "User", law: ModeLaw::List, ..BAR };
}

static SPECS: [BodySpec; BodyKind::COUNT] = BodyKind::SPECS;

impl BodyKind {
    /// Names in the order of [`BodyKind::ALL`].
    pub const NAMES: [&'static str; Self::COUNT] = {
        let mut names = [""; Self::COUNT];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::SPECS[i].name;
            i += 1;
        }
        names
    };

    /// Returns the kind that a stored choice means; the last one for a choice out of range.
    pub fn from_choice(choice: usize) -> Self {
        Self::ALL[choice.min(Self::COUNT - 1)]
    }

    /// Its entry in the table.
    pub fn spec(self) -> &'static BodySpec {
        &SPECS[self as usize]
    }

    /// Name in lists.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// True if its modes come from a list, not from a law.
    pub fn is_mode_list(self) -> bool {
        matches!(self.spec().law, ModeLaw::List)
    }

    /// True if its points have a y.
    pub fn is_two_dimensional(self) -> bool {
        matches!(self.spec().layout, Layout::Rectangle | Layout::Round)
    }
}

fn number(mode: usize) -> f64 {
    (mode + 1) as f64
}

fn sine(mode: usize) -> ModeShape {
    ModeShape::Sine { k: PI * number(mode) }
}

fn tuned(data: &[f64], mode: usize) -> (f64, ModeShape) {
    (bar::tuned_ratio(data, mode), ModeShape::Free { root: bar::root(mode) })
}

const fn shell_law(partial: fn(usize) -> Partial) -> ModeLaw {
    ModeLaw::Pairs { count: shell::SHELL_PAIRS, partial, has_height: true }
}

/// Profile of a church bell, from the crown down to the rim.
fn church_bell(u: f32) -> (f32, f32) {
    let shoulder = (u * 4.0).min(1.0);
    let flare = (u - 0.55).max(0.0) / 0.45;
    (
        0.41 * (0.5 * PI_F32 * shoulder).sin().sqrt() + 0.06 * u + 0.28 * flare * flare,
        0.95 - 1.15 * u,
    )
}

/// Profile of a wine glass, from the stem up to the rim.
fn wine_glass(u: f32) -> (f32, f32) {
    let round = (PI_F32 * (0.12 + 0.6 * u)).sin();
    (0.44 * round * (1.0 - (1.0 - u).powi(6)), 0.02 + 0.92 * u)
}

/// Profile of a singing bowl, from the foot up to the rim.
fn bowl(u: f32) -> (f32, f32) {
    (0.28 + 0.55 * (0.5 * PI_F32 * u).sin(), -0.22 + 0.55 * (1.0 - (0.5 * PI_F32 * u).cos()))
}

/// Profile of a ring: a narrow band.
fn ring(u: f32) -> (f32, f32) {
    (0.8, -0.08 + 0.16 * u)
}
