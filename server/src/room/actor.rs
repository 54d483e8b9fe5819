//! The task that owns one room. It waits in `next_input`, and for the journal in [`commit`] and
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
    CloseCode, IntentId, PlayerId, PlayerName, Presence, RoomIntent, RoomState, RoomSummary,
    ServerMessage,
};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::WaitForCancellationFuture;

use super::command::Command;
use super::handle::INBOX;
use super::presence::ToldPresence;
use super::table::TableReporter;
use super::told_chat::ToldChat;
use super::{Registration, RoomContext, RoomHandle, not_in_room};
use crate::actor::{Audience, Departures, MembershipId, first_due};
use crate::journal::RoomJournal;
use crate::journal::archive::ratings::standing::Standing;
use crate::journal::room_log::AnyRoomLog;
use crate::outbox::{Delivery, Outbox};
use crate::room::analysis::{Analyses, FinishedAnalysis};
use crate::room::computer_turn::{ComputerTurn, FinishedTurn};
use crate::room::rules::intent::Decision;
use crate::room::rules::{RoomRules, Timestamp};
use computer::finished;
use ratings::AskedRatings;
pub(crate) use start::run;

#[derive(Debug)]
struct Actor {
    rules: RoomRules,
    audience: Audience<()>,
    log: AnyRoomLog,
    /// Nobody has joined since the room was activated.
    unvisited: bool,
    /// When the room tries again what could not be stored.
    retry_at: Option<Instant>,
    handle: RoomHandle,
    commands: mpsc::Receiver<Command>,
    departures: Departures,
    computer_turn: Option<ComputerTurn>,
    /// The steps that are answered when the computer has moved.
    steps: Vec<(Outbox, IntentId)>,
    analyses: Analyses,
    /// The answer about the ratings that is awaited.
    asked_ratings: AskedRatings,
    told_presence: ToldPresence,
    told_chat: ToldChat,
    /// The party that the room belongs to, once it listens.
    table: Option<TableReporter>,
    context: Arc<RoomContext>,
}

/// What a room waits for.
enum RoomInput {
    Command(Command),
    Departed(Vec<MembershipId>),
    ComputerTurn(FinishedTurn),
    Analysis(Box<FinishedAnalysis>),
    Ratings(Option<Standing>),
    Due(Due),
    Stop,
}

/// What is due in a room.
#[derive(Clone, Copy)]
enum Due {
    Rules,
    Presence,
    Chat,
    Retry,
    Hibernate,
}

