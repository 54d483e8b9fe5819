//! The settings inside the program: name and server, and how the full screen looks and rings.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use crossterm::event::KeyCode;

use super::connect::Form;
use super::keys::{Key, KeyAction, direction, key, value_keys};
use super::page::Page;
use super::screen::{Clicks, Component, Screen, Transition};
use super::shell::{Effect, Shell};
use crate::action::Action;
use crate::choices::turned;
use crate::config::Change;
use crate::preferences::ColorTheme;
use crate::strings::wrap;

/// How many items open the form for server and name.
const FORM_ITEMS: usize = 2;

/// The settings.
#[derive(Debug)]
pub(crate) struct Settings;

const fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

impl Settings {
    /// Takes the next or the previous value of the selected setting, and keeps it.
    fn turn(shell: &mut Shell, forward: bool) {
        let mut saved = shell.client.profile.saved.preferences;
        let preferences = &mut shell.client.preferences;
        match shell.list.selected() {
            Some(2) => {
                preferences.theme =
                    turned(ColorTheme::value_variants(), preferences.theme, forward);
                saved.theme = Some(preferences.theme);
            }
            Some(3) => {
                preferences.bell = !preferences.bell;
                saved.bell = Some(preferences.bell);
            }
            Some(4) => {
                preferences.motion = !preferences.motion;
                saved.motion = Some(preferences.motion);
            }
            _ => return,
        }
        let change = Change::Preferences(saved);
        shell.client.profile.saved.apply(change.clone());
        shell.effects.push(Effect::Save(change));
    }
}

impl Component for Settings {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        value_keys(key("Enter", KeyAction::Enter, "change", "change it"), "move").to_vec()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        let (columns, rows) = direction(code);
        match action {
            KeyAction::Back => return Transition::Menu,
            KeyAction::Move if rows == 0 => Self::turn(shell, columns > 0),
            KeyAction::Enter if shell.selected() < FORM_ITEMS => {
                shell.start.may_change_server = true;
                // After the server's answer comes the menu.
                shell.start.action = Action::Menu;
                shell.message = None;
                // The form has the server first.
                let field = FORM_ITEMS - 1 - shell.selected();
                return Transition::ShowAt(Screen::Form(Form::of(&shell.client)), field);
            }
            KeyAction::Enter => Self::turn(shell, true),
            _ => return Transition::List,
        }
        Transition::Stay
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        page.heading("Settings");
        let preferences = shell.client.preferences;
        let mut name = shell.client.profile.name.to_string();
        let given = shell.session.name().filter(|given| **given != shell.client.profile.name);
        given.into_iter().for_each(|given| name += &format!(", here {given}"));
        for (label, value) in [("Name", name), ("Server", shell.client.choice.server.to_string())] {
            page.items.push(wrap(&format!("{label:<19}   {value}"), page.width));
        }
        let theme = preferences.theme.to_possible_value();
        page.value("Background", theme.as_ref().map_or("", PossibleValue::get_name));
        page.value("Bell", on_or_off(preferences.bell));
        page.value("Movement", on_or_off(preferences.motion));
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Select
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use crate::config::Change;
    use crate::fixture::welcome;
    use crate::preferences::{ColorTheme, SavedPreferences};
    use crate::tui::app::tests::AppDriver;
    use crate::tui::screen::Screen;
    use crate::tui::shell::Effect;
    use noughts_client::session::ConnectionEvent;

    fn in_settings() -> AppDriver {
        let mut driver = AppDriver::in_menu();
        driver.type_text("8");
        assert!(matches!(driver.app.screen, Screen::Settings(_)));
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
        assert!(!driver.app.shell.client.preferences.bell);
        driver.press(KeyCode::Esc);
        assert!(matches!(driver.app.screen, Screen::Menu));
    }

    #[test]
    fn another_name_is_told_to_the_server_and_the_form_closes_without_a_change() {
        let mut driver = in_settings();
        driver.press(KeyCode::Enter);
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.shell.selected() == 1);
        driver.press(KeyCode::Esc);
        assert!(matches!(driver.app.screen, Screen::Settings(_)));
        driver.press(KeyCode::Enter);
        assert_eq!(driver.press(KeyCode::Enter), []);
        assert!(matches!(driver.app.screen, Screen::Settings(_)), "nothing changed");
        driver.press(KeyCode::Enter);
        driver.type_text("Eve");
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.shell.client.profile.name.as_str(), "Eve");
        driver.feed(welcome());
        assert!(matches!(driver.app.screen, Screen::Settings(_)));
    }

    #[test]
    fn a_server_that_does_not_answer_is_given_up_for_the_old_one() {
        let mut driver = in_settings();
        driver.press(KeyCode::Down);
        driver.press(KeyCode::Enter);
        assert_eq!(driver.app.shell.selected(), 0);
        driver.type_text("nowhere");
        driver.press(KeyCode::Enter);
        assert!(driver.app.key_bar().text().starts_with("Enter save | "));
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        driver.feed(ConnectionEvent::Ended("no answer".into()));
        assert!(matches!(driver.app.screen, Screen::Form(_)));
        assert!(driver.app.key_bar().text().ends_with("Esc back"));
        assert_eq!(driver.press(KeyCode::Esc), [Effect::Connect]);
        assert_eq!(driver.app.shell.client.choice.server.to_string(), "host");
        driver.feed(welcome());
        assert!(matches!(driver.app.screen, Screen::Menu));
    }
}
