//! The host's powers: the host starts the party, pauses it, sets somebody aside, removes them, renames them,
//! changes a result, ends it.

use noughts_protocol::party::{MAX_ENTRANTS, PartyFormat, PartyPhase};
use noughts_protocol::{
    ChatText, DecidedBy, Entrant, PairingOutcome, PartyEvent, PlayerId, PlayerName, Refusal,
    RefusalCode,
};

use crate::party::pairing;
use crate::party::rules::{Draft, MAX_FACTS, PartyDecided, PartyRules};

impl PartyRules {
    /// These rules, for what only the host may do, or the entrant who leads in the host's place.
    ///
    /// # Errors
    /// If the player does not lead the party, or it can keep no more facts.
    pub(super) fn led_by(&self, player: PlayerId) -> Result<&Self, Refusal> {
        self.check_leads(player)?;
        // A party ends at this number. The results of one that is over can be changed no more then.
        if self.state.v >= MAX_FACTS {
            return Err(Refusal::new(RefusalCode::Full, "the party can keep no more facts"));
        }
        Ok(self)
    }

    /// Checks that a player leads the party.
    ///
    /// # Errors
    /// If somebody else does.
    pub(super) fn check_leads(&self, player: PlayerId) -> Result<(), Refusal> {
        if Some(player) == self.state.leading_player() {
            return Ok(());
        }
        let message = "only the host of the party can do that";
        Err(Refusal::new(RefusalCode::NotHost, message))
    }

    pub(super) fn start(&self) -> Result<PartyDecided, Refusal> {
        match self.state.phase {
            PartyPhase::Playing => return Ok(PartyDecided::default()),
            PartyPhase::Over if self.has_started => return Ok(PartyDecided::default()),
            PartyPhase::Over => return Err(not_now("the party is over: make a new one")),
            PartyPhase::Gathering => {}
        }
        let mut draft = Draft::of(&self.state);
        for entrant in pairing::fill(&self.state) {
            draft.push(PartyEvent::Joined { entrant });
        }
        let active = || draft.state.entrants.iter().filter(|entrant| !entrant.left);
        let people = active().filter(|entrant| entrant.computer.is_none()).count();
        if people == 0 || active().count() < 2 {
            return Err(not_now("a party needs two who play: wait for somebody to come in"));
        }
        draft.push(PartyEvent::Started);
        Ok(draft.decided())
    }

    pub(super) fn pause(&self, paused: bool, clocks: bool) -> Result<PartyDecided, Refusal> {
        let is_so = self.state.paused == paused && self.state.clocks_stopped == clocks;
        // Also of a party that is over: the intent may be repeated after a cut.
        if self.has_started && is_so {
            return Ok(PartyDecided::default());
        }
        if self.state.phase != PartyPhase::Playing {
            return Err(not_now("the party is not being played"));
        }
        Ok(PartyDecided(vec![PartyEvent::Paused { paused, clocks }]))
    }

    pub(super) fn skip(&self, number: u16, skip: bool) -> Result<PartyDecided, Refusal> {
        let entrant = self.known(number)?;
        let was_applied = if skip { entrant.set_aside } else { !entrant.left };
        if was_applied {
            return Ok(PartyDecided::default());
        }
        if self.state.phase == PartyPhase::Over {
            return Err(not_now("the party is over"));
        }
        if skip {
            return Ok(self.leave(number, true));
        }
        if entrant.player.is_none() && entrant.computer.is_none() {
            return Err(not_now("nobody has this place any more: give it to somebody with a pass"));
        }
        Ok(PartyDecided(vec![PartyEvent::Returned { entrant: number }]))
    }

    /// Removes an entrant, unless it is somebody whom the party cannot do without.
    pub(crate) fn check_removal(&self, number: u16) -> Result<PartyDecided, Refusal> {
        let entrant = self.known(number)?;
        let Some(player) = entrant.player else {
            if entrant.removed {
                return Ok(PartyDecided::default());
            }
            return Err(not_now("no person has this place: there is nobody to remove"));
        };
        if self.state.phase == PartyPhase::Over {
            return Err(not_now("the party is over"));
        }
        if player == self.state.host || Some(player) == self.state.leading_player() {
            return Err(not_now("the host of the party stays in it: they can leave by themselves"));
        }
        if self.kept_out.len() >= MAX_ENTRANTS {
            let message =
                "as many people were removed as a party can keep out: let somebody in again";
            return Err(Refusal::new(RefusalCode::Full, message));
        }
        Ok(self.remove(number))
    }

