//! A server is stopped under load and started again: everybody is told, returns by themselves and
//! plays on, and nothing is lost.

use std::time::{Duration, Instant};

use noughts_cli::action::{Action, NewRoom};
use noughts_cli::address::Link;
use noughts_cli::args::MarkChoice;
use noughts_cli::connection::Destination;
use noughts_cli::connection::network::Tcp;
use noughts_harness::bot::{Bot, Manner, Orders};
use noughts_harness::ledger::record;
use noughts_harness::told::Told;
use noughts_harness::{PATIENCE, Player, ServerProcess};
use noughts_protocol::{CloseCode, Role, RoomCode, RoomSettings, SeatRequest};

use crate::simulation::{agreed, tally};

/// Rooms with two players each.
const ROOMS: u64 = 100;

/// Within which a stopping server has told everybody and ended.
const STOP_TIME: Duration = Duration::from_secs(5);

fn bot(server: &ServerProcess, goal: Action, seed: u64, orders: Told<Orders>) -> Bot {
    let server = server.address().to_string().parse::<Link>().unwrap().server;
    let name = "Player".parse().unwrap();
    let destination = Destination::new(server, name);
    let thinks = Duration::from_millis(250);
    Bot::start(
        Tcp,
        destination,
        goal,
        Manner { seed, thinks, crashes: 0.0, weather: None, granted: None },
        orders,
    )
}

async fn watcher(server: &ServerProcess, code: RoomCode) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let mut watcher = Player::greet(Box::new(stream), "Watcher", None, PATIENCE).await;
    watcher.join(code, Role::Spectator).await.unwrap();
    watcher
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_players_sit_out_a_rolling_restart() {
    let options = ["--intents-per-second", "1000", "--max-per-address", "1000"];
    let mut server = ServerProcess::start(&options);
    let orders = Told::new(Orders::Play);
    let mut rooms = Vec::new();
    for room in 0..ROOMS {
        let new = NewRoom::against(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        let host = bot(&server, Action::Create(new), room, orders.clone());
        let code = host.room().await;
        let goal = Action::Join { room: code, role: Role::Player };
        let guest = bot(&server, goal, ROOMS + room, orders.clone());
        rooms.push((code, [host, guest]));
    }
    for _ in 0..3 {
        // A stranger on a connection of the harness sees the very close frame, after a move.
        let mut stranger = watcher(&server, rooms[0].0).await;
        let v = stranger.state().v;
        stranger.until_version(v + 10).await;
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
        assert_eq!(stranger.until_closed().await, CloseCode::Restart.number());
    }
    orders.tell(Orders::Finish);
    let mut faults = Vec::new();
    for (code, bots) in &rooms {
        let mut truth = watcher(&server, *code).await;
        faults.extend(agreed(&mut truth, bots, 2 * PATIENCE).await);
    }
    server.kill();
    let mut all = Vec::new();
    for (code, bots) in &rooms {
        let deeds = bots.each_ref().map(Bot::deeds);
        faults.extend(record(server.folder(), *code).disagreements(&deeds));
        all.extend(deeds);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Whoever was told of the restart each time came back by themselves.
    let told = |deeds: &noughts_harness::ledger::Deeds| {
        deeds.breaks.get(CloseCode::Restart.reason()).copied().unwrap_or_default()
    };
    let untold = all.iter().filter(|deeds| told(deeds) < 3).count();
    let mut pauses: Vec<_> = all.iter().map(|deeds| deeds.longest_pause).collect();
    pauses.sort();
    let (half, longest) = (pauses[pauses.len() / 2], pauses[pauses.len() - 1]);
    println!(
        "{}; longest pause {} ms, of half of them below {} ms",
        tally(&all),
        longest.as_millis(),
        half.as_millis()
    );
    assert_eq!(untold, 0, "not everybody was told");
    assert!(longest < PATIENCE, "somebody waited {longest:?}");
}
