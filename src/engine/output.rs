//! Width, level, DC block, limiter.

mod limiter;

use limiter::Limiter;

use crate::math::{DcBlock, lerp};
use crate::params::{Param, Patch};

/// Maximum output, -1 dBFS: kept by the limiter, or by clipping while the limiter is off.
pub const CEILING: f64 = 0.891_250_938_133_745_5;
/// Time constant with which level, width and limiter follow their parameters, s.
const LEVEL_S: f64 = 0.005;
/// The output of the DC block counts as silence below this magnitude.
const INAUDIBLE: f64 = 1e-7;

/// The parameters of the output stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputParams {
    /// Output gain.
    pub level: f64,
    /// Gain of the side signal: 1 keeps the stereo image, 0 makes it mono.
    pub width: f64,
    /// True if the limiter is on, which delays the output; otherwise peaks are clipped.
    pub limited: bool,
}

impl OutputParams {
    /// Reads the parameters from a patch.
    pub fn of(patch: &Patch) -> Self {
        Self {
            level: patch.level(),
            width: patch.get(Param::Width),
            limited: patch.is_on(Param::Limiter),
        }
    }
}

/// A gain that follows its target exponentially.
#[derive(Clone, Copy, Debug, Default)]
struct Glide {
    now: Option<f64>,
}

impl Glide {
    fn advance(&mut self, params: f64, pole: f64) -> f64 {
        let now = self.now.unwrap_or(params);
        let next = lerp(params, now, pole);
        let next =
            if (next - params).abs() < 1e-9 * params.abs().max(1e-3) { params } else { next };
        self.now = Some(next);
        next
    }

    fn is_at(&self, params: f64) -> bool {
        self.now == Some(params)
    }
}

/// The output stage.
#[derive(Clone, Debug)]
pub struct Output {
    dc: [DcBlock; 2],
    dc_pole: f64,
    limiter: Limiter,
    level: Glide,
    width: Glide,
    /// Share of the limiter, 0 or 1 at rest.
    limiting: Glide,
    level_pole: f64,
    lowest_gain: f64,
}

impl Output {
    /// Ready for 48 kHz.
    pub fn new() -> Self {
        let mut output = Self {
            dc: [DcBlock::default(); 2],
            dc_pole: 0.0,
            limiter: Limiter::default(),
            level: Glide::default(),
            width: Glide::default(),
            limiting: Glide::default(),
            level_pole: 0.0,
            lowest_gain: 1.0,
        };
        output.prepare(48_000.0);
        output
    }

