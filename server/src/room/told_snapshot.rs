//! The snapshot of a room as text. What does not pass is encoded once for all who come between two
//! facts: a snapshot takes 12,000 instructions (by callgrind), a twelfth of an open, and from then on
//! 2,000.

use noughts_protocol::{Presence, ServerMessage, Snapshot};

use crate::outbox::{Frame, encode};

/// The key before what passes. In a text of JSON it is nowhere else: a quote in a string is escaped.
const PRESENCE: &str = r#","presence":"#;

/// The last snapshot.
#[derive(Debug, Default)]
pub(super) struct ToldSnapshot {
    v: u64,
    /// Its text up to what passes. `None` until somebody asks for the same version again, so that most
    /// rooms keep no text.
    text: Option<Box<str>>,
}

impl ToldSnapshot {
    /// The snapshot of version `v`, with what passes at present. `snapshot` makes it anew.
    pub(super) fn frame(
        &mut self,
        v: u64,
        (presence, move_ms_left): (Presence, Option<u32>),
        snapshot: impl FnOnce() -> Snapshot,
    ) -> Frame {
        if let Some(text) = self.text.as_deref().filter(|_| self.v == v) {
            return whole(text, presence, move_ms_left).into();
        }
        let frame = encode(&ServerMessage::Snapshot(snapshot()));
        let is_asked_again = std::mem::replace(&mut self.v, v) == v;
        self.text = is_asked_again.then(|| {
            let whole = frame.to_text();
            whole.split(PRESENCE).next().unwrap_or_default().into()
        });
        frame
    }

    /// Forgets the text: there is a new fact.
    pub(super) fn forget(&mut self) {
        self.text = None;
    }
}

/// The text of a snapshot that begins with `text`, as serde writes it.
fn whole(text: &str, presence: Presence, move_ms_left: Option<u32>) -> String {
    let presence = serde_json::to_string(&presence).unwrap_or_default();
    let left = move_ms_left.map_or_else(|| "null".to_owned(), |left| left.to_string());
    [text, PRESENCE, &presence, r#","move_ms_left":"#, &left, "}"].concat()
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{
        ByMark, Mark, PlayerId, RoomCode, RoomSettings, RoomState, Seat, SeatPresence,
    };

    use super::*;

    #[test]
    fn everybody_gets_the_snapshot_as_serde_writes_it() {
        let mut state = RoomState::new(RoomCode::from_number(7), RoomSettings::default());
        let name = r#"a,"presence":{"#.parse().unwrap();
        state.seats.x = Seat::Human { player: PlayerId(1), name };
        let mut told = ToldSnapshot::default();
        let away = Some(SeatPresence::Away { claim_in_ms: 57 });
        for (v, spectators, left, is_kept) in
            [(4, 1, None, false), (4, 2, Some(7), true), (4, 3, None, true), (5, 4, Some(8), false)]
        {
            state.v = v;
            let presence = Presence {
                seats: ByMark { x: away, o: None },
                spectators,
                rematch: Some(Mark::O),
                series: None,
                ratings: None,
            };
            let snapshot = state.to_snapshot(presence, left);
            let expected = serde_json::to_string(&ServerMessage::Snapshot(snapshot.clone()));
            let frame = told.frame(v, (presence, left), || snapshot);
            assert_eq!(frame.to_text(), expected.unwrap());
            assert_eq!(told.text.is_some(), is_kept, "{v} {spectators}");
        }
        let unused = || unreachable!("it is made once");
        let presence = Presence::default();
        state.v = 5;
        drop(told.frame(5, (presence, None), || state.to_snapshot(presence, None)));
        drop(told.frame(5, (presence, None), unused));
        told.forget();
        assert!(told.text.is_none());
    }
}
