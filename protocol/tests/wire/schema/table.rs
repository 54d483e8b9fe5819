//! The table of `protocol/fields.md`: every field of every object, as the schema has it. And that of the
//! variants in `protocol/README.md`.

use serde_json::Value;

use super::fields::{self, Field, Fields, name_of};

/// More words than these are not listed: they are the refusal codes, which have a table.
const MOST_WORDS: usize = 12;

/// The whole table, what a client sends first.
pub(crate) fn table(fields: &Fields) -> String {
    let mut text = String::from(
        "| field | type | range | default | may be `null` |\n| --- | --- | --- | --- | --- |\n",
    );
    for (title, shape) in fields.all() {
        let (needed, optional): (Vec<_>, Vec<_>) =
            shape.fields.iter().partition(|(_, field)| field.is_required);
        for (name, field) in needed.into_iter().chain(optional) {
            // It is the name of the message.
            if name == "type" {
                continue;
            }
            text.push_str(&row(fields, &title, name, field));
        }
    }
    text
}

/// The words of a type, and what each means.
pub(crate) fn words_and_meanings(of: &Value) -> String {
    let rows = of["oneOf"].as_array().into_iter().flatten().map(|word| {
        let meaning = word["description"].as_str().unwrap_or_default().replace('\n', " ");
        format!("| `{}` | {meaning} |\n", word["const"].as_str().unwrap_or_default())
    });
    "| `variant` | boards and rules |\n| --- | --- |\n".to_owned() + &rows.collect::<String>()
}

fn row(fields: &Fields, title: &str, name: &str, field: &Field) -> String {
    let Field { schema, is_required } = field;
    let default = match schema.get("default") {
        _ if *is_required => "required".to_owned(),
        _ if is_given_in_part(fields, schema) => "`{}`".to_owned(),
        Some(default) => format!("`{default}`"),
        None => "`null`".to_owned(),
    };
    let null = if is_nullable(schema) { "yes" } else { "no" };
    let (kind, range) = kind(fields, schema);
    format!("| `{title}.{name}` | {kind} | {range} | {default} | {null} |\n")
}

/// Whether it is an object of which everything may be left out.
fn is_given_in_part(fields: &Fields, schema: &Value) -> bool {
    let Some(name) = name_of(schema) else { return false };
    let all = fields.all();
    let mut shapes = all.iter().filter(|(title, _)| title == name).map(|(_, shape)| shape);
    shapes.next().is_some_and(|shape| shape.fields.values().all(|field| !field.is_required))
}

fn is_nullable(schema: &Value) -> bool {
    let kinds = schema.get("type").and_then(Value::as_array);
    let any = schema.get("anyOf").and_then(Value::as_array);
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
        || any.is_some_and(|any| any.iter().any(|one| one["type"] == "null"))
}

/// The type of a field, and the words that it may be.
fn kind(fields: &Fields, schema: &Value) -> (String, String) {
    if let Some(name) = name_of(schema) {
        let of = fields.type_of(name);
        let words = words(of);
        let is_object = fields.all().iter().any(|(title, _)| title.split(' ').next() == Some(name));
        return match (is_object, words.is_empty()) {
            (true, true) => (format!("object `{name}`"), String::new()),
            (true, false) => (format!("string or object `{name}`"), words),
            (false, true) => simple(of),
            (false, false) => ("string".to_owned(), words),
        };
    }
    if let Some(items) = schema.get("items") {
        let (kind, range) = kind_of_items(fields, items);
        return (format!("list of {kind}"), range);
    }
    simple(schema)
}

fn kind_of_items(fields: &Fields, items: &Value) -> (String, String) {
    let (kind, range) = kind(fields, items);
    (kind.replace("object ", ""), range)
}

/// The words that a type may be, as they are listed.
fn words(schema: &Value) -> String {
    let words = fields::words(schema);
    if words.len() > MOST_WORDS {
        return "see [refusal codes](README.md#refusal-codes)".to_owned();
    }
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn simple(schema: &Value) -> (String, String) {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[0].as_str(),
        kind => kind.as_str(),
    };
    let kind = kind.unwrap_or_else(|| panic!("no type: {schema}")).to_owned();
    let range = if let Some(word) = schema.get("const").and_then(Value::as_str) {
        format!("`{word}`")
    } else if let (Some(least), Some(most)) = (schema.get("minimum"), schema.get("maximum")) {
        if least == most { least.to_string() } else { format!("{least} to {most}") }
    } else if kind == "boolean" {
        "`true`, `false`".to_owned()
    } else {
        schema["description"].as_str().unwrap_or_default().to_owned()
    };
    (kind, range)
}
