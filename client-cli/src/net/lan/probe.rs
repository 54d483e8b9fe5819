//! Asks a server for its name and whether it has a room, without entering the room.

use std::time::Duration;

use noughts_client::address::ServerAddress;
use noughts_client::connection::{Connection, Destination, Trust};
use noughts_client::session::ConnectionEvent;
use noughts_protocol::{
    ClientMessage, DisplayText, PING_ID, PartyCode, PartyIntent, RefusalCode, RoomCode, RoomIntent,
    ServerMessage,
};
use tokio::time::timeout;

use crate::strings;

/// How long a server has to answer. On a LAN it takes milliseconds.
const TIME: Duration = Duration::from_secs(2);

/// A server's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProbeAnswer {
    /// The server's name.
    pub(crate) name: DisplayText,
    /// Whether it has the room, or a party with that code; `None` if it does not tell.
    pub(crate) has_room: Option<bool>,
}

/// Why there is no answer, if that is known.
pub(crate) type ProbeError = Option<DisplayText>;

/// Asks a server. It learns neither the player's name nor a token.
///
/// # Errors
/// If the server does not answer in time or cannot be trusted.
pub(crate) async fn probe(
    server: &ServerAddress,
    trust: &Trust,
    room: Option<RoomCode>,
) -> Result<ProbeAnswer, ProbeError> {
    timeout(TIME, ask(server, trust, room)).await.unwrap_or(Err(None))
}

async fn ask(
    server: &ServerAddress,
    trust: &Trust,
    room: Option<RoomCode>,
) -> Result<ProbeAnswer, ProbeError> {
    let name = "Guest".parse().map_err(|_| None)?;
    let server = server.clone();
    let trust = trust.clone();
    let destination = Destination { trust, ..Destination::new(server, name) };
    let mut connection = Connection::open(destination);
    let welcome = match connection.receive().await {
        ConnectionEvent::Welcome(welcome) => welcome,
        // The server exists, but tells nothing without a password.
        ConnectionEvent::PasswordWanted(_) => {
            return Ok(ProbeAnswer { name: "a server with a password".into(), has_room: None });
        }
        ConnectionEvent::Ended(end) => return Err(Some(strings::ended(&end).into())),
        _ => return Err(None),
    };
    let has_room = match room {
        Some(room) => {
            // From outside a room, `sync` is refused with a code that says whether the room exists.
            connection.send(ClientMessage::Room { intent: RoomIntent::Sync, id: PING_ID, room });
            let has_room = refusal(&mut connection).await.ok_or(None)? == RefusalCode::NotInRoom;
            Some(has_room || has_party(&mut connection, PartyCode(room)).await.ok_or(None)?)
        }
        None => None,
    };
    Ok(ProbeAnswer { name: welcome.server.name, has_room })
}

/// A party answers from outside like a room.
async fn has_party(connection: &mut Connection, party: PartyCode) -> Option<bool> {
    let intent = PartyIntent::SyncParty;
    connection.send(ClientMessage::Party { intent, id: PING_ID, party });
    Some(refusal(connection).await? == RefusalCode::NotInParty)
}

/// The code of the next refusal.
async fn refusal(connection: &mut Connection) -> Option<RefusalCode> {
    loop {
        match connection.receive().await {
            ConnectionEvent::Message(message) => {
                if let ServerMessage::Refused { code, .. } = *message {
                    return Some(code);
                }
            }
            ConnectionEvent::Lost(_) | ConnectionEvent::Ended(_) => return None,
            _ => {}
        }
    }
}
