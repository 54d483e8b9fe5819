//! The labels of the party's keys. One is empty while its key means nothing.

use noughts_protocol::{Entrant, PartyPhase, RoomCode};

use crate::strings::party::PartyTarget;
use crate::tui::app::App;

/// The label of Enter in the party.
pub(in crate::tui::app) fn enter(app: &App) -> &'static str {
    let own = |code: RoomCode| {
        let mine = app.session.party().and_then(|view| view.my_pairing()?.room);
        mine == Some(code)
    };
    match app.selected_table() {
        _ if app.is_awaited() => "ready",
        Some(room) if own(room) => "play",
        Some(_) => "watch",
        None => "",
    }
}

/// The label of Enter in a question's window: a ready check does not wait for the answer.
pub(in crate::tui::app) fn beside_question(app: &App) -> &'static str {
    if app.is_awaited() { "ready" } else { "" }
}

/// The label of Enter in a room of the party where it places no mark.
pub(in crate::tui::app) fn table(app: &App) -> &'static str {
    match app.is_done_at_table() {
        true if app.is_awaited() => "ready",
        true => "the party",
        false => "",
    }
}

/// The labels of the host's keys.
pub(in crate::tui::app) fn start(app: &App) -> &'static str {
    if app.is_hosting(PartyPhase::Gathering) { "start" } else { "" }
}

pub(in crate::tui::app) fn pause(app: &App) -> &'static str {
    match app.party() {
        Some(party) if app.is_hosting(PartyPhase::Playing) && party.state.paused => "go on",
        Some(_) if app.is_hosting(PartyPhase::Playing) => "pause",
        _ => "",
    }
}

pub(in crate::tui::app) fn skip(app: &App) -> &'static str {
    let Some(party) = app.party().filter(|party| party.is_host) else { return "" };
    match app.party_target() {
        Some(PartyTarget::Entrant(number)) if party.state.phase != PartyPhase::Over => {
            match party.state.entrant(number) {
                Some(entrant) if entrant.left => "bring back",
                Some(_) => "set aside",
                None => "",
            }
        }
        _ => "",
    }
}

/// The entrant on the selected line, if the player leads the party.
fn led(app: &App) -> Option<Entrant> {
    let party = app.party().filter(|party| party.is_host)?;
    match app.party_target()? {
        PartyTarget::Entrant(number) => party.state.entrant(number).cloned(),
        PartyTarget::Pairing(_) => None,
    }
}

pub(in crate::tui::app) fn rename(app: &App) -> &'static str {
    led(app).map_or("", |_| "rename")
}

pub(in crate::tui::app) fn place(app: &App) -> &'static str {
    let over = app.party().is_some_and(|party| party.state.phase == PartyPhase::Over);
    let person = led(app).filter(|entrant| entrant.computer.is_none() && !over);
    person.map_or("", |_| "give place")
}

pub(in crate::tui::app) fn decide(app: &App) -> &'static str {
    let host = app.party().is_some_and(|party| party.is_host);
    match app.party_target() {
        Some(PartyTarget::Pairing(_)) if host => "result",
        _ => "",
    }
}

pub(in crate::tui::app) fn end(app: &App) -> &'static str {
    if app.is_hosting(PartyPhase::Playing) { "end" } else { "" }
}

pub(in crate::tui::app) fn play(app: &App) -> &'static str {
    match app.party() {
        Some(party) if party.state.phase == PartyPhase::Over || app.party.is_kept_out => "",
        Some(party) => match party.own() {
            None => "play too",
            Some(own) if own.left => "play again",
            Some(_) => "",
        },
        None => "",
    }
}

pub(in crate::tui::app) fn withdraw(app: &App) -> &'static str {
    match app.party() {
        Some(party)
            if party.state.phase != PartyPhase::Over
                && party.own().is_some_and(|own| !own.left) =>
        {
            "drop out"
        }
        _ => "",
    }
}

pub(in crate::tui::app) fn list(app: &App) -> &'static str {
    match app.party() {
        Some(party) if party.state.phase != PartyPhase::Gathering => "list",
        _ => "",
    }
}

impl App {
    /// Whether the player leads a party in this phase.
    fn is_hosting(&self, phase: PartyPhase) -> bool {
        self.party().is_some_and(|party| party.is_host && party.state.phase == phase)
    }
}
