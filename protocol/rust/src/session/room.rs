//! A room from the player's side: the facts, the presence, the player's marks, and countdowns as
//! moments.

use std::mem::{self, discriminant};
use std::time::{Duration, Instant};

use noughts_protocol::{
    ByMark, Cell, Evaluation, Event, Hint, LONG_MOVE_MS, Mark, OpeningPhase, OutOfStep, Playable,
    PlayerId, Presence, Review, RoomState, Seat, SeatPresence, Series, Snapshot, Strength, Variant,
};

use super::Chat;

/// A room from the player's side.
#[derive(Debug, Clone)]
pub struct RoomView {
    /// The state that everybody shares.
    pub state: RoomState,
    /// The player's marks: both if they play both sides, none if they watch.
    pub mine: Vec<Mark>,
    /// The presence, as it was last told.
    pub presence: Presence,
    /// When that was told.
    presence_at: Instant,
    /// When the time for the move ends, if there is a limit.
    pub move_ends: Option<Instant>,
    /// The time for the move on a clock that the host of the party has stopped.
    pub stands_at: Option<Duration>,
    player: Option<PlayerId>,
    /// The last hint, also after its position has passed.
    pub(super) hint: Option<Hint>,
    /// The last evaluation, also after its position has passed.
    pub(super) evaluation: Option<Evaluation>,
    /// The last review of a game.
    pub review: Option<Review>,
    /// The talk in the room.
    pub chat: Chat,
    /// The wins in a row of the side that won the last game. It counts the games that this client has seen.
    pub(super) streak: Option<Streak>,
}

/// Games that one side has won in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Streak {
    /// `None` for a computer.
    by: Option<PlayerId>,
    /// The mark of the last win.
    pub(super) mark: Mark,
    pub(super) wins: u32,
}

/// A change of the presence, which people are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresenceChange {
    /// A player went away or came back.
    Seat {
        /// The player's mark.
        mark: Mark,
        /// How the player is now.
        presence: SeatPresence,
    },
    /// A player offers a rematch, or the offer has ended.
    Rematch {
        /// The player's mark.
        mark: Mark,
        /// Whether it is offered.
        offered: bool,
        /// The new series that the offer asks for.
        series: Option<Series>,
    },
    /// The players have other ratings, or the game is rated or not.
    Ratings,
    /// A player asks to take back a move, or does not any more.
    TakeBack {
        /// The player's mark.
        mark: Mark,
        /// Whether the player asks.
        asks: bool,
    },
    /// This player asked to take back a move or for a rematch, and the opponent with this mark has said no.
    Declined(Mark),
    /// A player has taken a hint.
    Hint(Mark),
}

impl RoomView {
    /// The room of a snapshot that came now. `player` is this player.
    ///
    /// # Errors
    /// If the snapshot's moves break the rules.
    pub fn new(
        snapshot: &Snapshot,
        player: Option<PlayerId>,
        now: Instant,
    ) -> Result<Self, OutOfStep> {
        let mut view = Self {
            state: RoomState::from_snapshot(snapshot)?,
            mine: Vec::new(),
            presence: snapshot.presence,
            presence_at: now,
            move_ends: None,
            stands_at: None,
            player,
            hint: None,
            evaluation: None,
            review: None,
            chat: Chat::default(),
            streak: None,
        };
        view.set_clock(snapshot.move_ms_left, now);
        view.find_marks();
        Ok(view)
    }

    /// Applies an event. Returns who had the seats before.
    ///
    /// # Errors
    /// If the event does not fit. Then nothing changes.
    pub fn apply(
        &mut self,
        v: u64,
        event: &Event,
        now: Instant,
    ) -> Result<ByMark<Seat>, OutOfStep> {
        let before = self.state.seats.clone();
        self.state.apply(v, event)?;
        self.presence = self.presence.after(event, &before);
        match event {
            Event::Seated { .. } | Event::Closed { .. } => {}
            Event::Clock { move_ms_left, .. } => self.set_clock(Some(*move_ms_left), now),
            _ => self.set_clock(self.state.move_limit(), now),
        }
        if let Event::Moved { over: Some(end), .. } | Event::GameOver { end, .. } = event {
            self.streak = end.result.winner().map(|winner| self.streak_with(winner));
        }
        self.find_marks();
        Ok(before)
    }

