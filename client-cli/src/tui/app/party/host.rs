//! The host's actions on the selected line of a party: setting somebody aside, renaming them, giving their
//! place to another device, changing a result.

use std::time::{Duration, Instant};

use noughts_protocol::{ChatText, PASS_MS, PartyIntent, PassCode};

use super::HostText;
use crate::strings::party::PartyTarget;
use crate::tui::app::{App, Effect, Overlay, Question, Screen, TextField};

impl App {
    /// Sets the selected entrant aside, or brings them back.
    pub(super) fn skip_selected(&mut self) {
        let Some(view) = self.session.party() else { return };
        match self.party_target() {
            Some(PartyTarget::Entrant(entrant)) => {
                let skip = view.state.entrant(entrant).is_some_and(|entrant| !entrant.left);
                self.ask(PartyIntent::Skip { entrant, skip });
            }
            _ => self.error("select somebody among the standings first"),
        }
    }

    /// The pairing whose result the host is asked for: its number, and both entrants.
    pub(super) fn decided_pairing(&self) -> Option<(u32, u16, u16)> {
        let Some(Overlay::Question(Question::Decide(number))) = self.overlay else { return None };
        let (first, second, _) = self.session.party()?.state.decided(number)?;
        Some((number, first, second?))
    }

    /// The text of the question for a result.
    pub(in crate::tui::app) fn decide_text(&self) -> String {
        let names = self.decided_pairing().zip(self.party());
        let Some(((_, first, second), party)) = names else {
            return "This pairing has one player only.".to_owned();
        };
        let (first, second) = (party.name(first), party.name(second));
        format!("{first} against {second}: who has won? 1 is {first}, 2 is {second}.")
    }

    /// Keeps the winner and asks for a note.
    pub(super) fn choose_winner(&mut self, winner: Option<u8>) {
        let pairing = self.decided_pairing();
        self.overlay = None;
        let Some((number, first, second)) = pairing else { return };
        let winner = winner.map(|one| if one == 1 { first } else { second });
        self.type_text(HostText::Note(number, winner));
    }

    fn type_text(&mut self, text: HostText) {
        self.party.typed = Some((text, self.selected()));
        self.show(Screen::PartyNote(TextField::default()));
    }

    /// Types a new name for the selected entrant.
    pub(super) fn rename_selected(&mut self) {
        match self.party_target() {
            Some(PartyTarget::Entrant(entrant)) => self.type_text(HostText::Name(entrant)),
            _ => self.error("select somebody among the standings first"),
        }
    }

    /// Asks for a pass for the place of the selected entrant.
    pub(super) fn give_selected(&mut self) {
        match self.party_target() {
            Some(PartyTarget::Entrant(entrant)) => self.ask(PartyIntent::PlacePass { entrant }),
            _ => self.error("select somebody among the standings first"),
        }
    }

    /// Shows the pass for a place, and copies its link.
    pub(in crate::tui::app) fn place_pass_came(&mut self, entrant: u16, pass: &PassCode) {
        let Some(view) = self.session.party() else { return };
        let link = self.share_address.place_link(view.state.code, pass);
        let until = self.now + Duration::from_millis(PASS_MS.into());
        self.party.pass = Some((entrant, link.clone(), until));
        self.effects.push(Effect::Copy(link));
    }

    /// The pass for a place that may still be used.
    pub(in crate::tui::app) fn place_pass(&self) -> Option<&(u16, String, Instant)> {
        self.party.pass.as_ref().filter(|(.., until)| self.now < *until)
    }

    /// The title of the page on which the host types, and the label of the field.
    pub(in crate::tui::app) fn typed_title(&self) -> (String, &'static str) {
        match self.party.typed {
            Some((HostText::Name(entrant), _)) => {
                let name = self.party().map(|party| party.name(entrant).to_owned());
                (format!("Another name for {}", name.unwrap_or_default()), "Name:")
            }
            _ => ("A note for everybody: why is it so? It may be empty.".to_owned(), "Note:"),
        }
    }

    /// Sends what the host has typed.
    pub(in crate::tui::app) fn send_typed(&mut self) {
        let Screen::PartyNote(field) = &self.screen else { return };
        let text = field.text().trim();
        let intent = match self.party.typed {
            Some((HostText::Note(pairing, winner), _)) => {
                let note = match text.parse::<ChatText>() {
                    _ if text.is_empty() => None,
                    Ok(note) => Some(note),
                    Err(why) => return self.error(why.to_string()),
                };
                PartyIntent::Decide { pairing, winner, note }
            }
            Some((HostText::Name(entrant), _)) => match text.parse() {
                Ok(name) => PartyIntent::Rename { entrant, name },
                Err(why) => return self.error(format!("{why}")),
            },
            None => return,
        };
        self.back_from_note();
        self.ask(intent);
    }

    /// Shows the party again, with the line selected that was.
    pub(in crate::tui::app) fn back_from_note(&mut self) {
        self.show_party();
        if let Some((.., line)) = self.party.typed.take() {
            self.list.select(Some(line));
        }
    }
}
