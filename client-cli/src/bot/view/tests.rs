//! How a program plays: what the room asks of it, and what the room gets.

use noughts_client::session::{ConnectionEvent, Input};
use noughts_protocol::{Score, Snapshot};

use super::*;
use crate::fixture::{
    after, applied, code, moves, offered, opening, presence, refused, resigned, shown, snapshot,
    watched, welcome,
};

mod party;

fn view() -> BotView {
    let options = BotOptions { time: Duration::from_secs(5), games: 2, variants: false };
    BotView::new(code(), ServerAddress::default(), 0, options)
}

/// Feeds what the server sends. Returns what is sent to it.
fn feed(bot: &mut BotView, event: ConnectionEvent) -> Vec<ClientMessage> {
    let happenings = bot.console.update(Input::Connection(event));
    bot.happened(happenings);
    bot.console.take_messages()
}

/// A program in the room of a snapshot, before its first order.
fn in_room(snapshot: Snapshot) -> BotView {
    let mut bot = view();
    let [join] = &feed(&mut bot, welcome())[..] else { panic!("it joins") };
    let join = join.clone();
    assert!(matches!(
        join,
        ClientMessage::Lobby { intent: LobbyIntent::Join { role: Role::Spectator, .. }, .. }
    ));
    feed(&mut bot, applied(&join));
    bot.console.messages = feed(&mut bot, shown(snapshot));
    bot
}

/// The intents for the room that were sent since the last call.
fn intents(bot: &mut BotView) -> Vec<RoomIntent> {
    let intent = |message| match message {
        ClientMessage::Room { intent, .. } => intent,
        other => panic!("{other:?}"),
    };
    bot.console.take_messages().into_iter().map(intent).collect()
}

/// The cells before the move that the program has to think about.
fn asked(bot: &mut BotView) -> Vec<u16> {
    match bot.request() {
        EngineRequest::Ask(turn, _) => turn.moves.iter().map(|cell| cell.0).collect(),
        other => panic!("{other:?}"),
    }
}

/// The end of a game by a resignation. X wins the first one, and `winner` the last one.
fn over(v: u64, game: u32, winner: Mark) -> ConnectionEvent {
    resigned(v, game, winner, Score { x: game - 1, o: 0, draws: 0 })
}

#[test]
fn it_takes_a_seat_after_it_has_seen_that_it_can_play() {
    let mut bot = in_room(watched(snapshot("15x15x5", &[])));
    let [ClientMessage::Lobby { intent: LobbyIntent::Join { role, .. }, .. }] =
        &bot.console.messages[..]
    else {
        panic!("{:?}", bot.console.messages)
    };
    assert_eq!(*role, Role::Player);
    assert_eq!(bot.request(), EngineRequest::Wait);
    // A room without spectators shows itself to players alone.
    let mut bot = view();
    let join = feed(&mut bot, welcome()).remove(0);
    let again = feed(&mut bot, refused(&join, RefusalCode::NoSpectators, "no"));
    assert!(matches!(
        again[..],
        [ClientMessage::Lobby { intent: LobbyIntent::Join { role: Role::Player, .. }, .. }]
    ));
}

#[test]
fn a_room_that_it_cannot_play_is_left() {
    let swap2 = noughts_protocol::OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    for room in [snapshot("3x3x3", &[]), snapshot("9x9x6", &[]), opening(swap2, &[])] {
        let mut bot = in_room(room);
        let leave = bot.console.messages.pop().unwrap();
        assert!(matches!(leave, ClientMessage::Room { intent: RoomIntent::Leave, .. }));
        assert_eq!((bot.request(), bot.exit()), (EngineRequest::Wait, None));
        feed(&mut bot, applied(&leave));
        assert!(matches!(bot.exit(), Some(Exit::Refused(why)) if why.contains("Gomocup")));
    }
}

#[test]
fn the_program_thinks_when_it_is_its_turn() {
    let room = snapshot("15x15x5", &[]);
    let mut bot = in_room(room.clone());
    assert_eq!(asked(&mut bot), [0; 0]);
    assert_eq!(bot.request(), EngineRequest::Wait, "it thinks already");
    bot.engine(Outcome::Played(Cell(112), None));
    assert_eq!(
        intents(&mut bot),
        [RoomIntent::Play { game: 1, ply: 0, cell: Cell(112), placed: None }]
    );
    assert_eq!(bot.request(), EngineRequest::Wait, "the move is on its way");
    let mut events = moves(&room, &[112, 3]).into_iter();
    feed(&mut bot, events.next().unwrap());
    assert_eq!(bot.request(), EngineRequest::Wait);
    feed(&mut bot, events.next().unwrap());
    assert_eq!(asked(&mut bot), [112, 3]);
}

