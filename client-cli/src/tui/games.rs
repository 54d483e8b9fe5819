//! The player's own kept games: a page of fifty, newest first, with filters.

use crossterm::event::KeyCode;
use noughts_client::session::LookupKind;
use noughts_protocol::{
    BoardSpec, Found, GameId, GameSummary, LobbyIntent, OpponentFilter, Outcome, Refusal, Variant,
};

use super::keys::{HELP, Key, KeyAction, key, labelled, list_keys};
use super::page::{self, Page};
use super::screen::{Clicks, Component, Transition};
use super::shell::Shell;
use crate::action::Action;
use crate::choices::turned;
use crate::strings::{archive, variant};

/// How many pages lead back one by one. From further on the way back is shorter.
const MAX_PAGES: usize = 1_000;

/// From this width on the last row has room for the arrows beside the filters.
const WIDE: u16 = 100;

/// The filters and the pages of the list. The session has the games.
#[derive(Debug, Default)]
pub(crate) struct Games {
    opponent: Option<(OpponentFilter, String)>,
    /// A board belongs to its variant: 3 × 3 is played in several.
    board: Option<(Variant, BoardSpec)>,
    outcome: Option<Outcome>,
    /// The last game of each page before this one.
    before: Vec<GameId>,
}

/// A key that chooses which games are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GamesFilter {
    Opponent,
    Board,
    Outcome,
}

impl Games {
    fn intent(&self) -> LobbyIntent {
        LobbyIntent::History {
            opponent: self.opponent.as_ref().map(|(filter, _)| *filter),
            board: self.board.map(|(_, board)| board),
            variant: self.board.map(|(variant, _)| variant),
            outcome: self.outcome,
            before: self.before.last().copied(),
        }
    }

    /// Asks for the page.
    pub(super) fn load(&self, shell: &mut Shell) {
        shell.ask(self.intent());
    }

    /// The games of this page and whether there are older ones, once they have come; or why not.
    fn found<'a>(
        &self,
        shell: &'a Shell,
    ) -> Option<Result<(&'a [GameSummary], bool), &'a Refusal>> {
        let lookup = shell.session.question(LookupKind::History)?;
        match lookup.answer.as_ref().filter(|_| lookup.intent == self.intent())? {
            Ok(Found::History { games, more }) => Some(Ok((games, *more))),
            Ok(_) => None,
            Err(refusal) => Some(Err(refusal)),
        }
    }

    fn page<'a>(&self, shell: &'a Shell) -> Option<(&'a [GameSummary], bool)> {
        self.found(shell)?.ok()
    }

    fn selected<'a>(&self, shell: &'a Shell) -> Option<&'a GameSummary> {
        self.page(shell)?.0.get(shell.selected())
    }

    /// Takes in a page that came.
    pub(super) fn came(&self, shell: &mut Shell) {
        match self.found(shell) {
            Some(Ok(_)) => shell.list.select(Some(0)),
            Some(Err(refusal)) => {
                let why = refusal.to_string();
                shell.error(why);
            }
            None => {}
        }
    }

    /// The games that are shown, in words.
    fn title(&self) -> String {
        let mut parts = vec!["My games".to_owned()];
        parts.extend(self.opponent.as_ref().map(|(_, name)| format!("against {name}")));
        let on = |(kind, board)| format!("on {}", variant::of(kind, board));
        parts.extend(self.board.map(on));
        parts.extend(self.outcome.map(|outcome| outcome.label().to_owned()));
        let page = self.before.len() + 1;
        parts.extend((page > 1).then(|| format!("page {page}")));
        parts.join(", ")
    }

    /// The text in place of a list.
    fn empty(&self, shell: &Shell) -> &'static str {
        let all = self.opponent.is_none() && self.board.is_none() && self.outcome.is_none();
        match self.found(shell) {
            Some(Err(_)) => "The list did not come. Press Esc and try again.",
            None => "Loading the games.",
            Some(Ok(_)) if all => "You have finished no game on this server yet.",
            Some(Ok(_)) => "There are no such games.",
        }
    }

    /// Shows the older or the newer page.
    fn turn(&mut self, shell: &mut Shell, older: bool) {
        let last = self.page(shell).filter(|(_, more)| older && *more);
        match last.and_then(|(games, _)| games.last()) {
            Some(last) => {
                if self.before.len() >= MAX_PAGES {
                    self.before.remove(0);
                }
                self.before.push(last.id);
            }
            None if !older && self.before.pop().is_some() => {}
            None => return,
        }
        self.load(shell);
    }

    /// Shows other games: takes the next value of a filter. The selected game offers its own.
    fn filter(&mut self, shell: &mut Shell, filter: GamesFilter) {
        let selected = self.selected(shell).cloned();
        match filter {
            GamesFilter::Outcome => {
                let all = [None, Some(Outcome::Won), Some(Outcome::Lost), Some(Outcome::Drawn)];
                self.outcome = turned(&all, self.outcome, true);
            }
            GamesFilter::Board => {
                let own = selected.map(|game| (game.variant, game.board)).unwrap_or_default();
                self.board = if self.board.is_some() { None } else { Some(own) };
            }
            GamesFilter::Opponent => {
                let own = selected.as_ref().and_then(|game| {
                    let mine = archive::mark_of(&game.players, shell.session.player())?;
                    let opponent = &game.players[mine.other()];
                    Some((OpponentFilter::Player(opponent.player()?), opponent.label()))
                });
                let people = Some((OpponentFilter::Human, "people".to_owned()));
                self.opponent = match self.opponent.as_ref().map(|(filter, _)| *filter) {
                    None => own.or(people),
                    Some(OpponentFilter::Player(_)) => people,
                    Some(OpponentFilter::Human) => {
                        Some((OpponentFilter::Computer, "computers".to_owned()))
                    }
                    Some(OpponentFilter::Computer) => None,
                };
            }
        }
        self.before.clear();
        self.load(shell);
    }
}

