//! Compares the histories of clients with the journal. Every move that a client sent and got `ok`
//! for, or was shown, is stored once and in order; every stored move was sent by the player of its
//! mark; nobody else sat in a client's seat. Every state that a client was shown, by a snapshot or
//! after an event, is the state of the journal at that version, before and after every restart.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use noughts_protocol::{
    ByMark, Cell, Event, GameEnd, GameResult, Mark, PlayerId, RoomCode, RoomState,
};
use noughts_server::journal::reader::Reader;
use noughts_server::journal::replay::replay;
use noughts_server::journal::stored_room::StoredRoom;

use crate::history::{ClientHistory, TALK, digest};

/// What the journal says of one room.
#[derive(Debug, Default)]
pub struct StoredHistory {
    /// Of each game: the first mark, the moves in order, and the result.
    pub games: BTreeMap<u32, (Mark, Vec<Cell>, Option<GameResult>)>,
    /// Every player who ever sat on X and on O.
    pub seated: ByMark<BTreeSet<PlayerId>>,
    /// The digest of the state at each version.
    pub states: BTreeMap<u64, u64>,
}

/// The errors in the talk in a room: lines that nobody in it has said, and lines that are stored.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn talk_violations(folder: &Path, clients: &[ClientHistory]) -> Vec<String> {
    let said = |player, text: &String| {
        clients.iter().any(|client| client.player == Some(player) && client.said.contains(text))
    };
    let heard = clients.iter().flat_map(|client| &client.heard);
    let unsaid = heard.filter(|(text, player)| !said(**player, text));
    let unsaid = unsaid.map(|(text, player)| format!("{player} never said {text:?}"));
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let has_talk = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(TALK.len()).any(|window| window == TALK.as_bytes())
    };
    let stored = files.filter(has_talk).map(|path| format!("{} has talk", path.display()));
    unsaid.chain(stored).collect()
}

impl StoredHistory {
    /// Reads a room from the journal in a folder.
    ///
    /// # Panics
    /// If the journal cannot be read or contradicts itself.
    #[must_use]
    pub fn read(folder: &Path, code: RoomCode) -> Self {
        let reader = Reader::open(folder).unwrap();
        let mut rooms = reader.rooms().unwrap().into_iter().map(|id| reader.room(id).unwrap());
        Self::of(&rooms.find(|room| room.code == code).expect("the room is stored"))
    }

    /// The history of a stored room.
    ///
    /// # Panics
    /// If it contradicts itself.
    #[must_use]
    pub fn of(stored: &StoredRoom) -> Self {
        let mut history = Self::default();
        let empty = RoomState::new(stored.code, stored.settings);
        history.states.insert(empty.v, digest(&empty));
        let replayed = replay(stored.code, stored.settings, &stored.entries, |_, event, state| {
            history.add(event);
            history.states.insert(state.v, digest(state));
            for mark in Mark::BOTH {
                history.seated[mark].extend(state.seats[mark].player());
            }
        });
        replayed.unwrap();
        history
    }

    fn add(&mut self, event: &Event) {
        match event {
            Event::GameStarted { game, first, .. } => {
                let earlier = self.games.insert(*game, (*first, Vec::new(), None));
                assert!(earlier.is_none(), "game {game} started twice");
            }
            Event::Moved { game, cell, over, .. } => {
                self.games.get_mut(game).unwrap().1.push(*cell);
                over.iter().for_each(|end| self.end(*game, end));
            }
            Event::GameOver { game, end } => self.end(*game, end),
            Event::Seated { .. }
            | Event::Chosen { .. }
            | Event::Paced { .. }
            | Event::Closed { .. } => {}
        }
    }

    fn end(&mut self, game: u32, end: &GameEnd) {
        let earlier = self.games.get_mut(&game).unwrap().2.replace(end.result.clone());
        assert!(earlier.is_none(), "game {game} ended twice");
    }

    /// All contradictions between the journal and the clients of the room.
    #[must_use]
    pub fn violations(&self, clients: &[ClientHistory]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for client in clients {
            let who = format!("{:?} {:?}", client.player, client.marks);
            let of_client = client.violations.iter().cloned().chain(self.contradicted(client));
            found.extend(of_client.map(|violation| format!("{who}: {violation}")));
        }
        found.extend(self.unsent(clients));
        found.extend(self.exchanged(clients));
        let unfinished = self.games.iter().filter(|(_, game)| game.2.is_none());
        found.extend(unfinished.map(|(game, _)| format!("game {game} has not ended")));
        found
    }

    /// What the server told this client and did not store.
    fn contradicted(&self, client: &ClientHistory) -> Vec<String> {
        let mut found = Vec::new();
        // A repeat of a move is acknowledged too: a client repeats it if the answer was lost.
        let moves: HashSet<_> = client.acknowledged.iter().collect();
        let plies: HashSet<_> = moves.iter().map(|(game, ply, _)| (game, ply)).collect();
        if plies.len() != moves.len() {
            found.push("acknowledged more than one move of a ply".to_owned());
        }
        for (game, ply, cell) in &client.acknowledged {
            let stored = self.games.get(game).and_then(|stored| stored.1.get(usize::from(*ply)));
            if stored != Some(cell) {
                found.push(format!("acknowledged {game}/{ply} {cell:?}, stored {stored:?}"));
            }
        }
        for (game, shown) in &client.shown {
            let stored = self.games.get(game).map(|stored| &stored.1[..]).unwrap_or_default();
            if !stored.starts_with(shown) {
                found.push(format!("shown {game} as {shown:?}, stored {stored:?}"));
            }
        }
        for (game, result) in &client.results {
            let stored = self.games.get(game).and_then(|stored| stored.2.as_ref());
            if stored != Some(result) {
                found.push(format!("shown {result:?} of {game}, stored {stored:?}"));
            }
        }
        for (v, state) in &client.states {
            if self.states.get(v) != Some(state) {
                found.push(format!("shown another state at version {v} than is stored"));
            }
        }
        found
    }

    /// Stored moves that no player of their mark sent.
    fn unsent(&self, clients: &[ClientHistory]) -> Vec<String> {
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

    /// Seats in which anybody but their one client sat.
    fn exchanged(&self, clients: &[ClientHistory]) -> Vec<String> {
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

    /// The number of stored moves.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.games.values().map(|game| game.1.len()).sum()
    }
}
