//! Making a socket, and saying in words why it could not be made.

use std::time::Duration;

use noughts_protocol::{DisplayText, MAX_SERVER_FRAME};
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::Response;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

use super::network::{Io, Network};
use super::{Destination, End, trust};
use crate::address::ServerAddress;

pub(super) type Socket = WebSocketStream<MaybeTlsStream<Box<dyn Io>>>;
pub(super) type Frame = Result<Message, Error>;

/// The socket's buffer for reading, in bytes. It is filled with zeros before each read, so a
/// large one costs time; a game's messages are smaller than this.
const READ_BUFFER: usize = 1_024;

/// What to do where no server answers: one behind a proxy has a scheme, and often a path.
const WHOLE_ADDRESS: &str = "give --server the address that its page has in a browser, such as \
                             https://play.example/noughts";

/// How long to look for the host and for an open port.
const CONNECT_TIME: Duration = Duration::from_secs(8);

pub(super) async fn dial(
    network: &mut impl Network,
    destination: &Destination,
) -> Result<Socket, End> {
    let server = &destination.server;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .max_message_size(Some(MAX_SERVER_FRAME))
        .max_frame_size(Some(MAX_SERVER_FRAME));
    let deadline = Instant::now() + CONNECT_TIME;
    let stream = match timeout_at(deadline, network.connect(server)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return Err(nobody(server, &error.to_string())),
        Err(_) => return Err(nobody(server, "it did not answer")),
    };
    let connector = match server.is_secure() {
        true => Connector::Rustls(destination.trust.config()),
        false => Connector::Plain,
    };
    let greeting =
        client_async_tls_with_config(server.url(), stream, Some(config), Some(connector));
    let Ok(connected) = timeout_at(deadline, greeting).await else {
        return Err(stranger(server, "it takes the connection, but says nothing"));
    };
    connected.map(|(socket, _)| socket).map_err(|error| match error {
        Error::Http(response) => refused(server, &response),
        Error::Io(error) => {
            let untrusted = trust::problem(server, &error).map(End::Broken);
            untrusted.unwrap_or_else(|| hung_up(server, &error.to_string()))
        }
        Error::Protocol(ProtocolError::HandshakeIncomplete) => hung_up(server, "without a word"),
        Error::Protocol(_) | Error::HttpFormat(_) | Error::Utf8(_) | Error::Capacity(_) => {
            stranger(server, "it does not speak HTTP")
        }
        error => nobody(server, explain(&error).as_str()),
    })
}

/// Nobody is there: what was tried, and what to do.
fn nobody(server: &ServerAddress, why: &str) -> End {
    let reason = format!("cannot reach {} ({why})", server.url());
    let advised = format!(
        "{reason}: is a server running there? Start one with `noughts-server`, or {WHOLE_ADDRESS}"
    );
    End::Nobody(reason.into(), advised.into())
}

/// Somebody is there who goes at once: a server that is full, or being stopped, or another program.
fn hung_up(server: &ServerAddress, why: &str) -> End {
    let reason = format!("{} hung up ({why})", server.url());
    let advised = format!("{reason}: is that a Noughts server? If so, {WHOLE_ADDRESS}");
    End::Nobody(reason.into(), advised.into())
}

/// Somebody is there, but another program.
fn stranger(server: &ServerAddress, why: &str) -> End {
    let reason = format!("what answers at {} is no Noughts server ({why})", server.url());
    let advised = format!("{reason}: check the address, or {WHOLE_ADDRESS}");
    End::Nobody(reason.into(), advised.into())
}

/// The server answered, but not with a WebSocket: its own words, where it has some.
fn refused(server: &ServerAddress, response: &Response<Option<Vec<u8>>>) -> End {
    let status = response.status();
    let body = response.body().as_deref().unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let first = body.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let words = !first.is_empty() && !first.starts_with(['<', '{']);
    // Other words may be those of a page, or of a proxy that knows no such path.
    let ours = words && !status.is_success() && !matches!(status.as_u16(), 400 | 404);
    let told = match words {
        true => format!("{server} refused the connection: {first}"),
        false => format!("{} answered {status}", server.url()),
    };
    // 429 and 503 are ours: too many connections, or the server is stopping. A proxy may add
    // 502 and 504 while the server restarts.
    if status.as_u16() == 429 || status.is_server_error() {
        return End::Broken(told.into());
    }
    End::Final(match ours {
        true => told.into(),
        false => format!(
            "what answers at {} is no Noughts server ({status}): check the address, or \
             {WHOLE_ADDRESS}",
            server.url()
        )
        .into(),
    })
}

/// A socket's error in words.
pub(super) fn explain(error: &Error) -> DisplayText {
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => {
            "the connection broke".into()
        }
        Error::Capacity(_) => "the server sent more than was agreed".into(),
        error => error.to_string().into(),
    }
}
