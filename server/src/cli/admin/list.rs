//! The lists of the live screen: the rows that an answer becomes, and the row that is chosen. Keys are in
//! [`super::screen`], colours in [`super::draw`].

use std::net::IpAddr;

use noughts_protocol::{Mark, PartyCode, PartyPhase, PlayerId, PlayerName, RoomCode, Seat};
use noughts_store::{Act, Ban, Who};
use ratatui::layout::Constraint::{self, Fill, Length};

use super::{state, time};
use crate::admin::message::{AdminConnection, AdminParty, AdminRoom};
use crate::limits::AtLimit;

/// The most rows that are asked for. Those behind them are found by a filter or another order.
pub(super) const MOST: usize = 1_000;

/// The lists, in the order of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Rooms,
    Parties,
    People,
    Limits,
    Bans,
    Log,
}

impl Tab {
    pub(super) const ALL: [Self; 6] =
        [Self::Rooms, Self::Parties, Self::People, Self::Limits, Self::Bans, Self::Log];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Rooms => "Rooms",
            Self::Parties => "Parties",
            Self::People => "People",
            Self::Limits => "Limits",
            Self::Bans => "Bans",
            Self::Log => "Log",
        }
    }

    /// The tab so many places further, around the end.
    pub(super) const fn turned(self, by: usize) -> Self {
        Self::ALL[(self as usize + by) % Self::ALL.len()]
    }

    /// The titles of the columns, their widths, and how wide the window is at least that has them.
    pub(super) const fn columns(self) -> &'static [(&'static str, Constraint, u16)] {
        match self {
            Self::Rooms => &[
                ("Code", Length(5), 0),
                ("Board", Length(7), 30),
                ("Now", Length(13), 40),
                ("Seen", Length(6), 70),
                ("Idle", Length(4), 60),
                ("Age", Length(4), 80),
                ("Watch", Length(5), 60),
                ("X", Fill(1), 0),
                ("O", Fill(1), 0),
            ],
            Self::Parties => &[
                ("Party", Length(5), 0),
                ("Name", Fill(1), 0),
                ("Phase", Length(10), 40),
                ("Entrants", Length(8), 60),
                ("Host", Length(16), 70),
                ("There", Length(6), 60),
            ],
            Self::People => &[
                ("Name", Fill(1), 0),
                ("Player", Length(16), 60),
                ("Address", Length(19), 50),
                ("Since", Length(5), 70),
                ("Room", Length(5), 0),
                ("Party", Length(5), 80),
            ],
            Self::Limits => &[("Limit", Fill(1), 0), ("Who", Fill(1), 0), ("Count", Length(8), 40)],
            Self::Bans => &[
                ("Ban", Length(5), 0),
                ("Who", Length(20), 0),
                ("Until", Length(20), 60),
                ("Reason", Fill(1), 0),
            ],
            Self::Log => &[("When", Length(20), 60), ("By", Length(14), 70), ("What", Fill(1), 0)],
        }
    }

    /// The text for an empty list.
    pub(super) const fn nothing(self) -> &'static str {
        match self {
            Self::Rooms => "nobody is in a room",
            Self::Parties => "there is no party",
            Self::People => "nobody is connected",
            Self::Limits => "nobody is limited now",
            Self::Bans => "nobody is banned",
            Self::Log => "no host has done anything yet",
        }
    }
}

/// A person whom an act can be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Human {
    pub(super) player: PlayerId,
    pub(super) name: PlayerName,
    pub(super) address: Option<IpAddr>,
    /// The room or the party that they can be removed from.
    pub(super) from: Option<RoomCode>,
}

/// The thing that a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Room(RoomCode, Vec<Human>),
    Party(PartyCode),
    Human(Human, Option<RoomCode>),
    Limited(Option<Who>),
    Ban(u64, Who),
    Act,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The same in the next answer, if the row is about the same thing.
    key: String,
    pub(super) cells: Vec<String>,
    pub(super) target: Target,
}

impl Entry {
    fn new<const N: usize>(key: &impl ToString, cells: [String; N], target: Target) -> Self {
        Self { key: key.to_string(), cells: cells.into(), target }
    }

    fn matches(&self, filter: &str) -> bool {
        self.cells.iter().any(|cell| cell.to_lowercase().contains(filter))
    }
}

impl From<&AdminRoom> for Entry {
    fn from(AdminRoom { room, age_s, idle_s }: &AdminRoom) -> Self {
        let seen = match room.settings.party {
            Some(_) => "party",
            None if room.settings.listed => "listed",
            None => "code",
        };
        let cells = [
            room.room.to_string(),
            room.settings.variant.on(room.settings.board),
            state(room),
            seen.to_owned(),
            age(*idle_s),
            age(*age_s),
            room.spectators.to_string(),
            room.seats.x.label(),
            room.seats.o.label(),
        ];
        let seats = Mark::BOTH.map(|mark| &room.seats[mark]);
        Self::new(&room.room, cells, Target::Room(room.room, humans(room.room, seats)))
    }
}

