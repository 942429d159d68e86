//! What a body radiates: the sound pressure of each mode at a microphone, and the loss that goes with it.
//!
//! Mode shapes have a mean square of 1, so a mode of velocity amplitude v has the energy `M v^2/2`. If it radiates
//! the power `W = Z0 S sigma v^2/2`, the pressure at 1 m (rms over directions) is `P v` with
//! `P = Z0 sqrt(sigma S/(4 pi))`, and the mode loses `d = 4 pi P^2/(2 M Z0)`. Gain and loss come from one number, so
//! the account is passive: what is heard is what is lost.
//!
//! Sources: Junger and Feit, *Sound, Structures, and Their Interaction*; Fletcher and Rossing, *The Physics of
//! Musical Instruments*, ch. 7; Maidanik 1962 (panels); Christian et al. 1984 (kettledrums).

use std::f64::consts::PI;

use super::shape::disc::bessel;
use super::shape::{Kind, ModeShape};

/// Density of air, kg/m^3, and speed of sound in it, m/s.
const AIR_KG_PER_M3: f64 = 1.2;
const SOUND_M_PER_S: f64 = 343.0;
/// Characteristic impedance of air, Pa s/m.
const AIR_PA_S_PER_M: f64 = AIR_KG_PER_M3 * SOUND_M_PER_S;
/// Full scale of the gains, Pa per m/s. The level of a voice is set by its loudness, so any value would do.
const UNIT_PA_S_PER_M: f64 = 100.0;
/// A monopole's radiation is overrated by the far field of a baffled membrane: largest loss of modes (0, n), 1/s.
const MAX_MONOPOLE_PER_S: f64 = 10.0;
/// How far left and right differ for a mode whose wavelength in air is short beside the body: +-3 dB.
const SIDE: f64 = 0.35;
/// Highest order of a multipole that is told apart.
const MAX_ORDER: usize = 8;
/// Nodes and weights of Gauss's quadrature with eight points over 0…1.
const GAUSS: [(f64, f64); 8] = [
    (0.019_855_071_751_231_9, 0.050_614_268_145_188_1),
    (0.101_666_761_293_186_6, 0.111_190_517_226_687_2),
    (0.237_233_795_041_835_5, 0.156_853_322_938_943_6),
    (0.408_282_678_752_175_1, 0.181_341_891_689_181),
    (0.591_717_321_247_824_9, 0.181_341_891_689_181),
    (0.762_766_204_958_164_5, 0.156_853_322_938_943_6),
    (0.898_333_238_706_813_4, 0.111_190_517_226_687_2),
    (0.980_144_928_248_768_1, 0.050_614_268_145_188_1),
];

/// What one mode radiates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Radiated {
    /// Gain left and right, in units of [`UNIT_PA_S_PER_M`].
    pub gains: [f64; 2],
    /// Loss by radiation, 1/s.
    pub decay_per_s: f64,
}

/// Radiation efficiency of order `l` of a sphere of `ka`, closed form: `x^q/(C + x^q)`, `q = 2 l + 2`,
/// `C = ((l + 1) (2 l - 1)!!)^2`. Within 1.2 dB of the exact one up to l = 3.
pub fn multipole_efficiency(order: usize, ka: f64) -> f64 {
    let order = order.min(MAX_ORDER);
    let odd: f64 = (1..=order).map(|l| (2 * l - 1) as f64).product();
    let knee = ((order + 1) as f64 * odd).powi(2);
    let power = ka.powi(2 * order as i32 + 2);
    power / (knee + power)
}

/// Radiation efficiency of a panel in a baffle (Maidanik 1962): `perimeter_m`, `area_m2`, critical frequency.
pub fn panel_efficiency(frequency_hz: f64, critical_hz: f64, perimeter_m: f64, area_m2: f64) -> f64 {
    let highest = 0.45 * (perimeter_m * critical_hz / SOUND_M_PER_S).sqrt();
    let ratio = frequency_hz / critical_hz;
    let sigma = if ratio < 1.0 {
        let x = ratio.sqrt();
        let edge = (1.0 - ratio) * ((1.0 + x) / (1.0 - x)).ln() + 2.0 * x;
        let corner = 4.0 * PI * PI * (1.0 - ratio).powf(1.5);
        perimeter_m * SOUND_M_PER_S / (critical_hz * area_m2) * edge / corner
    } else {
        1.0 / (1.0 - 1.0 / ratio).sqrt()
    };
    // At the critical frequency itself the quotient is not finite.
    if sigma.is_finite() { sigma.min(highest) } else { highest }
}

