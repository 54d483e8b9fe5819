//! What clients did and saw, and what the journal says afterwards: the two must agree. Every move
//! that a client was granted or shown is there, in order, once; none is there that nobody sent;
//! and nobody else's seat.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::time::Duration;

use noughts_protocol::{ByMark, Cell, Event, GameResult, Mark, PlayerId, RoomCode, RoomState};
use noughts_server::journal::reader::Reader;
use noughts_server::journal::replay::replay;

/// A move: game, ply and cell.
pub type Played = (u32, u16, Cell);

/// What one client did and saw in one room.
#[derive(Debug, Clone, Default)]
pub struct Deeds {
    /// Who the server says it is.
    pub player: Option<PlayerId>,
    /// The marks it plays.
    pub marks: Vec<Mark>,
    /// Moves it sent.
    pub sent: BTreeSet<Played>,
    /// Moves it saw `ok` for, in order.
    pub granted: Vec<Played>,
    /// The most of each game that it was shown.
    pub shown: BTreeMap<u32, Vec<Cell>>,
    /// The results that it was shown.
    pub results: BTreeMap<u32, GameResult>,
    /// Connections that broke, and tries to make one, by what was said of them.
    pub breaks: BTreeMap<String, u32>,
    /// The longest time between a break and the room's return.
    pub longest_pause: Duration,
    /// Intents that were refused, by code.
    pub refused: BTreeMap<String, u32>,
    /// What must not be.
    pub faults: Vec<String>,
}

impl Deeds {
    /// Takes in what the room looks like now.
    pub fn see(&mut self, state: &RoomState, mine: &[Mark]) {
        if !mine.is_empty() && self.marks.is_empty() {
            self.marks = mine.to_vec();
        }
        if self.marks != mine {
            self.fault(format!("the seat {:?} became {mine:?}", self.marks));
        }
        let Some(numbered) = &state.game else { return };
        let (moves, number) = (numbered.game.moves(), numbered.number);
        let shown = self.shown.entry(number).or_default();
        if moves.starts_with(shown) {
            shown.extend_from_slice(&moves[shown.len()..]);
        } else {
            let fault = format!("game {number} was {shown:?} and became {moves:?}");
            self.fault(fault);
        }
        if let Some(result) = numbered.game.result() {
            let before = self.results.insert(number, result.clone());
            if before.is_some_and(|before| before != *result) {
                self.fault(format!("game {number} ended twice"));
            }
        }
    }

    /// Notes what must not be.
    pub fn fault(&mut self, fault: String) {
        if self.faults.len() < 20 {
            self.faults.push(fault);
        }
    }
}

/// What the journal says of one room.
#[derive(Debug, Default)]
pub struct Record {
    /// The moves and the result of each game, in order.
    pub games: BTreeMap<u32, (Mark, Vec<Cell>, Option<GameResult>)>,
    /// Everybody who ever sat on X and on O.
    pub seated: ByMark<BTreeSet<PlayerId>>,
}

/// What the journal in a folder says of a room.
///
/// # Panics
/// Where it cannot be read or contradicts itself.
#[must_use]
pub fn record(folder: &Path, code: RoomCode) -> Record {
    let reader = Reader::open(folder).unwrap();
    let rooms = reader.rooms().unwrap().into_iter().map(|id| reader.room(id).unwrap());
    let stored = rooms.into_iter().find(|room| room.code == code).expect("the room is stored");
    let mut record = Record::default();
    let replayed = replay(stored.code, stored.settings, &stored.entries, |_, event, state| {
        match event {
            Event::GameStarted { game, first, .. } => {
                let earlier = record.games.insert(*game, (*first, Vec::new(), None));
                assert!(earlier.is_none(), "game {game} was begun twice");
            }
            Event::Moved { game, cell, .. } => record.games.get_mut(game).unwrap().1.push(*cell),
            Event::GameOver { game, result, .. } => {
                let earlier = record.games.get_mut(game).unwrap().2.replace(result.clone());
                assert!(earlier.is_none(), "game {game} ended twice");
            }
            _ => {}
        }
        for mark in Mark::BOTH {
            record.seated[mark].extend(state.seats[mark].player());
        }
    });
    replayed.unwrap();
    record
}

impl Record {
    /// What does not agree with what the clients of the room did and saw.
    #[must_use]
    pub fn disagreements(&self, clients: &[Deeds]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for client in clients {
            let who = format!("{:?} {:?}", client.player, client.marks);
            found.extend(client.faults.iter().map(|fault| format!("{who}: {fault}")));
            let distinct: HashSet<_> =
                client.granted.iter().map(|(game, ply, _)| (game, ply)).collect();
            if distinct.len() != client.granted.len() {
                found.push(format!("{who}: granted more than one move of a ply"));
            }
            for (game, ply, cell) in &client.granted {
                let stored =
                    self.games.get(game).and_then(|stored| stored.1.get(usize::from(*ply)));
                if stored != Some(cell) {
                    found.push(format!("{who}: granted {game}/{ply} {cell:?}, stored {stored:?}"));
                }
            }
            for (game, shown) in &client.shown {
                let stored = self.games.get(game).map(|stored| &stored.1[..]).unwrap_or_default();
                if !stored.starts_with(shown) {
                    found.push(format!("{who}: shown {game} as {shown:?}, stored {stored:?}"));
                }
            }
            for (game, result) in &client.results {
                let stored = self.games.get(game).and_then(|stored| stored.2.as_ref());
                if stored != Some(result) {
                    found.push(format!("{who}: shown {result:?} of {game}, stored {stored:?}"));
                }
            }
        }
        found.extend(self.unsent(clients));
        found.extend(self.exchanged(clients));
        let unfinished = self.games.iter().filter(|(_, game)| game.2.is_none());
        found.extend(unfinished.map(|(game, _)| format!("game {game} has not ended")));
        found
    }

    /// Moves that are stored and that nobody who plays the mark sent.
    fn unsent(&self, clients: &[Deeds]) -> Vec<String> {
        let mut found = Vec::new();
        for (game, (first, moves, _)) in &self.games {
            let marks = [*first, first.other()].into_iter().cycle();
            for ((cell, ply), mark) in moves.iter().zip(0..).zip(marks) {
                let mut players = clients.iter().filter(|client| client.marks.contains(&mark));
                if !players.any(|client| client.sent.contains(&(*game, ply, *cell))) {
                    found.push(format!("nobody sent {game}/{ply} {cell:?} of {mark:?}"));
                }
            }
        }
        found
    }

    /// Seats in which there was anybody but their one client.
    fn exchanged(&self, clients: &[Deeds]) -> Vec<String> {
        let seats = Mark::BOTH.into_iter().filter_map(|mark| {
            let owners: BTreeSet<_> = clients
                .iter()
                .filter(|client| client.marks.contains(&mark))
                .filter_map(|client| client.player)
                .collect();
            let seated = &self.seated[mark];
            (*seated != owners).then(|| format!("{mark:?} was {seated:?}, not {owners:?}"))
        });
        seats.collect()
    }

    /// How many moves are stored.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.games.values().map(|game| game.1.len()).sum()
    }
}
