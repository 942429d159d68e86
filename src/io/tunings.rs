//! Tunings from Scala files. Projects and presets store the texts of the files unchanged.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::read_limited;
use crate::tuning::{Keyboard, ScalaScale, Tuning};

/// Largest file, bytes; the largest known scales have some tens of kilobytes.
const MAX_BYTES: usize = 1 << 18;

/// A text file: its name without the folder, and its contents.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TextFile {
    /// Displayed name.
    pub name: String,
    /// Contents.
    pub text: String,
}

impl TextFile {
    /// Reads a text file as UTF-8, or else as Latin-1, the encoding of Scala's archive.
    ///
    /// # Errors
    /// The file cannot be read or is too large. The contents are not checked.
    pub fn read(path: &Path) -> Result<Self> {
        let read = || -> Result<Self> {
            let bytes = read_limited(path, MAX_BYTES as u64, "a tuning")?;
            let text = String::from_utf8(bytes)
                .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
            Ok(Self {
                name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                text,
            })
        };
        read().with_context(|| path.display().to_string())
    }

    /// Parses the text; errors name the `field` and the file.
    fn parse<T>(
        &self,
        field: &str,
        parse: impl Fn(&str) -> Result<T, crate::tuning::Fault>,
    ) -> Result<T> {
        let parsed = || -> Result<T> {
            let size = self.text.len();
            // A Latin-1 character may take two bytes in UTF-8.
            ensure!(size <= 2 * MAX_BYTES, "has {size} bytes; a tuning has at most {MAX_BYTES}");
            Ok(parse(&self.text)?)
        };
        parsed().with_context(|| format!("{field} '{}'", self.name))
    }
}

/// The stored form of a tuning.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StoredTuning {
    /// The scale (.scl); `None` for twelve equal steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scl: Option<TextFile>,
    /// The keyboard mapping (.kbm); `None` for one degree per key from C4 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kbm: Option<TextFile>,
}

impl StoredTuning {
    /// Whether both files are missing.
    pub fn is_empty(&self) -> bool {
        self.scl.is_none() && self.kbm.is_none()
    }

    /// Parses the tuning.
    ///
    /// # Errors
    /// The message names the file, the line, the field and the allowed values.
    pub fn read(&self) -> Result<Tuning> {
        let scale = self.scl.as_ref().map_or_else(
            || Ok(ScalaScale::default()),
            |file| file.parse("scale", ScalaScale::parse),
        )?;
        let keyboard = self.kbm.as_ref().map_or_else(
            || Ok(Keyboard::default()),
            |file| file.parse("keyboard mapping", Keyboard::parse),
        )?;
        let name = self.kbm.as_ref().map_or("", |file| &file.name);
        Tuning::new(&scale, &keyboard).with_context(|| format!("keyboard mapping '{name}'"))
    }

    /// Loads and parses files; `None` for the default.
    ///
    /// # Errors
    /// The message names the file, the line, the field and the allowed values.
    pub fn load(scl: Option<&Path>, kbm: Option<&Path>) -> Result<(Self, Tuning)> {
        let written = Self {
            scl: scl.map(TextFile::read).transpose()?,
            kbm: kbm.map(TextFile::read).transpose()?,
        };
        let tuning = written.read()?;
        Ok((written, tuning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> Option<TextFile> {
        Some(TextFile { name: name.to_string(), text: text.to_string() })
    }

    #[test]
    fn a_written_tuning_reads_back_unchanged() {
        let written = StoredTuning {
            scl: file(
                "five.scl",
                "! five.scl\r\nfive\r\n 5\r\n240.\r\n480.\r\n720.\r\n960.\r\n2/1\r\n",
            ),
            kbm: file("a.kbm", "0\n0\n127\n60\n69\n432\n5\n"),
        };
        let text = serde_json::to_string(&written).unwrap();
        let back: StoredTuning = serde_json::from_str(&text).unwrap();
        assert_eq!(back, written);
        let tuning = back.read().unwrap();
        assert!((tuning.hz(69).unwrap() - 432.0).abs() < 1e-9);
        assert!((tuning.hz(74).unwrap() - 864.0).abs() < 1e-9);
        assert_eq!(StoredTuning::default().read().unwrap(), Tuning::default());
    }

    #[test]
    fn errors_name_file_line_and_field() {
        for (written, expected) in [
            (
                StoredTuning { scl: file("bad.scl", "bad\n1\n0/1\n"), kbm: None },
                "scale 'bad.scl': line 3: '0/1'",
            ),
            (
                StoredTuning { scl: None, kbm: file("bad.kbm", "12\n0\n127\n60\n200\n440\n12\n") },
                "keyboard mapping 'bad.kbm': line 5: reference key '200': allowed is a whole number from 0 to 127",
            ),
            (
                StoredTuning {
                    scl: None,
                    kbm: file("gap.kbm", "2\n0\n127\n60\n61\n440\n12\n0\nx\n"),
                },
                "keyboard mapping 'gap.kbm': line 5: reference key 61 is not mapped",
            ),
            (
                StoredTuning { scl: file("long.scl", &"9".repeat(1 << 20)), kbm: None },
                "has 1048576 bytes",
            ),
        ] {
            let error = format!("{:#}", written.read().unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
        for text in [r#"{"scl": 1}"#, r#"{"scl": {"name": "a"}}"#, r#"{"tun": {}}"#, "[[[[[["] {
            assert!(serde_json::from_str::<StoredTuning>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn files_may_be_latin_1_but_not_huge() {
        let folder = std::env::temp_dir().join(format!("ictus-tunings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (latin, huge) = (folder.join("latin.scl"), folder.join("huge.scl"));
        std::fs::write(&latin, b"! caf\xe9\nG\xfcnther\n1\n2/1 \xe9\n").unwrap();
        std::fs::write(&huge, vec![b'9'; MAX_BYTES + 1]).unwrap();
        let good = StoredTuning::load(Some(&latin), None);
        let large = StoredTuning::load(Some(&huge), None);
        let missing = StoredTuning::load(None, Some(&folder.join("none.kbm")));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(good.unwrap().0.scl.unwrap().name, "latin.scl");
        let large = format!("{:#}", large.unwrap_err());
        assert!(
            large.contains("huge.scl: has 262145 bytes; a tuning has at most 262144"),
            "{large}"
        );
        assert!(format!("{:#}", missing.unwrap_err()).contains("none.kbm: cannot be read"));
    }
}
