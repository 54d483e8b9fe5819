//! What the client knows and does, without I/O and without a clock: `(state, input) -> (state,
//! messages)`. The time is an argument.
//!
//! - [`Action`] is what the player wants to do.
//! - [`ConnectionEvent`] is what the connection reports; [`Session`] takes it in, keeps the
//!   [`RoomView`] and makes the player's intents. [`SessionEvent`] says what to show.
//! - `Pending` holds the unanswered intents, and what to repeat after a break.

mod action;
mod event;
mod pending;
mod room;
mod session;

pub use action::Action;
pub use event::{ConnectionEvent, Welcome};
pub(crate) use pending::{Answered, Pending};
pub use room::{PresenceChange, RoomView};
pub use session::{IntentError, Lobby, Session, SessionEvent};
