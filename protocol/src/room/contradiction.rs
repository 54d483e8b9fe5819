//! Checks an event against a room's state, and a snapshot against the rules. Everything that a peer
//! or a store tells of a room passes here before [`RoomState`] believes it. A room's own decision
//! does not: it asks the same rules first.

use crate::analysis::HintReason;
use crate::board::{Cell, Mark};
use crate::event::{Event, GameEnd, GameRecord};
use crate::game::{Game, GameResult, IllegalMove, Move};
use crate::opening::{AfterMove, Opening, OpeningChoice, OpeningPhase, SWAP2_PLIES};
use crate::room::{ByMark, NumberedGame, RoomState, Score, Seat, Series};
use crate::rules::{Placement, Rules};
use crate::settings::RoomSettings;

/// Why an event cannot follow the facts so far, or why no room has such a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// The room has ended: nothing can happen there.
    #[error("the room has ended before")]
    Closed,
    /// A seat is taken from somebody, or changes hands while a game is running.
    #[error("the seat belongs to somebody else")]
    Seat,
    /// A game begins while another is running, while a seat is open, or with a number that is not the
    /// next.
    #[error("this game cannot begin now")]
    Start,
    /// No game with this number is running.
    #[error("this game is not running")]
    Game,
    /// The move breaks a rule.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// The result, or what else a move leads to, is another one than the rules give.
    #[error("the rules give another result")]
    Result,
    /// The score does not follow from the score before.
    #[error("the score does not follow from the score before")]
    Score,
    /// The opening cannot be in this phase.
    #[error("the opening cannot be in this phase")]
    Opening,
    /// The choice leads to other seats.
    #[error("the choice leads to other seats")]
    Choice,
    /// Somebody sets the pace of a room that has a player.
    #[error("only two computers have a pace")]
    Pace,
    /// A clock is set in a room without one, or a move is made while it stands still.
    #[error("this clock does not run")]
    Clock,
    /// A fact of a party cannot follow; the text says why.
    #[error("{0}")]
    Party(&'static str),
}

type Checked = Result<(), Contradiction>;

fn ensure(holds: bool, otherwise: Contradiction) -> Checked {
    if holds { Ok(()) } else { Err(otherwise) }
}

impl RoomState {
    /// Checks that the event may be the next fact.
    pub(super) fn check(&self, event: &Event) -> Checked {
        ensure(!self.closed, Contradiction::Closed)?;
        match event {
            Event::Seated { mark, seat } => self.check_seated(*mark, seat),
            Event::GameStarted { game, first, score, opening, series, playable } => {
                ensure(self.may_follow(*score, *series), Contradiction::Score)?;
                let new = Game::new(Rules::of(&self.settings), *first);
                ensure(new.playable() == *playable, Contradiction::Result)?;
                self.check_started(*game, *first, *opening)
            }
            Event::Moved {
                game,
                ply,
                mark,
                cell,
                placed,
                effect,
                playable,
                over,
                opening,
                reason,
            } => {
                let placed = Some(placed.unwrap_or(*mark));
                let chosen = Move { ply: *ply, mark: *mark, cell: *cell, placed };
                let after = self.check_moved(*game, chosen, over.as_ref(), *opening)?;
                let agrees = after.effect == *effect
                    && after.playable == *playable
                    && self.running_game(*game)?.may_block(*mark, *cell, reason.as_ref());
                ensure(agrees, Contradiction::Result)
            }
            Event::TakenBack { game, mark, ply, playable } => {
                let running = self.running_game(*game)?;
                ensure(self.takes_back_to(&[*mark]) == Some(*ply), Contradiction::Game)?;
                let before = running.game.before(*ply);
                ensure(before.playable() == *playable, Contradiction::Result)
            }
            Event::Chosen { game, choice, opening, seats, score } => {
                self.check_chosen(*game, *choice, *opening, seats, *score)
            }
            Event::GameOver { game, end } => {
                self.running_game(*game)?;
                ensure(!end.result.is_by_move(), Contradiction::Result)?;
                ensure(end.score == self.score.with(&end.result), Contradiction::Score)
            }
            Event::Paced { .. } => ensure(self.is_exhibition(), Contradiction::Pace),
            Event::Clock { game, .. } => {
                self.running_game(*game)?;
                ensure(self.settings.move_time_ms.is_some(), Contradiction::Clock)
            }
            Event::Closed { .. } => Ok(()),
        }
    }

    fn running_game(&self, number: u32) -> Result<&NumberedGame, Contradiction> {
        self.running().filter(|running| running.number == number).ok_or(Contradiction::Game)
    }

