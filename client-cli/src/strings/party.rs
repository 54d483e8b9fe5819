//! The texts about a party: what it means for the reader, what happens in it, and how it stands.

use std::time::{Duration, Instant};

use noughts_client::session::PartyView;
use noughts_protocol::{
    Entrant, Opening, Pairing, PartyFormat, PartyPhase, PartyPresence, PartySettings, PartyState,
    PartyTable, Stage,
};

use super::{clock, variant};

mod lists;
mod news;

pub(crate) use lists::{PartyTarget, people, podium, rounds, standings, tables};

/// The party is paused.
const PAUSED: &str =
    "The host has paused the party. Games that run are played on, the next ones wait.";

/// The party is paused, with the clocks of its games.
const CLOCKS_STOPPED: &str =
    "The host has paused the party. Clocks stand still, and nobody moves until it goes on.";

/// A party as somebody sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Party<'a> {
    /// The state that everybody knows.
    pub(crate) state: &'a PartyState,
    /// The presence.
    pub(crate) presence: &'a PartyPresence,
    /// The reader's number, if they play.
    pub(crate) me: Option<u16>,
    /// Whether the reader leads the party.
    pub(crate) is_host: bool,
    /// The rest of the reader's ready check.
    pub(crate) left: Option<Duration>,
    /// The time until the next round is paired, if that is set.
    pub(crate) next: Option<Duration>,
    /// Whether texts are of ASCII characters only.
    pub(crate) ascii: bool,
}

