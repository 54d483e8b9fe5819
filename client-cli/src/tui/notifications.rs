//! When the player is called to a window that they may not look at, with which words, and what the
//! window's title says. All of it is pure; [`crate::tui::terminal`] writes what it decides.

use noughts_client::session::{RoomView, Session};
use noughts_protocol::{DisplayText, Mark, PlayerName, RoomCode, Seat};

use crate::strings;

/// Whether the player looks at the window. Terminals that report no focus leave it unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Watched {
    #[default]
    Unknown,
    Yes,
    No,
}

/// An event that a player may miss in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moment {
    room: RoomCode,
    /// The number of the game and of the marks on the board.
    position: Option<(u32, u16)>,
    my_turn: bool,
    over: bool,
    /// Whether a seat is free.
    waiting: bool,
    /// Whether a person has the other seat.
    against_person: bool,
}

/// Why the player is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallReason {
    YourTurn,
    Joined,
    Over,
}

impl Moment {
    /// The moment of a player with one seat. Nobody else has to be called: who plays both sides is
    /// there, and who watches has nothing to do.
    fn of(view: &RoomView) -> Option<Self> {
        let &[mine] = &view.mine[..] else { return None };
        let game = view.state.game.as_ref();
        Some(Self {
            room: view.state.code,
            position: game.map(|numbered| (numbered.number, numbered.game.ply())),
            my_turn: view.my_turn().is_some() || view.my_choice().is_some(),
            over: game.is_some() && !view.state.is_running(),
            waiting: Mark::BOTH.iter().any(|mark| matches!(view.state.seats[*mark], Seat::Open)),
            against_person: matches!(view.state.seats[mine.other()], Seat::Human { .. }),
        })
    }

    /// Whether the player ended the game or moved with the step from `before`.
    const fn is_own(self, before: Self) -> bool {
        before.my_turn
            && matches!((before.position, self.position), (Some((_, a)), Some((_, b))) if b > a)
    }
}

/// The event that the player may have missed last, and whether they waited for a stranger then.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    moment: Option<Moment>,
    queued: bool,
}

impl Calls {
    /// The words with which to call the player about what has happened in the room since the last time.
    pub(crate) fn next(&mut self, session: &Session, watched: Watched) -> Option<DisplayText> {
        let now = session.room().and_then(Moment::of);
        let before = std::mem::replace(&mut self.moment, now);
        let queued = std::mem::replace(&mut self.queued, session.is_queued());
        let (call, moment) = call(before, now, queued).zip(now)?;
        let view = session.room().filter(|_| rings(watched, moment))?;
        Some(text(call, view))
    }
}

/// Why to call the player between two moments. `queued` says that a stranger was awaited before.
fn call(before: Option<Moment>, after: Option<Moment>, queued: bool) -> Option<CallReason> {
    let after = after?;
    let Some(before) = before.filter(|before| before.room == after.room) else {
        return queued.then_some(CallReason::Joined);
    };
    if after.over && !before.over {
        return (!after.is_own(before)).then_some(CallReason::Over);
    }
    if before.waiting && !after.waiting {
        return Some(CallReason::Joined);
    }
    let is_new = !before.my_turn || before.position != after.position;
    (after.my_turn && is_new).then_some(CallReason::YourTurn)
}

/// Whether to ring. A computer answers at once, so without a report of the focus it is no reason.
fn rings(watched: Watched, moment: Moment) -> bool {
    match watched {
        Watched::Yes => false,
        Watched::No => true,
        Watched::Unknown => moment.against_person,
    }
}

/// The words of a call.
fn text(call: CallReason, view: &RoomView) -> DisplayText {
    let code = view.state.code;
    let opponent = view.mine.first().map(|mark| strings::subject(view, mark.other()));
    let opponent = opponent.unwrap_or_default();
    let result = view.state.game.as_ref().and_then(|numbered| numbered.game.result());
    DisplayText::from(match (call, result) {
        (CallReason::Over, Some(result)) => {
            format!("{code}: {}", strings::result_text(view, result))
        }
        (CallReason::Joined, _) => format!("{code}: {opponent} is here."),
        _ => format!("{code}: your turn against {opponent}."),
    })
}

