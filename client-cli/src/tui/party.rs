//! A party: who plays whom, how it stands, and what its host may do.

use std::mem;
use std::time::{Duration, Instant};

use crossterm::event::KeyCode;
use noughts_protocol::{
    Entrant, LobbyIntent, PASS_MS, PartyEvent, PartyIntent, PartyPhase, PartyRole, PassCode, Role,
    RoomCode,
};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::widgets::ListState;

use super::colors::ColorDepth;
use super::field_form::{FieldForm, Topic};
use super::keys::{END_KEYS, HELP, Key, KeyAction, direction, key, labelled};
use super::layout;
use super::overlay::Question;
use super::page::Page;
use super::screen::{Clicks, Component, Screen, Transition};
use super::shell::{Effect, Shell};
use crate::choices::turned;
use crate::strings::party::{self, PartyTarget, Standing};
use crate::strings::{Row, columns, wrap};

/// The least columns beside a QR code.
const BESIDE_QR: u16 = 40;

/// Black and white in the colour cube of the 256-colour palette. The terminal's theme sets the first
/// sixteen colours, so that they may be inverted.
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);

/// The lists of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum PartyList {
    /// The games of this round.
    #[default]
    Tables,
    /// Everybody in order.
    Standings,
    /// All rounds.
    Rounds,
}

impl PartyList {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Tables, "Tables"), (Self::Standings, "Standings"), (Self::Rounds, "Rounds")];
}

/// The action of a key of the party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartyKey {
    /// The host starts it, or begins it again when it is over.
    Start,
    /// The host pauses it, or lets it go on.
    Pause,
    /// The host pauses it with the clocks of its games.
    PauseClocks,
    /// The host gives more time at the selected table.
    Time,
    /// The host removes the selected entrant, or lets them in again.
    Remove,
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

/// The pass for the place of an entrant.
#[derive(Debug)]
pub(super) struct PlacePass {
    entrant: u16,
    link: String,
    until: Instant,
}

/// The screen of a party.
#[derive(Debug, Default)]
pub(crate) struct PartyScreen {
    list: PartyList,
    /// The pairing of the last ready check for which the player was called.
    called: Option<u32>,
    /// The last pass for a place.
    pass: Option<PlacePass>,
    /// Whether the player asked to play, and the party has not come since.
    pub(super) asks_to_play: bool,
    /// Whether only the host can let the player play again, as far as one can tell.
    is_kept_out: bool,
}

/// The time that a key gives.
const ADDED_MS: u32 = 60_000;

/// Whether the host keeps somebody out, whose place nobody has.
fn is_removed(entrant: &Entrant) -> bool {
    entrant.removed && entrant.player.is_none()
}

/// Whether the player plays in the party.
fn plays(shell: &Shell) -> bool {
    shell.party().is_some_and(|party| party.own().is_some_and(|own| !own.left))
}

/// The pairing whose result the host is asked for: its number, and both entrants.
fn decided(shell: &Shell, number: u32) -> Option<(u32, u16, u16)> {
    let (first, second, _) = shell.session.party()?.state.decided(number)?;
    Some((number, first, second?))
}

/// Whether the host can still set the result of a pairing.
pub(super) fn can_decide(shell: &Shell, number: u32) -> bool {
    decided(shell, number).is_some()
}

/// The text of the question for a result.
pub(super) fn decide_text(shell: &Shell, number: u32) -> String {
    let Some(((_, first, second), party)) = decided(shell, number).zip(shell.party()) else {
        return "This pairing has one player only.".to_owned();
    };
    let first = party.name(first);
    let second = party.name(second);
    format!("{first} against {second}: who has won? 1 is {first}, 2 is {second}.")
}

/// Keeps the winner of a pairing, the first entrant, the second one or nobody, and asks for a note.
pub(super) fn choose_winner(shell: &Shell, number: u32, winner: Option<u8>) -> Transition {
    let Some((number, first, second)) = decided(shell, number) else { return Transition::Stay };
    let winner = winner.map(|one| if one == 1 { first } else { second });
    FieldForm::of_host(Topic::Note(number, winner), shell)
}

