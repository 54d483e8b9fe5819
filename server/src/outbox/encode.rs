//! Writing a message as a frame.

use axum::extract::ws::Utf8Bytes;
use noughts_protocol::{Event, Mark, ServerMessage};

/// A message as it goes over the wire.
pub(crate) fn encode(message: &ServerMessage) -> Utf8Bytes {
    let text = frequent(message).unwrap_or_else(|| {
        // Messages hold no map with other keys than strings, so that they can always be written.
        serde_json::to_string(message).unwrap_or_default()
    });
    text.into()
}

/// The two messages that every move is answered with, and told by, as serde would write them. It
/// takes 1,700 instructions (by callgrind) for each: an eighth of all that a move costs.
fn frequent(message: &ServerMessage) -> Option<String> {
    let frame = match message {
        ServerMessage::Ok { id, room: Some(room) } => Frame::new()
            .text(r#"{"type":"ok","id":"#)
            .number(u64::from(*id))
            .text(r#","room":""#)
            .text(room.as_str())
            .text(r#""}"#),
        ServerMessage::Event { room, v, event: Event::Moved { game, ply, mark, cell } } => {
            let mark = match mark {
                Mark::X => "x",
                Mark::O => "o",
            };
            Frame::new()
                .text(r#"{"type":"event","room":""#)
                .text(room.as_str())
                .text(r#"","v":"#)
                .number(*v)
                .text(r#","event":{"kind":"moved","game":"#)
                .number(*game)
                .text(r#","ply":"#)
                .number(*ply)
                .text(r#","mark":""#)
                .text(mark)
                .text(r#"","cell":"#)
                .number(cell.0)
                .text("}}")
        }
        _ => return None,
    };
    Some(frame.0)
}

/// A frame that is being written.
struct Frame(String);

impl Frame {
    /// The longest of them, with the greatest numbers.
    const LONGEST: usize = 144;

    fn new() -> Self {
        Self(String::with_capacity(Self::LONGEST))
    }

    fn text(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    fn number(self, number: impl itoa::Integer) -> Self {
        self.text(itoa::Buffer::new().format(number))
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{Cell, Event, IntentId, Mark, RoomCode, ServerMessage};

    use super::{Frame, frequent};

    #[test]
    fn what_is_frequent_is_written_as_serde_does() {
        let room = RoomCode::from_number(7);
        let moved = |v, game, ply, mark, cell| {
            let event = Event::Moved { game, ply, mark, cell: Cell(cell) };
            ServerMessage::Event { room, v, event }
        };
        let id = IntentId::try_from(IntentId::MAX).unwrap();
        for message in [
            ServerMessage::Ok { id, room: Some(room) },
            moved(0, 0, 0, Mark::X, 0),
            moved(u64::MAX, u32::MAX, u16::MAX, Mark::O, u16::MAX),
        ] {
            let text = frequent(&message).unwrap();
            assert_eq!(text, serde_json::to_string(&message).unwrap());
            assert!(text.len() <= Frame::LONGEST, "{}", text.len());
        }
        assert_eq!(frequent(&ServerMessage::Ok { id, room: None }), None);
    }
}
