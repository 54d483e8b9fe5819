//! A bot that plays and reconnects until it is dropped: the terminal client's own connection and
//! session, driven by a program. It makes random moves, offers rematches, and records its history.

use std::sync::Arc;
use std::time::Duration;

use noughts_cli::action::Action;
use noughts_client::connection::network::Network;
use noughts_client::connection::{Connection, Destination};
use noughts_client::runner::Runner;
use noughts_client::session::{Happening, Input, Intent, Session};
use noughts_protocol::{
    ClientMessage, LobbyIntent, PlayerToken, Refusal, RefusalCode, Role, RoomCode, RoomIntent,
    RoomState, Said, Seat,
};
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use crate::fault_injector::FaultInjector;
use crate::history::{ClientHistory, TALK};
use crate::ordered_watch::OrderedWatch;

/// The order that all bots follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BotCommand {
    /// One game after the other.
    Play,
    /// Finish the running game and start no other.
    Finish,
}

/// How a bot behaves.
#[derive(Debug, Clone)]
pub struct BotConfig {
    /// Decides all its random choices.
    pub seed: u64,
    /// The longest time before a move.
    pub max_think_time: Duration,
    /// The probability, after each move, that its program crashes and restarts.
    pub crash_probability: f64,
    /// Its network, whose connections a crash cuts.
    pub faults: Option<FaultInjector>,
    /// Counts the moves that the server acknowledged to it and to other bots.
    pub acknowledged: Option<watch::Sender<u64>>,
}

/// The state of a bot that tests may read.
#[derive(Debug, Default)]
pub struct BotState {
    /// Everything that it did and saw.
    pub history: ClientHistory,
    /// The room as it shows it; `None` while it is in none.
    pub room_state: Option<RoomState>,
    /// The room that it made or joined.
    pub room: Option<RoomCode>,
    token: Option<PlayerToken>,
    /// When its connection broke; `None` while it sees its room.
    lost_at: Option<Instant>,
}

/// A running bot. Dropping it ends it.
#[derive(Debug)]
pub struct Bot {
    /// Its state, which it updates.
    pub state: Arc<Mutex<BotState>>,
    _running: AbortOnDropHandle<()>,
}

impl Bot {
    /// Starts one.
    pub fn start<N: Network + Clone>(
        network: N,
        destination: Destination,
        goal: Action,
        config: BotConfig,
        command: OrderedWatch<BotCommand>,
    ) -> Self {
        let state = Arc::<Mutex<BotState>>::default();
        let rng = StdRng::seed_from_u64(config.seed);
        let mut runner = BotRunner {
            network,
            destination,
            goal,
            config,
            current: BotCommand::Play,
            command,
            rng,
            state: Arc::clone(&state),
            must_reenter: false,
        };
        let running = tokio::spawn(async move {
            loop {
                runner.run().await;
            }
        });
        Self { state, _running: AbortOnDropHandle::new(running) }
    }

    /// Everything that it did and saw.
    #[must_use]
    pub fn history(&self) -> ClientHistory {
        self.state.lock().history.clone()
    }

    /// The room as it shows it.
    #[must_use]
    pub fn room_state(&self) -> Option<RoomState> {
        self.state.lock().room_state.clone()
    }

    /// Waits for the room that it makes.
    ///
    /// # Panics
    /// If the bot enters no room within ten minutes.
    pub async fn room(&self) -> RoomCode {
        for _ in 0..30_000 {
            if let Some(code) = self.state.lock().room {
                return code;
            }
            crate::delay(Duration::from_millis(20)).await;
        }
        panic!("the bot enters no room");
    }
}

/// Waits between two polls of the bots and of the server, which allows ten messages a second.
pub async fn poll_delay() {
    crate::delay(Duration::from_millis(200)).await;
}

/// A bot's program, over all its restarts.
struct BotRunner<N> {
    network: N,
    destination: Destination,
    goal: Action,
    config: BotConfig,
    command: OrderedWatch<BotCommand>,
    /// The last command it has seen.
    current: BotCommand,
    rng: StdRng,
    state: Arc<Mutex<BotState>>,
    /// Whether its room was refused or lost, so that it must ask for the room again.
    must_reenter: bool,
}

