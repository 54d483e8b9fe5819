//! The routes of kept games, people and puzzles: `/g/ID` with its picture, `/p/ID`, `/p/me`, `/games`,
//! `/leaders`, `/puzzle` and `/puzzle/DATE`. The page asks for what it shows over its WebSocket, and for puzzles at
//! `/puzzles/DATE.json`. Here is what messengers and terminal programs get, which have none.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use noughts_protocol::{Date, GameId, PlayerId};

use super::{PageRequest, missing, nothing_here};
use crate::http::kept_game;
use crate::http::kept_game::{KeptGames, NoGame};
use crate::http::preview::Link;
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
    request: PageRequest,
    Path(id): Path<String>,
    Extension(games): Extension<Arc<KeptGames>>,
) -> Response {
    let id = match id.parse::<GameId>() {
        Ok(id) => id,
        Err(error) => return request.malformed(error).await,
    };
    let path = format!("/g/{id}");
    let kept = kept_game::shown(&request.shared, &games, id).await;
    let link = kept.as_ref().map_or(Link::Path(&path), |game| Link::Game(&game.summary));
    let command = format!("replay {id}");
    let answer = request.page_or_command(link, "To look at this game again", &command).await;
    match kept {
        Err(NoGame::Unknown) => missing(answer),
        Ok(_) | Err(NoGame::Hidden | NoGame::Busy) => answer,
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
    request: PageRequest,
    Path(id): Path<String>,
    Extension(games): Extension<Arc<KeptGames>>,
) -> Response {
    let purpose = "To see this profile";
    if id == "me" {
        return request.page_or_command(Link::Path("/p/me"), purpose, "profile").await;
    }
    let player = match id.parse::<PlayerId>() {
        Ok(player) => player,
        Err(error) => return request.malformed(error).await,
    };
    let path = format!("/p/{player}");
    let command = format!("profile {player}");
    let answer = request.page_or_command(Link::Path(&path), purpose, &command).await;
    let is_nobody = kept_game::is_nobody(&request.shared, &games, player).await;
    if is_nobody { missing(answer) } else { answer }
}

async fn games(request: PageRequest) -> Response {
    request.page_or_command(Link::Path("/games"), "To see your games", "history").await
}

async fn leaders(request: PageRequest) -> Response {
    request.page_or_command(Link::Path("/leaders"), "To see the leaderboards", "leaders").await
}

async fn puzzle(request: PageRequest) -> Response {
    let purpose = "To solve the puzzle of the day";
    request.page_or_command(Link::Path("/puzzle"), purpose, "puzzle").await
}

async fn puzzle_of_day(request: PageRequest, Path(date): Path<String>) -> Response {
    let Ok(date) = date.parse::<Date>() else { return request.missing_page().await };
    let path = format!("/puzzle/{date}");
    let command = format!("puzzle {date}");
    request.page_or_command(Link::Path(&path), "To solve this puzzle", &command).await
}
