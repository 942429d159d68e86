//! The contact law, its closed forms, and one step of each integrator.

use crate::number_snapshots;
use ictus::contact::closed_form::Curve;
use ictus::contact::flight::Flight;
use ictus::contact::integrator::passive::{self, Reach};
use ictus::contact::integrator::{self, ContactMotion, Medium};
use ictus::contact::special::{exp_gap, exp_ratio, gamma, log_gap, log_ratio};
use ictus::contact::{HuntCrossley, Integrator, contact_time, release};

const ALPHAS: [f64; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 1.3, 2.2, 3.4];

fn law(seed: usize) -> HuntCrossley {
    HuntCrossley {
        stiffness: 10f64.powf(6.0 + 3.0 * super::chance(seed, 0)),
        mu_s_per_m: [0.0, 0.2, 1.5, 5.0][seed % 4],
        alpha: ALPHAS[seed % 9],
    }
}

#[test]
fn forces() {
    number_snapshots::check("contact_forces.txt", &super::names("law", 36), |seed, nudge| {
        let spring = law(seed).prepare().with_damper([0.0, 20.0][seed / 9 % 2]);
        let x_m = 3e-5 * (1.0 + nudge);
        let unit = spring.elastic_n(x_m);
        let mut numbers = vec![unit, 1e5 * spring.potential_j(x_m)];
        for v in [-3.0, -0.4, 0.0, 0.7] {
            numbers.extend([
                spring.force_n(x_m, v),
                spring.signed_force_n(x_m, v),
                spring.signed_force_n(-x_m, v),
            ]);
        }
        let h_s = 1e-5;
        for share in [-1.2, -0.7, -0.2, -0.02, 0.01, 0.1, 0.4, 3.0] {
            let d_m = share * x_m;
            numbers
                .extend([spring.mean_force_n(x_m, d_m, h_s), spring.discrete_gradient_n(x_m, d_m)]);
            numbers.push(spring.mean_force_n(-x_m, d_m, h_s));
            let grade = spring.from(x_m).force_and_slope(d_m, 1.0 / h_s);
            numbers.extend(
                grade.map_or([-1.0; 2], |grade| [grade.force_n, grade.slope_n_per_m * x_m]),
            );
        }
        let other = spring.eased(0.3);
        numbers.extend([
            other.stiffness() / 1e6,
            other.mu_s_per_m(),
            other.damper_n_s_per_m(),
            other.alpha(),
        ]);
        numbers
    });
}

#[test]
fn closed_forms() {
    number_snapshots::check(
        "contact_closed_forms.txt",
        &super::names("curve", 54),
        |seed, nudge| {
            let (law, mass_kg) = (law(seed), 0.01 + 0.1 * super::chance(seed, 1));
            let v_in = [0.3, 2.0, 9.0, 1e-3, 80.0, 300.0][seed / 9 % 6] * (1.0 + nudge);
            let curve = Curve::new(&law, mass_kg, v_in);
            let spring = law.prepare();
            let halves = contact_time::predict(&curve);
            let mut numbers = vec![
                curve.v_out_m_per_s / v_in,
                curve.elastic_end_m_per_s / v_in,
                curve.loss_j() / (mass_kg * v_in * v_in),
            ];
            let x_max_m = curve.x_max_m();
            numbers.extend([
                x_max_m.log10(),
                halves.in_s.log10(),
                halves.out_s.log10(),
                halves.total_s().log10(),
            ]);
            numbers.push(contact_time::exact(&law, mass_kg, v_in).log10());
            for share in [0.0, 0.01, 0.1, 0.35, 0.6, 0.8, 0.95, 0.999, 1.0] {
                let v = v_in + share * (curve.v_out_m_per_s - v_in);
                numbers.extend([
                    curve.compression_m(v) / x_max_m,
                    curve.hamiltonian_j(v) / (mass_kg * v_in * v_in),
                    curve.elastic_j(v) / (mass_kg * v_in * v_in),
                    curve.compression_after_losing(share * v_in) / x_max_m,
                    curve.compression_before_release(-share * curve.v_out_m_per_s) / x_max_m,
                    curve.lost_of_elastic(share * curve.elastic_end_m_per_s) / v_in,
                    curve.force_n(&spring, v) * x_max_m / (mass_kg * v_in * v_in),
                ]);
            }
            numbers
        },
    );
}

