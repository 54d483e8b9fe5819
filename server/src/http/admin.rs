//! The host's door over HTTP: the page `/host`, and `POST /api/admin` for it and for programs, with a token. It has
//! an address of its own (`--admin`). There are no cookies, so that no other page can act in a host's name. What
//! hosts may ask is [`crate::admin`]'s.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use tokio::time::{Instant, timeout};

use crate::admin::{MAX_QUESTION, answer_json};
use crate::http::{host, page, use_tls};
use crate::net::accept::Routers;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// How long a question may take to come.
const PATIENCE: Duration = Duration::from_secs(10);

/// The server's answers to hosts, with TLS and without.
pub(crate) fn routers(shared: &Arc<Shared>) -> Routers {
    let app = Router::new()
        .route("/host", get(host_page))
        .route("/assets/{version}/{*path}", get(page::asset))
        .route("/api/admin", post(admin))
        .fallback(async || (StatusCode::NOT_FOUND, "the page of hosts is /host\n"))
        .layer(from_fn_with_state(Arc::clone(shared), host::check_host))
        .layer(map_response(page::secure_alone))
        .with_state(Arc::clone(shared));
    Routers { app, use_tls: use_tls::router() }
}

async fn host_page(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let assets = page::files(&shared).await?;
    Ok(page::send(assets.host.as_ref(), &headers, "no-cache"))
}

async fn admin(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let address = client.address;
    let wrong = &shared.wrong_admin_tokens;
    let Some(token) = bearer(&headers) else { return unauthorized("a token is missing\n") };
    if wrong.is_blocked(address, Instant::now()) {
        let text = "too many wrong tokens came from your address: wait some minutes\n";
        return (StatusCode::TOO_MANY_REQUESTS, text).into_response();
    }
    let tokens = shared.config.admin_tokens.get();
    let Some(name) = tokens.name_of(token) else {
        wrong.record(address, Instant::now());
        return unauthorized("no host has this token\n");
    };
    let by = format!("token {name}").as_str().into();
    let Ok(Ok(question)) = timeout(PATIENCE, to_bytes(body, MAX_QUESTION)).await else {
        return (StatusCode::BAD_REQUEST, "send one question, of 16 KiB at most\n").into_response();
    };
    match answer_json(&shared, &by, &question).await {
        Ok(answer) => {
            let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
            (headers, answer).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn unauthorized(text: &'static str) -> Response {
    (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer")], text).into_response()
}
