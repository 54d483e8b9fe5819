//! A server process under load is killed with SIGKILL at random moments and restarted. Afterwards what
//! is stored and every client agree. Before each kill somebody asks to be forgotten. Beside the rooms
//! there are parties, one after the other.
//!
//! `NOUGHTS_TORTURE_KILLS` sets the number of kills (`tests/run --long` does), `NOUGHTS_SEED` repeats
//! the random choices of a run.

use std::time::{Duration, Instant};

use noughts_cli::action::Action;
use noughts_client::address::{Link, ServerAddress};
use noughts_client::connection::Destination;
use noughts_client::connection::network::Tcp;
use noughts_harness::bot::{Bot, BotCommand, BotConfig};
use noughts_harness::checker::{Stored, talk_violations};
use noughts_harness::fault_injector::{FaultInjector, FaultProfile, MessageFaults};
use noughts_harness::ordered_watch::OrderedWatch;
use noughts_harness::party::history::PartyHistory;
use noughts_harness::party::{PlayedParty, Way, short_party};
use noughts_harness::{FaultProxy, LONG_TIMEOUT, Player, ServerProcess, TIMEOUT};
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    ByMark, ClientMessage, Computer, LobbyIntent, MarkChoice, PlayerId, PlayerToken, Role,
    RoomCode, RoomSettings, SeatRequest, Strategy,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::simulation::{disagreements, number_from_env, summary};

/// Rooms, each with two players and a spectator.
const ROOMS: usize = 16;

/// Parties at a time.
const PARTIES: usize = 3;

/// The guests of a party.
const GUESTS: usize = 4;

/// The most facts of parties until a kill that waits for them: two or three games. Between them are
/// pauses of seconds, so only one kill of four does.
const MAX_FACTS: u64 = 12;

/// Kills between two verifications of what is stored.
const VERIFY_EVERY: u64 = 10;

/// The network of every second client. Real time passes, so stalls are short.
const FAULTS: FaultProfile = FaultProfile {
    max_delay: Duration::from_millis(20),
    max_calm: Duration::from_millis(1500),
    max_short_stall: Duration::from_millis(400),
    max_long_stall: Duration::from_secs(3),
    messages: MessageFaults::NONE,
};

/// Bots move without rate limits, so that every kill meets moves in progress.
const NO_RATE_LIMITS: [&str; 2] = ["--intents-per-second", "10000"];

/// The most moves between two kills: they take up to a second.
const MAX_MOVES: u64 = 400;

struct Torture {
    rng: StdRng,
    /// The number of moves that were acknowledged to all bots.
    acknowledged: watch::Sender<u64>,
    server: Option<ServerProcess>,
    command: OrderedWatch<BotCommand>,
    stop_faults: CancellationToken,
    rooms: Vec<(RoomCode, Vec<Bot>)>,
    proxies: Vec<FaultProxy>,
    /// The number of facts that people of parties were told.
    told: watch::Sender<u64>,
    parties: Vec<JoinHandle<Vec<PartyHistory>>>,
}

impl Torture {
    async fn begin(seed: u64) -> Self {
        let command = OrderedWatch::new(BotCommand::Play);
        let mut torture = Self {
            rng: StdRng::seed_from_u64(seed),
            acknowledged: watch::Sender::new(0),
            server: Some(ServerProcess::start(&NO_RATE_LIMITS)),
            command,
            stop_faults: CancellationToken::new(),
            rooms: Vec::new(),
            proxies: Vec::new(),
            told: watch::Sender::new(0),
            parties: Vec::new(),
        };
        for _ in 0..ROOMS {
            torture.open_room().await;
        }
        for _ in 0..PARTIES {
            torture.begin_parties().await;
        }
        torture
    }

