//! The host's actions on the selected line of a party: setting somebody aside, changing a result.

use noughts_protocol::{ChatText, PartyIntent};

use crate::app::{App, Overlay, Question, Screen, TextField};
use crate::strings::party::Target;

impl App {
    /// Sets the selected entrant aside, or brings them back.
    pub(super) fn skip_selected(&mut self) {
        let Some(view) = self.session.party() else { return };
        match self.party_target() {
            Some(Target::Entrant(entrant)) => {
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
    pub(in crate::app) fn decide_text(&self) -> String {
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
        self.party.decides = Some((number, winner, self.selected()));
        self.show(Screen::PartyNote(TextField::default()));
    }

    /// Sends the result with the typed note.
    pub(in crate::app) fn decide_typed(&mut self) {
        let Screen::PartyNote(field) = &self.screen else { return };
        let text = field.text().trim();
        let note = match text.parse::<ChatText>() {
            _ if text.is_empty() => None,
            Ok(note) => Some(note),
            Err(why) => return self.error(why.to_string()),
        };
        if let Some((pairing, winner, _)) = self.party.decides {
            self.back_from_note();
            self.ask(PartyIntent::Decide { pairing, winner, note });
        }
    }

    /// Shows the party again, with the line selected that was.
    pub(in crate::app) fn back_from_note(&mut self) {
        self.show_party();
        if let Some((.., line)) = self.party.decides.take() {
            self.list.select(Some(line));
        }
    }
}
