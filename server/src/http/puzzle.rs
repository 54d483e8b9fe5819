//! The puzzle of a day: `/puzzles/2026-11-27.json` for the page, today's and earlier ones. The terminal asks over its
//! WebSocket. Both ask [`puzzle_of`]. A day begins at midnight UTC, and has the same puzzle everywhere.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use noughts_engine::puzzle::Puzzle;
use noughts_protocol::{DailyPuzzle, Date, Refusal, RefusalCode};

use crate::http::page::nothing_here;
use crate::state::Shared;

/// How long an answer is kept without asking again. Another version of the server may have other puzzles.
const CACHE: &str = "public, max-age=3600";

/// The routes.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/puzzles/{file}", get(file))
}

/// The puzzle of a day that is not after `today`.
///
/// # Errors
/// `too_early` for a later day, `no_such_game` for one before the first puzzle.
pub(crate) fn puzzle_of(date: Date, today: Date) -> Result<DailyPuzzle, Refusal> {
    if date > today {
        let message =
            format!("the puzzle of {date} comes at midnight UTC of that day: today is {today}");
        return Err(Refusal::new(RefusalCode::TooEarly, message));
    }
    let none =
        || format!("there was no puzzle on {date}: the first one is of {}", Date::FIRST_PUZZLE);
    Puzzle::of_day(date).ok_or_else(|| Refusal::new(RefusalCode::NoSuchGame, none()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_its_puzzle_once_it_has_come() {
        let date = |text: &str| text.parse::<Date>().unwrap();
        let of = |day: &str| puzzle_of(date(day), date("2026-11-27"));
        let today = of("2026-11-27").unwrap();
        assert_eq!((today.date, today.number), (date("2026-11-27"), 331));
        assert_ne!(of("2026-11-20").unwrap().x, today.x);
        assert_eq!(of("2026-11-28").unwrap_err().code, RefusalCode::TooEarly);
        assert_eq!(of("2025-12-31").unwrap_err().code, RefusalCode::NoSuchGame);
    }
}
