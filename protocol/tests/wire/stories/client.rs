//! What a client knows, sends and shows, as plainly as it can be said: the reference for the stories. It
//! keeps the room by [`RoomState`] alone. Both clients must do the same.

use noughts_protocol::{
    ANSWER_MS, ByMark, ClientMessage, Event, IntentId, LobbyIntent, MAX_UNANSWERED, Mark, Move,
    OpeningChoice, OpeningPhase, PlayerId, Presence, REJOIN_MS, RefusalCode, Role, RoomCode,
    RoomIntent, RoomState, SeatPresence, ServerMessage, Snapshot,
};

/// What a client is told, what its player asks, and what its connection reports.
#[derive(Debug, Clone)]
pub(super) enum Input {
    Welcome(ServerMessage),
    Told(ServerMessage),
    /// The id of the message does not count.
    Asked(ClientMessage),
    Broke,
    Ended,
    Time,
}

/// What a client does.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) sent: Vec<ClientMessage>,
    pub(super) reconnects: bool,
    pub(super) happened: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Connecting,
    Open,
    Lost,
    Ended,
}

/// The number of a game and its ply.
type Position = (u32, u16);

#[derive(Debug)]
pub(super) struct View {
    pub(super) state: RoomState,
    pub(super) presence: Presence,
    presence_at: u64,
    move_ends: Option<u64>,
    hint: Option<Position>,
    evaluation: Option<Position>,
    review: Option<u32>,
}

#[derive(Debug)]
struct Entering {
    id: IntentId,
    room: Option<RoomCode>,
    role: Role,
}

/// A hint that was asked for a position, or a review.
#[derive(Debug)]
struct Analysis {
    asked: ClientMessage,
    hint_for: Option<Position>,
}

#[derive(Debug)]
pub(super) struct Client {
    next_id: IntentId,
    pub(super) phase: Phase,
    player: Option<PlayerId>,
    pub(super) room: Option<View>,
    entering: Option<Entering>,
    queue: Option<ClientMessage>,
    watches_lobby: bool,
    lobby: Option<usize>,
    pub(super) unanswered: Vec<ClientMessage>,
    analysis: Option<Analysis>,
    answer_due: Option<u64>,
    rejoin_at: Option<u64>,
    output: Output,
}

fn sync_of(message: &ClientMessage) -> Option<RoomCode> {
    match message {
        ClientMessage::Room { intent: RoomIntent::Sync, room, .. } => Some(*room),
        _ => None,
    }
}

fn leave_of(message: &ClientMessage) -> Option<RoomCode> {
    match message {
        ClientMessage::Room { intent: RoomIntent::Leave, room, .. } => Some(*room),
        _ => None,
    }
}

fn spectates(message: &ClientMessage) -> Option<RoomCode> {
    match message {
        ClientMessage::Lobby {
            intent: LobbyIntent::Join { room, role: Role::Spectator }, ..
        } => Some(*room),
        _ => None,
    }
}

fn lobby_intent(message: &ClientMessage) -> Option<&LobbyIntent> {
    match message {
        ClientMessage::Lobby { intent, .. } => Some(intent),
        _ => None,
    }
}

impl Client {
    pub(super) fn new(next_id: IntentId) -> Self {
        Self {
            next_id,
            phase: Phase::Connecting,
            player: None,
            room: None,
            entering: None,
            queue: None,
            watches_lobby: false,
            lobby: None,
            unanswered: Vec::new(),
            analysis: None,
            answer_due: None,
            rejoin_at: None,
            output: Output::default(),
        }
    }

    pub(super) fn update(&mut self, input: Input, now: u64) -> Output {
        match input {
            Input::Welcome(message) => self.welcome(&message, now),
            Input::Told(message) => self.told(message, now),
            Input::Asked(message) => self.asked(message, now),
            Input::Broke => self.broke(),
            Input::Ended => {
                (self.phase, self.rejoin_at) = (Phase::Ended, None);
                self.happens("ended");
            }
            Input::Time => self.time(now),
        }
        let position = self.position();
        self.analysis.take_if(|asked| asked.hint_for.is_some() && asked.hint_for != position);
        if self.unanswered.is_empty() || self.phase != Phase::Open {
            self.answer_due = None;
        }
        std::mem::take(&mut self.output)
    }

    fn happens(&mut self, what: &'static str) {
        self.output.happened.push(what);
    }

