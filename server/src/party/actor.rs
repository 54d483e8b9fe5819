//! The task that owns one party. It waits in `next_input`, for the store in [`commit`], and for a
//! room's start in [`tables`]. Everything else is synchronous: ask the [`PartyRules`] for facts,
//! store them, apply them, tell them.

mod clocks;
mod commit;
mod follow;
mod gate;
mod places;
mod start;
mod tables;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{
    CloseCode, IntentId, PartyCode, PartyIntent, PartyPhase, PartyRole, PartySnapshot, PlayerId,
    Refusal, ServerMessage,
};
use noughts_store::{Change, commit};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::WaitForCancellationFuture;

use super::broadcast::{BoardsBroadcast, PartyPresenceBroadcast};
use super::command::PartyCommand;
use super::handle::PartyHandle;
use super::membership::Follower;
use super::rules::PartyRules;
use super::rules::intent::PartyDecision;
use super::rules::stored::to_store;
use super::{PartyContext, checked_settings, no_such_party, not_in_party, pairing};
use crate::actor::audience::Member;
use crate::actor::{Audience, Departures, Fence, MembershipId, answer, first_due};
use crate::outbox::{Delivery, Outbox};
use crate::room::table::TableReports;
use gate::Gate;
pub(super) use start::{NewParty, PartyStart, run};
use tables::OpenTable;

/// A party that is over ends when nobody has followed it for this long.
const OVER_KEPT: Duration = Duration::from_secs(3600);

/// A party that has not begun ends when nobody has followed it for this long. One that is played ends
/// by its rules.
const GATHERING_KEPT: Duration = Duration::from_secs(24 * 3600);

/// More intents than one host has unanswered at once.
const ADDED: usize = 16;

/// Facts that follow from one another at once, before other inputs have their turn.
const STEPS: usize = 32;

/// The task of one party, which alone has its state. Each kind of input has a file for what is done with it.
#[derive(Debug)]
struct PartyActor {
    rules: PartyRules,
    audience: Audience<Follower>,
    /// The intent that made the party.
    intent: IntentId,
    handle: PartyHandle,
    commands: mpsc::Receiver<PartyCommand>,
    departures: Departures,
    /// The games that run, by pairing.
    tables: BTreeMap<u32, OpenTable>,
    reports: Arc<TableReports>,
    presence: PartyPresenceBroadcast,
    boards: BoardsBroadcast,
    /// Since when nobody follows the party, by the clock of the rooms; `None` while somebody does.
    empty_since: Option<Duration>,
    /// When the tables that have something new are read.
    reading: Gate,
    /// When rooms are opened.
    opening: Gate,
    /// Whether the clocks of all rooms stand still. It says the opposite if a room could not store that, so that
    /// all are told again.
    clocks_stopped: bool,
    /// The last intents that have given time: a repeat gives none. At most [`ADDED`].
    added: VecDeque<IntentId>,
    /// When the party tries again what could not be stored.
    retry_at: Option<Instant>,
    fence: Fence,
    context: PartyContext,
}

/// An event that a party waits for.
enum PartyInput {
    Command(PartyCommand),
    Departed(Vec<MembershipId>),
    Tables(BTreeSet<u32>),
    Due(PartyTimer),
    Stop,
}

/// A task that is due in a party.
#[derive(Clone, Copy)]
enum PartyTimer {
    Rules,
    /// The tables may be read again.
    Tables,
    Presence,
    Boards,
    End,
}

impl PartyActor {
    /// Runs the party until it ends.
    async fn run(&mut self) {
        let stop = self.context.lobby.stop().clone();
        let mut stopped = pin!(stop.cancelled());
        self.settle().await;
        loop {
            match self.next_input(stopped.as_mut()).await {
                PartyInput::Command(command) => self.command(command).await,
                PartyInput::Departed(gone) => self.departed(gone),
                PartyInput::Tables(changed) => self.tables_changed(changed).await,
                PartyInput::Due(PartyTimer::Rules) => self.retry().await,
                PartyInput::Due(PartyTimer::Tables) => {}
                PartyInput::Due(PartyTimer::Presence) => self.tell_presence(),
                PartyInput::Due(PartyTimer::Boards) => self.tell_boards(),
                PartyInput::Due(PartyTimer::End) => {
                    if self.end().await {
                        return;
                    }
                }
                PartyInput::Stop => return self.audience.close(CloseCode::Restart),
            }
            self.settle().await;
        }
    }

