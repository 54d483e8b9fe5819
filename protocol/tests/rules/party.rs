//! The fold of a party's facts: which fact may follow which, what it counts, and that a party can be a
//! snapshot after each of them.

use noughts_protocol::party::MAX_ENTRANTS;
use noughts_protocol::party::state::KEPT_PAIRINGS;
use noughts_protocol::{
    DecidedBy, Entrant, OutOfStep, Pairing, PairingOutcome, PartyEvent, PartyFormat, PartyPhase,
    PartyPresence, PartySettings, PartyState, PastPairing, Place, PlayerId,
};
use proptest::prelude::*;

fn party(format: PartyFormat) -> PartyState {
    let code = "NGHTS".parse().expect("a code");
    let name = "Friday LAN".parse().expect("a name");
    PartyState::new(code, name, PartySettings { format, ..PartySettings::default() }, PlayerId(1))
}

fn joined(number: u16) -> PartyEvent {
    let name = format!("Guest {number}").parse().expect("a name");
    let player = Some(PlayerId(u64::from(number)));
    PartyEvent::Joined { entrant: Entrant { player, ..Entrant::new(number, name) } }
}

fn pairing(number: u32, first: u16, second: Option<u16>) -> Pairing {
    let table = u16::from(second.is_some());
    let stage = None;
    let game = 0;
    let room = None;
    let outcome = None;
    Pairing { number, table, first, second, stage, game, room, outcome }
}

fn paired(round: u16, pairings: &[(u32, u16, Option<u16>)]) -> PartyEvent {
    let pairings = pairings.iter().map(|(number, first, second)| pairing(*number, *first, *second));
    PartyEvent::Paired { round, pairings: pairings.collect() }
}

fn decided(pairing: u32, winner: Option<u16>, how: DecidedBy) -> PartyEvent {
    PartyEvent::Decided { pairing, outcome: PairingOutcome { winner, how, note: None } }
}

fn left(entrant: u16) -> PartyEvent {
    PartyEvent::Left { entrant, host: false, removed: false }
}

