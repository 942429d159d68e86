//! Random sounds: a new one, or a variation of the present one. The same seed gives the same sound.
//!
//! Only the groups that shape the sound change: striker, gesture, surface, contact, body and
//! material. Level, pickups, pitch, the response to keys and the contact's numerics stay. The
//! ranges are limited to values that produce an audible sound.

use crate::body::BodyKind;
use crate::params::{Group, Param, ParamKind, Patch};
use crate::random::Random;

/// Parameters that randomisation must not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locks([bool; Param::COUNT]);

impl Default for Locks {
    fn default() -> Self {
        Self([false; Param::COUNT])
    }
}

impl Locks {
    /// True if the parameter is locked.
    pub fn is_locked(&self, param: Param) -> bool {
        self.0[param as usize]
    }

    /// Locks or unlocks a parameter.
    pub fn set(&mut self, param: Param, locked: bool) {
        self.0[param as usize] = locked;
    }

    /// Locks or unlocks a group of parameters.
    pub fn set_group(&mut self, group: Group, locked: bool) {
        for param in Param::ALL.into_iter().filter(|param| param.spec().group == group) {
            self.set(param, locked);
        }
    }

    /// True if all parameters of the group are locked.
    pub fn is_group_locked(&self, group: Group) -> bool {
        Param::ALL
            .into_iter()
            .filter(|param| param.spec().group == group)
            .all(|param| self.is_locked(param))
    }

    /// Identifiers of the locked parameters.
    pub fn ids(&self) -> Vec<&'static str> {
        Param::ALL
            .into_iter()
            .filter(|param| self.is_locked(*param))
            .map(|param| param.spec().id)
            .collect()
    }

    /// Locks the given identifiers, and ignores unknown ones (of other versions).
    pub fn of_ids<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let mut locks = Self::default();
        ids.into_iter().filter_map(Param::from_id).for_each(|param| locks.set(param, true));
        locks
    }
}

/// Standard deviation of a full mutation, as a share of a parameter's range.
const FULL_MUTATION: f64 = 0.3;

/// Sets every free, unlocked parameter to a random value of its audible range.
pub fn randomise(patch: &Patch, locks: &Locks, seed: u64) -> Patch {
    let mut next = patch.clone();
    let mut random = Random::new(seed);
    for param in Param::ALL {
        // Drawn for every parameter, so that a lock does not change the values of the others.
        let share = random.unit();
        if !is_free(param) || locks.is_locked(param) {
            continue;
        }
        let (low, high) = span(param);
        let position = match param.spec().kind {
            ParamKind::Float { .. } => low + share * (high - low),
            ParamKind::Choice(_) if param == Param::Body => {
                let bodies = || BodyKind::ALL.into_iter().filter(|kind| !kind.is_mode_list());
                let count = bodies().count();
                let chosen = bodies().nth(((share * count as f64) as usize).min(count - 1));
                chosen.map_or(0.0, |kind| kind as usize as f64) / steps(param)
            }
            // All choices are equally likely.
            _ => {
                let steps = steps(param);
                let (first, last) = ((low * steps).ceil(), (high * steps).floor());
                ((first + share * (last - first + 1.0)).floor().min(last)) / steps
            }
        };
        next.set_stored(param, param.spec().position_to_stored(position));
    }
    next
}

/// Changes every free, unlocked number at random: not at all at `amount` 0, over much of its range
/// at 1. Choices stay.
pub fn mutate(patch: &Patch, locks: &Locks, amount: f64, seed: u64) -> Patch {
    let amount = if amount.is_finite() { amount.clamp(0.0, 1.0) } else { 0.0 };
    let mut next = patch.clone();
    let mut random = Random::new(seed);
    for param in Param::ALL {
        let step = amount * FULL_MUTATION * random.normal();
        let moves = matches!(param.spec().kind, ParamKind::Float { .. } | ParamKind::Whole { .. });
        if !moves || step == 0.0 || !is_free(param) || locks.is_locked(param) {
            continue;
        }
        let here = position(param, patch.stored(param));
        // A value outside the audible range was set by the user and may stay.
        let (low, high) = span(param);
        let there = reflected(here + step, low.min(here), high.max(here));
        next.set_stored(param, param.spec().position_to_stored(there));
    }
    next
}

/// True if randomisation may change the parameter.
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
            // Pitch, and the response to keys.
            Param::Tune | Param::Dynamics | Param::KeyTracking | Param::NoteOff | Param::Hand
            | Param::Seed
            // Times that follow the host or the player.
            | Param::Gap | Param::RollDrive | Param::Follow
            // Numerics of the contact, and their cost.
            | Param::StiffnessMode | Param::Integrator | Param::Hybrid | Param::ReleaseMode
            | Param::Threshold | Param::Oversampling | Param::DamperFit | Param::Dent | Param::Modes
        )
}

