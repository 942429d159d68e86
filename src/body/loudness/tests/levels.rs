//! Levels of bodies and blows of all sorts, as they were.

use super::super::{FeltBlow, Leveller, MOST_REHEARSED, ReferenceBlow, own_at_1_s};
use super::close;
use crate::body::macros::{contact_time_s, stiffness};
use crate::body::material::Material;
use crate::body::modes::Listening;
use crate::body::parts::{Beside, MOST_PARTS};
use crate::body::shape::UserMode;
use crate::body::tests::values::{Row, check};
use crate::body::{Geometry, Kernel, Kind, Modes, Parts, Point, UserModes};
use crate::contact::{ContactSettings, HuntCrossley, Law};

/// A body and a blow.
struct Case {
    modes: Modes,
    blow: ReferenceBlow,
}

/// Number `n`; any number is one. Felt or not, all bodies, materials, sizes and makes of several bodies.
fn case(n: u32, is_felt: bool) -> Case {
    let kind = Kind::ALL[(7 * n as usize + 3) % Kind::ALL.len()];
    let pick = |of: &[f64], step: u32| of[(n * step % of.len() as u32) as usize];
    let geometry = Geometry { split: 0.003, count: pick(&[256.0, 40.0, 24.0, 9.5], 3), ..Geometry::of(kind) };
    let list =
        |i: i32| UserMode { ratio: 1.0 + 0.31 * f64::from(i), left: 1.0 - 0.2 * f64::from(i), ..UserMode::default() };
    let user = UserModes::new(&(0..20).map(list).collect::<Vec<_>>());
    let [point, left, right] = kind.usual_points();
    let parts = match n % 5 {
        3 => Parts::Two(Beside {
            geometry: Geometry::of(Kind::Membrane),
            pitch_hz: 150.0,
            listening: Listening { left: Point::new(0.5, 0.1), right: Point::new(0.3, 0.7) },
            heard: [0.6, 0.8],
        }),
        4 => Parts::Sizes { count: 5, sizes: std::array::from_fn::<_, MOST_PARTS, _>(|i| 1.0 + 0.1 * i as f64) },
        _ => Parts::One,
    };
    let mut modes = Modes::default();
    modes.kernel = Kernel::portable();
    modes.set_body(&geometry, &user);
    modes.set_parts(&parts, &user);
    let pitch_hz = pick(&[220.0, 55.0, 900.0, 3_000.0, 110.0], 1);
    let material = if n % 4 == 3 { Material::RUBBER } else { Material::ALL[(n as usize * 3) % 8] };
    modes.set(pitch_hz, &material.damping, Listening { left, right }, 48_000.0);
    modes.arrive();
    let (alpha, length) = (pick(&[1.5, 2.2, 1.0], 1), pick(&[1.0, 0.5, 1.0, 2.0], 1));
    let (striker_kg, body_kg) = (pick(&[0.02, 0.005, 0.1], 2), pick(&[0.4, 0.05, 0.4, 0.01, 2.0], 2));
    let mu_s_per_m = pick(&[0.0, 0.3], 1);
    let contact = ContactSettings {
        law: HuntCrossley {
            stiffness: stiffness(contact_time_s(pick(&[0.5, 0.8, 0.3], 1)), striker_kg, alpha),
            mu_s_per_m,
            alpha,
        },
        kind: if n % 6 == 5 { Law::HertzDamper } else { Law::HuntCrossley },
        damper_n_s_per_m: 3.0,
        restitution: (n % 6 == 4).then_some(0.5),
        mass_kg: striker_kg,
        ..ContactSettings::default()
    };
    let own_at_1_s = own_at_1_s(&contact, length, pitch_hz, is_felt.then_some(body_kg));
    let felt = is_felt.then(|| FeltBlow::new(&contact, length, pitch_hz, pick(&[3.0, 0.4, 8.0], 2)));
    let point = if n % 7 == 6 { Point::new(0.5, 0.25) } else { point };
    Case {
        modes,
        blow: ReferenceBlow { striker_kg, body_kg, alpha, length, pitch_hz, mu_s_per_m, point, own_at_1_s, felt },
    }
}