    async fn open_room(&mut self) {
        let new = Action::create(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        let host = self.bot("Host", new).await;
        let code = host.room().await;
        let guest = self.bot("Guest", Action::join(code, Role::Player)).await;
        let watching = Action::join(code, Role::Spectator);
        let watcher = self.bot("Watcher", watching).await;
        self.rooms.push((code, vec![host, guest, watcher]));
    }

    /// Parties begin, one after the other, until the bots are to finish.
    async fn begin_parties(&mut self) {
        let mut ways = Vec::new();
        for _ in 0..=GUESTS {
            ways.push(Way { network: Tcp, address: self.server_address().await });
        }
        let mut rng = StdRng::seed_from_u64(self.rng.random());
        let told = self.told.clone();
        let command = self.command.clone();
        self.parties.push(tokio::spawn(async move {
            let mut histories = Vec::new();
            while command.get() == BotCommand::Play {
                let host = ways[0].clone();
                let guests = ways[1..].to_vec();
                let history = PartyHistory::counted(told.clone());
                let party = PlayedParty::begin(short_party(&mut rng), host, guests, history);
                histories.push(party.until_over(Duration::MAX).await);
            }
            histories
        }));
    }

    /// The server's address, on a connection that has faults or none, at random.
    async fn server_address(&mut self) -> ServerAddress {
        let mut address = self.server.as_ref().unwrap().address();
        if self.rng.random() {
            let faults = FaultInjector::new(FAULTS, self.rng.random());
            let proxy = FaultProxy::start(address, faults.clone()).await;
            address = proxy.address();
            self.proxies.push(proxy);
            let stop = self.stop_faults.clone();
            tokio::spawn(async move { faults.run(&stop).await });
        }
        address.to_string().parse::<Link>().unwrap().server
    }

    async fn bot(&mut self, name: &str, goal: Action) -> Bot {
        let server = self.server_address().await;
        let destination = Destination::new(server, name.parse().unwrap());
        let config = BotConfig {
            seed: self.rng.random(),
            max_think_time: Duration::from_millis(15),
            crash_probability: 0.01,
            faults: None,
            acknowledged: Some(self.acknowledged.clone()),
        };
        Bot::start(Tcp, destination, goal, config, self.command.clone())
    }

    /// Somebody plays a game and asks to be forgotten, and the server is killed before the answer or
    /// after it. Returns the person's token and id, if the answer came.
    async fn forget_somebody(&mut self) -> Option<(PlayerToken, PlayerId)> {
        let mut passer = self.person("Passer", None).await;
        let seats = ByMark {
            x: SeatRequest::You,
            o: SeatRequest::Computer(Computer { strategy: Strategy::Rules, ..Computer::OPPONENT }),
        };
        let settings = RoomSettings { first: FirstMove::X, ..RoomSettings::default() };
        passer.create(settings, seats).await;
        passer.until_running().await;
        passer.play(4).await.unwrap();
        passer.resign().await.unwrap();
        let id = passer.new_id();
        passer.send(&ClientMessage::Lobby { intent: LobbyIntent::Forget, id }).await;
        if self.rng.random() {
            return None;
        }
        passer.answer_to(id).await.unwrap();
        Some((passer.token.clone(), passer.id))
    }

    async fn person(&self, name: &str, token: Option<PlayerToken>) -> Player {
        self.server.as_ref().unwrap().returning(name, token).await
    }

    /// Kills the server after a random number of moves, or of facts of parties, and restarts it,
    /// with a random durability.
    async fn kill(&mut self, verifies: bool) {
        let (counter, most) = if self.rng.random_ratio(1, 4) {
            (&self.told, MAX_FACTS)
        } else {
            (&self.acknowledged, MAX_MOVES)
        };
        let mut count = counter.subscribe();
        let target = *count.borrow() + self.rng.random_range(1..most);
        let reached = count.wait_for(|count| *count >= target);
        // The guard that it returns holds the lock that the bots need.
        let is_reached = tokio::time::timeout(4 * TIMEOUT, reached).await.is_ok();
        assert!(is_reached, "no bot moves any more, or no party goes on");
        let forgotten = self.forget_somebody().await;
        let durability = if self.rng.random() { "power" } else { "process" };
        let mut server = self.server.take().unwrap();
        let options = [&NO_RATE_LIMITS[..], &["--durability", durability]].concat();
        let restarted = tokio::task::spawn_blocking(move || {
            server.kill();
            if verifies {
                server.tool("verify");
            }
            server.restart_with(&options)
        });
        self.server = Some(restarted.await.unwrap());
        if let Some((token, player)) = forgotten {
            let again = self.person("Passer", Some(token)).await;
            assert_ne!(again.id, player, "an acknowledged wish to be forgotten is lost");
        }
    }

    /// Lets every game end on sound connections and compares the clients, the server and what is stored.
    /// Returns the numbers of games, of moves and of facts of parties, and the violations.
    async fn finish(mut self) -> ([usize; 3], Vec<String>) {
        self.stop_faults.cancel();
        self.command.set(BotCommand::Finish);
        let mut violations = Vec::new();
        let mut all = Vec::new();
        let mut moves = 0;
        let mut games = 0;
        let mut parties = Vec::new();
        for one_after_the_other in std::mem::take(&mut self.parties) {
            let histories = tokio::time::timeout(LONG_TIMEOUT, one_after_the_other).await;
            parties.extend(histories.expect("a party does not end").unwrap());
        }
        for (code, bots) in &self.rooms {
            let mut observer = self.person("Observer", None).await;
            observer.join(*code, Role::Spectator).await.unwrap();
            violations.extend(disagreements(&mut observer, bots, 4 * TIMEOUT).await);
        }
        let mut server = self.server.take().unwrap();
        server.kill();
        let stored = Stored::read(server.folder());
        for (code, bots) in &self.rooms {
            let room = stored.room(*code);
            let histories: Vec<_> = bots.iter().map(Bot::history).collect();
            let found = room.violations(&histories);
            violations.extend(found.into_iter().map(|found| format!("{code}: {found}")));
            (games, moves) = (games + room.games.len(), moves + room.moves());
            all.extend(histories);
        }
        violations.extend(talk_violations(server.folder(), &all));
        let mut facts = 0;
        for party in &parties {
            violations.extend(party.violations(&stored));
            facts += party.told.len();
        }
        println!("{}; {} parties", summary(&all), parties.len());
        server.tool("verify");
        ([games, moves, facts], violations)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_doubled_or_reordered_by_kill_after_kill() {
    let kills = number_from_env("NOUGHTS_TORTURE_KILLS").unwrap_or(20);
    let seed = number_from_env("NOUGHTS_SEED").unwrap_or_else(rand::random);
    println!(
        "torture of {kills} kills: NOUGHTS_SEED={seed} NOUGHTS_TORTURE_KILLS={kills} tests/run torture"
    );
    let begun = Instant::now();
    let mut torture = Torture::begin(seed).await;
    for kill in 1..=kills {
        torture.kill(kill % VERIFY_EVERY == 0).await;
        if kill % 50 == 0 {
            println!("{kill} kills after {} s", begun.elapsed().as_secs());
        }
    }
    let ([games, moves, facts], violations) = torture.finish().await;
    let seconds = begun.elapsed().as_secs();
    println!(
        "{kills} kills, {games} games, {moves} moves, {facts} facts of parties, {seconds} s, \
         {} violations",
        violations.len()
    );
    assert!(violations.is_empty(), "seed {seed}:\n{}", violations.join("\n"));
    assert!(games > 0 && moves > 0 && facts > 0, "nothing was played");
}
