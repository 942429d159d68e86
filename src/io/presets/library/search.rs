//! Which lines of the list are shown.

use super::Entry;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Words that must all occur, in any place and case.
    pub text: String,
    /// Only this category, in any case.
    pub category: Option<String>,
    /// Only what is marked.
    pub favourites: bool,
}

impl Query {
    /// Whether an entry is shown.
    pub fn matches(&self, entry: &Entry) -> bool {
        let about = &entry.about;
        if self.favourites && !entry.favourite {
            return false;
        }
        let category = about.category.to_lowercase();
        if self.category.as_ref().is_some_and(|wanted| wanted.to_lowercase() != category) {
            return false;
        }
        let all = [&about.name, &about.category, &about.author, &about.description];
        let texts: Vec<_> =
            all.into_iter().chain(&about.tags).map(|text| text.to_lowercase()).collect();
        self.text
            .to_lowercase()
            .split_whitespace()
            .all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// The categories that occur, in order.
pub fn categories(entries: &[Entry]) -> Vec<String> {
    let named = entries.iter().map(|entry| &entry.about.category).filter(|name| !name.is_empty());
    let mut names: Vec<_> = named.cloned().collect();
    names.sort();
    names.dedup();
    names
}
