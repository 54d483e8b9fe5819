//! The texts about variants: the game in a few words, what may be played now, the sides of a game that
//! have names of their own, and three notes for a first game.

use std::borrow::Cow;

use noughts_client::session::RoomView;
use noughts_protocol::{
    BoardSpec, Cell, DecidedBoard, Effect, FirstMove, Mark, Opening, RoomSettings, Rules, Variant,
};

use crate::boards::{Boards, Parts};

/// The game of a room without its clock: "3x3, 3 in a row", "gravity, 7x6, 4 in a row".
pub(crate) fn game(settings: &RoomSettings) -> String {
    let more = if settings.majority { ", more boards win" } else { "" };
    of(settings.variant, settings.board) + more
}

/// The game of a variant on a board.
pub(crate) fn of(variant: Variant, spec: BoardSpec) -> String {
    let label = variant.label();
    let board = board(variant, spec);
    match variant {
        Variant::Line => board,
        Variant::Notakto | Variant::Qubic => format!("{label}, {board}"),
        _ if has_one_board(variant) => label.to_owned(),
        _ if has_one_line(variant) => format!("{label}, {}x{}", spec.width(), spec.height()),
        _ => format!("{label}, {board}"),
    }
}

/// Whether a variant is told by its name alone.
fn has_one_board(variant: Variant) -> bool {
    variant.boards().len() == 1
}

/// Whether the length of a line goes without saying.
fn has_one_line(variant: Variant) -> bool {
    let lines = || variant.boards().iter().map(|board| board.rsplit('x').next());
    lines().all(|line| lines().next() == Some(line))
}

/// A board in the form of a variant: "7x6, 4 in a row", "3 boards".
pub(crate) fn board(variant: Variant, board: BoardSpec) -> String {
    let line = board.line();
    match (variant, Boards::of(variant, board).count()) {
        (Variant::Notakto, 1) => "1 board".to_owned(),
        (Variant::Notakto | Variant::Ultimate, count) => format!("{count} boards"),
        (Variant::Qubic, _) => format!("{line}x{line}x{line}"),
        _ => format!("{}x{}, {line} in a row", board.width(), board.height()),
    }
}

/// The rule in a sentence, for a form.
pub(crate) const fn sentence(variant: Variant) -> &'static str {
    match variant {
        Variant::Line => "Marks in a row win.",
        Variant::Ultimate => "Nine boards: your cell names the board that is played in next.",
        Variant::Misere => "Who completes a row loses.",
        Variant::Wild => "Place X or O, as you like: who completes a row wins.",
        Variant::WildMisere => "Place X or O, as you like: who completes a row loses.",
        Variant::Notakto => "All marks are X: who completes the last board's row loses.",
        Variant::Gravity => "Marks fall to the lowest free cell of their column.",
        Variant::Vanish => "You have few marks: the oldest one goes when you place the next.",
        Variant::Qubic => "A cube: rows in any direction win, also through its layers.",
        Variant::Exact => "Exactly five in a row win, more do not count.",
        Variant::Order => "Both place X or O: Order wants five in a row, Chaos wants none.",
    }
}

/// Three notes for a first game, one for the variant that all know, and one about a swap2 opening.
pub(crate) fn notes(settings: &RoomSettings) -> Vec<String> {
    let mut notes = notes_of(settings);
    if settings.opening == Opening::Swap2 {
        let swap2 = "One player places X, O, X. The other one chooses a side, or adds O and X and \
                     leaves the choice to the first.";
        notes.push(swap2.to_owned());
    }
    notes
}

