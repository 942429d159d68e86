//! The standalone program.
//!
//! The framework opens the sound card with blocks of 512 samples and plays nothing if the device
//! does not support that: ALSA's mixer has 1024 and no other. So the program finds a block size
//! that the device supports and passes it to the framework.

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, SampleFormat, StreamConfig};

fn main() {
    let args = with_device_block_size(std::env::args().collect(), supported_block_size);
    nice_plug::prelude::nice_export_standalone_with_args::<ictus::plugin::Ictus, _>(args);
}

/// The framework's own.
const DEFAULT_SAMPLES: u32 = 512;
const RATE_HZ: u32 = 48_000;

/// The device that is meant.
struct DeviceRequest {
    /// By its name; none for the one that the system prefers.
    device: Option<String>,
    /// Sample rate, Hz.
    rate_hz: u32,
}

/// The same arguments; with the period that `find` has found for the device, where none is asked
/// for.
fn with_device_block_size(
    mut args: Vec<String>,
    find: impl FnOnce(&DeviceRequest) -> Option<u32>,
) -> Vec<String> {
    let elsewhere = value(&args, &["-b", "--backend"])
        .is_some_and(|backend| backend == "jack" || backend == "dummy");
    let is_asked = value(&args, &["-p", "--period-size"]).is_some();
    let tells = |argument: &String| ["-h", "--help"].contains(&argument.as_str());
    if elsewhere || is_asked || args.iter().any(tells) {
        return args;
    }
    let rate_hz = value(&args, &["-r", "--sample-rate"]).and_then(|rate| rate.parse::<f32>().ok());
    let rate_hz = rate_hz.map_or(RATE_HZ, |rate_hz| rate_hz as u32);
    let request =
        DeviceRequest { device: value(&args, &["--output-device"]).map(str::to_owned), rate_hz };
    if let Some(block_size) = find(&request).filter(|block_size| *block_size != DEFAULT_SAMPLES) {
        args.push(format!("--period-size={block_size}"));
    }
    args
}

/// The value of an option of these names, however it is written.
fn value<'a>(args: &'a [String], names: &[&str]) -> Option<&'a str> {
    args.iter().enumerate().find_map(|(index, argument)| {
        names.iter().find_map(|name| match argument.strip_prefix(name)? {
            "" => args.get(index + 1).map(String::as_str),
            rest if name.starts_with("--") => rest.strip_prefix('='),
            rest => Some(rest.strip_prefix('=').unwrap_or(rest)),
        })
    })
}

/// The period with which the device can be opened: the usual one, or its own. None if there is no
/// such device, or it cannot be opened at all.
fn supported_block_size(request: &DeviceRequest) -> Option<u32> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    fn fitted(line: &str, has: Option<u32>) -> String {
        with_device_block_size(args(line), |_| has).join(" ")
    }

    #[test]
    fn a_device_with_a_period_of_its_own_gets_it() {
        assert_eq!(fitted("ictus", Some(512)), "ictus");
        assert_eq!(fitted("ictus", Some(1024)), "ictus --period-size=1024");
        assert_eq!(fitted("ictus -b alsa", Some(2048)), "ictus -b alsa --period-size=2048");
        // Where nothing can be opened the framework says why.
        assert_eq!(fitted("ictus", None), "ictus");
    }

    #[test]
    fn who_asks_for_one_has_it() {
        for line in
            ["ictus -p 64", "ictus --period-size=64", "ictus -p64", "ictus --period-size 64"]
        {
            assert_eq!(fitted(line, Some(1024)), line);
        }
        for line in ["ictus --backend jack", "ictus -b dummy", "ictus --help"] {
            let refuse = |_: &DeviceRequest| panic!("no device is to be opened");
            assert_eq!(with_device_block_size(args(line), refuse).join(" "), line);
        }
    }

    #[test]
    fn the_device_is_the_one_that_is_meant() {
        let meant = |line: &str| {
            let mut meant = None;
            with_device_block_size(args(line), |request| {
                meant = Some((request.device.clone(), request.rate_hz));
                None
            });
            meant
        };
        assert_eq!(meant("ictus"), Some((None, 48_000)));
        assert_eq!(
            meant("ictus -r 96000 --output-device=Loud"),
            Some((Some("Loud".into()), 96_000))
        );
        assert_eq!(
            meant("ictus --sample-rate 44100 --output-device Loud"),
            Some((Some("Loud".into()), 44_100))
        );
    }
}
