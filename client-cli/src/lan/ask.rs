//! Asks a server who it is, and whether it has a room, without entering it.

use std::time::Duration;

use noughts_protocol::{ClientMessage, DisplayText, RefusalCode, RoomCode};
use tokio::time::timeout;

use crate::address::ServerAddress;
use crate::connection::trust::Trust;
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

/// Why there is no answer, where that is known.
pub(super) type Silence = Option<DisplayText>;

/// Asks a server. It learns neither name nor token.
///
/// # Errors
/// Where it does not answer in time, or is not to be trusted.
pub(super) async fn ask(
    server: &ServerAddress,
    trust: &Trust,
    room: Option<RoomCode>,
) -> Result<Answer, Silence> {
    timeout(TIME, converse(server, trust, room)).await.unwrap_or(Err(None))
}

async fn converse(
    server: &ServerAddress,
    trust: &Trust,
    room: Option<RoomCode>,
) -> Result<Answer, Silence> {
    let name = "Guest".parse().map_err(|_| None)?;
    let (server, trust) = (server.clone(), trust.clone());
    let destination = Destination { trust, ..Destination::new(server, name) };
    let ids = IntentIds::random();
    let mut connection = Connection::open(destination, ids.clone());
    let welcome = match connection.receive().await {
        Incoming::Welcome(welcome) => welcome,
        // It is one, and tells no more to who has not the password.
        Incoming::PasswordWanted(_) => {
            return Ok(Answer { name: "a server with a password".into(), has_room: false });
        }
        Incoming::Ended(why) => return Err(Some(why)),
        _ => return Err(None),
    };
    let has_room = match room {
        Some(room) => {
            // From outside a room, it is refused with a code that tells whether there is one.
            connection.send(ClientMessage::Sync { id: ids.next(), room }).map_err(|_| None)?;
            is_there(&mut connection).await.ok_or(None)?
        }
        None => false,
    };
    Ok(Answer { name: welcome.server.name, has_room })
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
