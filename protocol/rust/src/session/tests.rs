//! Tests of a session beyond the stories: the checks of intents with their texts, and odd messages.

use std::time::Instant;

use noughts_protocol::{
    Cell, ClaimedResult, ClientMessage, Event, GameEnd, GameResult, LobbyIntent, Mark,
    OpeningChoice, OpeningPhase, PartyRole, RefusalCode, Role, RoomIntent, Score, ServerMessage,
    Snapshot,
};

use super::*;
use crate::fixture::party::{gathering, party, party_code};
use crate::fixture::{
    after, against_computer, applied, away, code, event, from_server, game_started, here, opening,
    presence, refused, shown, snapshot, waiting, welcome,
};

mod presence;
mod stories;

/// A session, fed with a server's messages and a player's intents.
struct SessionDriver {
    session: Session,
    now: Instant,
}

impl SessionDriver {
    /// A session after the welcome.
    fn new() -> Self {
        let mut driver = Self { session: Session::new(0), now: Instant::now() };
        driver.feed(welcome());
        driver
    }

    /// A session in the room of a snapshot.
    fn in_room(snapshot: Snapshot) -> Self {
        let mut driver = Self::new();
        let join = LobbyIntent::Join { room: code(), role: Role::Player };
        let join = driver.ask(join).unwrap();
        driver.feed(applied(&join));
        assert!(matches!(driver.feed(shown(snapshot))[..], [Happening::Entered]));
        driver
    }

    fn view(&self) -> &RoomView {
        self.session.room().unwrap()
    }

    /// Feeds an event. Returns what happened.
    fn feed(&mut self, event: ConnectionEvent) -> Vec<Happening> {
        let outputs = self.session.update(Input::Connection(event), self.now);
        let happening = |output| match output {
            Output::Happened(happening) => Some(happening),
            Output::Send(_) | Output::Reconnect | Output::Forget => None,
        };
        outputs.into_iter().filter_map(happening).collect()
    }

    /// Asks for something. Returns the message that is sent, or why there is none.
    fn ask(&mut self, intent: impl Into<Intent>) -> Result<ClientMessage, IntentError> {
        match self.session.update(Input::Asked(intent.into()), self.now).pop() {
            Some(Output::Send(message)) => Ok(message),
            Some(Output::Happened(Happening::Blocked(why))) => Err(why),
            other => panic!("{other:?}"),
        }
    }

    fn play(&mut self, cell: u16) -> Result<ClientMessage, IntentError> {
        self.ask(self.session.move_to(Cell(cell), None))
    }
}

#[test]
fn a_move_is_checked_here_first() {
    let mut driver = SessionDriver::in_room(snapshot("3x3x3", &[0, 4]));
    let why = driver.play(4).unwrap_err().to_string();
    assert_eq!(why, "cell 5 is taken by O: choose an empty one");
    let play = driver.play(1).unwrap();
    let intent = RoomIntent::Play { game: 1, ply: 2, cell: Cell(1), placed: None };
    assert_eq!(play, ClientMessage::Room { intent, id: 1.try_into().unwrap(), room: code() });
    assert_eq!(driver.play(2), Err(IntentError::UNCONFIRMED));
    driver.feed(refused(&play, RefusalCode::Stale, "look again"));
    assert!(driver.play(2).is_ok());
}

#[test]
fn the_moves_of_a_turn_are_the_legal_ones() {
    let mut driver = SessionDriver::in_room(snapshot("3x3x3", &[0, 4]));
    let moves = driver.session.moves();
    assert_eq!(moves.len(), 7);
    driver.ask(moves[0].clone()).unwrap();
    assert_eq!(driver.session.moves(), [], "one is on its way");
    let theirs = SessionDriver::in_room(snapshot("3x3x3", &[0]));
    assert_eq!(theirs.session.moves(), []);
}

#[test]
fn outside_a_room_there_is_nothing_to_do_in_it() {
    let mut driver = SessionDriver::new();
    let game = 0;
    let result = ClaimedResult::Win;
    for intent in [
        driver.session.move_to(Cell(0), None),
        RoomIntent::Choose { game, choice: OpeningChoice::X },
        RoomIntent::Resign { game },
        RoomIntent::Claim { game, result },
        RoomIntent::Hint { game },
        RoomIntent::Leave,
        RoomIntent::Sync,
        driver.session.review(),
        driver.session.rematch(),
    ] {
        assert_eq!(driver.ask(intent), Err(IntentError::NO_ROOM));
    }
    assert!(driver.session.is_settled(), "nothing was counted");
}

#[test]
fn a_game_zero_is_no_reason_to_fail() {
    let mut lie = snapshot("3x3x3", &[]);
    lie.game.as_mut().unwrap().number = 0;
    assert_eq!(SessionDriver::in_room(lie).view().last_finished(), None);
}

#[test]
fn an_id_is_never_that_of_a_ping() {
    use noughts_protocol::{IntentId, PING_ID};
    let mut driver = SessionDriver::new();
    driver.session = Session::new(IntentId::MAX - 1);
    driver.feed(welcome());
    let ids = [(); 2].map(|()| driver.ask(LobbyIntent::WatchLobby).unwrap().id().unwrap());
    assert_eq!(ids.map(u64::from), [IntentId::MAX - 1, 0]);
    assert!(!ids.contains(&PING_ID));
}

#[test]
fn a_pong_answers_the_ping_that_was_asked() {
    let mut driver = SessionDriver::new();
    let ping = driver.ask(LobbyIntent::Ping).unwrap();
    let id = ping.id().unwrap();
    let pong = ServerMessage::Pong { id, room: None, v: None, party_v: None, presence: None };
    let happened = driver.feed(from_server(pong));
    assert!(matches!(&happened[..], [Happening::Applied(message)] if *message == ping));
    assert!(!driver.session.is_unanswered(id));
}

#[test]
fn the_pass_for_a_place_is_for_one_party() {
    let mut driver = SessionDriver::new();
    driver.session.take_place(Some("2.abc".parse().unwrap()));
    let join = LobbyIntent::JoinParty { party: party_code(), role: PartyRole::Spectator };
    let asked = driver.ask(join.clone()).unwrap();
    driver.feed(refused(&asked, RefusalCode::NoSuchParty, "there is no such party"));
    let asked = driver.ask(join).unwrap();
    driver.feed(applied(&asked));
    let outputs = driver.session.update(Input::Connection(party(gathering())), driver.now);
    assert!(matches!(outputs[..], [Output::Happened(Happening::Party)]), "{outputs:?}");
}

#[test]
fn wins_in_a_row_end_with_another_result() {
    let mut driver = SessionDriver::in_room(snapshot("3x3x3", &[]));
    let results = [Some(Mark::X), Some(Mark::X), Some(Mark::O), Some(Mark::X), None, Some(Mark::X)];
    let mut v = 10;
    let mut told = |driver: &mut SessionDriver, told| {
        v += 1;
        driver.feed(event(v, told));
    };
    let rows = (1..).zip(results).map(|(game, winner)| {
        let score = driver.view().state.score;
        if game > 1 {
            told(&mut driver, game_started(game, Mark::X, score));
        }
        let draw = GameResult::Absence { winner: None, party: None };
        let result = winner.map_or(draw, |winner| GameResult::Resignation { winner });
        let score = score.with(&result);
        told(&mut driver, Event::GameOver { game, end: GameEnd { result, score, id: None } });
        driver.view().wins_in_a_row()
    });
    assert_eq!(rows.collect::<Vec<_>>(), [1, 2, 0, 1, 0, 1]);
}
