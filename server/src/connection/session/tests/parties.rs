//! Parties that give way on a full server, and whether a connection follows one.

use std::time::Duration;

use noughts_protocol::{LobbyIntent, PartyIntent, PartyRole, PartySettings};

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

/// Catches a pong that counts the facts of a party on for somebody whom its host has removed.
#[tokio::test(start_paused = true)]
async fn whom_the_host_removes_is_told_no_version_of_the_party() {
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
}
