//! The room's rules without a runtime: any sequence of arrivals, departures, intents and waits keeps
//! the invariants. The workspace's `tests` test single rules over real sockets.

use std::collections::HashMap;
use std::time::Duration;

use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClaimedResult, Event, GameResult, Mark, Opening, OpeningChoice,
    PlayerId, PlayerName, Presence, Role, RoomCode, RoomSettings, RoomState, Score, Seat,
};
use proptest::prelude::*;

use crate::config::rooms::RoomTimes;
use crate::journal::committed::Committed;
use crate::journal::entry::Entry;
use crate::journal::replay::replay;
use crate::room::rules::intent::Intent;
use crate::room::rules::{Decided, ResumePoint, RoomRules};

const TIMES: RoomTimes = RoomTimes {
    absence_grace: Duration::from_secs(60),
    absence_unannounced: Duration::from_secs(3),
    unattended: Duration::from_secs(900),
    idle: Duration::from_secs(3600),
    exhibition_pause: Duration::from_secs(3),
};

#[derive(Debug, Clone)]
enum TestStep {
    Join { player: u64, role: Role },
    Disconnect { player: u64 },
    Leave { player: u64 },
    Act { player: u64, intent: Intent },
    // The player or computer whose turn it is chooses or plays.
    Turn { cell: u16, choice: OpeningChoice },
    Wait { ms: u64 },
}

/// The game. The steps use few cells, so that many moves are legal and many are not.
#[derive(Debug, Clone, Copy)]
enum Kind {
    TicTacToe,
    Swap2,
}

