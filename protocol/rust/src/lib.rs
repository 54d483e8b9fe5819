#![cfg_attr(feature = "connect", doc = include_str!("../README.md"))]
//! # Modules
//!
//! - [`session`] is pure: the caller brings the time and the messages. [`address`] reads servers' addresses.
//! - With the feature `connect`, `Client` runs a session over a socket and connects again after a break;
//!   `connection` says to which server.
//!
//! The terminal client's further items are hidden here, and may change at any time.

pub mod address;
#[cfg(feature = "connect")]
mod client;
#[cfg(feature = "connect")]
pub mod connection;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the terminal client use the rest")]
mod fixture;
#[cfg(feature = "connect")]
#[doc(hidden)]
pub mod runner;
pub mod session;

#[cfg(feature = "connect")]
pub use client::{AskError, Client, ConnectError};
pub use noughts_protocol as protocol;

// The fixture names this crate as the terminal client does.
#[cfg(test)]
extern crate self as noughts_client;
