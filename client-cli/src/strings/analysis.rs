//! The texts about hints, evaluations and reviews.

use noughts_client::session::RoomView;
use noughts_protocol::{
    Evaluation, Hint, HintReason, Mark, Review, ReviewedMove, RoomSettings, Standing, WinningLine,
};
use noughts_protocol::{GameResult, GameValue, Verdict};

use super::result::cause;
use super::{seat_subject, variant};

/// A hint in one line: "Hint: 5 (stops row 2)." The first cell is the best one for a person. Between two people it
/// says that the other one is told.
pub(crate) fn hint(view: &RoomView, hint: &Hint) -> String {
    let settings = &view.state.settings;
    let mark = hint.placed.or(view.state.turn()).unwrap_or(Mark::X);
    let cell = hint.cells.first().map(|cell| variant::placement(settings, *cell, mark));
    let cell = cell.unwrap_or_default();
    let other = view.state.turn().filter(|_| view.state.has_two_people()).map(Mark::other);
    let told = other.map(|other| seat_subject(&view.state.seats[other], other));
    let told = told.map(|name| format!(" {name} is told.")).unwrap_or_default();
    format!("Hint: {cell} ({}).{told}", hint.message)
}

/// Why a computer made its move, after a sentence: " It blocks row 1." The result says that it has won.
pub(crate) fn comment(view: &RoomView, reason: &HintReason) -> Option<String> {
    let spec = view.state.settings.board;
    Some(match reason {
        HintReason::Blocks { lines } => {
            format!(" It blocks {}.", WinningLine::describe_all(lines, spec))
        }
        HintReason::DoubleThreat => " It makes two threats.".to_owned(),
        HintReason::OnlyMove => " Every other move loses.".to_owned(),
        HintReason::Prevents => " It stops a threat.".to_owned(),
        HintReason::Threatens => " It threatens to win.".to_owned(),
        HintReason::Wins | HintReason::Best | HintReason::Unknown => return None,
    })
}

/// An evaluation in one line.
pub(crate) const fn evaluation(evaluation: &Evaluation) -> &'static str {
    match evaluation.worth {
        Standing::XWins => "Best play: X wins.",
        Standing::OWins => "Best play: O wins.",
        Standing::Drawn => "Best play: a draw.",
        Standing::Unclear => "Best play: unclear.",
    }
}

/// The marks of the moves of a review, as far as they are known: while its game is the last one.
pub(crate) fn placed<'a>(view: &'a RoomView, review: &Review) -> &'a [Mark] {
    let last = view.state.game.as_ref().filter(|last| last.number == review.game);
    last.map_or(&[], |last| last.game.placed())
}

/// The cell of a reviewed move, and the one that was better, each with its mark if the sides choose
/// their marks.
pub(crate) fn labels(
    settings: &RoomSettings,
    made: &ReviewedMove,
    mark: Mark,
    placed: &[Mark],
) -> (String, Option<String>) {
    let own = placed.get(usize::from(made.ply)).copied().unwrap_or(mark);
    let best = |cell| variant::placement(settings, cell, made.best_placed.unwrap_or(mark));
    (variant::placement(settings, made.cell, own), made.best.map(best))
}

/// The verdict on a move: "mistake: drawn -> lost", "best (won)".
pub(crate) fn verdict(made: &ReviewedMove) -> String {
    let before = value(made.before);
    let after = value(made.after);
    let verdict = match made.verdict {
        Verdict::Best => "best",
        Verdict::Fine => "fine",
        Verdict::Mistake => "mistake",
        Verdict::Opening => return "opening".to_owned(),
    };
    if made.before == made.after {
        format!("{verdict} ({before})")
    } else {
        format!("{verdict}: {before} -> {after}")
    }
}

/// The sign of a verdict, one column wide.
pub(crate) const fn sign(verdict: Verdict) -> char {
    match verdict {
        Verdict::Best => '+',
        Verdict::Fine | Verdict::Opening => ' ',
        Verdict::Mistake => '?',
    }
}

/// The mistakes of a review, up to some end: "1 mistake until the resignation, proven."
pub(crate) fn judgement(moves: &[ReviewedMove], until: &str, proven: bool) -> String {
    let proven = if proven { "proven" } else { "in part estimated" };
    match moves.iter().filter(|made| made.verdict == Verdict::Mistake).count() {
        0 => format!("No mistakes found{until}, {proven}."),
        1 => format!("1 mistake{until}, {proven}."),
        more => format!("{more} mistakes{until}, {proven}."),
    }
}

/// The summary of a review: "1 mistake, proven."
pub(crate) fn summary(view: &RoomView, review: &Review) -> String {
    if review.moves.is_empty() {
        return "No moves to review.".to_owned();
    }
    let until = match result(view, review) {
        Some(GameResult::Resignation { .. }) => " until the resignation",
        Some(GameResult::Time { .. }) => " until the time was over",
        Some(GameResult::Absence { party: Some(_), .. }) => " until the party ended it",
        Some(GameResult::Absence { .. }) => " until one side was away",
        _ => "",
    };
    judgement(&review.moves, until, review.proven)
}

/// How the reviewed game ended, if it is still the last one.
fn result<'a>(view: &'a RoomView, review: &Review) -> Option<&'a GameResult> {
    let last = view.state.game.as_ref().filter(|last| last.number == review.game)?;
    last.game.result()
}

/// The end of the reviewed game after its last move, if it was no move: "X resigned".
pub(crate) fn end_without_a_move(view: &RoomView, review: &Review) -> Option<String> {
    let result = result(view, review)?;
    let off_board = matches!(
        result,
        GameResult::Resignation { .. } | GameResult::Time { .. } | GameResult::Absence { .. }
    );
    let loser = result.winner().map(|winner| winner.other().to_string()).unwrap_or_default();
    let game = (view.state.settings.variant, view.state.settings.board);
    off_board.then(|| cause(result, game, &loser, false))
}

/// The verdict in at most `width` columns, if a short form of it fits: "drawn -> lost" after the
/// sign of a mistake, or only the value after the move.
pub(crate) fn verdict_within(made: &ReviewedMove, width: usize) -> String {
    let whole = verdict(made);
    if whole.len() <= width || made.verdict == Verdict::Opening {
        return whole;
    }
    let before = value(made.before);
    let after = value(made.after);
    let change = format!("{before} -> {after}");
    if made.before != made.after && change.len() <= width { change } else { after.to_owned() }
}

const fn value(worth: GameValue) -> &'static str {
    match worth {
        GameValue::Won => "won",
        GameValue::Drawn => "drawn",
        GameValue::Lost => "lost",
        GameValue::Unclear => "unclear",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_verdict_has_short_forms() {
        let mut made = ReviewedMove {
            ply: 0,
            cell: noughts_protocol::Cell(0),
            verdict: Verdict::Mistake,
            before: GameValue::Unclear,
            after: GameValue::Lost,
            best: None,
            best_placed: None,
        };
        assert_eq!(verdict_within(&made, 24), "mistake: unclear -> lost");
        assert_eq!(verdict_within(&made, 23), "unclear -> lost");
        assert_eq!(verdict_within(&made, 11), "lost");
        (made.verdict, made.after) = (Verdict::Best, GameValue::Unclear);
        assert_eq!(verdict_within(&made, 14), "best (unclear)");
        assert_eq!(verdict_within(&made, 11), "unclear");
    }
}
