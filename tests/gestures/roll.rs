//! Rolling and scraping: tables, physics, independence of the sample rate, and long runs.

mod audit;
mod body;
mod landing;
#[cfg(feature = "cli")]
mod listen;
mod long;
mod physics;
mod rates;
mod table;
mod timbre;
mod turns;
