//! The messages to a server and to the bare relay, and the parts of the answers that are needed. The
//! protocol's own types make the texts.

use anyhow::{Context, bail};
use noughts_protocol::{
    ByMark, Cell, ClientMessage, Event, GameEnd, Hello, IntentId, LobbyIntent, Mark,
    PROTOCOL_VERSION, RefusalCode, Role, RoomCode, RoomIntent, RoomSettings, Said, SeatRequest,
    ServerMessage, Snapshot,
};
use serde::Serialize;

/// The kind of server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A Noughts server.
    Noughts,
    /// The bare relay, which sends each frame to everybody in its room.
    Relay,
}

/// A message of the server.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A fact of the room; its text is not parsed.
    Event,
    /// An intent was applied.
    Ok { id: u64 },
    /// A snapshot of the room.
    Snapshot(Box<Snapshot>),
    /// A message that does not matter here.
    Other,
}

/// The text of a message.
pub(crate) fn text(message: &impl Serialize) -> String {
    // Serialising fails for maps with other keys than strings alone; messages have none.
    serde_json::to_string(message).unwrap_or_default()
}

/// The id of an intent.
fn id(number: u64) -> IntentId {
    IntentId::try_from(number % IntentId::MAX).unwrap_or_else(|_| unreachable!("within the range"))
}

/// `hello`, the first message.
pub(crate) fn hello(name: &str) -> anyhow::Result<String> {
    let name = name.parse().context("failed to make a name")?;
    let hello = Hello { protocol: PROTOCOL_VERSION, name, token: None, pass: None, password: None };
    Ok(text(&ClientMessage::Hello(hello)))
}

/// `create`, which makes a room.
pub(crate) fn create(number: u64, settings: RoomSettings, seats: ByMark<SeatRequest>) -> String {
    in_lobby(number, LobbyIntent::Create { settings, seats, shuffle: false })
}

/// `join`, which enters a room.
pub(crate) fn join(number: u64, room: RoomCode, role: Role) -> String {
    in_lobby(number, LobbyIntent::Join { room, role })
}

/// `rematch`, which offers another game.
pub(crate) fn rematch(number: u64, room: RoomCode, game: u32) -> String {
    in_room(number, room, RoomIntent::Rematch { game, offer: true, series: None })
}

/// `resign`.
pub(crate) fn resign(number: u64, room: RoomCode, game: u32) -> String {
    in_room(number, room, RoomIntent::Resign { game })
}

/// `say`, which says a text.
pub(crate) fn say(number: u64, room: RoomCode, line: usize) -> anyhow::Result<String> {
    let said = format!("Line {line} of a crowd that talks").parse().map(Said::Text);
    Ok(in_room(number, room, RoomIntent::Say { said: said.context("failed to make a text")? }))
}

/// The meaning of a message for a spectator who talks; `None` if it is something else.
pub(crate) fn talk(text: &str) -> Option<TalkReply> {
    [
        (r#"{"type":"chat","#, TalkReply::Told),
        (r#"{"type":"ok","#, TalkReply::Said),
        (r#"{"type":"refused","#, TalkReply::Unsaid),
    ]
    .into_iter()
    .find_map(|(start, reply)| text.starts_with(start).then_some(reply))
}

/// A message about talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TalkReply {
    /// Lines of others.
    Told,
    /// The line was heard.
    Said,
    /// It was too much.
    Unsaid,
}

/// `play`, which makes a move.
pub(crate) fn play(number: u64, room: RoomCode, game: u32, ply: u16, cell: Cell) -> String {
    in_room(number, room, RoomIntent::Play { game, ply, cell })
}

fn in_lobby(number: u64, intent: LobbyIntent) -> String {
    text(&ClientMessage::Lobby { intent, id: id(number) })
}

fn in_room(number: u64, room: RoomCode, intent: RoomIntent) -> String {
    text(&ClientMessage::Room { intent, id: id(number), room })
}

/// The event that everybody in the room must receive for a move, which may end the game.
pub(crate) fn moved(
    v: u64,
    room: RoomCode,
    (game, ply, mark, cell): (u32, u16, Mark, Cell),
    over: Option<GameEnd>,
) -> String {
    let event = Event::Moved { game, ply, mark, cell, over, opening: None };
    text(&ServerMessage::Event { room, v, event })
}

/// Reads a message of the server. The two that come with every move are recognised without parsing.
///
/// # Errors
/// If it is a refusal, or not a message.
pub(crate) fn read(text: &str) -> anyhow::Result<Reply> {
    if text.starts_with(r#"{"type":"event","#) {
        return Ok(Reply::Event);
    }
    if let Some(id) = text.strip_prefix(r#"{"type":"ok","id":"#) {
        let digits = id.bytes().take_while(u8::is_ascii_digit).count();
        if let (Ok(id), true) = (id[..digits].parse(), digits > 0) {
            return Ok(Reply::Ok { id });
        }
    }
    match serde_json::from_str(text).with_context(|| format!("failed to read {text}"))? {
        ServerMessage::Event { .. } => Ok(Reply::Event),
        ServerMessage::Ok { id, .. } => Ok(Reply::Ok { id: id.into() }),
        ServerMessage::Snapshot(snapshot) => Ok(Reply::Snapshot(Box::new(snapshot))),
        ServerMessage::Refused { code: code @ RefusalCode::RateLimited, .. } => bail!(
            "refused ({code:?}): set a lower --rate, or start the server with a higher \
             --intents-per-second"
        ),
        ServerMessage::Refused { code, message, .. } => bail!("refused ({code:?}): {message}"),
        _ => Ok(Reply::Other),
    }
}
