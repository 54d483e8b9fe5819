//! A server process under load is killed with SIGKILL at a random moment and started again, over
//! and over. Afterwards the journal and every client say the same.
//!
//! `NOUGHTS_TORTURE_KILLS` sets how often (`tests/run --long` does), `NOUGHTS_SEED` repeats a run.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use noughts_cli::action::{Action, NewRoom};
use noughts_cli::address::Link;
use noughts_cli::args::MarkChoice;
use noughts_cli::connection::Destination;
use noughts_cli::connection::network::Tcp;
use noughts_harness::bot::{Bot, Manner, Orders};
use noughts_harness::ledger::record;
use noughts_harness::process::program;
use noughts_harness::proxy::Proxy;
use noughts_harness::told::Told;
use noughts_harness::weather::{Climate, Weather};
use noughts_harness::{PATIENCE, Player, ServerProcess};
use noughts_protocol::{Role, RoomCode, RoomSettings, SeatRequest};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::simulation::{agreed, number_from_env, tally};

/// Rooms, each with two players and somebody who watches.
const ROOMS: usize = 16;

/// Kills between two looks at the journal.
const VERIFY_EVERY: u64 = 10;

/// How bad the network of every second client is. Real time passes, so nothing takes long.
const CLIMATE: Climate = Climate {
    delay: Duration::from_millis(20),
    calm: Duration::from_millis(1500),
    short: Duration::from_millis(400),
    long: Duration::from_secs(3),
};

/// Bots think as fast as they can: what matters is what is under way when the server dies.
const FAST: [&str; 4] = ["--intent-burst", "10000", "--intents-per-second", "10000"];

/// Moves between two kills, at most: up to a second.
const MOST_MOVES: u64 = 400;

struct Torture {
    rng: StdRng,
    /// How many moves were granted to all bots.
    granted: watch::Sender<u64>,
    server: Option<ServerProcess>,
    orders: Told<Orders>,
    calm: CancellationToken,
    rooms: Vec<(RoomCode, Vec<Bot>)>,
    proxies: Vec<Proxy>,
}

impl Torture {
    async fn begin(seed: u64) -> Self {
        let orders = Told::new(Orders::Play);
        let mut torture = Self {
            rng: StdRng::seed_from_u64(seed),
            granted: watch::Sender::new(0),
            server: Some(ServerProcess::start(&FAST)),
            orders,
            calm: CancellationToken::new(),
            rooms: Vec::new(),
            proxies: Vec::new(),
        };
        for _ in 0..ROOMS {
            torture.open_room().await;
        }
        torture
    }

    async fn open_room(&mut self) {
        let new = NewRoom::against(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        let host = self.bot("Host", Action::Create(new)).await;
        let code = host.room().await;
        let guest = self.bot("Guest", Action::Join { room: code, role: Role::Player }).await;
        let watching = Action::Join { room: code, role: Role::Spectator };
        let watcher = self.bot("Watcher", watching).await;
        self.rooms.push((code, vec![host, guest, watcher]));
    }

    /// A bot, with a bad connection or with a good one, in turn.
    async fn bot(&mut self, name: &str, goal: Action) -> Bot {
        let mut address = self.server.as_ref().unwrap().address();
        if self.rng.random() {
            let weather = Weather::new(CLIMATE, self.rng.random());
            let proxy = Proxy::start(address, weather.clone()).await;
            address = proxy.address();
            self.proxies.push(proxy);
            let calm = self.calm.clone();
            tokio::spawn(async move { weather.rage(&calm).await });
        }
        let server = address.to_string().parse::<Link>().unwrap().server;
        let destination = Destination::new(server, name.parse().unwrap());
        let manner = Manner {
            seed: self.rng.random(),
            thinks: Duration::from_millis(15),
            crashes: 0.01,
            weather: None,
            granted: Some(self.granted.clone()),
        };
        Bot::start(Tcp, destination, goal, manner, self.orders.clone())
    }

    /// Kills the server amid a random number of moves and starts it again, with either durability.
    async fn kill(&mut self, verify: bool) {
        let mut granted = self.granted.subscribe();
        let amid = *granted.borrow() + self.rng.random_range(1..MOST_MOVES);
        let played = granted.wait_for(|moves| *moves >= amid);
        let played = tokio::time::timeout(4 * PATIENCE, played).await;
        assert!(played.is_ok(), "nobody plays any more");
        let durability = if self.rng.random() { "power" } else { "process" };
        let mut server = self.server.take().unwrap();
        let options = [&FAST[..], &["--durability", durability]].concat();
        let restarted = tokio::task::spawn_blocking(move || {
            server.kill();
            if verify {
                sound(server.folder());
            }
            server.restart_with(&options)
        });
        self.server = Some(restarted.await.unwrap());
    }

    /// Lets every game end in fine weather; then everybody must say the same.
    async fn end(mut self) -> (usize, usize, Vec<String>) {
        self.calm.cancel();
        self.orders.tell(Orders::Finish);
        let (mut faults, mut all, mut moves, mut games) = (Vec::new(), Vec::new(), 0, 0);
        for (code, bots) in &self.rooms {
            let address = self.server.as_ref().unwrap().address();
            let stream = tokio::net::TcpStream::connect(address).await.unwrap();
            let mut truth = Player::greet(Box::new(stream), "Truth", None, PATIENCE).await;
            truth.join(*code, Role::Spectator).await.unwrap();
            faults.extend(agreed(&mut truth, bots, 4 * PATIENCE).await);
        }
        let mut server = self.server.take().unwrap();
        server.kill();
        for (code, bots) in &self.rooms {
            let record = record(server.folder(), *code);
            let deeds: Vec<_> = bots.iter().map(Bot::deeds).collect();
            let found = record.disagreements(&deeds);
            faults.extend(found.into_iter().map(|fault| format!("{code}: {fault}")));
            (games, moves) = (games + record.games.len(), moves + record.moves());
            all.extend(deeds);
        }
        println!("{}", tally(&all));
        sound(server.folder());
        (games, moves, faults)
    }
}

/// `verify` finds nothing wrong.
fn sound(folder: &Path) {
    let verified = Command::new(program("noughts-server"))
        .arg("verify")
        .arg("--data-dir")
        .arg(folder)
        .output();
    let verified = verified.unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
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
    let (games, moves, faults) = torture.end().await;
    let seconds = begun.elapsed().as_secs();
    println!("{kills} kills, {games} games, {moves} moves, {seconds} s, {} faults", faults.len());
    assert!(faults.is_empty(), "seed {seed}:\n{}", faults.join("\n"));
    assert!(games > 0 && moves > 0, "nothing was played");
}
