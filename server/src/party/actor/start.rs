//! The start of a party's task: the party is made and stored, or rebuilt from its facts. The rooms of the
//! games that ran go on: each is found by its code and its number, or its result is read from the
//! journal.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use noughts_protocol::{PartyEvent, PlayerName, RoomCode};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::Actor;
use super::gate::Gate;
use super::tables::OpenTable;
use crate::actor::{Audience, Departures, NotCommitted, RETRY};
use crate::config::parties::PartyTimes;
use crate::journal::error::DiskError;
use crate::journal::party::log::{AnyPartyLog, PartyJournal, PartyLog, RoomNumbers};
use crate::journal::party::result::{self, TableEnd};
use crate::journal::party::{NewParty, StoredParty};
use crate::party::PartyContext;
use crate::party::command::Command;
use crate::party::handle::PartyInbox;
use crate::party::registry::PartyEntry;
use crate::party::rules::tables::TableResult;
use crate::party::rules::{Decided, PartyRules};
use crate::party::told::{ToldBoards, ToldPresence};
use crate::room::table::TableReports;

/// How a party's task starts.
#[derive(Debug)]
pub(in crate::party) enum Start {
    /// It is made.
    New {
        new: NewParty,
        /// The name of the host, if they play.
        plays_as: Option<PlayerName>,
    },
    /// It is rebuilt from its facts.
    Restore,
}

/// A party's task, from its start until it ends. `entry` is dropped with the task, also if it panics,
/// and removes the party from the registry.
pub(in crate::party) async fn run(
    start: Start,
    number: i64,
    inbox: PartyInbox,
    entry: PartyEntry,
    context: PartyContext,
) {
    if let Some(actor) = start_actor(start, number, inbox, context).await {
        actor.run().await;
    }
    drop(entry);
}

async fn start_actor(
    start: Start,
    number: i64,
    PartyInbox { handle, mut commands }: PartyInbox,
    context: PartyContext,
) -> Option<Actor> {
    let loaded = match start {
        Start::New { new, plays_as } => create(new, plays_as, number, &context).await,
        Start::Restore => restore(number, &context).await,
    };
    let Loaded { rules, log, stored } = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            refuse_all(&mut commands, &error.clone().into());
            if let DiskError::Damaged(error) = error {
                tracing::error!("party {} (number {number}) is damaged: {error}", handle.code());
                // Its code is given to nobody else.
                context.lobby.stop().cancelled().await;
            }
            return None;
        }
    };
    let now = context.lobby.now();
    let mut actor = Actor {
        rules,
        audience: Audience::new(),
        log,
        number,
        commands,
        departures: Departures::new(),
        tables: BTreeMap::new(),
        reports: Arc::<TableReports>::default(),
        presence: ToldPresence::new(Instant::now()),
        boards: ToldBoards::new(Instant::now()),
        empty_since: Some(now),
        gives_way: false,
        reading: Gate::default(),
        opening: Gate::default(),
        retry_at: None,
        handle,
        context,
    };
    actor.handle.publish(actor.rules.state());
    actor.handle.publish_people(actor.rules.state());
    if let Some(stored) = stored {
        actor.resume_tables(&stored).await;
    }
    Some(actor)
}

/// A party that was made or rebuilt.
struct Loaded {
    rules: PartyRules,
    log: AnyPartyLog,
    /// The stored part of a party that is rebuilt.
    stored: Option<StoredParty>,
}

fn rules_of(new: &NewParty, context: &PartyContext) -> PartyRules {
    let NewParty { code, name, settings, host, .. } = new;
    let (times, now) = (PartyTimes::DEFAULT, context.lobby.now());
    PartyRules::new(*code, name.clone(), *settings, *host, times, now)
}