    fn code(&self) -> Option<RoomCode> {
        self.room.as_ref().map(|view| view.state.code)
    }

    /// The position of the running game.
    fn position(&self) -> Option<Position> {
        let running = self.room.as_ref()?.state.running()?;
        Some((running.number, running.game.ply()))
    }

    /// A join as spectator of our own room brings back to it, to the seat too.
    fn is_return(&self, message: &ClientMessage) -> bool {
        self.code().is_some() && spectates(message) == self.code()
    }

    /// Whether a snapshot of the room was asked for and has not been answered.
    fn resyncs(&self, room: RoomCode) -> bool {
        self.unanswered.iter().any(|m| sync_of(m) == Some(room) || self.is_return(m))
    }

    // Sending.

    fn fresh(&mut self) -> IntentId {
        let id = self.next_id;
        self.next_id = id.next();
        id
    }

    fn send(&mut self, message: ClientMessage) {
        self.output.sent.push(message);
    }

    /// Sends something whose answer matters.
    fn send_tracked(&mut self, message: ClientMessage, now: u64) {
        self.answer_due =
            self.answer_due.or((self.unanswered.is_empty()).then_some(now + ANSWER_MS));
        self.unanswered.push(message.clone());
        self.send(message);
    }

    fn spectate(&mut self, room: RoomCode) -> ClientMessage {
        let intent = LobbyIntent::Join { room, role: Role::Spectator };
        ClientMessage::Lobby { intent, id: self.fresh() }
    }

    fn sync(&mut self, room: RoomCode, now: u64) {
        if !self.resyncs(room) {
            let message = ClientMessage::Room { intent: RoomIntent::Sync, id: self.fresh(), room };
            self.send_tracked(message, now);
        }
    }

    fn go_back(&mut self, now: u64) {
        if let Some(room) = self.code().filter(|room| !self.resyncs(*room)) {
            let message = self.spectate(room);
            self.send_tracked(message, now);
        }
    }

    fn forget_room(&mut self) {
        let (room, unanswered) = (self.code(), std::mem::take(&mut self.unanswered));
        let repairs =
            |m: &ClientMessage| sync_of(m).is_some() || (room.is_some() && spectates(m) == room);
        self.unanswered = unanswered.into_iter().filter(|m| !repairs(m)).collect();
        (self.room, self.analysis, self.rejoin_at) = (None, None, None);
    }

    // What the player asks.

    fn asked(&mut self, asked: ClientMessage, now: u64) {
        let repairs = |m: &&ClientMessage| sync_of(m).is_some() || self.is_return(m);
        if self.unanswered.len() - self.unanswered.iter().filter(repairs).count() >= MAX_UNANSWERED
        {
            return self.happens("busy");
        }
        if !self.allows(&asked) {
            return self.happens("blocked");
        }
        let message = with_id(asked, self.fresh());
        match &message {
            ClientMessage::Room { intent, room, .. } => self.room_asked(*intent, *room, &message),
            ClientMessage::Lobby { intent, id } => self.lobby_asked(intent, *id, &message),
            ClientMessage::Hello(_) => unreachable!("the connection says hello"),
        }
        if self.phase == Phase::Open {
            self.send_tracked(message, now);
        } else {
            self.unanswered.push(message);
        }
    }

    fn room_asked(&mut self, intent: RoomIntent, room: RoomCode, message: &ClientMessage) {
        match intent {
            RoomIntent::Leave => {
                if self.code() == Some(room) {
                    self.forget_room();
                }
                self.entering.take_if(|entering| entering.room == Some(room));
            }
            RoomIntent::Hint { .. } => {
                let hint_for = self.position();
                self.analysis = Some(Analysis { asked: message.clone(), hint_for });
            }
            RoomIntent::Review { .. } => {
                self.analysis = Some(Analysis { asked: message.clone(), hint_for: None });
            }
            _ => {}
        }
    }

    fn lobby_asked(&mut self, intent: &LobbyIntent, id: IntentId, message: &ClientMessage) {
        match intent {
            LobbyIntent::Create { .. } => {
                self.entering = Some(Entering { id, room: None, role: Role::Player });
            }
            // A spectator of our room takes a seat, for example.
            LobbyIntent::Join { room, .. } if Some(*room) == self.code() => {}
            LobbyIntent::Join { room, role } => {
                self.entering = Some(Entering { id, room: Some(*room), role: *role });
            }
            LobbyIntent::QuickMatch { .. } => self.queue = Some(message.clone()),
            LobbyIntent::WatchLobby => self.watches_lobby = true,
            LobbyIntent::UnwatchLobby => (self.watches_lobby, self.lobby) = (false, None),
            _ => {}
        }
    }