impl Component for Games {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        let width = shell.size.width;
        let older = if self.page(shell).is_some_and(|(_, more)| more) { "older" } else { "" };
        let newer = if self.before.is_empty() { "" } else { "newer" };
        let open = if self.selected(shell).is_some() { "open" } else { "" };
        // A narrow row names all three filters.
        let who = if width < 80 { "who" } else { "opponent" };
        let filter = |names, filter, label, help| key(names, KeyAction::Games(filter), label, help);
        let own = [
            key("Enter, space", KeyAction::Enter, open, "look at the game"),
            filter("o", GamesFilter::Opponent, who, "another opponent"),
            filter("b", GamesFilter::Board, "board", "this board, or all boards"),
            filter("f", GamesFilter::Outcome, "result", "won, lost, drawn, or all"),
            labelled("n", KeyAction::Older, older, "older games"),
            labelled("p", KeyAction::Newer, newer, "newer games"),
            key("y", KeyAction::Copy, "link", "copy the game's link"),
            key("Esc, q", KeyAction::Back, "back", "back"),
            HELP,
        ];
        [&list_keys(if width < WIDE { "" } else { "move" })[..], &own].concat()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        let selected = self.selected(shell).map(|game| game.id);
        match action {
            KeyAction::Enter => {
                let open = |game| Transition::Begin(Action::Replay(game));
                return selected.map_or(Transition::Stay, open);
            }
            KeyAction::Games(filter) => self.filter(shell, filter),
            KeyAction::Older => self.turn(shell, true),
            KeyAction::Newer => self.turn(shell, false),
            KeyAction::Copy => {
                if let Some(game) = selected {
                    shell.copy_link(shell.share_address.game_link(game));
                }
            }
            KeyAction::Back => return Transition::Menu,
            _ => return Transition::List,
        }
        Transition::Stay
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        page.heading(&self.title());
        let player = shell.session.player();
        let games = self.page(shell).map_or(&[][..], |(games, _)| games);
        let lines = games.iter().map(|game| archive::summary(game, player));
        page.items = lines.map(|line| page::game(&line, page.width)).collect();
        if page.items.is_empty() {
            page.note(self.empty(shell));
        }
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Select
    }
}
