//! The requests of a connection after `hello`, and where each goes: to the lobby, to the room that
//! the connection is in, or to the party that it follows. Frames, pings and close codes are
//! [`crate::connection`]'s.

mod codes;
mod friends;
mod identity;
mod notifications;
mod party;
pub(crate) mod questions;
mod remote;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use notifications::Notification;
use notifications::PendingMatch;
use noughts_protocol::{
    ByMark, ClientMessage, Computer, ComputerFallback, IntentId, LobbyIntent, PartyCode, PlayerId,
    PlayerName, Refusal, RefusalCode, Role, RoomCode, RoomIntent, RoomSettings, SeatRequest,
    ServerMessage,
};
use questions::{Questions, answer};
use remote::Located;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::actor::{Client, LOOKUPS, TaskEnded, not_stored};
use crate::lobby::matchmaker::{Match, MatchTicket, QuickSettings};
use crate::lobby::{QuickMatch, Requester, switched_off};
use crate::outbox::{Frame, Outbox};
use crate::party::PartyMembership;
use crate::pipe::{Door, text};
use crate::room::{Membership, no_such_room, not_in_room};
use crate::state::Shared;
use crate::state::visitors::{Visit, Whereabouts};

/// How many codes are drawn for a new room, if other nodes have rooms with the first ones.
const CODES: u32 = 3;

/// A connection whose player is known. Each kind of message has a file for what is done with it.
#[derive(Debug)]
pub(crate) struct Session {
    shared: Arc<Shared>,
    /// The client's address, as limits count it.
    address: IpAddr,
    player: PlayerId,
    name: PlayerName,
    outbox: Outbox,
    /// The connection as the host sees it.
    visit: Visit,
    /// The place in a room: a connection is in one room at most.
    membership: Option<Located<Membership>>,
    /// The place in a party: a connection follows one party at most.
    party: Option<Located<PartyMembership>>,
    /// The party that has ended and is looked at, and its version.
    kept: Option<(PartyCode, u64)>,
    /// The place in the quick-match queue.
    waiting: Option<PendingMatch>,
    /// The lobby's lists, if the client watches them.
    lobby: Option<watch::Receiver<Frame>>,
    /// The questions that wait for their answers; `None` if there are none.
    questions: Option<Questions>,
}

impl Session {
    /// A session of `client`, whose connection comes from `address`.
    pub(crate) fn new(shared: Arc<Shared>, address: IpAddr, client: Client) -> Self {
        let visit = shared.visitors.enter(address, &client);
        let Client { player, name, outbox } = client;
        Self {
            shared,
            visit,
            address,
            player,
            name,
            outbox,
            membership: None,
            party: None,
            kept: None,
            waiting: None,
            lobby: None,
            questions: None,
        }
    }

    /// Waits for something that concerns this connection. Cancel-safe.
    pub(crate) async fn next_notification(&mut self) -> Notification {
        let Self { waiting, lobby, questions, party, .. } = self;
        notifications::next(waiting, lobby, questions, party.as_mut()).await
    }

    /// Reacts to a notification.
    pub(crate) async fn handle_notification(&mut self, notification: Notification) {
        match notification {
            Notification::Matched(found) => {
                if let Some(waiting) = self.waiting.take() {
                    self.matched(found, waiting).await;
                }
            }
            Notification::WaitedInVain(computer) => {
                let Some(mut waiting) = self.waiting.take() else { return };
                match waiting.end() {
                    Some(found) => self.matched(Some(found), waiting).await,
                    None => self.against_computer(waiting.ticket, computer).await,
                }
            }
            Notification::Led(room) => self.led(room).await,
            Notification::Told(told) => self.told(told).await,
            Notification::Lobby(lists) => self.outbox.push(lists),
            Notification::Answered(answered) => {
                let (id, answer) = *answered;
                match answer {
                    Ok(found) => self.outbox.send(&ServerMessage::Found { id, found }),
                    Err(refusal) => self.outbox.reject(Some(id), refusal),
                }
                self.questions.take_if(|questions| questions.is_empty());
            }
        }
        self.note_place();
    }

    /// Does what a message asks for that was read at `read_at`. Every intent is answered exactly once,
    /// here or by the room, unless the server stops. A wait for a quick match that ends without a match is
    /// refused then, after its `ok`.
    pub(crate) async fn handle(&mut self, message: ClientMessage, read_at: Instant) {
        match message {
            ClientMessage::Room { intent, id, room } => {
                self.room_intent(id, room, intent, read_at).await;
            }
            ClientMessage::Lobby { intent, id } => self.lobby_intent(id, intent).await,
            ClientMessage::Party { intent, id, party } => {
                self.party_intent(id, party, intent).await;
            }
            ClientMessage::Hello(_) => {
                let refusal = Refusal::new(RefusalCode::AlreadyGreeted, "hello was said already");
                self.outbox.reject(None, refusal);
            }
        }
        self.note_place();
    }

