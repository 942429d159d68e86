//! How finely a contact is stepped.

use crate::contact::contact_time::Halves;
use crate::contact::coupled::StepLevel;
use crate::contact::settings::{ContactSettings, Integrator, MAX_STEPS_PER_SAMPLE, Oversampling};

/// Fewest steps in a contact, for the two integrators that may choose.
const STEPS_PER_CONTACT: f64 = 32.0;
/// Fewest steps per sample of Passive, whose force is held over each of them: at 0.45 of the sample
/// rate that costs a mode no more than 0.02 dB ...
const STEPS_PER_SAMPLE: f64 = 16.0;
/// ... for contacts up to this many samples; beyond, the number of steps per contact stays what it
/// is here.
const LONG_CONTACT_SAMPLES: f64 = 200.0;

/// Steps in a contact, at least, where the step budget is spent: as many as two-way contacts have.
const MIN_STEPS_PER_CONTACT: f64 = 24.0;
const COARSE_STEPS_PER_CONTACT: f64 = 8.0;

/// Most steps per sample at a level. Never fewer per contact than the coarse ones: explicit steps
/// that are longer would make energy.
pub(super) fn max_steps_per_sample(level: StepLevel, predicted: &Halves, sample_s: f64) -> u32 {
    let per_contact = match level {
        StepLevel::Target => return u32::MAX,
        StepLevel::Minimum => MIN_STEPS_PER_CONTACT,
        StepLevel::Coarse | StepLevel::Single => COARSE_STEPS_PER_CONTACT,
    };
    let wanted = (per_contact * sample_s / predicted.total_s()).ceil();
    (wanted.clamp(1.0, f64::from(MAX_STEPS_PER_SAMPLE)) as u32).next_power_of_two()
}

/// The rule of [`Oversampling::Auto`].
pub(super) fn steps_per_sample(
    settings: &ContactSettings,
    predicted: &Halves,
    sample_s: f64,
) -> u32 {
    let wanted = match (settings.steps_per_sample, settings.integrator) {
        (Oversampling::Times(n), _) => f64::from(n),
        (Oversampling::Auto, Integrator::Exact | Integrator::Passive) => {
            let samples = predicted.total_s() / sample_s;
            // The way in is the faster one: half the steps are for it alone.
            let for_contact =
                0.5 * STEPS_PER_CONTACT * sample_s / predicted.in_s.min(predicted.out_s);
            let fewest = STEPS_PER_SAMPLE.min(STEPS_PER_SAMPLE * LONG_CONTACT_SAMPLES / samples);
            for_contact.max(if settings.integrator == Integrator::Exact { 1.0 } else { fewest })
        }
        (Oversampling::Auto, _) => 1.0,
    };
    whole(wanted)
}

fn whole(wanted: f64) -> u32 {
    // The cast saturates, so a wild sample interval gives the most steps and not a panic.
    (wanted.ceil().clamp(1.0, f64::from(MAX_STEPS_PER_SAMPLE)) as u32).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(integrator: Integrator, steps_per_sample: Oversampling) -> ContactSettings {
        ContactSettings { integrator, steps_per_sample, ..ContactSettings::default() }
    }

    fn halves(in_s: f64, out_s: f64) -> Halves {
        Halves { in_s, out_s }
    }

    #[test]
    fn a_contact_has_its_steps_and_a_sample_its_own() {
        use Integrator::{Am1, Exact, Passive};
        let auto = |integrator, in_s, out_s| {
            steps_per_sample(&settings(integrator, Oversampling::Auto), &halves(in_s, out_s), 1.0)
        };
        // 32 in a contact whose halves are alike, 16 in the shorter of two.
        assert_eq!(
            (auto(Exact, 0.5, 0.5), auto(Exact, 0.125, 9.0), auto(Exact, 9.0, 0.125)),
            (32, 128, 128)
        );
        // No fewer than 16 per sample for Passive, but for contacts of more than 200 samples.
        assert_eq!(
            (auto(Passive, 50.0, 50.0), auto(Passive, 200.0, 200.0), auto(Exact, 50.0, 50.0)),
            (16, 8, 1)
        );
        assert_eq!((auto(Am1, 0.01, 0.01), auto(Exact, 0.0, 0.0)), (1, MAX_STEPS_PER_SAMPLE));
        let asked = settings(Exact, Oversampling::Times(6));
        assert_eq!(steps_per_sample(&asked, &halves(0.01, 0.01), 1.0), 8);
    }
}
