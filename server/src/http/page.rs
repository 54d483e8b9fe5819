//! The routes of the page and its files. Terminal programs such as curl get a line of text instead of
//! the page. Kept games and people are in [`people`], the files in [`crate::http::assets`], link previews in
//! [`crate::http::preview`].

use std::fmt;
use std::sync::Arc;

use axum::extract::rejection::ExtensionRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::{PartyCode, RoomCode};
use url::Url;

use crate::config::Config;
use crate::http::assets::{self, Assets, File};
use crate::http::preview;
use crate::http::preview::{Language, Link, Preview};
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

mod people;

/// The Content-Security-Policy: the page loads only from this server and connects only to it, or to
/// [another node](policy) of its cluster. It has no inline scripts, makes no HTML from text, and is in no
/// frame. The one policy for trusted types, `noughts`, makes the address of the service worker (`js/keep.js`).
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types noughts";

/// Tells search engines what they may list.
const ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// The deepest address that gets the page that says that there is nothing.
const MAX_DEPTH: usize = 8;

/// The routes of the page.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(home))
        .route("/play/{screen}", get(play))
        .route("/r/{code}", get(room))
        .route("/party/{code}", get(|request, Path(code)| party(request, code, "join")))
        .route("/party/{code}/screen", get(|request, Path(code)| party(request, code, "watch")))
        .route("/party/{code}/sheet", get(|request, Path(code)| party(request, code, "join")))
        .merge(people::routes())
        .route("/assets/{version}/{*path}", get(asset))
        .route("/worker.js", get(worker))
        .route(preview::PICTURE, get(picture))
        .route("/robots.txt", get(robots))
}

/// The policy of a page that may go on at nodes with these origins.
fn policy(nodes: &[String]) -> HeaderValue {
    let usual = HeaderValue::from_static(POLICY);
    if nodes.is_empty() {
        return usual;
    }
    // `http` becomes `ws`, and `https` becomes `wss`.
    let sockets: String =
        nodes.iter().map(|origin| format!(" {}", origin.replacen("http", "ws", 1))).collect();
    HeaderValue::try_from(format!("{POLICY}; connect-src 'self'{sockets}")).unwrap_or(usual)
}

/// Adds the security headers to an answer of the host's page.
pub(crate) async fn secure_alone(response: Response) -> Response {
    with_policy(response, || policy(&[]))
}

/// Adds the security headers.
pub(crate) async fn secure(State(shared): State<Arc<Shared>>, response: Response) -> Response {
    with_policy(response, || policy(&shared.node_origins()))
}

/// Adds the security headers. Scripts and styles need no policy, because the page's policy counts, and
/// the header would be as long as some of the files.
fn with_policy(mut response: Response, policy: impl FnOnce() -> HeaderValue) -> Response {
    let part =
        |kind: &HeaderValue| [assets::JAVASCRIPT, assets::CSS].iter().any(|part| kind == part);
    let is_part = response.headers().get(header::CONTENT_TYPE).is_some_and(part);
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !is_part {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy());
        // Other servers must not see the code of a room.
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    response
}

/// Somebody who follows a link: what their request says, and the server's answers.
pub(crate) struct PageRequest {
    shared: Arc<Shared>,
    client: ClientAddr,
    headers: HeaderMap,
    /// How many folders below the top the address is: the page names its files by so many steps up.
    depth: usize,
}

impl FromRequestParts<Arc<Shared>> for PageRequest {
    type Rejection = ExtensionRejection;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<Shared>,
    ) -> Result<Self, Self::Rejection> {
        let Extension(client) = Extension::from_request_parts(parts, shared).await?;
        let depth = parts.uri.path().matches('/').count().saturating_sub(1);
        Ok(Self { shared: Arc::clone(shared), client, headers: parts.headers.clone(), depth })
    }
}

impl PageRequest {
    /// The page, with a preview of what the link leads to.
    async fn page(&self, link: Link<'_>) -> Response {
        let assets = match files(&self.shared).await {
            Ok(assets) => assets,
            Err(response) => return response,
        };
        let server = self.shared.config.name.as_str();
        let url = url(&self.shared.config, self.client, &self.headers);
        let language = language(&self.headers);
        let preview = Preview { server, url: url.as_deref(), link, language };
        let compress =
            assets.is_immutable() && has_word(&self.headers, &header::ACCEPT_ENCODING, "gzip");
        let file = assets.index(self.depth, &preview, compress);
        let mut response = send(file.as_ref(), &self.headers, "no-cache");
        // The answer depends on these: page or text, and the language of the preview.
        let vary = HeaderValue::from_static("accept, user-agent, accept-language");
        response.headers_mut().append(header::VARY, vary);
        response
    }