    /// Notes for the host where the client is.
    fn note_place(&self) {
        let room = self.membership.as_ref().and_then(Located::code);
        let party = self.party.as_ref().and_then(Located::code).map(PartyCode);
        self.visit.set_place(Whereabouts { room, party });
    }

    /// Whether a party that has ended is looked at.
    pub(crate) const fn shows_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether the player is forgotten by now.
    pub(crate) fn is_forgotten(&self) -> bool {
        self.shared.is_forgotten(self.player)
    }

    /// The refusal of the player, if the host keeps them out by now.
    pub(crate) fn ban(&self) -> Option<Refusal> {
        self.shared.ban_of(self.player, self.address)
    }

    /// Passes an intent on to the room, which decides and answers.
    async fn room_intent(
        &mut self,
        id: IntentId,
        room: RoomCode,
        intent: RoomIntent,
        read_at: Instant,
    ) {
        let talks = matches!(intent, RoomIntent::Say { .. } | RoomIntent::Mute { .. });
        let leaves = intent == RoomIntent::Leave;
        let place = self.membership.as_ref().filter(|membership| membership.is(room));
        let sent = match place {
            // The room may have been made before the host switched talk off.
            Some(Located::Here(..)) if talks && !self.shared.lobby.features().chat => {
                let refusal = switched_off("can talk", "the host does not want it");
                return self.outbox.reject(Some(id), refusal);
            }
            Some(Located::Here(_, membership)) => {
                membership.send(id, intent, &self.name, read_at).await
            }
            Some(Located::There(place)) => {
                return place.send(&ClientMessage::Room { intent, id, room });
            }
            None => return self.outside(id, room, leaves).await,
        };
        if let Err(refusal) = sent {
            self.not_sent(id, room, leaves, refusal).await;
        }
    }

    /// Answers an intent for a room that the connection is not in; `leaves`: the intent to leave it.
    async fn outside(&mut self, id: IntentId, room: RoomCode, leaves: bool) {
        match self.check_code(room).await {
            // Nobody here knows whether the player has a seat there.
            Ok(Some(_)) => self.reject(Some(id), not_in_room(room)),
            Ok(None) => self.not_sent(id, room, leaves, not_in_room(room)).await,
            Err(refusal) => self.not_sent(id, room, leaves, refusal).await,
        }
    }

    /// Answers an intent for a room that the connection is not in, or that has ended. A player
    /// without a seat there has left it already.
    async fn not_sent(&mut self, id: IntentId, room: RoomCode, leaves: bool, why: Refusal) {
        // The client comes back and asks again.
        if self.outbox.is_closed() {
            return;
        }
        self.membership.take_if(|membership| membership.is(room));
        if leaves && !self.has_seat(room).await {
            self.outbox.ack(id, Some(room));
        } else {
            self.reject(Some(id), why);
        }
    }

    async fn lobby_intent(&mut self, id: IntentId, intent: LobbyIntent) {
        if let Err(refusal) = self.follow(id, intent).await {
            self.reject(Some(id), refusal);
        }
    }

    async fn follow(&mut self, id: IntentId, intent: LobbyIntent) -> Result<(), Refusal> {
        match intent {
            LobbyIntent::Create { settings, seats, shuffle } => {
                self.create(id, settings, seats, shuffle).await?;
            }
            LobbyIntent::Challenge { player, settings } => {
                self.challenge(id, player, settings).await?;
            }
            LobbyIntent::Decline { player } => self.decline(id, player).await,
            LobbyIntent::QuickMatch { board, variant, move_time_ms, computer } => {
                let wanted = QuickSettings { board, variant, move_time_ms };
                self.quick_match(id, wanted, computer).await?;
            }
            LobbyIntent::CancelMatch => self.cancel_match(id).await,
            LobbyIntent::Join { room, role } => self.join(id, room, role).await?,
            LobbyIntent::CreateParty { name, settings, plays } => {
                self.create_party(id, name, settings, plays).await?;
            }
            LobbyIntent::JoinParty { party, role } => self.join_party(id, party, role).await?,
            LobbyIntent::WatchLobby => self.watch_lobby(id)?,
            LobbyIntent::UnwatchLobby => {
                self.lobby = None;
                self.outbox.ack(id, None);
            }
            LobbyIntent::Pass => self.pass(id)?,
            question @ (LobbyIntent::History { .. }
            | LobbyIntent::Game { .. }
            | LobbyIntent::ReviewGame { .. }
            | LobbyIntent::Profile { .. }
            | LobbyIntent::Leaderboard { .. }
            | LobbyIntent::Puzzle { .. }
            | LobbyIntent::Export { .. }) => {
                let shared = Arc::clone(&self.shared);
                let name = self.name.clone();
                let found = answer(shared, self.player, name, question);
                self.questions.get_or_insert_default().add(id, found)?;
            }
            LobbyIntent::Here { hide } => {
                let shared = Arc::clone(&self.shared);
                let found = friends::here(shared, self.client(), self.address, hide);
                self.questions.get_or_insert_default().add(id, found)?;
            }
            LobbyIntent::Forget => self.forget(id).await?,
            LobbyIntent::Ping => self.ping(id).await,
        }
        Ok(())
    }

