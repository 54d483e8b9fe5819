//! The row of a room, and the game that the archive gets. That any room is the same after it was read is
//! checked in each story and for any sequence of steps, in [`super::world::World::check`].

use std::time::Duration;

use noughts_protocol::{
    BoardSpec, ByMark, Cell, Computer, Event, GameId, Mark, Participant, Placement, PlayerId,
    RoomIntent, RoomSettings, Seat, Strength,
};
use noughts_store::{Committed, FinishedGame};

use super::story::player;
use super::world::{EPOCH, TIMES, timestamp};
use crate::room::rules::intent::RoomDecision;
use crate::room::rules::{RoomDecided, RoomRules};

pub(super) const ID: GameId = GameId(9);

/// A room, the time, and the last game that ended.
pub(super) struct Room {
    pub(super) rules: RoomRules,
    pub(super) now: Duration,
    finished: Option<FinishedGame>,
}

impl Room {
    /// A room of ada and bob that these players have made.
    pub(super) fn made_by(settings: RoomSettings, makers: &[&str]) -> Self {
        let now = Duration::from_secs(1000);
        let makers: Vec<PlayerId> = makers.iter().map(|name| player(name)).collect();
        let rules = super::world::room(settings, now).made_by(&makers);
        let mut room = Self { rules, now, finished: None };
        let seat = |name: &str| Seat::Human { player: player(name), name: name.parse().unwrap() };
        room.apply(room.rules.fill_seats(&ByMark { x: seat("ada"), o: seat("bob") }, true));
        room
    }

    pub(super) fn apply(&mut self, decided: RoomDecided) {
        let at = timestamp(self.now);
        let (decided, finished) = self.rules.keep_game(at, decided, ID, true);
        self.finished = finished.map(|game| *game);
        self.rules.apply(at, Committed::for_tests(decided)).for_each(drop);
    }

    pub(super) fn does(&mut self, name: &str, intent: RoomIntent) {
        match self.rules.decide(self.now, player(name), intent, true).unwrap() {
            RoomDecision::Facts(decided) | RoomDecision::Leave(decided) => self.apply(decided),
            RoomDecision::Rematch(offer) => self.rules.set_rematch(offer),
            other => panic!("{other:?}"),
        }
    }

    /// Moves of the current game, each after a pause of 1.5 s.
    fn play(&mut self, cells: &[u16]) {
        for cell in cells {
            self.now += Duration::from_millis(1500);
            let running = self.rules.state().running().unwrap();
            let game = running.number;
            let ply = running.game.ply();
            let turn = running.turn().unwrap();
            let seat = &self.rules.state().seats[turn];
            if seat.computer().is_some() {
                self.apply(self.rules.computer_move(
                    game,
                    ply,
                    Placement { mark: turn, cell: Cell(*cell) },
                ));
                continue;
            }
            let name = seat.label();
            self.does(&name, RoomIntent::Play { game, ply, cell: Cell(*cell), placed: None });
        }
    }

    pub(super) fn plays_again(&mut self) {
        let game = self.rules.state().game.as_ref().unwrap().number;
        for name in ["ada", "bob"] {
            self.does(name, RoomIntent::Rematch { game, offer: true, series: None });
        }
        assert!(self.rules.state().is_running());
    }

    fn restart(&mut self) {
        self.rules = RoomRules::from_json(&self.rules.to_json(), TIMES, self.now, None).unwrap();
    }

    /// Whether the last game that ended may be rated, and whether it is public.
    fn marks(&self) -> (bool, bool) {
        let game = self.finished.as_ref().unwrap();
        (game.rated, game.public)
    }
}

