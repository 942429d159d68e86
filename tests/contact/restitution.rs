//! The damping that yields a coefficient of restitution, and what it does in a contact.

mod contact;
mod damping;
mod live;
mod properties;
mod table;
mod train;