/// The positions to draw from: the whole range, unless its ends are silent, dull or endless.
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
        // Rolling over surfaces smoother than asphalt, boards and tiles may be inaudible.
        Param::Surface => (0.0, 3.0),
        _ => param.spec().range_si(),
    };
    let at = |si| position(param, param.spec().si_to_stored(si));
    (at(low), at(high))
}

/// Position of a stored value in its range, 0…1.
fn position(param: Param, stored: f32) -> f64 {
    let (min, max) = param.spec().range_stored();
    f64::from(stored - min) / f64::from(max - min)
}

/// Number of steps between the ends of a stepped parameter.
fn steps(param: Param) -> f64 {
    let (min, max) = param.spec().range_si();
    max - min
}

/// Reflects a position at the ends of its range once, then clamps it.
fn reflected(position: f64, low: f64, high: f64) -> f64 {
    let reflected = if position < low {
        2.0 * low - position
    } else if position > high {
        2.0 * high - position
    } else {
        position
    };
    reflected.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::changes;

    #[test]
    fn a_seed_determines_the_sound() {
        let (patch, locks) = (Patch::default(), Locks::default());
        assert!(randomise(&patch, &locks, 7).is_same(&randomise(&patch, &locks, 7)));
        assert!(!randomise(&patch, &locks, 7).is_same(&randomise(&patch, &locks, 8)));
        assert!(mutate(&patch, &locks, 0.5, 7).is_same(&mutate(&patch, &locks, 0.5, 7)));
        assert!(!mutate(&patch, &locks, 0.5, 7).is_same(&mutate(&patch, &locks, 0.5, 8)));
    }

    #[test]
    fn locked_and_excluded_parameters_stay() {
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
    fn a_lock_does_not_change_the_other_parameters() {
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
    fn every_free_parameter_changes_and_every_choice_occurs() {
        let mut values = vec![std::collections::HashSet::new(); Param::COUNT];
        for seed in 0..2000 {
            let patch = randomise(&Patch::default(), &Locks::default(), seed);
            for param in Param::ALL {
                values[param as usize].insert(patch.stored(param).to_bits());
            }
        }
        for param in Param::ALL {
            let (count, spec) = (values[param as usize].len(), param.spec());
            match (is_free(param), spec.kind) {
                (false, _) => assert_eq!(count, 1, "{}", spec.id),
                (true, ParamKind::Choice(names)) => {
                    let expected = match param {
                        Param::Body => names.len() - 1,
                        Param::Surface => 4,
                        _ => names.len(),
                    };
                    assert_eq!(count, expected, "{}", spec.id);
                }
                (true, ParamKind::Float { .. }) => assert!(count > 1000, "{}", spec.id),
                (true, _) => assert!(count > 1, "{}", spec.id),
            }
        }
    }

    #[test]
    fn a_mutation_has_the_requested_deviation() {
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
        // Small steps have the stated deviation; 4000 draws determine it to about one per cent.
        assert!(
            (spread(0.1) - 0.1 * FULL_MUTATION).abs() < 0.05 * 0.1 * FULL_MUTATION,
            "{}",
            spread(0.1)
        );
        assert!(spread(1.0) > 3.0 * spread(0.1));
    }

    #[test]
    fn locks_are_kept_by_their_identifiers() {
        let mut locks = Locks::default();
        assert!(locks.ids().is_empty());
        locks.set(Param::Mass, true);
        locks.set_group(Group::Material, true);
        assert!(locks.is_group_locked(Group::Material) && !locks.is_group_locked(Group::Striker));
        let ids = locks.ids();
        assert!(ids.contains(&Param::Mass.spec().id) && ids.len() > 2);
        let again = Locks::of_ids(ids.into_iter().chain(["of another version"]));
        assert_eq!(again, locks);
        locks.set_group(Group::Material, false);
        locks.set(Param::Mass, false);
        assert_eq!(locks, Locks::default());
    }

    #[test]
    fn a_larger_amount_moves_farther_and_invalid_amounts_move_nothing() {
        let (patch, locks) = (Patch::default(), Locks::default());
        for amount in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(mutate(&patch, &locks, amount, 3).is_same(&patch), "{amount}");
        }
        let distance = |amount: f64| -> f64 {
            let position = |param: Param, patch: &Patch| {
                let (min, max) = param.spec().range_stored();
                f64::from(patch.stored(param) - min) / f64::from(max - min)
            };
            let moved = |seed: u64| {
                let next = mutate(&patch, &locks, amount, seed);
                Param::ALL
                    .into_iter()
                    .map(|param| (position(param, &next) - position(param, &patch)).abs())
                    .sum::<f64>()
            };
            (0..20).map(moved).sum()
        };
        let (little, half, full) = (distance(0.05), distance(0.5), distance(1.0));
        assert!(
            little > 0.0 && half > 3.0 * little && full > half && distance(7.0) == full,
            "{little} {half} {full}"
        );
    }
}
