//! The texts of keys in the last row. One is empty while its key means nothing, or while the row has
//! no room for it.

use noughts_protocol::Pace;

use super::{App, Binding, KeyAction, Overlay, ROOM, Screen};
use crate::session::RoomView;
use crate::tui::app::exhibition;
use crate::tui::app::party::labels as party;

/// The effect of a key at the moment: leaving costs only a running game.
pub(super) fn help_of(app: &App, binding: &Binding) -> &'static str {
    let leaves = binding.action == KeyAction::Back && binding.contexts == ROOM;
    if binding.action == KeyAction::Back && app.is_at_table() {
        "to the party; a seat is kept"
    } else if leaves && !app.is_playing() {
        "leave the room, to the menu"
    } else {
        binding.help
    }
}

pub(super) fn more(app: &App) -> &'static str {
    match app.overlay {
        Some(Overlay::Help { page }) if app.help(page + 1).is_some() => "more",
        _ => "",
    }
}

/// A list of public rooms may be empty.
pub(super) fn move_in_list(app: &App) -> &'static str {
    match app.screen {
        Screen::Lobby if app.selected_room().is_none() => "",
        // The row names the filters instead.
        Screen::Games if app.size.width < 100 => "",
        _ => "move",
    }
}

pub(super) fn leave(app: &App) -> &'static str {
    if app.is_at_table() { "party" } else { "leave" }
}

pub(super) fn stop_watching(app: &App) -> &'static str {
    if app.is_at_table() { "party" } else { "stop watching" }
}

pub(super) fn stop_waiting(app: &App) -> &'static str {
    if app.may_go_back() || app.may_give_up_server() { "back" } else { "quit" }
}

pub(super) fn leave_form(app: &App) -> &'static str {
    if app.may_give_up_server() { "back" } else { "quit" }
}

/// From the settings the last field saves both.
pub(super) fn next_field(app: &App) -> &'static str {
    if app.selected() == 1 && app.may_give_up_server() { "save" } else { "next" }
}

pub(super) fn resign(app: &App) -> &'static str {
    app.if_room("resign", RoomView::is_playing)
}

pub(super) fn copy(app: &App) -> &'static str {
    app.if_room("copy the link", |view| view.state.game.is_none())
}

pub(super) fn enter_room(app: &App) -> &'static str {
    match app.selected_room() {
        Some(_) if app.client.choice.features.spectators => "watch",
        Some((_, true)) => "play",
        _ => "",
    }
}

pub(super) fn take_seat(app: &App) -> &'static str {
    if app.client.choice.features.spectators && app.selected_room().is_some_and(|(_, free)| free) {
        "play"
    } else {
        ""
    }
}

/// Whether the player is to place a mark.
fn is_turn(view: &RoomView) -> bool {
    view.my_turn().is_some() && view.my_choice().is_none()
}

pub(super) fn play(app: &App) -> &'static str {
    if app.is_done_at_table() {
        return party::table(app);
    }
    app.if_room("play", is_turn)
}

pub(super) fn type_cell(app: &App) -> &'static str {
    if app.takes_cell_names() { app.if_room("cell", is_turn) } else { "" }
}

pub(super) fn add(app: &App) -> &'static str {
    app.if_room("add two marks", |view| view.my_choice() == Some(true))
}

pub(super) fn claim(app: &App) -> &'static str {
    let is_over = |(_, from)| from <= app.now;
    app.if_room("claim the win", |view| {
        view.is_playing() && view.away_opponent().is_some_and(is_over)
    })
}

pub(super) fn hint(app: &App) -> &'static str {
    app.if_room("hint", |view| {
        is_turn(view) && view.opening().is_none() && view.state.settings.hints
    })
}

pub(super) fn rematch(app: &App) -> &'static str {
    match app.session.room().filter(|view| view.may_rematch()) {
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

pub(super) fn review(app: &App) -> &'static str {
    // A spectator may review the last game while the next one runs.
    app.if_room("review", |view| {
        view.last_finished().is_some() && (view.is_watching() || !view.state.is_running())
    })
}

pub(super) fn new_series(app: &App) -> &'static str {
    app.if_room("new series", |view| view.may_rematch() && view.presence.rematch.is_none())
}

pub(super) fn pause(app: &App) -> &'static str {
    if is_paused(app) { "play on" } else { "pause" }
}

pub(super) fn step(app: &App) -> &'static str {
    if is_paused(app) { "step" } else { "" }
}

pub(super) fn faster(app: &App) -> &'static str {
    app.if_room("faster", |view| exhibition::turned(view.state.pace, true).is_some())
}

pub(super) fn slower(app: &App) -> &'static str {
    app.if_room("slower", |view| exhibition::turned(view.state.pace, false).is_some())
}

fn is_paused(app: &App) -> bool {
    app.session.room().is_some_and(|view| view.state.pace == Pace::Paused)
}
