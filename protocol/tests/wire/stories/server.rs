//! The server of a story: one true room, in which facts are decided by the protocol's rules and applied
//! before they are told. What it decides on is enough for the stories; the server's own rules have
//! their own tests.

use noughts_protocol::{
    AfterMove, Cell, ClaimedResult, ClientMessage, CloseReason, Event, GameEnd, GameId, GameResult,
    Hint, HintReason, IntentId, LobbyIntent, Mark, Move, NumberedGame, Opening, OpeningChoice,
    OpeningPhase, Pace, PlayerId, Presence, Refusal, RefusalCode, Review, Role, RoomCode,
    RoomIntent, RoomSettings, RoomState, Score, Seat, SeatPresence, SeatRequest, Series,
    ServerMessage,
};

pub(super) mod party;
mod settled;
mod sights;
pub(super) mod talk;

pub(super) use sights::lobby;

pub(super) const ADA: PlayerId = PlayerId(0x8f14_e45f_ceea_167a);
pub(super) const BEN: PlayerId = PlayerId(0xc9f0_f895_fb98_ab91);
const HERE: SeatPresence = SeatPresence::Connected;

pub(super) fn human(player: PlayerId, name: &str) -> Seat {
    Seat::Human { player, name: name.parse().expect("a name that the test made up") }
}

fn seat_of(player: PlayerId) -> Seat {
    human(player, if player == ADA { "Ada" } else { "Ben Łoś" })
}

pub(super) fn refused(id: Option<IntentId>, code: RefusalCode) -> ServerMessage {
    let message = "a reason for people".into();
    ServerMessage::Refused { id, code, message }
}

#[derive(Debug)]
pub(super) struct Server {
    pub(super) room: RoomState,
    pub(super) presence: Presence,
    move_ends: Option<u64>,
    /// Whether the client's connection is in the room.
    pub(super) member: bool,
    /// What was told to the client and has not arrived.
    pub(super) told: Vec<ServerMessage>,
    talk: talk::Talk,
    /// The id that the next game gets that is kept.
    pub(super) next_game: Option<GameId>,
    pub(super) party: Option<party::Hosted>,
}

impl Server {
    pub(super) fn new(room: RoomCode, settings: RoomSettings) -> Self {
        let (presence, room) = (Presence::default(), RoomState::new(room, settings));
        let (told, talk) = (Vec::new(), talk::Talk::default());
        Self {
            room,
            presence,
            move_ends: None,
            member: false,
            told,
            talk,
            next_game: None,
            party: None,
        }
    }

    fn tell(&mut self, message: ServerMessage) {
        if self.member {
            self.told.push(message);
        }
    }

    // What happens in the room.

