//! Work whose instructions are counted: `cargo xtask bench --gate`.
//!
//! `work NAME` does the named work once, inside a function that callgrind knows by its name, so
//! that what is set up before does not count. `work --list` names all of it, and first the
//! instruction set on which it runs. `work --notes` names the factory presets of the gate with the
//! instructions that one more note of each may take, `work --all-notes` every one; `work PRESET 1`
//! and `work PRESET 2` play one and two.

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

/// A piece of work that has been set up.
type Work = Box<dyn FnMut()>;

/// Sets up the work of a name.
type SetUp = fn(&str) -> Work;

/// Everything there is to count, by name.
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
        // Without a name each is done once, so that `cargo bench` shows that all of it runs.
        _ => all().into_iter().for_each(|(name, set_up)| counted(&mut set_up(&name))),
    }
}

/// Only what happens in here is counted: the tool knows the name.
#[inline(never)]
fn counted(work: &mut Work) {
    work();
}
