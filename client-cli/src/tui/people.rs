//! People: profiles, the strongest players, those who are here now, and who the player is: on
//! another device, saved to a file, or forgotten.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::event::KeyCode;
use noughts_client::session::LookupKind;
use noughts_protocol::{
    BoardClass, Found, LobbyIntent, PassCode, Period, PlayerId, PlayerName, RoomSettings,
    identity_file,
};
use ratatui::widgets::ListState;

use super::keys::{HELP, Key, KeyAction, field_keys, key, labelled, list_keys};
use super::overlay::Question;
use super::page::{self, Page};
use super::screen::{Clicks, Component, Transition};
use super::shell::{Effect, Shell};
use super::text_field::TextField;
use crate::action::Action;
use crate::choices::turned;
use crate::strings::people::{self, PeopleTarget};
use crate::strings::{Row, clock, wrap};

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
    /// Those whom the player has played and who are connected now.
    Here,
}

/// The choices of a leaderboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeadersFilter {
    Class,
    Period,
}

/// A pass for another device of the player.
#[derive(Debug)]
enum DevicePass {
    Asked,
    Made { code: PassCode, until: Instant },
}

impl DevicePass {
    /// The link and the command for the other device, while the pass is good.
    fn ways(&self, shell: &Shell) -> Option<[String; 2]> {
        let Self::Made { code, until } = self else { return None };
        let address = &shell.share_address;
        let command = format!("pass {}", code.reveal());
        let command = shell.client.options.way_in.invitation(&command, address);
        (shell.now < *until).then(|| [address.pass_link(code), command])
    }

    fn has_run_out(&self, shell: &Shell) -> bool {
        matches!(self, Self::Made { until, .. } if shell.now >= *until)
    }

    /// Copies the selected way.
    fn copy(&self, shell: &mut Shell) {
        let way = self.ways(shell).and_then(|ways| ways.into_iter().nth(shell.selected()));
        if let Some(way) = way {
            shell.effects.push(Effect::Copy(way));
            shell.info("Copied, if your terminal allows it.");
        }
    }

    fn fill(&self, shell: &Shell, page: &mut Page<'_>) {
        page.heading("Continue on another device");
        if let (Self::Made { until, .. }, Some(ways)) = (self, self.ways(shell)) {
            let left = clock(*until - shell.now);
            page.heading(&format!("Open this there, or type the line below it: once, in {left}."));
            page.items(ways);
            page.note("Who has it is you: show it to nobody.");
        } else if self.has_run_out(shell) {
            page.items(["This pass has run out. Make another one."]);
        } else {
            page.heading("Asking the server.");
        }
    }
}

/// Profiles, or the strongest players.
#[derive(Debug)]
pub(crate) struct PeopleScreen {
    /// Those who were shown before, one over the other.
    before: Vec<People>,
    shown: People,
    /// The question for a file for the player's identity, while it is asked.
    pub(super) file: Option<TextField>,
    /// The pass for another device, while it is shown.
    pass: Option<DevicePass>,
}

fn found(shell: &Shell, kind: LookupKind) -> Option<&Found> {
    shell.session.answer(kind)?.as_ref().ok()
}

impl PeopleScreen {
    pub(super) const fn of(shown: People) -> Self {
        Self { before: Vec::new(), shown, file: None, pass: None }
    }

    pub(super) const fn shows_leaders(&self) -> bool {
        matches!(self.shown, People::Leaders(..))
    }

    /// Asks for the people, and shows them from the first line on.
    pub(super) fn load(&mut self, shell: &mut Shell) {
        self.file = None;
        self.pass = None;
        shell.list = ListState::default().with_selected(Some(0));
        shell.ask(match self.shown {
            People::Profile(player) => LobbyIntent::Profile { player },
            People::Leaders(class, period) => LobbyIntent::Leaderboard { class, period },
            People::Here => LobbyIntent::Here { hide: None },
        });
    }

    /// Shows people over those who are shown.
    fn open(&mut self, shell: &mut Shell, people: People) {
        if self.before.len() + 1 >= MAX_BACK {
            self.before.remove(0);
        }
        self.before.push(std::mem::replace(&mut self.shown, people));
        self.load(shell);
    }

