//! The table of parameters. A new parameter is a new row here: plug-in, validation, command line
//! and editor use the table.

pub use super::spec::{Group, ParamKind, Spec};

use super::destination::Destination;
use super::note_length::NOTE_LENGTHS;
use super::spec::{KEY, cubic, linear, log};
use super::text::Unit;

/// Names of the body kinds, in the order of `body::BodyKind`. New ones come last.
pub const BODIES: [&str; 20] = [
    "Free bar",
    "Clamped bar",
    "Pinned bar",
    "Marimba",
    "Xylophone",
    "Vibraphone",
    "String",
    "Membrane",
    "Free disc",
    "Clamped disc",
    "Free plate",
    "Supported plate",
    "Tubular bell",
    "Church bell",
    "Wine glass",
    "Bowl",
    "Ring",
    "Open tube",
    "Closed tube",
    "User",
];

/// Names of the modulation sources, in the order of `modulation::Source`. New ones come last.
pub const SOURCES: [&str; 13] = [
    "None",
    "Velocity",
    "Key",
    "Mod wheel",
    "Pressure",
    "Pitch bend",
    "Timbre",
    "LFO",
    "Envelope",
    "Random",
    "Expression",
    "Breath",
    "Vibrato",
];

const SOURCE: ParamKind = ParamKind::Choice(&SOURCES);
const SOURCE_HELP: &str = "What moves.";
const DESTINATION: ParamKind = ParamKind::Choice(&Destination::NAMES);
const DESTINATION_HELP: &str = "What it moves, for each note by itself.";
const DEPTH: ParamKind = linear(-1.0, 1.0, Unit::Percent);
const DEPTH_HELP: &str = "How far: 100 % is the whole way of a knob, 12 semitones of pitch, \
    24 dB of volume, one side of the stereo picture.";

macro_rules! parameters {
    ($( $variant:ident { $($field:ident: $value:expr),* $(,)? } )*) => {
        /// A parameter: a row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // Each row carries its own name and help.
        pub enum Param { $($variant),* }

        impl Param {
            /// Every parameter, in the order of the table.
            pub const ALL: [Param; Param::COUNT] = [$(Param::$variant),*];
            /// Number of parameters.
            pub const COUNT: usize = [$(stringify!($variant)),*].len();

            /// The row of this parameter.
            pub fn spec(self) -> &'static Spec { &TABLE[self as usize] }

            /// The parameter with this identifier.
            pub fn from_id(id: &str) -> Option<Param> {
                Param::ALL.into_iter().find(|p| p.spec().id == id)
            }
        }

        static TABLE: [Spec; Param::COUNT] = [$(Spec { $($field: $value),* }),*];
    };
}

