//! A party's host gives places, stops clocks and begins again, as players see it.

use noughts_harness::player::play_out;
use noughts_harness::{Player, ServerProcess, TestServer};
use noughts_protocol::{
    PartyFormat, PartyIntent, PartyPhase, PartyRole, PlayerToken, RefusalCode, Role,
};

use super::{at_a_table, is_running, play, settings};

const PAUSE: PartyIntent = PartyIntent::PauseParty { pause: true, clocks: true };
const GO_ON: PartyIntent = PartyIntent::PauseParty { pause: false, clocks: false };

/// Fails if the second party finds the rooms of the first.
#[tokio::test(start_paused = true)]
async fn everybody_follows_a_party_that_begins_again() {
    let server = TestServer::virtual_time(&[]);
    let [mut host, mut guest] = at_a_table(&server, PartyFormat::Knockout).await;
    let first = host.state().code;
    host.ask_party(PartyIntent::EndParty).await.unwrap();
    let swiss = PartyIntent::Again { settings: Some(settings(PartyFormat::Swiss)) };
    host.ask_party(swiss).await.unwrap();
    let gathers = |guest: &Player| {
        let party = guest.party();
        party.phase == PartyPhase::Gathering && party.entrants.len() == 2
    };
    guest.until("the next party", gathers).await;
    let is_next = move |player: &Player| {
        player.room.as_ref().is_some_and(|room| room.is_running() && room.code != first)
    };
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    futures::join!(host.attend(0, is_next), guest.attend(4, is_next));
}

/// The server is killed in the pause.
#[tokio::test]
async fn the_clocks_stand_still_over_a_restart() {
    let server = ServerProcess::start(&[]);
    let mut host = server.player("Ada").await;
    let code = host.create_party("Friday", settings(PartyFormat::Knockout), true).await;
    let mut guest = server.player("Bob").await;
    guest.join_party(code, PartyRole::Player).await.unwrap();
    play(&mut host, &mut guest).await;
    let room = host.state().code;
    host.ask_party(PAUSE).await.unwrap();
    host.until("a clock that stands", |host| host.state().clock_stopped).await;
    let server = server.restart();
    let again = async |token: PlayerToken| {
        let mut player = server.returning("Ada", Some(token)).await;
        player.join(room, Role::Player).await.unwrap();
        player.join_party(code, PartyRole::Player).await.unwrap();
        player
    };
    let mut host = again(host.token).await;
    let mut guest = again(guest.token).await;
    assert!(host.state().clock_stopped && guest.party().clocks_stopped);
    host.ask_party(GO_ON).await.unwrap();
    let runs = |player: &Player| !player.state().clock_stopped;
    futures::join!(host.until("a clock that runs", runs), guest.until("the same", runs));
    play_out(&mut host, &mut guest, &[0]).await;
}

/// Two people play, and the second one's device loses its storage. Fails if the seat stays, if the new
/// player is not led into the room, or if the old one may still play.
#[tokio::test(start_paused = true)]
async fn a_place_goes_to_another_player_in_the_middle_of_a_game() {
    let server = TestServer::virtual_time(&[]);
    let [mut host, mut old] = at_a_table(&server, PartyFormat::Knockout).await;
    let code = host.party().code;
    let entrant = old.entrant().unwrap();
    let mut new = server.player("Somebody").await;
    new.join_party(code, PartyRole::Spectator).await.unwrap();
    host.ask_party(PartyIntent::PlacePass { entrant }).await.unwrap();
    host.until("the pass", |host| host.pass.is_some()).await;
    let (pass, _) = host.pass.take().unwrap();
    new.ask_party(PartyIntent::TakePlace { pass }).await.unwrap();
    // The new player is led to the table and has the seat, the old one watches.
    new.until("the table", is_running).await;
    new.until("the seat", |new| new.marks().len() == 1).await;
    old.until("no seat", |old| old.marks().is_empty()).await;
    let play = old.move_to(0);
    assert_eq!(old.ask(play).await, Err(RefusalCode::NotSeated));
    assert_eq!((new.entrant(), old.entrant()), (Some(entrant), None));
    let name = new.party().entrant(entrant).unwrap().name.clone();
    let seat = new.marks()[0];
    assert_eq!(new.state().seats[seat].label(), name.as_str());
    play_out(&mut host, &mut new, &[0, 3]).await;
}
