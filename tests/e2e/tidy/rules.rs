//! The rules, each a pure function from a file's path and text to its complaints.
//!
//! Words that no file may hold are written in two halves here, so that this file may.

/// A rule: path and text of one file in, complaints out.
type Rule = fn(&str, &str) -> Vec<String>;

/// Every rule.
const ALL: [Rule; 11] = [
    top_level,
    protocol_is_pure,
    engine_depends_on_little,
    engine_is_pure,
    sides_are_apart,
    no_async_in_the_rules,
    bounded_channels,
    no_sleep_in_tests,
    one_socket_each,
    one_place_for_sqlite,
    super::layers::server_layers,
];

/// The complaints of all rules about one file.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    ALL.iter().flat_map(|rule| rule(path, text)).collect()
}

/// The top level holds what `README.md` shows, and dotfiles.
fn top_level(path: &str, _: &str) -> Vec<String> {
    let allowed = [
        "Cargo.toml",
        "Cargo.lock",
        "LICENSE",
        "README.md",
        "server",
        "client-cli",
        "protocol",
        "tests",
        "target",
    ];
    let top = path.split('/').next().unwrap_or(path);
    if allowed.contains(&top) || top.starts_with('.') {
        return Vec::new();
    }
    vec![format!("{path}:1: `{top}` does not belong at the top level: move it into a package")]
}

/// `protocol` depends on serde, its JSON and tables of Unicode alone; what is optional is for tests.
fn protocol_is_pure(path: &str, text: &str) -> Vec<String> {
    if path != "protocol/Cargo.toml" {
        return Vec::new();
    }
    let is_optional = |line: usize| {
        text.lines().nth(line - 1).is_some_and(|line| line.contains("optional = true"))
    };
    let others = dependencies(text).into_iter().filter(|(line, name)| {
        let is_table = ["icu_normalizer", "icu_properties", "unicode-segmentation"].contains(name);
        !is_table && !["serde", "serde_json"].contains(name) && !is_optional(*line)
    });
    others
        .map(|(line, name)| {
            format!(
                "{path}:{line}: protocol depends on serde, JSON and tables alone: use {name} elsewhere"
            )
        })
        .collect()
}

/// `server/store` alone uses SQLite, and tests that change its file.
fn one_place_for_sqlite(path: &str, text: &str) -> Vec<String> {
    let may = path.starts_with("server/store/") || path.contains("tests");
    if may || !path.ends_with(".rs") {
        return Vec::new();
    }
    let uses = text.lines().zip(1..).filter(|(line, _)| line.contains("rusqlite"));
    uses.map(|(_, line)| format!("{path}:{line}: ask noughts-store in place of SQLite")).collect()
}

/// `engine` depends on the protocol and on random numbers; more is for its tests and benchmarks.
fn engine_depends_on_little(path: &str, text: &str) -> Vec<String> {
    if path != "server/engine/Cargo.toml" {
        return Vec::new();
    }
    let others = dependencies(text)
        .into_iter()
        .filter(|(_, name)| !["noughts-protocol", "rand"].contains(name));
    others
        .map(|(line, name)| {
            format!(
                "{path}:{line}: engine depends on protocol and rand alone: use {name} elsewhere"
            )
        })
        .collect()
}

/// The engine reads no clock, does no I/O, starts no thread and knows no runtime; its tests may.
fn engine_is_pure(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("server/engine/src/") || is_test_file(path) {
        return Vec::new();
    }
    let words = ["Instant", "SystemTime", "tokio", "std::fs", "std::net", "std::thread"];
    let code = inline_tests(text).map_or(text, |at| &text[..at]);
    in_rust(path, code, &words, "the caller brings the clock, the thread and the files")
}

/// The server and the terminal client do not depend on each other, not even in tests.
fn sides_are_apart(path: &str, text: &str) -> Vec<String> {
    let other = match path {
        "server/Cargo.toml" => "noughts-cli",
        "client-cli/Cargo.toml" => "noughts-server",
        _ => return Vec::new(),
    };
    find(path, text, &[other], "the sides do not know each other: share it through protocol")
}

/// The map of rooms, the rules of a room and the session of the terminal client are synchronous. The
/// rules and the session also read no clock, draw no random number and know no runtime.
fn no_async_in_the_rules(path: &str, text: &str) -> Vec<String> {
    let rules = path == "server/src/room/rules.rs" || path.starts_with("server/src/room/rules/");
    // The tests of the session measure time.
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
    let session = path == "client-cli/src/session.rs"
        || (path.starts_with("client-cli/src/session/") && !is_test);
    let pure = rules || session;
    if !pure && path != "server/src/lobby/registry.rs" {
        return Vec::new();
    }
    let advice = "keep it synchronous, and leave waiting to the caller";
    let mut complaints = find(path, text, &["async fn", "async move", ".await"], advice);
    if pure {
        let words = ["tokio", "Instant::now", "SystemTime", "rand::", "mpsc"];
        complaints.extend(find(path, text, &words, "take time and chance as arguments here"));
    }
    complaints
}

