//! One frictional contact.

use ictus::random::Random;
use ictus::rigid_body::inertia::{Inertia, Side, inverse_inertia_per_kg};
use ictus::rigid_body::single_point::hodograph::Hodograph;
use ictus::rigid_body::single_point::{Accuracy, Impact, Restitution, Sequence, invariant, solve};

fn impact(seed: usize, nudge: f64) -> Impact {
    let mut chance = Random::new(1000 + seed as u64);
    let mut side = |seed: usize| Side {
        inertia: super::inertia(&mut chance, seed),
        axes: super::attitude(&mut chance).matrix(),
        arm_m: super::vector(&mut chance, 0.2),
    };
    let (one, two) = (side(seed), side(seed / 5));
    let ground = Side { inertia: Inertia::IMMOVABLE, ..two };
    let w = inverse_inertia_per_kg(&one, if seed.is_multiple_of(2) { &two } else { &ground });
    let slow = [1.0, 0.3, 0.05, 2.0][seed % 4];
    let v = super::vector(&mut chance, slow);
    let e = [0.0, 0.3, 0.7, 1.0, 0.5][seed % 5];
    Impact {
        w,
        v_m_per_s: [v[0] * (1.0 + nudge), v[1], -chance.between(0.1, 2.0)],
        mu: [0.1, 0.3, 0.6, 1.2, 0.0, 0.9, 3.0][seed % 7],
        restitution: if seed.is_multiple_of(3) {
            Restitution::Poisson(e)
        } else {
            Restitution::Stronge(e)
        },
    }
}

fn of_sequence(sequence: Sequence) -> f64 {
    match sequence {
        Sequence::Cr => 0.0,
        Sequence::Csr => 1.0,
        Sequence::Scr => 2.0,
    }
}

#[test]
fn one_point() {
    crate::number_snapshots::check(
        "rigid_one_point.txt",
        &super::names("impact", 120),
        |seed, nudge| {
            let impact = impact(seed, nudge);
            let mut numbers = Vec::new();
            let few = |max_steps| Accuracy { max_steps, ..Accuracy::DEFAULT };
            for accuracy in [Accuracy::DEFAULT, few(1), few(3), few(8), few(14)] {
                let got = solve(&impact, &accuracy);
                numbers.extend(got.impulse_ns.iter().chain(&got.v_m_per_s));
                numbers.extend([
                    of_sequence(got.sequence),
                    got.i_zc_ns,
                    got.i_zs_ns.unwrap_or(-1.0),
                ]);
                numbers.extend([f64::from(got.steps), f64::from(u8::from(got.capped))]);
            }
            numbers
        },
    );
}

#[test]
fn hodographs() {
    crate::number_snapshots::check(
        "rigid_hodographs.txt",
        &super::names("flow", 60),
        |seed, nudge| {
            let impact = impact(seed, nudge);
            let flow = Hodograph::new(&impact.w, impact.mu);
            let mut numbers = flow.b.to_vec();
            numbers.extend(flow.d.iter().chain(&flow.grip));
            numbers.extend([
                flow.w_zz,
                flow.stick_gain,
                flow.pace(),
                f64::from(u8::from(flow.sticks())),
            ]);
            for angle in [0.1f64, 1.3, 2.9, 4.4] {
                let s = [angle.cos(), angle.sin()];
                let bearing = flow.bearing(s);
                numbers.extend(flow.times_b(s).iter().chain(&flow.over_b(s)).chain(&flow.rate(s)));
                numbers.extend([bearing.along, bearing.turn, bearing.settling]);
            }
            for way in
                invariant::directions(&flow).into_iter().flatten().chain(invariant::resumed(&flow))
            {
                numbers.extend([way.direction[0], way.direction[1], way.lambda_per_kg]);
            }
            numbers
        },
    );
}
