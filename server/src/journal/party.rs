//! Parties as they are stored: what never changes of a party, and its facts with versions and
//! checksums, as those of a room. The fact that opens a game is stored with the number of its room, so
//! that the result can be read even when the room has ended.

pub(super) mod forget;
pub mod log;
pub mod result;
pub(super) mod store;
pub mod verify;

pub use store::PartyWrite;

use crc32fast::Hasher;
use noughts_protocol::{
    IntentId, OutOfStep, PartyCode, PartyEvent, PartySettings, PartyState, PlayerId, PlayerName,
};

/// The columns of a party besides its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewParty {
    /// The party's code.
    pub code: PartyCode,
    /// The party's name.
    pub name: PlayerName,
    /// The settings, which never change.
    pub settings: PartySettings,
    /// The player who made the party.
    pub host: PlayerId,
    /// The intent that made it.
    pub intent: IntentId,
}

/// A stored fact of a party.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyEntry {
    /// The party's version after this fact.
    pub v: u64,
    /// The run of the server in which it happened.
    pub run: i64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// The fact as JSON.
    pub fact: String,
    /// The number of the room in the journal, for the fact that opens a game in it.
    pub room: Option<i64>,
    /// The checksum of the party up to this fact.
    pub crc: u32,
}

/// A party that has not ended: what the server must know before it reads the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveParty {
    /// The party's number.
    pub id: i64,
    /// The party's code.
    pub code: String,
    /// The player who made the party.
    pub host: PlayerId,
    /// The intent that made it.
    pub intent: Option<IntentId>,
}

/// A party as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredParty {
    /// The party's number.
    pub id: i64,
    /// The part that never changes.
    pub new: NewParty,
    /// When it was made, in milliseconds since 1970.
    pub made: i64,
    /// When the party ended, in milliseconds since 1970, if it has ended.
    pub ended: Option<i64>,
    /// The facts in order, up to the first one with a wrong checksum.
    pub entries: Vec<PartyEntry>,
    /// The version of the first fact with a wrong checksum.
    pub broken: Option<u64>,
}

impl NewParty {
    /// The settings as they are stored.
    fn settings_json(&self) -> String {
        // Serialization cannot fail: settings hold no map whose keys are not strings.
        serde_json::to_string(&self.settings).unwrap_or_default()
    }

    /// The checksum that the first fact of this party follows; `id` is the party's number, and `made`
    /// is the time in milliseconds since 1970.
    #[must_use]
    pub fn checksum(&self, id: i64, made: i64) -> u32 {
        let mut hasher = Hasher::new();
        for text in [self.code.as_str(), self.name.as_str(), &self.settings_json()] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        for number in [id, made, self.host.0.cast_signed()] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&u64::from(self.intent).to_le_bytes());
        hasher.finalize()
    }
}

impl PartyEntry {
    /// The entry for a fact, without its checksum.
    #[must_use]
    pub fn of(fact: &PartyEvent, v: u64, run: i64, at: i64, room: Option<i64>) -> Self {
        // Serialization cannot fail: facts hold no map whose keys are not strings.
        let fact = serde_json::to_string(fact).unwrap_or_default();
        Self { v, run, at, fact, room, crc: 0 }
    }

    /// The fact of this entry.
    ///
    /// # Errors
    /// If there is none; the text says why.
    pub fn event(&self) -> Result<PartyEvent, String> {
        let Self { v, fact, .. } = self;
        serde_json::from_str(fact).map_err(|error| format!("at version {v}: {error} in {fact:?}"))
    }

    /// The checksum of this fact after the checksum `before`.
    fn checksum(&self, before: u32) -> u32 {
        let mut hasher = Hasher::new_with_initial(before);
        for number in [self.v.cast_signed(), self.run, self.at] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&[u8::from(self.room.is_some())]);
        hasher.update(&self.room.unwrap_or_default().to_le_bytes());
        hasher.update(self.fact.as_bytes());
        hasher.finalize()
    }
}

/// Sets the checksums of entries that follow the checksum `before`, and returns the last one.
pub fn seal(before: u32, entries: &mut [PartyEntry]) -> u32 {
    entries.iter_mut().fold(before, |before, entry| {
        entry.crc = entry.checksum(before);
        entry.crc
    })
}

impl StoredParty {
    /// The wrong checksum as a sentence, if there is one.
    #[must_use]
    pub fn checksum_error(&self) -> Option<String> {
        let v = self.broken?;
        Some(format!(
            "at version {v}: the checksum does not follow from the facts before it, so that one of \
             them is missing or not what was stored"
        ))
    }

    /// The checksum of the last fact, or of the party if there is none.
    #[must_use]
    pub fn crc(&self) -> u32 {
        let first = || self.new.checksum(self.id, self.made);
        self.entries.last().map_or_else(first, |entry| entry.crc)
    }

    /// Replays the facts, calls `each` with every entry, its fact and the state after it, and returns
    /// the last state.
    ///
    /// # Errors
    /// If a checksum is wrong or a fact cannot follow those before it; the text says why.
    pub fn replay<'a>(
        &'a self,
        mut each: impl FnMut(&'a PartyEntry, &PartyEvent, &PartyState),
    ) -> Result<PartyState, String> {
        if let Some(error) = self.checksum_error() {
            return Err(error);
        }
        let NewParty { code, ref name, settings, host, .. } = self.new;
        let mut state = PartyState::new(code, name.clone(), settings, host);
        for entry in &self.entries {
            let event = entry.event()?;
            let wrong = |why: &str| format!("at version {}: {why}", entry.v);
            state.apply(entry.v, &event).map_err(|out_of_step| match out_of_step {
                OutOfStep::Gap { .. } => wrong("the version is not the next"),
                OutOfStep::Contradiction(why) => wrong(&why.to_string()),
            })?;
            each(entry, &event, &state);
        }
        Ok(state)
    }

    /// Adds the next entry, unless it or one before it has a wrong checksum.
    fn push(&mut self, entry: PartyEntry) {
        if self.broken.is_some() {
            return;
        }
        if entry.checksum(self.crc()) == entry.crc {
            self.entries.push(entry);
        } else {
            self.broken = Some(entry.v);
        }
    }
}
