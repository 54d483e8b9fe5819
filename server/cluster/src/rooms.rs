//! The rooms and parties that this node holds: their revisions, and how they are saved and loaded.
//!
//! A save is a compare-and-set of the code's value. If the engine does not answer, the same is tried again
//! with the same revision until it does; a wrong revision is resolved by reading the key. So a save is
//! stored, or it is [`SaveError::Stale`] because another owner has the code, and never refused.
//!
//! A game that ends is in the value first and in the stream second. [`HeldCode::unsent`] says what is only in
//! the value: the next save appends it before it leaves it out. Readers drop repeats.
//!
//! A caller may stop waiting at any moment. The held state is then of the last save with an
//! answer, and the next one finds out.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt;
use noughts_protocol::{PlayerId, RoomCode};
use noughts_store::{Change, DiskError, FinishedGame, Live, LiveRow, NewAct, SaveError};
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::copy::Copy;
use crate::engine::{Engine, EngineError, Entry, PutError, Revision};
use crate::nodes::{Nodes, Peer, RETRY};
use crate::retries::{Retries, Retry};
use crate::value::{CODES, Owner, Value, code_of, key, names, time_left};

/// Where a code is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// Neither a room nor a party has it.
    Nowhere,
    /// This node owns it. Load it from the store. Its `until` is no time of this node's clock, but what was
    /// left at the last save. If it is a table, its party is owned by this node too, or it is gone.
    Here(Live),
    /// Another node owns it.
    At(Peer),
}

/// The state of a code that this node owns.
#[derive(Debug, Clone)]
struct HeldCode {
    revision: Revision,
    v: u64,
    /// Games of the value that may not be in the stream.
    unsent: Vec<FinishedGame>,
}

/// The codes that this node owns.
#[derive(Debug)]
pub(crate) struct Rooms {
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) nodes: Arc<Nodes>,
    copy: Arc<Copy>,
    /// Cleared when the lease is lost. As many as the server has rooms and parties.
    held: Mutex<HashMap<RoomCode, HeldCode>>,
    pub(crate) calls: Retries,
    /// A scan asks the engine for every value: two at once would leave less to the moves of all.
    scans: Semaphore,
}

impl Rooms {
    pub(crate) fn new(engine: Arc<dyn Engine>, nodes: Arc<Nodes>, copy: Arc<Copy>) -> Self {
        let calls = Retries::new("rooms wait, because they cannot be stored or read");
        let scans = Semaphore::new(1);
        Self { engine, nodes, copy, held: Mutex::default(), calls, scans }
    }

    /// Forgets all codes and begins the next lease.
    pub(crate) fn forget(&self) {
        let mut held = self.held.lock();
        held.clear();
        self.nodes.lease.begin();
    }

    pub(crate) fn holds(&self, code: RoomCode) -> bool {
        self.held.lock().contains_key(&code)
    }

    /// Saves changes of one code and what came with them.
    pub(crate) async fn save(&self, changes: Vec<Change>) -> Result<(), SaveError> {
        let mut games = Vec::new();
        let mut records = Vec::new();
        let mut of_code = None;
        for change in changes {
            match change {
                Change::Game(game) => games.push(*game),
                // It is in the stream before its code is gone: a node that dies between writes
                // it once more, into the same row.
                Change::KeptParty(_) => self.append(self.nodes.owner(), &change).await?,
                Change::Forget { .. } | Change::Hide { .. } | Change::Act(_) => {
                    records.push(change);
                }
                Change::Live { code, expected, row } => {
                    if of_code.replace((code, expected, row)).is_some() {
                        let why = "a cluster cannot save two rooms at once";
                        return Err(DiskError::Contradiction(why.to_owned()).into());
                    }
                }
            }
        }
        match of_code {
            Some((code, expected, Some(row))) => self.put_row(code, expected, row, games).await?,
            Some((code, expected, None)) => {
                self.end(code, expected.ok_or(SaveError::Stale)?, games).await?;
            }
            None => self.append_all(self.nodes.owner(), &games).await?,
        }
        for record in records {
            self.append(self.nodes.owner(), &record).await?;
        }
        Ok(())
    }

    /// Stores the first or the next row of a code.
    async fn put_row(
        &self,
        code: RoomCode,
        expected: Option<u64>,
        row: LiveRow,
        games: Vec<FinishedGame>,
    ) -> Result<(), SaveError> {
        let owner = self.nodes.owner();
        let revision = match expected {
            None if self.holds(code) => return Err(SaveError::Stale),
            None => 0,
            Some(expected) => self.ready(code, owner, expected).await?,
        };
        let v = row.v;
        let value = Value { owner, row: Some(row), games };
        let revision = self.put(code, &value, revision, expected).await.inspect_err(|_| {
            if expected.is_some() {
                self.held.lock().remove(&code);
            }
        })?;
        let unsent = value.games;
        if !self.hold(code, owner, HeldCode { revision, v, unsent: unsent.clone() }) {
            return Err(SaveError::Stale);
        }
        self.append_all(owner, &unsent).await?;
        self.sent(code, revision);
        Ok(())
    }

