//! Keys of a room that mean nothing at the moment: on large boards their letters may name a column.

use crossterm::event::{KeyCode, KeyEvent};

use super::Context::{Choice, Room};
use super::{Act, App, Binding};

impl App {
    /// Whether a letter is a key of the room that means nothing at the moment: as long as there is no
    /// game, or because it may name a column of the board. A hint belongs to the other turn too.
    pub(in crate::tui::app) fn means_nothing_now(&self, key: KeyEvent) -> bool {
        let letter = matches!(key.code, KeyCode::Char(letter) if letter.is_ascii_alphabetic());
        let Some(view) = self.session.room().filter(|_| letter) else { return false };
        let Some((action, code)) = self.action_of(key) else { return false };
        let key = KeyEvent { code, ..key };
        let in_play = matches!(self.context(), Room | Choice);
        let idle = |binding: &Binding| binding.has(key) && !(binding.when)(self);
        let waits = action == Act::Hint && view.state.settings.hints && view.state.game.is_some();
        let moves = action == Act::Move;
        in_play
            && !waits
            && self.bindings().any(idle)
            && (moves || view.state.game.is_none() || self.is_column(key))
    }
}
