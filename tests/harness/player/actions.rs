//! The actions of a player: each sends an intent and waits for its result.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, ChatLine, ClientMessage, LobbyIntent, PassCode, PlayerId, Role,
    RoomCode, RoomIntent, RoomSettings, RoomState, Said, SeatRequest, Variant,
};

use super::{Answer, Player};

impl Player {
    /// Makes a room and enters it.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn create(&mut self, settings: RoomSettings, seats: ByMark<SeatRequest>) -> RoomCode {
        let create = LobbyIntent::Create { settings, seats, shuffle: false };
        let code = self.ask_lobby(create).await.unwrap().unwrap();
        self.until("the snapshot", |p| p.room.as_ref().is_some_and(|r| r.code == code)).await;
        code
    }

    /// Makes a room with the default settings, as X.
    pub async fn host(&mut self) -> RoomCode {
        self.create(RoomSettings::default(), ByMark::default()).await
    }

    /// Asks for a room with the default settings, which may be refused.
    pub async fn try_host(&mut self) -> Answer {
        let settings = RoomSettings::default();
        let seats = ByMark::default();
        self.ask_lobby(LobbyIntent::Create { settings, seats, shuffle: false }).await
    }

    /// Enters a room.
    pub async fn join(&mut self, room: RoomCode, role: Role) -> Answer {
        let answer = self.ask_lobby(LobbyIntent::Join { room, role }).await;
        if answer.is_ok() {
            self.until("the snapshot", |p| p.room.as_ref().is_some_and(|r| r.code == room)).await;
        }
        answer
    }

    /// Forgets the room and asks for a new snapshot of it.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn sync(&mut self) {
        let sync = self.room_message(RoomIntent::Sync);
        (self.room, self.move_ms_left) = (None, None);
        self.ask(sync).await.unwrap();
        self.until("the snapshot", |p| p.room.is_some()).await;
    }

    /// The message for a move in the current game at the current ply.
    pub fn move_to(&mut self, cell: u16) -> ClientMessage {
        let game = self.number();
        let ply = self.game().ply();
        self.room_message(RoomIntent::Play { game, ply, cell: Cell(cell), placed: None })
    }

    /// Waits for its turn and plays a cell (0-based).
    pub async fn play(&mut self, cell: u16) -> Answer {
        self.until("my turn", Self::is_my_turn).await;
        let ply = self.game().ply();
        let play = self.move_to(cell);
        let answer = self.ask(play).await;
        if answer.is_ok() {
            self.until("my move", |p| p.game().ply() > ply).await;
        }
        answer
    }

    /// Says a text.
    ///
    /// # Panics
    /// If it is no text that may be said.
    pub async fn say(&mut self, text: &str) -> Answer {
        let said = Said::Text(text.parse().unwrap());
        self.ask_room(RoomIntent::Say { said }).await
    }

    /// Mutes somebody, or no more.
    pub async fn mute(&mut self, player: PlayerId, mute: bool) -> Answer {
        self.ask_room(RoomIntent::Mute { player, mute }).await
    }

    /// Waits until it has heard this last.
    pub async fn until_heard(&mut self, text: &str) {
        let heard =
            |line: &ChatLine| matches!(&line.said, Said::Text(said) if said.as_str() == text);
        self.until(text, |p| p.chat.last().is_some_and(heard)).await;
    }

    /// Everything that it has heard, in the order in which it came: `Ada: hi`, `Bob: Wow`.
    #[must_use]
    pub fn heard(&self) -> Vec<String> {
        let line = |line: &ChatLine| match &line.said {
            Said::Text(text) => format!("{}: {text}", line.name),
            Said::Emote(emote) => format!("{}: {emote:?}", line.name),
        };
        self.chat.iter().map(line).collect()
    }

    /// Resigns.
    pub async fn resign(&mut self) -> Answer {
        let game = self.number();
        self.ask_room(RoomIntent::Resign { game }).await
    }

    /// Offers or accepts a rematch, or takes the offer back.
    pub async fn rematch(&mut self, offer: bool) -> Answer {
        let game = self.number();
        self.ask_room(RoomIntent::Rematch { game, offer, series: None }).await
    }

    /// Asks for a hint and waits for it, unless it is refused.
    pub async fn hint(&mut self) -> Answer {
        let game = self.number();
        let had = self.hints.len();
        let answer = self.ask_room(RoomIntent::Hint { game }).await;
        if answer.is_ok() {
            self.until("the hint", |p| p.hints.len() > had).await;
        }
        answer
    }

    /// Asks for the review of a game and waits for it, unless it is refused.
    pub async fn review(&mut self, game: u32) -> Answer {
        let had = self.reviews.len();
        let answer = self.ask_room(RoomIntent::Review { game }).await;
        if answer.is_ok() {
            self.until("the review", |p| p.reviews.len() > had).await;
        }
        answer
    }

    /// Asks for a pass and waits for it.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn ask_pass(&mut self) -> PassCode {
        self.pass = None;
        self.ask_lobby(LobbyIntent::Pass).await.unwrap();
        // A used pass is told again, with no time left.
        self.until("the pass", |p| p.pass.as_ref().is_some_and(|(_, left)| *left > 0)).await;
        self.pass.clone().unwrap().0
    }

    /// Leaves the room.
    pub async fn leave(&mut self) -> Answer {
        let answer = self.ask_room(RoomIntent::Leave).await;
        self.room = None;
        answer
    }

    /// Asks for a quick match of tic-tac-toe.
    pub async fn quick_match(&mut self) -> Answer {
        self.ask_lobby(quick(BoardSpec::default())).await
    }

    /// Waits until a game is running.
    pub async fn until_running(&mut self) {
        self.until("a running game", |p| p.room.as_ref().is_some_and(RoomState::is_running)).await;
    }

    /// Waits until the current game is over.
    pub async fn until_over(&mut self) {
        self.until("a result", |p| p.result().is_some()).await;
    }
}

