//! A room's messages, in words for a table of cases.

use noughts_protocol::{
    BoardSpec, ByMark, ChatLine, CloseReason, Computer, Event, GameEnd, GameResult, HintReason,
    Mark, NumberedGame, OpeningPhase, PartyRuling, Presence, Refusal, RoomState, Said, Score, Seat,
    SeatPresence, Series, Strength, WinningLine,
};

use crate::room::rules::analysis::Subject;

/// A fact: `X 5`, `game 1, X begins`, `O is bob`.
pub(super) fn fact(event: &Event, board: BoardSpec) -> String {
    match event {
        Event::Seated { mark, seat } => format!("{mark} is {}", person(seat)),
        Event::GameStarted { game, first, score, opening, series, .. } => {
            let begins = opening.map_or(format!("{first} begins"), phase);
            format!("game {game}, {begins}{}{}", nonzero(*score), first_to(*series))
        }
        Event::Moved { mark, cell, placed, effect, over, opening, reason, .. } => {
            let over = over.as_ref().map(|over| format!(", {}", end(over, board)));
            let opening = opening.map(|next| format!(", {}", phase(next)));
            let leads_to = over.into_iter().chain(opening).collect::<String>();
            let placed = placed.map(|placed| format!(" with {placed}")).unwrap_or_default();
            let effect = effect.as_ref().map(|effect| format!(", {effect:?}")).unwrap_or_default();
            let why = reason.as_ref().map(|reason| format!(", {}", why(reason, board)));
            let why = why.unwrap_or_default();
            format!("{mark} {}{placed}{effect}{why}{leads_to}", board.label(*cell))
        }
        Event::TakenBack { mark, ply, .. } => format!("{mark} takes back to {ply}"),
        Event::Chosen { choice, opening, seats: ByMark { x, o }, score, .. } => {
            let choice = format!("{choice:?}").to_lowercase();
            let next = opening.map_or(String::new(), |next| format!(", {}", phase(next)));
            let seats = format!("{} v {}", person(x), person(o));
            format!("chosen {choice}: {seats}{}{next}", nonzero(*score))
        }
        Event::GameOver { game, end: over } => format!("game {game} over, {}", end(over, board)),
        Event::Clock { move_ms_left, stopped: false, .. } => format!("clock {move_ms_left}"),
        Event::Clock { move_ms_left, .. } => format!("clock stands at {move_ms_left}"),
        Event::Paced { pace } => format!("pace {pace}"),
        Event::Closed { reason: CloseReason::Left } => "closed, left".into(),
        Event::Closed { reason: CloseReason::Idle } => "closed, idle".into(),
        Event::Closed { reason: CloseReason::Host } => "closed, host".into(),
    }
}

/// A series: `, first to 3`.
fn first_to(series: Series) -> String {
    series.first_to.map_or(String::new(), |wins| format!(", first to {wins}"))
}

/// An offer: `X offers`, `X offers to 3`, `X offers open`.
fn offer(presence: &Presence) -> String {
    let Some(mark) = presence.rematch else { return "no offer".into() };
    match presence.series {
        None => format!("{mark} offers"),
        Some(Series { first_to: None }) => format!("{mark} offers open"),
        Some(Series { first_to: Some(wins) }) => format!("{mark} offers to {wins}"),
    }
}

/// A seat: `ada`, `open`, `computer`.
fn person(seat: &Seat) -> String {
    match seat {
        Seat::Open => "open".into(),
        Seat::Human { name, .. } => {
            name.face().map_or_else(|| name.to_string(), |face| format!("{name}, {face}"))
        }
        Seat::Computer(Computer { strength: Strength::Average, .. }) => "computer".into(),
        Seat::Computer(Computer { strength, .. }) => format!("computer {strength}"),
    }
}

fn phase(phase: OpeningPhase) -> String {
    match phase {
        OpeningPhase::Placing { by, until_ply } => format!("{by} places until {until_ply}"),
        OpeningPhase::Choosing { by, may_add: true } => format!("{by} chooses or adds"),
        OpeningPhase::Choosing { by, may_add: false } => format!("{by} chooses"),
    }
}

/// A reason: `wins`, `blocks row 1`.
fn why(reason: &HintReason, board: BoardSpec) -> String {
    match reason {
        HintReason::Wins => "wins".into(),
        HintReason::Blocks { lines } => {
            format!("blocks {}", WinningLine::describe_all(lines, board))
        }
        HintReason::DoubleThreat => "threatens twice".into(),
        HintReason::OnlyMove => "only move".into(),
        HintReason::Prevents => "stops a threat".into(),
        HintReason::Threatens => "threatens".into(),
        HintReason::Best | HintReason::Unknown => panic!("that is never said"),
    }
}

fn end(GameEnd { result: how, score, .. }: &GameEnd, board: BoardSpec) -> String {
    format!("{}{}", result(how, board), nonzero(*score))
}