/// `|integral of psi(x) e^(i q x)|` over a free bar of length 1 with this root, in closed form: partial integration
/// leaves only the deflection and the slope of the two ends.
pub fn free_bar_transform(root: f64, is_symmetric: bool, q: f64) -> f64 {
    // The quotient at q = root is a limit; beside it the value is the same to 1e-3.
    let q = if (q / root - 1.0).abs() < 1e-3 { 1.001 * root } else { q };
    let slope = if root > 20.0 { 1.0 } else { (root.cosh() - root.cos()) / (root.sinh() - root.sin()) };
    let (sin, cos) = (0.5 * q).sin_cos();
    let ends = if is_symmetric {
        4.0 * root * slope * q * q * cos + 4.0 * q.powi(3) * sin
    } else {
        4.0 * root * slope * q * q * sin - 4.0 * q.powi(3) * cos
    };
    (ends / (root.powi(4) - q.powi(4))).abs()
}

/// How a body radiates, by its form.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// A line of dipoles: length and volume per length that moves air, width (m, m^2, m).
    Line { length_m: f64, section_m2: f64, width_m: f64 },
    /// Multipoles of the mode's own order; circular waves of bending bodies are weakened below coincidence.
    Round { area_m2: f64, is_open: bool },
    /// A membrane that is open at the back, or has two heads.
    Membrane,
    /// A panel in a baffle.
    Panel { critical_hz: f64, perimeter_m: f64, area_m2: f64 },
    /// A board that a string or a tine drives: modes themselves do not radiate.
    Board { critical_hz: f64, is_tine: bool },
    /// A solid body, or one without a known form.
    Compact { area_m2: f64 },
    /// The open end of an air column.
    Mouth,
}

/// How a body of known size radiates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radiator {
    form: Form,
    /// Radius, or half of the longest side, m.
    radius_m: f64,
    mass_kg: f64,
    /// What a tube under a tuned bar takes from its lowest mode and radiates, 1/s.
    resonator_per_s: f64,
    /// Wave number of bending over the root of the frequency, 1/m per Hz^0.5.
    bending: f64,
}

/// What the size of a body follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// What it is.
    pub kind: Kind,
    /// Longer over shorter side of a rectangle.
    pub aspect: f64,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Density, kg/m^3.
    pub density_kg_per_m3: f64,
    /// Speed of sound along a thin rod of the material, m/s.
    pub speed_m_per_s: f64,
    /// Nominal pitch, Hz.
    pub pitch_hz: f64,
}

/// Width over height of a bar.
const BAR_WIDTH: f64 = 2.7;
/// Length over radius of a tubular bell.
const TUBE_SLENDERNESS: f64 = 100.0;
/// Area density of a drum head, kg/m^2.
const HEAD_KG_PER_M2: f64 = 0.28;
/// Radius of the mouth of a tube, m.
const MOUTH_M: f64 = 0.02;
/// Coincidence of the board under strings and tines: 8 mm of spruce, Hz.
const BOARD_HZ: f64 = 2500.0;

