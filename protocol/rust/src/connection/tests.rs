//! A connection against a small server: its first messages, its messages after a break, and when it
//! gives up.

use std::io;

use futures::SinkExt;
use noughts_protocol::{
    CloseCode, Hello, PROTOCOL_VERSION, PlayerId, Presence, RefusalCode, RoomCode, ServerMessage,
};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader, DuplexStream};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_async};

use super::*;

/// How long any step may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// A server that accepts one connection after the other.
struct Server {
    listener: TcpListener,
}

/// The server's end of a connection.
struct Peer<Io = TcpStream>(WebSocketStream<Io>);

impl Server {
    async fn start() -> (Self, ServerAddress) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        (Self { listener }, address.parse::<Link>().unwrap().server)
    }

    async fn accept(&self) -> Peer {
        let (stream, _) = timeout(DEADLINE, self.listener.accept()).await.unwrap().unwrap();
        Peer(accept_async(stream).await.unwrap())
    }

    /// Accepts a client and welcomes it. Returns the token of its hello.
    async fn welcome(&self) -> (Peer, Option<String>) {
        let mut peer = self.accept().await;
        let token = peer.welcome().await;
        (peer, token)
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> Peer<Io> {
    /// Reads a client's hello and answers with a welcome. Returns the token of the hello.
    async fn welcome(&mut self) -> Option<String> {
        self.welcome_naming(&[]).await
    }

    /// The same, with the addresses of other servers of the cluster.
    async fn welcome_naming(&mut self, nodes: &[String]) -> Option<String> {
        self.welcome_as(None, nodes).await
    }

    /// The same, with a name that the host has given.
    async fn welcome_as(&mut self, given: Option<&str>, nodes: &[String]) -> Option<String> {
        let ClientMessage::Hello(Hello { name, token, .. }) = self.hear().await else { panic!() };
        self.say_text(welcome_of(given.unwrap_or(name.as_str()), nodes)).await;
        token.map(|token| token.reveal().to_owned())
    }

    async fn hear(&mut self) -> ClientMessage {
        let frame = timeout(DEADLINE, self.0.next()).await.unwrap().unwrap().unwrap();
        ClientMessage::from_json(frame.to_text().unwrap()).unwrap()
    }

    async fn say(&mut self, message: &ServerMessage) {
        self.say_text(serde_json::to_string(message).unwrap()).await;
    }

    async fn say_text(&mut self, text: String) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    async fn close(mut self, code: u16) {
        let reason = "\u{1b}[2J not to be shown".into();
        self.0.close(Some(CloseFrame { code: code.into(), reason })).await.unwrap();
        while let Some(Ok(_)) = self.0.next().await {}
    }
}

/// The welcome of a player with this name.
fn welcome_of(name: &str, nodes: &[String]) -> String {
    let welcome = serde_json::json!({
        "type": "welcome", "protocol": PROTOCOL_VERSION, "player": PlayerId(1),
        "name": name, "token": "kept",
        "server": {"name": "test", "version": "0", "nodes": nodes},
        "limits": {"frame_bytes": 4096, "intent_burst": 20, "intents_per_second": 10,
                   "waiting_rooms": 4, "absence_ms": 60000},
    });
    welcome.to_string()
}

fn destination(server: ServerAddress) -> Destination {
    Destination::new(server, "Ada".parse().unwrap())
}

fn open(server: ServerAddress) -> Connection {
    Connection::open(destination(server))
}

/// Fails if a server that trusts this machine as a proxy takes its address for the player's.
#[tokio::test]
async fn a_player_behind_this_machine_is_named_to_the_server() {
    let (server, address) = Server::start().await;
    let forwarded_for = Some([192, 0, 2, 7].into());
    let _connection = Connection::open(Destination { forwarded_for, ..destination(address) });
    let (stream, _) = timeout(DEADLINE, server.listener.accept()).await.unwrap().unwrap();
    let mut lines = BufReader::new(stream).lines();
    while let Some(line) = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap() {
        if line == "x-forwarded-for: 192.0.2.7" {
            return;
        }
        assert!(!line.is_empty(), "the header is missing");
    }
}

/// A network of pipes. The queue gets the other end of each connection.
struct Pipes(mpsc::Sender<DuplexStream>);

impl Network for Pipes {
    async fn connect(&mut self, _: &ServerAddress) -> io::Result<Box<dyn network::Io>> {
        let (ours, theirs) = tokio::io::duplex(4096);
        self.0.send(theirs).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
        Ok(Box::new(ours))
    }

    fn jitter(&mut self) -> f64 {
        0.5
    }
}

async fn next(connection: &mut Connection) -> ConnectionEvent {
    timeout(DEADLINE, connection.receive()).await.unwrap()
}

fn code() -> RoomCode {
    "KQRZX".parse().unwrap()
}

fn message(number: u64) -> ClientMessage {
    ClientMessage::Lobby { intent: LobbyIntent::WatchLobby, id: number.try_into().unwrap() }
}

/// A connection after its welcome, and the server's end of it.
async fn connected() -> (Server, Connection, Peer) {
    let (server, address) = Server::start().await;
    let mut connection = open(address);
    let (peer, _) = server.welcome().await;
    next(&mut connection).await;
    (server, connection, peer)
}

#[tokio::test]
async fn after_a_restart_the_same_player_comes_back() {
    let (server, address) = Server::start().await;
    let mut connection = open(address);
    let (mut peer, token) = server.welcome().await;
    assert_eq!(token, None);
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
    connection.send(message(1));
    assert_eq!(peer.hear().await, message(1));
    peer.close(CloseCode::Restart.number()).await;
    let ConnectionEvent::Lost(reason) = next(&mut connection).await else { panic!() };
    assert_eq!(reason.as_str(), CloseCode::Restart.reason());
    let (_peer, token) = server.welcome().await;
    assert_eq!(token.as_deref(), Some("kept"));
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
}

/// Two servers of a cluster, a connection after the welcome of the first, and that one's end of it.
async fn in_cluster() -> ([Server; 2], Connection, Peer) {
    let (one, address) = Server::start().await;
    let (two, other) = Server::start().await;
    let mut connection = open(address);
    let mut peer = one.accept().await;
    let other = format!("http://{}:{}", other.host(), other.port());
    peer.welcome_naming(&["no address".to_owned(), other]).await;
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
    ([one, two], connection, peer)
}

#[tokio::test]
async fn the_connection_goes_on_at_the_next_server_of_the_cluster() {
    let ([one, two], mut connection, peer) = in_cluster().await;
    drop(one);
    peer.close(CloseCode::Restart.number()).await;
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Lost(_)));
    let (_peer, token) = two.welcome().await;
    assert_eq!(token.as_deref(), Some("kept"));
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
}

