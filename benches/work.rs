//! Work whose instructions are counted: `cargo xtask bench --gate`.
//!
//! `work NAME` runs the named work once inside a function that callgrind finds by name, so that the
//! set-up does not count. `work --list` prints the instruction set and all names. `work --notes`
//! prints the gated factory presets with the bound of one more note, `work --all-notes` all presets;
//! `work PRESET 1` and `work PRESET 2` play one and two notes.

#[path = "work/contacts.rs"]
mod contacts;
#[path = "work/levelling.rs"]
mod levelling;
#[path = "work/notes.rs"]
mod notes;
#[path = "work/played.rs"]
mod played;
#[path = "work/ringing.rs"]
mod ringing;

use ictus::body::Kernel;

/// Work that is set up.
type Work = Box<dyn FnMut()>;

/// Sets up the work of a name.
type SetUp = fn(&str) -> Work;

/// All work, by name.
fn all() -> Vec<(String, SetUp)> {
    let named =
        |names: Vec<String>, set_up: SetUp| names.into_iter().map(move |name| (name, set_up));
    named(ringing::names(), ringing::set_up)
        .chain(named(contacts::names(), contacts::set_up))
        .chain(named(levelling::names(), levelling::set_up))
        .chain(named(played::names(), played::set_up))
        .collect()
}

fn main() {
    let wanted: Vec<_> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match wanted.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--list"] => {
            println!("{}", Kernel::best().name());
            all().iter().for_each(|(name, _)| println!("{name}"));
        }
        [which @ ("--notes" | "--all-notes")] => {
            notes::bounds(which == "--all-notes")
                .for_each(|(preset, most)| println!("{preset} {most}"));
        }
        [name] => {
            let known = all().into_iter().find(|(known, _)| known == name);
            let work = known.map(|(_, set_up)| set_up(name)).or_else(|| notes::set_up(name));
            counted(&mut work.expect("a name that --list gives"));
        }
        // Without a name all work runs once, so that `cargo bench` tests it.
        _ => all().into_iter().for_each(|(name, set_up)| counted(&mut set_up(&name))),
    }
}

/// Instructions are counted only in this function, which callgrind finds by name.
#[inline(never)]
fn counted(work: &mut Work) {
    work();
}
