//! What the fuzz targets in `tests/fuzz` feed: a server's messages and typed lines into both faces
//! of the client, and the file of settings. Nothing else uses it.

use std::sync::LazyLock;
use std::time::Instant;

use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::text::is_unsafe;
use noughts_protocol::{ClientMessage, MAX_SERVER_FRAME, Refusal, RoomCode, ServerMessage};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;

use crate::app::{App, AppEvent, Effect};
use crate::args::Args;
use crate::client::Client;
use crate::config::SavedProfile;
use crate::core::{ConnectionEvent, Welcome};
use crate::ids::IntentIds;
use crate::plain;

/// Intents that may wait for an answer; further ones are as if the connection were busy.
const UNANSWERED: usize = 16;

/// A terminal of the usual size, and the smallest one that is drawn on.
const SIZES: [Size; 2] = [Size { width: 80, height: 24 }, Size { width: 24, height: 10 }];

/// Reads a file of settings; what is read can be used and written.
pub fn settings(text: &str) {
    let Ok(remembered) = serde_json::from_str::<SavedProfile>(text) else { return };
    let server = remembered.server();
    server.iter().for_each(|server| drop(remembered.token(server).cloned()));
    let written = serde_json::to_string(&remembered).expect("settings can be written");
    assert_eq!(serde_json::from_str::<SavedProfile>(&written).ok(), Some(remembered));
}

/// Feeds lines to the client in lines of text and to the full screen: those that begin with `{`
/// are a server's messages, others are typed.
///
/// # Panics
/// Where something from the server could move a cursor.
pub fn client(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let ids = || IntentIds::starting_at(0);
    let mut plain = plain::fuzzing::Lines::new(ids());
    let mut screen = Screen::new(ids());
    for line in text.lines() {
        if line.starts_with('{') && line.len() <= MAX_SERVER_FRAME {
            let Ok(message) = serde_json::from_str::<ServerMessage>(line) else { continue };
            plain.hear(message.clone());
            screen.hear(message);
        } else {
            plain.typed(line);
            screen.typed(line);
        }
    }
    plain.all_typed(input);
}

/// What every run of the full screen begins with.
static CLIENT: LazyLock<Client> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join("noughts-fuzz");
    let folder = folder.to_string_lossy();
    let words = ["noughts", "play", "KQRZX", "--server", "host", "--name", "Ada"];
    let words = words.into_iter().chain(["--config-dir", &*folder]);
    let args = Args::try_parse_from(words).expect("the arguments are right");
    Client::new(&args).expect("there is a folder")
});

/// The full screen with a server.
struct Screen {
    app: App,
    now: Instant,
    unanswered: Unanswered,
    drawn: usize,
}

impl Screen {
    fn new(ids: IntentIds) -> Self {
        let now = Instant::now();
        let mut app = App::new(&CLIENT, ids, SIZES[0], now);
        app.take_effects();
        let mut screen = Self { app, now, unanswered: Unanswered::default(), drawn: 0 };
        screen.update(AppEvent::Connection(Box::new(welcome())));
        screen
    }

    fn hear(&mut self, message: ServerMessage) {
        if let Some(incoming) = self.unanswered.incoming(message) {
            self.update(AppEvent::Connection(Box::new(incoming)));
            self.draw();
        }
    }

    fn typed(&mut self, line: &str) {
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
            self.update(AppEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
        self.draw();
    }

    fn update(&mut self, event: AppEvent) {
        for effect in self.app.update(event, self.now) {
            if let Effect::Send(intent) = effect
                && let Err(intent) = self.unanswered.sent(intent)
            {
                self.app.not_sent(&intent, "busy");
            }
        }
    }

    /// Draws for the two sizes in turn.
    fn draw(&mut self) {
        self.drawn += 1;
        let size = SIZES[self.drawn % SIZES.len()];
        self.app.size = size;
        let area = Rect::new(0, 0, size.width, size.height);
        let mut buffer = Buffer::empty(area);
        self.app.render(area, &mut buffer);
        let shown = buffer.content.iter().flat_map(|cell| cell.symbol().chars());
        shown.for_each(|c| assert!(!is_unsafe(c), "{c:?} reached the screen"));
    }
}

/// The intents that a server may answer.
#[derive(Debug, Default)]
pub(crate) struct Unanswered(Vec<ClientMessage>);

impl Unanswered {
    /// Notes an intent, or gives it back where there are too many.
    pub(crate) fn sent(&mut self, intent: ClientMessage) -> Result<(), ClientMessage> {
        if self.0.len() >= UNANSWERED {
            return Err(intent);
        }
        self.0.push(intent);
        Ok(())
    }

    /// What the connection makes of a message.
    pub(crate) fn incoming(&mut self, message: ServerMessage) -> Option<ConnectionEvent> {
        let (id, answer): (_, Result<Option<RoomCode>, Refusal>) = match message {
            ServerMessage::Ok { id, room } => (id, Ok(room)),
            ServerMessage::Refused { id: Some(id), code, message } => {
                (id, Err(Refusal { code, message }))
            }
            message => return Some(ConnectionEvent::Message(message)),
        };
        let place = self.0.iter().position(|intent| intent.id() == Some(id))?;
        Some(ConnectionEvent::Answered { intent: self.0.remove(place), answer })
    }
}

/// A welcome as player 1.
pub(crate) fn welcome() -> ConnectionEvent {
    let text = r#"{"type":"welcome","protocol":1,"player":"0000000000000001","name":"Ada",
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
