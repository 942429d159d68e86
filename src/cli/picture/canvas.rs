//! Pixels, and just enough letters for the axes.
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// How many pixels a dot of a letter is wide.
const DOT: usize = 2;
/// From one letter to the next, in dots: five and one of space.
const ADVANCE: usize = 6;

/// Letters of 5 by 7 dots: one number a row, the highest of five bits is the left dot. No font to
/// find or to ship.
const LETTERS: &[(char, [u8; 7])] = &[
    ('0', [14, 17, 19, 21, 25, 17, 14]),
    ('1', [4, 12, 4, 4, 4, 4, 14]),
    ('2', [14, 17, 1, 2, 4, 8, 31]),
    ('3', [31, 2, 4, 2, 1, 17, 14]),
    ('4', [2, 6, 10, 18, 31, 2, 2]),
    ('5', [31, 16, 30, 1, 1, 17, 14]),
    ('6', [6, 8, 16, 30, 17, 17, 14]),
    ('7', [31, 1, 2, 4, 8, 8, 8]),
    ('8', [14, 17, 17, 14, 17, 17, 14]),
    ('9', [14, 17, 17, 15, 1, 2, 12]),
    ('k', [16, 16, 18, 20, 24, 20, 18]),
    ('s', [0, 0, 14, 16, 14, 1, 30]),
    ('z', [0, 0, 31, 2, 4, 8, 31]),
    ('H', [17, 17, 17, 31, 17, 17, 17]),
];

/// A picture of 8-bit RGB.
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// Sets one pixel; outside the picture nothing happens.
    pub fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = colour;
        }
    }

    /// Writes a text with its upper left corner at a place; letters it does not have stay empty.
    pub fn text(&mut self, x: usize, y: usize, text: &str, colour: [u8; 3]) {
        for (place, letter) in text.chars().enumerate() {
            let Some((_, rows)) = LETTERS.iter().find(|(known, _)| *known == letter) else {
                continue;
            };
            for (dot_y, row) in rows.iter().enumerate() {
                for dot_x in (0..5).filter(|dot_x| row >> (4 - dot_x) & 1 == 1) {
                    for (sub_x, sub_y) in (0..DOT * DOT).map(|i| (i % DOT, i / DOT)) {
                        let left = x + (place * ADVANCE + dot_x) * DOT;
                        self.set(left + sub_x, y + dot_y * DOT + sub_y, colour);
                    }
                }
            }
        }
    }

    /// How wide a text gets, in pixels.
    pub fn text_width(text: &str) -> usize {
        text.chars().count() * ADVANCE * DOT
    }

    /// Writes the picture as a PNG file.
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

/// The colour of a level from 0 to 1: from black through violet and orange to pale yellow. Equal
/// steps of level look like equal steps of light.
pub fn colour(level: f64) -> [u8; 3] {
    const STOPS: [[f64; 3]; 7] = [
        [0.0, 0.0, 4.0],
        [40.0, 11.0, 84.0],
        [101.0, 21.0, 110.0],
        [159.0, 42.0, 99.0],
        [212.0, 72.0, 66.0],
        [245.0, 125.0, 21.0],
        [252.0, 255.0, 164.0],
    ];
    let place = level.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let index = (place as usize).min(STOPS.len() - 2);
    let part = place - index as f64;
    std::array::from_fn(|i| {
        (STOPS[index][i] * (1.0 - part) + STOPS[index + 1][i] * part).round() as u8
    })
}