/// Catches a restart that forgets when the game began or when its moves were made, and a game that begins
/// with the times of the one before.
#[test]
fn a_game_that_goes_over_a_restart_knows_all_its_times() {
    let mut room = Room::made_by(RoomSettings::default(), &["ada"]);
    room.play(&[0, 3, 1, 4, 2]);
    room.plays_again();
    room.play(&[4, 0]);
    room.restart();
    room.now += Duration::from_secs(60);
    room.play(&[3, 1, 5]);
    let game = room.finished.unwrap();
    assert_eq!(game.times_ms, [1500, 3000, 64_500, 66_000, 67_500]);
    assert_eq!(game.started, EPOCH + 1_007_500);
    assert_eq!(game.ended, game.started + 67_500);
    assert_eq!((game.number, game.first, game.moves.len()), (2, Mark::O, 5));
    let o = Participant::Human { player: player("bob"), name: "bob".parse().unwrap() };
    assert_eq!((game.players.o, game.room.number()), (o, 7));
    assert_eq!(room.rules.state().game.as_ref().unwrap().id, Some(ID));
}

/// Catches a record that names the strength of the last moment, also after a restart, and one that keeps it for
/// the next game.
#[test]
fn the_record_names_the_weakest_strength_with_which_the_computer_moved() {
    let mut room = Room::made_by(RoomSettings::default(), &["ada"]);
    let computer = |strength| Computer { strength, ..Computer::OPPONENT };
    let seat = Seat::Computer(computer(Strength::Average));
    room.apply(RoomDecided(vec![Event::Seated { mark: Mark::O, seat }]));
    let sets = |room: &mut Room, strength| room.does("ada", RoomIntent::Strength { strength });
    let recorded = |room: &Room| room.finished.as_ref().unwrap().players.o.clone();
    sets(&mut room, Strength::Weak);
    room.play(&[0, 3]);
    sets(&mut room, Strength::VeryStrong);
    room.restart();
    room.play(&[1, 4, 2]);
    assert_eq!(recorded(&room), Participant::Computer(computer(Strength::Weak)));
    assert_eq!(room.rules.state().seats.o, Seat::Computer(computer(Strength::VeryStrong)));
    let offer = RoomIntent::Rematch { game: 1, offer: true, series: None };
    room.does("ada", offer);
    room.play(&[0, 3, 1, 4, 8, 5]);
    assert_eq!(recorded(&room), Participant::Computer(computer(Strength::VeryStrong)));
}

/// Catches a wall clock whose times wrap around.
#[test]
fn a_wall_clock_that_was_set_back_gives_no_time() {
    let mut room = Room::made_by(RoomSettings::default(), &["ada"]);
    room.rules.game_times.started += 3_600_000;
    room.play(&[0, 3, 1, 4, 2]);
    assert_eq!(room.finished.unwrap().times_ms, [0; 5]);
}

/// Catches games that count for players whom no quick match has brought together, before and after a
/// restart.
#[test]
fn only_a_quick_match_between_its_makers_is_rated() {
    let listed = RoomSettings { listed: true, ..RoomSettings::default() };
    let mut quick = Room::made_by(RoomSettings::default(), &["bob", "ada"]);
    quick.play(&[0, 3, 1, 4, 2]);
    assert_eq!(quick.marks(), (true, true));
    quick.plays_again();
    quick.restart();
    quick.play(&[0, 3, 1, 4, 2]);
    assert_eq!(quick.marks(), (true, true));
    let mut own = Room::made_by(listed, &["ada"]);
    own.play(&[0, 3, 1, 4, 2]);
    assert_eq!(own.marks(), (false, true));
    let mut other = Room::made_by(RoomSettings::default(), &["ada", "cid"]);
    other.play(&[0, 3, 1, 4, 2]);
    assert_eq!(other.marks(), (false, true));
    let mut private = Room::made_by(RoomSettings::default(), &["ada"]);
    private.play(&[0, 3, 1, 4, 2]);
    assert_eq!(private.marks(), (false, false));
}

