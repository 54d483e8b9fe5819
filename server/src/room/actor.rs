//! The task that owns one room. It waits in `next_input`, and for the store in [`commit`] and
//! [`start`]. Everything else is synchronous: ask the [`RoomRules`] for events, store them, apply
//! them, send them to the [`Audience`].

mod admission;
mod analysis;
mod chat;
mod commit;
mod computer;
mod departure;
mod lifecycle;
mod ratings;
mod start;

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{
    CloseCode, IntentId, PlayerId, PlayerName, Presence, Refusal, RoomIntent, RoomState,
    RoomSummary, ServerMessage,
};
use noughts_store::{Origin, Standing};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::WaitForCancellationFuture;

use super::chat_broadcast::ChatBroadcast;
use super::command::RoomCommand;
use super::handle::INBOX;
use super::presence::PresenceBroadcast;
use super::table::TableReporter;
use super::{Registration, RoomContext, RoomHandle, not_in_room};
use crate::actor::{Audience, Departures, Fence, MembershipId, answer, first_due, or_pending};
use crate::limits::token_bucket::TokenBucket;
use crate::outbox::{Delivery, Outbox};
use crate::room::analysis::{Analyses, FinishedAnalysis};
use crate::room::computer_turn::{ComputerTurn, FinishedTurn};
use crate::room::rules::analysis::Subject;
use crate::room::rules::intent::RoomDecision;
use crate::room::rules::move_clock::ClockChange;
use crate::room::rules::{RoomRules, Timestamp};
use ratings::AskedRatings;
pub(crate) use start::run;

/// The task of one room, which alone has its state. Each kind of input has a file for what is done with it.
#[derive(Debug)]
struct RoomActor {
    rules: RoomRules,
    audience: Audience<()>,
    /// The results of games that may be lines of the log.
    logged_results: TokenBucket,
    /// The intents that made the room; without those of forgotten players.
    origins: Vec<Origin>,
    /// Nobody has joined since the room was activated.
    unvisited: bool,
    /// When the room tries again what could not be stored.
    retry_at: Option<Instant>,
    handle: RoomHandle,
    commands: mpsc::Receiver<RoomCommand>,
    departures: Departures,
    computer_turn: Option<ComputerTurn>,
    /// The steps that are answered when the computer has moved.
    steps: Vec<(Outbox, IntentId)>,
    analyses: Analyses,
    /// The answer about the ratings that is awaited.
    asked_ratings: AskedRatings,
    presence_broadcast: PresenceBroadcast,
    chat_broadcast: ChatBroadcast,
    /// The party that the room belongs to, once it listens.
    table: Option<TableReporter>,
    fence: Fence,
    context: Arc<RoomContext>,
}

enum RoomInput {
    Command(RoomCommand),
    Departed(Vec<MembershipId>),
    ComputerTurn(FinishedTurn),
    Analysis(Box<FinishedAnalysis>),
    Ratings(Option<Standing>),
    Due(RoomTimer),
    Stop,
}

#[derive(Clone, Copy)]
enum RoomTimer {
    Rules,
    Presence,
    Chat,
    Retry,
    Hibernate,
}

impl RoomActor {
    /// Runs the room until it ends or hibernates.
    async fn run<R: Registration>(&mut self, mut registration: R) {
        self.update_computer_turn();
        // The join that activated the room comes before what time has done to it.
        for _ in 0..INBOX {
            let Ok(command) = self.commands.try_recv() else { break };
            self.command(command, &registration).await;
        }
        let stop = self.context.stop.clone();
        let mut stopped = pin!(stop.cancelled());
        while !self.rules.state().closed {
            match self.next_input(stopped.as_mut()).await {
                RoomInput::Command(command) => self.command(command, &registration).await,
                RoomInput::Departed(gone) => self.departed(gone),
                RoomInput::ComputerTurn(turn) => self.finish_computer_turn(turn).await,
                RoomInput::Analysis(analysis) => self.deliver(*analysis),
                RoomInput::Ratings(standing) => {
                    self.rules.note_ratings(standing);
                    self.presence_changed();
                }
                RoomInput::Due(RoomTimer::Rules) => self.rules_due().await,
                RoomInput::Due(RoomTimer::Presence) => self.presence_due(),
                RoomInput::Due(RoomTimer::Chat) => self.tell_spectators(),
                RoomInput::Due(RoomTimer::Retry) => {
                    self.retry_at = None;
                    self.update_computer_turn();
                }
                RoomInput::Due(RoomTimer::Hibernate) => match self.hibernate(registration).await {
                    Ok(()) => return,
                    Err(kept) => registration = kept,
                },
                RoomInput::Stop => return self.audience.close(CloseCode::Restart),
            }
            let until = self.rules.empty_since().map_or(0, |_| self.rules.end_due().as_millis());
            self.handle.set_unattended(until);
            self.handle.set_changed(self.rules.last_change());
            if !self.rules.state().seats.has_open() {
                registration.set_waiting(false);
            }
        }
        drop(registration);
        self.reject_pending();
        let RoomState { code, v, .. } = *self.rules.state();
        tracing::info!(room = %code, v, "room ended");
    }

