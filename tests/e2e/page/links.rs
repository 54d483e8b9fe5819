//! Link previews and the installed page: tags in the head, the picture, the manifest and its icons.

use noughts_harness::{Device, TestServer, exchange};
use serde_json::{Value, json};

use super::assets::index;
use super::steps::open;

/// The content of a tag in the head, by its property.
pub(super) fn tag(html: &str, property: &str) -> Option<String> {
    let (_, after) = html.split_once(&format!("<meta property=\"{property}\" content=\""))?;
    Some(after.split_once('"')?.0.to_owned())
}

/// The size in the header of a PNG.
pub(super) fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn a_shared_link_has_a_title_a_text_and_a_picture() {
    let server = TestServer::start(&["--name", "<Grace's> \"games\""]).await;
    let (_, home) = index(&server, "/").await;
    assert_eq!(tag(&home, "og:title").unwrap(), "Noughts");
    assert_eq!(tag(&home, "og:site_name").unwrap(), "&lt;Grace&#39;s&gt; &quot;games&quot;");
    assert_eq!(tag(&home, "og:url").unwrap(), "http://localhost/");
    assert!(home.contains("<title>Noughts</title>"), "{home}");
    assert!(home.contains("<meta name=\"description\" content=\"Play tic-tac-toe"), "{home}");
    // However the code is typed, the preview has the room's one address.
    let (room, html) = index(&server, "/r/kq-rzx").await;
    assert_eq!(tag(&html, "og:title").unwrap(), "Noughts: room KQRZX");
    assert_eq!(tag(&html, "og:url").unwrap(), "http://localhost/r/KQRZX");
    assert!(tag(&html, "og:description").unwrap().contains("invited"), "{html}");
    assert_eq!(room.headers["x-robots-tag"], "noindex");
    let picture = tag(&html, "og:image").unwrap();
    let picture = server.ask(picture.strip_prefix("http://localhost").unwrap(), "").await;
    assert_eq!((picture.status, &*picture.headers["content-type"]), (200, "image/png"));
    let named = ["og:image:width", "og:image:height"].map(|name| tag(&html, name).unwrap());
    let (width, height) = size(&picture.body);
    assert_eq!(named, [width.to_string(), height.to_string()]);
    assert_eq!((width, height), (1200, 630));
    let (_, german) = server.get("/r/KQRZX", "accept-language: fr;q=0.9, de-AT, en\r\n").await;
    assert!(tag(&german, "og:description").unwrap().contains("eingeladen"), "{german}");
    // A wrong code is no room.
    let (_, none) = index(&server, "/r/HELLO").await;
    assert_eq!(tag(&none, "og:url").unwrap(), "http://localhost/");
}

#[tokio::test]
async fn a_link_to_a_party_or_its_big_screen_invites_to_the_party() {
    let server = TestServer::start(&[]).await;
    for (path, up) in [("/party/kq-rzx", "../"), ("/party/KQRZX/screen", "../../")] {
        let (answer, html) = index(&server, path).await;
        assert_eq!(tag(&html, "og:title").unwrap(), "Noughts: party KQRZX");
        assert_eq!(tag(&html, "og:url").unwrap(), "http://localhost/party/KQRZX");
        assert!(html.contains(&format!("src=\"{up}assets/")), "{path}: {html}");
        assert_eq!(answer.headers["x-robots-tag"], "noindex");
    }
    let (_, command) = server.get("/party/KQRZX/screen", "user-agent: curl/8\r\n").await;
    assert!(command.contains("noughts party watch KQRZX --server http://"), "{command}");
    assert_eq!(server.ask("/party/HELLO", "user-agent: curl/8\r\n").await.status, 404);
}

#[tokio::test]
async fn addresses_are_those_that_the_visitor_knows_the_server_by() {
    let urls = async |options: &[&str], headers: &str| {
        let server = TestServer::start(options).await;
        let (_, html) = server.get("/", headers).await;
        (tag(&html, "og:url"), tag(&html, "og:image"))
    };
    let both = |url: &str| (Some(format!("{url}/")), Some(format!("{url}/preview.png")));
    let base = "/x";
    assert_eq!(urls(&["--base-path", base], "").await, both("http://localhost/x"));
    let public = ["--public-url", "https://play.example/x", "--base-path", base];
    assert_eq!(urls(&public, "").await, both("https://play.example/x"));
    let proxied = ["--trusted-proxy", "127.0.0.0/8"];
    let https = "x-forwarded-proto: https\r\n";
    assert_eq!(urls(&proxied, https).await, both("https://localhost"));
    assert_eq!(urls(&[], https).await, both("http://localhost"), "anybody may say so");
}

#[tokio::test]
async fn a_host_that_is_none_is_not_repeated() {
    let server = TestServer::start(&[]).await;
    for host in ["\"><script>", "a.example/x?", "user@a.example", "[::1", "a:b"] {
        let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let answer = exchange(server.stream().await, &request).await;
        assert!(!answer.contains("og:image") && !answer.contains(host), "{host}: {answer}");
    }
}

#[tokio::test]
async fn search_engines_are_told_what_to_leave_alone() {
    let server = TestServer::start(&["--base-path", "/x"]).await;
    let robots = server.ask("/x/robots.txt", "").await;
    assert_eq!(robots.headers["content-type"], "text/plain; charset=utf-8");
    let robots = robots.text();
    assert!(robots.starts_with("User-agent: *\nDisallow: /x/api/\n"), "{robots}");
    assert!(!robots.contains("/r/"), "a messenger may ask for a room's page: {robots}");
}

/// Chromium loads the icons at addresses with and without a base path, deep and at the top, also after
/// the page has changed its address.
#[tokio::test]
async fn the_page_can_be_put_on_a_home_screen() {
    for base in ["", "/games/x"] {
        let options: &[&str] = if base.is_empty() { &[] } else { &["--base-path", base] };
        let server = TestServer::start(options).await;
        let tab = open(&server, Device::PHONE, &format!("{base}/play/computer")).await;
        tab.button("Back").await;
        tab.until_screen("welcome").await;
        let read = tab.cdp("Page.getAppManifest", json!({})).await;
        assert_eq!(read["errors"], json!([]), "{read}");
        let manifest: Value = serde_json::from_str(read["data"].as_str().unwrap()).unwrap();
        let from = read["url"].as_str().unwrap();
        let home = format!("http://{}{base}/", server.address());
        let start = manifest["start_url"].as_str().unwrap();
        let start = tab.eval(&format!("new URL({start:?}, {from:?}).href")).await;
        assert_eq!(start, home.as_str());
        let icons = "Promise.all([...ICONS.map((icon) => new URL(icon.src, FROM).href),
          document.querySelector('link[rel=apple-touch-icon]').href].map(async (address) => {
            const image = new Image();
            image.src = address;
            await image.decode();
            return image.naturalWidth;
          }))";
        let icons = icons.replace("ICONS", &manifest["icons"].to_string());
        let sizes = tab.eval(&icons.replace("FROM", &format!("{from:?}"))).await;
        assert_eq!(
            sizes.as_array().unwrap()[1..],
            [json!(192), json!(512), json!(512), json!(180)]
        );
        tab.done().await;
    }
}
