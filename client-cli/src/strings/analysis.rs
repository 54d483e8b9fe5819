//! The texts about hints, evaluations and reviews.

use noughts_protocol::{BoardSpec, Evaluation, Hint, Mark, Review, ReviewedMove, Standing};
use noughts_protocol::{GameValue, Verdict};

/// A hint in one line: "Hint: 5 (stops row 2)." The first cell is the best one for a person.
#[must_use]
pub fn hint(spec: BoardSpec, hint: &Hint) -> String {
    let cell = hint.cells.first().map(|cell| spec.label(*cell)).unwrap_or_default();
    format!("Hint: {cell} ({}).", hint.message)
}

/// An evaluation in one line.
#[must_use]
pub const fn evaluation(evaluation: &Evaluation) -> &'static str {
    match evaluation.worth {
        Standing::XWins => "Best play: X wins.",
        Standing::OWins => "Best play: O wins.",
        Standing::Drawn => "Best play: a draw.",
        Standing::Unclear => "Best play: unclear.",
    }
}

/// The mark that moved at a ply of a reviewed game.
#[must_use]
pub const fn player_at(review: &Review, ply: u16) -> Mark {
    if ply.is_multiple_of(2) { review.first } else { review.first.other() }
}

/// The verdict on a move: "mistake: drawn -> lost", "best (won)".
#[must_use]
pub fn verdict(made: &ReviewedMove) -> String {
    let (before, after) = (value(made.before), value(made.after));
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
#[must_use]
pub const fn sign(verdict: Verdict) -> char {
    match verdict {
        Verdict::Best => '+',
        Verdict::Fine | Verdict::Opening => ' ',
        Verdict::Mistake => '?',
    }
}

/// The summary of a review: "1 mistake, proven."
#[must_use]
pub fn summary(review: &Review) -> String {
    let mistakes = review.moves.iter().filter(|made| made.verdict == Verdict::Mistake).count();
    let mistakes = match mistakes {
        0 => "No mistakes".to_owned(),
        1 => "1 mistake".to_owned(),
        more => format!("{more} mistakes"),
    };
    let proven = if review.proven { "proven" } else { "in part estimated" };
    format!("{mistakes}, {proven}.")
}

const fn value(worth: GameValue) -> &'static str {
    match worth {
        GameValue::Won => "won",
        GameValue::Drawn => "drawn",
        GameValue::Lost => "lost",
        GameValue::Unclear => "unclear",
    }
}
