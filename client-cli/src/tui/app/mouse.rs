//! Mouse clicks on cells, list items, answers and the key bar.

use crossterm::event::KeyCode;
use ratatui::layout::Position;

use super::{App, KeyAction, Overlay, Screen};
use crate::tui::layout;

impl App {
    pub(super) fn click(&mut self, position: Position) {
        let Some(chrome) = layout::chrome(self.size) else { return };
        if chrome.key_bar.contains(position) {
            return self.click_key(position.x.checked_sub(1));
        }
        match self.overlay {
            // Any key does the same.
            Some(Overlay::Help { .. }) => self.act(KeyAction::Help, KeyCode::Null),
            Some(Overlay::Question(_)) => {
                let answers = self.window().map(|window| window.last_row());
                if let Some(answers) = answers.filter(|row| row.contains(position)) {
                    self.click_key(Some(position.x - answers.x));
                }
            }
            Some(Overlay::Emotes) => {
                let row = self.window().map(|window| position.y.saturating_sub(window.area.y));
                let digit = row.and_then(|row| char::from_digit(row.into(), 10));
                digit.into_iter().for_each(|digit| self.say_emote(KeyCode::Char(digit)));
            }
            None if matches!(self.screen, Screen::Room) => self.click_board(position),
            None => self.item_at(position).into_iter().for_each(|item| self.click_item(item)),
        }
    }

    /// Does what the key at a column of the key bar's text does.
    fn click_key(&mut self, column: Option<u16>) {
        let action = column.and_then(|column| self.key_bar().action_at(column));
        action.into_iter().for_each(|action| self.act(action, KeyCode::Null));
    }

    /// An item that opens something opens at once. An item with a value is selected first.
    fn click_item(&mut self, item: usize) {
        let again = self.selected() == item;
        self.list.select(Some(item));
        match &mut self.screen {
            Screen::Menu | Screen::Servers => self.enter(),
            Screen::Settings | Screen::Lobby | Screen::Games | Screen::Party if again => {
                self.enter();
            }
            Screen::Setup(setup) if again => setup.change(item, true),
            Screen::PartySetup(setup) if again => setup.change(item, true),
            _ => {}
        }
    }

    fn click_board(&mut self, position: Position) {
        if self.review_ply.is_some() {
            return;
        }
        let Some(view) = self.session.room() else { return };
        let Some(chrome) = layout::chrome(self.size) else { return };
        let spec = view.state.settings.board;
        if let Some(cell) = layout::game(chrome.body, spec, self.cursor).cell_at(position) {
            self.play(cell);
        }
    }
}

#[cfg(test)]
mod tests;
