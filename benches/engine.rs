//! What the whole engine costs: `cargo bench --package ictus-bench --bench engine`.
//!
//! Prints, as Markdown: every gesture at 1 to 64 voices of 64 modes, how cost grows with modes and voices, and what an
//! instance takes that plays nothing. A scene is the same every time; it is played several times over and of each block
//! the shortest time counts, so that the worst block is the scene's and not the machine's.

#[path = "engine/being.rs"]
mod being;
#[path = "engine/clock.rs"]
mod clock;
#[path = "engine/growth.rs"]
mod growth;
#[path = "engine/matrix.rs"]
mod matrix;

fn main() {
    println!("### Being there\n");
    being::print();
    println!("\n### The engine, by gesture and voices\n");
    println!(
        "Per cent of one core at 48 kHz in blocks of 64 samples, 64 modes a voice; in brackets the worst block over the mean.\n"
    );
    let strikes = matrix::print();
    println!("\n### How cost grows\n");
    growth::print(&strikes);
}