    /// Asks for a pass.
    fn ask_pass(&mut self, shell: &mut Shell) {
        if shell.ask(LobbyIntent::Pass) {
            self.pass = Some(DevicePass::Asked);
            shell.list.select(Some(0));
        }
    }

    /// Takes in the pass that was asked for, or that it was used.
    pub(super) fn pass_came(&mut self, shell: &mut Shell, code: PassCode, left: Duration) {
        match &self.pass {
            Some(DevicePass::Asked) if !left.is_zero() => {
                let until = shell.now + left;
                let pass = self.pass.insert(DevicePass::Made { code, until });
                pass.copy(shell);
            }
            Some(DevicePass::Made { code: shown, .. }) if left.is_zero() && *shown == code => {
                self.load(shell);
                shell.info("Your other device is in.");
            }
            _ => {}
        }
    }

    /// Takes in an answer.
    pub(super) fn came(&self, shell: &mut Shell, kind: LookupKind) {
        // The first line that leads somewhere.
        let first = self
            .rows(shell, shell.size.width)
            .and_then(|(_, rows)| rows.iter().position(|row| row.target.is_some()));
        if shell.selected() == 0 {
            shell.list.select(Some(first.unwrap_or_default()));
        }
        if let Some(Err(refusal)) = shell.session.answer(kind) {
            shell.error(refusal.to_string());
        }
    }

    /// The title and the lines of the screen. Without an answer there are none yet.
    fn rows(&self, shell: &Shell, width: u16) -> Option<(Vec<String>, Vec<Row<PeopleTarget>>)> {
        let ascii = shell.client.options.ascii;
        match self.shown {
            People::Profile(_) => {
                let Found::Profile { profile } = found(shell, LookupKind::Profile)? else {
                    return None;
                };
                let own = shell.session.player() == Some(profile.player);
                let mut rows = people::profile(profile, own, ascii);
                let rest = rows.iter().position(|row| row.text.is_empty()).unwrap_or(rows.len());
                let mut lists = rows.split_off(rest);
                let head = rows.into_iter().map(|row| row.text);
                if !own && profile.you.is_some() {
                    lists.extend(people::challenge(profile));
                }
                if own {
                    lists.extend(people::own_actions(!shell.client.options.way_in.is_remote()));
                }
                let name = people::name(profile, own);
                let head: Vec<String> = std::iter::once(name).chain(head).collect();
                Some((beside(&people::avatar(profile.player), &head, width), lists))
            }
            People::Leaders(class, period) => {
                let Found::Leaderboard { leaderboard } = found(shell, LookupKind::Leaderboard)?
                else {
                    return None;
                };
                let title = wrap(&people::leaders_title(class, period), width);
                Some((title, people::leaders(leaderboard, ascii)))
            }
            People::Here => {
                let Found::Here { people: here, .. } = found(shell, LookupKind::Here)? else {
                    return None;
                };
                Some((vec!["Here now".to_owned()], people::here(here)))
            }
        }
    }

    /// The screen that the selected line leads to.
    fn target(&self, shell: &Shell) -> Option<PeopleTarget> {
        let (_, rows) = self.rows(shell, shell.size.width)?;
        rows.get(shell.selected())?.target
    }

    /// Follows the selected line.
    fn enter(&mut self, shell: &mut Shell) -> Transition {
        match self.target(shell) {
            Some(PeopleTarget::Game(game)) => return Transition::Begin(Action::Replay(game)),
            Some(PeopleTarget::Player(player)) => {
                self.open(shell, People::Profile(Some(player)));
            }
            Some(PeopleTarget::Challenge(player)) => {
                let settings = RoomSettings::default();
                return Transition::Begin(Action::Enter(LobbyIntent::Challenge {
                    player,
                    settings,
                }));
            }
            Some(PeopleTarget::Device) => self.ask_pass(shell),
            Some(PeopleTarget::Save) => {
                let name = file_name(&shell.client.profile.name);
                self.file = Some(TextField::filled(name));
                shell.list.select(Some(0));
                shell.message = None;
            }
            Some(PeopleTarget::Forget) => return Transition::Ask(Question::Forget),
            None => {}
        }
        Transition::Stay
    }

