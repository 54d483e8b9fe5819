//! The end of a game: what it means, and how it came.

use noughts_client::session::RoomView;
use noughts_protocol::{
    BoardSpec, GameResult, MAX_PLIES, Mark, PartyRuling, Score, Variant, WinningLine,
};

use super::{capitalized, player_name, subject, variant, with_verb};

/// The headline of an end: "You win!", "Ada wins the series 3 : 1!", "Draw".
pub(crate) fn headline(view: &RoomView, result: &GameResult) -> String {
    let Some(winner) = result.winner() else {
        return if result.counts() { "Draw" } else { "Game over" }.to_owned();
    };
    let decided = view.state.series.winner(view.state.score).is_some();
    let wins = wins(view, winner);
    // The winner's joy is not shouted at the loser.
    let end = if view.mine == [winner.other()] { "." } else { "!" };
    if !decided {
        return format!("{wins}{end}");
    }
    let Score { x, o, .. } = view.state.score;
    let (won, lost) = if winner == Mark::X { (x, o) } else { (o, x) };
    format!("{wins} the series {won} : {lost}{end}")
}

/// The sentence after a result, " 3 wins in a row.". The first win has none.
pub(crate) fn in_a_row(view: &RoomView) -> String {
    match view.wins_in_a_row() {
        0 | 1 => String::new(),
        wins => format!(" {wins} wins in a row."),
    }
}

/// Why a party has ended a game: "the host decided it".
const fn ruling(ruling: PartyRuling) -> &'static str {
    match ruling {
        PartyRuling::Decided => "the host decided it",
        PartyRuling::Ended => "the party is over",
    }
}

/// How a game ended, without a capital and a full stop: "row 2", "Ada resigned". `loser` names that side.
pub(super) fn cause(
    result: &GameResult,
    (played, spec): (Variant, BoardSpec),
    loser: &str,
    is_you: bool,
) -> String {
    let was = if is_you { "were" } else { "was" };
    match (result, result.ruling()) {
        (_, Some(why)) => ruling(why).to_owned(),
        (GameResult::Line { lines, .. }, _) if variant::line_loses(played) => {
            format!("{loser} completed {}", WinningLine::describe_all(lines, spec))
        }
        (GameResult::Line { lines, .. }, _) => WinningLine::describe_all(lines, spec),
        (GameResult::MoreBoards { .. }, _) => "more boards".to_owned(),
        (GameResult::Prevented { .. }, _) => "no such row can be made any more".to_owned(),
        (GameResult::Repetition, _) => "the position came for the third time".to_owned(),
        (GameResult::TooLong, _) => format!("nobody has won in {MAX_PLIES} moves"),
        (GameResult::Resignation { .. }, _) => format!("{loser} resigned"),
        (GameResult::Time { .. }, _) => format!("{loser} ran out of time"),
        (GameResult::Absence { winner: None, .. }, _) => "one side was away too long".to_owned(),
        (GameResult::Absence { .. }, _) => format!("{loser} {was} away too long"),
        (GameResult::NoLineLeft, _) => "nobody can win any more".to_owned(),
        _ => "the board is full".to_owned(),
    }
}

/// The end of a game in a sentence: "Ada wins with row 2.", "Draw: the board is full."
pub(super) fn sentence(result: &GameResult, played: Variant, wins: &str, cause: &str) -> String {
    match (result.winner(), result) {
        (None, _) if result.ruling() == Some(PartyRuling::Ended) => format!("Game over: {cause}."),
        (None, _) => format!("Draw: {cause}."),
        (Some(_), GameResult::Line { .. }) if !variant::line_loses(played) => {
            format!("{wins} with {cause}.")
        }
        (Some(_), GameResult::MoreBoards { .. }) => format!("{wins} with {cause}."),
        (Some(_), _) => format!("{wins}: {cause}."),
    }
}

/// The side of one of two at one terminal, at the start of a sentence.
fn side(view: &RoomView, mark: Mark) -> String {
    capitalized(&variant::side(view.state.settings.variant, mark))
}

/// "You win", "Ada wins".
fn wins(view: &RoomView, winner: Mark) -> String {
    match view.mine.len() {
        2 => format!("{} wins", side(view, winner)),
        _ => with_verb(view, winner, "win"),
    }
}

/// A result: "Ada wins with row 2.", "You win: the opponent resigned."
pub(crate) fn result_text(view: &RoomView, result: &GameResult) -> String {
    let winner = result.winner().unwrap_or(Mark::X);
    let loser = match view.mine[..] {
        [_, _] => variant::side(view.state.settings.variant, winner.other()),
        [mine] if mine == winner => "the opponent".to_owned(),
        _ => player_name(view, winner.other()),
    };
    let is_you = view.mine == [winner.other()];
    let played = view.state.settings.variant;
    let cause = cause(result, (played, view.state.settings.board), &loser, is_you);
    sentence(result, played, &wins(view, winner), &cause)
}

/// How it came, as a sentence of its own: "Row 2.", "Ada resigned."
pub(crate) fn reason(view: &RoomView, result: &GameResult) -> String {
    let loser = result.winner().unwrap_or(Mark::X).other();
    let name = match view.mine.len() {
        2 => side(view, loser),
        _ => subject(view, loser),
    };
    let game = (view.state.settings.variant, view.state.settings.board);
    let cause = cause(result, game, &name, view.mine == [loser]);
    // A name is written as it is.
    if cause.starts_with(&name) { cause + "." } else { capitalized(&cause) + "." }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{my_view, snapshot, watched};

    fn view(watching: bool) -> RoomView {
        let snapshot = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
        let snapshot = if watching { watched(snapshot) } else { snapshot };
        my_view(&snapshot)
    }

    #[test]
    fn the_headline_is_about_the_reader() {
        let won = view(false).state.game.unwrap().game.result().cloned().unwrap();
        let lost = GameResult::Resignation { winner: Mark::O };
        assert_eq!(headline(&view(false), &won), "You win!");
        assert_eq!(headline(&view(false), &lost), "Bob wins.");
        assert_eq!(headline(&view(true), &won), "Ada wins!");
        assert_eq!(headline(&view(false), &GameResult::NoLineLeft), "Draw");
        let over = GameResult::Absence { winner: None, party: Some(PartyRuling::Ended) };
        assert_eq!(headline(&view(false), &over), "Game over");
    }

    #[test]
    fn the_reason_is_a_sentence_of_its_own() {
        let won = view(false).state.game.unwrap().game.result().cloned().unwrap();
        assert_eq!(reason(&view(false), &won), "Row 1.");
        let absence = |winner| GameResult::Absence { winner: Some(winner), party: None };
        assert_eq!(reason(&view(false), &absence(Mark::O)), "You were away too long.");
        assert_eq!(reason(&view(true), &absence(Mark::O)), "Ada was away too long.");
        let decided = GameResult::Absence { winner: None, party: Some(PartyRuling::Decided) };
        assert_eq!(reason(&view(false), &decided), "The host decided it.");
        let resigned = GameResult::Resignation { winner: Mark::X };
        assert_eq!(reason(&view(false), &resigned), "Bob resigned.");
        assert_eq!(reason(&view(false), &GameResult::NoLineLeft), "Nobody can win any more.");
    }
}