impl Build {
    /// How a body of this build radiates. The mass, the pitch and the material of a body fix its size.
    pub fn radiator(&self) -> Radiator {
        let &Self { kind, aspect, mass_kg, density_kg_per_m3, speed_m_per_s, pitch_hz } = self;
        let volume_m3 = mass_kg / density_kg_per_m3;
        let critical_hz = |height_m: f64| SOUND_M_PER_S * SOUND_M_PER_S / (1.8 * speed_m_per_s * height_m);
        let bending = |height_m: f64| (2.0 * PI).sqrt() * (12.0 / (speed_m_per_s * height_m).powi(2)).sqrt().sqrt();
        let plain =
            |form: Form, radius_m: f64| Radiator { form, radius_m, mass_kg, resonator_per_s: 0.0, bending: 0.0 };
        match kind {
            Kind::FreeBar | Kind::PinnedBar | Kind::Marimba | Kind::Xylophone | Kind::Vibraphone => {
                // How far the arch of a tuned bar lowers its pitch, and what its tube takes, 1/s.
                let (lowered, resonator_per_s) = match kind {
                    Kind::Marimba => (3.0, 0.6),
                    Kind::Xylophone => (3.4, 1.5),
                    Kind::Vibraphone => (2.4, 0.35),
                    _ => (1.0, 0.0),
                };
                // f = 1.028 h c/L^2, M = rho L b h.
                let thickness = 1.028 * speed_m_per_s * (volume_m3 / BAR_WIDTH).sqrt() / (lowered * pitch_hz);
                let length_m = thickness.powf(0.4);
                let height_m = (volume_m3 / (BAR_WIDTH * length_m)).sqrt();
                let width_m = BAR_WIDTH * height_m;
                let section_m2 = width_m * height_m + 0.25 * PI * width_m * width_m;
                let form = Form::Line { length_m, section_m2, width_m };
                Radiator { resonator_per_s, ..plain(form, 0.5 * length_m) }
            }
            Kind::TubularBell => {
                // The fourth mode is an octave above the pitch: f = root^2 c a/(2 pi sqrt(2) L^2).
                let fourth = 14.137_165f64.powi(2) / (2.0 * PI * 2f64.sqrt());
                let length_m = fourth * speed_m_per_s / (TUBE_SLENDERNESS * 2.0 * pitch_hz);
                let radius_m = length_m / TUBE_SLENDERNESS;
                let section_m2 = 2.0 * PI * radius_m * radius_m;
                plain(Form::Line { length_m, section_m2, width_m: 2.0 * radius_m }, 0.5 * length_m)
            }
            Kind::Membrane => plain(Form::Membrane, (mass_kg / (PI * HEAD_KG_PER_M2)).sqrt()),
            Kind::FreeDisc | Kind::ClampedDisc => {
                // f = lambda^2 h c/(2 pi a^2 sqrt(12 (1 - nu^2))), M = rho pi a^2 h.
                let (is_open, lambda2) = if kind == Kind::FreeDisc { (true, 5.25) } else { (false, 10.22) };
                let stiffness = lambda2 * speed_m_per_s / (2.0 * PI * (12.0 * 0.89f64).sqrt());
                let radius_m = (stiffness * volume_m3 / (PI * pitch_hz)).powf(0.25);
                let height_m = volume_m3 / (PI * radius_m * radius_m);
                let area_m2 = if is_open { 2.0 } else { 1.0 } * PI * radius_m * radius_m;
                Radiator { bending: bending(height_m), ..plain(Form::Round { area_m2, is_open }, radius_m) }
            }
            Kind::FreePlate | Kind::SupportedPlate => {
                // f = lambda h c/(2 pi A sqrt(12 (1 - nu^2))), M = rho A h, area A; lambda hardly depends on the sides.
                let lambda = if kind == Kind::FreePlate { 14.0 } else { 20.5 };
                let stiffness = lambda * speed_m_per_s / (2.0 * PI * (12.0 * 0.91f64).sqrt());
                let area_m2 = (stiffness * volume_m3 / pitch_hz).sqrt();
                let short_m = (area_m2 / aspect).sqrt();
                let perimeter_m = 2.0 * short_m * (1.0 + aspect);
                let critical_hz = critical_hz(volume_m3 / area_m2);
                plain(Form::Panel { critical_hz, perimeter_m, area_m2 }, 0.5 * aspect * short_m)
            }
            Kind::ChurchBell | Kind::WineGlass | Kind::Bowl | Kind::Ring => {
                // Mass over the cube of the radius of the rim (kg/m^3), and height in radii.
                let (fullness, height) = match kind {
                    Kind::ChurchBell => (3400.0, 1.2),
                    Kind::WineGlass => (1130.0, 1.6),
                    Kind::Bowl => (1200.0, 0.7),
                    _ => (400.0, 0.2),
                };
                let radius_m = (mass_kg / fullness).cbrt();
                let area_m2 = 2.0 * PI * radius_m * radius_m * height;
                plain(Form::Round { area_m2, is_open: false }, radius_m)
            }
            Kind::String | Kind::ClampedBar => {
                let is_tine = kind == Kind::ClampedBar;
                plain(Form::Board { critical_hz: BOARD_HZ, is_tine }, 0.15)
            }
            Kind::OpenTube | Kind::ClosedTube => plain(Form::Mouth, MOUTH_M),
            Kind::User => {
                let radius_m = (0.75 * volume_m3 / PI).cbrt();
                plain(Form::Compact { area_m2: 4.0 * PI * radius_m * radius_m }, radius_m)
            }
        }
    }
}

impl Radiator {
    /// What mode number `mode` of this shape radiates at its frequency.
    pub fn radiated(&self, mode: usize, shape: ModeShape, frequency_hz: f64) -> Radiated {
        let k = 2.0 * PI * frequency_hz / SOUND_M_PER_S;
        let mut pressure = self.pressure_pa_s_per_m(mode, shape, frequency_hz, k);
        let has_own_loss = !matches!(self.form, Form::Board { .. } | Form::Mouth);
        let loss = 4.0 * PI / (2.0 * self.mass_kg * AIR_PA_S_PER_M);
        let mut decay_per_s = if has_own_loss { loss * pressure * pressure } else { 0.0 };
        if matches!(shape, ModeShape::Disc { diameters: 0, .. }) && decay_per_s > MAX_MONOPOLE_PER_S {
            (decay_per_s, pressure) = (MAX_MONOPOLE_PER_S, (MAX_MONOPOLE_PER_S / loss).sqrt());
        }
        if mode == 0 && self.resonator_per_s > 0.0 {
            decay_per_s += self.resonator_per_s;
            pressure = (decay_per_s / loss).sqrt();
        }
        let ka = k * self.radius_m;
        let side = SIDE * side_of(mode) * ka * ka / (1.0 + ka * ka);
        let gain = pressure / UNIT_PA_S_PER_M;
        Radiated { gains: [gain * (1.0 + side), gain * (1.0 - side)], decay_per_s }
    }