#[test]
fn walls_are_levelled_as_they_were() {
    let rows = (0..60).map(|n| {
        let Case { modes, blow } = case(n, false);
        let (gain, work) = Leveller::default().gain_within(&modes, &blow, u32::MAX);
        Row::new(format!("{n} {}", modes.spectrum().geometry().kind.name()), [gain, f64::from(work)])
    });
    check("walls.txt", &rows.collect::<Vec<_>>());
}

#[test]
fn what_gives_way_is_levelled_as_it_was() {
    let rows = (0..40).map(|n| {
        let Case { modes, blow } = case(n, true);
        let (gain, work) = Leveller::default().gain_within(&modes, &blow, u32::MAX);
        assert!(work < MOST_REHEARSED + 256 * 100 + 256 * 24 * 35);
        assert_eq!(MOST_REHEARSED, 2 * 256 * 3 * 11 * 160 + 8 * (1 << 16) + 16_384 * 280 + 256 * 2 * 11 * 160);
        Row::new(format!("{n} {}", modes.spectrum().geometry().kind.name()), [gain, f64::from(work)])
    });
    check("felt.txt", &rows.collect::<Vec<_>>());
}

/// One after the other with little time: some in full, some begun in vain, most by the estimate alone.
#[test]
fn a_storm_is_levelled_as_it_was() {
    let mut leveller = Leveller::default();
    let mut rows = Vec::new();
    for (n, most) in (0..36).zip([u32::MAX, 0, 0, 3_000, 20_000, 0, 60_000].into_iter().cycle()) {
        let Case { modes, blow } = case(n, n % 3 != 0);
        let (gain, work) = leveller.gain_within(&modes, &blow, most);
        rows.push(Row::new(format!("{n} within {most}"), [gain, f64::from(work)]));
    }
    check("storm.txt", &rows);
}

#[test]
fn the_first_has_all_the_work_it_takes_and_so_has_one_who_forgets() {
    let (a, b) = (case(0, true), case(5, true));
    let whole = Leveller::default().gain(&b.modes, &b.blow);
    let mut leveller = Leveller::default();
    let (first, work) = leveller.gain_within(&a.modes, &a.blow, 1);
    assert_eq!(first, Leveller::default().gain(&a.modes, &a.blow));
    assert!(work > 1);
    // Then the estimate, as far off as it was.
    let (hasty, work) = leveller.gain_within(&b.modes, &b.blow, 0);
    assert_eq!(work, 100 * b.modes.len as u32);
    assert_ne!(hasty, whole);
    // Whoever has learnt from it knows as much.
    let mut pupil = Leveller::default();
    pupil.learn(&leveller);
    assert_eq!(pupil.gain_within(&b.modes, &b.blow, 0).0, hasty);
    assert_eq!(pupil.struck().values(), leveller.struck().values());
    // From one that knows nothing nothing is learnt.
    pupil.learn(&Leveller::default());
    assert_eq!(pupil.gain_within(&b.modes, &b.blow, 0).0, hasty);
    leveller.forget();
    assert_eq!(leveller.gain_within(&b.modes, &b.blow, 0).0, whole);
    assert_eq!(leveller.gain(&a.modes, &a.blow), first);
}

/// Shapes of one body are not taken for those of another that has fewer modes in its first part.
#[test]
fn what_was_learnt_of_other_parts_is_forgotten() {
    let (one, several) = (case(0, false), case(4, false));
    let mut leveller = Leveller::default();
    leveller.gain(&several.modes, &several.blow);
    let mut pupil = Leveller::default();
    pupil.gain(&one.modes, &one.blow);
    pupil.learn(&leveller);
    let fresh = |case: &Case| Leveller::default().gain(&case.modes, &case.blow);
    close(pupil.gain(&several.modes, &several.blow), fresh(&several), 1e-15);
    close(pupil.gain(&one.modes, &one.blow), fresh(&one), 1e-15);
}

