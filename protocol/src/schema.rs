//! The JSON Schema (draft 2020-12) of all messages, generated from the types: `protocol/schema.json`.
//! Only tests use it: the programs are built without the feature `schema`.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

mod generated;

use crate::id::{
    GameId, IntentId, JoinPassword, PartyCode, PassCode, PlayerId, PlayerName, PlayerToken,
    RoomCode,
};
use crate::text::BYTES_PER_CHAR;
use crate::{
    AnnouncementText, BoardSpec, Cell, ChatText, ClientMessage, Date, DisplayText, Hello,
    LobbyIntent, MAX_ANNOUNCEMENT_CHARS, MAX_CHAT_CHARS, MAX_NAME_CHARS, MAX_PASSWORD_BYTES,
    MAX_TEXT_CHARS, PROTOCOL_VERSION, PartyIntent, RoomIntent, ServerMessage,
};

/// The schema of all messages of clients and servers. Each type is in `$defs`.
///
/// The server never refuses a frame that matches it as `bad_message`. An optional field may also be
/// `null`. Unknown fields are ignored, as on the wire.
///
/// # Panics
/// Never: the schema of every type is an object, and that of every enum of intents has variants.
#[must_use]
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let client = generator.subschema_for::<ClientMessage>();
    let server = generator.subschema_for::<ServerMessage>();
    let mut definitions = generator.take_definitions(true);
    for definition in definitions.values_mut() {
        bound_numbers(definition);
        let described = definition.as_object_mut().expect("a type's schema is an object");
        allow_null(described);
    }
    generated::complete(&mut definitions);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:noughts:protocol:{PROTOCOL_VERSION}"),
        "title": "NoughtsMessage",
        "description": "One JSON object a text frame. A client sends what #/$defs/ClientMessage \
                        describes, a server what #/$defs/ServerMessage does.",
        "anyOf": [client, server],
        "$defs": definitions,
    })
}

/// Adds the ranges of Rust's numbers.
fn bound_numbers(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let most = match object.get("format").and_then(Value::as_str) {
                Some("uint8") => Some(u64::from(u8::MAX)),
                Some("uint16") => Some(u64::from(u16::MAX)),
                Some("uint32") => Some(u64::from(u32::MAX)),
                // Greater numbers are not exact in every language.
                Some("uint64") => Some(IntentId::MAX),
                _ => None,
            };
            if object.get("format").and_then(Value::as_str) == Some("int32") {
                object.remove("format");
                object.entry("minimum").or_insert(i32::MIN.into());
                object.entry("maximum").or_insert(i32::MAX.into());
            }
            if let Some(most) = most {
                object.remove("format");
                object.entry("maximum").or_insert(most.into());
            }
            object.values_mut().for_each(bound_numbers);
        }
        Value::Array(list) => list.iter_mut().for_each(bound_numbers),
        _ => {}
    }
}

/// Lets every optional field be `null`.
fn allow_null(object: &mut Map<String, Value>) {
    for key in ["oneOf", "anyOf", "allOf"] {
        let alternatives = object.get_mut(key).and_then(Value::as_array_mut);
        alternatives.into_iter().flatten().filter_map(Value::as_object_mut).for_each(allow_null);
    }
    let required = object.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| {
        required.as_array().is_some_and(|names| names.iter().any(|required| required == name))
    };
    let fields = object.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        let Some(field) = field.as_object_mut() else { continue };
        allow_null(field);
        if !is_required(name) {
            or_null(field);
        }
    }
}

fn or_null(field: &mut Map<String, Value>) {
    let nothing = json!({"type": "null"});
    if let Some(kind) = field.get_mut("type") {
        if let Value::String(name) = kind {
            *kind = json!([name, "null"]);
        }
    } else if let Some(Value::Array(alternatives)) = field.get_mut("anyOf") {
        if !alternatives.contains(&nothing) {
            alternatives.push(nothing);
        }
    } else if let Some(reference) = field.remove("$ref") {
        field.insert("anyOf".to_owned(), json!([{"$ref": reference}, nothing]));
    }
}

/// All messages of clients side by side, each with all its fields, as they are on the wire.
impl JsonSchema for ClientMessage {
    fn schema_name() -> Cow<'static, str> {
        "ClientMessage".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let tag = ("type", json!({"type": "string", "const": "hello"}));
        let id = generator.subschema_for::<IntentId>();
        let room = generator.subschema_for::<RoomCode>();
        let id = ("id", described(id, "The client's number for this intent."));
        let room = ("room", described(room, "The room's code."));
        let party = generator.subschema_for::<PartyCode>();
        let party = ("party", described(party, "The party's code."));
        let mut messages = vec![with_fields(Hello::json_schema(generator).into(), &[tag])];
        for (intents, fields) in [
            (RoomIntent::json_schema(generator), &[id.clone(), room][..]),
            (PartyIntent::json_schema(generator), &[id.clone(), party]),
            (LobbyIntent::json_schema(generator), &[id]),
        ] {
            messages.extend(variants(intents).into_iter().map(|one| with_fields(one, fields)));
        }
        json_schema!({
            "description": "What a client sends. Every message but `hello` carries an `id` and is \
                            answered exactly once, by `ok`, `refused` or (for `ping`) `pong`.",
            "oneOf": messages,
        })
    }
}

