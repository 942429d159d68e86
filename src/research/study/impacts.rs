//! The papers on impacts in three dimensions (Jia and Wang, PLUS): cases, tables and figures.

use std::time::Instant;

use super::chart::{Chart, Mark, Series};
use super::triple_pendulum::State;
use crate::rigid_body::inertia::{Inertia, mobility_per_kg};
use crate::rigid_body::simultaneous::{self, Budget, Contacts, Cor, ImpactSettings, Phase};
use crate::rigid_body::single_point::hodograph::{Hodograph, Vec2, norm2};
use crate::rigid_body::single_point::{Accuracy, Impact, Restitution, solve};
use crate::rigid_body::vector::{Mat3, Vec3, norm, sub};

/// W of the icosahedron on the tetrahedron, eq. (13) of Jia and Wang, 1/kg.
const ICOSA_W: Mat3 =
    [[11.5984, -0.910367, 2.442355], [-0.910367, 9.90134, 1.957465], [2.442355, 1.957465, 2.59042]];

/// W of the bowling pin and the ball, 1/kg.
const PIN_W: Mat3 = [
    [1.55465, 0.002386755, -0.360808],
    [0.002386755, 5.15191, -0.00313296],
    [-0.360808, -0.00313296, 1.105],
];

/// Tangential velocity of most figures, m/s, as it follows from the paper's own result.
const SLIP: Vec2 = [-0.26197583, 0.38632923];

/// An impact of Jia and Wang.
struct JiaCase {
    /// Figure of the paper.
    name: &'static str,
    /// Inputs.
    impact: Impact,
    /// Printed event sequence; its l marks a tolerance.
    printed: &'static str,
}

fn icosa(name: &'static str, slip: Vec2, v_z: f64, mu: f64, printed: &'static str) -> JiaCase {
    let v_m_per_s = [slip[0], slip[1], v_z];
    JiaCase {
        name,
        impact: Impact { w: ICOSA_W, v_m_per_s, mu, restitution: Restitution::Stronge(0.95) },
        printed,
    }
}

/// The cases of the figures.
fn jia() -> [JiaCase; 8] {
    [
        icosa("Fig. 4a", SLIP, -0.07717372, 0.8, "csr"),
        icosa("Fig. 4b", SLIP, -0.82717372, 0.4, "lscr"),
        icosa("Fig. 4c", SLIP, -0.82717372, 0.25, "clr"),
        icosa("Fig. 4d", SLIP, -0.52717372, 3.0, "scr"),
        icosa("Fig. 7", [-0.86197583, -0.46367077], -1.52717372, 0.25, "scr"),
        icosa("Fig. 10a", SLIP, -0.82717372, 0.35, "lcsr"),
        icosa("Fig. 10b", SLIP, -2.02717372, 0.25, "lcr"),
        icosa("Fig. 10c", SLIP, -0.12717372, 0.55, "clsr"),
    ]
}

/// The bowling pin and ball of Table 1.
fn pin_ball() -> Impact {
    let v_m_per_s = [-0.20691338, 0.1176551, -1.50690298];
    Impact { w: PIN_W, v_m_per_s, mu: 0.7, restitution: Restitution::Stronge(0.7) }
}

/// A point of a simulation with fixed steps.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// Impulse so far, N s.
    impulse_ns: Vec3,
    /// Slip, m/s.
    slip_m_per_s: Vec2,
}

/// An impact by Euler steps of equal normal impulse, the method NI before Jia and Wang.
///
/// The contact sticks where a step would reverse the slip.
fn fixed_steps(impact: &Impact, step_ns: f64, mut watch: impl FnMut(&Point)) -> (Vec3, u32) {
    let flow = Hodograph::new(&impact.w, impact.mu);
    let e = impact.restitution.coefficient();
    let [x, y, mut v_z] = impact.v_m_per_s;
    let mut at = Point { impulse_ns: [0.0; 3], slip_m_per_s: [x, y] };
    let (mut stored_j, mut compressing, mut sticks) = (0.0, true, false);
    let mut steps = 0;
    watch(&at);
    while steps < 10_000_000 {
        steps += 1;
        let slip = at.slip_m_per_s;
        let speed = norm2(slip);
        let sigma = if sticks {
            flow.grip.map(|g| -g)
        } else {
            slip.map(|s| -flow.mu * s / speed.max(1e-300))
        };
        let turn = flow.times_b(sigma);
        let after: Vec2 = std::array::from_fn(|i| slip[i] + step_ns * (turn[i] + flow.d[i]));
        let v_after = v_z + step_ns * (flow.w_zz + flow.d[0] * sigma[0] + flow.d[1] * sigma[1]);
        if !sticks && after[0] * slip[0] + after[1] * slip[1] <= 0.0 && flow.sticks() {
            sticks = true;
        }
        at.slip_m_per_s = if sticks { [0.0; 2] } else { after };
        for (sum, share) in at.impulse_ns.iter_mut().zip([sigma[0], sigma[1], 1.0]) {
            *sum += step_ns * share;
        }
        stored_j -= 0.5 * (v_z + v_after) * step_ns;
        v_z = v_after;
        watch(&at);
        if compressing && v_z >= 0.0 {
            (compressing, stored_j) = (false, stored_j * e * e);
        } else if !compressing && stored_j <= 0.0 {
            break;
        }
    }
    (at.impulse_ns, steps)
}

