//! A swap2 opening in words.

use noughts_protocol::{Mark, OpeningPhase};

use super::{sentence, verb, who};
use crate::session::RoomView;

/// What is to be done in an opening, and by whom; none when it is over.
pub(super) fn standing(view: &RoomView, phase: OpeningPhase) -> Option<String> {
    let next = view.state.running()?.game.to_move();
    let by = phase.by()?;
    let mine = view.mine.contains(&by);
    Some(match phase {
        OpeningPhase::Placing { until_ply: 3, .. } if mine => {
            format!("Place three marks for the opening: X, O, X. Next: {next}.")
        }
        OpeningPhase::Placing { .. } if mine => format!("Add two marks: O, X. Next: {next}."),
        OpeningPhase::Placing { until_ply: 3, .. } => {
            format!("{} three marks for the opening. Next: {next}.", verb(view, by, "place"))
        }
        OpeningPhase::Placing { .. } => {
            format!("{} two marks. Next: {next}.", verb(view, by, "add"))
        }
        OpeningPhase::Choosing { may_add: true, .. } if mine => {
            "Choose: x play X, o play O, a add two marks.".to_owned()
        }
        OpeningPhase::Choosing { .. } if mine => "Choose: x play X, o play O.".to_owned(),
        _ => format!("{} a side.", verb(view, by, "choose")),
    })
}

/// Who placed a mark that has just come to the board; none where the mark's own player did.
pub(super) fn placed(view: &RoomView, mark: Mark, label: &str) -> Option<String> {
    match view.opening()? {
        OpeningPhase::Placing { .. } if view.mine.len() == 2 => None,
        OpeningPhase::Placing { by, .. } => {
            Some(format!("{} {mark} on {label}.", verb(view, by, "place")))
        }
        OpeningPhase::Choosing { .. } | OpeningPhase::Done => None,
    }
}

/// What an event of the opening means; none where the standing says it.
pub(super) fn event(view: &RoomView, phase: OpeningPhase, swapped: bool) -> Option<String> {
    if phase != OpeningPhase::Done {
        return None;
    }
    if view.mine.len() == 2 {
        return Some("The sides are chosen.".to_owned());
    }
    let chosen = if swapped { "chosen and exchanged" } else { "chosen" };
    // Whoever looks on is told of X first, a player of their own side.
    let first = view.mine.first().copied().unwrap_or(Mark::X);
    let plays = |mark| {
        let (who, s) = (who(view, mark), if view.mine == [mark] { "" } else { "s" });
        format!("{who} play{s} {mark}")
    };
    let (one, other) = (sentence(&plays(first)), plays(first.other()));
    Some(format!("The sides are {chosen}. {one}, {other}."))
}
