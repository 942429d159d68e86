//! A virtual X display (Xvfb), and its screen as a picture.

use crate::process::KillOnDrop;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::Path;
use std::process::{Command, Stdio};

const SCREEN: &str = "1600x1200x24";

/// Starts Xvfb on a free display and returns its name. The screen is a file in `folder`.
pub fn start(folder: &Path) -> Result<(String, KillOnDrop)> {
    let mut child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", SCREEN, "-wr", "-nolisten", "tcp", "-fbdir"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.join("xvfb.log")).context("cannot write Xvfb's log")?)
        .spawn()
        .context("cannot start Xvfb (Debian, Ubuntu: apt-get install xvfb)")?;
    let output = child.stdout.take().context("Xvfb has no output")?;
    let server = KillOnDrop(child);
    let mut number = String::new();
    BufReader::new(output).read_line(&mut number).context("cannot read from Xvfb")?;
    if number.trim().is_empty() {
        let log = fs::read_to_string(folder.join("xvfb.log")).unwrap_or_default();
        bail!("Xvfb did not start: {}", log.trim());
    }
    Ok((format!(":{}", number.trim()), server))
}

/// A picture of 8-bit RGB.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row, from the top.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// The pixel at a place inside the picture.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }

    /// The smallest part with all pixels that differ from `background`; `None` if none does.
    pub fn cropped(&self, background: [u8; 3]) -> Option<Picture> {
        let differs = |x: &usize, y: &usize| self.at(*x, *y) != background;
        let column = |x: &usize| (0..self.height).any(|y| differs(x, &y));
        let row = |y: &usize| (0..self.width).any(|x| differs(&x, y));
        let (left, right) = ((0..self.width).find(column)?, (0..self.width).rev().find(column)?);
        let (top, bottom) = ((0..self.height).find(row)?, (0..self.height).rev().find(row)?);
        let pixels =
            (top..=bottom).flat_map(|y| (left..=right).map(move |x| self.at(x, y))).collect();
        Some(Picture { width: right - left + 1, height: bottom - top + 1, pixels })
    }

    /// Writes it as a PNG file.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(())
    }
}

/// Reads an X window dump (XWD) with 32 bits per pixel, which is how Xvfb stores a depth of 24.
pub fn parse_dump(dump: &[u8]) -> Result<Picture> {
    // The header is a list of big-endian numbers.
    const VERSION: u32 = 7;
    let field = |index: usize| {
        let bytes = dump.get(index * 4..index * 4 + 4).context("the header is cut short")?;
        Ok::<u32, anyhow::Error>(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let (header, version, width, height) =
        (field(0)?, field(1)?, field(4)? as usize, field(5)? as usize);
    let (msb_first, bits, stride) = (field(7)? == 1, field(11)?, field(12)? as usize);
    let masks = [field(14)?, field(15)?, field(16)?];
    let colours = field(19)?;
    if version != VERSION || bits != 32 || stride < width * 4 || masks.contains(&0) {
        bail!("not a dump with 32 bits a pixel (version {version}, {bits} bits)");
    }
    // A colour map with 12 bytes per entry lies between the header and the pixels.
    let start = header as usize + colours as usize * 12;
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        let row = dump
            .get(start + y * stride..start + y * stride + width * 4)
            .context("the pixels are cut short")?;
        for bytes in row.as_chunks::<4>().0 {
            let value =
                if msb_first { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) };
            pixels.push(masks.map(|mask| ((value & mask) >> mask.trailing_zeros()) as u8));
        }
    }
    Ok(Picture { width, height, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(pixels: &[u32], width: u32) -> Vec<u8> {
        let mut header = [0u32; 25];
        let height = pixels.len() as u32 / width;
        for (index, value) in [
            (0, 100),
            (1, 7),
            (4, width),
            (5, height),
            (11, 32),
            (12, width * 4),
            (14, 0xff0000),
            (15, 0xff00),
            (16, 0xff),
            (19, 2),
        ] {
            header[index] = value;
        }
        let mut bytes: Vec<u8> = header.iter().flat_map(|value| value.to_be_bytes()).collect();
        bytes.extend([0; 24]);
        bytes.extend(pixels.iter().flat_map(|pixel| pixel.to_le_bytes()));
        bytes
    }

    #[test]
    fn pixels_are_read_in_place_and_in_colour() {
        let picture =
            parse_dump(&dump(&[0xffffff, 0xffffff, 0x102030, 0xffffff, 0x405060, 0xffffff], 3))
                .expect("a picture");
        assert_eq!((picture.width, picture.height), (3, 2));
        assert_eq!(picture.at(2, 0), [0x10, 0x20, 0x30]);
        let part = picture.cropped([255; 3]).expect("something there");
        assert_eq!((part.width, part.height), (2, 2));
        assert_eq!(part.at(0, 1), [0x40, 0x50, 0x60]);
        assert_eq!(picture.cropped([1; 3]).map(|p| p.width), Some(3));
    }

    #[test]
    fn a_dump_that_is_cut_short_is_refused() {
        let whole = dump(&[0; 6], 3);
        assert!(parse_dump(&whole[..whole.len() - 1]).is_err());
        assert!(parse_dump(&whole[..50]).is_err());
        assert!(parse_dump(&[]).is_err());
    }

    #[test]
    fn an_empty_screen_crops_to_nothing() {
        let picture = parse_dump(&dump(&[0xffffff; 6], 3)).expect("a picture");
        assert_eq!(picture.cropped([255; 3]), None);
    }
}
