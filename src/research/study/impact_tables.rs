//! Tables and examples of the papers on impacts in three dimensions, the printed figure beside
//! ours.

use std::time::Instant;

use super::impacts::{example_1, example_2, fixed_steps, jia, pin_ball, plus_settings, row};
use super::triple_pendulum::State;
use crate::rigid_body::simultaneous::{self, Budget, Contacts, ImpactSettings, Phase};
use crate::rigid_body::single_point::{Accuracy, Impact, solve};
use crate::rigid_body::vector::{Vec3, norm, sub};

/// Microseconds of the fastest of some runs of `work`.
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

/// Print all of them.
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
        let contacts = row(5, count);
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
            let got = simultaneous::solve(&row(balls, 1), &plus_settings(e, 0.01), &Budget::STUDY);
            format!("e {e}: {}", got.rounds)
        });
        println!("  {balls} balls   {}", rounds.join("   "));
    }
}

/// The time of an impact against that of a collision followed in time.
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
        // As many steps as bring the speed of rebound within 1 % of a fine course.
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
