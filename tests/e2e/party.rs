//! Parties: their codes, their screens, their results, and what a full disk or a kill leaves of them.

mod crowded;
mod disk;
mod followed;
mod hands;
mod results;

use noughts_harness::{Player, ServerProcess, TestServer};
use noughts_protocol::{
    BoardSpec, ClientMessage, LobbyIntent, PartyFormat, PartyIntent, PartyRole, PartySettings,
    RefusalCode, Role,
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

fn is_running(player: &Player) -> bool {
    player.room.as_ref().is_some_and(|room| room.is_running())
}

/// Starts the party of two, and leads both to their table.
async fn play(host: &mut Player, guest: &mut Player) {
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    futures::join!(host.attend(0, is_running), guest.attend(4, is_running));
}

/// A host and a guest at the table of their party.
async fn at_a_table(server: &TestServer, format: PartyFormat) -> [Player; 2] {
    let people = party(server, settings(format), 2).await;
    let [mut host, mut guest] = <[Player; 2]>::try_from(people).unwrap();
    play(&mut host, &mut guest).await;
    [host, guest]
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

/// The server is killed, and the same intent comes again.
#[tokio::test]
async fn the_same_intent_makes_one_party() {
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let name = "Friday".parse().unwrap();
    let settings = settings(PartyFormat::Swiss);
    let intent = LobbyIntent::CreateParty { name, settings, plays: true };
    let message = ClientMessage::Lobby { intent, id: ada.new_id() };
    ada.ask(message.clone()).await.unwrap();
    ada.until("the party", |player| player.party.is_some()).await;
    let code = ada.party().code;
    let server = server.restart();
    let mut ada = server.returning("Ada", Some(ada.token)).await;
    ada.ask(message).await.unwrap();
    ada.until("the party", |player| player.party.is_some()).await;
    assert_eq!((ada.party().code, ada.party().entrants.len()), (code, 1));
}