    /// Commands come before departures and times: who says in time that they are ready is ready.
    async fn next_input(&mut self, stopped: Pin<&mut WaitForCancellationFuture<'_>>) -> PartyInput {
        let due = self.next_due();
        tokio::select! {
            biased;
            () = stopped => PartyInput::Stop,
            // The actor holds a handle, so its inbox never closes.
            Some(command) = self.commands.recv() => PartyInput::Command(command),
            gone = self.departures.next() => PartyInput::Departed(gone),
            changed = self.reports.next(), if self.reading.is_open() => PartyInput::Tables(changed),
            due = first_due(due) => PartyInput::Due(due),
        }
    }

    /// Tries again what could not be stored.
    async fn retry(&mut self) {
        if self.retry_at.take().is_some() {
            self.tables_changed(self.tables.keys().copied().collect()).await;
        }
    }

    /// Each timer, and when it is due.
    fn next_due(&self) -> [(Option<Instant>, PartyTimer); 5] {
        let clock = self.context.lobby.clock();
        let rules = self.rules.due().map(|at| self.opening.no_earlier(clock.moment(at)));
        // The rules know nothing of a result that waits to be stored: they may be due in hours.
        let rules = self.retry_at.or(rules);
        [
            (rules, PartyTimer::Rules),
            (self.reading.opens_at(), PartyTimer::Tables),
            (self.presence.due_at(), PartyTimer::Presence),
            (self.boards.due_at(), PartyTimer::Boards),
            (self.end_at().map(|at| clock.moment(at)), PartyTimer::End),
        ]
    }

    /// When the party ends if nobody comes.
    fn end_at(&self) -> Option<Duration> {
        if self.handle.gives_way() {
            return self.empty_since;
        }
        let kept = match self.rules.state().phase {
            PartyPhase::Over => OVER_KEPT,
            PartyPhase::Gathering => GATHERING_KEPT,
            PartyPhase::Playing => return None,
        };
        Some(self.empty_since? + kept)
    }

    fn now(&self) -> Duration {
        self.context.lobby.now()
    }

    fn code(&self) -> PartyCode {
        self.handle.code()
    }

    /// Does all that follows by now: stores what the rules decide by themselves, and makes rooms. The
    /// commands that wait come first, so that a hundred players who are ready are one write.
    async fn settle(&mut self) {
        self.handle.publish_empty_since(self.empty_since);
        self.hold_clocks().await;
        if !self.commands.is_empty() || self.retry_at.is_some() {
            self.presence_changed();
            return;
        }
        for _ in 0..STEPS {
            let decided = self.rules.tick(self.now(), (self.context.lot)());
            if decided.as_ref().is_empty() || !self.commit_or_retry(decided).await {
                break;
            }
        }
        self.open_tables().await;
        self.end_dismissed();
        self.presence_changed();
    }

    async fn command(&mut self, command: PartyCommand) {
        match command {
            PartyCommand::Join { client, role, id, reply } => {
                let admission = self.join(client, role, id).await;
                // If the connection has gone, the membership is dropped here: a departure like any
                // other.
                answer(reply, admission);
            }
            PartyCommand::Intent { sender, id, intent } => {
                match self.audience.player(sender.connection()) {
                    Some(player) => self.intent(player, &sender, id, intent).await,
                    None => {
                        PartyCommand::Intent { sender, id, intent }
                            .reject(self.code(), not_in_party);
                    }
                }
            }
            PartyCommand::Forget { player, asker, reply } => {
                answer(reply, self.forget(player, asker).await.is_ok());
            }
            PartyCommand::ByHost { act, reply } => {
                answer(reply, self.by_host(act).await);
            }
            PartyCommand::Look { reply } => {
                answer(reply, self.rules.snapshot(self.now()));
            }
            PartyCommand::GiveWay => {
                // Somebody may have come meanwhile.
                if self.empty_since.is_none() {
                    self.handle.stay();
                }
            }
        }
    }

