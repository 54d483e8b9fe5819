//! A party that is over begins again: the same code, those who are there, new standings.

use noughts_protocol::party::{PartyPhase, PartySettings};
use noughts_protocol::{Entrant, PartyEvent, Refusal, RefusalCode};

use crate::party::rules::host::not_now;
use crate::party::rules::{Conduct, MAX_NO_SHOWS, PartyDecided, PartyRules};

impl PartyRules {
    /// Decides whether the party begins again, with these settings or those of before.
    ///
    /// # Errors
    /// If it is not over, or more are there than the format takes.
    pub(super) fn again(&self, settings: Option<PartySettings>) -> Result<PartyDecided, Refusal> {
        let settings = settings.unwrap_or(self.state.settings);
        if self.state.phase != PartyPhase::Over {
            let is_applied = settings == self.state.settings;
            let over = || not_now("the party is not over: end it first");
            return is_applied.then(PartyDecided::default).ok_or_else(over);
        }
        let most = settings.most_entrants();
        let kept = self.state.entrants.iter().filter(|entrant| self.is_kept(entrant));
        let numbered = (1..).zip(kept).map(|(number, known)| Entrant {
            player: known.player,
            fixed_name: known.fixed_name,
            left: known.left && !self.is_absent(known),
            set_aside: known.set_aside,
            removed: known.removed,
            ..Entrant::new(number, known.name.clone())
        });
        let entrants: Vec<Entrant> = numbered.collect();
        let count = entrants.iter().filter(|entrant| !entrant.left).count();
        if count > most {
            let message = format!("{count} play, and this format takes {most}: choose another one");
            return Err(Refusal::new(RefusalCode::Full, message));
        }
        let led = self.state.leader.and_then(|leader| self.state.entrant(leader));
        let leader = led.and_then(|led| entrants.iter().find(|one| one.name == led.name));
        let leader = leader.map(|leader| leader.number);
        Ok(PartyDecided(vec![PartyEvent::Again { settings, entrants, leader }]))
    }

    /// Whether an entrant is in the party that begins again: people who are there and have not left by
    /// themselves, and those whom only the host brings back.
    fn is_kept(&self, entrant: &Entrant) -> bool {
        let is_there = entrant.player.is_some_and(|player| self.present.contains_key(&player));
        let plays = !entrant.left || self.is_absent(entrant);
        (is_there && plays) || entrant.set_aside || entrant.removed
    }

    /// Whether an entrant counts as having left only because they did not come.
    fn is_absent(&self, entrant: &Entrant) -> bool {
        let missed = self.conduct_of(entrant.number).no_shows;
        entrant.left && !entrant.set_aside && missed >= MAX_NO_SHOWS
    }

    /// Takes over under their new numbers whom the host has removed. Names tell who is who:
    /// nobody has that of somebody else. Passes are void.
    pub(super) fn note_again(&mut self, entrants: &[Entrant]) {
        let was =
            |entrant: &Entrant| self.state.entrants.iter().find(|old| old.name == entrant.name);
        let moved =
            entrants.iter().filter_map(|entrant| Some((was(entrant)?.number, entrant.number)));
        self.conduct = vec![Conduct::default(); entrants.len() + 1];
        let kept_out = std::mem::take(&mut self.kept_out);
        self.kept_out = moved
            .flat_map(|(old, new)| {
                let theirs = kept_out.iter().filter(move |(number, _)| *number == old);
                theirs.map(move |(_, player)| (new, *player))
            })
            .collect();
        self.displaced.clear();
        self.place_passes.clear();
        self.is_ranked = false;
        self.has_started = false;
        self.next_at = None;
    }
}
