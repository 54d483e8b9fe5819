//! The intents of players in a room, and when each is allowed. Each intent becomes a
//! [`RoomDecision`] or a refusal. An intent that was applied before is granted again and changes
//! nothing.

use std::time::Duration;

use noughts_protocol::game::GameResult;
use noughts_protocol::{
    Cell, ClaimedResult, CloseReason, Event, IllegalMove, Mark, Move, NumberedGame, PlayerId,
    Refusal, RefusalCode, RoomIntent, Said, Seat, SeatPresence, Series,
};

use crate::room::rules::analysis::Subject;
use crate::room::rules::opening::mark_to_place;
use crate::room::rules::presence::RematchOffer;
use crate::room::rules::{RoomDecided, RoomRules};

/// The effect of an intent that is allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RoomDecision {
    /// Facts; none if the intent was applied before.
    Facts(RoomDecided),
    /// Another rematch offer, or none any more.
    Rematch(Option<RematchOffer>),
    /// Another request to take back a move, or none any more.
    TakeBack(Option<Mark>),
    /// The computer to move may make one move. The sender is answered after it.
    Step { game: u32, ply: u16 },
    /// The sender leaves, with the facts of that; none for a spectator.
    Leave(RoomDecided),
    /// The sender gets a snapshot.
    Snapshot,
    /// The sender says something, with [`RoomRules::say`].
    Say(Said),
    /// The sender mutes somebody, or no more, with [`RoomRules::mute`].
    Mute { player: PlayerId, mute: bool },
    /// The sender gets an analysis when it has finished.
    Analysis(Subject),
}

impl RoomRules {
    /// Decides on an intent.
    ///
    /// # Errors
    /// If the player may not do that, or not now.
    pub(crate) fn decide(
        &self,
        now: Duration,
        player: PlayerId,
        intent: RoomIntent,
        coin: bool,
    ) -> Result<RoomDecision, Refusal> {
        let event = match intent {
            RoomIntent::Play { game, ply, cell, placed } => {
                self.play(player, game, ply, (cell, placed))?
            }
            RoomIntent::Choose { game, choice } => self.choose(player, game, choice)?,
            RoomIntent::Resign { game } => self.resign(player, game)?,
            RoomIntent::Claim { game, result } => self.claim(player, game, result, now)?,
            RoomIntent::Rematch { game, offer, series } => {
                return self.rematch(player, game, offer, series, coin);
            }
            RoomIntent::TakeBack { game, ply, offer } => {
                return self.ask_back(player, game, ply, offer);
            }
            RoomIntent::Pace { pace } => self.set_pace(player, pace)?,
            RoomIntent::Strength { strength } => self.set_strength(player, strength)?,
            RoomIntent::Step { game, ply } => return self.step(player, game, ply, coin),
            RoomIntent::Hint { game } => {
                return self.hint(player, game).map(RoomDecision::Analysis);
            }
            RoomIntent::Review { game } => return self.review(game).map(RoomDecision::Analysis),
            RoomIntent::Say { said } => {
                return self.check_said(&said).map(|()| RoomDecision::Say(said));
            }
            RoomIntent::Mute { player, mute } => return Ok(RoomDecision::Mute { player, mute }),
            RoomIntent::Leave => return Ok(RoomDecision::Leave(self.leave(player))),
            RoomIntent::Sync => return Ok(RoomDecision::Snapshot),
        };
        Ok(RoomDecision::Facts(RoomDecided(event.into_iter().collect())))
    }

