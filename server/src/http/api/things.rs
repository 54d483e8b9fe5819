//! The answers of `/api/v1`: rooms, parties, games, people and puzzles, as on a WebSocket.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use noughts_protocol::{Found, GameId, LobbyIntent, PartyCode, PlayerId, PlayerName, RefusalCode};
use noughts_store::archive::PublicGames;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use url::form_urlencoded;

use crate::connection::session::questions::{answer, keeps_nothing, refusal};
use crate::http::api::{Refused, read};
use crate::lobby::switched_off;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// For an answer that changes at any time: a client asks again with the tag.
const CHANGING: &str = "no-cache";
/// A kept game does not change, but may be deleted.
const KEPT: &str = "public, max-age=60";

type Lookups = Extension<Arc<Semaphore>>;

/// JSON of a type of the protocol.
fn json(value: &impl Serialize, cache: &'static str) -> Response {
    // This does not fail: a type of the protocol holds no map whose keys are not strings.
    text(serde_json::to_string(value).unwrap_or_default(), "application/json", cache)
}

fn text(body: String, kind: &'static str, cache: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], body).into_response()
}

/// The value of a name in the query; without one the default.
fn query<T: DeserializeOwned>(uri: &Uri, name: &str) -> Result<Option<T>, Refused> {
    let mut pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let found = pairs.find(|(key, _)| key == name);
    found.map(|(_, value)| read(name, &value)).transpose()
}

fn busy() -> Refused {
    Refused::new(RefusalCode::RateLimited, "too many ask at the moment: try again in a second")
}

/// Answers a question of somebody who has played with nobody.
async fn show(
    shared: &Arc<Shared>,
    lookups: &Semaphore,
    question: LobbyIntent,
) -> Result<Response, Refused> {
    let _lookup = lookups.try_acquire().map_err(|_| busy())?;
    let name = "Reader".parse::<PlayerName>().map_err(|_| busy())?;
    let nobody = shared.secret.issue().0;
    match answer(Arc::clone(shared), nobody, name, question).await? {
        Found::Game { game } => Ok(json(&game, KEPT)),
        Found::Profile { profile } => Ok(json(&profile, CHANGING)),
        Found::Leaderboard { leaderboard } => Ok(json(&leaderboard, CHANGING)),
        Found::Puzzle { puzzle } => Ok(json(&puzzle, CHANGING)),
        // Nothing here asks for more.
        _ => Err(Refused::new(
            RefusalCode::NotStored,
            "the server has another answer than it should",
        )),
    }
}

pub(super) async fn rooms(State(shared): State<Arc<Shared>>) -> Result<Response, Refused> {
    if !shared.lobby.features().listing {
        return Err(switched_off("can list rooms", "join one by its code").into());
    }
    Ok(text(shared.lobby.listing.latest_body(), "application/json", CHANGING))
}

pub(super) async fn party(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    Extension(lookups): Lookups,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let code = read::<PartyCode>("code", &code)?;
    let _lookup = lookups.try_acquire().map_err(|_| busy())?;
    Ok(json(&shared.find_party(code, client.address).await?, CHANGING))
}

pub(super) async fn game(
    State(shared): State<Arc<Shared>>,
    Extension(lookups): Lookups,
    Path(id): Path<String>,
) -> Result<Response, Refused> {
    let game = read::<GameId>("id", &id)?;
    show(&shared, &lookups, LobbyIntent::Game { game }).await
}

pub(super) async fn player(
    State(shared): State<Arc<Shared>>,
    Extension(lookups): Lookups,
    Path(id): Path<String>,
) -> Result<Response, Refused> {
    let player = Some(read::<PlayerId>("id", &id)?);
    show(&shared, &lookups, LobbyIntent::Profile { player }).await
}

/// The public games of a player, each a line, the newest first. `Link` says where the next page is.
pub(super) async fn games(
    State(shared): State<Arc<Shared>>,
    Extension(lookups): Lookups,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Refused> {
    let player = read::<PlayerId>("id", &id)?;
    let before = query::<GameId>(&uri, "before")?;
    let _lookup = lookups.try_acquire().map_err(|_| busy())?;
    let storage = shared.storage.as_ref().ok_or_else(keeps_nothing)?;
    let archive = storage.sqlite.archive();
    let page = archive.ask(move |archive| archive.public_games(player, before));
    let PublicGames { games, next } = page.await.map_err(refusal)?;
    let lines: String =
        games.iter().map(|game| serde_json::to_string(game).unwrap_or_default() + "\n").collect();
    let response = text(lines, "application/x-ndjson", CHANGING);
    Ok(match next {
        // Relative, because a proxy may serve this below another path.
        Some(next) => {
            let link = format!("<games?before={next}>; rel=\"next\"");
            ([(header::LINK, link)], response).into_response()
        }
        None => response,
    })
}

pub(super) async fn leaders(
    State(shared): State<Arc<Shared>>,
    Extension(lookups): Lookups,
    uri: Uri,
) -> Result<Response, Refused> {
    let class = query(&uri, "class")?.unwrap_or_default();
    let period = query(&uri, "period")?.unwrap_or_default();
    show(&shared, &lookups, LobbyIntent::Leaderboard { class, period }).await
}

pub(super) async fn puzzle(
    State(shared): State<Arc<Shared>>,
    Extension(lookups): Lookups,
    uri: Uri,
) -> Result<Response, Refused> {
    let date = query(&uri, "date")?;
    show(&shared, &lookups, LobbyIntent::Puzzle { date }).await
}
