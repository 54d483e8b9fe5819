//! The screens on the way to a server and to a room: the list of servers, the form for server and name, and
//! the waits.

use std::ops::ControlFlow;
use std::time::Instant;

use crossterm::event::KeyCode;
use noughts_client::address::Link;
use noughts_protocol::{LobbyIntent, PlayerName, Role, RoomIntent};

use super::keys::{HELP, Key, KeyAction, field_keys, key, list_keys};
use super::menu::{LETTERS, choice_keys, chosen};
use super::page::Page;
use super::screen::{Clicks, Component, Screen, Transition};
use super::settings::Settings;
use super::shell::{Shell, Start};
use super::text_field::TextField;
use crate::action::Action;
use crate::client::{Client, Exit};

impl Start {
    /// Returns to the server that worked before another one was tried from the settings.
    pub(super) fn connect_earlier(shell: &mut Shell) -> Option<Transition> {
        let (server, name, password) = shell.start.earlier.take()?;
        shell.client.choice.server = server;
        shell.client.profile.name = name;
        shell.client.choice.password = password;
        shell.start.action = Action::Menu;
        shell.session = shell.session.with_another_server();
        Some(Transition::Connect)
    }

    /// Whether a wait can be given up for the menu: the player came from there.
    fn may_go_back(shell: &Shell) -> bool {
        let action = &shell.start.action;
        let from_menu = *action != shell.client.options.action || *action == Action::Menu;
        from_menu && shell.session.is_welcome()
    }
}

/// The list of servers. The item after the last one is for another address.
#[derive(Debug)]
pub(crate) struct Servers;

impl Servers {
    fn item_keys(shell: &Shell) -> Vec<char> {
        ('1'..='9').chain(LETTERS).take(shell.client.choice.candidates.len() + 1).collect()
    }
}

impl Component for Servers {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        let quit = [key("q, Esc", KeyAction::Back, "quit", "quit"), HELP];
        [&choice_keys()[..], &list_keys("move"), &quit].concat()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        let place = match chosen(shell, &Self::item_keys(shell), action, code) {
            ControlFlow::Continue(place) => place,
            ControlFlow::Break(transition) => return transition,
        };
        shell.message = None;
        let Some(known) = shell.client.choice.candidates.get(place) else {
            return Transition::Show(Screen::Form(Form::of(&shell.client)));
        };
        shell.client.choice.server = known.server.clone();
        if shell.start.action == Action::Menu {
            Transition::ShowAt(Screen::Form(Form::of(&shell.client)), 1)
        } else {
            Transition::Connect
        }
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        page.heading("Which server?");
        let known = shell.client.choice.candidates.iter().map(ToString::to_string);
        page.keyed(&Self::item_keys(shell), known.chain(["Type an address".to_owned()]));
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Open
    }
}

/// The form for server and name.
#[derive(Debug)]
pub(crate) struct Form {
    /// The server's address.
    pub(crate) server: TextField,
    /// The player's name.
    pub(crate) name: TextField,
}

impl Form {
    /// The form with its default texts.
    pub(crate) fn of(client: &Client) -> Self {
        Self {
            server: TextField::filled(client.choice.server.to_string()),
            name: TextField::filled(client.profile.name.to_string()),
        }
    }

    /// Parses the form; the error says which field is wrong, and why.
    fn parse(&self) -> Result<(Link, PlayerName), (usize, String)> {
        let link = self.server.text().parse::<Link>().map_err(|e| (0, e.to_string()))?;
        let name = self.name.text().trim().parse().map_err(|e| (1, format!("{e}")))?;
        Ok((link, name))
    }

    /// Connects to the server that was typed.
    fn connect(&self, shell: &mut Shell) -> Transition {
        let (link, name) = match self.parse() {
            Ok(parsed) => parsed,
            Err((field, why)) => {
                shell.list.select(Some(field));
                shell.error(why);
                return Transition::Stay;
            }
        };
        if shell.client.options.way_in.is_remote() && link.server != shell.client.choice.server {
            shell.list.select(Some(0));
            shell.error("ssh leads to this server only");
            return Transition::Stay;
        }
        let client = &mut shell.client;
        let same = link.server == client.choice.server && name == client.profile.name;
        if same && link.room.is_none() && shell.session.is_welcome() {
            return Transition::Show(Screen::Settings(Settings));
        }
        let before = (
            std::mem::replace(&mut client.choice.server, link.server),
            std::mem::replace(&mut client.profile.name, name),
            client.choice.password.clone(),
        );
        // A password that was typed is for the server that asked for it.
        if before.0 != client.choice.server {
            client.choice.password.clone_from(&client.options.password);
        }
        if let Some(room) = link.room {
            shell.start.action = Action::join(room, Role::Player);
        }
        if shell.session.is_welcome() {
            shell.start.earlier.get_or_insert(before);
        }
        // Another server knows nothing about the earlier session.
        shell.session = shell.session.with_another_server();
        Transition::Connect
    }
}

