//! The way to a server: its [`address`], the [`connection`] with its socket, the [`runner`] that runs a
//! session over it, and the [`servers`] to choose from, which [`lan`] finds.

pub mod address;
pub mod connection;
pub(crate) mod lan;
pub mod runner;
pub(crate) mod servers;
