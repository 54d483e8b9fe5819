//! A client of [Noughts](noughts_protocol): what it knows of its room and its party, what it asks, and what it
//! repeats after a break.
//!
//! - [`session`] is pure: the caller brings the time and the messages. [`address`] reads servers' addresses.
//! - With the feature `connect`, `connection` owns a socket and connects again after a break, and `runner` runs
//!   a session over it.

pub mod address;
#[cfg(feature = "connect")]
pub mod connection;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the terminal client use the rest")]
mod fixture;
#[cfg(feature = "connect")]
pub mod runner;
pub mod session;

// The fixture names this crate as the terminal client does.
#[cfg(test)]
extern crate self as noughts_client;