async fn create(
    new: NewParty,
    plays_as: Option<PlayerName>,
    number: i64,
    context: &PartyContext,
) -> Result<Loaded, DiskError> {
    let mut rules = rules_of(&new, context);
    let log = match context.lobby.journal() {
        Some(journal) => AnyPartyLog::Kept(journal.party(number)),
        None => AnyPartyLog::NotKept,
    };
    let (format, board) = (new.settings.format, new.settings.board);
    let founded: Decided = rules.found(plays_as.as_ref());
    let committed = log.create(new, founded).await?;
    // Nobody follows the party yet who could be told.
    drop(rules.apply(context.lobby.now(), committed));
    tracing::info!(%format, %board, "party made");
    Ok(Loaded { rules, log, stored: None })
}

async fn restore(number: i64, context: &PartyContext) -> Result<Loaded, DiskError> {
    let unkept = || DiskError::Damaged("nothing is kept".to_owned());
    let journal: PartyJournal = context.lobby.journal().ok_or_else(unkept)?.party(number);
    let stored = journal.load().await?;
    let mut rules = rules_of(&stored.new, context);
    stored.replay(|_, event, _| rules.replay(event)).map_err(DiskError::Damaged)?;
    rules.resume(context.lobby.now());
    Ok(Loaded { rules, log: AnyPartyLog::Kept(journal), stored: Some(stored) })
}

/// Answers the joins in the inbox of a party that did not start. No other command can be there, because
/// nobody follows the party.
fn refuse_all(commands: &mut mpsc::Receiver<Command>, why: &NotCommitted) {
    commands.close();
    while let Ok(command) = commands.try_recv() {
        if let Command::Join { client, id, admitted, .. } = command {
            why.answer(&client.outbox, Some(id));
            drop(admitted.send(None));
        }
    }
}

impl Actor {
    /// Goes on with the games that ran when the server ended.
    async fn resume_tables(&mut self, stored: &StoredParty) {
        let numbers = room_numbers(stored);
        let running: Vec<(u32, u8, RoomCode)> = self
            .rules
            .state()
            .pairings
            .iter()
            .filter(|pairing| pairing.outcome.is_none())
            .filter_map(|pairing| Some((pairing.number, pairing.game, pairing.room?)))
            .collect();
        for (pairing, game, room) in running {
            let number = numbers.get(&room).copied();
            let (table, reporter) = self.reports.table(pairing);
            let found = match self.context.lobby.find(room) {
                Ok(found) => found.attach(reporter).await.ok(),
                Err(_) => None,
            };
            // Another room may have the code by now.
            if found.is_some_and(|found| found == number) {
                self.tables.insert(pairing, OpenTable::new(game, room, table));
                // The server may have ended after a place went to another player, and before the seat.
                let state = self.rules.state();
                state.entrants.iter().for_each(|entrant| self.seat(entrant));
                continue;
            }
            let result = self.stored_result(number).await;
            self.store_result(pairing, game, room, result).await;
        }
    }

    /// The result of a game whose room has ended.
    async fn stored_result(&self, number: Option<i64>) -> TableResult {
        let Some((journal, number)) = self.log.kept().zip(number) else { return TableResult::Lost };
        match journal.load_room(number).await {
            Ok(stored) => match result::of_room(&stored) {
                Some(TableEnd::Won(mark)) => TableResult::Won(mark),
                Some(TableEnd::Drawn) => TableResult::Drawn,
                None => TableResult::Lost,
            },
            Err(error) => {
                tracing::error!("the room of a party's game cannot be read: {error}");
                TableResult::Lost
            }
        }
    }

    /// Stores a result that is known already, however long that takes.
    async fn store_result(&mut self, pairing: u32, game: u8, room: RoomCode, result: TableResult) {
        while !self.context.lobby.is_stopping() {
            let now = self.now();
            let decided = self.rules.table_result(now, pairing, game, room, result);
            if self.commit(decided).await.is_ok() {
                return;
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// The numbers of the rooms that the facts name, the last one of each code.
fn room_numbers(stored: &StoredParty) -> RoomNumbers {
    let mut numbers: RoomNumbers = HashMap::new();
    for entry in &stored.entries {
        if let (Some(number), Ok(PartyEvent::Opened { room, .. })) = (entry.room, entry.event()) {
            numbers.insert(room, number);
        }
    }
    numbers
}
