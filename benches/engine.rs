//! What the whole engine costs: `cargo bench --package ictus-bench --bench engine`; with `--
//! being`, `-- gestures` or `-- growth` that part alone, and with `-- gestures tenth` only the
//! gestures whose name has that in it.
//!
//! Prints, as Markdown: every gesture at 1 to 64 voices of 64 modes, how cost grows with modes and
//! voices, and what an instance takes that plays nothing. A scene is the same every time; it is
//! played several times over and of each block the shortest time counts, so that the worst block is
//! the scene's and not the machine's.

#[path = "engine/clock.rs"]
mod clock;
#[path = "engine/instance_cost.rs"]
mod instance_cost;
#[path = "engine/matrix.rs"]
mod matrix;
#[path = "engine/scaling.rs"]
mod scaling;

fn main() {
    let named: Vec<_> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    let only = named.iter().find(|name| !["being", "gestures", "growth"].contains(&name.as_str()));
    if is_wanted("being") {
        println!("### Being there\n");
        instance_cost::print();
    }
    if is_wanted("gestures") {
        println!("\n### The engine, by gesture and voices\n");
        matrix::print(only.map(String::as_str));
    }
    if is_wanted("growth") {
        println!("\n### How cost grows\n");
        scaling::print();
    }
}
