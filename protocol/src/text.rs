//! The one filter of names, talk and messages: it keeps the characters that are safe to show. Also the
//! length of a text, as people count. Names have further rules, in [`crate::id`].

use std::borrow::Cow;
use std::fmt;

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{
    BinaryProperty, CanonicalCombiningClass, DefaultIgnorableCodePoint, Emoji, EmojiModifier,
    EmojiPresentation, EnumeratedProperty, ExtendedPictographic, GeneralCategory, JoiningType,
};
use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::MAX_TEXT_CHARS;

/// ZERO WIDTH NON-JOINER: it keeps two letters apart that would be joined.
const NON_JOINER: char = '\u{200c}';

/// ZERO WIDTH JOINER: it joins letters, and emoji to one emoji.
const JOINER: char = '\u{200d}';

/// The variation selector that asks for a character as a coloured emoji.
const AS_EMOJI: char = '\u{fe0f}';

/// The key around a digit.
const KEYCAP: char = '\u{20e3}';

/// A flag of a part of a country is this black flag and invisible tags.
const FLAG: char = '\u{1f3f4}';

/// The tags of England, Scotland and Wales, the only flags of this kind that fonts have.
const TAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// The most marks on a letter, and the most of them in one place, such as above it. Hebrew has four.
const MARKS: usize = 4;
const MARKS_IN_ONE_PLACE: usize = 2;

/// How many bytes of UTF-8 a character of a text has on average at most.
pub const BYTES_PER_CHAR: usize = 4;

/// Whether a character is invisible by itself: UAX #44 `Default_Ignorable_Code_Point`, which are
/// bidirectional controls, zero-width characters, variation selectors, fillers and tags.
fn is_ignorable(c: char) -> bool {
    DefaultIgnorableCodePoint::for_char(c)
}

/// Whether a character is invisible by itself but belongs to words or emoji. [`visible`] keeps it
/// only there.
#[must_use]
pub const fn is_joiner(c: char) -> bool {
    matches!(c, NON_JOINER | JOINER | AS_EMOJI | '\u{e0061}'..='\u{e007a}' | '\u{e007f}')
}

/// Whether a character can move the cursor, reorder its neighbours or hide.
///
/// These are controls (Unicode Cc), line and paragraph separators, ignorable characters except
/// [joiners](is_joiner), the Braille blank, and interlinear annotation marks.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    let separates = matches!(c, '\u{2028}' | '\u{2029}' | '\u{2800}' | '\u{FFF9}'..='\u{FFFB}');
    c.is_control() || separates || (!c.is_ascii() && is_ignorable(c) && !is_joiner(c))
}

/// The text without characters that show nothing where they are.
///
/// Joiners stay where Unicode gives them a meaning: CONTEXTJ of RFC 5892 (appendices A.1 and A.2), a
/// joiner before a virama, emoji sequences of UTS #51. Marks without a letter go, and so do marks that
/// would pile up. Controls and separators stay: the caller says what becomes of them.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut marks: Vec<CanonicalCombiningClass> = Vec::with_capacity(MARKS);
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        let rest = letters.as_str();
        if !belongs(c, &kept, rest) {
            continue;
        }
        match GeneralCategory::for_char(c) {
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark if !is_joiner(c) => {
                let place = CanonicalCombiningClass::for_char(c);
                let same = marks.iter().filter(|mark| **mark == place).count();
                let is_stacked = place != CanonicalCombiningClass::NotReordered;
                if marks.len() == MARKS || (is_stacked && same == MARKS_IN_ONE_PLACE) {
                    continue;
                }
                marks.push(place);
            }
            GeneralCategory::SpacingMark => {}
            _ if is_joiner(c) => {}
            _ => marks.clear(),
        }
        kept.push(c);
        if c == FLAG
            && let Some(tags) = TAGS.into_iter().find(|tags| rest.starts_with(tags))
        {
            kept.push_str(tags);
        }
    }
    Cow::Owned(kept)
}

/// The [visible] characters of a text, in Unicode's NFC.
pub(crate) fn composed(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    let mut name = nfc.normalize(text).into_owned();
    loop {
        // Letters may be composed when what was between them is gone, and then look different to the filter.
        let next = nfc.normalize(&visible(&name)).into_owned();
        if next == name {
            return name;
        }
        name = next;
    }
}

