//! People who follow a party, and what they are told: late comers, people who do not come, big screens, somebody
//! who is forgotten.

use std::time::Duration;

use noughts_harness::{Player, TestServer, advance_time};
use noughts_protocol::{GameResult, PartyFormat, PartyIntent, PartyRole, PartyRuling, Score};

use super::{at_a_table, party, settings};

#[tokio::test(start_paused = true)]
async fn a_big_screen_gets_the_boards_and_stays_where_it_is() {
    let server = TestServer::virtual_time(&[]);
    let mut people = party(&server, settings(PartyFormat::Knockout), 2).await;
    let code = people[0].party().code;
    // A player of the party at the big screen.
    let mut screen = server.returning("Ada", Some(people[0].token.clone())).await;
    screen.join_party(code, PartyRole::Screen).await.unwrap();
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    let played = |player: &Player| {
        let running = player.room.as_ref().and_then(|room| room.running());
        running.is_some_and(|running| running.game.ply() > 1)
    };
    let (one, two) = people.split_at_mut(1);
    futures::join!(one[0].attend(0, played), two[0].attend(4, played));
    let known = |screen: &Player| {
        let boards = &screen.party.as_ref().unwrap().boards;
        boards.values().next().is_some_and(|board| board.moves.len() > 1)
    };
    screen.until("the board", known).await;
    assert!(screen.room.is_none(), "nobody leads a big screen into a room");
    let mut later = server.player("Eve").await;
    later.join_party(code, PartyRole::Screen).await.unwrap();
    later.settle().await;
    assert!(known(&later), "all boards come with the first message");
    let view = one[0].party.as_ref().unwrap();
    assert!(view.boards.is_empty(), "boards are for big screens");
    advance_time(Duration::from_secs(2)).await;
    one[0].settle().await;
    let view = one[0].party.as_ref().unwrap();
    assert_eq!(view.presence.spectators, 0, "a big screen is no person");
}

/// Fails if the room is closed without a result, or if its score counts what nobody has decided.
#[tokio::test(start_paused = true)]
async fn a_game_that_the_host_or_the_end_decides_says_so_in_its_result() {
    for (is_decided, ruling) in [(true, PartyRuling::Decided), (false, PartyRuling::Ended)] {
        let server = TestServer::virtual_time(&[]);
        let [mut host, mut guest] = at_a_table(&server, PartyFormat::RoundRobin).await;
        let pairing = host.state().settings.party.unwrap().pairing;
        let winner = host.marks().first().copied().filter(|_| is_decided);
        let decide = PartyIntent::Decide { pairing, winner: host.entrant(), note: None };
        let intent = if is_decided { decide } else { PartyIntent::EndParty };
        host.ask_party(intent).await.unwrap();
        guest.until_over().await;
        let result = GameResult::Absence { winner, party: Some(ruling) };
        assert_eq!(guest.result(), Some(&result));
        let Score { x, o, draws } = guest.state().score;
        assert_eq!((x + o, draws), (u32::from(is_decided), 0));
        assert!(!guest.state().closed, "both see the result");
    }
}
