//! Commits that fail at a known moment, by real errors of system calls, which `strace` injects. What the
//! server acknowledged must be true after a kill and a restart.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use noughts_harness::skip::skipped;
use noughts_harness::{Player, ServerProcess, TIMEOUT, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClientMessage, CloseCode, Computer, LobbyIntent, PlayerToken,
    RefusalCode, Role, RoomCode, RoomIntent, RoomSettings, SeatRequest,
};
use noughts_server::journal::error::DiskError;
use noughts_server::journal::store::{Disk, Store, Write};

/// The journal's log, on which the errors are.
const LOG: &str = "journal.db-wal";

async fn connect(server: &ServerProcess, name: &str, token: Option<PlayerToken>) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    Player::greet(Box::new(stream), name, token, TIMEOUT).await
}

/// Ada plays both sides of a large board alone, on a disk that fails.
struct GameOnFailingDisk {
    server: ServerProcess,
    ada: Player,
    code: RoomCode,
    /// Moves that were answered with `ok`.
    acknowledged: Vec<Cell>,
}

/// Whether errors can be injected here. If not, the skip is reported.
fn can_inject() -> bool {
    let tried = Command::new("strace").args(["-D", "-o", "/dev/null", "true"]).output();
    let can = tried.as_ref().is_ok_and(|output| output.status.success());
    if !can {
        skipped("disks with errors", "strace, and the right to use it");
    }
    can
}

impl GameOnFailingDisk {
    /// Starts on a server whose system calls on one of the journal's files end as `fault` says.
    async fn begin(file: &str, fault: &str) -> Self {
        let server =
            ServerProcess::start(&["--intent-burst", "10000", "--intents-per-second", "10000"]);
        let mut ada = connect(&server, "Ada", None).await;
        let board = BoardSpec::new(13, 13, 5).unwrap();
        let settings = RoomSettings { board, ..RoomSettings::default() };
        let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
        let code = ada.create(settings, seats).await;
        let (path, inject) = (server.folder().join(file), format!("inject={fault}"));
        let strace = ["strace", "-D", "-f", "-qq", "-o", "/dev/null"];
        let on = ["-P", path.to_str().unwrap(), "-e", &inject];
        let server = server.restart_under(&[&strace[..], &on].concat());
        let mut game = Self { server, ada, code, acknowledged: Vec::new() };
        game.come_back().await;
        game
    }

