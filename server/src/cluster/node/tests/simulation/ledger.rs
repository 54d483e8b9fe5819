//! The answers that the rooms of a simulation got, and the checker that compares them with the log.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use noughts_protocol::PartyEvent;

use crate::cluster::engine::{Chain, Delivered};
use crate::cluster::record::{Content, Record};
use crate::journal::entry::{Entry, Payload};
use crate::journal::error::DiskError;
use crate::journal::party::{PartyEntry, PartyWrite};
use crate::journal::store::Write;
use crate::shard::Shard;

/// A fact that no other fact equals: the number of its room or party, and its mark.
pub(super) type Fact = (i64, u16);

/// A room or a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Room,
    Party,
}

/// The answers that the rooms and parties of a simulation got.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    marks: u16,
    /// The rooms and parties that are stored, by their numbers.
    pub(super) known: Vec<(i64, Kind)>,
    /// By room the version that is stored at least.
    pub(super) versions: BTreeMap<i64, u64>,
    stored: BTreeSet<Fact>,
    not_stored: BTreeSet<Fact>,
    unknown: usize,
    /// The writes without an outcome, and at which node they wait.
    pub(super) waiting: BTreeMap<Fact, String>,
    /// Whether the engine may name an old end of the log: then a node may show an old board.
    pub(super) reads_may_be_stale: bool,
    pub(super) violations: Vec<String>,
}

impl Ledger {
    /// A mark that no fact had before.
    pub(super) fn mark(&mut self) -> u16 {
        self.marks += 1;
        self.marks
    }

    /// Notes the answer to a write.
    pub(super) fn note(&mut self, fact: Fact, outcome: &Result<u64, DiskError>, has_ended: bool) {
        self.waiting.remove(&fact);
        match outcome {
            Ok(v) => {
                let last = self.versions.entry(fact.0).or_default();
                *last = (*last).max(*v);
                self.stored.insert(fact);
            }
            Err(DiskError::Unknown(_)) if has_ended => self.unknown += 1,
            Err(DiskError::Unknown(_)) => self.violation(format!("{fact:?} is unknown for ever")),
            Err(_) => drop(self.not_stored.insert(fact)),
        }
    }

    pub(super) fn violation(&mut self, violation: String) {
        self.violations.push(violation);
    }

    /// How many writes were stored, not stored, and unknown, as far as the rooms were told.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.stored.len(), self.not_stored.len(), self.unknown]
    }

    /// Compares the answers with the log.
    pub(super) fn check(&mut self, log: &LogReader) {
        let lost: Vec<_> = self.stored.difference(&log.facts).copied().collect();
        let lies: Vec<_> = self.not_stored.intersection(&log.facts).copied().collect();
        let lost =
            lost.iter().map(|fact| format!("{fact:?} is not in the log, and it was told: stored"));
        let lies =
            lies.iter().map(|fact| format!("{fact:?} is in the log, and it was told: not stored"));
        self.violations.extend(log.violations.iter().cloned().chain(lost).chain(lies));
    }
}

/// The log, and everything in it that may not be there.
#[derive(Debug, Default)]
pub(super) struct LogReader {
    /// The version of each room and party.
    pub(super) versions: BTreeMap<i64, (Kind, u64)>,
    facts: BTreeSet<Fact>,
    /// The owner of each shard.
    owners: BTreeMap<Shard, String>,
    /// The records by their node and its number.
    numbers: BTreeSet<(String, u64)>,
    pub(super) claims: usize,
    pub(super) violations: Vec<String>,
}

impl LogReader {
    /// Reads a log.
    pub(super) fn read(records: &[Delivered]) -> Self {
        let mut log = Self::default();
        for record in records {
            log.see(record);
        }
        log
    }

    /// A log with this fact alone.
    pub(super) fn with_fact(fact: Fact, kind: Kind) -> Self {
        let (versions, facts) = ([(fact.0, (kind, 1))].into(), [fact].into());
        Self { versions, facts, ..Self::default() }
    }

    fn see(&mut self, Delivered { seq, chain, record }: &Delivered) {
        let Record { node, number, content, .. } = Record::decode(record).unwrap();
        if !self.numbers.insert((node.clone(), number)) {
            self.violation(*seq, format!("{node} has stored its record {number} twice"));
        }
        let Chain::Shard(shard) = chain else { return };
        if content == Content::Claimed {
            self.claims += 1;
            self.owners.insert(*shard, node);
            return;
        }
        let owner = self.owners.get(shard);
        if owner != Some(&node) {
            self.violation(*seq, format!("{node} writes to shard {shard} of {owner:?}"));
        }
        match content {
            Content::Released => drop(self.owners.remove(shard)),
            Content::Wrote(writes) => {
                for write in &writes {
                    if write.shard() != Some(*shard) {
                        self.violation(*seq, format!("{write:?} is not of shard {shard}"));
                    }
                    self.see_write(*seq, write);
                }
            }
            other => self.violation(*seq, format!("{other:?}")),
        }
    }

    fn see_write(&mut self, seq: u64, write: &Write) {
        match write {
            Write::Create { room, entries, .. } => {
                self.make(seq, *room, Kind::Room);
                entries.iter().for_each(|entry| self.add(seq, *room, entry.v, mark_of(entry)));
            }
            Write::Append { room, entries, .. } => {
                entries.iter().for_each(|entry| self.add(seq, *room, entry.v, mark_of(entry)));
            }
            Write::Party { party, write: PartyWrite::Create { entries, .. } } => {
                self.make(seq, *party, Kind::Party);
                entries.iter().for_each(|one| self.add(seq, *party, one.v, mark_of_party(one)));
            }
            Write::Party { party, write: PartyWrite::Append { entries } } => {
                entries.iter().for_each(|one| self.add(seq, *party, one.v, mark_of_party(one)));
            }
            _ => {}
        }
    }

    fn make(&mut self, seq: u64, subject: i64, kind: Kind) {
        if self.versions.insert(subject, (kind, 0)).is_some() {
            self.violation(seq, format!("{kind:?} {subject} is made twice"));
        }
    }

    fn add(&mut self, seq: u64, subject: i64, v: u64, mark: Option<u16>) {
        match self.versions.get_mut(&subject) {
            None => self.violation(seq, format!("{subject} was not made")),
            Some((_, last)) => {
                let before = std::mem::replace(last, v);
                if v != before + 1 {
                    self.violation(seq, format!("{v} follows {before} of {subject}"));
                }
            }
        }
        if !mark.is_some_and(|mark| self.facts.insert((subject, mark))) {
            self.violation(seq, format!("the fact {v} of {subject} is there twice"));
        }
    }

    fn violation(&mut self, seq: u64, violation: impl Display) {
        self.violations.push(format!("record {seq}: {violation}"));
    }
}

fn mark_of(entry: &Entry) -> Option<u16> {
    if let Payload::Move(cell) = entry.payload { Some(cell) } else { None }
}

fn mark_of_party(entry: &PartyEntry) -> Option<u16> {
    match entry.event().ok()? {
        PartyEvent::Opened { pairing, .. } => u16::try_from(pairing).ok(),
        _ => None,
    }
}
