//! Codes, ids, names and tokens: what is read, what is refused, what is never shown.

use noughts_protocol::{
    IdError, IntentId, JoinPassword, MAX_PASSWORD_BYTES, PlayerId, PlayerName, PlayerToken,
    RoomCode,
};

#[test]
fn codes_are_read_without_case_spaces_and_dashes() {
    for text in ["KQRZX", "kqrzx", "KqRzX", "k-qrzx", " kq rzx ", "K-Q-R-Z-X", "--kqrzx"] {
        assert_eq!(text.parse::<RoomCode>().unwrap().as_str(), "KQRZX", "{text}");
    }
}

#[test]
fn other_texts_are_no_codes() {
    for text in ["", "KQRZ", "KQRZXX", "KQRZA", "KQRZY", "KQRZ1", "KQRZ\n", "KQRZé", "KQR_ZX"] {
        assert_eq!(text.parse::<RoomCode>(), Err(IdError::Code), "{text}");
    }
}

#[test]
fn every_number_is_a_code_and_no_two_are_the_same() {
    let near = [0, 1, 19, 20, 21, 399, 400, 3_199_999];
    let mut codes: Vec<RoomCode> = near.iter().map(|n| RoomCode::from_number(*n)).collect();
    for code in &codes {
        assert_eq!(code.to_string().parse(), Ok(*code));
    }
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), near.len());
    assert_eq!(RoomCode::from_number(RoomCode::COUNT), RoomCode::from_number(0));
}

#[test]
fn what_shows_nothing_by_itself_is_lost() {
    let ignorable = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{180b}\u{180f}\u{200b}\u{200d}\u{200f}\
                     \u{202a}\u{202e}\u{2060}\u{2065}\u{206f}\u{3164}\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\
                     \u{fff0}\u{1bca0}\u{1d173}\u{e0041}\u{e01ef}\u{e0fff}";
    for c in ignorable.chars() {
        for name in [format!("Ada{c}"), format!("{c}A{c}d{c}a{c}{c}"), format!("Ada {c} ")] {
            assert_eq!(name.parse::<PlayerName>().unwrap().as_str(), "Ada", "{name:?}");
        }
        let name = format!("A {c} B{}", c.to_string().repeat(24));
        assert_eq!(name.parse::<PlayerName>().unwrap().as_str(), "A B", "{name:?}");
        assert_eq!(c.to_string().parse::<PlayerName>(), Err(IdError::NameEmpty), "{c:?}");
    }
    let name: PlayerName = serde_json::from_str("\"\u{2764}\u{fe0f}Ada\"").unwrap();
    assert_eq!(name.as_str(), "❤\u{fe0f}Ada");
}

#[test]
fn two_people_of_one_name_are_told_apart() {
    let name = |text: &str| text.parse::<PlayerName>().unwrap();
    let check = |own: &str, other: &str, expected: &str| {
        let apart = name(own).apart_from(&name(other));
        assert_eq!(apart.as_str(), expected);
        assert_eq!(name(expected), apart, "it is a name");
        assert_ne!(apart, name(other));
    };
    check("Ada", "Bob", "Ada");
    check("Ada", "Ada", "Ada (2)");
    check("Ada", "Ada\u{fe0f}", "Ada (2)");
    check("Ada", "Ada (2)", "Ada");
    check("Ada (2)", "Ada (2)", "Ada (2) (2)");
    check(&"é".repeat(24), &"é".repeat(24), &format!("{} (2)", "é".repeat(20)));
    let spaced = "nineteen-characters and4";
    check(spaced, spaced, "nineteen-characters (2)");
    let cut = format!("{} (2)", "x".repeat(20));
    check(&cut, &cut, &format!("{} (3)", "x".repeat(20)));
}

#[test]
fn a_name_that_is_taken_gets_the_first_free_number() {
    let check = |own: &str, taken: &[&str], expected: &str| {
        let own: PlayerName = own.parse().unwrap();
        assert_eq!(own.unique(|text| taken.contains(&text)).as_str(), expected);
    };
    check("Ada", &["Bob"], "Ada");
    check("Ada", &["Ada"], "Ada (2)");
    check("Ada", &["Ada", "Ada (2)"], "Ada (3)");
    let long = "a".repeat(24);
    check(&long, &[&long], &format!("{} (2)", "a".repeat(20)));
    let family = "👨\u{200d}👩\u{200d}👧";
    let long = family.repeat(5);
    check(&long, &[&long], &format!("{} (2)", family.repeat(4)));
}

