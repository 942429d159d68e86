//! The preset list and the arrows: favourites, categories, and the order.

use egui::Role;
use egui_kittest::kittest::NodeT;
use ictus::io::presets::library::categories;
use ictus::io::presets::{Entry, Library};

use crate::reader::ScreenReader;

/// The names in the library, in the order of the list.
fn entries(reader: &ScreenReader) -> Vec<Entry> {
    Library::at(reader.editor().presets.clone()).entries()
}

/// Presets in the open list.
fn listed(reader: &ScreenReader) -> Vec<String> {
    let names =
        reader.harness.root().children_recursive().filter_map(|node| node.accesskit_node().label());
    names.filter_map(|name| name.strip_prefix("Favourite: ").map(str::to_string)).collect()
}

fn title(reader: &ScreenReader) -> String {
    reader.editor().params.session().title().to_string()
}

#[test]
fn favourites_are_kept() {
    let mut reader = ScreenReader::quick();
    reader.click(Role::Button, "Choose a preset");
    for name in ["Anvil", "Abacus", "Basketball"] {
        reader.click(Role::Button, &format!("Favourite: {name}"));
    }
    // Removes one of them again.
    reader.click(Role::Button, "Favourite: Basketball");
    let marked = |entries: Vec<Entry>| -> Vec<String> {
        entries.into_iter().filter(|entry| entry.favourite).map(|entry| entry.about.name).collect()
    };
    assert_eq!(marked(entries(&reader)), ["Abacus", "Anvil"], "another instance sees them");
    reader.click(Role::Button, "Favourites");
    assert_eq!(listed(&reader), ["Abacus", "Anvil"]);
    reader.click(Role::Button, "All");
    assert!(listed(&reader).len() > 20);
}

#[test]
fn a_category_shows_its_presets_and_the_arrows_stay_in_it() {
    let mut reader = ScreenReader::quick();
    reader.click(Role::Button, "Choose a preset");
    let all = entries(&reader);
    for category in categories(&all).into_iter().take(4) {
        let wanted: Vec<_> = all.iter().filter(|entry| entry.about.category == category).collect();
        let wanted: Vec<_> = wanted.into_iter().map(|entry| entry.about.name.clone()).collect();
        reader.click(Role::Button, &category);
        assert_eq!(listed(&reader), wanted, "{category}");
        reader.click(Role::Button, "Next preset");
        assert_eq!(title(&reader), wanted[0], "{category}: the first of them");
        // Off again, by a second click.
        reader.click(Role::Button, &category);
        assert_eq!(listed(&reader).len(), all.len());
        reader.click(Role::Button, "Undo");
    }
}

#[test]
fn the_arrows_go_through_all_presets_and_round_the_ends() {
    let mut reader = ScreenReader::quick();
    let names: Vec<_> = entries(&reader).into_iter().map(|entry| entry.about.name).collect();
    let mut heard = Vec::new();
    for name in names.iter().take(3) {
        reader.click(Role::Button, "Next preset");
        assert_eq!(title(&reader), *name);
        heard.push(reader.editor().params.sound());
    }
    assert!(heard[0] != heard[1] && heard[1] != heard[2], "they are other sounds");
    for name in [&names[1], &names[0], &names[names.len() - 1]] {
        reader.click(Role::Button, "Previous preset");
        assert_eq!(title(&reader), *name);
    }
    reader.click(Role::Button, "Next preset");
    assert_eq!(title(&reader), names[0]);
}
