//! Example 4 of PLUS: a triple pendulum with a sphere that strikes the ground.
//!
//! Three pinned cylinders of 1 m, 0.1 m in radius and 1 kg hang 2 m above the ground, at the end a
//! sphere of 0.25 m and 1 kg. The paper does not define the zero of the angles. Here the
//! first is measured from straight down and the others from the link before, because then the
//! sphere slides throughout, as in the paper.

// Indices are clearer than iterators for matrices.
#![allow(clippy::needless_range_loop)]

use crate::rigid_body::simultaneous::Contacts;

const LENGTH_M: f64 = 1.0;
const CYLINDER_RADIUS_M: f64 = 0.1;
const SPHERE_RADIUS_M: f64 = 0.25;
const MASS_KG: f64 = 1.0;
const PIVOT_M: f64 = 2.0;
const GRAVITY_M_PER_S2: f64 = 9.81;
const FRICTION: f64 = 0.1;

type Three = [f64; 3];

/// Angles and their rates.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// From straight down, rad.
    pub angle_rad: Three,
    /// Their rates, rad/s.
    pub rate_rad_per_s: Three,
}

/// Result of a collision simulated in time.
pub struct Trajectory {
    /// Final speed of the sphere's lowest point away from the ground, m/s.
    pub v_z_m_per_s: f64,
    /// Steps taken.
    pub steps: u32,
}

impl State {
    /// The initial state of the paper.
    pub fn start() -> Self {
        use std::f64::consts::PI;
        let joints = [PI / 4.0, 3.0 * PI / 4.0, 5.0 * PI / 6.0];
        let angle_rad = [joints[0], joints[0] + joints[1], joints.iter().sum()];
        Self { angle_rad, rate_rad_per_s: [0.0; 3] }
    }

    /// The state at the first contact.
    pub fn at_impact() -> Option<Self> {
        let step_s = 1e-5;
        let mut now = Self::start();
        for _ in 0..1_000_000 {
            let next = now.next_state(step_s, [0.0; 2]);
            if next.gap_m() <= 0.0 {
                return Some(now);
            }
            now = next;
        }
        None
    }

    /// Height of the sphere's lowest point, m.
    fn gap_m(&self) -> f64 {
        PIVOT_M
            - self.angle_rad.iter().map(|angle| LENGTH_M * angle.cos()).sum::<f64>()
            - SPHERE_RADIUS_M
    }

    /// Derivative of the lowest point by the angles, along the ground and up.
    fn jacobian(&self) -> [Three; 2] {
        let mut along = self.angle_rad.map(|angle| LENGTH_M * angle.cos());
        along[2] += SPHERE_RADIUS_M;
        [along, self.angle_rad.map(|angle| LENGTH_M * angle.sin())]
    }

    /// Velocity of the lowest point, m/s.
    fn velocity(&self) -> [f64; 2] {
        self.jacobian().map(|row| (0..3).map(|i| row[i] * self.rate_rad_per_s[i]).sum())
    }

