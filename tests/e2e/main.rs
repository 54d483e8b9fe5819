//! The one binary of end-to-end tests. Its modules, by theme:
//!
//! - `tidy`: the house rules that a program can check

mod tidy;