impl PartyScreen {
    /// Takes in a party that was loaded.
    pub(super) fn came(&mut self, shell: &mut Shell) {
        let plays = plays(shell);
        let asked = mem::take(&mut self.asks_to_play);
        self.is_kept_out &= !plays;
        if asked && !plays {
            self.is_kept_out = true;
            shell.error(match shell.party().and_then(|party| party.own()) {
                Some(_) => "only the host can bring you back",
                None => "nobody new can play in this party any more",
            });
        }
    }

    /// Takes in what happened in the party. Returns it in words.
    pub(super) fn event(&mut self, shell: &Shell, event: &PartyEvent) -> Option<String> {
        let me = shell.party().and_then(|party| party.me);
        match event {
            PartyEvent::Left { entrant, host: true, .. } if me == Some(*entrant) => {
                self.is_kept_out = true;
            }
            PartyEvent::Returned { entrant } if me == Some(*entrant) => {
                self.is_kept_out = false;
            }
            // The pass was used.
            PartyEvent::Joined { entrant } => {
                self.pass.take_if(|pass| pass.entrant == entrant.number);
            }
            PartyEvent::Ended { .. } => self.list = PartyList::Standings,
            PartyEvent::Again { .. } => self.list = PartyList::Tables,
            _ => {}
        }
        shell.party().and_then(|party| party.event(event))
    }

    /// The player follows no party any more.
    pub(super) fn left(&mut self) {
        *self = Self::default();
    }

    /// Shows the pass for a place, and copies its link.
    pub(super) fn pass_came(&mut self, shell: &mut Shell, entrant: u16, pass: &PassCode) {
        let Some(view) = shell.session.party() else { return };
        let link = shell.share_address.place_link(view.state.code, pass);
        let until = shell.now + Duration::from_millis(PASS_MS.into());
        self.pass = Some(PlacePass { entrant, link: link.clone(), until });
        shell.effects.push(Effect::Copy(link));
    }

    /// The words with which to call a player who must say that they are there; once for each pairing.
    pub(super) fn call(&mut self, shell: &Shell) -> Option<String> {
        let party = shell.party()?;
        let Standing::Check(pairing) = party.standing() else { return None };
        let number = pairing.number;
        let text = format!("{}: {}", party.state.name, party.status());
        (self.called.replace(number) != Some(number)).then_some(text)
    }

    /// The pass for a place that may still be used.
    pub(super) fn pass(&self, shell: &Shell) -> Option<&PlacePass> {
        self.pass.as_ref().filter(|pass| shell.now < pass.until)
    }

    /// The rows of the list on the screen.
    fn rows(&self, shell: &Shell) -> Vec<Row<PartyTarget>> {
        let Some(party) = shell.party() else { return Vec::new() };
        match self.list {
            _ if party.state.phase == PartyPhase::Gathering => party::people(&party),
            PartyList::Tables => party::tables(&party),
            PartyList::Standings => party::standings(&party),
            PartyList::Rounds => party::rounds(&party),
        }
    }

    fn target(&self, shell: &Shell) -> Option<PartyTarget> {
        self.rows(shell).get(shell.selected())?.target
    }

    /// Selects the first line that is about something.
    pub(super) fn select_first(&self, shell: &mut Shell) {
        let first = self.rows(shell).iter().position(|row| row.target.is_some());
        shell.list = ListState::default().with_selected(Some(first.unwrap_or(0)));
    }

    /// Shows the next list, or the one before.
    fn turn(&mut self, shell: &mut Shell, forward: bool) {
        self.list = turned(&PartyList::ALL.map(|(list, _)| list), self.list, forward);
        self.select_first(shell);
        shell.message = None;
    }

