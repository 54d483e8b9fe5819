//! The settings inside the program: name and server, and how the full screen looks and rings.

use super::{App, Effect, Screen};
use crate::config::Change;
use crate::session::Action;

/// How many items open the form for server and name.
pub(super) const FORM_ITEMS: usize = 2;

const fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

impl App {
    /// The label and the value of each setting.
    pub(super) fn settings(&self) -> [(&'static str, String); 5] {
        let preferences = self.client.preferences;
        [
            ("Name", self.client.profile.name.to_string()),
            ("Server", self.client.choice.server.to_string()),
            ("Background", preferences.theme.label().to_owned()),
            ("Bell", on_or_off(preferences.bell).to_owned()),
            ("Movement", on_or_off(preferences.motion).to_owned()),
        ]
    }

    /// Changes the selected setting: in the form, or to its next value.
    pub(super) fn change_setting(&mut self, place: usize) {
        if place >= FORM_ITEMS {
            return self.turn_setting(place, true);
        }
        self.may_change_server = true;
        // After the server's answer comes the menu.
        self.action = Action::Menu;
        self.message = None;
        self.show(Screen::Form(self.form()));
        // The form has the server first.
        self.list.select(Some(FORM_ITEMS - 1 - place));
    }

    /// Takes the next or the previous value of a setting, and keeps it.
    pub(super) fn turn_setting(&mut self, place: usize, forward: bool) {
        let mut saved = self.client.profile.preferences();
        let preferences = &mut self.client.preferences;
        match place {
            2 => {
                preferences.theme = preferences.theme.turned(forward);
                saved.theme = Some(preferences.theme);
            }
            3 => {
                preferences.bell = !preferences.bell;
                saved.bell = Some(preferences.bell);
            }
            4 => {
                preferences.motion = !preferences.motion;
                saved.motion = Some(preferences.motion);
            }
            _ => return,
        }
        let change = Change::Preferences(saved);
        self.client.profile.apply(change.clone());
        self.effects.push(Effect::Save(change));
    }

    /// Returns to the server that worked before another one was tried.
    pub(super) fn connect_earlier(&mut self) {
        let Some((server, name, password)) = self.earlier.take() else { return };
        (self.client.choice.server, self.client.profile.name) = (server, name);
        self.client.choice.password = password;
        self.action = Action::Menu;
        self.session = self.session.with_another_server();
        self.connect();
    }

    /// Whether another server or name is tried from the settings: Esc gives that up.
    pub(super) fn may_give_up_server(&self) -> bool {
        self.earlier.is_some() || self.may_close_form()
    }

    /// Shows what the first answer of a server leads to: the settings after another name.
    pub(super) fn welcomed(&mut self) {
        let renamed = self.earlier.take().is_some_and(|(server, ..)| {
            server == self.client.choice.server && self.action == Action::Menu
        });
        let action = self.action.clone();
        self.begin(action);
        if renamed {
            self.show(Screen::Settings);
        }
    }

    /// Whether the form was opened from the settings, so that it closes without a connection.
    pub(super) fn may_close_form(&self) -> bool {
        matches!(self.screen, Screen::Form(_)) && self.session.is_welcome()
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use crate::config::Change;
    use crate::fixture::welcome;
    use crate::preferences::{ColorTheme, SavedPreferences};
    use crate::session::ConnectionEvent;
    use crate::tui::app::tests::AppDriver;
    use crate::tui::app::{Effect, Screen};

    fn in_settings() -> AppDriver {
        let mut driver = AppDriver::start("noughts --server host");
        driver.feed(welcome());
        driver.type_text("8");
        assert!(matches!(driver.app.screen, Screen::Settings));
        driver
    }

    #[test]
    fn values_change_at_once_and_are_kept() {
        let mut driver = in_settings();
        driver.type_text("jj");
        let saved = |theme, bell| {
            let saved = SavedPreferences { theme, bell, motion: None };
            [Effect::Save(Change::Preferences(saved))]
        };
        assert_eq!(driver.type_text("l"), saved(Some(ColorTheme::Light), None));
        assert_eq!(driver.type_text("h"), saved(Some(ColorTheme::Auto), None));
        driver.press(KeyCode::Down);
        assert_eq!(driver.press(KeyCode::Enter), saved(Some(ColorTheme::Auto), Some(false)));
        assert!(!driver.app.client.preferences.bell);
        driver.press(KeyCode::Esc);
        assert!(matches!(driver.app.screen, Screen::Menu));
    }

    #[test]
    fn another_name_is_told_to_the_server_and_the_form_closes_without_a_change() {
        let mut driver = in_settings();
        driver.press(KeyCode::Enter);
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.selected() == 1);
        driver.press(KeyCode::Esc);
        assert!(matches!(driver.app.screen, Screen::Settings));
        driver.press(KeyCode::Enter);
        assert_eq!(driver.press(KeyCode::Enter), []);
        assert!(matches!(driver.app.screen, Screen::Settings), "nothing changed");
        driver.press(KeyCode::Enter);
        driver.type_text("Eve");
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.client.profile.name.as_str(), "Eve");
        driver.feed(welcome());
        assert!(matches!(driver.app.screen, Screen::Settings));
    }

    #[test]
    fn a_server_that_does_not_answer_is_given_up_for_the_old_one() {
        let mut driver = in_settings();
        driver.press(KeyCode::Down);
        driver.press(KeyCode::Enter);
        assert_eq!(driver.app.selected(), 0);
        driver.type_text("nowhere");
        driver.press(KeyCode::Enter);
        assert!(driver.app.key_bar().text().starts_with("Enter save | "));
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        driver.feed(ConnectionEvent::Ended("no answer".into()));
        assert!(matches!(driver.app.screen, Screen::Form(_)));
        assert!(driver.app.key_bar().text().ends_with("Esc back"));
        assert_eq!(driver.press(KeyCode::Esc), [Effect::Connect]);
        assert_eq!(driver.app.client.choice.server.to_string(), "host");
        driver.feed(welcome());
        assert!(matches!(driver.app.screen, Screen::Menu));
    }
}
