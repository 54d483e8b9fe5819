//! How a program plays in a party: it comes in if it can play there, is always ready, plays the games
//! that it is led to, and ends with the podium.

use std::time::{Duration, Instant};

use noughts_protocol::{
    LobbyIntent, PartyCode, PartyEvent, PartyIntent, PartyPhase, PartyRole, Refusal, RefusalCode,
};

use super::{Conversation, can_play};
use crate::client::Exit;
use crate::strings;
use crate::strings::party::Party;

/// How long to wait before the program says again that it is ready, if that had no effect.
const READY_AGAIN: Duration = Duration::from_secs(3);

/// The program's last word to the party.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Whether it has asked to play.
    plays: bool,
    /// The last pairing that it was ready for, and when it said so.
    ready: Option<(u32, Instant)>,
}

impl Conversation {
    /// The code is that of a party: looks at it first.
    pub(super) fn is_party(&mut self, party: PartyCode) {
        self.ask(LobbyIntent::JoinParty { party, role: PartyRole::Spectator });
    }

    /// The party has shown itself.
    pub(super) fn party(&mut self) {
        let Some(view) = self.session.party() else { return };
        let (code, plays) = (view.state.code, view.me().is_some());
        if self.said.plays {
            if !plays {
                let why = "the party takes nobody in any more, or it is over";
                self.leave(Exit::Refused(why.to_owned()));
            }
            return;
        }
        let settings = view.state.settings;
        if let Err(why) = can_play("party", settings.board, settings.opening) {
            return self.leave(Exit::Refused(why));
        }
        let text = Party::of(view, self.now, false).title();
        self.print(&format!("Party {code}: {text}."));
        self.said.plays = true;
        self.ask(LobbyIntent::JoinParty { party: code, role: PartyRole::Player });
    }

    /// Something happened in the party.
    pub(super) fn party_event(&mut self, event: &PartyEvent) {
        let Some(view) = self.session.party() else { return };
        let text = Party::of(view, self.now, false).event(event);
        text.into_iter().for_each(|text| self.print(&text));
    }

    /// The server does not let the program into the party again.
    pub(super) fn party_lost(&mut self, party: PartyCode, refusal: &Refusal) {
        let why = match refusal.code {
            RefusalCode::NoSuchParty => format!("party {party} has ended"),
            _ => refusal.to_string(),
        };
        self.exit = Some(Exit::Lost(format!("the party could not be entered again: {why}")));
    }

    /// Says that the program is ready, and ends with the podium.
    pub(super) fn go_on_in_party(&mut self) {
        let Some(view) = self.session.party() else { return };
        if view.state.phase == PartyPhase::Over {
            let rows = strings::party::podium(&Party::of(view, self.now, false));
            rows.iter().for_each(|row| self.print(row));
            return self.leave(Exit::Done);
        }
        let Some(pairing) = view.my_pairing().map(|pairing| pairing.number) else { return };
        let said = self.said.ready.filter(|(said, at)| {
            *said == pairing && self.now.saturating_duration_since(*at) < READY_AGAIN
        });
        if view.check_ends(pairing).is_some() && !view.is_ready() && said.is_none() {
            self.said.ready = Some((pairing, self.now));
            self.ask(PartyIntent::Ready { pairing });
        }
    }

    /// Plays no more in the party: a program that failed has no place in it.
    pub(super) fn withdraw(&mut self) {
        if self.session.party().is_some() {
            self.ask(PartyIntent::Withdraw);
        }
    }
}

#[cfg(test)]
mod tests;