    /// Whether the player may do this, as far as a client knows.
    fn allows(&self, asked: &ClientMessage) -> bool {
        let ClientMessage::Room { intent, room, .. } = asked else { return true };
        if *intent == RoomIntent::Leave {
            let entered = self.entering.as_ref().and_then(|entering| entering.room);
            return [self.code(), entered].contains(&Some(*room));
        }
        let Some(View { state, presence, .. }) = &self.room else { return false };
        let mine = self.mine();
        let has_turn = state.turn().is_some_and(|turn| mine.contains(&turn));
        let phase = state.running().and_then(|running| running.opening);
        match *intent {
            RoomIntent::Play { ply, cell, .. } => state.running().is_some_and(|running| {
                let made = Move { ply, mark: running.game.to_move(), cell };
                has_turn && running.decide(made).is_ok() && self.sent_move().is_none()
            }),
            RoomIntent::Choose { choice, .. } => {
                let add = choice == OpeningChoice::Add;
                let may_choose = match phase {
                    Some(OpeningPhase::Choosing { may_add, .. }) => may_add || !add,
                    _ => false,
                };
                has_turn && may_choose && self.sent_move().is_none()
            }
            RoomIntent::Resign { .. } => !mine.is_empty() && state.is_running(),
            RoomIntent::Rematch { .. } => {
                !mine.is_empty() && state.game.is_some() && !state.is_running()
            }
            RoomIntent::Hint { .. } => has_turn,
            RoomIntent::Review { .. } => {
                state.game.as_ref().is_some_and(|last| last.number > 1 || !state.is_running())
            }
            RoomIntent::Claim { .. } => {
                let is_away = |mark: Mark| {
                    let here = [None, Some(SeatPresence::Connected)];
                    !mine.contains(&mark) && !here.contains(&presence.seats[mark])
                };
                let away = Mark::BOTH.into_iter().any(is_away);
                !mine.is_empty() && state.is_running() && away
            }
            RoomIntent::Leave | RoomIntent::Sync => true,
        }
    }

    fn mine(&self) -> Vec<Mark> {
        match (&self.room, self.player) {
            (Some(view), Some(player)) => view.state.marks_of(player).collect(),
            _ => Vec::new(),
        }
    }

    /// The move or choice on its way, as it is shown.
    fn sent_move(&self) -> Option<String> {
        let state = &self.room.as_ref()?.state;
        let running = state.running()?;
        let chooses = matches!(running.opening, Some(OpeningPhase::Choosing { .. }));
        self.unanswered.iter().find_map(|message| match message {
            ClientMessage::Room { intent, room, .. } if *room == state.code => match intent {
                RoomIntent::Play { game, ply, cell } => {
                    let here = *game == running.number && *ply == running.game.ply();
                    (here && !chooses).then(|| json(cell))
                }
                RoomIntent::Choose { game, choice } => {
                    (*game == running.number && chooses).then(|| json(choice))
                }
                _ => None,
            },
            _ => None,
        })
    }

    // What the server tells.

    fn told(&mut self, message: ServerMessage, now: u64) {
        match message {
            ServerMessage::Ok { id, room } => self.applied(id, room, now),
            ServerMessage::Refused { id: None, code, .. } => {
                if code != RefusalCode::AlreadyGreeted {
                    self.happens("server_error");
                }
            }
            ServerMessage::Refused { id: Some(id), code, .. } => self.refused(id, code, now),
            ServerMessage::Snapshot(snapshot) => self.snapshot(&snapshot, now),
            ServerMessage::Event { room, v, event } => self.event(room, v, &event, now),
            ServerMessage::Presence { room, presence } if self.code() == Some(room) => {
                self.presence(presence, now);
            }
            ServerMessage::Pong { room, v, presence, .. } => self.pong(room, v, presence, now),
            ServerMessage::Hint(hint) => {
                let position = (hint.game, hint.ply);
                if self.code() == Some(hint.room) && self.position() == Some(position) {
                    self.view().hint = Some(position);
                    self.analysis.take_if(|asked| asked.hint_for.is_some());
                    self.happens("hint");
                }
            }
            ServerMessage::Evaluation(evaluation) => {
                let position = (evaluation.game, evaluation.ply);
                if self.code() == Some(evaluation.room) && self.position() == Some(position) {
                    self.view().evaluation = Some(position);
                    self.happens("evaluation");
                }
            }
            ServerMessage::Review(review) if self.code() == Some(review.room) => {
                self.view().review = Some(review.game);
                self.analysis.take_if(|asked| asked.hint_for.is_none());
                self.happens("review");
            }
            ServerMessage::Lobby { waiting, playing, .. } if self.watches_lobby => {
                self.lobby = Some(waiting.len() + playing.len());
                self.happens("lobby");
            }
            _ => {}
        }
    }

