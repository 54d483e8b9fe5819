//! How the full screen looks and rings. The command line decides; else what the player chose inside
//! the program, which the profile keeps; else the surroundings.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::args::Global;

/// For which background the colours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColorTheme {
    /// Colours that are readable on light and on dark.
    #[default]
    Auto,
    /// Colours for a light background.
    Light,
    /// Colours for a dark background.
    Dark,
}

/// How the full screen looks and rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Preferences {
    /// The background that the colours are for.
    pub(crate) theme: ColorTheme,
    /// Ring, and notify, when the player is wanted and looks elsewhere.
    pub(crate) bell: bool,
    /// Draw movement, such as the line of a win.
    pub(crate) motion: bool,
}

/// The player's choices inside the program. `None` means never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SavedPreferences {
    /// See [`Preferences::theme`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) theme: Option<ColorTheme>,
    /// See [`Preferences::bell`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bell: Option<bool>,
    /// See [`Preferences::motion`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) motion: Option<bool>,
}

impl Preferences {
    /// The preferences of a run. Over SSH every frame costs time, so movement is off by default.
    pub(crate) fn new(args: &Global, saved: SavedPreferences, over_ssh: bool) -> Self {
        Self {
            theme: args.theme.or(saved.theme).unwrap_or_default(),
            bell: !args.no_bell && saved.bell.unwrap_or(true),
            motion: !args.no_motion && saved.motion.unwrap_or(!over_ssh),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Args;

    fn check(
        line: &str,
        saved: SavedPreferences,
        over_ssh: bool,
        expected: (ColorTheme, bool, bool),
    ) {
        let args = Args::try_parse_from(line.split_whitespace()).unwrap();
        let Preferences { theme, bell, motion } = Preferences::new(&args.global, saved, over_ssh);
        assert_eq!((theme, bell, motion), expected, "{line}, {saved:?}");
    }

    #[test]
    fn the_command_line_decides_before_the_profile_and_the_profile_before_the_surroundings() {
        use ColorTheme::{Auto, Dark, Light};
        let none = SavedPreferences::default();
        check("noughts", none, false, (Auto, true, true));
        check("noughts", none, true, (Auto, true, false));
        let saved = SavedPreferences { theme: Some(Dark), bell: Some(false), motion: Some(true) };
        check("noughts", saved, true, (Dark, false, true));
        let line = "noughts --theme light --no-motion";
        check(line, saved, false, (Light, false, false));
        check("noughts --no-bell", none, false, (Auto, false, true));
    }
}
