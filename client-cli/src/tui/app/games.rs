//! The player's own kept games on the full screen: a page of fifty, newest first, with filters.

use noughts_protocol::{
    BoardSpec, Found, GameId, GameSummary, LobbyIntent, OpponentFilter, Outcome,
};

use super::{App, Screen};
use crate::session::LookupKind;
use crate::strings::archive;

/// How many pages lead back one by one. From further on the way back is shorter.
const MAX_PAGES: usize = 1_000;

/// The filters and the rows of the list.
#[derive(Debug, Default)]
pub(crate) struct Games {
    opponent: Option<(OpponentFilter, String)>,
    board: Option<BoardSpec>,
    outcome: Option<Outcome>,
    /// The last game of each page before this one.
    before: Vec<GameId>,
    /// The games of this page, once they have come.
    pub(super) page: Option<Vec<GameSummary>>,
    /// Whether there are older ones.
    pub(super) more: bool,
    /// Whether the server gave no answer; the message says why.
    refused: bool,
}

/// A key that chooses which games are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GamesFilter {
    Opponent,
    Board,
    Outcome,
}

impl Games {
    /// The games that are shown, in words.
    pub(super) fn title(&self) -> String {
        let mut parts = vec!["My games".to_owned()];
        parts.extend(self.opponent.as_ref().map(|(_, name)| format!("against {name}")));
        parts.extend(self.board.map(|board| format!("on {board}")));
        parts.extend(self.outcome.map(|outcome| outcome.label().to_owned()));
        let page = self.before.len() + 1;
        parts.extend((page > 1).then(|| format!("page {page}")));
        parts.join(", ")
    }

    const fn is_filtered(&self) -> bool {
        self.opponent.is_some() || self.board.is_some() || self.outcome.is_some()
    }

    /// The text in place of a list.
    pub(super) const fn empty(&self) -> &'static str {
        match (&self.page, self.is_filtered()) {
            _ if self.refused => "The list did not come. Press Esc and try again.",
            (None, _) => "Loading the games.",
            (Some(_), true) => "There are no such games.",
            (Some(_), false) => "You have finished no game on this server yet.",
        }
    }
}

impl App {
    /// Shows the player's games from the newest one on.
    pub(super) fn open_games(&mut self) {
        self.games = Games::default();
        self.message = None;
        self.show(Screen::Games);
        self.ask_games();
    }

    fn ask_games(&mut self) {
        (self.games.page, self.games.refused) = (None, false);
        let Games { opponent, board, outcome, before, .. } = &self.games;
        let (opponent, board, outcome) = (opponent.as_ref().map(|(id, _)| *id), *board, *outcome);
        let before = before.last().copied();
        self.ask(LobbyIntent::History { opponent, board, outcome, before });
    }

    /// Takes in a page that came.
    pub(super) fn games_came(&mut self) {
        let question = self.session.question(LookupKind::History);
        let answer = question.and_then(|question| question.answer.clone());
        match answer {
            Some(Ok(Found::History { games, more })) => {
                (self.games.page, self.games.more) = (Some(games), more);
                if matches!(self.screen, Screen::Games) {
                    self.list.select(Some(0));
                }
            }
            Some(Err(refusal)) => {
                (self.games.refused, self.games.more) = (true, false);
                self.error(refusal.to_string());
            }
            _ => {}
        }
    }

    pub(super) fn selected_game(&self) -> Option<&GameSummary> {
        self.games.page.as_ref()?.get(self.selected())
    }

    /// Opens the selected game.
    pub(super) fn open_selected_game(&mut self) {
        let game = self.selected_game().map(|game| game.id);
        game.into_iter().for_each(|game| self.open_replay(game));
    }

    /// Shows the older or the newer page.
    pub(super) fn turn_games(&mut self, older: bool) {
        let last = self.games.page.as_ref().and_then(|page| page.last()).map(|game| game.id);
        match last.filter(|_| older && self.games.more) {
            Some(last) => {
                if self.games.before.len() >= MAX_PAGES {
                    self.games.before.remove(0);
                }
                self.games.before.push(last);
            }
            None if !older && self.games.before.pop().is_some() => {}
            None => return,
        }
        self.ask_games();
    }

    /// Shows other games: takes the next value of a filter. The selected game offers its own.
    pub(super) fn filter_games(&mut self, filter: GamesFilter) {
        let selected = self.selected_game().cloned();
        let player = self.session.player();
        let games = &mut self.games;
        match filter {
            GamesFilter::Outcome => {
                games.outcome = match games.outcome {
                    None => Some(Outcome::Won),
                    Some(Outcome::Won) => Some(Outcome::Lost),
                    Some(Outcome::Lost) => Some(Outcome::Drawn),
                    Some(Outcome::Drawn) => None,
                };
            }
            GamesFilter::Board => {
                let own = selected.map(|game| game.board).unwrap_or_default();
                games.board = if games.board.is_some() { None } else { Some(own) };
            }
            GamesFilter::Opponent => {
                let own = selected.as_ref().and_then(|game| {
                    let mine = archive::mark_of(&game.players, player)?;
                    let opponent = &game.players[mine.other()];
                    Some((OpponentFilter::Player(opponent.player()?), archive::name(opponent)))
                });
                let next = match games.opponent.as_ref().map(|(filter, _)| *filter) {
                    None => own.or_else(|| Some((OpponentFilter::Human, "people".to_owned()))),
                    Some(OpponentFilter::Player(_)) => {
                        Some((OpponentFilter::Human, "people".to_owned()))
                    }
                    Some(OpponentFilter::Human) => {
                        Some((OpponentFilter::Computer, "computers".to_owned()))
                    }
                    Some(OpponentFilter::Computer) => None,
                };
                games.opponent = next;
            }
        }
        games.before.clear();
        self.ask_games();
    }

    /// The lines of the list.
    pub(super) fn game_lines(&self) -> Vec<String> {
        let player = self.session.player();
        let games = self.games.page.iter().flatten();
        games.map(|game| archive::summary(game, player)).collect()
    }
}

/// The label of the key that opens a game.
pub(super) fn open_label(app: &App) -> &'static str {
    if app.selected_game().is_some() { "open" } else { "" }
}

/// The label of the key for another opponent. A narrow row names all three filters.
pub(super) fn opponent(app: &App) -> &'static str {
    if app.size.width < 80 { "who" } else { "opponent" }
}

/// The label of the key for older games.
pub(super) fn older_label(app: &App) -> &'static str {
    if app.games.more && app.games.page.is_some() { "older" } else { "" }
}

/// The label of the key for newer games.
pub(super) fn newer_label(app: &App) -> &'static str {
    if app.games.before.is_empty() { "" } else { "newer" }
}
