//! The end of a game in two parts: what it means first, then how it came.

use noughts_protocol::{GameResult, Mark, PartyRuling, Score};

use super::{capitalized, lines_text, subject, with_verb};
use crate::session::RoomView;

/// The headline of an end: "You win!", "Ada wins the series 3 : 1!", "Draw".
pub(crate) fn headline(view: &RoomView, result: &GameResult) -> String {
    let Some(winner) = result.winner() else {
        return if result.counts() { "Draw" } else { "Game over" }.to_owned();
    };
    let decided = view.state.series.winner(view.state.score).is_some();
    let wins = match view.mine.len() {
        2 => format!("{winner} wins"),
        _ => with_verb(view, winner, "win"),
    };
    // The winner's joy is not shouted at the loser.
    let end = if view.mine == [winner.other()] { "." } else { "!" };
    if !decided {
        return format!("{wins}{end}");
    }
    let Score { x, o, .. } = view.state.score;
    let (won, lost) = if winner == Mark::X { (x, o) } else { (o, x) };
    format!("{wins} the series {won} : {lost}{end}")
}

/// Why a party has ended a game: "the host decided it".
pub(crate) const fn ruling(ruling: PartyRuling) -> &'static str {
    match ruling {
        PartyRuling::Decided => "the host decided it",
        PartyRuling::Ended => "the party is over",
    }
}

/// How it came: "Row 2.", "Ada resigned."
pub(crate) fn reason(view: &RoomView, result: &GameResult) -> String {
    if let Some(why) = result.ruling() {
        return format!("{}.", capitalized(ruling(why)));
    }
    let Some(winner) = result.winner() else {
        return match result {
            GameResult::NoLineLeft => "Nobody can win any more.",
            GameResult::Absence { .. } => "One side was away too long.",
            _ => "The board is full.",
        }
        .to_owned();
    };
    let loser = winner.other();
    let name = match view.mine.len() {
        2 => loser.to_string(),
        _ => subject(view, loser),
    };
    let was = if view.mine == [loser] { "were" } else { "was" };
    match result {
        GameResult::Line { lines, .. } => {
            format!("{}.", capitalized(&lines_text(lines, view.state.settings.board)))
        }
        GameResult::Resignation { .. } => format!("{name} resigned."),
        GameResult::Time { .. } => format!("{name} ran out of time."),
        _ => format!("{name} {was} away too long."),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::fixture::{ME, snapshot, watched};

    fn view(watching: bool) -> RoomView {
        let snapshot = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
        let snapshot = if watching { watched(snapshot) } else { snapshot };
        RoomView::new(&snapshot, Some(ME), Instant::now()).unwrap()
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
    fn the_last_win_decides_a_series() {
        let mut view = view(false);
        view.state.series.first_to = Some(3);
        let won = GameResult::Resignation { winner: Mark::X };
        let at = |view: &mut RoomView, x| {
            view.state.score.x = x;
            headline(view, &won)
        };
        assert_eq!(at(&mut view, 2), "You win!");
        assert_eq!(at(&mut view, 3), "You win the series 3 : 0!");
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
