//! A hundred honest games beside hostile clients: the latency of moves, and the server's processor time
//! and memory. Prints a table. The server and the hostile clients are separate processes:
//! `cargo build --release --bins && cargo bench -p noughts-tests --bench hostile [ATTACK]`. The attacks
//! are in `hostile/attacks.rs`.
//!
//! With two cores the server has one, and players and hostile clients share the other. An attack costs
//! the server time, and it costs the attacker time that would be another machine's. To tell them apart,
//! each attack is measured three times: without it, with it on a sink on the server's core
//! (`hostile/sink.rs`), and with it on the server.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

#[path = "hostile/attacks.rs"]
mod attacks;
#[path = "../load/process.rs"]
mod process;
#[path = "hostile/sink.rs"]
mod sink;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures::future::join_all;
use noughts_harness::latency::move_latencies;
use noughts_harness::{Player, ServerProcess, TIMEOUT, delay};
use noughts_protocol::{ByMark, Role, RoomSettings};
use tokio::net::TcpStream;

use attacks::{Attack, Target};
use process::{Process, pin, two_cores};

const GAMES: u64 = 100;
/// How long each measurement takes.
const MEASURED: Duration = Duration::from_secs(10);
/// A person moves this often.
const MOVE_INTERVAL: Duration = Duration::from_millis(500);
/// The time from the start of an attack to the measurement, and from its end to the next attack.
const SETTLE: Duration = Duration::from_secs(3);
/// The time between two samples of the server's memory.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(200);

/// The roles of this program in processes of its own.
const ATTACK: &str = "--attack";
const REHEARSE: &str = "--rehearse";
const SINK: &str = "--sink";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [SINK] => return block_on(sink::run()),
        [ATTACK, address, name] => return attack(name, Target::Server(address.parse().unwrap())),
        [REHEARSE, address, name] => return attack(name, Target::Sink(address.parse().unwrap())),
        _ => {}
    }
    // `cargo test` runs benchmarks too, without `--bench`.
    if !words.contains(&"--bench") {
        return;
    }
    let cores = two_cores();
    cores.into_iter().for_each(|(first, _)| pin(first));
    let server = ServerProcess::start(&[]);
    let sink = Sink::start();
    cores.into_iter().for_each(|(_, second)| pin(second));
    let words: Vec<_> = words.into_iter().filter(|word| *word != "--bench").collect();
    block_on(compare_all(&server, &sink, &words));
}

/// Attacks until the parent kills this process, or for a limited time.
fn attack(name: &str, target: Target) {
    let attacking = attacks::run(name, target);
    drop(block_on(async { tokio::time::timeout(2 * (SETTLE + MEASURED), attacking).await }));
}

/// On this thread's core.
fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Prints the table of the attacks whose names contain all words, or of all attacks.
async fn compare_all(server: &ServerProcess, sink: &Sink, words: &[&str]) {
    let wanted = |attack: &Attack| words.iter().all(|word| attack.name.contains(*word));
    println!("{GAMES} honest games, a move every {} ms each:", MOVE_INTERVAL.as_millis());
    println!("ms from a move to the opponent's screen, median and p99: quiet, beside the same");
    println!("attack on a sink that only reads (control), and under attack;");
    println!("the p99 under attack by the quiet one and by the control's;");
    println!("% of a core: the server's, quiet and under attack, and the hostile clients' on the");
    println!(
        "sink and on the server; MiB of the server's memory: before, at most, {} s after\n",
        SETTLE.as_secs()
    );
    println!(
        "{:22}{:>16}{:>16}{:>16}{:>16}{:>12}{:>12}{:>24}",
        "", "quiet", "control", "attack", "p99 ratios", "server", "hostile", "memory"
    );
    for attack in attacks::all().iter().filter(|attack| wanted(attack)) {
        compare(server, sink, attack.name).await;
    }
    if words.is_empty() {
        compare(server, sink, attacks::TOGETHER).await;
    }
}

/// A process that is killed when it is dropped.
struct Helper(Child);

