//! The escape codes for what is outside the screen: the bell, notifications, the window's title and
//! the clipboard. A terminal that does not know a code may print it, so each is sent only where it is
//! known.

use base64::prelude::{BASE64_STANDARD, Engine};
use noughts_protocol::DisplayText;

/// The longest text for the clipboard, in characters of base64. Links are shorter; some terminals
/// drop longer codes.
const MAX_CLIPBOARD: usize = 1_024;

/// The terminals by whose `TERM` a code in this form (OSC) is at worst ignored.
const WITH_OSC: &str =
    "xterm screen tmux rxvt alacritty foot wezterm konsole vte gnome kitty ghostty contour st-";

/// A code for notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotificationCode {
    /// `OSC 9 ; text`: iTerm2 (iterm2.com/documentation-escape-codes.html) and kitty, which reads it
    /// beside its own (sw.kovidgoyal.net/kitty/desktop-notifications).
    Osc9,
    /// `OSC 777 ; notify ; title ; text`: rxvt-unicode, and by their lists of control sequences foot,
    /// `WezTerm` and Ghostty.
    Osc777,
}

/// The codes that a terminal is known to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EscapeCodes {
    /// Whether an unknown code is ignored.
    osc: bool,
    notification: Option<NotificationCode>,
    /// Whether a text for the clipboard is known to arrive there. Others may take it.
    pub(crate) clipboard: bool,
}

impl EscapeCodes {
    /// The codes of a terminal with these variables in its environment. Over SSH often only `TERM`
    /// arrives, so it counts too.
    pub(crate) fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let names =
            ["TERM", "TERM_PROGRAM", "LC_TERMINAL"].map(|name| variable(name).unwrap_or_default());
        let names = names.map(|name| name.to_lowercase());
        let is = |name: &str| names.iter().any(|own| own.contains(name));
        let term = &names[0];
        let in_windows_terminal = variable("WT_SESSION").is_some();
        let osc = in_windows_terminal || WITH_OSC.split(' ').any(|known| term.starts_with(known));
        // tmux and screen keep these codes to themselves, unless their user allows more.
        let inside = variable("TMUX").is_some()
            || variable("STY").is_some()
            || ["tmux", "screen"].iter().any(|name| term.starts_with(name));
        let notification = match () {
            () if inside || !osc => None,
            () if is("iterm") || is("kitty") => Some(NotificationCode::Osc9),
            () if ["rxvt-unicode", "foot", "wezterm", "ghostty"].iter().any(|name| is(name)) => {
                Some(NotificationCode::Osc777)
            }
            () => None,
        };
        // xterm, VTE and iTerm2 take no clipboard by default.
        let with_clipboard = ["kitty", "wezterm", "ghostty", "alacritty", "foot", "contour"];
        let clipboard =
            osc && !inside && (in_windows_terminal || with_clipboard.iter().any(|name| is(name)));
        Self { osc, notification, clipboard }
    }

    /// Rings, and shows a notification where that is known to work. No text of others can end a code:
    /// a [`DisplayText`] has no control characters.
    pub(crate) fn call(self, text: &DisplayText) -> String {
        let text = text.as_str();
        match self.notification {
            None => "\x07".to_owned(),
            Some(NotificationCode::Osc9) => format!("\x07\x1b]9;{text}\x1b\\"),
            // The semicolon is between the parts.
            Some(NotificationCode::Osc777) => {
                format!("\x07\x1b]777;notify;Noughts;{}\x1b\\", text.replace(';', ","))
            }
        }
    }

    /// Keeps the window's title, to bring it back with [`EscapeCodes::last_title`].
    pub(crate) const fn keep_title(self) -> &'static str {
        if self.osc { "\x1b[22;2t" } else { "" }
    }

    /// Brings back the window's title. Terminals without this code get an empty one, which most of
    /// them show as their own name.
    pub(crate) const fn last_title(self) -> &'static str {
        if self.osc { "\x1b]2;\x1b\\\x1b[23;2t" } else { "" }
    }

    /// Sets the window's title.
    pub(crate) fn title(self, text: &str) -> String {
        if self.osc { format!("\x1b]2;{}\x1b\\", DisplayText::from(text)) } else { String::new() }
    }

    /// Puts a text on the clipboard, unless it is too long. Nothing says whether that worked.
    pub(crate) fn copy(self, text: &str) -> String {
        let encoded = BASE64_STANDARD.encode(text);
        let fits = self.osc && encoded.len() <= MAX_CLIPBOARD;
        if fits { format!("\x1b]52;c;{encoded}\x1b\\") } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(variables: &[(&str, &str)]) -> EscapeCodes {
        EscapeCodes::of(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn each_terminal_gets_the_codes_that_it_knows() {
        let bell = "\x07";
        for (variables, called, clipboard) in [
            (&[("TERM", "xterm-256color")][..], "\x07", false),
            (
                &[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")],
                "\x07\x1b]9;a; b\x1b\\",
                false,
            ),
            (&[("TERM", "xterm-kitty")], "\x07\x1b]9;a; b\x1b\\", true),
            (&[("TERM", "foot")], "\x07\x1b]777;notify;Noughts;a, b\x1b\\", true),
            (
                &[("TERM", "xterm-256color"), ("TERM_PROGRAM", "WezTerm")],
                "\x07\x1b]777;notify;Noughts;a, b\x1b\\",
                true,
            ),
            (
                &[("TERM", "tmux-256color"), ("TERM_PROGRAM", "tmux"), ("LC_TERMINAL", "iTerm2")],
                bell,
                false,
            ),
            (&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/tmux")], bell, false),
            (&[("TERM", "linux")], bell, false),
            (&[], bell, false),
        ] {
            let codes = codes(variables);
            assert_eq!(codes.call(&DisplayText::from("a; b")), called, "{variables:?}");
            assert_eq!(codes.clipboard, clipboard, "{variables:?}");
        }
    }

    #[test]
    fn a_terminal_that_prints_unknown_codes_gets_none() {
        let codes = codes(&[("TERM", "linux")]);
        assert_eq!([codes.keep_title(), codes.last_title()], ["", ""]);
        assert_eq!([codes.title("x"), codes.copy("x")], ["", ""]);
    }

    #[test]
    fn no_text_writes_a_code_of_its_own() {
        let evil = "a\x1b]52;c;eA==\x07\u{9c}\u{202e}b";
        for variables in [[("TERM", "foot")], [("TERM", "xterm-kitty")]] {
            let codes = codes(&variables);
            let called = codes.call(&DisplayText::from(evil));
            assert_eq!(called.matches('\x1b').count(), 2, "{called:?}");
            assert_eq!(called.matches('\x07').count(), 1, "{called:?}");
            assert!(!called.contains('\u{9c}') && !called.contains('\u{202e}'), "{called:?}");
            assert_eq!(codes.title(evil).matches(['\x1b', '\x07']).count(), 2);
        }
    }

    #[test]
    fn the_clipboard_gets_base64_of_bounded_length() {
        let codes = codes(&[("TERM", "foot")]);
        assert_eq!(codes.copy("foo"), "\x1b]52;c;Zm9v\x1b\\");
        assert_eq!(codes.copy(&"x".repeat(768)).len(), 1_024 + 9);
        assert_eq!(codes.copy(&"x".repeat(769)), "");
    }
}
