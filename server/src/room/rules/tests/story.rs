//! The notation of the table.
//!
//! A room is its two seats and what is special about it: `ada bob`, `ada -`, `ada computer 10s`,
//! `ada bob 13x13x5 swap2`. `bob=ada` is bob, who calls himself ada. The players are connected,
//! but `(bob)` has not come yet. Without a board it is tic-tac-toe. The coin falls on heads, or on `tails`.
//!
//! A story is the steps that follow, with commas between them:
//!
//! - `1 5 3`: moves, each by the player or computer whose turn it is. Cells are as people see them.
//! - `ada 5`, `ada resigns`, `ada claims a win`, `ada offers`, `ada withdraws`, `ada chooses x`,
//!   `ada offers to 3`, `ada offers open`, `ada paces slow`, `ada steps`, `ada sets weak`, `ada
//!   hint`, `ada review`, `ada syncs`: intents for the last game; `game 1` and `at 0` name another
//!   game and ply.
//! - `ada says hi`, `ada emotes wow`, `ada mutes bob`, `ada unmutes bob`: talk; `ada repeats hi` with
//!   the intent of the last one. `ada hears` says what ada is told when she comes in.
//! - `ada joins`, `ada joins as bob`, `ada joins with fox blue`, `ada watches`: another connection
//!   of a player; `ada goes`: one less; `ada leaves`: for good.
//! - `computer 5`, `computer chooses x`: what a computer has found.
//! - `3 s`, `20 min`: time passes. `sleeps 3 s`: the same without a task; what is due waits.
//!   `restarts 4 s`: the server restarts, with 4 s left for the move.
//! - `is evicted`: the lobby wants to end the room for another one. `is decided for x`, `is decided drawn`:
//!   the host of a `table`'s party has decided its game, X is who began as X; `is forfeited to x`: the
//!   other one has left; `is broken off`: the party is over; `place x goes to cid`: the party
//!   has given the place of the one who began as X to somebody else; `clock stops`, `clock runs`,
//!   `clock gets 5 s`: its host does that to the clock of the move.
//!
//! The result of a step is told to everybody, or answers the sender. `is made`, `room`, `presence`
//! and `clock` change nothing and tell something.

use std::time::Duration;

use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    BoardSpec, ByMark, Cell, ChatMode, ClaimedResult, Computer, Event, Mark, Opening,
    OpeningChoice, PartyCode, PartyTable, Placement, PlayerId, PlayerName, Refusal, Role,
    RoomIntent, RoomSettings, Said, Seat, Series, Strategy,
};

use super::told;
use super::world::{Outcome, World};
use crate::room::rules::move_clock::ClockChange;
use crate::room::table::Ruling;

pub(super) struct Story {
    world: World,
    made: Vec<Event>,
}

impl Story {
    pub(super) fn begin(room: &str) -> Self {
        let words: Vec<&str> = room.split(' ').collect();
        let [x, o, special @ ..] = &words[..] else { panic!("{room}: name two seats") };
        let (settings, coin) = settings(special);
        let (mut world, made) = World::new(settings, &ByMark { x: seat(x), o: seat(o) }, coin);
        for name in [x, o].into_iter().filter(|name| !name.starts_with('(')) {
            if let Seat::Human { player, name } = seat(name)
                && !world.is_here(player)
            {
                world.join(player, &name, Role::Player).unwrap();
            }
        }
        world.check();
        Self { world, made }
    }

    /// Takes a step, and says what comes of it.
    pub(super) fn take(&mut self, step: &str) -> String {
        let before = self.world.presence();
        let outcome = self.outcome(step);
        self.world.check();
        self.world.check_rebuilt();
        let told = match outcome {
            Err(refusal) => return told::refusal(&refusal),
            Ok(Came::Said(said)) => return said,
            Ok(Came::Events(events)) => events,
        };
        let board = self.world.state().settings.board;
        let started = told.iter().any(|event| matches!(event, Event::GameStarted { .. }));
        let mut said: Vec<String> = told.iter().map(|event| told::fact(event, board)).collect();
        said.extend(told::changes(&before, &self.world.presence(), started));
        said.append(&mut self.world.hearing.told);
        if said.is_empty() { "ok".into() } else { said.join("; ") }
    }

