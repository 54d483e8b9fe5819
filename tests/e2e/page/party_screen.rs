//! The big screen of a party: people come in, games are played, the podium; a server that is killed, a
//! new version of the page, and two hundred people.

use noughts_harness::player::play_out;
use noughts_harness::{Device, Player, ServerProcess, Tab, TestServer};
use noughts_protocol::party::MAX_PARTY_MOVE_MS;
use noughts_protocol::{
    BoardSpec, PartyCode, PartyFormat, PartyIntent, PartyPhase, PartyRole, PartySettings,
};

use super::screens::check_as;

/// The folder of the page.
const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/web");

/// A projector.
const BEAMER: Device = Device { width: 1920, height: 1080, ..Device::LAPTOP };

/// The screens on which it is checked. Somebody may open it on a phone too.
const SHAPES: [(&str, Device); 4] = [
    ("1920", BEAMER),
    ("1280", Device { width: 1280, height: 720, ..Device::LAPTOP }),
    ("1024", Device { width: 1024, height: 768, ..Device::LAPTOP }),
    ("320", Device::SMALL_PHONE),
];

/// X wins with the upper row.
const WIN: [u16; 5] = [0, 3, 1, 4, 2];

/// Pictures are taken while games run: nobody's time is over because a machine is slow.
fn settings(format: PartyFormat) -> PartySettings {
    let move_time_ms = MAX_PARTY_MOVE_MS;
    PartySettings {
        board: BoardSpec::TIC_TAC_TOE,
        format,
        move_time_ms,
        ..PartySettings::default()
    }
}

async fn open(address: std::net::SocketAddr, code: PartyCode) -> Tab {
    Tab::open(BEAMER, &format!("http://{address}/party/{code}/screen")).await
}

/// Everybody who has an opponent in this round is ready.
async fn all_ready(players: &mut [Player]) {
    for player in players {
        let open = player.pairing().filter(|pairing| pairing.second.is_some());
        if let Some(pairing) = open.map(|pairing| pairing.number) {
            player.ask_party(PartyIntent::Ready { pairing }).await.unwrap();
        }
    }
}

/// The players of each table of the round.
fn tables(players: &[Player]) -> Vec<[usize; 2]> {
    let pairings = players[0].party().pairings.iter().filter(|one| one.second.is_some());
    let place = |number| players.iter().position(|player| player.entrant() == Some(number));
    pairings.map(|one| [place(one.first).unwrap(), place(one.second.unwrap()).unwrap()]).collect()
}

/// The first player and the second one of a table.
fn both(players: &mut [Player], [one, other]: [usize; 2]) -> (&mut Player, &mut Player) {
    let [one, other] = players.get_disjoint_mut([one, other]).unwrap();
    (one, other)
}

async fn until_round(players: &mut [Player], round: u16) {
    for player in players {
        player.until("the round", |player| player.party().round == round).await;
    }
}

/// The texts that are cut off by the edge of the window or smaller than 28 pixels of 1080 (less one, for
/// browsers round), and the parts at the side that lie over each other.
const UNREADABLE: &str = "(() => {
  const unit = Math.min(innerWidth / 1920, innerHeight / 1080);
  const over = [...document.querySelector('.big-side').children].filter((part, at, all) => at > 0
    && part.getBoundingClientRect().top + 1 < all[at - 1].getBoundingClientRect().bottom);
  const wrong = [...document.querySelectorAll('.big *')].filter((one) => {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || one.closest('.visually-hidden, [hidden]')) return false;
    const box = one.getBoundingClientRect();
    if (box.width <= 1) return false;
    const size = Number.parseFloat(getComputedStyle(one).fontSize);
    return size < 27 * unit || box.left < 0 || box.top < 0
      || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  });
  return [...over, ...wrong].map((one) => `${one.className}: ${one.textContent.trim()}`).join('; ');
})()";

/// It can be read from ten metres on each projector.
async fn is_readable(tab: &Tab) {
    for (width, height) in [(1280, 720), (3840, 2160), (1024, 768), (1920, 1080)] {
        tab.become_device(Device { width, height, ..BEAMER }).await;
        assert_eq!(tab.eval(UNREADABLE).await, "", "{width} × {height}");
    }
}

