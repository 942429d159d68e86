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

/// Block size that the framework uses by default.
const DEFAULT_SAMPLES: u32 = 512;
const DEFAULT_RATE_HZ: u32 = 48_000;

/// The device that the arguments select.
struct DeviceRequest {
    /// Its name; `None` for the system's default.
    device: Option<String>,
    /// Sample rate, Hz.
    rate_hz: u32,
}

/// Adds the block size that `find` returns for the device, unless the arguments contain one or do
/// not need one.
fn with_device_block_size(
    mut args: Vec<String>,
    find: impl FnOnce(&DeviceRequest) -> Option<u32>,
) -> Vec<String> {
    let uses_other_backend = value(&args, &["-b", "--backend"])
        .is_some_and(|backend| backend == "jack" || backend == "dummy");
    let is_given = value(&args, &["-p", "--period-size"]).is_some();
    let is_help = |argument: &String| ["-h", "--help"].contains(&argument.as_str());
    if uses_other_backend || is_given || args.iter().any(is_help) {
        return args;
    }
    let rate_hz = value(&args, &["-r", "--sample-rate"]).and_then(|rate| rate.parse::<f32>().ok());
    let rate_hz = rate_hz.map_or(DEFAULT_RATE_HZ, |rate_hz| rate_hz as u32);
    let request =
        DeviceRequest { device: value(&args, &["--output-device"]).map(str::to_owned), rate_hz };
    if let Some(block_size) = find(&request).filter(|block_size| *block_size != DEFAULT_SAMPLES) {
        args.push(format!("--period-size={block_size}"));
    }
    args
}

/// The value of an option with one of these names, in any notation.
fn value<'a>(args: &'a [String], names: &[&str]) -> Option<&'a str> {
    args.iter().enumerate().find_map(|(index, argument)| {
        names.iter().find_map(|name| match argument.strip_prefix(name)? {
            "" => args.get(index + 1).map(String::as_str),
            rest if name.starts_with("--") => rest.strip_prefix('='),
            rest => Some(rest.strip_prefix('=').unwrap_or(rest)),
        })
    })
}

/// A block size with which the device can be opened: the framework's, or else its own. `None` if
/// there is no such device, or it cannot be opened.
fn supported_block_size(request: &DeviceRequest) -> Option<u32> {
    let host = cpal::default_host();
    let is_named = |device: &cpal::Device, name: &String| {
        device.description().is_ok_and(|own| own.name() == name)
    };
    let device = match &request.device {
        None => host.default_output_device()?,
        Some(name) => host.output_devices().ok()?.find(|device| is_named(device, name))?,
    };
    let usual = device.default_output_config().ok()?;
    // The stream is opened and closed, not played.
    let open = |buffer_size: BufferSize| {
        let config = StreamConfig {
            channels: usual.channels().max(2),
            sample_rate: request.rate_hz,
            buffer_size,
        };
        // Floats first, as the framework does.
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
    let is_supported = |block_size: &u32| open(BufferSize::Fixed(*block_size)).is_some();
    let own_size = || {
        open(BufferSize::Default).and_then(|stream| stream.buffer_size().ok()).filter(is_supported)
    };
    Some(DEFAULT_SAMPLES).filter(is_supported).or_else(own_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    fn with_block_size(line: &str, has: Option<u32>) -> String {
        with_device_block_size(args(line), |_| has).join(" ")
    }

    #[test]
    fn a_device_gets_its_own_block_size() {
        assert_eq!(with_block_size("ictus", Some(512)), "ictus");
        assert_eq!(with_block_size("ictus", Some(1024)), "ictus --period-size=1024");
        assert_eq!(
            with_block_size("ictus -b alsa", Some(2048)),
            "ictus -b alsa --period-size=2048"
        );
        // If nothing can be opened, the framework reports why.
        assert_eq!(with_block_size("ictus", None), "ictus");
    }

    #[test]
    fn an_explicit_block_size_is_kept() {
        for line in
            ["ictus -p 64", "ictus --period-size=64", "ictus -p64", "ictus --period-size 64"]
        {
            assert_eq!(with_block_size(line, Some(1024)), line);
        }
        for line in ["ictus --backend jack", "ictus -b dummy", "ictus --help"] {
            let refuse = |_: &DeviceRequest| panic!("no device may be opened");
            assert_eq!(with_device_block_size(args(line), refuse).join(" "), line);
        }
    }

    #[test]
    fn the_device_comes_from_the_arguments() {
        let selected = |line: &str| {
            let mut request_of = None;
            with_device_block_size(args(line), |request| {
                request_of = Some((request.device.clone(), request.rate_hz));
                None
            });
            request_of
        };
        assert_eq!(selected("ictus"), Some((None, 48_000)));
        assert_eq!(
            selected("ictus -r 96000 --output-device=Loud"),
            Some((Some("Loud".into()), 96_000))
        );
        assert_eq!(
            selected("ictus --sample-rate 44100 --output-device Loud"),
            Some((Some("Loud".into()), 44_100))
        );
    }
}
