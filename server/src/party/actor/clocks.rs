//! The clocks of a party's games and ready checks, which the host stops and gives more time. They run in the
//! rooms.

use noughts_protocol::{IntentId, Refusal};
use tokio::time::Instant;

use super::{ADDED, PartyActor};
use crate::actor::RETRY;
use crate::party::rules::intent::PartyDecision;
use crate::party::rules::tables::no_clock;
use crate::room::rules::move_clock::ClockChange;

impl PartyActor {
    /// Has the clocks of all games stand still, or run on, as the party's state says.
    pub(super) async fn hold_clocks(&mut self) {
        let stopped = self.rules.state().clocks_stopped;
        if self.clocks_stopped == stopped {
            return;
        }
        self.clocks_stopped = stopped;
        for pairing in self.tables.keys().copied().collect::<Vec<_>>() {
            self.hold_clock(pairing).await;
        }
    }

    /// The same of one game. If its room cannot store that, all are told again after [`RETRY`].
    pub(super) async fn hold_clock(&mut self, pairing: u32) {
        let stopped = self.rules.state().clocks_stopped;
        let change = if stopped { ClockChange::Stop } else { ClockChange::Run };
        if self.change_clock(pairing, change).await.is_err() {
            self.clocks_stopped = !stopped;
            self.retry_at = Some(Instant::now() + RETRY);
        }
    }

    /// Gives time, if a clock runs there. A repeat of the intent gives none.
    pub(super) async fn add_time(
        &mut self,
        id: IntentId,
        decision: PartyDecision,
    ) -> Result<(), Refusal> {
        if self.added.contains(&id) {
            return Ok(());
        }
        match decision {
            PartyDecision::ExtendCheck { pairing, ms } => self.rules.extend_check(pairing, ms),
            PartyDecision::AddTime { pairing, ms } => {
                if !self.change_clock(pairing, ClockChange::Add(ms)).await? {
                    return Err(no_clock());
                }
            }
            _ => return Err(no_clock()),
        }
        self.added.truncate(ADDED - 1);
        self.added.push_front(id);
        Ok(())
    }

    /// Changes the clock of a pairing's game. Returns whether there is one.
    ///
    /// # Errors
    /// If its room cannot store that.
    async fn change_clock(&self, pairing: u32, change: ClockChange) -> Result<bool, Refusal> {
        let Some(table) = self.tables.get(&pairing) else { return Ok(false) };
        match self.context.lobby.find(table.room) {
            Ok(room) => room.change_clock(change).await,
            Err(_) => Ok(false),
        }
    }
}
