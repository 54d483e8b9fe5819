//! The key bar: the last row of the screen, which names keys. They can be clicked too.

use crossterm::event::KeyCode;

use super::{App, Overlay, Screen};
use crate::help;

impl App {
    /// The keys that fit the row: always the last one, which opens the help, then from the first
    /// on.
    pub(crate) fn key_bar(&self) -> Vec<&'static str> {
        let keys = match self.overlay {
            Some(Overlay::Help { page }) if self.has_help(page + 1) => "Enter more | Esc close",
            Some(Overlay::Help { .. }) => "Esc close",
            Some(Overlay::Question(_)) => "y yes | n no",
            None => keys(self),
        };
        let mut parts: Vec<&str> = keys.split(" | ").collect();
        let width = usize::from(self.size.width);
        while parts.len() > 1 && parts.join(" | ").len() + 1 > width {
            parts.remove(parts.len() - 2);
        }
        parts
    }

    pub(super) fn has_help(&self, page: usize) -> bool {
        help::page(matches!(self.screen, Screen::Room), self.size, page).is_some()
    }

    /// The key at a column of the row.
    pub(super) fn key_at(&self, column: u16) -> Option<KeyCode> {
        let mut from = 1;
        let hit = self.key_bar().into_iter().find(|hint| {
            let until = from + hint.len();
            let hit = (from..until).contains(&usize::from(column));
            from = until + " | ".len();
            hit
        })?;
        match hit.split(' ').next()? {
            "Enter" => Some(KeyCode::Enter),
            "Esc" => Some(KeyCode::Esc),
            "Tab" => Some(KeyCode::Tab),
            key => key.parse().ok().map(KeyCode::Char),
        }
    }
}

/// The keys of the screen, the most important first.
fn keys(app: &App) -> &'static str {
    let room = app.session.room();
    match &app.screen {
        Screen::Form(_) => "Enter next | Tab other field | Esc quit",
        Screen::Servers { .. } => "Enter choose | arrows | q quit",
        Screen::Password(_) => "Enter go on | Esc quit",
        Screen::Connecting | Screen::Entering => "q quit",
        Screen::Menu { .. } => "Enter choose | number | arrows | q quit | ? help",
        Screen::Setup(_) => "Enter start | arrows change | Esc back | ? help",
        Screen::Code(_) => "Enter join | Esc back",
        Screen::Lobby { .. } => "Enter watch | p play | arrows | Esc back",
        Screen::Quick { .. } => "Esc stop looking",
        Screen::Room => match room {
            Some(_) if app.review.is_some() => "arrows, Home, End step | Esc back | ? help",
            Some(view) if view.my_choice() == Some(true) => {
                "x play X | o play O | a add two marks | R resign | ? help"
            }
            Some(view) if view.my_choice().is_some() => "x play X | o play O | R resign | ? help",
            Some(view) if view.is_playing() => {
                let claimable = view.away_opponent().is_some_and(|(_, from)| from <= app.now);
                if claimable {
                    "c claim the win | ? help"
                } else if !view.state.settings.hints {
                    "Enter play | R resign | q leave | ? help"
                } else {
                    "Enter play | R resign | i hint | q leave | ? help"
                }
            }
            Some(view) if view.may_rematch() && view.offered_by_me() => {
                "r withdraw the offer | v review | q leave | ? help"
            }
            Some(view) if view.may_rematch() && view.offered_by_opponent().is_some() => {
                "r accept the rematch | v review | q leave | ? help"
            }
            Some(view) if view.may_rematch() => "r rematch | v review | q leave | ? help",
            Some(view) if view.is_watching() && view.last_finished().is_some() => {
                "q stop watching | v review | ? help"
            }
            Some(view) if view.is_watching() => "q stop watching | ? help",
            _ => "q leave | ? help",
        },
    }
}
