//! HTTP: the routes and the plain answers. The page is [`page`]'s, the upgrade to a WebSocket
//! [`websocket`]'s.

pub(crate) mod admin;
mod api;
mod assets;
mod base_path;
mod host;
mod kept_game;
pub(crate) mod metrics;
mod origin;
pub(crate) mod page;
mod party_files;
mod picture;
mod preview;
mod puzzle;
mod use_tls;
mod websocket;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use noughts_cluster::{Cluster, Status};
use serde_json::json;

use crate::net::accept::Routers;
use crate::state::Shared;

/// The server's answers, with TLS and without.
pub(crate) fn routers(shared: &Arc<Shared>) -> Routers {
    let app = base_path::with_base(&shared.config.base_path, app(Arc::clone(shared)));
    Routers { app, use_tls: use_tls::router() }
}

fn app(shared: Arc<Shared>) -> Router {
    Router::new()
        .merge(page::routes())
        .merge(party_files::routes())
        .merge(puzzle::routes())
        .merge(api::routes(&shared))
        .route("/ws", websocket::route())
        .route("/healthz", get(health))
        .fallback(page::nowhere)
        .layer(from_fn_with_state(Arc::clone(&shared), host::check_host))
        .layer(map_response_with_state(Arc::clone(&shared), page::secure))
        .with_state(shared)
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let rooms = shared.lobby.registry.len();
    let waiting = shared.lobby.matchmaker.len();
    let connections = shared.connections.count();
    let health = shared.storage.as_ref().map(|storage| storage.sqlite.health());
    let cluster = shared.lease.cluster().map(Cluster::status);
    let has_problem = cluster.as_ref().is_some_and(|cluster| cluster.problem.is_some());
    let (status, store, checkpoints) = match health {
        Some(health) if health.is_failing() => ("failing", "failing", "failing"),
        Some(health) if health.checkpoints_fail() => ("degraded", "ok", "failing"),
        Some(_) if has_problem => ("degraded", "ok", "ok"),
        Some(_) => ("ok", "ok", "ok"),
        None => ("ok", "none", "none"),
    };
    let status = if shared.lease.may_show() { status } else { "failing" };
    // Programs often look at the status code alone.
    let code = match status {
        "failing" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::OK,
    };
    let mut health = json!({
        "status": status, "rooms": rooms, "connections": connections,
        "waiting_for_match": waiting, "asleep": shared.lobby.registry.hibernated(), "store": store,
        "checkpoints": checkpoints,
    });
    if let Some(Status { nodes, lease, connected, unread_records, .. }) = cluster {
        // Everybody may ask, so the words of the problem are for the log and the host's door.
        health["cluster"] = json!({
            "nodes": nodes, "lease": lease, "connected": connected, "unread_records": unread_records,
            "problem": has_problem,
        });
    }
    (code, Json(health)).into_response()
}
