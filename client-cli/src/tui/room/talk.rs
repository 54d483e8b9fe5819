//! Talk in a room: the line that is typed, and what people say. A typed line and a typed cell never meet:
//! while one is typed, every key but a few belongs to it.

use noughts_client::session::RoomView;
use noughts_protocol::text::length;
use noughts_protocol::{
    ChatLine, ChatMode, MAX_CHAT_CHARS, Mark, RoomCode, RoomIntent, Said, Seat,
};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget};
use unicode_segmentation::UnicodeSegmentation;

use crate::strings;
use crate::strings::{beginning, columns, wrap};
use crate::talk::{self, MutedNames, Typed};
use crate::tui::layout::Chrome;
use crate::tui::page::scroll;
use crate::tui::shell::Shell;
use crate::tui::text_field::TextField;
use crate::tui::theme::Theme;

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

/// The answer to somebody who wants to talk where nobody does.
pub(super) const NOBODY_TALKS: &str = "nobody talks in this room";

/// The line that the player types in a room.
#[derive(Debug, Default)]
pub(in crate::tui) struct Talk {
    /// The line that is typed, while one is.
    pub(super) field: Option<TextField>,
    /// A line that was not said, for the next time.
    draft: String,
    room: Option<RoomCode>,
    names: MutedNames,
}

/// The mode of the talk in the room.
fn chat_mode(shell: &Shell) -> ChatMode {
    let mode = shell.session.room().map_or(ChatMode::Off, |view| view.state.settings.chat);
    if shell.client.choice.features.chat { mode } else { ChatMode::Off }
}

pub(super) fn may_talk(shell: &Shell) -> bool {
    chat_mode(shell) != ChatMode::Off
}

/// Whether the room has no texts, so that a line begins with the emotes.
pub(super) fn has_emotes_only(shell: &Shell) -> bool {
    chat_mode(shell) == ChatMode::Emotes
}

/// The label of the talk's key.
pub(super) fn label(shell: &Shell) -> &'static str {
    if may_talk(shell) { shell.if_room("talk", has_others) } else { "" }
}

/// Whether somebody else may hear what is said: nobody is in a room with a computer but spectators.
fn has_others(view: &RoomView) -> bool {
    let player = |seat: &Seat| seat.player().is_some_and(|id| !view.is_me(id));
    view.is_watching()
        || view.presence.spectators > 0
        || Mark::BOTH.iter().any(|mark| player(&view.state.seats[*mark]))
}

impl Talk {
    /// Opens the line.
    pub(super) fn begin(&mut self, text: &str) {
        let draft = std::mem::take(&mut self.draft);
        let text = if text.is_empty() { draft } else { text.to_owned() };
        self.field = Some(TextField::typed(text));
    }

    /// Says the typed line, or does what its command says.
    pub(super) fn say(&mut self, shell: &mut Shell) {
        let Some(field) = self.field.take() else { return };
        let line = field.text().trim().to_owned();
        if line.is_empty() {
            return;
        }
        match talk::read(&line, chat_mode(shell)) {
            Err(why) => {
                self.field = Some(field);
                shell.error(why);
            }
            Ok(Typed::Say(said)) => {
                // It was not sent: nothing that was typed is lost.
                if !shell.ask(RoomIntent::Say { said }) {
                    self.draft = line;
                }
            }
            Ok(Typed::Mute { name, mute }) => self.mute(shell, &name, mute),
            Ok(Typed::UnmuteAll) => {
                let Some(view) = shell.session.room() else { return };
                for intent in self.names.unmute_all(view) {
                    shell.ask(intent);
                }
                shell.info("You hear everybody.");
            }
        }
    }

    fn mute(&mut self, shell: &mut Shell, name: &str, mute: bool) {
        let Some(view) = shell.session.room() else { return };
        match self.names.intent(view, name, mute) {
            Ok((intent, name)) => {
                let back =
                    if mute { format!(" /unmute {name} changes that.") } else { String::new() };
                shell.ask(intent);
                shell.info(strings::talk::muted(&name, mute) + &back);
            }
            Err(why) => shell.error(why),
        }
    }

    /// Keeps a refused line for the next time.
    pub(in crate::tui) fn refused(&mut self, said: &Said) {
        if let Said::Text(text) = said
            && self.field.is_none()
        {
            self.draft = text.to_string();
        }
    }

    /// Closes the line. The typed text stays for the next time.
    pub(in crate::tui) fn close(&mut self) {
        if let Some(field) = self.field.take() {
            self.draft = field.text().to_owned();
        }
    }

    /// A room begins with nothing read. The same room again goes on.
    pub(super) fn enter(&mut self, shell: &mut Shell) {
        let code = shell.session.room().map(|view| view.state.code);
        if code != self.room {
            *self = Self { room: code, ..Self::default() };
            shell.read = 0;
        }
    }

