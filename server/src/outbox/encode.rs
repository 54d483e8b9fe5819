//! Encoding of a message as JSON.

use noughts_protocol::{Event, Mark, ServerMessage};

use super::Frame;

/// The message as it goes over the wire.
pub(crate) fn encode(message: &ServerMessage) -> Frame {
    let text = frequent(message).unwrap_or_else(|| {
        // This never fails: a message holds no map whose keys are not strings.
        serde_json::to_string(message).unwrap_or_default()
    });
    text.into()
}

/// The two messages of every move, its answer and its event, as serde writes them. serde takes
/// 1,700 instructions (by callgrind) for each: an eighth of the cost of a move.
fn frequent(message: &ServerMessage) -> Option<String> {
    let text = match message {
        ServerMessage::Ok { id, room: Some(room), party: None } => Text::new()
            .text(r#"{"type":"ok","id":"#)
            .number(u64::from(*id))
            .text(r#","room":""#)
            .text(room.as_str())
            .text(r#""}"#),
        ServerMessage::Event {
            room,
            v,
            event: Event::Moved { game, ply, mark, cell, over: None, opening: None },
        } => {
            let mark = match mark {
                Mark::X => "x",
                Mark::O => "o",
            };
            Text::new()
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
    Some(text.0)
}

/// The text of a frequent message, while it is being written.
struct Text(String);

impl Text {
    /// The length of the longest of them, in bytes.
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

    use super::{Text, frequent};

    #[test]
    fn frequent_messages_are_written_as_serde_does() {
        let room = RoomCode::from_number(7);
        let moved = |v, game, ply, mark, cell| {
            let cell = Cell(cell);
            let event = Event::Moved { game, ply, mark, cell, over: None, opening: None };
            ServerMessage::Event { room, v, event }
        };
        let id = IntentId::try_from(IntentId::MAX).unwrap();
        for message in [
            ServerMessage::Ok { id, room: Some(room), party: None },
            moved(0, 0, 0, Mark::X, 0),
            moved(u64::MAX, u32::MAX, u16::MAX, Mark::O, u16::MAX),
        ] {
            let text = frequent(&message).unwrap();
            assert_eq!(text, serde_json::to_string(&message).unwrap());
            assert!(text.len() <= Text::LONGEST, "{}", text.len());
        }
        assert_eq!(frequent(&ServerMessage::Ok { id, room: None, party: None }), None);
    }
}
