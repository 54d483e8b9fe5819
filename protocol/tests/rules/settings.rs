//! The table of settings against the settings of a room and the enums.

use std::collections::BTreeSet;

use noughts_protocol::party::settings::wire_value;
use noughts_protocol::settings::{Kind, Need, SETTINGS};
use noughts_protocol::{
    BoardSpec, Features, FirstMove, GameKind, MarkChoice, Opening, PARTY_SETTINGS, PartySettings,
    RoomSettings, Setting, Strategy, Strength, Variant,
};
use serde_json::{Value, json};

#[test]
fn every_name_is_the_one_on_the_wire() {
    let check = |value: Value, name: &str| assert_eq!(value, json!(name));
    Strategy::ALL.into_iter().for_each(|one| check(json!(one), one.name()));
    Strength::ALL.into_iter().for_each(|one| check(json!(one), one.name()));
    FirstMove::ALL.into_iter().for_each(|one| check(json!(one), one.name()));
    Opening::ALL.into_iter().for_each(|one| check(json!(one), one.name()));
    Variant::ALL.into_iter().for_each(|one| check(json!(one), one.name()));
}

#[test]
fn a_name_is_read_in_any_case_and_with_dashes() {
    for text in ["very_weak", "very-weak", " Very weak "] {
        assert_eq!(text.parse(), Ok(Strength::VeryWeak), "{text}");
    }
    assert_eq!("level 4".parse(), Ok(Strength::Level4));
    for one in Strength::ALL {
        assert_eq!(one.level().to_string().parse(), Ok(one));
    }
    let unknown = "best".parse::<MarkChoice>().unwrap_err();
    assert_eq!(unknown.to_string(), "type x, o or random");
}

#[test]
fn a_large_board_of_five_has_nine_strengths_and_a_rating_names_the_nearest() {
    let offered = |variant, board: &str, strategy| {
        Strength::offered(variant, board.parse().unwrap(), strategy).len()
    };
    assert_eq!(offered(Variant::Line, "9x9x5", Strategy::Minimax), 9);
    assert_eq!(offered(Variant::Exact, "15x15x5", Strategy::Minimax), 9);
    assert_eq!(offered(Variant::Line, "8x8x5", Strategy::Minimax), 5);
    assert_eq!(offered(Variant::Line, "15x15x4", Strategy::Minimax), 5);
    assert_eq!(offered(Variant::Misere, "15x15x5", Strategy::Minimax), 5);
    assert_eq!(offered(Variant::Line, "15x15x5", Strategy::Heuristic), 5);
    let near = |rating| Strength::near(rating).level();
    assert_eq!(
        [i32::MIN, 0, 975, 1_500, 1_587, 1_588, 2_200, i32::MAX].map(near),
        [1, 1, 2, 5, 5, 6, 9, 9]
    );
    for one in Strength::ALL {
        assert_eq!(Strength::NAMED.contains(&one), one.named() == one);
        assert!(one.level() - one.named().level() <= 1);
    }
}

#[test]
fn the_defaults_are_those_of_a_room() {
    let defaults = || SETTINGS.iter().map(|setting| (setting, setting.default));
    // The forms give hints; a room does unless two people play.
    let given = RoomSettings { hints: Some(true), ..RoomSettings::default() };
    assert_eq!(RoomSettings::with_values(defaults()), Ok(given));
    let large = BoardSpec::new(15, 15, 5).unwrap();
    assert_eq!(
        [given.board, large].map(|board| RoomSettings { board, ..given }.draws_early()),
        [false, true]
    );
    let wire = json!(RoomSettings::default());
    let rows: BTreeSet<&str> = SETTINGS.iter().filter_map(|setting| setting.wire).collect();
    // No form offers `early_draw`. The four below are left out while they have their default.
    let fields = wire.as_object().unwrap().keys().map(String::as_str);
    let offered: BTreeSet<&str> = fields.filter(|field| *field != "early_draw").collect();
    let is_told = |row: &&str| !["variant", "majority", "adapts", "comments"].contains(row);
    assert_eq!(rows.into_iter().filter(is_told).collect::<BTreeSet<_>>(), offered);
}

#[test]
fn every_offered_value_is_one_and_says_something_else() {
    for setting in SETTINGS {
        let values = setting.offered.iter().map(|(text, label)| {
            assert_eq!(setting.label_of(text), *label);
            setting.wire_value(text).unwrap().to_string()
        });
        let different: BTreeSet<String> = values.collect();
        assert_eq!(different.len(), setting.offered.len(), "{}", setting.name);
        assert!(setting.offered.iter().any(|(text, _)| *text == setting.default));
        assert!(setting.wire_value("nothing of the kind").is_err());
        for (text, _) in setting.offered {
            // It also has a place in the settings of a room.
            RoomSettings::with_values([(setting, *text)]).unwrap();
        }
    }
}

#[test]
fn the_defaults_are_those_of_a_party() {
    let defaults = || PARTY_SETTINGS.iter().map(|setting| (setting, setting.default));
    assert_eq!(PartySettings::with_values(defaults()), Ok(PartySettings::default()));
    let wire = json!(PartySettings::default());
    let rows: BTreeSet<&str> = PARTY_SETTINGS.iter().filter_map(|setting| setting.wire).collect();
    let mut told: BTreeSet<&str> = wire.as_object().unwrap().keys().map(String::as_str).collect();
    // It is left out while it is `line`.
    told.insert("variant");
    assert_eq!(rows, told);
}