    /// The page that says that what the address names is not there.
    async fn missing_page(&self) -> Response {
        missing(self.page(Link::Path("/")).await)
    }

    /// The page, which search engines do not list because it shows people or lets everybody in who knows a code; or
    /// the command that does the same in a terminal.
    async fn page_or_command(&self, link: Link<'_>, purpose: &str, command: &str) -> Response {
        if self.wants_page() {
            return unlisted(self.page(link).await);
        }
        format!("{purpose}, run:  noughts {command} --server {}\n", self.url()).into_response()
    }

    /// The answer for an address with a code or an id that nothing can have.
    async fn malformed(&self, error: impl fmt::Display) -> Response {
        if self.wants_page() {
            // The page shows what is wrong with a code.
            return self.missing_page().await;
        }
        (StatusCode::NOT_FOUND, format!("{error}\n")).into_response()
    }

    /// Whether to answer with the page: the client accepts HTML, or it does not ask for text and is no
    /// terminal program. Messengers that look for a preview often accept anything.
    fn wants_page(&self) -> bool {
        let agent = self.headers.get(header::USER_AGENT).map_or(&b""[..], HeaderValue::as_bytes);
        let is = |name: &&str| {
            agent.get(..name.len()).is_some_and(|a| a.eq_ignore_ascii_case(name.as_bytes()))
        };
        let accepts = |kind| has_word(&self.headers, &header::ACCEPT, kind);
        accepts("text/html") || !(accepts("text/plain") || TERMINALS.iter().any(is))
    }

    /// [`url`], or an example address.
    fn url(&self) -> String {
        let config = &self.shared.config;
        let example = || format!("http://HOST:PORT{}", config.base_path);
        url(config, self.client, &self.headers).unwrap_or_else(example)
    }
}

async fn home(request: PageRequest) -> Response {
    if request.wants_page() {
        return request.page(Link::Path("/")).await;
    }
    let name = &request.shared.config.name;
    let url = request.url();
    let ways = format!("open {url}/ in a browser, or run:  noughts --server {url}");
    format!("{name} is a Noughts server.\n\nTo play, {ways}\n").into_response()
}

/// A screen that is a way into the game.
async fn play(request: PageRequest) -> Response {
    request.page(Link::Path("/")).await
}

/// A room. The answer does not tell whether it exists: the limits of guessing are those of the WebSocket.
async fn room(request: PageRequest, Path(code): Path<String>) -> Response {
    match code.parse::<RoomCode>() {
        Ok(code) => {
            let purpose = format!("To join room {code}");
            request.page_or_command(Link::Room(code), &purpose, &format!("play {code}")).await
        }
        Err(error) => request.malformed(error).await,
    }
}

/// A party, in which a terminal can `join` or `watch`. The page asks for it over its WebSocket; the files with the
/// results are [`crate::http::party_files`]'s.
async fn party(request: PageRequest, code: String, verb: &str) -> Response {
    match code.parse::<PartyCode>() {
        Ok(code) => {
            let purpose = format!("To {verb} party {code}");
            let command = format!("party {verb} {code}");
            request.page_or_command(Link::Party(code), &purpose, &command).await
        }
        Err(error) => request.malformed(error).await,
    }
}

/// Keeps search engines from listing a page.
fn unlisted(mut response: Response) -> Response {
    response.headers_mut().insert(ROBOTS_TAG, HeaderValue::from_static("noindex"));
    response
}

/// The service worker. Browsers ask for it again and again: a new version must be seen at once.
async fn worker(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let assets = files(&shared).await?;
    Ok(send(assets.worker.as_ref(), &headers, "no-cache"))
}

/// The picture of the link preview.
async fn picture(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let assets = files(&shared).await?;
    let cache = if assets.is_immutable() { "public, max-age=86400" } else { "no-store" };
    Ok(send(assets.file(preview::PICTURE.trim_start_matches('/')), &headers, cache))
}

/// `robots.txt`. It allows the pages of rooms, because messengers read it before they show a preview.
async fn robots(State(shared): State<Arc<Shared>>) -> String {
    let base = &shared.config.base_path;
    format!("User-agent: *\nDisallow: {base}/api/\nDisallow: {base}/ws\nDisallow: {base}/healthz\n")
}