/// Characters that could move a cursor or pass for a space, in the middle of a name and alone.
#[test]
fn hidden_characters_are_refused_by_name() {
    let hidden = [
        '\0', '\t', '\n', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}', // controls
        '\u{a0}', '\u{2003}', '\u{2028}', '\u{2029}', '\u{3000}', // spaces and separators
        '\u{2800}', '\u{fff9}', // blanks and marks
    ];
    for c in hidden {
        for name in [format!("A{c}da"), c.to_string()] {
            assert_eq!(name.parse::<PlayerName>(), Err(IdError::NameCharacter(c)), "{name:?}");
        }
    }
    let message = "A\u{2028}da".parse::<PlayerName>().unwrap_err().to_string();
    assert!(message.contains("U+2028") && !message.contains('\u{2028}'), "{message}");
}

#[test]
fn names_have_1_to_24_characters_and_single_spaces() {
    for (name, error) in [
        ("", IdError::NameEmpty),
        (" ", IdError::NameEmpty),
        (" Ada", IdError::NameSpaces),
        ("Ada ", IdError::NameSpaces),
        ("Ada  L", IdError::NameSpaces),
        (&"é".repeat(25), IdError::NameLong),
    ] {
        assert_eq!(name.parse::<PlayerName>(), Err(error), "{name:?}");
    }
    assert!("é".repeat(24).parse::<PlayerName>().is_ok());
}

#[test]
fn a_player_id_is_16_hexadecimal_digits() {
    let id = PlayerId(0x00ab_cdef);
    assert_eq!(id.to_string(), "0000000000abcdef");
    assert_eq!(id.to_string().parse(), Ok(id));
    for text in ["", "abcdef", "0000000000abcdeg", "+000000000abcdef", "00000000000abcdef"] {
        assert_eq!(text.parse::<PlayerId>(), Err(IdError::Player), "{text}");
    }
}

#[test]
fn a_token_is_never_shown() {
    let token: PlayerToken = "s3cret-t0ken_x.y".parse().unwrap();
    assert_eq!(token.reveal(), "s3cret-t0ken_x.y");
    assert_eq!(format!("{token:?}"), "PlayerToken(…)");
    let json = r#"{"type":"hello","protocol":2,"name":"Ada","token":"s3cret"}"#;
    let hello = noughts_protocol::ClientMessage::from_json(json).unwrap();
    assert!(!format!("{hello:?}").contains("s3cret"));
}

#[test]
fn a_token_is_short_plain_text() {
    let long = "x".repeat(PlayerToken::MAX_LEN + 1);
    for text in ["", "a b", "a\n", "é", "\"", &long] {
        assert_eq!(text.parse::<PlayerToken>(), Err(IdError::Token), "{text}");
    }
    assert!(long[1..].parse::<PlayerToken>().is_ok());
}

#[test]
fn a_password_is_kept_as_it_is_typed_and_never_shown() {
    let password: JoinPassword = " corréct horse ".parse().unwrap();
    assert_eq!(password.reveal(), " corréct horse ");
    assert_eq!(format!("{password:?}"), "JoinPassword(…)");
    let long = "x".repeat(MAX_PASSWORD_BYTES + 1);
    for text in ["", "a\nb", "\u{1b}", &long] {
        assert_eq!(text.parse::<JoinPassword>(), Err(IdError::Password), "{text}");
    }
    assert!(long[1..].parse::<JoinPassword>().is_ok());
}

#[test]
fn an_intent_id_fits_every_languages_numbers() {
    let last = IntentId::try_from(IntentId::MAX).unwrap();
    assert_eq!(u64::from(last.next()), 0);
    assert_eq!(IntentId::try_from(IntentId::MAX + 1), Err(IdError::Intent));
    for json in ["9007199254740992", "-1", "1.5", "\"1\"", "null"] {
        assert!(serde_json::from_str::<IntentId>(json).is_err(), "{json}");
    }
}
