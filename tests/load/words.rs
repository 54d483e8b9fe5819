//! What is said to a server and to the bare relay, and the least that must be read of an answer.
//! Texts are made by the protocol's own types, so that they change with it.

use anyhow::{Context, bail};
use noughts_protocol::{
    ByMark, Cell, ClientMessage, Event, IntentId, Mark, PROTOCOL_VERSION, RefusalCode, Role,
    RoomCode, RoomSettings, SeatRequest, ServerMessage, Snapshot,
};
use serde::Serialize;

/// Who is at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A Noughts server.
    Noughts,
    /// The bare relay, which says everything back to all of a room.
    Relay,
}

/// What a server said.
#[derive(Debug)]
pub(crate) enum Said {
    /// Something happened in the room; it is still to be read.
    Event,
    /// An intent was granted.
    Ok { id: u64 },
    /// The room as it is.
    Snapshot(Box<Snapshot>),
    /// Something that does not matter here.
    Other,
}

/// A message as it goes over the wire.
pub(crate) fn text(message: &impl Serialize) -> String {
    // Messages hold no map with other keys than strings, so that they can always be written.
    serde_json::to_string(message).unwrap_or_default()
}

/// An intent's id.
pub(crate) fn intent(number: u64) -> IntentId {
    IntentId::try_from(number % IntentId::MAX).unwrap_or_else(|_| unreachable!("within the range"))
}

/// The first message.
pub(crate) fn hello(name: &str) -> anyhow::Result<String> {
    let name = name.parse().context("failed to make a name")?;
    let hello = ClientMessage::Hello {
        protocol: PROTOCOL_VERSION,
        name,
        token: None,
        pass: None,
        password: None,
    };
    Ok(text(&hello))
}

/// Makes a room.
pub(crate) fn create(number: u64, settings: RoomSettings, seats: ByMark<SeatRequest>) -> String {
    text(&ClientMessage::Create { id: intent(number), settings, seats, shuffle: false })
}

/// Enters a room.
pub(crate) fn join(number: u64, room: RoomCode, role: Role) -> String {
    text(&ClientMessage::Join { id: intent(number), room, role })
}

/// Offers another game.
pub(crate) fn rematch(number: u64, room: RoomCode, game: u32) -> String {
    text(&ClientMessage::Rematch { id: intent(number), room, game, offer: true })
}

/// Gives a game up.
pub(crate) fn resign(number: u64, room: RoomCode, game: u32) -> String {
    text(&ClientMessage::Resign { id: intent(number), room, game })
}

/// Plays a move.
pub(crate) fn play(number: u64, room: RoomCode, game: u32, ply: u16, cell: Cell) -> String {
    text(&ClientMessage::Play { id: intent(number), room, game, ply, cell })
}

/// What everybody in the room must be told of a move.
pub(crate) fn moved(
    v: u64,
    room: RoomCode,
    (game, ply, mark, cell): (u32, u16, Mark, Cell),
) -> String {
    text(&ServerMessage::Event { room, v, event: Event::Moved { game, ply, mark, cell } })
}

/// Reads what a server said, without parsing what comes with every move.
///
/// # Errors
/// Where it is a refusal, or no message at all.
pub(crate) fn read(said: &str) -> anyhow::Result<Said> {
    if said.starts_with(r#"{"type":"event","#) {
        return Ok(Said::Event);
    }
    if let Some(id) = said.strip_prefix(r#"{"type":"ok","id":"#) {
        let digits = id.bytes().take_while(u8::is_ascii_digit).count();
        if let (Ok(id), true) = (id[..digits].parse(), digits > 0) {
            return Ok(Said::Ok { id });
        }
    }
    match serde_json::from_str(said).with_context(|| format!("failed to read {said}"))? {
        ServerMessage::Event { .. } => Ok(Said::Event),
        ServerMessage::Ok { id, .. } => Ok(Said::Ok { id: id.into() }),
        ServerMessage::Snapshot(snapshot) => Ok(Said::Snapshot(Box::new(snapshot))),
        ServerMessage::Refused { code: code @ RefusalCode::RateLimited, .. } => bail!(
            "refused ({code:?}): set a lower --rate, or start the server with a higher \
             --intents-per-second"
        ),
        ServerMessage::Refused { code, message, .. } => bail!("refused ({code:?}): {message}"),
        _ => Ok(Said::Other),
    }
}
