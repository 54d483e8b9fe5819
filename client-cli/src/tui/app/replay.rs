//! A kept game on the full screen: the position that is shown, the play, and the review beside it.

use std::time::{Duration, Instant};

use noughts_protocol::{ArchivedGame, Cell, Found, Game, GameId, LobbyIntent, ReviewedMove, Rules};
use ratatui::widgets::ListState;

use super::{App, Effect, Screen};
use crate::client::Exit;
use crate::session::LookupKind;

/// The time between two moves while the game plays by itself.
const PACE: Duration = Duration::from_millis(900);

/// A kept game that is shown.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) id: GameId,
    /// The game, once it has come.
    pub(crate) game: Option<ArchivedGame>,
    /// How many moves are on the board.
    pub(crate) ply: usize,
    /// The verdict on every move, and whether all are proven.
    pub(crate) review: Option<(Vec<ReviewedMove>, bool)>,
    /// When the next move is shown, while the game plays by itself.
    plays_at: Option<Instant>,
    /// The screen to which Esc leads, and its list.
    from: (Screen, ListState),
}

impl Replay {
    fn moves(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.moves.len())
    }

    /// Whether the run began with it: there is no screen of before.
    const fn is_first(&self) -> bool {
        matches!(self.from.0, Screen::Connecting)
    }

    /// The position that is shown. `None` before the game has come.
    pub(crate) fn position(&self) -> Option<Game> {
        let kept = self.game.as_ref()?;
        let moves: &[Cell] = &kept.moves[..self.ply.min(kept.moves.len())];
        Game::replay(Rules::of(&kept.settings), kept.first, moves).ok()
    }
}

impl App {
    /// Shows a kept game. Esc leads back to the screen of before.
    pub fn open_replay(&mut self, id: GameId) {
        let (screen, list) = (std::mem::replace(&mut self.screen, Screen::Replay), self.list);
        let from = match (screen, self.replay.take()) {
            (Screen::Replay, Some(before)) => before.from,
            (screen, _) => (screen, list),
        };
        self.message = None;
        self.show(Screen::Replay);
        self.replay = Some(Replay { id, game: None, ply: 0, review: None, plays_at: None, from });
        self.ask(LobbyIntent::Game { game: id });
    }

    /// Shows the last game of the room again.
    pub(super) fn replay_last(&mut self) {
        match self.last_kept() {
            Some(id) => self.open_replay(id),
            None if self.client.choice.features.history && self.is_running() => {
                self.error("this game can be looked at again when it is over");
            }
            None => self.error("this game is not kept"),
        }
    }

    fn is_running(&self) -> bool {
        self.session.room().is_some_and(|view| view.state.is_running())
    }

    /// The room's game that is over, if it is kept.
    #[must_use]
    pub fn last_kept(&self) -> Option<GameId> {
        let last = self.session.room()?.state.game.as_ref()?;
        last.id.filter(|_| last.game.result().is_some())
    }

    /// Takes in the game that came, or goes back if there is none.
    pub(super) fn game_came(&mut self) {
        let question = self.session.question(LookupKind::Game);
        let answer = question.and_then(|question| question.answer.clone());
        let Some(replay) = &mut self.replay else { return };
        match answer {
            Some(Ok(Found::Game { game })) if game.summary.id == replay.id => {
                replay.ply = game.moves.len();
                replay.game = Some(game);
            }
            Some(Err(refusal)) if replay.is_first() => {
                self.quit(Exit::Refused(refusal.to_string()));
            }
            Some(Err(refusal)) => {
                self.close_replay();
                self.error(refusal.to_string());
            }
            _ => {}
        }
    }

    /// Takes in the review that came.
    pub(super) fn game_review_came(&mut self) {
        let question = self.session.question(LookupKind::Review);
        let answer = question.and_then(|question| question.answer.clone());
        let Some(replay) = &mut self.replay else { return };
        match answer {
            Some(Ok(Found::Review { game, moves, proven, .. })) if game == replay.id => {
                let mistakes = crate::strings::analysis::mistakes(&moves);
                let proven_text = if proven { "proven" } else { "in part estimated" };
                replay.review = Some((moves, proven));
                self.info(format!("{mistakes}, {proven_text}."));
            }
            Some(Err(refusal)) => self.error(refusal.to_string()),
            _ => {}
        }
    }

