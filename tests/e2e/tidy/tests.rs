//! Tests of the rules: a small bad example draws a complaint, and its corrected twin draws none.
//!
//! Words that no file may hold are written in two halves here, so that this file may.

use super::rules;

/// `bad` in a file at `path` is complained about on `line` with a message that holds `says`;
/// `good` in its place is not.
fn check(path: &str, bad: &str, line: usize, says: &str, good: &str) {
    let complaints = rules::check(path, bad);
    let expected = |c: &String| c.starts_with(&format!("{path}:{line}: ")) && c.contains(says);
    assert!(complaints.iter().any(expected), "{path}: {complaints:?} for {bad:?}");
    assert_eq!(rules::check(path, good), Vec::<String>::new(), "{path}: {good:?}");
}

#[test]
fn at_the_top_level() {
    for path in ["docs/plan.md", "notes.txt", "rustfmt.toml", "src/main.rs"] {
        let complaints = rules::check(path, "//! Here.\n");
        assert!(complaints.len() == 1 && complaints[0].contains("top level"), "{complaints:?}");
    }
    for path in ["README.md", ".ci/run", ".github/workflows/ci.yml", "server/web/index.html"] {
        assert!(rules::check(path, "").is_empty(), "{path}");
    }
}

#[test]
fn at_a_dependency_of_protocol() {
    let toml = |section: &str, name: &str| {
        format!(
            "[package]\nname = \"p\"\n\n[dependencies]\nserde.workspace = true\n{section}{name}"
        )
    };
    let optional = "tables = { version = \"1\", optional = true }\n[dev-dependencies]\n";
    let good = toml(optional, "rand = \"1\"\n");
    for (bad, line) in [
        (toml("", "rand = \"1\"\n"), 6),
        (toml("", "rand.workspace = true\n"), 6),
        (toml("[dependencies.rand]\n", "version = \"1\"\n"), 6),
        (toml("[build-dependencies]\n", "rand = \"1\"\n"), 7),
        (toml("[target.'cfg(unix)'.dependencies]\n", "rand = \"1\"\n"), 7),
    ] {
        check("protocol/Cargo.toml", &bad, line, "tables alone: use rand elsewhere", &good);
    }
}

#[test]
fn at_a_dependency_of_the_engine() {
    let good = "[dependencies]\nnoughts-protocol.workspace = true\nrand.workspace = true\n\n\
                [dev-dependencies]\nclap.workspace = true\n";
    let bad = "[dependencies]\nrand.workspace = true\ntokio.workspace = true\n";
    check("server/engine/Cargo.toml", bad, 3, "use tokio elsewhere", good);
}

#[test]
fn at_a_clock_or_a_file_in_the_engine() {
    let inside = "#[cfg(test)]\nmod tests {\n    use std::time::Instant;\n}\n";
    let good = format!("//! No Instant here.\nuse std::time::Duration;\n{inside}");
    for word in [
        "std::time::Instant",
        "std::time::SystemTime",
        "tokio::sync::Mutex",
        "std::fs::File",
        "std::net::IpAddr",
        "std::thread::spawn",
    ] {
        let bad = format!("//! Here.\nuse {word};\n{inside}");
        check("server/engine/src/search/tree.rs", &bad, 2, "the caller brings", &good);
        for path in ["server/engine/src/search/tests.rs", "server/engine/benches/ladder.rs"] {
            assert!(rules::check(path, &bad).is_empty(), "{path}: {word}");
        }
    }
}

#[test]
fn at_sides_that_know_each_other() {
    let good = "[dependencies]\nnoughts-protocol.workspace = true\n";
    let bad = "[dependencies]\nnoughts-server.workspace = true\n";
    check("client-cli/Cargo.toml", bad, 2, "noughts-server", good);
    let bad = "[dev-dependencies]\nx = { package = \"noughts-cli\" }\n";
    check("server/Cargo.toml", bad, 2, "noughts-cli", good);
}

#[test]
fn at_waiting_in_the_map_of_rooms_and_the_rules() {
    let good = "//! No async fn here.\nfn f() {}\n";
    for path in [
        "server/src/lobby/registry.rs",
        "server/src/room/rules.rs",
        "server/src/room/rules/seat.rs",
    ] {
        check(path, "//! Here.\npub async fn f() {}\n", 2, "async fn", good);
        check(path, "//! Here.\nf().await;\n", 2, ".await", good);
    }
    assert!(rules::check("server/src/room/actor.rs", "//! Here.\nasync fn f() {}\n").is_empty());
}

