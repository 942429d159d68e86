//! The damping that yields a coefficient of restitution, and its effect in a contact.

mod contact;
mod damping;
mod live;
mod properties;
mod table;
mod train;