    /// The names of the lists. The one on the screen stands in brackets.
    fn list_names(&self) -> String {
        let name = |(list, name): &(PartyList, &'static str)| {
            if *list == self.list { format!("[{name}]") } else { format!(" {name} ") }
        };
        PartyList::ALL.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// The room of the selected table or entrant, if a game runs there.
    fn table(&self, shell: &Shell) -> Option<RoomCode> {
        let state = &shell.session.party()?.state;
        if state.phase == PartyPhase::Over {
            return None;
        }
        let pairing = match self.target(shell)? {
            PartyTarget::Pairing(number) => state.pairing(number),
            PartyTarget::Entrant(number) => state.open_pairing_of(number),
        }?;
        pairing.room.filter(|_| pairing.outcome.is_none())
    }

    /// Handles Enter: the player is ready; else it leads to the selected table, the player's own one to
    /// play, another one to watch.
    fn enter(&self, shell: &mut Shell) -> Transition {
        if shell.say_ready() {
            return Transition::Stay;
        }
        let Some(room) = self.table(shell) else { return Transition::Stay };
        if shell.session.room().is_some_and(|view| view.state.code == room) {
            shell.message = None;
            return Transition::Show(Screen::Room);
        }
        // A player gets the seat back also as a spectator.
        shell.ask(LobbyIntent::Join { room, role: Role::Spectator });
        Transition::Stay
    }

    /// Goes back: a pass goes first, and a player is asked.
    fn back(&mut self, shell: &Shell) -> Transition {
        if self.pass(shell).is_some() {
            self.pass = None;
            return Transition::Stay;
        }
        let over = shell.party().is_some_and(|party| party.state.phase == PartyPhase::Over);
        if plays(shell) && !over {
            Transition::Ask(Question::LeaveParty)
        } else {
            Transition::LeaveParty
        }
    }

    /// Does what a key of the party says.
    fn party_key(&mut self, shell: &mut Shell, key: PartyKey) -> Transition {
        let Some(view) = shell.session.party() else { return Transition::Stay };
        let state = &view.state;
        let intent = match (key, self.target(shell)) {
            (PartyKey::Start, _) if state.phase == PartyPhase::Over => {
                return Transition::Ask(Question::PlayAgain);
            }
            (PartyKey::Start, _) => return Transition::Ask(Question::StartParty),
            (PartyKey::End, _) => return Transition::Ask(Question::EndParty),
            (PartyKey::Withdraw, _) => return Transition::Ask(Question::Withdraw),
            (PartyKey::Pause, _) => PartyIntent::PauseParty { pause: !state.paused, clocks: false },
            (PartyKey::PauseClocks, _) => PartyIntent::PauseParty { pause: true, clocks: true },
            (PartyKey::Time, Some(PartyTarget::Pairing(pairing))) => {
                PartyIntent::AddTime { pairing, ms: ADDED_MS }
            }
            (PartyKey::Remove, Some(PartyTarget::Entrant(entrant))) => {
                if !state.entrant(entrant).is_some_and(is_removed) {
                    return Transition::Ask(Question::Remove(entrant));
                }
                PartyIntent::Remove { entrant, remove: false }
            }
            (PartyKey::Skip, Some(PartyTarget::Entrant(entrant))) => {
                let skip = state.entrant(entrant).is_some_and(|one| !one.left);
                PartyIntent::Skip { entrant, skip }
            }
            (PartyKey::Place, Some(PartyTarget::Entrant(entrant))) => {
                PartyIntent::PlacePass { entrant }
            }
            (PartyKey::Rename, Some(PartyTarget::Entrant(entrant))) => {
                return FieldForm::of_host(Topic::Entrant(entrant), shell);
            }
            (PartyKey::Decide, Some(PartyTarget::Pairing(number))) => {
                if state.decided(number).is_some() {
                    return Transition::Ask(Question::Decide(number));
                }
                shell.error("select the game whose result you want to set");
                return Transition::Stay;
            }
            (PartyKey::Play, _) => {
                self.asks_to_play = true;
                let party = state.code;
                shell.ask(LobbyIntent::JoinParty { party, role: PartyRole::Player });
                return Transition::Stay;
            }
            (PartyKey::List, _) => {
                self.turn(shell, true);
                return Transition::Stay;
            }
            _ => return Transition::Stay,
        };
        shell.ask(intent);
        Transition::Stay
    }

    /// The label of a key. It is empty while the key means nothing.
    fn label(&self, shell: &Shell, key: PartyKey) -> &'static str {
        let Some(party) = shell.party() else { return "" };
        let phase = party.state.phase;
        let leads_in = |wanted| party.is_host && phase == wanted;
        let led = match self.target(shell).filter(|_| party.is_host) {
            Some(PartyTarget::Entrant(number)) => party.state.entrant(number),
            _ => None,
        };
        let over = phase == PartyPhase::Over;
        match key {
            PartyKey::Start if leads_in(PartyPhase::Gathering) => "start",
            PartyKey::Start if leads_in(PartyPhase::Over) => "again",
            PartyKey::Pause if leads_in(PartyPhase::Playing) && party.state.paused => "go on",
            PartyKey::Pause if leads_in(PartyPhase::Playing) => "pause",
            PartyKey::PauseClocks
                if leads_in(PartyPhase::Playing) && !party.state.clocks_stopped =>
            {
                "stop clocks"
            }
            PartyKey::Time => match self.target(shell) {
                Some(PartyTarget::Pairing(number)) if leads_in(PartyPhase::Playing) => {
                    let open = party.state.pairing(number).filter(|one| one.outcome.is_none());
                    open.and_then(|one| one.second).map_or("", |_| "+1 min")
                }
                _ => "",
            },
            PartyKey::Remove | PartyKey::Skip if over => "",
            PartyKey::Remove => match led {
                Some(entrant) if is_removed(entrant) => "let in",
                Some(entrant) if entrant.player.is_some() && Some(entrant.number) != party.me => {
                    "remove"
                }
                _ => "",
            },
            PartyKey::End if leads_in(PartyPhase::Playing) => "end",
            PartyKey::Skip => match led {
                Some(entrant) if entrant.left => "bring back",
                Some(_) => "set aside",
                None => "",
            },
            PartyKey::Rename if led.is_some() => "rename",
            PartyKey::Place if led.is_some_and(|one| one.computer.is_none()) && !over => {
                "give place"
            }
            PartyKey::Decide => match self.target(shell) {
                Some(PartyTarget::Pairing(_)) if party.is_host => "result",
                _ => "",
            },
            PartyKey::Play if over || self.is_kept_out => "",
            PartyKey::Play => match party.own() {
                None => "play too",
                Some(own) if own.left => "play again",
                Some(_) => "",
            },
            PartyKey::Withdraw if plays(shell) && !over => "drop out",
            PartyKey::List if phase != PartyPhase::Gathering => "list",
            _ => "",
        }
    }

