//! Any sequence of arrivals, departures, intents and waits keeps the invariants of a
//! [`World`](super::world::World).

use std::time::Duration;

use noughts_protocol::{
    BoardSpec, ByMark, Cell, ChatMode, ClaimedResult, Computer, Emote, Mark, Opening,
    OpeningChoice, Pace, Placement, PlayerId, PlayerName, Role, RoomIntent, RoomSettings, Said,
    Seat, Series, Strength, Variant,
};
use proptest::prelude::*;

use super::world::World;

#[derive(Debug, Clone)]
enum TestStep {
    Join { player: u64, name: u64, role: Role },
    Disconnect { player: u64 },
    Act { player: u64, intent: RoomIntent },
    // The player or computer whose turn it is chooses, or makes one of the legal moves; beyond them
    // a move that may be illegal.
    Turn { pick: u16, choice: OpeningChoice },
    Wait { ms: u64 },
    Hibernate { ms: u64 },
    Restart { left_ms: u64 },
}

/// The game. The steps use few cells, so that many moves are legal and many are not.
fn kinds() -> impl Strategy<Value = RoomSettings> {
    let swap2 = RoomSettings {
        board: BoardSpec::new(13, 13, 3).unwrap(),
        opening: Opening::Swap2,
        ..RoomSettings::default()
    };
    let chat = prop_oneof![
        4 => Just(ChatMode::Text),
        1 => Just(ChatMode::Emotes),
        1 => Just(ChatMode::Off),
    ];
    let of_variant = |(variant, majority): (Variant, bool)| {
        let board = variant.boards()[0].parse().unwrap();
        RoomSettings { variant, board, majority, ..RoomSettings::default() }
    };
    let variant = (prop::sample::select(&Variant::ALL[..]), any::<bool>()).prop_map(of_variant);
    let kind = prop_oneof![1 => Just(RoomSettings::default()), 1 => Just(swap2), 3 => variant];
    (kind, any::<(bool, bool)>(), chat).prop_map(|(settings, (timed, spectators), chat)| {
        RoomSettings { move_time_ms: timed.then_some(10_000), spectators, chat, ..settings }
    })
}

fn intents() -> impl Strategy<Value = RoomIntent> {
    // Mostly the first games and the first plies, so that many intents are legal.
    let game = || 1..4_u32;
    let result = prop_oneof![Just(ClaimedResult::Win), Just(ClaimedResult::Draw)];
    prop_oneof![
        8 => (game(), 0..9_u16, 0..10_u16, placed()).prop_map(|(game, ply, cell, placed)| {
            RoomIntent::Play { game, ply, cell: Cell(cell), placed }
        }),
        4 => (game(), choices()).prop_map(|(game, choice)| RoomIntent::Choose { game, choice }),
        1 => game().prop_map(|game| RoomIntent::Resign { game }),
        4 => (game(), prop::bool::weighted(0.8))
            .prop_map(|(game, offer)| RoomIntent::Rematch { game, offer, series: None }),
        2 => (game(), series()).prop_map(|(game, series)| {
            RoomIntent::Rematch { game, offer: true, series: Some(series) }
        }),
        3 => prop::sample::select(&Pace::ALL[..]).prop_map(|pace| RoomIntent::Pace { pace }),
        2 => prop::sample::select(&Strength::ALL[..])
            .prop_map(|strength| RoomIntent::Strength { strength }),
        4 => (game(), 0..9_u16).prop_map(|(game, ply)| RoomIntent::Step { game, ply }),
        2 => (game(), result).prop_map(|(game, result)| RoomIntent::Claim { game, result }),
        1 => game().prop_map(|game| RoomIntent::Hint { game }),
        1 => game().prop_map(|game| RoomIntent::Review { game }),
        6 => talk().prop_map(|said| RoomIntent::Say { said }),
        2 => (0..5_u64, any::<bool>())
            .prop_map(|(player, mute)| RoomIntent::Mute { player: PlayerId(player), mute }),
        1 => Just(RoomIntent::Leave),
        1 => Just(RoomIntent::Sync),
    ]
}

fn placed() -> impl Strategy<Value = Option<Mark>> {
    prop_oneof![3 => Just(None), 1 => Just(Some(Mark::X)), 1 => Just(Some(Mark::O))]
}

/// Few different things, so that a player says the same again.
fn talk() -> impl Strategy<Value = Said> {
    let text = (0..4_u8).prop_map(|text| Said::Text(text.to_string().parse().unwrap()));
    prop_oneof![
        text,
        prop::sample::select(&[Said::Emote(Emote::Wow), Said::Emote(Emote::Oops)][..])
    ]
}

fn series() -> impl Strategy<Value = Series> {
    prop::option::of(1..3_u8).prop_map(|first_to| Series { first_to })
}

