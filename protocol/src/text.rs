//! Which characters are safe to show, and text that holds only those. Names have stricter rules, in
//! [`crate::id`].

use std::fmt;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use serde::{Deserialize, Serialize};

use crate::MAX_TEXT_CHARS;

/// Whether a character is invisible by itself: UAX #44 `Default_Ignorable_Code_Point`, which are
/// bidirectional controls, zero-width characters, variation selectors, fillers and tags.
#[must_use]
pub fn is_ignorable(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whether a character can move the cursor, reorder its neighbours or hide.
///
/// These are controls (Unicode Cc), line and paragraph separators, [ignorable](is_ignorable)
/// characters except the variation selectors that emoji need, the Braille blank, and interlinear
/// annotation marks.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    let separates = matches!(c, '\u{2028}' | '\u{2029}' | '\u{2800}' | '\u{FFF9}'..='\u{FFFB}');
    let selects = matches!(c, '\u{FE00}'..='\u{FE0F}');
    c.is_control() || separates || (is_ignorable(c) && !selects)
}

/// The text of a file without the byte order mark that some editors begin it with.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The first line of a file such as one with a password, without its end and without a byte order mark.
#[must_use]
pub fn first_line(text: &str) -> &str {
    without_mark(text).lines().next().unwrap_or_default()
}

/// Text from a peer that is safe to show: unsafe characters become `�`, and text beyond
/// [`MAX_TEXT_CHARS`] is cut off.
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
