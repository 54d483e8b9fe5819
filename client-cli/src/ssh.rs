//! The door for ssh: a session of a channel is a client of the server.
//!
//! - [`keys`] reads the bytes of its terminal, and [`line_editor`] edits its lines.

mod keys;
mod line_editor;
