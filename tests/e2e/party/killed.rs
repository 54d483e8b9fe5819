//! A server that is killed in a party: nothing of it is lost, doubled or changed.

use futures::future::join_all;
use noughts_harness::process::program;
use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{
    LobbyIntent, PartyFormat, PartyIntent, PartyPhase, PartyRole, PartyState, PlayerToken,
};

use super::settings;

async fn connect(server: &ServerProcess, name: &str, token: Option<PlayerToken>) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    Player::greet(Box::new(stream), name, token, TIMEOUT).await
}

/// Everybody on new connections to the restarted server, back in the party, of which nothing is lost.
async fn back(server: &ServerProcess, people: Vec<Player>) -> Vec<Player> {
    let known = people.iter().map(|player| player.party()).max_by_key(|state| state.v).cloned();
    let known: PartyState = known.unwrap();
    let mut back = Vec::new();
    for (number, player) in people.into_iter().enumerate() {
        let mut player = connect(server, &format!("Guest {number}"), Some(player.token)).await;
        player.join_party(known.code, PartyRole::Player).await.unwrap();
        back.push(player);
    }
    let now = back[0].party();
    assert!(now.v >= known.v, "a fact is lost: {} of {}", now.v, known.v);
    for pairing in &known.pairings {
        let again = now.pairing(pairing.number).unwrap();
        assert_eq!(again.entrants().collect::<Vec<_>>(), pairing.entrants().collect::<Vec<_>>());
        if pairing.outcome.is_some() {
            assert_eq!(again.outcome, pairing.outcome);
        }
        if pairing.room.is_some() && again.outcome.is_none() {
            assert_eq!(again.room, pairing.room, "the room of a game that runs is the same");
        }
    }
    back
}

async fn attend(people: &mut [Player], until: impl Fn(&Player) -> bool) {
    let guests = people.iter_mut().zip([0, 4, 8, 2, 6].into_iter().cycle());
    join_all(guests.map(|(guest, from)| guest.attend(from, &until))).await;
}

fn tool(name: &str, server: &ServerProcess) -> String {
    let mut command = std::process::Command::new(program("noughts-server"));
    let output = command.arg(name).arg("--data-dir").arg(server.folder()).output().unwrap();
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[tokio::test]
async fn a_party_goes_on_after_kill_after_kill() {
    let mut server = ServerProcess::start(&[]);
    let mut people = Vec::new();
    for number in 0..4 {
        people.push(connect(&server, &format!("Guest {number}"), None).await);
    }
    let code = people[0].create_party("Friday", settings(PartyFormat::Knockout), true).await;
    for guest in &mut people[1..] {
        guest.join_party(code, PartyRole::Player).await.unwrap();
    }
    server = server.restart();
    people = back(&server, people).await;
    assert_eq!(people[0].party().entrants.len(), 4);
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    // In the ready check, in the middle of the games, and in the ready check of the final.
    attend(&mut people, |player| player.party().round == 1).await;
    server = server.restart();
    people = back(&server, people).await;
    attend(&mut people, |player| {
        player
            .room
            .as_ref()
            .is_some_and(|room| room.running().is_some_and(|game| game.game.ply() > 1))
    })
    .await;
    let rooms: Vec<_> = people.iter().map(|player| player.state().clone()).collect();
    server = server.restart();
    people = back(&server, people).await;
    for (player, room) in people.iter_mut().zip(rooms) {
        player.until("the room of their game", |player| player.room.is_some()).await;
        assert_eq!(player.state().code, room.code);
        assert!(player.game().moves().starts_with(room.running().unwrap().game.moves()));
    }
    attend(&mut people, |player| player.party().round == 2).await;
    server = server.restart();
    people = back(&server, people).await;
    attend(&mut people, |_| false).await;
    let state = people[0].party();
    assert_eq!((state.phase, state.places.len()), (PartyPhase::Over, 4));
    // Over is over, also after a restart.
    server = server.restart();
    people = back(&server, people).await;
    assert_eq!(people[0].party().phase, PartyPhase::Over);
    assert!(tool("verify", &server).contains(", 1 party"), "{}", tool("verify", &server));
    assert!(tool("export", &server).contains(r#""party":""#));
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