/// Fails if a pass, which is good once, is shown again after a break.
#[tokio::test]
async fn a_pass_is_shown_until_the_server_knows_the_player() {
    let (server, address) = Server::start().await;
    let pass: PassCode = "once".parse().unwrap();
    let mut connection =
        Connection::open(Destination { pass: Some(pass.clone()), ..destination(address) });
    for shown in [Some(pass), None] {
        let mut peer = server.accept().await;
        let ClientMessage::Hello(hello) = peer.hear().await else { panic!() };
        let token = hello.token.map(|token| token.reveal().to_owned());
        assert_eq!((hello.pass.clone(), token.is_none()), (shown.clone(), shown.is_some()));
        peer.say_text(welcome_of("Bob", &[])).await;
        assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
        peer.close(CloseCode::Restart.number()).await;
        assert!(matches!(next(&mut connection).await, ConnectionEvent::Lost(_)));
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_tried_last() {
    let ([one, two], mut connection, _peer) = in_cluster().await;
    connection.reconnect();
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Lost(_)));
    let (_peer, token) = tokio::select! {
        _ = one.welcome() => panic!("the silent one is asked first"),
        welcomed = two.welcome() => welcomed,
    };
    assert_eq!(token.as_deref(), Some("kept"));
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
}

/// A connection in virtual time, after its first welcome, with the server's ends of its connections.
async fn over_pipes() -> (Connection, Peer<DuplexStream>, mpsc::Receiver<DuplexStream>) {
    let (dialled, mut dials) = mpsc::channel(1);
    let to = destination("localhost".parse::<Link>().unwrap().server);
    let mut connection = Connection::open_over(Pipes(dialled), to);
    let peer = welcomed(&mut dials).await;
    next(&mut connection).await;
    (connection, peer, dials)
}