impl Component for Form {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        // Without a connection of before Esc ends the program.
        let back = shell.start.earlier.is_some() || shell.session.is_welcome();
        // From the settings the last field saves both.
        let enter = if shell.selected() == 1 && back { "save" } else { "next" };
        let [enter, esc] = field_keys(enter, if back { "back" } else { "quit" });
        vec![enter, key("Tab, Up, Down", KeyAction::Move, "other field", ""), esc]
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        match action {
            KeyAction::Enter if shell.selected() == 0 => {
                shell.list.select(Some(1));
                Transition::Stay
            }
            KeyAction::Enter => self.connect(shell),
            KeyAction::Back => match Start::connect_earlier(shell) {
                Some(connect) => connect,
                None if shell.session.is_welcome() => Transition::Show(Screen::Settings(Settings)),
                None => Transition::Quit(Exit::Done),
            },
            _ => Transition::List,
        }
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        page.heading("Noughts and crosses, together");
        page.field("Server:", &self.server);
        page.field("Name:  ", &self.name);
        if [&self.server, &self.name][shell.selected().min(1)].untouched {
            page.note("The first letter that you type replaces the text.");
        }
    }

    fn field(&mut self, second: bool) -> Option<&mut TextField> {
        Some(if second { &mut self.name } else { &mut self.server })
    }
}

/// A wait for the server's answer, for a room, or for a stranger since then.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wait {
    Server,
    Room,
    Match(Instant),
}

impl Component for Wait {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        let back = Start::may_go_back(shell) || shell.start.earlier.is_some();
        let (names, label, help) = match self {
            Self::Match(_) => ("Esc, q", "stop looking", "stop looking, back to the menu"),
            _ if back => ("q, Esc", "back", "back to the menu"),
            _ => ("q, Esc", "quit", "quit"),
        };
        vec![key(names, KeyAction::Back, label, help), HELP]
    }

    fn act(&mut self, shell: &mut Shell, _: KeyAction, _: KeyCode) -> Transition {
        if let Self::Match(_) = self {
            let sent = shell.ask(LobbyIntent::CancelMatch);
            // The session repeats it after the break.
            let menu = sent && shell.session.lost().is_some();
            return if menu { Transition::Menu } else { Transition::Stay };
        }
        let for_server = matches!(self, Self::Server);
        let earlier = if for_server { Start::connect_earlier(shell) } else { None };
        match earlier {
            Some(connect) => connect,
            // The room behind the menu stays.
            None if shell.session.room().is_some() => Transition::Menu,
            None if !Start::may_go_back(shell) => Transition::Quit(Exit::Done),
            None => {
                if !for_server {
                    // A room that the server has not made yet still comes, and is shown then.
                    shell.ask(RoomIntent::Leave);
                    shell.message = None;
                }
                Transition::Menu
            }
        }
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        let dots = shell.theme().ellipsis();
        let Client { choice, .. } = &shell.client;
        let heading = match self {
            Self::Server => format!("Connecting to {}{dots}", choice.server),
            Self::Room => format!("Entering the room{dots}"),
            Self::Match(since) => {
                if choice.features.ratings && choice.features.history {
                    page.note("The game is rated.");
                }
                let seconds = shell.now.saturating_duration_since(*since).as_secs();
                format!("Looking for an opponent{dots} {seconds} s")
            }
        };
        page.heading(&heading);
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::{Form, Start, TextField};
    use crate::net::servers::{KnownServer, Origin};
    use crate::tui::app::tests::{AppDriver, client};
    use crate::tui::screen::Screen;
    use crate::tui::shell::Effect;

    /// An app with two servers to choose from.
    fn two(command: &str) -> AppDriver {
        let mut client = client(&format!("noughts {command} --name Ada"));
        let known = |text: &str| {
            let link: noughts_client::address::Link = text.parse().unwrap();
            KnownServer::new(link.server, Origin::Network)
        };
        client.choice.candidates = vec![known("one"), known("two")];
        client.choice.server = client.choice.candidates[0].server.clone();
        AppDriver::of(client)
    }

    #[test]
    fn a_command_goes_on_with_the_server_that_was_chosen() {
        let mut driver = two("play");
        assert!(driver.press(KeyCode::Down).is_empty());
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.shell.client.choice.server.to_string(), "two");
    }

    #[test]
    fn the_first_start_asks_for_the_name_also_on_a_given_server() {
        let mut driver = AppDriver::of(client("noughts --server host"));
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.shell.selected() == 1);
        driver.type_text("Eve");
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.shell.client.profile.name.as_str(), "Eve");
        assert_eq!(driver.app.shell.client.choice.server.to_string(), "host");
    }

    #[test]
    fn who_found_a_server_is_asked_for_the_name_alone() {
        let mut client = client("noughts");
        client.choice.found = Some("Found Noughts at 192.0.2.7.".to_owned());
        let driver = AppDriver::of(client);
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.shell.selected() == 1);
    }

    #[test]
    fn a_password_that_was_typed_goes_to_no_other_server() {
        let mut driver = AppDriver::in_menu();
        let shell = &mut driver.app.shell;
        shell.client.choice.password = Some("correct horse".parse().unwrap());
        let form =
            Form { server: TextField::filled("other".to_owned()), ..Form::of(&shell.client) };
        form.connect(shell);
        assert!(shell.client.choice.password.is_none());
        Start::connect_earlier(shell);
        assert!(shell.client.choice.password.is_some(), "it comes back with its server");
    }

    #[test]
    fn the_menu_asks_for_the_name_and_another_address_can_be_typed() {
        let mut driver = two("");
        driver.press(KeyCode::Char('2'));
        assert!(matches!(driver.app.screen, Screen::Form(_)) && driver.app.shell.selected() == 1);
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.shell.client.choice.server.to_string(), "two");
        let mut driver = two("play");
        driver.press(KeyCode::Up);
        driver.press(KeyCode::Enter);
        driver.type_text("three");
        driver.press(KeyCode::Enter);
        assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
        assert_eq!(driver.app.shell.client.choice.server.to_string(), "three");
    }
}
