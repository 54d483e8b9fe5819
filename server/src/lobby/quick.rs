//! Quick match: players who want the same game are paired, or play against the computer.

use std::sync::Arc;

use noughts_protocol::{
    ByMark, ChatMode, Computer, Features, Refusal, RefusalCode, RoomCode, RoomSettings, Seat,
};

use super::matchmaker::{Match, MatchTicket, QuickSettings};
use super::{Lobby, Requester, check_game, switched_off};

/// The result of a quick match.
#[derive(Debug)]
pub(crate) enum QuickMatch {
    /// An opponent waited.
    Room(RoomCode),
    /// Nobody waited: the player is in the queue.
    Wait(MatchTicket),
}

impl Lobby {
    /// Pairs a player with a player who waits for the same game, or puts them in the queue. Without a time for a
    /// move it is the server's.
    ///
    /// # Errors
    /// If the settings are out of range or a limit is reached.
    pub(crate) fn quick_match(
        &self,
        requester: &Requester,
        wanted: QuickSettings,
    ) -> Result<QuickMatch, Refusal> {
        if let Some(room) = self.registry.find_by_origin(requester.origin()) {
            return Ok(QuickMatch::Room(room));
        }
        if !self.features().quick_match {
            return Err(switched_off(
                "is paired with strangers",
                "make a room, or join one by its code",
            ));
        }
        self.check_open()?;
        let move_time_ms = wanted.move_time_ms.or(Some(self.quick_move_time_ms));
        let wanted = QuickSettings { move_time_ms, ..wanted };
        if let Some(room) = self.pair(requester, wanted)? {
            return Ok(QuickMatch::Room(room));
        }
        let matchmaker = Arc::clone(&self.matchmaker);
        Ok(QuickMatch::Wait(matchmaker.wait(wanted, requester.clone())))
    }

    /// Pairs a player with a player who waits; `None` if nobody does.
    fn pair(
        &self,
        requester: &Requester,
        wanted: QuickSettings,
    ) -> Result<Option<RoomCode>, Refusal> {
        let settings = self.quick_settings(wanted, self.features().listing);
        check_game(&settings)?;
        // This comes before an opponent leaves the queue.
        self.registry.quotas.check(requester.owner(), false, self.context.clock.now())?;
        loop {
            let Some(other) = self.matchmaker.take_opponent(wanted, requester.player) else {
                return Ok(None);
            };
            if other.found.is_closed() {
                continue;
            }
            let origins = vec![requester.origin(), other.requester().origin()];
            let seats = by_chance(requester.seat(), other.requester().seat());
            let room = match self.open(settings, seats, origins, requester) {
                Ok(room) => room,
                Err(refusal) => {
                    self.matchmaker.put_back(wanted, other);
                    return Err(refusal);
                }
            };
            if other.found.send(Match::Room(room)).is_ok() {
                self.matchmaker.end_waits(|player| player == requester.player);
                return Ok(Some(room));
            }
            // The opponent's connection has just ended. Their seat in that room stays empty and the
            // room ends by itself. The next opponent is tried.
        }
    }

    /// Why a wait has ended without a match.
    pub(crate) fn wait_ended(&self) -> Refusal {
        let message = "you look for an opponent on another device or in another window";
        let waits_there = Refusal::new(RefusalCode::NotNow, message);
        self.check_open().err().unwrap_or(waits_there)
    }

    /// Makes a room against the computer, for a player without an opponent.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn against_computer(
        &self,
        requester: &Requester,
        wanted: QuickSettings,
        computer: Computer,
    ) -> Result<RoomCode, Refusal> {
        let settings = self.quick_settings(wanted, false);
        let seats = by_chance(requester.seat(), Seat::Computer(computer));
        self.open(settings, seats, vec![requester.origin()], requester)
    }

    /// The settings of every quick match. Strangers play without hints.
    fn quick_settings(&self, wanted: QuickSettings, listed: bool) -> RoomSettings {
        let QuickSettings { board, variant, move_time_ms } = wanted;
        let Features { spectators, chat, .. } = self.features();
        let chat = if chat { ChatMode::Emotes } else { ChatMode::Off };
        RoomSettings {
            board,
            variant,
            move_time_ms,
            listed,
            spectators,
            hints: Some(false),
            chat,
            ..RoomSettings::default()
        }
    }
}

fn by_chance(one: Seat, other: Seat) -> ByMark<Seat> {
    if rand::random() { ByMark { x: one, o: other } } else { ByMark { x: other, o: one } }
}
