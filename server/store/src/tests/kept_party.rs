//! Parties that have ended stay, until their games go, and name nobody who was forgotten.

use std::time::Duration;

use noughts_protocol::party::{PartyEvent, PartyState};
use noughts_protocol::{
    Entrant, PartyCode, PartyPresence, PartySettings, PartySnapshot, PartyTable, PlayerId,
};

use super::world::*;
use crate::{Change, FinishedGame, SaveError, Sqlite, Store};

fn party_code() -> PartyCode {
    PartyCode(code(8))
}

fn entrant(number: u16, name: &str, player: PlayerId) -> Entrant {
    Entrant { player: Some(player), ..Entrant::new(number, name.parse().unwrap()) }
}

/// A party of Ada's, who is in it, with somebody who calls himself Somebody.
fn party() -> PartySnapshot {
    let name = "Ada's evening".parse().unwrap();
    let mut state = PartyState::new(party_code(), name, PartySettings::default(), ADA);
    for entrant in [entrant(1, "Ada", ADA), entrant(2, "Somebody", BOB)] {
        state.advance(&PartyEvent::Joined { entrant });
    }
    state.to_snapshot(PartyPresence::default())
}

fn kept() -> Change {
    Change::KeptParty(Box::new(party()))
}

async fn save(store: &Sqlite, change: Change) -> Result<(), SaveError> {
    store.save(vec![change]).await
}

/// Keeps house when the server has run for so many seconds.
async fn house(store: &Sqlite, age: u64, keep: Duration) {
    store.maintain(Duration::from_secs(age), keep);
    // Two saves: the first may be stored together with it.
    for id in [age * 2, age * 2 + 1] {
        save(store, ended(id, two(), X_WINS)).await.unwrap();
    }
}

async fn found(store: &Sqlite) -> Option<PartySnapshot> {
    store.archive().ask(|archive| archive.party(party_code())).await.unwrap()
}

#[tokio::test]
async fn it_stays_over_a_restart_and_goes_with_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    house(&store, 100, Duration::MAX).await;
    let live = |row| Change::Live { code: code(8), expected: None, row: Some(row) };
    assert_eq!(save(&store, live(party_row(2))).await, Ok(()));
    assert_eq!(store.save(vec![kept(), end(8, 2)]).await, Ok(()));
    store.close(Duration::from_secs(100)).await;
    let (store, found_at_start) = open(&folder);
    assert_eq!(found_at_start.live, [], "it needs no task");
    assert_eq!(found(&store).await, Some(party()));
    assert_eq!(
        save(&store, live(party_row(1))).await,
        Err(SaveError::Stale),
        "its address is its own"
    );
    assert_eq!(
        store.save(vec![live(room_row(1, "{}")), end(8, 1)]).await,
        Ok(()),
        "a room has another"
    );
    let keep = Duration::from_secs(10);
    house(&store, 110, keep).await;
    assert_eq!(save(&store, live(party_row(1))).await, Err(SaveError::Stale));
    house(&store, 111, keep).await;
    assert_eq!(save(&store, live(party_row(1))).await, Ok(()));
    assert_eq!(found(&store).await, None);
}

#[tokio::test]
async fn somebody_who_was_forgotten_is_nobody_there() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    // A device that was still connected may have ended a party since.
    for _ in 0..2 {
        save(&store, kept()).await.unwrap();
        save(&store, Change::Forget { player: ADA, at: NOW }).await.unwrap();
    }
    let party = found(&store).await.unwrap().state;
    assert_eq!(party.host, PlayerId::NOBODY);
    assert_eq!(party.name.as_str(), "Party");
    let entrants: Vec<_> =
        party.entrants.iter().map(|entrant| (entrant.name.as_str(), entrant.player)).collect();
    assert_eq!(entrants, [("Somebody (2)", None), ("Somebody", Some(BOB))]);
}

#[tokio::test]
async fn its_games_are_found_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let table = PartyTable { party: party_code(), pairing: 1, table: 1, game: 1 };
    for id in 1..=4 {
        let mut game = finished(id, two(), X_WINS);
        // One is played elsewhere meanwhile.
        game.settings.party = (id != 2).then_some(table);
        save(&store, Change::Game(Box::new(FinishedGame { rated: false, ..game }))).await.unwrap();
    }
    let mut after = None;
    let mut all = Vec::new();
    for expected in [2, 1, 0] {
        let piece =
            store.archive().ask(move |archive| archive.games_of_party(party_code(), after, 2));
        let piece = piece.await.unwrap();
        assert_eq!(piece.len(), expected);
        all.extend(piece.iter().map(|game| game.game.summary.id.0));
        after = piece.last().map(|game| game.game.summary.id).or(after);
    }
    assert_eq!(all, [1, 3, 4]);
}