impl Kind {
    fn settings(self) -> RoomSettings {
        match self {
            Self::TicTacToe => RoomSettings::default(),
            Self::Swap2 => RoomSettings {
                board: BoardSpec::new(13, 13, 3).unwrap(),
                opening: Opening::Swap2,
                ..RoomSettings::default()
            },
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<TestStep>> {
    let player = 0..4_u64;
    let role = prop_oneof![3 => Just(Role::Player), 1 => Just(Role::Spectator)];
    // Mostly the first games and the first plies, so that many intents are legal.
    let (game, ply, cell) = (1..4_u32, 0..9_u16, 0..10_u16);
    let intent = prop_oneof![
        8 => (game.clone(), ply, cell.clone()).prop_map(|(game, ply, cell)| {
            Intent::Play { game, ply, cell: Cell(cell) }
        }),
        4 => (game.clone(), choice()).prop_map(|(game, choice)| Intent::Choose { game, choice }),
        1 => game.clone().prop_map(|game| Intent::Resign { game }),
        2 => (game.clone(), any::<bool>()).prop_map(|(game, offer)| Intent::Rematch { game, offer }),
        1 => game.prop_map(|game| Intent::Claim { game, result: ClaimedResult::Win }),
    ];
    let wait = prop_oneof![3 => 0..5_000_u64, 1 => 0..100_000_u64];
    let step = prop_oneof![
        4 => (player.clone(), role).prop_map(|(player, role)| TestStep::Join { player, role }),
        2 => player.clone().prop_map(|player| TestStep::Disconnect { player }),
        1 => player.clone().prop_map(|player| TestStep::Leave { player }),
        12 => (player, intent).prop_map(|(player, intent)| TestStep::Act { player, intent }),
        6 => (cell, choice()).prop_map(|(cell, choice)| TestStep::Turn { cell, choice }),
        3 => wait.prop_map(|ms| TestStep::Wait { ms }),
    ];
    proptest::collection::vec(step, 1..120)
}

fn choice() -> impl Strategy<Value = OpeningChoice> {
    prop_oneof![Just(OpeningChoice::X), Just(OpeningChoice::O), Just(OpeningChoice::Add)]
}

fn seats() -> impl Strategy<Value = ByMark<Seat>> {
    let seat = prop_oneof![
        3 => Just(Seat::Open),
        1 => Just(Seat::Computer(noughts_protocol::Computer::default())),
        2 => (0..4_u64).prop_map(human),
    ];
    (seat.clone(), seat).prop_map(|(x, o)| ByMark { x, o })
}

fn human(player: u64) -> Seat {
    Seat::Human { player: PlayerId(player), name: name(player), presence: Presence::Connected }
}

fn name(player: u64) -> PlayerName {
    format!("Player {player}").parse().unwrap()
}

/// A new room with its seats filled, and its stored entries.
fn with_seats(settings: RoomSettings, seats: &ByMark<Seat>) -> (RoomRules, Vec<Entry>) {
    let mut rules = RoomRules::new(RoomCode::from_number(7), settings, TIMES, Duration::ZERO);
    let decided = rules.fill_seats(seats, true);
    let events = rules.apply(Duration::ZERO, Committed::without_journal(decided));
    let entries = events.filter_map(|(v, event)| Entry::of(&event, v, 1, 0)).collect();
    (rules, entries)
}

/// What outlives a restart: all but offers, presence and the versions of events that are not stored.
fn lasting(state: &RoomState) -> RoomState {
    let mut state = state.clone();
    for mark in Mark::BOTH {
        if let Seat::Human { presence, .. } = &mut state.seats[mark] {
            *presence = Presence::Connected;
        }
    }
    RoomState { v: 0, offers: ByMark::default(), ..state }
}

/// A room, the time, the connections, and a client that has seen everything.
struct World {
    rules: RoomRules,
    now: Duration,
    connections: HashMap<u64, u32>,
    client: RoomState,
    /// What the journal would hold.
    entries: Vec<Entry>,
}

impl World {
    fn new(settings: RoomSettings, seats: &ByMark<Seat>) -> Self {
        let (rules, entries) = with_seats(settings, seats);
        let client = rules.state().clone();
        Self { rules, now: Duration::ZERO, connections: HashMap::new(), client, entries }
    }

    fn apply(&mut self, decided: Decided) {
        for (v, event) in self.rules.apply(self.now, Committed::without_journal(decided)) {
            self.entries.extend(Entry::of(&event, v, 1, 0));
            self.client.apply(v, &event).unwrap();
        }
    }

    fn take(&mut self, step: &TestStep) {
        match *step {
            TestStep::Join { player, role } => {
                let id = PlayerId(player);
                if let Ok(events) = self.rules.join(id, &name(player), role, true) {
                    self.apply(events);
                    let events = self.rules.connect(self.now, id);
                    self.apply(events);
                    *self.connections.entry(player).or_default() += 1;
                }
            }
            TestStep::Disconnect { player } => self.disconnect(player),
            TestStep::Leave { player } => {
                let events = self.rules.leave(PlayerId(player));
                self.disconnect(player);
                self.apply(events);
            }
            TestStep::Act { player, intent } => {
                let decided = self.rules.decide(self.now, PlayerId(player), intent, false);
                self.apply(decided.unwrap_or_default());
            }
            TestStep::Turn { cell, choice } => self.turn(Cell(cell), choice),
            TestStep::Wait { ms } => self.wait(Duration::from_millis(ms)),
        }
    }

    fn disconnect(&mut self, player: u64) {
        if let Some(count) = self.connections.get_mut(&player).filter(|count| **count > 0) {
            *count -= 1;
            self.rules.disconnect(self.now, PlayerId(player));
        }
    }

    fn turn(&mut self, cell: Cell, choice: OpeningChoice) {
        let state = self.rules.state();
        let Some((running, turn)) = state.running().zip(state.turn()) else { return };
        let (game, ply) = (running.number, running.game.ply());
        let events = if let Some(player) = state.seats[turn].player() {
            let decide = |intent| self.rules.decide(self.now, player, intent, true);
            decide(Intent::Choose { game, choice })
                .or_else(|_| decide(Intent::Play { game, ply, cell }))
                .unwrap_or_default()
        } else {
            let chosen = self.rules.computer_choice(game, ply, choice);
            let moved = self.rules.computer_move(game, ply, cell);
            assert!(chosen.is_empty() || moved.is_empty(), "a choice and a move are due");
            if chosen.is_empty() { moved } else { chosen }
        };
        self.apply(events);
    }

    /// Lets time pass as the actor does: to each due moment in turn.
    fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        let mut happened = 0;
        while let Some(due) = self.rules.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            let events = self.rules.tick(self.now, true);
            happened += 1;
            assert!(!events.is_empty() && happened < 10_000, "what is due changes nothing");
            self.apply(events);
        }
        self.now = until;
    }

    /// The room rebuilt from what is stored, by the rules.
    fn rebuilt(&self) -> RoomRules {
        let RoomState { code, settings, .. } = *self.rules.state();
        let mut rules = RoomRules::new(code, settings, TIMES, Duration::ZERO);
        replay(code, settings, &self.entries, |entry, event, _| rules.replay(entry.v, event))
            .unwrap();
        rules
    }

    fn check(&self) {
        let state = self.rules.state();
        assert_eq!(&self.client, state);
        assert_eq!(lasting(self.rebuilt().state()), lasting(state));
        let snapshot = self.rules.snapshot_for(PlayerId(0), self.now);
        let mut seen = RoomState::from_snapshot(&snapshot).unwrap();
        // A snapshot counts the time to a claim down; everything else is the same.
        seen.seats = state.seats.clone();
        seen.closed = state.closed;
        assert_eq!(&seen, state);

        let seated = |player: u64| state.marks_of(PlayerId(player)).next().is_some();
        let watching = self.connections.iter().filter(|(player, _)| !seated(**player));
        assert_eq!(self.rules.spectators(), watching.map(|(_, count)| *count).sum::<u32>());

        assert_eq!(self.rules.due().is_none(), state.closed);
        let limit = state.settings.move_time_ms.is_some();
        assert_eq!(snapshot.move_ms_left.is_some(), limit && state.is_running());
        assert!(!state.is_running() || !state.is_waiting(), "a game runs with an open seat");
        assert!(!state.is_running() || state.offers == ByMark::default());
        let opening = state.game.as_ref().and_then(|numbered| numbered.opening);
        assert!(opening.is_none() || state.is_running(), "an opening outlives its game");
        if let Some(running) = state.running().filter(|_| state.settings.opening == Opening::Swap2)
        {
            let in_opening = running.opening.is_some();
            assert!(in_opening || running.game.ply() >= 3, "an opening of too few marks");
            assert!(!in_opening || running.game.ply() <= 5, "an opening of too many marks");
        }
        for mark in Mark::BOTH {
            if let Seat::Human { player, presence, .. } = &state.seats[mark] {
                let here = self.connections.get(&player.0).is_some_and(|count| *count > 0);
                assert!(!here || *presence == Presence::Connected, "{mark} is here");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_sequence_keeps_the_invariants(
        seats in seats(),
        timed in any::<bool>(),
        kind in prop_oneof![Just(Kind::TicTacToe), Just(Kind::Swap2)],
        steps in steps(),
    ) {
        let settings = RoomSettings {
            move_time_ms: timed.then_some(10_000),
            first: FirstMove::Alternate,
            ..kind.settings()
        };
        let mut world = World::new(settings, &seats);
        for step in &steps {
            if world.rules.state().closed {
                break;
            }
            world.take(step);
            world.check();
        }
        // Whatever happened, a room that everybody has left ends by itself.
        for (player, count) in world.connections.clone() {
            for _ in 0..count {
                world.disconnect(player);
            }
        }
        world.wait(Duration::from_secs(4000));
        prop_assert!(world.rules.state().closed);
        prop_assert_eq!(world.rules.due(), None);
    }
}

#[test]
fn a_refused_intent_leaves_no_trace_and_a_granted_repeat_neither() {
    let seats = ByMark { x: human(0), o: human(1) };
    let (mut rules, _) = with_seats(RoomSettings::default(), &seats);
    let (now, play) = (Duration::ZERO, Intent::Play { game: 1, ply: 0, cell: Cell(4) });
    assert!(rules.decide(now, PlayerId(1), play, true).is_err());
    let decided = rules.decide(now, PlayerId(0), play, true).unwrap();
    assert_eq!(decided.as_ref().len(), 1);
    assert_eq!(rules.apply(now, Committed::without_journal(decided)).count(), 1);
    assert_eq!(rules.decide(now, PlayerId(0), play, true), Ok(Decided::default()));
    assert!(rules.decide(now, PlayerId(1), play, true).is_err());
}

#[test]
fn the_clock_runs_out_at_its_moment_and_not_before() {
    let settings = RoomSettings { move_time_ms: Some(10_000), ..RoomSettings::default() };
    let seats = ByMark { x: human(0), o: human(1) };
    let (mut rules, _) = with_seats(settings, &seats);
    for player in [0, 1] {
        assert!(rules.connect(Duration::ZERO, PlayerId(player)).is_empty());
    }
    assert_eq!(rules.due(), Some(Duration::from_secs(10)));
    assert!(rules.tick(Duration::from_millis(9_999), true).is_empty());
    let result = GameResult::Time { winner: Mark::O };
    let score = Score { x: 0, o: 1, draws: 0 };
    let over = Event::GameOver { game: 1, result, score };
    assert_eq!(rules.tick(Duration::from_secs(10), true), Decided(vec![over]));
}

#[test]
fn who_is_away_is_away_on_the_other_seat_after_the_exchange() {
    let settings = Kind::Swap2.settings();
    let seats = ByMark { x: human(0), o: human(1) };
    let mut world = World::new(settings, &seats);
    for player in [0, 1] {
        world.take(&TestStep::Join { player, role: Role::Player });
    }
    for (ply, cell) in (0..).zip([0, 20, 40]) {
        let intent = Intent::Play { game: 1, ply, cell: Cell(cell) };
        world.take(&TestStep::Act { player: 0, intent });
    }
    world.take(&TestStep::Disconnect { player: 0 });
    world.take(&TestStep::Wait { ms: 10_000 });
    let intent = Intent::Choose { game: 1, choice: OpeningChoice::X };
    world.take(&TestStep::Act { player: 1, intent });
    world.check();
    let state = world.rules.state();
    assert_eq!(state.marks_of(PlayerId(1)).collect::<Vec<_>>(), [Mark::X]);
    assert!(matches!(&state.seats.o, Seat::Human { presence: Presence::Away { .. }, .. }));
    world.take(&TestStep::Wait { ms: 50_000 });
    assert!(matches!(&world.rules.state().seats.o, Seat::Human { presence: Presence::Gone, .. }));
    // Repeats of what player 0 placed, of both marks, and of the choice are granted.
    for (ply, cell) in (0..).zip([0, 20, 40]) {
        let intent = Intent::Play { game: 1, ply, cell: Cell(cell) };
        assert_eq!(
            world.rules.decide(world.now, PlayerId(0), intent, true),
            Ok(Decided::default())
        );
        assert!(world.rules.decide(world.now, PlayerId(1), intent, true).is_err());
    }
    assert_eq!(world.rules.decide(world.now, PlayerId(1), intent, true), Ok(Decided::default()));
    let claim = Intent::Claim { game: 1, result: ClaimedResult::Win };
    let claimed = world.rules.decide(world.now, PlayerId(1), claim, true).unwrap();
    world.apply(claimed);
    assert_eq!(world.rules.state().score, Score { x: 1, o: 0, draws: 0 });
}

#[test]
fn a_rebuilt_room_knows_repeats_and_goes_on_later() {
    let mut world = World::new(Kind::Swap2.settings(), &ByMark { x: human(0), o: human(1) });
    for (ply, cell) in (0..).zip([0, 20, 40]) {
        let intent = Intent::Play { game: 1, ply, cell: Cell(cell) };
        world.take(&TestStep::Act { player: 0, intent });
    }
    let intent = Intent::Choose { game: 1, choice: OpeningChoice::X };
    world.take(&TestStep::Act { player: 1, intent });
    let mut rules = world.rebuilt();
    let (v, since) = (1 << 32, Duration::from_secs(100));
    rules.resume(since, ResumePoint { v, since, move_deadline: None });
    assert_eq!((rules.state().v, rules.state().turn()), (v, Some(Mark::O)));
    // The exchange made X of player 1; what both did is known.
    assert_eq!(rules.decide(since, PlayerId(1), intent, true), Ok(Decided::default()));
    for (ply, cell) in (0..).zip([0, 20, 40]) {
        let repeated = Intent::Play { game: 1, ply, cell: Cell(cell) };
        assert_eq!(rules.decide(since, PlayerId(0), repeated, true), Ok(Decided::default()));
    }
    // Nobody is there: their absence is announced, then claimable, and the game waits on.
    assert_eq!(rules.due(), Some(since + TIMES.absence_unannounced));
    assert_eq!(rules.end_due(), since + TIMES.idle);
    let later = since + TIMES.absence_grace;
    rules.resume(later, ResumePoint { v, since, move_deadline: None });
    assert!(matches!(&rules.state().seats.x, Seat::Human { presence: Presence::Gone, .. }));
}