    /// Commands come before departures and timers: a move in the inbox counts, also if its sender
    /// has gone since. Connections are rate-limited, so this leaves time for the rest.
    async fn next_input(&mut self, stopped: Pin<&mut WaitForCancellationFuture<'_>>) -> RoomInput {
        let due = self.next_due();
        let turn = self.computer_turn.as_mut().map(ComputerTurn::finished);
        tokio::select! {
            biased;
            // The actor holds a handle, so its inbox never closes.
            Some(command) = self.commands.recv() => RoomInput::Command(command),
            gone = self.departures.next() => RoomInput::Departed(gone),
            turn = or_pending(turn) => RoomInput::ComputerTurn(turn),
            analysis = self.analyses.next() => RoomInput::Analysis(Box::new(analysis)),
            standing = self.asked_ratings.answer() => RoomInput::Ratings(standing),
            due = first_due(due) => RoomInput::Due(due),
            () = stopped => RoomInput::Stop,
        }
    }

    /// Each timer, and when it is due.
    fn next_due(&self) -> [(Option<Instant>, RoomTimer); 5] {
        let clock = &self.context.clock;
        let due = self.rules.due().map(|at| self.not_before_retry(clock.moment(at)));
        [
            (due, RoomTimer::Rules),
            (self.presence_broadcast.due_at(), RoomTimer::Presence),
            (self.chat_broadcast.due_at(), RoomTimer::Chat),
            (self.retry_at, RoomTimer::Retry),
            (self.hibernate_at(), RoomTimer::Hibernate),
        ]
    }

    fn now(&self) -> Duration {
        self.context.clock.now()
    }

    fn timestamp(&self) -> Timestamp {
        self.context.timestamp()
    }

    async fn command(&mut self, command: RoomCommand, registration: &impl Registration) {
        match command {
            RoomCommand::Join { client, role, id, reply } => {
                let admission = self.join(client, role, id).await;
                // If the connection has gone, the membership is dropped here: a departure like any
                // other.
                answer(reply, admission);
            }
            RoomCommand::Intent { sender, id, intent, name, read_at } => {
                match self.audience.player(sender.connection()) {
                    Some(player) => self.intent(player, &sender, id, intent, name, read_at).await,
                    // The player has left, here or on another device.
                    None => self.reject(RoomCommand::Intent { sender, id, intent, name, read_at }),
                }
            }
            RoomCommand::Ping { sender, id, party_v } => {
                match self.audience.player(sender.connection()) {
                    Some(_) => {
                        let RoomState { code, v, .. } = *self.rules.state();
                        let presence = Some(self.rules.presence(self.now()));
                        sender.send(&ServerMessage::Pong {
                            id,
                            room: Some(code),
                            v: Some(v),
                            party_v,
                            presence,
                        });
                    }
                    None => self.reject(RoomCommand::Ping { sender, id, party_v }),
                }
            }
            RoomCommand::EndIfUnattended => match self.rules.end_unattended() {
                Some(decided) => self.commit_or_retry(decided).await,
                None => registration.keep(),
            },
            RoomCommand::EndByHost { reply } => {
                let decided = Ok(RoomRules::end_by_host());
                answer(reply, self.commit(decided).await);
            }
            RoomCommand::Remove { player, reply } => {
                answer(reply, self.remove(player).await);
            }
            RoomCommand::Look { reply } => {
                let snapshot = self.rules.snapshot(self.now());
                let talk = self.rules.lines_for(PlayerId::NOBODY);
                answer(reply, (snapshot, talk));
            }
            RoomCommand::HasSeat { player, reply } => {
                let has_seat = self.rules.state().marks_of(player).next().is_some();
                answer(reply, has_seat);
            }
            RoomCommand::Dismiss(ruling) => {
                let decided = self.rules.end_dismissed(ruling);
                self.commit_or_retry(decided).await;
            }
            RoomCommand::Seat { began_with, player, name } => {
                self.hand_over(began_with, player, name).await;
            }
            RoomCommand::Unseat { player } => self.unseat(player).await,
            RoomCommand::Clock { change, reply } => {
                answer(reply, self.change_clock(change).await);
            }
            RoomCommand::Attach { table, reply } => {
                self.table = Some(table);
                self.report_table();
                answer(reply, self.rules.state().settings.party);
            }
            RoomCommand::Forget { player, asker, reply } => {
                answer(reply, self.forget(player, asker).await.is_ok());
            }
        }
    }

