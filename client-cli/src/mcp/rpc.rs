//! The messages between a host of language models and this server: JSON-RPC 2.0, one message a
//! line. The tools are in [`super::tools`].

use serde_json::{Value, json};

/// The versions of the Model Context Protocol that begin with `initialize`, the newest last. A host that wants
/// another one is offered the newest.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The version without a beginning: each request says that it speaks it.
const STATELESS: &str = "2026-07-28";

/// The codes of errors, as JSON-RPC has them.
const NO_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
const WRONG_PARAMS: i32 = -32_602;
/// The code of an error of the Model Context Protocol itself.
const OTHER_VERSION: i32 = -32_022;

/// How long a host may keep the list of tools, in milliseconds: it does not change while the program runs.
const KEPT_MS: u32 = 3_600_000;

/// A message of a host.
#[derive(Debug, PartialEq)]
pub(super) enum HostMessage {
    /// The first request. It tells the name of the host.
    Initialize { id: Value, version: String, host: Option<String> },
    /// A request of [`STATELESS`], whichever was the first one.
    Stateless { host: Option<String>, request: Box<Self> },
    /// A request for the versions and the capabilities.
    Discover { id: Value },
    /// A request for the list of tools.
    Tools { id: Value },
    /// A call of a tool.
    Call { id: Value, tool: String, arguments: Value },
    /// A request whether the server answers.
    Ping { id: Value },
    /// The answer to this request is not wanted any more.
    Cancelled { id: Value },
    /// A notification that changes nothing here, or an answer.
    Ignored,
    /// A message that cannot be answered otherwise. This is the answer.
    Wrong(Value),
}

impl HostMessage {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Self {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return Self::Wrong(failed(&Value::Null, NO_JSON, "this line is no JSON, or too long"));
        };
        let params = &message["params"];
        let Some(method) = message["method"].as_str() else {
            let is_answer = message.get("result").or(message.get("error")).is_some();
            let text = "a request has a method, and comes alone in its line";
            let wrong = || Self::Wrong(failed(&Value::Null, NO_REQUEST, text));
            return if is_answer { Self::Ignored } else { wrong() };
        };
        let id = match message.get("id") {
            Some(id) if id.is_string() || id.is_number() => id.clone(),
            None if method == "notifications/cancelled" => {
                return Self::Cancelled { id: params["requestId"].clone() };
            }
            None => return Self::Ignored,
            Some(_) => {
                let text = "the id of a request is a text or a number";
                return Self::Wrong(failed(&Value::Null, NO_REQUEST, text));
            }
        };
        let meta = |key| &params["_meta"][format!("io.modelcontextprotocol/{key}")];
        match meta("protocolVersion") {
            Value::Null => Self::request(id, method, params),
            version if version != STATELESS => Self::Wrong(other_version(&id, version)),
            _ if !meta("clientCapabilities").is_object() => {
                let text = "a request has its clientCapabilities in _meta";
                Self::Wrong(failed(&id, WRONG_PARAMS, text))
            }
            _ => {
                let host = host(meta("clientInfo"));
                Self::Stateless { host, request: Box::new(Self::request(id, method, params)) }
            }
        }
    }

    fn request(id: Value, method: &str, params: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        match method {
            "initialize" => {
                let version = text(&params["protocolVersion"]).unwrap_or_default();
                Self::Initialize { id, version, host: host(&params["clientInfo"]) }
            }
            "server/discover" => Self::Discover { id },
            "tools/list" => Self::Tools { id },
            "ping" => Self::Ping { id },
            "tools/call" => match text(&params["name"]) {
                Some(tool) => Self::Call { id, tool, arguments: params["arguments"].clone() },
                None => Self::Wrong(failed(&id, WRONG_PARAMS, "a call names its tool")),
            },
            _ => Self::Wrong(failed(&id, NO_METHOD, "this server has tools only")),
        }
    }
}

/// The name by which a host calls itself.
fn host(info: &Value) -> Option<String> {
    info["title"].as_str().or_else(|| info["name"].as_str()).map(str::to_owned)
}

fn server() -> Value {
    json!({ "name": "noughts", "title": "Noughts", "version": env!("CARGO_PKG_VERSION") })
}

