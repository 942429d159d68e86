//! How finely a contact is stepped.

use super::Touch;
use crate::contact::contact_time::Halves;
use crate::contact::settings::{ContactSettings, Integrator, Law, MOST_STEPS_PER_SAMPLE, Oversampling};

/// Fewest steps in a contact, for the two integrators that may choose.
const STEPS_PER_CONTACT: f64 = 32.0;
/// Fewest pieces per sample in which the force is handed on, so that holding its mean over one costs a mode at 0.45 of
/// the sample rate no more than 0.02 dB ...
const PIECES_PER_SAMPLE: f64 = 16.0;
/// ... for contacts up to this many samples; beyond, the number of pieces per contact stays what it is here.
const LONG_CONTACT_SAMPLES: f64 = 200.0;
/// Steps per sample where a step knows how its force runs, and is cut into pieces by that: with fewer, what is heard of a
/// long contact near the top of the band would be off by more than the pieces cost.
const STEPS_PER_SAMPLE: f64 = 4.0;
/// A way out this many times longer than the way in is worth steps of its own.
const SLOW_WAY_OUT: f64 = 8.0;
/// It begins where the velocity is this near to that of release, as a share of it.
const SETTLED: f64 = 1e-3;

/// The rule of [`Oversampling::Auto`].
pub(super) fn steps_per_sample(settings: &ContactSettings, predicted: &Halves, sample_s: f64) -> u32 {
    let wanted = match (settings.steps_per_sample, settings.integrator) {
        (Oversampling::Times(n), _) => f64::from(n),
        (Oversampling::Auto, Integrator::Exact | Integrator::Passive) => {
            let samples = predicted.total_s() / sample_s;
            // The way in is the faster one: half the steps are for it alone.
            let for_contact = 0.5 * STEPS_PER_CONTACT * sample_s / predicted.in_s.min(predicted.out_s);
            let knows_its_course = settings.integrator == Integrator::Exact && settings.kind == Law::HuntCrossley;
            let fewest = if knows_its_course { STEPS_PER_SAMPLE } else { PIECES_PER_SAMPLE };
            for_contact.max(fewest.min(fewest * LONG_CONTACT_SAMPLES / samples))
        }
        (Oversampling::Auto, _) => 1.0,
    };
    whole(wanted)
}

/// Pieces per sample in which a force with a known course is handed on. A number of steps that was asked for is meant.
pub(super) fn pieces_per_sample(settings: &ContactSettings, predicted: &Halves, sample_s: f64) -> u32 {
    let asked = settings.steps_per_sample != Oversampling::Auto;
    if asked || settings.integrator != Integrator::Exact || settings.kind != Law::HuntCrossley {
        return 1;
    }
    whole(PIECES_PER_SAMPLE.min(PIECES_PER_SAMPLE * LONG_CONTACT_SAMPLES * sample_s / predicted.total_s()))
}

fn whole(wanted: f64) -> u32 {
    // The cast saturates, so a wild sample interval gives the most steps and not a panic.
    (wanted.ceil().clamp(1.0, f64::from(MOST_STEPS_PER_SAMPLE)) as u32).next_power_of_two()
}

/// Steps per sample for a way out so slow that the velocity has long settled: none if it is not.
pub(super) fn steps_on_the_way_out(settings: &ContactSettings, predicted: &Halves, sample_s: f64) -> Option<u32> {
    let slow = predicted.out_s > SLOW_WAY_OUT * predicted.in_s;
    let chosen = settings.steps_per_sample == Oversampling::Auto && settings.integrator == Integrator::Exact;
    let out = Halves { in_s: predicted.out_s, out_s: predicted.out_s };
    (slow && chosen).then(|| steps_per_sample(settings, &out, sample_s))
}

