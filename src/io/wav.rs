//! Sound files.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// Write stereo sound as 32-bit float WAV.
pub fn write(path: &Path, rate_hz: u32, sound: &[Vec<f32>; 2]) -> Result<()> {
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: rate_hz,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let named = || format!("{}: cannot be written", path.display());
    let mut writer = hound::WavWriter::create(path, spec).with_context(named)?;
    for (left, right) in sound[0].iter().zip(&sound[1]) {
        writer.write_sample(*left).with_context(named)?;
        writer.write_sample(*right).with_context(named)?;
    }
    writer.finalize().with_context(named)
}

/// Longest sound that is read, samples: an hour at 48 kHz.
const MAX_SAMPLES: u32 = 48_000 * 3600;

/// Read mono or stereo sound of the sample rate `rate_hz`.
pub fn read(path: &Path, rate_hz: u32) -> Result<[Vec<f32>; 2]> {
    let read = || -> Result<[Vec<f32>; 2]> {
        let mut reader =
            hound::WavReader::open(path).context("is not a WAV file that can be read")?;
        let spec = reader.spec();
        ensure!(
            spec.sample_rate == rate_hz,
            "has {} Hz; expected {rate_hz} Hz, the rate of the output",
            spec.sample_rate
        );
        ensure!(
            (1..=2).contains(&spec.channels),
            "has {} channels; expected 1 or 2",
            spec.channels
        );
        ensure!(
            reader.duration() <= MAX_SAMPLES,
            "has {} samples; at most {MAX_SAMPLES}",
            reader.duration()
        );
        let samples: Vec<f32> = match spec.sample_format {
            hound::SampleFormat::Float => reader.samples::<f32>().collect::<Result<_, _>>()?,
            hound::SampleFormat::Int if spec.bits_per_sample <= 32 => {
                let full = 2f64.powi(i32::from(spec.bits_per_sample) - 1);
                let scaled =
                    |sample: hound::Result<i32>| sample.map(|x| (f64::from(x) / full) as f32);
                reader.samples::<i32>().map(scaled).collect::<Result<_, _>>()?
            }
            hound::SampleFormat::Int => {
                bail!("has {} bits; expected up to 32", spec.bits_per_sample)
            }
        };
        let channels = usize::from(spec.channels);
        let channel =
            |index: usize| samples.iter().skip(index).step_by(channels).copied().collect();
        Ok([channel(0), channel(channels - 1)])
    };
    read().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_comes_back_as_it_was_written_and_what_does_not_fit_is_reported() {
        let path = std::env::temp_dir().join(format!("ictus-wav-{}.wav", std::process::id()));
        let sound = [vec![0.0, 0.5, -1.0], vec![0.25, 0.0, 2.0]];
        write(&path, 44_100, &sound).unwrap();
        let (back, other) = (read(&path, 44_100), read(&path, 48_000));
        std::fs::write(&path, b"RIFF, it says").unwrap();
        let broken = read(&path, 44_100);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(back.unwrap(), sound);
        assert!(format!("{:#}", other.unwrap_err()).contains("has 44100 Hz; expected 48000 Hz"));
        assert!(
            format!("{:#}", broken.unwrap_err()).contains("is not a WAV file that can be read")
        );
    }
}
