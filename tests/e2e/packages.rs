//! The packages for others, as a stranger has them: built, installed from the archive, and used.

/// The licence, which every archive has.
const LICENSE: &str = include_str!("../../LICENSE");

mod js;
mod python;
mod rust;
