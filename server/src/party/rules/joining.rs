//! People come to a party, come back and leave.

use noughts_protocol::party::{PartyPhase, PartyRole};
use noughts_protocol::{
    DecidedBy, Entrant, PairingOutcome, PartyEvent, PlayerId, PlayerName, Refusal, RefusalCode,
};

use crate::party::pairing::{self, Coins};
use crate::party::rules::{Draft, MAX_CHANGES, PartyDecided, PartyRules};

impl PartyRules {
    /// The facts of somebody who follows the party. There are none for those who look on: because they
    /// want to, because the host has set them aside, or because they come too late. They are present
    /// only after [`PartyRules::connect`].
    ///
    /// # Errors
    /// If the party has as many entrants as it may have, or the host has removed the player.
    pub(crate) fn join(
        &self,
        player: PlayerId,
        name: &PlayerName,
        role: PartyRole,
    ) -> Result<PartyDecided, Refusal> {
        if self.kept_out.iter().any(|(_, removed)| *removed == player) {
            let message =
                "the host has removed you from this party: ask the host to let you in again";
            return Err(Refusal::new(RefusalCode::Banned, message));
        }
        if role != PartyRole::Player || self.state.phase == PartyPhase::Over {
            return Ok(PartyDecided::default());
        }
        let mut draft = Draft::of(&self.state);
        if let Some(known) = self.state.entrant_of(player) {
            let conduct = self.conduct_of(known.number);
            let name = match known.fixed_name {
                true => known.name.clone().with_face(name.face()),
                false => self.name_for(Some(known.number), name),
            };
            if conduct.changes < MAX_CHANGES && name != known.name {
                draft.push(PartyEvent::Joined { entrant: Entrant { name, ..known.clone() } });
            }
            if known.left && !known.set_aside && conduct.changes < MAX_CHANGES {
                draft.push(PartyEvent::Returned { entrant: known.number });
            }
            return Ok(draft.decided());
        }
        if self.displaced.contains(&player) || !pairing::admits_late_comers(&self.state) {
            return Ok(PartyDecided::default());
        }
        let most = self.state.settings.most_entrants();
        let Some(number) = self.free_number(most) else {
            let message = format!("the party has {most} entrants, no more can play: look on");
            return Err(Refusal::new(RefusalCode::Full, message));
        };
        let entrant = Entrant {
            player: Some(player),
            removed: self.state.entrant(number).is_some_and(|entrant| entrant.removed),
            ..Entrant::new(number, self.name_for(Some(number), name))
        };
        draft.push(PartyEvent::Joined { entrant });
        if self.state.entrant(number).is_some() {
            draft.push(PartyEvent::Returned { entrant: number });
        }
        let mut coins = Coins::new(self.state.v);
        if let Some(late) = pairing::late_pairing(&self.state, number, &mut coins) {
            draft.push(PartyEvent::Paired { round: self.state.round, pairings: vec![late] });
        }
        Ok(draft.decided())
    }

    /// The number of somebody who comes in: the next one; in a full party that gathers, the first place
    /// that somebody has given up. `None` if there is none.
    fn free_number(&self, most: usize) -> Option<u16> {
        let entrants = &self.state.entrants;
        if entrants.len() < most {
            return u16::try_from(entrants.len() + 1).ok();
        }
        let gathers = self.state.phase == PartyPhase::Gathering;
        let given_up = entrants.iter().find(|entrant| gathers && entrant.left);
        given_up.map(|entrant| entrant.number)
    }

    /// The first facts of a new party: its host comes in, if they play.
    pub(crate) fn found(&self, name: Option<&PlayerName>) -> PartyDecided {
        let joined = name.map(|name| self.join(self.state.host, name, PartyRole::Player));
        joined.and_then(Result::ok).unwrap_or_default()
    }

    /// The facts of a player who asks to be forgotten: they leave, their name goes, and the next one leads
    /// the party if they did.
    pub(crate) fn forget(&self, player: PlayerId) -> PartyDecided {
        let mut draft = Draft::of(&self.state);
        if let Some(known) = self.state.entrant_of(player) {
            self.take_out(known, &mut draft);
        }
        let forgotten = player == self.state.host;
        let leads = self.state.leading_player() == Some(player);
        if forgotten || leads {
            let entrant = if leads { self.next_leader() } else { self.state.leader };
            draft.push(PartyEvent::Led { entrant, forgotten });
        }
        draft.decided()
    }

    /// Adds the facts of an entrant who is forgotten.
    fn take_out(&self, known: &Entrant, draft: &mut Draft) {
        if !known.left && self.state.phase != PartyPhase::Over {
            leave(draft, known.number, false);
        }
        draft.push(PartyEvent::Joined { entrant: self.nobody(known) });
    }

    /// The entrant whose place belongs to nobody any more, without the name.
    pub(super) fn nobody(&self, known: &Entrant) -> Entrant {
        let name = "Somebody"
            .parse()
            .map_or_else(|_| known.name.clone(), |name| self.name_for(Some(known.number), &name));
        Entrant { name, player: None, fixed_name: false, ..known.clone() }
    }

    /// The name that nobody else has.
    pub(super) fn name_for(&self, number: Option<u16>, name: &PlayerName) -> PlayerName {
        let others = |entrant: &&Entrant| Some(entrant.number) != number;
        name.unique(|text| {
            self.state.entrants.iter().filter(others).any(|entrant| entrant.name.as_str() == text)
        })
    }

    /// The facts of an entrant whom the host removes: a running pairing is lost, and the place has no player.
    pub(crate) fn remove(&self, entrant: u16) -> PartyDecided {
        let mut draft = Draft::of(&self.state);
        draft.push(PartyEvent::Left { entrant, host: true, removed: true });
        forfeit(&mut draft, entrant);
        draft.decided()
    }

    /// The players whom the host has removed from a place.
    pub(crate) fn kept_out_of(&self, entrant: u16) -> impl Iterator<Item = PlayerId> {
        let theirs = self.kept_out.iter().filter(move |(number, _)| *number == entrant);
        theirs.map(|(_, player)| *player)
    }

    /// The facts of an entrant who leaves, or is set aside by the host: a running pairing is lost.
    pub(super) fn leave(&self, entrant: u16, host: bool) -> PartyDecided {
        let mut draft = Draft::of(&self.state);
        leave(&mut draft, entrant, host);
        draft.decided()
    }
}

/// Adds the facts of an entrant who leaves.
pub(super) fn leave(draft: &mut Draft, entrant: u16, host: bool) {
    draft.push(PartyEvent::Left { entrant, host, removed: false });
    forfeit(draft, entrant);
}

/// Adds the fact that an entrant who has left loses a running pairing.
fn forfeit(draft: &mut Draft, entrant: u16) {
    let open = draft.state.open_pairing_of(entrant);
    if let Some((pairing, winner)) = open.map(|open| (open.number, open.opponent_of(entrant))) {
        let outcome = PairingOutcome { winner, how: DecidedBy::Forfeit, note: None };
        draft.push(PartyEvent::Decided { pairing, outcome });
    }
}
