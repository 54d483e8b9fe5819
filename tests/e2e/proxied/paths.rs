//! The base path and the headers of proxies, asked for by hand.

use noughts_harness::TestServer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn everything_is_below_the_base_path_and_without_it() {
    let server = TestServer::start(&["--base-path", "/noughts"]).await;
    for base in ["", "/noughts"] {
        for path in ["/healthz", "/api/rooms", "/", "/r/KQRZX"] {
            assert_eq!(server.get(&format!("{base}{path}"), "").await.0, 200, "{base}{path}");
        }
        let (status, html) = server.get(&format!("{base}/play/quick"), "").await;
        assert_eq!(status, 200);
        let (_, asset) = html.split_once("\"../").unwrap();
        let asset = asset.split('"').next().unwrap();
        assert_eq!(server.get(&format!("{base}/{asset}"), "").await.0, 200, "{asset}");
        assert_eq!(server.get(&format!("{base}/ws"), "").await.0, 400, "no upgrade");
    }
    assert_eq!(server.get("/noughts", "").await.0, 307);
    assert_eq!(server.get("/noughtsandcrosses", "").await.0, 404);
    let (_, text) = server.get("/noughts/r/KQRZX", "user-agent: curl/8.5.0\r\n").await;
    assert!(text.contains("noughts play KQRZX --server http://server/noughts\n"), "{text}");
}

#[tokio::test]
async fn text_names_the_address_by_which_the_visitor_came() {
    let https = "x-forwarded-proto: https\r\n";
    let check = async |options: &[&str], headers: &str, expected: &str| {
        let headers = format!("{headers}user-agent: curl/8.5.0\r\n");
        let (_, text) = TestServer::start(options).await.get("/", &headers).await;
        assert!(text.contains(&format!("--server {expected}\n")), "{text}");
    };
    check(&[], "", "http://server").await;
    check(&[], https, "http://server").await;
    check(&["--trusted-proxy", "127.0.0.0/8"], https, "https://server").await;
    check(&["--public-url", "https://play.example/x"], "", "https://play.example/x").await;
}

#[tokio::test]
async fn a_proxy_has_as_many_connections_as_there_may_be_and_others_have_not() {
    let options = ["--max-per-address", "1", "--trusted-proxy"];
    for (proxy, answered) in [("127.0.0.1", true), ("192.0.2.1", false)] {
        let server = TestServer::start(&[&options[..], &[proxy]].concat()).await;
        let mut many = Vec::new();
        for _ in 0..65 {
            many.push(server.stream().await);
        }
        let mut one_more = server.stream().await;
        let request = b"GET /healthz HTTP/1.1\r\nhost: server\r\nconnection: close\r\n\r\n";
        let asked = one_more.write_all(request).await;
        let mut answer = Vec::new();
        let read = one_more.read_to_end(&mut answer).await;
        let is_answered = asked.is_ok() && read.is_ok() && !answer.is_empty();
        assert_eq!(is_answered, answered, "{proxy}");
    }
}

#[tokio::test]
async fn a_page_of_the_public_address_may_connect_though_the_proxy_renames_the_host() {
    let server = TestServer::start(&["--public-url", "https://play.example/noughts"]).await;
    for (origin, expected) in [("https://play.example", "101"), ("https://evil.example", "403")] {
        let mut stream = server.stream().await;
        let head = format!(
            "GET /ws HTTP/1.1\r\nhost: backend\r\norigin: {origin}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&answer[9..]), expected, "{origin}");
    }
}
