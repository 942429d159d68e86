//! Contacts that are coupled to a vibrating body: striker and body move each other, and together
//! they never gain energy.

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
