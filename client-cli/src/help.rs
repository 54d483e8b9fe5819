//! The list of keys, in pages that fit the terminal. [`crate::ui`] draws them.

use ratatui::layout::Size;

use crate::layout;

/// A key and what it does.
type KeyHelp = (&'static str, &'static str);

/// The width of the window, if the terminal is wide enough.
pub(crate) const WIDTH: u16 = 48;

/// The keys of a room.
const ROOM: [KeyHelp; 14] = [
    ("arrows, hjkl", "move"),
    ("Enter, space", "place your mark"),
    ("1-9", "place it at once, on 3x3"),
    ("x, o, a", "choose in a swap2 opening"),
    ("r", "rematch: offer, accept, withdraw"),
    ("i", "a hint: its cells are (5) or (?)"),
    ("R, x", "resign"),
    ("v", "review the game that is over"),
    ("c, d", "claim the win, a draw"),
    ("q, Esc", "leave (a running game is lost)"),
    ("Ctrl-C twice", "leave and keep your seat"),
    ("Ctrl-L", "draw the screen again"),
    ("mouse", "click cells, answers, keys below"),
    ("[X] *X* >X<", "last move, winning line, you"),
];

/// The keys of the other screens.
const MENUS: [KeyHelp; 6] = [
    ("arrows, hjkl", "move and change"),
    ("Enter", "choose, start"),
    ("1-8", "choose from a menu"),
    ("q, Esc", "back, quit"),
    ("Ctrl-C", "quit"),
    ("mouse", "click items, values, keys below"),
];

/// The lines of a page and whether another page follows. `None` after the last page.
#[must_use]
pub(crate) fn page(in_room: bool, size: Size, page: usize) -> Option<(Vec<String>, bool)> {
    let entries = if in_room { &ROOM[..] } else { &MENUS[..] };
    // The window's border takes two rows and two columns.
    let rows = usize::from(layout::chrome(size)?.body.height - 2);
    let width = WIDTH.min(size.width) - 2;
    let mut pages: Vec<Vec<String>> = vec![Vec::new()];
    for entry in entries {
        let lines = lines(entry, width);
        if pages.last().is_some_and(|last| !last.is_empty() && last.len() + lines.len() > rows) {
            pages.push(Vec::new());
        }
        pages.last_mut()?.extend(lines);
    }
    let more = page + 1 < pages.len();
    pages.into_iter().nth(page).map(|lines| (lines, more))
}

/// A key as a row of a table, or wrapped if the window is narrow.
fn lines((keys, action): &KeyHelp, width: u16) -> Vec<String> {
    if width + 2 == WIDTH {
        return vec![format!("{keys:<13}{action}")];
    }
    layout::wrap(&format!("{keys}: {action}"), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_fits_a_row_of_the_window() {
        let size = Size { width: 80, height: 24 };
        for in_room in [false, true] {
            let (lines, more) = page(in_room, size, 0).unwrap();
            assert!(!more, "one page is enough");
            let width = usize::from(WIDTH - 2);
            assert!(lines.iter().all(|line| layout::columns(line) <= width), "{lines:?}");
        }
    }
}
