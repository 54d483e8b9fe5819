//! The results of a party: its files, and its page after the end, also over a restart.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use noughts_harness::{Player, TestServer, advance_time};
use noughts_protocol::{
    LobbyIntent, PartyCode, PartyFormat, PartyIntent, PartyPhase, PartyRole, RefusalCode, Role,
};
use serde_json::Value;

use super::{at_a_table, settings};

/// Longer than a party has a task that is over and that nobody follows.
const LATER: Duration = Duration::from_secs(3700);

async fn file(server: &TestServer, party: PartyCode, file: &str) -> String {
    let (status, body) = server.get(&format!("/party/{party}/{file}"), "").await;
    assert_eq!(status, 200, "{body}");
    body
}

async fn json(server: &TestServer, party: PartyCode, what: &str) -> Value {
    let file = file(server, party, &format!("{what}.json")).await;
    let mut json: Value = serde_json::from_str(&file).unwrap();
    json[what].take()
}

/// Looks at a party that ended a while ago.
async fn look(server: &TestServer, party: PartyCode) -> Player {
    let mut eve = server.player("Eve").await;
    assert_eq!(eve.join(party.0, Role::Player).await, Err(RefusalCode::PartyCode));
    eve.join_party(party, PartyRole::Spectator).await.unwrap();
    assert_eq!(eve.party().phase, PartyPhase::Over);
    eve.ask_party(PartyIntent::SyncParty).await.unwrap();
    assert_eq!(eve.ask_party(PartyIntent::StartParty).await, Err(RefusalCode::NotNow));
    eve
}

#[tokio::test(start_paused = true)]
async fn the_results_of_a_party_stay() {
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("words.txt");
    std::fs::write(&words, "# ours\nidiot\n").unwrap();
    let words = format!("--name-filter={}", words.display());
    let data = format!("--data-dir={}", folder.path().join("data").display());
    let options = [&*data, &*words];
    let server = TestServer::virtual_time(&options);
    let mut ada = server.player("=Ädä").await;
    let mut bob = server.player("1d-i0t").await;
    let party = ada.create_party("Friday", settings(PartyFormat::RoundRobin), true).await;
    bob.join_party(party, PartyRole::Player).await.unwrap();
    let bobs_name = bob.party().entrants[1].name.to_string();
    assert_ne!(bobs_name, "1d-i0t");
    assert!(file(&server, party, "standings.csv").await.contains("\r\n,'=Ädä,0,"));
    ada.ask_party(PartyIntent::StartParty).await.unwrap();
    let never = |_: &Player| false;
    futures::join!(ada.attend(0, never), bob.attend(4, never));
    let ada_won = ada.party().entrants[0].wins == 1;
    let token = ada.token.clone();
    drop((ada, bob));

    let standings = json(&server, party, "standings").await;
    assert_eq!(standings[0]["place"], 1);
    assert_eq!(standings[usize::from(!ada_won)]["name"], "=Ädä");
    let games = file(&server, party, "games.csv").await;
    assert!(games.starts_with("\u{feff}round,table,"), "{games}");
    assert!(file(&server, party, "games.csv?lang=de").await.starts_with("\u{feff}Runde;Tisch;"));
    let all = json(&server, party, "games").await;
    assert_eq!((&all[0]["round"], &all[0]["x"]), (&1.into(), &"=Ädä".into()));
    assert_ne!(all[0]["how"], "");
    let link = all[0]["link"].as_str().unwrap().strip_prefix("http://localhost").unwrap();
    assert_eq!(server.get(link, "").await.0, 200);

    advance_time(LATER).await;
    drop(look(&server, party).await);
    server.stop().await;
    let server = TestServer::virtual_time(&options);
    let eve = look(&server, party).await;
    assert_eq!(eve.party().entrants[1].name.as_str(), bobs_name);
    assert_eq!(json(&server, party, "standings").await, standings);
    assert_eq!(file(&server, party, "games.csv").await, games);

    let mut ada = server.returning("=Ädä", Some(token)).await;
    ada.ask_lobby(LobbyIntent::Forget).await.unwrap();
    for name in ["standings.csv", "games.csv", "standings.json", "games.json"] {
        let file = file(&server, party, name).await;
        assert!(file.contains("Somebody") && !file.contains("Ädä"), "{file}");
    }
    let unknown = server.get("/party/ZZZZZ/standings.csv", "").await;
    assert_eq!(unknown.0, 404, "{}", unknown.1);
}

