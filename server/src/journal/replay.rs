//! Replays the entries of a room and checks that each fact may follow the facts before it.
//! Recovery, `export` and `verify` do this, by the same rules as the room that wrote the facts.
//! Pure.

use noughts_protocol::game::GameResult;
use noughts_protocol::opening::{Opening, OpeningPhase};
use noughts_protocol::{
    Event, Mark, Move, NumberedGame, OpeningChoice, RoomCode, RoomSettings, RoomState, Score, Seat,
};

use super::entry::Entry;

/// The highest version: numbers on the wire are below 2^53.
const MAX_VERSION: u64 = (1 << 53) - 1;

/// Replays the entries of a room and calls `each` with every entry, its event, and the state after
/// it.
///
/// # Errors
/// If an entry cannot follow those before it; the text names its version and says why.
pub fn replay<'a>(
    code: RoomCode,
    settings: RoomSettings,
    entries: &'a [Entry],
    mut each: impl FnMut(&'a Entry, &Event, &RoomState),
) -> Result<RoomState, String> {
    let mut state = RoomState::new(code, settings);
    for entry in entries {
        let event = apply(&mut state, entry)?;
        each(entry, &event, &state);
    }
    Ok(state)
}

/// Applies the next entry and returns its event.
fn apply(state: &mut RoomState, entry: &Entry) -> Result<Event, String> {
    let wrong = |why: &str| format!("at version {}: {why}", entry.v);
    if entry.v <= state.v {
        return Err(wrong("the version does not go up"));
    }
    if entry.v > MAX_VERSION {
        return Err(wrong("no room has that many"));
    }
    let event = entry.event(state).map_err(|why| wrong(&why))?;
    check(state, &event).map_err(|why| wrong(&why))?;
    // The versions in between belong to events that are not stored.
    state.v = entry.v - 1;
    state.apply(entry.v, &event).map_err(|why| wrong(&why.to_string()))?;
    Ok(event)
}

/// Checks that the event may happen in this state.
fn check(state: &RoomState, event: &Event) -> Result<(), String> {
    if state.closed {
        return Err("the room was closed before".to_owned());
    }
    match event {
        Event::Seated { mark, seat } => seated(state, *mark, seat),
        Event::GameStarted { game, score, .. } => started(state, *game, *score),
        Event::Moved { cell, .. } => {
            let numbered = state.running().ok_or("a move after the end of the game")?;
            let (ply, mark) = (numbered.game.ply(), numbered.game.to_move());
            if let Some(OpeningPhase::Choosing { .. }) = numbered.opening {
                return Err("a move in place of a choice".to_owned());
            }
            numbered.check(Move { ply, mark, cell: *cell }).map_err(|why| why.to_string())
        }
        Event::Opening { phase, swapped, .. } => opening(state, *phase, *swapped),
        Event::GameOver { result, score, .. } => over(state, result, *score),
        Event::Closed { .. } => Ok(()),
        Event::Presence { .. } | Event::Rematch { .. } => Err("this is no fact".to_owned()),
    }
}

fn ensure(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_owned()) }
}

fn seated(state: &RoomState, mark: Mark, seat: &Seat) -> Result<(), String> {
    let renamed = seat.player().is_some() && state.seats[mark].player() == seat.player();
    ensure(renamed || !state.is_running(), "a seat changed hands in a running game")?;
    let vacated = *seat == Seat::Open || state.seats[mark] == Seat::Open;
    ensure(renamed || vacated, "a seat was taken from somebody")
}

fn started(state: &RoomState, game: u32, score: Score) -> Result<(), String> {
    let last = state.game.as_ref().map_or(0, |last| last.number);
    ensure(game == last + 1, "the game's number is not the next")?;
    ensure(!state.is_running() && !state.is_waiting(), "no game could begin")?;
    ensure(score == state.score || score == Score::default(), "the score is not the room's")
}

fn opening(state: &RoomState, phase: OpeningPhase, swapped: bool) -> Result<(), String> {
    let NumberedGame { game, opening, .. } = state.running().ok_or("no game is running")?;
    ensure(state.settings.opening == Opening::Swap2, "this room has no swap2 opening")?;
    let expected = match opening {
        None => [Mark::X, Mark::O]
            .into_iter()
            .any(|by| game.ply() == 0 && !swapped && phase == OpeningPhase::first(by)),
        Some(now) => {
            let choices = [OpeningChoice::X, OpeningChoice::O, OpeningChoice::Add];
            let by_mark = now.after_mark(game.ply()).map(|next| (next, false));
            let next = choices.into_iter().filter_map(|choice| now.after_choice(choice));
            next.chain(by_mark).any(|next| next == (phase, swapped))
        }
    };
    ensure(expected, "the opening cannot go on like that")
}

fn over(state: &RoomState, result: &GameResult, score: Score) -> Result<(), String> {
    let numbered = state.game.as_ref().ok_or("no game was begun")?;
    ensure(score == state.score.with(result), "the score does not follow from the result")?;
    match (numbered.game.result(), result) {
        (Some(on_board), told) => ensure(on_board == told, "the board says another result"),
        (None, GameResult::Line { .. } | GameResult::BoardFull | GameResult::NoLineLeft) => {
            Err("the board does not say so".to_owned())
        }
        (None, _) => Ok(()),
    }
}
