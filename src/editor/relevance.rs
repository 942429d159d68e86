//! Determines which parameters are audible, given the others. The editor dims or omits the rest.

use crate::body::{BodyKind as Body, Layout};
use crate::exciter::Gesture;
use crate::modulation::Source;
use crate::modulation::slots::SLOTS;
use crate::params::{Group, Param};

/// The choice of material that selects the pad.
const LAST_MATERIAL: usize = 9;

/// The effect of a parameter on the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// Audible.
    Heard,
    /// Inaudible with the present values of other parameters.
    Silent,
    /// Used by other gestures only.
    Absent,
}

/// The relevance of `param` with the choices that `choice` returns.
pub fn relevance(param: Param, choice: impl Fn(Param) -> usize) -> Relevance {
    if !belongs(param, Gesture::ALL[choice(Param::Gesture).min(Gesture::ALL.len() - 1)]) {
        return Relevance::Absent;
    }
    if is_relevant(param, choice) { Relevance::Heard } else { Relevance::Silent }
}

/// True if a gesture uses a parameter.
fn belongs(param: Param, gesture: Gesture) -> bool {
    use Gesture::{Bounce, Chain, Roll, Scrape, Strike, Tumble};
    match param {
        Param::Gap | Param::MassScatter | Param::Drift | Param::Dent => gesture == Bounce,
        Param::Height => matches!(gesture, Bounce | Tumble),
        Param::FirstHit => matches!(gesture, Bounce | Chain),
        Param::Spin => matches!(gesture, Strike | Bounce),
        Param::Gravity => gesture != Strike,
        Param::Angle | Param::SlipFriction | Param::FrictionShare => {
            matches!(gesture, Strike | Bounce | Tumble)
        }
        Param::TumblingBodies | Param::ThrownSize | Param::Tumbling => gesture == Tumble,
        Param::Rings | Param::ThrownPitch | Param::ThrownShare => gesture == Tumble,
        Param::Balls | Param::Pulled | Param::BallGap | Param::Swing | Param::Cord => {
            gesture == Chain
        }
        Param::BallsRing | Param::BallSpread => gesture == Chain,
        Param::Span => !matches!(gesture, Chain),
        Param::RollFriction | Param::OffCentre | Param::BallRough => gesture == Roll,
        Param::Press | Param::ScrapeFriction => gesture == Scrape,
        Param::Radius | Param::RollDrive | Param::Follow | Param::Slope | Param::RollDamping => {
            gesture.rolls()
        }
        _ if param.spec().group == Group::Surface => gesture.rolls(),
        Param::Scatter => gesture != Chain,
        // A rolling or scraping contact is always coupled. The balls of a chain strike each other,
        // not the body: their integrator is fixed, because it conserves momentum, and the body
        // does not act on them.
        Param::Coupling
        | Param::Integrator
        | Param::Hybrid
        | Param::ReleaseMode
        | Param::Threshold
        | Param::Oversampling => !matches!(gesture, Roll | Scrape | Chain),
        _ => true,
    }
}

