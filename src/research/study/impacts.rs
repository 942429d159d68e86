//! The impacts of the two papers on impacts in three dimensions, for tables and figures.

use crate::rigid_body::inertia::{Inertia, mobility_per_kg};
use crate::rigid_body::simultaneous::{Contacts, Cor, ImpactSettings};
use crate::rigid_body::single_point::hodograph::{Hodograph, Vec2, norm2};
use crate::rigid_body::single_point::{Impact, Restitution};
use crate::rigid_body::vector::{Mat3, Vec3};

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
pub struct JiaCase {
    /// The paper's figure, or what collides.
    pub name: &'static str,
    /// Which impact.
    pub impact: Impact,
    /// The sequence that the paper prints; its l names a tolerance.
    pub printed: &'static str,
}

fn icosa(name: &'static str, slip: Vec2, v_z: f64, mu: f64, printed: &'static str) -> JiaCase {
    let v_m_per_s = [slip[0], slip[1], v_z];
    JiaCase {
        name,
        impact: Impact { w: ICOSA_W, v_m_per_s, mu, restitution: Restitution::Stronge(0.95) },
        printed,
    }
}

/// Those of the figures.
pub fn jia() -> [JiaCase; 8] {
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

/// The pin and the ball of Table 1.
pub fn pin_ball() -> Impact {
    let v_m_per_s = [-0.20691338, 0.1176551, -1.50690298];
    Impact { w: PIN_W, v_m_per_s, mu: 0.7, restitution: Restitution::Stronge(0.7) }
}

/// A point of a course of fixed steps.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Impulse so far, N s.
    pub impulse_ns: Vec3,
    /// Slip, m/s.
    pub slip_m_per_s: Vec2,
}

/// The impact by Euler steps of normal impulse of one length and nothing else, as was done before
/// Jia and Wang: their NI. The slip is taken as gone, and the contact as sticking, where a step
/// would turn it round.
pub fn fixed_steps(impact: &Impact, step_ns: f64, mut watch: impl FnMut(&Point)) -> (Vec3, u32) {
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
pub fn example_1(mu: f64) -> Contacts {
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
pub fn example_2(edges_m: Vec3) -> Contacts {
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

/// A row of `balls` of 1 kg, the first `count` of them at 2 m/s; of Example 3 with five and one.
pub fn row(balls: usize, count: usize) -> Contacts {
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
