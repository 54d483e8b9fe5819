//! The modules that the page and the package of `js/` take from `protocol`: the constants and the
//! table of settings. So nobody copies a number or a name by hand.
//!
//! With `NOUGHTS_UPDATE=1` in the environment these tests write the modules anew.

use std::fs;
use std::path::Path;

use noughts_protocol::opening::MIN_SWAP2_SIDE;
use noughts_protocol::party::settings::wire_value;
use noughts_protocol::party::state::{KEPT_DECISIONS, KEPT_PAIRINGS};
use noughts_protocol::party::{MAX_ENTRANTS, MAX_ROUND_ROBIN};
use noughts_protocol::settings::{Kind, Need, SETTINGS};
use noughts_protocol::text::BYTES_PER_CHAR;
use noughts_protocol::{
    ANSWER_MS, Animal, BoardSpec, CHALLENGE_MS, CHAT_BURST, CHAT_LINES, CHAT_WINDOW_MS, CloseCode,
    Colour, FIRST_DELAY_MS, LONG_MOVE_MS, LONGEST_DELAY_AT_FIRST_MS, LONGEST_DELAY_MS,
    MAX_CHAT_CHARS, MAX_MUTED, MAX_NAME_CHARS, MAX_RETRIES, MAX_UNANSWERED, PARTY_SETTINGS,
    PING_ID, PROTOCOL_VERSION, REJOIN_MS, RETRY_MS, RefusalCode, RoomCode, Setting, Variant,
};
use serde_json::{Map, Value, json};

const HEAD: &str = "\
// The settings of `protocol/src/settings.rs`, one a line. A test of `protocol` writes this file.
// @ts-check

