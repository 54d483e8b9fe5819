//! An evening on three nodes behind one address: a party with a big screen, people of the harness, a
//! phone, a laptop and a terminal. A node is killed in the first round, and the NATS server that leads
//! the log in the second. Nobody does anything about it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use noughts_harness::bot::poll_delay;
use noughts_harness::nats::{LOG, until_settled};
use noughts_harness::{Balancer, Device, LONG_TIMEOUT, NatsServers, Player, ServerProcess, Tab};
use noughts_protocol::{
    BoardSpec, ClientMessage, Hello, LobbyIntent, PROTOCOL_VERSION, PartyCode, PartyIntent,
    PartyPhase, PartyRole, PartySettings, PlayerToken,
};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::evening::clients::{Browser, TerminalClient};
use crate::evening::{EVENING, beamer, until_round, verify};
use crate::page::picture;

/// The scripted people. The first one is the host.
const PEOPLE: [&str; 5] = ["Ada", "Ben", "Cleo", "Dana", "Eve"];

/// A scripted person.
struct Person {
    player: Player,
    name: &'static str,
    /// The cell from which they look for a free one.
    from: u16,
    address: SocketAddr,
    party: PartyCode,
}

pub(super) async fn hello(
    address: SocketAddr,
    name: &str,
    token: Option<PlayerToken>,
) -> Result<Player, String> {
    let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
    let name = name.parse().unwrap();
    let hello = Hello { protocol: PROTOCOL_VERSION, name, token, pass: None, password: None };
    Player::try_hello(Box::new(stream), &ClientMessage::Hello(hello), LONG_TIMEOUT).await
}

impl Person {
    /// Plays until the party is over, and comes back after each lost connection. Returns the longest time
    /// from a lost connection to the party's snapshot.
    async fn play(mut self) -> Duration {
        let mut longest = Duration::ZERO;
        while !self.player.try_attend(self.from, |_| false).await {
            let lost = Instant::now();
            self.come_back().await;
            longest = longest.max(lost.elapsed());
        }
        longest
    }

    async fn come_back(&mut self) {
        let deadline = Instant::now() + LONG_TIMEOUT;
        loop {
            let token = Some(self.player.token.clone());
            if let Ok(player) = hello(self.address, self.name, token).await {
                self.player = player;
                if self.player.try_join_party(self.party).await {
                    return;
                }
            }
            assert!(Instant::now() < deadline, "{} does not come back", self.name);
            poll_delay().await;
        }
    }
}

/// Somebody without a program, who tells the test what goes on, from a connection that may be lost.
async fn observer(address: SocketAddr, party: PartyCode) -> Player {
    let deadline = Instant::now() + LONG_TIMEOUT;
    loop {
        if let Ok(mut observer) = hello(address, "Observer", None).await {
            let (id, role) = (observer.new_id(), PartyRole::Spectator);
            observer
                .send(&ClientMessage::Lobby { intent: LobbyIntent::JoinParty { party, role }, id })
                .await;
            if observer.try_until(|player| player.party.is_some()).await {
                return observer;
            }
        }
        assert!(Instant::now() < deadline, "nobody can look on");
        poll_delay().await;
    }
}

/// Counts from now on how long the page says that the connection is lost, in milliseconds.
async fn watch_pauses(screen: &Tab) {
    screen
        .eval(
            "window.pauses = [0]; window.lost = 0; setInterval(() => {
               const now = performance.now();
               if (!document.body.innerText.includes('Connection lost')) window.lost = 0;
               else window.pauses.push(now - (window.lost ||= now));
             }, 50)",
        )
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_on_three_nodes_goes_on_by_itself() {
    let Some(mut nats) = NatsServers::start("an evening on three nodes", 3) else { return };
    let mut nodes = [0, 1, 2].map(|number| nats.node(number, &[]));
    until_settled(nodes.iter()).await;
    let balancer = Balancer::over(nodes.iter().map(ServerProcess::address).collect()).await;
    let address = balancer.address();

    let board: BoardSpec = "9x9x5".parse().unwrap();
    let settings = PartySettings { board, move_time_ms: 60_000, ..PartySettings::default() };
    let mut host = hello(address, PEOPLE[0], None).await.unwrap();
    let party = host.create_party("Friday LAN", settings, true).await;
    let code = party.to_string();
    let screen = beamer(address, &code).await;
    screen.until_text("1 is in").await;
    watch_pauses(&screen).await;
    let phone = Browser::join(address, Device::PHONE, &code, "Ida", 0).await;
    let laptop = Browser::join(address, Device::LAPTOP, &code, "Jan", 9).await;
    let terminal = TerminalClient::join(address, &code, "Max");
    let mut people = vec![host];
    for name in &PEOPLE[1..] {
        let mut player = hello(address, name, None).await.unwrap();
        player.join_party(party, PartyRole::Player).await.unwrap();
        people.push(player);
    }
    screen.until_text("8 are in").await;
    people[0].ask_party(PartyIntent::StartParty).await.unwrap();

    let mut guests = JoinSet::new();
    for (row, (player, name)) in people.into_iter().zip(PEOPLE).enumerate() {
        let from = u16::try_from(row).unwrap() * 9;
        guests.spawn(Person { player, name, from, address, party }.play());
    }
    let hands = [phone, laptop].map(|browser| tokio::spawn(browser.play()));
    let keys = std::thread::spawn(move || terminal.play());

    // The host's connection was the first, so that the party is the first node's.
    screen.until("the tables", "document.querySelector('.big-tile')").await;
    let mut watcher = observer(address, party).await;
    until_round(&mut watcher, 1).await;
    let facts = watcher.party().v;
    nodes[0].kill();
    let mut watcher = observer(address, party).await;
    assert!(watcher.party().v >= facts, "{} after {facts}", watcher.party().v);
    screen.until("the screen", "!document.body.innerText.includes('Connection lost')").await;
    picture(&screen, "cluster-screen-1-after-the-node").await;

    until_round(&mut watcher, 2).await;
    let leader = nats.until_led(LOG).await;
    nats.kill(leader);
    let is_over = |player: &Player| player.party().phase == PartyPhase::Over;
    let mut watcher = observer(address, party).await;
    picture(&screen, "cluster-screen-2-after-the-leader").await;
    timeout(EVENING, watcher.until("the podium", is_over)).await.unwrap();
    screen.until("the podium", "document.querySelectorAll('.big-step').length === 3").await;
    picture(&screen, "cluster-screen-3-podium").await;

    let pauses = guests.join_all().await;
    for hand in hands {
        hand.await.unwrap();
    }
    keys.join().unwrap();
    let longest = pauses.into_iter().max().unwrap_or_default();
    let screens = screen.eval("Math.max(...window.pauses)").await;
    eprintln!("the longest pause: {longest:?} at a player, {screens} ms at the screen");
    screen.done().await;
    for node in &mut nodes[1..] {
        assert_eq!(node.terminate(), Some(0));
        verify(node);
    }
}
