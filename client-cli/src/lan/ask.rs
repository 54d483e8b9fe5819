//! Asks a server who it is, and whether it has a room, without entering it.

use std::time::Duration;

use noughts_protocol::{ClientMessage, DisplayText, RefusalCode, RoomCode};
use tokio::time::timeout;

use crate::address::ServerAddress;
use crate::connection::{Connection, Destination, Incoming};
use crate::ids::IntentIds;

/// How long a server has to answer; on one network it takes milliseconds.
const TIME: Duration = Duration::from_secs(2);

/// What a server said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// What it is called.
    pub(super) name: DisplayText,
    /// Whether it has the room.
    pub(super) has_room: bool,
}

/// Asks a server; none where it does not answer in time. It learns neither name nor token.
pub(super) async fn ask(server: &ServerAddress, room: Option<RoomCode>) -> Option<Answer> {
    timeout(TIME, converse(server, room)).await.ok()?
}

async fn converse(server: &ServerAddress, room: Option<RoomCode>) -> Option<Answer> {
    let name = "Guest".parse().ok()?;
    let destination =
        Destination { server: server.clone(), name, token: None, password: None, chaos: None };
    let ids = IntentIds::random();
    let mut connection = Connection::open(destination, ids.clone());
    let welcome = match connection.receive().await {
        Incoming::Welcome(welcome) => welcome,
        // It is one, and tells no more to who has not the password.
        Incoming::PasswordWanted(_) => {
            return Some(Answer { name: "a server with a password".into(), has_room: false });
        }
        _ => return None,
    };
    let has_room = match room {
        Some(room) => {
            // From outside a room, it is refused with a code that tells whether there is one.
            connection.send(ClientMessage::Sync { id: ids.next(), room }).ok()?;
            is_there(&mut connection).await?
        }
        None => false,
    };
    Some(Answer { name: welcome.server.name, has_room })
}

async fn is_there(connection: &mut Connection) -> Option<bool> {
    loop {
        match connection.receive().await {
            Incoming::Answered { answer: Err(refusal), .. } => {
                return Some(refusal.code == RefusalCode::NotInRoom);
            }
            Incoming::Lost(_) | Incoming::Ended(_) => return None,
            _ => {}
        }
    }
}