parameters! {
    Mass { id: "mass", name: "Mass", group: Group::Striker, kind: log(1e-4, 5.0, Unit::Kilogram), default: 0.02,
        help: "Mass m of the striker. A heavy one stays longer on the body and excites it more, and darker." }
    Speed { id: "speed", name: "Speed", group: Group::Striker, kind: log(0.01, 20.0, Unit::MetrePerSecond), default: 3.0,
        help: "Impact speed at full note velocity." }
    Dynamics { id: "dyn", name: "Dynamics", group: Group::Striker, kind: linear(0.0, 60.0, Unit::Decibel), default: 36.0,
        help: "How much slower the softest note hits than the hardest, in decibels of speed." }
    Position { id: "pos", name: "Strike point", group: Group::Striker, kind: linear(0.0, 1.0, Unit::Percent), default: 0.28,
        help: "Where the striker hits: from one end of the body to the other, or from rim to rim of a round one." }
    PositionY { id: "posy", name: "Strike point Y", group: Group::Striker, kind: linear(0.0, 1.0, Unit::Percent), default: 0.1,
        help: "The same across a plate, or the turn of the line on which a round body is struck." }
    Scatter { id: "scat", name: "Scatter", group: Group::Striker, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "How far each hit lands beside the strike point, at random: at 100 % up to a tenth of the body's length." }
    Seed { id: "seed", name: "Seed", group: Group::Striker, kind: ParamKind::Whole { min: 0, max: 9999 }, default: 0.0,
        help: "Which random sequence the scatter takes. The same seed gives the same sound." }

    Gesture { id: "gest", name: "Gesture", group: Group::Gesture, kind: ParamKind::Choice(&["Strike", "Bounce", "Roll", "Scrape", "Tumble", "Chain"]), default: 0.0,
        help: "What a note sets in motion: one blow, a ball that falls, bounces and settles, a ball that rolls, a tip that is dragged, a body that is thrown and tumbles, or a row of balls." }
    Height { id: "height", name: "Height", group: Group::Gesture, kind: log(1e-3, 10.0, Unit::Metre), default: 0.2,
        help: "Where the ball is let go, over the body. Note velocity throws it down besides: with the striker's speed, less the dynamics." }
    Gap { id: "gap", name: "First gap", group: Group::Gesture, kind: ParamKind::Choice(&NOTE_LENGTHS), default: 0.0,
        help: "Time from the first to the second impact in note lengths (D dotted, T triplet) at the host's tempo. Impact speed is then that of a strike, and height and gravity follow." }
    FirstHit { id: "first", name: "First impact", group: Group::Gesture, kind: ParamKind::Choice(&["After the fall", "On the note"]), default: 0.0,
        help: "After the fall from its height (with a synced gap: one gap after the note), or on the note, as if the ball had been let go before." }
    Gravity { id: "grav", name: "Gravity", group: Group::Gesture, kind: log(0.1, 30.0, Unit::MetrePerSecondSquared), default: 9.81,
        help: "What pulls the ball down: 9.81 m/s^2 on earth, 1.62 on the moon; less is slow motion." }
    MassScatter { id: "mscat", name: "Mass scatter", group: Group::Gesture, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "How unlike the bounces are in effective mass, at random: at 100 % from half to twice the mass. The scatter of the striker moves each landing." }
    Drift { id: "drift", name: "Drift", group: Group::Gesture, kind: linear(-2.0, 2.0, Unit::PerSecond), default: 0.0,
        help: "How fast the ball wanders along the body after its first impact, in lengths per second; it turns round at the ends." }
    Spin { id: "spin", name: "Spin", group: Group::Gesture, kind: linear(-2.0, 2.0, Unit::PerSecond), default: 0.0,
        help: "How fast the skin of the spinning ball moves along the body, in lengths of it per second. Friction turns it into sideways speed." }
    Radius { id: "radius", name: "Radius", group: Group::Gesture, kind: log(1e-4, 0.3, Unit::Metre), default: 0.008,
        help: "Of the ball that rolls or the tip that is dragged. A large ball bridges what is fine, and turns slowly." }
    RollDrive { id: "push", name: "Push", group: Group::Gesture, kind: ParamKind::Choice(&["While held", "Once"]), default: 0.0,
        help: "While the key is held the speed is that of a strike, more with wheel or pressure; or the ball is sent off once and slows down by itself." }
    Follow { id: "follow", name: "Follow", group: Group::Gesture, kind: log(0.005, 5.0, Unit::Second), default: 0.15,
        help: "Time in which the speed follows the hand." }
    RollFriction { id: "rfric", name: "Rolling friction", group: Group::Gesture, kind: log(1e-4, 0.5, Unit::Plain), default: 0.01,
        help: "Slows the ball down once it is let go: steel on steel 0.001, wood on wood 0.01, a soft ball 0.05." }
    Slope { id: "slope", name: "Slope", group: Group::Gesture, kind: linear(-0.3, 0.3, Unit::Percent), default: 0.0,
        help: "Of the whole way, downhill above 0." }
    OffCentre { id: "offc", name: "Off centre", group: Group::Gesture, kind: linear(0.0, 0.9, Unit::Percent), default: 0.03,
        help: "How far the ball's centre of mass is off, in radii: it throbs once a turn, and hops when it is fast." }
    RollDamping { id: "rdamp", name: "Contact damping", group: Group::Gesture, kind: log(1e-3, 1.0, Unit::Plain), default: 0.1,
        help: "Further damping ratio of the ball swinging on its contact. Low, it whistles on hard ground. With restitution, hops do not have it." }
    Span { id: "span", name: "Way", group: Group::Gesture, kind: log(0.02, 50.0, Unit::Metre), default: 1.5,
        help: "From one end of the body to the other: how far the ball rolls while its contact crosses the body once." }
    Press { id: "press", name: "Press", group: Group::Gesture, kind: log(0.01, 100.0, Unit::Newton), default: 2.0,
        help: "Force of the hand on the dragged tip." }
    ScrapeFriction { id: "sfric", name: "Scrape friction", group: Group::Gesture, kind: linear(0.0, 1.5, Unit::Plain), default: 0.4,
        help: "Coefficient of friction of the dragged tip: the steeper the ground, the more of it is heard." }
    Angle { id: "angle", name: "Angle", group: Group::Gesture, kind: linear(0.0, 80.0, Unit::Degree), default: 0.0,
        help: "How far from straight down the striker, the ball or the thrown body comes." }
    SlipFriction { id: "fric", name: "Friction", group: Group::Gesture, kind: linear(0.0, 1.5, Unit::Plain), default: 0.3,
        help: "Coefficient of friction where something comes in aslant, spins or tumbles." }
    FrictionShare { id: "fshare", name: "Friction heard", group: Group::Gesture, kind: linear(0.0, 1.0, Unit::Percent), default: 0.3,
        help: "How much of the push along the surface is heard: the blow is stronger by this share of friction over pressure." }
    TumblingBodies { id: "thrown", name: "Thrown body", group: Group::Gesture,
        kind: ParamKind::Choice(&["Die", "Brick", "Coin", "Rod", "Bowling pin", "Stone"]), default: 0.0,
        help: "What is thrown. The seed turns it, and shapes the stone." }
    ThrownSize { id: "tsize", name: "Thrown size", group: Group::Gesture, kind: log(2e-3, 1.0, Unit::Metre), default: 0.03,
        help: "Its longest edge, diameter or height. Small things rattle fast." }
    Tumbling { id: "tspin", name: "Tumbling", group: Group::Gesture, kind: linear(0.0, 40.0, Unit::PerSecond), default: 5.0,
        help: "Turns per second with which it is thrown." }
    Rings { id: "rings", name: "Rings", group: Group::Gesture, kind: ParamKind::Choice(&["Struck body", "Thrown body", "Both"]), default: 0.0,
        help: "What the body of the instrument is: the ground that is struck where the thing lands, or the thing itself, struck at the corner that lands. Both: the ground, and the thing rings besides, by its own shape and pitch." }
    ThrownPitch { id: "tpitch", name: "Thrown pitch", group: Group::Gesture, kind: log(50.0, 16_000.0, Unit::Hertz), default: 2500.0,
        help: "Lowest partial of the thrown body where both ring: a brick 3 kHz, a bowling pin 1.5 kHz, a coin 12 kHz. Large ones ring lower with Size." }
    ThrownShare { id: "tshare", name: "Thrown share", group: Group::Gesture, kind: linear(0.0, 1.0, Unit::Percent), default: 0.5,
        help: "Which of the two is heard where both ring: at 50 % both are in full." }
    Balls { id: "balls", name: "Balls", group: Group::Gesture, kind: ParamKind::Whole { min: 2, max: 16 }, default: 5.0,
        help: "How many balls are in the row." }
    Pulled { id: "pulled", name: "Pulled back", group: Group::Gesture, kind: ParamKind::Whole { min: 1, max: 15 }, default: 1.0,
        help: "How many of them come in together." }
    BallGap { id: "bgap", name: "Ball gap", group: Group::Gesture, kind: cubic(0.05, Unit::Metre), default: 1e-3,
        help: "From one ball to the next. Below twice the compression a blow spreads over the row." }
    Swing { id: "swing", name: "Swing", group: Group::Gesture, kind: ParamKind::Choice(&["Single shot", "Cradle"]), default: 1.0,
        help: "Whether the balls fly apart after the first round, or hang on strings and come back." }
    Cord { id: "cord", name: "Strings", group: Group::Gesture, kind: log(0.02, 5.0, Unit::Metre), default: 0.15,
        help: "Length of the strings: with gravity it sets the time of a swing." }
    BallsRing { id: "ballrg", name: "Balls ring", group: Group::Gesture, kind: ParamKind::Choice(&["One body", "Each ball"]), default: 0.0,
        help: "Whether all contacts of a row ring one body, or every ball is a body of its own with its share of the partials." }
    BallSpread { id: "bsprd", name: "Ball spread", group: Group::Gesture, kind: linear(0.0, 0.3, Unit::Percent), default: 0.0,
        help: "How unlike the balls are in size, by the seed: in mass, and where each rings, in pitch." }
    Surface { id: "surf", name: "Surface", group: Group::Surface,
        kind: ParamKind::Choice(&["Own", "Floorboards", "Ceramic tiles", "Asphalt", "Brushed steel", "Washboard", "Marble table", "File"]), default: 0.0,
        help: "What is rolled over: made by the knobs below, one that comes with the instrument, or heights from a file." }
    Rough { id: "srms", name: "Roughness", group: Group::Surface, kind: log(1e-8, 5e-4, Unit::Metre), default: 3e-6,
        help: "Root mean square height of the ground: glass 0.01 µm, planed wood 5 µm, asphalt 300 µm." }
    RoughSlope { id: "sslope", name: "Grain", group: Group::Surface, kind: linear(0.5, 3.0, Unit::Plain), default: 2.0,
        help: "How much more of the roughness is long than short: 1 rustles, 3 rumbles." }
    RibPitch { id: "spitch", name: "Rib pitch", group: Group::Surface, kind: log(1e-3, 0.5, Unit::Metre), default: 0.1,
        help: "From one rib, joint or tile to the next." }
    RibDepth { id: "sdepth", name: "Rib depth", group: Group::Surface, kind: cubic(0.01, Unit::Metre), default: 0.0,
        help: "From bottom to top of a rib; 0 for none." }
    RibShape { id: "sshape", name: "Rib shape", group: Group::Surface, kind: ParamKind::Choice(&["Wave", "Ridges", "Grooves"]), default: 2.0,
        help: "A wave, ridges on a plain, or grooves in it." }
    GritDensity { id: "sgrit", name: "Grit", group: Group::Surface, kind: cubic(2000.0, Unit::PerMetre), default: 0.0,
        help: "Grains that lie about, in a metre." }
    GritHeight { id: "sgrith", name: "Grit size", group: Group::Surface, kind: log(1e-6, 5e-3, Unit::Metre), default: 1e-4,
        help: "Height of the largest grain." }
    BallRough { id: "brough", name: "Ball roughness", group: Group::Surface, kind: log(1e-9, 1e-4, Unit::Metre), default: 5e-7,
        help: "Of the ball itself: what comes back at every turn." }

    Hardness { id: "hard", name: "Hardness", group: Group::Contact, kind: linear(0.0, 1.0, Unit::Percent), default: 0.5,
        help: "How short the contact is, whatever the mass: 8 ms at 1 m/s for the softest, 0.04 ms for the hardest." }
    StiffnessMode { id: "kmode", name: "Stiffness by", group: Group::Contact, kind: ParamKind::Choice(&["Hardness", "k"]), default: 0.0,
        help: "Whether the stiffness of the contact follows from Hardness, or is entered as k." }
    Stiffness { id: "k", name: "Stiffness", group: Group::Contact, kind: log(1e3, 1e11, Unit::Stiffness), default: 1.5e8,
        help: "Contact stiffness k, in N/m^alpha. Stiff contacts are short and bright." }
    Mu { id: "mu", name: "Dissipation", group: Group::Contact, kind: cubic(5.0, Unit::SecondPerMetre), default: 0.3,
        help: "Hunt-Crossley dissipation mu = lambda/k: energy lost in the contact; faster hits lose a larger share." }
    Alpha { id: "alpha", name: "Exponent", group: Group::Contact, kind: linear(1.0, 3.5, Unit::Plain), default: 1.5,
        help: "Contact exponent alpha: 1.5 for a sphere on a flat, higher for felt, which hardens as it is pressed." }
    Law { id: "law", name: "Contact law", group: Group::Contact, kind: ParamKind::Choice(&["Hunt-Crossley", "Hertz-damper"]), default: 0.0,
        help: "Hunt-Crossley, or a Hertz spring with a linear damper, which pushes from the first instant and lets go before the dent is gone." }
    DampingMode { id: "dmode", name: "Damping", group: Group::Contact, kind: ParamKind::Choice(&["Fixed", "Restitution"]), default: 0.0,
        help: "Fixed: dissipation and damper as entered; faster or slower hits differ. Restitution: each hit is damped so that it bounces as set." }
    Restitution { id: "rest", name: "Restitution", group: Group::Contact, kind: linear(0.0, 1.0, Unit::Plain), default: 0.8,
        help: "How bouncy: speed after the hit over speed before. 1 loses nothing, 0 sticks (it means 0.0001)." }
    Damper { id: "damper", name: "Damper", group: Group::Contact, kind: log(1e-2, 1e6, Unit::NewtonSecondPerMetre), default: 50.0,
        help: "Coefficient c of the linear damper, while damping is fixed." }
    DamperFit { id: "dfit", name: "Damper fit", group: Group::Contact, kind: ParamKind::Choice(&["Exact", "Closed form"]), default: 0.0,
        help: "How the damper follows the restitution: to 1e-6, or by the formula of Poursina and Nikravesh, to 0.0035." }
    Coupling { id: "coupl", name: "Coupling", group: Group::Contact, kind: ParamKind::Choice(&["Rigid", "Two-way"]), default: 0.0,
        help: "Rigid: the striker meets a wall, and what it gives drives the body. Two-way: it feels the body give way and strike back, by the Passive integrator." }
    Integrator { id: "integ", name: "Integrator", group: Group::Contact,
        kind: ParamKind::Choice(&["AM1", "Verlet", "Heun", "RK4", "Exact", "Passive"]), default: 4.0,
        help: "How the contact is stepped: the paper's four methods, Exact (sub-stepped, closed forms at both ends) or Passive (cannot make energy)." }
    Hybrid { id: "hybrid", name: "Hybrid", group: Group::Contact, kind: ParamKind::Toggle, default: 1.0,
        help: "First correction: the compression follows the velocity through its closed form." }
    ReleaseMode { id: "relse", name: "Release", group: Group::Contact, kind: ParamKind::Choice(&["Free", "Approximate", "Exact"]), default: 2.0,
        help: "Second correction: the striker leaves with the release velocity of the analysis." }
    Threshold { id: "thres", name: "Threshold", group: Group::Contact, kind: linear(0.0, 5.0, Unit::PercentPlain), default: 0.1,
        help: "Largest error of the approximate release velocity that is still accepted; beyond it the release is free." }
    Oversampling { id: "over", name: "Oversampling", group: Group::Contact,
        kind: ParamKind::Choice(&["Auto", "1x", "2x", "4x", "8x", "16x", "32x", "64x"]), default: 0.0,
        help: "Contact steps per sample. Auto: what the contact's duration asks (one per sample for the paper's methods)." }
    Dent { id: "dent", name: "Dent", group: Group::Contact, kind: ParamKind::Choice(&["Recovers", "Stays"]), default: 0.0,
        help: "What the linear damper leaves behind when it lets go: a dent that recovers before a ball comes back, or the surface from then on." }

    Body { id: "body", name: "Body", group: Group::Body, kind: ParamKind::Choice(&BODIES), default: 0.0,
        help: "What rings. User is the list of modes in the preset." }
    Tune { id: "tune", name: "Tune", group: Group::Body, kind: linear(-24.0, 24.0, Unit::Semitone), default: 0.0,
        help: "Retunes the body." }
    Size { id: "size", name: "Size", group: Group::Body, kind: log(0.25, 4.0, Unit::Plain), default: 1.0,
        help: "Body and striker together: pitch falls, contact and decay last longer, masses grow with the cube; the shape of the spectrum stays." }
    KeyTracking { id: "keytrk", name: "Keys", group: Group::Body, kind: ParamKind::Choice(&["Retune", "Resize"]), default: 0.0,
        help: "What a key does: tune the same object, or take a larger or smaller one." }
    Thickness { id: "thick", name: "Thickness", group: Group::Body, kind: log(0.25, 4.0, Unit::Plain), default: 1.0,
        help: "A thick body is heavy and rings short; a thick string is stiff." }
    Weight { id: "weight", name: "Weight", group: Group::Body, kind: log(0.01, 50.0, Unit::Kilogram), default: 0.4,
        help: "Mass of the body; of a chosen material other than steel by its density. With two-way coupling a light body throws the striker back." }
    Modes { id: "modes", name: "Modes", group: Group::Body, kind: linear(1.0, 256.0, Unit::Plain), default: 64.0,
        help: "How many partials sound at most." }
    Aspect { id: "aspect", name: "Aspect", group: Group::Body, kind: linear(1.0, 2.5, Unit::Plain), default: 1.4,
        help: "Longer over shorter side of a rectangular plate." }
    Split { id: "split", name: "Split", group: Group::Body, kind: linear(0.0, 0.02, Unit::Percent), default: 0.002,
        help: "How far the two modes of a pair are apart in a round body that is not quite round: slow beats." }
    Inharmonicity { id: "inharm", name: "String stiffness", group: Group::Body, kind: cubic(0.1, Unit::Plain), default: 5e-4,
        help: "Stiffness B of a string: how much its partials are stretched." }
    Material { id: "mater", name: "Material", group: Group::Material,
        kind: ParamKind::Choice(&["Own", "Ceramic", "Glass", "Wood", "Plastic", "Iron", "Polycarbonate", "Steel", "Tin", "Pad"]), default: 0.0,
        help: "What the body is made of: losses entered below, a known material, or a place on the pad." }
    MaterialX { id: "matx", name: "Pad X", group: Group::Material, kind: linear(0.0, 1.0, Unit::Percent), default: 0.5,
        help: "From glass to steel below, from rubber to wood above." }
    MaterialY { id: "maty", name: "Pad Y", group: Group::Material, kind: linear(0.0, 1.0, Unit::Percent), default: 0.3,
        help: "From glass to rubber at the left, from steel to wood at the right." }
    Support { id: "supp", name: "Support loss", group: Group::Material, kind: log(0.05, 500.0, Unit::PerSecond), default: 2.0,
        help: "Damping of every mode alike, by what holds the body." }
    Friction { id: "tanphi", name: "Internal friction", group: Group::Material, kind: log(1e-5, 0.3, Unit::Plain), default: 1.2e-3,
        help: "Loss factor tan(phi) of the material: damping in proportion to frequency. Metal 0.0005, glass 0.001, wood 0.01, rubber 0.1." }
    Viscosity { id: "visc", name: "Viscous loss", group: Group::Material, kind: log(1e-10, 1e-5, Unit::Second), default: 3e-8,
        help: "Damping by the square of frequency: takes the highest partials first." }
    PickupLeft { id: "pickl", name: "Left pickup", group: Group::Output, kind: linear(0.0, 1.0, Unit::Percent), default: 0.02,
        help: "Where on the body the left channel listens." }
    PickupLeftY { id: "pickly", name: "Left pickup Y", group: Group::Output, kind: linear(0.0, 1.0, Unit::Percent), default: 0.2,
        help: "The same across a plate, or the turn on a round body." }
    PickupRight { id: "pickr", name: "Right pickup", group: Group::Output, kind: linear(0.0, 1.0, Unit::Percent), default: 0.93,
        help: "Where on the body the right channel listens." }
    PickupRightY { id: "pickry", name: "Right pickup Y", group: Group::Output, kind: linear(0.0, 1.0, Unit::Percent), default: 0.35,
        help: "The same across a plate, or the turn on a round body." }
    NoteOff { id: "noff", name: "Note off", group: Group::Body, kind: ParamKind::Choice(&["Ring", "Damp", "Catch", "Catch and damp"]), default: 0.0,
        help: "What letting go of the key does. Ring: nothing, each note is a one-shot. The others hold a note no longer than its key: a hand on the body, a hand that catches the ball, or both." }
    Hand { id: "hand", name: "Hand damping", group: Group::Body, kind: log(0.01, 2.0, Unit::Second), default: 0.15,
        help: "Time in which the hand takes 60 dB." }

    Level { id: "level", name: "Level", group: Group::Output, kind: linear(-60.0, 24.0, Unit::Decibel), default: 0.0,
        help: "Output level, besides Trim. A limiter keeps the output below -1 dBFS." }

    Voices { id: "voices", name: "Voices", group: Group::Play, kind: ParamKind::Whole { min: 1, max: super::MAX_VOICES as i32 }, default: 32.0,
        help: "How many notes sound at once. For one more the quietest fades out." }
    Restrike { id: "restrk", name: "Same key", group: Group::Play, kind: ParamKind::Choice(&["Same body", "New body"]), default: 0.0,
        help: "Whether a key that still sounds is struck again, or a new body beside it." }
    Group1Low { id: "g1low", name: "Group 1 from", group: Group::Play, kind: KEY, default: 0.0,
        help: "Lowest key of choke group 1." }
    Group1High { id: "g1high", name: "Group 1 to", group: Group::Play, kind: KEY, default: 0.0,
        help: "Highest key of choke group 1." }
    Group1Chokes { id: "g1chk", name: "Group 1 chokes", group: Group::Play, kind: ParamKind::Toggle, default: 0.0,
        help: "Whether a note of choke group 1 ends the notes of its other keys, as a closed hi-hat does an open one." }
    Group2Low { id: "g2low", name: "Group 2 from", group: Group::Play, kind: KEY, default: 0.0,
        help: "Lowest key of choke group 2." }
    Group2High { id: "g2high", name: "Group 2 to", group: Group::Play, kind: KEY, default: 0.0,
        help: "Highest key of choke group 2." }
    Group2Chokes { id: "g2chk", name: "Group 2 chokes", group: Group::Play, kind: ParamKind::Toggle, default: 0.0,
        help: "Whether a note of choke group 2 ends the notes of its other keys, as a closed hi-hat does an open one." }
    Group3Low { id: "g3low", name: "Group 3 from", group: Group::Play, kind: KEY, default: 0.0,
        help: "Lowest key of choke group 3." }
    Group3High { id: "g3high", name: "Group 3 to", group: Group::Play, kind: KEY, default: 0.0,
        help: "Highest key of choke group 3." }
    Group3Chokes { id: "g3chk", name: "Group 3 chokes", group: Group::Play, kind: ParamKind::Toggle, default: 0.0,
        help: "Whether a note of choke group 3 ends the notes of its other keys, as a closed hi-hat does an open one." }
    Group4Low { id: "g4low", name: "Group 4 from", group: Group::Play, kind: KEY, default: 0.0,
        help: "Lowest key of choke group 4." }
    Group4High { id: "g4high", name: "Group 4 to", group: Group::Play, kind: KEY, default: 0.0,
        help: "Highest key of choke group 4." }
    Group4Chokes { id: "g4chk", name: "Group 4 chokes", group: Group::Play, kind: ParamKind::Toggle, default: 0.0,
        help: "Whether a note of choke group 4 ends the notes of its other keys, as a closed hi-hat does an open one." }
    MasterTune { id: "a4", name: "Master tune", group: Group::Body, kind: linear(400.0, 480.0, Unit::Hertz), default: 440.0,
        help: "Frequency of A4 in equal temperament; every other tuning moves with it." }
    Width { id: "width", name: "Width", group: Group::Output, kind: linear(0.0, 2.0, Unit::Percent), default: 1.0,
        help: "How far the two pickups are apart to the ear: 0 % is mono, 100 % as they hear." }
    Air { id: "air", name: "Air", group: Group::Output, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "What the air hears of the contact itself: 0 % is the body alone, 50 % both, 100 % the contact alone." }
    KeyPan { id: "keypan", name: "Key pan", group: Group::Output, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
        help: "Spreads the keys between left and right, low keys left above 0: at 100 % four octaves from C4 are all the way out." }
    Limiter { id: "limit", name: "Limiter", group: Group::Output, kind: ParamKind::Toggle, default: 1.0,
        help: "Keeps the output below -1 dBFS with a smooth gain; delays it by 1.5 ms. Off, peaks are cut and there is no delay." }
    Trim { id: "trim", name: "Trim", group: Group::Output, kind: linear(-120.0, 120.0, Unit::Decibel), default: 0.0,
        help: "Gain that brings this sound to the common loudness. Auto level sets it after each edit." }
    AutoLevel { id: "auto", name: "Auto level", group: Group::Output, kind: ParamKind::Toggle, default: 1.0,
        help: "Measures the sound after each edit here or throw of the dice, and sets Trim. Automation never changes Trim." }
    ExternalMode { id: "xmode", name: "External", group: Group::External, kind: ParamKind::Choice(&["Off", "Strikes", "Force"]), default: 0.0,
        help: "What sound from outside does: nothing, play a key at each onset, or drive the body of that key as a force." }
    ExternalGain { id: "xgain", name: "External gain", group: Group::External, kind: linear(-60.0, 60.0, Unit::Decibel), default: 0.0,
        help: "Gain of the sound from outside. As a force 0 dB is one newton at full scale." }
    ExternalThreshold { id: "xthres", name: "External threshold", group: Group::External, kind: linear(-60.0, 0.0, Unit::Decibel), default: -24.0,
        help: "An onset reaches this level. At full scale it strikes as fast as the speed says, and each decibel below is a decibel slower." }
    ExternalHold { id: "xhold", name: "External hold", group: Group::External, kind: log(0.005, 1.0, Unit::Second), default: 0.05,
        help: "Shortest time between two strikes, and how long a sound counts as the same: three periods of its lowest tone." }
    ExternalKey { id: "xkey", name: "External key", group: Group::External, kind: ParamKind::Whole { min: 0, max: 127 }, default: 60.0,
        help: "The key that sound from outside plays, as a MIDI number." }
    VelocityCurve { id: "vcurve", name: "Velocity curve", group: Group::Expression, kind: linear(-1.0, 1.0, Unit::Plain), default: 0.0,
        help: "Above 0 soft notes come out stronger, below 0 softer. How much slower the softest hit is, Dynamics says." }
    VelocityHardness { id: "velhrd", name: "Velocity to hardness", group: Group::Expression, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
        help: "How far below the knob the hardness of the softest note is, in ways of the knob; full velocity plays the knob." }
    VelocitySize { id: "velsiz", name: "Velocity to size", group: Group::Expression, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
        help: "The same for the size of body and striker." }
    VelocityThickness { id: "velthk", name: "Velocity to thickness", group: Group::Expression, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
        help: "The same for the thickness of the body." }
    VelocitySupport { id: "velsup", name: "Velocity to support", group: Group::Expression, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
        help: "The same for the support loss." }
    BendRange { id: "bend", name: "Bend range", group: Group::Expression, kind: linear(0.0, 48.0, Unit::Semitone), default: 2.0,
        help: "How far the pitch wheel bends, up and down." }
    Mpe { id: "mpe", name: "MPE", group: Group::Expression, kind: ParamKind::Choice(&["Off", "Lower zone", "Upper zone"]), default: 0.0,
        help: "A channel for each note: bend, pressure and timbre of channels 2 to 16 (lower zone) or 1 to 15 (upper zone) act on their own notes, those of channel 1 or 16 on all." }
    MpeBendRange { id: "mpebnd", name: "MPE bend range", group: Group::Expression, kind: linear(0.0, 96.0, Unit::Semitone), default: 48.0,
        help: "How far a note's own channel bends it." }
    HumanHardness { id: "hhard", name: "Hardness spread", group: Group::Expression, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "How unlike the notes are in hardness, at random: at 100 % up to a quarter of the knob's way either way." }
    HumanMass { id: "hmass", name: "Mass spread", group: Group::Expression, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "How unlike the notes are in the striker's mass: at 100 % from half to twice the mass." }
    HumanSpeed { id: "hspeed", name: "Speed spread", group: Group::Expression, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "How unlike the notes are in speed: at 100 % up to 6 dB either way." }
    HumanTime { id: "htime", name: "Timing spread", group: Group::Expression, kind: linear(0.0, 0.03, Unit::Second), default: 0.0,
        help: "How late a note may come, at random. At 0 every note comes on its sample." }
    Fresh { id: "fresh", name: "Chance", group: Group::Expression, kind: ParamKind::Choice(&["Same every time", "New every time"]), default: 0.0,
        help: "Whether what is random begins anew with every playback, or goes on. The seed decides either." }
    LfoRate { id: "lforat", name: "LFO rate", group: Group::Modulation, kind: log(0.01, 50.0, Unit::Hertz), default: 5.0,
        help: "Cycles per second of the oscillator that each note has." }
    LfoSync { id: "lfosyn", name: "LFO sync", group: Group::Modulation, kind: ParamKind::Choice(&NOTE_LENGTHS), default: 0.0,
        help: "One cycle as a note length at the host's tempo (D dotted, T triplet), instead of the rate." }
    LfoShape { id: "lfoshp", name: "LFO shape", group: Group::Modulation, kind: ParamKind::Choice(&["Sine", "Triangle", "Square", "Saw up", "Saw down", "Random steps"]), default: 0.0,
        help: "Its form. The seed chooses the random steps." }
    LfoFade { id: "lfofad", name: "LFO fade", group: Group::Modulation, kind: cubic(10.0, Unit::Second), default: 0.0,
        help: "Time in which it grows from nothing after the note begins." }
    LfoPhase { id: "lfophs", name: "LFO phase", group: Group::Modulation, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "Where in its cycle it begins with each note." }
    EnvDelay { id: "envdel", name: "Envelope delay", group: Group::Modulation, kind: cubic(5.0, Unit::Second), default: 0.0,
        help: "The envelope waits so long after the note begins." }
    EnvAttack { id: "envatt", name: "Envelope attack", group: Group::Modulation, kind: cubic(10.0, Unit::Second), default: 0.01,
        help: "Time in which it rises." }
    EnvHold { id: "envhld", name: "Envelope hold", group: Group::Modulation, kind: cubic(10.0, Unit::Second), default: 0.0,
        help: "Time for which it stays at the top." }
    EnvDecay { id: "envdec", name: "Envelope decay", group: Group::Modulation, kind: cubic(20.0, Unit::Second), default: 0.5,
        help: "Time in which it falls to its level." }
    EnvSustain { id: "envsus", name: "Envelope level", group: Group::Modulation, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
        help: "Where it stays while the key is down." }
    EnvRelease { id: "envrel", name: "Envelope release", group: Group::Modulation, kind: cubic(20.0, Unit::Second), default: 0.3,
        help: "Time in which it falls to nothing when the key is let go." }
    Source1 { id: "s1src", name: "Slot 1 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target1 { id: "s1dst", name: "Slot 1 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth1 { id: "s1amt", name: "Slot 1 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source2 { id: "s2src", name: "Slot 2 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target2 { id: "s2dst", name: "Slot 2 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth2 { id: "s2amt", name: "Slot 2 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source3 { id: "s3src", name: "Slot 3 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target3 { id: "s3dst", name: "Slot 3 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth3 { id: "s3amt", name: "Slot 3 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source4 { id: "s4src", name: "Slot 4 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target4 { id: "s4dst", name: "Slot 4 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth4 { id: "s4amt", name: "Slot 4 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source5 { id: "s5src", name: "Slot 5 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target5 { id: "s5dst", name: "Slot 5 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth5 { id: "s5amt", name: "Slot 5 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source6 { id: "s6src", name: "Slot 6 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target6 { id: "s6dst", name: "Slot 6 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth6 { id: "s6amt", name: "Slot 6 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source7 { id: "s7src", name: "Slot 7 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target7 { id: "s7dst", name: "Slot 7 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth7 { id: "s7amt", name: "Slot 7 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
    Source8 { id: "s8src", name: "Slot 8 source", group: Group::Modulation, kind: SOURCE, default: 0.0, help: SOURCE_HELP }
    Target8 { id: "s8dst", name: "Slot 8 target", group: Group::Modulation, kind: DESTINATION, default: 0.0, help: DESTINATION_HELP }
    Depth8 { id: "s8amt", name: "Slot 8 depth", group: Group::Modulation, kind: DEPTH, default: 0.0, help: DEPTH_HELP }
}

impl Param {
    /// True if hosts may automate it.
    ///
    /// The limiter changes the latency, and *Auto level* acts on edits only.
    pub fn is_automatable(self) -> bool {
        !matches!(self, Param::Limiter | Param::AutoLevel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_host_that_sends_the_defaults_back_changes_nothing() {
        for spec in Param::ALL.map(|param| param.spec()) {
            let (default, exact) = (spec.default_stored(), spec.si_to_stored(spec.default));
            assert_eq!(spec.echoed(default).to_bits(), default.to_bits(), "{}", spec.id);
            assert!(
                (default - exact).abs() <= 4.0 * f32::EPSILON * exact.abs(),
                "{}: {exact} became {default}",
                spec.id
            );
        }
    }

    #[test]
    fn identifiers_are_unique_short_and_plain() {
        let mut seen = HashSet::new();
        for param in Param::ALL {
            let id = param.spec().id;
            assert!(seen.insert(id), "{id} twice");
            assert!(id.len() <= 6, "{id} is longer than the framework advises");
            assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
            assert_eq!(Param::from_id(id), Some(param));
        }
    }

    #[test]
    fn defaults_lie_inside_their_ranges() {
        for param in Param::ALL {
            let spec = param.spec();
            let (min, max) = spec.range_si();
            assert!(min < max && (min..=max).contains(&spec.default), "{}", spec.id);
        }
    }
}
