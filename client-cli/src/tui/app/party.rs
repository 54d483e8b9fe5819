//! A party on the full screen: who plays whom, how it stands, and what its host may do.

use std::mem;
use std::time::Instant;

use noughts_protocol::{
    LobbyIntent, PartyEvent, PartyIntent, PartyPhase, PartyRole, Role, RoomCode,
};
use ratatui::layout::{Rect, Size};
use ratatui::widgets::ListState;

use super::{App, Effect, Overlay, Page, Question, Screen};
use crate::choices::party::PartyChoices;
use crate::strings::Row;
use crate::strings::party::{self, Party, PartyTarget, Standing};
use crate::strings::wrap;
use crate::tui::colors::ColorDepth;
use crate::tui::layout;
use crate::tui::qr::Qr;

mod host;
pub(super) mod labels;
mod table;

/// The least columns beside a QR code.
const BESIDE_QR: u16 = 40;

/// The lists of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PartyList {
    /// The games of this round.
    #[default]
    Tables,
    /// Everybody in order.
    Standings,
    /// All rounds.
    Rounds,
}

/// The state of the screen beside the session's party.
#[derive(Debug, Default)]
pub(crate) struct PartyScreen {
    list: PartyList,
    /// The pairing of the last ready check for which the player was called.
    called: Option<u32>,
    /// The text that the host types, and the line that was selected.
    typed: Option<(HostText, usize)>,
    /// The entrant of the last pass for a place, its link, and when it ends.
    pass: Option<(u16, String, Instant)>,
    /// Whether the player asked to play, and the party has not come since.
    asks_to_play: bool,
    /// Whether only the host can let the player play again, as far as one can tell.
    is_kept_out: bool,
}

/// A text that the host types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostText {
    /// The note for a result: of the pairing, with this winner.
    Note(u32, Option<u16>),
    /// The new name of an entrant.
    Name(u16),
}

/// The action of a key of the party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartyKey {
    /// The host starts it.
    Start,
    /// The host pauses it, or lets it go on.
    Pause,
    /// The host sets the selected entrant aside, or brings them back.
    Skip,
    /// The host gives the selected entrant another name.
    Rename,
    /// The host gives the place of the selected entrant to another device.
    Place,
    /// The host changes the result of the selected pairing.
    Decide,
    /// The host ends it.
    End,
    /// The player plays too, or again.
    Play,
    /// The player plays no more.
    Withdraw,
    /// The player is ready, though a question is open.
    Ready,
    /// The next list.
    List,
    /// The first entrant of the pairing has won, the second one, or nobody.
    Winner(Option<u8>),
}

impl PartyList {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Tables, "Tables"), (Self::Standings, "Standings"), (Self::Rounds, "Rounds")];
}

