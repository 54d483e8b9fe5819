//! What a player may do in a room, and when. Each intent becomes events or a refusal. An intent that
//! was applied before is granted again and changes nothing.

use std::time::Duration;

use noughts_protocol::game::GameResult;
use noughts_protocol::{
    Cell, ClaimedResult, CloseReason, Event, Mark, NumberedGame, OpeningChoice, PlayerId, Presence,
    Refusal, RefusalCode, Seat,
};

use crate::room::rules::opening::mark_to_place;
use crate::room::rules::{Decided, RoomRules};

/// An intent about the room its sender is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Place a mark.
    Play { game: u32, ply: u16, cell: Cell },
    /// Choose in a swap2 opening.
    Choose { game: u32, choice: OpeningChoice },
    /// Give the game up.
    Resign { game: u32 },
    /// Offer or accept another game, or take the offer back.
    Rematch { game: u32, offer: bool },
    /// End a game whose opponent has been away too long.
    Claim { game: u32, result: ClaimedResult },
}

impl RoomRules {
    /// The events of an intent; none if it was applied before.
    ///
    /// # Errors
    /// If the player may not do that, or not now.
    pub(crate) fn decide(
        &self,
        now: Duration,
        player: PlayerId,
        intent: Intent,
        coin: bool,
    ) -> Result<Decided, Refusal> {
        let marks = self.seated(player)?;
        let events = match intent {
            Intent::Play { game, ply, cell } => self.play(&marks, game, ply, cell),
            Intent::Choose { game, choice } => self.choose(&marks, game, choice),
            Intent::Resign { game } => self.resign(&marks, game),
            Intent::Rematch { game, offer } => self.rematch(&marks, game, offer, coin),
            Intent::Claim { game, result } => self.claim(&marks, game, result, now),
        };
        events.map(Decided)
    }

    /// The marks of a player. Only this function keeps spectators from acting.
    ///
    /// # Errors
    /// If the player has no seat.
    pub(crate) fn seated(&self, player: PlayerId) -> Result<Vec<Mark>, Refusal> {
        let marks: Vec<Mark> = self.state.marks_of(player).collect();
        if marks.is_empty() {
            return Err(Refusal::new(
                RefusalCode::NotSeated,
                "you are watching this room: only its two players can do that",
            ));
        }
        Ok(marks)
    }

    fn play(&self, marks: &[Mark], game: u32, ply: u16, cell: Cell) -> Result<Vec<Event>, Refusal> {
        let named = self.named(game)?;
        let (made, mover) = (named.game.moves().get(usize::from(ply)), self.placer_at(named, ply));
        if made == Some(&cell) && marks.contains(&mover) {
            return Ok(Vec::new());
        }
        let current = self.current(game)?;
        let mark = mark_to_place(current, marks, ply)?;
        if ply != current.game.ply() {
            // `moved` plays at the current ply. Another ply is the client's mistake.
            let wrong = noughts_protocol::Move { ply, mark, cell };
            current.game.check(wrong)?;
        }
        Ok(self.moved(current, mark, cell)?)
    }

    fn resign(&self, marks: &[Mark], game: u32) -> Result<Vec<Event>, Refusal> {
        let mark = self.acting(marks);
        let result = GameResult::Resignation { winner: mark.other() };
        if self.named(game)?.game.result() == Some(&result) {
            return Ok(Vec::new());
        }
        self.current(game)?;
        self.running(game)?;
        Ok(vec![self.over(game, result)])
    }

