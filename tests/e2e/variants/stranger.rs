//! A client without rules, as a stranger would write it: it reads JSON, draws what it is told, and plays any
//! of the cells and marks that it is told it may play. It knows the name of no variant.

use noughts_harness::{ServerProcess, Stranger as Socket};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// A game as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drawing {
    /// The mark on each cell; null for none.
    pub(super) cells: Vec<Value>,
    /// The marks placed so far.
    pub(super) ply: usize,
    /// The side that moves first, `x` or `o`.
    first: String,
    playable: Value,
    /// Null while the game goes on.
    pub(super) result: Value,
}

impl Drawing {
    /// An empty board.
    pub(super) fn new(board: &Value, first: &Value) -> Self {
        let side = |name: &str| board[name].as_u64().unwrap() as usize;
        Self {
            cells: vec![Value::Null; side("width") * side("height")],
            ply: 0,
            first: first.as_str().unwrap().to_owned(),
            playable: Value::Null,
            result: Value::Null,
        }
    }

    /// The game of a record: of a snapshot, or a kept one.
    pub(super) fn of(board: &Value, record: &Value) -> Self {
        let mut drawing = Self::new(board, &record["first"]);
        let no_effects = Vec::new();
        let effects = record["effects"].as_array().unwrap_or(&no_effects);
        for (ply, cell) in record["moves"].as_array().unwrap().iter().enumerate() {
            let effect = effects.iter().find(|effect| effect["ply"] == ply).unwrap_or(&Value::Null);
            drawing.place(cell, &record["placed"][ply], effect);
        }
        drawing.playable = record["playable"].clone();
        drawing.result = record["result"].clone();
        drawing
    }

    fn place(&mut self, cell: &Value, placed: &Value, effect: &Value) {
        if let Some(removed) = effect["removed"].as_u64() {
            self.cells[removed as usize] = Value::Null;
        }
        let own = Value::from(self.turn());
        self.cells[cell.as_u64().unwrap() as usize] =
            if placed.is_null() { own } else { placed.clone() };
        self.ply += 1;
    }

    /// The side to move.
    fn turn(&self) -> &str {
        match (self.ply.is_multiple_of(2), &*self.first) {
            (true, first) => first,
            (false, "x") => "o",
            (false, _) => "x",
        }
    }

    /// A cell that may be played, and the mark if there are some to choose from.
    fn choose(&self, rng: &mut StdRng) -> (Value, Value) {
        let mut empty = (0..self.cells.len()).filter(|cell| self.cells[*cell].is_null());
        let cell = match self.playable["cells"].as_array() {
            Some(cells) => cells.choose(rng).unwrap().clone(),
            None => Value::from(empty.by_ref().choose(rng).unwrap()),
        };
        let marks = self.playable["marks"].as_array();
        (cell, marks.and_then(|marks| marks.choose(rng)).cloned().unwrap_or_default())
    }
}

/// A stranger's program, over all its connections.
pub(super) struct Stranger {
    socket: Socket,
    name: String,
    token: Value,
    player: Value,
    next_id: u64,
    rng: StdRng,
    /// The last snapshot without its game.
    room: Value,
    /// The game that is drawn.
    pub(super) game: Option<Drawing>,
    /// The id of the last game, once it is kept.
    pub(super) kept: Value,
}

impl Stranger {
    pub(super) async fn new(server: &ServerProcess, name: &str, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let (socket, welcome) = greet(server, name, &Value::Null).await;
        Self {
            socket,
            name: name.to_owned(),
            token: welcome["token"].clone(),
            player: welcome["player"].clone(),
            next_id: rng.random_range(0..1 << 50),
            rng,
            room: Value::Null,
            game: None,
            kept: Value::Null,
        }
    }

    /// Comes back after the server was killed. The board drawn anew is the one before.
    pub(super) async fn come_back(&mut self, server: &ServerProcess) {
        self.socket = greet(server, &self.name, &self.token).await.0;
        let before = self.game.take();
        let room = self.code();
        self.ask(json!({"type": "join", "room": room, "role": "player"})).await;
        while self.game.is_none() {
            self.read().await;
        }
        assert_eq!(self.game, before, "{room}");
    }

