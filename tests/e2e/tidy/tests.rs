//! Tests of the rules: a small bad example draws a complaint, and its corrected twin draws none.
//!
//! Words that no test may hold are written in two halves here, so that this file may.

use super::rules;

const NAP: &str = concat!("sle", "ep(SECOND);");
const INLINE: &str = "#[cfg(test)]\nmod tests {\n";

#[test]
fn each_rule_complains() {
    let inline = format!("{NAP}\n{INLINE}{NAP}");
    for (path, bad, line, says) in [
        ("docs/plan.md", "", 1, "top level"),
        ("rustfmt.toml", "", 1, "top level"),
        ("protocol/Cargo.toml", "[dependencies]\nserde = \"1\"\nrand = \"1\"", 3, "use rand"),
        ("protocol/Cargo.toml", "[dependencies]\nrand.workspace = true", 2, "use rand"),
        ("protocol/Cargo.toml", "[dependencies.rand]\nversion = \"1\"", 1, "use rand"),
        ("protocol/Cargo.toml", "[build-dependencies]\nrand = \"1\"", 2, "use rand"),
        ("protocol/Cargo.toml", "[target.'cfg(unix)'.dependencies]\nrand = \"1\"", 2, "use rand"),
        ("server/engine/Cargo.toml", "[dependencies]\ntokio.workspace = true", 2, "use tokio"),
        ("server/engine/src/search.rs", "use std::time::Instant;", 1, "the caller brings"),
        ("server/engine/src/search.rs", "\nuse tokio::sync::Mutex;", 2, "the caller brings"),
        ("server/engine/src/search.rs", "std::thread::spawn(f)", 1, "the caller brings"),
        ("client-cli/Cargo.toml", "noughts-server.workspace = true", 1, "the sides"),
        ("server/Cargo.toml", "x = { package = \"noughts-cli\" }", 1, "the sides"),
        ("server/src/lobby/registry.rs", "async fn f() {}", 1, "synchronous"),
        ("server/src/room/rules/seat.rs", "let x = async { 1 };", 1, "synchronous"),
        ("server/src/room/rules.rs", "let x = SystemTime::now();", 1, "arguments"),
        ("protocol/rust/src/session.rs", "let x = rand::rng();", 1, "arguments"),
        ("tests/e2e/duel.rs", NAP, 1, "deadline"),
        ("protocol/tests/main.rs", NAP, 1, "deadline"),
        ("server/src/http.rs", &inline, 4, "deadline"),
        ("server/src/room/actor.rs", "use axum::extract::ws::Message;", 1, "connection.rs"),
        ("server/src/http.rs", "use ws::{Message};", 1, "connection.rs"),
        ("client-cli/src/tui/app.rs", "use tokio_tungstenite::x;", 1, "connection.rs"),
        ("server/src/room.rs", "use crate::lobby::Lobby;", 1, "`room` stands below `lobby`"),
        ("server/src/room/actor.rs", "f(crate::cli::run());", 1, "below `cli`"),
        ("server/src/attic/old.rs", "", 1, "a layer"),
    ] {
        let complaints = rules::check(path, bad);
        let begin = format!("{path}:{line}: ");
        let fits = complaints.len() == 1
            && complaints[0].starts_with(&begin)
            && complaints[0].contains(says);
        assert!(fits, "{path}: {complaints:?} for {bad:?}");
    }
}

#[test]
fn what_is_allowed_draws_no_complaint() {
    let dependencies = "[dependencies]\nserde.workspace = true\ntables = { version = \"1\", optional = true }\n\
                        [dev-dependencies]\nrand = \"1\"";
    let clock =
        format!("use std::time::Duration; // no Instant\n{INLINE}use std::time::Instant;\n}}");
    for (path, good) in [
        ("README.md", ""),
        (".github/workflows/ci.yml", ""),
        ("server/web/index.html", "f().await"),
        ("protocol/Cargo.toml", dependencies),
        ("server/engine/src/search/tree.rs", &clock),
        ("server/engine/src/search/tests.rs", "use std::time::Instant;"),
        ("server/engine/benches/ladder.rs", "use std::time::Instant;"),
        ("client-cli/Cargo.toml", "name = \"noughts\" # not noughts-server."),
        ("server/src/room/actor.rs", "async fn f() { Instant::now() }"),
        ("tests/load/main.rs", NAP),
        ("server/src/http.rs", NAP),
        ("server/src/room/actor.rs", "use ws::Utf8Bytes;"),
        ("server/src/connection.rs", "use axum::extract::ws::Message;"),
        ("protocol/rust/src/connection/backoff.rs", "use tokio_tungstenite::x;"),
        ("server/src/lobby.rs", "use crate::room::Room; // See crate::party."),
        ("server/src/lib.rs", "use crate::cli::run;"),
    ] {
        assert_eq!(rules::check(path, good), Vec::<String>::new(), "{path}: {good:?}");
    }
}
