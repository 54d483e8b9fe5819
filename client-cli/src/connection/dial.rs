//! Opens a socket, or says why that failed.

use std::time::Duration;

use noughts_protocol::{DisplayText, MAX_SERVER_FRAME};
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::Response;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

use super::network::{Io, Network};
use super::{Destination, Disconnect, trust};
use crate::address::ServerAddress;

pub(super) type Socket = WebSocketStream<MaybeTlsStream<Box<dyn Io>>>;
pub(super) type Frame = Result<Message, Error>;

/// The size of the read buffer in bytes. It is filled with zeros before each read, so a large one
/// costs time. Most messages are smaller.
const READ_BUFFER: usize = 1_024;

/// The advice if no server answers: a server behind a proxy has a scheme and often a path.
const WHOLE_ADDRESS: &str = "give --server the address that its page has in a browser, such as \
                             https://play.example/noughts";

/// How long to resolve the host and open a connection.
const CONNECT_TIME: Duration = Duration::from_secs(8);

pub(super) async fn dial(
    network: &mut impl Network,
    destination: &Destination,
) -> Result<Socket, Disconnect> {
    let server = &destination.server;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .max_message_size(Some(MAX_SERVER_FRAME))
        .max_frame_size(Some(MAX_SERVER_FRAME));
    let deadline = Instant::now() + CONNECT_TIME;
    let stream = match timeout_at(deadline, network.connect(server)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return Err(unreachable(server, &error.to_string())),
        Err(_) => return Err(unreachable(server, "it did not answer")),
    };
    let connector = match server.is_secure() {
        true => Connector::Rustls(destination.trust.config()),
        false => Connector::Plain,
    };
    let handshake =
        client_async_tls_with_config(server.url(), stream, Some(config), Some(connector));
    let Ok(connected) = timeout_at(deadline, handshake).await else {
        return Err(other_program(server, "it accepts the connection, but does not answer"));
    };
    connected.map(|(socket, _)| socket).map_err(|error| match error {
        Error::Http(response) => refused(server, &response),
        Error::Io(error) => {
            let untrusted = trust::problem(server, &error).map(Disconnect::Broken);
            untrusted.unwrap_or_else(|| hung_up(server, &error.to_string()))
        }
        Error::Protocol(ProtocolError::HandshakeIncomplete) => hung_up(server, "without an answer"),
        Error::Protocol(_) | Error::HttpFormat(_) | Error::Utf8(_) | Error::Capacity(_) => {
            other_program(server, "it does not speak HTTP")
        }
        error => unreachable(server, explain(&error).as_str()),
    })
}

/// Nothing answers at the address.
fn unreachable(server: &ServerAddress, why: &str) -> Disconnect {
    let reason = format!("cannot reach {} ({why})", server.url());
    let advised = format!(
        "{reason}: is a server running there? Start one with `noughts-server`, or {WHOLE_ADDRESS}"
    );
    Disconnect::Unreachable(reason.into(), advised.into())
}

/// The peer hung up: a full or stopping server, or another program.
fn hung_up(server: &ServerAddress, why: &str) -> Disconnect {
    let reason = format!("{} hung up ({why})", server.url());
    let advised = format!("{reason}: is that a Noughts server? If so, {WHOLE_ADDRESS}");
    Disconnect::Unreachable(reason.into(), advised.into())
}

/// Another program answers.
fn other_program(server: &ServerAddress, why: &str) -> Disconnect {
    let reason = format!("{} is not a Noughts server ({why})", server.url());
    let advised = format!("{reason}: check the address, or {WHOLE_ADDRESS}");
    Disconnect::Unreachable(reason.into(), advised.into())
}

/// The peer answered with HTTP instead of a WebSocket. Shows its text if that is readable.
fn refused(server: &ServerAddress, response: &Response<Option<Vec<u8>>>) -> Disconnect {
    let status = response.status();
    let body = response.body().as_deref().unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let first = body.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let readable = !first.is_empty() && !first.starts_with(['<', '{']);
    // Other texts may come from a page or a proxy that does not know the path.
    let is_noughts = readable && !status.is_success() && !matches!(status.as_u16(), 400 | 404);
    let text = match readable {
        true => format!("{server} refused the connection: {first}"),
        false => format!("{} answered {status}", server.url()),
    };
    // 429 and 503 are from a Noughts server: too many connections, or the server is stopping. A
    // proxy may send 502 and 504 while the server restarts.
    if status.as_u16() == 429 || status.is_server_error() {
        return Disconnect::Broken(text.into());
    }
    Disconnect::Final(match is_noughts {
        true => text.into(),
        false => format!(
            "{} is not a Noughts server ({status}): check the address, or \
             {WHOLE_ADDRESS}",
            server.url()
        )
        .into(),
    })
}

/// A socket's error as a text for people.
pub(super) fn explain(error: &Error) -> DisplayText {
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => {
            "the connection broke".into()
        }
        Error::Capacity(_) => "the server sent more than was agreed".into(),
        error => error.to_string().into(),
    }
}
