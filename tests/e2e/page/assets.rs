//! Every file of the page as the server sends it: types, caching, compression, policy.

use std::io::Read;
use std::path::Path;

use noughts_harness::TestServer;
use noughts_harness::server::HttpAnswer;

const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/web");

pub(super) async fn index(server: &TestServer, path: &str) -> (HttpAnswer, String) {
    let answer = server.ask(path, "accept: text/html,*/*\r\n").await;
    let html = answer.text();
    (answer, html)
}

/// The versioned folder that an `index.html` names.
fn folder(html: &str) -> String {
    let (_, after) = html.split_once("assets/").unwrap();
    format!("/assets/{}/", after.split_once('/').unwrap().0)
}

/// The pages, whose scripts and styles are the other files.
const PAGES: [&str; 2] = ["index.html", "host.html"];

/// The paths of the files below `server/web`, without the pages.
fn files(folder: &Path, above: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{above}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else if !PAGES.contains(&name.as_str()) {
            found.push(name);
        }
    }
}

fn all_files() -> Vec<String> {
    let mut found = Vec::new();
    files(Path::new(WEB), "", &mut found);
    found.sort();
    found
}

fn unpack(answer: &HttpAnswer) -> Vec<u8> {
    let mut plain = Vec::new();
    match answer.headers.get("content-encoding").map(String::as_str) {
        Some("gzip") => {
            flate2::read::GzDecoder::new(&answer.body[..]).read_to_end(&mut plain).unwrap()
        }
        Some(other) => panic!("nobody asked for {other}"),
        None => return answer.body.clone(),
    };
    plain
}

#[tokio::test]
async fn a_folder_for_development_sends_every_file_with_its_type_and_no_store() {
    let server = TestServer::start(&["--web-dir", WEB]).await;
    let (_, html) = index(&server, "/").await;
    let folder = folder(&html);
    for file in all_files() {
        let plain = std::fs::read(Path::new(WEB).join(&file)).unwrap();
        let answer = server.ask(&format!("{folder}{file}"), "").await;
        assert_eq!((answer.status, &answer.body), (200, &plain), "{file}");
        // No type is unknown; a browser takes no other one.
        assert_ne!(answer.headers["content-type"], "application/octet-stream", "{file}");
        assert_eq!(answer.headers["cache-control"], "no-store", "a folder's files may change");
    }
}

#[tokio::test]
async fn the_binary_has_them_all_compressed_and_immutable() {
    let server = TestServer::start(&[]).await;
    let (_, html) = index(&server, "/").await;
    let folder = folder(&html);
    for file in all_files() {
        let path = format!("{folder}{file}");
        let plain = server.ask(&path, "").await;
        assert_eq!(plain.status, 200, "{file}");
        assert!(plain.headers["cache-control"].contains("immutable"), "{file}");
        let packed = server.ask(&path, "accept-encoding: br, gzip\r\n").await;
        assert_eq!(unpack(&packed), plain.body, "{file}");
        assert_eq!(packed.headers["vary"], "accept-encoding");
        let refused = server.ask(&path, "accept-encoding: br, gzip;q=0\r\n").await;
        assert_eq!(refused.body, plain.body, "{file}");
    }
    // The worker is at the top, is asked for each time, and is another one for another version.
    let worker = server.ask("/worker.js", "").await;
    assert_eq!(worker.headers["content-type"], "text/javascript; charset=utf-8");
    assert_eq!(worker.headers["cache-control"], "no-cache");
    let text = worker.text();
    assert!(text.contains(&format!("\"{}\"", folder.trim_start_matches('/'))), "{text}");
    let stale = folder.replace(|c: char| c.is_ascii_hexdigit(), "0");
    assert_eq!(server.ask(&format!("{stale}js/main.js"), "").await.status, 404);
    assert_eq!(server.ask(&format!("{folder}../Cargo.toml"), "").await.status, 404);
    for page in PAGES {
        assert_eq!(server.ask(&format!("{folder}{page}"), "").await.status, 404);
    }
}

