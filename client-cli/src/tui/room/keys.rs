//! The keys of a room, each with its label and its line of help: of a player, a spectator and a review.
//! Their effects are in [`super`].

use noughts_client::session::RoomView;
use noughts_protocol::{ClaimedResult, Mark, OpeningChoice, Pace};

use super::{cell_prompt, is_turn, takes_cell_names, talk, turned};
use crate::tui::keys::{Key, KeyAction, key, labelled};
use crate::tui::shell::Shell;

/// The key that offers and accepts a rematch, for a sentence.
pub(super) const REMATCH: &str = "r";

/// The keys that claim a win and a draw.
pub(super) const CLAIMS: [&str; 2] = ["c", "d"];

const RESIGN: &str = "resign: you lose this game";

/// The keys of a player, who may have to choose in a swap2 opening, or chooses the mark to place.
pub(super) fn player(shell: &Shell, choice: Option<bool>, ink: Mark) -> Vec<Key> {
    let playing = shell.is_playing();
    let is_small = |view: &RoomView| view.state.settings.board.cells() <= 9;
    let on_numbers = playing && shell.session.room().is_some_and(is_small);
    let rematch = rematch_label(shell);
    let away = |view: &RoomView| view.away_opponent().filter(|_| view.is_playing());
    let is_away = shell.session.room().and_then(away).is_some();
    let claim = shell
        .if_room("claim the win", |view| away(view).is_some_and(|(_, from)| from <= shell.now));
    let enter = match shell.is_done_at_table() {
        true => table_label(shell),
        false => shell.if_room("play", is_turn),
    };
    let new =
        shell.if_room("new series", |view| view.may_rematch() && view.presence.rematch.is_none());
    let hint = shell.if_room("hint", |view| {
        is_turn(view) && view.opening().is_none() && view.state.gives_hints()
    });
    let mut keys = vec![
        labelled("Enter, space", KeyAction::Enter, enter, "place your mark"),
        key("arrows", KeyAction::Move, "", "move the cursor").when(playing),
        key("hjkl", KeyAction::Move, "", "move the cursor too").when(on_numbers),
        key("1-9", KeyAction::Number, "", "place it at once").when(on_numbers),
    ];
    if let Some(may_add) = choice {
        keys.extend(opening(may_add));
    } else {
        let names = shell.session.room().is_some_and(takes_cell_names);
        let label = if names { shell.if_room("cell", is_turn) } else { "" };
        keys.push(key(cell_prompt::KEY, KeyAction::TypeCell, label, TYPE_CELL).when(names));
    }
    let inks = shell.session.room().is_some_and(RoomView::has_inks);
    if inks {
        for (name, mark, label, help) in [
            ("x", Mark::X, "places X", "place X from now on"),
            ("o", Mark::O, "places O", "place O from now on"),
        ] {
            keys.push(key(name, KeyAction::Ink(mark), if ink == mark { "" } else { label }, help));
        }
    }
    let [win, draw] = CLAIMS;
    let claims = [ClaimedResult::Win, ClaimedResult::Draw].map(KeyAction::Claim);
    let series = "a new series: open, first to 3 or first to 5";
    let resign = if choice.is_some() || inks { ("R", "resign") } else { ("R, x", RESIGN) };
    keys.extend([
        // The server says how long it is too early. The letter begins no cell meanwhile.
        key(win, claims[0], claim, "claim the win: they are away").when(is_away),
        key(draw, claims[1], "", "claim a draw instead").when(is_away),
        labelled(REMATCH, KeyAction::Rematch, rematch, "rematch: offer, accept, withdraw"),
        key("N", KeyAction::Series, new, series).when(!rematch.is_empty()),
        key(resign.0, KeyAction::Resign, if playing { "resign" } else { "" }, resign.1)
            .when(playing),
    ]);
    keys.extend(take_back(shell));
    keys.push(labelled("i", KeyAction::Hint, hint, "a hint: one good cell, and why"));
    keys.extend(everybody(shell));
    let (leave, leave_help) = match shell.session.is_at_table() {
        true => ("party", "to the party; a seat is kept"),
        false if playing => ("leave", "leave: you lose this game"),
        false => ("leave", "leave the room, to the menu"),
    };
    keys.push(key("q, Esc", KeyAction::Back, leave, leave_help));
    keys.push(key("m", KeyAction::Menu, "menu", "to the menu; your seat is kept"));
    keys.extend(strength(shell));
    keys
}

const TYPE_CELL: &str = "type a cell: b2, Enter. Column letters that are no keys begin it too";

/// Whether a key does nothing before the connection is back.
pub(crate) fn awaits_connection(shell: &Shell, action: KeyAction) -> bool {
    let session = &shell.session;
    session.lost().is_some()
        && match action {
            KeyAction::Enter => session.sent_move().is_some() || session.sent_resignation(),
            KeyAction::Resign => session.sent_resignation(),
            KeyAction::Hint | KeyAction::Review | KeyAction::Talk => true,
            _ => false,
        }
}