    /// Lets those in again whom the host has removed from a place. It is theirs again if nobody has it, and
    /// only one person was removed.
    pub(super) fn let_in(&self, number: u16) -> Result<PartyDecided, Refusal> {
        let entrant = self.known(number)?;
        if !entrant.removed {
            return Ok(PartyDecided::default());
        }
        if self.state.phase == PartyPhase::Over {
            return Err(not_now("the party is over"));
        }
        let mut removed = self.kept_out_of(number);
        let only = removed.next().filter(|_| removed.next().is_none());
        let player = entrant.player.or(only);
        let set_aside = entrant.set_aside && player.is_none();
        let entrant = Entrant { player, set_aside, removed: false, ..entrant.clone() };
        Ok(PartyDecided(vec![PartyEvent::Joined { entrant }]))
    }

    /// The entrant with this number.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn known(&self, number: u16) -> Result<&Entrant, Refusal> {
        self.state.entrant(number).ok_or_else(|| {
            Refusal::new(RefusalCode::NoSuchPlayer, "the party has no entrant with this number")
        })
    }

    /// The host gives an entrant another name, which stays also if the player comes with their own.
    pub(super) fn rename(&self, number: u16, name: &PlayerName) -> Result<PartyDecided, Refusal> {
        let known = self.known(number)?;
        let name = self.name_for(Some(number), name).with_face(known.name.face());
        if known.fixed_name && known.name == name {
            return Ok(PartyDecided::default());
        }
        let entrant = Entrant { name, fixed_name: true, ..known.clone() };
        Ok(PartyDecided(vec![PartyEvent::Joined { entrant }]))
    }

    /// Decides a pairing, or changes its result where nothing that is paired by now follows from it.
    pub(super) fn change(
        &self,
        number: u32,
        winner: Option<u16>,
        note: Option<ChatText>,
    ) -> Result<PartyDecided, Refusal> {
        let format = self.state.settings.format;
        let Some((first, second, before)) = self.state.decided(number) else {
            return Err(Refusal::new(RefusalCode::Stale, "the party does not know that pairing"));
        };
        let Some(second) = second else { return Err(not_now("a bye has no other result")) };
        if winner.is_some_and(|winner| winner != first && winner != second) {
            let message = "that entrant does not play in this pairing";
            return Err(Refusal::new(RefusalCode::NoSuchPlayer, message));
        }
        let someone_wins = matches!(format, PartyFormat::Knockout | PartyFormat::WinnerStays);
        if winner.is_none() && someone_wins {
            return Err(not_now("somebody must win in this format: name the winner"));
        }
        let current = self.state.pairing(number);
        if current.is_none() && format == PartyFormat::Knockout {
            return Err(not_now("the next round is paired already: this result stays"));
        }
        if before.is_none() && self.state.phase == PartyPhase::Over {
            return Err(not_now("the party ended before this pairing was played"));
        }
        let outcome = PairingOutcome { winner, how: DecidedBy::Host, note };
        if current.and_then(|pairing| pairing.outcome.as_ref()) == Some(&outcome) {
            return Ok(PartyDecided::default());
        }
        let mut draft = Draft::of(&self.state);
        draft.push(PartyEvent::Decided { pairing: number, outcome });
        let is_over = self.state.phase == PartyPhase::Over;
        if before.is_some() && (current.is_none() || self.is_ranked || is_over) {
            let places = pairing::places(&draft.state);
            draft.push(PartyEvent::Ranked { places });
        }
        Ok(draft.decided())
    }

    /// The end of the party, with the places of now.
    pub(crate) fn end(&self) -> PartyDecided {
        if self.state.phase == PartyPhase::Over {
            return PartyDecided::default();
        }
        PartyDecided(vec![PartyEvent::Ended { places: pairing::places(&self.state) }])
    }
}

pub(super) fn not_now(message: &str) -> Refusal {
    Refusal::new(RefusalCode::NotNow, message)
}
