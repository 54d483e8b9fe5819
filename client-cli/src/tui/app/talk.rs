//! Talk on the full screen: the line that is typed, the emotes, and what the player has not read. A
//! typed line and a typed cell never meet: while one is typed, every key but a few belongs to it.

use crossterm::event::KeyCode;
use noughts_protocol::text::length;
use noughts_protocol::{ChatLine, ChatMode, Emote, MAX_CHAT_CHARS, RoomCode, RoomIntent, Said};
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use super::{App, Overlay, Screen, TextField, scroll};
use crate::session::RoomView;
use crate::session::talk::{self, MutedNames, Typed};
use crate::strings;
use crate::strings::{beginning, columns};
use crate::tui::layout;
use crate::tui::notifications::Watched;

/// The text before the typed line.
const LABEL: &str = " Say: ";

/// The same for spectators of a running game.
const LATER: &str = " Say (the players hear it after the game): ";

/// The same if there is little space.
const LATER_SHORT: &str = " Say (players: later): ";

/// The width from which on the long text leaves space to type.
const LATER_WIDTH: u16 = 72;

/// From so many characters on, the prompt counts them.
const COUNTED: usize = MAX_CHAT_CHARS - 40;

/// The state of the talk in a room.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// The line that is typed, while one is.
    pub(super) field: Option<TextField>,
    /// A line that was not said, for the next time.
    draft: String,
    room: Option<RoomCode>,
    /// The number of the last line that the player has read.
    read: u64,
    names: MutedNames,
}

impl App {
    /// The mode of the talk in the room.
    fn chat_mode(&self) -> ChatMode {
        let mode = self.session.room().map_or(ChatMode::Off, |view| view.state.settings.chat);
        if self.client.choice.features.chat { mode } else { ChatMode::Off }
    }

    pub(super) fn may_talk(&self) -> bool {
        self.chat_mode() != ChatMode::Off
    }

    /// Opens the line, or the emotes in a room that has no texts.
    pub(super) fn begin_talk(&mut self, text: &str) {
        match self.chat_mode() {
            ChatMode::Off => self.error("nobody talks in this room"),
            ChatMode::Emotes if text.is_empty() => self.overlay = Some(Overlay::Emotes),
            ChatMode::Emotes | ChatMode::Text => {
                self.clear_typed();
                let draft = std::mem::take(&mut self.talk.draft);
                let text = if text.is_empty() { draft } else { text.to_owned() };
                self.talk.field = Some(TextField::typed(text));
                self.mark_read();
            }
        }
    }

    /// Opens the emotes.
    pub(super) fn choose_emote(&mut self) {
        if self.may_talk() {
            self.overlay = Some(Overlay::Emotes);
        } else {
            self.error("nobody talks in this room");
        }
    }

    /// Says the emote with a number, from 1.
    pub(super) fn say_emote(&mut self, key: KeyCode) {
        let KeyCode::Char(digit) = key else { return };
        let place = digit.to_digit(10).and_then(|number| (number as usize).checked_sub(1));
        let Some(emote) = place.and_then(|place| Emote::ALL.get(place)) else {
            return self.info(format!("Press 1 to {}, or Esc.", Emote::ALL.len()));
        };
        self.overlay = None;
        // The line is done, as after a text.
        self.close_talk();
        self.ask(RoomIntent::Say { said: Said::Emote(*emote) });
    }

    /// Says the typed line, or does what its command says.
    pub(super) fn say_typed(&mut self) {
        let Some(field) = self.talk.field.take() else { return };
        let line = field.text().trim().to_owned();
        if line.is_empty() {
            return;
        }
        let typed = match talk::read(&line, self.chat_mode()) {
            Ok(typed) => typed,
            Err(why) => {
                self.talk.field = Some(field);
                return self.error(why);
            }
        };
        match typed {
            Typed::Say(said) => {
                self.ask(RoomIntent::Say { said });
                // It was not sent: nothing that was typed is lost.
                if self.message.as_ref().is_some_and(|message| message.error) {
                    self.talk.draft = line;
                }
            }
            Typed::Mute { name, mute } => self.mute(&name, mute),
            Typed::UnmuteAll => {
                let Some(view) = self.session.room() else { return };
                let intents = self.talk.names.unmute_all(view);
                intents.into_iter().for_each(|intent| self.ask(intent));
                self.info("You hear everybody.");
            }
        }
    }

    fn mute(&mut self, name: &str, mute: bool) {
        let Some(view) = self.session.room() else { return };
        match self.talk.names.intent(view, name, mute) {
            Ok((intent, name)) => {
                let back =
                    if mute { format!(" /unmute {name} changes that.") } else { String::new() };
                self.ask(intent);
                self.info(strings::talk::muted(&name, mute) + &back);
            }
            Err(why) => self.error(why),
        }
    }

    /// Keeps a refused line for the next time.
    pub(super) fn say_refused(&mut self, said: &Said) {
        if let Said::Text(text) = said
            && self.talk.field.is_none()
        {
            self.talk.draft = text.to_string();
        }
    }

    /// Closes the line. What was typed stays for the next time.
    pub(super) fn close_talk(&mut self) {
        if let Some(field) = self.talk.field.take() {
            self.talk.draft = field.text().to_owned();
        }
    }