    /// The label of Enter.
    fn enter_label(&self, shell: &Shell) -> &'static str {
        let own = shell.session.party().and_then(|view| view.my_pairing()?.room);
        match self.table(shell) {
            _ if shell.is_awaited() => "ready",
            Some(room) if own == Some(room) => "play",
            Some(_) => "watch",
            None => "",
        }
    }

    /// The rows of the QR code of a party that people come in to, and its place beside them; `None` where it
    /// does not fit or has no colours.
    fn qr(&self, shell: &Shell) -> Option<(Vec<String>, Rect)> {
        let depth = shell.client.options.colors.depth;
        let colored = matches!(depth, ColorDepth::Indexed | ColorDepth::True);
        let is_shown = colored && !shell.client.options.ascii;
        let view = shell.session.party().filter(|_| is_shown)?;
        // No phone reaches this machine by its loopback address.
        let gathers = view.state.phase == PartyPhase::Gathering;
        let pass = self.pass(shell);
        if !(gathers || pass.is_some()) || shell.share_address.is_local() {
            return None;
        }
        let link = shell.share_address.party_link(view.state.code);
        let rows = qr_rows(pass.map_or(&link, |pass| &pass.link))?;
        let body = layout::chrome(shell.size)?.body;
        let width = u16::try_from(columns(&rows[0])).ok()?;
        let height = u16::try_from(rows.len()).ok()?;
        let fits = body.width >= width + BESIDE_QR && body.height >= height;
        let area = Rect::new(body.right().saturating_sub(width + 1), body.y, width, height);
        fits.then_some((rows, area))
    }

    /// Draws the QR code beside the page.
    pub(super) fn draw_qr(&self, shell: &Shell, buffer: &mut Buffer) {
        let Some((rows, area)) = self.qr(shell) else { return };
        for (row, y) in rows.iter().zip(area.y..) {
            buffer.set_string(area.x, y, row, Style::new().fg(BLACK).bg(WHITE));
        }
    }
}