    /// The marks of a player. Only this function keeps spectators from acting.
    ///
    /// # Errors
    /// If the player has no seat.
    pub(crate) fn seated(&self, player: PlayerId) -> Result<&'static [Mark], Refusal> {
        let is_on = |mark: Mark| self.state.seats[mark].player() == Some(player);
        match (is_on(Mark::X), is_on(Mark::O)) {
            (true, true) => Ok(&Mark::BOTH),
            (true, false) => Ok(&[Mark::X]),
            (false, true) => Ok(&[Mark::O]),
            (false, false) => Err(Refusal::new(
                RefusalCode::NotSeated,
                "you are watching this room: only its two players can do that",
            )),
        }
    }

    fn play(
        &self,
        player: PlayerId,
        game: u32,
        ply: u16,
        (cell, placed): (Cell, Option<Mark>),
    ) -> Result<Option<Event>, Refusal> {
        let marks = self.seated(player)?;
        let named = self.named(game)?;
        let made = named.game.moves().get(usize::from(ply));
        let mover = self.placer_at(named, ply);
        let is_made =
            made == Some(&cell) && placed.is_none_or(|mark| mark == named.game.mark_at(ply));
        if is_made && marks.contains(&mover) {
            return Ok(None);
        }
        let current = self.current(game)?;
        self.check_clock()?;
        let mark = mark_to_place(current, marks, ply)?;
        Ok(Some(self.moved(current, Move { ply, mark, cell, placed })?))
    }

    fn resign(&self, player: PlayerId, game: u32) -> Result<Option<Event>, Refusal> {
        let marks = self.seated(player)?;
        if let Some(GameResult::Resignation { winner }) = self.named(game)?.game.result()
            && marks.contains(&winner.other())
        {
            return Ok(None);
        }
        self.running(game)?;
        let winner = self.acting(marks).other();
        Ok(Some(self.game_over(game, GameResult::Resignation { winner })))
    }

    fn rematch(
        &self,
        player: PlayerId,
        game: u32,
        offer: bool,
        series: Option<Series>,
        coin: bool,
    ) -> Result<RoomDecision, Refusal> {
        let marks = self.seated(player)?;
        let current = self.state.game.as_ref().ok_or_else(not_begun)?;
        if current.number > game {
            return Ok(RoomDecision::Facts(RoomDecided::default()));
        }
        if current.number < game {
            return Err(stale());
        }
        if offer && self.state.settings.party.is_some() {
            return Err(Refusal::new(RefusalCode::NotNow, "the party pairs you next"));
        }
        if current.game.turn().is_some() {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "the game is still running: a rematch can be offered when it is over",
            ));
        }
        let mark = marks[0];
        let opponent = mark.other();
        if offer && self.state.seats[opponent] == Seat::Open {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "your opponent has left: the next game begins when somebody takes the seat",
            ));
        }
        if !offer {
            return Ok(RoomDecision::Rematch(None));
        }
        let alone = marks.contains(&opponent) || self.state.seats[opponent].computer().is_some();
        let theirs = self.rematch.filter(|offer| offer.by == opponent);
        let agreed = match theirs {
            _ if alone => Some(series),
            // An answer without a series accepts what the opponent asks for.
            Some(theirs) if series.is_none() || series == theirs.series => Some(theirs.series),
            _ => None,
        };
        Ok(match agreed {
            Some(series) => {
                // The last line that people see.
                let adapted = self.adapted();
                let events = [self.next_game(series, coin)].into_iter().chain(adapted);
                RoomDecision::Facts(RoomDecided(events.collect()))
            }
            None => RoomDecision::Rematch(Some(RematchOffer { by: mark, series })),
        })
    }

    fn ask_back(
        &self,
        player: PlayerId,
        number: u32,
        ply: u16,
        offer: bool,
    ) -> Result<RoomDecision, Refusal> {
        let marks = self.seated(player)?;
        let running = self.running(number)?;
        let now = running.game.ply();
        if now < ply {
            return Ok(RoomDecision::Facts(RoomDecided::default()));
        }
        if now > ply {
            return Err(IllegalMove::WrongPly { now }.into());
        }
        if !offer {
            return Ok(RoomDecision::TakeBack(None));
        }
        let theirs = self.take_back.filter(|by| !marks.contains(by));
        let takes = theirs.map_or(marks, |by| if by == Mark::X { &[Mark::X] } else { &[Mark::O] });
        let to = self.state.takes_back_to(takes).ok_or_else(|| {
            let why = "no move of yours can be taken back: none can in a party, in a quick match \
                       or with swap2";
            Refusal::new(RefusalCode::NotNow, why)
        })?;
        if theirs.is_none() && self.state.has_two_people() {
            return Ok(RoomDecision::TakeBack(Some(marks[0])));
        }
        let mark = running.game.mover_at(to);
        let playable = running.game.before(to).playable();
        let event = Event::TakenBack { game: number, mark, ply: to, playable };
        Ok(RoomDecision::Facts(RoomDecided(vec![event])))
    }

    fn claim(
        &self,
        player: PlayerId,
        game: u32,
        claimed: ClaimedResult,
        now: Duration,
    ) -> Result<Option<Event>, Refusal> {
        let mark = self.seated(player)?[0];
        let winner = (claimed == ClaimedResult::Win).then_some(mark);
        let result = GameResult::Absence { winner, party: None };
        if self.named(game)?.game.result() == Some(&result) {
            return Ok(None);
        }
        self.running(game)?;
        self.check_clock()?;
        match self.seat_presence(mark.other(), now) {
            Some(SeatPresence::Gone) => Ok(Some(self.game_over(game, result))),
            Some(SeatPresence::Away { claim_in_ms }) => {
                let left = Duration::from_secs(claim_in_ms.div_ceil(1000).into());
                let left = humantime::format_duration(left);
                let message = format!("your opponent may still return: claim in {left}");
                Err(Refusal::new(RefusalCode::TooEarly, message))
            }
            Some(SeatPresence::Connected) | None => Err(Refusal::new(
                RefusalCode::TooEarly,
                "your opponent is here: there is nothing to claim",
            )),
        }
    }

    /// The facts of a player who leaves for good; none for a spectator.
    pub(crate) fn leave(&self, player: PlayerId) -> RoomDecided {
        let marks: Vec<Mark> = self.state.marks_of(player).collect();
        if marks.is_empty() {
            return RoomDecided::default();
        }
        let mut events = Vec::new();
        if let Some(running) = self.state.running() {
            let winner = self.acting(&marks).other();
            events.push(self.game_over(running.number, GameResult::Resignation { winner }));
        }
        events.extend(marks.iter().map(|&mark| Event::Seated { mark, seat: Seat::Open }));
        let stays =
            |mark: Mark| !marks.contains(&mark) && self.state.seats[mark].player().is_some();
        if !Mark::BOTH.into_iter().any(stays) {
            events.push(Event::Closed { reason: CloseReason::Left });
        }
        RoomDecided(events)
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
        let over = IllegalMove::GameOver;
        if current.game.turn().is_some() { Ok(current) } else { Err(over.into()) }
    }
}

fn not_begun() -> Refusal {
    Refusal::new(RefusalCode::NotNow, "the game has not begun: wait for your opponent")
}

pub(crate) fn stale() -> Refusal {
    Refusal::new(
        RefusalCode::Stale,
        "that was meant for another game of this room: look at the board again",
    )
}
