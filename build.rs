//! Links the plug-in so that it stays in memory once a host has loaded it.
//!
//! A host that unloads a library while a thread that has run its code comes to an end may call that thread's
//! destructors where there is nothing any more. The libraries of the C++ runtime guard themselves the same way.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
