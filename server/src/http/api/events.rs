//! Server-sent events of a room or a party, to watch. Their contents are `connection/events`'s.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::stream;
use noughts_protocol::{LobbyIntent, PartyCode, PartyRole, RefusalCode, Role, RoomCode};

use crate::connection::events::follow;
use crate::http::api::{Refused, read};
use crate::limits::connections::LimitReached;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// Asks nginx to pass each event on at once.
pub(super) const NO_BUFFER: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The version that a client has which comes again.
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

pub(super) async fn room(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let room: RoomCode = read("code", &code)?;
    let join = LobbyIntent::Join { room, role: Role::Spectator };
    answer(&shared, client, &headers, join).await
}

pub(super) async fn party(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let party: PartyCode = read("code", &code)?;
    let join = LobbyIntent::JoinParty { party, role: PartyRole::Spectator };
    answer(&shared, client, &headers, join).await
}

async fn answer(
    shared: &Arc<Shared>,
    client: ClientAddr,
    headers: &HeaderMap,
    join: LobbyIntent,
) -> Result<Response, Refused> {
    let permit =
        shared.connections.admit_reader(client.address).map_err(|reached| match reached {
            LimitReached::Server => {
                Refused::new(RefusalCode::Full, "this server is full: try again later")
            }
            LimitReached::Address => {
                Refused::new(RefusalCode::RateLimited, "too many connections from your address")
            }
        })?;
    let known = headers.get(LAST_EVENT).and_then(|known| known.to_str().ok()?.parse().ok());
    let events = follow(shared, permit, join, known).await?;
    let pieces = stream::unfold(events, async |mut events| {
        let piece: Bytes = events.recv().await?;
        Some((Ok::<_, Infallible>(piece), events))
    });
    let head = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (NO_BUFFER, "no"),
    ];
    Ok((head, Body::from_stream(pieces)).into_response())
}