impl Touch {
    /// Take the longer steps of a slow way out once nothing but uniform motion is left.
    ///
    /// A contact of restitution e spends 1/e times as long on its way out as on its way in; without this, a dull
    /// one would cost as much as its first instant for all of that.
    pub(super) fn slow_down(&mut self) {
        let v_out = self.medium.curve.v_out_m_per_s;
        if let Some(steps) = self.steps_on_the_way_out
            && self.motion.v_m_per_s < (1.0 - SETTLED) * v_out
        {
            self.steps_per_sample = self.steps_per_sample.min(steps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;

    fn settings(integrator: Integrator, kind: Law, steps_per_sample: Oversampling) -> ContactSettings {
        ContactSettings { integrator, kind, steps_per_sample, ..ContactSettings::default() }
    }

    fn halves(in_s: f64, out_s: f64) -> Halves {
        Halves { in_s, out_s }
    }

    #[test]
    fn a_contact_has_its_steps_and_a_sample_its_own() {
        use Integrator::{Am1, Exact, Passive};
        use Law::{HertzDamper, HuntCrossley};
        let auto = |integrator, kind, in_s, out_s| {
            steps_per_sample(&settings(integrator, kind, Oversampling::Auto), &halves(in_s, out_s), 1.0)
        };
        // 32 in a contact whose halves are alike, 16 in the shorter of two.
        assert_eq!((auto(Exact, HuntCrossley, 0.5, 0.5), auto(Exact, HuntCrossley, 0.125, 9.0)), (32, 128));
        assert_eq!(auto(Exact, HuntCrossley, 9.0, 0.125), 128);
        // No fewer than 4 where the course of the force is known, and 16 where it is not ...
        assert_eq!((auto(Exact, HuntCrossley, 50.0, 50.0), auto(Exact, HertzDamper, 50.0, 50.0)), (4, 16));
        assert_eq!((auto(Passive, HuntCrossley, 50.0, 50.0), auto(Passive, HertzDamper, 50.0, 50.0)), (16, 16));
        // ... but for contacts of more than 200 samples.
        assert_eq!((auto(Exact, HuntCrossley, 200.0, 200.0), auto(Passive, HuntCrossley, 200.0, 200.0)), (2, 8));
        assert_eq!(
            (auto(Am1, HuntCrossley, 0.01, 0.01), auto(Exact, HuntCrossley, 0.0, 0.0)),
            (1, MOST_STEPS_PER_SAMPLE)
        );
        let asked = settings(Exact, HuntCrossley, Oversampling::Times(6));
        assert_eq!(steps_per_sample(&asked, &halves(0.01, 0.01), 1.0), 8);
    }

    #[test]
    fn a_known_force_is_handed_on_in_pieces() {
        use Integrator::{Exact, Passive};
        let of = |integrator, kind, steps, each_s| {
            pieces_per_sample(&settings(integrator, kind, steps), &halves(each_s, each_s), 1.0)
        };
        let auto = Oversampling::Auto;
        assert_eq!((of(Exact, Law::HuntCrossley, auto, 1.0), of(Exact, Law::HuntCrossley, auto, 200.0)), (16, 8));
        assert_eq!((of(Exact, Law::HertzDamper, auto, 1.0), of(Passive, Law::HuntCrossley, auto, 1.0)), (1, 1));
        assert_eq!(of(Exact, Law::HuntCrossley, Oversampling::Times(4), 1.0), 1);
    }

    #[test]
    fn only_a_slow_way_out_has_steps_of_its_own() {
        let way_out = |integrator, steps, in_s, out_s| {
            let settings = settings(integrator, Law::HuntCrossley, steps);
            steps_on_the_way_out(&settings, &halves(in_s, out_s), 1.0)
        };
        let auto = Oversampling::Auto;
        assert_eq!(way_out(Integrator::Exact, auto, 0.1, 1.0), Some(16));
        assert_eq!(way_out(Integrator::Exact, auto, 0.1, 0.75), None);
        assert_eq!(way_out(Integrator::Passive, auto, 0.1, 1.0), None);
        assert_eq!(way_out(Integrator::Exact, Oversampling::Times(2), 0.1, 1.0), None);
    }

    #[test]
    fn a_dull_contact_slows_down_once_nothing_but_its_way_out_is_left() {
        let law = HuntCrossley { mu_s_per_m: 5.0, ..ContactSettings::default().law };
        let mut touch = Touch::begin(&ContactSettings { law, ..ContactSettings::default() }, 4.0, 1e-5);
        let (first, v_out) = (touch.steps_per_sample(), touch.curve().v_out_m_per_s);
        let mut slowed_at = None;
        for _ in 0..10_000 {
            let before = touch.steps_per_sample();
            if touch.step(1e-5 / f64::from(before)).released {
                break;
            }
            if touch.steps_per_sample() < before {
                slowed_at = Some(touch.motion().v_m_per_s);
            }
        }
        let v = slowed_at.expect("it slows down");
        assert!(first > touch.steps_per_sample() && v < 0.999 * v_out && v > 1.01 * v_out, "{v} of {v_out}");
    }
}
