//! The list of servers on the full screen.

use super::{App, Screen};
use crate::session::Action;

impl App {
    pub(super) fn select_server(&mut self, place: usize) {
        self.message = None;
        let Some(known) = self.client.choice.candidates.get(place) else {
            return self.show(Screen::Form(self.form()));
        };
        self.client.choice.server = known.server.clone();
        if self.action == Action::Menu {
            self.show(Screen::Form(self.form()));
            self.list.select(Some(1));
        } else {
            self.connect();
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use crossterm::event::KeyCode;

    use crate::args::Args;
    use crate::client::Client;
    use crate::net::servers::{KnownServer, Origin};
    use crate::tui::app::tests::AppDriver;
    use crate::tui::app::{Effect, Screen};

    /// An app with two servers to choose from.
    fn two(command: &[&str]) -> AppDriver {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().to_str().unwrap();
        let line = ["noughts", "--name", "Ada", "--config-dir", folder];
        let args = Args::parse_from(line.iter().chain(command));
        let (mut client, _) = Client::new(&args).unwrap();
        let known = |text: &str| {
            let link: crate::net::address::Link = text.parse().unwrap();
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
    fn the_first_start_asks_for_the_name_also_on_a_given_server() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().to_str().unwrap();
        let line = ["noughts", "--server", "host", "--config-dir", folder];
        let (client, _) = Client::new(&Args::parse_from(line)).unwrap();
        let mut driver = AppDriver::of(client);
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.selected() == 1);
        driver.type_text("Eve");
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.client.profile.name.as_str(), "Eve");
        assert_eq!(driver.app.client.choice.server.to_string(), "host");
    }

    #[test]
    fn the_menu_asks_for_the_name_and_another_address_can_be_typed() {
        let mut driver = two(&[]);
        driver.press(KeyCode::Char('2'));
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.selected() == 1);
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
