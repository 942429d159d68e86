//! Bodies that change while they ring.

use std::f64::consts::PI;

use ictus::body::bank::CHUNK;
use ictus::body::material::Damping;
use ictus::body::shape::UserMode;
use ictus::body::{Bank, BodyKind, Drive, Geometry, Listening, MAX_MODES, Modes, Steps, UserModes};
use ictus::contact::Surface;

const DAMPING: Damping = Damping { support_per_s: 2.0, loss_factor: 1e-3, viscous_s: 1e-8 };

#[test]
fn re_tuning_and_re_shaping_a_ringing_body_adds_no_energy() {
    for kind in BodyKind::ALL {
        let [strike, left, right] = kind.spec().usual_points;
        let user =
            UserModes::new(&[UserMode::default(), UserMode { ratio: 2.3, ..UserMode::default() }]);
        let mut modes = Modes::default();
        modes.set_body(&Geometry::of(kind), &user);
        modes.set(200.0, &DAMPING, Listening { left, right }, 48_000.0);
        modes.arrive();
        let mut drive = Drive::default();
        drive.set_gains(&modes.drive_gains(strike, 1.0));
        drive.begin_sample();
        drive.on(&modes, &mut Steps::default()).push(1000.0, 1.0 / 48_000.0);
        let mut bank = Bank::default();
        bank.take(&modes, &drive);
        let mut before = bank.energy_per_mass();
        assert!(before > 0.0);
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        for step in 0..300 {
            let wave = f64::from(step).sin();
            let geometry = Geometry {
                aspect: 1.75 + 0.75 * wave,
                split: 0.01 + 0.01 * wave,
                inharmonicity: 0.05 + 0.05 * wave,
                count: 128.0 + 127.0 * wave,
                ..Geometry::of(kind)
            };
            modes.set_body(&geometry, &user);
            modes.set(
                200.0 * (1.0 + 0.9 * wave),
                &DAMPING,
                Listening { left: right, right: left },
                48_000.0,
            );
            modes.arrive();
            bank.process(&mut modes, &mut l, &mut r);
            let after = bank.energy_per_mass();
            assert!(after <= before, "{}, step {step}: {before} -> {after}", kind.name());
            before = after;
        }
    }
}

#[test]
fn a_body_changes_into_any_other_while_it_rings() {
    let mut modes = Modes::default();
    let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
    let mut bank = Bank::default();
    for kind in BodyKind::ALL.into_iter().chain(BodyKind::ALL.into_iter().rev()) {
        modes.set_body(&Geometry::of(kind), &UserModes::default());
        let [strike, left, right] = kind.spec().usual_points;
        modes.set(440.0, &DAMPING, Listening { left, right }, 48_000.0);
        let mut drive = Drive::default();
        drive.set_gains(&modes.drive_gains(strike, 1.0));
        drive.begin_sample();
        drive.on(&modes, &mut Steps::default()).push(100.0, 1.0 / 48_000.0);
        bank.take(&modes, &drive);
        bank.process(&mut modes, &mut l, &mut r);
        modes.arrive();
        assert!(bank.settle(&modes, 1.0).is_finite(), "{}", kind.name());
        assert!(l.iter().chain(&r).all(|x| x.is_finite()));
    }
}

#[test]
fn modes_leave_the_band_and_the_count_gradually() {
    for kind in BodyKind::ALL {
        let [_, left, right] = kind.spec().usual_points;
        let mut last: Option<Vec<f64>> = None;
        let mut modes = Modes::default();
        for step in 0..4000 {
            let t = f64::from(step) / 4000.0;
            modes.set_body(
                &Geometry { count: 1.0 + 60.0 * t, ..Geometry::of(kind) },
                &UserModes::default(),
            );
            // Two octaves in 4000 steps.
            modes.set(300.0 * (2.0 * t).exp2(), &DAMPING, Listening { left, right }, 44_100.0);
            let top = (0..MAX_MODES).map(|i| modes.omega[i]).fold(0.0, f64::max) / (2.0 * PI);
            assert!(top <= 0.45 * 44_100.0, "{}: {top} Hz", kind.name());
            let presence: Vec<f64> = modes.presence.to_vec();
            if let Some(last) = last {
                for (mode, (a, b)) in last.iter().zip(&presence).enumerate() {
                    assert!((a - b).abs() < 0.05, "{}, mode {mode}: {a} -> {b}", kind.name());
                }
            }
            last = Some(presence);
        }
    }
}
