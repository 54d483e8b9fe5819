//! The puzzle of a day: `/puzzles/2026-11-27.json` for the page, today's and earlier ones. The terminal asks over its
//! WebSocket.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use noughts_protocol::Date;

use crate::http::api::tag;
use crate::http::page::nothing_here;
use crate::puzzle::puzzle_of;
use crate::state::Shared;

/// How long an answer is kept without asking again. Another version of the server may have other puzzles.
const CACHE: &str = "public, max-age=3600";

/// The routes.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/puzzles/{file}", get(file))
}

async fn file(
    State(shared): State<Arc<Shared>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    let date = file.strip_suffix(".json").and_then(|date| date.parse::<Date>().ok());
    let Some(date) = date else { return nothing_here() };
    let puzzle = match puzzle_of(date, shared.today()) {
        Ok(puzzle) => puzzle,
        Err(refusal) => return (StatusCode::NOT_FOUND, format!("{refusal}\n")).into_response(),
    };
    let answer = ([(header::CACHE_CONTROL, CACHE)], Json(puzzle)).into_response();
    tag(answer, headers.get(header::IF_NONE_MATCH)).await
}
