//! Replays the entries of a room and checks that each fact may follow the facts before it.
//! Recovery, `export` and `verify` do this, by the same rules as the room that wrote the facts.
//! Pure.

use noughts_protocol::{
    ByMark, Event, GameEnd, GameResult, Mark, Move, NumberedGame, Opening, OpeningChoice,
    OpeningPhase, RoomCode, RoomSettings, RoomState, Score, Seat,
};

use super::entry::Entry;

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
    if Some(entry.v) != state.v.checked_add(1) {
        return Err(wrong("the version is not the next"));
    }
    let event = entry.event(state).map_err(|why| wrong(&why))?;
    check(state, &event).map_err(|why| wrong(&why))?;
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
        Event::GameStarted { game, score, opening, .. } => started(state, *game, *score, *opening),
        Event::Moved { game, ply, mark, cell, over, opening } => {
            let numbered = running(state, *game)?;
            if let Some(OpeningPhase::Choosing { .. }) = numbered.opening {
                return Err("a move in place of a choice".to_owned());
            }
            let chosen = Move { ply: *ply, mark: *mark, cell: *cell };
            let leads_to = numbered.decide(chosen).map_err(|why| why.to_string())?;
            ensure(*opening == leads_to.opening, "the opening cannot go on like that")?;
            let told = over.as_ref().map(|end| &end.result);
            ensure(told == leads_to.result.as_ref(), "the board says another result")?;
            over.as_ref().map_or(Ok(()), |end| ended(state, end))
        }
        Event::Chosen { game, choice, opening, seats, score } => {
            let phase = running(state, *game)?.opening;
            chosen(state, phase, *choice, (*opening, seats, *score))
        }
        Event::GameOver { game, end } => {
            running(state, *game)?;
            over(state, end)
        }
        Event::Closed { .. } => Ok(()),
    }
}

/// The running game, which must be game number `game`.
fn running(state: &RoomState, game: u32) -> Result<&NumberedGame, String> {
    let running = state.running().ok_or("no game is running")?;
    ensure(running.number == game, "another game is running")?;
    Ok(running)
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

fn started(
    state: &RoomState,
    game: u32,
    score: Score,
    opening: Option<OpeningPhase>,
) -> Result<(), String> {
    let last = state.game.as_ref().map_or(0, |last| last.number);
    ensure(game == last + 1, "the game's number is not the next")?;
    ensure(!state.is_running() && !state.is_waiting(), "no game could begin")?;
    ensure(score == state.score || score == Score::default(), "the score is not the room's")?;
    let expected = match state.settings.opening {
        Opening::Free => opening.is_none(),
        Opening::Swap2 => Mark::BOTH.map(|by| Some(OpeningPhase::first(by))).contains(&opening),
    };
    ensure(expected, "the game cannot open like that")
}

/// Checks the phase, the seats and the score that a choice led to.
fn chosen(
    state: &RoomState,
    phase: Option<OpeningPhase>,
    choice: OpeningChoice,
    (opening, seats, score): (Option<OpeningPhase>, &ByMark<Seat>, Score),
) -> Result<(), String> {
    let leads_to = phase.and_then(|phase| phase.after_choice(choice));
    let leads_to = leads_to.ok_or("there was no such choice")?;
    ensure(opening == leads_to.opening, "the opening cannot go on like that")?;
    let expected = match leads_to.swaps {
        true => (state.seats.exchanged(), state.score.exchanged()),
        false => (state.seats.clone(), state.score),
    };
    ensure((seats, score) == (&expected.0, expected.1), "the choice does not lead to these seats")
}

/// Checks the end of a game that no move caused.
fn over(state: &RoomState, end: &GameEnd) -> Result<(), String> {
    match end.result {
        GameResult::Line { .. } | GameResult::BoardFull | GameResult::NoLineLeft => {
            Err("the board does not say so".to_owned())
        }
        GameResult::Resignation { .. } | GameResult::Time { .. } | GameResult::Absence { .. } => {
            ended(state, end)
        }
    }
}

fn ended(state: &RoomState, GameEnd { result, score }: &GameEnd) -> Result<(), String> {
    ensure(*score == state.score.with(result), "the score does not follow from the result")
}
