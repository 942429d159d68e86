//! All contacts of a row at once.
//!
//! With d the change of each compression over a step, `d = free - B f(d)`, B tridiagonal: a force moves its own contact by
//! what it moves both its balls, and either neighbour by what it moves the ball between. Newton's step is a tridiagonal
//! system. Forces grow with d, so it is diagonally dominant up to a scaling of its columns, needs no pivots, and settles in
//! three or four rounds from the last forces.

use arrayvec::ArrayVec;

use super::{Forces, MOST_CONTACTS};
use crate::contact::law::{Spring, SpringFrom};

/// Most rounds; what has not settled by then is left to sweeps.
pub const MOST_ROUNDS: u32 = 12;

/// Error of the forces, as a share of the largest, of which the square is lost in rounding.
const NEAR: f64 = 1e-8;

/// What the forces of both neighbours add to a compression, m.
pub fn pushed_m(mobility_m_per_n: &[f64], f: &Forces, contact: usize) -> f64 {
    let before = if contact > 0 { f[contact - 1] } else { 0.0 };
    let after = if contact + 2 < mobility_m_per_n.len() { f[contact + 1] } else { 0.0 };
    mobility_m_per_n[contact] * before + mobility_m_per_n[contact + 1] * after
}

/// A step of a row, or of a part of one that no force reaches into, to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The law of each contact.
    pub springs: &'a [Spring],
    /// Compressions at the start, m.
    pub x_m: &'a [f64],
    /// What each would change by without any force, m.
    pub free_m: &'a [f64],
    /// What a newton moves each ball, m/N: one more than there are contacts.
    pub mobility_m_per_n: &'a [f64],
    /// Length of the step, s.
    pub h_s: f64,
}

/// Forces between no force before the first contact and none after the last.
type Padded = [f64; MOST_CONTACTS + 2];

/// One round: forces and how they grow, what the compressions change by under them, and how far that is from what they are
/// the forces of.
struct Round {
    /// N; contact `i` at `i + 1`.
    f: Padded,
    slope: Forces,
    ways: Forces,
    off_m: f64,
    largest: f64,
    steepest: f64,
    changed: f64,
}