/// Every channel has a bound.
fn bounded_channels(path: &str, text: &str) -> Vec<String> {
    let words = [
        concat!("unbounded", "_channel"),
        concat!("mpsc::", "unbounded"),
        concat!("channel::", "unbounded"),
        concat!("Unbounded", "Sender"),
        concat!("std::sync::mpsc::", "channel("),
        concat!("mpsc::", "channel()"),
    ];
    in_rust(path, text, &words, "give the channel a bound and say what happens when it is full")
}

/// Tests wait for what they can observe, or in virtual time.
fn no_sleep_in_tests(path: &str, text: &str) -> Vec<String> {
    let words = [concat!("sle", "ep("), concat!("sle", "ep_until(")];
    let advice = "wait for the event itself, with a deadline, or pause the clock";
    let inline = || inline_tests(text).map(|at| text[..at].lines().count());
    // The load waits for the time that its user asked for.
    let is_load = path.starts_with("tests/load/");
    let all = (path.starts_with("tests/") && !is_load) || is_test_file(path);
    match if all { Some(0) } else { inline() } {
        Some(before) if extension(path) == "rs" => find_after(before, path, text, &words, advice),
        _ => Vec::new(),
    }
}

/// One file of each side drives the WebSocket.
fn one_socket_each(path: &str, text: &str) -> Vec<String> {
    let (source, drivers): (_, &[&str]) = if path.starts_with("server/src/") {
        // The last opens those to other nodes.
        ("server/src/", &["connection.rs", "connection/", "net/dial.rs"])
    } else if path.starts_with("client-cli/src/") {
        ("client-cli/src/", &["net/connection.rs", "net/connection/"])
    } else {
        return Vec::new();
    };
    if drivers.iter().any(|driver| path[source.len()..].starts_with(driver)) {
        return Vec::new();
    }
    let advice = format!("only {source}{} drives a WebSocket", drivers[0]);
    // Text for a socket may be held and an upgrade asked for; sockets and their messages not.
    let words = ["tungstenite", "ws::Message", "ws::WebSocket,", "ws::WebSocket;", "ws::{"];
    in_rust(path, text, &words, &advice)
}

/// A Cargo.toml's dependencies but for those of its tests: line and name.
fn dependencies(toml: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut listed = false;
    for (text, line) in toml.lines().zip(1..) {
        if let Some(section) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            // `[target.'cfg(unix)'.dependencies]` is one as well, and `[dependencies.x]` names x.
            let counts = section.contains("dependencies") && !section.contains("dev-dependencies");
            listed = counts && section.ends_with("dependencies");
            if let Some((_, name)) = section.rsplit_once("dependencies.").filter(|_| counts) {
                found.push((line, name));
            }
        } else if let Some((name, _)) = text.split_once(['=', '.']).filter(|_| listed) {
            found.push((line, name.trim()));
        }
    }
    found.retain(|(_, name)| !name.starts_with('#') && !name.starts_with(char::is_whitespace));
    found
}

/// Whether all of a source file is tests.
fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// The line at which the tests at the end of a source file begin.
fn inline_tests(text: &str) -> Option<usize> {
    text.find("#[cfg(test)]\nmod tests {")
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// [`find`] in Rust sources alone.
fn in_rust(path: &str, text: &str, words: &[&str], advice: &str) -> Vec<String> {
    if extension(path) == "rs" { find(path, text, words, advice) } else { Vec::new() }
}

/// A complaint for each line that holds one of the words.
fn find(path: &str, text: &str, words: &[&str], advice: &str) -> Vec<String> {
    find_after(0, path, text, words, advice)
}

/// [`find`] in the lines after the first `before`. Comments may name what code may not do; only
/// words in capitals are looked for in them too.
fn find_after(before: usize, path: &str, text: &str, words: &[&str], advice: &str) -> Vec<String> {
    let comment = if extension(path) == "toml" { "#" } else { "//" };
    let mut complaints = Vec::new();
    for (line, number) in text.lines().zip(1..).skip(before) {
        let code = line.split_once(comment).map_or(line, |(code, _)| code);
        for word in words {
            let capitals = word.chars().all(|c| c.is_ascii_uppercase());
            if (if capitals { line } else { code }).contains(word) {
                complaints.push(format!("{path}:{number}: `{word}`: {advice}"));
            }
        }
    }
    complaints
}
