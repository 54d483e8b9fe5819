//! Mouse clicks on cells, list items, answers and the key bar.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;

use super::{App, Overlay, Screen};
use crate::layout;

impl App {
    pub(super) fn click(&mut self, position: Position) {
        let Some(chrome) = layout::chrome(self.size) else { return };
        if chrome.key_bar.contains(position) {
            let key = self.key_at(position.x);
            return key.into_iter().for_each(|key| self.press(key));
        }
        match self.overlay {
            // Any key does the same.
            Some(Overlay::Help { page }) => self.show_help(page + 1),
            Some(Overlay::Question(question)) => {
                let (_, text) = question.title_and_text();
                match layout::question(chrome.body, &text).answer_at(position) {
                    Some(true) => self.answer(question, KeyCode::Char('y')),
                    Some(false) => self.answer(question, KeyCode::Char('n')),
                    None => {}
                }
            }
            None => match self.listing() {
                Some(listing) => {
                    let item = listing.item_at(position);
                    item.into_iter().for_each(|item| self.click_item(item));
                }
                None => self.click_board(position),
            },
        }
    }

    fn press(&mut self, key: KeyCode) {
        self.key(KeyEvent::new(key, KeyModifiers::NONE));
    }

    /// An item that opens something opens at once. An item with a value is selected first.
    fn click_item(&mut self, item: usize) {
        match &mut self.screen {
            Screen::Menu { .. } => {
                let chosen = self.menu().get(item).map(|(item, _)| *item);
                chosen.into_iter().for_each(|item| self.choose(item));
            }
            Screen::Servers { .. } => self.select_server(item),
            Screen::Form(form) => form.at_name = item == 1,
            Screen::Setup(setup) if setup.selected == item => setup.change(true),
            Screen::Setup(setup) => setup.selected = item,
            Screen::Lobby { selected, .. } if *selected == item => self.press(KeyCode::Enter),
            Screen::Lobby { selected, .. } => *selected = item,
            _ => {}
        }
    }

    fn click_board(&mut self, position: Position) {
        if self.review.is_some() {
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