    /// A room begins with nothing read. The same room again goes on.
    pub(super) fn enter_talk(&mut self) {
        let code = self.session.room().map(|view| view.state.code);
        if code != self.talk.room {
            self.talk = Talk { room: code, ..Talk::default() };
        }
    }

    /// Shows new lines: in the panel where there is space, else the last one as a message.
    pub(super) fn heard(&mut self, lines: &[ChatLine]) {
        self.mark_read();
        let Some(view) = self.session.room() else { return };
        let read = self.talk.read;
        let last = lines.last().filter(|line| line.n > read);
        if let Some(line) = last.filter(|_| matches!(self.screen, Screen::Room)) {
            let speaker = strings::talk::speaker(view, line, self.session.host_here());
            let text = format!("{speaker}: {}", strings::talk::said(&line.said));
            let width = self.size.width.saturating_sub(2);
            let dots = if self.client.options.ascii { "..." } else { "…" };
            let short = beginning(&text, usize::from(width).saturating_sub(columns(dots)));
            let is_long = columns(&text) > width.into();
            self.tell(if is_long { format!("{short}{dots}") } else { text });
        }
    }

    /// Whether the lines are on the screen: in the panel, or above the line that is typed.
    fn shows_talk(&self) -> bool {
        matches!(self.screen, Screen::Room)
            && self.watched != Watched::No
            && (self.talk.field.is_some() || self.talk_area().is_some())
    }

    /// Counts what is on the screen as read.
    pub(super) fn mark_read(&mut self) {
        if !self.shows_talk() {
            return;
        }
        let last = self.session.room().and_then(|view| view.chat.lines.last());
        self.talk.read = self.talk.read.max(last.map_or(0, |line| line.n));
    }

    /// The lines that the player has not read. A room keeps few lines, so it is a small number.
    #[must_use]
    pub fn unread(&self) -> usize {
        let Some(view) = self.session.room() else { return 0 };
        let is_new = |line: &&ChatLine| line.n > self.talk.read && !view.is_me(line.player);
        view.chat.lines.iter().filter(is_new).count()
    }

    /// The part of the panel that shows what people say, if there is space and anything to show.
    pub(crate) fn talk_area(&self) -> Option<Rect> {
        let view = self.session.room().filter(|view| !view.chat.lines.is_empty())?;
        view.state.game.as_ref().filter(|_| self.review_ply.is_none())?;
        let chrome = layout::chrome(self.size)?;
        layout::talk(layout::game(chrome.body, view.state.settings.board, self.cursor).panel)
    }

    /// Whether the last lines stand above the line that is typed: the panel has no space for them.
    pub(crate) fn talk_covers(&self) -> bool {
        self.talk.field.is_some() && self.talk_area().is_none()
    }

    /// The line that is typed, and the column of the caret.
    pub(crate) fn talk_prompt(&self) -> Option<(String, u16)> {
        let field = self.talk.field.as_ref().filter(|_| matches!(self.screen, Screen::Room))?;
        let before = match self.session.room() {
            Some(view) if !strings::talk::is_heard_later(view) => LABEL,
            _ if self.size.width >= LATER_WIDTH => LATER,
            _ => LATER_SHORT,
        };
        let (input, label) = (field.shown(), columns(before));
        let count = length(field.text().trim());
        let over = count >= COUNTED && !field.text().starts_with('/');
        let count = if over { format!(" {count}/{MAX_CHAT_CHARS}") } else { String::new() };
        let taken = u16::try_from(label + columns(&count) + 1).unwrap_or(u16::MAX);
        let width = self.size.width.saturating_sub(taken);
        let hidden = scroll(&input, width);
        let shown = beginning(after(input.value(), hidden), width.into());
        let gap = usize::from(width).saturating_sub(columns(shown));
        let caret = u16::try_from(label + input.visual_cursor() - hidden).unwrap_or(u16::MAX);
        let gap = if count.is_empty() { 0 } else { gap };
        Some((format!("{before}{shown}{:gap$}{count}", ""), caret))
    }
}

/// The emotes of the window, with their numbers.
pub(super) fn emotes() -> Vec<String> {
    let numbered = Emote::ALL.iter().zip(1..);
    numbered
        .map(|(emote, number)| {
            format!(" {number}  {:<4} {}", strings::talk::sign(*emote), emote.label())
        })
        .collect()
}

/// The rest of a text after some columns.
fn after(text: &str, hidden: usize) -> &str {
    let mut starts = text.grapheme_indices(true).map(|(at, _)| at);
    let start = starts.find(|start| columns(&text[..*start]) >= hidden);
    &text[start.unwrap_or(text.len())..]
}

/// The label of the talk's key.
pub(super) fn label(app: &App) -> &'static str {
    if app.may_talk() && app.session.room().is_some_and(has_others) { "talk" } else { "" }
}

/// Whether somebody else may hear what is said: nobody is in a room with a computer but spectators.
fn has_others(view: &RoomView) -> bool {
    let player = |seat: &noughts_protocol::Seat| seat.player().is_some_and(|id| !view.is_me(id));
    view.is_watching()
        || view.presence.spectators > 0
        || noughts_protocol::Mark::BOTH.iter().any(|mark| player(&view.state.seats[*mark]))
}
