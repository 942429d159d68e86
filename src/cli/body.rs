//! `ictus body`: the modes of a body, as a list and as a picture.

pub mod picture;

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use serde::Serialize;

use super::render::note_name;
use crate::body::macros::{self, BodyScale, KeyTracking};
use crate::body::material::Material;
use crate::body::shape::Place;
use crate::body::{BodyKind, Geometry, Listening, Modes, Point, UserModes};
use crate::io::mode_lists;

/// Arguments of `ictus body`.
#[derive(clap::Args)]
pub struct Args {
    /// What it is: free-bar, clamped-bar, pinned-bar, marimba, xylophone, vibraphone, string,
    /// membrane, free-disc, clamped-disc, free-plate, supported-plate, tubular-bell, church-bell,
    /// wine-glass, bowl, ring, open-tube, closed-tube or user
    #[arg(long = "type", value_name = "TYPE", default_value = "free-bar", value_parser = parse_kind)]
    kind: BodyKind,
    /// Key that it is tuned to: a MIDI number from 0 to 127, or a name from C-1 to G9
    #[arg(long, default_value = "A4", value_parser = note_name::parse)]
    note: u8,
    /// Sample rate, Hz (1e3 to 1e6): modes above 0.45 of it are left out
    #[arg(long, default_value_t = 48_000.0)]
    fs: f64,
    /// Longer over shorter side of a rectangle (1 to 2.5)
    #[arg(long, default_value_t = 1.5)]
    aspect: f64,
    /// Distance of the two frequencies of a pair, relative (0 to 0.02)
    #[arg(long, default_value_t = 0.0)]
    split: f64,
    /// Stiffness B of a string (0 to 0.1)
    #[arg(long, default_value_t = 0.0)]
    inharmonicity: f64,
    /// How many modes (1 to 256)
    #[arg(long, default_value_t = 256)]
    modes: usize,
    /// Material: ceramic, glass, wood, plastic, iron, polycarbonate, steel, tin or rubber
    #[arg(long, default_value = "steel", value_parser = parse_material)]
    material: Material,
    /// How many times as large (0.25 to 4)
    #[arg(long, default_value_t = 1.0)]
    size: f64,
    /// Where it is struck: x or x,y, each 0 to 1. Default: a usual place
    #[arg(long, value_name = "X,Y", value_parser = parse_point)]
    point: Option<Point>,
    /// Left pickup: x or x,y, each 0 to 1. Default: a usual place
    #[arg(long, value_name = "X,Y", value_parser = parse_point)]
    left: Option<Point>,
    /// Right pickup: x or x,y, each 0 to 1. Default: a usual place
    #[arg(long, value_name = "X,Y", value_parser = parse_point)]
    right: Option<Point>,
    /// File with a list of modes, for `--type user`
    #[arg(long, value_name = "FILE.json")]
    list: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the spectrum and the lowest shapes
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

/// One mode as it is listed.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// Number, from 1.
    pub mode: usize,
    /// Frequency over the nominal pitch.
    pub ratio: f64,
    /// Frequency, damping included.
    pub frequency_hz: f64,
    /// Time in which it falls by 60 dB.
    pub t60_s: f64,
    /// Shape where it is struck.
    pub strike: f64,
    /// Shape at the left pickup.
    pub left: f64,
    /// Shape at the right pickup.
    pub right: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    body: &'a str,
    pitch_hz: f64,
    modes: &'a [Listed],
}

/// The body of a name such as `free-bar`.
pub fn parse_kind(text: &str) -> Result<BodyKind, String> {
    let plain = |name: &str| name.to_lowercase().replace(' ', "-");
    BodyKind::ALL.into_iter().find(|kind| plain(kind.name()) == text.to_lowercase()).ok_or_else(
        || {
            let known: Vec<String> = BodyKind::ALL.iter().map(|kind| plain(kind.name())).collect();
            format!("'{text}' is no body; there are {}", known.join(", "))
        },
    )
}

fn parse_material(text: &str) -> Result<Material, String> {
    if text.eq_ignore_ascii_case("rubber") {
        return Ok(Material::RUBBER);
    }
    let place = Material::NAMES.iter().position(|name| name.eq_ignore_ascii_case(text));
    place.map(|place| Material::ALL[place]).ok_or_else(|| {
        format!(
            "'{text}' is no material; there are {} and rubber",
            Material::NAMES.join(", ").to_lowercase()
        )
    })
}

