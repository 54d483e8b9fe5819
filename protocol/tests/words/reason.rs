//! Reasons for a no, for programs and for people, and text that is safe to show.

use std::collections::HashSet;

use noughts_protocol::{CloseCode, DisplayText, MAX_TEXT_CHARS, Refusal, RefusalCode};

#[test]
fn close_codes_are_unique_with_a_reason_and_found_by_their_number() {
    let numbers: HashSet<u16> = CloseCode::ALL.into_iter().map(CloseCode::number).collect();
    assert_eq!(numbers.len(), CloseCode::ALL.len());
    for code in CloseCode::ALL {
        assert_eq!(CloseCode::from_number(code.number()), Some(code));
        let standard = [1000, 1002, 1003, 1007, 1009, 1011, 1012, 1013].contains(&code.number());
        assert!(standard || (4000..5000).contains(&code.number()), "{code:?}");
        let reason = code.reason();
        assert!(!reason.is_empty() && reason.len() < 123, "{reason} fits a close frame");
    }
    for number in [0, 999, 1006, 3999, 4999] {
        assert_eq!(CloseCode::from_number(number), None);
    }
}

#[test]
fn refusal_codes_are_unique_words_and_unknown_ones_are_let_through() {
    let words: HashSet<String> =
        RefusalCode::ALL.iter().map(|code| serde_json::to_string(code).unwrap()).collect();
    assert_eq!(words.len(), RefusalCode::ALL.len());
    assert!(!RefusalCode::ALL.contains(&RefusalCode::Unknown));
    let later: RefusalCode = serde_json::from_str(r#""a_code_of_next_year""#).unwrap();
    assert_eq!(later, RefusalCode::Unknown);
}

#[test]
fn a_refusal_reads_as_its_message() {
    let refusal = Refusal::new(RefusalCode::Full, "the server is full: try again later");
    assert_eq!(refusal.to_string(), "the server is full: try again later");
}

#[test]
fn text_from_a_peer_cannot_move_the_cursor_or_grow() {
    let text = DisplayText::from("\u{1b}[2Jhi\u{202e}\nthere");
    assert_eq!(text.as_str(), "�[2Jhi�there");
    assert_eq!(DisplayText::from("x".repeat(10_000)).as_str().len(), MAX_TEXT_CHARS);
    let read: DisplayText = serde_json::from_str(r#""a\u0007b""#).unwrap();
    assert_eq!(read.as_str(), "a�b");
}
