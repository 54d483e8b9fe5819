//! A board as lines of text.

use noughts_protocol::{Board, Cell};

/// The board as text. An empty cell shows its number if that is one digit, else a dot; then columns
/// have letters and rows have numbers.
pub(super) fn text(board: &Board) -> String {
    if board.spec().cells() <= 9 { small(board) } else { large(board) }
}

fn small(board: &Board) -> String {
    let spec = board.spec();
    let rows: Vec<String> = (0..spec.height())
        .map(|row| {
            let cells: Vec<String> = (0..spec.width())
                .map(|column| {
                    let cell = cell(board, column, row);
                    let shown = board.get(cell).map(|mark| mark.to_string());
                    format!(" {} ", shown.unwrap_or_else(|| spec.label(cell)))
                })
                .collect();
            cells.join("|") + "\n"
        })
        .collect();
    let rule = vec!["---"; usize::from(spec.width())].join("+") + "\n";
    rows.join(&rule)
}

fn large(board: &Board) -> String {
    let spec = board.spec();
    let letters: String =
        (0..spec.width()).map(|column| format!(" {}", char::from(b'a' + column))).collect();
    let mut text = format!("   {letters}\n");
    for row in 0..spec.height() {
        let cells: String = (0..spec.width())
            .map(|column| match board.get(cell(board, column, row)) {
                Some(mark) => format!(" {mark}"),
                None => " .".to_owned(),
            })
            .collect();
        text.push_str(&format!("{:>3}{cells}\n", row + 1));
    }
    text
}

/// The cell in a column and row.
fn cell(board: &Board, column: u8, row: u8) -> Cell {
    Cell(u16::from(row) * u16::from(board.spec().width()) + u16::from(column))
}

#[cfg(test)]
mod tests {
    use noughts_protocol::Mark;

    use super::*;

    #[test]
    fn small_boards_show_numbers() {
        let mut board = Board::empty("3x3x3".parse().unwrap());
        board.set(Cell(4), Some(Mark::X));
        let expected = " 1 | 2 | 3 \n---+---+---\n 4 | X | 6 \n---+---+---\n 7 | 8 | 9 \n";
        assert_eq!(text(&board), expected);
    }

    #[test]
    fn larger_boards_show_coordinates() {
        let mut board = Board::empty("4x3x3".parse().unwrap());
        board.set(Cell(5), Some(Mark::O));
        assert_eq!(text(&board), "    a b c d\n  1 . . . .\n  2 . O . .\n  3 . . . .\n");
    }
}
