//! Parties that give way on a full server, and whether a connection follows one.

use std::time::Duration;

use noughts_protocol::{
    LobbyIntent, PartyCode, PartyIntent, PartyRole, PartySettings, RefusalCode, Role,
};
use noughts_store::Change;

use super::person::{Person, World};

const MINUTE: Duration = Duration::from_mins(1);

fn is_in_a_party(person: &Person) -> bool {
    person.party.is_some()
}

/// Ada, who has made a party and follows it.
async fn host(world: &World) -> Person {
    let mut ada = world.person("Ada");
    let name = "Evening".parse().unwrap();
    let create = LobbyIntent::CreateParty { name, settings: PartySettings::default(), plays: true };
    ada.lobby(create).await.unwrap();
    ada.until("the party", is_in_a_party).await;
    ada
}

/// Fails if a party that was asked ends under those who follow it or came back, or stays for ever.
#[tokio::test(start_paused = true)]
async fn a_party_that_gives_way_ends_if_nobody_follows_it() {
    let world = World::open();
    let party = || world.shared.parties.all().pop();
    let mut ada = host(&world).await;
    let handle = party().unwrap();
    assert_eq!(handle.empty_since(), None);
    assert!(handle.give_way(), "it is asked too late: Ada is there");
    ada.party(PartyIntent::LeaveParty).await.unwrap();
    world.wait(MINUTE).await;
    assert!(handle.empty_since().is_some());
    let code = party().expect("nothing asks it any more").code();
    // Ada's command waits behind the question.
    assert!(handle.give_way());
    ada.lobby(LobbyIntent::JoinParty { party: code, role: PartyRole::Player }).await.unwrap();
    ada.until("the party", is_in_a_party).await;
    ada.party(PartyIntent::LeaveParty).await.unwrap();
    world.wait(MINUTE).await;
    assert!(party().is_some(), "Ada has come back");
    assert!(handle.give_way());
    world.wait(MINUTE).await;
    assert!(party().is_none());
}

/// Catches a pong that counts the facts of a party on for somebody whom its host has removed, or who has left.
#[tokio::test(start_paused = true)]
async fn no_version_of_the_party_is_told_to_whom_the_host_removes_or_who_leaves() {
    let world = World::open();
    let mut ada = host(&world).await;
    let mut ben = world.person("Ben");
    let party = ada.party.as_ref().unwrap().code;
    ben.lobby(LobbyIntent::JoinParty { party, role: PartyRole::Player }).await.unwrap();
    ben.until("the party", is_in_a_party).await;
    assert!(ben.party_version().is_some());
    ada.party(PartyIntent::Remove { entrant: 2, remove: true }).await.unwrap();
    assert_eq!(ben.party_version(), None);
    assert!(ada.party_version().is_some());
    for _ in 0..2 {
        ada.party(PartyIntent::LeaveParty).await.unwrap();
        assert_eq!(ada.party_version(), None, "and leaving again changes nothing");
    }
}

/// Catches a page of a party that is over, and looks at it often, as somebody who guesses codes.
#[tokio::test(start_paused = true)]
async fn the_code_of_a_party_that_is_over_is_no_wrong_one() {
    let world = World::open();
    let ada = host(&world).await;
    let mut over = world.shared.party(ada.party.unwrap().code).await.unwrap().unwrap();
    over.state.code = PartyCode("NGHTS".parse().unwrap());
    let party = over.state.code;
    let storage = world.shared.storage.as_ref().unwrap();
    storage.store.save(vec![Change::KeptParty(Box::new(over))]).await.unwrap();
    let mut ben = world.person("Ben");
    let join = LobbyIntent::JoinParty { party, role: PartyRole::Spectator };
    for _ in 0..=world.shared.config.max_per_address {
        ben.lobby(join.clone()).await.unwrap();
    }
    assert_eq!(
        ben.lobby(LobbyIntent::Join { room: party.0, role: Role::Player }).await,
        Err(RefusalCode::PartyCode)
    );
    let [wrong, room] = ["NGHTT", "NGHTV"].map(|code| code.parse().unwrap());
    let wrong = LobbyIntent::JoinParty { party: PartyCode(wrong), role: PartyRole::Spectator };
    for _ in 0..world.shared.config.max_per_address {
        assert_eq!(ben.lobby(wrong.clone()).await, Err(RefusalCode::NoSuchParty));
    }
    let join = LobbyIntent::Join { room, role: Role::Player };
    assert_eq!(ben.lobby(join).await, Err(RefusalCode::RateLimited));
}
