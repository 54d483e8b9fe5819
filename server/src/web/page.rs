//! Addresses that people open: the page for browsers, a line of text for other programs, and the
//! page's files. What the files are is [`super::site`]'s.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::RoomCode;

use super::site::{self, File, Site};
use super::visitor::Visitor;
use crate::Shared;
use crate::config::Config;

/// What the page may do: load from this server and talk to it, and nothing else. Nothing inline,
/// no markup from text, no frame around it.
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

/// The routes of the page.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(home))
        .route("/play/{screen}", get(play))
        .route("/r/{code}", get(room))
        .route("/assets/{version}/{*path}", get(asset))
}

/// Adds what every answer says to a browser. Scripts and styles have no policy of their own: that
/// of the page counts, and saying it for each would weigh as much as some of them.
pub(super) async fn secure(mut response: Response) -> Response {
    let part = |kind: &HeaderValue| [site::SCRIPT, site::STYLE].iter().any(|part| kind == part);
    let is_part = response.headers().get(header::CONTENT_TYPE).is_some_and(part);
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !is_part {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        // The address of a room is not for other servers.
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    response
}

async fn home(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Response {
    if is_browser(&headers) {
        return index(&shared, &headers, 0).await;
    }
    let (name, url) = (&shared.config.name, url(&shared.config, visitor, &headers));
    let ways = format!("open {url}/ in a browser, or run:  noughts --server {url}");
    format!("{name} is a Noughts server.\n\nTo play, {ways}\n").into_response()
}

async fn play(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    index(&shared, &headers, 1).await
}

async fn room(
    State(shared): State<Arc<Shared>>,
    Path(code): Path<String>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Response {
    if is_browser(&headers) {
        // The page says what is wrong with a code.
        return index(&shared, &headers, 1).await;
    }
    match code.parse::<RoomCode>() {
        Ok(code) => {
            let url = url(&shared.config, visitor, &headers);
            format!("To join room {code}, run:  noughts play {code} --server {url}\n")
                .into_response()
        }
        Err(error) => (StatusCode::NOT_FOUND, format!("{error}\n")).into_response(),
    }
}

async fn index(shared: &Shared, headers: &HeaderMap, depth: usize) -> Response {
    let site = match files(shared).await {
        Ok(site) => site,
        Err(response) => return response,
    };
    let file = site.index(depth).map(|file| send(file, headers, "no-cache"));
    let mut response = file.unwrap_or_else(nothing_here);
    // The same address is text for those who do not ask for a page.
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

async fn asset(
    State(shared): State<Arc<Shared>>,
    Path((version, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let site = match files(&shared).await {
        Ok(site) => site,
        Err(response) => return response,
    };
    let cache =
        if site.is_immutable() { "public, max-age=31536000, immutable" } else { "no-store" };
    let file = site.asset(&version, &path).map(|file| send(file, &headers, cache));
    file.unwrap_or_else(nothing_here)
}

/// The files to serve: the binary's own, or those of `--web-dir` as they are now.
async fn files(shared: &Shared) -> Result<Arc<Site>, Response> {
    let folder = shared.config.web_dir.clone();
    let reading = tokio::task::spawn_blocking(move || match folder {
        Some(folder) => Site::in_folder(&folder),
        None => Ok(Site::embedded()),
    });
    let read = reading.await.unwrap_or_else(|error| Err(error.into()));
    read.map_err(|error| {
        tracing::warn!(%error, "the page's files cannot be read");
        let message = format!("the page's files cannot be read: {error}\n");
        (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
    })
}

fn send(file: &File, headers: &HeaderMap, cache: &'static str) -> Response {
    let packed = file.gzip.as_ref().filter(|_| accepts_gzip(headers));
    let body = packed.unwrap_or(&file.plain);
    let mut response =
        ([(header::CONTENT_TYPE, file.kind), (header::CACHE_CONTROL, cache)], body.clone())
            .into_response();
    let vary = HeaderValue::from_static("accept-encoding");
    response.headers_mut().append(header::VARY, vary);
    if packed.is_some() {
        let encoding = HeaderValue::from_static("gzip");
        response.headers_mut().insert(header::CONTENT_ENCODING, encoding);
    }
    response
}

/// The answer where there is nothing.
pub(super) fn nothing_here() -> Response {
    (StatusCode::NOT_FOUND, "there is nothing here: try /\n").into_response()
}

/// Whether the visitor wants a page; terminals ask for anything, or for text.
fn is_browser(headers: &HeaderMap) -> bool {
    lists(headers, &header::ACCEPT).any(|(kind, _)| kind.eq_ignore_ascii_case("text/html"))
}

/// Whether the visitor reads what is compressed so.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let named = lists(headers, &header::ACCEPT_ENCODING);
    named.into_iter().any(|(name, wanted)| name.eq_ignore_ascii_case("gzip") && wanted)
}

/// The elements of a header that is a list, and whether they are wanted (`q` is not 0).
fn lists<'a>(
    headers: &'a HeaderMap,
    name: &header::HeaderName,
) -> impl Iterator<Item = (&'a str, bool)> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|element| {
        let (name, quality) = element.split_once(';').unwrap_or((element, ""));
        let quality = quality.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        (name.trim(), quality != Some(0.0))
    })
}

/// Where a visitor finds this server, without a slash at the end.
fn url(config: &Config, visitor: Visitor, headers: &HeaderMap) -> String {
    if let Some(url) = &config.public_url {
        return url.as_str().trim_end_matches('/').to_owned();
    }
    let scheme = if visitor.is_secure { "https" } else { "http" };
    format!("{scheme}://{}{}", host(headers), config.base_path)
}

/// The host a visitor knows this server by; only what a host name is made of, since it is shown.
pub(super) fn host(headers: &HeaderMap) -> &str {
    let legal =
        |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".:-[]".contains(&b));
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host.filter(legal).unwrap_or("HOST:PORT")
}