    fn rematch(
        &self,
        marks: &[Mark],
        game: u32,
        offer: bool,
        coin: bool,
    ) -> Result<Vec<Event>, Refusal> {
        let current = self.state.game.as_ref().ok_or_else(not_begun)?;
        if current.number > game {
            return Ok(Vec::new());
        }
        if current.number < game {
            return Err(stale());
        }
        if current.game.turn().is_some() {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "the game is still running: a rematch can be offered when it is over",
            ));
        }
        let mark = marks[0];
        let opponent = mark.other();
        if self.state.seats[opponent] == Seat::Open {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "your opponent has left: the next game begins when somebody takes the seat",
            ));
        }
        if self.state.offers[mark] == offer {
            return Ok(Vec::new());
        }
        let agreed = marks.contains(&opponent)
            || self.state.seats[opponent].computer().is_some()
            || self.state.offers[opponent];
        if offer && agreed {
            return Ok(self.next_game(self.state.score, coin));
        }
        Ok(vec![Event::Rematch { mark, offered: offer }])
    }

    fn claim(
        &self,
        marks: &[Mark],
        game: u32,
        claimed: ClaimedResult,
        now: Duration,
    ) -> Result<Vec<Event>, Refusal> {
        let mark = marks[0];
        let winner = (claimed == ClaimedResult::Win).then_some(mark);
        let result = GameResult::Absence { winner };
        if self.named(game)?.game.result() == Some(&result) {
            return Ok(Vec::new());
        }
        self.running(game)?;
        match self.presence(mark.other()) {
            Some(Presence::Gone) => Ok(vec![self.over(game, result)]),
            Some(Presence::Away { .. }) => {
                let seconds = self.claim_in_ms(mark.other(), now).div_ceil(1000);
                let message = format!("your opponent may still return: claim in {seconds} seconds");
                Err(Refusal::new(RefusalCode::TooEarly, message))
            }
            Some(Presence::Connected) | None => Err(Refusal::new(
                RefusalCode::TooEarly,
                "your opponent is here: there is nothing to claim",
            )),
        }
    }

    /// The events of a player who leaves for good; none for a spectator.
    pub(crate) fn leave(&self, player: PlayerId) -> Decided {
        let marks: Vec<Mark> = self.state.marks_of(player).collect();
        if marks.is_empty() {
            return Decided::default();
        }
        let mut events = Vec::new();
        if let Some(running) = self.state.running() {
            let winner = self.acting(&marks).other();
            events.push(self.over(running.number, GameResult::Resignation { winner }));
        }
        for &mark in &marks {
            if self.state.offers[mark] {
                events.push(Event::Rematch { mark, offered: false });
            }
            events.push(Event::Seated { mark, seat: Seat::Open });
        }
        let stays =
            |mark: Mark| !marks.contains(&mark) && self.state.seats[mark].player().is_some();
        if !Mark::BOTH.into_iter().any(stays) {
            events.push(Event::Closed { reason: CloseReason::Left });
        }
        Decided(events)
    }

    /// The mark that a player acts for: their own, or the mark to move if they play both sides.
    fn acting(&self, marks: &[Mark]) -> Mark {
        let turn = self.state.turn().filter(|turn| marks.contains(turn));
        turn.unwrap_or(marks[0])
    }

    /// Game `number`, if it is the current game or the one before.
    pub(crate) fn named(&self, number: u32) -> Result<&NumberedGame, Refusal> {
        let current = self.state.game.as_ref().ok_or_else(not_begun)?;
        let games = [Some(current), self.previous.as_ref()];
        games.into_iter().flatten().find(|game| game.number == number).ok_or_else(stale)
    }

    /// The current game, running or over, if it is game `number`.
    fn current(&self, number: u32) -> Result<&NumberedGame, Refusal> {
        let current = self.state.game.as_ref().ok_or_else(not_begun)?;
        if current.number == number { Ok(current) } else { Err(stale()) }
    }

    /// The running game, if it is game `number`.
    pub(crate) fn running(&self, number: u32) -> Result<&NumberedGame, Refusal> {
        let current = self.current(number)?;
        let over = noughts_protocol::IllegalMove::GameOver;
        if current.game.turn().is_some() { Ok(current) } else { Err(over.into()) }
    }
}

fn not_begun() -> Refusal {
    Refusal::new(RefusalCode::NotNow, "the game has not begun: wait for your opponent")
}

fn stale() -> Refusal {
    Refusal::new(
        RefusalCode::Stale,
        "that was meant for another game of this room: look at the board again",
    )
}
