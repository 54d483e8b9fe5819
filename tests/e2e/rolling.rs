//! A rolling restart under load: every client is told, reconnects by itself and plays on, and
//! nothing is lost.

use std::time::{Duration, Instant};

use noughts_cli::net::address::Link;
use noughts_cli::net::connection::Destination;
use noughts_cli::net::connection::network::Tcp;
use noughts_cli::session::Action;
use noughts_harness::bot::{Bot, BotCommand, BotConfig};
use noughts_harness::checker::StoredHistory;
use noughts_harness::history::ClientHistory;
use noughts_harness::ordered_watch::OrderedWatch;
use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{CloseCode, MarkChoice, Role, RoomCode, RoomSettings, SeatRequest};

use crate::simulation::{disagreements, summary};

/// Rooms with two players each.
const ROOMS: u64 = 100;

/// The longest time from SIGTERM to the end of the server.
const STOP_TIME: Duration = Duration::from_secs(5);

/// Three restarts of the server, each with a reconnect.
const LONGEST_OUTAGE: Duration = Duration::from_secs(20);

fn bot(server: &ServerProcess, goal: Action, seed: u64, command: OrderedWatch<BotCommand>) -> Bot {
    let server = server.address().to_string().parse::<Link>().unwrap().server;
    let name = "Player".parse().unwrap();
    let destination = Destination::new(server, name);
    let config = BotConfig {
        seed,
        max_think_time: Duration::from_millis(250),
        crash_probability: 0.0,
        faults: None,
        acknowledged: None,
    };
    Bot::start(Tcp, destination, goal, config, command)
}

async fn watcher(server: &ServerProcess, code: RoomCode) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let mut watcher = Player::greet(Box::new(stream), "Watcher", None, TIMEOUT).await;
    watcher.join(code, Role::Spectator).await.unwrap();
    watcher
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_players_survive_a_rolling_restart() {
    let options = ["--intents-per-second", "1000", "--max-per-address", "1000"];
    let mut server = ServerProcess::start(&options);
    let command = OrderedWatch::new(BotCommand::Play);
    let mut rooms = Vec::new();
    for room in 0..ROOMS {
        let new = Action::create(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        let host = bot(&server, new, room, command.clone());
        let code = host.room().await;
        let goal = Action::join(code, Role::Player);
        let guest = bot(&server, goal, ROOMS + room, command.clone());
        rooms.push((code, [host, guest]));
    }
    for _ in 0..3 {
        // A spectator on a connection of the harness sees the close frame itself, after a move.
        let mut spectator = watcher(&server, rooms[0].0).await;
        let v = spectator.state().v;
        spectator.until_version(v + 10).await;
        let (stopped, took) = tokio::task::spawn_blocking(move || {
            let asked = Instant::now();
            assert_eq!(server.terminate(), Some(0));
            let took = asked.elapsed();
            (server.restart(), took)
        })
        .await
        .unwrap();
        server = stopped;
        println!("stopped with {} connections in {} ms", 2 * ROOMS + 1, took.as_millis());
        assert!(took < STOP_TIME, "it took {took:?}");
        assert_eq!(spectator.until_closed().await, CloseCode::Restart.number());
    }
    command.set(BotCommand::Finish);
    let mut violations = Vec::new();
    for (code, bots) in &rooms {
        let mut observer = watcher(&server, *code).await;
        violations.extend(disagreements(&mut observer, bots, 2 * TIMEOUT).await);
    }
    server.kill();
    let mut all = Vec::new();
    for (code, bots) in &rooms {
        let histories = bots.each_ref().map(Bot::history);
        violations.extend(StoredHistory::read(server.folder(), *code).violations(&histories));
        all.extend(histories);
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    // A client that was told of all three restarts reconnected by itself each time.
    let told = |history: &ClientHistory| {
        history.breaks.get(CloseCode::Restart.reason()).copied().unwrap_or_default()
    };
    let untold = all.iter().filter(|history| told(history) < 3).count();
    let mut outages: Vec<_> = all.iter().map(|history| history.longest_outage).collect();
    outages.sort();
    let (half, longest) = (outages[outages.len() / 2], outages[outages.len() - 1]);
    println!(
        "{}; longest outage {} ms, median {} ms",
        summary(&all),
        longest.as_millis(),
        half.as_millis()
    );
    assert_eq!(untold, 0, "some clients were not told");
    assert!(longest < LONGEST_OUTAGE, "a client waited {longest:?}");
}