/// The probability that it says something when something happens.
const TALK_PROBABILITY: f64 = 0.03;

/// How long it waits before it repeats a refused request or restarts.
const RETRY_DELAY: Duration = Duration::from_millis(500);

impl<N: Network + Clone> BotRunner<N> {
    /// Runs the program from a start to its end or crash.
    async fn run(&mut self) {
        let mut session = Session::new(self.rng.random());
        let mut destination = self.destination.clone();
        destination.token = self.state.lock().token.clone().or(destination.token);
        let mut runner = Runner::over(Connection::open_over(self.network.clone(), destination));
        self.must_reenter = false;
        if let Some(first) = self.way_in().intent() {
            ask(&runner, &mut session, first);
        }
        let mut act_at = None;
        let mut crash_at = None;
        loop {
            let happenings = tokio::select! {
                biased;
                happenings = runner.next(&mut session) => Some(happenings),
                () = at(act_at) => None,
                () = at(crash_at) => return self.crash(runner).await,
                () = self.command.wait_for(|command| command != self.current) => {
                    self.current = self.command.get();
                    None
                }
            };
            if happenings.is_none() {
                self.act(&runner, &mut session);
                if self.rng.random_bool(self.config.crash_probability) {
                    crash_at = Some(self.soon());
                }
            }
            // Not to answer talk with talk.
            let happened = happenings.iter().flatten();
            if happened.clone().any(|happening| !matches!(happening, Happening::Chat(_)))
                && self.rng.random_bool(TALK_PROBABILITY)
            {
                self.talk(&runner, &mut session);
            }
            for happening in happenings.into_iter().flatten() {
                if matches!(happening, Happening::Ended(_)) {
                    // The server was away at the first attempt, or for too long.
                    crate::delay(RETRY_DELAY).await;
                    return;
                }
                self.take(happening, &session);
            }
            act_at = self.has_to_act(&session).then(|| self.soon());
        }
    }

    /// After a restart, the room that it made before is joined by its code.
    fn way_in(&self) -> Action {
        let room = self.state.lock().room;
        match (&self.goal, room) {
            (Action::Enter(LobbyIntent::Create { .. }), Some(room)) => {
                Action::join(room, Role::Player)
            }
            (goal, _) => goal.clone(),
        }
    }

    fn soon(&mut self) -> Instant {
        Instant::now() + self.config.max_think_time.mul_f64(self.rng.random())
    }

    async fn crash(&mut self, runner: Runner) {
        if let Some(faults) = &self.config.faults {
            faults.cut();
        }
        drop(runner);
        crate::delay(RETRY_DELAY.mul_f64(self.rng.random())).await;
    }

    fn take(&mut self, happening: Happening, session: &Session) {
        let mut state = self.state.lock();
        match happening {
            Happening::Welcome { welcome, .. } => {
                let before = state.history.player.replace(welcome.player);
                if before.is_some_and(|before| before != welcome.player) {
                    state.history.violation(format!("{before:?} became {:?}", welcome.player));
                }
                state.token = Some(welcome.token);
            }
            Happening::Applied(ClientMessage::Room {
                intent: RoomIntent::Play { game, ply, cell, .. },
                ..
            }) => {
                state.history.acknowledged.push((game, ply, cell));
                if let Some(acknowledged) = &self.config.acknowledged {
                    acknowledged.send_modify(|moves| *moves += 1);
                }
            }
            Happening::Refused(intent, refusal) => {
                self.must_reenter |= enters(&intent);
                state.refused(&intent, &refusal);
            }
            Happening::Lost(why) => {
                *state.history.breaks.entry(why.to_string()).or_default() += 1;
                state.lost_at.get_or_insert_with(Instant::now);
            }
            Happening::Entered | Happening::Refreshed => {
                if let Some(lost_at) = state.lost_at.take() {
                    let outage = lost_at.elapsed();
                    state.history.longest_outage = state.history.longest_outage.max(outage);
                }
            }
            Happening::RoomLost(_, refusal)
            | Happening::Unreadable(refusal)
            | Happening::ServerError(refusal) => {
                self.must_reenter = true;
                state.history.violation(refusal.to_string());
            }
            Happening::Chat(lines) => {
                let texts = lines.into_iter().filter_map(|line| match line.said {
                    Said::Text(text) => Some((text.to_string(), line.player)),
                    Said::Emote(_) => None,
                });
                state.history.heard.extend(texts);
            }
            Happening::Impossible => state.history.violation("an impossible room".to_owned()),
            Happening::Closed(_, reason) => {
                self.must_reenter = true;
                state.history.violation(format!("the room was closed: {reason:?}"));
            }
            _ => {}
        }
        if let Some(view) = session.room() {
            state.room = Some(view.state.code);
            state.history.observe(&view.state, &view.mine);
        }
        state.room_state = session.room().map(|view| view.state.clone());
    }

