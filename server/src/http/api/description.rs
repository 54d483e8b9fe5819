//! The descriptions of `/api/v1` and of the socket, for programs: the protocol's schema, `OpenAPI` 3.1 and
//! `AsyncAPI` 3.0. Both are made of the schema's types, which are in the program once.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// `protocol/schema.json`.
const SCHEMA: &str = include_str!("../../../../protocol/schema.json");

/// A new version of the server may have other types.
const CACHE: &str = "public, max-age=3600";

static OPENAPI: LazyLock<String> = LazyLock::new(|| openapi_of(&schema_value()).to_string());
static ASYNCAPI: LazyLock<String> = LazyLock::new(|| asyncapi_of(&schema_value()).to_string());

pub(super) async fn schema() -> Response {
    answer(SCHEMA, "application/schema+json")
}

pub(super) async fn openapi() -> Response {
    answer(&OPENAPI, "application/json")
}

pub(super) async fn asyncapi() -> Response {
    answer(&ASYNCAPI, "application/json")
}

fn answer(text: &'static str, kind: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, CACHE)], text).into_response()
}

fn schema_value() -> Value {
    // The file is tested to be JSON.
    serde_json::from_str(SCHEMA).unwrap_or_default()
}

/// A path: what it is, its parameters, the kind of its answer and its type, and its refusals.
struct Route {
    path: &'static str,
    about: &'static str,
    parameters: &'static [(&'static str, &'static str, &'static str)],
    kind: &'static str,
    answer: &'static str,
    statuses: &'static [u16],
}

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const GENERAL: &[u16] = &[400, 401, 429, 503];

const fn route(
    path: &'static str,
    about: &'static str,
    parameters: &'static [(&'static str, &'static str, &'static str)],
    kind: &'static str,
    answer: &'static str,
    statuses: &'static [u16],
) -> Route {
    Route { path, about, parameters, kind, answer, statuses }
}

/// Every route with an answer of its own. A parameter has its place, its name and its type.
const ROUTES: &[Route] = &[
    route("/rooms", "The public rooms, as the lobby lists them.", &[], JSON, "Rooms", &[403]),
    route(
        "/rooms/{code}/events",
        "The events of a room, as a spectator is told them: first `snapshot`.",
        &[("path", "code", "RoomCode"), ("header", "Last-Event-ID", "")],
        EVENTS,
        "",
        &[403, 404],
    ),
    route(
        "/parties/{code}",
        "A party as it is now, or as it was when it ended.",
        &[("path", "code", "PartyCode")],
        JSON,
        "PartySnapshot",
        &[404],
    ),
    route(
        "/parties/{code}/events",
        "The events of a party, as a spectator is told them: first `snapshot`.",
        &[("path", "code", "PartyCode"), ("header", "Last-Event-ID", "")],
        EVENTS,
        "",
        &[403, 404],
    ),
    route(
        "/games/{id}",
        "A kept game with its moves.",
        &[("path", "id", "GameId")],
        JSON,
        "ArchivedGame",
        &[403, 404],
    ),
    route(
        "/players/{id}",
        "A player's profile, as everybody sees it.",
        &[("path", "id", "PlayerId")],
        JSON,
        "Profile",
        &[403, 404],
    ),
    route(
        "/players/{id}/games",
        "The public games of a player, one a line, the newest first. `Link` names the next page.",
        &[("path", "id", "PlayerId"), ("query", "before", "GameId")],
        "application/x-ndjson",
        "",
        &[403, 404],
    ),
    route(
        "/leaders",
        "The strongest players of a class of boards.",
        &[("query", "class", "BoardClass"), ("query", "period", "Period")],
        JSON,
        "Leaderboard",
        &[403],
    ),
    route(
        "/puzzle",
        "The puzzle of today, or of a day that has been.",
        &[("query", "date", "Date")],
        JSON,
        "DailyPuzzle",
        &[404],
    ),
    route(
        "/schema.json",
        "The JSON Schema of all messages.",
        &[],
        "application/schema+json",
        "",
        &[],
    ),
    route("/openapi.json", "This description.", &[], JSON, "", &[]),
    route("/asyncapi.json", "The AsyncAPI of the WebSocket.", &[], JSON, "", &[]),
];

