//! The target `client`: a server's messages and typed lines go into the client's two interfaces, the
//! full screen and the conversation in lines of text.

use std::sync::LazyLock;
use std::time::Instant;

use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_cli::args::Args;
use noughts_cli::client::Client;
use noughts_cli::plain::fuzzing::{LineClient, read_lines};
use noughts_cli::session::{ConnectionEvent, Input, Output, Welcome};
use noughts_cli::tui::app::{App, AppEvent};
use noughts_protocol::text::is_unsafe;
use noughts_protocol::{MAX_SERVER_FRAME, ServerMessage};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;

/// The usual size of a terminal, and the smallest one that is drawn on.
const SIZES: [Size; 2] = [Size { width: 80, height: 24 }, Size { width: 24, height: 10 }];

/// Feeds both interfaces with lines. A line that begins with `{` is a server's message; any other is
/// typed.
///
/// # Panics
/// If a character that moves the cursor reaches the output.
pub fn client(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut lines = Lines::new();
    let mut screen = FullScreen::new();
    for line in text.lines() {
        if line.starts_with('{') && line.len() <= MAX_SERVER_FRAME {
            let Ok(message) = serde_json::from_str::<ServerMessage>(line) else { continue };
            lines.receive(message.clone());
            screen.receive(message);
        } else {
            lines.type_line(line);
            screen.type_line(line);
        }
    }
    for line in read_lines(input) {
        lines.type_line(&line);
    }
    lines.end_input();
}

/// The conversation in lines of text.
struct Lines {
    client: LineClient,
    now: Instant,
}

impl Lines {
    fn new() -> Self {
        let mut lines = Self { client: LineClient::join(), now: Instant::now() };
        lines.client.receive(welcome(), lines.now);
        lines.flush();
        lines
    }

    fn receive(&mut self, message: ServerMessage) {
        self.client.receive(ConnectionEvent::Message(Box::new(message)), self.now);
        self.flush();
    }

    fn type_line(&mut self, line: &str) {
        self.client.type_line(line);
        self.flush();
    }

    fn end_input(&mut self) {
        self.client.end_input();
        self.flush();
    }

    fn flush(&mut self) {
        let text = self.client.take_text();
        let found = text.chars().find(|c| is_unsafe(*c) && *c != '\n');
        assert_eq!(found, None, "it reached the output: {text:?}");
    }
}

/// The client that every full screen starts with.
static CLIENT: LazyLock<Client> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join("noughts-fuzz");
    let folder = folder.to_string_lossy();
    let words = ["noughts", "play", "KQRZX", "--server", "host", "--name", "Ada"];
    let words = words.into_iter().chain(["--config-dir", &*folder]);
    let args = Args::try_parse_from(words).expect("the arguments are right");
    Client::new(&args).expect("there is a folder").0
});

struct FullScreen {
    app: App,
    now: Instant,
    drawn: usize,
}

impl FullScreen {
    fn new() -> Self {
        let now = Instant::now();
        let mut app = App::new(CLIENT.clone(), 0, SIZES[0], now);
        app.take_effects();
        let mut screen = Self { app, now, drawn: 0 };
        screen.feed(welcome());
        screen
    }

    fn receive(&mut self, message: ServerMessage) {
        self.feed(ConnectionEvent::Message(Box::new(message)));
        self.draw();
    }

    fn feed(&mut self, event: ConnectionEvent) {
        let outputs = self.app.shell.session.update(Input::Connection(event), self.now);
        let happened = |output| match output {
            Output::Happened(happening) => Some(happening),
            Output::Send(_) | Output::Reconnect | Output::Forget => None,
        };
        let happenings = outputs.into_iter().filter_map(happened).collect();
        self.app.update(AppEvent::Happened(happenings), self.now);
    }

    fn type_line(&mut self, line: &str) {
        let keys = line.chars().take(64).map(|c| match c {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            '_' => KeyCode::Down,
            '~' => KeyCode::Esc,
            '|' => KeyCode::Backspace,
            other => KeyCode::Char(other),
        });
        for code in keys.chain([KeyCode::Enter]) {
            self.app.update(AppEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)), self.now);
        }
        self.draw();
    }

    /// Draws at the two sizes in turn.
    fn draw(&mut self) {
        self.drawn += 1;
        let size = SIZES[self.drawn % SIZES.len()];
        self.app.shell.size = size;
        let area = Rect::new(0, 0, size.width, size.height);
        let mut buffer = Buffer::empty(area);
        self.app.render(area, &mut buffer);
        let shown = buffer.content.iter().flat_map(|cell| cell.symbol().chars());
        shown.for_each(|c| assert!(!is_unsafe(c), "{c:?} reached the screen"));
    }
}

/// A welcome as player 1.
fn welcome() -> ConnectionEvent {
    let text = r#"{"type":"welcome","protocol":2,"player":"0000000000000001","name":"Ada",
        "token":"t","server":{"name":"S","version":"0"},"limits":{"frame_bytes":4096,
        "intent_burst":20,"intents_per_second":10,"waiting_rooms":4,"absence_ms":60000}}"#;
    match serde_json::from_str(text) {
        Ok(ServerMessage::Welcome { player, name, token, server, limits, features, .. }) => {
            ConnectionEvent::Welcome(Box::new(Welcome {
                player,
                name,
                token,
                server,
                limits,
                features,
            }))
        }
        other => panic!("no welcome: {other:?}"),
    }
}