/** @type {readonly import(\"../choices.js\").Setting[]} */
export const SETTINGS = Object.freeze([
";

/// Before the names of the variants. Every visit needs these, and the settings only in a form.
const VARIANTS_HEAD: &str = "\
// The variants of `protocol/src/rules.rs`. A test of `protocol` writes this file.
// @ts-check

/** @typedef {";

/// After the names of the variants.
const VARIANTS: &str = "} Variant */

/** The boards of each variant that a form offers, the default first, and whether it takes any other.
 * @type {Readonly<Record<string, {boards: readonly string[], any?: true}>>} */
export const VARIANTS = Object.freeze(";

const PARTY_HEAD: &str = "\
// The settings of `protocol/src/party/settings.rs`, one a line. A test of `protocol` writes
// this file.
// @ts-check

/** @type {readonly import(\"../choices.js\").Setting[]} */
export const PARTY_SETTINGS = Object.freeze([
";

fn need(need: &Need) -> Value {
    match need {
        Need::Listing => json!({ "feature": "listing" }),
        Need::Spectators => json!({ "feature": "spectators" }),
        Need::Chat => json!({ "feature": "chat" }),
        Need::LargeBoard => json!({ "board": "swap2" }),
        Need::Comments => json!({ "board": "comments" }),
        Need::Value(name, values) => json!({ "setting": name, "values": values }),
    }
}

/// A row. `wire_value` is a value of it on the wire.
fn setting(setting: &Setting, wire_value: impl Fn(&str) -> Result<Value, String>) -> Value {
    let kind = match setting.kind {
        Kind::Board => "board",
        Kind::Choice => "choice",
        Kind::Time => "time",
        Kind::YesNo => "yes_no",
    };
    let texts: Vec<&str> = setting.offered.iter().map(|(text, _)| *text).collect();
    let on_the_wire = |text: &&str| wire_value(text).expect("an offered value is one");
    let mut row = json!({
        "name": setting.name,
        "wire": setting.wire,
        "kind": kind,
        "values": texts,
        "onWire": texts.iter().map(on_the_wire).collect::<Vec<_>>(),
        "default": setting.default,
        "forms": setting.forms.iter().map(|form| form.name()).collect::<Vec<_>>(),
        "more": setting.more,
        "needs": setting.needs.iter().map(need).collect::<Vec<_>>(),
    });
    // Left out where it is empty: the page is small.
    for (form, text) in setting.own_defaults {
        row["own"][form.name()] = json!(text);
    }
    row
}

/// The constants: what each is, its name and its value.
fn constants() -> Vec<(&'static str, &'static str, Value)> {
    let mut last: Vec<CloseCode> = CloseCode::ALL.to_vec();
    last.retain(|code| !code.reconnect());
    let last: Vec<u16> = last.into_iter().map(CloseCode::number).collect();
    let letters = std::str::from_utf8(RoomCode::ALPHABET).expect("letters");
    vec![
        ("The version of the wire contract.", "PROTOCOL_VERSION", json!(PROTOCOL_VERSION)),
        ("After these close codes nobody reconnects.", "FINAL_CLOSE_CODES", json!(last)),
        ("The id of every ping; no intent has it.", "PING_ID", json!(PING_ID)),
        ("The most unanswered intents of the player.", "MAX_UNANSWERED", json!(MAX_UNANSWERED)),
        ("Without any answer for so long: connect again.", "ANSWER_MS", json!(ANSWER_MS)),
        ("The wait for a room that could not be read.", "REJOIN_MS", json!(REJOIN_MS)),
        ("The wait before the first reconnect.", "FIRST_DELAY_MS", json!(FIRST_DELAY_MS)),
        (
            "The longest wait in the first 15 s.",
            "LONGEST_DELAY_AT_FIRST_MS",
            json!(LONGEST_DELAY_AT_FIRST_MS),
        ),
        ("The longest wait after that.", "LONGEST_DELAY_MS", json!(LONGEST_DELAY_MS)),
        ("The longest name, in characters.", "MAX_NAME_CHARS", json!(MAX_NAME_CHARS)),
        ("The longest text of a line, in characters.", "MAX_CHAT_CHARS", json!(MAX_CHAT_CHARS)),
        ("The bytes of a character, on average at most.", "BYTES_PER_CHAR", json!(BYTES_PER_CHAR)),
        (
            "The lines of players, and of spectators, that are kept.",
            "CHAT_LINES",
            json!(CHAT_LINES),
        ),
        ("The lines that a player may say in a row.", "CHAT_BURST", json!(CHAT_BURST)),
        ("After so long they may say as many again.", "CHAT_WINDOW_MS", json!(CHAT_WINDOW_MS)),
        ("The most people whom a player may mute.", "MAX_MUTED", json!(MAX_MUTED)),
        ("So long somebody who is asked to play has to come.", "CHALLENGE_MS", json!(CHALLENGE_MS)),
        (
            "With so long for a move, or longer, nobody claims before the clock ends.",
            "LONG_MOVE_MS",
            json!(LONG_MOVE_MS),
        ),
        ("The letters of room codes.", "CODE_LETTERS", json!(letters)),
        ("The length of a room code.", "CODE_LENGTH", json!(RoomCode::LETTERS)),
        ("The shortest side of a board, and line.", "MIN_SIDE", json!(BoardSpec::MIN_SIDE)),
        ("The longest side of a board.", "MAX_SIDE", json!(BoardSpec::MAX_SIDE)),
        ("The shortest side of a board for swap2.", "MIN_SWAP2_SIDE", json!(MIN_SWAP2_SIDE)),
    ]
}

/// The constants that only the parts for parties need.
fn party_constants() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("The most entrants of a party.", "MAX_ENTRANTS", json!(MAX_ENTRANTS)),
        ("The most entrants of a round robin.", "MAX_ROUND_ROBIN", json!(MAX_ROUND_ROBIN)),
        (
            "The pairings of \"winner stays on\" that are remembered.",
            "KEPT_PAIRINGS",
            json!(KEPT_PAIRINGS),
        ),
        (
            "The results of earlier rounds that the host has decided and that are remembered.",
            "KEPT_DECISIONS",
            json!(KEPT_DECISIONS),
        ),
    ]
}

/// The constants that only the clients for programs need.
fn retries() -> Vec<(&'static str, &'static str, Value)> {
    let mut passing = RefusalCode::ALL.to_vec();
    passing.retain(|code| code.reconnect());
    vec![
        ("So often what came too fast is asked again.", "MAX_RETRIES", json!(MAX_RETRIES)),
        ("The pause before that.", "RETRY_MS", json!(RETRY_MS)),
        (
            "After these refusals of a hello the next may be welcomed.",
            "PASSING_REFUSALS",
            json!(passing),
        ),
    ]
}

/// The lists that only the part with the drawings needs.
fn face_constants() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("What may be drawn.", "ANIMALS", json!(Animal::ALL)),
        ("The colours that it may have.", "COLOURS", json!(Colour::ALL)),
    ]
}

/// The module, as the page's bundler reads it: one declaration a line.
fn constants_module(what: &str, constants: &[(&str, &str, Value)]) -> String {
    let mut module = format!("// {what} A test of `protocol` writes this file.\n// @ts-check\n");
    for (what, name, value) in constants {
        let value =
            if value.is_array() { format!("Object.freeze({value})") } else { value.to_string() };
        module += &format!("\n/** {what} */\nexport const {name} = {value};\n");
    }
    module
}

/// The name of a variant and its boards.
fn boards(variant: Variant) -> (String, Value) {
    let mut boards = json!({ "boards": variant.boards() });
    let sides = || BoardSpec::MIN_SIDE..=BoardSpec::MAX_SIDE;
    let lines =
        |width, height| sides().filter_map(move |line| BoardSpec::new(width, height, line).ok());
    let heights = |width| sides().flat_map(move |height| lines(width, height));
    if sides().flat_map(heights).all(|board| variant.admits(board)) {
        boards["any"] = json!(true);
    }
    (variant.name().to_owned(), boards)
}

/// The folders of the page, of the package of `js/` and of the one of `python/`.
const PAGE: &str = "../server/web/js/generated";
const CLIENT: &str = "js/src/generated";
const PYTHON: &str = "python/src/noughts";

/// Checks that a folder has this module.
fn check(folder: &str, file: &str, module: &str) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(file);
    if std::env::var_os("NOUGHTS_UPDATE").is_some() {
        fs::write(&place, module).expect("the module can be written");
    }
    let written = fs::read_to_string(&place).unwrap_or_default();
    assert!(written == module, "NOUGHTS_UPDATE=1 tests/run page");
}

