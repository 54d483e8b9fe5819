//! A server in the test's process: on a real port of the loopback interface, or in memory and virtual
//! time. Dropping it stops it.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;

use clap::Parser;
use futures::future::{BoxFuture, ready};
use noughts_protocol::{ByMark, Role, RoomCode, RoomSettings};
use noughts_server::{Args, Config, Environment, Server};
use noughts_store::{
    Change, DiskError, LiveRow, OpenError, ReadError, SaveError, Sqlite, Store, Workers,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::memory::{MemoryConnector, listen};
use crate::player::{Io, Player};
use crate::{LONG_TIMEOUT, TIMEOUT, VIRTUAL_TIMEOUT};

/// A running server.
#[derive(Debug)]
pub struct TestServer {
    endpoint: Endpoint,
    stop: CancellationToken,
    served: Option<JoinHandle<()>>,
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The headers, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl HttpAnswer {
    /// The body as text.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}

/// The outcome of a save.
pub(crate) type Saving = BoxFuture<'static, Result<(), SaveError>>;

/// A store whose saves go through a function, which may refuse them.
struct FaultyStore<F> {
    sqlite: Sqlite,
    save: F,
}

/// A store that saves as this function does, and reads what is stored.
pub(crate) fn faulty<F>(sqlite: Sqlite, save: F) -> Arc<dyn Store>
where
    F: Fn(&Sqlite, Vec<Change>) -> Saving + Send + Sync + 'static,
{
    Arc::new(FaultyStore { sqlite, save })
}

impl<F> Debug for FaultyStore<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.sqlite.fmt(f)
    }
}

impl<F: Fn(&Sqlite, Vec<Change>) -> Saving + Send + Sync> Store for FaultyStore<F> {
    fn save(&self, changes: Vec<Change>) -> Saving {
        (self.save)(&self.sqlite, changes)
    }

    fn load(&self, code: RoomCode) -> BoxFuture<'static, Result<Option<LiveRow>, ReadError>> {
        self.sqlite.load(code)
    }
}

/// The surroundings of a server in the test's process. If it loses its files, as it may when a test has ended, its
/// thread panics: the end of the process would be that of all other tests.
const ENVIRONMENT: Environment =
    Environment { on_unknown: |why| panic!("{why}"), ..Environment::REAL };

#[derive(Debug, Clone)]
enum Endpoint {
    Tcp(SocketAddr),
    Memory(MemoryConnector),
}

impl TestServer {
    /// A server that runs elsewhere, at an address.
    #[must_use]
    pub fn at(address: SocketAddr) -> Self {
        Self { endpoint: Endpoint::Tcp(address), stop: CancellationToken::new(), served: None }
    }

    /// Starts it on a free port, with options of the command line. By default computers move at once and
    /// rooms are not stored.
    ///
    /// # Panics
    /// If the options are not legal.
    pub async fn start(options: &[&str]) -> Self {
        Self::serve(server(options), None).await
    }

    /// The same, but it keeps its rooms and games, in a folder that is deleted when it has ended.
    ///
    /// # Panics
    /// If the options are not legal.
    pub async fn keeping(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = ["--data-dir", folder.path().to_str().unwrap()];
        let server = server(&[&data[..], options].concat());
        Self::serve(server, Some(folder)).await
    }

    /// The same, but returns an error if the folder cannot be opened.
    ///
    /// # Errors
    /// If it is.
    ///
    /// # Panics
    /// If the options are not legal.
    pub async fn try_start(options: &[&str]) -> Result<Self, OpenError> {
        Ok(Self::serve(open(config(options))?, None).await)
    }

    /// The same, with a store that refuses some saves, as a full disk does.
    ///
    /// # Panics
    /// If the options are not legal.
    pub async fn refusing(
        options: &[&str],
        refuses: impl Fn(&[Change]) -> bool + Send + Sync + 'static,
    ) -> Self {
        let save = move |sqlite: &Sqlite, changes: Vec<Change>| -> Saving {
            if refuses(&changes) {
                return Box::pin(ready(Err(DiskError::Full.into())));
            }
            sqlite.save(changes)
        };
        let wrap = |sqlite| faulty(sqlite, save);
        let server = Server::with_store(config(options), ENVIRONMENT, wrap).unwrap();
        Self::serve(server, None).await
    }