    /// The line that is typed, and the column of the caret.
    pub(super) fn prompt(&self, shell: &Shell) -> Option<(String, u16)> {
        let field = self.field.as_ref()?;
        let before = match shell.session.room() {
            Some(view) if !strings::talk::is_heard_later(view) => LABEL,
            _ if shell.size.width >= LATER_WIDTH => LATER,
            _ => LATER_SHORT,
        };
        let input = field.shown();
        let label = columns(before);
        let count = length(field.text().trim());
        let over = count >= COUNTED && !field.text().starts_with('/');
        let count = if over { format!(" {count}/{MAX_CHAT_CHARS}") } else { String::new() };
        let taken = u16::try_from(label + columns(&count) + 1).unwrap_or(u16::MAX);
        let width = shell.size.width.saturating_sub(taken);
        let hidden = scroll(&input, width);
        let shown = beginning(after(input.value(), hidden), width.into());
        let gap = usize::from(width).saturating_sub(columns(shown));
        let caret = u16::try_from(label + input.visual_cursor() - hidden).unwrap_or(u16::MAX);
        let gap = if count.is_empty() { 0 } else { gap };
        Some((format!("{before}{shown}{:gap$}{count}", ""), caret))
    }
}

/// The rest of a text after some columns.
fn after(text: &str, hidden: usize) -> &str {
    let mut starts = text.grapheme_indices(true).map(|(at, _)| at);
    let start = starts.find(|start| columns(&text[..*start]) >= hidden);
    &text[start.unwrap_or(text.len())..]
}

/// The most rows above the line that is typed.
const MOST_ROWS: u16 = 8;

/// The columns by which the second row of a line stands in.
const INDENT: u16 = 2;

/// Draws the last lines in the panel.
pub(super) fn in_panel(shell: &Shell, view: &RoomView, area: Rect, buffer: &mut Buffer) {
    let rows = rows(shell, view, area.width, usize::from(area.height.saturating_sub(1)));
    if !rows.is_empty() {
        let head = Line::styled("Chat", shell.theme().dim());
        let lines = std::iter::once(head).chain(rows).take(area.height.into());
        Paragraph::new(lines.collect::<Vec<_>>()).render(area, buffer);
    }
}

/// Draws the last lines above the line that is typed, if the panel does not show them. A message covers
/// some rows.
pub(super) fn above_prompt(
    shell: &Shell,
    view: &RoomView,
    chrome: &Chrome,
    covered: u16,
    buffer: &mut Buffer,
) {
    let most = MOST_ROWS.min(chrome.body.height / 2);
    let width = chrome.body.width.saturating_sub(2);
    let mut lines = rows(shell, view, width, usize::from(most));
    if lines.is_empty() {
        lines.push(Line::styled("Nobody has said anything yet.", shell.theme().dim()));
    }
    let height = u16::try_from(lines.len()).unwrap_or(most).min(most);
    let area = Rect { y: chrome.message.y.saturating_sub(height + covered), height, ..chrome.body };
    Clear.render(area, buffer);
    Paragraph::new(lines).render(Rect { x: 1, width, ..area }, buffer);
}

/// The last rows of what people said, as many as fit.
fn rows(shell: &Shell, view: &RoomView, width: u16, most: usize) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for line in view.chat.lines.iter().rev() {
        if rows.len() >= most {
            break;
        }
        rows.splice(0..0, wrapped(shell, view, line, width));
    }
    rows.split_off(rows.len().saturating_sub(most))
}

/// A line with its speaker in the ink of the seat; spectators have none.
fn wrapped(shell: &Shell, view: &RoomView, line: &ChatLine, width: u16) -> Vec<Line<'static>> {
    let theme = shell.theme();
    let speaker = format!("{}:", strings::talk::speaker(view, line, shell.session.host_here()));
    let style = line.seat.map_or(theme.dim(), |mark| theme.mark(mark));
    let sign = match &line.said {
        Said::Emote(emote) => format!("{} ", strings::talk::sign(*emote)),
        Said::Text(_) => String::new(),
    };
    let text = format!("{speaker} {sign}{}", strings::talk::said(&line.said));
    let mut parts = wrap(&text, width);
    if parts.len() > 1 {
        // The first row keeps its words; the others stand in.
        let rest = text[parts[0].len()..].trim_start().to_owned();
        parts.truncate(1);
        parts.extend(wrap(&rest, width.saturating_sub(INDENT)));
    }
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_default();
    let after = first.strip_prefix(&speaker).map(str::to_owned);
    let mut lines = vec![match after {
        Some(after) => {
            let mut spans = vec![Span::styled(speaker, style)];
            match after.strip_prefix(' ').and_then(|after| after.strip_prefix(&sign)) {
                Some(words) if !sign.is_empty() => {
                    spans.push(Span::raw(" "));
                    spans.extend(inked(&sign, theme));
                    spans.push(Span::raw(words.to_owned()));
                }
                _ => spans.push(Span::raw(after)),
            }
            Line::from(spans)
        }
        // The name itself was broken.
        None => Line::styled(first, style),
    }];
    let indent = " ".repeat(INDENT.into());
    lines.extend(parts.map(|part| Line::raw(format!("{indent}{part}"))));
    lines
}

/// The characters of an emote: x and o have the inks of the marks.
fn inked(sign: &str, theme: Theme) -> Vec<Span<'static>> {
    let ink = |letter: char| match letter {
        'x' => theme.mark(Mark::X),
        'o' => theme.mark(Mark::O),
        _ => Style::new(),
    };
    sign.chars().map(|letter| Span::styled(letter.to_string(), ink(letter))).collect()
}