/// On a node a body counts as no softer than a 64th of its mean power; what is listed is as soft as it says.
#[test]
fn a_node_is_levelled_by_a_share_of_the_mean() {
    let level = |kind: Kind, count: f64, x: f64, user: &UserModes| {
        let mut modes = Modes::default();
        modes.set_body(&Geometry { count, ..Geometry::of(kind) }, user);
        modes.set(
            220.0,
            &Material::ALL[6].damping,
            Listening { left: Point::along(x), right: Point::along(x) },
            48_000.0,
        );
        let Case { blow, .. } = case(0, false);
        let blow = ReferenceBlow { point: Point::along(x), pitch_hz: 220.0, own_at_1_s: None, ..blow };
        (Leveller::default().level_m_per_s(&modes, &blow), modes, blow)
    };
    // The lowest mode of a string alone, at its end and where its square is the mean.
    let (at_node, ..) = level(Kind::String, 1.0, 0.0, &UserModes::default());
    let (at_mean, ..) = level(Kind::String, 1.0, 0.25, &UserModes::default());
    assert!((0.1..0.2).contains(&(at_node / at_mean)), "{at_node} {at_mean}: the root of 1/64 is an eighth");
    let silent = UserMode { strike: 0.0, ..UserMode::default() };
    let (listed, modes, blow) = level(Kind::User, 256.0, 0.0, &UserModes::new(&[silent]));
    assert_eq!((listed, Leveller::default().gain(&modes, &blow)), (0.0, 1.0));
}

/// Struck and heard where hardly anything moves: all that counts is the mean over the body.
#[test]
fn nodes_are_levelled_as_they_were() {
    let mut rows = Vec::new();
    for kind in [Kind::String, Kind::PinnedBar, Kind::OpenTube, Kind::SupportedPlate, Kind::ClampedDisc] {
        for (n, is_felt) in [(0, false), (0, true), (1, true), (7, true)] {
            let Case { blow, .. } = case(n, is_felt);
            let point = if kind == Kind::ClampedDisc { Point::new(1.0, 0.0) } else { Point::new(0.0, 0.0) };
            let mut modes = Modes::default();
            modes.kernel = Kernel::portable();
            modes.set_body(&Geometry { count: 5.0, ..Geometry::of(kind) }, &UserModes::default());
            modes.set(blow.pitch_hz, &Material::ALL[6].damping, Listening { left: point, right: point }, 48_000.0);
            let blow = ReferenceBlow { point, own_at_1_s: None, ..blow };
            let level = Leveller::default().level_m_per_s(&modes, &blow);
            assert!(level > 0.0);
            rows.push(Row::new(format!("{n} {} {is_felt}", kind.name()), [level]));
        }
    }
    check("nodes.txt", &rows);
}

/// Masses and speeds move a level as they should: by their square roots and not at all.
#[test]
fn a_level_goes_with_the_impulse_over_the_mass() {
    let Case { modes, blow } = case(0, false);
    let level = |blow: &ReferenceBlow| Leveller::default().level_m_per_s(&modes, blow);
    let here = level(&blow);
    close(level(&ReferenceBlow { body_kg: 4.0 * blow.body_kg, ..blow }), 0.25 * here, 1e-12);
    let gain = Leveller::default().gain(&modes, &blow);
    close(gain * here, 0.25, 1e-12);
    // Nothing sounds: nothing to level.
    let mut silent = modes.clone();
    silent.set(
        30_000.0,
        &Material::ALL[0].damping,
        Listening { left: Point::along(0.1), right: Point::along(0.2) },
        48_000.0,
    );
    assert_eq!(Leveller::default().gain(&silent, &blow), 1.0);
    // What says nothing of the estimate is not taken for a word on it.
    let (mut leveller, other) = (Leveller::default(), case(5, false));
    leveller.gain(&silent, &blow);
    let whole = Leveller::default().gain(&other.modes, &other.blow);
    assert_eq!(leveller.gain_within(&other.modes, &other.blow, 0).0, whole);
    // Turned up by 60 dB at most.
    let heavy = ReferenceBlow { body_kg: 1e9, ..blow };
    assert_eq!(Leveller::default().gain(&modes, &heavy), 1e3);
}