/// The answer to the first request.
pub(super) fn welcome(id: &Value, version: &str, instructions: &str) -> Value {
    let newest = VERSIONS[VERSIONS.len() - 1];
    let version = VERSIONS.into_iter().find(|known| *known == version).unwrap_or(newest);
    let result = json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": server(),
        "instructions": instructions,
    });
    done(id, &result)
}

/// The versions and the capabilities.
pub(super) fn discovered(id: &Value, instructions: &str) -> Value {
    let result = json!({
        "supportedVersions": [STATELESS],
        "capabilities": { "tools": {} },
        "instructions": instructions,
        "ttlMs": KEPT_MS,
        "cacheScope": "public",
    });
    complete(id, result)
}

/// The list of tools.
pub(super) fn listed(id: &Value, tools: &Value) -> Value {
    complete(id, json!({ "tools": tools, "ttlMs": KEPT_MS, "cacheScope": "public" }))
}

/// The answer to a call: the text of what it led to, or of why it failed, which the model reads too.
pub(super) fn called(id: &Value, outcome: &Result<String, String>) -> Value {
    let (text, is_error) = match outcome {
        Ok(text) => (text, false),
        Err(text) => (text, true),
    };
    let content = json!([{ "type": "text", "text": text }]);
    complete(id, json!({ "content": content, "isError": is_error }))
}

/// A result with what [`STATELESS`] wants in each one. Hosts of older versions do not look at it.
fn complete(id: &Value, mut result: Value) -> Value {
    result["resultType"] = "complete".into();
    result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server() });
    done(id, &result)
}

/// The answer to a request that succeeded.
pub(super) fn done(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The answer to a call of a tool that there is not.
pub(super) fn unknown_tool(id: &Value, tools: &str) -> Value {
    failed(id, WRONG_PARAMS, &format!("there is no such tool: there are {tools}"))
}

/// The answer to a request of a version that is not spoken without `initialize`.
fn other_version(id: &Value, requested: &Value) -> Value {
    let mut answer = failed(id, OTHER_VERSION, "this version is not spoken here");
    answer["error"]["data"] = json!({ "supported": [STATELESS], "requested": requested });
    answer
}

fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_request_is_answered_with_a_code() {
        let check = |line: &str, code: i32, id: Value| {
            let HostMessage::Wrong(answer) = HostMessage::read(line) else { panic!("{line}") };
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}");
        };
        check("{", NO_JSON, Value::Null);
        check("[]", NO_REQUEST, Value::Null);
        check(r#"{"id":1}"#, NO_REQUEST, Value::Null);
        check(r#"{"id":null,"method":"ping"}"#, NO_REQUEST, Value::Null);
        check(r#"{"id":"a","method":"prompts/list"}"#, NO_METHOD, json!("a"));
        check(r#"{"id":2,"method":"tools/call","params":{}}"#, WRONG_PARAMS, json!(2));
        for ignored in [r#"{"method":"notifications/initialized"}"#, r#"{"id":1,"result":{}}"#] {
            assert_eq!(HostMessage::read(ignored), HostMessage::Ignored);
        }
    }

    #[test]
    fn a_request_says_its_version_by_itself_or_begins_with_initialize() {
        let read = |version: &str, capabilities: Value| {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": capabilities,
                "io.modelcontextprotocol/clientInfo": { "name": "tester" },
            });
            let params = json!({ "_meta": meta });
            let request = json!({ "id": 1, "method": "server/discover", "params": params });
            HostMessage::read(&request.to_string())
        };
        let request = Box::new(HostMessage::Discover { id: json!(1) });
        let stateless = HostMessage::Stateless { host: Some("tester".to_owned()), request };
        assert_eq!(read(STATELESS, json!({})), stateless);
        let HostMessage::Wrong(answer) = read("1900-01-01", json!({})) else { panic!() };
        let data = json!({ "supported": [STATELESS], "requested": "1900-01-01" });
        assert_eq!((&answer["error"]["code"], &answer["error"]["data"]), (&json!(-32022), &data));
        let HostMessage::Wrong(answer) = read(STATELESS, Value::Null) else { panic!() };
        assert_eq!(answer["error"]["code"], WRONG_PARAMS);
    }

    #[test]
    fn a_host_gets_the_version_that_it_wants_if_it_is_known() {
        let version = |wanted| welcome(&json!(1), wanted, "")["result"]["protocolVersion"].clone();
        assert_eq!(version("2025-06-18"), "2025-06-18");
        assert_eq!(version("2030-01-01"), "2025-11-25");
    }
}
