//! Spectra.

use ictus::exciter::surface::fft;

/// Power spectral density by Welch's method (Hann, half overlapping), and the width of a bin, Hz.
///
/// The window lasts `1/detail_hz` at every sample rate, and is zero-padded to a power of two. A
/// window of a power of two samples would leak a line near the edge of a band by an amount that
/// depends on the rate.
pub fn psd(signal: &[f64], sample_rate_hz: f64, detail_hz: f64) -> (Vec<f64>, f64) {
    let length = (sample_rate_hz / detail_hz).round() as usize;
    let n = length.next_power_of_two();
    let window: Vec<f64> = (0..length)
        .map(|i| (std::f64::consts::PI * (i as f64 + 0.5) / length as f64).sin().powi(2))
        .collect();
    let scale = sample_rate_hz * window.iter().map(|w| w * w).sum::<f64>();
    let mut sum = vec![0.0; n / 2];
    let mut count = 0.0;
    for part in signal.windows(length).step_by(length / 2) {
        let mean = part.iter().sum::<f64>() / length as f64;
        let mut data: Vec<fft::Complex> =
            part.iter().zip(&window).map(|(x, w)| ((x - mean) * w, 0.0)).collect();
        data.resize(n, (0.0, 0.0));
        fft::transform(&mut data, false);
        for (s, x) in sum.iter_mut().zip(&data) {
            *s += 2.0 * (x.0 * x.0 + x.1 * x.1) / scale;
        }
        count += 1.0;
    }
    assert!(count > 0.0, "too short");
    sum.iter_mut().for_each(|s| *s /= count);
    (sum, sample_rate_hz / n as f64)
}

/// Power in third octaves from 100 Hz to 8 kHz, dB. Bins on the edge of two bands are shared
/// between them.
pub fn third_octaves_db(signal: &[f64], sample_rate_hz: f64) -> Vec<(f64, f64)> {
    let (psd, bin_hz) = psd(signal, sample_rate_hz, 0.5);
    // Power below a frequency; a bin reaches half its width to both sides.
    let mut below = vec![0.0];
    for power in &psd {
        below.push(below[below.len() - 1] + power * bin_hz);
    }
    let up_to = |hz: f64| {
        let place = hz / bin_hz + 0.5;
        let whole = place as usize;
        below[whole] + (place - whole as f64) * (below[whole + 1] - below[whole])
    };
    (-10..=9)
        .map(|n| {
            let centre_hz = 1000.0 * 2f64.powf(f64::from(n) / 3.0);
            let half = 2f64.powf(1.0 / 6.0);
            (centre_hz, 10.0 * (up_to(centre_hz * half) - up_to(centre_hz / half)).log10())
        })
        .collect()
}

/// Centroid of the power above 50 Hz, Hz.
pub fn centroid_hz(signal: &[f64], sample_rate_hz: f64) -> f64 {
    let (psd, bin_hz) = psd(signal, sample_rate_hz, 5.0);
    let above = (50.0 / bin_hz) as usize..(16_000.0 / bin_hz) as usize;
    let power: f64 = psd[above.clone()].iter().sum();
    above.map(|k| k as f64 * bin_hz * psd[k]).sum::<f64>() / power
}

/// The rate (Hz, between `low_hz` and `high_hz`) at which the loudness above `over_hz` fluctuates
/// most, and the ratio of that line to the median of its neighbours, dB.
pub fn swell_hz(
    signal: &[f64],
    sample_rate_hz: f64,
    over_hz: f64,
    low_hz: f64,
    high_hz: f64,
) -> (f64, f64) {
    // Two first-order high-passes, the square, and means over some milliseconds.
    let pole = (-2.0 * std::f64::consts::PI * over_hz / sample_rate_hz).exp();
    let (mut a, mut b) = (signal[0], 0.0);
    let block = (sample_rate_hz / 400.0) as usize;
    let power: Vec<f64> = signal
        .iter()
        .map(|x| {
            a += (1.0 - pole) * (x - a);
            let once = x - a;
            b += (1.0 - pole) * (once - b);
            (once - b).powi(2)
        })
        .collect();
    let envelope: Vec<f64> =
        power.chunks_exact(block).map(|c| (c.iter().sum::<f64>() / block as f64).sqrt()).collect();
    let mean = envelope.iter().sum::<f64>() / envelope.len() as f64;
    let n = 4 * envelope.len().next_power_of_two();
    let mut data: Vec<fft::Complex> = envelope
        .iter()
        .enumerate()
        .map(|(i, e)| {
            let window =
                (std::f64::consts::PI * (i as f64 + 0.5) / envelope.len() as f64).sin().powi(2);
            ((e - mean) * window, 0.0)
        })
        .collect();
    data.resize(n, (0.0, 0.0));
    fft::transform(&mut data, false);
    let bin_hz = sample_rate_hz / block as f64 / n as f64;
    let size = |k: usize| data[k].0.hypot(data[k].1);
    let range = (low_hz / bin_hz) as usize..(high_hz / bin_hz) as usize;
    let best = range.clone().max_by(|a, b| size(*a).total_cmp(&size(*b))).expect("some bins");
    let mut sizes: Vec<f64> = range.map(size).collect();
    sizes.sort_by(f64::total_cmp);
    (best as f64 * bin_hz, 20.0 * (size(best) / sizes[sizes.len() / 2]).log10())
}
