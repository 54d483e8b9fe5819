//! `protocol/schema.json` against the types it is made from, the golden files and
//! `protocol/README.md`: none of them says anything else than the others.
//!
//! With `NOUGHTS_UPDATE=1` in the environment these tests write the schema and the table anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use noughts_protocol::schema::schema;
use noughts_protocol::{ClientMessage, ServerMessage};
use serde_json::{Value, json};

use super::{golden, readme};
use fields::{Fields, Place};

mod fields;
mod table;

/// A file of this package.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Whether the files are to be written anew.
fn is_update() -> bool {
    std::env::var_os("NOUGHTS_UPDATE").is_some()
}

/// The schemas of messages, ready to be asked.
pub(crate) struct Validator {
    schemas: Schemas,
    client: SchemaIndex,
    server: SchemaIndex,
}

impl Validator {
    pub(crate) fn new() -> Self {
        const PLACE: &str = "https://noughts.invalid/schema.json";
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource(PLACE, schema()).expect("a schema");
        let mut compile = |name: &str| {
            let place = format!("{PLACE}#/$defs/{name}");
            compiler.compile(&place, &mut schemas).unwrap_or_else(|e| panic!("{name}: {e:#}"))
        };
        let client = compile("ClientMessage");
        let server = compile("ServerMessage");
        Self { schemas, client, server }
    }

    /// Checks a message by the schema; the error names the place.
    pub(crate) fn check(&self, is_client: bool, message: &Value) -> Result<(), String> {
        let found = self.schemas.validate(message, self.index(is_client));
        found.map_err(|error| format!("{error:#}"))
    }

    /// Whether a message fits the schema. To say why not takes longer than to find out.
    fn fits(&self, is_client: bool, message: &Value) -> bool {
        self.schemas.validate(message, self.index(is_client)).is_ok()
    }

    const fn index(&self, is_client: bool) -> SchemaIndex {
        if is_client { self.client } else { self.server }
    }
}

/// A message as it is read, in a form that can be compared.
fn read(is_client: bool, message: &Value) -> Result<Value, String> {
    let text = message.to_string();
    let again = if is_client {
        ClientMessage::from_json(&text).map(|message| json!(message))
    } else {
        serde_json::from_str::<ServerMessage>(&text).map(|message| json!(message))
    };
    again.map_err(|error| error.to_string())
}

/// Every golden message: its file's name, whether a client sends it, and what it says.
fn messages() -> Vec<(String, bool, Value)> {
    let read = |(name, text): (String, String)| {
        let is_client = name.starts_with("client.");
        let message = serde_json::from_str(&text);
        (name, is_client, message.expect("a golden file is JSON"))
    };
    golden::files().into_iter().map(read).collect()
}

#[test]
fn the_committed_schema_is_the_generated_one() {
    let place = file("schema.json");
    let generated = schema();
    if is_update() {
        let text = serde_json::to_string_pretty(&generated).expect("a schema is JSON");
        fs::write(&place, text + "\n").expect("the schema can be written");
    }
    let committed = fs::read_to_string(&place).expect("protocol/schema.json");
    let committed: Value = serde_json::from_str(&committed).expect("protocol/schema.json is JSON");
    assert!(committed == generated, "NOUGHTS_UPDATE=1 tests/run schema");
}

/// A code generator would number an object of an enum without a name of its own, and a reference
/// with something beside it.
#[test]
fn every_object_of_the_schema_has_a_name_of_its_own() {
    let schema = schema();
    let types = schema["$defs"].as_object().expect("types");
    let mut names: BTreeSet<String> = types.keys().cloned().collect();
    for (name, of) in types {
        for variant in of["oneOf"].as_array().into_iter().flatten() {
            if variant.get("properties").is_some() {
                let title = variant["title"].as_str().unwrap_or_default().to_owned();
                assert!(names.insert(title.clone()), "{name} has a second {title:?}");
            }
        }
        assert!(of.get("oneOf").is_none() || of.get("properties").is_none(), "{name} has both");
    }
    assert!(!has_described_reference(&schema), "a $ref has a description beside it");
}

fn has_described_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => {
            let has = |key| object.contains_key(key);
            (has("$ref") && object.len() > 1 && !has("title"))
                || object.values().any(has_described_reference)
        }
        Value::Array(list) => list.iter().any(has_described_reference),
        _ => false,
    }
}

#[test]
fn every_golden_message_fits_the_schema() {
    let validator = Validator::new();
    for (name, is_client, message) in messages() {
        validator.check(is_client, &message).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!validator.fits(!is_client, &message), "{name} is of the other side");
    }
}

/// Types whose words other tests show: those of faces, lines, settings, refusals and computers.
const SHOWN_ELSEWHERE: [&str; 8] = [
    "Animal",
    "Colour",
    "Direction",
    "FirstMove",
    "RefusalCode",
    "Strategy",
    "Strength",
    "Variant",
];

/// Types whose variants are shown on the page too: a message, and what is told in one.
const MESSAGES: [&str; 5] = ["→", "←", "Event", "PartyEvent", "Found"];

