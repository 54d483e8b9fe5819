//! Programs that speak the Gomocup protocol in parties, beside people.

use futures::future::join_all;
use noughts_harness::{Pipe, Player, ServerProcess};
use noughts_protocol::{PartyIntent, PartyPhase, PartyRole, PartySettings};
use tempfile::TempDir;

use super::room::{ada, brain, has_python, ours, person};

fn settings() -> PartySettings {
    PartySettings { board: "9x9x5".parse().unwrap(), ..PartySettings::default() }
}

/// Waits until so many are in.
async fn until_in(host: &mut Player, entrants: usize) {
    host.until("everybody", |host| host.party().entrants.len() == entrants).await;
}

/// The names from the first place on.
fn podium(player: &Player) -> Vec<String> {
    let party = player.party();
    let entrants = party.places.iter().filter_map(|place| party.entrant(place.entrant));
    entrants.map(|entrant| entrant.name.to_string()).collect()
}

/// The bots end by themselves, after they have told the podium.
fn check_ends(bots: &mut [(Pipe, TempDir)]) {
    for (bot, _) in bots {
        bot.wait_for(" is 1st.");
        assert_eq!(bot.wait_exit(), 0, "{:?}", bot.seen);
    }
}

#[tokio::test]
async fn two_programs_finish_a_party_beside_people() {
    if !has_python("programs in a party") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut people = [ada(&server).await, person(&server, "Bob").await];
    let code = people[0].create_party("Office", settings(), true).await;
    people[1].join_party(code, PartyRole::Player).await.unwrap();
    let text = code.to_string();
    let mut bots = [ours(&server, &text, "strong", "1"), brain(&server, &text, &[])];
    until_in(&mut people[0], 4).await;
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    join_all(people.iter_mut().zip([0, 40]).map(|(one, from)| one.attend(from, |_| false))).await;
    assert_eq!(people[0].party().phase, PartyPhase::Over);
    let podium = podium(&people[0]);
    assert_eq!((podium.len(), &*podium[0]), (4, "Noughts"), "it sees lines, the others do not");
    check_ends(&mut bots);
}

#[tokio::test]
async fn programs_go_on_after_the_server_was_killed_in_the_middle() {
    let server = ServerProcess::start(&[]);
    let mut host = ada(&server).await;
    let code = host.create_party("Night", settings(), false).await;
    let text = code.to_string();
    let mut bots = ["strong", "average", "weak"].map(|one| ours(&server, &text, one, "1"));
    until_in(&mut host, 3).await;
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    host.until("a game", |host| host.party().pairings.iter().any(|one| one.game > 0)).await;
    let token = host.token.clone();
    let server = server.restart();
    let mut host = super::room::again(&server, "Ada", Some(token)).await;
    host.join_party(code, PartyRole::Spectator).await.unwrap();
    host.until("the podium", |host| host.party().phase == PartyPhase::Over).await;
    assert_eq!(podium(&host).len(), 3);
    check_ends(&mut bots);
}

#[tokio::test]
async fn a_program_that_fails_leaves_the_party_and_the_party_goes_on() {
    if !has_python("a bad program in a party") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = ada(&server).await;
    let code = ada.create_party("Office", settings(), true).await;
    let (mut bot, _folder) = brain(&server, &code.to_string(), &["outside"]);
    until_in(&mut ada, 2).await;
    ada.ask_party(PartyIntent::StartParty).await.unwrap();
    ada.attend(40, |_| false).await;
    assert_eq!(podium(&ada)[0], "Ada");
    assert!(ada.party().entrants[1].left, "{:?}", ada.party().entrants);
    bot.wait_for("the program failed: it played 99,99");
    assert_eq!(bot.wait_exit(), 1);
}

#[tokio::test]
async fn a_party_of_another_board_is_not_joined() {
    if !has_python("a program and a party of another board") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = ada(&server).await;
    let settings = PartySettings { board: "3x3x3".parse().unwrap(), ..settings() };
    let code = ada.create_party("Office", settings, true).await;
    let (mut bot, _folder) = brain(&server, &code.to_string(), &[]);
    bot.wait_for("this party plays 3x3x3");
    assert_eq!(bot.wait_exit(), 2);
    assert_eq!(ada.party().entrants.len(), 1);
}
