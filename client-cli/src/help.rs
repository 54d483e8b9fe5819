//! Which keys there are, in pages that fit the window. Drawing them is [`crate::ui`]'s.

use ratatui::layout::Size;

use crate::layout;

/// A key and what it does.
pub(crate) type Line = (&'static str, &'static str);

/// The width of the window with the keys, if there is so much.
pub(crate) const WIDTH: u16 = 47;

/// The keys of a game.
const ROOM: [Line; 12] = [
    ("arrows, hjkl", "move"),
    ("Enter, space", "place your mark (or click)"),
    ("1-9", "place it at once, on 3x3"),
    ("x, o, a", "choose in a swap2 opening"),
    ("r", "rematch: offer, accept, take back"),
    ("i", "a hint: its cells are (5) or (?)"),
    ("R, x", "resign"),
    ("v", "review the game that is over"),
    ("c, d", "claim the win, a draw"),
    ("q, Esc", "leave (a running game is lost)"),
    ("Ctrl-C twice", "go and keep your seat"),
    ("[X] *X* >X<", "last move, winning line, you"),
];

/// The keys before a game.
const MENUS: [Line; 5] = [
    ("arrows, hjkl", "move and change"),
    ("Enter", "choose, start"),
    ("1-8", "choose from a menu"),
    ("q, Esc", "back, quit"),
    ("Ctrl-C", "quit"),
];

/// A page of the keys and whether another follows; none after the last.
#[must_use]
pub(crate) fn page(in_room: bool, size: Size, page: usize) -> Option<(&'static [Line], bool)> {
    let lines = if in_room { &ROOM[..] } else { &MENUS[..] };
    // The window's border takes two rows and columns; a longer line is broken between words.
    let rows = layout::chrome(size)?.body.height - 2;
    let rows_a_line = if size.width < WIDTH { WIDTH / (size.width - 2) + 1 } else { 1 };
    let rows = usize::from(rows / rows_a_line);
    let mut pages = lines.chunks(rows.max(1)).skip(page);
    pages.next().map(|lines| (lines, pages.next().is_some()))
}
