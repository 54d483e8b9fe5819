//! The place of an entrant goes to another player: to the same person whose device has lost its storage.
//! The host asks for a pass, and another player uses it. It gives the place in this party and nothing
//! else: nobody becomes another player by it. Passes are not stored: a restart voids them.

use std::time::Duration;

use noughts_protocol::party::PartyPhase;
use noughts_protocol::{Entrant, PASS_MS, PartyEvent, PassCode, PlayerId, Refusal, RefusalCode};

use crate::party::rules::host::not_now;
use crate::party::rules::intent::PartyDecision;
use crate::party::rules::joining::leave;
use crate::party::rules::{Draft, PartyDecided, PartyRules};

/// How long a pass is good.
const LIFE: Duration = Duration::from_millis(PASS_MS as u64);

/// The last pass for the place of an entrant.
#[derive(Debug)]
pub(super) struct PlacePass {
    secret: u128,
    until: Duration,
    /// The player who has used it.
    used_by: Option<PlayerId>,
}

impl PlacePass {
    /// Notes that a player has the place. Also a pass that was not used is void then.
    pub(super) const fn use_up(&mut self, player: PlayerId) {
        self.used_by = Some(player);
    }
}

impl PartyRules {
    /// Decides whether a player gets a pass for the place of an entrant.
    ///
    /// # Errors
    /// If the player does not lead the party, or nobody else can have that place.
    pub(super) fn place_pass(
        &self,
        player: PlayerId,
        number: u16,
    ) -> Result<PartyDecision, Refusal> {
        self.check_leads(player)?;
        let entrant = self.known(number)?;
        if entrant.computer.is_some() {
            return Err(not_now("a computer has this place: it has no other device"));
        }
        if self.state.phase == PartyPhase::Over {
            return Err(not_now("the party is over"));
        }
        Ok(PartyDecision::PlacePass { entrant: number })
    }

    /// A new pass for the place of an entrant. The previous one is void. `secret` is random.
    pub(crate) fn issue_place_pass(
        &mut self,
        now: Duration,
        entrant: u16,
        secret: u128,
    ) -> Option<PassCode> {
        let code = format!("{entrant}.{secret:032x}").parse().ok()?;
        let pass = PlacePass { secret, until: now + LIFE, used_by: None };
        self.place_passes.insert(entrant, pass);
        Some(code)
    }

    /// The facts of a player who takes the place of an entrant with a pass. Another place of the player
    /// is given up and belongs to nobody then.
    ///
    /// # Errors
    /// If the pass was used or has expired, or the party is over.
    pub(crate) fn take_place(
        &self,
        now: Duration,
        player: PlayerId,
        pass: &PassCode,
    ) -> Result<PartyDecided, Refusal> {
        let (number, known) = self.place_of(pass).ok_or_else(bad_pass)?;
        if known.used_by == Some(player) {
            return Ok(PartyDecided::default());
        }
        if known.used_by.is_some() || now >= known.until {
            return Err(bad_pass());
        }
        if self.state.phase == PartyPhase::Over {
            return Err(not_now("the party is over"));
        }
        let entrant = self.known(number)?;
        let mut draft = Draft::of(&self.state);
        if let Some(own) = self.state.entrant_of(player) {
            if own.number == number {
                return Ok(PartyDecided::default());
            }
            if !own.left {
                leave(&mut draft, own.number, false);
            }
            draft.push(PartyEvent::Joined { entrant: self.nobody(own) });
        }
        if entrant.left {
            draft.push(PartyEvent::Returned { entrant: number });
        }
        let entrant =
            Entrant { player: Some(player), fixed_name: true, set_aside: false, ..entrant.clone() };
        draft.push(PartyEvent::Joined { entrant });
        Ok(draft.decided())
    }

    /// The entrant of a pass, and the pass, if it is the last one for that place.
    fn place_of(&self, pass: &PassCode) -> Option<(u16, &PlacePass)> {
        let (number, secret) = pass.reveal().split_once('.')?;
        let number: u16 = number.parse().ok()?;
        let secret = u128::from_str_radix(secret, 16).ok()?;
        let known = self.place_passes.get(&number)?;
        (known.secret == secret).then_some((number, known))
    }
}

fn bad_pass() -> Refusal {
    let message = "this pass was used or has expired: ask the host for a new one";
    Refusal::new(RefusalCode::BadPass, message)
}
