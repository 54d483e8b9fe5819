//! People on the full screen: profiles, the strongest players, and who the player is: saved to a
//! file, or forgotten.

use std::path::PathBuf;

use noughts_protocol::{
    BoardClass, Found, LobbyIntent, Period, PlayerId, PlayerName, identity_file,
};

use super::{App, Effect, Page, Question, Screen, TextField};
use crate::session::LookupKind;
use crate::strings::Row;
use crate::strings::people::{self, PeopleTarget};
use crate::strings::wrap;

/// How many screens lead back one by one. The oldest goes first.
const MAX_BACK: usize = 50;

/// The columns of an avatar and the gap beside it.
const BESIDE: u16 = 8;

/// The content of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum People {
    /// A profile; the player's own without an id.
    Profile(Option<PlayerId>),
    /// The strongest players.
    Leaders(BoardClass, Period),
}

/// The screens about people, one over the other. The last one is shown.
#[derive(Debug, Default)]
pub(crate) struct PeopleScreens(Vec<People>);

/// The choices of a leaderboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeadersFilter {
    Class,
    Period,
}

impl App {
    /// Shows people, over the people who are shown.
    pub(super) fn open_people(&mut self, people: People) {
        if !matches!(self.screen, Screen::People) {
            self.people.0.clear();
        }
        if self.people.0.len() >= MAX_BACK {
            self.people.0.remove(0);
        }
        self.people.0.push(people);
        self.show_people();
    }

    /// Shows the strongest players of this week.
    pub(super) fn open_leaders(&mut self) {
        self.open_people(People::Leaders(BoardClass::default(), Period::default()));
    }

    fn show_people(&mut self) {
        self.message = None;
        self.show(Screen::People);
        match self.people.0.last() {
            Some(People::Profile(player)) => self.ask(LobbyIntent::Profile { player: *player }),
            Some(People::Leaders(class, period)) => {
                self.ask(LobbyIntent::Leaderboard { class: *class, period: *period });
            }
            None => self.show_menu(),
        }
    }

    /// Shows the people of before, or the menu.
    pub(super) fn close_people(&mut self) {
        self.people.0.pop();
        self.show_people();
    }

    /// Shows the same people again, for example after a game of theirs.
    pub(super) fn back_to_people(&mut self) -> bool {
        let any = !self.people.0.is_empty();
        if any {
            self.show_people();
        }
        any
    }

    /// Takes in an answer.
    pub(super) fn people_came(&mut self, kind: LookupKind) {
        // The first line that leads somewhere.
        let first = self
            .people(self.size.width)
            .and_then(|(_, rows)| rows.iter().position(|row| row.target.is_some()));
        if matches!(self.screen, Screen::People) && self.selected() == 0 {
            self.list.select(Some(first.unwrap_or_default()));
        }
        let question = self.session.question(kind);
        let refused = question.and_then(|question| question.answer.as_ref()?.as_ref().err());
        if let Some(why) = refused.map(ToString::to_string)
            && matches!(self.screen, Screen::People)
        {
            self.error(why);
        }
    }

    fn found(&self, kind: LookupKind) -> Option<&Found> {
        self.session.question(kind)?.answer.as_ref()?.as_ref().ok()
    }

    /// Whether the shown profile is the player's own.
    fn is_own(&self, player: PlayerId) -> bool {
        self.session.player() == Some(player)
    }

    /// The title and the lines of the screen. Without an answer there are none yet.
    fn people(&self, width: u16) -> Option<(Vec<String>, Vec<Row<PeopleTarget>>)> {
        let ascii = self.client.options.ascii;
        match *self.people.0.last()? {
            People::Profile(_) => {
                let Found::Profile { profile } = self.found(LookupKind::Profile)? else {
                    return None;
                };
                let own = self.is_own(profile.player);
                let mut rows = people::profile(profile, own, ascii);
                let rest = rows.iter().position(|row| row.text.is_empty()).unwrap_or(rows.len());
                let mut lists = rows.split_off(rest);
                let head = rows.into_iter().map(|row| row.text);
                if own {
                    lists.extend(people::own_actions());
                }
                let name = people::name(profile, own);
                let head: Vec<String> = std::iter::once(name).chain(head).collect();
                Some((beside(&people::avatar(profile.player), &head, width), lists))
            }
            People::Leaders(class, period) => {
                let Found::Leaderboard { leaderboard } = self.found(LookupKind::Leaderboard)?
                else {
                    return None;
                };
                let title = wrap(&people::leaders_title(class, period), width);
                Some((title, people::leaders(leaderboard, ascii)))
            }
        }
    }

    /// Fills the page.
    pub(super) fn fill_people(&self, page: &mut Page<'_>) {
        let width = page.width();
        match self.people(width) {
            Some((title, rows)) => {
                page.title = title;
                let lines = |row: &Row<PeopleTarget>| match row.target {
                    Some(PeopleTarget::Game(_)) => super::page::game(&row.text, width),
                    _ => wrap(&row.text, width),
                };
                page.items = rows.iter().map(lines).collect();
                // An empty line is a line too.
                page.items.iter_mut().filter(|lines| lines.is_empty()).for_each(|lines| {
                    lines.push(String::new());
                });
            }
            None => page.title = vec!["Looking it up.".to_owned()],
        }
    }

