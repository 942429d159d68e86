//! Rehearsals: what is given is got, finer steps tell the same, and all they come to as it was.

use super::super::blow::FeltBlow;
use super::super::rehearsal::{MOST_PLAYED, Rehearsal, Stage as Lent};
use super::close;
use crate::body::material::Damping;
use crate::body::modes::Listening;
use crate::body::shape::Place;
use crate::body::tests::values::{Row, check_within};
use crate::body::yielding::Yielding;
use crate::body::{Bank, Geometry, Kernel, Kind, MAX_MODES, Modes, PerMode, UserModes};
use crate::contact::{ContactSettings, Dent, HuntCrossley, Law};

/// A body, a striker and how they meet.
#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    count: f64,
    pitch_hz: f64,
    loss_factor: f64,
    body_kg: f64,
    striker_kg: f64,
    speed_m_per_s: f64,
    alpha: f64,
    law: Law,
    restitution: Option<f64>,
    damper_n_s_per_m: f64,
    dent: Dent,
}

const PLAIN: Case = Case {
    kind: Kind::FreeBar,
    count: 40.0,
    pitch_hz: 220.0,
    loss_factor: 1e-3,
    body_kg: 0.4,
    striker_kg: 0.02,
    speed_m_per_s: 3.0,
    alpha: 1.5,
    law: Law::HuntCrossley,
    restitution: None,
    damper_n_s_per_m: 4.0,
    dent: Dent::Recovers,
};

/// Of each kind of meeting one: heavy and light bodies, dampers, dents, slow and quick ones, and those that bounce long.
fn cases() -> Vec<Case> {
    let damper = Case { law: Law::HertzDamper, ..PLAIN };
    vec![
        PLAIN,
        Case { kind: Kind::Membrane, body_kg: 0.05, pitch_hz: 90.0, count: 64.0, ..PLAIN },
        Case { kind: Kind::FreePlate, body_kg: 0.02, pitch_hz: 140.0, count: 64.0, ..PLAIN },
        Case { kind: Kind::ChurchBell, body_kg: 0.01, pitch_hz: 500.0, count: 24.0, ..PLAIN },
        Case { kind: Kind::ClampedBar, body_kg: 0.004, pitch_hz: 60.0, count: 24.0, ..PLAIN },
        Case { kind: Kind::String, body_kg: 0.01, pitch_hz: 110.0, loss_factor: 2e-2, ..PLAIN },
        Case { kind: Kind::SupportedPlate, body_kg: 0.03, striker_kg: 0.2, alpha: 2.5, ..PLAIN },
        Case { speed_m_per_s: 0.02, ..PLAIN },
        Case { restitution: Some(0.3), body_kg: 0.03, ..PLAIN },
        Case { count: 250.0, pitch_hz: 30.0, kind: Kind::PinnedBar, ..PLAIN },
        damper,
        Case { restitution: Some(0.6), body_kg: 0.02, ..damper },
        Case { dent: Dent::Stays, body_kg: 0.01, pitch_hz: 80.0, ..damper },
        Case { dent: Dent::Stays, restitution: Some(0.2), body_kg: 0.01, kind: Kind::Membrane, ..damper },
        Case { striker_kg: 0.001, ..damper },
        // So strong that it stops the striker within the contact, and hardly so.
        Case { damper_n_s_per_m: 600.0, ..damper },
        Case { damper_n_s_per_m: 250.0, body_kg: 0.05, dent: Dent::Stays, ..damper },
        // Let go before what they have dented is back, and met again there.
        Case { restitution: Some(0.1), body_kg: 0.01, pitch_hz: 80.0, ..damper },
        Case { restitution: Some(0.2), body_kg: 0.003, pitch_hz: 500.0, kind: Kind::Membrane, ..damper },
        Case { restitution: Some(0.05), body_kg: 0.02, striker_kg: 0.2, pitch_hz: 300.0, ..damper },
        Case { restitution: Some(0.3), body_kg: 0.002, striker_kg: 0.1, pitch_hz: 900.0, kind: Kind::String, ..damper },
        Case { count: 1.0, pitch_hz: 2_000.0, body_kg: 0.005, loss_factor: 1e-5, ..PLAIN },
        Case { count: 2.0, pitch_hz: 700.0, body_kg: 0.002, loss_factor: 1e-5, ..PLAIN },
    ]
}

