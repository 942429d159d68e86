//! A sound as a force.

use crate::math::DcBlock;

/// A force up to this counts as none, N. It moves no body by what could be heard.
const SILENCE_N: f64 = 1e-8;

/// Makes forces from samples.
#[derive(Clone, Debug)]
pub struct Force {
    dc: DcBlock,
    pole: f64,
    /// The last sample pushed.
    pushes: bool,
    /// The force of a sample that has been read, and waits.
    waiting_n: Option<f64>,
}

impl Default for Force {
    fn default() -> Self {
        let mut force = Self { dc: DcBlock::default(), pole: 0.0, pushes: false, waiting_n: None };
        force.prepare(48_000.0);
        force
    }
}

impl Force {
    /// Take over a sample rate, and forget the past.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.pole = DcBlock::pole(sample_rate_hz);
        self.reset();
    }

    /// Forget the past.
    pub fn reset(&mut self) {
        (self.dc, self.pushes, self.waiting_n) = (DcBlock::default(), false, None);
    }

    /// What comes next counts as the first after silence.
    pub fn renew(&mut self) {
        self.pushes = false;
    }

    /// Read the next sample, unless one waits already. Returns whether its force is the first after
    /// silence; it then waits until that has been seen to.
    pub fn advance(&mut self, gain: f64, sample: impl Fn() -> f64) -> bool {
        if self.waiting_n.is_some() {
            return false;
        }
        let force_n = gain * self.dc.process(self.pole, sample());
        let (pushed, pushes) = (self.pushes, force_n.abs() > SILENCE_N);
        self.pushes = pushes;
        self.waiting_n = Some(if pushes { force_n } else { 0.0 });
        pushes && !pushed
    }

    /// The force of the sample that was read, N.
    pub fn take(&mut self) -> f64 {
        self.waiting_n.take().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_push_goes_away_and_silence_is_none() {
        let mut force = Force::default();
        let mut onsets = 0;
        for n in 0..96_000 {
            onsets += usize::from(force.advance(1.0, || 0.5));
            let force_n = force.take();
            assert!(n != 0 || force_n == 0.5);
            assert!(n < 48_000 || force_n.abs() < 1e-7, "{n}: {force_n} N");
        }
        assert_eq!(onsets, 1);
        force.reset();
        assert!((0..1000).all(|_| !force.advance(100.0, || 0.0) && force.take() == 0.0));
    }
}
