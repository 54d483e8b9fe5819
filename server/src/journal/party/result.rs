//! How the game of a party's table ended, by the facts of its room.

use noughts_protocol::{Event, Mark};

use crate::journal::replay::replay;
use crate::journal::stored_room::StoredRoom;

/// How the first game of a room ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableEnd {
    /// The one who had this mark at the start won: an opening may exchange the sides.
    Won(Mark),
    /// Nobody won.
    Drawn,
}

/// How the first game of a stored room ended. `None` if it did not end, or if the room is damaged.
#[must_use]
pub fn of_room(stored: &StoredRoom) -> Option<TableEnd> {
    if stored.broken.is_some() {
        return None;
    }
    let (mut exchanged, mut seats, mut end) = (false, None, None);
    let replayed = replay(stored.code, stored.settings, &stored.entries, |_, event, state| {
        if end.is_some() {
            return;
        }
        if let Event::Chosen { .. } = event {
            exchanged ^= seats.as_ref().is_some_and(|before| *before != state.seats);
        }
        seats = Some(state.seats.clone());
        let result = state.game.as_ref().and_then(|numbered| numbered.game.result());
        end = result.map(|result| match result.winner() {
            Some(mark) => TableEnd::Won(if exchanged { mark.other() } else { mark }),
            None => TableEnd::Drawn,
        });
    });
    replayed.ok()?;
    end
}