    /// Gain of a second body that is thrown: it is small and radiates in full.
    pub fn second_gain(&self) -> f64 {
        AIR_PA_S_PER_M * self.radius_m / UNIT_PA_S_PER_M
    }

    /// Rms pressure over directions at 1 m per velocity amplitude, Pa per m/s.
    fn pressure_pa_s_per_m(&self, mode: usize, shape: ModeShape, frequency_hz: f64, k: f64) -> f64 {
        let ka = k * self.radius_m;
        let of_efficiency = |sigma: f64, area_m2: f64| AIR_PA_S_PER_M * (sigma * area_m2 / (4.0 * PI)).sqrt();
        match self.form {
            Form::Line { length_m, section_m2, width_m } => {
                let root = if let ModeShape::Bar { root } = shape { root } else { (mode + 1) as f64 * PI };
                let mean: f64 = GAUSS
                    .iter()
                    .map(|(u, weight)| {
                        let transform = free_bar_transform(root, mode % 2 == 0, k * u * length_m);
                        weight * transform * transform * 0.5 * (1.0 - u * u)
                    })
                    .sum();
                let dipole = AIR_PA_S_PER_M * k * k / (4.0 * PI) * section_m2 * length_m;
                dipole * mean.sqrt() / (1.0 + (0.25 * k * width_m).powi(3)).sqrt()
            }
            Form::Round { area_m2, is_open } => {
                let (order, circular) = match shape {
                    ModeShape::Disc { diameters, wave_number } => {
                        (usize::from(diameters), wave_number > f64::from(diameters) + 2.0)
                    }
                    ModeShape::Shell { waves } => (usize::from(waves), false),
                    _ => (1, false),
                };
                let order = order + usize::from(is_open);
                let sigma = multipole_efficiency(order, ka);
                let bent = (k / (self.bending * frequency_hz.sqrt())).powi(2).min(1.0);
                of_efficiency(sigma, area_m2) * if is_open && circular { bent } else { 1.0 }
            }
            Form::Membrane => {
                let ModeShape::Disc { diameters, wave_number: j } = shape else { return 0.0 };
                let far = AIR_PA_S_PER_M * k * self.radius_m * self.radius_m * j;
                let mean: f64 = GAUSS
                    .iter()
                    .map(|(cos, weight)| {
                        let z = ka * (1.0 - cos * cos).sqrt();
                        let z = if (z / j - 1.0).abs() < 1e-3 { 1.001 * j } else { z };
                        let open = cos * ka / (1.0 + ka * ka).sqrt();
                        let beam = bessel::j(u32::from(diameters), z) / (z * z - j * j) * open;
                        weight * beam * beam
                    })
                    .sum();
                0.7 * far * mean.sqrt()
            }
            Form::Panel { critical_hz, perimeter_m, area_m2 } => {
                of_efficiency(2.0 * panel_efficiency(frequency_hz, critical_hz, perimeter_m, area_m2), area_m2)
            }
            Form::Board { critical_hz, is_tine } => {
                // Mean square velocity of a board goes with 1/f; a tine pulls with its root, M Gamma dv/dt.
                let sigma = panel_efficiency(frequency_hz, critical_hz, 1.7, 0.18);
                let root = if let ModeShape::Bar { root } = shape { root } else { 1.0 };
                let force = if is_tine { frequency_hz / 1000.0 / root } else { 1.0 };
                UNIT_PA_S_PER_M * force * (sigma * 1000.0 / frequency_hz).sqrt()
            }
            Form::Compact { area_m2 } => {
                // The lowest modes of a solid body shake it, the others are waves on it.
                let order = if mode < 3 { 1 } else { (mode / 2).min(6) };
                of_efficiency(multipole_efficiency(order, ka), area_m2)
            }
            Form::Mouth => UNIT_PA_S_PER_M * multipole_efficiency(0, ka).sqrt(),
        }
    }
}

/// A number from -1 to 1 for each mode.
fn side_of(mode: usize) -> f64 {
    // Multiples of the golden ratio are spread evenly and never repeat.
    2.0 * (0.5 + 0.618_033_988_749_895 * mode as f64).fract() - 1.0
}

#[cfg(test)]
mod tests;