    fn outcome(&mut self, step: &str) -> Result<Came, Refusal> {
        let words: Vec<&str> = step.split(' ').collect();
        let said = |said: String| Ok(Came::Said(said));
        match words[..] {
            ["is", "made"] => Ok(Came::Events(self.made.clone())),
            ["room"] => said(told::room(self.world.state())),
            ["presence"] => said(told::presence(&self.world.presence())),
            ["clock"] => {
                let left = self.world.rules.snapshot(self.world.now).move_ms_left;
                said(left.map_or("no clock".into(), |left| format!("{left} ms")))
            }
            ["is", "evicted"] => {
                Ok(self.world.end_unattended().map_or(Came::Said("stays".into()), Came::Events))
            }
            ["is", "broken", "off"] => {
                Ok(Came::Events(self.world.end_dismissed(Ruling::Unfinished)))
            }
            ["is", verb @ ("decided" | "forfeited"), .., mark] => {
                let winner = match mark {
                    "x" => Some(Mark::X),
                    "o" => Some(Mark::O),
                    _ => None,
                };
                let forfeit = winner.filter(|_| verb == "forfeited").map(Ruling::Forfeit);
                let ruling = forfeit.unwrap_or(Ruling::Decided(winner));
                Ok(Came::Events(self.world.end_dismissed(ruling)))
            }
            ["place", mark, "goes", "to", name] => {
                let began_with = if mark == "x" { Mark::X } else { Mark::O };
                let player = player(name);
                let name = name.parse().unwrap();
                Ok(Came::Events(self.world.hand_over(began_with, player, name)))
            }
            ["clock", "stops"] => Ok(Came::Events(self.world.change_clock(ClockChange::Stop))),
            ["clock", "runs"] => Ok(Came::Events(self.world.change_clock(ClockChange::Run))),
            ["clock", "gets", number, unit] => {
                let ms = u32::try_from(time(number, unit).as_millis()).unwrap();
                Ok(Came::Events(self.world.change_clock(ClockChange::Add(ms))))
            }
            ["sleeps", number, unit] => {
                self.world.hibernate(time(number, unit));
                Ok(Came::Events(Vec::new()))
            }
            ["restarts", number, unit] => {
                self.world.restart(time(number, unit));
                Ok(Came::Events(Vec::new()))
            }
            [number, unit @ ("ms" | "s" | "min")] => {
                Ok(Came::Events(self.world.wait(time(number, unit))))
            }
            ["computer", ..] => Ok(Came::Events(self.computer(&words[1..]))),
            [name, ..] if PEOPLE.contains(&name) => self.person(name, &words[1..]),
            _ => self.moves(&words).map(Came::Events),
        }
    }

    /// Moves by the players and computers whose turn it is.
    fn moves(&mut self, cells: &[&str]) -> Result<Vec<Event>, Refusal> {
        let mut all = Vec::new();
        for cell in cells {
            let game = self.game();
            let ply = self.ply();
            let cell = self.cell(cell);
            let turn = self.world.state().turn().expect("a game runs");
            let outcome = match self.world.state().seats[turn].player() {
                Some(player) => {
                    self.world.decide(player, RoomIntent::Play { game, ply, cell, placed: None })?
                }
                None => Outcome::Facts(self.computer_moves(game, ply, cell)),
            };
            let Outcome::Facts(events) = outcome else { panic!("a move leads to {outcome:?}") };
            all.extend(events);
        }
        Ok(all)
    }

    fn computer_moves(&mut self, game: u32, ply: u16, cell: Cell) -> Vec<Event> {
        let numbered = self.world.state().game.as_ref().expect("a game");
        let mark = numbered.game.to_move();
        self.world.computer_move(game, ply, Placement { mark, cell })
    }

