//! A guest of a party who plays without a plan: ready at once, and a mark in the first cell that is free
//! from some cell on.

use noughts_protocol::{Cell, Mark, PartyIntent, PartyPhase, RoomIntent};

use super::Player;

/// What a guest does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Ready(u32),
    Play(u32, u16, Cell),
    Done,
}

impl Player {
    /// Plays in the party until this holds, or until the party is over. `from` is the cell from which
    /// the guest looks for a free one: two guests of different cells do not play the same game.
    ///
    /// # Panics
    /// If nothing happens for too long, or the server refuses what the guest may do.
    pub async fn attend(&mut self, from: u16, until: impl Fn(&Self) -> bool) {
        loop {
            let deed =
                |player: &Self| if until(player) { Some(Deed::Done) } else { player.deed(from) };
            self.until("something to do in the party", |player| deed(player).is_some()).await;
            match deed(self) {
                Some(Deed::Ready(pairing)) => {
                    // The time may just be over.
                    let _ = self.ask_party(PartyIntent::Ready { pairing }).await;
                    let is_told = |player: &Self| {
                        let me = player.entrant().unwrap_or_default();
                        let view = player.party.as_ref();
                        view.is_some_and(|view| view.presence.ready.contains(&me))
                            || player
                                .pairing()
                                .is_none_or(|now| now.number != pairing || now.game > 0)
                    };
                    self.until("that everybody knows it", is_told).await;
                }
                Some(Deed::Play(game, ply, cell)) => {
                    // The game may just be over.
                    let _ = self.ask_room(RoomIntent::Play { game, ply, cell }).await;
                    let moved = |player: &Self| {
                        player.room.as_ref().is_none_or(|room| {
                            !room.is_running()
                                || room.game.as_ref().is_none_or(|game| game.game.ply() != ply)
                        })
                    };
                    self.until("the move", |player| moved(player)).await;
                }
                Some(Deed::Done) | None => return,
            }
        }
    }

    fn deed(&self, from: u16) -> Option<Deed> {
        let view = self.party.as_ref()?;
        if view.state.phase == PartyPhase::Over {
            return Some(Deed::Done);
        }
        let pairing = self.pairing()?;
        let me = self.entrant()?;
        if pairing.game == 0 {
            let is_asked = view.presence.checks.iter().any(|check| check.pairing == pairing.number);
            let is_ready = view.presence.ready.contains(&me);
            return (is_asked && !is_ready).then_some(Deed::Ready(pairing.number));
        }
        let room = self.room.as_ref().filter(|room| Some(room.code) == pairing.room)?;
        let running = room.running()?;
        let mine = |mark: Mark| room.seats[mark].player() == Some(self.id);
        if !running.turn().is_some_and(mine) {
            return None;
        }
        let cells = room.settings.board.cells();
        let mut free = (0..cells).map(|step| Cell((from + step) % cells));
        let cell = free.find(|cell| !running.game.moves().contains(cell))?;
        Some(Deed::Play(running.number, running.game.ply(), cell))
    }
}
