//! Which parameters have a say, given the others: an editor dims or leaves out the rest.

use super::Param;

/// What a parameter has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// It can be heard.
    Heard,
    /// Not while another parameter is as it is.
    Silent,
    /// It belongs to another gesture.
    Absent,
}

/// What `param` has to say while the choices are as `choice` reports them.
pub fn say(param: Param, choice: impl Fn(Param) -> usize) -> Say {
    if has_say(param, choice) { Say::Heard } else { Say::Silent }
}

fn has_say(param: Param, choice: impl Fn(Param) -> usize) -> bool {
    let hunt_crossley = choice(Param::Law) == 0;
    let by_restitution = choice(Param::DampingMode) == 1;
    let corrected = hunt_crossley && choice(Param::Integrator) != 5;
    match param {
        Param::Mu => hunt_crossley && !by_restitution,
        Param::Damper => !hunt_crossley && !by_restitution,
        Param::Restitution => by_restitution,
        Param::DamperFit => !hunt_crossley && by_restitution,
        Param::Hybrid | Param::ReleaseMode => corrected,
        Param::Threshold => corrected && choice(Param::ReleaseMode) == 1,
        Param::Hand => choice(Param::NoteOff) == 1,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;

    #[test]
    fn of_the_ways_to_say_damping_one_has_a_say() {
        let dampings = [Param::Mu, Param::Damper, Param::Restitution];
        for law in 0..2 {
            for mode in 0..2 {
                let mut patch = Patch::default();
                patch.set(Param::Law, f64::from(law));
                patch.set(Param::DampingMode, f64::from(mode));
                let heard = dampings.iter().filter(|&&param| has_say(param, |param| patch.choice(param))).count();
                assert_eq!(heard, 1, "law {law}, mode {mode}");
            }
        }
    }
}
