//! The name of a program, from what it says about itself or from its file.

use std::path::Path;

use noughts_protocol::PlayerName;

/// The name in the answer to `ABOUT`: `name="Swine", version="1.0"`. `None` where there is no legal
/// name in it: a program that does not know `ABOUT` may say anything.
pub(super) fn name(answer: &str) -> Option<PlayerName> {
    PlayerName::beginning(value(answer, "name")?)
}

/// The name of a program's file: `pbrain-swine.exe` is swine.
pub(super) fn of_file(program: &Path) -> Option<PlayerName> {
    let name = program.file_stem()?.to_string_lossy();
    PlayerName::beginning(name.strip_prefix("pbrain-").unwrap_or(&name))
}

/// The text in quotation marks after a key and an equals sign.
fn value<'a>(answer: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = answer;
    loop {
        let (before, after) = rest.split_once('=')?;
        let (found, next) = after.trim_start().strip_prefix('"')?.split_once('"')?;
        let word = before.trim_start_matches([',', ' ']).trim();
        if word.eq_ignore_ascii_case(key) {
            return Some(found);
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expected: Option<&str>) {
        let name = name(answer);
        assert_eq!(name.as_ref().map(ToString::to_string).as_deref(), expected, "{answer:?}");
    }

    #[test]
    fn a_program_says_its_name() {
        check("name=\"SomeBrain\", version=\"1.0\", author=\"Nymand\"", Some("SomeBrain"));
        check("version=\"1.0\",Name = \"A=B\" , country=\"USA\"", Some("A=B"));
        check("author=\"name\", name=\"  two   words \"", Some("two words"));
        check("name=\"a program with a long name\"", Some("a program with a long na"));
        check("name=\"می\u{200c}خواهم\"", Some("می\u{200c}خواهم"));
        check("My brain, by me", None);
    }

    #[test]
    fn nothing_in_a_name_controls_a_terminal() {
        check("name=\"a\u{1b}[2Jb\u{202e}\"", Some("a [2Jb"));
        check("name=\"\"", None);
        check("\u{1b}\u{7}", None);
        check("name=\"unfinished", None);
    }

    #[test]
    fn a_file_has_a_name_too() {
        let named = |path: &str| of_file(Path::new(path)).map(|name| name.to_string());
        assert_eq!(named("/opt/pbrain-swine.exe").as_deref(), Some("swine"));
        assert_eq!(named("engine").as_deref(), Some("engine"));
        assert_eq!(named("/"), None);
    }
}
