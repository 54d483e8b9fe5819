//! The bytes of a remote terminal, as events of the screen. It waits for nothing and writes nothing: the
//! session's task brings the bytes and the time.
//!
//! It is our own because a stranger sends these bytes, in parts of any size. Crossterm parses only its own
//! process's input. Terminput 0.5.16 wants whole sequences, and subtracts 1 from 0 on `CSI < 0 ; 0 ; 0 M`.

use std::mem;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;

use crate::tui::app::AppEvent;

/// The first byte of an escape sequence.
const ESC: u8 = 0x1b;

/// The longest escape sequence, in bytes. Bytes beyond it are left out.
const MAX_SEQUENCE: usize = 32;

/// The longest pasted text, in bytes, and the most keys in one event. The rest of a paste is dropped.
const MAX_TOGETHER: usize = 4096;

/// The end of a pasted text.
const PASTE_END: &[u8] = b"\x1b[201~";

/// Reads what a terminal sends, in parts of any size.
#[derive(Debug, Default)]
pub(crate) struct KeyParser {
    /// An unfinished character or escape sequence: [`MAX_SEQUENCE`] bytes at most.
    pending: Vec<u8>,
    /// A pasted text without its end yet, a little more than [`MAX_TOGETHER`] bytes at most.
    paste: Option<Vec<u8>>,
}

impl KeyParser {
    /// Takes in bytes that came together. Keys that came together are one event.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<AppEvent> {
        let mut events = Vec::new();
        for byte in bytes {
            let Some(event) = self.byte(*byte) else { continue };
            let together = match (events.last_mut(), &event) {
                (Some(AppEvent::Keys(keys)), AppEvent::Key(key)) if keys.len() < MAX_TOGETHER => {
                    keys.push(*key);
                    continue;
                }
                (Some(AppEvent::Key(first)), AppEvent::Key(key)) => Some(vec![*first, *key]),
                _ => None,
            };
            if let Some(keys) = together {
                events.pop();
                events.push(AppEvent::Keys(keys));
            } else {
                events.push(event);
            }
        }
        events
    }

    /// Whether the last bytes are a key of their own unless more follow at once: the Esc key begins
    /// like the others.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.pending[..], [ESC] | [ESC, b'[' | b'O'])
    }

    /// Nothing followed: the key that the last bytes are.
    pub(crate) fn flush(&mut self) -> Option<AppEvent> {
        if !self.is_waiting() {
            return None;
        }
        let key = match mem::take(&mut self.pending)[..] {
            [ESC, letter] => typed(letter.into(), KeyModifiers::ALT),
            _ => KeyCode::Esc.into(),
        };
        Some(AppEvent::Key(key))
    }

    fn byte(&mut self, byte: u8) -> Option<AppEvent> {
        if let Some(text) = &mut self.paste {
            text.push(byte);
            if text.len() > MAX_TOGETHER + PASTE_END.len() {
                text.remove(MAX_TOGETHER);
            }
            let pasted = String::from_utf8_lossy(text.strip_suffix(PASTE_END)?).into_owned();
            self.paste = None;
            return Some(AppEvent::Paste(pasted));
        }
        if byte == ESC {
            let before = mem::replace(&mut self.pending, vec![ESC]);
            return (before == [ESC]).then(|| AppEvent::Key(KeyCode::Esc.into()));
        }
        self.pending.push(byte);
        match self.pending[..] {
            [ESC, b'[', ..] => self.control_sequence(),
            [ESC, b'O'] => None,
            [ESC, b'O', last] => {
                self.pending.clear();
                special(last).map(|code| AppEvent::Key(code.into()))
            }
            _ => self.character(byte),
        }
    }

    /// Reads a character, which the byte may end.
    fn character(&mut self, byte: u8) -> Option<AppEvent> {
        let alt = self.pending.strip_prefix(&[ESC]);
        let modifiers = if alt.is_some() { KeyModifiers::ALT } else { KeyModifiers::NONE };
        match str::from_utf8(alt.unwrap_or(&self.pending)) {
            Ok(text) => {
                let key = text.chars().next().map(|letter| typed(letter, modifiers));
                self.pending.clear();
                key.map(AppEvent::Key)
            }
            Err(error) if error.error_len().is_none() => None,
            Err(_) => self.drop_before(byte),
        }
    }

    /// Reads a sequence that begins with `ESC [`, which its last byte may end.
    fn control_sequence(&mut self) -> Option<AppEvent> {
        let [_, _, ref parameters @ .., last] = self.pending[..] else { return None };
        let event = match (parameters, last) {
            // A terminal from before 1995 says the button and the place in three bytes.
            (&[b'M', button, column], row) => {
                let [button, column, row] = [button, column, row].map(|byte| byte.checked_sub(32));
                mouse(button?.into(), column?.into(), row?.into())
            }
            ([] | [b'M'] | [b'M', _], b'M') | ([b'M'] | [b'M', _], _) | ([], b'[') => return None,
            // The console of Linux.
            ([b'['], b'A'..=b'E') => Some(AppEvent::Key(KeyCode::F(last - b'A' + 1).into())),
            (b"200", b'~') => {
                self.paste = Some(Vec::new());
                None
            }
            (_, b' '..=b'?') => {
                self.pending.truncate(MAX_SEQUENCE);
                return None;
            }
            (_, b'@'..=b'~') => sequence(parameters, last),
            _ => return self.drop_before(last),
        };
        self.pending.clear();
        event
    }

    /// Drops what the byte does not belong to, and begins with the byte anew.
    fn drop_before(&mut self, byte: u8) -> Option<AppEvent> {
        let is_alone = self.pending.len() == 1;
        self.pending.clear();
        if is_alone { None } else { self.byte(byte) }
    }
}

