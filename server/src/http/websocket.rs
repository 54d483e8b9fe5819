//! The upgrade to a WebSocket: who may have one, and what the request of somebody behind a proxy
//! lacks. The contents of a WebSocket are [`connection`]'s.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use axum::Extension;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{CONNECTION, HOST, ORIGIN, RETRY_AFTER, SEC_WEBSOCKET_KEY, UPGRADE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use noughts_protocol::MAX_CLIENT_FRAME;
use tracing::Instrument;

use crate::connection::{self, Permits};
use crate::http::origin;
use crate::http::page::has_word;
use crate::limits::connections::{LimitReached, Permit};
use crate::net::client_addr::ClientAddr;
use crate::pipe::{MAX_MESSAGE, READ_BUFFER as PIPE_BUFFER, TICKET};
use crate::state::Shared;

/// The read buffer of a WebSocket. The library's default of 128 KiB is zeroed before every read,
/// which halves the speed and costs 135 KiB a connection. A move is 90 bytes, a `hello` with a token 150;
/// a longer message takes another read.
const READ_BUFFER: usize = 256;

/// Where the lines are that a proxy needs.
const RECIPES: &str = "\"Behind a reverse proxy\" in server/docs/hosting.md has all lines";

/// The answer to a node that this one does not know. The other node logs it.
const NO_TICKET: &str = "this is no ticket for this node: the clocks of both must agree within half a minute, \
                         each node must have a --cluster-address of its own, and both must be of one cluster\n";

/// The faults of proxies that were logged: each kind once, however many requests have it.
#[derive(Debug, Default)]
struct ProxyFaults(AtomicU16);

impl ProxyFaults {
    /// The kind of fault of a refused page, beside the seven of [`Missing`].
    const HOST: u16 = 8;

    /// Whether this is the first of its kind.
    fn is_new(&self, kind: u16) -> bool {
        self.0.fetch_or(1 << kind, Ordering::Relaxed) & (1 << kind) == 0
    }
}

/// The missing parts of a request, each with its bit and the line of nginx that passes it.
struct Missing(Vec<(u16, &'static str, &'static str)>);

impl Missing {
    fn of(version: Version, headers: &HeaderMap) -> Self {
        let parts = [
            (
                !has_word(headers, &UPGRADE, "websocket"),
                (1, "the header Upgrade", "proxy_set_header Upgrade $http_upgrade;"),
            ),
            (
                !has_word(headers, &CONNECTION, "upgrade"),
                (2, "upgrade in the header Connection", "proxy_set_header Connection upgrade;"),
            ),
            (version < Version::HTTP_11, (4, "HTTP/1.1", "proxy_http_version 1.1;")),
        ];
        Self(parts.into_iter().filter_map(|(missing, part)| missing.then_some(part)).collect())
    }

    /// A number from 1 to 7 for each set of missing parts, below [`ProxyFaults::HOST`].
    fn kind(&self) -> u16 {
        self.0.iter().map(|(bit, ..)| bit).sum()
    }

    fn log(&self) {
        let what: Vec<_> = self.0.iter().map(|(_, what, _)| *what).collect();
        let lines: Vec<_> = self.0.iter().map(|(.., line)| *line).collect();
        tracing::warn!(
            "a proxy in between passes no WebSocket, so that nobody can play through it: requests lack {}. \
             nginx needs the lines `{}`, Apache `upgrade=websocket` behind its ProxyPass; {RECIPES}",
            what.join(" and "),
            lines.join(" ")
        );
    }
}

/// The answers to requests for `/ws`.
pub(crate) fn route() -> MethodRouter<Arc<Shared>> {
    get(open).layer(Extension(Arc::<ProxyFaults>::default()))
}

async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(faults): Extension<Arc<ProxyFaults>>,
    Extension(client): Extension<ClientAddr>,
    Extension(tcp): Extension<Arc<Permit>>,
    request: Request,
) -> Response {
    let (mut parts, _) = request.into_parts();
    if let Some(refusal) = refused_page(&shared, &faults, client, &parts.headers) {
        return refusal;
    }
    if let Some(ticket) = parts.headers.get(TICKET) {
        if !ticket.to_str().is_ok_and(|ticket| shared.admits_node(ticket)) {
            return (StatusCode::FORBIDDEN, NO_TICKET).into_response();
        }
        return match upgrade(&faults, &mut parts).await {
            Ok(upgrade) => open_pipe(upgrade, shared, tcp),
            Err(answer) => answer,
        };
    }
    let permits = match shared.connections.admit(client.address) {
        Ok(websocket) => Permits { websocket, tcp },
        Err(reached) => return too_many_connections(&reached),
    };
    // The page asks without an upgrade, to find out why it has no WebSocket: this must be the last reason.
    let upgrade = match upgrade(&faults, &mut parts).await {
        Ok(upgrade) => upgrade,
        Err(answer) => return answer,
    };
    let tasks = shared.tasks.clone();
    let connection = shared.next_connection();
    // Not at the level of the usual log, as those of rooms.
    let span = tracing::debug_span!(
        target: "noughts_server::connection",
        "connection",
        id = connection.0,
        peer = %client.address
    );
    let upgrade = upgrade.read_buffer_size(READ_BUFFER).max_message_size(MAX_CLIENT_FRAME);
    upgrade.max_frame_size(MAX_CLIENT_FRAME).on_upgrade(move |socket| {
        tasks.track_future(connection::run(socket, shared, connection, permits).instrument(span))
    })
}