    fn has_to_act(&self, session: &Session) -> bool {
        let Some(view) = session.room() else { return self.must_reenter && session.is_settled() };
        let rematch = self.current == BotCommand::Play && view.may_rematch();
        let move_due = view.my_turn().is_some() && session.sent_move().is_none();
        move_due || (rematch && !view.offered_by_me() && session.is_settled())
    }

    fn act(&mut self, runner: &Runner, session: &mut Session) {
        if !self.has_to_act(session) {
            return;
        }
        let Some(view) = session.room() else {
            self.must_reenter = false;
            if let Some(way_in) = self.way_in().intent() {
                ask(runner, session, way_in);
            }
            return;
        };
        if view.my_turn().is_none() {
            return ask(runner, session, session.rematch());
        }
        let Some(numbered) = &view.state.game else { return };
        let Some(placed) = numbered.game.legal().choose(&mut self.rng) else { return };
        let play = session.move_to(placed.cell, Some(placed.mark));
        if let RoomIntent::Play { game, ply, cell, .. } = play {
            self.state.lock().history.sent.insert((game, ply, cell));
        }
        ask(runner, session, play);
    }

    /// Says a text that no other bot says, or mutes a player, or hears them again.
    fn talk(&mut self, runner: &Runner, session: &mut Session) {
        let Some(view) = session.room() else { return };
        let seats = [&view.state.seats.x, &view.state.seats.o];
        let other = seats.into_iter().filter_map(Seat::player).choose(&mut self.rng);
        if self.rng.random_bool(0.1)
            && let Some(player) = other.filter(|_| view.mine.is_empty())
        {
            return ask(runner, session, RoomIntent::Mute { player, mute: self.rng.random() });
        }
        let mut state = self.state.lock();
        let text = format!("{TALK} {} {}", self.config.seed, state.history.said.len());
        let Ok(said) = text.parse().map(Said::Text) else { return };
        state.history.said.insert(text);
        drop(state);
        ask(runner, session, RoomIntent::Say { said });
    }
}

impl BotState {
    fn refused(&mut self, intent: &ClientMessage, refusal: &Refusal) {
        *self.history.refused.entry(format!("{:?}", refusal.code)).or_default() += 1;
        let gone = matches!(refusal.code, RefusalCode::NoSuchRoom | RefusalCode::SeatsTaken);
        if gone {
            self.history.violation(format!("{intent:?} was refused: {refusal}"));
        }
    }
}

/// Whether an intent asks for a room.
const fn enters(intent: &ClientMessage) -> bool {
    matches!(
        intent,
        ClientMessage::Lobby { intent: LobbyIntent::Create { .. } | LobbyIntent::Join { .. }, .. }
    )
}

fn ask(runner: &Runner, session: &mut Session, intent: impl Into<Intent>) {
    let now = Instant::now().into_std();
    // A move that is not possible is not sent. The bot goes on when something happens.
    runner.perform(session.update(Input::Asked(intent.into()), now));
}

async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => drop(tokio::time::timeout_at(moment, std::future::pending::<()>()).await),
        None => std::future::pending().await,
    }
}