    fn computer(&mut self, words: &[&str]) -> Vec<Event> {
        let (words, game, ply) = self.named(words);
        match words[..] {
            ["chooses", choice] => self.world.computer_choice(game, ply, opening_choice(choice)),
            [cell] => self.computer_moves(game, ply, self.cell(cell)),
            _ => panic!("a computer cannot {words:?}"),
        }
    }

    fn person(&mut self, name: &str, words: &[&str]) -> Result<Came, Refusal> {
        let (words, game, ply) = self.named(words);
        let player = player(name);
        let called = name.parse::<PlayerName>().unwrap();
        let intent = match words[..] {
            ["joins"] => return self.joins(player, &called, Role::Player),
            ["joins", "as", other] => {
                return self.joins(player, &other.parse().unwrap(), Role::Player);
            }
            ["joins", "with", animal, colour] => {
                let face = format!("{animal} {colour}").parse().ok();
                return self.joins(player, &called.with_face(face), Role::Player);
            }
            ["watches"] => return self.joins(player, &called, Role::Spectator),
            ["goes"] => {
                assert!(self.world.is_here(player), "{name} is not here");
                self.world.disconnect(player);
                return Ok(Came::Events(Vec::new()));
            }
            ["leaves"] => RoomIntent::Leave,
            ["syncs"] => RoomIntent::Sync,
            ["resigns"] => RoomIntent::Resign { game },
            ["claims", "a", "win"] => RoomIntent::Claim { game, result: ClaimedResult::Win },
            ["claims", "a", "draw"] => RoomIntent::Claim { game, result: ClaimedResult::Draw },
            ["offers"] => RoomIntent::Rematch { game, offer: true, series: None },
            ["offers", "open"] => {
                let series = Some(Series::default());
                RoomIntent::Rematch { game, offer: true, series }
            }
            ["offers", "to", wins] => {
                let series = Some(Series { first_to: Some(wins.parse().unwrap()) });
                RoomIntent::Rematch { game, offer: true, series }
            }
            ["paces", pace] => RoomIntent::Pace { pace: pace.parse().unwrap() },
            ["sets", strength] => RoomIntent::Strength { strength: strength.parse().unwrap() },
            ["steps"] => RoomIntent::Step { game, ply },
            ["withdraws"] => RoomIntent::Rematch { game, offer: false, series: None },
            ["chooses", choice] => RoomIntent::Choose { game, choice: opening_choice(choice) },
            ["takes", "back"] => RoomIntent::TakeBack { game, ply, offer: true },
            ["keeps"] => RoomIntent::TakeBack { game, ply, offer: false },
            ["hint"] => RoomIntent::Hint { game },
            ["review"] => RoomIntent::Review { game },
            ["says", ref text @ ..] => {
                RoomIntent::Say { said: Said::Text(text.join(" ").parse().unwrap()) }
            }
            ["repeats", ref text @ ..] => {
                self.world.hearing.repeats = true;
                RoomIntent::Say { said: Said::Text(text.join(" ").parse().unwrap()) }
            }
            ["emotes", emote] => RoomIntent::Say { said: Said::Emote(emote.parse().unwrap()) },
            ["mutes", other] => RoomIntent::Mute { player: self::player(other), mute: true },
            ["unmutes", other] => RoomIntent::Mute { player: self::player(other), mute: false },
            ["hears"] => return Ok(Came::Said(told::heard(&self.world.rules.lines_for(player)))),
            [cell] => RoomIntent::Play { game, ply, cell: self.cell(cell), placed: None },
            _ => panic!("{name} cannot {words:?}"),
        };
        Ok(match self.world.decide(player, intent)? {
            Outcome::Facts(events) => Came::Events(events),
            Outcome::Snapshot => Came::Said("snapshot".into()),
            Outcome::Analysis(subject) => Came::Said(told::analysis(subject)),
        })
    }

    fn joins(&mut self, player: PlayerId, name: &PlayerName, role: Role) -> Result<Came, Refusal> {
        self.world.join(player, name, role).map(Came::Events)
    }