/// A result: `X wins by row 1`, `draw by absence`.
fn result(result: &GameResult, board: BoardSpec) -> String {
    let how = match result {
        GameResult::Line { lines, .. } => WinningLine::describe_all(lines, board),
        GameResult::BoardFull => "full board".into(),
        GameResult::NoLineLeft => "no line left".into(),
        GameResult::MoreBoards { .. } => "more boards".into(),
        GameResult::Prevented { .. } => "prevention".into(),
        GameResult::Repetition => "repetition".into(),
        GameResult::TooLong => "length".into(),
        GameResult::Resignation { .. } => "resignation".into(),
        GameResult::Time { .. } => "time".into(),
        GameResult::Absence { party: None, .. } => "absence".into(),
        GameResult::Absence { party: Some(PartyRuling::Decided), .. } => "the host".into(),
        GameResult::Absence { party: Some(PartyRuling::Ended), .. } => "the party's end".into(),
    };
    let winner = result.winner().map_or("draw".to_owned(), |winner| format!("{winner} wins"));
    format!("{winner} by {how}")
}

/// A score: `, 1-0`; `, 1-0-2` with draws; nothing before the first result.
fn nonzero(Score { x, o, draws }: Score) -> String {
    match (x, o, draws) {
        (0, 0, 0) => String::new(),
        (x, o, 0) => format!(", {x}-{o}"),
        (x, o, draws) => format!(", {x}-{o}-{draws}"),
    }
}

/// The changes of the presence. Facts tell that a seat was taken or given up, and that an offer
/// ends with the next game.
pub(super) fn changes(before: &Presence, now: &Presence, game_started: bool) -> Vec<String> {
    let state = |seat: SeatPresence| match seat {
        SeatPresence::Connected => "here",
        SeatPresence::Away { .. } => "away",
        SeatPresence::Gone => "gone",
    };
    let seat = |mark: Mark| {
        let before = before.seats[mark].map(state);
        let now = now.seats[mark].map(state);
        let arrived = before.is_none() && now == Some("here");
        now.filter(|_| now != before && !arrived).map(|now| format!("{mark} {now}"))
    };
    let mut changes: Vec<String> = Mark::BOTH.into_iter().filter_map(seat).collect();
    if before.spectators != now.spectators {
        changes.push(format!("{} watching", now.spectators));
    }
    if offer(before) != offer(now) && !game_started {
        changes.push(offer(now));
    }
    if let Some(mark) = now.take_back.filter(|_| before.take_back != now.take_back) {
        changes.push(format!("{mark} asks back"));
    }
    changes
}

/// All that passes: `X here, O away (57000 ms), 2 watching, X offers, hints 1-0`, without what there is not.
pub(super) fn presence(presence: &Presence) -> String {
    let seat = |mark: Mark| match presence.seats[mark] {
        None => format!("{mark} nobody"),
        Some(SeatPresence::Connected) => format!("{mark} here"),
        Some(SeatPresence::Away { claim_in_ms }) => format!("{mark} away ({claim_in_ms} ms)"),
        Some(SeatPresence::Gone) => format!("{mark} gone"),
    };
    let watching = format!("{} watching", presence.spectators);
    let watching = Some(watching).filter(|_| presence.spectators > 0);
    let offer = presence.rematch.map(|_| offer(presence));
    let hints = presence.hints.map(|ByMark { x, o }| format!("hints {x}-{o}"));
    let all = Mark::BOTH.map(seat).into_iter().chain(watching).chain(offer).chain(hints);
    all.collect::<Vec<_>>().join(", ")
}

/// A room: `ada v bob, game 2 at ply 3, X to act, 1-0`.
pub(super) fn room(state: &RoomState) -> String {
    let ByMark { x, o } = &state.seats;
    let game = state.game.as_ref().map_or(String::new(), |numbered| {
        let NumberedGame { number, game, .. } = numbered;
        let turn = numbered.turn().map_or("over".into(), |mark| format!("{mark} to act"));
        format!(", game {number} at ply {}, {turn}", game.ply())
    });
    let series = first_to(state.series);
    format!("{} v {}{game}{}{series}", person(x), person(o), nonzero(state.score))
}

pub(super) fn analysis(subject: Subject) -> String {
    match subject {
        Subject::Hint { game, ply } => format!("hint for game {game} at ply {ply}"),
        Subject::Review { game, opening: 0 } => format!("review of game {game}"),
        Subject::Review { game, opening } => format!("review of game {game} after ply {opening}"),
        Subject::Evaluation { .. } => "evaluation".into(),
    }
}

pub(super) fn refusal(Refusal { code, message }: &Refusal) -> String {
    format!("refused {}: {message}", serde_json::to_value(code).unwrap().as_str().unwrap())
}

/// Lines: `ada X: hi, cid: wow`.
pub(super) fn heard(lines: &[ChatLine]) -> String {
    let line = |line: &ChatLine| {
        let seat = line.seat.map_or(String::new(), |mark| format!(" {mark}"));
        let said = match &line.said {
            Said::Text(text) => text.to_string(),
            Said::Emote(emote) => format!("{emote:?}").to_lowercase(),
        };
        format!("{}{seat}: {said}", line.name)
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    if lines.is_empty() { "nothing".into() } else { lines.join(", ") }
}
