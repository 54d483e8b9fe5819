//! The texts about a swap2 opening.

use noughts_client::session::RoomView;
use noughts_protocol::{Mark, OpeningPhase};

use super::{player_name, subject, with_verb};

/// The next step of the opening; `None` if it is over.
pub(super) fn status(view: &RoomView, phase: OpeningPhase) -> Option<String> {
    let next = view.state.running()?.game.to_move();
    let by = phase.by();
    let mine = view.mine.contains(&by);
    Some(match phase {
        OpeningPhase::Placing { until_ply: 3, .. } if mine => {
            format!("Place three marks: X, O, X. Then the other player chooses. Next: {next}.")
        }
        OpeningPhase::Placing { .. } if mine => format!("Add two marks: O, X. Next: {next}."),
        OpeningPhase::Placing { until_ply: 3, .. } => {
            format!("{} three marks for the opening. Next: {next}.", with_verb(view, by, "place"))
        }
        OpeningPhase::Placing { .. } => {
            format!("{} two marks. Next: {next}.", with_verb(view, by, "add"))
        }
        OpeningPhase::Choosing { may_add: true, .. } if mine => {
            "Choose: x play X, o play O, a add two marks.".to_owned()
        }
        OpeningPhase::Choosing { .. } if mine => "Choose: x play X, o play O.".to_owned(),
        OpeningPhase::Choosing { .. } => format!("{} a side.", with_verb(view, by, "choose")),
    })
}

/// The player who placed the latest mark; `None` if it is the mark's own player.
pub(super) fn placed(view: &RoomView, mark: Mark, label: &str) -> Option<String> {
    let by = match view.opening()? {
        OpeningPhase::Placing { by, .. } => by,
        // The last mark of a phase leads to the choice of the other player.
        OpeningPhase::Choosing { by, .. } => by.other(),
    };
    let placed = || format!("{} {mark} on {label}.", with_verb(view, by, "place"));
    (view.mine.len() != 2).then(placed)
}

/// The text about the choice of sides.
pub(super) fn chosen(view: &RoomView, exchanged: bool) -> String {
    if view.mine.len() == 2 {
        return "The sides are chosen.".to_owned();
    }
    let chosen = if exchanged { "chosen and exchanged" } else { "chosen" };
    // Players read their own side first, spectators X's.
    let first = view.mine.first().copied().unwrap_or(Mark::X);
    let plays = |name: String, mark| {
        let s = if view.mine == [mark] { "" } else { "s" };
        format!("{name} play{s} {mark}")
    };
    let second = first.other();
    let one = plays(subject(view, first), first);
    let other = plays(player_name(view, second), second);
    format!("The sides are {chosen}. {one}, {other}.")
}
