//! People who follow a party, and what they are told: late comers, people who do not come, big screens, somebody
//! who is forgotten.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    DecidedBy, GameResult, LobbyIntent, PartyFormat, PartyIntent, PartyPhase, PartyRole,
    PartyRuling, RefusalCode, Score,
};

use super::{party, play_to_the_end, settings};

#[tokio::test(start_paused = true)]
async fn a_late_comer_plays_and_who_does_not_come_forfeits() {
    let server = TestServer::virtual_time(&[]);
    let mut people = party(&server, settings(PartyFormat::Swiss), 4).await;
    let code = people[0].party().code;
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    // The last one follows and is never ready.
    let mut absent = people.pop().unwrap();
    let number = absent.entrant().unwrap();
    let mut late = server.player("Late").await;
    people[0].attend(0, |player| player.party().round == 1).await;
    late.join_party(code, PartyRole::Player).await.unwrap();
    people.push(late);
    play_to_the_end(&mut people).await;
    absent.until("the end", |player| player.party().phase == PartyPhase::Over).await;
    let facts = absent.party_facts.iter().map(|(_, event)| event);
    let forfeits = facts.filter(|event| {
        matches!(event, noughts_protocol::PartyEvent::Decided { outcome, .. }
            if outcome.how == DecidedBy::Forfeit && outcome.winner != Some(number))
    });
    assert_eq!(forfeits.count(), 2, "after two of them the entrant counts as having left");
    let state = absent.party();
    assert!(state.entrant(number).unwrap().left);
    let late = state.entrants.iter().find(|entrant| entrant.name.as_str() == "Late").unwrap();
    assert!(late.wins + late.draws + late.losses > 0, "{late:?}");
}

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
    one[0]
        .until("two big screens", |one| {
            one.party.as_ref().is_some_and(|view| view.presence.spectators == 2)
        })
        .await;
}

#[tokio::test]
async fn somebody_who_is_forgotten_loses_the_name_in_the_party() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--data-dir", folder.path().to_str().unwrap()];
    let server = TestServer::start(&options).await;
    let mut people = party(&server, settings(PartyFormat::Knockout), 3).await;
    let mut forgotten = people.pop().unwrap();
    let number = forgotten.entrant().unwrap();
    forgotten.ask_lobby(LobbyIntent::Forget).await.unwrap();
    let is_gone = |player: &Player| {
        player
            .party()
            .entrant(number)
            .is_some_and(|entrant| entrant.player.is_none() && entrant.left)
    };
    people[0].until("that they are gone", is_gone).await;
    let name = people[0].party().entrant(number).unwrap().name.clone();
    assert!(name.as_str().starts_with("Somebody"), "{name}");
}

#[tokio::test(start_paused = true)]
async fn only_so_many_parties_of_one_player() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    for _ in 0..4 {
        ada.party = None;
        ada.create_party("Friday", settings(PartyFormat::Knockout), true).await;
    }
    let create = || LobbyIntent::CreateParty {
        name: "Friday".parse().unwrap(),
        settings: settings(PartyFormat::Knockout),
        plays: true,
    };
    assert_eq!(ada.ask_lobby(create()).await, Err(RefusalCode::TooManyRooms));
    let server = TestServer::virtual_time(&["--no-parties"]);
    let mut bob = server.player("Bob").await;
    assert_eq!(bob.ask_lobby(create()).await, Err(RefusalCode::SwitchedOff));
}

#[tokio::test(start_paused = true)]
async fn a_party_that_nobody_starts_ends_after_a_day() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let code = ada.create_party("Friday", settings(PartyFormat::Knockout), true).await;
    ada.ask_party(PartyIntent::LeaveParty).await.unwrap();
    noughts_harness::advance_time(std::time::Duration::from_secs(24 * 3600 + 1)).await;
    let mut bob = server.player("Bob").await;
    let join = LobbyIntent::JoinParty { party: code, role: PartyRole::Player };
    assert_eq!(bob.ask_lobby(join).await, Err(RefusalCode::NoSuchParty));
}

/// Fails if the room is closed without a result, or if its score counts what nobody has decided.
#[tokio::test(start_paused = true)]
async fn a_game_that_the_host_or_the_end_decides_says_so_in_its_result() {
    for (is_decided, ruling) in [(true, PartyRuling::Decided), (false, PartyRuling::Ended)] {
        let server = TestServer::virtual_time(&[]);
        let mut people = party(&server, settings(PartyFormat::RoundRobin), 2).await;
        people[0].ask_party(PartyIntent::StartParty).await.unwrap();
        let opened = |player: &Player| player.room.is_some();
        let (one, two) = people.split_at_mut(1);
        futures::join!(one[0].attend(0, opened), two[0].attend(4, opened));
        let host = &mut one[0];
        let guest = &mut two[0];
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
