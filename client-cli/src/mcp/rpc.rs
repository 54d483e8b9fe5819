//! The messages between a host of language models and this server: JSON-RPC 2.0, one message a line. What the
//! tools do is in [`super::tools`].

use serde_json::{Value, json};

/// The versions of the Model Context Protocol that are spoken here, the newest last. A host that wants another
/// one is offered the newest.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The codes of errors, as JSON-RPC has them.
const NO_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
const WRONG_PARAMS: i32 = -32_602;

/// A message of a host.
#[derive(Debug, PartialEq)]
pub(super) enum HostMessage {
    /// The first request. It tells the name of the host.
    Initialize { id: Value, version: String, host: Option<String> },
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
        let text = |value: &Value| value.as_str().map(str::to_owned);
        match method {
            "initialize" => {
                let host = &params["clientInfo"];
                let host = text(&host["title"]).or_else(|| text(&host["name"]));
                let version = text(&params["protocolVersion"]).unwrap_or_default();
                Self::Initialize { id, version, host }
            }
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

/// The answer to the first request.
pub(super) fn welcome(id: &Value, version: &str, instructions: &str) -> Value {
    let newest = VERSIONS[VERSIONS.len() - 1];
    let version = VERSIONS.into_iter().find(|known| *known == version).unwrap_or(newest);
    let server =
        json!({ "name": "noughts", "title": "Noughts", "version": env!("CARGO_PKG_VERSION") });
    let result = json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": server,
        "instructions": instructions,
    });
    done(id, &result)
}

/// The answer to a call: the text of what it led to, or of why it failed, which the model reads too.
pub(super) fn called(id: &Value, outcome: &Result<String, String>) -> Value {
    let (text, is_error) = match outcome {
        Ok(text) => (text, false),
        Err(text) => (text, true),
    };
    let content = json!([{ "type": "text", "text": text }]);
    done(id, &json!({ "content": content, "isError": is_error }))
}

/// The answer to a request that succeeded.
pub(super) fn done(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The answer to a call of a tool that there is not.
pub(super) fn unknown_tool(id: &Value) -> Value {
    failed(id, WRONG_PARAMS, "there is no such tool: tools/list has them all")
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
    fn a_host_gets_the_version_that_it_wants_if_it_is_known() {
        let version = |wanted| welcome(&json!(1), wanted, "")["result"]["protocolVersion"].clone();
        assert_eq!(version("2025-06-18"), "2025-06-18");
        assert_eq!(version("2030-01-01"), "2025-11-25");
    }
}
