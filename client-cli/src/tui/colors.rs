//! The colours that the terminal can show, as far as the environment tells.

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ColorDepth {
    /// The player wants none.
    None,
    /// The sixteen of the terminal's own palette.
    Sixteen,
    /// The palette of 256, of which all but the first sixteen are the same everywhere.
    Indexed,
    /// Any colour.
    True,
}

/// The background of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Background {
    /// Dark letters on a light background.
    Light,
    /// Light letters on a dark background.
    Dark,
}

/// The colours that the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TerminalColors {
    /// How many colours.
    pub(crate) depth: ColorDepth,
    /// The background, if the terminal tells it.
    pub(crate) background: Option<Background>,
}

impl TerminalColors {
    /// Reads it from the environment. `get` looks up a variable.
    pub(crate) fn from_env(get: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| get(name).unwrap_or_default();
        let depth = match (value("COLORTERM").as_str(), value("TERM")) {
            // https://no-color.org: present and not empty.
            _ if !value("NO_COLOR").is_empty() => ColorDepth::None,
            ("truecolor" | "24bit", _) => ColorDepth::True,
            (_, term) if term.ends_with("-direct") => ColorDepth::True,
            (_, term) if term.contains("256color") => ColorDepth::Indexed,
            _ => ColorDepth::Sixteen,
        };
        Self { depth, background: background(&value("COLORFGBG")) }
    }
}

/// The background of `COLORFGBG`, such as `15;0` or `15;default;0`: its last number is one of the
/// sixteen colours. rxvt, Konsole and others set it.
fn background(value: &str) -> Option<Background> {
    match value.rsplit(';').next()?.parse::<u8>().ok()? {
        0..=6 | 8 => Some(Background::Dark),
        7 | 9..=15 => Some(Background::Light),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(variables: &[(&str, &str)]) -> TerminalColors {
        let find = |name: &str| variables.iter().find(|variable| variable.0 == name);
        TerminalColors::from_env(|name| find(name).map(|variable| variable.1.to_owned()))
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        let depth = |variables: &[_]| colors(variables).depth;
        assert_eq!(depth(&[]), ColorDepth::Sixteen);
        assert_eq!(depth(&[("TERM", "linux")]), ColorDepth::Sixteen);
        assert_eq!(depth(&[("TERM", "xterm-256color")]), ColorDepth::Indexed);
        let full = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")];
        assert_eq!(depth(&full), ColorDepth::True);
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), ColorDepth::None);
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "")]), ColorDepth::True);
    }

    #[test]
    fn some_terminals_tell_their_background() {
        for (value, expected) in [
            ("15;0", Some(Background::Dark)),
            ("0;15", Some(Background::Light)),
            ("12;default;8", Some(Background::Dark)),
            ("0;default", None),
            ("", None),
            ("0;99", None),
        ] {
            assert_eq!(colors(&[("COLORFGBG", value)]).background, expected, "{value}");
        }
    }
}
