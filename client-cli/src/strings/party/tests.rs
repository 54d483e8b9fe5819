//! The meaning of a party for the reader, in every phase, and how its results are told.

use noughts_protocol::party::DecidedBy;
use noughts_protocol::{
    Computer, PairingOutcome, PartyEvent, PartySnapshot, PastDecision, PastPairing, Place, PlayerId,
};

use super::*;
use crate::fixture::party::{gathering, outcome, paired, pairing, table_code};

/// The texts of a snapshot for a reader.
fn with<T>(snapshot: PartySnapshot, me: Option<u16>, read: impl FnOnce(&Party<'_>) -> T) -> T {
    let presence = snapshot.presence.clone();
    let state = PartyState::from_snapshot(snapshot).unwrap();
    let left = Some(Duration::from_secs(9));
    let presence = &presence;
    let is_host = me == Some(1);
    let next = None;
    read(&Party { state: &state, presence, me, is_host, left, next, ascii: true })
}

#[track_caller]
fn status(snapshot: PartySnapshot, me: Option<u16>, expected: &str) {
    assert_eq!(with(snapshot, me, |party| party.status()), expected);
}

/// The semi-finals with these changes of the first one.
fn semi_final(change: impl FnOnce(&mut Pairing)) -> PartySnapshot {
    let mut snapshot = paired();
    change(&mut snapshot.state.pairings[0]);
    snapshot
}

#[test]
fn each_phase_says_what_the_reader_has_to_do() {
    status(gathering(), Some(1), "Start the party when everybody is here.");
    status(gathering(), Some(2), "You are in. Ada starts the party.");
    status(gathering(), None, "People come in. Ada starts the party.");
    let mut unknown = gathering();
    unknown.state.host = PlayerId(99);
    status(unknown, None, "People come in. The host starts the party.");
    status(paired(), Some(1), "You play Bob at table 1. Are you ready? 0:09");
    status(paired(), Some(2), "You are ready. You wait for Ada at table 1. 0:09");
    let silent = PartySnapshot { presence: PartyPresence::default(), ..paired() };
    status(silent.clone(), Some(3), "You play Dan at table 2 in a moment.");
    status(silent, None, "You are watching the party.");
    let runs = semi_final(|pairing| (pairing.game, pairing.room) = (1, Some(table_code(1))));
    status(runs, Some(2), "Your game against Ada is at table 1.");
    let bye = semi_final(|pairing| (pairing.second, pairing.table) = (None, 0));
    status(bye, Some(1), "You rest this round. The next round begins when table 2 is done.");
    let mut paused = paired();
    paused.state.paused = true;
    status(paused, Some(1), super::PAUSED);
    let mut left = paired();
    left.state.entrants[0].left = true;
    status(left, Some(1), "You do not play at the moment.");
}

#[test]
fn the_leader_is_marked_by_the_id_and_who_leads_is_told() {
    let mut party = gathering();
    party.state.entrants[1].name = "Ada (host)".parse().unwrap();
    party.state.entrants[2].name =
        "A name as long as they get".chars().take(24).collect::<String>().parse().unwrap();
    let people = |party: &PartySnapshot| -> Vec<String> {
        let rows = with(party.clone(), Some(4), people);
        rows.into_iter().map(|row| row.text).collect()
    };
    assert_eq!(people(&party)[..2], ["  1  Ada                       (host)", "  2  Ada (host)"]);
    let told = |party: &PartySnapshot, me, entrant| {
        let event = PartyEvent::Led { entrant, forgotten: false };
        with(party.clone(), me, |party| party.event(&event).unwrap())
    };
    assert_eq!(told(&party, None, None), "Ada leads the party again.");
    party.state.leader = Some(4);
    assert_eq!(people(&party)[3], "  4  Dan                       (you, host)");
    assert_eq!(told(&party, Some(4), Some(4)), "Ada is away. You lead the party now.");
    party.state.host = PlayerId(99);
    assert_eq!(told(&party, None, Some(4)), "The host is away. Dan leads the party now.");
    party.state.host = PlayerId::NOBODY;
    assert_eq!(told(&party, None, Some(4)), "Dan leads the party now.");
    party.state.leader = None;
    assert_eq!(told(&party, None, None), "Nobody leads the party at the moment.");
}

#[test]
fn a_knockout_tells_who_is_out_once_nothing_is_left_for_them() {
    let mut lost = semi_final(|pairing| pairing.outcome = Some(outcome(Some(1))));
    lost.state.entrants[1].losses = 1;
    // The loser of a semi-final still plays for the third place.
    status(lost.clone(), Some(2), "The next round begins when table 2 is done.");
    lost.state.round = 2;
    lost.state.pairings = vec![Pairing { stage: Some(Stage::Final), ..pairing(3, 1, 3) }];
    status(lost, Some(2), "You are out. You can watch the others.");
}

#[test]
fn a_queue_and_a_place_are_told_by_their_number() {
    let mut stays = paired();
    stays.state.settings.format = PartyFormat::WinnerStays;
    stays.state.pairings.truncate(1);
    stays.state.queue = vec![3, 4];
    status(stays.clone(), Some(3), "You play next.");
    status(stays.clone(), Some(4), "You are number 2 in the queue.");
    let rows = with(stays, Some(4), tables);
    assert_eq!(rows.last().unwrap().text, "  2  Dan (you)");
    let places = (1..).zip([2, 1, 3, 4]);
    let places = places.map(|(place, entrant)| Place { place, entrant, tiebreak: 0 }).collect();
    let mut over = paired();
    over.state = PartyState { phase: PartyPhase::Over, places, ..over.state };
    status(over.clone(), Some(1), "The party is over. You are 2nd.");
    let mut played = over.clone();
    assert_eq!(with(over, None, podium), ["Bob is 1st.", "Ada is 2nd.", "Eve is 3rd."]);
    played.state.entrants[1].computer = Some(Computer::default());
    let told = with(played.clone(), None, podium);
    assert_eq!(told.last().unwrap(), "First place among people: Ada.");
    played.state.places[1].place = 1;
    assert_eq!(with(played, None, podium), ["Bob and Ada are 1st.", "Eve is 3rd."]);
}

#[test]
fn a_result_says_how_it_came_about() {
    let told = |how, winner, me| {
        let outcome = PairingOutcome { winner, how, note: None };
        with(paired(), me, |party| party.outcome(1, Some(2), &outcome))
    };
    assert_eq!(told(DecidedBy::Game, Some(2), None), "Bob beat Ada");
    assert_eq!(told(DecidedBy::Game, Some(2), Some(1)), "Bob beat you");
    assert_eq!(told(DecidedBy::Game, None, Some(1)), "You and Bob draw");
    assert_eq!(told(DecidedBy::Forfeit, Some(1), Some(2)), "Ada wins: you were not there");
    assert_eq!(told(DecidedBy::Forfeit, None, None), "Ada and Bob were not there");
    assert_eq!(told(DecidedBy::Host, Some(1), Some(1)), "You win: the host decided");
}

#[test]
fn standings_share_places_and_rounds_are_told_backwards() {
    let mut swiss = paired();
    swiss.state.settings.format = PartyFormat::Swiss;
    swiss.state.round = 2;
    swiss.state.past = vec![vec![PastPairing(1, 3, 2, 0), PastPairing(2, 4, 1, 1)]];
    for (place, points) in [(0, 2), (1, 1), (3, 1)] {
        swiss.state.entrants[place].points = points;
    }
    let rows = with(swiss.clone(), Some(2), standings);
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(texts[1], "  1. Ada    1  0-0-0  (host)");
    assert_eq!(texts[2], "  2. Bob  0.5  0-0-0  (you)");
    assert_eq!(texts[3], "  2. Dan  0.5  0-0-0");
    let mut unplayed = swiss.clone();
    unplayed.state.entrants.iter_mut().for_each(|entrant| entrant.points = 0);
    assert_eq!(with(unplayed, None, standings)[1].text, "     Ada    0  0-0-0  (host)");
    let outcome =
        PairingOutcome { winner: None, how: DecidedBy::Host, note: "too late".parse().ok() };
    swiss.state.past_decisions = vec![PastDecision { pairing: 2, outcome }];
    let rows = with(swiss, None, rounds);
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!((texts[0], texts[4]), ("Round 2", "Round 1"));
    assert_eq!(texts[5], "     Ada 1 : 0 Eve");
    assert_eq!(texts[6], "     Bob and Dan draw: the host decided (too late)");
    assert_eq!(rows[5].target, Some(PartyTarget::Pairing(1)));
}
