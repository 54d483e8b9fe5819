//! The review of a game on the full screen: the move that is shown, and the keys that step. The review
//! itself is the room's.

use noughts_protocol::Review;

use super::{App, Screen};

impl App {
    /// The review that replaces the board, and how many of its moves are on the board.
    #[must_use]
    pub fn shown_review(&self) -> Option<(&Review, usize)> {
        let review = self.session.room()?.review.as_ref()?;
        Some((review, self.review_ply?.min(review.moves.len())))
    }

    /// Shows the position after one more move of the review, or after one less.
    pub(super) fn step_review(&mut self, forward: bool) {
        let Some((_, ply)) = self.shown_review() else { return };
        self.review_ply = Some(if forward { ply + 1 } else { ply.saturating_sub(1) });
    }

    /// Asks for the review of the last finished game.
    pub(super) fn ask_review(&mut self) {
        if self.is_playing() {
            return self.error("the game is still running: you can review it when it is over");
        }
        self.ask(self.session.review());
        if self.message.is_none() {
            self.info("Reviewing every move of the game.");
        }
    }

    /// Shows the end of a review that came, unless the next game has begun.
    pub(super) fn show_review(&mut self) {
        let Some(view) = self.session.room() else { return };
        let Some(review) = &view.review else { return };
        if !self.is_playing() && matches!(self.screen, Screen::Room) {
            self.review_ply = Some(review.moves.len());
            self.info(crate::strings::analysis::summary(view, review));
        }
    }
}