struct Stage {
    modes: Modes,
    struck: PerMode,
    blow: FeltBlow,
}

impl Case {
    fn stage(&self, kernel: Kernel) -> Stage {
        let mut modes = Modes::default();
        modes.kernel = kernel;
        modes.set_body(&Geometry { count: self.count, ..Geometry::of(self.kind) }, &UserModes::default());
        let [point, left, right] = self.kind.usual_points();
        let damping = Damping { support_per_s: 4.0, loss_factor: self.loss_factor, viscous_s: 1e-8 };
        modes.set(self.pitch_hz, &damping, Listening { left, right }, 48_000.0);
        modes.arrive();
        let mut struck = [0.0; MAX_MODES];
        modes.spectrum().deflections(Place::Strike, point, &mut struck);
        let law = HuntCrossley { stiffness: 1.0, mu_s_per_m: 0.2, alpha: self.alpha };
        let contact = ContactSettings {
            law,
            kind: self.law,
            damper_n_s_per_m: self.damper_n_s_per_m,
            restitution: self.restitution,
            dent: self.dent,
            mass_kg: self.striker_kg,
            ..ContactSettings::default()
        };
        let blow = FeltBlow::new(&contact, 1.0, self.pitch_hz, self.speed_m_per_s);
        Stage { modes, struck, blow }
    }

    fn play(&self, stage: &Stage, most: u32) -> (Rehearsal, Result<u32, u32>) {
        let mut rehearsal = Rehearsal::default();
        let struck = (&stage.struck, MAX_MODES);
        let work = rehearsal.play(&stage.modes, &stage.blow, struck, self.body_kg, 1.3, (None, true, most));
        (rehearsal, work)
    }
}

#[test]
fn every_meeting_goes_as_it_went() {
    for kernel in Kernel::all() {
        let mut rows = Vec::new();
        for (n, case) in cases().into_iter().enumerate() {
            let stage = case.stage(kernel);
            let (rehearsal, work) = case.play(&stage, u32::MAX);
            let (course, meeting, ears) = (rehearsal.course(), rehearsal.meeting(), rehearsal.ears());
            let name = format!("{n} {}", case.kind.name());
            let counts = [f64::from(work.expect("carried through")), f64::from(course.steps), rehearsal.len() as f64];
            rows.push(Row::new(format!("{name}, work"), counts));
            rows.push(Row::new(
                format!("{name}, times"),
                [course.time_s, meeting.contact_s, course.variance_s2().sqrt()],
            ));
            rows.push(Row::new(format!("{name}, strength"), [course.impulse_ns, meeting.lightness]));
            rows.push(Row::new(format!("{name}, heard"), [ears[0].energy_s, ears[1].energy_s]));
            let left = (0..rehearsal.len()).map(|i| rehearsal.left_with(i).power().sqrt());
            rows.push(Row::new(format!("{name}, left"), left.take(12)));
            let heard = (0..rehearsal.len()).flat_map(|i| rehearsal.heard(i));
            rows.push(Row::new(format!("{name}, gains"), heard.take(8)));
        }
        // Long ones bounce a dozen times, and each takes the rounding of the one before further.
        check_within(1e-7, "rehearsals.txt", &rows);
    }
}

/// Impulse given is momentum lost, and what an elastic blow leaves in modes and striker is all there was.
#[test]
fn nothing_is_made_and_without_losses_nothing_is_lost() {
    for case in cases().into_iter().filter(|case| case.law == Law::HuntCrossley && case.restitution.is_none()) {
        let case = Case { loss_factor: 0.0, restitution: Some(1.0), ..case };
        let mut stage = case.stage(Kernel::best());
        stage.modes.decay_per_s = [0.0; MAX_MODES];
        let (rehearsal, _) = case.play(&stage, u32::MAX);
        let course = rehearsal.course();
        let speed_m_per_s = case.speed_m_per_s - course.impulse_ns / case.striker_kg;
        let ringing: f64 = (0..rehearsal.len()).map(|i| 0.5 * case.body_kg * rehearsal.left_with(i).power()).sum();
        let before_j = 0.5 * case.striker_kg * case.speed_m_per_s.powi(2);
        let after_j = 0.5 * case.striker_kg * speed_m_per_s.powi(2) + ringing;
        // Quick modes only give way; what is in them when the striker lifts off is not counted.
        assert!(after_j <= before_j * (1.0 + 1e-3) && after_j > 0.97 * before_j, "{case:?}: {after_j} of {before_j}");
    }
}