/// Whether a character shows something between the text before it and the rest.
fn belongs(c: char, before: &str, rest: &str) -> bool {
    let last = before.chars().next_back();
    let next = rest.chars().next();
    match c {
        NON_JOINER => last.is_some_and(is_virama) || keeps_apart(before, rest),
        JOINER => {
            let is_before_virama = last.is_some_and(is_letter) && next.is_some_and(is_virama);
            last.is_some_and(is_virama) || is_before_virama || joins_emoji(before, next)
        }
        AS_EMOJI => match last {
            Some('0'..='9' | '#' | '*') => next == Some(KEYCAP),
            Some(sign) => Emoji::for_char(sign) && !EmojiPresentation::for_char(sign),
            None => false,
        },
        mark if is_mark(mark) && !is_ignorable(mark) => {
            last.is_some_and(|last| !last.is_whitespace() && !is_unsafe(last))
        }
        other => !is_ignorable(other),
    }
}

/// Whether letters on both sides would be joined, as in Arabic.
fn keeps_apart(before: &str, rest: &str) -> bool {
    let joining = |c: &char| JoiningType::for_char(*c);
    let is_seen = |c: &char| joining(c) != JoiningType::Transparent;
    let next = rest.chars().find(is_seen).map(|c| joining(&c));
    let is_joined = matches!(next, Some(JoiningType::RightJoining | JoiningType::DualJoining));
    let last = || before.chars().rev().find(is_seen).map(|c| joining(&c));
    is_joined && matches!(last(), Some(JoiningType::LeftJoining | JoiningType::DualJoining))
}

fn joins_emoji(before: &str, next: Option<char>) -> bool {
    let is_sign = |c: &char| *c != AS_EMOJI && !EmojiModifier::for_char(*c);
    let last = || before.chars().rev().find(is_sign);
    next.is_some_and(ExtendedPictographic::for_char)
        && last().is_some_and(ExtendedPictographic::for_char)
}

fn is_virama(c: char) -> bool {
    CanonicalCombiningClass::for_char(c) == CanonicalCombiningClass::Virama
}

/// Whether a character is a letter of a script without capitals, with or without a dot.
fn is_letter(c: char) -> bool {
    GeneralCategory::for_char(c) == GeneralCategory::OtherLetter
        || CanonicalCombiningClass::for_char(c) == CanonicalCombiningClass::Nukta
}

fn is_mark(c: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    matches!(GeneralCategory::for_char(c), EnclosingMark | NonspacingMark | SpacingMark)
}

/// How many characters a text has, as people count: grapheme clusters. More than four bytes of UTF-8
/// for each of them count as further characters, so that the length bounds the bytes too.
#[must_use]
pub fn length(text: &str) -> usize {
    text.graphemes(true).count().max(text.len().div_ceil(BYTES_PER_CHAR))
}

/// The longest beginning of a text with at most so many characters, as [`length`] counts them. A first
/// character that is too long by itself is cut in the middle.
#[must_use]
pub fn cut(text: &str, most: usize) -> &str {
    let ends = text.grapheme_indices(true).map(|(at, cluster)| at + cluster.len());
    let fits = ends.take(most).take_while(|end| *end <= most * BYTES_PER_CHAR);
    let end = fits.last().unwrap_or_else(|| text.floor_char_boundary(most * BYTES_PER_CHAR));
    &text[..end]
}

/// The text of a file without the byte order mark that some editors begin it with.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The text of a system's error without its number.
#[must_use]
pub fn without_number(text: &str) -> String {
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The first line of a file such as one with a password, without its end and without a byte order mark.
#[must_use]
pub fn first_line(text: &str) -> &str {
    without_mark(text).lines().next().unwrap_or_default()
}

/// Text from a peer that is safe to show: characters that show nothing are removed, other unsafe ones
/// become `�`, and text beyond [`MAX_TEXT_CHARS`] is cut off.
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
        let shown: String = visible(text).chars().map(safe).collect();
        Self(cut(&shown, MAX_TEXT_CHARS).to_owned())
    }
}

impl fmt::Display for DisplayText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
