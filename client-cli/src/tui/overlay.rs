//! A window over a screen: the help in pages that fit the terminal, a question, or the emotes to say.

use crossterm::event::KeyCode;
use noughts_protocol::{
    Emote, LobbyIntent, PartyIntent, Role, RoomCode, RoomIntent, Series, Variant,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Paragraph, Widget};

use super::keys::{INTERRUPT, Key, KeyAction, KeyBar, key, labelled};
use super::layout;
use super::page;
use super::party::{PartyKey, choose_winner, decide_text};
use super::screen::{Clicks, Component, Transition};
use super::shell::Shell;
use super::theme::Theme;
use crate::action::Action;
use crate::client::Exit;
use crate::strings::{self, people, talk, wrap};

/// The width of a window with its border, if the terminal is wide enough.
const WIDTH: u16 = 56;

/// The width of the emotes' window.
const EMOTE_WIDTH: u16 = 28;

/// The columns of the keys in the help.
const KEY_COLUMNS: u16 = 18;

/// The signs of the board in the help.
const SIGNS: [(&str, &str); 2] =
    [("[X] *X* >X< .X.", "last, winning, cursor, on its way"), ("(X)", "a cell that a hint names")];

/// Those that variants have besides.
const MORE_SIGNS: (&str, &str) = ("~X~ =X=", "goes with the next move; ended its board");

/// Borders for `--ascii`.
const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// A window over the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlay {
    /// The list of keys.
    Help {
        /// The page, from 0.
        page: usize,
    },
    /// A question to confirm.
    Question(Question),
    /// The emotes to say.
    Emotes,
    /// The notes about the variant of the room.
    Notes,
}

/// A question that a key answers, yes or no for most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// Resign the game?
    Resign,
    /// Leave the room during a game?
    Leave,
    /// End the program during a game?
    Quit,
    /// How long is the new series?
    Series,
    /// Have the server forget the player?
    Forget,
    /// Watch a room whose seats are taken?
    Watch(RoomCode),
    /// Start the party?
    StartParty,
    /// End the party?
    EndParty,
    /// Begin the party again?
    PlayAgain,
    /// Remove this entrant from the party?
    Remove(u16),
    /// Play no more in the party?
    Withdraw,
    /// Follow the party no more, though the player plays in it?
    LeaveParty,
    /// The host chooses a result for this pairing.
    Decide(u32),
}

impl Question {
    /// The keys that answer it, for a sentence.
    pub(super) const fn answers(self) -> &'static str {
        match self {
            Self::Series => "o, 3, 5 or n",
            Self::Decide(_) => "1, 2, d or n",
            _ => "y or n",
        }
    }

    /// The window's title and text.
    fn title_and_text(self, shell: &Shell) -> (&'static str, String) {
        let (title, text) = match self {
            Self::Resign => ("Resign", "Resign this game?"),
            Self::Leave => ("Leave", "Leave? You lose the running game."),
            Self::Quit => {
                let text = format!("Leave? Your seat is kept. Press {INTERRUPT} again to leave.");
                return ("A game is running", text);
            }
            Self::Series => ("A new series", "The score begins at zero with the next game."),
            Self::Forget => return ("Forget me", format!("{} Go on?", people::FORGET)),
            Self::Watch(room) => {
                let text = format!("Watch the game in {room} instead?");
                return ("Both seats are taken", text);
            }
            Self::StartParty => ("Start", "Start the party now? People may still come later."),
            Self::EndParty => ("End", "End the party? The places are those of now."),
            Self::PlayAgain => (
                "Again",
                "Begin again? Everybody who is here plays, and all points go back to zero.",
            ),
            Self::Remove(entrant) => {
                let name = shell.party().map(|party| party.name(entrant)).unwrap_or_default();
                let text = format!(
                    "Remove {name}? They lose a running game, and do not come in again until you \
                     let them."
                );
                return ("Remove", text);
            }
            Self::Withdraw => {
                ("Drop out", "Play no more? A running game is lost. You may come back.")
            }
            Self::LeaveParty => (
                "Leave",
                "Leave the party's screen? You stay in it, and lose games for which you are not \
                 there.",
            ),
            Self::Decide(number) => return ("The result", decide_text(shell, number)),
        };
        (title, text.to_owned())
    }

    fn keys(self, shell: &Shell) -> Vec<Key> {
        let series =
            |name, first_to, label| key(name, KeyAction::NewSeries(Series { first_to }), label, "");
        let winner =
            |name, winner, label| key(name, KeyAction::Party(PartyKey::Winner(winner)), label, "");
        let close = |names| key(names, KeyAction::Close, "no", "");
        let mut keys = match self {
            Self::Series => vec![
                series("o", None, "open"),
                series("3", Some(3), "first to 3"),
                series("5", Some(5), "first to 5"),
                close("Esc, n"),
            ],
            Self::Decide(_) => vec![
                winner("1", Some(1), "first"),
                winner("2", Some(2), "second"),
                winner("d", None, "draw"),
                close("Esc, n"),
            ],
            _ => vec![key("y", KeyAction::Yes, "yes", ""), close("n, Esc")],
        };
        // A ready check does not wait for the answer.
        let ready = if shell.is_awaited() { "ready" } else { "" };
        keys.push(labelled("Enter", KeyAction::Party(PartyKey::Ready), ready, ""));
        keys
    }

    /// Does what the question is about.
    fn confirm(self, shell: &mut Shell) -> Transition {
        match self {
            Self::Resign => shell.ask(RoomIntent::Resign { game: shell.session.game() }),
            Self::StartParty => shell.ask(PartyIntent::StartParty),
            Self::EndParty => shell.ask(PartyIntent::EndParty),
            Self::PlayAgain => shell.ask(PartyIntent::Again { settings: None }),
            Self::Remove(entrant) => shell.ask(PartyIntent::Remove { entrant, remove: true }),
            Self::Withdraw => shell.ask(PartyIntent::Withdraw),
            Self::Forget => shell.ask(LobbyIntent::Forget),
            Self::LeaveParty => return Transition::LeaveParty,
            Self::Leave => return Transition::Leave,
            Self::Quit => return Transition::Quit(Exit::Done),
            Self::Watch(room) => return Transition::Begin(Action::join(room, Role::Spectator)),
            // Other keys answer it.
            Self::Series | Self::Decide(_) => false,
        };
        Transition::Stay
    }
}

