//! The review of a game on the full screen: the move that is shown, and the keys that step.

use noughts_protocol::{Cell, Game, Review, RoomSettings, Rules};

use super::{App, Screen};

/// A review and the position that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewView {
    /// The review.
    pub review: Review,
    /// How many of its moves are on the board.
    pub ply: usize,
}

impl ReviewView {
    /// The game up to the shown move, or `None` if the server's moves break the rules.
    #[must_use]
    pub fn game(&self, settings: &RoomSettings) -> Option<Game> {
        let moves: Vec<Cell> =
            self.review.moves.iter().take(self.ply).map(|made| made.cell).collect();
        Game::replay(Rules::of(settings), self.review.first, &moves).ok()
    }

    pub(super) fn step(&mut self, forward: bool) {
        self.go_to(if forward { self.ply + 1 } else { self.ply.saturating_sub(1) });
    }

    /// Shows the position after a number of moves, at most all.
    pub(super) fn go_to(&mut self, ply: usize) {
        self.ply = ply.min(self.review.moves.len());
    }
}

impl App {
    /// Asks for the review of the last finished game.
    pub(super) fn ask_review(&mut self) {
        if self.is_running() {
            return self.error("the game is still running: you can review it when it is over");
        }
        self.ask(self.session.review());
        if self.message.is_none() {
            self.info("Reviewing every move of the game.");
        }
    }

    /// Shows a review, unless the next game has begun.
    pub(super) fn show_review(&mut self, review: Review) {
        if self.is_running() || !matches!(self.screen, Screen::Room) {
            return;
        }
        self.info(crate::strings::analysis::summary(&review));
        let ply = review.moves.len();
        self.review = Some(ReviewView { review, ply });
    }

    fn is_running(&self) -> bool {
        self.session.room().is_some_and(|view| view.state.is_running())
    }
}
