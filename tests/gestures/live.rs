//! Gestures, coupling and bodies through the whole instrument.

mod bounce;
mod common;
mod coupling;
mod everything;
mod knobs;
mod level;
mod long;
mod moving;
mod rates;
mod roll;
mod scrape;