impl Overlay {
    pub(super) fn keys(self, shell: &Shell, below: &dyn Component) -> Vec<Key> {
        match self {
            Self::Help { page } => {
                let is_more = help(shell, below).is_some_and(|pages| pages.len() > page + 1);
                vec![
                    key("Enter", KeyAction::Help, if is_more { "more" } else { "" }, ""),
                    key("Esc, q", KeyAction::Close, "close", ""),
                ]
            }
            Self::Question(question) => question.keys(shell),
            Self::Notes => vec![key("Enter, space, Esc, q", KeyAction::Close, "play", "")],
            Self::Emotes => vec![
                key("1-8", KeyAction::Emote, "say it", ""),
                key("Esc, q", KeyAction::Close, "close", ""),
            ],
        }
    }

    /// Does what a key says. Without a transition the window stays.
    pub(super) fn act(
        self,
        shell: &mut Shell,
        action: KeyAction,
        code: KeyCode,
    ) -> Option<Transition> {
        match (self, action) {
            (_, KeyAction::Close) => Some(Transition::Stay),
            (Self::Question(question), KeyAction::Yes) => Some(question.confirm(shell)),
            (_, KeyAction::NewSeries(series)) => {
                shell.ask(shell.session.new_series(series));
                Some(Transition::Stay)
            }
            (Self::Question(Question::Decide(number)), KeyAction::Party(PartyKey::Winner(one))) => {
                Some(choose_winner(shell, number, one))
            }
            (_, KeyAction::Party(PartyKey::Ready)) => {
                shell.say_ready();
                None
            }
            (Self::Emotes, _) => say(shell, code),
            _ => None,
        }
    }

    /// The next page of the help. After the last page the window closes.
    pub(super) fn next_help(
        shown: Option<Self>,
        shell: &Shell,
        below: &dyn Component,
    ) -> Option<Self> {
        let page = if let Some(Self::Help { page }) = shown { page + 1 } else { 0 };
        help(shell, below)?.get(page).map(|_| Self::Help { page })
    }

    /// The window in lines that fit it.
    pub(super) fn window(self, shell: &Shell, below: &dyn Component) -> Option<Window> {
        let body = layout::chrome(shell.size)?.body;
        let width = WIDTH.min(body.width);
        let (title, lines) = match self {
            Self::Help { page } => {
                let pages = help(shell, below)?;
                let title = match pages.len() {
                    1 => "Help".to_owned(),
                    count => format!("Help, {} of {count}", page + 1),
                };
                (title, pages.into_iter().nth(page)?)
            }
            Self::Emotes => ("Say".to_owned(), emotes()),
            Self::Notes => {
                let settings = &shell.session.room()?.state.settings;
                let rows = usize::from(body.height - 2);
                let title = strings::variant::game(settings);
                let mut lines = notes(shell, width - 2, rows);
                if lines.len() > rows {
                    lines.truncate(rows - 1);
                    lines.push("? shows the rest".to_owned());
                }
                (strings::capitalized(&title), lines)
            }
            Self::Question(question) => {
                let (title, text) = question.title_and_text(shell);
                let mut lines = wrap(&text, width - 2);
                let check = shell.party().filter(|_| shell.is_awaited());
                let check = check.map(|party| wrap(&party.status(), width - 2));
                lines.extend(check.into_iter().flatten());
                lines.push(self.bar(shell, below).text());
                (title.to_owned(), lines)
            }
        };
        let width = if self == Self::Emotes { EMOTE_WIDTH.min(width) } else { width };
        let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
        let area = body.centered(Constraint::Length(width), Constraint::Length(height));
        Some(Window { title, lines, area })
    }

