//! The client's private parts: a server's messages and typed lines go into its two interfaces, the full
//! screen and the conversation in lines of text; and the player's file is read. Compiled as
//! `noughts_cli::fuzzing` with the feature `fuzzing` alone.

use std::sync::LazyLock;
use std::time::Instant;

use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use futures::FutureExt;
use noughts_client::address::ServerAddress;
use noughts_client::session::{ConnectionEvent, Input, Output, Welcome};
use noughts_protocol::text::is_unsafe;
use noughts_protocol::{MAX_SERVER_FRAME, Role, ServerMessage};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;

use crate::action::Action;
use crate::args::Args;
use crate::client::Client;
use crate::config::SavedProfile;
use crate::plain::input::LineReader;
use crate::plain::view::PlainView;
use crate::tui::app::{App, AppEvent};
pub use ssh::ssh;

mod ssh;

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
    let mut reader = LineReader::new(input);
    while let Some(Some(line)) = reader.next().now_or_never() {
        lines.type_line(&line);
    }
    lines.end_input();
}

/// Reads a player's file.
///
/// # Panics
/// If a profile that was read is not read again from its text.
pub fn profile(text: &str) {
    let Ok(saved) = serde_json::from_str::<SavedProfile>(text) else { return };
    let server = saved.server();
    server.iter().for_each(|server| drop(saved.token(server).cloned()));
    let written = serde_json::to_string(&saved).expect("a profile can be written");
    assert_eq!(serde_json::from_str::<SavedProfile>(&written).ok(), Some(saved));
}

/// The conversation in lines of text, in the room `KQRZX`.
struct Lines {
    view: PlainView,
}

impl Lines {
    fn new() -> Self {
        let room = "KQRZX".parse().expect("a code");
        let action = Action::join(room, Role::Player);
        let view = PlainView::new(action, ServerAddress::default(), 0, false);
        let mut lines = Self { view };
        lines.feed(welcome());
        lines
    }

    fn receive(&mut self, message: ServerMessage) {
        self.feed(ConnectionEvent::Message(Box::new(message)));
    }

    fn feed(&mut self, event: ConnectionEvent) {
        let happenings = self.view.console.update(Input::Connection(event));
        self.view.happened(happenings);
        self.flush();
    }

    /// Types a line, if the client reads input now.
    fn type_line(&mut self, line: &str) {
        if self.view.wants_line() {
            self.view.line(line.to_owned());
        }
        self.flush();
    }

    fn end_input(&mut self) {
        self.view.end_of_input();
        self.flush();
    }

    fn flush(&mut self) {
        self.view.console.take_messages();
        let text = self.view.console.take_text();
        self.view.exit();
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
    let message = serde_json::from_str(text).expect("a message");
    ConnectionEvent::Welcome(Box::new(Welcome::of(message).expect("a welcome")))
}