impl App {
    /// The party that the player follows, in words.
    pub(crate) fn party(&self) -> Option<Party<'_>> {
        let view = self.session.party()?;
        Some(Party::of(view, self.now, self.client.options.ascii))
    }

    /// The party was loaded: shows it, unless the player's game is on the screen.
    pub(super) fn party_came(&mut self) {
        let plays = self.party().is_some_and(|party| party.own().is_some_and(|own| !own.left));
        let asked = mem::take(&mut self.party.asks_to_play);
        self.party.is_kept_out &= !plays;
        if asked && !plays {
            self.party.is_kept_out = true;
            self.error(match self.party().and_then(|party| party.own()) {
                Some(_) => "only the host can bring you back",
                None => "nobody new can play in this party any more",
            });
        }
        let in_room = matches!(self.screen, Screen::Room) && self.is_at_table();
        let waits = matches!(self.screen, Screen::Entering | Screen::Connecting);
        if !in_room && waits {
            self.show_party();
        }
    }

    /// Shows the party.
    pub(super) fn show_party(&mut self) {
        self.overlay = None;
        self.show(Screen::Party);
        self.select_first_row();
    }

    /// Goes on from the name of a new party to its settings.
    pub(super) fn name_party(&mut self) {
        let Screen::PartyName(field) = &self.screen else { return };
        match field.text().trim().parse() {
            Ok(name) => {
                let choices = PartyChoices::new(name, self.client.choice.features);
                self.message = None;
                self.show(Screen::PartySetup(choices));
            }
            Err(why) => self.error(format!("{why}")),
        }
    }

    /// Tells what happened in the party.
    pub(super) fn party_event(&mut self, event: &PartyEvent) {
        let me = self.party().and_then(|party| party.me);
        match event {
            PartyEvent::Left { entrant, host: true } if me == Some(*entrant) => {
                self.party.is_kept_out = true;
            }
            PartyEvent::Returned { entrant } if me == Some(*entrant) => {
                self.party.is_kept_out = false;
            }
            // The pass was used.
            PartyEvent::Joined { entrant } => {
                self.party.pass.take_if(|(number, ..)| *number == entrant.number);
            }
            _ => {}
        }
        let text = self.party().and_then(|party| party.event(event));
        let here = matches!(self.screen, Screen::Party | Screen::Room | Screen::Menu);
        text.into_iter().filter(|_| here).for_each(|text| self.tell(text));
        if matches!(event, PartyEvent::Ended { .. }) {
            self.party.list = PartyList::Standings;
            if matches!(self.screen, Screen::Party) {
                self.select_first_row();
            }
        }
        if let Some(Overlay::Question(Question::Decide(_))) = self.overlay
            && self.decided_pairing().is_none()
        {
            self.overlay = None;
        }
    }

    /// The party is gone.
    pub(super) fn party_lost(&mut self, why: &str) {
        if matches!(self.screen, Screen::Party | Screen::PartyNote(_)) {
            self.show_menu();
        }
        self.party.is_kept_out = false;
        self.error(format!("The party is gone: {why}."));
    }

    /// The rows of the list on the screen.
    pub(super) fn party_rows(&self) -> Vec<Row<PartyTarget>> {
        let Some(party) = self.party() else { return Vec::new() };
        match self.party.list {
            _ if party.state.phase == PartyPhase::Gathering => party::people(&party),
            PartyList::Tables => party::tables(&party),
            PartyList::Standings => party::standings(&party),
            PartyList::Rounds => party::rounds(&party),
        }
    }

    fn party_target(&self) -> Option<PartyTarget> {
        self.party_rows().get(self.selected())?.target
    }

    /// Fills the page.
    pub(super) fn fill_party(&self, page: &mut Page<'_>) {
        let Some(party) = self.party() else { return page.heading("Entering the party") };
        let gathers = party.state.phase == PartyPhase::Gathering;
        page.heading(&format!("{} ({})", party.title(), party.phase()));
        let code = party.state.code;
        if gathers {
            let address = &self.share_address;
            page.heading(&format!("Code {}", spaced(&code.to_string())));
            page.heading(&address.party_link(code));
            page.heading(&format!("or type: noughts party join {code} --server {address}"));
        }
        if let Some((entrant, link, _)) = self.place_pass() {
            page.heading(&format!("The place of {}, once, in two minutes:", party.name(*entrant)));
            page.heading(link);
        }
        page.heading(&party.status());
        if party.state.phase == PartyPhase::Over {
            party::podium(&party).iter().for_each(|line| page.heading(line));
        }
        if !gathers {
            page.heading("");
            page.heading(&self.list_names());
        }
        let width = page.width();
        page.items = self.party_rows().iter().map(|row| wrap(&row.text, width)).collect();
    }

    /// The QR code of a party that people come in to, and its place beside them; `None` where it does
    /// not fit or has no colours.
    pub(crate) fn party_qr(&self) -> Option<(Qr, Rect)> {
        let is_shown = matches!(self.screen, Screen::Party) && !self.client.options.ascii;
        let deep = self.client.options.colors.depth;
        let colored = matches!(deep, ColorDepth::Indexed | ColorDepth::True);
        let view = self.session.party().filter(|_| is_shown && colored)?;
        // No phone reaches this machine by its loopback address.
        let gathers = view.state.phase == PartyPhase::Gathering;
        let pass = self.place_pass();
        if !(gathers || pass.is_some()) || self.share_address.is_local() {
            return None;
        }
        let link = self.share_address.party_link(view.state.code);
        let qr = Qr::of(pass.map_or(&link, |(_, link, _)| link))?;
        let (body, Size { width, height }) = (layout::chrome(self.size)?.body, qr.size());
        let fits = body.width >= width + BESIDE_QR && body.height >= height;
        let area = Rect::new(body.right().saturating_sub(width + 1), body.y, width, height);
        fits.then_some((qr, area))
    }

    /// The names of the lists. The one on the screen stands in brackets.
    fn list_names(&self) -> String {
        let name = |(list, name): &(PartyList, &'static str)| {
            if *list == self.party.list { format!("[{name}]") } else { format!(" {name} ") }
        };
        PartyList::ALL.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// Shows the next list, or the one before.
    pub(super) fn turn_party_list(&mut self, forward: bool) {
        let all = PartyList::ALL;
        let at = all.iter().position(|(list, _)| *list == self.party.list).unwrap_or(0);
        let step = if forward { 1 } else { all.len() - 1 };
        self.party.list = all[(at + step) % all.len()].0;
        self.select_first_row();
        self.message = None;
    }

    /// Selects the first line that is about something.
    fn select_first_row(&mut self) {
        let first = self.party_rows().iter().position(|row| row.target.is_some());
        self.list = ListState::default().with_selected(Some(first.unwrap_or(0)));
    }

    /// Handles Enter in the party: the player is ready; else it leads to the selected table.
    pub(super) fn enter_party(&mut self) {
        if self.say_ready() {
            return;
        }
        let Some(room) = self.selected_table() else { return };
        self.enter_table(room);
    }

    /// The room of the selected table or entrant, if a game runs there.
    fn selected_table(&self) -> Option<RoomCode> {
        let state = &self.session.party()?.state;
        if state.phase == PartyPhase::Over {
            return None;
        }
        let pairing = match self.party_target()? {
            PartyTarget::Pairing(number) => state.pairing(number),
            PartyTarget::Entrant(number) => state.open_pairing_of(number),
        }?;
        pairing.room.filter(|_| pairing.outcome.is_none())
    }

    /// Enters the room of a table: the player's own one to play, another one to watch.
    fn enter_table(&mut self, room: RoomCode) {
        if self.session.room().is_some_and(|view| view.state.code == room) {
            self.message = None;
            return self.show(Screen::Room);
        }
        // A player gets the seat back also as a spectator.
        self.ask(LobbyIntent::Join { room, role: Role::Spectator });
    }

    /// Does what a key of the party says.
    pub(super) fn party_key(&mut self, key: PartyKey) {
        let Some(view) = self.session.party() else { return };
        let (code, paused) = (view.state.code, view.state.paused);
        let (label, otherwise) = match key {
            PartyKey::Start => (labels::start(self), "the host starts the party, once"),
            PartyKey::Pause => {
                (labels::pause(self), "the host pauses the party while it is played")
            }
            PartyKey::Skip => (labels::skip(self), "the host sets aside somebody who is selected"),
            PartyKey::Rename => (labels::rename(self), "the host renames somebody who is selected"),
            PartyKey::Place => {
                (labels::place(self), "the host gives the place of somebody who is selected")
            }
            PartyKey::Decide => {
                (labels::decide(self), "the host sets the result of a selected game")
            }
            PartyKey::End => (labels::end(self), "the host ends the party while it is played"),
            PartyKey::Play if self.party.is_kept_out => ("", "only the host can let you play"),
            PartyKey::Play => (labels::play(self), "you play already, or the party is over"),
            PartyKey::Withdraw => (labels::withdraw(self), "you do not play in the party"),
            PartyKey::List | PartyKey::Winner(_) | PartyKey::Ready => ("it may be", ""),
        };
        if label.is_empty() {
            return self.error(otherwise);
        }
        match key {
            PartyKey::Start => self.question(Question::StartParty),
            PartyKey::Pause => self.ask(PartyIntent::PauseParty { pause: !paused }),
            PartyKey::Skip => self.skip_selected(),
            PartyKey::Rename => self.rename_selected(),
            PartyKey::Place => self.give_selected(),
            PartyKey::Decide => match self.party_target() {
                Some(PartyTarget::Pairing(number)) if view.state.decided(number).is_some() => {
                    self.question(Question::Decide(number));
                }
                _ => self.error("select the game whose result you want to set"),
            },
            PartyKey::End => self.question(Question::EndParty),
            PartyKey::Play => {
                self.party.asks_to_play = true;
                self.ask(LobbyIntent::JoinParty { party: code, role: PartyRole::Player });
            }
            PartyKey::Withdraw => self.question(Question::Withdraw),
            PartyKey::Ready => {
                self.say_ready();
            }
            PartyKey::List => self.turn_party_list(true),
            PartyKey::Winner(winner) => self.choose_winner(winner),
        }
    }

    /// Goes back from the party: it asks whoever plays, then follows it no more. A pass goes first.
    pub(super) fn back_from_party(&mut self) {
        if self.place_pass().is_some() {
            self.party.pass = None;
            return;
        }
        let plays = self.party().is_some_and(|party| {
            party.state.phase != PartyPhase::Over && party.own().is_some_and(|own| !own.left)
        });
        if plays {
            self.question(Question::LeaveParty);
        } else {
            self.leave_party();
        }
    }

    /// Follows the party no more.
    pub(super) fn leave_party(&mut self) {
        self.ask(PartyIntent::LeaveParty);
        self.party.is_kept_out = false;
        self.show_menu();
    }

    /// Copies the party's link.
    pub(super) fn copy_party_link(&mut self) {
        let Some(view) = self.session.party() else { return };
        let link = self.share_address.party_link(view.state.code);
        self.info(if self.client.options.escape_codes.clipboard {
            format!("Copied the link: {link}")
        } else {
            format!("The link: {link}")
        });
        self.effects.push(Effect::Copy(link));
    }

    /// The words with which to call a player who must say that they are there; once for each pairing.
    pub(super) fn party_call(&mut self) -> Option<String> {
        let party = self.party()?;
        let Standing::Check(pairing) = party.standing() else { return None };
        let number = pairing.number;
        let text = format!("{}: {}", party.state.name, party.status());
        (self.party.called.replace(number) != Some(number)).then_some(text)
    }
}

/// A code with gaps, so that it is read letter by letter.
fn spaced(code: &str) -> String {
    code.chars().map(String::from).collect::<Vec<_>>().join(" ")
}
