//! The end of a game in two parts: what it means first, then how it came.

use noughts_protocol::GameResult;

use super::{capitalized, lines_text, player_name, with_verb};
use crate::core::RoomView;

/// What the end means: "You win!", "Ada wins!", "Draw".
#[must_use]
pub fn headline(view: &RoomView, result: &GameResult) -> String {
    match result.winner() {
        None => "Draw".to_owned(),
        Some(winner) if view.mine.len() == 2 => format!("{winner} wins!"),
        // The winner's own joy is not shouted at the loser.
        Some(winner) if view.mine == [winner.other()] => {
            format!("{}.", with_verb(view, winner, "win"))
        }
        Some(winner) => format!("{}!", with_verb(view, winner, "win")),
    }
}

/// How it came: "Row 2.", "Ada resigned."
#[must_use]
pub fn reason(view: &RoomView, result: &GameResult) -> String {
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
        _ => capitalized(&player_name(view, loser)),
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

    use noughts_protocol::Mark;

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
    }

    #[test]
    fn the_reason_is_a_sentence_of_its_own() {
        let won = view(false).state.game.unwrap().game.result().cloned().unwrap();
        assert_eq!(reason(&view(false), &won), "Row 1.");
        let absence = |winner| GameResult::Absence { winner: Some(winner) };
        assert_eq!(reason(&view(false), &absence(Mark::O)), "You were away too long.");
        assert_eq!(reason(&view(true), &absence(Mark::O)), "Ada was away too long.");
        let resigned = GameResult::Resignation { winner: Mark::X };
        assert_eq!(reason(&view(false), &resigned), "Bob resigned.");
        assert_eq!(reason(&view(false), &GameResult::NoLineLeft), "Nobody can win any more.");
    }
}
