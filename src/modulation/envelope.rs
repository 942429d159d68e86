//! The envelope of a voice: delay, attack, hold, decay to the sustain level, release.
//!
//! The attack is linear. Decay and release follow `1 - (1 - e^(-5u))/(1 - e^(-5))`, u from 0 to 1:
//! an exponential that reaches its target, so that each time is the full duration of its stage.

use crate::params::{Param, Patch};

/// Curvature of decay and release, time constants per stage.
const BEND: f64 = 5.0;

/// Times (s) and sustain level of the envelope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvelopeSettings {
    /// Time before the attack.
    pub delay_s: f64,
    /// Time from 0 to 1.
    pub attack_s: f64,
    /// Time at 1.
    pub hold_s: f64,
    /// Time from 1 to the sustain level.
    pub decay_s: f64,
    /// Sustain level, 0…1.
    pub sustain: f64,
    /// Time from the level at release to 0.
    pub release_s: f64,
}

impl EnvelopeSettings {
    /// Reads the settings from a patch.
    pub fn new(patch: &Patch) -> Self {
        Self {
            delay_s: patch.get(Param::EnvDelay),
            attack_s: patch.get(Param::EnvAttack),
            hold_s: patch.get(Param::EnvHold),
            decay_s: patch.get(Param::EnvDecay),
            sustain: patch.get(Param::EnvSustain),
            release_s: patch.get(Param::EnvRelease),
        }
    }

    /// Value `time_s` after the onset while the key is held.
    fn held(&self, time_s: f64) -> f64 {
        let risen_s = time_s - self.delay_s;
        if risen_s < 0.0 {
            return 0.0;
        }
        if risen_s < self.attack_s {
            return risen_s / self.attack_s;
        }
        let fallen_s = risen_s - self.attack_s - self.hold_s;
        self.sustain + (1.0 - self.sustain) * left(fallen_s, self.decay_s)
    }
}

/// Remaining share, after `time_s`, of a fall that lasts `whole_s`.
fn left(time_s: f64, whole_s: f64) -> f64 {
    if time_s <= 0.0 {
        return 1.0;
    }
    if time_s >= whole_s {
        return 0.0;
    }
    1.0 - (1.0 - (-BEND * time_s / whole_s).exp()) / (1.0 - (-BEND).exp())
}

/// State of the envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Time since the onset, s.
    age_s: f64,
    /// Time and value at note-off.
    let_go: Option<(f64, f64)>,
}

impl Envelope {
    /// Restarts.
    pub fn begin(&mut self) {
        *self = Self::default();
    }

    /// Advances time.
    pub fn pass(&mut self, time_s: f64) {
        self.age_s += time_s;
    }

    /// Starts the release.
    pub fn let_go(&mut self, settings: &EnvelopeSettings) {
        if self.let_go.is_none() {
            self.let_go = Some((self.age_s, settings.held(self.age_s)));
        }
    }

    /// Current value, 0…1.
    pub fn value(&self, settings: &EnvelopeSettings) -> f64 {
        match self.let_go {
            Some((at_s, from)) => from * left(self.age_s - at_s, settings.release_s),
            None => settings.held(self.age_s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: EnvelopeSettings = EnvelopeSettings {
        delay_s: 0.1,
        attack_s: 0.2,
        hold_s: 0.05,
        decay_s: 0.4,
        sustain: 0.3,
        release_s: 0.5,
    };

    fn at(time_s: f64, let_go_s: f64) -> f64 {
        let mut envelope = Envelope::default();
        if time_s < let_go_s {
            envelope.pass(time_s);
        } else {
            envelope.pass(let_go_s);
            envelope.let_go(&SETTINGS);
            envelope.pass(time_s - let_go_s);
        }
        envelope.value(&SETTINGS)
    }

    #[test]
    fn each_stage_takes_its_time() {
        let held = |time_s| at(time_s, 9.0);
        for (time_s, value) in
            [(0.0, 0.0), (0.1, 0.0), (0.2, 0.5), (0.3, 1.0), (0.35, 1.0), (0.75, 0.3), (5.0, 0.3)]
        {
            assert!((held(time_s) - value).abs() < 1e-9, "{time_s}: {}", held(time_s));
        }
        // One time constant is a fifth of the stage.
        assert!(
            (held(0.35 + 0.08)
                - (0.3 + 0.7 * (1.0 - (1.0 - (-1f64).exp()) / (1.0 - (-5f64).exp()))))
            .abs()
                < 1e-9
        );
        for (time_s, value) in [(1.0, 0.3), (1.5, 0.0), (7.0, 0.0)] {
            assert!((at(time_s, 1.0) - value).abs() < 1e-9, "{time_s} after");
        }
        assert!((at(0.2, 0.2) - 0.5).abs() < 1e-9, "let go while it rises it goes on from there");
        assert!(at(0.25, 0.2) < 0.5);
    }

    #[test]
    fn it_never_jumps_but_at_the_onset() {
        let mut last = 0.0;
        for n in 0..20_000 {
            let value = at(f64::from(n) * 1e-4, 0.9);
            assert!((value - last).abs() < 1.1e-3 && (0.0..=1.0).contains(&value), "{n}: {value}");
            last = value;
        }
        let none =
            EnvelopeSettings { delay_s: 0.0, attack_s: 0.0, hold_s: 0.0, decay_s: 0.0, ..SETTINGS };
        assert_eq!(
            Envelope::default().value(&none),
            1.0,
            "with no times at all it begins at the top"
        );
    }
}