    /// The keys that fit the last row.
    pub(super) fn bar(self, shell: &Shell, below: &dyn Component) -> KeyBar {
        let stays = |action| matches!(action, KeyAction::Enter | KeyAction::Close);
        let kept = |action| action == KeyAction::Help;
        KeyBar::new(&self.keys(shell, below), shell.size.width, stays, kept)
    }

    pub(super) fn draw(self, shell: &Shell, below: &dyn Component, buffer: &mut Buffer) {
        let Some(window) = self.window(shell, below) else { return };
        let borders = if shell.client.options.ascii { ASCII_BORDER } else { border::ROUNDED };
        Clear.render(window.area, buffer);
        let block = Block::bordered().border_set(borders).title(window.title.as_str());
        Paragraph::new(page::text(&window.lines)).block(block).render(window.area, buffer);
        if matches!(self, Self::Question(_)) {
            buffer.set_style(window.last_row(), Theme::strong());
        }
    }
}

/// A window in lines that fit it.
#[derive(Debug)]
pub(crate) struct Window {
    title: String,
    pub(crate) lines: Vec<String>,
    /// The place with the border.
    pub(crate) area: Rect,
}

impl Window {
    /// The place of the last line: a question's answers.
    pub(crate) const fn last_row(&self) -> Rect {
        let Rect { x, y, width, height } = self.area;
        Rect {
            x: x + 1,
            y: y + height.saturating_sub(2),
            width: width.saturating_sub(2),
            height: 1,
        }
    }
}

/// The help in pages that fit the terminal: those keys of the screen that mean something at the moment.
fn help(shell: &Shell, below: &dyn Component) -> Option<Vec<Vec<String>>> {
    let rows = usize::from(layout::chrome(shell.size)?.body.height - 2);
    let width = WIDTH.min(shell.size.width) - 2;
    let keys = [below.keys(shell), super::keys::EVERYWHERE.to_vec()].concat();
    let keys = keys.into_iter().filter(|key| key.when && !key.help.is_empty());
    let keys = keys.map(|key| (key.names, key.help));
    let mouse = below.clicks(shell) != Clicks::Ignored;
    let mouse = mouse.then_some(("mouse", "click cells, items, keys below"));
    let variant = shell.session.room().filter(|_| below.has_signs(shell));
    let variant = variant.is_some_and(|view| view.state.settings.variant != Variant::Line);
    let signs = SIGNS.into_iter().filter(|_| below.has_signs(shell));
    let signs = signs.chain(variant.then_some(MORE_SIGNS));
    let mut pages: Vec<Vec<String>> = vec![Vec::new()];
    for (keys, text) in keys.chain(mouse).chain(signs) {
        let lines = if width + 2 == WIDTH {
            let texts = wrap(text, width - KEY_COLUMNS - 1).into_iter();
            let keys = std::iter::once(keys).chain(std::iter::repeat(""));
            texts.zip(keys).map(|(text, keys)| format!("{keys:<18} {text}")).collect()
        } else {
            wrap(&format!("{keys}: {text}"), width)
        };
        if pages.last().is_some_and(|last| last.len() + lines.len() > rows) {
            pages.push(Vec::new());
        }
        pages.last_mut()?.extend(lines);
    }
    let notes = if variant { notes(shell, width, rows) } else { Vec::new() };
    pages.extend(notes.chunks(rows).map(<[String]>::to_vec));
    Some(pages)
}

/// The notes about the variant of the room, with empty rows between them if so many rows hold them.
fn notes(shell: &Shell, width: u16, rows: usize) -> Vec<String> {
    let Some(view) = shell.session.room() else { return Vec::new() };
    let notes = strings::variant::notes(&view.state.settings);
    let notes: Vec<_> = notes.iter().map(|note| wrap(note, width)).collect();
    let spaced = notes.join(&String::new());
    if spaced.len() <= rows { spaced } else { notes.concat() }
}

/// Says the emote with a number, from 1.
fn say(shell: &mut Shell, code: KeyCode) -> Option<Transition> {
    let KeyCode::Char(digit) = code else { return None };
    let place = digit.to_digit(10).and_then(|number| (number as usize).checked_sub(1));
    let emote = place.and_then(|place| Emote::ALL.get(place));
    if emote.is_none() {
        shell.info(format!("Press 1 to {}, or Esc.", Emote::ALL.len()));
    }
    emote.map(|emote| Transition::Say(*emote))
}

/// The emotes of the window, with their numbers.
fn emotes() -> Vec<String> {
    let numbered = Emote::ALL.iter().zip(1..);
    let line = |(emote, number): (&Emote, u32)| {
        format!(" {number}  {:<4} {}", talk::sign(*emote), emote.label())
    };
    numbered.map(line).collect()
}