    /// Makes a room.
    pub(super) async fn create(&mut self, settings: Value) -> Value {
        self.ask(json!({"type": "create", "settings": settings})).await;
        while self.room.is_null() {
            self.read().await;
        }
        self.code()
    }

    /// Joins a room.
    pub(super) async fn join(&mut self, room: Value) {
        self.ask(json!({"type": "join", "room": room, "role": "player"})).await;
    }

    /// The room's code.
    pub(super) fn code(&self) -> Value {
        self.room["room"].clone()
    }

    /// Plays until so many marks are placed, or the game is over.
    pub(super) async fn play(&mut self, plies: usize) {
        loop {
            let Some(game) = &self.game else {
                self.read().await;
                continue;
            };
            if game.ply >= plies || !game.result.is_null() {
                return;
            }
            if self.room["seats"][game.turn()]["player"] != self.player {
                self.read().await;
                continue;
            }
            let ply = game.ply;
            let (cell, placed) = game.choose(&mut self.rng);
            let room = self.code();
            let number = self.room["game"]["number"].clone();
            self.ask(json!({
                "type": "play", "room": room, "game": number, "ply": ply, "cell": cell, "placed": placed,
            }))
            .await;
            while self.game.as_ref().is_some_and(|game| game.ply == ply) {
                self.read().await;
            }
        }
    }

    /// Asks for the kept game, and draws it.
    pub(super) async fn look_back(&mut self) -> Drawing {
        let found = self.ask(json!({"type": "game", "game": self.kept})).await;
        let game = &found["found"]["game"];
        let record = json!({
            "first": game["first"], "moves": game["moves"], "placed": game["placed"],
            "effects": game["effects"], "result": game["summary"]["result"],
        });
        Drawing::of(&game["settings"]["board"], &record)
    }

    /// Asks, and reads on to the answer, which is no refusal.
    async fn ask(&mut self, mut intent: Value) -> Value {
        self.next_id += 1;
        intent["id"] = self.next_id.into();
        self.socket.say(&intent.to_string()).await;
        loop {
            let message = self.read().await;
            assert_ne!(message["type"], "refused", "{intent}: {message}, in {:?}", self.game);
            if message["id"] == self.next_id {
                return message;
            }
        }
    }

    /// Takes in a message.
    async fn read(&mut self) -> Value {
        let message = self.socket.next().await.unwrap();
        match message["type"].as_str().unwrap() {
            "snapshot" => {
                self.room = message.clone();
                let game = Some(&message["game"]).filter(|game| !game.is_null());
                let board = &message["settings"]["board"];
                self.game = game.map(|game| Drawing::of(board, game));
            }
            "event" => self.happened(&message["event"]),
            _ => {}
        }
        message
    }

    fn happened(&mut self, event: &Value) {
        match event["kind"].as_str().unwrap() {
            "seated" => {
                let mark = event["mark"].as_str().unwrap();
                self.room["seats"][mark] = event["seat"].clone();
            }
            "game_started" => {
                self.room["game"] = json!({"number": event["game"]});
                let mut game = Drawing::new(&self.room["settings"]["board"], &event["first"]);
                game.playable = event["playable"].clone();
                self.game = Some(game);
            }
            "moved" => {
                let game = self.game.as_mut().unwrap();
                assert_eq!(event["ply"], game.ply);
                assert_eq!(event["mark"], game.turn());
                game.place(&event["cell"], &event["placed"], &event["effect"]);
                game.playable = event["playable"].clone();
                game.result = event["over"]["result"].clone();
                self.kept = event["over"]["id"].clone();
            }
            _ => {}
        }
    }
}

async fn greet(server: &ServerProcess, name: &str, token: &Value) -> (Socket, Value) {
    let mut socket = Socket::connect(server).await;
    let hello = json!({"type": "hello", "protocol": 2, "name": name, "token": token});
    let welcome = socket.ask(&hello.to_string()).await;
    (socket, welcome)
}
