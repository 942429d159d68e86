//! `ictus body`: the modes of a body, as a list and as a picture.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use plotters::coord::Shift;
use plotters::prelude::*;
use serde::Serialize;

use super::settings::parse_key;
use super::{DARK_BLUE, DARK_RED, within};
use crate::body::macros::{self, BodyScale, KeyTracking};
use crate::body::material::Material;
use crate::body::shape::Place;
use crate::body::{BodyKind, Geometry, Layout, Listening, Modes, Point, UserModes};
use crate::io::mode_lists;

/// Arguments of `ictus body`.
#[derive(clap::Args)]
pub struct Args {
    /// Kind of body: free-bar, clamped-bar, pinned-bar, marimba, xylophone, vibraphone, string,
    /// membrane, free-disc, clamped-disc, free-plate, supported-plate, tubular-bell, church-bell,
    /// wine-glass, bowl, ring, open-tube, closed-tube or user
    #[arg(long = "type", value_name = "TYPE", default_value = "free-bar", value_parser = parse_kind)]
    kind: BodyKind,
    /// Key of the tuning: a MIDI number from 0 to 127, or a name from C-1 to G9
    #[arg(long, default_value = "A4", value_parser = parse_key)]
    note: u8,
    /// Sample rate, Hz (1e3 to 1e6): modes above 0.45 of it are omitted
    #[arg(long, default_value_t = 48_000.0)]
    fs: f64,
    /// Longer over shorter side of a rectangle (1 to 2.5)
    #[arg(long, default_value_t = 1.5)]
    aspect: f64,
    /// Relative split of the two frequencies of a mode pair (0 to 0.02)
    #[arg(long, default_value_t = 0.0)]
    split: f64,
    /// Stiffness B of a string (0 to 0.1)
    #[arg(long, default_value_t = 0.0)]
    inharmonicity: f64,
    /// Number of modes (1 to 256)
    #[arg(long, default_value_t = 256)]
    modes: usize,
    /// Material: ceramic, glass, wood, plastic, iron, polycarbonate, steel, tin or rubber
    #[arg(long, default_value = "steel", value_parser = parse_material)]
    material: Material,
    /// Size factor (0.25 to 4)
    #[arg(long, default_value_t = 1.0)]
    size: f64,
    /// Strike point: x or x,y, each 0 to 1. Default: a usual place
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

/// A listed mode.
#[derive(Clone, Debug, Serialize)]
struct ListedMode {
    /// Number, from 1.
    mode: usize,
    /// Frequency over the nominal pitch.
    ratio: f64,
    /// Damped frequency.
    frequency_hz: f64,
    /// Time of a decay by 60 dB.
    t60_s: f64,
    /// Mode shape at the strike point.
    strike: f64,
    /// Mode shape at the left pickup.
    left: f64,
    /// Mode shape at the right pickup.
    right: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    body: &'a str,
    pitch_hz: f64,
    modes: &'a [ListedMode],
}

/// Parses a kind of body such as `free-bar`.
pub fn parse_kind(text: &str) -> Result<BodyKind, String> {
    let plain = |name: &str| name.to_lowercase().replace(' ', "-");
    BodyKind::ALL.into_iter().find(|kind| plain(kind.name()) == text.to_lowercase()).ok_or_else(
        || {
            let known: Vec<String> = BodyKind::ALL.iter().map(|kind| plain(kind.name())).collect();
            format!("'{text}' is not a body; there are {}", known.join(", "))
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
            "'{text}' is not a material; there are {} and rubber",
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
        _ => Err(format!("'{text}' is not a point: give x or x,y with each from 0 to 1")),
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    for (name, value, (low, high)) in [
        ("--fs", args.fs, (1e3, 1e6)),
        ("--aspect", args.aspect, Geometry::ASPECT),
        ("--split", args.split, Geometry::SPLIT),
        ("--inharmonicity", args.inharmonicity, Geometry::INHARMONICITY),
        ("--modes", args.modes as f64, Geometry::COUNT),
        ("--size", args.size, macros::SIZE),
    ] {
        within(name, value, low, high)?;
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
        draw(path, &modes, points, &listed)?;
    }
    if args.json {
        let report = Report { body: args.kind.name(), pitch_hz, modes: &listed };
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print_table(&listed);
    }
    Ok(())
}

fn list(modes: &Modes, [strike, left, right]: [Point; 3]) -> Vec<ListedMode> {
    let spectrum = modes.spectrum();
    let sounding = (0..modes.len).filter(|mode| modes.presence[*mode] > 0.0);
    sounding
        .map(|mode| ListedMode {
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

fn print_table(modes: &[ListedMode]) {
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

/// Size of the picture, px.
const SIZE: (u32, u32) = (720, 470);
/// Number of mode shapes that are drawn.
const TILES: usize = 6;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Draws the spectrum as stems, and the lowest mode shapes.
fn draw(path: &Path, modes: &Modes, points: [Point; 3], listed: &[ListedMode]) -> Result<()> {
    let picture = || -> Outcome {
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (above, below) = root.split_vertically(330);
        stems(&above, modes.spectrum().geometry().kind, listed)?;
        // A list of modes has no shapes to draw.
        if !modes.spectrum().geometry().kind.is_mode_list() {
            for (tile, mode) in below.split_evenly((1, TILES)).iter().zip(listed) {
                shape(tile, modes, mode, points)?;
            }
        }
        root.present()?;
        Ok(())
    };
    picture().map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Level of every mode at the left pickup after an impulse, dB below the strongest.
fn stems(area: &DrawingArea<SVGBackend, Shift>, kind: BodyKind, listed: &[ListedMode]) -> Outcome {
    const FLOOR_DB: f64 = -60.0;
    let strongest = listed.iter().map(|m| (m.strike * m.left).abs()).fold(1e-12, f64::max);
    let level = |m: &ListedMode| {
        (20.0 * ((m.strike * m.left).abs() / strongest).max(1e-9).log10()).max(FLOOR_DB)
    };
    let place = |m: &ListedMode| m.frequency_hz.log10();
    let low = listed.iter().map(place).fold(f64::MAX, f64::min).min(4.0) - 0.05;
    let high = listed.iter().map(place).fold(f64::MIN, f64::max).max(low + 0.1) + 0.05;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}: {} modes", kind.name(), listed.len()), ("sans-serif", 15))
        .margin(8)
        .margin_right(28)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(low..high, FLOOR_DB..3.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("Hz")
        .y_desc("strike x left pickup, dB")
        .x_label_formatter(&|x| format!("{:.0}", 10f64.powf(*x)))
        .draw()?;
    let stem = |m: &ListedMode| {
        PathElement::new(vec![(place(m), FLOOR_DB), (place(m), level(m))], DARK_BLUE)
    };
    chart.draw_series(listed.iter().map(stem))?;
    chart.draw_series(
        listed.iter().map(|m| Circle::new((place(m), level(m)), 2, DARK_BLUE.filled())),
    )?;
    Ok(())
}

/// A mode shape: a curve for a long body, a field with nodal lines for a flat or round one.
fn shape(
    area: &DrawingArea<SVGBackend, Shift>,
    modes: &Modes,
    listed: &ListedMode,
    points: [Point; 3],
) -> Outcome {
    let geometry = modes.spectrum().geometry();
    let round = geometry.kind.spec().layout == Layout::Round;
    let (wide, tall) = area.dim_in_pixel();
    let caption = format!("{:.0} Hz", listed.frequency_hz);
    area.draw_text(&caption, &("sans-serif", 12).into_text_style(area), (8, 2))?;
    let at = |point: Point| modes.spectrum().deflection(listed.mode - 1, Place::Strike, point);
    let margin = 8.0;
    let width = f64::from(wide) - 2.0 * margin;
    if !geometry.kind.is_two_dimensional() {
        let middle = f64::from(tall) / 2.0;
        let spot =
            |x: f64| ((margin + width * x) as i32, (middle - 22.0 * at(Point::along(x))) as i32);
        let rest = [(margin as i32, middle as i32), ((margin + width) as i32, middle as i32)];
        area.draw(&PathElement::new(rest.to_vec(), BLACK.mix(0.3)))?;
        area.draw(&PathElement::new(
            (0..=80).map(|n| spot(f64::from(n) / 80.0)).collect::<Vec<_>>(),
            DARK_BLUE,
        ))?;
        area.draw(&Circle::new(spot(points[0].x), 3, DARK_RED.filled()))?;
        return Ok(());
    }
    // Cells are blue for positive and red for negative displacement; nodal lines stay white. Equal
    // neighbours form one rectangle.
    const CELLS: i32 = 24;
    const SHADES: f64 = 6.0;
    let height = if round { width } else { width / geometry.aspect };
    let top = 22.0;
    let middle = |cell: i32| (f64::from(cell) + 0.5) / f64::from(CELLS);
    let corner = |u: i32, v: i32| {
        let (x, y) = (f64::from(u) / f64::from(CELLS), f64::from(v) / f64::from(CELLS));
        ((margin + width * x) as i32, (top + height * y) as i32)
    };
    for row in 0..CELLS {
        let shade = |column: i32| {
            let (u, v) = (middle(column), middle(row));
            let point = if round { polar(u, v) } else { Some(Point::new(u, v)) };
            point
                .map_or(0, |point| (SHADES * at(point) / 2.5).clamp(-SHADES, SHADES).round() as i32)
        };
        let mut start = 0;
        for column in 1..=CELLS {
            let here = shade(start);
            if column < CELLS && shade(column) == here {
                continue;
            }
            if here != 0 {
                let ink =
                    if here > 0 { DARK_BLUE } else { DARK_RED }.mix(f64::from(here.abs()) / SHADES);
                area.draw(&Rectangle::new(
                    [corner(start, row), corner(column, row + 1)],
                    ink.filled(),
                ))?;
            }
            start = column;
        }
    }
    let struck = if round {
        let (sin, cos) = (2.0 * std::f64::consts::PI * points[0].y).sin_cos();
        (0.5 + 0.5 * points[0].x * cos, 0.5 + 0.5 * points[0].x * sin)
    } else {
        (points[0].x, points[0].y)
    };
    let spot = ((margin + width * struck.0) as i32, (top + height * struck.1) as i32);
    area.draw(&Circle::new(spot, 3, BLACK.filled()))?;
    Ok(())
}

/// The point of a disc at u, v of the square around it. Shells are seen from above.
fn polar(u: f64, v: f64) -> Option<Point> {
    let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let radius = x.hypot(y);
    let turns = (y.atan2(x) / (2.0 * std::f64::consts::PI)).rem_euclid(1.0);
    (radius <= 1.0).then(|| Point::new(radius, turns))
}
