//! Onset detection, with a velocity for each onset.
//!
//! A sample that reaches the threshold begins an onset. The detector measures its peak during
//! [`WINDOW_S`] and then triggers a strike, with a constant latency and no look-ahead. Before the
//! next onset a hold time must pass, and the follower, which rises instantly and decays by 60 dB in
//! the hold time, must fall by `HYSTERESIS` below the threshold. A steady tone of frequency f
//! strikes once if the hold is longer than 3/f: the follower then loses less than the hysteresis in
//! half a period.

use super::{ExternalSettings, Trigger};

/// Time during which the peak of an onset is measured, s: the latency of a strike.
pub const WINDOW_S: f64 = 1.5e-3;
/// Share of the threshold at which the input counts as silent: -10 dB.
const HYSTERESIS: f64 = 0.316_227_766_016_837_94;
/// The follower is set to zero below this value, before it becomes denormal.
const NOTHING: f64 = 1e-30;

/// State of the detector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Waiting for an onset.
    #[default]
    Armed,
    /// Measuring the peak for `left` more samples.
    Rising { left: u32, peak: f64 },
    /// Triggered; no new onset for at least `left` samples.
    Held { left: u32 },
}

/// Settings converted to samples.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    threshold: f64,
    hold: u32,
    fall: f64,
    dynamics_db: f64,
}

/// Detects onsets.
#[derive(Clone, Debug)]
pub struct Detector {
    state: State,
    follower: f64,
    sample_rate_hz: f64,
}

impl Default for Detector {
    fn default() -> Self {
        Self { state: State::Armed, follower: 0.0, sample_rate_hz: 48_000.0 }
    }
}

impl Detector {
    /// Sets the sample rate and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.sample_rate_hz = sample_rate_hz;
        self.reset();
    }

    /// Resets.
    pub fn reset(&mut self) {
        self.state = State::Armed;
        self.follower = 0.0;
    }

    /// Resets. Returns true if a key has to be released.
    pub fn let_go(&mut self) -> bool {
        let held = matches!(self.state, State::Held { .. });
        self.reset();
        held
    }

    /// True while the peak of an onset is being measured.
    pub fn is_rising(&self) -> bool {
        matches!(self.state, State::Rising { .. })
    }

    /// The latency of a strike, samples.
    pub fn window(&self) -> u32 {
        ((WINDOW_S * self.sample_rate_hz).round() as u32).max(1)
    }

    /// Converts the settings to the sample rate.
    pub fn steps(&self, settings: &ExternalSettings) -> Steps {
        let hold = settings.hold_s * self.sample_rate_hz;
        Steps {
            threshold: settings.threshold,
            hold: hold.round() as u32,
            fall: (-1000f64.ln() / hold.max(1.0)).exp(),
            dynamics_db: settings.dynamics_db,
        }
    }

    /// Processes one sample. The returned trigger takes effect after it.
    pub fn advance(&mut self, steps: &Steps, x: f64) -> Option<Trigger> {
        let magnitude = x.abs();
        self.follower = magnitude.max(self.follower * steps.fall);
        if self.follower < NOTHING {
            self.follower = 0.0;
        }
        if self.state == State::Armed && magnitude >= steps.threshold {
            self.state = State::Rising { left: self.window(), peak: 0.0 };
        }
        match &mut self.state {
            State::Armed => None,
            State::Rising { left, peak } => {
                *peak = magnitude.max(*peak);
                *left -= 1;
                let peak = *peak;
                (*left == 0).then(|| {
                    self.state = State::Held { left: steps.hold };
                    Trigger::Strike { velocity: velocity(peak, steps.dynamics_db) }
                })
            }
            State::Held { left } => {
                *left = left.saturating_sub(1);
                let gone = *left == 0 && self.follower < HYSTERESIS * steps.threshold;
                gone.then(|| {
                    self.state = State::Armed;
                    Trigger::LetGo
                })
            }
        }
    }
}

/// Velocity of a peak: full scale gives 1, each decibel below it reduces the speed by a decibel.
fn velocity(peak: f64, dynamics_db: f64) -> f32 {
    let below_db = -20.0 * peak.log10();
    if below_db <= 0.0 {
        return 1.0;
    }
    (1.0 - below_db / dynamics_db).clamp(0.0, 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exciter::external::ExternalMode;

    const SETTINGS: ExternalSettings = ExternalSettings {
        mode: ExternalMode::Strikes,
        gain: 1.0,
        threshold: 0.1,
        hold_s: 0.02,
        dynamics_db: 40.0,
        key: 60,
    };

    fn triggers(rate_hz: f64, sound: impl Iterator<Item = f64>) -> Vec<(usize, Trigger)> {
        let mut detector = Detector::default();
        detector.prepare(rate_hz);
        let steps = detector.steps(&SETTINGS);
        sound
            .enumerate()
            .filter_map(|(n, x)| detector.advance(&steps, x).map(|trigger| (n + 1, trigger)))
            .collect()
    }

    fn strikes(triggers: &[(usize, Trigger)]) -> Vec<(usize, f32)> {
        let strike = |(n, trigger): &(usize, Trigger)| match trigger {
            Trigger::Strike { velocity } => Some((*n, *velocity)),
            _ => None,
        };
        triggers.iter().filter_map(strike).collect()
    }

    #[test]
    fn each_click_strikes_once_after_the_window_at_any_rate() {
        for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
            let gap = (0.05 * rate_hz) as usize;
            let click =
                |n: usize| if n % gap == 17 { [1.0, 0.1, 0.5, 0.05][n / gap % 4] } else { 0.0 };
            let found = strikes(&triggers(rate_hz, (0..8 * gap).map(click)));
            let window = (WINDOW_S * rate_hz).round() as usize;
            let expected = [(0, 1.0), (1, 0.5), (2, 0.8495), (4, 1.0), (5, 0.5), (6, 0.8495)];
            assert_eq!(
                found.len(),
                expected.len(),
                "{rate_hz} Hz: one click in four is below the threshold"
            );
            for ((n, velocity), (click, loud)) in found.iter().zip(expected) {
                assert_eq!(*n, click * gap + 17 + window, "{rate_hz} Hz");
                assert!((velocity - loud).abs() < 1e-4, "{velocity} instead of {loud}");
            }
        }
    }

    #[test]
    fn a_steady_tone_strikes_once_and_is_let_go_once() {
        let tone = |n: usize| if n < 48_000 { (0.03 * n as f64).sin() } else { 0.0 };
        let found = triggers(48_000.0, (0..96_000).map(tone));
        assert_eq!(strikes(&found).len(), 1);
        assert_eq!(found.len(), 2);
        assert!(
            (48_000..50_000).contains(&found[1].0) && found[1].1 == Trigger::LetGo,
            "{found:?}"
        );
    }

    #[test]
    fn silence_and_what_lies_below_the_threshold_do_nothing() {
        assert!(
            triggers(48_000.0, (0..48_000).map(|n| 0.0999 * (0.1 * n as f64).sin())).is_empty()
        );
    }

    #[test]
    fn the_rise_of_an_onset_is_waited_for() {
        // The level rises for 1 ms from the threshold to the peak.
        let rise =
            |n: usize| (0.1 + 0.9 * n as f64 / 48.0).min(1.0) * if n < 480 { 1.0 } else { 0.0 };
        assert_eq!(strikes(&triggers(48_000.0, (0..4800).map(rise))), [(72, 1.0)]);
    }
}