/// A character as the key that types it.
fn typed(letter: char, modifiers: KeyModifiers) -> KeyEvent {
    let control = |first: char| {
        let code = char::from(letter as u8 % 32 + first as u8);
        KeyEvent::new(KeyCode::Char(code), modifiers | KeyModifiers::CONTROL)
    };
    match letter {
        '\r' | '\n' => KeyEvent::new(KeyCode::Enter, modifiers),
        '\t' => KeyEvent::new(KeyCode::Tab, modifiers),
        '\x7f' => KeyEvent::new(KeyCode::Backspace, modifiers),
        '\0' => control(' '),
        '\x01'..='\x1a' => control('`'),
        '\x1b'..='\x1f' => control('\x18'),
        _ if letter.is_uppercase() => {
            KeyEvent::new(KeyCode::Char(letter), modifiers | KeyModifiers::SHIFT)
        }
        _ => KeyEvent::new(KeyCode::Char(letter), modifiers),
    }
}

/// The key whose sequence ends with this letter.
const fn special(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

/// The key whose sequence is this number and a tilde.
fn numbered(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(u8::try_from(number - 10).ok()?),
        17..=21 => KeyCode::F(u8::try_from(number - 11).ok()?),
        23 | 24 => KeyCode::F(u8::try_from(number - 12).ok()?),
        _ => return None,
    })
}

/// The event of a whole sequence. Terminals also send answers and reports, which nobody asked for.
fn sequence(parameters: &[u8], last: u8) -> Option<AppEvent> {
    let text = str::from_utf8(parameters).ok()?;
    if let Some(text) = text.strip_prefix('<') {
        let numbers: Vec<u16> = text.split(';').map_while(|number| number.parse().ok()).collect();
        let [button, column, row] = numbers[..] else { return None };
        return mouse(button, column, row).filter(|_| last == b'M');
    }
    let mut numbers = text.split(';').map(|number| number.parse::<u16>().unwrap_or(1));
    let number = numbers.next().unwrap_or(1);
    let held = numbers.next().unwrap_or(1).saturating_sub(1);
    let code = match last {
        b'I' => return Some(AppEvent::Focus(true)),
        b'O' => return Some(AppEvent::Focus(false)),
        b'~' => numbered(number)?,
        b'Z' => return Some(AppEvent::Key(KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT))),
        _ if number == 1 => special(last)?,
        _ => return None,
    };
    let bits = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    let modifiers = bits.into_iter().filter(|(bit, _)| held & bit != 0).map(|(_, held)| held);
    Some(AppEvent::Key(KeyEvent::new(code, modifiers.collect())))
}

