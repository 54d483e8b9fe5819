//! The puzzle of a day: `/puzzles/2026-11-27.json` for the page, today's and earlier ones. The terminal asks over its
//! WebSocket.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use noughts_protocol::{DailyPuzzle, Date};

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
    let tag = tag(&puzzle);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag);
    let mut response =
        if known { StatusCode::NOT_MODIFIED.into_response() } else { Json(puzzle).into_response() };
    response.headers_mut().insert(header::ETAG, tag);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    response
}

/// The marks and the first move: enough to tell two puzzles of a day apart.
fn tag(puzzle: &DailyPuzzle) -> HeaderValue {
    let cells = puzzle.x.iter().chain(&puzzle.o).chain(puzzle.answers.iter().flatten());
    // FNV-1a.
    let hash = cells.fold(0xcbf2_9ce4_8422_2325_u64, |hash, cell| {
        (hash ^ u64::from(cell.0)).wrapping_mul(0x0100_0000_01b3)
    });
    HeaderValue::try_from(format!("\"{}-{hash:016x}\"", puzzle.date))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}
