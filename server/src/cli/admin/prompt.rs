//! The prompt at the bottom of the live screen: it asks the host step by step, until it has a request. Pure.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use humantime::format_duration;
use noughts_protocol::text::{BYTES_PER_CHAR, is_unsafe, length};
use noughts_protocol::{
    AnnouncementText, Features, IdError, MAX_ANNOUNCEMENT_CHARS, OneLineError, RoomCode,
};
use noughts_store::{Switch, Who};

use super::list::Human;
use crate::admin::message::{AdminRequest, NO_REASON};
use crate::config::args::duration;

/// A question to the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// The filter of the list. Each letter works at once.
    Filter,
    /// Why a room ends.
    EndReason(RoomCode),
    /// How long somebody is banned.
    BanTime(Who, String),
    /// Why somebody is banned.
    BanReason(Who, String, Option<u64>),
    /// Somebody's new name.
    NewName(Human),
    /// The text to say, to everybody or in a room or a party.
    Say(Option<RoomCode>),
    /// Which of two people is meant by the key.
    Which(Deal, [Human; 2]),
    /// Which feature is switched.
    Switch(Features),
    /// Whether that is really meant.
    Sure(AdminRequest, String),
}

/// An act on a person, by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deal {
    Remove,
    Disconnect,
    Ban,
    BanAddress,
    Rename,
    Forget,
}

impl Deal {
    pub(super) const fn of(key: char) -> Option<Self> {
        Some(match key {
            'r' => Self::Remove,
            'd' => Self::Disconnect,
            'b' => Self::Ban,
            'B' => Self::BanAddress,
            'n' => Self::Rename,
            'f' => Self::Forget,
            _ => return None,
        })
    }

    /// The question that comes before the act on somebody, or why the act is impossible.
    pub(super) fn with(self, human: Human) -> Result<Ask, String> {
        let Human { player, name, address, from } = &human;
        let player = *player;
        let who = Who::Player(player);
        Ok(match self {
            Self::Remove => {
                let from = from.ok_or_else(|| format!("{name} is in no room and no party"))?;
                Ask::Sure(
                    AdminRequest::Remove { player, from },
                    format!("Remove {name} from {from}"),
                )
            }
            Self::Disconnect => {
                let question = format!("Close all connections of {name}");
                Ask::Sure(AdminRequest::Disconnect { who }, question)
            }
            Self::Ban => Ask::BanTime(who, name.to_string()),
            Self::BanAddress => {
                let address = address.ok_or("the addresses are in the list of people: 3")?;
                Ask::BanTime(Who::Network(address.into()), address.to_string())
            }
            Self::Rename => Ask::NewName(human),
            Self::Forget => {
                let question = format!("Forget {name} in all games, for ever");
                Ask::Sure(AdminRequest::Forget { player }, question)
            }
        })
    }
}

/// The step after an answer of the host.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The host goes on typing.
    Typing(Prompt),
    /// A further question.
    Asked(Ask),
    /// Something for the server.
    Send(AdminRequest),
    /// The filter is this now. The prompt stays open while the host types.
    Filtered(String, Option<Prompt>),
    /// Nothing is done, and why.
    Dropped(String),
}

impl Next {
    fn dropped() -> Self {
        Self::Dropped("nothing is done".to_owned())
    }
}

/// A question, and the answer so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) ask: Ask,
    pub(super) text: String,
    /// Why the last answer does not fit.
    pub(super) wrong: Option<String>,
}

impl Prompt {
    pub(super) fn new(ask: Ask, text: &str) -> Self {
        Self { ask, text: text.to_owned(), wrong: None }
    }

    /// Whether the host types a text.
    pub(super) const fn is_typed(&self) -> bool {
        !matches!(self.ask, Ask::Which(..) | Ask::Switch(_) | Ask::Sure(..))
    }

    /// The question in words.
    pub(super) fn question(&self) -> String {
        match &self.ask {
            Ask::Filter => "Filter: ".to_owned(),
            Ask::EndReason(room) => format!("End room {room}. Reason, or Enter for none: "),
            Ask::BanTime(_, who) => {
                format!("Ban {who}. For how long, such as 2h, or Enter for ever: ")
            }
            Ask::BanReason(_, who, _) => {
                format!("Ban {who}. Reason, or Enter for \"{NO_REASON}\": ")
            }
            Ask::NewName(human) => format!("New name of {}, or Enter for their own: ", human.name),
            Ask::Say(None) => "Say to everybody: ".to_owned(),
            Ask::Say(Some(code)) => format!("Say in {code}: "),
            Ask::Which(_, [first, second]) => {
                format!("1 {}   2 {}   Esc nobody", first.name, second.name)
            }
            Ask::Switch(features) => {
                let state = |on| if on { "on" } else { "off" };
                format!(
                    "Switch: 1 talk ({})  2 list ({})  3 quick matches ({})  4 ratings ({})",
                    state(features.chat),
                    state(features.listing),
                    state(features.quick_match),
                    state(features.ratings),
                )
            }
            Ask::Sure(_, question) => format!("{question}? y/n"),
        }
    }

