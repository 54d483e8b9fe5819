//! Parties: their codes, their screens, their results, and what a full disk or a kill leaves of them.

mod crowded;
mod disk;
mod followed;
mod hands;
mod killed;
mod places;
mod results;

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, LobbyIntent, PartyFormat, PartyRole, PartySettings, RefusalCode, Role,
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