    /// A fact, with the presence as far as the fact tells it.
    pub(super) fn fact(&mut self, event: Event, now: u64) {
        let (room, v) = (self.room.code, self.room.v + 1);
        self.presence = self.presence.after(&event, &self.room.seats);
        self.room.apply(v, &event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
        if !matches!(event, Event::Seated { .. } | Event::Closed { .. }) {
            self.move_ends = self.room.move_limit().map(|ms| now + u64::from(ms));
        }
        self.tell(ServerMessage::Event { room, v, event });
        self.tell_new_lines();
    }

    /// What passes.
    pub(super) fn passes(&mut self, change: impl FnOnce(&mut Presence)) {
        let before = self.presence;
        change(&mut self.presence);
        let (room, presence) = (self.room.code, self.presence);
        if before != presence {
            self.tell(ServerMessage::Presence { room, presence });
        }
    }

    pub(super) fn snapshot(&self, now: u64) -> ServerMessage {
        let left = self.move_ends.filter(|_| self.room.move_limit().is_some());
        let left = left.map(|ends| u32::try_from(ends.saturating_sub(now)).expect("a short time"));
        ServerMessage::Snapshot(self.room.to_snapshot(self.presence, left))
    }

    /// The same, as a snapshot of another room.
    pub(super) fn snapshot_of(&self, room: &str, now: u64) -> ServerMessage {
        let ServerMessage::Snapshot(mut snapshot) = self.snapshot(now) else {
            unreachable!("a snapshot")
        };
        snapshot.room = room.parse().expect("a code");
        ServerMessage::Snapshot(snapshot)
    }

    /// A player takes a seat; with the second one the first game begins.
    pub(super) fn seat(&mut self, mark: Mark, seat: Seat, now: u64) {
        let connected = seat.player().map(|_| HERE);
        self.fact(Event::Seated { mark, seat }, now);
        if !self.room.is_waiting() {
            self.start(Mark::X, Some(Series::default()), now);
        }
        self.passes(|presence| presence.seats[mark] = connected);
    }

    /// The next game; a new series begins at zero, as it does after a decided one.
    pub(super) fn start(&mut self, first: Mark, series: Option<Series>, now: u64) {
        let game = self.room.game.as_ref().map_or(1, |last| last.number + 1);
        let swap2 = self.room.settings.opening == Opening::Swap2;
        let opening = swap2.then(|| OpeningPhase::first(first));
        let first = if swap2 { Mark::X } else { first };
        let decided = self.room.series.winner(self.room.score).is_some();
        let anew = series.is_some() || decided;
        let score = if anew { Score::default() } else { self.room.score };
        let series = series.unwrap_or(self.room.series);
        self.fact(Event::GameStarted { game, first, score, opening, series }, now);
    }

    pub(super) fn ends(&mut self, result: GameResult, now: u64) {
        let game = self.room.running().expect("a running game").number;
        let end = self.end(result);
        self.fact(Event::GameOver { game, end }, now);
    }

    fn end(&self, result: GameResult) -> GameEnd {
        GameEnd { score: self.room.score.with(&result), result, id: self.next_game }
    }

    /// Whatever mark is next is placed.
    pub(super) fn place(&mut self, cell: Cell, now: u64) -> Result<(), Refusal> {
        let running = self.room.running().ok_or_else(|| refusal(RefusalCode::GameOver))?;
        let NumberedGame { number: game, game: ref board, .. } = *running;
        let (ply, mark) = (board.ply(), board.to_move());
        let AfterMove { result, opening } = running.decide(Move { ply, mark, cell })?;
        let over = result.map(|result| self.end(result));
        self.fact(Event::Moved { game, ply, mark, cell, over, opening }, now);
        Ok(())
    }

    pub(super) fn choose(&mut self, choice: OpeningChoice, now: u64) -> Result<(), Refusal> {
        let running = self.room.running().ok_or_else(|| refusal(RefusalCode::GameOver))?;
        let after = running.opening.and_then(|phase| phase.after_choice(choice));
        let after = after.ok_or_else(|| refusal(RefusalCode::NotNow))?;
        let (seats, score) = self.room.exchanged_if(after.swaps);
        let (game, opening) = (running.number, after.opening);
        self.fact(Event::Chosen { game, choice, opening, seats, score }, now);
        Ok(())
    }

    /// An intent of a player in the room.
    pub(super) fn act(
        &mut self,
        player: PlayerId,
        intent: &RoomIntent,
        now: u64,
    ) -> Result<(), Refusal> {
        let marks: Vec<Mark> = self.room.marks_of(player).collect();
        let mine = marks.first().copied().ok_or_else(|| refusal(RefusalCode::NotSeated));
        let turn = self.room.turn().filter(|turn| marks.contains(turn));
        let your_turn = turn.ok_or_else(|| refusal(RefusalCode::NotYourTurn));
        let last = self.room.game.as_ref().map_or(0, |last| last.number);
        match *intent {
            RoomIntent::Play { game, ply, cell } => {
                let is_made = self.room.game.as_ref().is_some_and(|last| {
                    last.number == game && last.game.moves().get(usize::from(ply)) == Some(&cell)
                });
                let now_at = self.room.running().map(|now| (now.number, now.game.ply()));
                match () {
                    () if is_made => Ok(()),
                    () if now_at != Some((game, ply)) => Err(refusal(RefusalCode::Stale)),
                    () => your_turn.and_then(|_| self.place(cell, now)),
                }
            }
            RoomIntent::Choose { choice, .. } => your_turn.and_then(|_| self.choose(choice, now)),
            RoomIntent::Resign { game } if !self.is_running(game) => {
                Err(refusal(RefusalCode::GameOver))
            }
            RoomIntent::Resign { .. } => {
                self.ends(GameResult::Resignation { winner: mine?.other() }, now);
                Ok(())
            }
            RoomIntent::Claim { result, .. } => {
                let mark = mine?;
                if self.presence.seats[mark.other()] != Some(SeatPresence::Gone) {
                    return Err(refusal(RefusalCode::TooEarly));
                }
                let winner = (result == ClaimedResult::Win).then_some(mark);
                self.ends(GameResult::Absence { winner, party: None }, now);
                Ok(())
            }
            RoomIntent::Rematch { game, offer, series } => {
                let mark = mine?;
                if game >= last {
                    self.rematch(mark, offer, series, now);
                }
                Ok(())
            }
            RoomIntent::Pace { .. } | RoomIntent::Step { .. }
                if self.room.maker != Some(player) =>
            {
                Err(refusal(RefusalCode::NotSeated))
            }
            RoomIntent::Pace { pace } => {
                if pace != self.room.pace {
                    self.fact(Event::Paced { pace }, now);
                }
                Ok(())
            }
            RoomIntent::Step { game, ply } => self.step(game, ply, now),
            RoomIntent::Leave => {
                self.leave(player, &marks, now);
                Ok(())
            }
            RoomIntent::Hint { .. } => your_turn.map(|_| ()),
            RoomIntent::Review { .. }
            | RoomIntent::Sync
            | RoomIntent::Say { .. }
            | RoomIntent::Mute { .. } => Ok(()),
        }
    }

    fn is_running(&self, game: u32) -> bool {
        self.room.running().is_some_and(|running| running.number == game)
    }

    fn leave(&mut self, player: PlayerId, marks: &[Mark], now: u64) {
        self.member &= player != ADA;
        if let (Some(mark), true) = (marks.first(), self.room.is_running()) {
            self.ends(GameResult::Resignation { winner: mark.other() }, now);
        }
        for &mark in marks {
            self.fact(Event::Seated { mark, seat: Seat::Open }, now);
        }
        if !marks.is_empty() && self.room.seats.x == self.room.seats.o {
            self.fact(Event::Closed { reason: CloseReason::Left }, now);
        }
    }

    // What the client sends.

    /// Does what the client wants and answers. The facts come before the answer, and what the answer
    /// is followed by comes after it.
    pub(super) fn serve(&mut self, message: &ClientMessage, now: u64) {
        let id = message.id().expect("an intent");
        match message {
            ClientMessage::Room { intent, room, .. } => {
                let outside = *room != self.room.code || !self.member || self.room.closed;
                let decided = match intent {
                    // The seat has been given up before.
                    RoomIntent::Leave if self.room.marks_of(ADA).next().is_none() => {
                        self.member = false;
                        Ok(())
                    }
                    _ if outside => Err(refusal(RefusalCode::NotInRoom)),
                    _ => match self.serve_talk(id, intent) {
                        Some(decided) => decided,
                        None => self.act(ADA, intent, now),
                    },
                };
                let applied = decided.is_ok();
                self.told.push(match decided {
                    Ok(()) => ServerMessage::Ok { id, room: Some(*room), party: None },
                    Err(why) => refused(Some(id), why.code),
                });
                if applied {
                    self.follow(intent, now);
                }
            }
            ClientMessage::Party { intent, .. } => self.serve_party(id, intent, now),
            ClientMessage::Lobby { intent, .. } => self.serve_lobby(id, intent, now),
            ClientMessage::Hello(_) => unreachable!("the connection says hello"),
        }
    }

    /// What the answer is followed by.
    fn follow(&mut self, intent: &RoomIntent, now: u64) {
        match *intent {
            RoomIntent::Sync => {
                self.told.push(self.snapshot(now));
                self.tell_talk();
            }
            RoomIntent::Hint { .. } => self.told.push(self.hint()),
            RoomIntent::Review { game } => self.told.push(self.review(game)),
            _ => {}
        }
    }

    fn serve_lobby(&mut self, id: IntentId, intent: &LobbyIntent, now: u64) {
        match intent {
            LobbyIntent::Create { settings, seats, .. } => {
                // A repeat enters the same room.
                if self.room.v == 0 {
                    (self.room.settings, self.room.maker) = (*settings, Some(ADA));
                    for mark in Mark::BOTH {
                        match seats[mark] {
                            SeatRequest::You => self.seat(mark, seat_of(ADA), now),
                            SeatRequest::Computer(computer) => {
                                self.seat(mark, Seat::Computer(computer), now);
                            }
                            SeatRequest::Open => {}
                        }
                    }
                }
                self.enters(id, now);
            }
            LobbyIntent::Join { room, role } => self.join(id, *room, *role, now),
            LobbyIntent::CreateParty { .. } | LobbyIntent::JoinParty { .. } => {
                self.enter_party(id, intent, now);
            }
            LobbyIntent::WatchLobby => {
                self.told.push(ServerMessage::Ok { id, room: None, party: None });
                self.told.push(lobby());
            }
            LobbyIntent::Ping => self.pong(),
            LobbyIntent::Game { .. } | LobbyIntent::ReviewGame { .. } => {
                self.told.push(refused(Some(id), RefusalCode::NoSuchGame));
            }
            _ => self.told.push(match Self::found(intent) {
                Some(found) => ServerMessage::Found { id, found },
                None => ServerMessage::Ok { id, room: None, party: None },
            }),
        }
    }

    fn join(&mut self, id: IntentId, room: RoomCode, role: Role, now: u64) {
        if self.is_party(room) {
            return self.told.push(refused(Some(id), RefusalCode::PartyCode));
        }
        if room != self.room.code || self.room.closed {
            return self.told.push(refused(Some(id), RefusalCode::NoSuchRoom));
        }
        let marks: Vec<Mark> = self.room.marks_of(ADA).collect();
        let open = Mark::BOTH.into_iter().find(|mark| self.room.seats[*mark] == Seat::Open);
        match (role, open) {
            _ if !marks.is_empty() => self.passes(|presence| {
                marks.iter().for_each(|mark| presence.seats[*mark] = Some(HERE));
            }),
            (Role::Player, Some(mark)) => {
                // The snapshot tells who enters what has happened.
                let member = std::mem::take(&mut self.member);
                self.presence.spectators -= u32::from(member);
                self.seat(mark, seat_of(ADA), now);
            }
            (Role::Player, None) => {
                return self.told.push(refused(Some(id), RefusalCode::SeatsTaken));
            }
            (Role::Spectator, _) => self.presence.spectators += u32::from(!self.member),
        }
        self.enters(id, now);
    }

    /// The client enters the room, or the room matched it.
    pub(super) fn enters(&mut self, id: IntentId, now: u64) {
        self.told.push(ServerMessage::Ok { id, room: Some(self.room.code), party: None });
        self.member = true;
        self.told.push(self.snapshot(now));
        self.tell_talk();
    }

    /// The answer to a ping.
    pub(super) fn pong(&mut self) {
        let (id, inside) = (noughts_protocol::PING_ID, self.member && !self.room.closed);
        let inside = inside.then_some(&self.room);
        self.told.push(ServerMessage::Pong {
            id,
            room: inside.map(|room| room.code),
            party_v: self.party_v(),
            v: inside.map(|room| room.v),
            presence: inside.map(|_| self.presence),
        });
    }
}

fn refusal(code: RefusalCode) -> Refusal {
    Refusal::new(code, "a reason for people")
}