/// The window's title. In parentheses it counts what others said and the player has not read.
pub(crate) fn title(view: Option<&RoomView>, unread: usize, ascii: bool) -> String {
    let (dot, dash) = if ascii { ("*", "-") } else { ("●", "–") };
    let Some(view) = view else { return "Noughts".to_owned() };
    let code = view.state.code;
    let wanted = Moment::of(view).is_some_and(|moment| moment.my_turn);
    let turn = if wanted { format!("{dot} Your turn {dash} ") } else { String::new() };
    let unread = if unread > 0 { format!("({unread}) ") } else { String::new() };
    format!("{turn}{unread}{code} {dash} Noughts")
}

/// The window's title in a party: whether the player must say that they are there.
pub(crate) fn party_title(name: &PlayerName, awaited: bool, ascii: bool) -> String {
    let (dot, dash) = if ascii { ("*", "-") } else { ("●", "–") };
    let ready = if awaited { format!("{dot} Ready? {dash} ") } else { String::new() };
    format!("{ready}{name} {dash} Noughts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{my_view, snapshot, waiting, watched};

    fn moment(moves: &[u16]) -> Option<Moment> {
        Moment::of(&my_view(&snapshot("3x3x3", moves)))
    }

    #[test]
    fn a_player_is_called_for_a_turn_a_friend_and_the_end() {
        let alone = Moment::of(&my_view(&waiting()));
        for (before, after, expected) in [
            (moment(&[0]), moment(&[0, 4]), Some(CallReason::YourTurn)),
            (moment(&[]), moment(&[0]), None),
            (moment(&[0, 4]), moment(&[0, 4]), None),
            // Both moves came at once.
            (moment(&[]), moment(&[0, 4]), Some(CallReason::YourTurn)),
            (alone, moment(&[]), Some(CallReason::Joined)),
            // The player's own move won, then the opponent's.
            (moment(&[0, 3, 1, 4]), moment(&[0, 3, 1, 4, 2]), None),
            (moment(&[0, 3, 1, 4, 8]), moment(&[0, 3, 1, 4, 8, 5]), Some(CallReason::Over)),
            (None, moment(&[]), None),
        ] {
            assert_eq!(call(before, after, false), expected, "{before:?} {after:?}");
        }
        assert_eq!(call(None, moment(&[]), true), Some(CallReason::Joined), "a stranger came");
        assert_eq!(Moment::of(&my_view(&watched(snapshot("3x3x3", &[])))), None);
    }

    #[test]
    fn the_words_name_the_room_and_the_opponent() {
        let room = my_view(&snapshot("3x3x3", &[]));
        assert_eq!(text(CallReason::YourTurn, &room).as_str(), "KQRZX: your turn against Bob.");
        assert_eq!(text(CallReason::Joined, &room).as_str(), "KQRZX: Bob is here.");
        let over = my_view(&snapshot("3x3x3", &[0, 3, 1, 4, 8, 5]));
        assert!(text(CallReason::Over, &over).as_str().starts_with("KQRZX: Bob wins"));
    }

    #[test]
    fn the_title_says_whose_turn_it_is() {
        let mine = my_view(&snapshot("3x3x3", &[]));
        let other = my_view(&snapshot("3x3x3", &[0]));
        assert_eq!(title(None, 0, false), "Noughts");
        assert_eq!(title(Some(&mine), 0, false), "● Your turn – KQRZX – Noughts");
        assert_eq!(title(Some(&mine), 0, true), "* Your turn - KQRZX - Noughts");
        assert_eq!(title(Some(&other), 0, false), "KQRZX – Noughts");
        assert_eq!(title(Some(&other), 3, false), "(3) KQRZX – Noughts");
        let party = "Friday".parse().unwrap();
        assert_eq!(party_title(&party, true, true), "* Ready? - Friday - Noughts");
        assert_eq!(party_title(&party, false, false), "Friday – Noughts");
    }
}
