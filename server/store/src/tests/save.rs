//! Compare-and-set, groups, restarts.

use std::time::Duration;

use futures::future::join_all;
use noughts_protocol::{BoardClass, ByMark, GameId, PartyCode};
use tokio::time::Instant;

use super::world::*;
use crate::{
    AskedGame, Change, Committed, DiskError, Live, LiveRow, SaveError, Sqlite, Store, Workers,
    commit,
};

const STALE: Result<(), SaveError> = Err(SaveError::Stale);

async fn version(store: &Sqlite, number: u32) -> Option<u64> {
    store.load(code(number)).await.unwrap().map(|row| row.v)
}

#[tokio::test]
async fn a_row_is_replaced_only_if_the_expected_version_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let save = |change| store.save(vec![change]);
    assert_eq!(save(room(1, Some(1), 2)).await, STALE, "there is none");
    assert_eq!(save(room(1, None, 1)).await, Ok(()));
    assert_eq!(save(room(1, None, 1)).await, STALE, "the code is taken");
    assert_eq!(save(room(1, Some(1), 2)).await, Ok(()));
    assert_eq!(save(room(1, Some(1), 2)).await, STALE);
    assert_eq!(save(room(1, Some(2), 2)).await, Ok(()), "one version, another state");
    assert_eq!(store.load(code(1)).await, Ok(Some(room_row(2, "{}"))));
    assert_eq!(save(end(1, 1)).await, STALE);
    assert_eq!(save(end(1, 2)).await, Ok(()));
    assert_eq!(store.load(code(1)).await, Ok(None));
    let party = |expected, row| Change::Live { code: code(1), expected, row: Some(row) };
    assert_eq!(save(party(None, party_row(1))).await, Ok(()));
    assert_eq!(save(room(1, None, 1)).await, STALE, "a party has the code");
    let last = LiveRow { v: u64::MAX, ..party_row(1) };
    assert_eq!(save(party(Some(1), last.clone())).await, Ok(()));
    assert_eq!(store.load(code(1)).await, Ok(Some(last)));
    assert_eq!(save(end(1, u64::MAX)).await, Ok(()));
}

#[tokio::test]
async fn a_save_is_stored_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    store.save(vec![room(1, None, 1), room(2, None, 1)]).await.unwrap();
    for stale in [room(2, Some(9), 10), end(3, 1)] {
        let save = vec![room(1, Some(1), 2), ended(1, two(), X_WINS), stale];
        assert_eq!(store.save(save.clone()).await, STALE);
        assert_eq!(store.save(save.into_iter().rev().collect()).await, STALE);
    }
    assert_eq!((version(&store, 1).await, version(&store, 2).await), (Some(1), Some(1)));
    let game = |id| store.archive().ask(move |reader| reader.game(GameId(id)));
    assert!(game(1).await.is_err());
    // Fails if a change that contradicts another one of its save is passed over.
    assert_eq!(store.save(vec![room(4, None, 1), room(4, None, 2)]).await, STALE);
    assert_eq!(version(&store, 4).await, None);
    let all = vec![room(1, Some(1), 2), ended(1, two(), X_WINS)];
    assert_eq!(store.save(all).await, Ok(()));
    assert_eq!((version(&store, 1).await, game(1).await.is_ok()), (Some(2), true));
}

#[tokio::test]
async fn a_save_that_is_refused_in_a_group_does_not_touch_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    store.save(vec![room(1, None, 1), ended(1, two(), X_WINS)]).await.unwrap();
    let commits = || store.health().counts().0;
    let before = commits();
    let group = [room(2, None, 1), room(1, None, 1), room(3, None, 1)];
    let group = group.map(|change| store.save(vec![change]));
    assert_eq!(join_all(group).await, [Ok(()), STALE, Ok(())]);
    assert_eq!(commits() - before, 1, "they share a commit");
    // The id is taken: the statement fails, and not only the comparison.
    let refused = vec![room(4, None, 1), ended(1, two(), X_WINS)];
    let group = [vec![room(5, None, 1)], refused, vec![room(2, None, 1)], vec![room(6, None, 1)]];
    let outcomes = join_all(group.map(|changes| store.save(changes))).await;
    assert!(matches!(&outcomes[1], Err(SaveError::Refused(DiskError::Contradiction(_)))));
    assert_eq!([&outcomes[0], &outcomes[2], &outcomes[3]], [&Ok(()), &STALE, &Ok(())]);
    let stored = join_all((2..=6).map(|number| version(&store, number))).await;
    assert_eq!(stored, [Some(1), Some(1), None, Some(1), Some(1)]);
    assert!(!store.health().is_failing(), "it is not the disk");
}