#[test]
fn the_clients_package_has_the_same_constants() {
    let module = constants_module("The constants of the protocol.", &constants());
    check(CLIENT, "constants.js", &module);
    let module = constants_module("The numbers of parties.", &party_constants());
    check(CLIENT, "party.js", &module);
    let module = constants_module("What is asked again.", &retries());
    check(CLIENT, "retries.js", &module);
}

#[test]
fn the_python_package_has_the_same_constants() {
    let head =
        "\"\"\"The constants of the protocol. A test of `protocol` writes this file.\"\"\"\n";
    let all = constants().into_iter().chain(party_constants()).chain(retries());
    // Numbers, texts and lists are written in Python as in JSON.
    let module: String =
        all.map(|(what, name, value)| format!("\n# {what}\n{name} = {value}\n")).collect();
    check(PYTHON, "constants.py", &(head.to_owned() + &module));
}

#[test]
fn the_page_has_the_same_faces() {
    let module = constants_module("The faces of `protocol/src/face.rs`.", &face_constants());
    check(PAGE, "faces.js", &module);
}

#[test]
fn the_page_has_the_same_party() {
    let row = |one: &Setting| setting(one, |text| wire_value(one, text));
    let rows: String = PARTY_SETTINGS.iter().map(|one| format!("  {},\n", row(one))).collect();
    check(PAGE, "party.js", &format!("{PARTY_HEAD}{rows}]);\n"));
}

#[test]
fn the_page_has_the_same_settings() {
    let row = |one: &Setting| setting(one, |text| one.wire_value(text));
    let rows: String = SETTINGS.iter().map(|one| format!("  {},\n", row(one))).collect();
    check(PAGE, "settings.js", &format!("{HEAD}{rows}]);\n"));
}

#[test]
fn the_clients_package_has_the_same_variants() {
    let names = Variant::ALL.map(|variant| json!(variant).to_string()).join(" | ");
    let boards: Map<String, Value> = Variant::ALL.into_iter().map(boards).collect();
    let boards = Value::from(boards);
    check(CLIENT, "variants.js", &format!("{VARIANTS_HEAD}{names}{VARIANTS}{boards});\n"));
}
