//! Any sequence of intents keeps every client's model equal to the server's room (proptest). The harness's
//! player also checks that every intent is answered once, that no event is missing and that every event
//! fits its model.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    ByMark, Cell, ClaimedResult, ClientMessage, LobbyIntent, Opening, OpeningChoice, Role,
    RoomCode, RoomIntent, RoomSettings,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Connections that act; 0 and 1 are the same player on two devices.
const CONNECTIONS: usize = 4;

#[derive(Debug, Clone)]
enum Step {
    Join(Role),
    Leave,
    Play { late: u16, cell: u16 },
    Choose(OpeningChoice),
    Resign,
    Rematch(bool),
    Claim(ClaimedResult),
    Sync,
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let choice =
        prop_oneof![Just(OpeningChoice::X), Just(OpeningChoice::O), Just(OpeningChoice::Add)];
    let step = prop_oneof![
        2 => Just(Step::Join(Role::Player)),
        1 => Just(Step::Join(Role::Spectator)),
        1 => Just(Step::Leave),
        12 => (0..2_u16, 0..10_u16).prop_map(|(late, cell)| Step::Play { late, cell }),
        2 => choice.prop_map(Step::Choose),
        1 => Just(Step::Resign),
        3 => any::<bool>().prop_map(Step::Rematch),
        1 => Just(Step::Claim(ClaimedResult::Win)),
        1 => Just(Step::Sync),
    ];
    (0..CONNECTIONS, step)
}

async fn take(player: &mut Player, room: RoomCode, step: Step) {
    let game = player.room.as_ref().map_or(1, |_| player.number());
    let intent = match step {
        Step::Join(role) => {
            // Whether it is applied or refused, the models must agree.
            let _ = player.ask_lobby(LobbyIntent::Join { room, role }).await;
            return;
        }
        Step::Leave => RoomIntent::Leave,
        Step::Play { late, cell } => {
            let state = player.room.as_ref().and_then(|room| room.game.as_ref());
            let ply = state.map_or(0, |numbered| numbered.game.ply()).saturating_sub(late);
            RoomIntent::Play { game, ply, cell: Cell(cell) }
        }
        Step::Choose(choice) => RoomIntent::Choose { game, choice },
        Step::Resign => RoomIntent::Resign { game },
        Step::Rematch(offer) => RoomIntent::Rematch { game, offer, series: None },
        Step::Claim(result) => RoomIntent::Claim { game, result },
        Step::Sync => RoomIntent::Sync,
    };
    let left = intent == RoomIntent::Leave;
    // A player without a room sends it too, and is refused.
    let message = ClientMessage::Room { intent, id: player.new_id(), room };
    let answer = player.ask(message).await;
    if left && answer.is_ok() {
        player.room = None;
    }
}

async fn play(settings: RoomSettings, steps: Vec<(usize, Step)>) {
    let server = TestServer::start(&["--intents-per-second", "100000"]).await;
    let mut watcher = server.player("Watcher").await;
    let mut players = vec![server.player("Ada").await];
    players.push(server.returning("Ada", Some(players[0].token.clone())).await);
    // The two devices of one player must not use the same ids.
    for _ in 0..10_000 {
        players[1].new_id();
    }
    players.push(server.player("Bob").await);
    players.push(server.player("Eve").await);
    let open =
        ByMark { x: noughts_protocol::SeatRequest::Open, o: noughts_protocol::SeatRequest::Open };
    let room = watcher.create(settings, open).await;
    for (who, step) in steps {
        if watcher.room.as_ref().is_some_and(|state| state.closed) {
            break;
        }
        take(&mut players[who], room, step).await;
        compare(&mut watcher, &mut players).await;
    }
}

/// Compares every model in the room with a new snapshot, which is the server's own state: facts and
/// what passes.
async fn compare(watcher: &mut Player, players: &mut [Player]) {
    if watcher.ask_room(RoomIntent::Sync).await.is_err() {
        return;
    }
    watcher.settle().await;
    let truth = watcher.state().clone();
    for player in players.iter_mut().filter(|player| player.room.is_some()) {
        player.settle().await;
        assert_eq!(player.state(), &truth);
        let shown = player.presence;
        let told = watcher.presence;
        assert_eq!((shown.seats, shown.rematch), (told.seats, told.rematch));
    }
}

/// A board on which the opening's marks can come near to a line, in the cells that are played.
fn swap2() -> RoomSettings {
    let board = "13x13x3".parse().unwrap();
    RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() }
}

#[test]
fn every_model_equals_the_servers_state() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config { cases: 48, max_shrink_iters: 200, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let settings = prop_oneof![Just(RoomSettings::default()), Just(swap2())];
    let room = (settings, proptest::collection::vec(step(), 1..80));
    let checked = runner.run(&room, |(settings, steps)| {
        let played = std::panic::AssertUnwindSafe(|| runtime.block_on(play(settings, steps)));
        std::panic::catch_unwind(played).map_err(|_| TestCaseError::fail("the models differ"))
    });
    checked.unwrap();
}