impl Helper {
    /// Hostile clients, with the lowest priority.
    fn attack(role: &str, address: SocketAddr, name: &str) -> Self {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(std::env::current_exe().unwrap());
        Self(command.args([role, &address.to_string(), name]).spawn().unwrap())
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The target of the control's attacks.
struct Sink {
    address: SocketAddr,
    _running: Helper,
}

impl Sink {
    fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut running = Helper(command.arg(SINK).stdout(Stdio::piped()).spawn().unwrap());
        let mut address = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { address: address.trim().parse().unwrap(), _running: running }
    }
}

/// Measures one attack and prints a line. The three measurements follow each other at once, since the
/// other work of a machine changes.
async fn compare(server: &ServerProcess, sink: &Sink, name: &str) {
    let before = memory(server);
    let quiet = measure(server, &[server.id()]).await;
    let rehearsing = Helper::attack(REHEARSE, sink.address, name);
    let control = measure(server, &[server.id(), rehearsing.0.id()]).await;
    drop(rehearsing);
    let attacking = Helper::attack(ATTACK, server.address(), name);
    let attacked = measure(server, &[server.id(), attacking.0.id()]).await;
    drop(attacking);
    delay(SETTLE).await;
    let times =
        [&quiet, &control, &attacked].map(|one| format!("{:8.2}{:8.2}", one.at(0.5), one.at(0.99)));
    let ratios = [&quiet, &control].map(|other| attacked.at(0.99) / other.at(0.99));
    println!(
        "{name:22}{}{:8.2}{:8.2}{:6.0}{:6.0}{:6.0}{:6.0}{before:8.1}{:8.1}{:8.1}",
        times.concat(),
        ratios[0],
        ratios[1],
        quiet.busy[0],
        attacked.busy[0],
        control.busy[1],
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
    /// The processes' shares of a core in per cent; 0 if the system does not say.
    busy: Vec<f64>,
}

impl Measured {
    /// A quantile of the latencies in milliseconds.
    fn at(&self, share: f64) -> f64 {
        1e3 * self.times[((self.times.len() - 1) as f64 * share) as usize].as_secs_f64()
    }
}

/// Plays after the settling time and measures processes meanwhile.
async fn measure(server: &ServerProcess, processes: &[u32]) -> Measured {
    delay(SETTLE).await;
    let cpu = || processes.iter().map(|id| Process(*id).cpu().unwrap_or_default());
    let (begun, before) = (Instant::now(), cpu().collect::<Vec<_>>());
    let games = join_all((0..GAMES).map(|number| game(server.address(), number)));
    let (mut times, most) = beside(games, server).await;
    times.sort_unstable();
    let elapsed = begun.elapsed().as_secs_f64();
    let busy = cpu().zip(before).map(|(now, then)| 100.0 * (now - then).as_secs_f64() / elapsed);
    Measured { times, most, busy: busy.collect() }
}

/// Plays the games and samples the server's memory meanwhile: all latencies, and the most memory.
async fn beside(
    games: impl Future<Output = Vec<Vec<Duration>>>,
    server: &ServerProcess,
) -> (Vec<Duration>, f64) {
    let mut most = memory(server);
    tokio::pin!(games);
    loop {
        tokio::select! {
            times = &mut games => return (times.into_iter().flatten().collect(), most),
            () = delay(SAMPLE_INTERVAL) => most = most.max(memory(server)),
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
    Player::greet(Box::new(stream), name, None, TIMEOUT).await
}

/// Two players in one game after another; the latency of each move.
async fn game(address: SocketAddr, number: u64) -> Vec<Duration> {
    let (mut ada, mut bob) = (player(address, "Ada").await, player(address, "Bob").await);
    // A list of games is the longest answer to the shortest message.
    let settings = RoomSettings { listed: true, ..RoomSettings::default() };
    let code = ada.create(settings, ByMark::default()).await;
    bob.join(code, Role::Player).await.unwrap();
    let offset = MOVE_INTERVAL.mul_f64(number as f64 / GAMES as f64);
    let times = move_latencies((&mut ada, &mut bob), (offset, MOVE_INTERVAL), MEASURED).await;
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    times
}
