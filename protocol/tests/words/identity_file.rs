//! The file of an identity is read as it was written, and nothing else is taken for one.

use noughts_protocol::{IdentityFile, IdentityFileError};

fn ada() -> IdentityFile {
    IdentityFile {
        server: "https://play.example/".into(),
        name: "Ada \"λ\" L.".parse().expect("a name"),
        token: "8f14e45fceea167a.3q2-7wAAAAD_ZXhhbXBsZQ".parse().expect("a token"),
    }
}

#[test]
fn an_identity_is_read_as_it_was_written() {
    let text = ada().to_text();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert_eq!(IdentityFile::read(&text), Ok(ada()));
    assert!(!format!("{:?}", ada()).contains("3q2"), "a log shows no token");
}

#[test]
fn an_editor_may_have_added_a_byte_order_mark_and_carriage_returns() {
    let saved = format!("\u{feff}{}", ada().to_text().replace('\n', "\r\n"));
    assert_eq!(IdentityFile::read(&saved), Ok(ada()));
}

#[test]
fn fields_that_nobody_knows_are_ignored_and_the_server_may_be_missing() {
    let text = r#"{"token":"abc","more":[1],"name":"Ada","noughts_identity":1}"#;
    let read = IdentityFile::read(text).expect("an identity");
    assert_eq!((read.server.as_str(), read.name.as_str()), ("", "Ada"));
}

#[test]
fn what_is_no_identity_is_refused() {
    use IdentityFileError::{Damaged, Other, Version};
    let long = format!("{}{}", ada().to_text(), " ".repeat(IdentityFile::MAX_BYTES));
    for (text, why) in [
        ("", Other),
        ("hello", Other),
        (r#"{"name":"Ada","token":"abc"}"#, Other),
        (r#"{"noughts_identity":2,"who":"Ada"}"#, Version),
        (r#"{"noughts_identity":1,"name":"Ada"}"#, Damaged),
        (r#"{"noughts_identity":1,"name":" Ada","token":"abc"}"#, Damaged),
        (r#"{"noughts_identity":1,"name":"Ada","token":"a b"}"#, Damaged),
        (r#"{"noughts_identity":1,"name":"Ada","token":""}"#, Damaged),
        (&*long, Other),
    ] {
        assert_eq!(IdentityFile::read(text), Err(why), "{text}");
    }
    let text = r#"{"noughts_identity":1,"server":"\u001b[2J","name":"Ada","token":"abc"}"#;
    let read = IdentityFile::read(text).expect("an identity");
    assert!(!read.server.as_str().contains('\u{1b}'), "no escape codes");
}