/// Settings of the examples of PLUS.
pub fn plus_settings(e_min: f64, theta_max_rad: f64) -> ImpactSettings {
    let cor = Cor { e_min, v_capture_m_per_s: 0.01, v_plastic_m_per_s: 0.1 };
    ImpactSettings { cor, v_transition_m_per_s: 0.1, theta_max_rad, alpha_min: 1e-4 }
}

/// Example 1: a brick on one of its corners.
fn example_1(mu: f64) -> Contacts {
    const A: Mat3 = [
        [3.901011313712078, 0.5603015190095729, -0.05276135786271054],
        [0.5603015190095728, 3.3597275466614565, 0.4476764396994425],
        [-0.052761357862710544, 0.4476764396994426, 0.5760771650629495],
    ];
    let mut contacts = Contacts::new();
    contacts.points = 1;
    contacts.mu[0] = mu;
    contacts.v_m_per_s[..3].copy_from_slice(&[-5.0, 0.0, -5.74]);
    for (row, values) in contacts.a.iter_mut().zip(A) {
        row[..3].copy_from_slice(&values);
    }
    contacts
}

/// Example 2: the brick of 2 kg flat on a face of these edges, on spheres of 10 cm.
fn example_2(edges_m: Vec3) -> Contacts {
    const UPRIGHT: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let inertia = Inertia::cuboid(2.0, edges_m);
    let [x, y, z] = edges_m.map(|edge| 0.5 * edge);
    let arms = [[-x, -y], [-x, y], [x, -y], [x, y]].map(|[x, y]| [x, y, -z - 0.1]);
    let mut contacts = Contacts::new();
    contacts.points = 4;
    contacts.mu = [0.2; 8];
    for (i, &arm) in arms.iter().enumerate() {
        contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&[-2.0, 0.0, -8.84]);
        for (j, &other) in arms.iter().enumerate() {
            let block = mobility_per_kg(&inertia, &UPRIGHT, arm, other);
            for (row, values) in block.iter().enumerate() {
                contacts.a[3 * i + row][3 * j..3 * j + 3].copy_from_slice(values);
            }
        }
    }
    contacts
}

/// A chain of `balls` of 1 kg, the first `count` of them at 2 m/s: Example 3 has five and one.
fn chain(balls: usize, count: usize) -> Contacts {
    let mut contacts = Contacts::new();
    contacts.points = balls - 1;
    for i in 0..balls - 1 {
        let z = 3 * i + 2;
        (contacts.a[3 * i][3 * i], contacts.a[3 * i + 1][3 * i + 1], contacts.a[z][z]) =
            (1.0, 1.0, 2.0);
        if i > 0 {
            (contacts.a[z][z - 3], contacts.a[z - 3][z]) = (-1.0, -1.0);
        }
        contacts.v_m_per_s[z] = if i + 1 == count { -2.0 } else { 0.0 };
    }
    contacts
}

/// Shortest time of 20 runs of `work`, us.
fn micros(mut work: impl FnMut()) -> f64 {
    let mut fastest = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        work();
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6);
    }
    fastest
}

fn line(name: &str, steps: u32, error: f64, us: f64, printed: [&str; 3]) {
    let [iterations, wrong, seconds] = printed;
    println!(
        "{name:>22} {iterations:>7} |{steps:>7} {wrong:>9} |{error:>9.1e} {seconds:>10} |{us:>8.1} us"
    );
}