#[test]
fn every_kind_has_a_golden_file_and_every_message_an_example() {
    let fields = Fields::new(schema());
    let missing = |shown: BTreeSet<String>, is_wanted: &dyn Fn(&str) -> bool| {
        let missing: Vec<String> = fields.kinds().difference(&shown).cloned().collect();
        let of = |kind: &String| is_wanted(kind.split(' ').next().unwrap_or_default());
        missing.into_iter().filter(of).collect::<Vec<_>>()
    };
    let kinds = |(is_client, message): (bool, Value)| fields.kinds_in(is_client, &message);
    let golden = messages().into_iter().map(|(_, is_client, message)| (is_client, message));
    let without = missing(golden.flat_map(kinds).collect(), &|of| !SHOWN_ELSEWHERE.contains(&of));
    assert!(without.is_empty(), "add files to protocol/tests/golden that show {without:?}");
    let shown = readme::messages().into_iter().flat_map(kinds).collect();
    let without = missing(shown, &|of| MESSAGES.contains(&of));
    assert!(without.is_empty(), "show {without:?} in protocol/README.md or parties.md");
}

/// Every field that may be left out of any object of any message, found by the schema.
#[test]
fn null_is_as_good_as_left_out_of_every_message() {
    let fields = Fields::new(schema());
    let validator = Validator::new();
    let mut seen = BTreeSet::new();
    for (name, is_client, message) in messages() {
        for Place { pointer, field, shape, is_required, .. } in fields.places(is_client, &message) {
            if is_required {
                continue;
            }
            let with = |value: Option<Value>| {
                let mut changed = message.clone();
                let object = changed.pointer_mut(&pointer).and_then(Value::as_object_mut);
                let object = object.expect("a field is in an object");
                object.remove(&field);
                object.extend(value.map(|value| (field.clone(), value)));
                validator.check(is_client, &changed).unwrap_or_else(|e| panic!("{name}: {e}"));
                read(is_client, &changed).unwrap_or_else(|e| panic!("{name}, {field}: {e}"))
            };
            assert_eq!(with(Some(Value::Null)), with(None), "{name}: {shape}.{field}");
            seen.insert(format!("{shape}.{field}"));
        }
    }
    let missing: Vec<String> =
        fields.optional().into_iter().filter(|field| !seen.contains(field)).collect();
    assert!(missing.is_empty(), "no golden file has an object with {missing:?}");
}

/// Where the types read more than the schema says: a token that is none is one that nobody knows, a face
/// that is none counts as left out, and of numbers some are refused later, by the room, with a code of
/// their own.
const LENIENT: [&str; 9] =
    ["token", "pass", "face", "animal", "colour", "cell", "move_time_ms", "protocol", "line"];

#[test]
fn what_the_schema_refuses_is_refused_and_nothing_else() {
    let fields = Fields::new(schema());
    let validator = Validator::new();
    let wrong = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0.5),
        json!(1_u64 << 60),
        json!(""),
        json!("none of the words"),
        json!([]),
        json!(["x", 3, 3]),
        // The fields of an object in their order are no object.
        json!([3, 3, 3]),
        json!(["you", "open"]),
        json!(["minimax", "weak"]),
        json!([10_000, "minimax", "weak"]),
        json!({}),
        json!({"kind": "none", "x": 1}),
    ];
    let mut seen = BTreeSet::new();
    for (name, is_client, message) in messages() {
        for Place { pointer, field, shape, is_required, .. } in fields.places(is_client, &message) {
            // A field is what it is wherever its object is: the whole message is read for each value.
            if !seen.insert((is_client, shape.clone(), field.clone())) {
                continue;
            }
            let mut refused = 0;
            let mut check = |value: Option<&Value>| {
                let mut changed = message.clone();
                let object = changed.pointer_mut(&pointer).and_then(Value::as_object_mut);
                let object = object.expect("a field is in an object");
                object.remove(&field);
                object.extend(value.map(|value| (field.clone(), value.clone())));
                let fits = validator.fits(is_client, &changed);
                let reads = read(is_client, &changed).is_ok();
                refused += usize::from(!fits);
                assert!(reads || !fits, "{name}: {shape}.{field} = {value:?} is refused");
                let lenient = !is_client || LENIENT.contains(&field.as_str());
                assert!(fits || !reads || lenient, "{name}: {shape}.{field} = {value:?} is read");
            };
            check(None);
            wrong.iter().for_each(|value| check(Some(value)));
            assert!(refused >= wrong.len() / 2, "{name}: {shape}.{field} may be anything");
            assert!(!is_required || refused > wrong.len() / 2, "{name}: {shape}.{field}");
        }
    }
}

#[test]
fn the_table_of_the_page_says_what_the_schema_says() {
    check_table("fields.md", "fields", &table::table(&Fields::new(schema())));
}

#[test]
fn the_table_of_variants_says_what_the_schema_says() {
    check_table("README.md", "variants", &table::words_and_meanings(&schema()["$defs"]["Variant"]));
}

/// Checks that a page has this table between its marks.
fn check_table(page: &str, name: &str, table: &str) {
    let bounds =
        [format!("<!-- {name}, from schema.json -->\n"), format!("<!-- end of {name} -->")];
    let text = fs::read_to_string(file(page)).expect("a page of protocol");
    let (before, rest) = text.split_once(&bounds[0]).expect("the table has a beginning");
    let (written, after) = rest.split_once(&bounds[1]).expect("the table has an end");
    if is_update() {
        let text = [before, &bounds[0], table, &bounds[1], after].concat();
        fs::write(file(page), text).expect("the page can be written");
    } else {
        assert!(written == table, "NOUGHTS_UPDATE=1 tests/run schema");
    }
}
