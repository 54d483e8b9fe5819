//! Programs that speak the Gomocup protocol, the text protocol of Piskvork
//! (<https://plastovicka.github.io/protocl2en.htm>), on standard input and output.
//!
//! [`manager`] is the manager's side of the conversation: text in, text out, without a process.
//! [`lines`] cuts what a program writes into bounded lines, [`limits`] says how long a program may
//! take, and [`player`] runs the program as a [`process`], starts it again if it fails, and stops
//! one that does not stop by itself.

mod about;
mod limits;
mod lines;
mod manager;
mod player;
mod process;

pub use limits::MoveTime;
pub use manager::Turn;
pub use player::{Outcome, Player, Raw};
pub use process::EngineCommand;