impl Component for PartyScreen {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        let own = |name, key, help, otherwise| {
            let label = self.label(shell, key);
            labelled(name, KeyAction::Party(key), label, help).otherwise(otherwise)
        };
        let enter = self.enter_label(shell);
        let pause = "the host pauses the party while it is played";
        let clocks = "the host stops the clocks while the party is played";
        let time = "the host gives time at a selected table that plays";
        let remove = "the host removes somebody else who is selected";
        let skip = "the host sets aside somebody who is selected";
        let rename = "the host renames somebody who is selected";
        let place = "the host gives the place of somebody who is selected";
        let decide = "the host sets the result of a selected game";
        let end = "the host ends the party while it is played";
        let play = match self.is_kept_out {
            true => "only the host can let you play",
            false => "you play already, or the party is over",
        };
        let keys = [
            labelled("Enter, space", KeyAction::Enter, enter, "ready; else to the table"),
            own("s", PartyKey::Start, "start the party, or again", "the host starts the party"),
            own("Tab", PartyKey::List, "another list", ""),
            own("p", PartyKey::Pause, "pause, or go on", pause),
            own("P", PartyKey::PauseClocks, "pause with the clocks", clocks),
            own("t", PartyKey::Time, "a minute more at a table", time),
            own("R", PartyKey::Remove, "remove, or let in again", remove),
            own("x", PartyKey::Skip, "set aside, or bring back", skip),
            own("n", PartyKey::Rename, "give another name", rename),
            own("g", PartyKey::Place, "give the place to a device", place),
            own("c", PartyKey::Decide, "set the game's result", decide),
            own("E", PartyKey::End, "end the party", end),
            own("a", PartyKey::Play, "play too, or again", play),
            own("d", PartyKey::Withdraw, "play no more", "you do not play in the party"),
            key("y", KeyAction::Copy, "link", "copy the party's link"),
            key("q, Esc", KeyAction::Back, "leave", "leave the party's screen"),
            key("m", KeyAction::Menu, "menu", "to the menu; the party goes on"),
            key("arrows, hjkl", KeyAction::Move, "", "move, another list"),
        ];
        [&keys[..], &END_KEYS, &[HELP]].concat()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        let (columns, rows) = direction(code);
        match action {
            KeyAction::Enter => return self.enter(shell),
            KeyAction::Party(key) => return self.party_key(shell, key),
            KeyAction::Back => return self.back(shell),
            KeyAction::Move if rows == 0 => self.turn(shell, columns > 0),
            KeyAction::Copy => {
                if let Some(view) = shell.session.party() {
                    shell.copy_link(shell.share_address.party_link(view.state.code));
                }
            }
            _ => return Transition::List,
        }
        Transition::Stay
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        let Some(party) = shell.party() else { return page.heading("Entering the party") };
        let gathers = party.state.phase == PartyPhase::Gathering;
        page.heading(&format!("{} ({})", party.title(), party.phase()));
        let code = party.state.code;
        if gathers {
            let address = &shell.share_address;
            page.heading(&format!("Code {}", spaced(&code.to_string())));
            page.heading(&address.party_link(code));
            let way_in = &shell.client.options.way_in;
            let line = way_in.join_line("party join", code, address);
            page.heading(&format!("or type: {line}"));
        }
        if let Some(pass) = self.pass(shell) {
            let name = party.name(pass.entrant);
            page.heading(&format!("The place of {name}, once, in two minutes:"));
            page.heading(&pass.link);
        }
        page.heading(&party.status());
        if party.state.phase == PartyPhase::Over {
            party::podium(&party).iter().for_each(|line| page.heading(line));
        }
        if !gathers {
            page.heading("");
            page.heading(&self.list_names());
        }
        let width = page.width;
        page.items = self.rows(shell).iter().map(|row| wrap(&row.text, width)).collect();
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Select
    }

    fn margin(&self, shell: &Shell) -> u16 {
        self.qr(shell).map_or(0, |(_, area)| area.width + 1)
    }
}

/// A code with gaps, so that it is read letter by letter.
pub(super) fn spaced(code: &str) -> String {
    code.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// The QR code of a text in rows of half blocks, with its border; `None` if the text is too long for one.
/// Drawn modules are dark.
fn qr_rows(text: &str) -> Option<Vec<String>> {
    // The lowest error correction makes the smallest code; a screen has no dirt.
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    Some(code.render::<Dense1x2>().build().lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_a_party_fits_beside_its_people() {
        let rows = qr_rows("http://192.168.100.200:7333/party/KQRZX").unwrap();
        assert_eq!((columns(&rows[0]), rows.len()), (37, 19));
        // The border is light, and the corner of a finder pattern is dark.
        let sign = |column: usize, row: usize| rows[row].chars().nth(column).unwrap();
        assert_eq!((sign(0, 0), sign(4, 2)), (' ', '█'));
        assert!(qr_rows(&"x".repeat(9000)).is_none());
    }
}
