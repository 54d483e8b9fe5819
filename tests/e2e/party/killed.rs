//! A server that is killed while a party is made. Parties that go on are in the torture.

use noughts_harness::ServerProcess;
use noughts_protocol::{LobbyIntent, PartyFormat};

use super::settings;

/// The server is killed, and the same intent comes again.
#[tokio::test]
async fn the_same_intent_makes_one_party() {
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let name: noughts_protocol::PlayerName = "Friday".parse().unwrap();
    let create = || LobbyIntent::CreateParty {
        name: name.clone(),
        settings: settings(PartyFormat::Swiss),
        plays: true,
    };
    let id = ada.new_id();
    let message = noughts_protocol::ClientMessage::Lobby { intent: create(), id };
    ada.ask(message.clone()).await.unwrap();
    ada.until("the party", |player| player.party.is_some()).await;
    let code = ada.party().code;
    let server = server.restart();
    let mut ada = server.returning("Ada", Some(ada.token)).await;
    ada.ask(message).await.unwrap();
    ada.until("the party", |player| player.party.is_some()).await;
    assert_eq!((ada.party().code, ada.party().entrants.len()), (code, 1));
}
