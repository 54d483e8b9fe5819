//! Addresses that people open: the page, a line of text instead for terminals' programs, and the
//! page's files. What the files are is [`crate::http::assets`]'s, what a link looks like elsewhere
//! [`crate::http::preview`]'s.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::RoomCode;
use url::Url;

use crate::config::Config;
use crate::http::assets;
use crate::http::assets::{File, Site};
use crate::http::preview;
use crate::http::preview::{Language, Preview};
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// What the page may do: load from this server and talk to it, and nothing else. Nothing inline,
/// no markup from text, no frame around it.
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

/// Says to search engines what of an answer they may list.
const ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// The routes of the page.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(home))
        .route("/play/{screen}", get(play))
        .route("/r/{code}", get(room))
        .route("/assets/{version}/{*path}", get(asset))
        .route(preview::PICTURE, get(picture))
        .route("/robots.txt", get(robots))
}

/// Adds what every answer says to a browser. Scripts and styles have no policy of their own: that
/// of the page counts, and saying it for each would weigh as much as some of them.
pub(crate) async fn secure(mut response: Response) -> Response {
    let part = |kind: &HeaderValue| [assets::SCRIPT, assets::STYLE].iter().any(|part| kind == part);
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
    Extension(visitor): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    if wants_page(&headers) {
        return index(&shared, visitor, &headers, (0, None)).await;
    }
    let (name, url) = (&shared.config.name, url_or_example(&shared.config, visitor, &headers));
    let ways = format!("open {url}/ in a browser, or run:  noughts --server {url}");
    format!("{name} is a Noughts server.\n\nTo play, {ways}\n").into_response()
}

async fn play(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    index(&shared, visitor, &headers, (1, None)).await
}

async fn room(
    State(shared): State<Arc<Shared>>,
    Path(code): Path<String>,
    Extension(visitor): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    let code = code.parse::<RoomCode>();
    if wants_page(&headers) {
        // The page says what is wrong with a code.
        let mut response = index(&shared, visitor, &headers, (1, code.ok())).await;
        // Who knows a room's code may enter: it is not for the lists of a search engine.
        response.headers_mut().insert(ROBOTS_TAG, HeaderValue::from_static("noindex"));
        return response;
    }
    match code {
        Ok(code) => {
            let url = url_or_example(&shared.config, visitor, &headers);
            format!("To join room {code}, run:  noughts play {code} --server {url}\n")
                .into_response()
        }
        Err(error) => (StatusCode::NOT_FOUND, format!("{error}\n")).into_response(),
    }
}

/// The page for an address that is `depth` folders below the top and may lead to a room.
async fn index(
    shared: &Shared,
    visitor: ClientAddr,
    headers: &HeaderMap,
    (depth, room): (usize, Option<RoomCode>),
) -> Response {
    let site = match files(shared).await {
        Ok(site) => site,
        Err(response) => return response,
    };
    let (server, url) = (shared.config.name.as_str(), url(&shared.config, visitor, headers));
    let preview = Preview { server, url: url.as_deref(), room, language: language(headers) };
    let compress = site.is_immutable() && accepts_gzip(headers);
    let file = site.index(depth, &preview, compress);
    let mut response = file.map_or_else(nothing_here, |file| send(&file, headers, "no-cache"));
    // The same address is text for terminals, and has the texts of a link in two languages.
    let vary = HeaderValue::from_static("accept, user-agent, accept-language");
    response.headers_mut().append(header::VARY, vary);
    response
}

/// The picture of a shared link.
async fn picture(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let site = match files(&shared).await {
        Ok(site) => site,
        Err(response) => return response,
    };
    let cache = if site.is_immutable() { "public, max-age=86400" } else { "no-store" };
    let file = site.file(preview::PICTURE.trim_start_matches('/'));
    file.map_or_else(nothing_here, |file| send(file, &headers, cache))
}

/// What programs that fetch the addresses of many servers may fetch here. A room's page is among it:
/// messengers ask here, too, before they show a link.
async fn robots(State(shared): State<Arc<Shared>>) -> String {
    let base = &shared.config.base_path;
    format!("User-agent: *\nDisallow: {base}/api/\nDisallow: {base}/ws\nDisallow: {base}/healthz\n")
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
    let file = site.asset(&version, &path);
    file.map_or_else(nothing_here, |file| send(file, &headers, cache))
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
pub(crate) fn nothing_here() -> Response {
    (StatusCode::NOT_FOUND, "there is nothing here: try /\n").into_response()
}

/// The programs of terminals that take anything, by what their `User-Agent` begins with. They show
/// what comes as it is.
const TERMINALS: [&str; 2] = ["curl", "wget"];

/// Whether the visitor gets the page: whoever asks for it, and whoever does not ask for text and is
/// no terminal's program. A messenger that looks for a link's preview often asks for anything.
fn wants_page(headers: &HeaderMap) -> bool {
    let takes = |wanted: &str| {
        let mut kinds = lists(headers, &header::ACCEPT);
        kinds.any(|(kind, taken)| taken && kind.eq_ignore_ascii_case(wanted))
    };
    let agent = headers.get(header::USER_AGENT).map_or(&b""[..], HeaderValue::as_bytes);
    let is = |name: &&str| {
        agent.get(..name.len()).is_some_and(|a| a.eq_ignore_ascii_case(name.as_bytes()))
    };
    takes("text/html") || !(takes("text/plain") || TERMINALS.iter().any(is))
}

/// The first language of the visitor that the page speaks; English where there is none.
fn language(headers: &HeaderMap) -> Language {
    // Browsers name the dearest first.
    let mut tags = lists(headers, &header::ACCEPT_LANGUAGE).filter(|(_, wanted)| *wanted);
    tags.find_map(|(tag, _)| Language::of(tag)).unwrap_or_default()
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

/// Where a visitor finds this server, without a slash at the end; `None` where they name no host.
fn url(config: &Config, visitor: ClientAddr, headers: &HeaderMap) -> Option<String> {
    if let Some(url) = &config.public_url {
        return Some(url.as_str().trim_end_matches('/').to_owned());
    }
    let scheme = if visitor.is_secure { "https" } else { "http" };
    // What is no host alone leads elsewhere as a part of an address.
    let url = Url::parse(&format!("{scheme}://{}", named_host(headers)?)).ok()?;
    Some(format!("{}{}", url.origin().ascii_serialization(), config.base_path))
}

/// [`url`], or one that shows what is to be put in.
fn url_or_example(config: &Config, visitor: ClientAddr, headers: &HeaderMap) -> String {
    let example = || format!("http://HOST:PORT{}", config.base_path);
    url(config, visitor, headers).unwrap_or_else(example)
}

/// The host a visitor knows this server by, for text that people read.
pub(crate) fn host(headers: &HeaderMap) -> &str {
    named_host(headers).unwrap_or("HOST:PORT")
}

/// The host that a request names; only what a host name is made of, since it is shown.
fn named_host(headers: &HeaderMap) -> Option<&str> {
    let legal =
        |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".:-[]".contains(&b));
    headers.get(header::HOST)?.to_str().ok().filter(legal)
}
