//! Rolling and scraping: tables, physics, the same at every sample rate, and for as long as one
//! likes.

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