/// The meaning of a party for the reader at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing<'a> {
    /// People come in; whether the reader plays.
    Gathering(bool),
    /// The reader has an opponent, and both must say that they are there.
    Check(&'a Pairing),
    /// The reader said so, and the opponent did not yet.
    Ready(&'a Pairing),
    /// The reader's game runs.
    Playing(&'a Pairing),
    /// The reader is paired, and nothing is asked of them: the party is paused, or the next game
    /// begins at once.
    Soon(&'a Pairing),
    /// The reader has nobody to play in this round.
    Bye,
    /// The reader waits, in a queue at this place.
    Queued(usize),
    /// The reader waits for the next round.
    Waiting,
    /// The reader has lost and plays no more.
    Out,
    /// The reader has left, or was set aside.
    Left,
    /// The reader looks on.
    Watching,
    /// The party is over; the reader's place.
    Over(Option<u16>),
}

impl<'a> Party<'a> {
    /// The party of a view at a moment.
    pub(crate) fn of(view: &'a PartyView, now: Instant, ascii: bool) -> Self {
        let check = view.my_pairing().and_then(|pairing| view.check_ends(pairing.number));
        let rest = |at: Instant| at.saturating_duration_since(now);
        Self {
            state: &view.state,
            presence: &view.presence,
            me: view.me().map(|entrant| entrant.number),
            is_host: view.is_host(),
            left: check.map(rest),
            next: view.next_at().map(rest),
            ascii,
        }
    }

    /// The reader's entry.
    pub(crate) fn own(&self) -> Option<&'a Entrant> {
        self.state.entrant(self.me?)
    }

    /// An entrant's name.
    pub(crate) fn name(&self, number: u16) -> &'a str {
        self.state.entrant(number).map_or("?", |entrant| entrant.name.as_str())
    }

    /// The name of the party's leader, at the start of a sentence.
    fn leader(&self) -> &'a str {
        self.state.leading_entrant().map_or("The host", |leader| leader.name.as_str())
    }

    /// "you", or an entrant's name.
    fn subject(&self, number: u16) -> &'a str {
        if self.me == Some(number) { "you" } else { self.name(number) }
    }

    /// "You", or an entrant's name as it is, at the start of a sentence.
    fn first_word(&self, number: u16) -> &'a str {
        if self.me == Some(number) { "You" } else { self.name(number) }
    }

    /// Whether the ready check of a pairing runs.
    pub(crate) fn is_checked(&self, pairing: &Pairing) -> bool {
        self.presence.checks.iter().any(|check| check.pairing == pairing.number)
    }

    /// The text of a pause: with clocks or without.
    const fn pause(&self) -> &'static str {
        if self.state.clocks_stopped { CLOCKS_STOPPED } else { PAUSED }
    }

    /// The meaning of the party for the reader.
    pub(crate) fn standing(&self) -> Standing<'a> {
        let state = self.state;
        let Some(own) = self.own() else {
            return match state.phase {
                PartyPhase::Gathering => Standing::Gathering(false),
                PartyPhase::Playing => Standing::Watching,
                PartyPhase::Over => Standing::Over(None),
            };
        };
        let number = own.number;
        match state.phase {
            _ if own.left && state.phase != PartyPhase::Over => return Standing::Left,
            PartyPhase::Gathering => return Standing::Gathering(true),
            PartyPhase::Over => {
                let place = state.places.iter().find(|place| place.entrant == number);
                return Standing::Over(place.map(|place| place.place));
            }
            PartyPhase::Playing => {}
        }
        if let Some(pairing) = state.open_pairing_of(number) {
            return match pairing.second {
                None => Standing::Bye,
                Some(_) if pairing.room.is_some() => Standing::Playing(pairing),
                Some(_) if !self.is_checked(pairing) => Standing::Soon(pairing),
                Some(_) if self.presence.ready.contains(&number) => Standing::Ready(pairing),
                Some(_) => Standing::Check(pairing),
            };
        }
        if let Some(place) = state.queue.iter().position(|one| *one == number) {
            return Standing::Queued(place + 1);
        }
        let of_mine = |pairing: &&Pairing| pairing.entrants().any(|one| one == number);
        match state.pairings.iter().rev().find(of_mine) {
            Some(last) if last.second.is_none() => Standing::Bye,
            _ if state.settings.format == PartyFormat::Knockout && self.is_out(own) => {
                Standing::Out
            }
            _ => Standing::Waiting,
        }
    }

    /// Whether an entrant of a knockout has lost. The losers of the semi-finals still meet, so they
    /// are out once the last round is paired without them.
    pub(crate) fn is_out(&self, entrant: &Entrant) -> bool {
        let last = self.state.pairings.iter().any(|pairing| pairing.stage.is_some());
        let open = self.state.open_pairing_of(entrant.number).is_some();
        let semi = !last && self.state.pairings.len() == 2;
        let in_semi =
            self.state.pairings.iter().any(|one| one.entrants().any(|n| n == entrant.number));
        !open && entrant.losses > 0 && !(semi && in_semi)
    }

    /// The games of this round that are not over.
    fn open(&self) -> impl Iterator<Item = &'a Pairing> {
        self.state.pairings.iter().filter(|one| one.outcome.is_none() && one.second.is_some())
    }

    /// The meaning of the party for the reader, in a sentence.
    pub(crate) fn status(&self) -> String {
        let paused = self.state.paused;
        let against = |pairing: &Pairing| {
            let opponent = self.me.and_then(|me| pairing.opponent_of(me)).unwrap_or_default();
            (self.name(opponent), pairing.table)
        };
        let left = self.left.map(|left| format!(" {}", clock(left))).unwrap_or_default();
        match self.standing() {
            _ if paused && self.state.phase == PartyPhase::Playing => self.pause().to_owned(),
            Standing::Gathering(_) if self.is_host => {
                "Start the party when everybody is here.".to_owned()
            }
            Standing::Gathering(true) => format!("You are in. {} starts the party.", self.leader()),
            Standing::Gathering(false) => {
                format!("People come in. {} starts the party.", self.leader())
            }
            Standing::Check(pairing) => {
                let (name, table) = against(pairing);
                format!("You play {name} at table {table}. Are you ready?{left}")
            }
            Standing::Ready(pairing) => {
                let (name, table) = against(pairing);
                format!("You are ready. You wait for {name} at table {table}.{left}")
            }
            Standing::Playing(pairing) => {
                let (name, table) = against(pairing);
                format!("Your game against {name} is at table {table}.")
            }
            Standing::Soon(pairing) => {
                let (name, table) = against(pairing);
                format!("You play {name} at table {table} in a moment.")
            }
            Standing::Bye => format!("You rest this round. {}", self.next()),
            Standing::Queued(1) => "You play next.".to_owned(),
            Standing::Queued(place) => format!("You are number {place} in the queue."),
            Standing::Waiting => self.next(),
            Standing::Out => "You are out. You can watch the others.".to_owned(),
            Standing::Left => "You do not play at the moment.".to_owned(),
            Standing::Watching => "You are watching the party.".to_owned(),
            Standing::Over(Some(1)) => "The party is over. You are first!".to_owned(),
            Standing::Over(Some(place)) => {
                format!("The party is over. You are {}.", ordinal(place))
            }
            Standing::Over(None) if self.state.places.is_empty() => {
                "The party is over. No game was over before, so nobody has a place.".to_owned()
            }
            Standing::Over(None) => "The party is over.".to_owned(),
        }
    }

    /// When the next round begins.
    fn next(&self) -> String {
        if let Some(next) = self.next {
            let which = if self.state.round == 0 { "first" } else { "next" };
            return format!("The {which} round begins in {}.", clock(next));
        }
        let tables: Vec<u16> = self.open().map(|pairing| pairing.table).collect();
        match tables[..] {
            [] => "The next round begins in a moment.".to_owned(),
            [one] => format!("The next round begins when table {one} is done."),
            [one, other] => {
                format!("The next round begins when tables {one} and {other} are done.")
            }
            _ => format!("The next round begins when {} tables are done.", tables.len()),
        }
    }

    /// The party in a line: its name, its format and its games.
    pub(crate) fn title(&self) -> String {
        let state = self.state;
        format!("{}: {}, {}", state.name, state.settings.format, rules(&state.settings))
    }

    /// The phase in a few words: "round 2 of 5", "final", "3 players are in".
    pub(crate) fn phase(&self) -> String {
        let state = self.state;
        match (state.phase, state.settings.format) {
            (PartyPhase::Gathering, _) => match self.active() {
                1 => "1 player is in".to_owned(),
                count => format!("{count} players are in"),
            },
            (PartyPhase::Over, _) => "over".to_owned(),
            (PartyPhase::Playing, _) if state.paused => "paused".to_owned(),
            (PartyPhase::Playing, _) if state.round == 0 => "begins".to_owned(),
            (PartyPhase::Playing, PartyFormat::WinnerStays) => match state.settings.first_to {
                Some(wins) => format!("first to {wins} wins"),
                None => "until the host ends it".to_owned(),
            },
            (PartyPhase::Playing, PartyFormat::Swiss) => {
                format!("round {} of {}", state.round, state.settings.rounds)
            }
            (PartyPhase::Playing, PartyFormat::Knockout) => self.knockout_round(),
            (PartyPhase::Playing, PartyFormat::RoundRobin) => format!("round {}", state.round),
        }
    }

    /// Where a room of the party stands: "party, round 2, table 3".
    pub(crate) fn table(&self, table: PartyTable) -> String {
        let game = match table.game {
            0 | 1 => String::new(),
            game => format!(", game {game}"),
        };
        format!("party, {}{game}", self.place(table))
    }

    /// Where a room of the party stands, in a few words: "round 2, table 3".
    pub(crate) fn place(&self, table: PartyTable) -> String {
        // The room of an earlier round is not told by the number of this one.
        let pairing = self.state.pairing(table.pairing);
        let round = match self.state.settings.format {
            PartyFormat::WinnerStays => String::new(),
            _ if pairing.is_none() || self.state.phase != PartyPhase::Playing => String::new(),
            _ if pairing.and_then(|pairing| pairing.stage) == Some(Stage::Third) => {
                "third place, ".to_owned()
            }
            _ => format!("{}, ", self.phase()),
        };
        format!("{round}table {}", table.table)
    }

    fn knockout_round(&self) -> String {
        let is_last = self.state.pairings.iter().any(|pairing| pairing.stage.is_some());
        match self.state.pairings.len() {
            _ if is_last => "final".to_owned(),
            2 => "semi-finals".to_owned(),
            4 => "quarter-finals".to_owned(),
            _ => format!("round {}", self.state.round),
        }
    }

    /// How many entrants play.
    pub(crate) fn active(&self) -> usize {
        self.state.entrants.iter().filter(|entrant| !entrant.left).count()
    }
}

fn count(players: usize) -> String {
    if players == 1 { "1 player".to_owned() } else { format!("{players} players") }
}

/// The rules of a party's games.
fn rules(settings: &PartySettings) -> String {
    let game = variant::of(settings.variant, settings.board);
    let opening = if settings.opening == Opening::Swap2 { ", swap2" } else { "" };
    let seconds = settings.move_time_ms.div_ceil(1_000);
    format!("{game}{opening}, {seconds} s a move")
}

/// "1st", "2nd", "3rd", "11th".
pub(crate) fn ordinal(place: u16) -> String {
    let ending = match (place % 10, place % 100) {
        (1, n) if n != 11 => "st",
        (2, n) if n != 12 => "nd",
        (3, n) if n != 13 => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// The name of a pairing in a list: the final and the game for the third place have one.
const fn stage(stage: Option<Stage>) -> &'static str {
    match stage {
        Some(Stage::Final) => " (final)",
        Some(Stage::Third) => " (third place)",
        None => "",
    }
}

#[cfg(test)]
mod tests;