    fn view(&mut self) -> &mut View {
        self.room.as_mut().expect("a room")
    }

    /// Takes an answer into account; `None` if it answers nothing.
    fn answered(&mut self, id: IntentId, now: u64) -> Option<ClientMessage> {
        let place = self.unanswered.iter().position(|message| message.id() == Some(id))?;
        self.answer_due = Some(now + ANSWER_MS);
        Some(self.unanswered.remove(place))
    }

    fn applied(&mut self, id: IntentId, room: Option<RoomCode>, now: u64) {
        let Some(message) = self.answered(id, now) else { return };
        if let Some(entering) = self.entering.as_mut().filter(|entering| entering.id == id) {
            entering.room = room;
        }
        let intent = lobby_intent(&message);
        let queued = matches!(intent, Some(LobbyIntent::QuickMatch { .. }));
        let cancelled = matches!(intent, Some(LobbyIntent::CancelMatch));
        if cancelled || (queued && room.is_some()) {
            self.queue = None;
            if room.is_some() {
                self.entering = Some(Entering { id, room, role: Role::Player });
            }
        }
        self.happens("applied");
    }

    fn refused(&mut self, id: IntentId, code: RefusalCode, now: u64) {
        let message = self.answered(id, now);
        let queued = self.queue.take_if(|queue| queue.id() == Some(id)).is_some();
        let entered = self.entering.take_if(|entering| entering.id == id).is_some();
        self.analysis.take_if(|analysis| analysis.asked.id() == Some(id));
        let Some(message) = message else {
            return if queued {
                self.happens("refused")
            };
        };
        if !entered && self.is_return(&message) {
            if code == RefusalCode::NotStored {
                self.rejoin_at = Some(now + REJOIN_MS);
                self.happens("unreadable");
            } else {
                self.forget_room();
                self.happens("room_lost");
            }
        } else if let Some(room) = sync_of(&message) {
            let ours = Some(room) == self.code() && self.entering.is_none();
            if code == RefusalCode::NotInRoom && ours {
                self.go_back(now);
            }
        } else if leave_of(&message).is_none() {
            self.happens("refused");
        }
    }

    fn snapshot(&mut self, snapshot: &Snapshot, now: u64) {
        let room = snapshot.room;
        let ours = self.code() == Some(room);
        let entered = self.entering.as_ref().is_some_and(|entering| match entering.room {
            Some(code) => code == room,
            None => !ours,
        });
        let awaited = entered || (self.queue.is_some() && !ours);
        let left = self.unanswered.iter().any(|message| leave_of(message) == Some(room));
        if left || !(ours || awaited) {
            return;
        }
        let Ok(state) = RoomState::from_snapshot(snapshot) else {
            return self.happens("impossible");
        };
        if !ours {
            self.forget_room();
        }
        let kept = self.room.take();
        let kept = kept.map(|view| (view.hint, view.evaluation, view.review));
        let (hint, evaluation, review) = kept.unwrap_or_default();
        let move_ends = snapshot.move_ms_left.map(|left| now + u64::from(left));
        let (presence, presence_at) = (snapshot.presence, now);
        self.room =
            Some(View { state, presence, presence_at, move_ends, hint, evaluation, review });
        if awaited {
            (self.entering, self.queue) = (None, None);
        }
        self.happens(if awaited { "entered" } else { "refreshed" });
    }

    fn event(&mut self, room: RoomCode, v: u64, event: &Event, now: u64) {
        let Some(view) = self.room.as_mut().filter(|view| view.state.code == room) else { return };
        if v <= view.state.v {
            return;
        }
        let seats = view.state.seats.clone();
        if view.state.apply(v, event).is_err() {
            return self.sync(room, now);
        }
        view.presence = view.presence.after(event, &seats);
        if !matches!(event, Event::Seated { .. }) {
            let limit = view.state.settings.move_time_ms.filter(|_| view.state.is_running());
            view.move_ends = limit.map(|ms| now + u64::from(ms));
        }
        if view.state.closed {
            self.forget_room();
            return self.happens("closed");
        }
        self.happens("event");
    }