fn is_relevant(param: Param, choice: impl Fn(Param) -> usize) -> bool {
    let body = Body::from_choice(choice(Param::Body));
    let material = choice(Param::Material);
    let own_surface = choice(Param::Surface) == 0;
    let two_way = choice(Param::Coupling) == 1;
    let gesture = Gesture::ALL[choice(Param::Gesture).min(Gesture::ALL.len() - 1)];
    let hunt_crossley = choice(Param::Law) == 0;
    let by_restitution = choice(Param::DampingMode) == 1;
    let corrected = hunt_crossley && !two_way && choice(Param::Integrator) != 5;
    if let Some(is_relevant) = modulation_is_relevant(param, &choice) {
        return is_relevant;
    }
    match param {
        Param::Hardness => choice(Param::StiffnessMode) == 0,
        Param::Stiffness => choice(Param::StiffnessMode) == 1,
        Param::Friction | Param::Viscosity => material == 0,
        Param::MaterialX | Param::MaterialY => material == LAST_MATERIAL,
        Param::Aspect => body.spec().layout == Layout::Rectangle,
        Param::Inharmonicity => body.spec().has_inharmonicity,
        Param::Split => body.spec().layout == Layout::Round,
        Param::PositionY | Param::PickupLeftY | Param::PickupRightY => body.is_two_dimensional(),
        Param::Mu => hunt_crossley && !by_restitution,
        Param::Damper => !hunt_crossley && !by_restitution,
        Param::Restitution => by_restitution,
        Param::ThrownPitch | Param::ThrownShare => choice(Param::Rings) == 2,
        // A coupled body is excited along its normal only.
        Param::FrictionShare => !two_way,
        Param::Cord => choice(Param::Swing) == 1,
        Param::FirstHit => gesture != Gesture::Chain || choice(Param::Swing) == 1,
        Param::DamperFit => !hunt_crossley && by_restitution,
        Param::Hybrid | Param::ReleaseMode => corrected,
        Param::Threshold => corrected && choice(Param::ReleaseMode) == 1,
        Param::Integrator => !two_way,
        Param::ExternalGain | Param::ExternalKey => choice(Param::ExternalMode) != 0,
        Param::ExternalThreshold | Param::ExternalHold => choice(Param::ExternalMode) == 1,
        Param::Hand => matches!(choice(Param::NoteOff), 1 | 3),
        Param::Group1Low | Param::Group1High => choice(Param::Group1Chokes) == 1,
        Param::Group2Low | Param::Group2High => choice(Param::Group2Chokes) == 1,
        Param::Group3Low | Param::Group3High => choice(Param::Group3Chokes) == 1,
        Param::Group4Low | Param::Group4High => choice(Param::Group4Chokes) == 1,
        Param::Rough
        | Param::RoughSlope
        | Param::RibPitch
        | Param::RibDepth
        | Param::RibShape
        | Param::GritDensity
        | Param::GritHeight => own_surface,
        _ => true,
    }
}

