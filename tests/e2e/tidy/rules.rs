//! The rules, each a pure function from a file's path and text to its complaints. Rules that the
//! lints of `.clippy.toml` or the dependencies of a package keep are not here.
//!
//! Words that no test may hold are written in two halves here, so that this file may.

/// The part of a file that a rule is about.
enum Part {
    /// The code of a product.
    Code,
    /// Test files, and tests at the end of a source file.
    Tests,
}

/// A rule about words.
struct Rule {
    /// The beginnings of the paths of its files, and of those among them that it leaves out.
    places: &'static [&'static str],
    but: &'static [&'static str],
    part: Part,
    words: &'static [&'static str],
    advice: &'static str,
}

/// The folders without I/O and runtime: the rules of a room, and the session of a client.
const PURE: [&str; 2] = ["server/src/room/rules", "protocol/rust/src/session"];

/// The names of sockets and their messages. Text for a socket may be held and an upgrade asked for.
const SOCKETS: [&str; 5] =
    ["tungstenite", "ws::Message", "ws::WebSocket,", "ws::WebSocket;", "ws::{"];

const SIDES: &str = "the sides do not know each other: share it through protocol";

/// The rules about words.
const RULES: [Rule; 8] = [
    Rule {
        places: &["server/engine/src/"],
        but: &[],
        part: Part::Code,
        words: &["Instant", "SystemTime", "tokio", "std::fs", "std::net", "std::thread"],
        advice: "the caller brings the clock, the thread and the files",
    },
    Rule {
        places: &["server/Cargo.toml"],
        but: &[],
        part: Part::Code,
        words: &["noughts-cli"],
        advice: SIDES,
    },
    Rule {
        places: &["client-cli/Cargo.toml"],
        but: &[],
        part: Part::Code,
        words: &["noughts-server"],
        advice: SIDES,
    },
    Rule {
        places: &[PURE[0], PURE[1], "server/src/lobby/registry.rs"],
        but: &[],
        part: Part::Code,
        words: &["async fn", "async move", "async {", "async |"],
        advice: "keep it synchronous, and leave waiting to the caller",
    },
    Rule {
        places: &PURE,
        but: &[],
        part: Part::Code,
        words: &["tokio", "Instant::now", "SystemTime", "rand::", "mpsc"],
        advice: "take time and chance as arguments here",
    },
    Rule {
        places: &[""],
        // The load waits for the time that its user asked for.
        but: &["tests/load/"],
        part: Part::Tests,
        words: &[concat!("sle", "ep("), concat!("sle", "ep_until(")],
        advice: "wait for the event itself, with a deadline, or pause the clock",
    },
    Rule {
        places: &["server/src/"],
        // The last two have the WebSockets between nodes.
        but: &["server/src/connection", "server/src/net/dial.rs", "server/src/pipe"],
        part: Part::Code,
        words: &SOCKETS,
        advice: "only connection.rs, and dial.rs to other nodes, drive a WebSocket",
    },
    Rule {
        places: &["client-cli/src/", "protocol/rust/src/"],
        but: &["protocol/rust/src/connection.rs", "protocol/rust/src/connection/"],
        part: Part::Code,
        words: &SOCKETS,
        advice: "only connection.rs drives a WebSocket",
    },
];

/// Packages, and all that they may depend on; what is optional is for tests or for a feature.
const DEPENDENCIES: [(&str, &[&str]); 3] = [
    (
        "protocol/Cargo.toml",
        &[
            "serde",
            "serde_json",
            "icu_normalizer",
            "icu_properties",
            "jiff",
            "thiserror",
            "unicode-segmentation",
        ],
    ),
    ("protocol/rust/Cargo.toml", &["noughts-protocol", "thiserror", "url"]),
    ("server/engine/Cargo.toml", &["noughts-protocol", "rand"]),
];

