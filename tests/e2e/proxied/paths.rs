//! The base path and the headers of proxies, without a proxy.

use noughts_harness::TestServer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn everything_is_below_the_base_path_and_without_it() {
    let server = TestServer::start(&["--base-path", "/noughts"]).await;
    for base in ["", "/noughts"] {
        for path in ["/healthz", "/api/v1/rooms", "/", "/r/KQRZX"] {
            assert_eq!(server.get(&format!("{base}{path}"), "").await.0, 200, "{base}{path}");
        }
        let (status, html) = server.get(&format!("{base}/play/quick"), "").await;
        assert_eq!(status, 200);
        let (_, asset) = html.split_once("\"../").unwrap();
        let asset = asset.split('"').next().unwrap();
        assert_eq!(server.get(&format!("{base}/{asset}"), "").await.0, 200, "{asset}");
        assert_eq!(server.get(&format!("{base}/ws"), "").await.0, 426, "no upgrade");
    }
    assert_eq!(server.get("/noughts", "").await.0, 307);
    assert_eq!(server.get("/noughtsandcrosses", "").await.0, 404);
    let (_, text) = server.get("/noughts/r/KQRZX", "user-agent: curl/8.5.0\r\n").await;
    assert!(text.contains("noughts play KQRZX --server http://localhost/noughts\n"), "{text}");
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
        drop(many);
        server.until_counts([0, 0, 0]).await;
    }
}

#[tokio::test]
async fn a_page_of_the_public_address_may_connect_though_the_proxy_renames_the_host() {
    let server = TestServer::start(&["--public-url", "https://play.example/noughts"]).await;
    for (origin, expected) in [("https://play.example", 101), ("https://evil.example", 421)] {
        let origin = format!("origin: {origin}");
        assert_eq!(server.status("/ws", &["host: backend", &origin]).await, expected, "{origin}");
    }
}

#[tokio::test]
async fn with_a_public_url_no_other_name_leads_here() {
    let options = ["--public-url=https://play.example/noughts", "--allow-origin=http://box.lan"];
    let server = TestServer::start(&options).await;
    let port = server.address().port();
    for (host, expected) in
        [("play.example", 200), (&format!("127.0.0.1:{port}"), 200), ("evil.example", 421)]
    {
        let host = format!("host: {host}");
        for path in ["/", "/healthz", "/api/v1/rooms"] {
            assert_eq!(server.status(path, &[&host]).await, expected, "{host} {path}");
        }
        let socket = if expected == 200 { 101 } else { expected };
        assert_eq!(server.status("/ws", &[&host]).await, socket, "{host}");
    }
    // The page of a name that was led here is of that very host.
    let evil = format!("evil.example:{port}");
    let [host, origin] = [format!("host: {evil}"), format!("origin: http://{evil}")];
    assert_eq!(server.status("/ws", &[&host, &origin]).await, 421);
    let two = ["host: play.example", "host: evil.example"];
    assert_ne!(server.status("/", &two).await, 200);
    // Nobody believes a visitor about the name that a proxy was asked for.
    let forwarded = ["host: backend", "x-forwarded-host: play.example"];
    assert_eq!(server.status("/", &forwarded).await, 421);
    let trusting = [&options[..], &["--trusted-proxy=127.0.0.1"]].concat();
    let trusting = TestServer::start(&trusting).await;
    assert_eq!(trusting.status("/", &forwarded).await, 200);
    assert_eq!(trusting.status("/", &["host: evil.example"]).await, 421);

    let open = TestServer::start(&[]).await;
    assert_eq!(open.status("/", &["host: any.example"]).await, 200);
}

#[tokio::test]
async fn a_proxy_that_is_trusted_says_by_which_scheme_a_page_came() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]).await;
    let [host, https] = ["host: play.example", "x-forwarded-proto: https"];
    for (origin, expected) in [("https://play.example", 101), ("http://play.example", 403)] {
        let origin = format!("origin: {origin}");
        assert_eq!(server.status("/ws", &[host, https, &origin]).await, expected, "{origin}");
    }
}