    /// The streak after a game that this mark has won. A player may have changed sides since the last one.
    fn streak_with(&self, mark: Mark) -> Streak {
        let player = |mark: Mark| self.state.seats[mark].player();
        let by = player(mark);
        let goes_on =
            |last: &Streak| last.by == by && (last.mark == mark || player(mark.other()) != by);
        let before = self.streak.filter(goes_on).map_or(0, |last| last.wins);
        Streak { by, mark, wins: before + 1 }
    }

    /// Sets the clock of the move, which runs or stands.
    fn set_clock(&mut self, left: Option<u32>, now: Instant) {
        let left = left.map(millis);
        let stopped = self.state.clock_stopped;
        self.move_ends = left.filter(|_| !stopped).map(|left| now + left);
        self.stands_at = left.filter(|_| stopped);
    }

    /// Gives the view to this player from now on.
    pub(super) fn is_seen_by(&mut self, player: PlayerId) {
        self.player = Some(player);
        self.find_marks();
    }

    fn find_marks(&mut self) {
        let marks = self.player.map(|player| self.state.marks_of(player).collect());
        self.mine = marks.unwrap_or_default();
    }

    /// Takes over the presence. Returns what people are told about it.
    pub fn take_presence(&mut self, presence: Presence, now: Instant) -> Vec<PresenceChange> {
        let before = mem::replace(&mut self.presence, presence);
        self.presence_at = now;
        let mut changes = Vec::new();
        for mark in Mark::BOTH {
            let was = before.seats[mark].unwrap_or(SeatPresence::Connected);
            if let Some(presence) = self.seat_presence(mark)
                && discriminant(&presence) != discriminant(&was)
            {
                changes.push(PresenceChange::Seat { mark, presence });
            }
        }
        if (before.rematch, before.series) != (presence.rematch, presence.series) {
            let offer = |mark, offered, series| PresenceChange::Rematch { mark, offered, series };
            // A counter-offer ends the other one without a word.
            let ended = before.rematch.filter(|_| presence.rematch.is_none());
            changes.extend(ended.map(|mark| offer(mark, false, None)));
            changes.extend(presence.rematch.map(|mark| offer(mark, true, presence.series)));
        }
        let is_news = presence.ratings.is_some() && before.ratings != presence.ratings;
        changes.extend(is_news.then_some(PresenceChange::Ratings));
        if before.take_back != presence.take_back {
            let ended = before.take_back.map(|mark| (mark, false));
            let begun = presence.take_back.map(|mark| (mark, true));
            let asked = ended.into_iter().chain(begun);
            changes.extend(asked.map(|(mark, asks)| PresenceChange::TakeBack { mark, asks }));
        }
        let taken = |presence: &Presence, mark| presence.hints.map_or(0, |hints| hints[mark]);
        let hinted = |mark: &Mark| taken(&presence, *mark) > taken(&before, *mark);
        changes.extend(Mark::BOTH.into_iter().filter(hinted).map(PresenceChange::Hint));
        changes
    }

    /// Whether the player of a seat is connected; `None` for a seat without a player.
    fn seat_presence(&self, mark: Mark) -> Option<SeatPresence> {
        self.state.seats[mark].player().and(self.presence.seats[mark])
    }

    /// The cells and marks that may be played next; `None` where each empty cell takes the own mark.
    #[must_use]
    pub fn playable(&self) -> Option<Playable> {
        self.state.running().and_then(|running| running.game.playable())
    }

