//! Frames and messages: the handshake, decoding, and what a close means.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use noughts_protocol::{
    ClientMessage, CloseCode, DisplayText, HELLO_SECONDS, Hello, PROTOCOL_VERSION, RefusalCode,
    ServerMessage,
};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::dial::{self, Socket, dial};
use super::network::Network;
use super::{Destination, Disconnect, WRITE_TIME};
use crate::session::{End, Remedy, Welcome};

/// Opens a socket and says hello, within the server's time limit.
pub(super) async fn handshake(
    network: &mut impl Network,
    destination: &Destination,
) -> Result<(Socket, Welcome), Disconnect> {
    let limit = Duration::from_secs(HELLO_SECONDS);
    let server = destination.server.clone();
    let late = |_| Disconnect::Broken(format!("{server} did not answer in time").into());
    let mut socket = timeout(limit, dial(network, destination)).await.map_err(late)??;
    let hello = ClientMessage::Hello(Hello {
        protocol: PROTOCOL_VERSION,
        name: destination.name.clone(),
        token: destination.token.clone(),
        pass: destination.pass.clone(),
        password: destination.password.clone(),
    });
    write(&mut socket, &hello).await?;
    let mut welcome = timeout(limit, welcome(&mut socket)).await.map_err(late)??;
    welcome.is_given = welcome.name != destination.name;
    Ok((socket, welcome))
}

/// Waits for the answer to hello.
async fn welcome(socket: &mut Socket) -> Result<Welcome, Disconnect> {
    loop {
        let frame = socket.next().await;
        match decode(frame)? {
            None => {}
            Some(ServerMessage::Welcome { protocol, .. }) if protocol != PROTOCOL_VERSION => {
                return Err(Disconnect::Final(CloseCode::ProtocolVersion.reason().into()));
            }
            Some(ServerMessage::Refused { code, message, .. }) => {
                if matches!(code, RefusalCode::PasswordRequired | RefusalCode::WrongPassword) {
                    return Err(Disconnect::Password(message));
                }
                return Err(if code.reconnect() {
                    Disconnect::Broken(message)
                } else {
                    Disconnect::Final(message.into())
                });
            }
            Some(message) => {
                return Welcome::of(message).ok_or_else(|| Disconnect::Final(not_noughts()));
            }
        }
    }
}

/// Decodes a frame. Returns `None` if it carries no message.
pub(super) fn decode(frame: Option<dial::Frame>) -> Result<Option<ServerMessage>, Disconnect> {
    match frame {
        Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
            // The code of the close that follows does not say for how long, and why.
            Ok(ServerMessage::Refused { id: None, code: RefusalCode::Banned, message }) => {
                Err(Disconnect::Final(format!("{message} (ask the host if that is wrong)").into()))
            }
            Ok(message) => Ok(Some(message)),
            Err(_) => unknown_message(&text),
        },
        Some(Ok(Message::Close(frame))) => Err(closed(frame.map(|f| u16::from(f.code)))),
        Some(Ok(_)) => Ok(None),
        Some(Err(error)) => Err(Disconnect::Broken(dial::explain(&error))),
        None => Err(closed(None)),
    }
}

/// Handles a text that is no known message. Every message is an object with a type.
fn unknown_message(text: &str) -> Result<Option<ServerMessage>, Disconnect> {
    #[derive(serde::Deserialize)]
    struct Tagged {
        #[serde(rename = "type")]
        kind: String,
    }
    match serde_json::from_str::<Tagged>(text) {
        // The client cannot go on without these two.
        Ok(Tagged { kind }) if kind == "welcome" || kind == "snapshot" => {
            let message = "the server sent an unknown message: it may be newer than this client. \
                           Update the client, or try another server";
            Err(Disconnect::Final(message.into()))
        }
        // A newer server may send messages that this client does not know.
        Ok(_) => Ok(None),
        Err(_) => Err(Disconnect::Final(not_noughts())),
    }
}

/// The meaning of a close code. The text beside it does not count.
fn closed(number: Option<u16>) -> Disconnect {
    match number.and_then(CloseCode::from_number) {
        Some(code) if code.reconnect() => Disconnect::Broken(code.reason().into()),
        Some(CloseCode::Done) => Disconnect::Final("the server said goodbye".into()),
        Some(CloseCode::Removed) => {
            let reason = "the host of this server has ended your connection".into();
            Disconnect::Final(End { reason, remedy: Some(Remedy::Reconnect) })
        }
        Some(code) => Disconnect::Final(code.reason().into()),
        None => Disconnect::Broken("the connection was closed".into()),
    }
}

/// Sends a message.
pub(super) async fn write(socket: &mut Socket, message: &ClientMessage) -> Result<(), Disconnect> {
    let text =
        serde_json::to_string(message).map_err(|e| Disconnect::Final(e.to_string().into()))?;
    match timeout(WRITE_TIME, socket.send(Message::text(text))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Disconnect::Broken(dial::explain(&error))),
        Err(_) => Err(Disconnect::Broken(no_answer())),
    }
}

pub(super) fn no_answer() -> DisplayText {
    "the server does not answer".into()
}

fn not_noughts() -> End {
    "this is not a Noughts server: check the address".into()
}