    /// Takes a key.
    pub(super) fn key(mut self, key: KeyEvent) -> Next {
        if !self.is_typed() {
            return self.pick(key.code);
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc if self.ask == Ask::Filter => return Next::Filtered(String::new(), None),
            KeyCode::Esc => return Next::dropped(),
            KeyCode::Enter => return self.enter(),
            KeyCode::Backspace => drop(self.text.pop()),
            KeyCode::Char('u') if is_control => self.text.clear(),
            KeyCode::Char(letter) if !is_control => {
                self.paste(letter.encode_utf8(&mut [0; 4]));
            }
            _ => {}
        }
        self.typed()
    }

    /// Goes on after a letter.
    pub(super) fn typed(mut self) -> Next {
        self.wrong = None;
        match self.ask {
            Ask::Filter => Next::Filtered(self.text.clone(), Some(self)),
            _ => Next::Typing(self),
        }
    }

    /// Takes the key that answers a question without a text.
    fn pick(self, key: KeyCode) -> Next {
        match (key, self.ask) {
            (KeyCode::Char('1'), Ask::Which(deal, [human, _]))
            | (KeyCode::Char('2'), Ask::Which(deal, [_, human])) => {
                deal.with(human).map_or_else(Next::Dropped, Next::Asked)
            }
            (KeyCode::Char('1'), Ask::Switch(on)) => switch(Switch::Chat, !on.chat),
            (KeyCode::Char('2'), Ask::Switch(on)) => switch(Switch::Listing, !on.listing),
            (KeyCode::Char('3'), Ask::Switch(on)) => switch(Switch::QuickMatch, !on.quick_match),
            (KeyCode::Char('4'), Ask::Switch(on)) => switch(Switch::Ratings, !on.ratings),
            (KeyCode::Char('y'), Ask::Sure(request, _)) => Next::Send(request),
            _ => Next::dropped(),
        }
    }

    /// Types a text, as much as fits.
    pub(super) fn paste(&mut self, text: &str) {
        let most = MAX_ANNOUNCEMENT_CHARS;
        let letters = text.chars().filter(|letter| !is_unsafe(*letter));
        for letter in letters.take(most * BYTES_PER_CHAR) {
            if length(&self.text) < most && self.text.len() < most * BYTES_PER_CHAR {
                self.text.push(letter);
            }
        }
    }

    /// Takes the text.
    fn enter(self) -> Next {
        let text = self.text.trim();
        let given = (!text.is_empty()).then_some(text);
        let next = match &self.ask {
            Ask::EndReason(room) => {
                let reason = given.map(announcement).transpose();
                reason.map(|reason| {
                    let request = AdminRequest::EndRoom { room: *room, reason };
                    Next::Asked(Ask::Sure(request, format!("End room {room}")))
                })
            }
            Ask::BanTime(who, name) => {
                let time = given.map(duration).transpose();
                time.map(|time| {
                    let seconds = time.map(|time| time.as_secs());
                    Next::Asked(Ask::BanReason(*who, name.clone(), seconds))
                })
            }
            Ask::BanReason(who, name, seconds) => {
                let reason = given.map(announcement).transpose();
                reason.map(|reason| Next::Asked(ban(*who, name, *seconds, reason)))
            }
            Ask::NewName(human) => {
                let player = human.player;
                let name = given.map(str::parse).transpose();
                let name = name.map_err(|error: IdError| error.to_string());
                name.map(|name| Next::Send(AdminRequest::Rename { player, name }))
            }
            Ask::Say(to) => {
                announcement(text).map(|text| Next::Send(AdminRequest::Say { text, to: *to }))
            }
            Ask::Filter => Ok(Next::Filtered(self.text.clone(), None)),
            Ask::Which(..) | Ask::Switch(_) | Ask::Sure(..) => Ok(Next::dropped()),
        };
        next.unwrap_or_else(|wrong| Next::Typing(Self { wrong: Some(wrong), ..self }))
    }
}

fn announcement(text: &str) -> Result<AnnouncementText, String> {
    text.parse().map_err(|error: OneLineError| error.to_string())
}

fn ban(who: Who, name: &str, seconds: Option<u64>, reason: Option<AnnouncementText>) -> Ask {
    let time = match seconds {
        Some(seconds) => format!("for {}", format_duration(Duration::from_secs(seconds))),
        None => "for ever".to_owned(),
    };
    Ask::Sure(AdminRequest::Ban { who, seconds, reason }, format!("Ban {name} {time}"))
}

fn switch(feature: Switch, on: bool) -> Next {
    Next::Send(AdminRequest::Switch { feature, on })
}
