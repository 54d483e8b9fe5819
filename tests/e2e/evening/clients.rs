//! The programs of an evening that people see: browsers and terminals. Each plays by itself what it is
//! shown: it is ready when it is asked, and takes the first free cell from some cell on.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use noughts_harness::bot::poll_delay;
use noughts_harness::{Device, Tab, Terminal};
use serde_json::Value;
use tempfile::TempDir;

use crate::page::picture;

/// The next action of a person on the page: `[what, x, y]`, and the point to tap.
const NEXT: &str = "((from) => {
  const tap = (what, element) => {
    element.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = element.getBoundingClientRect();
    return [what, x + width / 2, y + height / 2];
  };
  if (document.querySelector('.party-podium')) return ['podium'];
  const buttons = [...document.querySelectorAll('button')];
  const button = (name) => buttons.find((one) => name.test(one.textContent) && !one.disabled);
  const ready = button(/^\\s*Ready\\s*$/);
  if (ready) return tap('ready', ready);
  const status = document.querySelector('.room-status')?.dataset.now ?? '';
  const back = button(/Back to the party/);
  if (status === 'over' && back) return tap('over', back);
  if (status === 'turn') {
    // On a phone a tap on a small cell asks first.
    const sure = button(/^Play [XO] on /);
    if (sure) return tap('sure', sure);
    const cells = [...document.querySelectorAll('[role=gridcell]')];
    const inOrder = [...cells.slice(from), ...cells.slice(0, from)];
    const free = inOrder.find((cell) => !cell.dataset.mark);
    if (free) return tap('turn', free);
  }
  return [`${document.querySelector('main')?.dataset.screen}-${status}`];
})";

/// A browser.
pub(crate) struct Browser {
    pub(crate) tab: Tab,
    name: &'static str,
    from: u16,
    /// Whether pictures are taken of each step.
    is_watched: bool,
}

impl Browser {
    /// Comes by the party's link, types a name and joins.
    pub(crate) async fn join(
        address: SocketAddr,
        device: Device,
        party: &str,
        name: &'static str,
        from: u16,
    ) -> Self {
        let mut tab = Tab::open(device, &format!("http://{address}/party/{party}")).await;
        tab.tolerate("ERR_CONNECTION_REFUSED");
        tab.tolerate("WebSocket");
        tab.find("heading", "Friday LAN").await;
        if name == "Ida" {
            picture(&tab, "evening-phone-00-link").await;
        }
        tab.fill("Your name", name).await;
        tab.press("Enter").await;
        tab.button("Join").await;
        tab.until_text("You are in").await;
        Self { tab, name, from, is_watched: false }
    }

    pub(crate) const fn watched(mut self) -> Self {
        self.is_watched = true;
        self
    }

    /// Plays until the podium, and closes the tab.
    pub(crate) async fn play(self) {
        self.play_until_over().await;
        self.tab.done().await;
    }

    /// Plays until the podium.
    pub(crate) async fn play_until_over(&self) {
        let mut pictures = 0;
        let mut before = String::new();
        // The steps of a round that have a picture.
        let mut shown = HashSet::new();
        let end = Instant::now() + super::EVENING;
        loop {
            assert!(Instant::now() < end, "{} is left behind at {before}", self.name);
            let next = self.tab.eval(&format!("{NEXT}({})", self.from)).await;
            let what = next[0].as_str().unwrap_or_default().to_owned();
            if what == "ready" && before != what {
                shown.clear();
            }
            if self.is_watched && shown.insert(what.clone()) {
                pictures += 1;
                picture(&self.tab, &format!("evening-phone-{pictures:02}-{what}")).await;
            }
            if let (Some(x), Some(y)) = (next.get(1).and_then(Value::as_f64), next[2].as_f64()) {
                self.tab.click_at(x, y).await;
            }
            if what == "podium" {
                return;
            }
            before = what;
            poll_delay().await;
        }
    }
}

/// A terminal.
pub(crate) struct TerminalClient {
    terminal: Terminal,
    _folder: TempDir,
}

impl TerminalClient {
    pub(crate) fn join(address: SocketAddr, party: &str, name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = address.to_string();
        let args = ["--server", &address, "--name", name, "party", "join", party];
        let terminal = Terminal::run(&args, folder.path(), 40, 120);
        let _ = terminal.wait_text("You are in.");
        Self { terminal, _folder: folder }
    }

    /// Plays until the places are final.
    pub(crate) fn play(mut self) {
        let mut cells =
            (b'a'..=b'i').flat_map(|column| (1..=9).map(move |row| (column, row))).cycle();
        let end = Instant::now() + super::EVENING;
        loop {
            let screen = self.terminal.screen();
            assert!(Instant::now() < end, "it is left behind:\n{screen}");
            if screen.contains("The party is over.") {
                return;
            }
            if screen.contains("Are you ready?") || screen.contains("Enter: back to the party") {
                self.terminal.press("\r");
            } else if screen.contains("Your turn") {
                let (column, row) = cells.next().unwrap();
                self.terminal.press(&format!("{}{row}\r", char::from(column)));
            }
            std::thread::park_timeout(Duration::from_millis(200));
        }
    }
}
