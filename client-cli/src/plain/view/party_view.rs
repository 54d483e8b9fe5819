//! The party in plain mode: what is printed of it, and what lines about it do. A room's lines are in `view`.

use noughts_client::session::RoomView;
use noughts_protocol::{
    ChatText, LobbyIntent, Pairing, PartyEvent, PartyIntent, PartyPhase, PartyRole, PassCode, Role,
    RoomIntent,
};

use super::PlainView;
use crate::plain::command::LineCommand;
use crate::plain::command::party::PartyLine;
use crate::strings::Row;
use crate::strings::party::{self, Party, PartyTarget, Standing};

impl PlainView {
    pub(super) fn party(&self) -> Option<Party<'_>> {
        Some(Party::of(self.console.session.party()?, self.console.now, true))
    }

    /// Where the table stands, in a line.
    pub(super) fn table_line(&self) -> Option<String> {
        let table = self.console.session.room()?.state.settings.party?;
        Some(crate::strings::capitalized(&format!("{}.", self.party()?.table(table))))
    }

    /// Whether a party goes on after the end of input: a host who says no more does not start it.
    pub(super) fn awaits_party(&self) -> bool {
        let waits = |party: &Party<'_>| party.state.phase == PartyPhase::Gathering && party.is_host;
        let goes_on = |party: Party<'_>| party.state.phase != PartyPhase::Over && !waits(&party);
        self.console.session.awaits_party() || self.party().is_some_and(goes_on)
    }

    /// Prints a party that was loaded: all of it at first, then what it means for the player.
    pub(super) fn party_came(&mut self) {
        let Some(party) = self.party() else { return };
        let title = party.title();
        let phase = party.phase();
        let status = party.status();
        let code = party.state.code;
        let gathers = party.state.phase == PartyPhase::Gathering;
        if self.known_party.replace(code) != Some(code) {
            self.console.print(&format!("Party {code}: {title} ({phase})."));
            if gathers {
                let server = self.share_address.clone();
                self.console.print("To come in, people open:");
                self.console.print(&format!("  {}", server.party_link(code)));
                self.console.print("or type:");
                let line = self.way_in.join_line("party join", code, &server);
                self.console.print(&format!("  {line}"));
            }
        }
        self.console.print(&status);
        self.ask_if_ready();
    }

    /// Prints what happened in the party.
    pub(super) fn party_event(&mut self, event: &PartyEvent) {
        let Some(party) = self.party() else { return };
        let text = party.event(event);
        let podium = match event {
            PartyEvent::Ended { .. } => party::podium(&party).into_iter().skip(1).collect(),
            _ => Vec::new(),
        };
        let over = matches!(event, PartyEvent::Ended { .. });
        let host = if party.is_host { ", again to begin again" } else { "" };
        text.iter().chain(&podium).for_each(|line| self.console.print(line));
        if over {
            self.console.print(&format!("Type standings to see all places{host}, or quit."));
        }
        self.ask_if_ready();
    }

    /// Prints the link that gives a place to another device.
    pub(super) fn place_pass(&mut self, entrant: u16, pass: &PassCode) {
        let Some(party) = self.party() else { return };
        let name = party.name(entrant);
        let link = self.share_address.place_link(party.state.code, pass);
        self.console.print(&format!(
            "The place of {name} goes to the device that opens this link, once and in two minutes:"
        ));
        self.console.print(&format!("  {link}"));
        self.console.print(&format!("or where somebody types: noughts party join '{link}'"));
    }

    /// Asks the player once for each pairing whether they are there.
    pub(super) fn ask_if_ready(&mut self) {
        let Some(party) = self.party() else { return };
        let Standing::Check(pairing) = party.standing() else { return };
        let number = pairing.number;
        let status = party.status();
        if self.asked_ready.replace(number) != Some(number) {
            self.console.print(&format!("{status} Type ready."));
        }
    }

    /// Whether a script's command has to wait for something in the party.
    pub(super) fn waits_in_party(&self, command: &LineCommand) -> bool {
        let Some(party) = self.party() else { return true };
        if !self.console.session.is_settled() {
            return true;
        }
        if party.state.phase == PartyPhase::Over {
            return false;
        }
        match command {
            LineCommand::Party(PartyLine::Ready) => !matches!(party.standing(), Standing::Check(_)),
            LineCommand::Cell(_)
            | LineCommand::Intent(
                RoomIntent::Choose { .. } | RoomIntent::Hint { .. } | RoomIntent::Resign { .. },
            ) => {
                let session = &self.console.session;
                let view = session.room().filter(|_| session.is_at_table());
                view.is_none_or(|view| view.my_turn().is_none() && view.my_choice().is_none())
            }
            _ => false,
        }
    }

    /// Does what a line about the party says.
    pub(super) fn party_line(&mut self, line: PartyLine) {
        let Some(party) = self.party() else { return };
        let code = party.state.code;
        match line {
            PartyLine::Status => {
                let title = party.title();
                let phase = party.phase();
                let status = party.status();
                self.console.print(&format!("Party {code}: {title} ({phase})."));
                self.console.print(&status);
            }
            PartyLine::Tables => self.list(party::tables),
            PartyLine::Standings => self.list(party::standings),
            PartyLine::Rounds => self.list(party::rounds),
            PartyLine::People => self.list(party::people),
            PartyLine::Ready => {
                if let Standing::Check(pairing) = party.standing() {
                    let pairing = pairing.number;
                    self.ask(PartyIntent::Ready { pairing });
                } else {
                    let status = party.status();
                    self.console.print(&format!("nobody asks whether you are ready. {status}"));
                }
            }
            PartyLine::Play => {
                self.ask(LobbyIntent::JoinParty { party: code, role: PartyRole::Player });
            }
            PartyLine::Watch(table) => self.watch_table(table),
            PartyLine::Leave => {
                if self.console.session.room().is_some_and(RoomView::is_watching) {
                    self.ask(RoomIntent::Leave);
                    self.console.print("You have left the table.");
                } else {
                    self.console
                        .print("you watch no table. Type drop out to play no more, or quit");
                }
            }
            PartyLine::Decide { table, winner, note } => self.decide(table, winner, note),
            PartyLine::Ask(intent) => self.ask(intent),
            PartyLine::Wrong(why) => self.console.print(why),
        }
    }

    pub(super) fn list(&mut self, rows: impl Fn(&Party<'_>) -> Vec<Row<PartyTarget>>) {
        let Some(party) = self.party() else { return };
        let rows = rows(&party);
        if rows.is_empty() {
            return self.console.print("There is nothing yet.");
        }
        rows.iter().for_each(|row| self.console.print(&row.text));
    }

    pub(super) fn watch_table(&mut self, table: u16) {
        let Some(party) = self.party() else { return };
        let is_there = |one: &&Pairing| one.table == table && one.outcome.is_none();
        let room = party.state.pairings.iter().find(is_there).and_then(|pairing| pairing.room);
        match room {
            // A player gets the seat back also as a spectator.
            Some(room) => self.ask(LobbyIntent::Join { room, role: Role::Spectator }),
            None => {
                self.console.print("no game runs at that table: type tables to see where one does");
            }
        }
    }

    /// Sets the result of the newest game at a table. The winner is a number of the list of people.
    pub(super) fn decide(&mut self, table: u16, winner: Option<u16>, note: Option<ChatText>) {
        let Some(party) = self.party() else { return };
        let pairing = party.state.pairings.iter().rev().find(|pairing| pairing.table == table);
        match pairing.map(|pairing| pairing.number) {
            Some(pairing) => self.ask(PartyIntent::Decide { pairing, winner, note }),
            None => self.console.print("there is no such table in this round: type tables"),
        }
    }
}