fn table_1(title: &str, impact: &Impact, step_ns: f64, printed: [[&str; 3]; 2]) {
    println!("\nJia and Wang, Table 1: {title} (printed | ours)");
    println!("{:>22} {:>16} {:>20} {:>22}", "", "iterations", "error, N s", "time");
    let truth = solve(impact, &Accuracy::FINE).impulse_ns;
    let relative_error = |found: Vec3| norm(sub(found, truth));
    for (step_ns, name, printed) in [
        (step_ns, "fixed steps", printed[0]),
        (0.01 * step_ns, "a hundredth of them", ["", "", ""]),
    ] {
        let (found, steps) = fixed_steps(impact, step_ns, |_| {});
        let us = micros(|| {
            std::hint::black_box(fixed_steps(impact, step_ns, |_| {}));
        });
        line(name, steps, relative_error(found), us, printed);
    }
    for (name, accuracy, printed) in [
        ("adaptive, for sound", Accuracy::DEFAULT, printed[1]),
        ("the same, fine: truth", Accuracy::FINE, ["", "", ""]),
    ] {
        let got = solve(impact, &accuracy);
        let us = micros(|| {
            std::hint::black_box(solve(impact, &accuracy));
        });
        line(name, got.steps, relative_error(got.impulse_ns), us, printed);
    }
}

fn plus(name: &str, contacts: &Contacts, settings: &ImpactSettings) {
    let got = simultaneous::solve(contacts, settings, &Budget::STUDY);
    println!("{name}: {} rounds, {} intervals, {} systems", got.rounds, got.intervals, got.solves);
    for k in 0..contacts.points {
        let triple = |rows: &[f64]| {
            format!("{:>9.4} {:>9.4} {:>9.4}", rows[3 * k], rows[3 * k + 1], rows[3 * k + 2])
        };
        println!("    impulse {} N s   v+ {} m/s", triple(&got.impulse_ns), triple(&got.v_m_per_s));
    }
}

/// Prints the tables and examples, with the printed figures beside ours.
pub fn print() {
    println!(
        "\nJia and Wang, event sequences (printed | ours; an l names a tolerance, not an event)"
    );
    for case in jia() {
        let got = solve(&case.impact, &Accuracy::FINE);
        let [x, y, z] = got.impulse_ns;
        println!(
            "{:>22} {:>6} |{:>4}  I = {x:.6} {y:.6} {z:.6} N s",
            case.name,
            case.printed,
            got.sequence.name()
        );
    }
    let icosa = &jia()[0].impact;
    let rows = [["107", "8.8e-4", "31 ms"], ["29", "1.1e-3", "0.41 ms"]];
    table_1("icosahedron and tetrahedron", icosa, 0.00095, rows);
    table_1(
        "pin and ball",
        &pin_ball(),
        0.001,
        [["2586", "1.4e-3", "265 ms"], ["29", "5.7e-5", "0.40 ms"]],
    );
    println!(
        "\nThe paper's times are Mathematica's; its \"truth\" of the first impact is 0.5 % off (I_z 0.1007, not 0.1012)."
    );
    println!("\nPLUS, Example 1 and Fig. 10 (printed intervals for mu 0.325: 116, 11, 8)");
    for (mu, e_min) in [(0.125, 0.392), (0.225, 0.387), (0.325, 0.373)] {
        for theta in [0.01, 0.15, 0.25] {
            plus(
                &format!("  mu {mu}, theta {theta}"),
                &example_1(mu),
                &plus_settings(e_min, theta),
            );
        }
    }
    println!("\nPLUS, Example 2: a brick on four points (which face is down is not printed)");
    for edges in [[0.8, 0.6, 0.4], [0.4, 0.6, 0.8]] {
        plus(
            &format!("  on {} by {} m", edges[0], edges[1]),
            &example_2(edges),
            &plus_settings(0.414, 0.01),
        );
    }
    println!(
        "\nPLUS, Example 3 and Table 2: a cradle of five, round by round (C compresses, E expands, O observes)"
    );
    for (name, count) in [("one in", 1), ("two in", 2)] {
        let contacts = chain(5, count);
        let mut rounds = Vec::new();
        let settings = plus_settings(1.0, 0.01);
        simultaneous::solve_watched(&contacts, &settings, &Budget::STUDY, |phases| {
            rounds.push(letters(phases))
        });
        println!("  {name}: {}", rounds.join("  "));
    }
    example_4();
    println!("\nPLUS, rows of balls: rounds");
    for balls in [3, 5, 8] {
        let rounds = [1.0, 0.9, 0.7, 0.5].map(|e| {
            let got =
                simultaneous::solve(&chain(balls, 1), &plus_settings(e, 0.01), &Budget::STUDY);
            format!("e {e}: {}", got.rounds)
        });
        println!("  {balls} balls   {}", rounds.join("   "));
    }
}