    /// Makes a room and enters it.
    async fn create(
        &mut self,
        id: IntentId,
        settings: RoomSettings,
        seats: ByMark<SeatRequest>,
        shuffle: bool,
    ) -> Result<(), Refusal> {
        let requester = self.requester(id);
        for _ in 0..CODES {
            let room = self.shared.lobby.create(&requester, settings, seats, shuffle)?;
            if self.enter_new(room, Some(id)).await {
                return Ok(());
            }
        }
        Err(not_stored())
    }

    async fn join(&mut self, id: IntentId, room: RoomCode, role: Role) -> Result<(), Refusal> {
        let message = ClientMessage::Lobby { intent: LobbyIntent::Join { room, role }, id };
        if let Some(Located::There(place)) = &self.membership
            && place.code() == Some(room)
        {
            place.send(&message);
            return Ok(());
        }
        for _ in 0..LOOKUPS {
            let checked = match self.check_code(room).await {
                Ok(Some(peer)) => {
                    if self.go(&peer, Door::Message(text(&message))).await {
                        return Ok(());
                    }
                    continue;
                }
                checked => checked.map(drop),
            };
            return self.join_here(id, room, role, checked).await;
        }
        Err(self.nowhere_to_go())
    }

    async fn join_here(
        &mut self,
        id: IntentId,
        room: RoomCode,
        role: Role,
        checked: Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        // A player with a seat may return, even if the address has tried too many codes.
        if let Err(refusal) = checked
            && !self.has_seat(room).await
        {
            return Err(refusal);
        }
        // The room may have been made before the host switched spectators off.
        let watches = role == Role::Spectator && !self.shared.lobby.features().spectators;
        if watches && !self.has_seat(room).await {
            return Err(switched_off("can watch", "join as a player if a seat is open"));
        }
        self.enter_as(room, role, Some(id)).await
    }

    fn watch_lobby(&mut self, id: IntentId) -> Result<(), Refusal> {
        if !self.shared.lobby.features().listing {
            return Err(switched_off("can list rooms", "join one by its code"));
        }
        let mut lists = self.shared.lobby.listing.watch();
        self.outbox.ack(id, None);
        self.outbox.push(lists.borrow_and_update().clone());
        self.lobby = Some(lists);
        Ok(())
    }

    /// Pairs the player, or has them wait. An earlier wait of theirs ends, at other nodes too.
    async fn quick_match(
        &mut self,
        id: IntentId,
        wanted: QuickSettings,
        computer: Option<ComputerFallback>,
    ) -> Result<(), Refusal> {
        let quick = match self.shared.lobby.quick_match(&self.requester(id), wanted)? {
            QuickMatch::Wait(ticket) => self.match_elsewhere(ticket).await?,
            room @ QuickMatch::Room(_) => Some(room),
        };
        if let Some(quick) = quick {
            self.wait_or_enter(id, quick, computer).await;
        }
        self.ask_peers(Door::EndWait).await;
        Ok(())
    }

    async fn wait_or_enter(
        &mut self,
        id: IntentId,
        quick: QuickMatch,
        computer: Option<ComputerFallback>,
    ) {
        match quick {
            QuickMatch::Room(room) => self.enter(room, Some(id)).await,
            QuickMatch::Wait(ticket) => {
                let fallback = computer.map(|ComputerFallback { after_ms, computer }| {
                    (Instant::now() + Duration::from_millis(u64::from(after_ms)), computer)
                });
                self.waiting = Some(PendingMatch { ticket, fallback });
                self.outbox.ack(id, None);
            }
        }
    }

