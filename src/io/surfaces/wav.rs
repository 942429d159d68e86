//! Heights from a sound file.

use anyhow::{Context, Result, ensure};

use crate::exciter::surface::user::MAX_HEIGHTS;

/// Samples of the first channel, integers of 8 to 32 bits or 32-bit floats.
pub fn heights(bytes: &[u8]) -> Result<Vec<f64>> {
    let mut reader = hound::WavReader::new(bytes).context("is not a WAV file that can be read")?;
    let spec = reader.spec();
    ensure!(spec.channels > 0, "has no channel");
    let frames = reader.duration() as usize;
    ensure!(frames <= MAX_HEIGHTS, "has {frames} samples; a surface has at most {MAX_HEIGHTS}");
    let channels = usize::from(spec.channels);
    let samples: Result<Vec<f64>, hound::Error> = match spec.sample_format {
        hound::SampleFormat::Float => {
            reader.samples::<f32>().step_by(channels).map(|x| x.map(f64::from)).collect()
        }
        hound::SampleFormat::Int => {
            reader.samples::<i32>().step_by(channels).map(|x| x.map(f64::from)).collect()
        }
    };
    samples.context("ends early or is damaged")
}