    fn presence(&mut self, presence: Presence, now: u64) {
        let view = self.view();
        let before = std::mem::replace(&mut view.presence, presence);
        view.presence_at = now;
        let kind = |seat: Option<SeatPresence>| match seat {
            None | Some(SeatPresence::Connected) => "here",
            Some(SeatPresence::Away { .. }) => "away",
            Some(SeatPresence::Gone) => "gone",
        };
        let changed = |mark: Mark| kind(before.seats[mark]) != kind(presence.seats[mark]);
        if Mark::BOTH.into_iter().any(changed) || before.rematch != presence.rematch {
            self.happens("presence");
        }
    }

    fn pong(
        &mut self,
        room: Option<RoomCode>,
        v: Option<u64>,
        presence: Option<Presence>,
        now: u64,
    ) {
        if let Some(Entering { id, room: awaited, .. }) = &self.entering {
            let answered = !self.unanswered.iter().any(|message| message.id() == Some(*id));
            if let (Some(room), true) = (room, answered && room == *awaited) {
                self.sync(room, now);
            }
            return;
        }
        let Some(View { state, .. }) = &self.room else { return };
        if room != Some(state.code) {
            self.go_back(now);
        } else if v != Some(state.v) {
            self.sync(state.code, now);
        } else if let Some(presence) = presence {
            self.presence(presence, now);
        }
    }

    // Time and the connection.

    fn time(&mut self, now: u64) {
        if self.answer_due.take_if(|due| *due <= now).is_some() {
            self.output.reconnects = true;
        }
        if self.rejoin_at.take_if(|at| *at <= now).is_some() && self.phase == Phase::Open {
            self.go_back(now);
        }
    }

    fn broke(&mut self) {
        (self.phase, self.rejoin_at) = (Phase::Lost, None);
        self.analysis.take_if(|asked| asked.hint_for.is_some());
        // A hint is for a moment; it is not asked for again.
        let is_hint = |message: &ClientMessage| {
            matches!(message, ClientMessage::Room { intent: RoomIntent::Hint { .. }, .. })
        };
        self.unanswered.retain(|message| !is_hint(message));
        self.happens("lost");
    }

    fn welcome(&mut self, message: &ServerMessage, now: u64) {
        let ServerMessage::Welcome { player, .. } = message else { panic!("{message:?}") };
        (self.phase, self.player) = (Phase::Open, Some(*player));
        self.happens("welcome");
        self.resume(now);
        self.answer_due = Some(now + ANSWER_MS);
    }

    /// Sends again what a break may have lost.
    fn resume(&mut self, now: u64) {
        let unanswered = std::mem::take(&mut self.unanswered);
        let unanswered =
            unanswered.into_iter().filter(|m| sync_of(m).is_none() && !self.is_return(m));
        let unanswered: Vec<ClientMessage> = unanswered.collect();
        let is_unanswered = |id| unanswered.iter().any(|message| message.id() == id);
        let queue = self.queue.clone().filter(|queue| !is_unanswered(queue.id()));
        let entering = self.entering.take_if(|entering| !is_unanswered(Some(entering.id)));
        let is_review = |asked: &Analysis| asked.hint_for.is_none();
        let review = self.analysis.take_if(|a| is_review(a) && !is_unanswered(a.asked.id()));
        let watch =
            |message: &ClientMessage| lobby_intent(message) == Some(&LobbyIntent::WatchLobby);
        let watches = self.watches_lobby && !unanswered.iter().any(watch);

        let rest = self.leave_again(&unanswered);
        self.unanswered = unanswered;
        self.go_back(now);
        if watches {
            let (intent, id) = (LobbyIntent::WatchLobby, self.fresh());
            self.send_tracked(ClientMessage::Lobby { intent, id }, now);
        }
        for message in queue.into_iter().chain(rest) {
            self.send(message);
        }
        if let Some(Entering { room: Some(room), role, .. }) = entering {
            let id = self.fresh();
            self.entering = Some(Entering { id, room: Some(room), role });
            let intent = LobbyIntent::Join { room, role };
            self.send_tracked(ClientMessage::Lobby { intent, id }, now);
        }
        if let Some(Analysis { asked, hint_for }) = review {
            let asked = with_id(asked, self.fresh());
            self.send_tracked(asked.clone(), now);
            self.analysis = Some(Analysis { asked, hint_for });
        }
    }

