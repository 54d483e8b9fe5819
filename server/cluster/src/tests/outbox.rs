//! A game that ends is stored with its save or not at all, whenever the node dies or the caller stops waiting.

use std::time::Duration;

use noughts_store::{Change, Store};
use tokio::time::timeout;

use super::world::*;
use crate::fake::{FakeServer, Faults};
use crate::{Cluster, Location};

const GAME: u64 = 7;

/// A room's save with a game is dropped after a time. Returns whether it was stored, and whether all copies
/// have the game.
async fn dropped_after(time: Duration, ends: bool, dies: bool) -> (bool, bool) {
    let server = FakeServer::new(time.as_millis().try_into().unwrap());
    let delay = Duration::from_millis(10);
    server.set_faults(Faults { delay, ..Faults::default() });
    let machines = [Machine::new(&server), Machine::new(&server)];
    let a = machines[0].start(1).await.unwrap();
    let b = machines[1].start(2).await.unwrap();
    pass(Duration::from_secs(3)).await;
    let code = code(3);
    a.create(code, "1 1".to_owned()).await.unwrap();
    let change = if ends {
        ended(code, 1)
    } else {
        row(code, Some(1), &Memory { v: 2, state: String::new() })
    };
    let game = Change::Game(Box::new(finished(GAME, code)));
    drop(timeout(time, a.cluster.save(vec![change, game])).await);
    // Messages under way are lost.
    server.set_down(true);
    pass(Duration::from_millis(100)).await;
    server.set_down(false);
    if dies {
        a.kill();
        pass(Duration::from_secs(4)).await;
    } else {
        pass(Duration::from_secs(1)).await;
        go_on(&a.cluster).await;
    }
    let found = b.cluster.locate(code).await.unwrap();
    let is_stored = match found {
        Location::Nowhere => true,
        Location::Here(_) => b.cluster.load(code).await.unwrap().unwrap().v > 1,
        Location::At(_) => a.cluster.load(code).await.unwrap().unwrap().v > 1,
    };
    pass(Duration::from_secs(2)).await;
    let mut has_game = machines[1].has(GAME).await;
    if !dies {
        assert_eq!(has_game, machines[0].has(GAME).await);
    }
    has_game &= server.records() == 1;
    (is_stored, has_game)
}

/// The node finds the room again, and saves it once more if it is there.
async fn go_on(cluster: &Cluster) {
    let code = code(3);
    for _ in 0..3 {
        let Location::Here(_) = cluster.locate(code).await.unwrap() else { return };
        let stored = cluster.load(code).await.unwrap().unwrap();
        let next = Memory { v: stored.v, state: stored.state };
        if cluster.save(vec![row(code, Some(stored.v), &next)]).await.is_ok() {
            return;
        }
    }
    panic!("the room cannot be saved any more");
}

#[tokio::test(start_paused = true)]
async fn a_game_is_in_all_copies_once_if_its_save_was_stored() {
    for (ends, dies) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut seen = Vec::new();
        for millis in (1..60).step_by(4) {
            let time = Duration::from_millis(millis);
            let (is_stored, has_game) = dropped_after(time, ends, dies).await;
            assert_eq!(is_stored, has_game, "after {millis} ms; ends: {ends}, dies: {dies}");
            seen.push(is_stored);
        }
        seen.dedup();
        assert_eq!(seen, [false, true], "it was dropped before the save and after it");
    }
}

/// Catches a room that waits for ever while the host is told that all is well.
#[tokio::test(start_paused = true)]
async fn a_room_whose_game_no_stream_takes_is_a_problem_until_it_is_taken() {
    let server = FakeServer::new(1);
    let machine = Machine::new(&server);
    let node = machine.start(1).await.unwrap();
    node.cluster.lease_held().await;
    node.create(code(3), "1 1".to_owned()).await.unwrap();
    server.set_full(true);
    let game = || Change::Game(Box::new(finished(GAME, code(3))));
    let next = row(code(3), Some(1), &Memory { v: 2, state: String::new() });
    let mut save = node.cluster.save(vec![next, game()]);
    let problem = || node.cluster.status().problem;
    assert!(timeout(Duration::from_secs(1), &mut save).await.is_err());
    assert_eq!(problem(), None, "a second is no problem");
    assert!(timeout(Duration::from_secs(9), &mut save).await.is_err());
    let why = "rooms wait, because they cannot be stored or read: the stream of games: full";
    assert_eq!(problem().as_deref(), Some(why));
    let given_up = node.cluster.save(vec![game()]);
    assert!(timeout(Duration::from_secs(9), given_up).await.is_err());
    server.set_full(false);
    assert_eq!(save.await, Ok(()));
    assert_eq!(problem(), None, "neither save is late any more");
}