    fn check_seated(&self, mark: Mark, seat: &Seat) -> Checked {
        let now = &self.seats[mark];
        let is_renamed = seat.player().is_some() && seat.player() == now.player();
        let changes_hands = *seat == Seat::Open || *now == Seat::Open;
        // A party may give an entrant's place, and with it the seat, to another player.
        let is_handed_over =
            self.settings.party.is_some() && seat.player().is_some() && now.player().is_some();
        let is_free = changes_hands && !self.is_running();
        let is_adjusted = self.adjustable().is_some_and(|(at, now)| {
            at == mark && seat.computer().is_some_and(|then| then.strategy == now.strategy)
        });
        ensure(is_renamed || is_handed_over || is_free || is_adjusted, Contradiction::Seat)
    }

    fn check_started(&self, game: u32, first: Mark, opening: Option<OpeningPhase>) -> Checked {
        let last = self.game.as_ref().map_or(0, |last| last.number);
        let is_free = !self.is_running() && !self.seats.has_open();
        ensure(is_free && last.checked_add(1) == Some(game), Contradiction::Start)?;
        let fits = match opening {
            None => self.settings.opening == Opening::Free,
            Some(phase) => {
                let is_first = phase == OpeningPhase::first(phase.by()) && first == Mark::X;
                is_first && self.settings.opening == Opening::Swap2
            }
        };
        ensure(fits, Contradiction::Opening)
    }

    /// Whether the next game may begin with this score in this series: a new series begins at zero,
    /// and a decided one does not go on.
    fn may_follow(&self, score: Score, series: Series) -> bool {
        let goes_on = series == self.series && series.winner(score).is_none();
        score == Score::default() || (goes_on && score == self.score)
    }

    fn check_moved(
        &self,
        game: u32,
        chosen: Move,
        over: Option<&GameEnd>,
        opening: Option<OpeningPhase>,
    ) -> Result<AfterMove, Contradiction> {
        ensure(!self.clock_stopped, Contradiction::Clock)?;
        let after = self.running_game(game)?.decide(chosen)?;
        ensure(over.map(|end| &end.result) == after.result.as_ref(), Contradiction::Result)?;
        let score = after.result.as_ref().map_or(self.score, |result| self.score.with(result));
        ensure(over.is_none_or(|end| end.score == score), Contradiction::Score)?;
        ensure(opening == after.opening, Contradiction::Opening)?;
        Ok(after)
    }

    fn check_chosen(
        &self,
        game: u32,
        choice: OpeningChoice,
        opening: Option<OpeningPhase>,
        seats: &ByMark<Seat>,
        score: Score,
    ) -> Checked {
        ensure(!self.clock_stopped, Contradiction::Clock)?;
        let phase = self.running_game(game)?.opening.ok_or(Contradiction::Opening)?;
        let after = phase.after_choice(choice).ok_or(Contradiction::Opening)?;
        ensure(opening == after.opening, Contradiction::Opening)?;
        let (expected_seats, expected_score) = self.exchanged_if(after.swaps);
        ensure(*seats == expected_seats, Contradiction::Choice)?;
        ensure(score == expected_score, Contradiction::Score)
    }
}

impl NumberedGame {
    /// Whether the lines that a move is said to block, if any, are those of the opponent there.
    fn may_block(&self, mark: Mark, cell: Cell, reason: Option<&HintReason>) -> bool {
        let Some(HintReason::Blocks { lines }) = reason else { return true };
        let placed = Placement { mark: mark.other(), cell };
        *lines == self.game.rules().lines(self.game.board(), placed)
    }

    /// The game of a record: its moves are made once more.
    ///
    /// # Errors
    /// If no room with these settings has such a game: a move breaks the rules, or they lead to another
    /// result or opening.
    pub fn from_record(
        settings: &RoomSettings,
        record: &GameRecord,
    ) -> Result<Self, Contradiction> {
        let mut game =
            Game::replay(Rules::of(settings), record.first, &record.moves, &record.placed)?;
        match (&record.result, game.result()) {
            (Some(told), None) => {
                ensure(!told.is_by_move(), Contradiction::Result)?;
                game.conclude(told.clone());
            }
            (told, by_rules) => ensure(told.as_ref() == by_rules, Contradiction::Result)?,
        }
        let is_swap2 = settings.opening == Opening::Swap2 && game.turn().is_some();
        let fits = match record.opening {
            None => !is_swap2 || game.ply() >= SWAP2_PLIES[0],
            Some(phase) => is_swap2 && phase.is_at(game.ply()),
        };
        ensure(fits, Contradiction::Opening)?;
        Ok(Self { number: record.number, game, opening: record.opening, id: record.id })
    }
}

impl GameResult {
    /// Whether a move leads to such a result. The others end a game without a move.
    #[must_use]
    pub const fn is_by_move(&self) -> bool {
        match self {
            Self::Line { .. }
            | Self::BoardFull
            | Self::NoLineLeft
            | Self::MoreBoards { .. }
            | Self::Prevented { .. }
            | Self::Repetition
            | Self::TooLong => true,
            Self::Resignation { .. } | Self::Time { .. } | Self::Absence { .. } => false,
        }
    }
}