    async fn intent(
        &mut self,
        player: PlayerId,
        sender: &Outbox,
        id: IntentId,
        intent: PartyIntent,
    ) {
        let decision = self.checked(intent).and_then(|intent| self.rules.decide(player, intent));
        let done = match decision {
            Ok(PartyDecision::Facts(decided)) => self.commit(decided).await,
            Ok(PartyDecision::Ready { entrant, pairing }) => {
                self.rules.set_ready(self.now(), entrant, pairing);
                Ok(())
            }
            Ok(decision @ (PartyDecision::ExtendCheck { .. } | PartyDecision::AddTime { .. })) => {
                self.add_time(id, decision).await
            }
            Ok(PartyDecision::PlacePass { entrant }) => {
                return self.issue_place_pass(sender, id, entrant);
            }
            Ok(PartyDecision::TakePlace { pass }) => {
                return self.take_place(player, sender, id, &pass).await;
            }
            Ok(PartyDecision::Snapshot) => {
                sender.ack_party(id, self.code());
                return self.send_snapshot(sender);
            }
            Ok(PartyDecision::Leave) => return self.leave(sender, id),
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(()) => sender.ack_party(id, self.code()),
            Err(why) => sender.reject(Some(id), why),
        }
    }

    /// The intent with settings that this server allows.
    fn checked(&self, intent: PartyIntent) -> Result<PartyIntent, Refusal> {
        let PartyIntent::Again { settings: Some(settings) } = intent else { return Ok(intent) };
        let settings = checked_settings(settings, self.context.lobby.features().chat)?;
        Ok(PartyIntent::Again { settings: Some(settings) })
    }

    /// Has the presence told, now or a little later, if it differs from what everybody was told.
    fn presence_changed(&mut self) {
        let presence = self.rules.presence(self.now());
        self.presence.update(&presence, Instant::now());
    }

    fn tell_presence(&mut self) {
        let party = self.code();
        let presence = self.rules.presence(self.now());
        self.presence.tell(&presence, Instant::now());
        let presence = ServerMessage::PartyPresence { party, presence };
        self.audience.broadcast(Delivery::BestEffort, &presence);
    }

    fn tell_boards(&mut self) {
        let boards = self.boards.take(Instant::now());
        let is_screen = |member: &Member<Follower>| member.role.role == PartyRole::Screen;
        for boards in tables::messages(self.code(), &boards) {
            self.audience.broadcast_to(is_screen, Delivery::BestEffort, &boards);
        }
    }

    /// The result that is kept of the party; `None` if nobody was paired.
    fn kept(&self) -> Option<PartySnapshot> {
        let state = self.rules.state();
        (state.round > 0).then(|| {
            let mut party = to_store(state);
            if party.state.phase != PartyPhase::Over {
                party.state.phase = PartyPhase::Over;
                party.state.places = pairing::places(state);
            }
            party
        })
    }

    /// Ends the party, and frees its code. Returns whether that is stored.
    async fn end(&mut self) -> bool {
        let state = self.rules.state();
        let mut changes = Vec::new();
        changes.extend(self.kept().map(|party| Change::KeptParty(Box::new(party))));
        changes.push(Change::Live { code: state.code.0, expected: Some(state.v), row: None });
        let saved = commit(self.context.lobby.store(), changes, ()).await;
        if self.fence.passed(saved).await.is_err() {
            // The next try is a while later.
            self.empty_since = Some(self.now());
            self.handle.stay();
            return false;
        }
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            command.reject(self.code(), no_such_party);
        }
        tracing::info!(party = %self.code(), v = self.rules.state().v, "party ended");
        true
    }
}
