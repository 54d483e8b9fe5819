//! A hundred honest games beside hostile clients: what a move takes then, and what memory the
//! server needs. Prints a table; the server and the hostile clients are processes of their own:
//! `cargo build --release --bins && cargo bench -p noughts-tests --bench hostile [ATTACK]`.
//! The attacks themselves are in `hostile/attacks.rs`.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

#[path = "hostile/attacks.rs"]
mod attacks;

use std::net::SocketAddr;
use std::process::{Child, Command};
use std::time::Duration;

use futures::future::join_all;
use noughts_harness::timed::timed_games;
use noughts_harness::{PATIENCE, Player, ServerProcess, let_pass};
use noughts_protocol::Role;
use tokio::net::TcpStream;

use attacks::Attack;

const GAMES: u64 = 100;
/// How long each measurement takes.
const MEASURED: Duration = Duration::from_secs(10);
/// A person moves this often.
const PACE: Duration = Duration::from_millis(500);
/// From the begin of an attack to the measurement, and from its end to the next.
const SETTLE: Duration = Duration::from_secs(3);
/// How often the server's memory is looked at.
const LOOK: Duration = Duration::from_millis(200);

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, mode, address, name] = &words[..]
        && mode == "--attack"
    {
        // The parent ends it earlier; left alone, it ends by itself.
        let attacking = attacks::run(name, address.parse().unwrap());
        return drop(tokio::time::timeout(2 * (SETTLE + MEASURED), attacking).await);
    }
    // `cargo test` starts benchmarks too, to see that they start.
    if !words.iter().any(|word| word == "--bench") {
        return;
    }
    let wanted =
        |attack: &Attack| words[1..].iter().all(|w| w == "--bench" || attack.name.contains(w));
    let server = ServerProcess::start(&[]);
    println!("{GAMES} honest games, a move every {} ms each:", PACE.as_millis());
    println!("ms from a move to the opponent's screen, first quiet, then under attack;");
    println!("MiB of the server's memory: before, at most, {} s after\n", SETTLE.as_secs());
    println!(
        "{:24}{:>8}{:>8}   {:>8}{:>8}{:>7}   {:>7}{:>7}{:>7}",
        "", "median", "p99", "median", "p99", "ratio", "before", "most", "after"
    );
    for attack in attacks::all().iter().filter(|attack| wanted(attack)) {
        compare(&server, attack.name).await;
    }
    if words.len() == 2 {
        compare(&server, attacks::TOGETHER).await;
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
    let (quiet, _) = measure(server).await;
    let attacking = Attacking::start(server.address(), name);
    let (attacked, most) = measure(server).await;
    drop(attacking);
    let_pass(SETTLE).await;
    println!(
        "{name:24}{:8.2}{:8.2}   {:8.2}{:8.2}{:7.2}   {before:7.1}{most:7.1}{:7.1}",
        at(&quiet, 0.5),
        at(&quiet, 0.99),
        at(&attacked, 0.5),
        at(&attacked, 0.99),
        at(&attacked, 0.99) / at(&quiet, 0.99),
        memory(server)
    );
}

/// The times of all moves, sorted, and the most memory meanwhile.
async fn measure(server: &ServerProcess) -> (Vec<Duration>, f64) {
    let_pass(SETTLE).await;
    let games = join_all((0..GAMES).map(|number| game(server.address(), number)));
    let (mut times, most) = beside(games, server).await;
    times.sort_unstable();
    (times, most)
}

/// The time in milliseconds that a share of all moves does not exceed.
fn at(times: &[Duration], share: f64) -> f64 {
    1e3 * times[((times.len() - 1) as f64 * share) as usize].as_secs_f64()
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
    server.resident_kib().unwrap_or_default() as f64 / 1024.0
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
