//! What the page has from `protocol`: the table of settings, written as a module.
//!
//! With `NOUGHTS_UPDATE=1` in the environment this test writes the module anew.

use std::fs;
use std::path::Path;

use noughts_protocol::Setting;
use noughts_protocol::settings::{Kind, Need, SETTINGS};
use serde_json::{Value, json};

const HEAD: &str = "\
// The settings of `protocol/src/settings.rs`, one a line. A test of `protocol` writes this file.
// @ts-check

/** @type {readonly import(\"../choices.js\").Setting[]} */
export const SETTINGS = Object.freeze([
";

fn need(need: &Need) -> Value {
    match need {
        Need::Listing => json!({ "feature": "listing" }),
        Need::Spectators => json!({ "feature": "spectators" }),
        Need::LargeBoard => json!({ "board": "swap2" }),
        Need::Value(name, values) => json!({ "setting": name, "values": values }),
    }
}

fn setting(setting: &Setting) -> Value {
    let kind = match setting.kind {
        Kind::Board => "board",
        Kind::Choice => "choice",
        Kind::Time => "time",
        Kind::YesNo => "yes_no",
    };
    let texts: Vec<&str> = setting.offered.iter().map(|(text, _)| *text).collect();
    let on_the_wire = |text: &&str| setting.wire_value(text).expect("an offered value is one");
    json!({
        "name": setting.name,
        "wire": setting.wire,
        "kind": kind,
        "values": texts,
        "onWire": texts.iter().map(on_the_wire).collect::<Vec<_>>(),
        "default": setting.default,
        "forms": setting.forms.iter().map(|form| form.name()).collect::<Vec<_>>(),
        "more": setting.more,
        "needs": setting.needs.iter().map(need).collect::<Vec<_>>(),
    })
}

#[test]
fn the_page_has_the_same_settings() {
    let rows: String = SETTINGS.iter().map(|one| format!("  {},\n", setting(one))).collect();
    let module = format!("{HEAD}{rows}]);\n");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/web/js/generated");
    let place = folder.join("settings.js");
    if std::env::var_os("NOUGHTS_UPDATE").is_some() {
        fs::write(&place, &module).expect("the module can be written");
    }
    let written = fs::read_to_string(&place).unwrap_or_default();
    assert!(written == module, "NOUGHTS_UPDATE=1 tests/run page");
}