    /// Whether the player to move has the choice between X and O.
    #[must_use]
    pub fn has_inks(&self) -> bool {
        self.playable().and_then(|playable| playable.marks).is_some_and(|marks| marks.len() > 1)
    }

    /// The cell in which a mark lands that is meant for a cell: where marks fall, the free one of its
    /// column.
    #[must_use]
    pub fn landing(&self, cell: Cell) -> Cell {
        let spec = self.state.settings.board;
        let falls = self.state.settings.variant == Variant::Gravity;
        let open = self.playable().filter(|_| falls).and_then(|playable| playable.cells);
        let column = |cell: Cell| spec.position(cell).0;
        let lands = open.and_then(|open| open.into_iter().find(|at| column(*at) == column(cell)));
        lands.unwrap_or(cell)
    }

    /// Reads a typed move: a cell, after "x" or "o" where the player chooses the mark; where marks fall,
    /// the letter of a column is enough.
    ///
    /// # Errors
    /// If the text names no cell of the board, or where marks fall, a cell that is taken in a column with a free one.
    pub fn read_move(&self, text: &str) -> Result<(Cell, Option<Mark>), String> {
        let text = text.trim().to_ascii_lowercase();
        let (mark, name) = match text.split_once(char::is_whitespace) {
            Some(("x", name)) => (Some(Mark::X), name),
            Some(("o", name)) => (Some(Mark::O), name),
            _ => (None, &*text),
        };
        let spec = self.state.settings.board;
        let falls = self.state.settings.variant == Variant::Gravity;
        let top = Some(format!("{}1", name.trim())).filter(|_| falls && name.trim().len() == 1);
        let top = top.and_then(|top| spec.parse_cell(&top).ok());
        if let Some(top) = top {
            return Ok((self.landing(top), mark));
        }
        let column = if falls { ", or a column's letter" } else { "" };
        let cell = spec.parse_cell(name).map_err(|error| format!("{error}{column}"))?;
        let taken = self.state.running().is_some_and(|it| it.game.board().get(cell).is_some());
        let lands = self.landing(cell);
        if taken && lands != cell {
            let cell = spec.label(cell);
            let lands = spec.label(lands);
            return Err(format!("{cell} is taken: a mark in its column falls to {lands}"));
        }
        Ok((cell, mark))
    }

    /// Whether this is the player's own id.
    #[must_use]
    pub fn is_me(&self, player: PlayerId) -> bool {
        self.player == Some(player)
    }

    /// Whether the player only watches.
    #[must_use]
    pub const fn is_watching(&self) -> bool {
        self.mine.is_empty()
    }

