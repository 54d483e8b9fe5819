//! Choosing one of several servers.

use crossterm::event::KeyCode;

use super::{App, Effect, Form, Screen};
use crate::goal::Goal;
use crate::start::Exit;

impl App {
    pub(super) fn servers_key(&mut self, key: KeyCode) {
        let Screen::Servers { selected } = &mut self.screen else { return };
        // The last line is for another address.
        let count = self.servers.len() + 1;
        match key {
            KeyCode::Up | KeyCode::Char('k') => *selected = (*selected + count - 1) % count,
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                *selected = (*selected + 1) % count;
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                let place = *selected;
                self.choose_server(place);
            }
            KeyCode::Char('q') | KeyCode::Esc => self.quit(Exit::Done),
            KeyCode::Char(digit) => {
                let place = digit.to_digit(10).and_then(|number| number.checked_sub(1));
                if let Some(place) = place.filter(|place| (*place as usize) < count) {
                    self.choose_server(place as usize);
                }
            }
            _ => {}
        }
    }

    fn choose_server(&mut self, place: usize) {
        self.message = None;
        let Some(known) = self.servers.get(place) else {
            self.screen = Screen::Form(Form::new(&self.server, &self.name));
            return;
        };
        self.server = known.server.clone();
        if self.goal == Goal::Menu {
            let form = Form { at_name: true, ..Form::new(&self.server, &self.name) };
            self.screen = Screen::Form(form);
        } else {
            self.screen = Screen::Connecting;
            self.effects.push(Effect::Connect);
        }
    }
}