/// The event of a button at a place, which is counted from 1.
fn mouse(button: u16, column: u16, row: u16) -> Option<AppEvent> {
    let place = Position::new(column.checked_sub(1)?, row.checked_sub(1)?);
    // Without Shift, Alt and Ctrl.
    match button & !0b1_1100 {
        0 => Some(AppEvent::Click(place)),
        64 => Some(AppEvent::Wheel { forward: false }),
        65 => Some(AppEvent::Wheel { forward: true }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of bytes that come together, each by its name.
    fn events(bytes: &[u8]) -> Vec<String> {
        KeyParser::default().feed(bytes).iter().map(name).collect()
    }

    fn name(event: &AppEvent) -> String {
        match event {
            AppEvent::Key(key) => key_name(key),
            AppEvent::Keys(keys) => keys.iter().map(key_name).collect::<Vec<_>>().join(" "),
            other => format!("{other:?}"),
        }
    }

    fn key_name(key: &KeyEvent) -> String {
        match (key.modifiers, key.code) {
            (KeyModifiers::NONE, code) => code.to_string(),
            (modifiers, code) => format!("{modifiers}+{code}"),
        }
    }

    /// Fails if a sequence has another meaning than in the local terminal.
    #[test]
    fn each_key_is_known_by_what_terminals_send() {
        for (bytes, names) in [
            (&b"a"[..], "a"),
            (b"Q", "Shift+Q"),
            ("ß€🎲".as_bytes(), "ß € 🎲"),
            (b"\r", "Enter"),
            (b"\t\x1b[Z", "Tab Shift+Back Tab"),
            (b"\x7f\x1b[3~", "Backspace Del"),
            (b"\x03\x04\x0c\x1a", "Control+c Control+d Control+l Control+z"),
            (b"\x00\x1c", "Control+Space Control+4"),
            (b"\x1ba\x1b\x7f", "Alt+a Alt+Backspace"),
            (b"\x1b[A\x1b[B\x1b[C\x1b[D", "Up Down Right Left"),
            (b"\x1bOA\x1bOB\x1bOC\x1bOD", "Up Down Right Left"),
            (b"\x1b[H\x1b[F\x1bOH\x1bOF\x1b[1~\x1b[4~", "Home End Home End Home End"),
            (b"\x1b[2~\x1b[5~\x1b[6~", "Insert Page Up Page Down"),
            (b"\x1bOP\x1bOS\x1b[15~\x1b[24~\x1b[[A", "F1 F4 F5 F12 F1"),
            (b"\x1b[1;5C\x1b[1;2A\x1b[3;3~", "Control+Right Shift+Up Alt+Del"),
            (b"\x1b\x1b[A", "Esc Up"),
        ] {
            let together = events(bytes).join(" ").replace("F(", "F");
            assert_eq!(together, names, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn the_mouse_and_the_focus_are_told() {
        let click = |column, row| format!("{:?}", AppEvent::Click(Position::new(column, row)));
        assert_eq!(events(b"\x1b[<0;11;5M\x1b[<0;11;5m"), [click(10, 4)]);
        assert_eq!(events(b"\x1b[M !!a"), [click(0, 0), "a".into()]);
        assert_eq!(
            events(b"\x1b[<64;1;1M\x1b[<65;1;1M"),
            ["Wheel { forward: false }", "Wheel { forward: true }"]
        );
        assert_eq!(events(b"\x1b[I\x1b[O"), ["Focus(true)", "Focus(false)"]);
        assert!(events(b"\x1b[<0;0;0M\x1b[<2;3;3M\x1b[<32;3;3M\x1b[<0;9M").is_empty());
    }

    /// Fails if anything depends on where the network cuts.
    #[test]
    fn a_cut_anywhere_changes_nothing() {
        let bytes =
            "a€\x1b[1;5C\x1b[<0;11;5M\x1b[200~two\n\x1b[201lines\x1b[201~\x1bOP\x1b[[B🎲\x1bé";
        let all = |parts: &[&[u8]]| {
            let mut keys = KeyParser::default();
            let events = parts.iter().flat_map(|part| keys.feed(part)).collect::<Vec<_>>();
            events.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        let whole = all(&[bytes.as_bytes()]);
        assert!(whole.contains("Paste(\"two\\n\\u{1b}[201lines\") F1 F2 🎲 Alt+é"), "{whole}");
        for (place, _) in bytes.bytes().enumerate() {
            let (before, after) = bytes.as_bytes().split_at(place);
            assert_eq!(all(&[before, after]), whole, "cut at {place}");
        }
    }

    #[test]
    fn what_begins_like_a_sequence_is_a_key_if_nothing_follows() {
        for (bytes, names) in
            [(&b"\x1b"[..], "Esc"), (b"\x1b[", "Alt+["), (b"\x1bO", "Alt+Shift+O")]
        {
            let mut keys = KeyParser::default();
            assert!(keys.feed(bytes).is_empty());
            assert!(keys.is_waiting());
            let flushed = keys.flush().unwrap();
            let held: Vec<&str> = names.split('+').collect();
            assert!(held.iter().all(|part| name(&flushed).contains(part)), "{flushed:?}");
            assert_eq!(keys.feed(b"A").iter().map(name).collect::<Vec<_>>(), ["Shift+A"]);
        }
        let mut keys = KeyParser::default();
        keys.feed(b"\x1b[<0;11");
        assert!(!keys.is_waiting() && keys.flush().is_none(), "more will come");
        assert_eq!(keys.feed(b";5M").len(), 1);
    }

    /// Fails if something unfinished grows, types what it is made of, or swallows what follows.
    #[test]
    fn what_is_no_key_is_dropped_and_bounded() {
        let long = [b"\x1b[", &[b'1'; 100_000][..], b"Xa"].concat();
        for bytes in [
            &b"\xff\xfea"[..],
            b"\xe2\x82a",
            b"\x1b[?1;2ca",
            b"\x1b[24;80Ra",
            b"\x1b[=\x01a",
            &long,
        ] {
            let last = events(bytes).pop().unwrap();
            assert!(last == "a" || last == "Control+a a", "{last}");
        }
        let mut keys = KeyParser::default();
        keys.feed(&long[..50_000]);
        assert!(keys.pending.len() <= MAX_SEQUENCE);
        let mut keys = KeyParser::default();
        keys.feed(b"\x1b[200~");
        keys.feed(&[b'x'; 100_000]);
        let pasted = keys.feed(b"\x1b[201~");
        assert!(matches!(&pasted[..], [AppEvent::Paste(text)] if text.len() == MAX_TOGETHER));
        let typed = KeyParser::default().feed(&[b'x'; 3 * MAX_TOGETHER]);
        assert_eq!(typed.len(), 3, "so many keys are not one event");
    }
}