/// The pipe of another node, which limits its clients itself.
fn open_pipe(upgrade: WebSocketUpgrade, shared: Arc<Shared>, tcp: Arc<Permit>) -> Response {
    tcp.set_unlimited();
    let tasks = shared.tasks.clone();
    let upgrade = upgrade.read_buffer_size(PIPE_BUFFER).max_message_size(MAX_MESSAGE);
    upgrade
        .max_frame_size(MAX_MESSAGE)
        .on_upgrade(move |socket| tasks.track_future(connection::pipe::run(socket, shared, tcp)))
}

/// The answer to a page that may not connect.
fn refused_page(
    shared: &Shared,
    faults: &ProxyFaults,
    client: ClientAddr,
    headers: &HeaderMap,
) -> Option<Response> {
    if origin::is_allowed(headers, client.is_secure, &shared.config.allowed_origins)
        || origin::is_named(headers, &shared.node_origins())
    {
        return None;
    }
    if faults.is_new(ProxyFaults::HOST) {
        tracing::warn!(
            origin = ?headers.get(ORIGIN),
            host = ?headers.get(HOST),
            "a page may not play: it does not come from the host that its request names. If a proxy in between \
             changes the host, nginx needs `proxy_set_header Host $http_host;`, Apache `ProxyPreserveHost On`, \
             or this server `--public-url` with the page's address; {RECIPES}"
        );
    }
    let message = "this page belongs to another server: open the game from its own address, or have the host \
                   allow this origin with --allow-origin (behind a proxy: with --public-url, or have the proxy \
                   named with --trusted-proxy)\n";
    Some((StatusCode::FORBIDDEN, message).into_response())
}

/// The upgrade, or the answer to a request that cannot have one.
async fn upgrade(faults: &ProxyFaults, parts: &mut Parts) -> Result<WebSocketUpgrade, Response> {
    let missing = Missing::of(parts.version, &parts.headers);
    if missing.0.is_empty() {
        // Several lines of a header are one list (RFC 9110, section 5.3), of which the library reads the first.
        parts.headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
        parts.headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
        return upgrade.map_err(IntoResponse::into_response);
    }
    let message = if parts.headers.contains_key(SEC_WEBSOCKET_KEY) {
        // A proxy takes away what is for itself alone, and passes this on.
        if faults.is_new(missing.kind()) {
            missing.log();
        }
        "a proxy in between passes no WebSocket: its host finds in the server's log what it lacks\n"
    } else {
        "only a WebSocket leads here\n"
    };
    let wanted = [(CONNECTION, "upgrade"), (UPGRADE, "websocket")];
    Err((StatusCode::UPGRADE_REQUIRED, wanted, message).into_response())
}

fn too_many_connections(reached: &LimitReached) -> Response {
    let (status, message) = match reached {
        LimitReached::Server => {
            (StatusCode::SERVICE_UNAVAILABLE, "this server is full: try again later\n")
        }
        LimitReached::Address => {
            (StatusCode::TOO_MANY_REQUESTS, "too many connections from your address\n")
        }
    };
    (status, [(RETRY_AFTER, "10")], message).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_lacks_is_known_and_each_kind_is_logged_once() {
        let mut headers = HeaderMap::new();
        let nothing = Missing::of(Version::HTTP_10, &headers);
        headers.append(CONNECTION, HeaderValue::from_static("keep-alive"));
        headers.append(CONNECTION, HeaderValue::from_static("x, Upgrade"));
        let half = Missing::of(Version::HTTP_11, &headers);
        headers.append(UPGRADE, HeaderValue::from_static("h2c, WebSocket"));
        let all = Missing::of(Version::HTTP_11, &headers);
        assert_eq!([nothing.kind(), half.kind(), all.kind()], [7, 1, 0]);
        assert!(half.0[0].2.contains("Upgrade $http_upgrade"));
        let faults = ProxyFaults::default();
        for kind in [nothing.kind(), half.kind(), ProxyFaults::HOST] {
            assert!(faults.is_new(kind));
            assert!(!faults.is_new(kind));
        }
    }
}
