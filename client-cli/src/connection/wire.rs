//! Frames and messages: the greeting, what a frame says, what a close means.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use noughts_protocol::{
    Chaos, ClientMessage, CloseCode, DisplayText, HELLO_SECONDS, PROTOCOL_VERSION, RefusalCode,
    ServerMessage,
};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::dial::{self, Socket, dial};
use super::network::Network;
use super::{Destination, End, WRITE_TIME, Welcome};

/// Dials and says hello, within the time that a server allows for it.
pub(super) async fn greet(
    network: &mut impl Network,
    destination: &mut Destination,
) -> Result<(Socket, Welcome), End> {
    let limit = Duration::from_secs(HELLO_SECONDS);
    let server = destination.server.clone();
    let late = |_| End::Broken(format!("{server} did not answer in time").into());
    let mut socket = timeout(limit, dial(network, destination)).await.map_err(late)??;
    let hello = ClientMessage::Hello {
        protocol: PROTOCOL_VERSION,
        name: destination.name.clone(),
        token: destination.token.clone(),
        pass: None,
        password: destination.password.clone(),
    };
    let chaos = &mut destination.chaos;
    write(&mut socket, chaos, &hello).await?;
    let welcome = timeout(limit, welcome(&mut socket, chaos)).await.map_err(late)??;
    Ok((socket, welcome))
}

/// The first message, which is the answer to hello.
async fn welcome(socket: &mut Socket, chaos: &mut Option<Chaos>) -> Result<Welcome, End> {
    loop {
        let frame = socket.next().await;
        match decode(frame)? {
            None => {}
            Some(_) if copies(chaos)? == 0 => {}
            Some(ServerMessage::Welcome {
                protocol: PROTOCOL_VERSION,
                player,
                name,
                token,
                server,
                limits,
                features,
            }) => {
                return Ok(Welcome { player, name, token, server, limits, features });
            }
            Some(ServerMessage::Welcome { .. }) => {
                return Err(End::Final(CloseCode::ProtocolVersion.reason().into()));
            }
            Some(ServerMessage::Refused { code, message, .. }) => {
                if matches!(code, RefusalCode::PasswordRequired | RefusalCode::WrongPassword) {
                    return Err(End::Password(message));
                }
                let passing = matches!(
                    code,
                    RefusalCode::RateLimited | RefusalCode::Full | RefusalCode::Stopping
                );
                return Err(if passing { End::Broken(message) } else { End::Final(message) });
            }
            Some(_) => return Err(End::Final(not_noughts())),
        }
    }
}

/// The message in a frame; none in frames that carry none.
pub(super) fn decode(frame: Option<dial::Frame>) -> Result<Option<ServerMessage>, End> {
    match frame {
        Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
            Ok(message) => Ok(Some(message)),
            Err(_) => unreadable(&text),
        },
        Some(Ok(Message::Close(frame))) => Err(closed(frame.map(|f| u16::from(f.code)))),
        Some(Ok(_)) => Ok(None),
        Some(Err(error)) => Err(End::Broken(dial::explain(&error))),
        None => Err(closed(None)),
    }
}

/// What a text that is no message of ours means. Every message is an object with a type.
fn unreadable(text: &str) -> Result<Option<ServerMessage>, End> {
    #[derive(serde::Deserialize)]
    struct Tagged {
        #[serde(rename = "type")]
        kind: String,
    }
    match serde_json::from_str::<Tagged>(text) {
        // Without these two nothing goes on.
        Ok(Tagged { kind }) if kind == "welcome" || kind == "snapshot" => {
            let message = "what the server says cannot be understood: is it newer than this \
                           client? Update the client, or try another server";
            Err(End::Final(message.into()))
        }
        // A message of a newer server may be unknown here; the next one may be known.
        Ok(_) => Ok(None),
        Err(_) => Err(End::Final(not_noughts())),
    }
}

/// What a close means, by its number alone.
fn closed(number: Option<u16>) -> End {
    match number.and_then(CloseCode::from_number) {
        Some(code) if code.reconnect() => End::Broken(code.reason().into()),
        Some(CloseCode::Done) => End::Final("the server said goodbye".into()),
        Some(code) => End::Final(code.reason().into()),
        None => End::Broken("the connection was closed".into()),
    }
}

/// Sends a message, once unless there is chaos.
pub(super) async fn write(
    socket: &mut Socket,
    chaos: &mut Option<Chaos>,
    message: &ClientMessage,
) -> Result<(), End> {
    let text = serde_json::to_string(message).map_err(|e| End::Final(e.to_string().into()))?;
    if let Some(chaos) = chaos {
        tokio::time::sleep(chaos.delay()).await;
    }
    for _ in 0..copies(chaos)? {
        match timeout(WRITE_TIME, socket.send(Message::text(&text))).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(End::Broken(dial::explain(&error))),
            Err(_) => return Err(End::Broken(silence())),
        }
    }
    Ok(())
}

/// How many copies of the next message pass.
pub(super) fn copies(chaos: &mut Option<Chaos>) -> Result<u8, End> {
    let Some(chaos) = chaos else { return Ok(1) };
    chaos.copies().ok_or_else(|| End::Broken("--chaos cut the connection".into()))
}

pub(super) fn silence() -> DisplayText {
    "nothing was heard from the server".into()
}

fn not_noughts() -> DisplayText {
    "what answers there is no Noughts server: check the address".into()
}