    /// The words without `game 1` and `at 0`, and what those name: by default the last game as it is.
    fn named<'a>(&self, words: &[&'a str]) -> (Vec<&'a str>, u32, u16) {
        let mut rest = Vec::new();
        let mut game = self.game();
        let mut ply = self.ply();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "game" => game = words.next().unwrap().parse().unwrap(),
                "at" => ply = words.next().unwrap().parse().unwrap(),
                other => rest.push(other),
            }
        }
        (rest, game, ply)
    }

    fn game(&self) -> u32 {
        self.world.state().game.as_ref().map_or(1, |numbered| numbered.number)
    }

    fn ply(&self) -> u16 {
        self.world.state().game.as_ref().map_or(0, |numbered| numbered.game.ply())
    }

    /// A cell of the board; a number may be beyond it.
    fn cell(&self, text: &str) -> Cell {
        let number = || Cell(text.parse::<u16>().unwrap_or_else(|_| panic!("a step {text}?")) - 1);
        self.world.state().settings.board.parse_cell(text).unwrap_or_else(|_| number())
    }
}

/// The result of a step.
enum Came {
    /// Everybody is told facts, and what else has changed.
    Events(Vec<Event>),
    Said(String),
}

/// The people, by their ids. A reader of events is nobody.
const PEOPLE: [&str; 5] = ["nobody", "ada", "bob", "cid", "dan"];

pub(super) fn player(name: &str) -> PlayerId {
    let place = PEOPLE.iter().position(|person| *person == name);
    PlayerId(place.unwrap_or_else(|| panic!("who is {name}?")) as u64)
}

/// The own name of a person of the stories.
pub(super) fn name_of(player: PlayerId) -> Option<PlayerName> {
    PEOPLE.get(usize::try_from(player.0).ok()?)?.parse().ok()
}

fn seat(name: &str) -> Seat {
    match name {
        "-" => Seat::Open,
        "perfect" => {
            let strategy = Strategy::Perfect;
            Seat::Computer(Computer { strategy, ..Computer::default() })
        }
        "computer" => Seat::Computer(Computer::default()),
        _ => {
            let name = name.trim_matches(['(', ')']);
            let (person, called) = name.split_once('=').unwrap_or((name, name));
            Seat::Human { player: player(person), name: called.parse().unwrap() }
        }
    }
}

fn settings(special: &[&str]) -> (RoomSettings, bool) {
    let mut settings = RoomSettings::default();
    let mut coin = true;
    for word in special {
        match *word {
            "tails" => coin = false,
            "x-first" => settings.first = FirstMove::X,
            "o-first" => settings.first = FirstMove::O,
            "random" => settings.first = FirstMove::Random,
            "loser" => settings.first = FirstMove::Loser,
            "swap2" => settings.opening = Opening::Swap2,
            "private" => settings.spectators = false,
            "adapts" => settings.adapts = true,
            "comments" => settings.comments = true,
            "unaided" => settings.hints = Some(false),
            "aided" => settings.hints = Some(true),
            "silent" => settings.chat = ChatMode::Off,
            "emotes" => settings.chat = ChatMode::Emotes,
            "early" => settings.early_draw = Some(true),
            "table" => settings.party = Some(party_table()),
            "10s" => settings.move_time_ms = Some(10_000),
            "2h" => settings.move_time_ms = Some(7_200_000),
            board => settings.board = board.parse::<BoardSpec>().unwrap(),
        }
    }
    assert!(settings.opening_is_legal(), "swap2 needs a larger board");
    (settings, coin)
}

/// The first table of a party.
fn party_table() -> PartyTable {
    PartyTable { party: PartyCode("KQRZX".parse().unwrap()), pairing: 1, table: 1, game: 1 }
}

fn opening_choice(text: &str) -> OpeningChoice {
    match text {
        "x" => OpeningChoice::X,
        "o" => OpeningChoice::O,
        "add" => OpeningChoice::Add,
        _ => panic!("a choice {text}?"),
    }
}

fn time(number: &str, unit: &str) -> Duration {
    let number: u64 = number.parse().unwrap();
    match unit {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        _ => Duration::from_secs(60 * number),
    }
}
