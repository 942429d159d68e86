//! Tables I to III, the paper's figure beside ours.

use super::paper::{FOUR, SINGLE, TRAINS};
use super::runs::{corrected, plain, trial};
use crate::contact::{Integrator, Release};

/// Ours in as many places as tell something.
fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:.2e}") } else { format!("{value:.4}") }
}

fn side_by_side(printed: &str, ours: f64) -> String {
    format!("{printed:>9} |{:>10}", short(ours))
}

/// Print all of them.
pub fn print() {
    for ((case, printed), table) in SINGLE.iter().zip(["I", "II(a)", "II(b)"]) {
        println!("\nTable {table}: {} (printed | ours), %", case.name);
        println!("{:>18}  {:>20} {:>20} {:>20}", "", "dev(x)", "err(v_out)", "dev(H)");
        for ((name, integrator), row) in FOUR.into_iter().zip(printed) {
            let trial = trial(case, plain(case, integrator), 1);
            let got = trial.run();
            let err = 100.0 * (got.v_out / trial.v_out_exact() - 1.0);
            let [x, v, h] = row;
            println!(
                "{name:>18}  {} {} {}",
                side_by_side(x, got.dev_x_pct),
                side_by_side(v, err),
                side_by_side(h, got.dev_h_pct)
            );
        }
        for (name, settings) in [
            ("Verlet corrected", corrected(case, Integrator::Verlet, Release::Exact)),
            ("Exact", corrected(case, Integrator::Exact, Release::Exact)),
            ("Passive", plain(case, Integrator::Passive)),
        ] {
            let trial = trial(case, settings, 1);
            let got = trial.run();
            let err = 100.0 * (got.v_out / trial.v_out_exact() - 1.0);
            println!(
                "{name:>18}  {} {} {}",
                side_by_side("", got.dev_x_pct),
                side_by_side("", err),
                side_by_side("", got.dev_h_pct)
            );
        }
    }
    println!(
        "\nerr(v_out) of Table II(b) was printed against v~_out, ours is against the root of (6)."
    );
    for ((case, printed), table) in TRAINS.iter().zip(["III(a)", "III(b)"]) {
        println!("\nTable {table}: 100 rebounds, {} (printed | ours), %", case.name);
        println!("{:>26}  {:>20} {:>20}", "", "accumulated err", "max dev(H)");
        for ((name, integrator), [err, dev]) in FOUR.into_iter().zip(printed) {
            let got = trial(case, plain(case, integrator), 100).run();
            println!(
                "{name:>26}  {} {}",
                side_by_side(err, got.accumulated_err_pct),
                side_by_side(dev, got.max_dev_h_pct)
            );
        }
        for (name, integrator, release) in [
            ("Verlet, hybrid, v~_out", Integrator::Verlet, Release::Approximate),
            ("Verlet, hybrid, exact", Integrator::Verlet, Release::Exact),
            ("Exact, hybrid, exact", Integrator::Exact, Release::Exact),
        ] {
            let got = trial(case, corrected(case, integrator, release), 100).run();
            println!(
                "{name:>26}  {} {}",
                side_by_side("", got.accumulated_err_pct),
                side_by_side("", got.max_dev_h_pct)
            );
        }
    }
    println!(
        "\nThe Heun row of Table III and RK4's max dev there do not follow from the printed equations."
    );
}
