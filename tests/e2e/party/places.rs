//! A place that goes to another player in the middle of a game: the seat in the room goes with it.

use noughts_harness::player::play_out;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{Mark, PartyFormat, PartyIntent, PartyRole, RefusalCode, Role};

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
    // Only the host gives a pass, and it is used once.
    let ask = PartyIntent::PlacePass { entrant };
    assert_eq!(old.ask_party(ask.clone()).await, Err(RefusalCode::NotHost));
    host.ask_party(ask).await.unwrap();
    host.until("the pass", |host| host.pass.is_some()).await;
    let (pass, _) = host.pass.take().unwrap();
    let take = PartyIntent::TakePlace { pass };
    new.ask_party(take.clone()).await.unwrap();
    let mut late = server.player("Late").await;
    late.join_party(code, PartyRole::Spectator).await.unwrap();
    assert_eq!(late.ask_party(take).await, Err(RefusalCode::BadPass));
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
    play_out(host, &mut new, &[0, 3, 1, 4, 2]).await;
    new.until("the end", |new| !new.party().places.is_empty()).await;
    let winner = new.party().places[0].entrant;
    assert_eq!(winner == entrant, seat == Mark::X);
    // The old player comes back to the party and only looks on.
    old.join(old.state().code, Role::Spectator).await.unwrap();
    old.join_party(code, PartyRole::Player).await.unwrap();
    assert_eq!(old.entrant(), None);
}
