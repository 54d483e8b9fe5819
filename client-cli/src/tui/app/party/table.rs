//! The tables of a party: the way to a room and back, and what a room tells of the party.

use noughts_protocol::party::MAX_PAIRING_GAMES;
use noughts_protocol::{GameResult, PartyIntent, RoomIntent};

use crate::session::RoomView;
use crate::strings::party::Standing;
use crate::tui::app::App;

impl App {
    /// Whether the room on the screen is a table of the party that the player follows.
    pub(crate) fn is_at_table(&self) -> bool {
        let table = self.session.room().and_then(|view| view.state.settings.party);
        let party = self.session.party().map(|view| view.state.code);
        table.is_some_and(|table| party == Some(table.party))
    }

    /// Whether the player must say that they are there.
    pub(crate) fn is_awaited(&self) -> bool {
        self.party().is_some_and(|party| matches!(party.standing(), Standing::Check(_)))
    }

    /// Says that the player is there, if that is asked.
    pub(super) fn say_ready(&mut self) -> bool {
        let pairing = self.party().and_then(|party| match party.standing() {
            Standing::Check(pairing) => Some(pairing.number),
            _ => None,
        });
        pairing.into_iter().for_each(|pairing| self.ask(PartyIntent::Ready { pairing }));
        pairing.is_some()
    }

    /// Handles Enter in a room of the party, where it places no mark.
    pub(in crate::tui::app) fn enter_from_table(&mut self) {
        if !self.say_ready() {
            self.leave_table();
        }
    }

    /// Whether Enter leads on from the room: its game is over, or the player is awaited elsewhere.
    pub(crate) fn is_done_at_table(&self) -> bool {
        let Some(view) = self.session.room().filter(|_| self.is_at_table()) else { return false };
        !view.state.is_running() || (view.is_watching() && self.is_awaited())
    }

    /// Goes from a room of the party to the party. A spectator leaves the room; a player keeps the
    /// seat.
    pub(in crate::tui::app) fn leave_table(&mut self) {
        if self.session.room().is_some_and(RoomView::is_watching) {
            self.ask(RoomIntent::Leave);
        }
        self.review_ply = None;
        self.show_party();
    }

    /// The line of a party's room about how to go on.
    pub(crate) fn at_table(&self) -> Vec<String> {
        let Some((view, party)) = self.session.room().zip(self.party()) else { return Vec::new() };
        if !self.is_at_table() {
            return Vec::new();
        }
        let awaited = matches!(party.standing(), Standing::Check(_));
        if awaited {
            return vec![format!("{} Enter: you are.", party.status())];
        }
        let game = view.state.game.as_ref();
        let result = game.and_then(|numbered| numbered.game.result());
        match (result, view.state.settings.party) {
            (None, _) | (_, None) => Vec::new(),
            (Some(result), Some(table)) => {
                let open = party.state.pairing(table.pairing).filter(|one| one.outcome.is_none());
                let again = is_drawn(result) && table.game < MAX_PAIRING_GAMES && open.is_some();
                let next = open.and_then(|pairing| pairing.order_in(table.game + 1));
                let draw = next.filter(|_| again).map(|(first, _)| {
                    let verb = if party.me == Some(first) { "you begin" } else { "begins" };
                    let name = if party.me == Some(first) { "" } else { party.name(first) };
                    format!("Played again in a moment: {name} {verb}.").replace(":  ", ": ")
                });
                draw.into_iter().chain(["Enter: back to the party".to_owned()]).collect()
            }
        }
    }
}

fn is_drawn(result: &GameResult) -> bool {
    result.winner().is_none()
}