    /// Asks for the review, or hides it.
    pub(super) fn review_replay(&mut self) {
        let Some(replay) = &mut self.replay else { return };
        if replay.review.take().is_none() {
            let game = replay.id;
            self.ask(LobbyIntent::ReviewGame { game });
            if self.message.is_none() {
                self.info("Reviewing every move of the game.");
            }
        }
    }

    /// Goes back to the screen of before. Its room may have ended since.
    pub(super) fn close_replay(&mut self) {
        let Some(Replay { from: (screen, list), .. }) = self.replay.take() else { return };
        self.message = None;
        match screen {
            Screen::Room if self.session.room().is_none() => self.show_menu(),
            Screen::Connecting => self.quit(Exit::Done),
            Screen::Entering => self.show_menu(),
            screen => {
                self.show(screen);
                self.list = list;
            }
        }
    }

    pub(super) fn step_replay(&mut self, forward: bool) {
        let Some(replay) = &mut self.replay else { return };
        let moves = replay.moves();
        replay.plays_at = None;
        replay.ply =
            if forward { (replay.ply + 1).min(moves) } else { replay.ply.saturating_sub(1) };
    }

    /// Shows the position before the first move, or after the last one: of the kept game, or of the
    /// room's review.
    pub(super) fn show_end(&mut self, last: bool) {
        let shown = self.replay.as_mut().filter(|_| matches!(self.screen, Screen::Replay));
        let Some(replay) = shown else {
            if self.review_ply.is_some() {
                return self.review_ply = Some(if last { usize::MAX } else { 0 });
            }
            return self.select_end(last);
        };
        replay.plays_at = None;
        replay.ply = if last { replay.moves() } else { 0 };
    }

    /// Lets the game play by itself, from the beginning if it is at its end; or stops it.
    pub(super) fn play_replay(&mut self) {
        let now = self.now;
        let Some(replay) = &mut self.replay else { return };
        if replay.plays_at.take().is_none() && replay.moves() > 0 {
            if replay.ply >= replay.moves() {
                replay.ply = 0;
            }
            replay.plays_at = Some(now + PACE);
        }
    }

    /// Shows the next move, if its time has come.
    pub(super) fn play_on(&mut self) {
        let now = self.now;
        let Some(replay) = &mut self.replay else { return };
        if replay.plays_at.is_some_and(|at| at <= now) {
            replay.ply += 1;
            replay.plays_at = (replay.ply < replay.moves()).then_some(now + PACE);
        }
    }

    /// When the next move is shown.
    pub(super) fn replay_due(&self) -> Option<Instant> {
        self.replay.as_ref()?.plays_at
    }

    /// The game that is shown.
    pub(crate) const fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// Copies the link of a kept game, and shows it.
    pub(super) fn copy_game_link(&mut self) {
        let shown = self.replay.as_ref().map(|replay| replay.id);
        let id = match self.screen {
            Screen::Replay => shown,
            _ => self.selected_game().map(|game| game.id),
        };
        let Some(id) = id else { return };
        let link = self.share_address.game_link(id);
        self.info(if self.client.options.escape_codes.clipboard {
            format!("Copied the link: {link}")
        } else {
            format!("The link: {link}")
        });
        self.effects.push(Effect::Copy(link));
    }
}

/// The label of the key that plays.
pub(super) fn play_label(app: &App) -> &'static str {
    match app.replay() {
        Some(replay) if replay.plays_at.is_some() => "pause",
        Some(replay) if replay.moves() > 0 => "play",
        _ => "",
    }
}

/// The label of the key for the review.
pub(super) fn review_label(app: &App) -> &'static str {
    match app.replay() {
        Some(replay) if replay.review.is_some() => "no review",
        Some(replay) if replay.moves() > 0 => "review",
        _ => "",
    }
}

/// The label of the key that shows the room's last game again.
pub(super) fn again_label(app: &App) -> &'static str {
    if app.last_kept().is_some() { "look again" } else { "" }
}
