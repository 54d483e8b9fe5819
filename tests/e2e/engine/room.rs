//! `noughts bot`: programs that speak the Gomocup protocol in rooms and parties, good ones and bad ones.

use std::path::Path;

use noughts_harness::player::play_to_the_end;
use noughts_harness::process::program;
use noughts_harness::skip::has_programs;
use noughts_harness::{Pipe, Player, ServerProcess};
use noughts_protocol::{
    ByMark, Computer, GameResult, Mark, PartyIntent, PartyPhase, PartyRole, PartySettings, Role,
    RoomSettings, Seat, SeatRequest, Strategy, Strength,
};
use tempfile::TempDir;

/// The small program of the tests.
const BRAIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/brain.py");

/// A program with a seat, and the folder of its identity.
fn bot(server: &ServerProcess, room: &str, args: &[&str]) -> (Pipe, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (bot_of(server, folder.path(), room, args), folder)
}

fn bot_of(server: &ServerProcess, folder: &Path, room: &str, args: &[&str]) -> Pipe {
    server.pipe(folder, &[&["bot", room, "--move-time", "1s"], args].concat())
}

/// Our own engine, as a program in a room.
fn ours(server: &ServerProcess, room: &str, strength: &str, games: &str) -> (Pipe, TempDir) {
    let engine = program("noughts-server");
    let engine = engine.to_str().unwrap();
    let args = ["--games", games, "--engine", engine, "--", "engine", "--strength", strength];
    bot(server, room, &args)
}

/// The program of the tests, with a fault.
fn brain(server: &ServerProcess, room: &str, fault: &[&str]) -> (Pipe, TempDir) {
    bot(server, room, &[&["--engine", "python3", BRAIN], fault].concat())
}

/// A room of Ada in which this is the other seat.
async fn room(ada: &mut Player, settings: RoomSettings, other: SeatRequest) -> String {
    let seats = match other {
        SeatRequest::Computer(_) => ByMark { x: other, o: SeatRequest::Open },
        other => ByMark { x: SeatRequest::You, o: other },
    };
    ada.create(settings, seats).await.to_string()
}

fn five(board: &str) -> RoomSettings {
    RoomSettings { board: board.parse().unwrap(), ..RoomSettings::default() }
}

#[tokio::test]
async fn our_engine_plays_a_series_against_a_computer_over_both_protocols() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let mut ada = server.player("Ada").await;
    let weak = Computer { strategy: Strategy::Minimax, strength: Strength::VeryWeak };
    let code = room(&mut ada, five("9x9x5"), SeatRequest::Computer(weak)).await;
    // The strengths below it err now and then, and lose one game of forty.
    let (mut bot, _folder) = ours(&server, &code, "very_strong", "2");
    bot.wait_for("You are Noughts");
    ada.until("two games", |p| p.number() == 2 && p.result().is_some()).await;
    assert_eq!(bot.wait_exit(), 0, "{:?}", bot.seen);
    let score = ada.state().score;
    assert_eq!((score.x, score.o), (0, 2), "it sees more than a computer that sees nothing");
    ada.until("an open seat", |p| p.state().seats.o == Seat::Open).await;
}

