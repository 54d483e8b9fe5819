//! Which hosts are answered. The owner of another name can let it lead to this machine (DNS
//! rebinding), and a browser then takes a page of that name for one of this server. With
//! `--public-url` the server answers only that host, the machine's own names and addresses, and the
//! hosts of `--allow-origin`. Without it every host is answered.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::origin;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Answers a request for another host with this server's address.
pub(crate) async fn check_host(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<ClientAddr>().copied();
    match (&shared.config.public_url, client) {
        (Some(url), Some(client)) if !is_allowed(&shared, request.headers(), client) => {
            tracing::debug!(peer = %client.address, "asked for another host");
            let message = format!(
                "this server is at {url} (its host may have other names answered with \
                 --allow-origin)\n"
            );
            (StatusCode::MISDIRECTED_REQUEST, message).into_response()
        }
        _ => next.run(request).await,
    }
}

/// Whether a request names an allowed host, or comes from an allowed origin.
fn is_allowed(shared: &Shared, headers: &HeaderMap, client: ClientAddr) -> bool {
    if origin::is_named(headers, &shared.config.allowed_origins) {
        return true;
    }
    let mut hosts = headers.get_all(HOST).iter();
    let Some(host) = hosts.next() else {
        // Every browser names a host.
        return true;
    };
    let is_own = |host: &HeaderValue| host.to_str().is_ok_and(|host| shared.hosts.is_own(host));
    let forwarded = headers.get(FORWARDED_HOST).filter(|_| client.is_forwarded);
    hosts.next().is_none() && (is_own(host) || forwarded.is_some_and(is_own))
}
