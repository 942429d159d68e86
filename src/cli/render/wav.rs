//! Sound files.

use std::path::Path;

use anyhow::{Context, Result};

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