async fn welcomed(dials: &mut mpsc::Receiver<DuplexStream>) -> Peer<DuplexStream> {
    let mut peer = Peer(accept_async(dials.recv().await.unwrap()).await.unwrap());
    peer.welcome().await;
    peer
}

fn ping() -> ClientMessage {
    ClientMessage::Lobby { intent: LobbyIntent::Ping, id: PING_ID }
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_before_the_break_was_known_is_dropped() {
    let (mut connection, peer, mut dials) = over_pipes().await;
    drop(peer);
    let mut peer = welcomed(&mut dials).await;
    // The task uses its second socket. The program knows nothing of the break yet.
    assert_eq!(peer.hear().await, ping());
    connection.send(message(1));
    connection.reconnect();
    assert_eq!(peer.hear().await, ping());
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Lost(_)));
    connection.send(message(2));
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Welcome(_)));
    connection.send(message(3));
    assert_eq!(peer.hear().await, message(3));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_sends_nothing_is_left() {
    let (mut connection, mut peer, _dials) = over_pipes().await;
    let welcomed = Instant::now();
    let lost = async { while !matches!(connection.receive().await, ConnectionEvent::Lost(_)) {} };
    let pinged = async { assert_eq!(peer.hear().await, ping()) };
    tokio::join!(lost, pinged);
    assert_eq!(welcomed.elapsed(), PING * 3);
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_slept_asks_before_it_gives_up() {
    let (mut connection, mut peer, _dials) = over_pipes().await;
    tokio::time::advance(PING * 9).await;
    assert_eq!(peer.hear().await, ping());
    peer.say(&ServerMessage::Declined { player: PlayerId(2), name: "Bob".parse().unwrap() }).await;
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Message(_)));
}

#[tokio::test]
async fn a_final_close_is_the_end() {
    let codes = CloseCode::ALL.into_iter().filter(|code| !code.reconnect());
    for code in codes {
        let (_server, mut connection, peer) = connected().await;
        let closing = tokio::spawn(peer.close(code.number()));
        let ConnectionEvent::Ended(reason) = next(&mut connection).await else {
            panic!("{code:?}")
        };
        assert!(!reason.to_string().contains("not to be shown"), "{reason}");
        closing.await.unwrap();
    }
}

#[tokio::test]
async fn somebody_who_is_banned_is_told_for_how_long_and_why() {
    let (_server, mut connection, mut peer) = connected().await;
    let code = RefusalCode::Banned;
    let message = "the host keeps you out for another 2h: be kind".into();
    peer.say(&ServerMessage::Refused { id: None, code, message }).await;
    let ConnectionEvent::Ended(reason) = next(&mut connection).await else { panic!() };
    assert!(reason.to_string().contains("another 2h: be kind"), "{reason}");
}

#[tokio::test]
async fn a_name_that_a_host_has_given_is_known_as_such() {
    for given in [None, Some("Lynx")] {
        let (server, address) = Server::start().await;
        let mut connection = open(address);
        server.accept().await.welcome_as(given, &[]).await;
        let ConnectionEvent::Welcome(welcome) = next(&mut connection).await else { panic!() };
        assert_eq!(welcome.is_given, given.is_some());
    }
}

#[tokio::test]
async fn nobody_there_says_what_to_do() {
    let (server, address) = Server::start().await;
    drop(server);
    let ConnectionEvent::Ended(reason) = next(&mut open(address.clone())).await else { panic!() };
    let text = reason.to_string();
    assert!(text.contains(&address.to_string()) && text.contains("noughts-server"), "{text}");
}

