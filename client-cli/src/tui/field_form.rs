//! The screens with one field: a room's code, a party's name, the server's password, and what a party's host
//! types.

use crossterm::event::KeyCode;
use noughts_protocol::{ChatText, PartyIntent, Role, RoomCode};

use super::keys::{Key, KeyAction, field_keys};
use super::page::Page;
use super::screen::{Component, Screen, Transition};
use super::setup::Setup;
use super::shell::{Shell, Start};
use super::text_field::TextField;
use crate::action::Action;
use crate::args::parse_room_of;
use crate::choices::{Choices, usual_name};
use crate::client::Exit;

/// The text that is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// A room's code.
    Code,
    /// The server's password.
    Password,
    /// The name of a new party.
    PartyName,
    /// The note for the result of a pairing, which has this winner.
    Note(u32, Option<u16>),
    /// The new name of an entrant.
    Entrant(u16),
}

impl Topic {
    /// Whether the host of a party types it.
    pub(super) const fn is_hosts(self) -> bool {
        matches!(self, Self::Note(..) | Self::Entrant(_))
    }
}

/// A screen with one field.
#[derive(Debug)]
pub(crate) struct FieldForm {
    field: TextField,
    pub(super) topic: Topic,
    /// The line of the party that was selected.
    line: usize,
}

impl FieldForm {
    /// The question for a code, with one that is typed already.
    pub(super) fn code(room: Option<RoomCode>) -> Screen {
        let field =
            room.map_or_else(TextField::default, |room| TextField::filled(room.to_string()));
        Screen::Field(Self { field, topic: Topic::Code, line: 0 })
    }

    pub(super) fn password() -> Screen {
        Screen::Field(Self { field: TextField::secret(), topic: Topic::Password, line: 0 })
    }

    pub(super) fn party_name(shell: &Shell) -> Screen {
        let name = usual_name(Some(&shell.client.profile.name));
        let field = TextField::filled(name.to_string());
        Screen::Field(Self { field, topic: Topic::PartyName, line: 0 })
    }

    /// A question to the host of a party.
    pub(super) fn of_host(topic: Topic, shell: &Shell) -> Transition {
        let line = shell.selected();
        Transition::Show(Screen::Field(Self { field: TextField::default(), topic, line }))
    }

    fn back(&self, shell: &mut Shell) -> Transition {
        match self.topic {
            Topic::Code | Topic::PartyName => Transition::Menu,
            Topic::Password => {
                Start::connect_earlier(shell).unwrap_or(Transition::Quit(Exit::Done))
            }
            Topic::Note(..) | Topic::Entrant(_) => Transition::Party(Some(self.line)),
        }
    }

    /// Does what the field is for, or says what is wrong with its text.
    fn enter(&mut self, shell: &mut Shell) -> Result<Transition, String> {
        let text = self.field.text().trim();
        let intent = match self.topic {
            Topic::Code => {
                let here = &shell.client.choice.server;
                // Hosts read out the whole command, too.
                let typed = text.strip_prefix("noughts play ").unwrap_or(text);
                let room = parse_room_of(here, typed.split(" --").next().unwrap_or(typed));
                // The next letter replaces a text that is no code. It is added to a code that lacks letters.
                self.field.untouched = room.is_err() && text.len() >= RoomCode::LETTERS;
                return Ok(Transition::Begin(Action::join(room?, Role::Player)));
            }
            Topic::Password => {
                let password = self.field.text().parse().map_err(|why| format!("{why}"))?;
                shell.client.choice.password = Some(password);
                return Ok(Transition::Connect);
            }
            Topic::PartyName => {
                let name = text.parse().map_err(|why| format!("{why}"))?;
                shell.message = None;
                let choices = Choices::party(name, shell.client.choice.features);
                return Ok(Transition::Show(Screen::Setup(Setup(choices))));
            }
            Topic::Note(pairing, winner) => {
                let note = text.parse::<ChatText>().map_err(|why| why.to_string());
                let note = if text.is_empty() { None } else { Some(note?) };
                PartyIntent::Decide { pairing, winner, note }
            }
            Topic::Entrant(entrant) => {
                let name = text.parse().map_err(|why| format!("{why}"))?;
                PartyIntent::Rename { entrant, name }
            }
        };
        shell.ask(intent);
        Ok(Transition::Party(Some(self.line)))
    }
}

impl Component for FieldForm {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        let (enter, back) = match self.topic {
            Topic::Code => ("join", "back"),
            Topic::PartyName => ("next", "back"),
            Topic::Password if shell.start.earlier.is_none() => ("go on", "quit"),
            Topic::Password => ("go on", "back"),
            Topic::Note(..) | Topic::Entrant(_) => ("done", "back"),
        };
        field_keys(enter, back).to_vec()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        if action == KeyAction::Back {
            return self.back(shell);
        }
        self.enter(shell).unwrap_or_else(|why| {
            shell.error(why);
            Transition::Stay
        })
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        let party = shell.party();
        let (heading, label) = match self.topic {
            Topic::Code => ("Which room? Type its code.".to_owned(), "Code:"),
            Topic::Password => {
                page.note("Ask the host for it.");
                (format!("{} asks for a password", shell.client.choice.server), "Password:")
            }
            Topic::PartyName => {
                let heading = "A party: many people, one code, and games that pair themselves";
                (heading.to_owned(), "Its name:")
            }
            Topic::Note(..) => {
                let heading = "A note for everybody: why is it so? It may be empty.";
                (heading.to_owned(), "Note:")
            }
            Topic::Entrant(entrant) => {
                let name = party.as_ref().map(|party| party.name(entrant)).unwrap_or_default();
                (format!("Another name for {name}"), "Name:")
            }
        };
        page.heading(&heading);
        page.field(label, &self.field);
        if let Some(party) = party.filter(|_| self.topic.is_hosts() && shell.is_awaited()) {
            page.note(&party.status());
        }
    }

    fn field(&mut self, _: bool) -> Option<&mut TextField> {
        Some(&mut self.field)
    }
}
