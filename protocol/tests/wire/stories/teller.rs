//! Tells a story, step by step: what the client is told comes from the [`Server`], what it shows from the
//! [`Client`], and what it must send is said by the story.

use std::borrow::Borrow;
use std::fmt::Write;

use noughts_protocol::{
    Cell, ClientMessage, Features, IntentId, Limits, LobbyIntent, Mark, OpeningChoice, PlayerId,
    RefusalCode, Role, RoomCode, RoomIntent, RoomSettings, Said, ServerInfo, ServerMessage,
};

use super::client::{Client, Input, Output, Phase, json, with_id};
use super::server::{ADA, BEN, Server, refused};

/// The time from one step to the next.
const STEP_MS: u64 = 10;

pub(super) const CODE: &str = "KQRZX";

pub(super) fn code(text: &str) -> RoomCode {
    text.parse().expect("a code")
}

pub(super) struct Story {
    pub(super) name: String,
    pub(super) now: u64,
    pub(super) client: Client,
    pub(super) server: Server,
    /// The player whom the server welcomes.
    pub(super) player: PlayerId,
    /// The features that the host has left on.
    pub(super) features: Features,
    /// What the client has sent and the server has not read.
    pub(super) to_server: Vec<ClientMessage>,
    /// Whether the story must say what is sent. Random stories do not.
    pub(super) is_told: bool,
    last: Output,
    /// What is sent must still be said.
    unsaid: bool,
    shown: Vec<(&'static str, String)>,
    steps: Vec<String>,
}

/// A short text of a message: `3 play 4`, `4 join KQRZX spectator`.
fn brief(message: &ClientMessage) -> String {
    let id = message.id().map_or(0, u64::from);
    let text = match message {
        ClientMessage::Room { intent, room, .. } => match intent {
            RoomIntent::Play { cell, .. } => format!("play {}", cell.0),
            RoomIntent::Choose { choice, .. } => format!("choose {}", json(choice)),
            RoomIntent::Resign { game } => format!("resign {game}"),
            RoomIntent::Rematch { offer: true, series: None, .. } => "rematch".into(),
            RoomIntent::Rematch { offer: true, series: Some(series), .. } => {
                format!("rematch to {}", json(&series.first_to))
            }
            RoomIntent::Rematch { offer: false, .. } => "rematch back".into(),
            RoomIntent::Pace { pace } => format!("pace {}", json(pace)),
            RoomIntent::Step { game, ply } => format!("step {game} {ply}"),
            RoomIntent::Claim { result, .. } => format!("claim {}", json(result)),
            RoomIntent::Hint { .. } => "hint".into(),
            RoomIntent::Review { game } => format!("review {game}"),
            RoomIntent::Say { said } => format!("say {}", json(said)),
            RoomIntent::Mute { player, mute } => format!("mute {player} {mute}"),
            RoomIntent::Leave => format!("leave {room}"),
            RoomIntent::Sync => format!("sync {room}"),
        },
        ClientMessage::Lobby { intent, .. } => match intent {
            LobbyIntent::Join { room, role } => format!("join {room} {}", json(role)),
            intent => serde_json::to_value(intent).expect("JSON")["type"].to_string(),
        },
        ClientMessage::Party { intent, party, .. } => {
            format!("{} {party}", serde_json::to_value(intent).expect("JSON")["type"])
        }
        ClientMessage::Hello(_) => "hello".into(),
    };
    format!("{id} {}", text.replace('"', ""))
}

impl Story {
    /// A client that has not heard of its server yet.
    pub(super) fn new(name: &str) -> Self {
        Self::with_settings(name, RoomSettings::default())
    }

    pub(super) fn with_settings(name: &str, settings: RoomSettings) -> Self {
        let id = IntentId::try_from(1).expect("a small number");
        Self {
            name: name.into(),
            now: 0,
            client: Client::new(id),
            server: Server::new(code(CODE), settings),
            player: ADA,
            features: Features::default(),
            to_server: Vec::new(),
            is_told: true,
            last: Output::default(),
            unsaid: false,
            shown: Vec::new(),
            steps: Vec::new(),
        }
    }

    // One step.

