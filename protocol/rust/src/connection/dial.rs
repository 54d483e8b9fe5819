//! Opens a socket, or says why that failed.

use std::io::{self, ErrorKind};
use std::time::Duration;

use noughts_protocol::{DisplayText, MAX_SERVER_FRAME};
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::http::{Error as HttpError, HeaderValue, Response, StatusCode};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

use super::network::{Io, Network};
use super::{Destination, Disconnect, trust};
use crate::address::ServerAddress;
use noughts_protocol::text::without_number;

pub(super) type Socket = WebSocketStream<MaybeTlsStream<Box<dyn Io>>>;
pub(super) type Frame = Result<Message, Error>;

/// The size of the read buffer in bytes. It is filled with zeros before each read, so a large one
/// costs time. Most messages are smaller.
const READ_BUFFER: usize = 1_024;

/// The advice if no server answers: a server behind a proxy has a scheme and often a path.
const WHOLE_ADDRESS: &str = "use the whole address that its page has in a browser, such as \
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
        Ok(Err(error)) => return Err(unreachable(server, &io_problem(&error))),
        Err(_) => return Err(unreachable(server, "that machine does not answer")),
    };
    let connector = match server.is_secure() {
        true => Connector::Rustls(destination.trust.config()),
        false => Connector::Plain,
    };
    let request =
        request(destination).map_err(|error| unreachable(server, explain(&error).as_str()))?;
    let handshake = client_async_tls_with_config(request, stream, Some(config), Some(connector));
    let Ok(connected) = timeout_at(deadline, handshake).await else {
        return Err(other_program(server, "it accepts the connection, but does not answer"));
    };
    connected.map(|(socket, _)| socket).map_err(|error| match error {
        Error::Http(response) => refused(server, &response),
        Error::Io(error) => match trust::problem(server, &error) {
            Some(end) => Disconnect::Unreachable(end.reason.clone(), end),
            None => hung_up(server, &io_problem(&error)),
        },
        Error::Protocol(ProtocolError::HandshakeIncomplete) => hung_up(server, "without an answer"),
        Error::Protocol(_) | Error::HttpFormat(_) | Error::Utf8(_) | Error::Capacity(_) => {
            other_program(server, "it does not speak HTTP")
        }
        error => unreachable(server, explain(&error).as_str()),
    })
}

/// The request for a WebSocket. A proxy's server learns from it for whom it is.
fn request(destination: &Destination) -> Result<Request, Error> {
    let mut request = destination.server.url().into_client_request()?;
    if let Some(address) = destination.forwarded_for {
        let address = HeaderValue::from_str(&address.to_string()).map_err(HttpError::from)?;
        request.headers_mut().insert("x-forwarded-for", address);
    }
    Ok(request)
}

/// Nothing answers at the address.
fn unreachable(server: &ServerAddress, why: &str) -> Disconnect {
    let reason = format!("no server answers at {server} ({why})");
    let advised = format!(
        "{reason}: is a server running there? Start one with `noughts-server`, or {WHOLE_ADDRESS}"
    );
    Disconnect::Unreachable(reason.into(), advised.into())
}

/// Why no connection could be opened, in the words of a person and not of the system.
fn io_problem(error: &io::Error) -> String {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::ConnectionRefused => "nothing listens there".to_owned(),
        ErrorKind::TimedOut => "that machine does not answer".to_owned(),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            "there is no way to that machine from here".to_owned()
        }
        ErrorKind::PermissionDenied => "a rule of this machine forbids it".to_owned(),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "it broke off".to_owned()
        }
        // The resolver's errors have no kind of their own.
        _ if text.contains("lookup address") => "no machine has that name".to_owned(),
        _ => without_number(&text),
    }
}

/// The peer hung up: a full or stopping server, or another program.
fn hung_up(server: &ServerAddress, why: &str) -> Disconnect {
    let reason = format!("{server} hung up ({why})");
    let advised = format!("{reason}: is that a Noughts server? If so, {WHOLE_ADDRESS}");
    Disconnect::Unreachable(reason.into(), advised.into())
}

/// Another program answers.
fn other_program(server: &ServerAddress, why: &str) -> Disconnect {
    let advised =
        format!("{server} is not a Noughts server ({why}): check the address, or {WHOLE_ADDRESS}");
    // After a break it may well be the server of before, which hangs.
    Disconnect::Unreachable(format!("{server}: {why}").into(), advised.into())
}

/// The peer answered with HTTP instead of a WebSocket. Shows its text if that is readable.
fn refused(server: &ServerAddress, response: &Response<Option<Vec<u8>>>) -> Disconnect {
    let status = response.status();
    if status == StatusCode::UPGRADE_REQUIRED {
        let text = format!(
            "a proxy in between passes no WebSocket to {server}: tell its host, whose server logs what it lacks"
        );
        return Disconnect::Final(text.into());
    }
    let body = response.body().as_deref().unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let first = body.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let readable = !first.is_empty() && !first.starts_with(['<', '{']);
    // Other texts may come from a page or a proxy that does not know the path.
    let is_noughts = readable && !status.is_success() && !matches!(status.as_u16(), 400 | 404);
    let text = match readable {
        true => format!("{server} refused the connection: {first}"),
        false => format!("{server} answered {status}"),
    };
    // 429 and 503 are from a Noughts server: too many connections, or the server is stopping. A
    // proxy may send 502 and 504 while the server restarts.
    if status.as_u16() == 429 || status.is_server_error() {
        return Disconnect::Broken(text.into());
    }
    Disconnect::Final(match is_noughts {
        true => text.into(),
        false => format!(
            "{server} is not a Noughts server ({status}): check the address, or {WHOLE_ADDRESS}"
        )
        .into(),
    })
}

/// A socket's error as a text for people.
pub(super) fn explain(error: &Error) -> DisplayText {
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => super::BROKE.into(),
        Error::Capacity(_) => "the server sent more than was agreed".into(),
        Error::Io(error) => io_problem(error).into(),
        error => without_number(&error.to_string()).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_errors_become_words_of_people() {
        let lookup = "failed to lookup address information: Name or service not known";
        for (error, text) in [
            (io::Error::from(ErrorKind::ConnectionRefused), "nothing listens there"),
            (io::Error::other(lookup), "no machine has that name"),
            (io::Error::from(ErrorKind::TimedOut), "that machine does not answer"),
            (io::Error::from_raw_os_error(24), "Too many open files"),
        ] {
            assert_eq!(io_problem(&error), text);
        }
    }
}