#[tokio::test]
async fn a_restart_finds_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (store, first) = open(&folder);
    assert_eq!((first.age, first.live.len()), (Duration::ZERO, 0));
    let row = room_row(1, r#"{"a":"ä"}"#);
    let row =
        LiveRow { origins: vec![origin(ADA), origin(BOB)], party: Some(PartyCode(code(8))), ..row };
    let new = |number, row| Change::Live { code: code(number), expected: None, row: Some(row) };
    store.save(vec![new(9, row.clone()), new(8, party_row(1))]).await.unwrap();
    store.close(Duration::from_millis(1234)).await;
    let refused = store.save(vec![room(1, None, 1)]).await;
    assert_eq!(refused, Err(DiskError::closed().into()), "it is closed");
    let (store, again) = open(&folder);
    assert_eq!((again.secret, again.age), (first.secret, Duration::from_millis(1234)));
    let live = |number, LiveRow { until, origins, party, .. }: LiveRow| Live {
        code: code(number),
        until,
        origins,
        party,
    };
    assert_eq!(again.live, [live(8, party_row(1)), live(9, row.clone())]);
    assert_eq!(store.load(code(9)).await, Ok(Some(row)));
    // A killed server stored how long it ran a moment ago.
    store.maintain(Duration::from_secs(7), Duration::MAX);
    store.save(vec![room(1, None, 1)]).await.unwrap();
    drop(store);
    tokio::task::yield_now().await;
    assert_eq!(open(&folder).1.age, Duration::from_secs(7));
}

/// In a simulation nothing but the runtime's own tasks works: the time that is stopped does not go on.
#[tokio::test(start_paused = true)]
async fn tasks_commit_in_the_runtime_of_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let began = Instant::now();
    for v in 1..=100 {
        store.save(vec![room(1, (v > 1).then(|| v - 1), v)]).await.unwrap();
    }
    assert_eq!((version(&store, 1).await, began.elapsed()), (Some(100), Duration::ZERO));
}

#[tokio::test]
async fn threads_store_what_many_send_and_leave_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Sqlite::open(&options(folder.path(), Workers::Threads)).unwrap();
    let rooms = (0..40).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            for v in 1..=25 {
                store.save(vec![room(number, (v > 1).then(|| v - 1), v)]).await.unwrap();
                store.maintain(Duration::from_secs(v), Duration::MAX);
            }
        })
    });
    join_all(rooms).await.into_iter().for_each(Result::unwrap);
    let (commits, saves) = store.health().counts();
    assert!(saves == 1000 && commits < 1000, "{commits} commits of {saves} saves");
    store.close(Duration::ZERO).await;
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["lock", "noughts.db"]);
    assert_eq!(
        verified(folder.path()),
        (Vec::new(), crate::Counts { rooms: 40, ..Default::default() })
    );
}

#[tokio::test]
async fn only_what_is_stored_is_committed() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let store: &dyn Store = &store;
    assert_eq!(commit(Some(store), vec![room(1, None, 1)], 5).await, Ok(Committed::for_tests(5)));
    assert_eq!(commit(Some(store), vec![room(1, None, 1)], 5).await, Err(SaveError::Stale));
    let kept_nowhere = commit(None, vec![room(1, None, 1)], 5).await;
    assert_eq!(kept_nowhere.map(Committed::into_inner), Ok(5));
}

#[tokio::test]
async fn a_room_hears_whether_its_game_is_rated_and_of_the_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let class = BoardClass::Three;
    let seats = ByMark { x: Some(ADA), o: Some(BOB) };
    let makers = [origin(BOB), origin(ADA)];
    let asked = |game, seats| store.standing(class, game, seats, &makers);
    let known = asked(AskedGame::Running, seats).await.unwrap();
    assert_eq!((known.rated, known.players), (true, vec![(ADA, None), (BOB, None)]));
    store.save(vec![ended(1, two(), X_WINS)]).await.unwrap();
    let known = asked(AskedGame::Over(Some(GameId(1))), seats).await.unwrap();
    let games = known.players.iter().map(|(_, rating)| rating.unwrap().games);
    assert_eq!((known.rated, games.collect::<Vec<_>>()), (true, vec![1, 1]));
    assert!(!asked(AskedGame::Over(None), seats).await.unwrap().rated, "a game without a mark");
    // Fails if everybody who has a seat of a quick match is rated.
    for o in [noughts_protocol::PlayerId(3), ADA] {
        let others = ByMark { o: Some(o), ..seats };
        assert!(!asked(AskedGame::Running, others).await.unwrap().rated);
    }
    store.save(vec![Change::Forget { player: BOB, at: 0 }]).await.unwrap();
    let known = asked(AskedGame::Running, seats).await.unwrap();
    assert!(!known.rated, "nobody is rated against somebody who was forgotten");
    assert_eq!(known.players[1], (BOB, None));
    let of_friend = store.standing(class, AskedGame::Running, seats, &makers[..1]);
    assert_eq!(of_friend.await, None, "a room for a friend");
}

#[tokio::test]
async fn records_of_a_cluster_are_copied_once_and_with_their_position() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let empty = store.replica().await.unwrap();
    assert_eq!((empty.copied, empty.is_empty), (None, true));
    store.replicate("c", 0, Vec::new()).await.unwrap();
    let again = || ended(1, two(), X_WINS);
    store.replicate("c", 2, vec![again(), again()]).await.unwrap();
    store.replicate("c", 4, vec![again(), ended(2, two(), DRAW)]).await.unwrap();
    let full = store.replica().await.unwrap();
    assert_eq!((full.copied, full.is_empty), (Some(("c".to_owned(), 4)), false));
    store.close(Duration::ZERO).await;
    let (faults, counts) = verified(folder.path());
    assert_eq!((faults, counts.games), (Vec::new(), 2));
    let (store, _) = open(&folder);
    assert_eq!(store.replica().await.unwrap().copied, Some(("c".to_owned(), 4)));
}