    /// Sets the sample rate and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.dc_pole = DcBlock::pole(sample_rate_hz);
        self.limiter.prepare(sample_rate_hz);
        self.level_pole = (-1.0 / (LEVEL_S * sample_rate_hz)).exp();
        self.reset();
    }

    /// Resets.
    pub fn reset(&mut self) {
        self.dc = [DcBlock::default(); 2];
        self.limiter.reset();
        (self.level, self.width, self.limiting) = Default::default();
        self.lowest_gain = 1.0;
    }

    /// Sets the level without a glide. Returns the ratio of the former level to the new one.
    pub fn preset_change(&mut self, level: f64) -> f64 {
        let before = self.level.now.filter(|before| before.is_finite()).unwrap_or(level);
        self.level.now = self.level.now.map(|_| level);
        before / level
    }

    /// Delay of the limiter, samples.
    pub fn delay_samples(&self) -> usize {
        self.limiter.delay_samples()
    }

    /// Smallest gain of the limiter in the last piece.
    pub fn lowest_gain(&self) -> f64 {
        self.lowest_gain
    }

    /// Upper bound of the samples until the output is silent, counted from the end of its input,
    /// which is now or, while notes are `ringing`, later.
    pub fn tail_samples(&self, ringing: bool) -> u64 {
        let largest = if ringing {
            // The envelope decays more slowly than the state of the DC block, so it bounds that
            // state.
            self.limiter.envelope().max(1.0)
        } else {
            self.dc.iter().fold(0.0, |largest: f64, dc| largest.max(dc.y1.abs()))
        };
        let dc = ((largest / INAUDIBLE).max(1.0).ln() / -self.dc_pole.ln()).ceil() as u64;
        let delay = match self.limiting.now {
            None | Some(0.0) => 0,
            Some(_) if ringing || dc > 0 => self.limiter.delay_samples(),
            Some(_) => self.limiter.tail_samples(),
        };
        dc + delay as u64
    }

    /// True if silent input would give silent output and leave the state unchanged.
    pub fn is_still(&self, params: &OutputParams) -> bool {
        self.dc.iter().all(|dc| dc.x1 == 0.0 && dc.y1 == 0.0)
            && self.limiter.is_still()
            && self.level.is_at(params.level)
            && self.width.is_at(params.width)
            && self.limiting.is_at(f64::from(u8::from(params.limited)))
    }

    /// Does what [`process`](Self::process) does with silence in [this state](Self::is_still).
    pub fn pass_silence(&mut self) {
        self.lowest_gain = 1.0;
    }

    /// Applies width, level, DC block and limiter in place.
    pub fn process(&mut self, params: &OutputParams, left: &mut [f64], right: &mut [f64]) {
        self.lowest_gain = 1.0;
        let pole = self.level_pole;
        for (l, r) in left.iter_mut().zip(right.iter_mut()) {
            let level = self.level.advance(params.level, pole);
            // Exactly 0 at width 1.
            let side = 0.5 * (self.width.advance(params.width, pole) - 1.0) * (*l - *r);
            let x = self.dc[0].process(self.dc_pole, (*l + side) * level);
            let y = self.dc[1].process(self.dc_pole, (*r - side) * level);
            let share = self.limiting.advance(f64::from(u8::from(params.limited)), pole);
            let delayed = self.limiter.delay([x, y]);
            if share == 0.0 {
                self.limiter.let_go();
                (*l, *r) = (self.cut(x), self.cut(y));
                continue;
            }
            let gain = self.limiter.gain(x.abs().max(y.abs()));
            self.lowest_gain = self.lowest_gain.min(gain);
            // Rounding may lift the product above the ceiling.
            let [delayed_l, delayed_r] = delayed.map(|x| (x * gain).clamp(-CEILING, CEILING));
            (*l, *r) = if share == 1.0 {
                (delayed_l, delayed_r)
            } else {
                (
                    share * delayed_l + (1.0 - share) * self.cut(x),
                    share * delayed_r + (1.0 - share) * self.cut(y),
                )
            };
        }
        if !self.is_finite() {
            self.fail(left, right);
        }
    }

    fn is_finite(&self) -> bool {
        let glides =
            [self.level, self.width, self.limiting].map(|glide| glide.now.unwrap_or_default());
        let dc = self.dc.iter().flat_map(|dc| [dc.x1, dc.y1]);
        dc.chain(glides).chain([self.limiter.envelope(), self.lowest_gain]).all(f64::is_finite)
    }

    /// Resets and mutes the piece: NaN would otherwise persist in the filters.
    fn fail(&mut self, left: &mut [f64], right: &mut [f64]) {
        self.reset();
        left.fill(0.0);
        right.fill(0.0);
    }

    /// Clips a sample, for the output without the limiter.
    fn cut(&mut self, x: f64) -> f64 {
        if x.abs() > CEILING {
            self.lowest_gain = self.lowest_gain.min(CEILING / x.abs());
        }
        x.clamp(-CEILING, CEILING)
    }
}

impl Default for Output {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    const AS_IT_IS: OutputParams = OutputParams { level: 1.0, width: 1.0, limited: true };

    fn sine(amplitude: f64, hz: f64, seconds: f64) -> Vec<f64> {
        (0..(48_000.0 * seconds) as usize)
            .map(|n| amplitude * (2.0 * PI * hz * n as f64 / 48_000.0).sin())
            .collect()
    }

    #[test]
    fn nothing_leaves_above_the_ceiling_and_nothing_below_is_touched() {
        let mut output = Output::new();
        let (mut l, mut r) = (sine(40.0, 440.0, 0.5), sine(0.3, 440.0, 0.5));
        output.process(&AS_IT_IS, &mut l, &mut r);
        assert!(l.iter().all(|x| x.abs() <= CEILING + 1e-12));
        assert!(output.lowest_gain() < 0.03);

        let mut loud = Output::new();
        let mut quiet = Output::new();
        let (mut a, mut b) = (sine(0.8, 440.0, 0.5), sine(0.8, 440.0, 0.5));
        let (mut c, mut d) = (sine(0.4, 440.0, 0.5), sine(0.4, 440.0, 0.5));
        loud.process(&AS_IT_IS, &mut a, &mut b);
        quiet.process(&AS_IT_IS, &mut c, &mut d);
        assert_eq!(loud.lowest_gain(), 1.0);
        // Linear to the last bit below the ceiling.
        assert!(a.iter().zip(&c).all(|(a, c)| *a == 2.0 * c));
    }

