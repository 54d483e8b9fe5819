//! Joiners and marks: they stay in words and emoji, and go elsewhere. How long a text is.

use noughts_protocol::text::{cut, length, visible};
use noughts_protocol::{
    ChatText, ClientMessage, DisplayText, IdError, MAX_CHAT_CHARS, MAX_NAME_CHARS, PlayerName,
    RoomIntent, Said,
};
use proptest::prelude::*;
use serde_json::json;

/// Checks a text as a name, as something said, and as a message.
#[track_caller]
fn check(text: &str, expected: &str) {
    let said = text.parse::<ChatText>();
    assert_eq!(said.as_ref().map(ChatText::as_str), Ok(expected), "said");
    assert_eq!(DisplayText::from(text).as_str(), expected, "shown");
    let name = text.parse::<PlayerName>();
    assert_eq!(name.as_ref().map(PlayerName::as_str), Ok(expected), "named");
}

#[track_caller]
fn kept(text: &str) {
    check(text, text);
}

#[test]
fn joiners_in_words_stay() {
    kept("می\u{200c}خواهم");
    kept("خانه\u{200c}ای");
    // A vowel sign between the letter and the non-joiner.
    kept("بِ\u{200c}خ");
    kept("ශ\u{dca}\u{200d}රී");
    kept("क\u{94d}\u{200d}ष");
    kept("क\u{94d}\u{200c}ष");
    kept("ರ\u{ccd}\u{200d}ಯ");
    kept("ರ\u{200d}\u{ccd}ಯ");
    kept("র\u{200d}\u{9cd}যাব");
    kept("ന\u{d4d}\u{200d}");
}

#[test]
fn joiners_in_emoji_stay() {
    kept("👨\u{200d}👩\u{200d}👧");
    kept("👩🏽\u{200d}💻");
    kept("\u{2764}\u{fe0f}");
    kept("\u{2764}\u{fe0f}\u{200d}🔥");
    kept("🏳\u{fe0f}\u{200d}🌈");
    kept("🏴\u{200d}\u{2620}\u{fe0f}");
    kept("1\u{fe0f}\u{20e3}#\u{fe0f}\u{20e3}");
    kept("\u{a9}\u{fe0f}");
    kept("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}");
    kept("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}");
    kept("🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}!");
    kept("🇩🇪");
}

