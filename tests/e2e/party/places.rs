//! A place that goes to another player in the middle of a game: the seat in the room goes with it.

use noughts_harness::player::play_out;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{PartyFormat, PartyIntent, PartyRole, RefusalCode};

use super::{party, settings};

/// Two people play, and the second one's device loses its storage. Fails if the seat stays, if the new
/// player is not led into the room, or if the old one may still play.
#[tokio::test(start_paused = true)]
async fn a_place_goes_to_another_player_in_the_middle_of_a_game() {
    let server = TestServer::virtual_time(&[]);
    let mut people = party(&server, settings(PartyFormat::Knockout), 2).await;
    let code = people[0].party().code;
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    let begun = |player: &Player| player.room.as_ref().is_some_and(|room| room.is_running());
    let (one, two) = people.split_at_mut(1);
    futures::join!(one[0].attend(0, begun), two[0].attend(4, begun));
    let host = &mut one[0];
    let old = &mut two[0];
    let entrant = old.entrant().unwrap();
    let mut new = server.player("Somebody").await;
    new.join_party(code, PartyRole::Spectator).await.unwrap();
    host.ask_party(PartyIntent::PlacePass { entrant }).await.unwrap();
    host.until("the pass", |host| host.pass.is_some()).await;
    let (pass, _) = host.pass.take().unwrap();
    new.ask_party(PartyIntent::TakePlace { pass }).await.unwrap();
    // The new player is led to the table and has the seat, the old one watches.
    new.until("the table", begun).await;
    new.until("the seat", |new| new.marks().len() == 1).await;
    old.until("no seat", |old| old.marks().is_empty()).await;
    let play = old.move_to(0);
    assert_eq!(old.ask(play).await, Err(RefusalCode::NotSeated));
    assert_eq!((new.entrant(), old.entrant()), (Some(entrant), None));
    let name = new.party().entrant(entrant).unwrap().name.clone();
    let seat = new.marks()[0];
    assert_eq!(new.state().seats[seat].label(), name.as_str());
    play_out(host, &mut new, &[0, 3]).await;
}
