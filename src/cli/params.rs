//! `ictus params`: what can be set.

use crate::params::{Group, Param};

/// List every parameter with its identifier, default and range.
pub fn run() {
    for group in Group::ALL {
        println!("{}", group.name());
        for spec in Param::ALL.map(Param::spec).into_iter().filter(|spec| spec.group == group) {
            let default = spec.format_stored(spec.default_stored());
            println!("  {:8} {:18} {:14} {}", spec.id, spec.name, default, spec.range_text());
            println!("  {:8} {}", "", spec.help);
        }
    }
}
