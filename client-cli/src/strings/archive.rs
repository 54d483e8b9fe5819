//! The texts about kept games.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use noughts_protocol::{
    ArchivedGame, ByMark, Cell, GameSummary, Mark, Outcome, Participant, PlayerId, ReviewedMove,
};

use super::{analysis, clock, result, variant};

/// A moment in the time of this place: "2026-11-23 14:02".
pub(crate) fn date(ms: u64) -> String {
    let time = i64::try_from(ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let local = time.map(|time| time.to_zoned_datetime(TimeZone::system()));
    local.map_or_else(|| "?".to_owned(), |local| local.strftime("%Y-%m-%d %H:%M").to_string())
}

/// The mark that a player had, if it was one.
pub(crate) fn mark_of(players: &ByMark<Participant>, player: Option<PlayerId>) -> Option<Mark> {
    let is = |mark: &Mark| player.is_some() && players[*mark].player() == player;
    let mut own = Mark::BOTH.into_iter().filter(is);
    own.next().filter(|_| own.next().is_none())
}

/// How a game ended for a player; `None` for one who watched, or who played both sides.
pub(crate) fn outcome(game: &GameSummary, player: Option<PlayerId>) -> Option<Outcome> {
    mark_of(&game.players, player).map(|mine| Outcome::of(&game.result, mine))
}

/// The result in one word, for a player or for everybody.
pub(crate) fn word(game: &GameSummary, player: Option<PlayerId>) -> &'static str {
    match (outcome(game, player), game.result.winner()) {
        (Some(outcome), _) => outcome.label(),
        (None, None) => Outcome::Drawn.label(),
        (None, Some(Mark::X)) => "X won",
        (None, Some(Mark::O)) => "O won",
    }
}

/// Whether one played both sides. Two who were forgotten only look alike.
fn is_alone(players: &ByMark<Participant>) -> bool {
    players.x == players.o && players.x != Participant::Somebody
}

/// The opponent of a player, or both sides.
pub(crate) fn against(game: &GameSummary, player: Option<PlayerId>) -> String {
    match mark_of(&game.players, player) {
        Some(mine) => game.players[mine.other()].label(),
        None if is_alone(&game.players) => "both sides".to_owned(),
        None => format!("{} - {}", game.players.x.label(), game.players.o.label()),
    }
}

/// A result as a sentence: "Ada wins with row 2.", "Bob wins: Ada resigned."
pub(crate) fn result_text(game: &GameSummary) -> String {
    let alike = game.players.x == game.players.o;
    let side = |mark: Mark| match alike {
        true => mark.to_string(),
        false => super::capitalized(&game.players[mark].label()),
    };
    let winner = game.result.winner().unwrap_or(Mark::X);
    let played = (game.variant, game.board);
    let cause = result::cause(&game.result, played, &side(winner.other()), false);
    result::sentence(&game.result, game.variant, &format!("{} wins", side(winner)), &cause)
}

/// A game in one line of a list: "2026-11-23 14:02  won    against Bob  3x3, 3 in a row, 5 moves, rated".
pub(crate) fn summary(game: &GameSummary, player: Option<PlayerId>) -> String {
    let rated = if game.rated { ", rated" } else { "" };
    let against = match mark_of(&game.players, player) {
        Some(mine) => format!("{mine} against {}", against(game, player)),
        None => against(game, player),
    };
    let moves = moves(game.plies);
    let date = date(game.ended_at);
    let word = word(game, player);
    let board = variant::of(game.variant, game.board);
    format!("{date}  {word:<5}  {against}  {board}, {moves}{rated}")
}

/// The number of moves.
pub(crate) fn moves(count: u16) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// The games as a table with columns, the id last.
pub(crate) fn table(games: &[GameSummary], player: Option<PlayerId>) -> Vec<String> {
    let opponents: Vec<String> = games.iter().map(|game| against(game, player)).collect();
    let boards: Vec<String> =
        games.iter().map(|game| variant::of(game.variant, game.board)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| super::columns(text)).max();
    let wide = widest(&opponents).unwrap_or(0);
    let board = widest(&boards).unwrap_or(0);
    let row = |((game, opponent), spec): ((&GameSummary, &String), &String)| {
        let mine =
            mark_of(&game.players, player).map_or_else(|| " ".to_owned(), |mark| mark.to_string());
        let space = wide.saturating_sub(super::columns(opponent));
        let rated = if game.rated { "rated" } else { "" };
        format!(
            "{}  {:<5}  {mine}  {opponent}{:space$}  {spec:<board$}  {:>9}  {rated:<5}  {}",
            date(game.ended_at),
            word(game, player),
            "",
            moves(game.plies),
            game.id
        )
    };
    games.iter().zip(&opponents).zip(&boards).map(row).collect()
}

/// The players, the board and the time, in one line.
pub(crate) fn heading(game: &ArchivedGame) -> String {
    let players = &game.summary.players;
    let who = match is_alone(players) {
        true => format!("{} played both sides", players.x.label()),
        false => format!("{} (X) against {} (O)", players.x.label(), players.o.label()),
    };
    let rated = if game.summary.rated { " Rated." } else { "" };
    let rules = super::rules(&game.settings);
    format!("{}, {rules}, {}.{rated}", super::capitalized(&who), date(game.summary.ended_at))
}

/// The time since a game began, at one of its moves.
pub(crate) fn time_at(game: &ArchivedGame, place: usize) -> Option<String> {
    let ms = game.times_ms.get(place)?;
    Some(clock(Duration::from_secs(u64::from(ms / 1_000))))
}

/// The cell of the move at a place, with its mark if the sides choose their marks.
pub(crate) fn label_at(game: &ArchivedGame, place: usize, cell: Cell) -> String {
    let placed = game.placed.get(place).copied().unwrap_or_else(|| game.first.after(place));
    variant::placement(&game.settings, cell, placed)
}

/// The moves in numbered lines: time, and the verdict of a review if there is one.
pub(crate) fn move_lines(game: &ArchivedGame, review: Option<&[ReviewedMove]>) -> Vec<String> {
    let line = |(place, cell): (usize, &Cell)| {
        let mark = game.first.after(place);
        let label = label_at(game, place, *cell);
        let time = time_at(game, place).unwrap_or_default();
        let judged = review.and_then(|moves| moves.get(place));
        let verdict = judged.map(|made| {
            let best = made.best.map(|cell| {
                variant::placement(&game.settings, cell, made.best_placed.unwrap_or(mark))
            });
            let better = best.map(|cell| format!("; {cell} was better"));
            format!("  {}{}", analysis::verdict(made), better.unwrap_or_default())
        });
        format!("{:>3}. {mark} {label:<3}  {time:>6}{}", place + 1, verdict.unwrap_or_default())
    };
    game.moves.iter().enumerate().map(line).collect()
}

#[cfg(test)]
pub(crate) mod tests;
