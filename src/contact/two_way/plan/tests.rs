use super::super::{Reach, Spring};
use super::*;
use crate::contact::HuntCrossley;
use crate::contact::integrator::passive::Push;

/// A surface on a parabola: it goes `v t + a t^2/2` away in the next t.
struct Swing {
    v: f64,
    a: f64,
    h_s: f64,
}

impl Ground for Swing {
    fn prepare(&mut self, steps: u32, dt_s: f64) {
        self.h_s = dt_s / f64::from(steps);
    }
    fn free_m(&self, _: usize) -> f64 {
        self.v * self.h_s + 0.5 * self.a * self.h_s * self.h_s
    }
    fn mobility_m_per_n(&self, _: usize, _: usize) -> f64 {
        0.0
    }
    fn push(&mut self, _: &[f64; SEATS]) {}
    fn displacement_m(&self, _: usize) -> f64 {
        0.0
    }
    fn outlook(&self, _: usize) -> Outlook {
        Outlook::default()
    }
    fn unrest_m_per_s2(&self, _: usize) -> f64 {
        self.a.abs()
    }
    fn per_mass_per_kg(&self, _: usize, _: f64) -> f64 {
        0.0
    }
    fn energy_j(&self) -> f64 {
        0.0
    }
}

/// Something that goes straight on with 1 m/s, from a gap.
struct Straight {
    gap_m: f64,
    spring: Spring,
}

impl Straight {
    fn new(gap_m: f64) -> Self {
        Self { gap_m, spring: HuntCrossley { stiffness: 1e6, mu_s_per_m: 0.0, alpha: 1.5 }.prepare() }
    }
}

impl Rider for Straight {
    fn steps_wanted(&mut self, _: &Outlook, _: super::super::Lightness<'_>, _: f64) -> Option<u32> {
        Some(5)
    }
    fn steps_needed(&self, wanted: u32) -> u32 {
        wanted / 2
    }
    fn gap_after_m(&self, surface_m: f64, h_s: f64) -> f64 {
        self.gap_m + surface_m - h_s
    }
    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach {
        Reach { x_m: -self.gap_m, free_m: h_s - surface_m, mobility_m_per_n: 0.0, h_s, guess_n: 0.0 }
    }
    fn spring(&self) -> &Spring {
        &self.spring
    }
    fn accept(&mut self, _: &Push, _: f64) {}
    fn pay(&mut self, _: f64) {}
}

#[test]
fn a_plan_is_in_powers_of_two() {
    let ground = Swing { v: 0.0, a: 0.0, h_s: 1.0 };
    let plan = Plan::new(&mut Straight::new(0.0), &Outlook::default(), &ground, 0, 1.0).expect("it may touch");
    assert_eq!((plan.wanted, plan.needed), (8, 2));
    let more = plan.at_least(4);
    assert_eq!((more.wanted, more.needed), (8, 4));
}

/// With 1 m/s towards a surface that leaves with `a`: the touch is where `g - t + a t^2/2 = 0`, the speed there `sqrt(1 - 2 a g)`,
/// and the deepest point that over a later.
#[test]
fn a_graze_ends_where_the_surface_is_as_fast() {
    let (dt_s, a) = (1e-3, 900.0);
    for gap_m in [0.0, 1e-4, 4e-4] {
        let mut ground = Swing { v: 0.0, a, h_s: dt_s };
        let after_s = graze_s(&Straight::new(gap_m), &mut ground, 0, &[0.0; SEATS], MOST_STEPS, dt_s);
        assert!((after_s / ((1.0 - 2.0 * a * gap_m).sqrt() / a) - 1.0).abs() < 1e-9, "{gap_m}: {after_s}");
    }
    let endless = |v, a, gap_m| {
        graze_s(&Straight::new(gap_m), &mut Swing { v, a, h_s: dt_s }, 0, &[0.0; SEATS], MOST_STEPS, dt_s)
    };
    assert_eq!(endless(0.0, -50.0, 1e-4), f64::INFINITY, "it comes nearer");
    assert_eq!(endless(2.0, 900.0, 1e-4), f64::INFINITY, "it is faster");
    assert_eq!(endless(0.0, 9000.0, 1e-4), f64::INFINITY, "it turns before");
    // The shortest step has a middle, too.
    let short = graze_s(&Straight::new(0.0), &mut Swing { v: 0.0, a, h_s: dt_s }, 0, &[0.0; SEATS], 1, dt_s);
    assert!((short * a - 1.0).abs() < 1e-6, "{short}");
}

#[test]
fn a_step_is_clear_if_no_gap_can_close_in_it() {
    let (dt_s, mut rider) = (1e-3, Straight::new(1e-3));
    let mut clear = |gap_m: f64, v: f64, unrest: f64, step: u32| {
        rider.gap_m = gap_m;
        let riders = [Seated { seat: 2, rider: &mut rider }];
        is_clear(&riders, &mut Swing { v, a: 0.0, h_s: 9.0 }, &[unrest; SEATS], step, dt_s)
    };
    // A whole sample closes 1 mm; unrest bends the way by up to a h^2/8.
    assert!(clear(1.1e-3, 0.0, 0.0, MOST_STEPS) && !clear(0.9e-3, 0.0, 0.0, MOST_STEPS));
    assert!(clear(1.1e-3, 0.0, 790.0, MOST_STEPS) && !clear(1.1e-3, 0.0, 810.0, MOST_STEPS));
    assert!(clear(0.3e-3, 0.0, 0.0, MOST_STEPS / 4) && !clear(0.2e-3, 0.0, 0.0, MOST_STEPS / 4));
    assert!(!clear(0.05e-3, 2.0, 810.0, MOST_STEPS), "it may have closed before");
}