#[test]
fn a_refused_move_is_thought_about_again_and_a_second_later_if_it_was_too_much() {
    let mut bot = in_room(snapshot("15x15x5", &[]));
    asked(&mut bot);
    bot.engine(Outcome::Played(Cell(0), None));
    let play = bot.console.take_messages().remove(0);
    feed(&mut bot, refused(&play, RefusalCode::NotStored, "the disk is full"));
    assert!(bot.console.take_text().contains("the disk is full"));
    assert_eq!(asked(&mut bot), [0; 0]);
    bot.engine(Outcome::Played(Cell(0), None));
    let play = bot.console.take_messages().remove(0);
    feed(&mut bot, refused(&play, RefusalCode::RateLimited, "you send too much"));
    assert_eq!(bot.request(), EngineRequest::Wait);
    assert_eq!(bot.quiet_until, Some(after(bot.console.now, 1)), "it looks at the room again then");
    bot.console.now = after(bot.console.now, 1);
    assert_eq!(asked(&mut bot), [0; 0]);
    assert_eq!(bot.quiet_until, None);
    // An offer that was refused so is made again.
    feed(&mut bot, over(11, 1, Mark::X));
    assert_eq!(bot.request(), EngineRequest::Stop);
    let rematch = bot.console.take_messages().remove(0);
    feed(&mut bot, refused(&rematch, RefusalCode::RateLimited, "you send too much"));
    bot.request();
    assert_eq!(intents(&mut bot), []);
    bot.console.now = after(bot.console.now, 1);
    bot.request();
    assert!(matches!(intents(&mut bot)[..], [RoomIntent::Rematch { offer: true, .. }]));
}

#[test]
fn a_room_with_a_clock_says_when_it_ends() {
    let mut room = snapshot("15x15x5", &[]);
    (room.settings.move_time_ms, room.move_ms_left) = (Some(30_000), Some(7_000));
    let mut bot = in_room(room);
    let ends = Some(after(bot.console.now, 7));
    let time = MoveTime { usual: Duration::from_secs(5), ends };
    assert!(matches!(bot.request(), EngineRequest::Ask(_, found) if found == time));
}

#[test]
fn nobody_thinks_about_a_game_that_is_over() {
    let mut bot = in_room(snapshot("15x15x5", &[]));
    asked(&mut bot);
    feed(&mut bot, over(11, 1, Mark::X));
    assert_eq!(bot.request(), EngineRequest::Stop);
    assert_eq!(bot.request(), EngineRequest::Wait);
    bot.engine(Outcome::Played(Cell(0), None));
    let rematch = RoomIntent::Rematch { game: 1, offer: true, series: None };
    assert_eq!(intents(&mut bot), [rematch], "no move, and one offer");
}

#[test]
fn an_offer_that_is_gone_is_made_again_and_one_of_the_opponent_is_accepted() {
    let mut bot = in_room(snapshot("15x15x5", &[]));
    feed(&mut bot, over(11, 1, Mark::X));
    bot.request();
    let rematch = bot.console.take_messages().remove(0);
    feed(&mut bot, applied(&rematch));
    feed(&mut bot, presence(offered(Some(Mark::X))));
    feed(&mut bot, presence(offered(None)));
    bot.request();
    assert_eq!(intents(&mut bot), [], "it was withdrawn for a reason");
    feed(&mut bot, presence(offered(Some(Mark::O))));
    bot.request();
    let rematch = RoomIntent::Rematch { game: 1, offer: true, series: None };
    assert_eq!(intents(&mut bot), [rematch]);
}

#[test]
fn a_server_that_restarted_hears_the_offer_again() {
    let over = {
        let result = noughts_protocol::GameResult::Resignation { winner: Mark::X };
        let mut room = snapshot("15x15x5", &[0]);
        let record = room.game.as_mut().unwrap();
        (record.result, room.score) = (Some(result.clone()), Score::default().with(&result));
        room
    };
    let mut bot = in_room(over.clone());
    bot.request();
    let rematch = bot.console.take_messages().remove(0);
    feed(&mut bot, applied(&rematch));
    feed(&mut bot, ConnectionEvent::Lost("gone".into()));
    let join = feed(&mut bot, welcome()).remove(0);
    feed(&mut bot, applied(&join));
    feed(&mut bot, shown(over));
    bot.request();
    let rematch = RoomIntent::Rematch { game: 1, offer: true, series: None };
    assert_eq!(intents(&mut bot), [rematch]);
}

#[test]
fn a_leave_that_came_too_soon_is_sent_again() {
    let mut bot = in_room(snapshot("15x15x5", &[]));
    bot.options.games = 1;
    feed(&mut bot, over(11, 1, Mark::X));
    bot.request();
    let leave = bot.console.take_messages().remove(0);
    assert_eq!(feed(&mut bot, refused(&leave, RefusalCode::RateLimited, "you send too much")), []);
    assert_eq!((bot.request(), bot.exit()), (EngineRequest::Wait, None));
    bot.console.now = after(bot.console.now, 1);
    bot.request();
    assert_eq!(bot.console.take_messages(), [leave]);
    assert_eq!(bot.exit(), Some(Exit::Done));
}

#[test]
fn a_program_that_failed_says_so_and_resigns() {
    let mut bot = in_room(snapshot("15x15x5", &[]));
    asked(&mut bot);
    bot.engine(Outcome::StartedAgain("it ended".to_owned()));
    assert!(bot.console.take_text().ends_with("The program was started again: it ended.\n"));
    bot.engine(Outcome::Failed("it played 99,99, which is not on the board".to_owned()));
    let sent = bot.console.messages.clone();
    let said = Said::Text(APOLOGY.parse().unwrap());
    let expected = [RoomIntent::Say { said }, RoomIntent::Resign { game: 1 }, RoomIntent::Leave];
    assert_eq!(intents(&mut bot), expected);
    assert_eq!((bot.request(), bot.exit()), (EngineRequest::Wait, None));
    assert!(bot.leave_by().is_some());
    for message in &sent {
        feed(&mut bot, applied(message));
    }
    assert!(matches!(bot.exit(), Some(Exit::Lost(why)) if why.contains("99,99")));
}