#[test]
fn nobody_goes_from_an_encrypted_server_to_one_that_is_not() {
    let check = |home: &str, named: &[&str], expected: &[&str]| {
        let named: Vec<_> = named.iter().map(|&node| node.into()).collect();
        let home = home.parse::<Link>().unwrap().server;
        let urls: Vec<_> = others(&home, &named).iter().map(|one| one.url().to_owned()).collect();
        assert_eq!(urls, expected, "{named:?}");
    };
    let named = ["http://two.example:7333/", "https://three.example/games/"];
    check("https://one.example", &named, &["wss://one.example/ws", "wss://three.example/games/ws"]);
    let all =
        ["ws://one.example:7333/ws", "ws://two.example:7333/ws", "wss://three.example/games/ws"];
    check("one.example", &named, &all);
    check("one.example", &["no address"], &all[..1]);
}

#[tokio::test]
async fn while_a_server_is_away_nobody_is_told_to_start_or_name_another() {
    let (server, address) = Server::start().await;
    let mut connection = open(address.clone());
    let (peer, _) = server.welcome().await;
    next(&mut connection).await;
    drop((server, peer));
    assert!(
        matches!(next(&mut connection).await, ConnectionEvent::Lost(_)),
        "the connection broke"
    );
    let ConnectionEvent::Lost(reason) = next(&mut connection).await else { panic!() };
    let text = reason.as_str();
    assert!(text.contains(&address.to_string()) && !text.contains("--server"), "{text}");
}

/// The text that a player sees if the address answers with this HTTP response.
async fn ended_with(status: &str, body: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (server, address) = Server::start().await;
    let mut connection = open(address);
    let (mut stream, _) = server.listener.accept().await.unwrap();
    let mut request = [0; 2_048];
    let _ = stream.read(&mut request).await.unwrap();
    let response = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(response.as_bytes()).await.unwrap();
    let ConnectionEvent::Ended(reason) = next(&mut connection).await else { panic!() };
    reason.to_string()
}

#[tokio::test]
async fn a_refusal_over_http_shows_its_text() {
    let text = ended_with("429 Too Many Requests", "too many \u{1b}[31mconnections").await;
    assert!(text.contains("too many"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains("https://"), "{text}");
    let text = ended_with("502 Bad Gateway", "<html>nginx</html>").await;
    assert!(
        text.contains("502") && !text.contains("https://"),
        "a proxy without its server: {text}"
    );
}

#[tokio::test]
async fn a_proxy_that_passes_no_websocket_is_named() {
    for body in ["a proxy in between passes no WebSocket", "<html>nginx</html>"] {
        let text = ended_with("426 Upgrade Required", body).await;
        assert!(text.contains("a proxy in between passes no WebSocket"), "{text}");
        assert!(!text.contains("not a Noughts server"), "{text}");
    }
}

#[tokio::test]
async fn an_address_without_its_scheme_or_path_says_what_is_missing() {
    for (status, body) in [
        ("404 Not Found", "<html>nginx</html>"),
        ("404 Not Found", "404 page not found"),
        ("400 Bad Request", "Client sent an HTTP request to an HTTPS server."),
        ("308 Permanent Redirect", ""),
        ("200 OK", ""),
    ] {
        let text = ended_with(status, body).await;
        assert!(text.contains("https://play.example/noughts"), "{status} {body}: {text}");
    }
}

#[tokio::test]
async fn what_is_not_noughts_is_told_apart_from_what_is_newer() {
    let (_server, mut connection, mut peer) = connected().await;
    peer.say_text(r#"{"type":"confetti","colour":"red"}"#.to_owned()).await;
    let unknown = r#"{"type":"presence","room":"KQRZX","o":{"state":"asleep"},"spectators":0}"#;
    peer.say_text(unknown.to_owned()).await;
    let presence = Presence { spectators: 3, ..Presence::default() };
    let known = ServerMessage::Presence { room: code(), presence };
    peer.say(&known).await;
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Message(m) if *m == known));
    peer.say_text("hello there".to_owned()).await;
    assert!(matches!(next(&mut connection).await, ConnectionEvent::Ended(_)));
}

#[tokio::test]
async fn closing_sends_what_was_handed_over() {
    let (_server, connection, mut peer) = connected().await;
    connection.send(message(1));
    let closing = tokio::spawn(connection.close());
    assert_eq!(peer.hear().await, message(1));
    while let Some(Ok(_)) = timeout(DEADLINE, peer.0.next()).await.unwrap() {}
    closing.await.unwrap();
}
