//! Runs the unit tests of the page's modules, `tests/page`, in one tab. Among them are
//! the stories that the terminal's core runs too.

use std::fs;
use std::path::{Component, Path};

use axum::Router;
use axum::extract::Path as Asked;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use noughts_harness::{Device, Tab};
use serde_json::{Map, Value};
use tokio::net::TcpListener;

/// The top level of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The client's package in the page, and where it is.
const CLIENT: (&str, &str) = ("server/web/js/client/", "protocol/js/src/");

/// A file of the page, of its tests or of the golden series, at its path from the top level, so that
/// relative imports work as in an editor. The client's package is where the server serves it.
async fn file(Asked(path): Asked<String>) -> Response {
    let inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    let public = ["server/web/", "tests/page/", "protocol/tests/golden/series/"];
    let public = public.iter().any(|folder| path.starts_with(folder));
    let file = path.strip_prefix(CLIENT.0).map_or(path.clone(), |name| CLIENT.1.to_owned() + name);
    let content = fs::read(Path::new(ROOT).join(&file)).ok().filter(|_| inside && public);
    let Some(content) = content else { return StatusCode::NOT_FOUND.into_response() };
    let html = path.rsplit_once('.').is_some_and(|(_, kind)| kind == "html");
    let kind = if html { "text/html; charset=utf-8" } else { "text/javascript; charset=utf-8" };
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}

/// The golden files of server messages, by name.
fn golden() -> Value {
    let folder = Path::new(ROOT).join("protocol/tests/golden");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let messages = files.filter_map(|path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        let read = || serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        name.starts_with("server.").then(|| (name, read()))
    });
    Value::Object(messages.collect::<Map<_, _>>())
}

/// The names of the files of a folder that end in `end`.
fn names(folder: &str, end: &str) -> Vec<String> {
    let files = fs::read_dir(Path::new(ROOT).join(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    names
}

/// Serves the tests. Returns the address of the page that runs them.
async fn serve_tests() -> String {
    let files = Router::new()
        .route("/golden.json", get(async || axum::Json(golden())))
        .route("/series.json", get(async || axum::Json(names("protocol/tests/golden/series", ""))))
        .route("/strings.json", get(async || axum::Json(names("server/web/js/strings", "en.js"))))
        .route("/tests.json", get(async || axum::Json(names("tests/page", ".test.js"))))
        .route("/{*path}", get(file));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum::serve(listener, files).into_future());
    format!("http://{address}/tests/page/index.html")
}

/// Fails unless every test of the tab has passed.
fn check_results(results: &Value) {
    let results = results.as_array().unwrap();
    let mut failures = Vec::new();
    for result in results {
        let name = result["name"].as_str().unwrap();
        let error = result["error"].as_str();
        println!("{name} ... {}", error.map_or("ok", |_| "FAILED"));
        failures.extend(error.map(|error| format!("{name}: {error}")));
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n\n"));
    assert!(results.len() > 100, "only {} tests were found", results.len());
}

/// Tests that run within one wait: a busy machine takes many times as long for all of them as an idle one.
const AT_ONCE: u64 = 20;

#[tokio::test]
async fn the_pages_modules_do_what_they_say() {
    let tab = Tab::open(Device::LAPTOP, &serve_tests().await).await;
    let mut count = 0;
    while tab.eval("window.finished").await != true {
        let more = format!("window.finished || window.results?.length >= {}", count + AT_ONCE);
        tab.until("the results of more tests", &more).await;
        count = tab.eval("results.length").await.as_u64().unwrap();
    }
    check_results(&tab.eval("results").await);
    tab.done().await;
}