#[test]
fn a_rehearsal_is_broken_off_when_there_is_no_more_time() {
    let stage = PLAIN.stage(Kernel::best());
    let (whole, work) = PLAIN.play(&stage, u32::MAX);
    let (work, len) = (work.expect("carried through"), whole.len() as u32);
    assert!(PLAIN.play(&stage, work).1 == Ok(work));
    assert_eq!(PLAIN.play(&stage, work - 1).1, Err(work - len));
    assert_eq!(PLAIN.play(&stage, 5 * len).1, Err(5 * len));
    assert_eq!(PLAIN.play(&stage, 0).1, Err(0));
}

/// A blow that is worth a second look gets it where there is time for it, and else is told as it was seen first.
#[test]
fn a_delicate_blow_is_told_coarsely_where_there_is_no_time_for_more() {
    let case = cases()[4];
    let stage = case.stage(Kernel::best());
    let (whole, work) = case.play(&stage, u32::MAX);
    let (work, len) = (work.expect("carried through"), whole.len() as u32);
    let (_, first) = case.play(&stage, work / 2);
    let first = first.expect("seen once");
    assert!(work > 3 * first, "{work} {first}");
    assert_eq!(case.play(&stage, first).1, Ok(first));
    assert_eq!(case.play(&stage, first - 1).1, Err(first - len));
}

/// Of a body only so many modes belong to the first part.
#[test]
fn modes_beyond_the_first_body_take_no_part() {
    let case = Case { count: 32.0, pitch_hz: 50.0, ..PLAIN };
    let stage = case.stage(Kernel::best());
    let few = Case { count: 16.0, ..case }.stage(Kernel::best());
    let (mut a, mut b) = (Rehearsal::default(), Rehearsal::default());
    let first = a
        .play(&stage.modes, &stage.blow, (&stage.struck, 16), 0.4, 1.0, (None, true, u32::MAX))
        .expect("carried through");
    let second =
        b.play(&few.modes, &few.blow, (&few.struck, 256), 0.4, 1.0, (None, true, u32::MAX)).expect("carried through");
    assert_eq!((first, a.len()), (second, b.len()));
    close(a.course().impulse_ns, b.course().impulse_ns, 1e-12);
}

/// On a body that is lent the blow goes as it is played, and the body is at rest again. Later, when it cannot be lent, what coarse steps tell is
/// as far off as it was: the level does not jump.
#[test]
fn a_blow_in_doubt_is_rehearsed_as_it_is_played_and_that_is_kept() {
    let case = Case {
        kind: Kind::ClampedBar,
        count: 16.0,
        pitch_hz: 196.0,
        body_kg: 0.0035,
        striker_kg: 0.11,
        restitution: Some(1.0),
        ..PLAIN
    };
    let stage = case.stage(Kernel::best());
    let (mut yielding, mut bank) = (Yielding::default(), Bank::default());
    yielding.set_mass(case.body_kg, stage.modes.len);
    let struck = (&stage.struck, MAX_MODES);
    let mut rehearsal = Rehearsal::default();
    let mut play = |lent: Option<&mut Lent>| {
        let work = rehearsal.play(&stage.modes, &stage.blow, struck, case.body_kg, 1.0, (lent, true, u32::MAX));
        (work.expect("carried through"), rehearsal.power())
    };
    let (first, told) = play(None);
    let allowance = (16, 6144);
    let mut lent = Lent { yielding: &mut yielding, bank: &mut bank, dt_s: 1.0 / 48_000.0, allowance };
    let (again, played) = play(Some(&mut lent));
    assert!(again > first && again - first <= MOST_PLAYED, "{again} after {first}");
    assert!((played / told).ln().abs() > 0.05, "{played} {told}: steps of any length tell it, this case shows nothing");
    assert!(bank.is_at_rest());
    let (later, kept) = play(None);
    assert_eq!(later, first);
    close(kept, played, 1e-9);
    // A new body knows nothing of that.
    rehearsal.forget_played();
    rehearsal
        .play(&stage.modes, &stage.blow, struck, case.body_kg, 1.0, (None, true, u32::MAX))
        .expect("carried through");
    assert_eq!(rehearsal.power(), told);
}