#[test]
fn at_time_and_chance_in_the_rules() {
    for word in ["use tokio::sync;", "Instant::now()", "rand::rng()", "SystemTime::now()"] {
        let bad = format!("//! Here.\nlet x = {word};\n");
        for path in ["server/src/room/rules.rs", "client-cli/src/session.rs"] {
            check(path, &bad, 2, "arguments", "//! Here.\nlet x = now;\n");
        }
    }
}

#[test]
fn at_a_channel_without_a_bound() {
    let good = "//! Here.\nlet (a, b) = mpsc::channel(64);\n";
    for call in [
        concat!("tokio::sync::mpsc::un", "bounded_channel()"),
        concat!("futures::channel::mpsc::", "unbounded()"),
        concat!("std::sync::mpsc::", "channel()"),
        concat!("mpsc::", "channel()"),
    ] {
        let bad = format!("//! Here.\nlet (a, b) = {call};\n");
        check("server/src/room.rs", &bad, 2, "bound", good);
    }
}

#[test]
fn at_a_test_that_sleeps() {
    let nap = concat!("sle", "ep(SECOND).await;\n");
    let bad = format!("//! Here.\n{nap}");
    for path in ["tests/e2e/duel.rs", "tests/harness/lib.rs", "protocol/tests/main.rs"] {
        check(path, &bad, 2, "deadline", "//! Here.\nadvance(SECOND).await;\n");
    }
    let inline = |test| format!("//! Here.\n{nap}#[cfg(test)]\nmod tests {{\n{test}}}\n");
    check("server/src/http.rs", &inline(nap), 5, "deadline", &inline(""));
}

#[test]
fn at_a_second_driver_of_the_socket() {
    let server = "//! Here.\nuse axum::extract::ws::Message;\n";
    let client = "//! Here.\nuse tokio_tungstenite::x;\n";
    check("server/src/room/actor.rs", server, 2, "connection.rs", "//! It.\nuse ws::Utf8Bytes;\n");
    check(
        "server/src/http.rs",
        "//! Here.\nuse ws::{Message};\n",
        2,
        "connection.rs",
        "//! Here.\n",
    );
    check("client-cli/src/tui/app.rs", client, 2, "connection.rs", "//! Here.\n");
    for path in ["server/src/connection.rs", "tests/harness/lib.rs"] {
        assert!(rules::check(path, server).is_empty(), "{path}");
    }
    for path in ["client-cli/src/net/connection.rs", "client-cli/src/net/connection/backoff.rs"] {
        assert!(rules::check(path, client).is_empty(), "{path}");
    }
}

#[test]
fn at_a_folder_of_the_server_that_uses_one_above_it() {
    let good = "//! Here.\nuse crate::storage::Storage;\n// See crate::lobby.\n";
    let bad = "//! Here.\nuse crate::lobby::Lobby;\n";
    check("server/src/room/actor.rs", bad, 2, "`room` stands below `lobby`", good);
    check("server/src/room.rs", "//! Here.\nf(crate::cli::run());\n", 2, "below `cli`", good);
    check(
        "server/src/outbox.rs",
        good,
        2,
        "below `storage`",
        "//! Here.\nuse crate::metrics::x;\n",
    );
    let complaints = rules::check("server/src/attic/old.rs", "//! Here.\n");
    assert!(complaints.len() == 1 && complaints[0].contains("a layer"), "{complaints:?}");
    for path in ["server/src/lib.rs", "server/src/http/page.rs", "client-cli/src/app.rs"] {
        assert!(rules::check(path, "//! Here.\nuse crate::connection::Session;\n").is_empty());
    }
}

#[test]
fn at_sqlite_outside_of_the_store() {
    let bad = "//! Here.\nuse rusqlite::Connection;\n";
    check("server/src/lobby.rs", bad, 2, "noughts-store", "//! Here.\nuse noughts_store::Store;\n");
    for path in ["server/store/src/room.rs", "tests/e2e/disk.rs"] {
        assert!(rules::check(path, bad).is_empty(), "{path}");
    }
}