    /// Whether the player has a seat in a running game.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        !self.is_watching() && self.state.is_running()
    }

    /// The player's mark, if it is to move.
    #[must_use]
    pub fn my_turn(&self) -> Option<Mark> {
        self.state.turn().filter(|mark| self.mine.contains(mark))
    }

    /// The phase of the running game's opening, or `None` without one.
    #[must_use]
    pub fn opening(&self) -> Option<OpeningPhase> {
        self.state.running()?.opening
    }

    /// Whether the player has to choose; the value says whether they may add two marks.
    #[must_use]
    pub fn my_choice(&self) -> Option<bool> {
        match self.opening()? {
            OpeningPhase::Choosing { by, may_add } if self.mine.contains(&by) => Some(may_add),
            _ => None,
        }
    }

    /// The number and the ply of the running game.
    pub(super) fn position(&self) -> Option<(u32, u16)> {
        self.state.running().map(|running| (running.number, running.game.ply()))
    }

    /// Takes over what the snapshot does not tell of this room as it was before: talk, the hint, the
    /// evaluation and the review.
    pub(super) fn take_over(&mut self, before: Self) {
        self.chat = before.chat;
        (self.hint, self.evaluation, self.review) = (before.hint, before.evaluation, before.review);
    }

    /// The hint for the current position.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref().filter(|hint| self.position() == Some((hint.game, hint.ply)))
    }

    /// The evaluation of the current position, for spectators.
    #[must_use]
    pub fn evaluation(&self) -> Option<&Evaluation> {
        self.evaluation.as_ref().filter(|last| self.position() == Some((last.game, last.ply)))
    }

    /// The number of the last finished game.
    #[must_use]
    pub fn last_finished(&self) -> Option<u32> {
        let last = self.state.game.as_ref()?;
        let over =
            if last.game.turn().is_none() { last.number } else { last.number.saturating_sub(1) };
        (over > 0).then_some(over)
    }

    /// Whether a game of the player has ended and none is running.
    #[must_use]
    pub fn may_rematch(&self) -> bool {
        // A party pairs the next game itself.
        let pairs_itself = self.state.settings.party.is_some();
        !self.is_watching()
            && self.state.game.is_some()
            && !self.state.is_running()
            && !pairs_itself
    }

    /// Whether the player decides how two computers play: they made the room.
    #[must_use]
    pub fn may_pace(&self) -> bool {
        self.player.is_some() && self.player == self.state.maker && self.state.is_exhibition()
    }

    /// The strength of the computer, if the player may set it.
    #[must_use]
    pub fn adjustable(&self) -> Option<Strength> {
        let computer = self.state.adjustable().filter(|_| !self.is_watching());
        computer.map(|(_, computer)| computer.strength)
    }

    /// Whether the player offers a rematch.
    #[must_use]
    pub fn offered_by_me(&self) -> bool {
        self.presence.rematch.is_some_and(|mark| self.mine.contains(&mark))
    }

    /// The opponent who offers a rematch.
    #[must_use]
    pub fn offered_by_opponent(&self) -> Option<Mark> {
        self.presence.rematch.filter(|mark| !self.mine.contains(mark))
    }

    /// The player of these marks who asks to take back a move: this player, or else the opponent.
    #[must_use]
    pub fn asks_back(&self, mine: bool) -> Option<Mark> {
        self.presence.take_back.filter(|mark| self.mine.contains(mark) == mine)
    }

    /// The games that the player has won in a row, if the last game was one of them.
    #[must_use]
    pub fn wins_in_a_row(&self) -> u32 {
        self.streak.filter(|last| self.mine == [last.mark]).map_or(0, |last| last.wins)
    }

    /// Whether the player may take back a move, or lets the opponent do so.
    #[must_use]
    pub fn may_take_back(&self) -> bool {
        let takes = self.state.takes_back_to(&self.mine).is_some();
        !self.is_watching() && (takes || self.asks_back(false).is_some())
    }

    /// The opponent who is away, and when the game may be claimed.
    #[must_use]
    pub fn away_opponent(&self) -> Option<(Mark, Instant)> {
        let mut others = Mark::BOTH.into_iter().filter(|mark| !self.mine.contains(mark));
        others.find_map(|mark| Some((mark, self.claim_from(mark)?)))
    }

    /// Whether the game ends on time before it may be claimed from a moment on, unless somebody moves.
    #[must_use]
    pub fn clock_ends_before(&self, claim: Instant) -> bool {
        self.move_ends.is_some_and(|ends| ends <= claim)
    }

    /// When the game may be claimed against a player who is away. Where a move may take long, that is never before
    /// the clock has ended it: a move since the presence was told has set it anew.
    #[must_use]
    pub fn claim_from(&self, mark: Mark) -> Option<Instant> {
        match self.seat_presence(mark)? {
            SeatPresence::Connected => None,
            SeatPresence::Away { claim_in_ms } => {
                let told = self.presence_at + millis(claim_in_ms);
                let is_long = self.state.settings.move_time_ms.is_some_and(|ms| ms >= LONG_MOVE_MS);
                Some(self.move_ends.filter(|_| is_long).map_or(told, |ends| told.max(ends)))
            }
            SeatPresence::Gone => Some(self.presence_at),
        }
    }
}

fn millis(ms: u32) -> Duration {
    Duration::from_millis(u64::from(ms))
}
