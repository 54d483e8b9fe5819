//! The pairings that are not over: ready checks, rooms that are to be made, results of games.

use std::time::Duration;

use noughts_protocol::party::{MAX_PAIRING_GAMES, PartyFormat};
use noughts_protocol::{
    DecidedBy, Mark, Pairing, PairingOutcome, PartyEvent, PlayerId, Refusal, RoomCode,
};

use crate::party::rules::host::not_now;
use crate::party::rules::intent::PartyDecision;
use crate::party::rules::{PartyDecided, PartyRules, READY, REPLAY, RETRY};
use crate::room::table::Ruling;

/// A pairing that is not over.
#[derive(Debug, Clone)]
pub(super) struct PairingTable {
    /// The entrants who are ready; at most two.
    pub(super) ready: Vec<u16>,
    pub(super) stage: TableStage,
}

/// How far a pairing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableStage {
    /// Both must be ready by then. A pairing that both miss is called again, once.
    Check { until: Duration, again: bool },
    /// The ready check waits for the end of a pause.
    Held,
    /// A room is to be made for this game.
    Wanted { at: Duration, game: u8 },
    /// The room is being made.
    Opening,
    /// The game runs.
    Playing,
    /// The game is over.
    Ended,
}

/// A room that is to be made for a game of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Opening {
    pub(crate) pairing: u32,
    pub(crate) table: u16,
    /// The number of the game in the pairing, from 1.
    pub(crate) game: u8,
    /// The entrant with X, who begins.
    pub(crate) x: u16,
    /// The entrant with O.
    pub(crate) o: u16,
    /// The room in which this game was lost before.
    pub(crate) lost: Option<RoomCode>,
}

/// A room whose game is to end, because its pairing was decided otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DismissedRoom {
    pub(crate) room: RoomCode,
    pub(crate) ruling: Ruling,
}

/// The end of a room's game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableResult {
    /// This mark has won.
    Won(Mark),
    /// Nobody has won.
    Drawn,
    /// The room has ended without a result.
    Lost,
}

impl PartyRules {
    /// Begins the ready check of a pairing, or goes on with its game after a restart.
    pub(super) fn seat(&mut self, now: Duration, pairing: &Pairing) {
        if pairing.second.is_none() {
            return;
        }
        let is_computer =
            |entrant: &u16| self.state.entrant(*entrant).is_some_and(|one| one.computer.is_some());
        let ready: Vec<u16> = pairing.entrants().filter(is_computer).collect();
        let stage = if pairing.room.is_some() { TableStage::Playing } else { TableStage::Held };
        self.tables.insert(pairing.number, PairingTable { ready, stage });
        if !self.state.paused {
            self.check(now, pairing.number);
        }
    }

    /// Begins the ready check of a pairing that was held.
    fn check(&mut self, now: Duration, pairing: u32) {
        let until = now + READY;
        if let Some(table) = self.tables.get_mut(&pairing)
            && table.stage == TableStage::Held
        {
            let is_ready = table.ready.len() == 2;
            table.stage = if is_ready {
                TableStage::Wanted { at: now, game: 1 }
            } else {
                TableStage::Check { until, again: false }
            };
        }
    }

    /// Holds all ready checks, or begins them anew.
    pub(super) fn hold(&mut self, now: Duration, is_paused: bool) {
        for pairing in self.tables.keys().copied().collect::<Vec<_>>() {
            if !is_paused {
                self.check(now, pairing);
            } else if let Some(table) = self.tables.get_mut(&pairing)
                && matches!(table.stage, TableStage::Check { .. })
            {
                table.stage = TableStage::Held;
            }
        }
    }

    /// Decides whether a pairing gets more time, and where.
    ///
    /// # Errors
    /// If the player does not lead the party, or nothing runs there.
    pub(super) fn add_time(
        &self,
        player: PlayerId,
        pairing: u32,
        ms: u32,
    ) -> Result<PartyDecision, Refusal> {
        self.check_leads(player)?;
        match self.tables.get(&pairing).map(|table| table.stage) {
            Some(TableStage::Check { .. }) => Ok(PartyDecision::ExtendCheck { pairing, ms }),
            Some(TableStage::Playing) => Ok(PartyDecision::AddTime { pairing, ms }),
            Some(TableStage::Held) => {
                Err(not_now("the party is paused: the ready check begins anew when it goes on"))
            }
            _ => Err(no_clock()),
        }
    }

    /// Lets a ready check run longer.
    pub(crate) fn extend_check(&mut self, pairing: u32, ms: u32) {
        let table = self.tables.get_mut(&pairing);
        if let Some(TableStage::Check { until, .. }) = table.map(|table| &mut table.stage) {
            *until += Duration::from_millis(ms.into());
        }
    }

    /// Notes that an entrant is ready. If both are, a room is to be made.
    pub(crate) fn set_ready(&mut self, now: Duration, entrant: u16, pairing: u32) {
        let Some(table) = self.tables.get_mut(&pairing) else { return };
        if !table.ready.contains(&entrant) {
            table.ready.push(entrant);
        }
        if table.ready.len() == 2 && matches!(table.stage, TableStage::Check { .. }) {
            table.stage = TableStage::Wanted { at: now, game: 1 };
        }
    }

