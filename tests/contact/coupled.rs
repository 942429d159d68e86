//! Two-way contact: striker and body move each other, and together they never make energy.

mod body;
mod bounded;
mod first_contact;
mod lifecycle;
mod many_strikers;
mod order;
mod recording;
mod rest;
mod steps;
mod strike;
mod train;
