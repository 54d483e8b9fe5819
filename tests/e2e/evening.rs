//! An evening: sixteen programs in one knockout, people of the harness, browsers, terminals, the Python
//! bot and an engine of another protocol, with a big screen; the server is killed in the middle. With
//! `NOUGHTS_PICTURES=1` it saves what the big screen and a phone show in `target/screenshots`.

pub(crate) mod clients;

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use noughts_harness::process::program;
use noughts_harness::python::{has_python_bot, python_bot};
use noughts_harness::{Device, LONG_TIMEOUT, Pipe, Player, ServerProcess, Tab};
use noughts_protocol::{
    BoardSpec, PartyCode, PartyIntent, PartyPhase, PartyRole, PartySettings, PartyState,
    PlayerToken,
};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::page::picture;
use clients::{Browser, TerminalClient};

/// A projector.
pub(crate) const BEAMER: Device = Device { width: 1920, height: 1080, ..Device::LAPTOP };

/// The longest evening.
pub(crate) const EVENING: Duration = Duration::from_mins(6);

/// The scripted people. The first one is the host.
const SCRIPTED: [&str; 8] = ["Ada", "Ben", "Cleo", "Dana", "Eve", "Finn", "Grace", "Hugo"];

/// The scripted people's knowledge of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Server {
    Runs,
    Killed,
    IsBack,
}

async fn connect(server: SocketAddr, name: &str, token: Option<PlayerToken>) -> Player {
    let stream = tokio::net::TcpStream::connect(server).await.unwrap();
    Player::greet(Box::new(stream), name, token, LONG_TIMEOUT).await
}

/// A scripted person, who comes back when the server does, and plays until the party is over.
async fn attend(
    mut player: Player,
    address: SocketAddr,
    name: &'static str,
    row: u16,
    mut server: watch::Receiver<Server>,
) {
    let party = player.party().code;
    tokio::select! {
        () = player.attend(row, |_| false) => return,
        _ = server.wait_for(|server| *server != Server::Runs) => {}
    }
    server.wait_for(|server| *server == Server::IsBack).await.unwrap();
    let mut player = connect(address, name, Some(player.token.clone())).await;
    player.join_party(party, PartyRole::Player).await.unwrap();
    player.attend(row, |_| false).await;
}

/// A spectator without a program, who tells the test what goes on.
async fn observer(address: SocketAddr, party: PartyCode) -> Player {
    let mut observer = connect(address, "Observer", None).await;
    observer.join_party(party, PartyRole::Spectator).await.unwrap();
    observer
}

/// A program that plays for its person with an engine of the Gomocup protocol.
fn engine(server: &ServerProcess, party: &str) -> (Pipe, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    let engine = program("noughts-server");
    let engine = engine.to_str().unwrap();
    let args = ["--server", &address, "--name", "Piskvork", "bot", party, "--move-time", "1s"];
    let program = ["--engine", engine, "--", "engine", "--strength", "weak"];
    (Pipe::run(&[&args[..], &program].concat(), folder.path()), folder)
}

/// The big screen, at whose server the test will kill.
pub(crate) async fn beamer(address: SocketAddr, party: &str) -> Tab {
    let mut screen = Tab::open(BEAMER, &format!("http://{address}/party/{party}/screen")).await;
    screen.tolerate("ERR_CONNECTION_REFUSED");
    screen.tolerate("WebSocket");
    screen
}

/// The other scripted people come in.
async fn bring_others(address: SocketAddr, code: PartyCode, people: &mut Vec<Player>) {
    for name in &SCRIPTED[1..] {
        let mut player = connect(address, name, None).await;
        player.join_party(code, PartyRole::Player).await.unwrap();
        people.push(player);
    }
}

/// What a server that has ended keeps is sound.
pub(crate) fn verify(server: &ServerProcess) {
    let mut verify = Command::new(program("noughts-server"));
    let verified = verify.arg("verify").arg("--data-dir").arg(server.folder()).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
}

/// Three more browsers.
async fn browsers(address: SocketAddr, party: &str) -> Vec<Browser> {
    let mut browsers = Vec::new();
    for (device, name, row) in
        [(Device::LAPTOP, "Jan", 9), (Device::PHONE, "Kim", 18), (Device::TABLET, "Lea", 27)]
    {
        browsers.push(Browser::join(address, device, party, name, row).await);
    }
    browsers
}

