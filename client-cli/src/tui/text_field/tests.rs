//! Text fields: the caret, the bounds, secrets.

use crossterm::event::{KeyCode, KeyModifiers};

use super::*;

fn press(field: &mut TextField, code: KeyCode) {
    field.key(code.into());
}

fn type_text(field: &mut TextField, text: &str) {
    text.chars().for_each(|c| press(field, KeyCode::Char(c)));
}

#[test]
fn a_letter_replaces_the_default_and_other_keys_keep_it() {
    let mut field = TextField::filled("host".to_owned());
    type_text(&mut field, "ab");
    assert_eq!(field.text(), "ab");
    let mut field = TextField::filled("host".to_owned());
    press(&mut field, KeyCode::End);
    type_text(&mut field, "s");
    assert_eq!(field.text(), "hosts");
}

#[test]
fn a_field_is_bounded_and_takes_no_unsafe_letter() {
    let mut field = TextField::default();
    type_text(&mut field, "\u{202e}\u{7}a\u{200b}");
    assert_eq!(field.text(), "a");
    type_text(&mut field, &"b".repeat(2 * MAX_TYPED));
    assert_eq!(field.text().len(), MAX_TYPED);
    // Neither does what was cut come back twice.
    field.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
    for _ in 0..2 {
        field.key(KeyEvent::new(KeyCode::Char('y'), KeyModifiers::CONTROL));
    }
    assert_eq!(field.text().len(), MAX_TYPED);
}

#[test]
fn joiners_are_typed_and_a_family_is_one_character() {
    let family = "👨\u{200d}👩\u{200d}👧";
    let mut field = TextField::default();
    type_text(&mut field, "می\u{200c}خ");
    field.paste(family);
    assert_eq!(field.text(), format!("می\u{200c}خ{family}"));
    assert_eq!(field.shown().visual_cursor(), 5);
    press(&mut field, KeyCode::Backspace);
    assert_eq!(field.text(), "می\u{200c}خ");
}

#[test]
fn a_secret_shows_a_star_for_each_letter() {
    let mut field = TextField::secret();
    type_text(&mut field, "sésame漢");
    press(&mut field, KeyCode::Left);
    assert_eq!((field.shown().value(), field.shown().visual_cursor()), ("*******", 6));
}
