//! Encrypted connections: a certificate that is renewed during a game, and clients that do not speak TLS or
//! send nothing.

use noughts_harness::player::{Player, play_out};
use noughts_harness::process::check_refused;
use noughts_harness::tls::{Authority, connect, shown};
use noughts_harness::{ServerProcess, TIMEOUT, TestServer, exchange, until};
use noughts_protocol::{ByMark, Role, RoomSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::proxied::page_and_terminal_play;

/// `noughts` and the server's certificates.
mod client;

/// A server with a certificate, in the test's process.
async fn secure(more: &[&str]) -> (TestServer, Authority) {
    let (authority, options) = Authority::here();
    let options = options.each_ref().map(String::as_str);
    (TestServer::start(&[&options[..], more].concat()).await, authority)
}

/// A server process with a certificate.
fn process(more: &[&str]) -> (ServerProcess, Authority) {
    let (authority, options) = Authority::here();
    let options = options.each_ref().map(String::as_str);
    (ServerProcess::start(&[&options[..], more].concat()), authority)
}

fn get(path: &str) -> String {
    let head = "host: play.example:7333\r\naccept: text/plain\r\nconnection: close";
    format!("GET {path} HTTP/1.1\r\n{head}\r\n\r\n")
}

#[tokio::test]
async fn a_game_is_played_and_everything_else_is_there() {
    let (server, authority) = secure(&[]).await;
    let stream = async |name| {
        Box::new(connect("127.0.0.1", server.address(), name, &authority.ca()).await.unwrap())
    };
    let mut ada = Player::greet(stream("localhost").await, "Ada", None, TIMEOUT).await;
    let mut bob = Player::greet(stream("127.0.0.1").await, "Bob", None, TIMEOUT).await;
    let code = ada.create(RoomSettings::default(), ByMark::default()).await;
    bob.join(code, Role::Player).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    bob.until_over().await;
    let health = exchange(stream("localhost").await, &get("/healthz")).await;
    assert!(health.starts_with("HTTP/1.1 200") && health.contains("\"connections\":2"), "{health}");
    let home = exchange(stream("localhost").await, &get("/")).await;
    assert!(home.contains("noughts --server https://play.example:7333\n"), "{home}");
    let stranger = connect("127.0.0.1", server.address(), "play.example", &authority.ca()).await;
    assert!(stranger.unwrap_err().to_string().contains("not valid for name"));
}

#[tokio::test]
async fn who_speaks_plain_http_is_led_to_https() {
    let (server, _authority) = secure(&["--base-path", "/noughts"]).await;
    let plain = async |request: &str| {
        exchange(TcpStream::connect(server.address()).await.unwrap(), request).await
    };
    let answer = plain(&get("/r/KQRZX?lang=de")).await;
    assert!(answer.starts_with("HTTP/1.1 307"), "{answer}");
    assert!(answer.contains("location: https://play.example:7333/r/KQRZX?lang=de\r\n"), "{answer}");
    assert!(answer.ends_with("encrypted: use https://play.example:7333\n"), "{answer}");
    let answer = plain(&get("/noughts")).await;
    assert!(answer.contains("location: https://play.example:7333/noughts\r\n"), "{answer}");
    let host = async |name: &str| {
        plain(&format!("GET / HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n")).await
    };
    let answer = host("my_pc:7333").await;
    assert!(answer.contains("location: https://my_pc:7333/\r\n"), "{answer}");
    let answer = host("{x}").await;
    assert!(answer.starts_with("HTTP/1.1 400") && !answer.contains("location"), "{answer}");
    // Without a host there is no redirect; a connection without HTTP is closed.
    let answer = plain("GET / HTTP/1.0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.0 400") && answer.contains("encrypted"), "{answer}");
    let answer = plain("\u{1}\u{2}\u{3}\r\n\r\n").await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_handshake_that_does_not_end_is_ended() {
    let (_authority, options) = Authority::here();
    let server = TestServer::virtual_time(&options.each_ref().map(String::as_str));
    // Nothing at all, and the beginning of a long first message.
    for begun in [&b""[..], b"\x16\x03\x01\x02\x00\x01\x00"] {
        let mut silent = server.stream().await;
        silent.write_all(begun).await.unwrap();
        let since = tokio::time::Instant::now();
        let mut rest = Vec::new();
        silent.read_to_end(&mut rest).await.unwrap();
        assert!((7..=10).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
    }
}

#[tokio::test]
async fn handshakes_count_as_connections_of_their_address() {
    let (server, authority) = secure(&["--max-per-address", "1"]).await;
    let mut silent = Vec::new();
    for _ in 0..65 {
        let mut stream = server.stream().await;
        stream.write_all(b"\x16\x03\x01").await.unwrap();
        silent.push(stream);
    }
    let mut one_more = server.stream().await;
    let read = one_more.read(&mut [0]).await;
    assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
    // Another address is another's.
    let elsewhere = connect("127.0.0.2", server.address(), "localhost", &authority.ca()).await;
    elsewhere.unwrap();
    drop(silent);
    until("a place that is given back", async || {
        connect("127.0.0.1", server.address(), "localhost", &authority.ca()).await.ok()
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_renewed_certificate_is_shown_to_others_and_ends_no_game() {
    let (server, authority) = process(&["--log", "info"]);
    let open = async || {
        connect("127.0.0.1", server.address(), "localhost", &authority.ca()).await.unwrap()
    };
    let first = open().await;
    let second = open().await;
    let old = shown(&first);
    let mut ada = Player::greet(Box::new(first), "Ada", None, TIMEOUT).await;
    let mut bob = Player::greet(Box::new(second), "Bob", None, TIMEOUT).await;
    let code = ada.create(RoomSettings::default(), ByMark::default()).await;
    bob.join(code, Role::Player).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 3]).await;

    // A certificate that cannot be used changes nothing, and is logged once.
    std::fs::write(authority.cert(), "no certificate").unwrap();
    server.hang_up();
    until_logged(&server, "holds no certificate as PEM", 1).await;
    assert_eq!(shown(&open().await), old);
    authority.sign(&["localhost"]);
    std::fs::write(authority.key(), rcgen::KeyPair::generate().unwrap().serialize_pem()).unwrap();
    server.hang_up();
    until_logged(&server, "is not the key of", 1).await;
    assert_eq!(shown(&open().await), old);

    authority.sign(&["localhost"]);
    server.hang_up();
    until_logged(&server, "the configuration was read again", 1).await;
    assert_ne!(shown(&open().await), old);
    until_logged(&server, "nothing has changed", 2).await;
    play_out(&mut ada, &mut bob, &[1, 4, 2]).await;
    bob.until_over().await;
}

/// Waits until the log holds a text so many times.
#[cfg(unix)]
async fn until_logged(server: &ServerProcess, text: &str, times: usize) {
    let is_logged = async || (server.log().matches(text).count() == times).then_some(());
    until(&format!("{times} times {text:?}"), is_logged).await;
}

#[test]
fn the_options_need_each_other_and_files_that_belong_together() {
    let authority = Authority::new();
    authority.sign(&["localhost"]);
    let [cert_option, cert, key_option, key] = authority.options();
    let check = |options: &[&str], expected: &str| {
        let all = [&["--bind", "127.0.0.1:0", "--ephemeral"], options].concat();
        check_refused(&all, expected);
    };
    check(&[&cert_option, &cert], "--tls-key: --tls-cert needs the certificate's private key here");
    check(&[&key_option, &key], "--tls-cert: --tls-key needs the key's certificate here");
    check(&[&cert_option, "/nowhere", &key_option, &key], "--tls-cert: there is no file /nowhere");
    check(&[&cert_option, &key, &key_option, &key], "holds no certificate as PEM");
    check(&[&cert_option, &cert, &key_option, &cert], "holds no private key as PEM");
    let other = Authority::new();
    other.sign(&["localhost"]);
    check(&[&cert_option, &cert, &key_option, &other.options()[3]], "is not the key of");
}

#[tokio::test]
async fn a_browser_plays_a_terminal() {
    let (server, authority) = process(&[]);
    assert!(server.banner[0].contains("https://127.0.0.1:"), "{:?}", server.banner);
    let base = format!("https://localhost:{}", server.address().port());
    page_and_terminal_play(&base, authority.ca().to_str().unwrap()).await;
}
