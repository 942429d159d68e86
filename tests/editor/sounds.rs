//! The settings under which each parameter is audible, besides the defaults.

use ictus::modulation::slots::SLOTS;
use ictus::params::{Group, Param};

/// Settings to apply first.
pub fn circumstances(param: Param) -> Vec<(&'static str, &'static str)> {
    if let Some(slot) = SLOTS.iter().position(|slot| slot.contains(&param)) {
        return in_slot(slot, param);
    }
    let mut settings = vec![("gest", gesture(param))];
    settings.extend(match param {
        Param::Stiffness => &[("kmode", "k")][..],
        Param::MaterialX | Param::MaterialY => &[("mater", "Pad")],
        Param::Aspect => &[("body", "Free plate")],
        Param::Inharmonicity => &[("body", "String")],
        Param::Split | Param::PositionY | Param::PickupLeftY | Param::PickupRightY => {
            &[("body", "Membrane")]
        }
        Param::Damper | Param::Dent => &[("law", "Hertz-damper")],
        Param::Restitution => &[("dmode", "Restitution")],
        Param::DamperFit => &[("law", "Hertz-damper"), ("dmode", "Restitution")],
        Param::Hybrid | Param::Integrator | Param::ReleaseMode => &[("integ", "AM1")],
        Param::Oversampling => &[("integ", "Passive")],
        Param::Threshold => &[("relse", "Approximate"), ("integ", "AM1"), ("mu", "2")],
        Param::ThrownPitch | Param::ThrownShare => &[("rings", "Both")],
        Param::Modes => &[("body", "Free plate"), ("modes", "10")],
        // Repeated strikes on a body add up linearly, unless it is coupled.
        Param::Weight | Param::Restrike => &[("coupl", "Two-way")],
        // Against a wall a heavier striker of the same contact time is only louder, which is
        // levelled.
        Param::Mass => &[("coupl", "Two-way")],
        Param::Seed => &[("scat", "100 %")],
        Param::SlipFriction => &[("angle", "70"), ("fric", "0.1")],
        Param::FrictionShare => &[("angle", "40")],
        Param::RibPitch | Param::RibShape => &[("sdepth", "1 mm")],
        Param::GritHeight => &[("sgrit", "500")],
        Param::Hand => &[("noff", "Damp")],
        Param::Voices => &[("voices", "1")],
        Param::Limiter => &[("level", "24 dB")],
        Param::ExternalGain | Param::ExternalHold | Param::ExternalKey => &[("xmode", "Strikes")],
        Param::ExternalThreshold => &[("xmode", "Strikes"), ("xthres", "-36 dB")],
        Param::MpeBendRange => &[("mpe", "Lower zone")],
        Param::Fresh => &[("hspeed", "100 %")],
        Param::LfoRate | Param::LfoSync | Param::LfoShape | Param::LfoFade | Param::LfoPhase => {
            &[("s1src", "LFO"), ("s1dst", "Pitch"), ("s1amt", "50 %")]
        }
        Param::EnvRelease => {
            &[("s1src", "Envelope"), ("s1dst", "Pitch"), ("s1amt", "50 %"), ("envsus", "50 %")]
        }
        Param::EnvDelay
        | Param::EnvAttack
        | Param::EnvHold
        | Param::EnvDecay
        | Param::EnvSustain => &[("s1src", "Envelope"), ("s1dst", "Pitch"), ("s1amt", "50 %")],
        Param::Group1Low | Param::Group1High => &[("g1chk", "On")],
        Param::Group2Low | Param::Group2High => &[("g2chk", "On")],
        Param::Group3Low | Param::Group3High => &[("g3chk", "On")],
        Param::Group4Low | Param::Group4High => &[("g4chk", "On")],
        _ => &[],
    });
    // The upper end of the group is the last key, unless it is the parameter that moves.
    settings.extend(match param {
        Param::Group1Low | Param::Group1Chokes => &[("g1high", "127")][..],
        Param::Group2Low | Param::Group2Chokes => &[("g2high", "127")],
        Param::Group3Low | Param::Group3Chokes => &[("g3high", "127")],
        Param::Group4Low | Param::Group4Chokes => &[("g4high", "127")],
        _ => &[],
    });
    settings
}

/// A gesture that has the parameter.
fn gesture(param: Param) -> &'static str {
    match param {
        Param::Height
        | Param::Gap
        | Param::FirstHit
        | Param::Gravity
        | Param::MassScatter
        | Param::Drift => "Bounce",
        Param::Dent => "Bounce",
        Param::Radius | Param::RollDrive | Param::Follow | Param::RollFriction | Param::Slope => {
            "Roll"
        }
        Param::OffCentre | Param::RollDamping | Param::Span => "Roll",
        Param::Press | Param::ScrapeFriction => "Scrape",
        Param::TumblingBodies | Param::ThrownSize | Param::Tumbling | Param::Rings => "Tumble",
        Param::ThrownPitch | Param::ThrownShare => "Tumble",
        Param::Balls | Param::Pulled | Param::BallGap | Param::Swing | Param::Cord => "Chain",
        Param::BallsRing | Param::BallSpread => "Chain",
        _ if param.spec().group == Group::Surface => "Roll",
        _ => "Strike",
    }
}

/// The other two parameters of its slot.
fn in_slot(slot: usize, param: Param) -> Vec<(&'static str, &'static str)> {
    let [from, to, depth] = SLOTS[slot];
    [(from, "Velocity"), (to, "Pitch"), (depth, "50 %")]
        .into_iter()
        .filter(|(other, _)| *other != param)
        .map(|(other, text)| (other.spec().id, text))
        .collect()
}