#[test]
fn small_functions() {
    number_snapshots::check(
        "contact_small_functions.txt",
        &super::names("at", 40),
        |seed, nudge| {
            let u = 10f64.powf(-6.0 + 0.2 * seed as f64) * (1.0 + nudge);
            let point = release::exact(u);
            let mut numbers = vec![
                log_gap(u),
                log_gap(-u.min(0.9)),
                exp_gap(u.min(30.0)),
                exp_gap(-u),
                log_ratio(u),
            ];
            numbers.extend([exp_ratio(u.min(30.0)), exp_ratio(-u), gamma(0.5 + u.min(20.0))]);
            numbers.extend([point.restitution, point.remainder, release::v_lim(u)]);
            numbers.push(point.log_remainder);
            numbers
                .extend([0, 1, 2, 3, 4, 7].map(|order| release::approximate_restitution(u, order)));
            if seed > 22 {
                numbers.push(release::approximation_error_pct(u));
            }
            numbers.extend([release::v_out_exact(u, 2.0), release::v_out_approximate(u, 2.0, 3)]);
            numbers.push(contact_time::shape(1.0 + 0.1 * seed as f64));
            numbers
        },
    );
}

/// One step from a random state in a contact, by each integrator.
#[test]
fn steps() {
    number_snapshots::check("contact_steps.txt", &super::names("step", 72), |seed, nudge| {
        let (law, mass_kg, v_in) = (law(seed), 0.02, [0.5, 3.0][seed / 4 % 2]);
        let curve = Curve::new(&law, mass_kg, v_in);
        let spring = law.prepare().with_damper([0.0, 0.0, 5.0][seed % 3]);
        let medium = Medium { spring, mass_kg, gravity_m_per_s2: [0.0, 50.0][seed % 2], curve };
        let x_max_m = curve.x_max_m();
        let h_s = [0.02, 0.3, 1.2][seed / 24] * x_max_m / v_in;
        let mut numbers = Vec::new();
        for share in [0.0, 0.05, 0.3, 0.55, 0.9, 0.995] {
            let a = share * curve.elastic_end_m_per_s;
            let lost = curve.lost_of_elastic(a);
            let v = v_in - lost;
            let x_m = (1.0 + nudge) * curve.compression_m(v);
            let motion = ContactMotion {
                x_m,
                v_m_per_s: v,
                lost_m_per_s: lost,
                carried_n: spring.elastic_n(x_m),
                ..ContactMotion::default()
            };
            for method in Integrator::ALL.into_iter().filter(|method| *method != Integrator::Exact)
            {
                let after = integrator::step(method, &medium, &motion, h_s);
                numbers.extend([
                    after.x_m / x_max_m,
                    after.v_m_per_s / v_in,
                    after.lost_m_per_s / v_in,
                ]);
                numbers.extend([
                    after.carried_n * x_max_m / (mass_kg * v_in * v_in),
                    super::flag(after.unsettled),
                ]);
            }
        }
        numbers
    });
}

#[test]
fn passive_steps() {
    number_snapshots::check(
        "contact_passive_steps.txt",
        &super::names("reach", 90),
        |seed, nudge| {
            let spring = law(seed).prepare().with_damper([0.0, 30.0][seed / 2 % 2]);
            let x_m = [2e-5, -1e-5, 1e-6, 3e-4, 0.0][seed % 5];
            let mut numbers = Vec::new();
            for free in [0.01, -0.02, 0.6, -0.5, 3.0, -2.0] {
                for mobility_m_per_n in [1e-13, 1e-9, 1e-5] {
                    let guess_n = spring.elastic_n(x_m) * super::chance(seed, 2);
                    let free_m = free * (1e-5 + x_m.abs()) * (1.0 + nudge);
                    let reach = Reach { x_m, free_m, mobility_m_per_n, h_s: 2e-6, guess_n };
                    for push in [passive::solve(&spring, &reach), passive::follow(&spring, &reach)]
                    {
                        numbers.extend([
                            push.force_n * mobility_m_per_n / free_m,
                            push.change_m / free_m,
                        ]);
                        numbers.push(super::flag(push.settled));
                    }
                }
            }
            numbers
        },
    );
}

#[test]
fn flights() {
    number_snapshots::check("contact_flights.txt", &super::names("flight", 30), |seed, nudge| {
        let height_m = [0.3, 0.0, -0.01, 2.0, 1e-4][seed % 5];
        let v = [1.0, -2.0, 0.0, -0.3, 5.0, -20.0][seed % 6] * (1.0 + nudge);
        let Some(flight) = Flight::falling(height_m, v, [9.81, 0.0, 200.0][seed / 10]) else {
            return vec![-1.0];
        };
        let mut numbers = vec![flight.duration_s, flight.landing_m_per_s];
        let mut late = flight.after_way_out(0.01);
        late.begin_after(0.0003);
        let dt_s = 1.0 / 44_100.0;
        numbers.extend([
            late.left_s(dt_s),
            late.whole_samples(100, dt_s) as f64,
            late.whole_samples(1 << 40, dt_s) as f64,
        ]);
        late.pass(17);
        numbers.extend([late.left_s(dt_s), late.whole_samples(1 << 40, dt_s) as f64]);
        numbers
    });
}