    /// Ends a code.
    async fn end(
        &self,
        code: RoomCode,
        expected: u64,
        games: Vec<FinishedGame>,
    ) -> Result<(), SaveError> {
        let owner = self.nodes.owner();
        let mut revision = self.ready(code, owner, expected).await?;
        // The value may be taken over from now on, also by this node.
        self.held.lock().remove(&code);
        if !games.is_empty() {
            let value = Value { owner, row: None, games };
            revision = self.put(code, &value, revision, Some(expected)).await?;
            self.append_all(owner, &value.games).await?;
        }
        let mut retry = self.calls.begin();
        loop {
            self.check(owner)?;
            match self.engine.delete(&key(code), revision).await {
                Ok(()) => return Ok(()),
                Err(PutError::Unknown(why)) => pause(&mut retry, &why).await,
                Err(PutError::OtherRevision) => match self.read(owner, code).await? {
                    None => return Ok(()),
                    Some((entry, value)) if value.owner == owner => {
                        let is_later = value.v().is_some_and(|v| v != expected);
                        revision =
                            if is_later { return Err(SaveError::Stale) } else { entry.revision };
                    }
                    Some(_) => return Err(SaveError::Stale),
                },
            }
        }
    }

    /// The revision of a code of which the version `expected` is held, once its games are in the stream.
    async fn ready(
        &self,
        code: RoomCode,
        owner: Owner,
        expected: u64,
    ) -> Result<Revision, SaveError> {
        let held = self.held.lock().get(&code).cloned();
        let held = held.filter(|held| held.v == expected).ok_or(SaveError::Stale)?;
        self.append_all(owner, &held.unsent).await?;
        self.sent(code, held.revision);
        Ok(held.revision)
    }

    /// The games of a value are in the stream.
    fn sent(&self, code: RoomCode, revision: Revision) {
        if let Some(held) = self.held.lock().get_mut(&code)
            && held.revision == revision
        {
            held.unsent.clear();
        }
    }

    /// Puts a value and returns its revision, whatever the engine says at first.
    async fn put(
        &self,
        code: RoomCode,
        value: &Value,
        mut revision: Revision,
        expected: Option<u64>,
    ) -> Result<Revision, SaveError> {
        let owner = value.owner;
        let bytes = value.encode();
        let mut retry = self.calls.begin();
        loop {
            self.check(owner)?;
            match self.engine.put(&key(code), bytes.clone(), revision).await {
                Ok(revision) => return Ok(revision),
                Err(PutError::Unknown(why)) => pause(&mut retry, &why).await,
                Err(PutError::OtherRevision) => match self.read(owner, code).await? {
                    Some((entry, _)) if entry.value == bytes => return Ok(entry.revision),
                    // This node took the code twice at once, because two people asked for it.
                    Some((entry, stored))
                        if expected.is_some()
                            && stored.owner == owner
                            && stored.v() == expected =>
                    {
                        revision = entry.revision;
                    }
                    None if expected.is_none() => pause(&mut retry, "the key is gone again").await,
                    _ => return Err(SaveError::Stale),
                },
            }
        }
    }

    /// Notes what this node owns from now on. Returns whether the lease is still the same.
    fn hold(&self, code: RoomCode, owner: Owner, new: HeldCode) -> bool {
        let mut held = self.held.lock();
        if self.nodes.owner() != owner {
            return false;
        }
        if held.get(&code).is_none_or(|old| old.revision < new.revision) {
            held.insert(code, new);
        }
        true
    }

    /// Takes over a value that was read. Returns where the code is then; `None` if another one was faster.
    pub(crate) async fn take(
        &self,
        code: RoomCode,
        revision: Revision,
        value: Value,
    ) -> Result<Option<Location>, EngineError> {
        let owner = self.nodes.owner();
        self.append_found(&value.games).await?;
        let Some(row) = value.row else {
            return match self.engine.delete(&key(code), revision).await {
                Ok(()) => Ok(Some(Location::Nowhere)),
                Err(PutError::OtherRevision) => Ok(None),
                Err(PutError::Unknown(why)) => Err(EngineError(why)),
            };
        };
        let value = Value { owner, row: Some(row.clone()), games: Vec::new() };
        match self.engine.put(&key(code), value.encode(), revision).await {
            Ok(revision) => {
                let held = HeldCode { revision, v: row.v, unsent: Vec::new() };
                let is_mine = self.hold(code, owner, held);
                Ok(is_mine.then(|| here(code, Some(row))))
            }
            Err(PutError::OtherRevision) => Ok(None),
            Err(PutError::Unknown(why)) => Err(EngineError(why)),
        }
    }