    /// The rooms to make by `now`. Each is told once: [`PartyRules::opened`] or
    /// [`PartyRules::open_failed`] answers it.
    pub(crate) fn take_openings(&mut self, now: Duration) -> Vec<Opening> {
        if self.state.clocks_stopped {
            return Vec::new();
        }
        let mut openings = Vec::new();
        for (number, table) in &mut self.tables {
            let TableStage::Wanted { at, game } = table.stage else { continue };
            let Some(pairing) = self.state.pairing(*number).filter(|_| at <= now) else { continue };
            let Some((x, o)) = pairing.order_in(game) else { continue };
            let lost = pairing.room.filter(|_| pairing.game == game);
            table.stage = TableStage::Opening;
            openings.push(Opening { pairing: *number, table: pairing.table, game, x, o, lost });
        }
        openings
    }

    /// The facts that rooms were made: pairing, game, room.
    pub(crate) fn opened(rooms: &[(u32, u8, RoomCode)]) -> PartyDecided {
        let opened = |&(pairing, game, room)| PartyEvent::Opened { pairing, game, room };
        PartyDecided(rooms.iter().map(opened).collect())
    }

    /// The room could not be made, or the fact of it could not be stored: it is tried again later.
    pub(crate) fn open_failed(&mut self, now: Duration, pairing: u32, game: u8) {
        let at = now + RETRY;
        if let Some(table) = self.tables.get_mut(&pairing)
            && table.stage == TableStage::Opening
        {
            table.stage = TableStage::Wanted { at, game };
        }
    }

    pub(super) fn note_opened(&mut self, pairing: u32) {
        if let Some(table) = self.tables.get_mut(&pairing) {
            table.stage = TableStage::Playing;
        }
    }

    /// The ends of games in rooms of different pairings. The facts of one do not touch another.
    pub(crate) fn table_results(
        &mut self,
        now: Duration,
        ends: impl IntoIterator<Item = (u32, u8, RoomCode, TableResult)>,
    ) -> PartyDecided {
        let facts = ends.into_iter().flat_map(|(pairing, game, room, result)| {
            self.table_result(now, pairing, game, room, result).0
        });
        PartyDecided(facts.collect())
    }

    /// The end of a game in a room. A report that is not about the running game of a pairing is
    /// ignored. A draw before the third game is no fact: the next game follows.
    pub(crate) fn table_result(
        &mut self,
        now: Duration,
        number: u32,
        game: u8,
        room: RoomCode,
        result: TableResult,
    ) -> PartyDecided {
        let stays = self.winner_stays() || self.state.settings.format == PartyFormat::Knockout;
        let Some(pairing) = self.state.pairing(number) else { return PartyDecided::default() };
        let is_running =
            pairing.outcome.is_none() && pairing.game == game && pairing.room == Some(room);
        let Some(((x, o), table)) = pairing.order_in(game).zip(self.tables.get_mut(&number)) else {
            return PartyDecided::default();
        };
        if !is_running || !matches!(table.stage, TableStage::Playing | TableStage::Ended) {
            return PartyDecided::default();
        }
        let (winner, how) = match result {
            TableResult::Won(Mark::X) => (Some(x), DecidedBy::Game),
            TableResult::Won(Mark::O) => (Some(o), DecidedBy::Game),
            TableResult::Lost => {
                table.stage = TableStage::Wanted { at: now + RETRY, game };
                return PartyDecided::default();
            }
            TableResult::Drawn if game < MAX_PAIRING_GAMES => {
                let at = now + REPLAY;
                table.stage = TableStage::Wanted { at, game: game + 1 };
                return PartyDecided::default();
            }
            TableResult::Drawn if stays => (pairing.second, DecidedBy::DrawOdds),
            TableResult::Drawn => (None, DecidedBy::Game),
        };
        table.stage = TableStage::Ended;
        let outcome = PairingOutcome { winner, how, note: None };
        PartyDecided(vec![PartyEvent::Decided { pairing: number, outcome }])
    }

    /// Forgets the table of a pairing that is over. Its room is dismissed if it still plays.
    pub(super) fn clear_table(&mut self, number: u32) {
        let Some(table) = self.tables.remove(&number) else { return };
        let Some(pairing) = self.state.pairing(number) else { return };
        if let Some(room) = pairing.room.filter(|_| table.stage == TableStage::Playing) {
            let ruling = self.ruling(number, pairing.game);
            self.dismissed.push(DismissedRoom { room, ruling });
        }
    }

    /// How a game ends whose pairing was decided without it.
    fn ruling(&self, pairing: u32, game: u8) -> Ruling {
        let Some(pairing) = self.state.pairing(pairing) else { return Ruling::Unfinished };
        let Some(outcome) = &pairing.outcome else { return Ruling::Unfinished };
        let winner = outcome.winner.zip(pairing.order_in(game));
        let winner = winner.map(|(winner, (x, _))| if winner == x { Mark::X } else { Mark::O });
        match (outcome.how, winner) {
            (DecidedBy::Forfeit, Some(winner)) => Ruling::Forfeit(winner),
            _ => Ruling::Decided(winner),
        }
    }
}

/// The refusal of time for a pairing without a clock that runs.
pub(crate) fn no_clock() -> Refusal {
    not_now("no clock runs there now: look again")
}