#[tokio::test]
async fn it_shows_a_knockout_from_the_first_guest_to_the_podium() {
    let server = TestServer::keeping(&[]).await;
    let mut players = vec![server.player("Ada").await];
    let code = players[0].create_party("Friday", settings(PartyFormat::Knockout), true).await;
    let screen = open(server.address(), code).await;
    screen.until_text("1 is in").await;
    screen.until_text("Two are needed.").await;
    screen.find("image", "QR code of the party's link").await;
    for name in ["Ben", "Cleo", "Dana"] {
        let mut player = server.player(name).await;
        player.join_party(code, PartyRole::Player).await.unwrap();
        players.push(player);
        screen.until_text(name).await;
    }
    screen.until_text("4 are in").await;
    is_readable(&screen).await;
    check_as(&screen, "party-screen-gathering", &SHAPES).await;

    players[0].ask_party(PartyIntent::StartParty).await.unwrap();
    screen.until_text("It begins in").await;
    until_round(&mut players, 1).await;
    screen.until_text("Semi-finals").await;
    screen.until_text("Not ready yet").await;
    is_readable(&screen).await;
    all_ready(&mut players).await;
    let semi = tables(&players);
    let (one, other) = both(&mut players, semi[0]);
    play_out(one, other, &WIN[..3]).await;
    screen.until("three marks", "document.querySelectorAll('.big-mark').length === 3").await;
    is_readable(&screen).await;
    check_as(&screen, "party-screen-tables", &SHAPES).await;
    let (one, other) = both(&mut players, semi[0]);
    play_out(one, other, &WIN[3..]).await;
    screen.until("the result", "/ beats /.test(document.body.innerText)").await;
    screen.until("the winner on the tile", "document.querySelector('.big-verdict')").await;
    let (one, other) = both(&mut players, semi[1]);
    play_out(one, other, &WIN).await;

    until_round(&mut players, 2).await;
    screen.until_text("Final").await;
    all_ready(&mut players).await;
    for table in tables(&players) {
        let (one, other) = both(&mut players, table);
        play_out(one, other, &WIN).await;
    }
    players[0].until("the end", |player| player.party().phase == PartyPhase::Over).await;
    screen.until("the podium", "document.querySelectorAll('.big-step').length === 3").await;
    let party = players[0].party();
    let first = party.entrant(party.places[0].entrant).unwrap().name.to_string();
    let step = "document.querySelector('.big-step[data-place=\"1\"]').innerText";
    screen.until("the winner", &format!("{step}.includes('{first}')")).await;
    is_readable(&screen).await;
    check_as(&screen, "party-screen-podium", &SHAPES).await;
    screen.done().await;
}

#[tokio::test]
async fn it_goes_on_by_itself_after_the_server_was_killed_and_after_a_new_version() {
    let mut server = ServerProcess::start(&["--web-dir", WEB]);
    let mut ada = server.player("Ada").await;
    let code = ada.create_party("Friday", settings(PartyFormat::Knockout), true).await;
    let mut screen = open(server.address(), code).await;
    screen.tolerate_no_server();
    screen.until_text("1 is in").await;
    screen.until("her face", "document.querySelector('.face svg')").await;
    server.kill();
    screen.until_text("Connection lost. This screen reconnects by itself.").await;
    // Known things stay on the screen.
    screen.until_text("1 is in").await;
    screen.eval("window.isOld = true").await;
    let server = server.restart();
    screen.until_no("status", "Connection lost*").await;
    let mut ben = server.player("Ben").await;
    ben.join_party(code, PartyRole::Player).await.unwrap();
    screen.until_text("2 are in").await;
    assert_eq!(screen.eval("window.isOld").await, true, "the same version is not loaded again");

    let server = server.restart_with(&[]);
    screen.until("a new page", "!window.isOld").await;
    screen.until_text("2 are in").await;
    let mut cleo = server.player("Cleo").await;
    cleo.join_party(code, PartyRole::Player).await.unwrap();
    screen.until_text("3 are in").await;
    screen.done().await;
}

#[tokio::test]
async fn two_hundred_people_fit() {
    let server = TestServer::keeping(&[]).await;
    let mut host = server.player("Ada").await;
    let code = host.create_party("Friday", settings(PartyFormat::Swiss), true).await;
    let screen = open(server.address(), code).await;
    let mut players = vec![host];
    for number in 2_u8..=200 {
        let [block, last] = [number / 100, number % 100];
        let mut player = server.player_from([127, 1, block, last + 1], &name_of(number)).await;
        player.join_party(code, PartyRole::Player).await.unwrap();
        players.push(player);
    }
    screen.until_text("200 are in").await;
    is_readable(&screen).await;
    players[0].ask_party(PartyIntent::StartParty).await.unwrap();
    until_round(&mut players[..1], 1).await;
    // The time of the ready check runs: those of one table are enough.
    let table = tables(&players)[0];
    let (one, other) = both(&mut players, table);
    for player in [one, other] {
        until_round(std::slice::from_mut(player), 1).await;
        all_ready(std::slice::from_mut(player)).await;
    }
    screen.until("a board", "document.querySelector('.big-board')").await;
    screen.until_text("round 1 of 5").await;
    screen.until("twelve tables", "document.querySelectorAll('.big-tile').length === 12").await;
    is_readable(&screen).await;
    // One game has a result when the host ends it: all two hundred have a place, and the list of them
    // turns its pages.
    let (one, _) = both(&mut players, table);
    one.until("the game", |player| player.room.is_some()).await;
    one.resign().await.unwrap();
    let decided = |player: &Player| player.party().pairings.iter().any(|one| one.outcome.is_some());
    players[0].until("a result", decided).await;
    players[0].ask_party(PartyIntent::EndParty).await.unwrap();
    screen.until("the podium", "document.querySelector('.big-podium')").await;
    is_readable(&screen).await;
    screen.done().await;
}

/// A long name for every third, as people have them.
fn name_of(number: u8) -> String {
    match number % 3 {
        0 => format!("Wilhelmina Maximiliane {}", number % 10),
        _ => format!("Guest {number}"),
    }
}