/// The wish for a quick match on a board.
#[must_use]
pub const fn quick(board: BoardSpec) -> LobbyIntent {
    let variant = Variant::Line;
    LobbyIntent::QuickMatch { board, variant, move_time_ms: None, computer: None }
}

/// The settings of a room in the public list.
#[must_use]
pub fn listed() -> RoomSettings {
    RoomSettings { listed: true, ..RoomSettings::default() }
}

/// Two players want another game, and wait for it.
///
/// # Panics
/// If a wish is refused, or if it does not begin.
pub async fn play_again(one: &mut Player, other: &mut Player) {
    let number = one.number();
    for player in [&mut *one, &mut *other] {
        player.rematch(true).await.unwrap();
    }
    for player in [one, other] {
        player.until("the next game", |p| p.number() > number).await;
    }
}

/// Two players play cells in turn.
///
/// # Panics
/// If a move is refused.
pub async fn play_out(one: &mut Player, other: &mut Player, cells: &[u16]) {
    one.until_running().await;
    other.until_running().await;
    for &cell in cells {
        let ply = one.game().ply();
        let turn = one.state().turn().unwrap();
        let (mover, waiter) = if one.marks().contains(&turn) {
            (&mut *one, &mut *other)
        } else {
            (&mut *other, &mut *one)
        };
        mover.play(cell).await.unwrap();
        waiter.until("the move", |p| p.game().ply() > ply).await;
    }
}

/// A player plays the last empty cells until the end of the game: a program that plays the first ones wins soon.
///
/// # Panics
/// If a move is refused.
pub async fn play_to_the_end(player: &mut Player) {
    loop {
        player.until("my turn or the end", |p| p.is_my_turn() || p.result().is_some()).await;
        if player.result().is_some() {
            return;
        }
        let cell = player.game().board().empty_cells().last().unwrap();
        player.play(cell.0).await.unwrap();
    }
}