    async fn serve(server: Server, folder: Option<TempDir>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Endpoint::Tcp(listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let serving = server.serve(listener, stop.clone().cancelled_owned());
        let serving = async move {
            serving.await;
            drop(folder);
        };
        Self { endpoint, stop, served: Some(tokio::spawn(serving)) }
    }

    /// Starts it in memory, for tests with Tokio's clock paused.
    ///
    /// # Panics
    /// If the options are not legal.
    #[must_use]
    pub fn virtual_time(options: &[&str]) -> Self {
        // The store's work is done on the same runtime, so that time waits for it.
        let environment = Environment { workers: Workers::Tasks, ..ENVIRONMENT };
        let config = config(options);
        let open = || Server::with_store(config.clone(), environment, |store| Arc::new(store));
        Self::in_memory(retry_in_use(open)).0
    }

    /// Serves in memory. Returns also the way to connect to it.
    pub(crate) fn in_memory(server: Server) -> (Self, MemoryConnector) {
        let (listener, connector) = listen();
        let stop = CancellationToken::new();
        let serving = server.serve(listener, stop.clone().cancelled_owned());
        let endpoint = Endpoint::Memory(connector.clone());
        (Self { endpoint, stop, served: Some(tokio::spawn(serving)) }, connector)
    }

    /// The address it listens on.
    ///
    /// # Panics
    /// If it is in memory.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        match &self.endpoint {
            Endpoint::Tcp(address) => *address,
            Endpoint::Memory(_) => panic!("a server in memory has no address"),
        }
    }

    /// A new connection, before any byte is sent.
    ///
    /// # Panics
    /// If the server is not there.
    pub async fn stream(&self) -> Box<dyn Io> {
        match &self.endpoint {
            Endpoint::Tcp(address) => Box::new(TcpStream::connect(address).await.unwrap()),
            Endpoint::Memory(connector) => Box::new(connector.connect().await.unwrap()),
        }
    }

    /// A new player, greeted, from another address of the loopback network.
    ///
    /// # Panics
    /// If the server is in memory.
    pub async fn player_from(&self, address: [u8; 4], name: &str) -> Player {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        let stream = socket.connect(self.address()).await.unwrap();
        Player::greet(Box::new(stream), name, None, TIMEOUT).await
    }

    /// A new player, greeted.
    pub async fn player(&self, name: &str) -> Player {
        self.returning(name, None).await
    }

    /// Two players, X and O, in a room whose first game is running.
    ///
    /// # Panics
    /// If one of them is refused.
    pub async fn pair(&self, settings: RoomSettings) -> (Player, Player) {
        let mut ada = self.player("Ada").await;
        let mut bob = self.player("Bob").await;
        let code = ada.create(settings, ByMark::default()).await;
        bob.join(code, Role::Player).await.unwrap();
        ada.until_running().await;
        bob.until_running().await;
        (ada, bob)
    }

    /// A player with the token of an earlier one, greeted.
    pub async fn returning(
        &self,
        name: &str,
        token: Option<noughts_protocol::PlayerToken>,
    ) -> Player {
        let limit = match &self.endpoint {
            Endpoint::Tcp(_) if self.served.is_some() => TIMEOUT,
            Endpoint::Tcp(_) => LONG_TIMEOUT,
            Endpoint::Memory(_) => VIRTUAL_TIMEOUT,
        };
        Player::greet(self.stream().await, name, token, limit).await
    }

    /// The status and body of a plain GET.
    ///
    /// # Panics
    /// If the answer is not HTTP.
    pub async fn get(&self, path: &str, headers: &str) -> (u16, String) {
        let answer = self.ask(path, headers).await;
        (answer.status, answer.text())
    }

    /// The whole answer to a plain GET.
    ///
    /// # Panics
    /// If it is not HTTP.
    pub async fn ask(&self, path: &str, headers: &str) -> HttpAnswer {
        let mut stream = self.stream().await;
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = BTreeMap::new();
        for line in head.lines().skip(1) {
            let (name, value) = line.split_once(": ").unwrap();
            let values: &mut String = headers.entry(name.to_lowercase()).or_default();
            *values += if values.is_empty() { "" } else { ", " };
            *values += value;
        }
        HttpAnswer { status, headers, body: answer[end + 4..].to_vec() }
    }

    /// The status of a request with these headers alone, which asks for a WebSocket at `/ws`.
    ///
    /// # Panics
    /// If the answer is not HTTP.
    pub async fn status(&self, path: &str, headers: &[&str]) -> u16 {
        let upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                       sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let upgrade = if path == "/ws" { upgrade } else { "" };
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let mut stream = self.stream().await;
        let head = format!("GET {path} HTTP/1.1\r\n{headers}{upgrade}\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer[9..]).parse().unwrap()
    }

    /// The answer of `/healthz`.
    ///
    /// # Panics
    /// If it is no JSON.
    pub async fn health(&self) -> (u16, Value) {
        let (status, body) = self.get("/healthz", "").await;
        (status, serde_json::from_str(&body).unwrap())
    }

    /// The counts of `/healthz`: rooms, connections, players that wait for a match.
    ///
    /// # Panics
    /// If the answer is not as documented.
    pub async fn counts(&self) -> [u64; 3] {
        let (status, health) = self.health().await;
        assert_eq!(status, 200);
        ["rooms", "connections", "waiting_for_match"].map(|key| health[key].as_u64().unwrap())
    }

    /// Waits until the server holds this many rooms, connections and waiting players.
    ///
    /// # Panics
    /// If that does not come.
    pub async fn until_counts(&self, expected: [u64; 3]) {
        let asking = async {
            while self.counts().await != expected {
                tokio::task::yield_now().await;
            }
        };
        if tokio::time::timeout(TIMEOUT, asking).await.is_err() {
            assert_eq!(self.counts().await, expected);
        }
    }

    /// Waits until this many rooms hibernate.
    ///
    /// # Panics
    /// If that does not come.
    pub async fn until_hibernated(&self, expected: u64) {
        let asking = async {
            while self.health().await.1["asleep"] != expected {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(TIMEOUT, asking).await.expect("no such number of rooms sleeps");
    }

    /// Stops the server and waits until it has.
    ///
    /// # Panics
    /// If it failed.
    pub async fn stop(mut self) {
        self.stop.cancel();
        if let Some(served) = self.served.take() {
            served.await.unwrap();
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn server(options: &[&str]) -> Server {
    let config = config(options);
    retry_in_use(|| open(config.clone()))
}

fn open(config: Config) -> Result<Server, OpenError> {
    Server::with_store(config, ENVIRONMENT, |store| Arc::new(store))
}

/// Opens a server, again while its folder seems to be in use. An earlier one of this process
/// may have had the folder: a program that another test starts meanwhile inherits the lock until its
/// `exec`.
///
/// # Panics
/// If the folder cannot be locked in time, or if there is another error.
pub(crate) fn retry_in_use<T>(open: impl Fn() -> Result<T, OpenError>) -> T {
    let deadline = std::time::Instant::now() + TIMEOUT;
    loop {
        match open() {
            Err(OpenError::InUse(_)) if std::time::Instant::now() < deadline => {
                std::thread::yield_now();
            }
            opened => return opened.unwrap(),
        }
    }
}

fn config(options: &[&str]) -> Config {
    let kept = options.iter().any(|option| option.starts_with("--data-dir"));
    let fixed = ["noughts-server", "--computer-delay", "0s"];
    let fixed = fixed.iter().chain(if kept { &[][..] } else { &["--ephemeral"] });
    let options = options.iter().filter(|option| !option.is_empty());
    let args = Args::try_parse_from(fixed.chain(options)).unwrap();
    Config::try_from(&args).unwrap()
}

/// Sends a request, and reads all that comes until the connection ends.
///
/// # Panics
/// If the connection breaks.
pub async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}