/// The same for parameters of the modulation; `None` for all others.
fn modulation_is_relevant(param: Param, choice: &impl Fn(Param) -> usize) -> Option<bool> {
    let listens =
        |source: Source| SLOTS.iter().any(|[from, ..]| Source::of_choice(choice(*from)) == source);
    Some(match param {
        Param::MpeBendRange => choice(Param::Mpe) != 0,
        Param::LfoRate => listens(Source::Lfo) && choice(Param::LfoSync) == 0,
        Param::LfoSync | Param::LfoShape | Param::LfoFade | Param::LfoPhase => listens(Source::Lfo),
        Param::EnvDelay
        | Param::EnvAttack
        | Param::EnvHold
        | Param::EnvDecay
        | Param::EnvSustain
        | Param::EnvRelease => listens(Source::Envelope),
        _ => {
            let [from, ..] = SLOTS.iter().find(|[_, to, depth]| [*to, *depth].contains(&param))?;
            Source::of_choice(choice(*from)) != Source::None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Patch;

    #[test]
    fn of_the_ways_to_say_damping_one_is_relevant() {
        let dampings = [Param::Mu, Param::Damper, Param::Restitution];
        for gesture in Gesture::ALL {
            for law in 0..2 {
                for mode in 0..2 {
                    let mut patch = Patch::default();
                    patch.set(Param::Gesture, gesture as usize as f64);
                    patch.set(Param::Law, f64::from(law));
                    patch.set(Param::DampingMode, f64::from(mode));
                    let heard = |param: &&Param| {
                        relevance(**param, |param| patch.choice(param)) == Relevance::Heard
                    };
                    assert_eq!(
                        dampings.iter().filter(heard).count(),
                        1,
                        "{gesture:?}, law {law}, mode {mode}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_slot_without_a_source_has_nothing_to_say() {
        let mut patch = Patch::default();
        for [from, to, depth] in SLOTS {
            let heard = |patch: &Patch| {
                [to, depth].map(|param| is_relevant(param, |param| patch.choice(param)))
            };
            assert_eq!(heard(&patch), [false; 2]);
            patch.set(from, Source::Lfo as usize as f64);
            assert_eq!(heard(&patch), [true; 2]);
        }
        assert!(is_relevant(Param::LfoRate, |param| patch.choice(param)));
        assert!(!is_relevant(Param::EnvAttack, |param| patch.choice(param)));
    }

    /// The relevance of a parameter with these choices.
    fn said(settings: &[(Param, usize)], param: Param) -> Relevance {
        let mut patch = Patch::default();
        for (param, choice) in settings {
            patch.set(*param, *choice as f64);
        }
        relevance(param, |param| patch.choice(param))
    }

    #[test]
    fn every_parameter_is_heard_in_some_gesture() {
        // Choices, besides the gesture, that make parameters audible.
        let choices = [
            vec![],
            vec![
                (Param::StiffnessMode, 1),
                (Param::Law, 1),
                (Param::ReleaseMode, 1),
                (Param::ExternalMode, 1),
            ],
            vec![
                (Param::DampingMode, 1),
                (Param::Law, 1),
                (Param::Rings, 2),
                (Param::NoteOff, 1),
                (Param::Mpe, 1),
            ],
            vec![
                (Param::DampingMode, 1),
                (Param::Material, LAST_MATERIAL),
                (Param::ReleaseMode, 1),
                (Param::Swing, 1),
            ],
            vec![
                (Param::Group1Chokes, 1),
                (Param::Group2Chokes, 1),
                (Param::Group3Chokes, 1),
                (Param::Group4Chokes, 1),
            ],
            SLOTS.iter().map(|[from, ..]| (*from, Source::Lfo as usize)).collect(),
            SLOTS.iter().map(|[from, ..]| (*from, Source::Envelope as usize)).collect(),
        ];
        for param in Param::ALL {
            let heard = Gesture::ALL.iter().any(|gesture| {
                Body::ALL.iter().any(|body| {
                    choices.iter().any(|chosen| {
                        let mut settings = chosen.clone();
                        settings.extend([
                            (Param::Gesture, *gesture as usize),
                            (Param::Body, *body as usize),
                        ]);
                        said(&settings, param) == Relevance::Heard
                    })
                })
            });
            assert!(heard, "{}", param.spec().id);
        }
    }

    #[test]
    fn what_belongs_to_one_gesture_is_absent_from_the_others() {
        let own = [
            (Param::Dent, Gesture::Bounce),
            (Param::Tumbling, Gesture::Tumble),
            (Param::Balls, Gesture::Chain),
            (Param::OffCentre, Gesture::Roll),
            (Param::Press, Gesture::Scrape),
        ];
        for (param, owner) in own {
            for gesture in Gesture::ALL {
                let absent =
                    said(&[(Param::Gesture, gesture as usize)], param) == Relevance::Absent;
                assert_eq!(absent, gesture != owner, "{} in {gesture:?}", param.spec().id);
            }
        }
    }

    #[test]
    fn what_another_choice_overrules_is_silent() {
        let cases = [
            (Param::Hardness, (Param::StiffnessMode, 1)),
            (Param::Friction, (Param::Material, 1)),
            (Param::Integrator, (Param::Coupling, 1)),
            (Param::Hybrid, (Param::Coupling, 1)),
            (Param::Hybrid, (Param::Integrator, 5)),
            (Param::ReleaseMode, (Param::Law, 1)),
            (Param::FrictionShare, (Param::Coupling, 1)),
        ];
        for (param, choice) in cases {
            assert_eq!(said(&[], param), Relevance::Heard, "{}", param.spec().id);
            assert_eq!(said(&[choice], param), Relevance::Silent, "{}", param.spec().id);
        }
        let rolling = |surface| {
            said(
                &[(Param::Gesture, Gesture::Roll as usize), (Param::Surface, surface)],
                Param::Rough,
            )
        };
        assert_eq!((rolling(0), rolling(1)), (Relevance::Heard, Relevance::Silent));
    }
}