    /// A seat can only be given up in its room. Returns what was asked after the last `leave`.
    fn leave_again(&mut self, unanswered: &[ClientMessage]) -> Vec<ClientMessage> {
        let mut before = Vec::new();
        for message in unanswered {
            before.push(message.clone());
            if let Some(room) = leave_of(message) {
                let join = self.spectate(room);
                self.send(join);
                self.output.sent.append(&mut before);
            }
        }
        before
    }

    /// What is shown: the keys of a story's `shows` and their values as JSON.
    pub(super) fn shows(&self) -> Vec<(&'static str, String)> {
        let ids: Vec<_> = self.unanswered.iter().filter_map(ClientMessage::id).collect();
        let entering = self.entering.as_ref();
        let entering = entering.map(|entering| entering.room.map_or("true".into(), |r| json(&r)));
        let analysis = |asked: &Analysis| if asked.hint_for.is_some() { "hint" } else { "review" };
        let deadline = [self.answer_due, self.rejoin_at].into_iter().flatten().min();
        let position = |at: Option<Position>| {
            let at = at.filter(|at| self.position() == Some(*at));
            at.map_or("null".into(), |(game, ply)| format!(r#"{{"game":{game},"ply":{ply}}}"#))
        };
        let view = self.room.as_ref();
        vec![
            ("phase", json(&format!("{:?}", self.phase).to_lowercase())),
            ("entering", entering.unwrap_or("null".into())),
            ("queued", json(&self.queue.is_some())),
            ("unanswered", json(&ids)),
            ("lobby", json(&self.lobby)),
            ("analysis", json(&self.analysis.as_ref().map(analysis))),
            ("deadline", json(&deadline)),
            ("room", view.map_or("null".into(), |view| shown_room(&view.state))),
            ("mine", json(&self.mine())),
            ("presence", view.map_or("null".into(), |view| shown_presence(&view.presence))),
            ("claim_from", json(&view.map(View::claim_from))),
            ("move_ends", json(&view.and_then(|view| view.move_ends))),
            ("hint", position(view.and_then(|view| view.hint))),
            ("evaluation", position(view.and_then(|view| view.evaluation))),
            ("review", json(&view.and_then(|view| view.review))),
            ("sent_move", self.sent_move().unwrap_or("null".into())),
        ]
    }
}

impl View {
    /// When each player may be taken for gone.
    fn claim_from(&self) -> ByMark<Option<u64>> {
        let at = |mark: Mark| match self.presence.seats[mark]? {
            SeatPresence::Connected => None,
            SeatPresence::Away { claim_in_ms } => Some(self.presence_at + u64::from(claim_in_ms)),
            SeatPresence::Gone => Some(self.presence_at),
        };
        ByMark { x: at(Mark::X), o: at(Mark::O) }
    }
}

/// A room as in a snapshot, without what passes.
fn shown_room(state: &RoomState) -> String {
    let Snapshot { room, v, settings, seats, score, game, .. } =
        state.to_snapshot(Presence::default(), None);
    format!(
        r#"{{"room":{},"v":{v},"settings":{},"seats":{},"score":{},"game":{}}}"#,
        json(&room),
        json(&settings),
        json(&seats),
        json(&score),
        json(&game)
    )
}

fn shown_presence(presence: &Presence) -> String {
    let seat = |mark: Mark| {
        json(&presence.seats[mark].map(|seat| match seat {
            SeatPresence::Connected => "connected",
            SeatPresence::Away { .. } => "away",
            SeatPresence::Gone => "gone",
        }))
    };
    let (spectators, rematch) = (presence.spectators, json(&presence.rematch));
    let (x, o) = (seat(Mark::X), seat(Mark::O));
    format!(r#"{{"x":{x},"o":{o},"spectators":{spectators},"rematch":{rematch}}}"#)
}

pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("a value that is JSON")
}

pub(super) fn with_id(message: ClientMessage, id: IntentId) -> ClientMessage {
    match message {
        ClientMessage::Room { intent, room, .. } => ClientMessage::Room { intent, id, room },
        ClientMessage::Lobby { intent, .. } => ClientMessage::Lobby { intent, id },
        hello @ ClientMessage::Hello(_) => hello,
    }
}
