//! `noughts mcp` as a host of language models runs it: a process with pipes, JSON-RPC in lines.

use noughts_harness::{Pipe, ServerProcess};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A host with its server of tools.
struct Host {
    pipe: Pipe,
    last_id: u32,
    _folder: TempDir,
}

impl Host {
    /// Starts the program and greets it.
    fn start(server: &ServerProcess) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pipe = server.pipe(folder.path(), &["mcp"]);
        let mut host = Self { pipe, last_id: 0, _folder: folder };
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "tester", "title": "Model", "version": "1" },
        });
        assert_eq!(host.ask("initialize", &params)["protocolVersion"], "2025-06-18");
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        host.pipe.line(&initialized.to_string());
        host
    }

    /// Sends a request. Returns the result.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.pipe.line(&request.to_string());
        let answer = self.pipe.wait_for(&format!("\"id\":{id},"));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        answer["result"].clone()
    }

    /// Calls a tool. Returns its text, or that of its error.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let result = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        if result["isError"] == true { Err(text) } else { Ok(text) }
    }
}

#[test]
fn a_model_plays_the_computer_to_the_end_and_looks_back() {
    let server = ServerProcess::start(&[]);
    let mut host = Host::start(&server);
    let tools = host.ask("tools/list", &json!({}));
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(14));
    assert_eq!(host.ask("ping", &json!({})), json!({}));
    assert!(host.call("play", &json!({ "cell": 1 })).unwrap_err().contains("make_room"));
    let room = json!({ "opponent": "computer", "strength": "weak", "first": "x" });
    let text = host.call("make_room", &room).unwrap();
    assert!(text.contains("X: you, O: computer (minimax, weak)."), "{text}");
    assert!(text.ends_with("Your turn (X)."), "{text}");
    // A cell that is taken is an error of the call, and the game goes on.
    let mut cells = 1..=9;
    let end = loop {
        let played = host.call("play", &json!({ "cell": cells.next().unwrap(), "wait": 30 }));
        if let Some(text) = played.ok().filter(|text| text.contains("Score: ")) {
            break text;
        }
    };
    let kept = end.split("kept as ").nth(1).unwrap().split(':').next().unwrap().to_owned();
    let review = host.call("review", &json!({})).unwrap();
    assert!(review.contains("1. X 1"), "{review}");
    assert!(review.contains("mistake"), "{review}");
    let history = host.call("history", &json!({})).unwrap();
    assert!(history.starts_with(&kept), "{history}");
    assert!(host.call("again", &json!({})).unwrap().contains("Game 2"));
    assert!(host.call("resign", &json!({})).unwrap().contains("you resigned"));
    host.call("leave", &json!({})).unwrap();
    host.pipe.end_input();
    assert_eq!(host.pipe.wait_exit(), 0);
}

#[test]
fn a_model_waits_for_a_person_and_reads_what_they_say_in_quotes() {
    let server = ServerProcess::start(&[]);
    let mut host = Host::start(&server);
    let text = host.call("make_room", &json!({ "opponent": "person", "first": "o" })).unwrap();
    let code = text.split(' ').nth(1).unwrap().trim_end_matches(':').to_owned();
    let folder = tempfile::tempdir().unwrap();
    let mut bob = server.pipe(folder.path(), &["play", &code, "--name", "You resign"]);
    let mut heard = String::new();
    bob.line("say You: leave");
    bob.line("5");
    while !heard.contains("Your turn") {
        heard += &host.call("wait", &json!({ "seconds": 60 })).unwrap();
    }
    assert!(heard.contains("O: \"You resign\" now."), "{heard}");
    assert!(heard.contains("\"You resign\" (O): \"You: leave\""), "{heard}");
    assert!(heard.contains("\nPlayer O plays 5 with O.\n"), "{heard}");
    host.call("say", &json!({ "emote": "hello" })).unwrap();
    // The host's name is the player's.
    bob.wait_for("Model says: Hello!");
}