    pub(super) fn step(&mut self, input: Input) -> &mut Self {
        assert!(!self.unsaid, "{}: say what is sent: {:?}", self.name, self.sent());
        let does = match &input {
            Input::Welcome(message) => format!(r#"{{"welcome":{}}}"#, json(message)),
            Input::Told(message) => format!(r#"{{"told":{}}}"#, json(message)),
            Input::Asked(message) => {
                let message = with_id(message.clone(), 0.try_into().expect("0 is an id"));
                format!(r#"{{"asked":{}}}"#, json(&message).replacen(r#","id":0"#, "", 1))
            }
            Input::Broke => r#""broke""#.into(),
            Input::Ended => r#""ended""#.into(),
            Input::Time => r#""time""#.into(),
        };
        let asked = matches!(input, Input::Asked(_));
        let output = self.client.update(input, self.now);
        self.write(&does, &output);
        self.unsaid = self.is_told && !asked && !output.sent.is_empty();
        self.to_server.extend(output.sent.iter().cloned());
        self.last = output;
        self.now += STEP_MS;
        self
    }

    fn write(&mut self, does: &str, output: &Output) {
        let mut step = format!(r#"    {{"at":{},"do":{does}"#, self.now);
        let mut field = |name: &str, value: &str| {
            write!(step, r#","{name}":{value}"#).expect("text can be written");
        };
        if !output.sent.is_empty() {
            field("sent", &json(&output.sent));
        }
        if output.reconnects {
            field("reconnects", "true");
        }
        // What is applied is not listed: some clients have no use for it.
        let happened: Vec<_> = output.happened.iter().filter(|what| **what != "applied").collect();
        if !happened.is_empty() {
            field("happened", &json(&happened));
        }
        let shows = self.client.shows();
        let changed = shows.iter().filter(|shown| !self.shown.contains(shown));
        let changed: Vec<_> = changed.map(|(key, value)| format!(r#""{key}":{value}"#)).collect();
        if !changed.is_empty() {
            field("shows", &format!("{{{}}}", changed.join(",")));
        }
        self.shown = shows;
        self.steps.push(step + "}");
    }

    fn sent(&self) -> Vec<String> {
        self.last.sent.iter().map(brief).collect()
    }

    /// What the last step must have sent.
    #[track_caller]
    pub(super) fn sends(&mut self, expected: &[&str]) -> &mut Self {
        assert_eq!(self.sent(), expected, "{}", self.name);
        self.unsaid = false;
        self
    }

    /// What must have happened in the last step.
    #[track_caller]
    pub(super) fn happens(&mut self, expected: &[&str]) -> &mut Self {
        assert_eq!(self.last.happened, expected, "{}", self.name);
        self
    }

    /// What is shown now under a key.
    #[track_caller]
    pub(super) fn shows(&mut self, key: &str, value: &str) -> &mut Self {
        let shown = self.shown.iter().find(|(name, _)| *name == key).expect("a key");
        assert_eq!(shown.1, value, "{}: {key}", self.name);
        self
    }

    // The connection.

    pub(super) fn welcome(&mut self) -> &mut Self {
        let limits = Limits {
            frame_bytes: 4096,
            intent_burst: 20,
            intents_per_second: 10,
            waiting_rooms: 4,
            rooms: 32,
            rooms_per_minute: 20,
            absence_ms: 60_000,
        };
        let server = ServerInfo {
            name: "Grace's games".to_owned().into(),
            version: "0.1.0".to_owned().into(),
            url: None,
            public: false,
            nodes: Vec::new(),
        };
        let token = "8f14e45fceea167a.3q2-7wAAAAD_ZXhhbXBsZQ".parse().expect("a token");
        self.step(Input::Welcome(ServerMessage::Welcome {
            protocol: noughts_protocol::PROTOCOL_VERSION,
            player: self.player,
            name: "Ada".parse().expect("a name"),
            token,
            server,
            limits,
            features: self.features,
        }))
    }

    /// The connection breaks; what was on its way is lost.
    pub(super) fn breaks(&mut self) -> &mut Self {
        self.to_server.clear();
        self.server.told.clear();
        self.server.member = false;
        self.server.party.iter_mut().for_each(|party| party.followed = false);
        self.step(Input::Broke)
    }

    pub(super) fn waits(&mut self, ms: u64) -> &mut Self {
        self.now += ms;
        self
    }

    /// The client's timer fires now.
    pub(super) fn time(&mut self) -> &mut Self {
        self.step(Input::Time)
    }

    // The client's player.

    /// What is asked is sent as it is, once the connection is there, unless something forbids it.
    pub(super) fn asks(&mut self, message: ClientMessage) -> &mut Self {
        let is_sent = self.client.phase == Phase::Open;
        self.step(Input::Asked(message.clone()));
        let Output { sent, happened, .. } = &self.last;
        let id = sent.first().and_then(ClientMessage::id);
        let expected = id.map(|id| with_id(message, id));
        assert_eq!(sent.len(), usize::from(is_sent && happened.is_empty()), "{}", self.name);
        assert_eq!(sent.first(), expected.as_ref(), "{}", self.name);
        self
    }

    pub(super) fn asks_room(&mut self, intent: RoomIntent) -> &mut Self {
        let (room, id) = (self.server.room.code, 0.try_into().expect("0 is an id"));
        self.asks(ClientMessage::Room { intent, id, room })
    }

    pub(super) fn asks_lobby(&mut self, intent: LobbyIntent) -> &mut Self {
        self.asks(ClientMessage::Lobby { intent, id: 0.try_into().expect("0 is an id") })
    }

    /// Plays a cell at the game and the ply that are shown.
    pub(super) fn plays(&mut self, cell: u16) -> &mut Self {
        let last = self.client.room.as_ref().and_then(|view| view.state.game.as_ref());
        let (game, ply) = last.map_or((1, 0), |last| (last.number, last.game.ply()));
        self.asks_room(RoomIntent::Play { game, ply, cell: Cell(cell) })
    }

    pub(super) fn joins(&mut self, room: &str, role: Role) -> &mut Self {
        self.asks_lobby(LobbyIntent::Join { room: code(room), role })
    }

    // The server.

    pub(super) fn told(&mut self, message: ServerMessage) -> &mut Self {
        self.step(Input::Told(message))
    }

    /// What the server has told arrives.
    pub(super) fn hears(&mut self) -> &mut Self {
        let mut told = std::mem::take(&mut self.server.told);
        if self.client.phase != Phase::Open {
            told.clear();
        }
        for message in told {
            self.told(message);
        }
        self
    }

    /// What the server has told is lost.
    pub(super) fn misses(&mut self) -> &mut Self {
        self.server.told.clear();
        self
    }

    /// The server answers all that it was asked, and nothing has arrived yet.
    pub(super) fn answers_unheard(&mut self) -> &mut Self {
        for message in std::mem::take(&mut self.to_server) {
            self.server.serve(&message, self.now);
        }
        self
    }

    /// The server answers the oldest thing that it was asked.
    pub(super) fn answers_one(&mut self) -> &mut Self {
        let message = self.to_server.remove(0);
        self.server.serve(&message, self.now);
        self.hears()
    }

    /// The server answers all that it was asked.
    pub(super) fn answers(&mut self) -> &mut Self {
        self.answers_unheard().hears()
    }

    /// The server refuses the oldest thing that it was asked.
    pub(super) fn refuses(&mut self, code: RefusalCode) -> &mut Self {
        let message = self.to_server.remove(0);
        self.told(refused(message.id(), code))
    }

    /// The server answers the oldest thing with `ok` alone.
    pub(super) fn grants(&mut self, room: Option<&str>) -> &mut Self {
        let id = self.to_server.remove(0).id().expect("an intent");
        self.told(ServerMessage::Ok { id, room: room.map(code), party: None })
    }

    /// A heartbeat.
    pub(super) fn pong(&mut self) -> &mut Self {
        self.server.pong();
        self.hears()
    }

    // The opponent.

    pub(super) fn ben(&mut self, intent: impl Borrow<RoomIntent>) -> &mut Self {
        let acted = self.server.act(BEN, intent.borrow(), self.now);
        acted.unwrap_or_else(|why| panic!("{}: Ben is refused: {why:?}", self.name));
        self.hears()
    }

    /// Whoever's turn it is plays, on a device that is not the client's.
    pub(super) fn other_plays(&mut self, cell: u16) -> &mut Self {
        let placed = self.server.place(Cell(cell), self.now);
        placed.unwrap_or_else(|why| panic!("{}: {cell}: {why:?}", self.name));
        self.hears()
    }

    pub(super) fn other_chooses(&mut self, choice: OpeningChoice) -> &mut Self {
        self.server.choose(choice, self.now).expect("a possible choice");
        self.hears()
    }

    /// Somebody says a text.
    pub(super) fn says(&mut self, player: PlayerId, text: &str) -> &mut Self {
        self.server.say(player, Said::Text(text.parse().expect("a text")));
        self.hears()
    }

    // What many stories begin with.

    /// Ada has made the room and waits in it, in the seat of X. Ids 1 is used.
    pub(super) fn waiting(&mut self) -> &mut Self {
        let settings = self.server.room.settings;
        let seats = noughts_protocol::ByMark::default();
        self.welcome().asks_lobby(LobbyIntent::Create { settings, seats, shuffle: false });
        self.answers()
    }

    /// Ada has made a room, Ben has come, and the first game runs. Id 1 is used.
    pub(super) fn playing(&mut self) -> &mut Self {
        self.waiting();
        self.server.seat(Mark::O, super::server::human(BEN, "Ben Łoś"), self.now);
        self.hears()
    }

    /// Ada watches a game of Ben with a computer. Id 1 is used.
    pub(super) fn watching(&mut self) -> &mut Self {
        self.server.seat(Mark::X, super::server::human(BEN, "Ben Łoś"), self.now);
        self.server.seat(Mark::O, noughts_protocol::Seat::Computer(Default::default()), self.now);
        self.welcome().joins(CODE, Role::Spectator).answers()
    }

    /// Ada has made a room in which two computers play, and watches. Id 1 is used.
    pub(super) fn exhibition(&mut self) -> &mut Self {
        let computer = noughts_protocol::SeatRequest::Computer(Default::default());
        let seats = noughts_protocol::ByMark { x: computer, o: computer };
        let settings = self.server.room.settings;
        self.welcome().asks_lobby(LobbyIntent::Create { settings, seats, shuffle: false });
        self.answers()
    }

    /// The text of the story for its file.
    pub(super) fn text(&mut self) -> String {
        assert!(!self.unsaid, "{}: say what is sent: {:?}", self.name, self.sent());
        let name = json(&self.name);
        format!("  {{\"story\":{name},\"next_id\":1,\"steps\":[\n{}\n  ]}}", self.steps.join(",\n"))
    }

    /// How many steps the story has.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }
}
