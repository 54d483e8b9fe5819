#![cfg_attr(feature = "connect", doc = include_str!("../README.md"))]
//! # Modules
//!
//! - [`session`] is pure: the caller brings the time and the messages. [`address`] reads servers' addresses.
//! - With the feature `connect`, `connection` owns a socket and connects again after a break, `runner` runs
//!   a session over it, and `Client` is both in one.

pub mod address;
#[cfg(feature = "connect")]
mod client;
#[cfg(feature = "connect")]
pub mod connection;
#[cfg(test)]
#[expect(dead_code, reason = "the tests of the terminal client use the rest")]
mod fixture;
#[cfg(feature = "connect")]
pub mod runner;
pub mod session;

#[cfg(feature = "connect")]
pub use client::{AskError, Client, ConnectError};
pub use noughts_protocol as protocol;

// The fixture names this crate as the terminal client does.
#[cfg(test)]
extern crate self as noughts_client;