    /// Shows another class of boards, or another time.
    fn turn(&mut self, shell: &mut Shell, filter: LeadersFilter) {
        let People::Leaders(class, period) = &mut self.shown else { return };
        match filter {
            LeadersFilter::Class => *class = turned(&BoardClass::ALL, *class, true),
            LeadersFilter::Period => *period = turned(&Period::ALL, *period, true),
        }
        self.load(shell);
    }
}

/// Has the identity saved to the file that was typed.
fn save_identity(shell: &mut Shell, path: &str) {
    match shell.client.identity() {
        _ if path.is_empty() => shell.error("type the name of a new file"),
        None => shell.error("you are nobody on this server yet"),
        Some(identity) => {
            shell.effects.push(Effect::SaveIdentity(PathBuf::from(path), identity));
        }
    }
}

impl Component for PeopleScreen {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        if self.file.is_some() {
            return field_keys("save", "back").to_vec();
        }
        if let Some(pass) = &self.pass {
            let enter = if pass.has_run_out(shell) { "another" } else { "copy" };
            return [&field_keys(enter, "back")[..], &list_keys("move")].concat();
        }
        let open = match self.target(shell) {
            Some(PeopleTarget::Game(_)) => "look at it",
            Some(PeopleTarget::Player(_)) => "profile",
            Some(PeopleTarget::Challenge(_)) => "ask to play",
            Some(PeopleTarget::Device) => "link",
            Some(PeopleTarget::Save) => "save",
            Some(PeopleTarget::Forget) => "forget me",
            None => "",
        };
        let (boards, time, link) = match self.shown {
            People::Leaders(..) => ("boards", "time", ""),
            People::Profile(_) => ("", "", "link"),
            People::Here => ("", "", ""),
        };
        let own = [
            labelled("Enter, space", KeyAction::Enter, open, "look at it"),
            labelled("b", KeyAction::Leaders(LeadersFilter::Class), boards, "other boards"),
            labelled("t", KeyAction::Leaders(LeadersFilter::Period), time, "another time"),
            labelled("y", KeyAction::Copy, link, "copy the profile's link"),
        ];
        let back = [key("Esc, q", KeyAction::Back, "back", "back"), HELP];
        [&own[..], &list_keys("move"), &back].concat()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        match (action, &self.file) {
            (KeyAction::Back, _) if self.pass.is_some() => self.load(shell),
            (KeyAction::Enter, None) if self.pass.is_some() => match &self.pass {
                Some(pass) if !pass.has_run_out(shell) => pass.copy(shell),
                _ => self.ask_pass(shell),
            },
            (KeyAction::Back, Some(_)) => self.load(shell),
            (KeyAction::Back, None) => {
                let Some(before) = self.before.pop() else { return Transition::Menu };
                self.shown = before;
                self.load(shell);
            }
            (KeyAction::Enter, Some(file)) => save_identity(shell, file.text().trim()),
            (KeyAction::Enter, None) => return self.enter(shell),
            (KeyAction::Leaders(filter), _) => self.turn(shell, filter),
            (KeyAction::Copy, _) => {
                if let Some(Found::Profile { profile }) = found(shell, LookupKind::Profile) {
                    shell.copy_link(shell.share_address.profile_link(profile.player));
                }
            }
            _ => return Transition::List,
        }
        Transition::Stay
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        if let Some(file) = &self.file {
            page.heading("Save who you are to which new file?");
            page.field("File:", file);
            return page.note(identity_file::WORTH);
        }
        if let Some(pass) = &self.pass {
            return pass.fill(shell, page);
        }
        let width = page.width;
        let Some((title, rows)) = self.rows(shell, width) else {
            page.title = vec!["Looking it up.".to_owned()];
            return;
        };
        page.title = title;
        page.items = rows
            .iter()
            .map(|row| match row.target {
                // An empty line is a line too.
                _ if row.text.is_empty() => vec![String::new()],
                Some(PeopleTarget::Game(_)) => page::game(&row.text, width),
                _ => wrap(&row.text, width),
            })
            .collect();
    }

    fn field(&mut self, _: bool) -> Option<&mut TextField> {
        self.file.as_mut()
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        if self.file.is_some() { Clicks::Ignored } else { Clicks::Select }
    }
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
