//! The background that the colours are for. The colours themselves are in `tui/theme.rs`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// For which background the colours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ColorTheme {
    /// Colours that are readable on light and on dark.
    #[default]
    Auto,
    /// Colours for a light background.
    Light,
    /// Colours for a dark background.
    Dark,
}

impl ColorTheme {
    /// The names, as the settings show them.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The next or the previous one, around the end.
    #[must_use]
    pub const fn turned(self, forward: bool) -> Self {
        match (self, forward) {
            (Self::Auto, true) | (Self::Dark, false) => Self::Light,
            (Self::Light, true) | (Self::Auto, false) => Self::Dark,
            (Self::Dark, true) | (Self::Light, false) => Self::Auto,
        }
    }
}
