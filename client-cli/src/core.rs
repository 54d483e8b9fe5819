//! What the client knows and does, without I/O and without a clock: `(state, input) -> (state,
//! outputs)`. The time is an argument. The page's `core/` is the same machine; the stories in
//! `protocol/tests/golden/series` run against both.
//!
//! - [`Action`] is what the player wants to do.
//! - [`Session`] takes in [`Input`]s: what the connection reports, what the player asks, and the
//!   time. It keeps the [`RoomView`], the unanswered intents and what to repeat after a break.
//! - [`Output`] is a message to send, or a [`Happening`] to show.

mod action;
mod chat;
mod input;
mod output;
mod party;
mod question;
mod room;
mod session;
#[cfg(test)]
mod tests;

pub use action::Action;
pub use chat::Chat;
pub use input::{ConnectionEvent, Input, Intent, Welcome};
pub use output::{Happening, Output};
pub use party::PartyView;
pub use question::{Question, QuestionKind};
pub use room::{PresenceChange, RoomView};
pub use session::{IntentError, Lobby, Session};