/// Catches an id that stays in the row of a room whose maker was forgotten.
#[test]
fn a_row_does_not_name_a_forgotten_maker() {
    for makers in [&["ada"][..], &["ada", "bob"]] {
        let mut room = Room::made_by(RoomSettings::default(), makers);
        room.apply(room.rules.leave(player("ada")));
        room.rules.forget_maker(player("ada"));
        let json = room.rules.to_json();
        assert!(!json.contains(&player("ada").to_string()), "{json}");
        room.restart();
        let is_quick_match = room.rules.asks_ratings().is_some();
        assert_eq!(is_quick_match, makers.len() == 2, "it is rated as before");
    }
}

/// Catches a time of a row that is read by another clock than the one it was written by.
#[test]
fn no_time_passes_on_the_way_to_another_clock() {
    let settings = RoomSettings { move_time_ms: Some(30_000), ..RoomSettings::default() };
    let mut room = Room::made_by(settings, &["ada"]);
    room.play(&[0]);
    room.rules.empty_since = Some(room.now);
    let saved_at = room.now + Duration::from_secs(7);
    for now in [Duration::from_secs(100), saved_at + Duration::from_secs(5000)] {
        let json = room.rules.to_json();
        let read = RoomRules::from_json(&json, TIMES, now, Some(saved_at)).unwrap();
        assert_eq!(read.move_ms_left(now), Some(23_000));
        let ends_in = |rules: &RoomRules, now| rules.end_due() - now;
        assert_eq!(ends_in(&read, now), ends_in(&room.rules, saved_at));
    }
}

/// Catches a reader that believes a board, a result, a time or a number which no room has.
#[test]
fn an_impossible_row_is_refused() {
    let mut room = Room::made_by(RoomSettings::default(), &["ada"]);
    room.play(&[0, 3, 1, 4, 2]);
    room.plays_again();
    room.play(&[4, 0]);
    let json = room.rules.to_json();
    let read = |text: &str| RoomRules::from_json(text, TIMES, room.now, None).map(drop);
    assert_eq!(read(&json), Ok(()));
    let changed = |from: &str, to: &str| {
        assert!(json.contains(from), "{json}");
        read(&json.replace(from, to))
    };
    assert!(changed("[4,0]", "[4,4]").is_err(), "a cell that is taken");
    assert!(changed("[4,0]", "[4,9]").is_err(), "no such cell");
    assert!(changed("[4,0]", "[4]").is_err(), "a move without a time");
    assert!(changed("[0,3,1,4,2]", "[0,3,1,4,5]").is_err(), "a line that is not there");
    assert!(changed("[0,3,1,4,2]", "[0,3,1,4,3]").is_err(), "a cell that was taken");
    assert!(changed(r#""v":"#, r#""v":-"#).is_err(), "no version");
    assert!(read(&json[..json.len() - 1]).is_err(), "a row that is cut");
    assert!(read("{}").is_err());
}

/// Catches a row that grows: each move writes it.
#[test]
fn a_row_is_small() {
    let mut small = Room::made_by(RoomSettings::default(), &["ada"]);
    small.play(&[0, 3, 1, 4]);
    let small = small.rules.to_json().len();
    let board = BoardSpec::new(19, 19, 5).unwrap();
    let settings = RoomSettings { board, move_time_ms: Some(60_000), ..RoomSettings::default() };
    let mut large = Room::made_by(settings, &["ada"]);
    // Two of X, two of O, two of X: no line, and as few in the next row.
    let cells: Vec<u16> = (0..19).flat_map(|y| (0..19).map(move |x| (x, y))).map(cell).collect();
    let [x, o] = [Mark::X, Mark::O].map(|mark| {
        let own = |cell: &&u16| (**cell % 19 / 2 + **cell / 19) % 2 == u16::from(mark == Mark::O);
        cells.iter().filter(own).copied().collect::<Vec<_>>()
    });
    for (x, o) in x.iter().zip(&o).take(100) {
        large.play(&[*x, *o]);
    }
    let large = large.rules.to_json().len();
    println!("{small} bytes, {large} bytes");
    assert!(small < 900 && large < 3_000, "{small} bytes, {large} bytes");
}

const fn cell((x, y): (u16, u16)) -> u16 {
    y * 19 + x
}
