//! The list of servers on the full screen.

use crossterm::event::KeyCode;

use super::{App, Effect, Form, Screen};
use crate::client::Exit;
use crate::core::Action;

impl App {
    pub(super) fn servers_key(&mut self, key: KeyCode) {
        let Screen::Servers { selected } = &mut self.screen else { return };
        // The last row is for another address.
        let count = self.client.choice.candidates.len() + 1;
        match key {
            KeyCode::Up | KeyCode::Char('k') => *selected = (*selected + count - 1) % count,
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                *selected = (*selected + 1) % count;
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                let place = *selected;
                self.select_server(place);
            }
            KeyCode::Char('q') | KeyCode::Esc => self.quit(Exit::Done),
            KeyCode::Char(digit) => {
                let place = digit.to_digit(10).and_then(|number| number.checked_sub(1));
                if let Some(place) = place.filter(|place| (*place as usize) < count) {
                    self.select_server(place as usize);
                }
            }
            _ => {}
        }
    }

    pub(super) fn select_server(&mut self, place: usize) {
        self.message = None;
        let Some(known) = self.client.choice.candidates.get(place) else {
            self.screen = Screen::Form(self.form());
            return;
        };
        self.client.choice.server = known.server.clone();
        if self.action == Action::Menu {
            let form = Form { at_name: true, ..self.form() };
            self.screen = Screen::Form(form);
        } else {
            self.screen = Screen::Connecting;
            self.effects.push(Effect::Connect);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use crossterm::event::KeyCode;

    use crate::app::tests::AppDriver;
    use crate::app::{Effect, Screen};
    use crate::args::Args;
    use crate::client::Client;
    use crate::servers::{KnownServer, Origin};

    /// An app with two servers to choose from.
    fn two(command: &[&str]) -> AppDriver {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().to_str().unwrap();
        let line = ["noughts", "--name", "Ada", "--config-dir", folder];
        let args = Args::parse_from(line.iter().chain(command));
        let (mut client, _) = Client::new(&args).unwrap();
        let known = |text: &str| {
            let link: crate::address::Link = text.parse().unwrap();
            KnownServer::new(link.server, Origin::Network)
        };
        client.choice.candidates = vec![known("one"), known("two")];
        client.choice.server = client.choice.candidates[0].server.clone();
        AppDriver::of(client)
    }

    #[test]
    fn a_command_goes_on_with_the_server_that_was_chosen() {
        let mut driver = two(&["play"]);
        assert!(driver.press(KeyCode::Down).is_empty());
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.client.choice.server.to_string(), "two");
    }

    #[test]
    fn the_menu_asks_for_the_name_and_another_address_can_be_typed() {
        let mut driver = two(&[]);
        driver.press(KeyCode::Char('2'));
        assert!(matches!(&driver.app.screen, Screen::Form(form) if form.at_name));
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.client.choice.server.to_string(), "two");
        let mut driver = two(&["play"]);
        driver.press(KeyCode::Up);
        driver.press(KeyCode::Enter);
        driver.type_text("three");
        driver.press(KeyCode::Enter);
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.client.choice.server.to_string(), "three");
    }
}
