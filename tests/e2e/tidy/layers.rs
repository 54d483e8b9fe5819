//! The layers of the server: a folder of `server/src` uses the folders below it, and no folder above.

/// The folders, bottom up.
const LAYERS: [&str; 16] = [
    "metrics",
    "outbox",
    "limits",
    "identity",
    "config",
    "storage",
    "tenancy",
    "net",
    "actor",
    "room",
    "lobby",
    "party",
    "state",
    "connection",
    "http",
    "cli",
];

/// Files that put the server together.
const ABOVE_ALL: [&str; 2] = ["lib", "main"];

/// No folder of the server uses a folder above it.
pub(super) fn server_layers(path: &str, text: &str) -> Vec<String> {
    let Some(folder) =
        path.strip_prefix("server/src/").and_then(|path| path.split(['/', '.']).next())
    else {
        return Vec::new();
    };
    if ABOVE_ALL.contains(&folder) {
        return Vec::new();
    }
    let layer = |folder: &str| LAYERS.iter().position(|name| *name == folder);
    let Some(own) = layer(folder) else {
        return vec![format!("{path}:1: give `{folder}` a layer in tests/e2e/tidy/layers.rs")];
    };
    let mut complaints = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let code = line.split_once("//").map_or(line, |(code, _)| code);
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