/// Waits for a game of a round.
pub(crate) async fn until_round(observer: &mut Player, round: u16) {
    let is_there = |player: &Player| {
        player.party().round == round && player.party().pairings.iter().any(|one| one.game > 0)
    };
    timeout(EVENING, observer.until("a game of the round", is_there)).await.unwrap();
}

/// Everybody has a place, and every pairing is there once.
fn check_places(party: &PartyState) {
    assert_eq!(party.places.len(), 16);
    let decided = party.past.iter().flatten().count() + party.pairings.len();
    assert_eq!(decided, 16, "15 games and the one for the third place");
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_programs_play_a_knockout_through_a_kill_to_the_podium() {
    if !has_python_bot("an evening") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let address = server.address();
    let board: BoardSpec = "9x9x5".parse().unwrap();
    let settings = PartySettings { board, move_time_ms: 60_000, ..PartySettings::default() };
    let mut people = vec![connect(address, SCRIPTED[0], None).await];
    let code = people[0].create_party("Friday LAN", settings, true).await;
    let party = code.to_string();
    let screen = beamer(address, &party).await;
    screen.until_text("1 is in").await;

    let phone = Browser::join(address, Device::PHONE, &party, "Ida", 0).await.watched();
    picture(&screen, "evening-screen-1-first-guests").await;
    let browsers = browsers(address, &party).await;
    bring_others(address, code, &mut people).await;
    let terminals = ["Max", "Nora"].map(|name| TerminalClient::join(address, &party, name));
    let mut monty = python_bot(&server, &party, "Monty");
    let (mut piskvork, _folder) = engine(&server, &party);
    let mut observer = observer(address, code).await;
    observer.until("all sixteen", |player| player.party().entrants.len() == 16).await;
    screen.until_text("16 are in").await;
    picture(&screen, "evening-screen-2-all-are-in").await;

    people[0].ask_party(PartyIntent::StartParty).await.unwrap();
    let (tell, server_now) = watch::channel(Server::Runs);
    let mut guests = JoinSet::new();
    for (row, (player, name)) in people.into_iter().zip(SCRIPTED).enumerate() {
        let row = u16::try_from(row).unwrap() * 9;
        guests.spawn(attend(player, address, name, row, server_now.clone()));
    }
    let mut others = JoinSet::new();
    for browser in browsers {
        others.spawn(browser.play());
    }
    let hand = tokio::spawn(async move {
        phone.play_until_over().await;
        phone
    });
    let keys = terminals.map(|terminal| std::thread::spawn(move || terminal.play()));
    screen.until("the tables", "document.querySelector('.big-tile')").await;
    picture(&screen, "evening-screen-3-first-round").await;
    until_round(&mut observer, 2).await;
    picture(&screen, "evening-screen-4-quarter-finals").await;

    let facts = observer.party().v;
    tell.send(Server::Killed).unwrap();
    let mut server = server.restart();
    tell.send(Server::IsBack).unwrap();
    let mut observer = connect(address, "Observer", None).await;
    observer.join_party(code, PartyRole::Spectator).await.unwrap();
    assert!(observer.party().v >= facts, "{} after {facts}", observer.party().v);
    let is_back = "!document.body.innerText.includes('Connection lost')";
    screen.until("the screen is back", is_back).await;
    picture(&screen, "evening-screen-5-after-the-kill").await;
    until_round(&mut observer, 4).await;
    picture(&screen, "evening-screen-6-final").await;
    let is_over = |player: &Player| player.party().phase == PartyPhase::Over;
    timeout(EVENING, observer.until("the podium", is_over)).await.unwrap();
    screen.until("the podium", "document.querySelectorAll('.big-step').length === 3").await;
    picture(&screen, "evening-screen-7-podium").await;

    // Everybody is told the end.
    drop((guests.join_all().await, others.join_all().await));
    hand.await.unwrap().tab.done().await;
    for terminal in keys {
        terminal.join().unwrap();
    }
    assert_eq!((monty.wait_exit(), piskvork.wait_exit()), (0, 0));
    check_places(observer.party());
    screen.done().await;
    assert_eq!(server.terminate(), Some(0));
    verify(&server);
}