fn described(schema: Schema, description: &str) -> Value {
    let mut schema = schema.to_value();
    schema["description"] = description.into();
    schema
}

/// The schemas of an enum's variants.
fn variants(mut schema: Schema) -> Vec<Value> {
    match schema.remove("oneOf") {
        Some(Value::Array(variants)) => variants,
        other => panic!("no variants: {other:?}"),
    }
}

/// An object's schema with more fields, which are required. The tag is named first.
fn with_fields(mut object: Value, fields: &[(&str, Value)]) -> Value {
    for (name, schema) in fields {
        object["properties"][name] = schema.clone();
    }
    let required = object["required"].as_array_mut().expect("an object has required fields");
    required.splice(0..0, fields.iter().map(|(name, _)| Value::from(*name)));
    required.sort_by_key(|name| name != "type");
    object
}

/// The schema of a side of a board or of a line.
fn length(description: &str) -> Value {
    let min = BoardSpec::MIN_SIDE;
    let max = BoardSpec::MAX_SIDE;
    json!({"description": description, "type": "integer", "minimum": min, "maximum": max})
}

/// The schemas of types that serialize themselves.
macro_rules! schema_of {
    ($($($type:ty, $name:literal)|+: $schema:tt;)*) => {$($(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+)*};
}

schema_of! {
    RoomCode, "RoomCode": {
        "description": "five letters of `BCDFGHJKLMNPQRSTVWXZ`; case, spaces and dashes do not \
                        count",
        "type": "string",
        "pattern": "^([ -]*[BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz]){5}[ -]*$",
    };
    PartyCode, "PartyCode": {
        "description": "like the code of a room",
        "type": "string",
        "pattern": "^([ -]*[BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz]){5}[ -]*$",
    };
    PlayerId, "PlayerId" | GameId, "GameId": {
        "description": "16 hexadecimal digits",
        "type": "string",
        "pattern": "^[0-9A-Fa-f]{16}$",
    };
    Date, "Date": {
        "description": "a day in UTC",
        "type": "string",
        "format": "date",
        "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
    };
    ChatText, "ChatText": {
        "description": format!(
            "one line of 1 to {MAX_CHAT_CHARS} grapheme clusters that can be seen, at most {} bytes",
            MAX_CHAT_CHARS * BYTES_PER_CHAR
        ),
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_CHAT_CHARS * BYTES_PER_CHAR,
    };
    AnnouncementText, "AnnouncementText": {
        "description": format!(
            "one line of 1 to {MAX_ANNOUNCEMENT_CHARS} grapheme clusters that can be seen, at most {} bytes",
            MAX_ANNOUNCEMENT_CHARS * BYTES_PER_CHAR
        ),
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_ANNOUNCEMENT_CHARS * BYTES_PER_CHAR,
    };
    PlayerName, "PlayerName": {
        "description": format!(
            "1 to {MAX_NAME_CHARS} grapheme clusters that can be seen, at most {} bytes",
            MAX_NAME_CHARS * BYTES_PER_CHAR
        ),
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_NAME_CHARS * BYTES_PER_CHAR,
    };
    PlayerToken, "PlayerToken" | PassCode, "PassCode": {
        "description": "opaque: 1 to 128 letters, digits, `-`, `_` and `.`",
        "type": "string",
        "pattern": format!("^[0-9A-Za-z._-]{{1,{}}}$", PlayerToken::MAX_LEN),
    };
    JoinPassword, "JoinPassword": {
        "description": format!("1 to {MAX_PASSWORD_BYTES} bytes without control characters"),
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_PASSWORD_BYTES,
        "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*$",
    };
    DisplayText, "DisplayText": {
        "description": format!("text for people, at most {MAX_TEXT_CHARS} grapheme clusters"),
        "type": "string",
        "maxLength": MAX_TEXT_CHARS * BYTES_PER_CHAR,
    };
    IntentId, "IntentId": {
        "type": "integer",
        "minimum": 0,
        "maximum": IntentId::MAX,
    };
    Cell, "Cell": {
        "description": "numbered from 0, row by row from the top left",
        "type": "integer",
        "minimum": 0,
        "maximum": u16::from(BoardSpec::MAX_SIDE) * u16::from(BoardSpec::MAX_SIDE) - 1,
    };
    BoardSpec, "BoardSpec": {
        "description": "A board; `line` is at most the longer side.",
        "type": "object",
        "properties": {
            "width": length("Cells in a row."),
            "height": length("Cells in a column."),
            "line": length("Marks in a row that win."),
        },
        "required": ["width", "height", "line"],
    };
}
