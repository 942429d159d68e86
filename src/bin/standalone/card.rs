//! What the sound card can do.

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, SampleFormat, StreamConfig};
use ictus::plugin::device_block_size::{DEFAULT_SAMPLES, DeviceRequest};

/// The period with which the device can be opened: the usual one, or its own. None if there is no
/// such device, or it cannot be opened at all.
pub fn block_size(request: &DeviceRequest) -> Option<u32> {
    let host = cpal::default_host();
    let is_meant = |device: &cpal::Device, name: &String| {
        device.description().is_ok_and(|own| own.name() == name)
    };
    let device = match &request.device {
        None => host.default_output_device()?,
        Some(name) => host.output_devices().ok()?.find(|device| is_meant(device, name))?,
    };
    let usual = device.default_output_config().ok()?;
    // Not played, only opened and closed again.
    let open = |buffer_size: BufferSize| {
        let config = StreamConfig {
            channels: usual.channels().max(2),
            sample_rate: request.rate_hz,
            buffer_size,
        };
        // Floats before all else, as the framework has it.
        [SampleFormat::F32, usual.sample_format()].into_iter().find_map(|format| {
            device
                .build_output_stream_raw(
                    config,
                    format,
                    |data, _| data.bytes_mut().fill(0),
                    |_| {},
                    None,
                )
                .ok()
        })
    };
    let can = |block_size: &u32| open(BufferSize::Fixed(*block_size)).is_some();
    let own = || open(BufferSize::Default).and_then(|stream| stream.buffer_size().ok()).filter(can);
    Some(DEFAULT_SAMPLES).filter(can).or_else(own)
}