    async fn come_back(&mut self) {
        self.ada = connect(&self.server, "Ada", Some(self.ada.token.clone())).await;
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
    if !can_inject() {
        return;
    }
    // The eighth sync and the fortieth write of a thread: the opening takes fewer.
    for fault in ["fsync,fdatasync:error=EIO:when=8", "pwrite64:error=EIO:when=40"] {
        let mut game = GameOnFailingDisk::begin(LOG, fault).await;
        let play = game.play_until_it_fails().await;
        assert!(
            game.ada.refusal_text.contains("nothing has changed"),
            "{fault}: {:?}",
            game.ada.closed
        );
        let mut game = game.after_a_kill().await;
        assert_eq!(game.ada.game().moves(), game.acknowledged, "{fault}: refused is refused");
        assert!(game.is_acknowledged(&play).await, "{fault}");
    }
}

#[tokio::test]
async fn while_nobody_can_say_what_is_stored_nobody_is_answered() {
    if !can_inject() {
        return;
    }
    let mut game = GameOnFailingDisk::begin(LOG, "fsync,fdatasync:error=EIO:when=8+").await;
    let play = game.play_until_it_fails().await;
    for _ in 0..2 {
        assert_eq!((game.ada.until_closed().await, &game.ada.refusal_text[..]), (1011, ""));
        game.come_back().await;
        assert_eq!(game.ada.game().moves(), game.acknowledged, "the room is as everybody saw it");
        assert!(!game.is_acknowledged(&play).await, "it may be there already");
    }
    let mut game = game.after_a_kill().await;
    let moves = game.ada.game().moves();
    assert!(moves.starts_with(&game.acknowledged) && moves.len() <= game.acknowledged.len() + 1);
    game.ada.ask(play).await.unwrap();
    game.ada.ask_room(RoomIntent::Sync).await.unwrap();
    game.ada
        .until("the move, once", |p| p.game().moves().len() == game.acknowledged.len() + 1)
        .await;
}

#[tokio::test]
async fn a_checkpoint_that_fails_loses_nothing() {
    if !can_inject() {
        return;
    }
    let fault = "fsync,fdatasync,pwrite64:error=EIO:when=1+";
    let mut game = GameOnFailingDisk::begin("journal.db", fault).await;
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

/// A disk that, while the test wants it to, stores everything (or nothing) and reports an unknown outcome.
#[derive(Debug)]
struct Unsure {
    store: Store,
    stores: bool,
    fault: Arc<Fault>,
}

#[derive(Debug, Default)]
struct Fault {
    is_on: AtomicBool,
    /// Commits that ended like that.
    met: AtomicU32,
}

impl Disk for Unsure {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        if !self.fault.is_on.load(Ordering::SeqCst) {
            return self.store.commit(writes);
        }
        self.fault.met.fetch_add(1, Ordering::SeqCst);
        if self.stores {
            self.store.commit(writes)?;
        }
        Err(DiskError::Unknown("fsync".to_owned()))
    }

    fn resolve(&mut self) -> Result<(), DiskError> {
        let is_on = self.fault.is_on.load(Ordering::SeqCst);
        if is_on { Err(DiskError::Full) } else { self.store.resolve() }
    }
}

async fn unsure(options: &[&str], stores: bool) -> (TestServer, Arc<Fault>) {
    let fault = Arc::<Fault>::default();
    let shared = Arc::clone(&fault);
    let disk = |store| -> Box<dyn Disk> { Box::new(Unsure { store, stores, fault: shared }) };
    (TestServer::with_disk(options, disk).await, fault)
}

#[tokio::test]
async fn what_was_stored_without_an_answer_is_acknowledged_to_those_who_ask_again() {
    let folder = tempfile::tempdir().unwrap();
    let option = format!("--data-dir={}", folder.path().display());
    let (server, fault) = unsure(&[&option], true).await;
    let mut ada = server.player("Ada").await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    let code = ada.create(RoomSettings::default(), seats).await;
    fault.is_on.store(true, Ordering::SeqCst);
    let play = ada.move_to(4);
    ada.send(&play).await;
    assert_eq!(ada.until_closed().await, CloseCode::Internal.number());
    assert!(ada.refusal_text.is_empty() && ada.game().moves().is_empty(), "{}", ada.refusal_text);
    server.stop().await;

    let server = TestServer::start(&[&option]).await;
    let mut ada = server.returning("Ada", Some(ada.token.clone())).await;
    ada.join(code, Role::Player).await.unwrap();
    assert_eq!(ada.game().moves(), [Cell(4)]);
    ada.ask(play).await.unwrap();
    assert_eq!(ada.game().moves(), [Cell(4)]);
}

#[tokio::test]
async fn a_room_that_was_made_without_an_answer_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let option = format!("--data-dir={}", folder.path().display());
    let (server, fault) = unsure(&[&option], true).await;
    let mut ada = server.player("Ada").await;
    let (settings, seats) = (RoomSettings::default(), ByMark::default());
    let intent = LobbyIntent::Create { settings, seats, shuffle: false };
    let create = ClientMessage::Lobby { intent, id: ada.new_id() };
    fault.is_on.store(true, Ordering::SeqCst);
    for _ in 0..2 {
        ada.send(&create).await;
        assert_eq!((ada.until_closed().await, &ada.refusal_text[..]), (1011, ""));
        ada = server.returning("Ada", Some(ada.token.clone())).await;
    }
    server.stop().await;
    let server = TestServer::start(&[&option]).await;
    let mut ada = server.returning("Ada", Some(ada.token.clone())).await;
    ada.ask(create).await.unwrap();
    server.until_counts([1, 1, 0]).await;
}

#[tokio::test]
async fn what_a_computer_did_without_anybody_knowing_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let option = format!("--data-dir={}", folder.path().display());
    let (server, fault) = unsure(&[&option, "--computer-delay=300ms"], false).await;
    let mut ada = server.player("Ada").await;
    let computer = SeatRequest::Computer(Computer::default());
    let code =
        ada.create(RoomSettings::default(), ByMark { x: SeatRequest::You, o: computer }).await;
    ada.play(4).await.unwrap();
    fault.is_on.store(true, Ordering::SeqCst);
    while fault.met.load(Ordering::SeqCst) == 0 {
        // This waits for the server, and for nothing in it.
        server.get("/healthz", "").await;
    }
    assert_eq!(ada.game().moves(), [Cell(4)]);
    // Another room's write is not even tried, and can be refused.
    let mut bob = server.player("Bob").await;
    assert_eq!(bob.try_host().await, Err(RefusalCode::NotStored));
    assert_eq!(fault.met.load(Ordering::SeqCst), 1);
    fault.is_on.store(false, Ordering::SeqCst);
    ada.until("the computer's move", |p| p.game().ply() == 2).await;
    assert_eq!((ada.closed, ada.state().code), (None, code), "who only looks on stays");
}
