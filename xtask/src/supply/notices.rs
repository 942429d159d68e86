//! `THIRD_PARTY.txt`: the licences of all that is linked into the plug-in, as its authors want them
//! to come along.
use super::crates::Crate;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Name of the file.
pub const FILE: &str = "THIRD_PARTY.txt";

const HEAD: &str = "\
Ictus is made with the work of others. These are their crates and fonts, and their licences.

";

/// How the name of a licence's file begins or ends, in capitals.
const BEGINNINGS: [&str; 5] = ["LICEN", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];
const FONTS: [&str; 4] =
    ["OFL.TXT", "UFL.TXT", "HACK-REGULAR.TXT", "EMOJI-ICON-FONT-MIT-LICENSE.TXT"];

/// For crates that come without their licence's text; the first that the crate may be used under is
/// taken.
const TEXTS: [(&str, &str); 6] = [
    ("MIT", include_str!("texts/MIT.txt")),
    ("ISC", include_str!("texts/ISC.txt")),
    ("Zlib", include_str!("texts/Zlib.txt")),
    ("BSL-1.0", include_str!("texts/BSL-1.0.txt")),
    ("Unlicense", include_str!("texts/Unlicense.txt")),
    ("Apache-2.0", include_str!("../../../LICENSE-APACHE")),
];

/// The text of the file.
pub fn text(crates: &[Crate]) -> String {
    let mut text = HEAD.to_owned();
    // Many carry the same text: it is given once, with the names of all.
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in crates {
        let name = format!("{} {}", one.name, one.version);
        let _ = writeln!(text, "  {name}: {} {}", one.licence, one.repository);
        for licence in texts(one) {
            by_text.entry(licence).or_default().push(name.clone());
        }
    }
    for (licence, names) in by_text {
        let _ =
            write!(text, "\n{}\n{}\n\n{}\n", "=".repeat(100), names.join(", "), licence.trim_end());
    }
    text
}

/// The licences of one crate: its own files, or else the text of the licence that it names.
fn texts(one: &Crate) -> Vec<String> {
    let mut texts =
        files(&one.folder, &|name| BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)));
    texts.extend(files(&one.folder.join("fonts"), &|name| FONTS.contains(&name)));
    if texts.is_empty() {
        let known = TEXTS.iter().find(|(licence, _)| {
            let mut words = one.licence.split(|c: char| c.is_whitespace() || "/()".contains(c));
            words.any(|word| word == *licence)
        });
        let authors = if one.authors.is_empty() {
            format!("the authors of {}", one.name)
        } else {
            one.authors.join(", ")
        };
        texts.extend(
            known.map(|(licence, text)| format!("{licence}. Copyright (c) {authors}\n\n{text}")),
        );
    }
    texts
}

/// Texts of the files of a folder whose names in capitals are wanted, by name.
fn files(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    paths.retain(|path| {
        path.file_name().is_some_and(|name| wanted(&name.to_string_lossy().to_uppercase()))
    });
    paths.sort();
    let read =
        |path| Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).replace("\r\n", "\n"));
    paths.iter().filter_map(read).collect()
}

/// Crates of which no text could be had.
pub fn without_text(crates: &[Crate]) -> Vec<String> {
    let lacking = crates.iter().filter(|one| texts(one).is_empty());
    lacking.map(|one| format!("{} {} ({})", one.name, one.version, one.licence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(licence: &str) -> Crate {
        Crate {
            name: "thing".into(),
            version: "1.0.0".into(),
            authors: vec!["Somebody".into()],
            licence: licence.into(),
            repository: String::new(),
            folder: "/surely/no/such/folder".into(),
        }
    }

    #[test]
    fn a_crate_without_a_file_gets_the_text_that_it_names_and_its_authors() {
        let text = text(&[named("Apache-2.0/MIT")]);
        assert!(
            text.contains("MIT. Copyright (c) Somebody")
                && text.contains("Permission is hereby granted"),
            "{text}"
        );
        assert_eq!(without_text(&[named("ISC"), named("Of-my-own")]), ["thing 1.0.0 (Of-my-own)"]);
    }
}
