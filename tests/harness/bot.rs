//! A player who never gives up: the terminal client's own connection and session, with a program in
//! place of a person. It plays whatever game there is, offers rematches, comes back after every
//! break, and keeps account of what it did and saw.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use noughts_cli::action::Action;
use noughts_cli::connection::network::Network;
use noughts_cli::connection::{Connection, ConnectionEvent, Destination};
use noughts_cli::ids::IntentIds;
use noughts_cli::session::{Session, SessionEvent};
use noughts_protocol::{
    ClientMessage, PlayerToken, Refusal, RefusalCode, Role, RoomCode, RoomState,
};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use crate::ledger::Deeds;
use crate::told::Told;
use crate::weather::Weather;

/// What all bots are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orders {
    /// One game after the other.
    Play,
    /// The game that runs, and no other.
    Finish,
}

/// How a bot is.
#[derive(Debug, Clone)]
pub struct Manner {
    /// From which everything it does follows.
    pub seed: u64,
    /// The longest time it thinks.
    pub thinks: Duration,
    /// How likely its program ends without a word, and is started again, soon after it moved.
    pub crashes: f64,
    /// What is on its way to the server, cut when it crashes.
    pub weather: Option<Weather>,
    /// Counts the moves that are granted to it, with those of others.
    pub granted: Option<watch::Sender<u64>>,
}

/// What is known of a bot from outside.
#[derive(Debug, Default)]
pub struct Known {
    /// What it did and saw.
    pub deeds: Deeds,
    /// The room as it shows it; `None` while it is in none.
    pub state: Option<RoomState>,
    /// The room that it made or was told to enter.
    pub room: Option<RoomCode>,
    token: Option<PlayerToken>,
    /// Since when it has not seen its room.
    lost: Option<Instant>,
}

/// A running bot. Dropping it ends it.
#[derive(Debug)]
pub struct Bot {
    /// What is known of it.
    pub known: Arc<Mutex<Known>>,
    _running: AbortOnDropHandle<()>,
}

impl Bot {
    /// Starts one.
    pub fn start<N: Network + Clone>(
        network: N,
        destination: Destination,
        goal: Action,
        manner: Manner,
        orders: Told<Orders>,
    ) -> Self {
        let known = Arc::<Mutex<Known>>::default();
        let rng = StdRng::seed_from_u64(manner.seed);
        let shared = Arc::clone(&known);
        let mut life = Life {
            network,
            destination,
            goal,
            manner,
            heeds: Orders::Play,
            orders,
            rng,
            known: shared,
            turned_away: false,
        };
        let running = tokio::spawn(async move {
            loop {
                life.run().await;
            }
        });
        Self { known, _running: AbortOnDropHandle::new(running) }
    }

    /// What it did and saw.
    ///
    /// # Panics
    /// Where the bot panicked.
    #[must_use]
    pub fn deeds(&self) -> Deeds {
        self.known.lock().unwrap().deeds.clone()
    }

    /// The room as it shows it.
    ///
    /// # Panics
    /// Where the bot panicked.
    #[must_use]
    pub fn state(&self) -> Option<RoomState> {
        self.known.lock().unwrap().state.clone()
    }

    /// Waits for the room that it makes.
    ///
    /// # Panics
    /// Where the bot panicked, or comes into no room within ten minutes.
    pub async fn room(&self) -> RoomCode {
        for _ in 0..30_000 {
            if let Some(code) = self.known.lock().unwrap().room {
                return code;
            }
            crate::pace(Duration::from_millis(20)).await;
        }
        panic!("the bot comes into no room");
    }
}

/// Lets a moment pass between two looks at bots, which tell nobody what they do, and at what the
/// server says, which it may be asked ten times a second.
pub async fn between_looks() {
    crate::pace(Duration::from_millis(200)).await;
}

/// A bot's program, over all its starts.
struct Life<N> {
    network: N,
    destination: Destination,
    goal: Action,
    manner: Manner,
    orders: Told<Orders>,
    /// What it was told last.
    heeds: Orders,
    rng: StdRng,
    known: Arc<Mutex<Known>>,
    /// Whether it was not let into its room and has to ask again, as a person would.
    turned_away: bool,
}

/// How long it waits before it asks again for what was refused.
const AGAIN: Duration = Duration::from_millis(500);

impl<N: Network + Clone> Life<N> {
    /// From one start of the program to its end.
    async fn run(&mut self) {
        let ids = IntentIds::starting_at(self.rng.random());
        let mut destination = self.destination.clone();
        // Another start of a program has other luck.
        destination.chaos = destination.chaos.map(|chaos| chaos.of(self.rng.random()));
        if let Some(token) = &self.known.lock().unwrap().token {
            destination.token = Some(token.clone());
        }
        let mut connection = Connection::open_over(self.network.clone(), destination, ids.clone());
        let mut session = Session::new(ids);
        self.turned_away = false;
        let first = session.begin(&self.way_in());
        send(&connection, &mut session, first);
        let (mut act_at, mut crash_at) = (None, None);
        loop {
            let incoming = tokio::select! {
                biased;
                incoming = connection.receive() => Some(incoming),
                () = at(act_at) => None,
                () = at(crash_at) => return self.crash(connection).await,
                () = self.orders.until(|told| told != self.heeds) => {
                    self.heeds = self.orders.get();
                    None
                }
            };
            match incoming {
                Some(ConnectionEvent::Ended(_)) => {
                    // The server was not there at the very first try, or for too long.
                    crate::pace(AGAIN).await;
                    return;
                }
                Some(incoming) => self.take(incoming, &connection, &mut session),
                None => {
                    self.act(&connection, &mut session);
                    if self.rng.random_bool(self.manner.crashes) {
                        crash_at = Some(self.soon());
                    }
                }
            }
            act_at = self.has_to_act(&session).then(|| self.soon());
        }
    }

