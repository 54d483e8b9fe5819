//! Sizes of boards, and cells by number and by name.

use noughts_protocol::board::{BoardSpecError, CellError};
use noughts_protocol::{Board, BoardSpec, Cell, Mark};

fn spec(text: &str) -> BoardSpec {
    text.parse().expect("a board that the test made up")
}

#[test]
fn sides_are_3_to_19() {
    for side in [3, 19] {
        assert!(BoardSpec::new(side, side, 3).is_ok());
    }
    for side in [0, 2, 20, 255] {
        assert_eq!(BoardSpec::new(side, 5, 3), Err(BoardSpecError::Side(side)));
        assert_eq!(BoardSpec::new(5, side, 3), Err(BoardSpecError::Side(side)));
    }
}

#[test]
fn a_line_is_3_to_the_longer_side() {
    assert!(BoardSpec::new(3, 5, 5).is_ok());
    for line in [0, 2, 6] {
        assert_eq!(BoardSpec::new(3, 5, line), Err(BoardSpecError::Line { line, longest: 5 }));
    }
}

#[test]
fn a_board_is_written_as_it_is_read() {
    for text in ["3x3x3", "15x15x5", "19x3x4"] {
        assert_eq!(spec(text).to_string(), text);
    }
    assert_eq!(spec(" 7 X 6 × 4 "), spec("7x6x4"));
    for text in ["", "3", "3x3", "3x3x3x3", "axbxc", "3x3x-3", "300x3x3"] {
        assert_eq!(text.parse::<BoardSpec>(), Err(BoardSpecError::Form), "{text}");
    }
}

#[test]
fn a_board_that_cannot_be_does_not_parse() {
    for json in [
        r#"{"width":2,"height":3,"line":3}"#,
        r#"{"width":3,"height":3,"line":4}"#,
        r#"{"width":3,"height":3}"#,
        r#"{"width":300,"height":3,"line":3}"#,
    ] {
        assert!(serde_json::from_str::<BoardSpec>(json).is_err(), "{json}");
    }
}

#[test]
fn cells_are_numbered_row_by_row() {
    let spec = spec("4x3x3");
    let numbers: Vec<u16> = spec.all_cells().map(|cell| cell.0).collect();
    assert_eq!(numbers, (0..12).collect::<Vec<u16>>());
    for cell in spec.all_cells() {
        let (column, row) = spec.position(cell);
        assert_eq!(u16::from(row) * 4 + u16::from(column), cell.0);
        assert_eq!(spec.cell_at(i16::from(column), i16::from(row)), Some(cell));
    }
    for (column, row) in [(-1, 0), (0, -1), (4, 0), (0, 3), (i16::MIN, i16::MAX)] {
        assert_eq!(spec.cell_at(column, row), None);
    }
}

#[test]
fn people_see_numbers_on_the_small_board_and_coordinates_on_others() {
    assert_eq!(BoardSpec::TIC_TAC_TOE.label(Cell(0)), "1");
    assert_eq!(BoardSpec::TIC_TAC_TOE.label(Cell(8)), "9");
    assert_eq!(spec("15x15x5").label(Cell(0)), "a1");
    assert_eq!(spec("19x19x5").label(Cell(360)), "s19");
}

#[test]
fn a_cell_beyond_the_board_has_a_harmless_name() {
    for number in [9, 765, 767, u16::MAX] {
        let _ = BoardSpec::TIC_TAC_TOE.label(Cell(number));
        let _ = BoardSpec::TIC_TAC_TOE.coordinates(Cell(number));
    }
    assert_eq!(BoardSpec::TIC_TAC_TOE.coordinates(Cell(767)), "c256");
}

#[test]
fn a_cell_is_read_by_number_or_coordinate() {
    let spec = spec("4x3x3");
    for (text, cell) in [("1", 0), ("12", 11), ("a1", 0), ("D3", 11), (" b2 ", 5), ("007", 6)] {
        assert_eq!(spec.parse_cell(text), Ok(Cell(cell)), "{text}");
    }
    for text in ["0", "13", "99999999999", "e1", "a4", "a0", "z9", "a99999999999"] {
        assert_eq!(spec.parse_cell(text), Err(CellError::Range(spec)), "{text}");
    }
    for text in ["", " ", "a", "-1", "1a", "aa1", "é1", "a-1", "a+1", "5.0", "\u{1b}[2J"] {
        assert_eq!(spec.parse_cell(text), Err(CellError::Form(spec)), "{text}");
    }
}

#[test]
fn a_wrong_cell_is_told_what_is_right() {
    let error = spec("4x3x3").parse_cell("e1").unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no such cell: type a number from 1 to 12 or a coordinate from a1 to d3"
    );
}

#[test]
fn a_board_holds_what_is_put_on_it_and_ignores_what_is_beyond() {
    let mut board = Board::empty(BoardSpec::TIC_TAC_TOE);
    board.set(Cell(4), Some(Mark::X));
    board.set(Cell(9), Some(Mark::O));
    assert_eq!(board.get(Cell(4)), Some(Mark::X));
    assert_eq!(board.get(Cell(9)), None);
    assert!(!board.is_empty(Cell(4)) && !board.is_empty(Cell(9)) && board.is_empty(Cell(0)));
    assert_eq!(board.empty_cells().count(), 8);
    board.set(Cell(4), None);
    assert_eq!(board, Board::empty(BoardSpec::TIC_TAC_TOE));
}