fn apply(state: &mut PartyState, events: &[PartyEvent]) {
    for event in events {
        state.apply(state.v + 1, event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
        let snapshot = state.to_snapshot(PartyPresence::default());
        assert_eq!(PartyState::from_snapshot(snapshot).as_ref(), Ok(&*state), "after {event:?}");
    }
}

/// A party of four people that has begun.
fn begun(format: PartyFormat) -> PartyState {
    let mut state = party(format);
    apply(&mut state, &[joined(1), joined(2), joined(3), joined(4), PartyEvent::Started]);
    state
}

/// Checks that a fact cannot follow, and changes nothing.
#[track_caller]
fn check_refused(state: &PartyState, event: &PartyEvent, why: &str) {
    let mut copy = state.clone();
    let error = copy.apply(state.v + 1, event).expect_err("the fact cannot follow");
    assert!(error.to_string().ends_with(why), "{event:?}: {error}");
    assert_eq!(&copy, state);
}

fn counts(state: &PartyState, number: u16) -> [u16; 4] {
    let entrant = state.entrant(number).expect("an entrant");
    [entrant.points, entrant.wins, entrant.draws, entrant.losses]
}

#[test]
fn a_fact_has_the_next_version() {
    let mut state = party(PartyFormat::Knockout);
    for v in [0, 2] {
        let gap = OutOfStep::Gap { expected: 1, got: v };
        assert_eq!(state.apply(v, &joined(1)), Err(gap));
    }
    apply(&mut state, &[joined(1)]);
}

#[test]
fn people_come_in_with_the_next_number_and_leave_and_return() {
    let mut state = party(PartyFormat::Swiss);
    check_refused(&state, &joined(2), "the entrant has not the next number");
    check_refused(&state, &joined(0), "the entrant has not the next number");
    check_refused(&state, &left(1), "the entrant is not known");
    check_refused(&state, &PartyEvent::Returned { entrant: 1 }, "the entrant is not known");
    apply(&mut state, &[joined(1), joined(2), left(1)]);
    assert!(state.entrant(1).unwrap().left);
    apply(&mut state, &[PartyEvent::Returned { entrant: 1 }]);
    assert!(!state.entrant(1).unwrap().left);
    // Another name for the same number.
    let PartyEvent::Joined { mut entrant } = joined(1) else { unreachable!("a joined") };
    (entrant.name, entrant.player) = ("Somebody".parse().unwrap(), None);
    apply(&mut state, &[PartyEvent::Joined { entrant }]);
    assert_eq!(state.entrant(1).unwrap().name.to_string(), "Somebody");
    assert_eq!((state.entrants.len(), state.entrant_of(PlayerId(1))), (2, None));
    let most = u16::try_from(MAX_ENTRANTS).unwrap();
    (3..=most).for_each(|number| apply(&mut state, &[joined(number)]));
    check_refused(&state, &joined(most + 1), "the entrant has not the next number");
}

/// Fails if an entrant who is told again gets their counts from the fact, which has none.
#[test]
fn a_place_goes_to_another_player_with_all_it_has() {
    let mut state = begun(PartyFormat::Swiss);
    apply(&mut state, &[paired(1, &[(1, 1, Some(2))]), decided(1, Some(2), DecidedBy::Game)]);
    let PartyEvent::Joined { entrant } = joined(2) else { panic!("a new entrant") };
    let entrant = Entrant { player: Some(PlayerId(9)), fixed_name: true, ..entrant };
    apply(&mut state, &[PartyEvent::Joined { entrant }]);
    let known = state.entrant(2).expect("an entrant");
    assert_eq!((known.player, known.fixed_name), (Some(PlayerId(9)), true));
    assert_eq!(counts(&state, 2), [2, 1, 0, 0]);
    assert_eq!(state.entrant_of(PlayerId(2)), None);
}

#[test]
fn nobody_is_paired_before_the_start_or_after_the_end() {
    let mut state = party(PartyFormat::Knockout);
    apply(&mut state, &[joined(1), joined(2)]);
    let first = paired(1, &[(1, 1, Some(2))]);
    check_refused(&state, &first, "the party is not being played");
    apply(&mut state, &[PartyEvent::Started]);
    check_refused(&state, &PartyEvent::Started, "it has begun");
    check_refused(&state, &paired(1, &[(1, 1, Some(3))]), "the entrant is not known");
    let room = "KQRZX".parse().unwrap();
    let game = 1;
    let opened = PartyEvent::Opened { pairing: 1, game, room };
    check_refused(&state, &opened, "the pairing is not known");
    check_refused(&state, &decided(1, Some(1), DecidedBy::Game), "no such pairing");
    apply(&mut state, &[first, opened.clone()]);
    let played = state.pairing(1).unwrap();
    assert_eq!((played.game, played.room), (1, Some(room)));
    check_refused(&state, &decided(1, Some(3), DecidedBy::Game), "the winner does not play there");
    apply(&mut state, &[decided(1, Some(1), DecidedBy::Game)]);
    check_refused(&state, &opened, "the pairing is over");
    let places = vec![Place { place: 1, entrant: 3, tiebreak: 0 }];
    check_refused(&state, &PartyEvent::Ended { places }, "the entrant is not known");
    apply(&mut state, &[PartyEvent::Ended { places: Vec::new() }]);
    assert_eq!(state.phase, PartyPhase::Over);
    check_refused(&state, &paired(2, &[(2, 1, Some(2))]), "the party is not being played");
    check_refused(&state, &joined(3), "the entrant has not the next number");
    // The host changes a result after the end.
    apply(&mut state, &[decided(1, Some(2), DecidedBy::Host)]);
    assert_eq!([counts(&state, 1), counts(&state, 2)], [[0, 0, 0, 1], [2, 1, 0, 0]]);
}

#[test]
fn a_pairing_counts_for_both_and_a_bye_gives_points_alone() {
    let mut state = begun(PartyFormat::Swiss);
    apply(&mut state, &[paired(1, &[(1, 1, Some(2)), (2, 4, None), (3, 3, None)])]);
    apply(&mut state, &[decided(1, None, DecidedBy::Game), decided(2, Some(4), DecidedBy::Bye)]);
    assert_eq!([counts(&state, 1), counts(&state, 2)], [[1, 0, 1, 0]; 2]);
    assert_eq!(counts(&state, 4), [2, 0, 0, 0]);
    // A bye of a round robin, and a pairing to which nobody came.
    apply(&mut state, &[decided(3, None, DecidedBy::Bye), decided(1, None, DecidedBy::Forfeit)]);
    assert_eq!(counts(&state, 3), [0; 4]);
    assert_eq!([counts(&state, 1), counts(&state, 2)], [[0, 0, 0, 1]; 2]);
}

#[test]
fn an_earlier_round_is_remembered_in_short_and_may_change() {
    let mut state = begun(PartyFormat::Swiss);
    apply(&mut state, &[paired(1, &[(1, 1, Some(2)), (2, 3, Some(4))])]);
    apply(&mut state, &[decided(1, Some(2), DecidedBy::Game), decided(2, None, DecidedBy::Game)]);
    apply(&mut state, &[paired(2, &[(3, 2, Some(3)), (4, 1, None)])]);
    assert_eq!(state.past, [vec![PastPairing(1, 2, 0, 2), PastPairing(3, 4, 1, 1)]]);
    assert_eq!(state.pairing(1), None);
    apply(&mut state, &[decided(1, Some(1), DecidedBy::Host)]);
    assert_eq!(state.past[0][0], PastPairing(1, 2, 2, 0));
    let kept = |state: &PartyState| -> Vec<_> {
        state.past_decisions.iter().map(|one| (one.pairing, one.outcome.winner)).collect()
    };
    assert_eq!(kept(&state), [(1, Some(1))], "what the host has decided is told on");
    let mut later = state.clone();
    apply(&mut later, &[decided(3, Some(2), DecidedBy::Host)]);
    apply(&mut later, &[decided(2, Some(4), DecidedBy::Host), decided(1, None, DecidedBy::Host)]);
    assert_eq!(
        kept(&later),
        [(2, Some(4)), (1, None)],
        "the last decision counts, and is the last"
    );
    apply(&mut later, &[decided(4, Some(1), DecidedBy::Bye), paired(3, &[(5, 2, Some(4))])]);
    assert_eq!(kept(&later), [(2, Some(4)), (1, None), (3, Some(2))]);
    assert_eq!([counts(&state, 1), counts(&state, 2)], [[2, 1, 0, 0], [0, 0, 0, 1]]);
    check_refused(&state, &decided(5, None, DecidedBy::Host), "no such pairing");
    check_refused(&state, &decided(0, None, DecidedBy::Host), "no such pairing");
}

#[test]
fn a_late_comer_takes_the_place_of_a_bye() {
    let mut state = begun(PartyFormat::Knockout);
    apply(&mut state, &[paired(1, &[(1, 1, Some(2)), (2, 3, None)])]);
    apply(&mut state, &[paired(1, &[(2, 3, Some(4))])]);
    assert_eq!(state.pairings.len(), 2);
    assert_eq!(state.open_pairing_of(4).map(|one| one.opponent_of(4)), Some(Some(3)));
}

#[test]
fn the_winner_stays_and_the_loser_waits_last() {
    let mut state = begun(PartyFormat::WinnerStays);
    assert_eq!(state.queue, [1, 2, 3, 4]);
    apply(&mut state, &[paired(1, &[(1, 1, Some(2))])]);
    assert_eq!(state.queue, [3, 4]);
    apply(&mut state, &[decided(1, Some(2), DecidedBy::Game)]);
    assert_eq!(state.queue, [2, 3, 4, 1]);
    apply(&mut state, &[left(3), paired(1, &[(2, 4, Some(2))])]);
    assert_eq!(state.queue, [1]);
    apply(&mut state, &[left(2), decided(2, Some(4), DecidedBy::Forfeit)]);
    assert_eq!(state.queue, [4, 1], "who has left waits for nothing");
    apply(&mut state, &[PartyEvent::Returned { entrant: 2 }, paired(1, &[(3, 1, Some(4))])]);
    // A player who comes back in a game is in no queue.
    apply(&mut state, &[left(4), PartyEvent::Returned { entrant: 4 }]);
    assert_eq!(state.queue, [2]);
    apply(&mut state, &[decided(3, None, DecidedBy::Forfeit)]);
    assert_eq!(state.queue, [2, 1, 4], "without a winner both wait");
    for number in 4..100 {
        apply(&mut state, &[paired(1, &[(number, 1, Some(2))])]);
        apply(&mut state, &[decided(number, Some(1), DecidedBy::Game)]);
    }
    assert_eq!((state.pairings.len(), state.past.len()), (KEPT_PAIRINGS, 0));
}

#[test]
fn a_snapshot_names_nobody_who_is_not_there() {
    let mut state = begun(PartyFormat::WinnerStays);
    apply(&mut state, &[paired(1, &[(1, 1, Some(2))])]);
    let snapshot = state.to_snapshot(PartyPresence::default());
    let check = |change: &dyn Fn(&mut PartyState)| {
        let mut wrong = snapshot.clone();
        change(&mut wrong.state);
        assert!(PartyState::from_snapshot(wrong).is_err());
    };
    check(&|wrong| wrong.entrants[1].number = 7);
    check(&|wrong| wrong.queue.push(5));
    check(&|wrong| wrong.leader = Some(5));
    check(&|wrong| wrong.pairings[0].second = Some(5));
    check(&|wrong| wrong.pairings[0].first = 0);
}

#[test]
fn an_entrant_leads_in_place_of_the_host_and_nobody_in_place_of_somebody_forgotten() {
    let mut state = begun(PartyFormat::Swiss);
    let host = state.host;
    let led = |entrant, forgotten| PartyEvent::Led { entrant, forgotten };
    check_refused(&state, &led(Some(5), false), "the entrant is not known");
    apply(&mut state, &[led(Some(2), false)]);
    assert_eq!((state.leading_player(), state.host), (Some(PlayerId(2)), host));
    apply(&mut state, &[led(None, false)]);
    assert_eq!(state.leading_player(), Some(host));
    apply(&mut state, &[led(None, true)]);
    assert_eq!((state.leading_player(), state.host), (None, PlayerId::NOBODY));
}

fn any_event() -> impl Strategy<Value = PartyEvent> {
    let number = || 0..6_u16;
    let how = prop::sample::select(
        &[
            DecidedBy::Game,
            DecidedBy::DrawOdds,
            DecidedBy::Forfeit,
            DecidedBy::Bye,
            DecidedBy::Host,
        ][..],
    );
    prop_oneof![
        number().prop_map(joined),
        number().prop_map(left),
        number().prop_map(|entrant| PartyEvent::Returned { entrant }),
        Just(PartyEvent::Started),
        (1..4_u16, 0..9_u32, number(), prop::option::of(number()))
            .prop_map(|(round, number, first, second)| paired(round, &[(number, first, second)])),
        (0..9_u32, 1..4_u8).prop_map(|(pairing, game)| {
            PartyEvent::Opened { pairing, game, room: "KQRZX".parse().expect("a code") }
        }),
        (0..9_u32, prop::option::of(number()), how)
            .prop_map(|(pairing, winner, how)| decided(pairing, winner, how)),
        (any::<bool>(), any::<bool>())
            .prop_map(|(paused, clocks)| PartyEvent::Paused { paused, clocks }),
        (prop::option::of(number()), any::<bool>())
            .prop_map(|(entrant, forgotten)| PartyEvent::Led { entrant, forgotten }),
        Just(PartyEvent::Ended { places: Vec::new() }),
        (0..3_u16, prop::option::of(number())).prop_map(|(count, leader)| {
            let entrants = (1..=count).filter_map(|number| match joined(number) {
                PartyEvent::Joined { entrant } => Some(entrant),
                _ => None,
            });
            let settings = PartySettings::default();
            PartyEvent::Again { settings, entrants: entrants.collect(), leader }
        }),
    ]
}

proptest! {
    /// No fact makes the fold fail or leaves a state that is no snapshot, and what is refused leaves no
    /// trace.
    #[test]
    fn any_facts_leave_a_party_that_can_be(
        events in prop::collection::vec(any_event(), 0..60),
        format in prop::sample::select(&PartyFormat::ALL[..]),
    ) {
        let mut state = party(format);
        for event in events {
            let before = state.clone();
            if state.apply(state.v + 1, &event).is_err() {
                prop_assert_eq!(&state, &before);
            }
            let again = PartyState::from_snapshot(state.to_snapshot(PartyPresence::default()));
            prop_assert_eq!(again.as_ref(), Ok(&state));
            prop_assert!(state.queue.iter().all(|one| state.open_pairing_of(*one).is_none()));
        }
    }
}

#[test]
fn the_place_of_who_is_removed_has_no_player_until_somebody_has_it() {
    let mut state = begun(PartyFormat::Swiss);
    apply(&mut state, &[PartyEvent::Left { entrant: 2, host: true, removed: true }]);
    let entrant = state.entrant(2).expect("an entrant").clone();
    assert_eq!((entrant.player, entrant.left, entrant.removed), (None, true, true));
    let entrant = Entrant { player: Some(PlayerId(9)), removed: false, ..entrant };
    apply(&mut state, &[PartyEvent::Joined { entrant: entrant.clone() }]);
    assert_eq!(state.entrant(2), Some(&entrant));
}