#[test]
fn joiners_elsewhere_go() {
    check("A\u{200d}d\u{200c}a\u{fe0f}", "Ada");
    check("\u{200d}می\u{200c}", "می");
    // A letter that joins nothing on its left; two non-joiners.
    check("کار\u{200c}ها", "کارها");
    check("می\u{200c}\u{200c}خواهم", "می\u{200c}خواهم");
    check("می\u{200d}خواهم", "میخواهم");
    check("क\u{200d}ष", "कष");
    check("a\u{200d}\u{94d}", "a\u{94d}");
    check("👨\u{200d}\u{200d}👩\u{200d}", "👨\u{200d}👩");
    check("👨\u{200d}a\u{200d}👩", "👨a👩");
    check("1\u{fe0f}", "1");
    check("🦀\u{fe0f}", "🦀");
    check("\u{2764}\u{fe0e}", "\u{2764}");
    // The tags of Texas, and tags without a flag.
    check("🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}", "🏴");
    check("A\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "A");
}

#[test]
fn what_reorders_or_hides_goes() {
    check("\u{202e}ab\u{2066}c\u{200f}", "abc");
    check("a\u{ad}b\u{200b}c\u{feff}", "abc");
    check("می\u{202e}\u{200c}\u{202c}خواهم", "می\u{200c}خواهم");
}

#[test]
fn marks_do_not_pile_up_and_stand_on_letters() {
    kept("שּׁ");
    kept("ế");
    kept("รู้");
    kept("མྱྀ");
    kept("ကြွေ့း");
    let zalgo = "x\u{336}\u{323}\u{324}\u{325}\u{33f}\u{33f}";
    check(zalgo, "x\u{336}\u{323}\u{324}\u{33f}");
    check(&format!("z{}", "\u{20dd}".repeat(9)), &format!("z{}", "\u{20dd}".repeat(4)));
    check("\u{301}Ada", "Ada");
    check("a \u{323}b", "a b");
}

#[test]
fn a_name_of_marks_alone_is_refused_and_an_old_one_is_read() {
    for text in ["\u{301}", "\u{301} \u{323}", "\u{200c}", "\u{20e3}"] {
        assert_eq!(text.parse::<PlayerName>(), Err(IdError::NameEmpty), "{text:?}");
        let known: PlayerName = serde_json::from_value(text.into()).unwrap();
        assert_eq!(known.as_str(), "?", "{text:?}");
        assert!(text.parse::<ChatText>().is_err(), "{text:?}");
    }
    // Composed, it has twice as many letters.
    let known = PlayerName::known(&"\u{95c}".repeat(MAX_NAME_CHARS)).unwrap();
    assert_eq!(length(known.as_str()), MAX_NAME_CHARS);
    for chosen in [
        r#"{"type":"hello","protocol":2,"name":"\u0301"}"#,
        r#"{"type":"create_party","id":1,"name":"\u0301"}"#,
        r#"{"type":"rename","id":1,"party":"KQRZX","entrant":1,"name":"\u0301"}"#,
    ] {
        let error = ClientMessage::from_json(chosen).unwrap_err().to_string();
        assert!(error.contains("at least one visible character"), "{error}");
    }
    assert!(serde_json::from_str::<PlayerName>(r#""""#).is_err());
}

/// A text that somebody says, as a server reads it.
fn said(text: &str) -> Option<Said> {
    let message = json!({"type": "say", "id": 1, "room": "KQRZX", "said": {"text": text}});
    match ClientMessage::from_json(&message.to_string()).ok()? {
        ClientMessage::Room { intent: RoomIntent::Say { said }, .. } => Some(said),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_said_gives_no_orders_to_a_terminal_or_a_page() {
    let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}<b>hi</b>\u{202e}\r\n\u{0}\u{200b}there\u{85}";
    let Some(Said::Text(text)) = said(hostile) else { panic!("it is refused") };
    assert_eq!(text.as_str(), "[2J ]0;x <b>hi</b> there");
    let longest = "x".repeat(MAX_CHAT_CHARS);
    assert!(said(&longest).is_some());
    for none in ["", " \u{200b} ", &*format!("{longest}x")] {
        assert_eq!(said(none), None, "{none:?}");
    }
}

#[test]
fn names_are_compared_composed() {
    let name = |text: &str| text.parse::<PlayerName>().unwrap();
    assert_eq!(name("Zoe\u{308}"), name("Zoë"));
    assert_eq!(name("Zoe\u{200b}\u{308}"), name("Zoë"));
    assert_eq!(name("\u{1112}\u{1161}\u{11ab}"), name("한"));
}

/// The length of a name, and whether one character more is too long.
#[track_caller]
fn check_length(character: &str, most: usize) {
    let long = character.repeat(most);
    assert!(long.parse::<PlayerName>().is_ok(), "{most} of {character}");
    let longer = character.repeat(most + 1).parse::<PlayerName>();
    assert_eq!(longer, Err(IdError::NameLong), "{character}");
}

#[test]
fn a_length_is_counted_in_clusters_and_bounded_in_bytes() {
    check_length("é", 24);
    check_length("q\u{301}", 24);
    check_length("🇩🇪", 12);
    check_length("\u{2764}\u{fe0f}", 16);
    check_length("👨\u{200d}👩\u{200d}👧", 5);
    check_length("क\u{94d}\u{200d}ष", 8);
    assert_eq!((length(""), length("ab"), length("q\u{301}")), (0, 2, 1));
}

#[test]
fn a_cut_leaves_characters_whole() {
    let family = "👨\u{200d}👩\u{200d}👧";
    assert_eq!(cut("abc", 2), "ab");
    assert_eq!(cut("e\u{301}e\u{301}", 1), "e\u{301}");
    assert_eq!(cut(&family.repeat(3), 10), family.repeat(2));
    assert_eq!(cut(family, 1), "👨", "too long by itself");
    let name = PlayerName::beginning(&format!(" a\u{1b}b  {}", family.repeat(9))).unwrap();
    assert_eq!(name.as_str(), format!("a b {}", family.repeat(5)));
}

#[test]
fn a_numbered_name_is_a_name() {
    let check = |name: &str, expected: &str| {
        let numbered = name.parse::<PlayerName>().unwrap().numbered(2);
        assert_eq!(numbered.as_str(), expected);
        assert_eq!(expected.parse(), Ok(numbered));
    };
    let man = "👨\u{200d}";
    check(&format!("{}👨", man.repeat(12)), &format!("{}👨 (2)", man.repeat(10)));
    let long = "نی\u{200c}".repeat(10);
    check(&format!("{long}نی\u{200c}ن"), &format!("{} (2)", long.trim_end_matches('\u{200c}')));
}

/// Text of the characters that the filter knows, in any order.
fn mixed() -> impl Strategy<Value = String> {
    let known = "aAe1# \u{200c}\u{200d}\u{fe0f}\u{20e3}\u{200b}\u{202e}\u{301}\u{302}\u{323}\u{327}\u{338}\
                 \u{93c}\u{94d}\u{34f}کरශ\u{dca}❤↔🦀👨👩🏽🏴\u{e0067}\u{e0062}\u{e007f}e\u{1ebf}\u{1e69}\u{95c}\n";
    let one = prop::sample::select(known.chars().collect::<Vec<_>>());
    prop::collection::vec(one, 0..20).prop_map(String::from_iter)
}

proptest! {
    /// Filtering a filtered text changes nothing. Rooms on other nodes and stored facts depend on it.
    #[test]
    fn filtering_again_changes_nothing(text in mixed()) {
        let once = visible(&text).into_owned();
        prop_assert_eq!(visible(&once), once.as_str());
        if let Ok(name) = text.parse::<PlayerName>() {
            prop_assert_eq!(name.as_str().parse(), Ok(name.clone()));
            let numbered = name.numbered(2);
            prop_assert_eq!(numbered.as_str().parse(), Ok(numbered));
        }
        if let Ok(said) = text.parse::<ChatText>() {
            prop_assert_eq!(said.as_str().parse(), Ok(said));
        }
    }
}