pub(super) async fn asset(
    State(shared): State<Arc<Shared>>,
    Path((version, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let assets = files(&shared).await?;
    let cache =
        if assets.is_immutable() { "public, max-age=31536000, immutable" } else { "no-store" };
    Ok(send(assets.asset(&version, &path), &headers, cache))
}

/// The files of the binary, or of `--web-dir`.
pub(super) async fn files(shared: &Shared) -> Result<Arc<Assets>, Response> {
    let folder = shared.config.web_dir.clone();
    let reading = tokio::task::spawn_blocking(move || match folder {
        Some(folder) => Assets::in_folder(&folder),
        None => Ok(Assets::embedded()),
    });
    let read = reading.await.unwrap_or_else(|error| Err(error.into()));
    read.map_err(|error| {
        tracing::warn!(%error, "the page's files cannot be read");
        let message = format!("the page's files cannot be read: {error}\n");
        (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
    })
}

/// A file, or the answer that there is none.
pub(super) fn send(file: Option<&File>, headers: &HeaderMap, cache: &'static str) -> Response {
    let Some(file) = file else { return nothing_here() };
    let compressed =
        file.gzip.as_ref().filter(|_| has_word(headers, &header::ACCEPT_ENCODING, "gzip"));
    let body = compressed.unwrap_or(&file.plain);
    let mut response =
        ([(header::CONTENT_TYPE, file.content_type), (header::CACHE_CONTROL, cache)], body.clone())
            .into_response();
    let vary = HeaderValue::from_static("accept-encoding");
    response.headers_mut().append(header::VARY, vary);
    if compressed.is_some() {
        let encoding = HeaderValue::from_static("gzip");
        response.headers_mut().insert(header::CONTENT_ENCODING, encoding);
    }
    response
}

/// The answer for an address that leads nowhere. A browser that follows a link gets the page, which
/// says so and has a way on; everybody else a line.
pub(crate) async fn nowhere(request: PageRequest) -> Response {
    if request.depth > MAX_DEPTH || !has_word(&request.headers, &header::ACCEPT, "text/html") {
        return nothing_here();
    }
    request.missing_page().await
}

/// A page that says that what the address names is not there.
fn missing(response: Response) -> Response {
    let mut response = unlisted(response);
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// The line for an address that leads nowhere.
pub(crate) fn nothing_here() -> Response {
    (StatusCode::NOT_FOUND, "there is nothing here: try /\n").into_response()
}

/// Terminal programs that accept any type and print the answer, by the start of their `User-Agent`.
const TERMINALS: [&str; 2] = ["curl", "wget"];

/// Whether a list header has a word, and accepts it.
pub(crate) fn has_word(headers: &HeaderMap, name: &HeaderName, wanted: &str) -> bool {
    lists(headers, name).any(|(word, accepted)| accepted && word.eq_ignore_ascii_case(wanted))
}

/// The first accepted language that the page has; else English.
fn language(headers: &HeaderMap) -> Language {
    // Browsers name the preferred one first.
    let mut tags = lists(headers, &header::ACCEPT_LANGUAGE).filter(|(_, wanted)| *wanted);
    tags.find_map(|(tag, _)| Language::of(tag)).unwrap_or_default()
}

/// The elements of a list header, and whether they are accepted (`q` is not 0).
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

/// The server's address for the client, without a final slash; `None` if the request names no host.
pub(crate) fn url(config: &Config, client: ClientAddr, headers: &HeaderMap) -> Option<String> {
    if let Some(url) = &config.public_url {
        return Some(url.as_str().trim_end_matches('/').to_owned());
    }
    let scheme = if client.is_secure { "https" } else { "http" };
    // A `Host` with more than a host would lead elsewhere.
    let url = Url::parse(&format!("{scheme}://{}", named_host(headers)?)).ok()?;
    Some(format!("{}{}", url.origin().ascii_serialization(), config.base_path))
}

/// The host that the request names, if it has only legal characters: texts show it. Machines in containers and
/// with Windows may have an underscore.
pub(crate) fn named_host(headers: &HeaderMap) -> Option<&str> {
    let legal =
        |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".:-_[]".contains(&b));
    headers.get(header::HOST)?.to_str().ok().filter(legal)
}
