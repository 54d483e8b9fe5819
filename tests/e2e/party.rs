//! Parties: their codes, their tables, their screens, their results, and what a full disk or a kill leaves of them.

mod crowded;
mod disk;
mod followed;
mod hands;
mod killed;
mod places;
mod results;

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, LobbyIntent, PartyFormat, PartyIntent, PartyRole, PartySettings, RefusalCode, Role,
};

fn settings(format: PartyFormat) -> PartySettings {
    PartySettings { format, board: BoardSpec::TIC_TAC_TOE, ..PartySettings::default() }
}

/// A party of a host who plays and others.
async fn party(server: &TestServer, settings: PartySettings, people: usize) -> Vec<Player> {
    let mut host = server.player("Ada").await;
    let code = host.create_party("Friday", settings, true).await;
    let mut all = vec![host];
    for number in 1..people {
        let mut guest = server.player(&format!("Guest {number}")).await;
        guest.join_party(code, PartyRole::Player).await.unwrap();
        all.push(guest);
    }
    all
}

#[tokio::test(start_paused = true)]
async fn codes_of_parties_and_rooms_are_told_apart() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let party = ada.create_party("Friday", settings(PartyFormat::Knockout), true).await;
    let room = bob.host().await;
    assert_ne!(party.0, room);
    assert_eq!(bob.join(party.0, Role::Player).await, Err(RefusalCode::PartyCode));
    let join = LobbyIntent::JoinParty {
        party: noughts_protocol::PartyCode(room),
        role: PartyRole::Player,
    };
    assert_eq!(bob.ask_lobby(join).await, Err(RefusalCode::NoSuchParty));
    assert!(bob.refusal_text.contains("code of a room"), "{}", bob.refusal_text);
}

#[tokio::test(start_paused = true)]
async fn a_table_offers_no_rematch_and_takes_nobody_else() {
    let server = TestServer::virtual_time(&[]);
    let mut people = party(&server, settings(PartyFormat::RoundRobin), 2).await;
    let mut eve = server.player("Eve").await;
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    let opened = |player: &Player| player.room.is_some();
    let (one, two) = people.split_at_mut(1);
    futures::join!(one[0].attend(0, opened), two[0].attend(4, opened));
    let room = one[0].state().code;
    assert_eq!(one[0].state().settings.party.unwrap().party, one[0].party().code);
    assert_eq!(eve.join(room, Role::Player).await, Err(RefusalCode::SeatsTaken));
    eve.join(room, Role::Spectator).await.unwrap();
    one[0].resign().await.unwrap();
    one[0].until_over().await;
    assert_eq!(one[0].rematch(true).await, Err(RefusalCode::NotNow));
    assert!(one[0].refusal_text.contains("party"), "{}", one[0].refusal_text);
}
