//! `/api/v1`: what a server shows to programs that only read, as JSON of the protocol's types. The
//! answers about each thing are in [`things`], the events of a room or a party in [`events`], the
//! descriptions in [`description`].
//!
//! Everybody may ask from any page, as fast as one WebSocket may send, and no faster. A server with a password
//! asks for it as HTTP does. At most [`MAX_LOOKUPS`] requests are answered at once.

mod description;
mod events;
mod things;

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use noughts_protocol::{Refusal, RefusalCode, in_plain_words};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::limits::request_rate::RequestRate;
use crate::lobby::unavailable;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// Requests that are answered at once, a quarter of the queue of the archive.
const MAX_LOOKUPS: usize = 64;

/// Lets any page ask here, and read these headers of an answer.
const CROSS_ORIGIN: [(HeaderName, &str); 3] = [
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag, Link, Retry-After"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

const PLAIN: &str = "text/plain; charset=utf-8";

const METHODS: &str = "GET, HEAD, OPTIONS";

/// The state that all requests share.
#[derive(Debug, Clone)]
struct ApiState {
    shared: Arc<Shared>,
    rate: Arc<RequestRate>,
}

/// The routes. [`description`] describes each.
pub(super) fn routes(shared: &Arc<Shared>) -> Router<Arc<Shared>> {
    let rate = RequestRate::new(shared.config.intent_burst, shared.config.intents_per_second);
    let state = ApiState { shared: Arc::clone(shared), rate: Arc::new(rate) };
    Router::new()
        .route("/api/v1/rooms", get(things::rooms))
        .route("/api/v1/rooms/{code}/events", get(events::room))
        .route("/api/v1/parties/{code}", get(things::party))
        .route("/api/v1/parties/{code}/events", get(events::party))
        .route("/api/v1/games/{id}", get(things::game))
        .route("/api/v1/players/{id}", get(things::player))
        .route("/api/v1/players/{id}/games", get(things::games))
        .route("/api/v1/leaders", get(things::leaders))
        .route("/api/v1/puzzle", get(things::puzzle))
        .route("/api/v1/schema.json", get(description::schema))
        .route("/api/v1/openapi.json", get(description::openapi))
        .route("/api/v1/asyncapi.json", get(description::asyncapi))
        .route("/api/v1", any(nothing))
        .route("/api/v1/", any(nothing))
        .route("/api/v1/{*rest}", any(nothing))
        .layer(from_fn_with_state(state, pass))
        .layer(Extension(Arc::new(Semaphore::new(MAX_LOOKUPS))))
}

/// A refusal in the words of the protocol, as `{"code", "message"}`.
#[derive(Debug)]
struct Refused(Refusal);

impl Refused {
    fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self(Refusal::new(code, message.into()))
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Refusal { code, message } = self.0;
        refuse(code, Json(json!({"code": code, "message": message})))
    }
}

/// The answer of a refusal, with this body.
pub(super) fn refuse(code: RefusalCode, body: impl IntoResponse) -> Response {
    let status = status(code);
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    }
    if status == StatusCode::UNAUTHORIZED {
        let ask = HeaderValue::from_static("Basic realm=\"Noughts\", charset=\"UTF-8\"");
        headers.insert(header::WWW_AUTHENTICATE, ask);
    }
    response
}

/// The status of a refusal.
const fn status(code: RefusalCode) -> StatusCode {
    match code {
        RefusalCode::BadMessage => StatusCode::BAD_REQUEST,
        RefusalCode::PasswordRequired | RefusalCode::WrongPassword => StatusCode::UNAUTHORIZED,
        RefusalCode::Banned | RefusalCode::SwitchedOff | RefusalCode::NoSpectators => {
            StatusCode::FORBIDDEN
        }
        RefusalCode::NoSuchRoom
        | RefusalCode::NoSuchParty
        | RefusalCode::PartyCode
        | RefusalCode::NoSuchGame
        | RefusalCode::NoSuchPlayer
        | RefusalCode::TooEarly => StatusCode::NOT_FOUND,
        RefusalCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        RefusalCode::NotStored | RefusalCode::Full | RefusalCode::Stopping => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        _ => StatusCode::CONFLICT,
    }
}

/// A part of the path or a value of the query, by its name.
fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Refused> {
    serde_json::from_value(Value::from(text)).map_err(|error| {
        Refused::new(RefusalCode::BadMessage, format!("{name}: {}", in_plain_words(&error)))
    })
}

async fn nothing() -> Response {
    let message = "there is nothing here: see openapi.json";
    bad(StatusCode::NOT_FOUND, message)
}

/// A refusal with a status of HTTP alone.
fn bad(status: StatusCode, message: &str) -> Response {
    let mut response = Refused::new(RefusalCode::BadMessage, message).into_response();
    *response.status_mut() = status;
    response
}

/// Lets a request in, and completes its answer.
async fn pass(
    State(ApiState { shared, rate }): State<ApiState>,
    Extension(client): Extension<ClientAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let method = request.method().clone();
    let response = if method == Method::OPTIONS {
        options()
    } else if !matches!(method, Method::GET | Method::HEAD) {
        let message = "this may be read, and nothing else";
        let mut response = bad(StatusCode::METHOD_NOT_ALLOWED, message);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(METHODS));
        response
    } else if let Err(refused) = admit(&shared, &rate, client, request.headers()) {
        refused.into_response()
    } else {
        // The tag is that of the body, which hyper leaves out.
        *request.method_mut() = Method::GET;
        let known = request.headers().get(header::IF_NONE_MATCH).cloned();
        let response = next.run(request).await;
        let is_path =
            response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == PLAIN);
        // The library answers a path that is no UTF-8.
        if is_path {
            bad(response.status(), "the address cannot be read")
        } else {
            tag(response, known.as_ref()).await
        }
    };
    (CROSS_ORIGIN, response).into_response()
}

fn options() -> Response {
    let allowed = [
        (header::ALLOW, METHODS),
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Authorization, Last-Event-ID"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, allowed).into_response()
}

fn admit(
    shared: &Shared,
    rate: &RequestRate,
    client: ClientAddr,
    headers: &HeaderMap,
) -> Result<(), Refused> {
    if !shared.lease.may_show() {
        return Err(unavailable().into());
    }
    if !rate.admits(client.address, Instant::now()) {
        let message = "too many requests came from your address: wait a second and ask again";
        return Err(Refused::new(RefusalCode::RateLimited, message));
    }
    Ok(check_password(shared, client, headers)?)
}

/// Checks the password of `Authorization: Basic`.
///
/// # Errors
/// As [`Shared::check_password`].
pub(super) fn check_password(
    shared: &Shared,
    client: ClientAddr,
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    shared.check_password(sent_password(headers).as_deref(), client.address)
}

fn sent_password(headers: &HeaderMap) -> Option<String> {
    let encoded = headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let text = String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()?;
    text.split_once(':').map(|(_, password)| password.to_owned())
}

/// Gives an answer its tag, and leaves out its body if the client has it.
pub(super) async fn tag(response: Response, known: Option<&HeaderValue>) -> Response {
    let is_stream = response.headers().contains_key(events::NO_BUFFER);
    if response.status() != StatusCode::OK || is_stream {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // It is in memory already.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let hash = Sha256::digest(&body);
    let tag = format!("\"{}\"", hex::encode(&hash[..12]));
    let has_it = known.and_then(|known| known.to_str().ok()).is_some_and(|known| {
        known == "*" || known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
    });
    if let Ok(tag) = HeaderValue::try_from(tag) {
        parts.headers.insert(header::ETAG, tag);
    }
    if has_it {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_TYPE);
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(body))
}