fn notes_of(settings: &RoomSettings) -> Vec<String> {
    let line = settings.board.line();
    let ink = "Place X or O in each move, as you like: x and o choose.";
    let row = if settings.variant == Variant::WildMisere { "loses" } else { "wins" };
    let texts: [Cow<'static, str>; 3] = match settings.variant {
        Variant::Line => return vec![format!("Who has {line} in a row wins.")],
        Variant::Ultimate => ultimate_notes(settings.majority),
        Variant::Misere => [
            "Who completes a row loses, so make none.".into(),
            "Leave your opponent the cells that complete one.".into(),
            "If the board is full without a row, it is a draw.".into(),
        ],
        Variant::Wild | Variant::WildMisere => [
            ink.into(),
            format!("Who completes {line} of the same mark in a row {row}, whoever placed them.")
                .into(),
            "What you place serves your opponent as well.".into(),
        ],
        Variant::Notakto => [
            "Both players place X.".into(),
            "A board with three in a row is dead: nothing is played there any more.".into(),
            "Who completes the row on the last board that lives loses.".into(),
        ],
        Variant::Gravity => [
            "A mark falls to the lowest free cell of its column: choose the column.".into(),
            format!("{line} in a row win: across, upwards, or along a diagonal.").into(),
            "What you fill may open the cell above it for your opponent.".into(),
        ],
        Variant::Vanish => [
            format!("You have at most {line} marks on the board.").into(),
            "With the next one your oldest goes: it is pale, between ~ signs.".into(),
            format!("{line} in a row win. A position that comes for the third time is a draw.")
                .into(),
        ],
        Variant::Qubic => [
            format!("The board is a cube of {line} layers, L1 to L{line}, one below the other.")
                .into(),
            format!("{line} in a row win: in a layer, straight down, or along any diagonal.")
                .into(),
            format!(
                "The rows are numbered through all layers: below a1 lies a{}.",
                settings.board.width() + 1
            )
            .into(),
        ],
        Variant::Exact => [
            "Exactly five in a row win.".into(),
            "Six and more do not count, for nobody.".into(),
            "So a cell that makes six is no threat.".into(),
        ],
        Variant::Order => [
            ink.into(),
            "Order, who has X's seat, wins by five or more of the same mark in a row.".into(),
            "Chaos, who has O's seat, wins when no such row can be made any more.".into(),
        ],
    };
    texts.map(Cow::into_owned).to_vec()
}

fn ultimate_notes(majority: bool) -> [Cow<'static, str>; 3] {
    [
        "The place of your cell in its small board names the board in which your opponent \
         plays next."
            .into(),
        "Three in a row win a small board. Who is sent to one that is won or full chooses any \
         other."
            .into(),
        if majority {
            "Three boards in a row win the game. If nobody has them, more boards win.".into()
        } else {
            "Three boards in a row win the game.".into()
        },
    ]
}

/// The name of a side: "X", "Order", or "player 1" where both place the same marks.
pub(crate) fn side(variant: Variant, mark: Mark) -> String {
    match (variant, mark) {
        (Variant::Order, Mark::X) => "Order".to_owned(),
        (Variant::Order, Mark::O) => "Chaos".to_owned(),
        (_, Mark::X) if variant.shares_marks() => "player 1".to_owned(),
        (_, Mark::O) if variant.shares_marks() => "player 2".to_owned(),
        _ => mark.to_string(),
    }
}

/// The side of a seat after "You play": "X", "Order", or "first" where both place the same marks.
pub(crate) fn role(view: &RoomView, mark: Mark) -> String {
    let RoomSettings { variant, first, .. } = view.state.settings;
    let begins = match (&view.state.game, first) {
        (Some(numbered), _) => Some(numbered.game.first()),
        (None, FirstMove::O) => Some(Mark::O),
        (None, FirstMove::Random) => None,
        (None, _) => Some(Mark::X),
    };
    match begins {
        _ if !variant.shares_marks() => side(variant, mark),
        Some(begins) if begins == mark => "first".to_owned(),
        Some(_) => "second".to_owned(),
        None => "first or second, by lot".to_owned(),
    }
}

/// The name of a side after a player: " (X)", " (Order)"; empty where both may place the same mark.
pub(super) fn after_name(variant: Variant, mark: Mark) -> String {
    if variant.shares_marks() { String::new() } else { format!(" ({})", side(variant, mark)) }
}

/// One board of several: "board 5", "layer 2"; `None` if there is one.
fn board_name(boards: Boards, board: u8) -> Option<String> {
    let number = board + 1;
    match boards.parts {
        Parts::One => None,
        _ if boards.count() == 1 => None,
        Parts::Nested | Parts::Apart => Some(format!("board {number}")),
        Parts::Layers => Some(format!("layer {number}")),
    }
}

/// A cell for people, with its board if there are several: "5", "b2", "e5 (board 5)".
pub(crate) fn cell(boards: Boards, cell: Cell) -> String {
    let label = boards.spec.label(cell);
    match board_name(boards, boards.place(cell).0) {
        Some(name) => format!("{label} ({name})"),
        None => label,
    }
}

