//! The intents of people in a party. Each intent becomes a [`PartyDecision`] or a refusal. An intent
//! that was applied before is granted again and changes nothing.

use noughts_protocol::party::PartyPhase;
use noughts_protocol::{PartyIntent, PassCode, PlayerId, Refusal, RefusalCode};

use crate::party::rules::{PartyDecided, PartyRules};

/// The consequence of an intent that is allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PartyDecision {
    /// Facts; none if the intent was applied before.
    Facts(PartyDecided),
    /// The entrant is ready, with [`PartyRules::set_ready`].
    Ready { entrant: u16, pairing: u32 },
    /// The host gets a pass for an entrant's place, with [`PartyRules::issue_place_pass`].
    PlacePass { entrant: u16 },
    /// A ready check runs longer, with [`PartyRules::extend_check`].
    ExtendCheck { pairing: u32, ms: u32 },
    /// The move of a running game gets more time, in its room.
    AddTime { pairing: u32, ms: u32 },
    /// The player takes a place, with [`PartyRules::take_place`].
    TakePlace { pass: PassCode },
    /// The connection gets a snapshot.
    Snapshot,
    /// The connection stops following.
    Leave,
}

impl PartyRules {
    /// Decides on an intent.
    ///
    /// # Errors
    /// If the player may not do that, or not now.
    pub(crate) fn decide(
        &self,
        player: PlayerId,
        intent: PartyIntent,
    ) -> Result<PartyDecision, Refusal> {
        let decided = match intent {
            PartyIntent::Ready { pairing } => return self.ready(player, pairing),
            PartyIntent::LeaveParty => return Ok(PartyDecision::Leave),
            PartyIntent::SyncParty => return Ok(PartyDecision::Snapshot),
            PartyIntent::PlacePass { entrant } => return self.place_pass(player, entrant),
            PartyIntent::AddTime { pairing, ms } => return self.add_time(player, pairing, ms),
            PartyIntent::TakePlace { pass } => return Ok(PartyDecision::TakePlace { pass }),
            PartyIntent::Withdraw => self.withdraw(player),
            PartyIntent::StartParty => self.led_by(player)?.start(),
            PartyIntent::PauseParty { pause, clocks } => {
                self.led_by(player)?.pause(pause, pause && clocks)
            }
            PartyIntent::Skip { entrant, skip } => self.led_by(player)?.skip(entrant, skip),
            PartyIntent::Remove { entrant, remove: true } => {
                self.led_by(player)?.check_removal(entrant)
            }
            PartyIntent::Remove { entrant, remove: false } => self.led_by(player)?.let_in(entrant),
            PartyIntent::Rename { entrant, name } => self.led_by(player)?.rename(entrant, &name),
            PartyIntent::Decide { pairing, winner, note } => {
                self.led_by(player)?.change(pairing, winner, note)
            }
            PartyIntent::EndParty => Ok(self.led_by(player)?.end()),
            PartyIntent::Again { settings } => self.led_by(player)?.again(settings),
        };
        decided.map(PartyDecision::Facts)
    }

    /// The number of a player who is an entrant. Only this function keeps spectators from acting.
    fn entrant(&self, player: PlayerId) -> Result<u16, Refusal> {
        let entrant = self.state.entrant_of(player).map(|entrant| entrant.number);
        let message = "you look on at this party: only those who play in it can do that";
        entrant.ok_or_else(|| Refusal::new(RefusalCode::NotSeated, message))
    }

    fn ready(&self, player: PlayerId, number: u32) -> Result<PartyDecision, Refusal> {
        let entrant = self.entrant(player)?;
        let pairing = self.state.pairing(number).ok_or_else(|| {
            Refusal::new(RefusalCode::Stale, "that pairing is not of this round: look again")
        })?;
        if !pairing.entrants().any(|one| one == entrant) {
            let message = "that pairing is between others: look at your own";
            return Err(Refusal::new(RefusalCode::NotSeated, message));
        }
        if pairing.second.is_none() {
            let message = "you have a bye in this round: nothing has to be played";
            return Err(Refusal::new(RefusalCode::NotNow, message));
        }
        if pairing.outcome.is_some() || self.state.phase == PartyPhase::Over {
            return Err(Refusal::new(RefusalCode::GameOver, "that pairing is decided"));
        }
        if pairing.game > 0 {
            return Ok(PartyDecision::Facts(PartyDecided::default()));
        }
        Ok(PartyDecision::Ready { entrant, pairing: number })
    }

    fn withdraw(&self, player: PlayerId) -> Result<PartyDecided, Refusal> {
        let entrant = self.entrant(player)?;
        let has_left = self.state.entrant(entrant).is_some_and(|entrant| entrant.left);
        if has_left || self.state.phase == PartyPhase::Over {
            return Ok(PartyDecided::default());
        }
        Ok(self.leave(entrant, false))
    }
}
