//! A throw of the dice: a new sound, or the same one a little different. The same seed gives the
//! same sound.
//!
//! Only what makes the sound is thrown: striker, gesture, surface, contact, body and material.
//! Level, pickups, pitch, what a key does, and how the contact is computed stay as they are. Ranges
//! are those in which something can be heard.

use super::Locks;
use crate::body::BodyKind;
use crate::params::{Group, Param, ParamKind, Patch};
use crate::random::Random;

/// How far a full mutation moves a knob: standard deviation, as a share of its way.
const FULL_MUTATION: f64 = 0.3;

/// Every free parameter anywhere in its range.
pub fn randomise(patch: &Patch, locks: &Locks, seed: u64) -> Patch {
    let mut next = patch.clone();
    let mut dice = Random::new(seed);
    for param in Param::ALL {
        // Thrown for every parameter, so that a lock changes nothing for the others.
        let throw = dice.unit();
        if !is_free(param) || locks.is_locked(param) {
            continue;
        }
        let (low, high) = span(param);
        let position = match param.spec().kind {
            ParamKind::Float { .. } => low + throw * (high - low),
            ParamKind::Choice(_) if param == Param::Body => {
                let bodies = || BodyKind::ALL.into_iter().filter(|kind| !kind.is_mode_list());
                let count = bodies().count();
                let chosen = bodies().nth(((throw * count as f64) as usize).min(count - 1));
                chosen.map_or(0.0, |kind| kind as usize as f64) / steps(param)
            }
            // Each choice is as likely as any other.
            _ => {
                let steps = steps(param);
                let (first, last) = ((low * steps).ceil(), (high * steps).floor());
                ((first + throw * (last - first + 1.0)).floor().min(last)) / steps
            }
        };
        next.set_stored(param, param.spec().position_to_stored(position));
    }
    next
}

/// Every free knob moves a little, by chance: not at all at `amount` 0, over much of its way at 1.
/// Choices stay.
pub fn mutate(patch: &Patch, locks: &Locks, amount: f64, seed: u64) -> Patch {
    let amount = if amount.is_finite() { amount.clamp(0.0, 1.0) } else { 0.0 };
    let mut next = patch.clone();
    let mut dice = Random::new(seed);
    for param in Param::ALL {
        let step = amount * FULL_MUTATION * dice.normal();
        let moves = matches!(param.spec().kind, ParamKind::Float { .. } | ParamKind::Whole { .. });
        if !moves || step == 0.0 || !is_free(param) || locks.is_locked(param) {
            continue;
        }
        let here = position(param, patch.stored(param));
        // A knob that stands outside the audible range was put there, and may stay.
        let (low, high) = span(param);
        let there = reflected(here + step, low.min(here), high.max(here));
        next.set_stored(param, param.spec().position_to_stored(there));
    }
    next
}

/// Whether chance may move a parameter at all.
pub fn is_free(param: Param) -> bool {
    let makes_sound = matches!(
        param.spec().group,
        Group::Striker
            | Group::Gesture
            | Group::Surface
            | Group::Contact
            | Group::Body
            | Group::Material
    );
    makes_sound
        && !matches!(
            param,
            // What is played, and how it answers.
            Param::Tune | Param::Dynamics | Param::KeyTracking | Param::NoteOff | Param::Hand | Param::Seed
            // Time: the host's, or the hand's.
            | Param::Gap | Param::RollDrive | Param::Follow
            // How the contact is computed, and at what cost.
            | Param::StiffnessMode | Param::Integrator | Param::Hybrid | Param::ReleaseMode | Param::Threshold
            | Param::Oversampling | Param::DamperFit | Param::Dent | Param::Modes
        )
}

/// The positions that are thrown: the whole range, unless its ends are silent, dull or endless.
fn span(param: Param) -> (f64, f64) {
    let (low, high) = match param {
        Param::Mass => (2e-3, 1.0),
        Param::Speed => (0.7, 8.0),
        Param::Hardness => (0.2, 0.95),
        Param::Stiffness => (1e6, 1e10),
        Param::Mu => (0.0, 1.5),
        Param::Alpha => (1.0, 3.0),
        Param::Restitution => (0.2, 0.98),
        Param::Damper => (0.1, 500.0),
        Param::Height => (0.02, 1.5),
        Param::Gravity => (1.0, 20.0),
        Param::Radius => (2e-3, 0.05),
        Param::RollFriction => (1e-3, 0.1),
        Param::Slope => (-0.05, 0.05),
        Param::OffCentre => (0.0, 0.3),
        Param::RollDamping => (0.02, 0.5),
        Param::Span => (0.2, 5.0),
        Param::Press => (0.3, 20.0),
        Param::Angle => (0.0, 50.0),
        Param::ThrownSize => (5e-3, 0.2),
        Param::Tumbling => (0.0, 15.0),
        Param::Pulled => (1.0, 3.0),
        Param::BallGap => (0.0, 5e-3),
        Param::Cord => (0.05, 1.0),
        Param::Rough => (5e-6, 1e-4),
        Param::RibDepth => (0.0, 1e-3),
        Param::GritDensity => (0.0, 200.0),
        Param::GritHeight => (1e-5, 5e-4),
        Param::BallRough => (1e-8, 1e-5),
        Param::Size | Param::Thickness => (0.5, 2.0),
        Param::Weight => (0.03, 20.0),
        Param::Support => (0.2, 60.0),
        Param::Friction => (1e-4, 0.03),
        Param::Viscosity => (1e-9, 1e-6),
        // What is smoother than asphalt, boards and tiles may be rolled over without a sound.
        Param::Surface => (0.0, 3.0),
        _ => param.spec().range_si(),
    };
    let at = |si| position(param, param.spec().si_to_stored(si));
    (at(low), at(high))
}