/// The effect of a move in words: " and wins board 5". Empty if it did nothing more. `you` is whether the
/// reader moved.
pub(crate) fn effect(boards: Boards, effect: Option<&Effect>, you: bool) -> String {
    let Some(effect) = effect else { return String::new() };
    let removed =
        effect.removed.map(|cell| format!(": the mark on {} goes", boards.spec.label(cell)));
    let decided = effect.decided.as_ref().filter(|_| boards.count() > 1);
    let decided = decided.map(|DecidedBoard { board, winner, .. }| {
        let number = board + 1;
        match (winner, boards.parts) {
            (Some(_), _) if you => format!(" and win board {number}"),
            (Some(_), _) => format!(" and wins board {number}"),
            (None, Parts::Apart) => format!(": board {number} is dead"),
            (None, _) => format!(": board {number} is full"),
        }
    });
    removed.into_iter().chain(decided).collect()
}

/// The cells and marks for the player to move: "Board 5 (d4 to f6)." `None` where any empty cell will do.
pub(crate) fn may_play(view: &RoomView) -> Option<String> {
    let playable = view.playable()?;
    let boards = Boards::of_room(view);
    let mut parts = Vec::new();
    match playable.marks.as_deref() {
        Some([only]) => parts.push(format!("Both place {only}.")),
        Some(_) if view.my_turn().is_some() => {
            parts.push("Place X or O: type x or o before the cell.".to_owned());
        }
        _ => {}
    }
    if let Some(cells) = playable.cells {
        let mut open: Vec<u8> = cells.iter().map(|cell| boards.place(*cell).0).collect();
        open.sort_unstable();
        open.dedup();
        match (boards.parts, &open[..]) {
            (Parts::One | Parts::Layers, _) => {
                let mut columns: Vec<u8> =
                    cells.iter().map(|cell| boards.spec.position(*cell).0).collect();
                columns.sort_unstable();
                let letter = |column: u8| char::from(b'a' + column).to_string();
                let noun = if columns.len() == 1 { "Column" } else { "Columns" };
                parts.push(format!("{noun} {}.", ranges(&columns, letter)));
            }
            (_, [only]) => {
                let mut all = boards.cells(*only);
                let first = all.next().map(|cell| boards.spec.label(cell)).unwrap_or_default();
                let last = all.last().map(|cell| boards.spec.label(cell)).unwrap_or_default();
                parts.push(format!("Board {} ({first} to {last}).", only + 1));
            }
            (_, open) => {
                let number = |board: u8| (board + 1).to_string();
                parts.push(format!("Boards {}.", ranges(open, number)));
            }
        }
    }
    if let Some(leaving) = playable.leaving {
        parts.push(format!("The mark on {} goes then.", boards.spec.label(leaving)));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Numbers that grow, in words: "1, 3 to 5".
fn ranges(numbers: &[u8], name: impl Fn(u8) -> String) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[u8]| match *run {
        [first, _, .., last] => format!("{} to {}", name(first), name(last)),
        _ => run.iter().map(|number| name(*number)).collect::<Vec<_>>().join(", "),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

/// The boards that are decided, in a line for a picture of characters: "X has board 5, O has boards 1
/// and 2". Empty if there is none.
pub(crate) fn decided(boards: Boards, decided: impl Iterator<Item = DecidedBoard>) -> String {
    let all: Vec<DecidedBoard> = decided.filter(|_| boards.count() > 1).collect();
    let of = |winner: Option<Mark>, verb: &str| {
        let numbers = all.iter().filter(|board| board.winner == winner);
        let mut numbers: Vec<u8> = numbers.map(|board| board.board).collect();
        numbers.sort_unstable();
        let noun = if numbers.len() == 1 { "board" } else { "boards" };
        let number = |board: u8| (board + 1).to_string();
        (!numbers.is_empty()).then(|| format!("{verb} {noun} {}", ranges(&numbers, number)))
    };
    let gone = if boards.parts == Parts::Apart { "Dead:" } else { "Full:" };
    let parts = [of(Some(Mark::X), "X has"), of(Some(Mark::O), "O has"), of(None, gone)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(". ")
}

/// Whether the one who completes a line loses.
pub(crate) const fn line_loses(variant: Variant) -> bool {
    matches!(variant, Variant::Misere | Variant::WildMisere | Variant::Notakto)
}

/// A cell with the mark that is placed on it, if the sides choose their marks: "b2", "o b2".
pub(crate) fn placement(settings: &RoomSettings, cell: Cell, placed: Mark) -> String {
    let label = settings.board.label(cell);
    let chosen = if placed == Mark::X { "x" } else { "o" };
    if has_inks(settings) { format!("{chosen} {label}") } else { label }
}

/// Whether the sides choose their marks.
pub(super) fn has_inks(settings: &RoomSettings) -> bool {
    Rules::of(settings).marks(Mark::X).len() > 1
}