    /// A person would type the code of a room that they were in.
    fn way_in(&self) -> Action {
        let room = self.known.lock().unwrap().room;
        match (&self.goal, room) {
            (Action::Create(_), Some(room)) => Action::Join { room, role: Role::Player },
            (goal, _) => goal.clone(),
        }
    }

    fn soon(&mut self) -> Instant {
        Instant::now() + self.manner.thinks.mul_f64(self.rng.random())
    }

    async fn crash(&mut self, connection: Connection) {
        if let Some(weather) = &self.manner.weather {
            weather.cut();
        }
        drop(connection);
        crate::pace(AGAIN.mul_f64(self.rng.random())).await;
    }

    fn take(&mut self, incoming: ConnectionEvent, connection: &Connection, session: &mut Session) {
        let mut known = self.known.lock().unwrap();
        if let ConnectionEvent::Welcome(welcome) = &incoming {
            let before = known.deeds.player.replace(welcome.player);
            if before.is_some_and(|before| before != welcome.player) {
                known.deeds.fault(format!("{before:?} became {:?}", welcome.player));
            }
            known.token = Some(welcome.token.clone());
        }
        let (notice, intent) = session.receive(incoming, std::time::Instant::now());
        send(connection, session, intent);
        match notice {
            Some(SessionEvent::Applied(ClientMessage::Play { game, ply, cell, .. })) => {
                known.deeds.granted.push((game, ply, cell));
                if let Some(granted) = &self.manner.granted {
                    granted.send_modify(|moves| *moves += 1);
                }
            }
            Some(SessionEvent::Refused(intent, refusal)) => {
                self.turned_away |=
                    matches!(intent, ClientMessage::Create { .. } | ClientMessage::Join { .. });
                known.refused(&intent, &refusal);
            }
            Some(SessionEvent::Lost(why)) => {
                *known.deeds.breaks.entry(why).or_default() += 1;
                known.lost.get_or_insert_with(Instant::now);
            }
            Some(SessionEvent::Entered | SessionEvent::Refreshed) => {
                if let Some(lost) = known.lost.take() {
                    known.deeds.longest_pause = known.deeds.longest_pause.max(lost.elapsed());
                }
            }
            Some(
                SessionEvent::RoomLost(why)
                | SessionEvent::Closed(why)
                | SessionEvent::ServerError(why),
            ) => {
                self.turned_away = true;
                known.deeds.fault(why);
            }
            _ => {}
        }
        if let Some(view) = session.room() {
            known.room = Some(view.state.code);
            known.deeds.see(&view.state, &view.mine);
        }
        known.state = session.room().map(|view| view.state.clone());
    }

    fn has_to_act(&self, session: &Session) -> bool {
        let Some(view) = session.room() else { return self.turned_away && session.is_settled() };
        let rematch = self.heeds == Orders::Play && view.may_rematch();
        let move_due = view.my_turn().is_some() && !session.has_unconfirmed_move();
        move_due || (rematch && !view.offered_by_me() && session.is_settled())
    }

    fn act(&mut self, connection: &Connection, session: &mut Session) {
        if !self.has_to_act(session) {
            return;
        }
        let Some(view) = session.room() else {
            let way_in = session.begin(&self.way_in());
            self.turned_away = false;
            return send(connection, session, way_in);
        };
        if view.my_turn().is_none() {
            let rematch = session.rematch();
            return send(connection, session, rematch);
        }
        let Some(numbered) = &view.state.game else { return };
        let cells = view.state.settings.board.all_cells();
        let free = cells.filter(|cell| !numbered.game.moves().contains(cell));
        let Some(cell) = free.choose(&mut self.rng) else { return };
        if let Ok(play) = session.play(cell) {
            if let ClientMessage::Play { game, ply, cell, .. } = play {
                self.known.lock().unwrap().deeds.sent.insert((game, ply, cell));
            }
            send(connection, session, Some(play));
        }
    }
}

impl Known {
    fn refused(&mut self, intent: &ClientMessage, refusal: &Refusal) {
        *self.deeds.refused.entry(format!("{:?}", refusal.code)).or_default() += 1;
        let gone = matches!(refusal.code, RefusalCode::NoSuchRoom | RefusalCode::SeatsTaken);
        if gone {
            self.deeds.fault(format!("{intent:?} was refused: {refusal}"));
        }
    }
}

fn send(connection: &Connection, session: &mut Session, intent: Option<ClientMessage>) {
    if let Some(intent) = intent
        && connection.send(intent.clone()).is_err()
    {
        session.not_sent(&intent);
    }
}

async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => drop(tokio::time::timeout_at(moment, std::future::pending::<()>()).await),
        None => std::future::pending().await,
    }
}
