//! A party of many: what happens at all its tables in a moment comes in a few messages.

use noughts_harness::TestServer;
use noughts_protocol::{Mark, PartyEvent, PartyFormat, PartyIntent, PartyRole};

use super::settings;

/// As many play, at half as many tables.
const PEOPLE: usize = 60;

/// Messages with facts of a round: its pairings, its openings and its results, the last two in a few groups.
const MOST_MESSAGES: usize = 8;

#[tokio::test(start_paused = true)]
async fn a_round_of_thirty_games_that_end_at_once_is_told_in_a_few_messages() {
    let server = TestServer::virtual_time(&[]);
    let mut host = server.player("Ada").await;
    let code = host.create_party("Friday", settings(PartyFormat::Swiss), false).await;
    let mut people = Vec::new();
    for number in 1..=PEOPLE {
        let mut guest = server.player(&format!("Guest {number}")).await;
        guest.join_party(code, PartyRole::Player).await.unwrap();
        people.push(guest);
    }
    host.settle().await;
    let before = host.party_messages;
    let facts = host.party_facts.len();
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    for guest in &mut people {
        guest.until("a pairing", |guest| guest.pairing().is_some()).await;
        let pairing = guest.pairing().unwrap().number;
        guest.ask_party(PartyIntent::Ready { pairing }).await.unwrap();
    }
    for guest in &mut people {
        guest.until("the room of the game", |guest| guest.room.is_some()).await;
    }
    // One after the other, and all within the same quarter of a second.
    for guest in &mut people {
        if guest.marks() == [Mark::X] {
            guest.resign().await.unwrap();
        }
    }
    host.until("the second round", |host| host.party().round == 2).await;
    let told = host.party_facts[facts..].iter().map(|(_, event)| event);
    let decided = told.filter(|event| matches!(event, PartyEvent::Decided { .. })).count();
    assert_eq!(decided, PEOPLE / 2);
    let messages = host.party_messages - before;
    assert!(messages <= MOST_MESSAGES, "{messages} messages");
}
