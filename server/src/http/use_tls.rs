//! The answer to plain HTTP on a port with TLS. Which connections those are is
//! [`crate::net::tls_accept`]'s.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};

use crate::http::page;
use crate::net::client_addr::ClientAddr;

/// Redirects every request to the same address with https.
pub(crate) fn router() -> Router {
    Router::new().fallback(use_tls)
}

/// The text is for programs that follow no redirect, such as those that ask for a WebSocket.
async fn use_tls(Extension(client): Extension<ClientAddr>, request: Request) -> Response {
    let named = page::named_host(request.headers());
    let host = named.unwrap_or("HOST:PORT");
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let message = format!("connections to this server are encrypted: use https://{host}\n");
    let location = HeaderValue::try_from(format!("https://{host}{path}"));
    tracing::debug!(peer = %client.address, "spoke plain HTTP");
    match location {
        Ok(location) if named.is_some() => {
            let headers = HeaderMap::from_iter([(header::LOCATION, location)]);
            // Not permanent: a host may do without TLS again.
            (StatusCode::TEMPORARY_REDIRECT, headers, message).into_response()
        }
        _ => (StatusCode::BAD_REQUEST, message).into_response(),
    }
}
