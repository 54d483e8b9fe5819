//! The packages for others, as a stranger has them: built, installed from the archive, and used.

mod js;
mod python;
mod rust;