/// All types, with references within `components`.
fn components(schema: &Value) -> Map<String, Value> {
    let text = schema["$defs"].to_string().replace("#/$defs/", "#/components/schemas/");
    serde_json::from_str(&text).unwrap_or_default()
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Adds a type, and the types that it needs.
fn add_with_needs(all: &Map<String, Value>, name: &str, found: &mut Map<String, Value>) {
    let Some(of) = all.get(name).filter(|_| !found.contains_key(name)) else { return };
    found.insert(name.to_owned(), of.clone());
    let text = of.to_string();
    for rest in text.split("#/components/schemas/").skip(1) {
        let need = rest.split('"').next().unwrap_or_default();
        add_with_needs(all, need, found);
    }
}

fn openapi_of(schema: &Value) -> Value {
    let all = components(schema);
    let mut types = Map::new();
    let names = ROUTES
        .iter()
        .flat_map(|route| route.parameters.iter().map(|(.., of)| *of).chain([route.answer]));
    for name in names.chain(["RefusalCode", "DisplayText", "RoomSummary"]) {
        add_with_needs(&all, name, &mut types);
    }
    let list = json!({"type": "array", "items": reference("RoomSummary")});
    let rooms = json!({
        "type": "object",
        "required": ["waiting", "playing", "more"],
        "properties": {"waiting": list, "playing": list, "more": {"type": "integer", "minimum": 0}},
    });
    types.insert("Rooms".to_owned(), rooms);
    let refusal = json!({
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": reference("RefusalCode"), "message": reference("DisplayText")},
    });
    types.insert("Refusal".to_owned(), refusal);
    let paths: Map<String, Value> = ROUTES
        .iter()
        .map(|route| (route.path.to_owned(), json!({"get": operation(route)})))
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Noughts",
            "version": "1",
            "description": "What a server shows to programs that only read.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "."}],
        "paths": paths,
        "components": {
            "schemas": types,
            "securitySchemes": {"password": {"type": "http", "scheme": "basic"}},
        },
        // Only a server with a password asks for it.
        "security": [{}, {"password": []}],
    })
}

fn operation(route: &Route) -> Value {
    let parameters: Vec<Value> = route
        .parameters
        .iter()
        .map(|(place, name, of)| {
            let schema = if of.is_empty() { json!({"type": "string"}) } else { reference(of) };
            json!({"in": place, "name": name, "required": *place == "path", "schema": schema})
        })
        .collect();
    let schema = match (route.answer, route.kind) {
        ("", JSON | "application/schema+json") => json!({"type": "object"}),
        ("", _) => json!({"type": "string"}),
        (answer, _) => reference(answer),
    };
    let mut responses = Map::new();
    responses.insert(
        "200".to_owned(),
        json!({"description": route.about, "content": {route.kind: {"schema": schema}}}),
    );
    if route.kind != EVENTS {
        responses
            .insert("304".to_owned(), json!({"description": "The client has it by its ETag."}));
    }
    for status in GENERAL.iter().chain(route.statuses) {
        let content = json!({JSON: {"schema": reference("Refusal")}});
        let refused = json!({"description": "It is refused.", "content": content});
        responses.insert(status.to_string(), refused);
    }
    let id: String = route.path.chars().filter(|c| !matches!(c, '{' | '}')).collect();
    json!({
        "operationId": id.trim_matches('/').replace(['/', '.'], "_"),
        "summary": route.about,
        "parameters": parameters,
        "responses": responses,
    })
}

/// The socket: what a client sends, and what a server does.
fn asyncapi_of(schema: &Value) -> Value {
    let types = components(schema);
    let mut messages = Map::new();
    let mut channel = Map::new();
    for side in ["ClientMessage", "ServerMessage"] {
        for message in types[side]["oneOf"].as_array().into_iter().flatten() {
            let name = message["title"].as_str().unwrap_or_default();
            let summary = message.get("description").cloned().unwrap_or_default();
            let message = json!({"name": name, "summary": summary, "payload": message});
            messages.insert(name.to_owned(), message);
            channel
                .insert(name.to_owned(), json!({"$ref": format!("#/components/messages/{name}")}));
        }
    }
    let of = |side: &str| -> Vec<Value> {
        let titles = types[side]["oneOf"].as_array().into_iter().flatten();
        let named = titles.filter_map(|message| message["title"].as_str());
        named.map(|name| json!({"$ref": format!("#/channels/socket/messages/{name}")})).collect()
    };
    let socket = json!({"$ref": "#/channels/socket"});
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Noughts",
            "version": "1",
            "description": "The WebSocket of a server: one JSON object a text frame.",
        },
        "channels": {"socket": {"address": "/ws", "messages": channel}},
        "operations": {
            "send": {"action": "receive", "channel": socket, "messages": of("ClientMessage")},
            "hear": {"action": "send", "channel": socket, "messages": of("ServerMessage")},
        },
        "components": {"schemas": types, "messages": messages},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every reference of a description leads to something in it.
    #[track_caller]
    fn check(description: &Value) {
        let text = description.to_string();
        let mut count = 0;
        for rest in text.split("\"$ref\":\"#").skip(1) {
            let pointer = rest.split('"').next().unwrap();
            assert!(description.pointer(pointer).is_some(), "nothing at {pointer}");
            count += 1;
        }
        assert!(count > 20, "{count} references");
    }

    #[test]
    fn the_descriptions_are_whole() {
        let schema = schema_value();
        check(&openapi_of(&schema));
        let asyncapi = asyncapi_of(&schema);
        check(&asyncapi);
        let sent = asyncapi["operations"]["send"]["messages"].as_array().map(Vec::len);
        assert_eq!(sent, schema["$defs"]["ClientMessage"]["oneOf"].as_array().map(Vec::len));
    }
}
