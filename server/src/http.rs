//! HTTP: the routes, the upgrade to a WebSocket, and the plain answers. The page is [`page`]'s, what
//! a WebSocket carries [`connection`]'s.

mod assets;
mod base_path;
mod host;
mod kept_game;
pub(crate) mod metrics;
mod origin;
pub(crate) mod page;
mod picture;
mod preview;
mod use_tls;

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::MAX_CLIENT_FRAME;
use serde_json::json;
use tracing::Instrument;

use crate::connection;
use crate::limits::connections::{LimitReached, Permit};
use crate::lobby::nodes::Nodes;
use crate::net::accept::Routers;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// The read buffer of a WebSocket. The library's default of 128 KiB is zeroed before every read,
/// which halves the speed and costs 135 KiB a connection. A move is 90 bytes, a `hello` with a token 150;
/// a longer message takes another read.
const READ_BUFFER: usize = 256;

/// The server's answers, with TLS and without.
pub(crate) fn routers(shared: &Arc<Shared>) -> Routers {
    let app = base_path::with_base(&shared.config.base_path, app(Arc::clone(shared)));
    Routers { app, use_tls: use_tls::router() }
}

fn app(shared: Arc<Shared>) -> Router {
    Router::new()
        .merge(page::routes())
        .route("/ws", get(open_websocket))
        .route("/healthz", get(health))
        .route("/api/rooms", get(rooms))
        .fallback(async || page::nothing_here())
        .layer(from_fn_with_state(Arc::clone(&shared), host::check_host))
        .layer(map_response_with_state(Arc::clone(&shared), page::secure))
        .with_state(shared)
}

async fn open_websocket(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    Extension(tcp): Extension<Arc<Permit>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let is_of_node = |nodes: &Nodes| origin::is_of_node(&headers, nodes.directory());
    if !origin::is_allowed(&headers, client.is_secure, &shared.config.allowed_origins)
        && !shared.lobby.nodes().is_some_and(is_of_node)
    {
        let message = "this page belongs to another server: open the game from its own address, \
                       or have the host allow this origin with --allow-origin (behind a proxy: \
                       with --public-url, or have the proxy named with --trusted-proxy)\n";
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    if shared.is_cut_off() {
        let message = "this server cannot reach the others of its cluster: try another one\n";
        return (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "10")], message)
            .into_response();
    }
    let permits = match shared.connections.admit(client.address) {
        Ok(permit) => (permit, tcp),
        Err(reached) => return too_many_connections(&reached),
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
    upgrade
        .read_buffer_size(READ_BUFFER)
        .max_message_size(MAX_CLIENT_FRAME)
        .max_frame_size(MAX_CLIENT_FRAME)
        .on_upgrade(move |socket| {
            tasks
                .track_future(connection::run(socket, shared, connection, permits).instrument(span))
        })
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
    (status, [(header::RETRY_AFTER, "10")], message).into_response()
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let (rooms, waiting) = (shared.lobby.rooms(), shared.lobby.waiting_for_match());
    let connections = shared.connections.count();
    let (status, journal, checkpoints) = match &shared.journal {
        Some(journal) if journal.is_failing() => ("failing", "failing", "failing"),
        Some(journal) if journal.checkpoints_fail() => ("degraded", "ok", "failing"),
        Some(_) => ("ok", "ok", "ok"),
        None => ("ok", "none", "none"),
    };
    let node = shared.lobby.nodes().map(Nodes::directory).filter(|directory| !directory.is_alone());
    let status = match node {
        Some(directory) if !directory.is_healthy() => "failing",
        // New rooms would wait here until it has shards.
        Some(directory) if status != "failing" && directory.owned().is_empty() => "starting",
        _ => status,
    };
    // Programs often look at the status code alone.
    let code = match status {
        "failing" | "starting" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::OK,
    };
    let mut health = json!({
        "status": status, "rooms": rooms, "connections": connections,
        "waiting_for_match": waiting, "asleep": shared.lobby.hibernated(), "journal": journal,
        "checkpoints": checkpoints,
    });
    if let Some(directory) = node {
        health["cluster"] = json!({
            "node": directory.me().as_str(),
            "hears_the_others": directory.is_healthy(),
            "nodes": directory.nodes().len(),
            "shards": directory.owned().len(),
            "unread_records": directory.metrics().map(|metrics| metrics.lag()),
        });
    }
    (code, Json(health)).into_response()
}

async fn rooms(State(shared): State<Arc<Shared>>) -> Response {
    if shared.config.password.is_some() || !shared.config.features.listing {
        return (StatusCode::FORBIDDEN, "this server does not list its rooms\n").into_response();
    }
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, shared.lobby.listing().latest_body()).into_response()
}