impl Actor {
    /// Runs the room until it ends or hibernates.
    async fn run<R: Registration>(mut self, mut registration: R) {
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
                RoomInput::Due(Due::Rules) => self.rules_due().await,
                RoomInput::Due(Due::Presence) => self.presence_due(),
                RoomInput::Due(Due::Chat) => self.tell_spectators(),
                RoomInput::Due(Due::Retry) => {
                    self.retry_at = None;
                    self.update_computer_turn();
                }
                RoomInput::Due(Due::Hibernate) => return self.hibernate(registration),
                RoomInput::Stop => return self.audience.close(CloseCode::Restart),
            }
            let until = self.rules.resume_point().map_or(0, |_| self.rules.end_due().as_millis());
            self.handle.set_unattended(until);
            if !self.rules.state().is_waiting() {
                registration.waits_no_longer();
            }
        }
        drop(registration);
        self.reject_pending();
        let RoomState { code, v, .. } = *self.rules.state();
        tracing::info!(%code, v, "room ended");
    }

    /// Commands come before departures and timers: a move in the inbox counts, also if its sender
    /// has gone since. Connections are rate-limited, so this leaves time for the rest.
    async fn next_input(&mut self, stopped: Pin<&mut WaitForCancellationFuture<'_>>) -> RoomInput {
        let due = self.next_due();
        tokio::select! {
            biased;
            // The actor holds a handle, so its inbox never closes.
            Some(command) = self.commands.recv() => RoomInput::Command(command),
            gone = self.departures.next() => RoomInput::Departed(gone),
            turn = finished(&mut self.computer_turn) => RoomInput::ComputerTurn(turn),
            analysis = self.analyses.next() => RoomInput::Analysis(Box::new(analysis)),
            standing = self.asked_ratings.answer() => RoomInput::Ratings(standing),
            due = first_due(due) => RoomInput::Due(due),
            () = stopped => RoomInput::Stop,
        }
    }

    /// What will be due, and when.
    fn next_due(&self) -> [(Option<Instant>, Due); 5] {
        let clock = &self.context.clock;
        let due = self.rules.due().map(|at| self.not_before_retry(clock.moment(at)));
        [
            (due, Due::Rules),
            (self.told_presence.due_at(), Due::Presence),
            (self.told_chat.due_at(), Due::Chat),
            (self.retry_at, Due::Retry),
            (self.hibernate_at(), Due::Hibernate),
        ]
    }

    fn now(&self) -> Duration {
        self.context.clock.now()
    }

    fn timestamp(&self) -> Timestamp {
        let unix_ms = self.log.kept().map_or(0, RoomJournal::now);
        Timestamp { age: self.now(), unix_ms }
    }

    async fn command(&mut self, command: Command, registration: &impl Registration) {
        match command {
            Command::Join { client, role, id, admitted } => {
                let admission = self.join(client, role, id).await;
                // If the connection has gone, the membership is dropped here: a departure like any
                // other.
                drop(admitted.send(admission));
            }
            Command::Intent { sender, id, intent, name, read_at } => {
                match self.audience.player(sender.connection()) {
                    Some(player) => self.intent(player, &sender, id, intent, name, read_at).await,
                    // The player has left, here or on another device.
                    None => self.reject(Command::Intent { sender, id, intent, name, read_at }),
                }
            }
            Command::Ping { sender, id, party_v } => {
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
                    None => self.reject(Command::Ping { sender, id, party_v }),
                }
            }
            Command::EndIfUnattended => match self.rules.end_unattended() {
                Some(decided) => self.commit_or_retry(decided).await,
                None => registration.stays(),
            },
            Command::HasSeat { player, answer } => {
                let has_seat = self.rules.state().marks_of(player).next().is_some();
                // The receiver may have gone.
                let _ = answer.send(has_seat);
            }
            Command::Dismiss(ruling) => {
                let decided = self.rules.end_dismissed(ruling);
                self.commit_or_retry(decided).await;
            }
            Command::Seat { began_with, player, name } => {
                self.hand_over(began_with, player, name).await;
            }
            Command::Attach { table, attached } => {
                self.table = Some(table);
                self.report_table();
                let _ = attached.send(self.log.kept().map(RoomJournal::id));
            }
            Command::Forget { player, asker, stored } => {
                let is_stored = self.forget(player, asker).await.is_ok();
                let _ = stored.send(is_stored);
            }
        }
    }

    fn reject(&self, command: Command) {
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
            Err(refusal) => return sender.refuse(Some(id), refusal),
        };
        match decision {
            Decision::Facts(decided) => match self.store(decided).await {
                Ok(committed) => {
                    // A client that has the `ok` of a move has the move: it shows one or the other.
                    let moves = self.apply(committed);
                    sender.grant(id, Some(room));
                    if moves > 0 {
                        self.context.metrics.move_time.observe(read_at.elapsed().as_secs_f64());
                    }
                }
                Err(why) => why.answer(sender, Some(id)),
            },
            Decision::Rematch(offer) => {
                self.rules.set_rematch(offer);
                self.presence_changed();
                sender.grant(id, Some(room));
            }
            Decision::Step { game, ply } => {
                self.rules.begin_step(game, ply);
                self.steps.push((sender.clone(), id));
                self.update_computer_turn();
            }
            Decision::Leave(decided) => self.leave(player, sender, id, decided).await,
            Decision::Snapshot => {
                sender.grant(id, Some(room));
                self.send_snapshot(sender);
                self.send_chat(player, sender);
            }
            Decision::Say(said) => self.say(player, name, sender, id, said),
            Decision::Mute { player: other, mute } => self.mute(player, sender, id, other, mute),
            Decision::Analysis(subject) => {
                sender.grant(id, Some(room));
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
        if self.told_presence.update(presence, Instant::now()) {
            self.send_presence(presence);
        }
    }

    fn presence_due(&mut self) {
        let presence = self.rules.presence(self.now());
        self.told_presence.tell(presence);
        self.send_presence(presence);
    }

    fn send_presence(&self, presence: Presence) {
        let room = self.rules.state().code;
        let presence = ServerMessage::Presence { room, presence };
        self.audience.broadcast(Delivery::Required, &presence);
        self.summary_changed();
    }

    fn summary_changed(&self) {
        let summary = summarise(&self.rules, self.told_presence.spectators());
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