    /// Stops waiting. If a match was found meanwhile, the player enters the room all the same.
    async fn cancel_match(&mut self, id: IntentId) {
        match self.waiting.take().and_then(|mut waiting| waiting.end()) {
            Some(Match::Room(room)) => self.enter(room, Some(id)).await,
            Some(Match::At(_)) | None => self.outbox.ack(id, None),
        }
    }

    /// Ends the wait, because the player is elsewhere now. Somebody who was paired with them meanwhile need not wait
    /// for them.
    fn end_wait(&mut self) {
        let found = self.waiting.take().and_then(|mut waiting| waiting.end());
        if let Some(Match::Room(room)) = found
            && let Ok(room) = self.shared.lobby.find(room)
        {
            room.unseat(self.player);
        }
    }

    async fn against_computer(&mut self, ticket: MatchTicket, computer: Computer) {
        let wanted = ticket.wanted;
        let requester = ticket.requester.clone();
        // Nobody is paired with the player any more.
        drop(ticket);
        match self.shared.lobby.against_computer(&requester, wanted, computer) {
            Ok(room) => self.enter(room, None).await,
            Err(refusal) => self.outbox.reject(Some(requester.id), refusal),
        }
    }

    /// Enters the room of a quick match, goes to the node where somebody waits for it, or says why the wait has ended.
    async fn matched(&mut self, found: Option<Match>, waiting: PendingMatch) {
        let PendingMatch { ticket, fallback } = waiting;
        let requester = &ticket.requester;
        let is_done = match found {
            Some(Match::Room(room)) => self.enter_new(room, None).await,
            Some(Match::At(peer)) => self.match_at(&peer, requester, ticket.wanted, true).await,
            None => {
                self.outbox.reject(Some(requester.id), self.shared.lobby.wait_ended());
                true
            }
        };
        if is_done {
            return;
        }
        match self.shared.lobby.quick_match(requester, ticket.wanted) {
            Ok(QuickMatch::Room(room)) => self.enter(room, None).await,
            Ok(QuickMatch::Wait(ticket)) => self.waiting = Some(PendingMatch { ticket, fallback }),
            Err(refusal) => self.outbox.reject(Some(requester.id), refusal),
        }
    }

    /// Enters a room that the player made, or in which they have a seat.
    async fn enter(&mut self, room: RoomCode, id: Option<IntentId>) {
        if !self.enter_new(room, id).await {
            self.outbox.reject(id, not_stored());
        }
    }

    /// The same. Returns false, and answers nothing, if the room was just made and there is none: another node
    /// has a room with its code.
    async fn enter_new(&mut self, room: RoomCode, id: Option<IntentId>) -> bool {
        match self.enter_as(room, Role::Spectator, id).await {
            Ok(()) => true,
            Err(Refusal { code: RefusalCode::NoSuchRoom, .. })
                if !self.shared.lobby.is_stopping() =>
            {
                false
            }
            Err(refusal) => {
                self.reject(id, refusal);
                true
            }
        }
    }

    /// Refuses an intent. While the server stops, its rooms and parties are gone, and "no such room" would be
    /// wrong: the connection is about to close, and its client will come back and ask again. So it does where
    /// nobody can say what has become of a room.
    fn reject(&self, id: Option<IntentId>, refusal: Refusal) {
        let is_gone = matches!(refusal.code, RefusalCode::NoSuchRoom | RefusalCode::NoSuchParty);
        let comes_back = self.outbox.is_closed() || (is_gone && self.shared.lobby.is_stopping());
        if !comes_back {
            self.outbox.reject(id, refusal);
        }
    }

    async fn enter_as(
        &mut self,
        room: RoomCode,
        role: Role,
        id: Option<IntentId>,
    ) -> Result<(), Refusal> {
        for _ in 0..LOOKUPS {
            let handle = self.shared.lobby.find(room)?;
            match handle.join(self.client(), role, id).await {
                Ok(Some(membership)) => {
                    self.membership = Some(Located::Here(room, membership));
                    self.end_wait();
                    return Ok(());
                }
                Ok(None) => return Ok(()),
                Err(TaskEnded) => {}
            }
        }
        Err(no_such_room(room))
    }

    async fn has_seat(&self, room: RoomCode) -> bool {
        for _ in 0..LOOKUPS {
            let Ok(handle) = self.shared.lobby.find(room) else { return false };
            if let Ok(has_seat) = handle.has_seat(self.player).await {
                return has_seat;
            }
        }
        false
    }

    fn client(&self) -> Client {
        Client { player: self.player, name: self.name.clone(), outbox: self.outbox.clone() }
    }

    fn requester(&self, id: IntentId) -> Requester {
        Requester { player: self.player, name: self.name.clone(), address: self.address, id }
    }
}

#[cfg(test)]
mod tests;