impl Row<'_> {
    /// Forces, from a first guess of them; none if they did not settle.
    pub fn solve(&self, guess_n: &[f64]) -> Option<Forces> {
        let count = self.springs.len().min(MOST_CONTACTS);
        if count == 1 {
            let mut forces = [0.0; MOST_CONTACTS];
            forces[0] = self.solve_one(guess_n[0])?;
            return Some(forces);
        }
        let b = &self.mobility_m_per_n[..=count];
        let from: ArrayVec<SpringFrom, MOST_CONTACTS> =
            self.springs[..count].iter().zip(self.x_m).map(|(spring, &x_m)| spring.from(x_m)).collect();
        let longest = self.free_m[..count].iter().fold(0.0, |most, way| larger(most, way.abs()));
        let noise_m = 4.0 * f64::EPSILON * longest;
        let mut round = Round {
            f: [0.0; MOST_CONTACTS + 2],
            slope: [0.0; MOST_CONTACTS],
            ways: [0.0; MOST_CONTACTS],
            off_m: 0.0,
            largest: 0.0,
            steepest: 0.0,
            changed: 0.0,
        };
        round.f[1..=count].copy_from_slice(&guess_n[..count]);
        let mut d = [0.0; MOST_CONTACTS];
        self.ways(&round.f, &mut d[..count]);
        round.f[1..=count].fill(0.0);
        let mut last_n = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            if !self.look(&mut round, &from, &d[..count]) {
                return None;
            }
            let Round { off_m, largest, steepest, changed, .. } = round;
            // A guess that opens every contact leaves no force to measure by: the next round asks what is so without any.
            let pushes = largest > 0.0;
            if (pushes && off_m * steepest <= 1e-14 * largest) || off_m <= noise_m {
                return Some(unpadded(&round.f));
            }
            if !off_m.is_finite() || (changed >= last_n && off_m * steepest <= 1e-12 * largest) {
                return off_m.is_finite().then(|| unpadded(&round.f));
            }
            last_n = changed;
            let delta = correction(b, &round.slope[..count], &round.ways[..count], &d[..count]);
            for (d, delta) in d[..count].iter_mut().zip(delta) {
                *d += delta;
            }
            // What the next round would bring goes with the square of this one's error: where that is nothing, the slopes
            // say it.
            if pushes && off_m * steepest <= NEAR * largest {
                let Round { f, slope, .. } = &mut round;
                let f = &mut f[1..=count];
                let stays = |i: usize| slope[i] == 0.0 || f[i] + slope[i] * delta[i] > 0.0;
                if (0..count).all(stays) {
                    (0..count).for_each(|i| f[i] += slope[i] * delta[i]);
                    return Some(unpadded(&round.f));
                }
            }
        }
        None
    }

    /// The same for one contact alone.
    fn solve_one(&self, guess_n: f64) -> Option<f64> {
        let (spring, x_m, free_m) = (&self.springs[0], self.x_m[0], self.free_m[0]);
        let mobility = self.mobility_m_per_n[0] + self.mobility_m_per_n[1];
        let from = spring.from(x_m);
        let noise_m = 4.0 * f64::EPSILON * free_m.abs();
        let mut d = free_m - mobility * guess_n;
        let (mut force, mut last_n) = (0.0, f64::INFINITY);
        for _ in 0..MOST_ROUNDS {
            let before = force;
            let slope;
            (force, slope) = force_and_slope(spring, &from, x_m, d, self.h_s);
            let (changed, way) = ((force - before).abs(), free_m - mobility * force);
            let off_m = (d - way).abs();
            if !(force.is_finite() && off_m.is_finite()) {
                return None;
            }
            let (pushes, off_n) = (force > 0.0, off_m * slope);
            let is_right = off_n <= 1e-14 * force || (changed >= last_n && off_n <= 1e-12 * force);
            if (pushes && is_right) || off_m <= noise_m {
                return Some(force);
            }
            last_n = changed;
            let delta = (way - d) / (1.0 + mobility * slope);
            d += delta;
            if pushes && off_n <= NEAR * force && (slope == 0.0 || force + slope * delta > 0.0) {
                return Some(force + slope * delta);
            }
        }
        None
    }

    /// Forces for changes `d`, and what would come of them. Says no if they are no numbers.
    fn look(&self, round: &mut Round, from: &[SpringFrom], d: &[f64]) -> bool {
        (round.largest, round.steepest, round.changed) = (0.0, 0.0, 0.0);
        let mut all_n = 0.0;
        for (i, (from, &d)) in from.iter().zip(d).enumerate() {
            let before = round.f[i + 1];
            let (force, slope) = force_and_slope(&self.springs[i], from, self.x_m[i], d, self.h_s);
            (round.f[i + 1], round.slope[i]) = (force, slope);
            round.changed = larger(round.changed, (force - before).abs());
            round.largest = larger(round.largest, force);
            round.steepest = larger(round.steepest, slope);
            all_n += force;
        }
        self.ways(&round.f, &mut round.ways[..d.len()]);
        round.off_m = d.iter().zip(&round.ways).fold(0.0, |most, (d, way)| larger(most, (d - way).abs()));
        all_n.is_finite()
    }

    /// What the compressions change by under forces, m.
    fn ways(&self, f: &Padded, ways: &mut [f64]) {
        let near = self.free_m.iter().zip(self.mobility_m_per_n.windows(2)).zip(f.windows(3));
        for (way, ((free_m, b), f)) in ways.iter_mut().zip(near) {
            *way = free_m + (b[0] * f[0] + b[1] * f[2]) - (b[0] + b[1]) * f[1];
        }
    }
}