fn steps() -> impl Strategy<Value = Vec<TestStep>> {
    let player = || 1..5_u64;
    let role = prop_oneof![3 => Just(Role::Player), 1 => Just(Role::Spectator)];
    let wait = || prop_oneof![3 => 0..5_000_u64, 1 => 0..100_000_u64];
    let step = prop_oneof![
        4 => (player(), 0..2_u64, role).prop_map(|(player, other, role)| {
            TestStep::Join { player, name: player / (1 + other), role }
        }),
        2 => player().prop_map(|player| TestStep::Disconnect { player }),
        12 => (player(), intents()).prop_map(|(player, intent)| TestStep::Act { player, intent }),
        6 => (0..10_u16, choices()).prop_map(|(pick, choice)| TestStep::Turn { pick, choice }),
        3 => wait().prop_map(|ms| TestStep::Wait { ms }),
        1 => wait().prop_map(|ms| TestStep::Hibernate { ms }),
        1 => (1..10_000_u64).prop_map(|left_ms| TestStep::Restart { left_ms }),
    ];
    prop::collection::vec(step, 1..120)
}

fn choices() -> impl Strategy<Value = OpeningChoice> {
    prop_oneof![Just(OpeningChoice::X), Just(OpeningChoice::O), Just(OpeningChoice::Add)]
}

fn seats() -> impl Strategy<Value = ByMark<Seat>> {
    let human = |player| Seat::Human { player: PlayerId(player), name: name(player) };
    let seat = || {
        prop_oneof![
            3 => Just(Seat::Open),
            1 => Just(Seat::Computer(Computer::default())),
            2 => (1..5_u64).prop_map(human),
        ]
    };
    (seat(), seat()).prop_map(|(x, o)| ByMark { x, o })
}

fn name(player: u64) -> PlayerName {
    format!("Player {player}").parse().unwrap()
}

impl World {
    fn step(&mut self, step: TestStep) {
        // A refusal leaves the room as it was.
        match step {
            TestStep::Join { player, name: called, role } => {
                drop(self.join(PlayerId(player), &name(called), role));
            }
            TestStep::Disconnect { player } => self.disconnect(PlayerId(player)),
            // The room's task takes no intent from a player without a connection.
            TestStep::Act { player, .. } if !self.is_here(PlayerId(player)) => {}
            TestStep::Act { player, intent } => {
                let before = (self.state().clone(), self.presence());
                // Some intents come again, as after a lost connection.
                self.hearing.repeats = intent == RoomIntent::Say { said: Said::Emote(Emote::Oops) };
                let refused = self.decide(PlayerId(player), intent).is_err();
                assert!(!refused || before == (self.state().clone(), self.presence()));
            }
            TestStep::Turn { pick, choice } => self.turn(pick, choice),
            TestStep::Wait { ms } => {
                self.tell();
                drop(self.wait(Duration::from_millis(ms)));
            }
            TestStep::Restart { left_ms } => self.restart(Duration::from_millis(left_ms)),
            TestStep::Hibernate { ms } => {
                if self.connections.is_empty() {
                    self.hibernate(Duration::from_millis(ms));
                    // The room does at once what is due.
                    drop(self.wait(Duration::ZERO));
                }
            }
        }
    }

    fn turn(&mut self, pick: u16, choice: OpeningChoice) {
        let state = self.state();
        let Some((running, turn)) = state.running().zip(state.turn()) else { return };
        let game = running.number;
        let ply = running.game.ply();
        let v = state.v;
        let any = Placement { mark: running.game.to_move(), cell: Cell(pick) };
        let placed = running.game.legal().nth(usize::from(pick)).unwrap_or(any);
        if let Some(player) = state.seats[turn].player() {
            if !self.is_here(player) {
                return;
            }
            if self.decide(player, RoomIntent::Choose { game, choice }).is_err() {
                let Placement { mark, cell } = placed;
                let play = RoomIntent::Play { game, ply, cell, placed: Some(mark) };
                drop(self.decide(player, play));
            }
        } else {
            let moved = self.computer_move(game, ply, placed).len();
            let chosen = self.computer_choice(game, ply, choice).len();
            assert!(moved + chosen <= 1, "a choice and a move were due");
            assert_eq!(self.state().v, v + (moved + chosen) as u64);
        }
    }
}

proptest! {
    #[test]
    fn any_sequence_keeps_the_invariants(settings in kinds(), seats in seats(), steps in steps()) {
        let (mut world, _) = World::new(settings, &seats, true);
        world.hearing.gathers = true;
        for player in Mark::BOTH.into_iter().filter_map(|mark| seats[mark].player()) {
            world.join(player, &name(player.0), Role::Player).unwrap();
        }
        for step in steps {
            if world.state().closed {
                break;
            }
            world.step(step);
            world.check();
        }
        world.check_rebuilt();
        // Whatever happened, a room that everybody has left ends by itself.
        while let Some(player) = world.connections.keys().next().copied() {
            world.disconnect(player);
        }
        drop(world.wait(Duration::from_secs(4000)));
        prop_assert!(world.state().closed);
        prop_assert_eq!(world.rules.due(), None);
    }
}