    /// The screen that the selected line leads to.
    fn selected_target(&self) -> Option<PeopleTarget> {
        let (_, rows) = self.people(self.size.width)?;
        rows.get(self.selected())?.target
    }

    /// Follows the selected line.
    pub(super) fn open_selected_person(&mut self) {
        match self.selected_target() {
            Some(PeopleTarget::Game(game)) => self.open_replay(game),
            Some(PeopleTarget::Player(player)) => self.open_people(People::Profile(Some(player))),
            Some(PeopleTarget::Save) => self.ask_for_file(),
            Some(PeopleTarget::Forget) => self.question(Question::Forget),
            None => {}
        }
    }

    /// Shows another class of boards, or another time.
    pub(super) fn turn_leaders(&mut self, filter: LeadersFilter) {
        let Some(People::Leaders(class, period)) = self.people.0.last_mut() else { return };
        match filter {
            LeadersFilter::Class => *class = next(&BoardClass::ALL, *class),
            LeadersFilter::Period => *period = next(&Period::ALL, *period),
        }
        self.show_people();
    }

    /// Copies the link of the shown profile.
    pub(super) fn copy_profile_link(&mut self) {
        if let Some(Found::Profile { profile }) = self.found(LookupKind::Profile) {
            let link = self.share_address.profile_link(profile.player);
            self.effects.push(Effect::Copy(link.clone()));
            self.info(format!("Copied {link}"));
        }
    }

    /// Asks for the file of the identity.
    fn ask_for_file(&mut self) {
        let file = file_name(&self.client.profile.name);
        self.show(Screen::SaveIdentity(TextField::filled(file)));
        self.message = None;
    }

    /// Saves the identity to the file that was typed.
    pub(super) fn save_identity(&mut self) {
        let Screen::SaveIdentity(field) = &self.screen else { return };
        let path = field.text().trim().to_owned();
        match self.client.identity() {
            _ if path.is_empty() => self.error("type the name of a new file"),
            None => self.error("you are nobody on this server yet"),
            Some(identity) => {
                self.effects.push(Effect::SaveIdentity(PathBuf::from(path), identity));
            }
        }
    }

    /// Says how saving the identity went.
    pub(crate) fn identity_saved(&mut self, path: &std::path::Path, saved: Result<(), String>) {
        match saved {
            Ok(()) => {
                if !self.back_to_people() {
                    self.show_menu();
                }
                self.info(format!(
                    "Saved to {}. Keep it where only you can read it.",
                    path.display()
                ));
            }
            Err(why) => self.error(why),
        }
    }

    /// Somebody new is here now.
    pub(super) fn forgotten(&mut self) {
        self.action = crate::session::Action::Menu;
        self.overlay = None;
        self.show(Screen::Connecting);
        self.info("You are forgotten here. From now on you are somebody new.");
    }
}

/// The note of the question for a file.
pub(super) const SAVE_NOTE: &str = identity_file::WORTH;

/// The label of the key that opens the selected line.
pub(super) fn open_label(app: &App) -> &'static str {
    match app.selected_target() {
        Some(PeopleTarget::Game(_)) => "look at it",
        Some(PeopleTarget::Player(_)) => "profile",
        Some(PeopleTarget::Save) => "save",
        Some(PeopleTarget::Forget) => "forget me",
        None => "",
    }
}

/// The label of the key for another class of boards.
pub(super) fn class_label(app: &App) -> &'static str {
    if matches!(app.people.0.last(), Some(People::Leaders(..))) { "boards" } else { "" }
}

/// The label of the key for another time.
pub(super) fn time_label(app: &App) -> &'static str {
    if class_label(app).is_empty() { "" } else { "time" }
}

/// The label of the key that copies a profile's link.
pub(super) fn link_label(app: &App) -> &'static str {
    if matches!(app.people.0.last(), Some(People::Profile(_))) { "link" } else { "" }
}

fn next<T: Copy + PartialEq>(all: &[T], value: T) -> T {
    let place = all.iter().position(|one| *one == value).unwrap_or(0);
    all[(place + 1) % all.len()]
}

/// The avatar with the lines beside it, in lines that fit.
fn beside(avatar: &[String; 5], head: &[String], width: u16) -> Vec<String> {
    let text = width.saturating_sub(BESIDE);
    let mut lines: Vec<String> = head.iter().flat_map(|line| wrap(line, text)).collect();
    lines.resize(lines.len().max(avatar.len()), String::new());
    let pictures = avatar.iter().map(String::as_str).chain(std::iter::repeat("     "));
    lines.iter().zip(pictures).map(|(line, picture)| format!("{picture}   {line}")).collect()
}

/// A file name for an identity: letters, digits and dashes of the name.
fn file_name(name: &PlayerName) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    format!("noughts-{}.json", name.as_str().chars().map(plain).collect::<String>())
}
