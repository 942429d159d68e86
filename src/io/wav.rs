//! WAV files.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// Writes stereo sound as 32-bit float WAV.
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

/// Reads the sample rate and both channels of a sound; one channel is used for both sides.
pub fn read(path: &Path) -> Result<(u32, [Vec<f32>; 2])> {
    let read = || -> Result<(u32, [Vec<f32>; 2])> {
        let mut reader =
            hound::WavReader::open(path).context("is not a WAV file that can be read")?;
        let spec = reader.spec();
        let (channels, samples) = (usize::from(spec.channels), reader.duration());
        ensure!((1..=2).contains(&channels), "has {channels} channels; expected 1 or 2");
        ensure!(samples <= MAX_SAMPLES, "has {samples} samples; at most {MAX_SAMPLES}");
        let samples: Vec<f32> = match spec.sample_format {
            hound::SampleFormat::Float => reader.samples::<f32>().collect::<Result<_, _>>()?,
            hound::SampleFormat::Int if spec.bits_per_sample <= 32 => {
                let full_scale = 2f64.powi(i32::from(spec.bits_per_sample) - 1);
                let scaled =
                    |sample: hound::Result<i32>| sample.map(|x| (f64::from(x) / full_scale) as f32);
                reader.samples::<i32>().map(scaled).collect::<Result<_, _>>()?
            }
            hound::SampleFormat::Int => {
                bail!("has {} bits; expected up to 32", spec.bits_per_sample)
            }
        };
        let channel =
            |index: usize| samples.iter().skip(index).step_by(channels).copied().collect();
        Ok((spec.sample_rate, [channel(0), channel(channels - 1)]))
    };
    read().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_sound_reads_back_unchanged_and_other_files_are_refused() {
        let path = std::env::temp_dir().join(format!("ictus-wav-{}.wav", std::process::id()));
        let sound = [vec![0.0, 0.5, -1.0], vec![0.25, 0.0, 2.0]];
        write(&path, 44_100, &sound).unwrap();
        let back = read(&path);
        std::fs::write(&path, b"RIFF, it says").unwrap();
        let broken = read(&path);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(back.unwrap(), (44_100, sound));
        assert!(
            format!("{:#}", broken.unwrap_err()).contains("is not a WAV file that can be read")
        );
    }
}