/// The keys that take back a move, and say no to the opponent. The last row names them while the opponent asks, and
/// against a computer.
fn take_back(shell: &Shell) -> Vec<Key> {
    let asked = shell.if_room("allow", |view| view.asks_back(false).is_some());
    let alone = |view: &RoomView| view.may_take_back() && !view.state.has_two_people();
    let label = if asked.is_empty() { shell.if_room("take back", alone) } else { asked };
    let may = shell.session.room().is_some_and(RoomView::may_take_back);
    let mut keys =
        vec![key("u", KeyAction::TakeBack, label, "take back your move, or allow it").when(may)];
    let offered = |view: &RoomView| view.may_rematch() && view.offered_by_opponent().is_some();
    let waits = |view: &RoomView| view.asks_back(false).is_some() || offered(view);
    // At other times the letter is a column's.
    if shell.session.room().is_some_and(waits) {
        keys.push(key("n", KeyAction::Decline, "no", "no to what the opponent asks"));
    }
    keys
}

/// The keys of a person whose opponent is a computer with strengths. The last row names them between games.
fn strength(shell: &Shell) -> [Key; 2] {
    let adjusts = shell.session.room().is_some_and(|view| view.adjustable().is_some());
    let label = |label| if adjusts && !shell.is_playing() { label } else { "" };
    [
        key("+, =", KeyAction::Harder, label("harder"), "a stronger computer").when(adjusts),
        key("-", KeyAction::Easier, label("easier"), "a weaker computer").when(adjusts),
    ]
}

/// The keys of somebody who watches, and perhaps leads two computers.
pub(super) fn spectator(shell: &Shell, leads: bool) -> Vec<Key> {
    let mut keys = Vec::new();
    if leads {
        let pace = shell.session.room().map_or(Pace::Normal, |view| view.state.pace);
        let paused = pace == Pace::Paused;
        let label = |faster, label| if turned(pace, faster).is_some() { label } else { "" };
        let pause = if paused { "play on" } else { "pause" };
        let step = if paused { "step" } else { "" };
        keys.extend([
            key("space, p", KeyAction::Pause, pause, "pause, or let them play on"),
            labelled("n, .", KeyAction::Step, step, "one move, or the next game"),
            labelled("+, =", KeyAction::Faster, label(true, "faster"), "faster"),
            labelled("-", KeyAction::Slower, label(false, "slower"), "slower"),
        ]);
    } else {
        let table = table_label(shell);
        keys.push(labelled("Enter, space", KeyAction::Enter, table, "ready; else to the party"));
    }
    keys.extend(everybody(shell));
    let (stop, stop_help) = match shell.session.is_at_table() {
        true => ("party", "to the party; a seat is kept"),
        false => ("stop watching", "stop watching, to the menu"),
    };
    keys.push(key("q, Esc", KeyAction::Back, stop, stop_help));
    keys.push(key("m", KeyAction::Menu, "menu", "to the menu, and watch on"));
    keys
}

/// The keys of a choice in a swap2 opening.
const fn opening(may_add: bool) -> [Key; 3] {
    let add = if may_add { "add two marks" } else { "" };
    let add_help = "add two marks, then the other chooses";
    [
        key("x", KeyAction::Choose(OpeningChoice::X), "play X", "play X"),
        key("o", KeyAction::Choose(OpeningChoice::O), "play O", "play O"),
        labelled("a", KeyAction::Choose(OpeningChoice::Add), add, add_help),
    ]
}

/// The keys of everybody in a room.
fn everybody(shell: &Shell) -> [Key; 6] {
    // A spectator may review the last game while the next one runs.
    let review = shell.if_room("review", |view| {
        let has_moves = view.state.game.as_ref().is_some_and(|last| last.game.ply() > 0);
        match view.state.is_running() {
            true => view.is_watching() && view.last_finished().is_some(),
            false => has_moves,
        }
    });
    let again = if shell.last_kept().is_some() { "look again" } else { "" };
    let talk = talk::label(shell);
    let say = "say something to the people in the room";
    let mute = "/mute NAME hides what somebody says";
    let may_talk = talk::may_talk(shell);
    let copy = shell.if_room("copy the link", |view| view.state.game.is_none());
    [
        labelled("v", KeyAction::Review, review, "review the game that is over"),
        labelled("w", KeyAction::Replay, again, "look at the last game again"),
        key("t", KeyAction::Talk, talk, say).when(may_talk),
        key(":", KeyAction::Emotes, "", "say an emote").when(may_talk),
        key("/", KeyAction::ChatCommand, "", mute).when(may_talk),
        key("y", KeyAction::Copy, copy, "copy the room's link"),
    ]
}

fn rematch_label(shell: &Shell) -> &'static str {
    match shell.session.room().filter(|view| view.may_rematch()) {
        None => "",
        Some(view) if view.offered_by_me() => "withdraw the offer",
        Some(view) if view.offered_by_opponent().is_some() => match view.presence.series {
            Some(_) => "accept the new series",
            None => "accept the rematch",
        },
        Some(view) if view.state.series.winner(view.state.score).is_some() => "next series",
        Some(_) => "rematch",
    }
}

/// The keys of a review.
pub(super) fn review() -> Vec<Key> {
    vec![
        key("arrows, hjkl", KeyAction::Move, "step", "step through the moves"),
        key("space", KeyAction::Move, "", "the next move"),
        key("Home", KeyAction::First, "", "before the first move"),
        key("End", KeyAction::Last, "", "after the last move"),
        key("Esc, q, v", KeyAction::Back, "back", "back to the game"),
    ]
}

/// The label of Enter in a room of the party where it places no mark.
fn table_label(shell: &Shell) -> &'static str {
    match shell.is_done_at_table() {
        true if shell.is_awaited() => "ready",
        true => "the party",
        false => "",
    }
}