    /// Changes the clock of the move. Returns whether there is one.
    async fn change_clock(&mut self, change: ClockChange) -> Result<bool, Refusal> {
        let Some(decided) = self.rules.change_clock(self.now(), change) else { return Ok(false) };
        self.commit(Ok(decided)).await?;
        Ok(true)
    }

    fn reject(&self, command: RoomCommand) {
        command.reject(self.rules.state().code, not_in_room);
    }

    async fn intent(
        &mut self,
        player: PlayerId,
        sender: &Outbox,
        id: IntentId,
        intent: RoomIntent,
        name: Option<PlayerName>,
        read_at: Instant,
    ) {
        let room = self.rules.state().code;
        let decision = match self.rules.decide(self.now(), player, intent, rand::random()) {
            Ok(decision) => decision,
            Err(refusal) => return sender.reject(Some(id), refusal),
        };
        match decision {
            RoomDecision::Facts(decided) => match self.store(decided).await {
                Ok(committed) => {
                    // A client that has the `ok` of a move has the move: it shows one or the other.
                    let moves = self.apply(committed);
                    sender.ack(id, Some(room));
                    if moves > 0 {
                        self.context.metrics.move_time.observe(read_at.elapsed().as_secs_f64());
                    }
                }
                Err(why) => sender.reject(Some(id), why),
            },
            RoomDecision::Rematch(offer) => {
                self.rules.set_rematch(offer);
                self.presence_changed();
                sender.ack(id, Some(room));
            }
            RoomDecision::TakeBack(by) => {
                self.rules.set_take_back(by);
                self.presence_changed();
                sender.ack(id, Some(room));
            }
            RoomDecision::Step { game, ply } => {
                self.rules.begin_step(game, ply);
                self.steps.push((sender.clone(), id));
                self.update_computer_turn();
            }
            RoomDecision::Leave(decided) => self.leave(player, sender, id, decided).await,
            RoomDecision::Snapshot => {
                sender.ack(id, Some(room));
                self.send_snapshot(sender);
                self.send_chat(player, sender);
            }
            RoomDecision::Say(said) => self.say(player, name, sender, id, said),
            RoomDecision::Mute { player: other, mute } => {
                self.mute(player, sender, id, other, mute);
            }
            RoomDecision::Analysis(subject) => {
                if let Subject::Hint { ply, .. } = subject {
                    self.rules.note_hint(ply);
                    self.presence_changed();
                }
                sender.ack(id, Some(room));
                self.analyze(sender, subject);
            }
        }
    }

    /// Does the earliest thing that is due. If something else is due too, the timer fires again at
    /// once.
    async fn rules_due(&mut self) {
        let now = self.now();
        self.rules.announce_absences(now);
        self.presence_changed();
        let decided = self.rules.tick(now, rand::random());
        self.commit_or_retry(decided).await;
    }

    /// Tells the presence, now or a little later, if it differs from what everybody was told. Nothing comes
    /// after the end of the room.
    fn presence_changed(&mut self) {
        if self.rules.state().closed {
            return;
        }
        let presence = self.rules.presence(self.now());
        if self.presence_broadcast.update(presence, Instant::now()) {
            self.send_presence(presence);
        }
    }

    fn presence_due(&mut self) {
        let presence = self.rules.presence(self.now());
        self.presence_broadcast.tell(presence);
        self.send_presence(presence);
    }

    fn send_presence(&self, presence: Presence) {
        let room = self.rules.state().code;
        let presence = ServerMessage::Presence { room, presence };
        self.audience.broadcast(Delivery::Required, &presence);
        self.summary_changed();
    }

    fn summary_changed(&self) {
        let summary = summarise(&self.rules, self.presence_broadcast.spectators());
        let listed = summary.settings.listed;
        self.handle.set_summary(summary);
        if listed {
            self.context.lobby_changed.notify_one();
        }
    }
}

fn summarise(rules: &RoomRules, spectators: u32) -> RoomSummary {
    let state = rules.state();
    RoomSummary {
        room: state.code,
        settings: state.settings,
        seats: state.seats.clone(),
        score: state.score,
        game: state.running().map(|running| running.number),
        spectators,
    }
}
