//! The news of a party, in sentences: results, pairings, people who come and go.

use noughts_protocol::party::DecidedBy;
use noughts_protocol::{Pairing, PairingOutcome, PartyEvent, PartyFormat, PlayerId};

use super::{Party, count, podium};
use crate::strings::capitalized;

impl Party<'_> {
    /// How a pairing ended, in a sentence without its full stop.
    pub(crate) fn outcome(
        &self,
        first: u16,
        second: Option<u16>,
        outcome: &PairingOutcome,
    ) -> String {
        let loser = |winner| if Some(winner) == second { first } else { second.unwrap_or(first) };
        let won = |winner| {
            let won = self.first_word(winner);
            let lost = self.subject(loser(winner));
            format!("{won} beat {lost}")
        };
        let wins = |winner| {
            let verb = if self.me == Some(winner) { "win" } else { "wins" };
            format!("{} {verb}", self.first_word(winner))
        };
        let players = || {
            let second = second.map_or("?", |second| self.subject(second));
            format!("{} and {second}", self.first_word(first))
        };
        let text = match (outcome.how, outcome.winner) {
            (DecidedBy::Bye, _) => {
                let verb = if self.me == Some(first) { "have" } else { "has" };
                format!("{} {verb} a bye", self.first_word(first))
            }
            (DecidedBy::Game, Some(winner)) => won(winner),
            (DecidedBy::DrawOdds, Some(winner)) => {
                format!("{}: after three draws, who moved second twice", wins(winner))
            }
            (DecidedBy::Forfeit, Some(winner)) => {
                let lost = loser(winner);
                let verb = if self.me == Some(lost) { "were" } else { "was" };
                format!("{}: {} {verb} not there", wins(winner), self.subject(lost))
            }
            (DecidedBy::Forfeit, None) => format!("{} were not there", players()),
            (DecidedBy::Host, Some(winner)) => format!("{}: the host decided", wins(winner)),
            (DecidedBy::Host, None) => format!("{} draw: the host decided", players()),
            (DecidedBy::Game | DecidedBy::DrawOdds, None) => format!("{} draw", players()),
        };
        match &outcome.note {
            Some(note) => format!("{text} ({note})"),
            None => text,
        }
    }

    /// The text about a fact that was applied, or `None` if there is nothing to say. Players hear of
    /// their own games; people who look on, and everybody in "winner stays on", hear of all.
    pub(crate) fn event(&self, event: &PartyEvent) -> Option<String> {
        let mine = |number: u16| self.me == Some(number);
        Some(match event {
            PartyEvent::Joined { entrant } if mine(entrant.number) && entrant.fixed_name => {
                format!("You are {} here.", entrant.name)
            }
            PartyEvent::Joined { entrant } if mine(entrant.number) => "You are in.".to_owned(),
            PartyEvent::Joined { entrant } if entrant.fixed_name => {
                format!("Number {} is {} now.", entrant.number, entrant.name)
            }
            PartyEvent::Joined { entrant } => {
                format!("{} is in: {}.", entrant.name, count(self.active()))
            }
            PartyEvent::Left { entrant, host: true, .. } if mine(*entrant) => {
                "The host has set you aside, and can bring you back.".to_owned()
            }
            PartyEvent::Left { entrant, .. } if mine(*entrant) => {
                "You do not play any more. You can come back.".to_owned()
            }
            PartyEvent::Left { entrant, removed: true, .. } => {
                format!("The host has removed {}.", self.name(*entrant))
            }
            PartyEvent::Left { entrant, .. } => {
                format!("{} does not play any more.", self.name(*entrant))
            }
            PartyEvent::Returned { entrant } if mine(*entrant) => "You play again.".to_owned(),
            PartyEvent::Returned { entrant } => format!("{} plays again.", self.name(*entrant)),
            PartyEvent::Started => "The party begins.".to_owned(),
            PartyEvent::Paired { pairings, .. } => return self.paired(pairings),
            // The pairing has told it.
            PartyEvent::Decided { outcome, .. } if outcome.how == DecidedBy::Bye => return None,
            PartyEvent::Decided { pairing, outcome } => {
                let (first, second, _) = self.state.decided(*pairing)?;
                let is_own = mine(first) || second.is_some_and(mine);
                let hears_all = self.own().is_none()
                    || self.state.settings.format == PartyFormat::WinnerStays
                    || outcome.how == DecidedBy::Host;
                if !is_own && !hears_all {
                    return None;
                }
                format!("{}.", self.outcome(first, second, outcome))
            }
            PartyEvent::Paused { paused: true, .. } => self.pause().to_owned(),
            PartyEvent::Paused { paused: false, .. } => "The party goes on.".to_owned(),
            PartyEvent::Led { entrant, .. } => self.led(*entrant),
            PartyEvent::Ended { .. } => match podium(self).first() {
                Some(first) => format!("The party is over. {first}"),
                None => "The party is over.".to_owned(),
            },
            PartyEvent::Again { .. } => self.again(),
            PartyEvent::Opened { .. } | PartyEvent::Ranked { .. } => return None,
        })
    }

    /// The party begins again, with this player or without.
    fn again(&self) -> String {
        let text = format!("The party begins again: {}.", count(self.active()));
        match self.own() {
            Some(own) if !own.left => format!("{text} You are in."),
            _ => text,
        }
    }

    /// The leader of the party: the host, or the entrant who leads in the host's place.
    fn led(&self, entrant: Option<u16>) -> String {
        let Some(leader) = self.state.leading_player() else {
            return "Nobody leads the party at the moment.".to_owned();
        };
        let named = self.state.entrant_of(leader).map(|leader| leader.number);
        let leads = match named {
            Some(number) if self.me == Some(number) => "You lead the party".to_owned(),
            Some(number) => format!("{} leads the party", self.name(number)),
            None => "The host leads the party".to_owned(),
        };
        if entrant.is_none() {
            return format!("{leads} again.");
        }
        if self.state.host == PlayerId::NOBODY {
            return format!("{leads} now.");
        }
        let host = self.state.entrant_of(self.state.host);
        let host = host.map_or("The host", |host| host.name.as_str());
        format!("{host} is away. {leads} now.")
    }

    /// The text about new pairings.
    fn paired(&self, pairings: &[Pairing]) -> Option<String> {
        let round = capitalized(&self.phase());
        let stays = self.state.settings.format == PartyFormat::WinnerStays;
        let of = |me| pairings.iter().find(|pairing| pairing.entrants().any(|one| one == me));
        let mine = self.me.and_then(|me| Some((me, of(me)?)));
        let text = match mine {
            Some((_, Pairing { second: None, .. })) => "you rest this round".to_owned(),
            Some((me, pairing)) => {
                let opponent = self.name(pairing.opponent_of(me).unwrap_or_default());
                format!("you play {opponent} at table {}", pairing.table)
            }
            _ if stays => {
                let pairing = pairings.first()?;
                let second = self.name(pairing.second?);
                let text = format!(
                    "{} plays {second} at table {}.",
                    self.name(pairing.first),
                    pairing.table
                );
                return self.own().is_none().then_some(text);
            }
            // "Semi-finals begin."
            _ if round.ends_with('s') => return Some(format!("{round} begin.")),
            _ => return Some(format!("{round} begins.")),
        };
        Some(if stays { format!("{}.", capitalized(&text)) } else { format!("{round}: {text}.") })
    }
}