fn parse_point(text: &str) -> Result<Point, String> {
    let number =
        |part: &str| part.trim().parse::<f64>().ok().filter(|value| (0.0..=1.0).contains(value));
    let (x, y) = text.split_once(',').unwrap_or((text, "0"));
    match (number(x), number(y)) {
        (Some(x), Some(y)) => Ok(Point::new(x, y)),
        _ => Err(format!("'{text}' is no place: give x or x,y with each from 0 to 1")),
    }
}

/// List the modes.
pub fn run(args: Args) -> Result<()> {
    for (name, value, (low, high)) in [
        ("--fs", args.fs, (1e3, 1e6)),
        ("--aspect", args.aspect, Geometry::ASPECT),
        ("--split", args.split, Geometry::SPLIT),
        ("--inharmonicity", args.inharmonicity, Geometry::INHARMONICITY),
        ("--modes", args.modes as f64, Geometry::COUNT),
        ("--size", args.size, macros::SIZE),
    ] {
        ensure!((low..=high).contains(&value), "{name} {value} is not allowed: {low} to {high}");
    }
    let user = match (&args.list, args.kind) {
        (Some(path), kind) if kind.is_mode_list() => mode_lists::read(path)?,
        (Some(_), _) => bail!("--list is for --type user"),
        (None, kind) if kind.is_mode_list() => bail!("--type user needs --list FILE.json"),
        (None, _) => UserModes::default(),
    };
    let geometry = Geometry {
        kind: args.kind,
        aspect: args.aspect,
        split: args.split,
        inharmonicity: args.inharmonicity,
        count: args.modes as f64,
    };
    let usual = args.kind.spec().usual_points;
    let points = [
        args.point.unwrap_or(usual[0]),
        args.left.unwrap_or(usual[1]),
        args.right.unwrap_or(usual[2]),
    ];
    let key_hz = 440.0 * ((f64::from(args.note) - 69.0) / 12.0).exp2();
    let (pitch_hz, scale) = BodyScale::of_key(key_hz, args.size, KeyTracking::Retune);
    let mut modes = Modes::default();
    modes.set_body(&geometry, &user);
    let listening = Listening { left: points[1], right: points[2] };
    modes.set(pitch_hz, &scale.damping(&args.material.damping), listening, args.fs);
    let listed = list(&modes, points);
    ensure!(
        !listed.is_empty(),
        "--fs {}: no mode of the body is below 0.45 of it at this note",
        args.fs
    );
    if let Some(path) = &args.out {
        picture::draw(path, &modes, points, &listed)?;
    }
    if args.json {
        let report = Report { body: args.kind.name(), pitch_hz, modes: &listed };
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&listed);
    }
    Ok(())
}

fn list(modes: &Modes, [strike, left, right]: [Point; 3]) -> Vec<Listed> {
    let spectrum = modes.spectrum();
    let sounding = (0..modes.len).filter(|mode| modes.presence[*mode] > 0.0);
    sounding
        .map(|mode| Listed {
            mode: mode + 1,
            ratio: spectrum.ratio(mode),
            frequency_hz: modes.omega[mode] / (2.0 * std::f64::consts::PI),
            t60_s: 1000f64.ln() / modes.decay_per_s[mode],
            strike: spectrum.deflection(mode, Place::Strike, strike),
            left: spectrum.deflection(mode, Place::Left, left),
            right: spectrum.deflection(mode, Place::Right, right),
        })
        .collect()
}

fn print(modes: &[Listed]) {
    println!(
        "{:>4} {:>9} {:>12} {:>9} {:>8} {:>8} {:>8}",
        "mode", "ratio", "Hz", "T60 s", "strike", "left", "right"
    );
    for m in modes {
        println!(
            "{:>4} {:>9.4} {:>12.3} {:>9.4} {:>8.4} {:>8.4} {:>8.4}",
            m.mode, m.ratio, m.frequency_hz, m.t60_s, m.strike, m.left, m.right
        );
    }
}
