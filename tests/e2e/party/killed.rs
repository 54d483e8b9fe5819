//! A server that is killed while a party is made. Parties that go on are in the torture.

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{LobbyIntent, PartyFormat, PlayerToken};

use super::settings;

pub(super) async fn connect(
    server: &ServerProcess,
    name: &str,
    token: Option<PlayerToken>,
) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    Player::greet(Box::new(stream), name, token, TIMEOUT).await
}

/// The server is killed, and the same intent comes again.
#[tokio::test]
async fn the_same_intent_makes_one_party() {
    let server = ServerProcess::start(&[]);
    let mut ada = connect(&server, "Ada", None).await;
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
    let mut ada = connect(&server, "Ada", Some(ada.token)).await;
    ada.ask(message).await.unwrap();
    ada.until("the party", |player| player.party.is_some()).await;
    assert_eq!((ada.party().code, ada.party().entrants.len()), (code, 1));
}