#[tokio::test]
async fn the_page_is_for_all_but_terminals() {
    let server = TestServer::start(&[]).await;
    for (path, up, status) in [
        ("/", "", 200),
        ("/play/computer", "../", 200),
        ("/r/KQRZX", "../", 200),
        ("/p/me", "../", 200),
        ("/r/x", "../", 404),
        ("/party/x/screen", "../../", 404),
        ("/g/x", "../", 404),
        ("/g/0123456789abcdef", "../", 404),
        ("/p/0123456789abcdef", "../", 404),
        ("/nonsense", "", 404),
        ("/non/sense/at/all", "../../../", 404),
    ] {
        let (answer, html) = index(&server, path).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
        assert_eq!(answer.headers["cache-control"], "no-cache", "{path}");
        assert!(answer.headers["vary"].contains("accept, user-agent"), "{path}");
        assert!(html.contains(&format!("src=\"{up}assets/")), "{path}: {html}");
        assert!(!html.contains("assets/0/"), "{path}: {html}");
    }
    for (kind, headers) in [
        ("text/html", ""),
        ("text/html", "accept: */*\r\n"),
        ("text/html", "user-agent: WhatsApp/2.23.20.0\r\naccept: */*\r\n"),
        ("text/html", "user-agent: curl/8.5.0\r\naccept: text/html\r\n"),
        ("text/html", "accept: text/plain;q=0, */*\r\n"),
        ("text/plain", "user-agent: curl/8.5.0\r\naccept: */*\r\n"),
        ("text/plain", "user-agent: Wget/1.21.4\r\naccept: */*\r\n"),
        ("text/plain", "accept: text/plain\r\n"),
    ] {
        for path in ["/", "/r/KQRZX"] {
            let answer = server.ask(path, headers).await;
            let expected = format!("{kind}; charset=utf-8");
            assert_eq!(answer.headers["content-type"], expected, "{path} {headers:?}");
        }
    }
    let text = "accept: text/plain\r\n";
    assert!(server.get("/r/KQRZX", text).await.1.contains("noughts play KQRZX"));
    assert_eq!(server.get("/r/nonsense", text).await.0, 404);
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let server = TestServer::start(&[]).await;
    for path in ["/", "/r/KQRZX", "/healthz", "/nonsense"] {
        let (answer, _) = index(&server, path).await;
        let policy = &answer.headers["content-security-policy"];
        for part in ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
    }
}

/// Few fonts have other weights, and browsers replace them differently.
#[test]
fn font_weights_are_400_600_or_700() {
    for file in all_files().iter().filter(|file| file.ends_with(".css")) {
        let style = std::fs::read_to_string(Path::new(WEB).join(file)).unwrap();
        let weights = style.split("font-weight: ").skip(1);
        for weight in weights.map(|rest| rest.split(';').next().unwrap()) {
            assert!(["400", "600", "700"].contains(&weight), "{file}: font-weight: {weight}");
        }
    }
}

#[test]
fn nothing_on_the_page_comes_from_elsewhere_or_is_inline() {
    for page in PAGES {
        let html = std::fs::read_to_string(Path::new(WEB).join(page)).unwrap();
        for word in ["http://", "https://", " style=", "<style", "<script>"] {
            assert!(!html.contains(word), "{word:?} in {page}");
        }
        let handler = |text: &str| text.trim_start_matches(char::is_alphabetic).starts_with("=\"");
        assert!(!html.split(" on").skip(1).any(handler), "a handler in {page}");
        assert!(html.contains("<noscript>"), "the text for a page without JavaScript");
    }
    for file in all_files().iter().filter(|file| file.ends_with("js")) {
        let script = std::fs::read_to_string(Path::new(WEB).join(file)).unwrap();
        let words = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("];
        for word in words.into_iter().chain(["dangerouslySet"]) {
            // Preact sets `innerHTML` only where a template has `dangerouslySetInnerHTML`.
            if file.ends_with("/preact.mjs") && ["innerHTML", "dangerouslySet"].contains(&word) {
                continue;
            }
            assert!(!script.contains(word), "{word} in {file}");
        }
    }
}
