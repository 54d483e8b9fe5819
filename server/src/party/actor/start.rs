//! The start of a party's task: the party is made and stored, or read back from its row. The rooms of the
//! games that ran go on.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use noughts_protocol::{
    CloseCode, IntentId, PartyCode, PartySettings, PartyState, PartyTable, PlayerId, PlayerName,
    Refusal, RoomCode,
};
use noughts_store::{Change, Origin, SaveError, commit};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::PartyActor;
use super::gate::Gate;
use super::tables::OpenTable;
use crate::actor::{Audience, Departures, Fence, RETRY, answer, not_stored};
use crate::party::PartyContext;
use crate::party::broadcast::{BoardsBroadcast, PartyPresenceBroadcast};
use crate::party::command::PartyCommand;
use crate::party::handle::PartyInbox;
use crate::party::registry::PartyEntry;
use crate::party::rules::PartyRules;
use crate::party::rules::tables::TableResult;
use crate::room::table::TableReports;

/// A party that is to be made.
#[derive(Debug)]
pub(in crate::party) struct NewParty {
    pub(in crate::party) name: PlayerName,
    pub(in crate::party) settings: PartySettings,
    pub(in crate::party) host: PlayerId,
    /// The intent that makes it.
    pub(in crate::party) intent: IntentId,
    /// The name of the host, if they play.
    pub(in crate::party) plays_as: Option<PlayerName>,
}

/// How a party's task starts.
#[derive(Debug)]
pub(in crate::party) enum PartyStart {
    /// It is made.
    New(NewParty),
    /// It is read back from its row.
    Restore,
}

/// A party's task, from its start until it ends. `entry` is dropped with the task, also if it panics,
/// and removes the party from the registry.
pub(in crate::party) async fn run(
    start: PartyStart,
    inbox: PartyInbox,
    entry: PartyEntry,
    context: PartyContext,
) {
    let is_restored = matches!(start, PartyStart::Restore);
    if let Some(mut actor) = start_actor(start, inbox, context).await {
        let fence = actor.fence.clone();
        let running = async {
            if is_restored {
                actor.resume_tables().await;
            }
            actor.run().await;
        };
        if !fence.run(running).await {
            actor.audience.close(CloseCode::Restart);
        }
    }
    drop(entry);
}

async fn start_actor(
    start: PartyStart,
    PartyInbox { handle, mut commands }: PartyInbox,
    context: PartyContext,
) -> Option<PartyActor> {
    let code = handle.code();
    let is_restored = matches!(start, PartyStart::Restore);
    let loaded = match start {
        PartyStart::New(new) => create(code, new, &context).await,
        PartyStart::Restore => restore(code, &context).await,
    };
    let (rules, intent) = match loaded {
        Ok(loaded) => loaded,
        // Those who come to the code find that there is no party, and may draw another one.
        Err(None) => return None,
        Err(Some(why)) => {
            reject_all(&mut commands, &why);
            if is_restored && context.lobby.cluster().is_none() {
                // Its code is given to nobody else.
                context.lobby.stop().cancelled().await;
            }
            return None;
        }
    };
    let now = context.lobby.now();
    let actor = PartyActor {
        rules,
        audience: Audience::new(),
        intent,
        commands,
        departures: Departures::new(),
        tables: BTreeMap::new(),
        reports: Arc::<TableReports>::default(),
        presence: PartyPresenceBroadcast::new(Instant::now()),
        boards: BoardsBroadcast::new(Instant::now()),
        empty_since: Some(now),
        reading: Gate::default(),
        opening: Gate::default(),
        clocks_stopped: false,
        added: VecDeque::new(),
        retry_at: None,
        fence: Fence::default(),
        handle,
        context,
    };
    actor.handle.publish(actor.rules.state());
    Some(actor)
}

/// The rules of a party, and the intent that made it. The error is `None` if another node has made a room or
/// a party with this code.
type LoadedParty = Result<(PartyRules, IntentId), Option<Refusal>>;

async fn create(code: PartyCode, new: NewParty, context: &PartyContext) -> LoadedParty {
    let NewParty { name, settings, host, intent, plays_as } = new;
    let now = context.lobby.now();
    let mut rules = PartyRules::new(PartyState::new(code, name, settings, host), now);
    let founded = rules.found(plays_as.as_ref());
    let row = Some(rules.stored_after(now, &founded, intent));
    let made = vec![Change::Live { code: code.0, expected: None, row }];
    let committed = commit(context.lobby.store(), made, founded).await;
    let committed = committed.map_err(|error| (error != SaveError::Stale).then(not_stored))?;
    // Nobody follows the party yet who could be told.
    drop(rules.apply(context.lobby.now(), committed));
    tracing::info!(party = %code, format = %settings.format, board = %settings.board, variant = settings.variant.name(), "party made");
    Ok((rules, intent))
}

async fn restore(code: PartyCode, context: &PartyContext) -> LoadedParty {
    let store = context.lobby.store().ok_or_else(|| Some(not_stored()))?;
    let row = store.load(code.0).await.map_err(|error| error.to_string());
    let row = row.and_then(|row| row.ok_or_else(|| "it is gone".to_owned()));
    let read = row.and_then(|row| {
        let rules = PartyRules::from_json(&row.state, context.lobby.now())?;
        let is_whole = rules.state().code == code && rules.state().v == row.v;
        match *row.origins {
            [Origin { id, .. }] if is_whole => Ok((rules, id)),
            _ => Err("it is another party".to_owned()),
        }
    });
    read.map_err(|error| {
        tracing::error!("party {code} cannot be read: {error}");
        Some(not_stored())
    })
}

/// Answers the joins in the inbox of a party that did not start. No other command can be there, because
/// nobody follows the party.
fn reject_all(commands: &mut mpsc::Receiver<PartyCommand>, why: &Refusal) {
    commands.close();
    while let Ok(command) = commands.try_recv() {
        if let PartyCommand::Join { client, id, reply, .. } = command {
            client.outbox.reject(Some(id), why.clone());
            answer(reply, None);
        }
    }
}

impl PartyActor {
    /// Goes on with the games that ran when the server ended.
    async fn resume_tables(&mut self) {
        let running: Vec<(u32, u8, RoomCode)> = self
            .rules
            .state()
            .pairings
            .iter()
            .filter(|pairing| pairing.outcome.is_none())
            .filter_map(|pairing| Some((pairing.number, pairing.game, pairing.room?)))
            .collect();
        for (pairing, game, room) in running {
            let (table, reporter) = self.reports.table(pairing);
            let made_for = match self.context.lobby.find_or_take(room).await {
                Ok(found) => found.attach(reporter).await.ok().flatten(),
                Err(_) => None,
            };
            let is_this = |made_for: PartyTable| {
                let PartyTable { party, pairing: of, game: nth, .. } = made_for;
                (party, of, nth) == (self.code(), pairing, game)
            };
            // Another room may have the code by now.
            if made_for.is_some_and(is_this) {
                self.tables.insert(pairing, OpenTable::new(game, room, table));
                // The server may have ended after a place went to another player, and before the seat.
                let state = self.rules.state();
                state.entrants.iter().for_each(|entrant| self.seat(entrant));
                // Or before its clock stood still, or ran on.
                self.hold_clock(pairing).await;
                continue;
            }
            // Its room ends after its result is stored, unless its row is damaged.
            self.store_result(pairing, game, room, TableResult::Lost).await;
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
