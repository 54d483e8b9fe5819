//! Compares the histories of clients with what is stored. Every move that a client sent and got `ok`
//! for, or was shown, is stored once and in order; every stored move was sent by the player of its
//! mark; nobody else sat in a client's seat. A version of the room is one state for all clients, before
//! and after every restart, and the last one is the stored one.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use noughts_protocol::{
    ByMark, Cell, GameResult, Mark, PartyCode, PartyState, PlayerId, Presence, RoomCode, RoomState,
    Snapshot,
};
use noughts_store::{LiveRow, Reader, StoredGame};
use serde_json::Value;

use crate::history::{ClientHistory, TALK, digest};

/// The room of a row of the store.
///
/// # Panics
/// If no room can have this row.
#[must_use]
pub fn room_of(row: &LiveRow) -> RoomState {
    let mut row: Value = serde_json::from_str(&row.state).unwrap();
    let mut snapshot = row["setup"].take();
    for key in ["v", "score", "game"] {
        snapshot[key] = row[key].take();
    }
    snapshot["presence"] = serde_json::json!(Presence::default());
    let snapshot: Snapshot = serde_json::from_value(snapshot).unwrap();
    RoomState::from_snapshot(&snapshot).unwrap()
}

/// The party of a row of the store.
fn party_of(row: &LiveRow) -> PartyState {
    let mut row: Value = serde_json::from_str(&row.state).unwrap();
    PartyState::from_snapshot(serde_json::from_value(row["party"].take()).unwrap()).unwrap()
}

/// The games and the rows of live rooms and parties in a data folder, read once.
#[derive(Debug)]
pub struct Stored {
    games: BTreeMap<RoomCode, Vec<StoredGame>>,
    live: BTreeMap<RoomCode, LiveRow>,
}

impl Stored {
    /// Reads a data folder.
    ///
    /// # Panics
    /// If it cannot be read.
    #[must_use]
    pub fn read(folder: &Path) -> Self {
        let reader = Reader::open(folder).unwrap();
        let mut stored = Self { games: BTreeMap::new(), live: BTreeMap::new() };
        let games = |game: Result<StoredGame, _>| {
            let game = game.unwrap();
            stored.games.entry(game.room).or_default().push(game);
        };
        reader.games(games).unwrap();
        let live = |code, row: Result<LiveRow, _>| {
            stored.live.insert(code, row.unwrap());
        };
        reader.live(live).unwrap();
        stored
    }

    /// The stored games of a room, and its state if it still lives.
    ///
    /// # Panics
    /// If it contradicts itself.
    #[must_use]
    pub fn room(&self, code: RoomCode) -> StoredHistory {
        let mut history = StoredHistory::default();
        for StoredGame { number, game, .. } in self.games.get(&code).into_iter().flatten() {
            let ByMark { x, o } = &game.summary.players;
            let players = ByMark { x: x.player(), o: o.player() };
            let result = Some(game.summary.result.clone());
            history.add(*number, (game.first, game.moves.clone(), result), players);
        }
        if let Some(row) = self.live.get(&code) {
            history.show(&room_of(row));
        }
        history
    }

    /// A party; `None` if it is not stored.
    ///
    /// # Panics
    /// If no party can have its row.
    #[must_use]
    pub fn party(&self, code: PartyCode) -> Option<PartyState> {
        self.live.get(&code.0).map(party_of)
    }
}

/// The store's history of one room.
#[derive(Debug, Default)]
pub struct StoredHistory {
    /// Of each game: the first mark, the moves in order, and the result.
    pub games: BTreeMap<u32, (Mark, Vec<Cell>, Option<GameResult>)>,
    /// Every player who sat on X and on O at the end of a game, or sits there.
    pub seated: ByMark<BTreeSet<PlayerId>>,
    /// The version of the room, and the digest of its state.
    pub last: Option<(u64, u64)>,
}

/// The errors in the talk in a room: lines that nobody in it has said, and lines that are stored.
///
/// # Panics
/// If the folder cannot be read, or if the same search does not find the rooms in it.
#[must_use]
pub fn talk_violations(folder: &Path, clients: &[ClientHistory]) -> Vec<String> {
    let said = |player, text: &String| {
        clients.iter().any(|client| client.player == Some(player) && client.said.contains(text))
    };
    let heard = clients.iter().flat_map(|client| &client.heard);
    let unsaid = heard.filter(|(text, player)| !said(**player, text));
    let unsaid = unsaid.map(|(text, player)| format!("{player} never said {text:?}"));
    let has = |path: &PathBuf, text: &str| {
        // The socket for hosts cannot be read.
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    };
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files: Vec<PathBuf> = files.collect();
    assert!(files.iter().any(|path| has(path, "\"setup\"")), "no file has the stored rooms");
    let stored = files.iter().filter(|path| has(path, TALK));
    unsaid.chain(stored.map(|path| format!("{} has talk", path.display()))).collect()
}

impl StoredHistory {
    /// Takes in the room as it is at the end. A node's folder does not have it.
    ///
    /// # Panics
    /// If it contradicts the games.
    pub fn show(&mut self, state: &RoomState) {
        self.last = Some((state.v, digest(state)));
        if let Some(numbered) = &state.game {
            let game = &numbered.game;
            let shown = (game.first(), game.moves().to_vec(), game.result().cloned());
            let ByMark { x, o } = &state.seats;
            self.add(numbered.number, shown, ByMark { x: x.player(), o: o.player() });
        }
    }

    fn add(
        &mut self,
        number: u32,
        game: (Mark, Vec<Cell>, Option<GameResult>),
        players: ByMark<Option<PlayerId>>,
    ) {
        if let Some(before) = self.games.insert(number, game) {
            assert_eq!(self.games[&number], before, "game {number} is stored in two ways");
        }
        for mark in Mark::BOTH {
            self.seated[mark].extend(players[mark]);
        }
    }

    /// All contradictions between what is stored and the clients of the room.
    #[must_use]
    pub fn violations(&self, clients: &[ClientHistory]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for client in clients {
            let who = format!("{:?} {:?}", client.player, client.marks);
            let of_client = client.violations.iter().cloned().chain(self.contradicted(client));
            found.extend(of_client.map(|violation| format!("{who}: {violation}")));
        }
        found.extend(self.states(clients));
        found.extend(self.unsent(clients));
        found.extend(self.exchanged(clients));
        let unfinished = self.games.iter().filter(|(_, game)| game.2.is_none());
        found.extend(unfinished.map(|(game, _)| format!("game {game} has not ended")));
        found
    }

    /// The messages to this client that contradict the store.
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
            // A game without a mark is not kept.
            let is_kept = client.shown.get(game).is_some_and(|moves| !moves.is_empty());
            if is_kept && stored != Some(result) {
                found.push(format!("shown {result:?} of {game}, stored {stored:?}"));
            }
        }
        found
    }

    /// Versions that stand for two states, or that nobody stored.
    fn states(&self, clients: &[ClientHistory]) -> Vec<String> {
        let Some((last, digest)) = self.last else { return vec!["it is not stored".to_owned()] };
        let mut states = BTreeMap::from([(last, digest)]);
        let shown = clients.iter().flat_map(|client| &client.states);
        let other = shown.filter(|(v, state)| states.entry(**v).or_insert(**state) != *state);
        let mut found: Vec<_> =
            other.map(|(v, _)| format!("another state at version {v}")).collect();
        let later = states.range(last + 1..);
        found.extend(later.map(|(v, _)| format!("version {v} was shown and is not stored")));
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
