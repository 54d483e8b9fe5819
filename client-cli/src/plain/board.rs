//! A board as lines of text.

use noughts_protocol::{Cell, Game, Mark};

use crate::boards::{Boards, Parts};
use crate::strings::variant;

/// The board of a game as text. An empty cell shows its number if that is one digit, else a dot; then
/// columns have letters and rows have numbers. Boards in it are set apart, and a line says which of them
/// are decided.
pub(crate) fn text(game: &Game, boards: Boards) -> String {
    let cells = if boards.spec.cells() <= 9 { small(game) } else { large(game, boards) };
    let effects = game.effects().iter();
    let decided = effects.filter_map(|made| made.effect.decided.clone());
    match variant::decided(boards, decided) {
        none if none.is_empty() => cells,
        decided => format!("{cells}{decided}.\n"),
    }
}

/// The marks of a game in words, for those who hear the board: "X: 1, 5. O: 3."
pub(crate) fn in_words(game: &Game) -> String {
    let spec = game.spec();
    let of = |mark| {
        let cells = (0..spec.cells()).map(Cell);
        let own = cells.filter(|cell| game.board().get(*cell) == Some(mark));
        let labels: Vec<String> = own.map(|cell| spec.label(cell)).collect();
        if labels.is_empty() { "none".to_owned() } else { labels.join(", ") }
    };
    format!("X: {}. O: {}.", of(Mark::X), of(Mark::O))
}

fn small(game: &Game) -> String {
    let spec = game.spec();
    let rows: Vec<String> = (0..spec.height())
        .map(|row| {
            let cells: Vec<String> = (0..spec.width())
                .map(|column| {
                    let cell = cell(game, column, row);
                    let shown = game.board().get(cell).map(|mark| mark.to_string());
                    format!(" {} ", shown.unwrap_or_else(|| spec.label(cell)))
                })
                .collect();
            cells.join("|") + "\n"
        })
        .collect();
    let rule = vec!["---"; usize::from(spec.width())].join("+") + "\n";
    rows.join(&rule)
}

fn large(game: &Game, boards: Boards) -> String {
    let spec = game.spec();
    let in_columns = |text: &dyn Fn(u8) -> String| {
        let one = |column: u8| {
            let begins = column > 0 && column.is_multiple_of(boards.size.0);
            let before = if begins { " |" } else { "" };
            format!("{before} {}", text(column))
        };
        (0..spec.width()).map(one).collect::<String>()
    };
    let letters = in_columns(&|column| char::from(b'a' + column).to_string());
    let mut text = format!("   {letters}\n");
    for row in 0..spec.height() {
        let begins = row.is_multiple_of(boards.size.1);
        match boards.parts {
            Parts::Layers if begins => {
                let layer = row / boards.size.1 + 1;
                text.push_str(&format!("    layer {layer}\n"));
            }
            Parts::Nested if begins && row > 0 => {
                let rule = in_columns(&|_| "-".to_owned()).replace(' ', "-").replace('|', "+");
                text.push_str(&format!("   {rule}\n"));
            }
            _ => {}
        }
        let cells = in_columns(&|column| {
            let mark = game.board().get(cell(game, column, row));
            mark.map_or_else(|| ".".to_owned(), |mark| mark.to_string())
        });
        text.push_str(&format!("{:>3}{cells}\n", row + 1));
    }
    text
}

/// The cell in a column and row.
fn cell(game: &Game, column: u8, row: u8) -> Cell {
    Cell(u16::from(row) * u16::from(game.spec().width()) + u16::from(column))
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{RoomSettings, Rules, Variant};

    use super::*;

    fn check(variant: Variant, board: &str, moves: &[u16], expected: &str) {
        let board = board.parse().unwrap();
        let settings = RoomSettings { variant, board, ..RoomSettings::default() };
        let moves: Vec<Cell> = moves.iter().copied().map(Cell).collect();
        let game = Game::replay(Rules::of(&settings), Mark::X, &moves, &[]).unwrap();
        assert_eq!(text(&game, Boards::of(variant, board)), expected);
    }

    #[test]
    fn boards_of_a_variant_are_set_apart_and_the_decided_ones_are_told() {
        let expected = "    a b c | d e f\n  1 X X X | . . .\n  2 . . . | . . .\n  3 . . . | . . .\n\
                        Dead: board 1.\n";
        check(Variant::Notakto, "6x3x3", &[0, 1, 2], expected);
        let layer = |number: u8, rows: [&str; 3]| {
            let first = 3 * number - 2;
            let row = |(at, row): (u8, &str)| format!("{at:>3} {row}\n");
            format!("    layer {number}\n") + &(first..).zip(rows).map(row).collect::<String>()
        };
        let empty = ". . .";
        let expected = "    a b c\n".to_owned()
            + &layer(1, ["X . .", empty, empty])
            + &layer(2, [empty, ". O .", empty])
            + &layer(3, [empty; 3]);
        check(Variant::Qubic, "3x9x3", &[0, 13], &expected);
    }
}