/// `(1 + B diag(slope)) delta = ways - d`, by elimination downwards and back.
fn correction(b: &[f64], slope: &[f64], ways: &[f64], d: &[f64]) -> Forces {
    let mut upper = [0.0; MOST_CONTACTS];
    let mut delta = [0.0; MOST_CONTACTS];
    let (mut above, mut found, mut steep) = (0.0, 0.0, 0.0);
    for (i, b) in b.windows(2).enumerate() {
        let left = -b[0] * steep;
        steep = slope[i];
        let per_pivot = 1.0 / (1.0 + (b[0] + b[1]) * steep - left * above);
        above = slope.get(i + 1).map_or(0.0, |next| -b[1] * next * per_pivot);
        found = (ways[i] - d[i] - left * found) * per_pivot;
        (upper[i], delta[i]) = (above, found);
    }
    let mut after = 0.0;
    for (delta, upper) in delta[..slope.len()].iter_mut().zip(upper).rev() {
        *delta -= upper * after;
        after = *delta;
    }
    delta
}

/// Mean force of a contact over the step, N, and how it grows with d, N/m: `g' = (V'(x + d) - g)/d`, and what the
/// dampings add to it. The force is that of [`SpringFrom::mean_force_n`].
#[inline]
fn force_and_slope(spring: &Spring, from: &SpringFrom, x: f64, d: f64, h: f64) -> (f64, f64) {
    if x <= 0.0 && x + d <= 0.0 {
        return (0.0, 0.0);
    }
    let (mu, c) = (spring.mu_s_per_m() / h, spring.damper_n_s_per_m());
    let damping = 1.0 + mu * d;
    if damping <= 0.0 {
        return (0.0, 0.0);
    }
    let gradient = from.gradient_n(d);
    let rise = if d.abs() > 1e-4 * x.abs() {
        (spring.elastic_n(x + d) - gradient) / d
    } else {
        0.5 * spring.alpha() * gradient / x
    };
    let slope = larger(0.0, rise * damping + gradient * mu);
    if c == 0.0 {
        return (gradient * damping, slope);
    }
    let within_m = if x > 0.0 { d } else { x + d };
    let force = gradient * damping + c * within_m / h;
    if force > 0.0 { (force, slope + c / h) } else { (0.0, 0.0) }
}