    #[test]
    fn below_the_ceiling_the_limiter_only_delays() {
        for rate_hz in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            let (open, mut sound) = (
                OutputParams { limited: false, ..AS_IT_IS },
                [sine(0.8, 440.0, 0.1), sine(0.8, 440.0, 0.1)],
            );
            let mut outputs = [Output::new(), Output::new()];
            outputs.iter_mut().for_each(|output| output.prepare(rate_hz));
            let delay = outputs[0].delay_samples();
            assert!((0.001..0.002).contains(&(delay as f64 / rate_hz)), "{delay}");
            for ((output, params), sound) in
                outputs.iter_mut().zip([open, AS_IT_IS]).zip(&mut sound)
            {
                let mut beside = vec![0.0; sound.len()];
                output.process(&params, sound, &mut beside);
                // After a peak the gain is exactly 1 again.
                output.process(&params, &mut [40.0; 480], &mut [0.0; 480]);
                output.process(
                    &params,
                    &mut vec![0.0; 4 * rate_hz as usize],
                    &mut vec![0.0; 4 * rate_hz as usize],
                );
                *sound = sine(0.8, 300.0, 0.1);
                output.process(&params, sound, &mut beside);
                assert_eq!(output.lowest_gain(), 1.0);
            }
            let [open, limited] = sound;
            assert!(
                limited[..delay].iter().all(|x| *x == 0.0)
                    && limited[delay..] == open[..open.len() - delay]
            );
        }
    }

    #[test]
    fn no_peak_passes_the_ceiling_however_far_over_and_however_sudden() {
        for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
            let mut output = Output::new();
            output.prepare(rate_hz);
            let mut dice = crate::random::Random::new(7);
            // Peaks of up to 80 dB, at any distance from each other.
            let mut peaks = || -> Vec<f64> {
                (0..96_000)
                    .map(|_| {
                        if dice.unit() < 0.01 {
                            10f64.powf(4.0 * dice.unit())
                        } else {
                            0.1 * dice.unit()
                        }
                    })
                    .collect()
            };
            let (mut left, mut right) = (peaks(), peaks());
            output.process(&AS_IT_IS, &mut left, &mut right);
            assert!(left.iter().chain(&right).all(|x| x.abs() <= CEILING));
        }
    }

    /// Largest magnitude of a sound after a high-pass at 3 kHz.
    fn above_3_khz(sound: &[f64]) -> f64 {
        let (taps, corner) = (1024, 3000.0 / 48_000.0);
        let tap = |i: usize| {
            let (n, u) = (i as f64 - 512.0, 2.0 * PI * i as f64 / taps as f64);
            let low =
                if n == 0.0 { 2.0 * corner } else { (2.0 * PI * corner * n).sin() / (PI * n) };
            (0.42 - 0.5 * u.cos() + 0.08 * (2.0 * u).cos()) * (f64::from(u8::from(n == 0.0)) - low)
        };
        let filter: Vec<f64> = (0..=taps).map(tap).collect();
        let at = |part: &[f64]| part.iter().rev().zip(&filter).map(|(x, tap)| x * tap).sum::<f64>();
        (1..=sound.len())
            .map(|end| at(&sound[end.saturating_sub(filter.len())..end]).abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn a_low_body_far_over_is_limited_without_a_crackle() {
        let peak = |sound: &[f64]| sound.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        // 30 dB over the ceiling, with an onset that has no energy above 3 kHz.
        for decay_s in [0.05, 0.3, 2.0] {
            let shape = |n: usize| {
                let t_s = n as f64 / 48_000.0;
                let onset = if t_s < 0.005 { 0.5 - 0.5 * (PI * t_s / 0.005).cos() } else { 1.0 };
                onset * (-t_s / decay_s).exp()
            };
            let mut sound = sine(31.6, 200.0, 0.8);
            sound.iter_mut().enumerate().for_each(|(n, x)| *x *= shape(n));
            assert!(above_3_khz(&sound) < 1e-4 * peak(&sound));
            let mut output = Output::new();
            output.process(&AS_IT_IS, &mut sound, &mut vec![0.0; 38_400]);
            let added_db = 20.0 * (above_3_khz(&sound) / peak(&sound)).log10();
            println!("{decay_s} s: {added_db:.1} dB");
            assert!(
                added_db < -55.0 && output.lowest_gain() < 0.04,
                "{decay_s} s: {added_db:.1} dB"
            );
        }
    }

    #[test]
    fn silence_is_passed_over_only_when_it_changes_nothing() {
        let mut output = Output::new();
        assert!(!output.is_still(&AS_IT_IS), "its level has not arrived");
        let (mut l, mut r) = (sine(2.0, 440.0, 0.1), sine(0.3, 440.0, 0.1));
        output.process(&AS_IT_IS, &mut l, &mut r);
        let mut blocks = 0;
        while !output.is_still(&AS_IT_IS) {
            let (mut l, mut r) = ([0.0; 480], [0.0; 480]);
            output.process(&AS_IT_IS, &mut l, &mut r);
            blocks += 1;
            assert!(blocks < 1000, "it never comes to rest");
        }
        let before = format!("{output:?}");
        let (mut l, mut r) = ([0.0; 480], [0.0; 480]);
        output.process(&AS_IT_IS, &mut l, &mut r);
        assert!(l.iter().chain(&r).all(|x| x.to_bits() == 0));
        assert_eq!(format!("{output:?}"), before);
        for params in
            [OutputParams { level: 0.5, ..AS_IT_IS }, OutputParams { limited: false, ..AS_IT_IS }]
        {
            assert!(!output.is_still(&params));
        }
    }

    #[test]
    fn nan_lasts_no_longer_than_a_piece() {
        type Harm = fn(&mut Output, f64);
        let harms: [Harm; 8] = [
            |output, x| output.dc[0].x1 = x,
            |output, x| output.dc[1].y1 = x,
            |output, x| output.limiter.envelope = x,
            |output, x| output.level.now = Some(x),
            |output, x| output.width.now = Some(x),
            |output, x| output.limiting.now = Some(x),
            |output, x| output.dc[0].y1 = x,
            |output, x| output.dc[1].x1 = x,
        ];
        for harm in harms {
            for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut output = Output::new();
                output.process(&AS_IT_IS, &mut sine(0.5, 440.0, 0.01), &mut sine(0.5, 300.0, 0.01));
                harm(&mut output, x);
                let (mut l, mut r) = (sine(0.5, 440.0, 0.01), sine(0.5, 300.0, 0.01));
                output.process(&AS_IT_IS, &mut l, &mut r);
                assert!(l.iter().chain(&r).all(|x| x.abs() <= CEILING), "{x}");
                let (mut l, mut r) = (sine(0.5, 440.0, 0.01), sine(0.5, 300.0, 0.01));
                output.process(&AS_IT_IS, &mut l, &mut r);
                assert!(
                    l.iter().any(|x| x.abs() > 0.4)
                        && l.iter().chain(&r).all(|x| x.abs() <= CEILING),
                    "{x}"
                );
            }
        }
    }

    #[test]
    fn dc_is_gone_within_a_second() {
        let mut output = Output::new();
        let (mut l, mut r) = (vec![0.5; 48_000], vec![0.5; 48_000]);
        output.process(&AS_IT_IS, &mut l, &mut r);
        assert!(l[47_999].abs() < 1e-10);
    }

    #[test]
    fn width_scales_the_difference_of_the_sides_and_keeps_their_sum() {
        let heard = |width: f64| {
            let (mut l, mut r) = (sine(0.3, 440.0, 0.2), sine(0.2, 700.0, 0.2));
            Output::new().process(&OutputParams { width, ..AS_IT_IS }, &mut l, &mut r);
            (l, r)
        };
        let (l, r) = heard(1.0);
        for width in [0.0, 0.5, 2.0] {
            let (wl, wr) = heard(width);
            for n in 0..l.len() {
                assert!((wl[n] + wr[n] - l[n] - r[n]).abs() < 1e-12);
                assert!((wl[n] - wr[n] - width * (l[n] - r[n])).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn without_the_limiter_peaks_are_cut_and_the_rest_is_left_alone() {
        let open = OutputParams { limited: false, ..AS_IT_IS };
        let quiet = |params: &OutputParams, loud: f64| {
            let (mut l, mut r) = (sine(0.1 * loud, 440.0, 0.1), sine(0.1, 440.0, 0.1));
            let mut output = Output::new();
            output.process(params, &mut l, &mut r);
            (l, r, output.lowest_gain())
        };
        let (loud, beside, lowest) = quiet(&open, 40.0);
        let (alone, untouched, _) = quiet(&open, 1.0);
        assert_eq!(beside, untouched, "a limiter would take the other side down with it");
        assert!((lowest - CEILING / 4.0).abs() < 0.01, "the meter shows it: {lowest}");
        for (x, y) in loud.iter().zip(&alone) {
            assert!((x - (40.0 * y).clamp(-CEILING, CEILING)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_limiter_takes_hold_without_a_step() {
        let step = |x: &[f64]| x.windows(2).fold(0.0, |max: f64, x| max.max((x[1] - x[0]).abs()));
        let sound = sine(2.0, 440.0, 0.6);
        let (mut before, mut after) = (sound[..14_400].to_vec(), sound[14_400..].to_vec());
        let mut output = Output::new();
        output.process(
            &OutputParams { limited: false, ..AS_IT_IS },
            &mut before,
            &mut [0.0; 14_400],
        );
        output.process(&AS_IT_IS, &mut after, &mut [0.0; 14_400]);
        let joint = (after[0] - before[14_399]).abs();
        assert!(
            step(&after).max(joint) <= 1.05 * step(&before),
            "{} {joint} {}",
            step(&after),
            step(&before)
        );
        let largest = |x: &[f64]| x.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        assert!(largest(&after) <= CEILING + 1e-12);
        // Once the limiter has settled, the output is a sine again.
        let params = CEILING * (2.0 * PI * 440.0 / 48_000.0);
        assert!((step(&after[9600..]) / params - 1.0).abs() < 0.02);
    }
}