    /// The row of a code that this node owns; `None` if there is none.
    pub(crate) async fn load(&self, code: RoomCode) -> Result<Option<LiveRow>, DiskError> {
        let owner = self.nodes.owner();
        let elsewhere = || DiskError::Failing("another node has the room".to_owned());
        let read = self.read(owner, code).await.map_err(|error| match error {
            SaveError::Refused(error) => error,
            SaveError::Stale => elsewhere(),
        })?;
        let Some((entry, value)) = read else { return Ok(None) };
        let row = value.row.filter(|_| value.owner == owner).ok_or_else(elsewhere)?;
        let mut held = self.held.lock();
        let held = held.get_mut(&code).filter(|_| self.nodes.owner() == owner);
        let held = held.ok_or_else(elsewhere)?;
        // A save that nobody waited for may have been stored.
        if held.revision < entry.revision {
            *held = HeldCode { revision: entry.revision, v: row.v, unsent: value.games };
        }
        Ok(Some(row))
    }

    /// The codes whose values may name a person.
    ///
    /// # Errors
    /// If the engine does not answer, or another search is under way.
    pub(crate) async fn naming(&self, player: PlayerId) -> Result<Vec<RoomCode>, EngineError> {
        let scan = self.scans.try_acquire();
        let _scan = scan.map_err(|_| EngineError("another search is under way".to_owned()))?;
        let mut values = self.engine.scan(CODES).await?;
        let mut codes = Vec::new();
        while let Some(next) = values.next().await {
            let (key, entry) = next?;
            if names(&entry.value, player) {
                codes.extend(code_of(&key));
            }
        }
        Ok(codes)
    }

    /// Appends games that were found in a value, each once.
    pub(crate) async fn append_found(&self, games: &[FinishedGame]) -> Result<(), EngineError> {
        for game in games {
            let (id, body) = record(&Change::Game(Box::new(game.clone())));
            self.engine.append(&id, body).await?;
        }
        Ok(())
    }

    async fn append_all(&self, owner: Owner, games: &[FinishedGame]) -> Result<(), SaveError> {
        for game in games {
            self.append(owner, &Change::Game(Box::new(game.clone()))).await?;
        }
        Ok(())
    }

    /// Appends a record, and waits a moment for this node's own copy of it.
    async fn append(&self, owner: Owner, change: &Change) -> Result<(), SaveError> {
        let (id, body) = record(change);
        let mut retry = self.calls.begin();
        loop {
            match self.engine.append(&id, body.clone()).await {
                Ok(number) => {
                    self.copy.wait_for(number).await;
                    return Ok(());
                }
                Err(error) => pause(&mut retry, &format!("the stream of games: {error}")).await,
            }
            self.check(owner)?;
        }
    }

    /// The value of a code.
    async fn read(
        &self,
        owner: Owner,
        code: RoomCode,
    ) -> Result<Option<(Entry, Value)>, SaveError> {
        let mut retry = self.calls.begin();
        loop {
            match self.engine.get(&key(code)).await {
                Ok(None) => return Ok(None),
                Ok(Some(entry)) => {
                    let value = Value::parse(&entry.value).map_err(DiskError::Damaged)?;
                    return Ok(Some((entry, value)));
                }
                Err(error) => pause(&mut retry, &error.0).await,
            }
            self.check(owner)?;
        }
    }

    /// Whether this node is still what it was when the save began.
    fn check(&self, owner: Owner) -> Result<(), SaveError> {
        if self.nodes.owner() == owner { Ok(()) } else { Err(SaveError::Stale) }
    }
}

/// The location of a code that this node owns.
pub(crate) fn here(code: RoomCode, row: Option<LiveRow>) -> Location {
    let Some(row) = row else { return Location::Nowhere };
    let until = time_left(&row);
    let LiveRow { origins, party, .. } = row;
    Location::Here(Live { code, until, origins, party })
}

async fn pause(retry: &mut Retry<'_>, why: &str) {
    retry.failed(why);
    sleep(RETRY).await;
}

/// A record of the stream and its id.
fn record(change: &Change) -> (String, Bytes) {
    let id = match change {
        Change::Game(game) => format!("game-{}", game.id),
        Change::Forget { player, at } => format!("forget-{player}-{at}"),
        Change::Hide { player, hidden, at } => format!("hide-{player}-{hidden}-{at}"),
        Change::KeptParty(party) => {
            let state = &party.state;
            format!("party-{}-{}-{}", state.code, state.host, state.v)
        }
        Change::Act(NewAct { at, deed, .. }) => format!("act-{at}-{deed}"),
        // It is a value, and no record.
        Change::Live { .. } => String::new(),
    };
    // Serialization cannot fail: no map here has keys that are not strings.
    (id, serde_json::to_vec(change).unwrap_or_default().into())
}
