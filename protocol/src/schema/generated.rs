//! Additions to the schema for code generators: a name for each variant, and the longest lists.
//!
//! A generator numbers an object of an enum that has no `title`. It makes a second type of a `$ref`
//! with a description beside it, and of an object that is both a list of variants and fields.

use serde_json::{Map, Value, json};

use crate::party::MAX_ENTRANTS;
use crate::{
    CHAT_LINES, HISTORY_PAGE, MAX_HERE, MAX_LEADERS, MAX_LOBBY_ROOMS, MAX_MUTED, MAX_RECENT,
    MAX_TALLIES, MAX_TOLD_BOARDS,
};

/// The most items of lists, by the type or the title of the variant.
const LISTS: &[(&str, &str, usize)] = &[
    // Those of the players, and those of the spectators.
    ("ChatMessage", "lines", 2 * CHAT_LINES),
    ("ChatMessage", "muted", MAX_MUTED),
    ("BoardsMessage", "boards", MAX_TOLD_BOARDS),
    ("HereFound", "people", MAX_HERE),
    ("HistoryFound", "games", HISTORY_PAGE),
    ("Leaderboard", "rows", MAX_LEADERS),
    ("LobbyMessage", "playing", MAX_LOBBY_ROOMS),
    ("LobbyMessage", "waiting", MAX_LOBBY_ROOMS),
    ("PartyPresence", "away", MAX_ENTRANTS),
    ("PartyPresence", "ready", MAX_ENTRANTS),
    ("PartySnapshot", "entrants", MAX_ENTRANTS),
    ("PartySnapshot", "places", MAX_ENTRANTS),
    ("PartySnapshot", "queue", MAX_ENTRANTS),
    ("Profile", "boards", MAX_TALLIES),
    ("Profile", "opponents", MAX_TALLIES),
    ("Profile", "recent", MAX_RECENT),
];

/// Completes all types.
pub(super) fn complete(definitions: &mut Map<String, Value>) {
    for (name, definition) in definitions.iter_mut() {
        spread(definition);
        for variant in variants(definition) {
            if let Some(title) = title(name, variant) {
                bound_lists(&title, variant);
                variant["title"] = title.into();
            }
        }
        bound_lists(name, definition);
        wrap_references(definition);
    }
}

fn variants(definition: &mut Value) -> impl Iterator<Item = &mut Value> {
    definition.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten()
}

/// The name of a variant that is an object: its tag, or else its first field, before the name of its type.
fn title(name: &str, variant: &Value) -> Option<String> {
    let fields = variant.get("properties")?.as_object()?;
    let tag = fields.values().find_map(|field| field.get("const")?.as_str());
    let word = tag.or_else(|| fields.keys().next().map(String::as_str))?;
    let of = match name {
        "ClientMessage" if word == "hello" => "",
        "ClientMessage" => "Intent",
        "ServerMessage" => "Message",
        name => name,
    };
    let upper = |part: &str| part[..1].to_uppercase() + &part[1..];
    Some(word.split('_').map(upper).collect::<String>() + of)
}

/// Gives the fields of an object with variants to each variant.
fn spread(definition: &mut Value) {
    if definition.get("oneOf").is_none() {
        return;
    }
    let Some(Value::Object(fields)) =
        definition.as_object_mut().and_then(|it| it.remove("properties"))
    else {
        return;
    };
    let required = definition["required"].take();
    for variant in variants(definition) {
        for (name, field) in &fields {
            variant["properties"][name] = field.clone();
        }
        let all = variant["required"].as_array_mut().into_iter();
        all.for_each(|all| all.extend(required.as_array().into_iter().flatten().cloned()));
    }
    let rest = definition.as_object_mut().into_iter();
    rest.for_each(|rest| rest.retain(|key, value| !value.is_null() && key != "type"));
}

fn bound_lists(name: &str, schema: &mut Value) {
    for (_, field, most) in LISTS.iter().filter(|(of, ..)| *of == name) {
        schema["properties"][field]["maxItems"] = (*most).into();
    }
}

/// Puts a reference with a description beside it into an `anyOf`, as one that may be `null` is.
fn wrap_references(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(wrap_references);
            if object.len() > 1
                && !object.contains_key("properties")
                && let Some(reference) = object.remove("$ref")
            {
                object.insert("anyOf".to_owned(), json!([{"$ref": reference}]));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(wrap_references),
        _ => {}
    }
}
