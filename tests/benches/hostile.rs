//! A hundred honest games beside hostile clients: what a move takes then, and what processor time
//! and memory the server needs. Prints a table; the server and the hostile clients are processes of
//! their own: `cargo build --release --bins && cargo bench -p noughts-tests --bench hostile
//! [ATTACK]`. The attacks themselves are in `hostile/attacks.rs`.
//!
//! Where there are two cores the server has one, and players and hostile clients share the other:
//! what an attack costs the server is told apart from what it costs to carry it out, which would be
//! another machine's. How much of a core the hostile clients took is printed beside it.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

#[path = "hostile/attacks.rs"]
mod attacks;
#[path = "../load/process.rs"]
mod process;

use std::net::SocketAddr;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use futures::future::join_all;
use noughts_harness::timed::timed_games;
use noughts_harness::{PATIENCE, Player, ServerProcess, let_pass};
use noughts_protocol::Role;
use tokio::net::TcpStream;

use attacks::Attack;
use process::{Process, pin, two_cores};

const GAMES: u64 = 100;
/// How long each measurement takes.
const MEASURED: Duration = Duration::from_secs(10);
/// A person moves this often.
const PACE: Duration = Duration::from_millis(500);
/// From the begin of an attack to the measurement, and from its end to the next.
const SETTLE: Duration = Duration::from_secs(3);
/// How often the server's memory is looked at.
const LOOK: Duration = Duration::from_millis(200);

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, mode, address, name] = &words[..]
        && mode == "--attack"
    {
        // The parent ends it earlier; left alone, it ends by itself.
        let attacking = attacks::run(name, address.parse().unwrap());
        return drop(block_on(async {
            tokio::time::timeout(2 * (SETTLE + MEASURED), attacking).await
        }));
    }
    // `cargo test` starts benchmarks too, to see that they start.
    if !words.iter().any(|word| word == "--bench") {
        return;
    }
    let cores = two_cores();
    cores.into_iter().for_each(|(first, _)| pin(first));
    let server = ServerProcess::start(&[]);
    cores.into_iter().for_each(|(_, second)| pin(second));
    block_on(compare_all(&server, &words[1..]));
}

/// On this thread's core.
fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Prints the table of the attacks whose names contain all words, or of all attacks.
async fn compare_all(server: &ServerProcess, words: &[String]) {
    let words: Vec<_> = words.iter().filter(|word| *word != "--bench").collect();
    let wanted = |attack: &Attack| words.iter().all(|word| attack.name.contains(*word));
    println!("{GAMES} honest games, a move every {} ms each:", PACE.as_millis());
    println!("ms from a move to the opponent's screen, first quiet, then under attack;");
    println!("% of a core: the server's, quiet and under attack, and the hostile clients';");
    println!("MiB of the server's memory: before, at most, {} s after\n", SETTLE.as_secs());
    println!(
        "{:24}{:>8}{:>8}   {:>8}{:>8}{:>7}   {:>6}{:>6}{:>8}   {:>7}{:>7}{:>7}",
        "",
        "median",
        "p99",
        "median",
        "p99",
        "ratio",
        "quiet",
        "then",
        "hostile",
        "before",
        "most",
        "after"
    );
    for attack in attacks::all().iter().filter(|attack| wanted(attack)) {
        compare(server, attack.name).await;
    }
    if words.is_empty() {
        compare(server, attacks::TOGETHER).await;
    }
}

/// Hostile clients in a process of their own, which yields to the others of this machine.
struct Attacking(Child);

impl Attacking {
    fn start(address: SocketAddr, name: &str) -> Self {
        let this = std::env::current_exe().unwrap();
        let mut command = Command::new("nice");
        let command = command.args(["-n", "19"]).arg(this);
        Self(command.args(["--attack", &address.to_string(), name]).spawn().unwrap())
    }
}

impl Drop for Attacking {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Measures without and with hostile clients, one right after the other, since a machine is never
/// as quiet as it was a minute ago; prints a line.
async fn compare(server: &ServerProcess, name: &str) {
    let before = memory(server);
    let quiet = measure(server, &[server.id()]).await;
    let attacking = Attacking::start(server.address(), name);
    let attacked = measure(server, &[server.id(), attacking.0.id()]).await;
    drop(attacking);
    let_pass(SETTLE).await;
    println!(
        "{name:24}{:8.2}{:8.2}   {:8.2}{:8.2}{:7.2}   {:6.0}{:6.0}{:8.0}   {before:7.1}{:7.1}{:7.1}",
        quiet.at(0.5),
        quiet.at(0.99),
        attacked.at(0.5),
        attacked.at(0.99),
        attacked.at(0.99) / quiet.at(0.99),
        quiet.busy[0],
        attacked.busy[0],
        attacked.busy[1],
        attacked.most,
        memory(server)
    );
}

struct Measured {
    /// Of all moves, sorted.
    times: Vec<Duration>,
    /// The server's memory in MiB.
    most: f64,
    /// The processes' shares of a core in per cent; nothing where the system does not say.
    busy: Vec<f64>,
}

impl Measured {
    /// The time in milliseconds that a share of all moves does not exceed.
    fn at(&self, share: f64) -> f64 {
        1e3 * self.times[((self.times.len() - 1) as f64 * share) as usize].as_secs_f64()
    }
}

/// Plays, once everything has settled, and measures processes meanwhile.
async fn measure(server: &ServerProcess, processes: &[u32]) -> Measured {
    let_pass(SETTLE).await;
    let cpu = || processes.iter().map(|id| Process(*id).cpu().unwrap_or_default());
    let (begun, before) = (Instant::now(), cpu().collect::<Vec<_>>());
    let games = join_all((0..GAMES).map(|number| game(server.address(), number)));
    let (mut times, most) = beside(games, server).await;
    times.sort_unstable();
    let elapsed = begun.elapsed().as_secs_f64();
    let busy = cpu().zip(before).map(|(now, then)| 100.0 * (now - then).as_secs_f64() / elapsed);
    Measured { times, most, busy: busy.collect() }
}

/// Plays the games and looks at the server's memory meanwhile: all times, and the most memory.
async fn beside(
    games: impl Future<Output = Vec<Vec<Duration>>>,
    server: &ServerProcess,
) -> (Vec<Duration>, f64) {
    let mut most = memory(server);
    tokio::pin!(games);
    loop {
        tokio::select! {
            times = &mut games => return (times.into_iter().flatten().collect(), most),
            () = let_pass(LOOK) => most = most.max(memory(server)),
        }
    }
}

/// The server's memory in MiB.
fn memory(server: &ServerProcess) -> f64 {
    Process(server.id()).memory_kib().unwrap_or_default() as f64 / 1024.0
}

async fn player(address: SocketAddr, name: &str) -> Player {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    Player::greet(Box::new(stream), name, None, PATIENCE).await
}

/// Two people who play one game after another; the time of each move.
async fn game(address: SocketAddr, number: u64) -> Vec<Duration> {
    let (mut ada, mut bob) = (player(address, "Ada").await, player(address, "Bob").await);
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    let offset = PACE.mul_f64(number as f64 / GAMES as f64);
    let times = timed_games((&mut ada, &mut bob), (offset, PACE), MEASURED).await;
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    times
}
