//! Which characters may travel between people, and text that is safe to show.
//! Names, which are refused rather than mended, are in [`crate::id`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::MAX_TEXT_CHARS;

/// Whether a character could move a cursor, reorder its neighbours or hide.
///
/// Controls (Unicode Cc), line and paragraph separators, the bidirectional controls of UAX #9,
/// zero-width and other invisible characters (UAX #44 `Default_Ignorable_Code_Point`, without the
/// variation selectors that emoji need), and interlinear annotation marks.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// Text from a peer, made safe to show when it is read: unsafe characters become `�`, and what is
/// longer than [`MAX_TEXT_CHARS`] is cut.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct DisplayText(String);

impl DisplayText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for DisplayText {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&str> for DisplayText {
    fn from(text: &str) -> Self {
        let safe = |c| if is_unsafe(c) { char::REPLACEMENT_CHARACTER } else { c };
        Self(text.chars().take(MAX_TEXT_CHARS).map(safe).collect())
    }
}

impl fmt::Display for DisplayText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