#[tokio::test(start_paused = true)]
async fn a_server_with_a_password_asks_for_it() {
    let server = TestServer::virtual_time(&["--join-password", "correct hörse"]);
    let get = async |headers: &str| server.get("/party/ZZZZZ/games.csv", headers).await.0;
    let basic = |password: &str| {
        let code = BASE64_STANDARD.encode(format!("host:{password}"));
        format!("authorization: Basic {code}\r\n")
    };
    assert_eq!(get("").await, 401);
    assert_eq!(get(&basic("battery")).await, 401);
    assert_eq!(get(&basic("correct hörse")).await, 404, "there is no such party");
}

#[tokio::test(start_paused = true)]
async fn a_pairing_without_a_game_has_a_line_among_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::virtual_time(&[&format!("--data-dir={}", folder.path().display())]);
    let mut all = super::party(&server, settings(PartyFormat::RoundRobin), 3).await;
    let party = all[0].party().code;
    all[0].ask_party(PartyIntent::StartParty).await.unwrap();
    all[0].until("the first round", |one| one.party().round == 1).await;
    let game = all[0].party().pairings.iter().find(|one| one.second.is_some()).unwrap().clone();
    let decide = PartyIntent::Decide { pairing: game.number, winner: game.second, note: None };
    all[0].ask_party(decide).await.unwrap();
    // Nobody is ready for the other rounds.
    advance_time(Duration::from_secs(300)).await;
    let games = json(&server, party, "games").await;
    let line = |how: &str| {
        let of = games.as_array().unwrap().iter().filter(|one| one["how"] == how);
        of.map(|one| one["result"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(line("host"), ["O"], "{games}");
    assert_eq!((line("bye")[0].clone(), line("no_move")[0].clone()), (Value::Null, Value::Null));
    assert_eq!(games[0]["round"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_game_lost_on_time_before_its_first_move_has_a_line_and_a_knockout_has_no_points() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::virtual_time(&[&format!("--data-dir={}", folder.path().display())]);
    let [mut host, _guest] = at_a_table(&server, PartyFormat::Knockout).await;
    let party = host.party().code;
    host.until("the end", |host| host.party().phase == PartyPhase::Over).await;
    let games = json(&server, party, "games").await;
    assert_eq!((&games[0]["how"], &games[0]["result"]), (&"no_move".into(), &"O".into()));
    let winner = &json(&server, party, "standings").await[0];
    assert_eq!((winner["wins"].as_u64(), winner["name"] == games[0]["o"]), (Some(1), true));
    let counted = ["points", "rests", "tiebreak"].map(|column| winner[column].is_null());
    assert_eq!(counted, [true; 3], "{winner}");
}

#[tokio::test(start_paused = true)]
async fn a_rest_that_gives_a_point_is_in_the_standings() {
    let server = TestServer::virtual_time(&[]);
    let mut all = super::party(&server, settings(PartyFormat::Swiss), 3).await;
    all[0].ask_party(PartyIntent::StartParty).await.unwrap();
    let counts = |one: &Player| one.party().entrants.iter().any(|entrant| entrant.points > 0);
    all[0].until("the rest", counts).await;
    let standings = json(&server, all[0].party().code, "standings").await;
    let first = ["points", "wins", "rests"].map(|column| standings[0][column].as_u64());
    assert_eq!(first, [Some(1), Some(0), Some(1)], "{standings}");
}
