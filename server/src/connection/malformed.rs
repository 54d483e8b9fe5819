//! Frames that are no message: what is wrong with them, as far as they can be read.

use noughts_protocol::{
    IdError, IntentId, PROTOCOL_VERSION, PlayerName, Refusal, RefusalCode, in_plain_words,
};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// The fields of a `hello` that say which version of the protocol it is.
#[derive(Deserialize)]
struct Versioned<P> {
    #[serde(rename = "type")]
    kind: String,
    protocol: P,
}

/// A `hello` that is right except, perhaps, for its name.
#[derive(Deserialize)]
struct Named<N> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "protocol")]
    _protocol: u32,
    name: Option<N>,
}

/// Whether a frame is a `hello` whose `protocol` is not the number of this one. Its other fields do not
/// count.
pub(crate) fn is_of_another_version(text: &str) -> bool {
    // The value may be a number that is too large to be read.
    let Some(Ok(hello)) = read::<Versioned<IgnoredAny>>(text) else { return false };
    let number = read::<Versioned<u32>>(text).and_then(Result::ok).map(|hello| hello.protocol);
    hello.kind == "hello" && number != Some(PROTOCOL_VERSION)
}

/// A refusal if the frame is a `hello` with a name that is not allowed.
pub(crate) fn bad_name(text: &str) -> Option<Refusal> {
    let is_hello = read::<Named<IgnoredAny>>(text)?.is_ok_and(|hello| hello.kind == "hello");
    if !is_hello {
        return None;
    }
    let message = match read::<Named<String>>(text)? {
        Ok(hello) => {
            let error: IdError = hello.name.unwrap_or_default().parse::<PlayerName>().err()?;
            error.to_string()
        }
        Err(_) => "a name is a text, in quotation marks".to_owned(),
    };
    Some(Refusal::new(RefusalCode::BadName, message))
}

/// Says to people why a frame is refused. It names the place only where the frame is no JSON.
pub(crate) fn what_is_wrong(frame: &str, error: &serde_json::Error) -> String {
    let text = in_plain_words(error);
    if !error.is_data() {
        if serde_json::from_str::<IgnoredAny>(frame).is_ok() {
            // serde expects the end of an object that names its kind by its one field.
            return "an object with one field, such as {\"text\": …} for what is said, has more"
                .to_owned();
        }
        return format!("it is no JSON: {text}");
    }
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// The intent's id in a frame that could not be decoded, or was refused before.
pub(crate) fn id_of(text: &str) -> Option<IntentId> {
    #[derive(Deserialize)]
    struct Numbered {
        id: IntentId,
    }
    read(text)?.ok().map(|Numbered { id }| id)
}

/// Reads an object. `None` for anything else: serde would accept a list as an object too.
fn read<T: DeserializeOwned>(text: &str) -> Option<serde_json::Result<T>> {
    text.trim_start().starts_with('{').then(|| serde_json::from_str(text))
}

#[cfg(test)]
mod tests {
    use noughts_protocol::ClientMessage;

    use super::{bad_name, id_of, is_of_another_version, what_is_wrong};

    #[test]
    fn what_is_wrong_has_a_place_only_in_what_is_no_json() {
        let check = |text: &str, expected: &str| {
            let wrong = what_is_wrong(text, &ClientMessage::from_json(text).unwrap_err());
            assert_eq!(wrong, expected, "{text}");
        };
        check(r#"{"type":"ping"}"#, "missing field `id`");
        let code = "a code is five consonants, for example KQRZX";
        check(r#"{"type":"join","id":1,"room":"AEIOU"}"#, code);
        check(
            r#"{"type":"dance","id":1}"#,
            "unknown type `dance`: see the protocol's list of messages",
        );
        let seat = r#"{"type":"create","id":1,"settings":{},"seats":{"x":"you","o":"computer"}}"#;
        let such = r#"an object with one field, such as {"computer": {}} for a seat"#;
        check(seat, &format!("invalid type: a text, expected {such}"));
        let board = r#"{"type":"create","id":1,"settings":{"board":"3x3x3"},"seats":{}}"#;
        let such = r#"a board, such as {"width": 3, "height": 3, "line": 3}"#;
        check(board, &format!("invalid type: string \"3x3x3\", expected {such}"));
        let side = r#"{"type":"create","id":1,"settings":{"board":{"width":300}},"seats":{}}"#;
        check(side, "invalid value: integer `300`, expected a number from 0 to 255");
        let tables = r#"{"type":"create_party","id":1,"settings":{"tables":-1}}"#;
        check(tables, "invalid value: integer `-1`, expected a number from 0 to 255");
        let settings = r#"{"type":"create","id":1,"settings":7}"#;
        check(settings, "invalid type: integer `7`, expected an object");
        check("[]", "invalid type: sequence, expected an object");
        let more = r#"an object with one field, such as {"text": …} for what is said, has more"#;
        for said in [r#"{"text":"a","extra":1}"#, r#"{"emote":"wow","text":"a"}"#] {
            let say = r#"{"type":"say","id":1,"room":"KQRZX","said":SAID}"#;
            check(&say.replace("SAID", said), more);
        }
        check("hello", "it is no JSON: expected value at line 1 column 1");
    }

    #[test]
    fn a_hello_of_another_version_is_known_by_its_number_alone() {
        let digits = "9".repeat(3000);
        for number in
            ["0", "1", "-1", "1.5", "4294967297", "18446744073709551617", "1e400", &digits]
        {
            for rest in ["", r#","name":7"#, r#","token":[]"#, r#","more":1e999"#] {
                let hello = format!(r#" {{"type":"hello","protocol":{number}{rest}}}"#);
                assert!(is_of_another_version(&hello), "{hello}");
                assert!(!is_of_another_version(&hello.replace("hello", "ping")), "{hello}");
                assert!(!is_of_another_version(&hello.replace('}', "")), "{hello}");
            }
        }
        for other in ["null", "[]", "[1e400]", "\"2\"", "true", "{\"a\":1}", "2.0"] {
            let hello = format!(r#"{{"type":"hello","protocol":{other},"name":7}}"#);
            assert!(is_of_another_version(&hello), "{hello}");
        }
        assert!(!is_of_another_version(r#"{"type":"hello","protocol":2,"name":7}"#));
        assert!(!is_of_another_version(r#"{"type":"hello"}"#));
        assert!(!is_of_another_version(r#"["hello",1]"#));
    }

    #[test]
    fn a_name_that_is_no_text_is_a_bad_name() {
        for name in ["7", "null", "[]", "1e400", "true", "{}", "\"\"", "\"a\\n\""] {
            let hello = format!(r#"{{"type":"hello","protocol":2,"name":{name}}}"#);
            assert!(bad_name(&hello).is_some(), "{hello}");
            assert!(bad_name(&hello.replace("hello", "ping")).is_none(), "{hello}");
        }
        assert!(bad_name(r#"{"type":"hello","protocol":2,"name":"Ada","password":7}"#).is_none());
    }

    #[test]
    fn a_list_has_no_id() {
        assert_eq!(id_of("[7]"), None);
        assert_eq!(id_of(r#" {"id":7}"#), 7.try_into().ok());
    }
}