#[test]
fn a_variant_without_a_board_is_played_on_its_first_one() {
    let rooms = RoomSettings::with_values([(Setting::named("variant"), "ultimate")]).unwrap();
    assert_eq!(rooms.board.to_string(), "9x9x3");
    let named = |name| PARTY_SETTINGS.iter().find(|one| one.name == name).unwrap();
    let gravity = (named("variant"), "gravity");
    assert_eq!(PartySettings::with_values([gravity]).unwrap().board.to_string(), "7x6x4");
    let large = PartySettings::with_values([gravity, (named("board"), "15x15x5")]);
    assert!(large.unwrap_err().contains("gravity"));
}

#[test]
fn the_settings_of_a_party_are_refused_with_what_is_right() {
    let check = |settings: Value, expected: Option<&str>| {
        let settings: PartySettings = serde_json::from_value(settings).unwrap();
        assert_eq!(settings.refused().as_deref(), expected);
    };
    check(json!({}), None);
    check(json!({"rounds": 9, "tables": 20, "first_to": 99, "move_time_ms": 600_000}), None);
    let time = "move_time_ms is a number from 1000 to 600000";
    check(json!({"move_time_ms": 999}), Some(time));
    check(json!({"move_time_ms": 600_001}), Some(time));
    check(json!({"rounds": 99}), Some("rounds is a number from 3 to 9"));
    check(json!({"tables": 0}), Some("tables is a number from 1 to 20"));
    check(json!({"first_to": 100}), Some("first_to is a number from 1 to 99"));
    let boards = "gravity is not played on 3x3x3: choose 7x6x4, 4x4x4, 5x5x4, 6x6x4, 8x7x4, 9x7x5 or \
                  10x10x5, for example";
    let small = json!({"width": 3, "height": 3, "line": 3});
    check(json!({"variant": "gravity", "board": small}), Some(boards));
    let swap2 = "swap2 needs the variant line or exact, and a board whose sides are both 13 or more: \
                 choose a larger board, or a free opening";
    check(json!({"opening": "swap2"}), Some(swap2));
    let large = json!({"width": 15, "height": 15, "line": 5});
    check(json!({"opening": "swap2", "board": large}), None);
}

#[test]
fn every_offered_value_of_a_party_is_one_and_says_something_else() {
    for setting in PARTY_SETTINGS {
        let values = setting.offered.iter().map(|(text, _)| {
            // Each alone; swap2 needs another board.
            let made = PartySettings::with_values([(setting, *text)]);
            assert!(made.is_ok() || *text == "swap2", "{} {text}: {made:?}", setting.name);
            wire_value(setting, text).unwrap().to_string()
        });
        let different: BTreeSet<String> = values.collect();
        assert_eq!(different.len(), setting.offered.len(), "{}", setting.name);
        assert!(setting.offered.iter().any(|(text, _)| *text == setting.default));
        assert!(wire_value(setting, "nothing of the kind").is_err());
        for need in setting.needs {
            let Need::Value(name, values) = need else { continue };
            let named = PARTY_SETTINGS.iter().find(|one| one.name == *name).unwrap();
            assert!(values.iter().all(|value| wire_value(named, value).is_ok()), "{name}");
        }
    }
    let time = PARTY_SETTINGS.iter().find(|one| one.name == "move_time").unwrap();
    for text in ["none", "11m", "24h"] {
        assert!(wire_value(time, text).is_err(), "{text}");
    }
    let [board, opening] = ["board", "opening"]
        .map(|name| PARTY_SETTINGS.iter().find(|one| one.name == name).unwrap());
    assert!(PartySettings::with_values([(board, "15x15x5"), (opening, "swap2")]).is_ok());
}

#[test]
fn a_need_names_what_there_is() {
    let features = Features { listing: false, ..Features::default() };
    let offered =
        |name, features, value: &'static str| Setting::named(name).is_offered(features, |_| value);
    assert!(offered("listed", Features::default(), "") && !offered("listed", features, ""));
    let opens = |variant, board| {
        let value = |name: &str| if name == "board" { board } else { variant };
        Setting::named("opening").is_offered(features, value)
    };
    assert!(opens("exact", "13x13x5") && !opens("line", "12x13x5") && !opens("misere", "13x13x5"));
    assert!(offered("strength", features, "minimax") && !offered("strength", features, "rules"));
    assert!(offered("strength", features, "Minimax"), "a model may type it so");
    assert!(!offered("evaluation", features, "no"));
    for setting in SETTINGS {
        for need in setting.needs {
            let Need::Value(name, values) = need else { continue };
            let named = Setting::named(name);
            assert!(values.iter().all(|value| named.wire_value(value).is_ok()), "{name}");
            if named.offered == Strategy::NAMES {
                let with = Strategy::ALL.into_iter().filter(|one| one.has_strengths());
                assert!(with.map(Strategy::name).eq(values.iter().copied()));
            }
            if setting.name == "opening" {
                let with = Variant::ALL.into_iter().filter(|one| one.is_gomoku_like());
                assert!(with.map(Variant::name).eq(values.iter().copied()));
            }
        }
    }
    let boards = Setting::named("board").offered.iter().map(|(text, _)| text.parse::<BoardSpec>());
    assert!(boards.into_iter().all(|board| board.is_ok()));
    assert!(GameKind::ALL.iter().all(|kind| Setting::of(*kind).any(|s| s.kind == Kind::Board)));
}
