//! Saves that fail at a known moment, by real errors of system calls, which `strace` injects.
//! Everything acknowledged must be there after a kill and a restart.

use std::time::Duration;

use noughts_harness::skip::has_strace;
use noughts_harness::world::{DiskMode, run};
use noughts_harness::{Player, ServerProcess, TIMEOUT, advance_time};
use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClientMessage, LobbyIntent, Role, RoomCode, RoomSettings, SeatRequest,
};
use noughts_store::Reader;

/// The write-ahead log, on which the errors are.
const LOG: &str = "noughts.db-wal";

/// The exit code of a server that cannot know whether something is stored.
const EX_IOERR: i32 = 74;

/// Ada plays both sides of a large board alone, on a disk that fails.
struct GameOnFailingDisk {
    server: ServerProcess,
    ada: Player,
    code: RoomCode,
    /// Moves that were answered with `ok`.
    acknowledged: Vec<Cell>,
}

impl GameOnFailingDisk {
    /// Starts on a server whose system calls on one of its files end as `fault` says. Without `strace` the
    /// test is skipped.
    async fn begin(file: &str, fault: &str) -> Option<Self> {
        if !has_strace("disks with errors") {
            return None;
        }
        let server = ServerProcess::start(&["--intents-per-second", "10000"]);
        let mut ada = server.player("Ada").await;
        let board = BoardSpec::new(13, 13, 5).unwrap();
        let settings = RoomSettings { board, ..RoomSettings::default() };
        let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
        let code = ada.create(settings, seats).await;
        let path = server.folder().join(file);
        let inject = format!("inject={fault}");
        let strace = ["strace", "-D", "-f", "-qq", "-o", "/dev/null"];
        let on = ["-P", path.to_str().unwrap(), "-e", &inject];
        let server = server.restart_under(&[&strace[..], &on].concat());
        let mut game = Self { server, ada, code, acknowledged: Vec::new() };
        game.come_back().await;
        Some(game)
    }

    async fn come_back(&mut self) {
        self.ada = self.server.returning("Ada", Some(self.ada.token.clone())).await;
        self.ada.join(self.code, Role::Player).await.unwrap();
    }

    /// Plays until a move is not acknowledged: that one.
    async fn play_until_it_fails(&mut self) -> ClientMessage {
        // Nobody has five in a row so soon.
        for cell in 0..50 {
            let play = self.ada.move_to(cell);
            if !self.is_acknowledged(&play).await {
                return play;
            }
            self.acknowledged.push(Cell(cell));
        }
        panic!("the disk never failed");
    }

    /// Whether a move is answered with `ok`, and neither refused nor left without an answer.
    async fn is_acknowledged(&mut self, play: &ClientMessage) -> bool {
        let ply = self.ada.game().ply();
        self.ada.refusal_text.clear();
        self.ada.send(play).await;
        let ends =
            |p: &Player| p.closed.is_some() || !p.refusal_text.is_empty() || p.game().ply() > ply;
        self.ada.until("an answer or the end", ends).await;
        self.ada.game().ply() > ply
    }

    /// The server is killed and started again on a disk that works.
    async fn after_a_kill(mut self) -> Self {
        self.server = self.server.restart();
        self.come_back().await;
        self
    }
}

#[tokio::test]
async fn a_move_that_was_refused_for_an_error_of_the_disk_is_not_there_after_a_kill() {
    // From the fortieth write of a thread on: the opening takes fewer.
    for error in ["EIO", "ENOSPC"] {
        let fault = format!("pwrite64:error={error}:when=40+");
        let Some(mut game) = GameOnFailingDisk::begin(LOG, &fault).await else { return };
        let play = game.play_until_it_fails().await;
        assert!(game.ada.refusal_text.contains("nothing has changed"), "{:?}", game.ada.closed);
        let mut game = game.after_a_kill().await;
        assert_eq!(game.ada.game().moves(), game.acknowledged, "{error}: refused is refused");
        assert!(game.is_acknowledged(&play).await, "{error}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_know_what_is_stored_ends_with_words_and_the_next_one_decides() {
    // The eighth sync: the opening takes fewer.
    let Some(mut game) = GameOnFailingDisk::begin(LOG, "fsync,fdatasync:error=EIO:when=8").await
    else {
        return;
    };
    let play = game.play_until_it_fails().await;
    assert_eq!(game.server.ended(TIMEOUT), Some(EX_IOERR));
    let log = game.server.log();
    assert!(log.contains("nobody can know whether the last moves are stored"), "{log}");
    assert_eq!(game.ada.refusal_text, "", "it may be there already");
    let mut game = game.after_a_kill().await;
    let moves = game.ada.game().moves();
    assert!(moves.starts_with(&game.acknowledged) && moves.len() <= game.acknowledged.len() + 1);
    game.ada.ask(play).await.unwrap();
    game.ada.settle().await;
    assert_eq!(game.ada.game().moves().len(), game.acknowledged.len() + 1, "the move, once");
}

#[tokio::test]
async fn a_checkpoint_that_fails_loses_nothing() {
    let fault = "fsync,fdatasync,pwrite64:error=EIO:when=1+";
    let Some(mut game) = GameOnFailingDisk::begin("noughts.db", fault).await else { return };
    for cell in [0, 2, 4] {
        let play = game.ada.move_to(cell);
        assert!(game.is_acknowledged(&play).await);
        game.acknowledged.push(Cell(cell));
    }
    // The last thing that a server does is to empty the log.
    game.server.terminate();
    assert!(game.server.folder().join(LOG).metadata().unwrap().len() > 0);
    let game = game.after_a_kill().await;
    assert_eq!(game.ada.game().moves(), game.acknowledged);
}

/// The server crashes after it has stored something, or just before, and nobody gets an answer.
#[test]
fn what_got_no_answer_happens_once_if_it_is_asked_for_again() {
    for stored in [true, false] {
        run(&[], async |mut world| {
            let mut ada = world.player("Ada", None).await;
            let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
            let settings = RoomSettings::default();
            let intent = LobbyIntent::Create { settings, seats, shuffle: false };
            let mut ask = ClientMessage::Lobby { intent, id: ada.new_id() };
            for moves in 0..=1 {
                world.set_disk(DiskMode::InDoubt { stored });
                ada.send(&ask).await;
                advance_time(Duration::from_secs(1)).await;
                world.crash(&[]).await;
                world.start().await;
                let room = ada.room.as_ref().map(|room| room.code);
                ada = world.player("Ada", Some(ada.token)).await;
                if let Some(room) = room {
                    ada.join(room, Role::Player).await.unwrap();
                    assert_eq!(ada.game().moves().len(), usize::from(stored));
                }
                ada.ask(ask).await.unwrap();
                ada.settle().await;
                assert_eq!(ada.game().moves().len(), moves);
                ask = ada.move_to(4);
            }
            let mut rooms = 0;
            Reader::open(world.folder()).unwrap().live(|_, _| rooms += 1).unwrap();
            assert_eq!(rooms, 1);
        });
    }
}