    fn mass_matrix(&self) -> [Three; 3] {
        let mut m = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = coupling_kg_m2(i, j) * (self.angle_rad[i] - self.angle_rad[j]).cos();
            }
            m[i][i] += MASS_KG * (3.0 * CYLINDER_RADIUS_M.powi(2) + LENGTH_M.powi(2)) / 12.0;
        }
        m[2][2] += 0.4 * MASS_KG * SPHERE_RADIUS_M.powi(2);
        m
    }

    /// Angular accelerations under gravity and a force (N, along and up) at the lowest point.
    fn acceleration(&self, force_n: [f64; 2]) -> Three {
        let [along, up] = self.jacobian();
        let push = std::array::from_fn(|i| {
            let centrifugal: f64 = (0..3)
                .map(|j| {
                    coupling_kg_m2(i, j)
                        * (self.angle_rad[i] - self.angle_rad[j]).sin()
                        * self.rate_rad_per_s[j].powi(2)
                })
                .sum();
            // Half of this link, all later links and the sphere.
            let load_kg = MASS_KG * (3.5 - i as f64);
            let weight = GRAVITY_M_PER_S2 * LENGTH_M * load_kg * self.angle_rad[i].sin();
            along[i] * force_n[0] + up[i] * force_n[1] - centrifugal - weight
        });
        solve_linear(self.mass_matrix(), push)
    }

    /// One step of semi-implicit Euler.
    fn next_state(&self, step_s: f64, force_n: [f64; 2]) -> Self {
        let change = self.acceleration(force_n);
        let rate_rad_per_s = std::array::from_fn(|i| self.rate_rad_per_s[i] + step_s * change[i]);
        let angle_rad = std::array::from_fn(|i| self.angle_rad[i] + step_s * rate_rad_per_s[i]);
        Self { angle_rad, rate_rad_per_s }
    }

    /// The sphere's lowest point as a contact of PLUS, without motion across the plane.
    pub fn contacts(&self) -> Contacts {
        let rows = self.jacobian();
        let mut contacts = Contacts::new();
        contacts.points = 1;
        contacts.mu[0] = FRICTION;
        for (i, row) in [(0, 0), (2, 1)] {
            contacts.v_m_per_s[i] = self.velocity()[row];
            let follows = solve_linear(self.mass_matrix(), rows[row]);
            for (j, column) in [(0, 0), (2, 1)] {
                contacts.a[i][j] = (0..3).map(|k| rows[column][k] * follows[k]).sum();
            }
        }
        contacts
    }

    /// Simulates the collision in time, with the Hertz force of a sphere and friction.
    pub fn collide(&self, e_star_pa: f64, step_s: f64) -> Trajectory {
        let stiffness = 4.0 / 3.0 * e_star_pa * SPHERE_RADIUS_M.sqrt();
        let zero_m = self.gap_m();
        let mut now = *self;
        for steps in 0..10_000_000 {
            let depth_m = (zero_m - now.gap_m()).max(0.0);
            let [slip, v_z_m_per_s] = now.velocity();
            if depth_m <= 0.0 && v_z_m_per_s > 0.0 {
                return Trajectory { v_z_m_per_s, steps };
            }
            let push_n = stiffness * depth_m.powf(1.5);
            now = now.next_state(step_s, [-FRICTION * push_n * slip.signum(), push_n]);
        }
        Trajectory { v_z_m_per_s: f64::NAN, steps: 10_000_000 }
    }

    /// Estimated contact time, s: the Hertz time of a mass on a spring of this modulus.
    pub fn contact_s(&self, e_star_pa: f64) -> f64 {
        let contacts = self.contacts();
        let (mass_kg, speed) = (1.0 / contacts.a[2][2], -contacts.v_m_per_s[2]);
        let stiffness = 4.0 / 3.0 * e_star_pa * SPHERE_RADIUS_M.sqrt();
        2.94 * (5.0 * mass_kg * speed * speed / (4.0 * stiffness)).powf(0.4) / speed
    }
}

/// Entry i, j of the mass matrix for parallel links, without their own inertia.
fn coupling_kg_m2(i: usize, j: usize) -> f64 {
    let arm = |link: usize, body: usize| match link.cmp(&body) {
        std::cmp::Ordering::Less => LENGTH_M,
        std::cmp::Ordering::Equal => 0.5 * LENGTH_M,
        std::cmp::Ordering::Greater => 0.0,
    };
    let links: f64 = (0..3).map(|body| arm(i, body) * arm(j, body)).sum();
    MASS_KG * (links + LENGTH_M * LENGTH_M)
}

/// Gaussian elimination; the matrix is positive definite.
fn solve_linear(mut m: [Three; 3], mut b: Three) -> Three {
    for step in 0..3 {
        for row in step + 1..3 {
            let share = m[row][step] / m[step][step];
            for column in step..3 {
                m[row][column] -= share * m[step][column];
            }
            b[row] -= share * b[step];
        }
    }
    for step in (0..3).rev() {
        for column in step + 1..3 {
            b[step] -= m[step][column] * b[column];
        }
        b[step] /= m[step][step];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fall_conserves_energy() {
        let energy = |state: &State| {
            let m = state.mass_matrix();
            let rate = state.rate_rad_per_s;
            let kinetic: f64 = (0..3)
                .flat_map(|i| (0..3).map(move |j| (i, j)))
                .map(|(i, j)| 0.5 * m[i][j] * rate[i] * rate[j])
                .sum();
            let height: f64 = (0..3)
                .map(|i| -LENGTH_M * MASS_KG * (3.5 - i as f64) * state.angle_rad[i].cos())
                .sum();
            kinetic + GRAVITY_M_PER_S2 * height
        };
        let (start, end) = (State::start(), State::at_impact().expect("an impact"));
        assert!((energy(&end) - energy(&start)).abs() < 2e-3 * energy(&start).abs().max(10.0));
        assert!(end.velocity()[1] < -0.1 && end.gap_m() >= 0.0);
    }

    #[test]
    fn plus_and_a_stiff_sphere_agree() {
        use crate::rigid_body::simultaneous::{Budget, solve};
        let state = State::at_impact().expect("an impact");
        let got = solve(
            &state.contacts(),
            &super::super::impacts::plus_settings(1.0, 0.01),
            &Budget::STUDY,
        );
        let simulated = state.collide(1e11, state.contact_s(1e11) / 4000.0);
        assert!(
            (got.v_m_per_s[2] / simulated.v_z_m_per_s - 1.0).abs() < 0.02,
            "{} {}",
            got.v_m_per_s[2],
            simulated.v_z_m_per_s
        );
    }
}
