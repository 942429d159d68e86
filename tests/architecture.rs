//! The edges between the top-level modules of `src` are those of the table in
//! `docs/design/architecture.md`, and there is no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The table: every module with the modules that it may use, in the order of its rows.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/design/architecture.md"))
        .expect("the page of the architecture");
    let rows = page.lines().skip_while(|line| !line.starts_with("| folder |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
            let names = |cell: &str| -> Vec<String> {
                cell.split('`').skip(1).step_by(2).map(str::to_string).collect()
            };
            let folder = names(cells[0]).pop().unwrap_or_else(|| panic!("no folder in {row}"));
            (folder, names(cells[2]).into_iter().collect())
        })
        .collect()
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if is_test {
            continue;
        } else if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The top-level module that a file belongs to; none for the crate root and the programs.
fn module_of(file: &Path) -> Option<String> {
    let within = file.strip_prefix(Path::new(ROOT).join("src")).expect("a file of src");
    let first = within.components().next()?.as_os_str().to_str()?;
    let module = first.trim_end_matches(".rs");
    (!matches!(module, "lib" | "bin" | "main")).then(|| module.to_string())
}

/// The text without comments and without its unit tests, which end a file.
fn code(text: &str) -> String {
    let without_tests = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let lines = without_tests.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that follow `crate::` in a text: the first segment of every path.
fn used(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(first_name(rest));
            continue;
        };
        // Only the outer level of `crate::{a::{b, c}, d}` names modules.
        let mut depth = 0;
        let mut starts = true;
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => starts = true,
                letter if starts && !letter.is_whitespace() => {
                    names.insert(first_name(&list[at..]));
                    starts = false;
                }
                _ => {}
            }
        }
    }
    names
}

fn first_name(path: &str) -> String {
    path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

#[test]
fn modules_use_only_what_the_table_allows() {
    let table: BTreeMap<_, _> = table().into_iter().collect();
    let mut files = Vec::new();
    rust_files(&Path::new(ROOT).join("src"), &mut files);
    let modules: BTreeSet<String> = files.iter().filter_map(|file| module_of(file)).collect();
    let rows: BTreeSet<String> = table.keys().cloned().collect();
    assert_eq!(modules, rows, "the modules of src, and the rows of the table");
    let mut forbidden = Vec::new();
    for file in &files {
        let Some(module) = module_of(file) else { continue };
        let text = std::fs::read_to_string(file).expect("a source file");
        for name in used(&code(&text)) {
            let is_edge = modules.contains(&name) && name != module;
            if is_edge && !table[&module].contains(&name) {
                forbidden.push(format!("{}: {module} uses {name}", file.display()));
            }
        }
    }
    assert!(forbidden.is_empty(), "edges outside the table:\n{}", forbidden.join("\n"));
}

/// A row that names only modules above it makes a cycle impossible.
#[test]
fn the_table_has_no_cycle() {
    let mut above = BTreeSet::new();
    for (module, uses) in table() {
        for name in &uses {
            assert!(above.contains(name), "{module} may use {name}, which is not above it");
        }
        above.insert(module);
    }
    assert!(above.len() > 10, "the table was not found");
}

#[test]
fn paths_are_found_in_every_form() {
    let text = "use crate::{a::{b, c}, d};\nuse crate::e::f; // crate::g\n\
                fn h() { crate::i::j() }\n#[cfg(test)]\nmod tests { use crate::k; }";
    let expected: BTreeSet<String> = ["a", "d", "e", "i"].map(String::from).into();
    assert_eq!(used(&code(text)), expected);
}
