use super::*;
use crate::contact::HuntCrossley;

const H_S: f64 = 1e-6;

fn amended(lean_m: f64) -> Amended {
    Amended::new(Basis::new(H_S, 0.01, 0.5 * H_S * H_S / 0.02, lean_m))
}

fn push(force_n: f64, change_m: f64) -> Push {
    Push { force_n, change_m, settled: true }
}

#[test]
fn masses_act_in_series() {
    let Basis { per_mass_per_kg, .. } = amended(0.0).basis;
    assert!((per_mass_per_kg - (1.0 / 0.01 + 1.0 / 0.02)).abs() < 1e-9);
    assert_eq!(amended(0.0).steps_of(32.0 * H_S), 32);
}

#[test]
fn a_way_is_gone_when_the_motion_says_so() {
    let motion = Motion([2.0, -3e4, 4e9]);
    let t = 7e-6;
    let way_m = t * (2.0 - 1.5e4 * t + 4e9 / 6.0 * t * t);
    let (at_s, v) = motion.at(way_m, way_m / 2.0, 1e-5).expect("within");
    assert!((at_s / t - 1.0).abs() < 1e-9, "{at_s}");
    assert!((v - (2.0 - 3e4 * t + 2e9 * t * t)).abs() < 1e-9, "{v}");
    assert_eq!(motion.at(way_m, way_m / 2.0, 6e-6), None, "later than that");
    assert_eq!(Motion([-1.0, 0.0, 0.0]).at(1e-6, 1e-6, 1.0), None, "it goes the other way");
    assert_eq!(Motion([0.0; 3]).at(1e-6, 1e-6, 1.0), None, "it does not move");
    assert_eq!(Motion([1.0, -1e6, 0.0]).at(1e-6, 1e-6, 1e-5), None, "it turns before");
}

/// Means of a curve that goes through zero at 0.3 of the step to come.
#[test]
fn a_damper_lets_go_where_its_force_goes_through_zero() {
    let zero = 0.3;
    let force = |t: f64| (zero - t) * (90.0 - 4.0 * t + t * t);
    let integral = |t: f64| 27.0 * t - 91.2 / 2.0 * t * t + 4.3 / 3.0 * t * t * t - 0.25 * t.powi(4);
    let until = |last: i32| {
        let steps = (last - 5..last).map(f64::from);
        steps.fold(amended(0.0), |contact, t| contact.after(&push(integral(t + 1.0) - integral(t), -1e-8), 0.0))
    };
    let (share, mean_n) = until(0).letting_go().expect("it does");
    assert!((share - zero).abs() < 1e-9 && force(share).abs() < 1e-6, "{share}");
    assert!((mean_n - integral(zero)).abs() < 1e-9, "{mean_n}");
    assert_eq!(until(-1).letting_go(), None, "a step earlier it does not");
    assert_eq!(until(0).after(&push(mean_n, 1e-8), 0.0).letting_go(), None, "it is still pressed in");
    assert_eq!(until(0).after(&push(0.0, -1e-8), 0.0).letting_go(), None, "it has let go");
}

#[test]
fn a_surface_that_leans_changes_the_damping() {
    let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.4, alpha: 1.5 }.prepare();
    let (x_m, change_m, lean_m, grown_m) = (1e-5, 1e-7, 2e-9, 3e-10);
    let steady = |lean_m: f64, grown_m: f64| {
        let first = amended(lean_m - 2.0 * grown_m).after(&push(1.0, change_m), lean_m - grown_m);
        first.after(&push(1.0, change_m), lean_m)
    };
    assert_eq!(steady(0.0, 0.0).law(&spring, x_m), spring, "nothing leans");
    assert_eq!(amended(lean_m).law(&spring, x_m), spring, "nothing is known of the last steps");
    let middle_m = x_m + 0.5 * change_m;
    let mean_m = lean_m + 0.5 * grown_m;
    let stopping = H_S * 150.0 * 0.4 * spring.elastic_n(middle_m);
    let more = 1.5 * mean_m / middle_m + (grown_m + stopping * mean_m) / change_m;
    let share = steady(lean_m, grown_m).law(&spring, x_m).mu_s_per_m() / 0.4;
    assert!((share - 1.0 - more).abs() < 1e-12, "{share}");
    let wild = steady(1e-3, 0.0).law(&spring, x_m).mu_s_per_m() / 0.4;
    assert!((wild - 1.5).abs() < 1e-12, "{wild}");
}

#[test]
fn a_damper_is_more_of_one_while_the_spring_is_stiff() {
    let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha: 1.5 }.prepare().with_damper(3.0);
    let contact = amended(0.0).after(&push(1.0, 1e-7), 0.0).after(&push(1.0, 1e-7), 0.0);
    let slope = 1.5 * spring.elastic_n(1.005e-5) / 1.005e-5;
    let stopping = H_S * 150.0 * 3.0;
    let more = (3.0 * H_S * H_S * 150.0 * slope - stopping * stopping) / 12.0;
    let share = contact.law(&spring, 1e-5).damper_n_s_per_m() / 3.0;
    assert!((share - 1.0 - more).abs() < 1e-12, "{share}");
    let softer = contact.basis.amend(&spring).stiffness() / 1e8;
    assert!((softer - (1.0 - stopping * stopping / 12.0)).abs() < 1e-12, "{softer}");
    let jump_m = contact.jump_m(contact.jump_n_s2(3.0, 0.5));
    assert!((jump_m - 150.0 * 1.5 * H_S * H_S / 12.0).abs() < 1e-24);
}
