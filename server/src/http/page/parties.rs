//! The routes of parties: `/party/CODE` for those who play and look on, `/party/CODE/screen` for a
//! big screen, and `/party/CODE/sheet` to be printed. The page asks for the party over its WebSocket. The files with
//! the results are [`crate::http::party_files`]'s.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::PartyCode;

use super::{index, missing, unlisted, url_or_example, wants_page};
use crate::http::preview::Link;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// The routes.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/party/{code}", get(party))
        .route("/party/{code}/screen", get(screen))
        .route("/party/{code}/sheet", get(sheet))
}

async fn party(
    State(shared): State<Arc<Shared>>,
    Path(code): Path<String>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    answer(&shared, &code, client, &headers, (1, "join")).await
}

async fn screen(
    State(shared): State<Arc<Shared>>,
    Path(code): Path<String>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    answer(&shared, &code, client, &headers, (2, "watch")).await
}

async fn sheet(
    State(shared): State<Arc<Shared>>,
    Path(code): Path<String>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    answer(&shared, &code, client, &headers, (2, "join")).await
}

/// The page, or the command that does the same in a terminal.
async fn answer(
    shared: &Shared,
    code: &str,
    client: ClientAddr,
    headers: &HeaderMap,
    (depth, verb): (usize, &str),
) -> Response {
    let code = code.parse::<PartyCode>();
    if wants_page(headers) {
        // The page shows what is wrong with a code.
        let Ok(code) = code else {
            return missing(index(shared, client, headers, (depth, Link::Path("/"))).await);
        };
        // Everybody who knows a code may come in, so search engines must not list it.
        return unlisted(index(shared, client, headers, (depth, Link::Party(code))).await);
    }
    match code {
        Ok(code) => {
            let url = url_or_example(&shared.config, client, headers);
            let text = format!(
                "To {verb} party {code}, run:  noughts party {verb} {code} --server {url}\n"
            );
            text.into_response()
        }
        Err(error) => (StatusCode::NOT_FOUND, format!("{error}\n")).into_response(),
    }
}