/// The people on the seats of a room, each once.
pub(super) fn humans(room: RoomCode, seats: [&Seat; 2]) -> Vec<Human> {
    let mut humans = Vec::new();
    for seat in seats {
        let Seat::Human { player, name } = seat else { continue };
        let name = name.clone();
        let human = Human { player: *player, name, address: None, from: Some(room) };
        if !humans.contains(&human) {
            humans.push(human);
        }
    }
    humans
}

impl From<&AdminParty> for Entry {
    fn from(party: &AdminParty) -> Self {
        let phase = match party.phase {
            PartyPhase::Gathering => "gathering",
            PartyPhase::Playing => "playing",
            PartyPhase::Over => "over",
        };
        let there = if party.empty { "nobody" } else { "yes" };
        let cells = [
            party.party.to_string(),
            party.name.to_string(),
            phase.to_owned(),
            party.entrants.to_string(),
            party.host.to_string(),
            there.to_owned(),
        ];
        Self::new(&party.party, cells, Target::Party(party.party))
    }
}

impl From<&AdminConnection> for Entry {
    fn from(connection: &AdminConnection) -> Self {
        let AdminConnection { player, name, address, since_s, room, party, waits_for } = connection;
        let waits = waits_for.map(|game| format!("waits for {}", game.variant.on(game.board)));
        let cells = [
            name.to_string(),
            player.to_string(),
            address.to_string(),
            age(*since_s),
            room.map(|room| room.to_string()).unwrap_or_default(),
            party.map(|party| party.to_string()).or(waits).unwrap_or_default(),
        ];
        let from = room.or(party.map(|party| party.0));
        let human = Human { player: *player, name: name.clone(), address: Some(*address), from };
        Self::new(player, cells, Target::Human(human, *room))
    }
}

impl From<&AtLimit> for Entry {
    fn from(AtLimit { what, who, count }: &AtLimit) -> Self {
        let cells = [what.to_string(), who.to_string(), count.to_string()];
        Self::new(&format!("{what} {who}"), cells, Target::Limited(who.as_str().parse().ok()))
    }
}

impl From<&Ban> for Entry {
    fn from(Ban { ban, who, until, reason }: &Ban) -> Self {
        let until = until.map_or_else(|| "for ever".to_owned(), time);
        let cells = [ban.to_string(), who.to_string(), until, reason.to_string()];
        Self::new(ban, cells, Target::Ban(*ban, *who))
    }
}

impl From<&Act> for Entry {
    fn from(Act { act, at, by, deed }: &Act) -> Self {
        let cells = [time(*at), by.to_string(), deed.to_string()];
        Self::new(act, cells, Target::Act)
    }
}

/// A time that has passed, in one unit.
pub(super) fn age(seconds: u64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    match seconds {
        0..100 => format!("{seconds}s"),
        100..6_000 => format!("{}m", seconds / MINUTE),
        6_000..172_800 => format!("{}h", seconds / HOUR),
        _ => format!("{}d", seconds / DAY),
    }
}

/// A list: its rows, and the one that is chosen.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) filter: String,
    pub(super) entries: Vec<Entry>,
    /// The rows that there are at the server. More than [`MOST`] are not asked for.
    pub(super) total: usize,
    pub(super) selected: usize,
    /// The first row on the screen.
    pub(super) first: usize,
}

impl View {
    /// The chosen row, if it has been told.
    pub(super) fn current(&self) -> Option<&Entry> {
        self.entries.get(self.selected)
    }

    /// Takes the rows of an answer; `total` of them match at the server. The chosen row stays
    /// chosen, but a choice at the top stays at the top.
    pub(super) fn take(&mut self, entries: Vec<Entry>, total: usize, rows: usize) {
        let chosen = self.current().filter(|_| self.selected > 0).map(|entry| &entry.key);
        let is_it = |entry: &Entry| Some(&entry.key) == chosen;
        let at = match entries.get(self.selected) {
            Some(entry) if is_it(entry) => None,
            _ => entries.iter().position(is_it),
        };
        self.entries = entries;
        self.total = total.max(self.entries.len());
        self.choose(at.unwrap_or(self.selected), rows);
    }

    /// The same for rows that the server has not filtered.
    pub(super) fn take_all(&mut self, mut entries: Vec<Entry>, rows: usize) {
        let filter = self.filter.to_lowercase();
        entries.retain(|entry| entry.matches(&filter));
        self.take(entries, 0, rows);
    }

    /// Chooses a row, or the last one, and scrolls so far that it is one of the `rows` on the screen.
    pub(super) fn choose(&mut self, at: usize, rows: usize) {
        let last = self.total.min(MOST).saturating_sub(1);
        self.selected = at.min(last);
        let lowest = (self.selected + 1).saturating_sub(rows);
        self.first = self.first.clamp(lowest, self.selected);
    }

    /// The rows to ask for: those on the screen, and as many again.
    pub(super) fn wanted(&self, rows: usize) -> usize {
        (self.first + 2 * rows).min(MOST)
    }
}
