//! The commands of `ictus`: what they print, under which names, and what they refuse.

#![cfg(feature = "cli")]

mod body;
mod couple;
mod events;
mod impact;
mod restitution;
mod rigid;