/// Prints the time of PLUS and of a simulation in time for the triple pendulum.
fn example_4() {
    println!(
        "\nPLUS, Example 4: a triple pendulum with a sphere, e = 1 (the paper's times are only drawn, Fig. 15b)"
    );
    let Some(state) = State::at_impact() else { return };
    let (contacts, settings) = (state.contacts(), plus_settings(1.0, 0.01));
    plus("  by PLUS", &contacts, &settings);
    let us = micros(|| {
        std::hint::black_box(simultaneous::solve(&contacts, &settings, &Budget::STUDY));
    });
    println!("    {us:.2} us");
    for e_star_pa in [1e7, 1e8, 1e9, 1e10, 1e11] {
        // The fewest steps that bring the rebound speed within 1 % of a fine simulation.
        let contact_s = state.contact_s(e_star_pa);
        let fine = state.collide(e_star_pa, contact_s / 20_000.0).v_z_m_per_s;
        let enough = (3..14).map(|power| contact_s / f64::from(1 << power)).find(|&step_s| {
            (state.collide(e_star_pa, step_s).v_z_m_per_s / fine - 1.0).abs() < 0.01
        });
        let Some(step_s) = enough else { continue };
        let steps = state.collide(e_star_pa, step_s).steps;
        let us = micros(|| {
            std::hint::black_box(state.collide(e_star_pa, step_s));
        });
        println!(
            "  in time, {:>6} GPa: v_z+ {fine:.4} m/s, {:>8.3} ms long, {steps:>4} steps, {us:.2} us",
            e_star_pa * 1e-9,
            contact_s * 1e3
        );
    }
}

fn letters(phases: &[Phase]) -> String {
    let letter = |phase: &Phase| match phase {
        Phase::Compressing => 'C',
        Phase::Expanding => 'E',
        Phase::Observing => 'O',
    };
    phases.iter().map(letter).collect()
}

/// Fixed steps of one impact, enough for a smooth line.
const STEPS: f64 = 20_000.0;

/// One curve per case; `point` gives the coordinates of a point.
fn curves(cases: &[JiaCase], point: fn(&Point) -> (f64, f64)) -> Vec<Series> {
    let curve = |case: &JiaCase| {
        let whole = solve(&case.impact, &Accuracy::FINE);
        let mut points = Vec::new();
        fixed_steps(&case.impact, whole.impulse_ns[2] / STEPS, |at| points.push(point(at)));
        Series::new(format!("{}, mu {}", case.name, case.impact.mu), Mark::Line, points)
    };
    cases.iter().map(curve).collect()
}

/// All charts.
pub fn charts() -> Vec<Chart> {
    let cases = jia();
    let hodograph = |name, title, cases| Chart {
        name,
        title,
        x: "slip along x, m/s",
        y: "slip along y, m/s",
        series: curves(cases, |point| (point.slip_m_per_s[0], point.slip_m_per_s[1])),
        ..Chart::default()
    };
    let impulses = |name, title, cases| Chart {
        name,
        title,
        x: "normal impulse, N s",
        y: "impulse of friction, N s",
        legend_left: true,
        series: curves(cases, |point| {
            (point.impulse_ns[2], point.impulse_ns[0].hypot(point.impulse_ns[1]))
        }),
        ..Chart::default()
    };
    let thetas: Vec<f64> =
        (0..40).map(|n| 0.005 * 1.13f64.powi(n)).take_while(|theta| *theta < 0.6).collect();
    let by_theta = [(0.125, 0.392), (0.225, 0.387), (0.325, 0.373)].map(|(mu, e)| {
        let intervals = |theta: f64| {
            let settings = plus_settings(e, theta);
            let got = simultaneous::solve(&example_1(mu), &settings, &Budget::STUDY);
            f64::from(got.intervals)
        };
        let points = thetas.iter().map(|&theta| (theta, intervals(theta)));
        Series::new(format!("mu {mu}"), Mark::Dots, points)
    });
    vec![
        hodograph("jia04_hodographs", "Jia and Wang, Fig. 4: hodographs of the slip", &cases[..4]),
        hodograph("jia07_hodograph", "Fig. 7: it passes the origin by", &cases[4..5]),
        hodograph("jia10_hodographs", "Fig. 10: hodographs of the slip", &cases[5..]),
        impulses("jia04_impulses", "Fig. 4: friction against pressure", &cases[..4]),
        impulses("jia10_impulses", "Fig. 10: friction against pressure", &cases[5..]),
        Chart {
            name: "plus10_intervals",
            title: "PLUS, Example 1: intervals against the largest turn of the slip",
            x: "theta_max, rad",
            y: "intervals",
            log: (true, true),
            series: by_theta.into(),
            ..Chart::default()
        },
    ]
}