/// The larger of two numbers; the first where the second is none. One instruction, other than `f64::max`.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn unpadded(f: &Padded) -> Forces {
    let mut forces = [0.0; MOST_CONTACTS];
    forces.copy_from_slice(&f[1..=MOST_CONTACTS]);
    forces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;
    use crate::rigid::chain::sweep::sweep;
    use crate::rigid::shape::Chance;

    const H_S: f64 = 1e-5;

    /// Contacts of several exponents, with and without damping, some just touching and some deep in.
    fn springs() -> [Spring; 5] {
        let law = |alpha, mu_s_per_m| HuntCrossley { stiffness: 2e7, mu_s_per_m, alpha }.prepare();
        [law(1.5, 0.0), law(1.5, 0.4), law(2.0, 0.1), law(1.0, 0.0).with_damper(2.0), law(1.5, 0.0)]
    }

    const X_M: [f64; 5] = [4e-5, -1e-7, 2e-5, 1e-6, -3e-6];
    const FREE_M: [f64; 5] = [6e-6, 5e-6, -4e-6, 8e-6, 9e-6];
    const MOBILITY_M_PER_N: [f64; 6] = [2.5e-9, 5e-9, 2.5e-9, 1e-9, 5e-9, 2.5e-9];

    fn row(springs: &[Spring]) -> Row<'_> {
        let count = springs.len();
        Row {
            springs,
            x_m: &X_M[..count],
            free_m: &FREE_M[..count],
            mobility_m_per_n: &MOBILITY_M_PER_N[..=count],
            h_s: H_S,
        }
    }

    /// Forces are those of the ways that they themselves bring about.
    #[test]
    fn every_contact_keeps_its_law() {
        let springs = springs();
        for count in 1..=springs.len() {
            let row = row(&springs[..count]);
            let f = row.solve(&[0.0; 5][..count]).expect("Newton's method settles");
            let b = row.mobility_m_per_n;
            for i in 0..count {
                let d_m = row.free_m[i] + pushed_m(b, &f, i) - (b[i] + b[i + 1]) * f[i];
                let own_n = springs[i].mean_force_n(row.x_m[i], d_m, H_S);
                assert!((own_n - f[i]).abs() <= 1e-10 * f[i], "{count} contacts, {i}: {own_n} N, not {} N", f[i]);
            }
            assert!(f[0] > 0.0 && f[count..].iter().all(|f| *f == 0.0));
        }
    }

    /// The last step's force may be far more than this one's: it opened the contact in thought, and no force came back.
    #[test]
    fn a_strong_guess_does_not_hide_a_contact_that_closes() {
        let spring = HuntCrossley { stiffness: 2e7, mu_s_per_m: 3.0, alpha: 1.5 }.prepare();
        let (springs, mobility_m_per_n) = ([spring; 3], [1.6e-7, 5.4e-7, 1.6e-7, 5.4e-7]);
        for count in 1..=3 {
            let row = Row {
                springs: &springs[..count],
                x_m: &[0.0, -1e-9, 0.0][..count],
                free_m: &[7.1e-8, 6e-8, 5e-8][..count],
                mobility_m_per_n: &mobility_m_per_n[..=count],
                h_s: H_S,
            };
            let (weak, strong) = (row.solve(&[0.0; 3][..count]), row.solve(&[30.0; 3][..count]));
            let (weak, strong) = (weak.expect("it settles"), strong.expect("it settles"));
            for i in 0..count {
                assert!(weak[i] > 1e-5, "{count} contacts, {i}: it closes, with {} N", weak[i]);
                assert!((strong[i] / weak[i] - 1.0).abs() < 1e-9, "{count} contacts, {i}: {} {}", strong[i], weak[i]);
            }
        }
    }

    /// The slope is how the force grows, or Newton's method would not be that fast.
    #[test]
    fn the_slope_is_that_of_the_force() {
        for (spring, d) in springs().iter().flat_map(|spring| [3e-6, -4e-7].map(|d| (spring, d))) {
            let (x, step) = (1e-5, 1e-10);
            let from = spring.from(x);
            let (force, slope) = force_and_slope(spring, &from, x, d, H_S);
            let ahead = force_and_slope(spring, &from, x, d + step, H_S).0;
            let behind = force_and_slope(spring, &from, x, d - step, H_S).0;
            let measured = (ahead - behind) / (2.0 * step);
            assert!(force > 0.0 && (slope / measured - 1.0).abs() < 1e-4, "d {d} m: {slope}, measured {measured} N/m");
        }
    }

    #[test]
    fn sweeps_end_at_the_same_forces() {
        let springs = springs();
        for count in 1..=springs.len() {
            let row = row(&springs[..count]);
            let at_once = row.solve(&[0.0; 5][..count]).expect("Newton's method settles");
            let (f, settled) = sweep(&row, &[0.0; 5][..count]);
            let largest = at_once.iter().fold(0.0f64, |most, f| most.max(*f));
            assert!(settled, "{count} contacts");
            for i in 0..count {
                assert!((f[i] - at_once[i]).abs() <= 1e-9 * largest, "{count} contacts, {i}: {} {}", f[i], at_once[i]);
            }
        }
    }

    /// Rows by chance, soft and stiff, open and closed, with guesses that are none, rough, and all but right.
    fn by_chance(each: &mut impl FnMut(&Row, &[f64])) {
        let mut chance = Chance::new(3);
        for case in 0..3000 {
            let count = 1 + case % 5;
            let springs: [Spring; 5] = std::array::from_fn(|i| {
                let (alpha, mu) = ([1.5, 1.0, 2.0, 1.5, 2.5][(case + i) % 5], [0.0, 0.4, 3.0][(case / 5 + i) % 3]);
                let law = HuntCrossley { stiffness: 2e7, mu_s_per_m: mu, alpha }.prepare();
                if (case + i) % 7 == 3 { law.with_damper(2.0) } else { law }
            });
            let x_m: [f64; 5] =
                std::array::from_fn(|i| [4e-5, -1e-6, 1e-6, 0.0, 1e-5][(case / 3 + i) % 5] * chance.unit());
            let free_m: [f64; 5] = std::array::from_fn(|_| chance.between(-1.0, 1.0) * [1e-5, 1e-7, 4e-5][case % 3]);
            let mobility_m_per_n: [f64; 6] =
                std::array::from_fn(|_| chance.unit() * [5e-9, 1e-6, 1e-11][case / 15 % 3]);
            let row = Row {
                springs: &springs[..count],
                x_m: &x_m[..count],
                free_m: &free_m[..count],
                mobility_m_per_n: &mobility_m_per_n[..=count],
                h_s: H_S,
            };
            each(&row, &[0.0; 5][..count]);
            if let Some(near) = row.solve(&[0.0; 5][..count]) {
                each(&row, &near[..count]);
                each(&row, &near.map(|f| 0.7 * f)[..count]);
                each(&row, &near.map(|f| f * (1.0 + 1e-5))[..count]);
                each(&row, &near.map(|f| f * (1.0 - 1e-9) + 1e-9)[..count]);
            }
        }
    }

    #[test]
    fn by_chance_every_contact_keeps_its_law() {
        let (mut settled, mut all) = (0, 0);
        by_chance(&mut |row, guess| {
            all += 1;
            let Some(f) = row.solve(guess) else { return };
            settled += 1;
            let (count, b) = (row.springs.len(), row.mobility_m_per_n);
            let largest = f.iter().fold(0.0f64, |most, f| most.max(*f));
            for i in 0..count {
                let d_m = row.free_m[i] + pushed_m(b, &f, i) - (b[i] + b[i + 1]) * f[i];
                let off_n = row.springs[i].mean_force_n(row.x_m[i], d_m, H_S) - f[i];
                // A stiff law magnifies the last digit of the way.
                let (ahead, slope) = (row.springs[i].from(row.x_m[i]), 1e-9);
                let steep =
                    (ahead.mean_force_n(d_m + slope, H_S) - ahead.mean_force_n(d_m - slope, H_S)) / (2.0 * slope);
                let way_m = row.free_m[i].abs() + b[i] * largest + b[i + 1] * largest;
                let allowed = 1e-12 * largest + 1e-14 * steep.max(0.0) * way_m;
                assert!(off_n.abs() <= allowed, "{row:?} {guess:?}: {i} is off by {off_n} N of {f:?}");
            }
        });
        assert!(settled * 100 > 95 * all, "{settled} of {all}");
    }

    /// No function of a library is in it, so that every machine has the same bits: they tell of each round. Other bits may be
    /// as good; then say why, and take them.
    #[test]
    fn a_search_takes_the_same_way_as_ever() {
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        let mut put = |value: f64| digest = (digest ^ value.to_bits()).wrapping_mul(0x100_0000_01b3);
        by_chance(&mut |row, guess| {
            for f in row.solve(guess).unwrap_or([-1.0; MOST_CONTACTS]) {
                put(f);
            }
            let (swept, settled) = sweep(row, guess);
            swept.iter().for_each(|f| put(*f));
            put(f64::from(u8::from(settled)));
        });
        assert_eq!(digest, 0xe3a7_0681_a8ca_a106, "{digest:#x}");
    }

    #[test]
    fn what_is_no_number_has_no_forces() {
        let springs = springs();
        for count in 1..=springs.len() {
            for wild in [f64::NAN, f64::INFINITY] {
                let free_m = [wild; 5];
                let row = Row { free_m: &free_m[..count], ..row(&springs[..count]) };
                assert_eq!(row.solve(&[0.0; 5][..count]), None, "{count} contacts, {wild}");
            }
        }
    }

    /// No force pulls a row apart, and none lies beyond its ends.
    #[test]
    fn neighbours_push_a_contact_and_nothing_else_does() {
        let mut f = [0.0; MOST_CONTACTS];
        f[..4].copy_from_slice(&[1.0, 10.0, 100.0, 1000.0]);
        let b = [0.1, 0.2, 0.3, 0.4, 0.5];
        let pushed = [0, 1, 2, 3].map(|i| pushed_m(&b, &f, i));
        for (got, wanted) in pushed.iter().zip([2.0, 0.2 + 30.0, 3.0 + 400.0, 40.0]) {
            assert!((got - wanted).abs() < 1e-12, "{pushed:?}");
        }
    }
}
