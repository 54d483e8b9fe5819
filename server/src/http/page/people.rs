//! The routes of kept games, people and puzzles: `/g/ID` with its picture, `/p/ID`, `/p/me`, `/games`,
//! `/leaders`, `/puzzle` and `/puzzle/DATE`. The page asks for what it shows over its WebSocket, and for puzzles at
//! `/puzzles/DATE.json`. Here is what messengers and terminal programs get, which have none.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::{Date, GameId, IdError, PlayerId};

use super::{index, missing, nothing_here, unlisted, url_or_example, wants_page};
use crate::http::kept_game;
use crate::http::kept_game::{KeptGames, NoGame};
use crate::http::preview::Link;
use crate::net::client_addr::ClientAddr;
use crate::state::Shared;

/// How long a picture may be kept. The game never changes, but it may be deleted.
const PICTURE_CACHE: &str = "public, max-age=86400";

/// The routes.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/g/{id}", get(game))
        .route("/g/{id}/picture.png", get(picture))
        .route("/p/{id}", get(profile))
        .route("/games", get(games))
        .route("/leaders", get(leaders))
        .route("/puzzle", get(puzzle))
        .route("/puzzle/{date}", get(puzzle_of_day))
        .layer(Extension(Arc::new(KeptGames::default())))
}

async fn game(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Extension(client): Extension<ClientAddr>,
    Extension(games): Extension<Arc<KeptGames>>,
    headers: HeaderMap,
) -> Response {
    let id = match id.parse::<GameId>() {
        Ok(id) => id,
        Err(error) => return malformed(&shared, client, &headers, error).await,
    };
    if !wants_page(&headers) {
        let url = url_or_example(&shared.config, client, &headers);
        let text =
            format!("To look at this game again, run:  noughts replay {id} --server {url}\n");
        return text.into_response();
    }
    let kept = kept_game::shown(&shared, &games, id).await;
    let path = format!("/g/{id}");
    let link = kept.as_ref().map_or(Link::Path(&path), |game| Link::Game(&game.summary));
    let page = index(&shared, client, &headers, (1, link)).await;
    match kept {
        Err(NoGame::Unknown) => missing(page),
        Ok(_) | Err(NoGame::Hidden | NoGame::Busy) => unlisted(page),
    }
}

async fn picture(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Extension(games): Extension<Arc<KeptGames>>,
) -> Response {
    let id = match id.parse::<GameId>() {
        Ok(id) => id,
        Err(error) => return (StatusCode::NOT_FOUND, format!("{error}\n")).into_response(),
    };
    match kept_game::picture(&shared, &games, id).await {
        Ok(picture) => {
            let kind =
                [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, PICTURE_CACHE)];
            (kind, picture).into_response()
        }
        Err(NoGame::Unknown | NoGame::Hidden) => nothing_here(),
        Err(NoGame::Busy) => {
            let message = "too many ask for pictures: try again in a moment\n";
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "5")], message).into_response()
        }
    }
}

/// The page of a profile: of a player, or of the one who asks (`me`).
async fn profile(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Extension(client): Extension<ClientAddr>,
    Extension(games): Extension<Arc<KeptGames>>,
    headers: HeaderMap,
) -> Response {
    let player = match id.as_str() {
        "me" => None,
        id => match id.parse::<PlayerId>() {
            Ok(player) => Some(player),
            Err(error) => return malformed(&shared, client, &headers, error).await,
        },
    };
    let (name, command) = player.map_or_else(
        || ("me".to_owned(), "profile".to_owned()),
        |player| (player.to_string(), format!("profile {player}")),
    );
    let path = format!("/p/{name}");
    let said = "To see this profile";
    let page = page_or_command(&shared, client, &headers, (1, &path), (said, &command)).await;
    match player {
        Some(player) if kept_game::is_nobody(&shared, &games, player).await => missing(page),
        _ => page,
    }
}

async fn games(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    let said = "To see your games";
    page_or_command(&shared, client, &headers, (0, "/games"), (said, "history")).await
}

async fn leaders(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    let said = "To see the leaderboards";
    page_or_command(&shared, client, &headers, (0, "/leaders"), (said, "leaders")).await
}

async fn puzzle(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    let said = "To solve the puzzle of the day";
    page_or_command(&shared, client, &headers, (0, "/puzzle"), (said, "puzzle")).await
}

async fn puzzle_of_day(
    State(shared): State<Arc<Shared>>,
    Path(date): Path<String>,
    Extension(client): Extension<ClientAddr>,
    headers: HeaderMap,
) -> Response {
    let Ok(date) = date.parse::<Date>() else {
        return missing(index(&shared, client, &headers, (1, Link::Path("/"))).await);
    };
    let said = "To solve this puzzle";
    let path = format!("/puzzle/{date}");
    let command = format!("puzzle {date}");
    page_or_command(&shared, client, &headers, (1, &path), (said, &command)).await
}

/// The page, which search engines do not list because it shows people; or the command that shows the
/// same in a terminal.
async fn page_or_command(
    shared: &Shared,
    client: ClientAddr,
    headers: &HeaderMap,
    (depth, path): (usize, &str),
    (said, command): (&str, &str),
) -> Response {
    if wants_page(headers) {
        return unlisted(index(shared, client, headers, (depth, Link::Path(path))).await);
    }
    let url = url_or_example(&shared.config, client, headers);
    format!("{said}, run:  noughts {command} --server {url}\n").into_response()
}

/// The answer for an address with an id that no game and no player can have.
async fn malformed(
    shared: &Shared,
    client: ClientAddr,
    headers: &HeaderMap,
    error: IdError,
) -> Response {
    if wants_page(headers) {
        return missing(index(shared, client, headers, (1, Link::Path("/"))).await);
    }
    (StatusCode::NOT_FOUND, format!("{error}\n")).into_response()
}
