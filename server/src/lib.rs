//! Placeholder.

pub mod computer;