/// The top level, beside dotfiles.
const TOP: [&str; 9] = [
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

/// The folders of the server, bottom up: each uses those below it.
const LAYERS: [&str; 19] = [
    "limits",
    "metrics",
    "outbox",
    "identity",
    "config",
    "storage",
    "lease",
    "net",
    "actor",
    "pipe",
    "room",
    "lobby",
    "party",
    "puzzle",
    "state",
    "connection",
    "admin",
    "http",
    "cli",
];

/// The complaints of all rules about one file.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    let words = RULES.iter().flat_map(|rule| rule.check(path, text));
    words.chain(top_level(path)).chain(dependencies(path, text)).chain(layers(path, text)).collect()
}

impl Rule {
    fn check(&self, path: &str, text: &str) -> Vec<String> {
        let begins = |starts: &[&str]| starts.iter().any(|start| path.starts_with(start));
        if !begins(self.places)
            || begins(self.but)
            || !path.ends_with(".rs") && !path.ends_with(".toml")
        {
            return Vec::new();
        }
        let all =
            path.starts_with("tests/") || path.contains("/tests/") || path.ends_with("/tests.rs");
        let inline = text.find("#[cfg(test)]\nmod tests {").map(|at| text[..at].lines().count());
        let tests = if all { 0 } else { inline.unwrap_or(usize::MAX) };
        let mut complaints = Vec::new();
        for (at, (number, code)) in code_lines(path, text).enumerate() {
            let is_wanted = matches!(self.part, Part::Tests) == (at >= tests);
            for word in self.words.iter().filter(|word| is_wanted && code.contains(**word)) {
                complaints.push(format!("{path}:{number}: `{word}`: {}", self.advice));
            }
        }
        complaints
    }
}

/// The lines with their numbers, without comments.
fn code_lines<'a>(path: &str, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let comment = if path.ends_with(".toml") { "#" } else { "//" };
    (1..).zip(text.lines().map(move |line| line.split_once(comment).map_or(line, |(code, _)| code)))
}

fn top_level(path: &str) -> Option<String> {
    let top = path.split('/').next().unwrap_or(path);
    let fits = TOP.contains(&top) || top.starts_with('.');
    (!fits).then(|| {
        format!("{path}:1: `{top}` does not belong at the top level: move it into a package")
    })
}

fn dependencies(path: &str, toml: &str) -> Vec<String> {
    let Some((_, allowed)) = DEPENDENCIES.iter().find(|(place, _)| *place == path) else {
        return Vec::new();
    };
    let mut complaints = Vec::new();
    let mut listed = false;
    for (number, text) in code_lines(path, toml) {
        let name = if let Some(section) = text.strip_prefix('[') {
            // `[target.'cfg(unix)'.dependencies]` is one as well, and `[dependencies.x]` names x.
            let section = section.trim_end_matches(']');
            let counts = section.contains("dependencies") && !section.contains("dev-dependencies");
            listed = counts && section.ends_with("dependencies");
            section.rsplit_once("dependencies.").filter(|_| counts).map(|(_, name)| name)
        } else {
            let is_named = listed && !text.contains("optional = true");
            text.split_once(['=', '.']).filter(|_| is_named).map(|(name, _)| name.trim_end())
        };
        if let Some(name) = name.filter(|name| !allowed.contains(name) && !name.starts_with(' ')) {
            complaints
                .push(format!("{path}:{number}: it is to depend on little: use {name} elsewhere"));
        }
    }
    complaints
}

fn layers(path: &str, text: &str) -> Vec<String> {
    let folder = path.strip_prefix("server/src/").and_then(|path| path.split(['/', '.']).next());
    // Those put the server together.
    let Some(folder) = folder.filter(|folder| !["brain", "lib", "main"].contains(folder)) else {
        return Vec::new();
    };
    let layer = |folder: &str| LAYERS.iter().position(|name| *name == folder);
    let Some(own) = layer(folder) else {
        return vec![format!("{path}:1: give `{folder}` a layer in tests/e2e/tidy/rules.rs")];
    };
    let mut complaints = Vec::new();
    for (number, code) in code_lines(path, text) {
        for used in code.split("crate::").skip(1) {
            let end = used.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let used = &used[..end.unwrap_or(used.len())];
            if layer(used).is_some_and(|layer| layer > own) {
                complaints.push(format!(
                    "{path}:{number}: `{folder}` stands below `{used}`: pass in what it needs"
                ));
            }
        }
    }
    complaints
}