/// Where the knob stands, 0…1.
fn position(param: Param, stored: f32) -> f64 {
    let (min, max) = param.spec().range_stored();
    f64::from(stored - min) / f64::from(max - min)
}

/// From one end of a stepped parameter to the other.
fn steps(param: Param) -> f64 {
    let (min, max) = param.spec().range_si();
    max - min
}

/// Turned back at the ends, once; a larger step ends there.
fn reflected(position: f64, low: f64, high: f64) -> f64 {
    let turned = if position < low {
        2.0 * low - position
    } else if position > high {
        2.0 * high - position
    } else {
        position
    };
    turned.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::changes;

    #[test]
    fn the_same_seed_gives_the_same_sound_and_another_another() {
        let (patch, locks) = (Patch::default(), Locks::default());
        assert!(randomise(&patch, &locks, 7).is_same(&randomise(&patch, &locks, 7)));
        assert!(!randomise(&patch, &locks, 7).is_same(&randomise(&patch, &locks, 8)));
        assert!(mutate(&patch, &locks, 0.5, 7).is_same(&mutate(&patch, &locks, 0.5, 7)));
        assert!(!mutate(&patch, &locks, 0.5, 7).is_same(&mutate(&patch, &locks, 0.5, 8)));
    }

    #[test]
    fn what_is_locked_or_not_for_chance_stays() {
        let mut patch = Patch::default();
        patch.set(Param::Level, -7.0);
        patch.set(Param::Tune, 3.0);
        let mut locks = Locks::default();
        locks.set_group(Group::Body, true);
        locks.set(Param::Mass, true);
        for seed in 0..200 {
            for next in [randomise(&patch, &locks, seed), mutate(&patch, &locks, 1.0, seed)] {
                for change in changes(&patch, &next) {
                    let spec = change.param.spec();
                    assert!(
                        is_free(change.param) && !locks.is_locked(change.param),
                        "{} moved",
                        spec.id
                    );
                    assert!(
                        spec.group != Group::Output && spec.group != Group::Body,
                        "{} moved",
                        spec.id
                    );
                }
            }
        }
    }

    #[test]
    fn a_lock_changes_nothing_for_the_others() {
        let mut locks = Locks::default();
        locks.set(Param::Speed, true);
        let (free, locked) = (
            randomise(&Patch::default(), &Locks::default(), 3),
            randomise(&Patch::default(), &locks, 3),
        );
        let differing: Vec<_> = changes(&free, &locked).iter().map(|change| change.param).collect();
        assert_eq!(differing, [Param::Speed]);
    }

    #[test]
    fn everything_free_moves_and_every_choice_comes_up() {
        let mut seen = vec![std::collections::HashSet::new(); Param::COUNT];
        for seed in 0..2000 {
            let patch = randomise(&Patch::default(), &Locks::default(), seed);
            for param in Param::ALL {
                seen[param as usize].insert(patch.stored(param).to_bits());
            }
        }
        for param in Param::ALL {
            let (count, spec) = (seen[param as usize].len(), param.spec());
            match (is_free(param), spec.kind) {
                (false, _) => assert_eq!(count, 1, "{}", spec.id),
                (true, ParamKind::Choice(names)) => {
                    let thrown = match param {
                        Param::Body => names.len() - 1,
                        Param::Surface => 4,
                        _ => names.len(),
                    };
                    assert_eq!(count, thrown, "{}", spec.id);
                }
                (true, ParamKind::Float { .. }) => assert!(count > 1000, "{}", spec.id),
                (true, _) => assert!(count > 1, "{}", spec.id),
            }
        }
    }

    #[test]
    fn a_mutation_is_as_large_as_asked() {
        let patch = Patch::default();
        assert!(mutate(&patch, &Locks::default(), 0.0, 1).is_same(&patch));
        assert!(mutate(&patch, &Locks::default(), f64::NAN, 1).is_same(&patch));
        let spread = |amount: f64| {
            let moved = |seed| {
                let next = mutate(&patch, &Locks::default(), amount, seed);
                let param = Param::Speed;
                (position(param, next.stored(param)) - position(param, patch.stored(param))).powi(2)
            };
            ((0..4000).map(moved).sum::<f64>() / 4000.0).sqrt()
        };
        // Small steps have the deviation that is named; 4000 throws know it to about one per cent.
        assert!(
            (spread(0.1) - 0.1 * FULL_MUTATION).abs() < 0.05 * 0.1 * FULL_MUTATION,
            "{}",
            spread(0.1)
        );
        assert!(spread(1.0) > 3.0 * spread(0.1));
    }
}