#[tokio::test]
async fn a_program_plays_a_person_again_and_again_and_says_nothing_that_harms() {
    if !has_programs("a program against a person", &["python3"]) {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let code = room(&mut ada, five("6x5x5"), SeatRequest::Open).await;
    let (mut bot, folder) = brain(&server, &code, &[]);
    ada.until("the program", |p| p.state().is_running()).await;
    let Seat::Human { name, .. } = &ada.state().seats.o else { panic!("{:?}", ada.state().seats) };
    assert_eq!(name.to_string(), "Brain [31m");
    play_to_the_end(&mut ada).await;
    ada.rematch(true).await.unwrap();
    ada.until_running().await;
    play_to_the_end(&mut ada).await;
    // A server that restarts keeps the room, and the program comes back.
    let server = server.restart();
    bot.wait_for("Connected again");
    let mut ada = returning(&server, &ada, &code).await;
    ada.rematch(true).await.unwrap();
    ada.until_running().await;
    play_to_the_end(&mut ada).await;
    assert!(!bot.seen.concat().contains('\u{1b}'), "{:?}", bot.seen);
    assert!(bot.seen.iter().any(|line| line.starts_with("The program says: my move")));
    assert!(!bot.seen.concat().contains("no place for people"), "{:?}", bot.seen);
    // One that is killed gets its seat back.
    drop(bot);
    let mut bot = bot_of(&server, folder.path(), &code, &["--engine", "python3", BRAIN]);
    bot.wait_for("Room");
    ada.rematch(true).await.unwrap();
    ada.until_running().await;
    play_to_the_end(&mut ada).await;
    ada.leave().await.unwrap();
}

/// Ada on another connection, in her room.
async fn returning(server: &ServerProcess, ada: &Player, code: &str) -> Player {
    let mut ada = server.returning("Ada", Some(ada.token.clone())).await;
    ada.join(code.parse().unwrap(), Role::Player).await.unwrap();
    ada
}

#[tokio::test]
async fn a_program_that_ends_or_stalls_once_is_started_again_and_plays_on() {
    if !has_programs("a program that is started again", &["python3"]) {
        return;
    }
    let server = ServerProcess::start(&[]);
    for (fault, why) in [
        (
            "crash-once",
            "it ended (exit status: 3): \u{fffd}[31mthis is no place for people\u{fffd}[0m",
        ),
        ("stall-once", "it did not answer in time"),
    ] {
        let mut ada = server.player("Ada").await;
        let code = room(&mut ada, five("6x5x5"), SeatRequest::Open).await;
        let starts = tempfile::NamedTempFile::new().unwrap();
        let file = starts.path().to_str().unwrap();
        let (mut bot, _folder) = brain(&server, &code, &[fault, file]);
        ada.until("the program", |p| p.state().is_running()).await;
        play_to_the_end(&mut ada).await;
        assert!(!matches!(ada.result(), Some(GameResult::Resignation { .. })));
        bot.wait_for(&format!("The program was started again: {why}."));
        // Once for its name and the first moves, once after the fault.
        assert_eq!(starts.as_file().metadata().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_bad_program_resigns_and_says_why() {
    if !has_programs("bad programs", &["python3"]) {
        return;
    }
    let server = ServerProcess::start(&[]);
    for (fault, says) in [
        ("crash", "people\u{fffd}[0m, also after 3 new starts"),
        ("stall", "it did not answer in time"),
        ("rubbish", "it played no cell in time, and its last line was "),
        ("flood", "it wrote lines without end"),
    ] {
        let mut ada = server.player("Ada").await;
        let clock = (fault == "stall").then_some(4_000);
        let settings = RoomSettings { move_time_ms: clock, ..five("9x9x5") };
        let code = room(&mut ada, settings, SeatRequest::Open).await;
        let (mut bot, _folder) = brain(&server, &code, &[fault]);
        ada.until("the program", |p| p.state().is_running()).await;
        play_to_the_end(&mut ada).await;
        assert_eq!(ada.result(), Some(&GameResult::Resignation { winner: Mark::X }), "{fault}");
        ada.until_heard("My program has failed, so I resign.").await;
        let said = bot.wait_for("the program failed");
        assert!(said.contains(says), "{fault}: {said}");
        assert!(!bot.seen.concat().contains(['\u{1b}', '\u{7}', '\0']), "{:?}", bot.seen);
        assert_eq!(bot.wait_exit(), 1);
    }
}

/// Whether a process with this in its command line runs.
#[cfg(target_os = "linux")]
fn runs(text: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(text))
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_ends_with_its_bot() {
    if !has_programs("the end of a program", &["python3"]) {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let code = room(&mut ada, five("9x9x5"), SeatRequest::Open).await;
    let starts = tempfile::NamedTempFile::new().unwrap();
    let file = starts.path().to_str().unwrap();
    // The program is behind a script, as many are.
    let script = format!("python3 {BRAIN} stall {file}; true");
    let (mut bot, _folder) = bot(&server, &code, &["--engine", "sh", "--", "-c", &script]);
    ada.until("the program", |p| p.state().is_running()).await;
    for cell in [80, 79] {
        ada.play(cell).await.unwrap();
    }
    assert!(runs(file));
    noughts_harness::process::signal(bot.id(), "-INT");
    assert_eq!(bot.wait_exit(), 0);
    noughts_harness::until("the end of the program", async || (!runs(file)).then_some(())).await;
}

/// Beside people in a party.
#[tokio::test]
async fn programs_go_on_after_the_server_was_killed_in_the_middle() {
    let server = ServerProcess::start(&[]);
    let mut host = server.player("Ada").await;
    let settings = PartySettings { board: "9x9x5".parse().unwrap(), ..PartySettings::default() };
    let code = host.create_party("Night", settings, false).await;
    let text = code.to_string();
    let mut bots = ["strong", "average", "weak"].map(|one| ours(&server, &text, one, "1"));
    host.until("everybody", |host| host.party().entrants.len() == 3).await;
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    host.until("a game", |host| host.party().pairings.iter().any(|one| one.game > 0)).await;
    let token = host.token.clone();
    let server = server.restart();
    let mut host = server.returning("Ada", Some(token)).await;
    host.join_party(code, PartyRole::Spectator).await.unwrap();
    host.until("the podium", |host| host.party().phase == PartyPhase::Over).await;
    assert_eq!(host.party().places.len(), 3);
    // The bots end by themselves, after they have told the podium.
    for (bot, _) in &mut bots {
        bot.wait_for(" is 1st.");
        assert_eq!(bot.wait_exit(), 0, "{:?}", bot.seen);
    }
}
