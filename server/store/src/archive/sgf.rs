//! Writes a kept game as SGF, the Smart Game Format (<https://www.red-bean.com/sgf/>): FF\[4\] and
//! GM\[4\], which is gomoku and renju. The one who moves first is Black. SGF counts the cells of a
//! board from its top left corner, as Noughts does.

use std::fmt::Write;

use noughts_protocol::{ArchivedGame, BoardSpec, Cell, Date, GameResult, Mark, Opening, Variant};

/// The game as a game tree with a root and one node a move.
pub(super) fn write(game: &ArchivedGame) -> String {
    let ArchivedGame { summary, settings, first, moves, .. } = game;
    let black = &summary.players[*first];
    let white = &summary.players[first.other()];
    let mut sgf = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[Noughts:{version}]SZ[{size}]DT[{date}]PB[{black}]PW[{white}]\
         RE[{result}]GN[{id}]",
        version = env!("CARGO_PKG_VERSION"),
        size = size(summary.board),
        date = Date::of_unix_ms(summary.ended_at.cast_signed()),
        black = escaped(&black.label()),
        white = escaped(&white.label()),
        result = result(&summary.result, *first),
        id = summary.id,
    );
    let rules = match (settings.variant, settings.opening) {
        (Variant::Exact, Opening::Free) => "RU[exactly five]",
        (Variant::Exact, Opening::Swap2) => "RU[exactly five, swap2]",
        (_, Opening::Free) => "",
        (_, Opening::Swap2) => "RU[swap2]",
    };
    sgf.push_str(rules);
    for (number, cell) in moves.iter().enumerate() {
        let colour = if number % 2 == 0 { 'B' } else { 'W' };
        // Writing to a string never fails.
        let _ = write!(sgf, ";{colour}[{}]", point(summary.board, *cell));
    }
    sgf.push(')');
    sgf
}

/// A side, or width and height if they differ.
fn size(board: BoardSpec) -> String {
    let width = board.width();
    let height = board.height();
    if width == height { width.to_string() } else { format!("{width}:{height}") }
}

/// Column and row as letters from `a`. A board has at most 19 of each.
fn point(board: BoardSpec, cell: Cell) -> String {
    let (column, row) = board.position(cell);
    [column, row].map(|at| char::from(b'a' + at)).into_iter().collect()
}

/// The winner and the way. `F` is a forfeit: the loser was away.
fn result(result: &GameResult, first: Mark) -> String {
    let how = match result {
        GameResult::Resignation { .. } => "R",
        GameResult::Time { .. } => "T",
        GameResult::Absence { .. } => "F",
        _ => "",
    };
    match result.winner() {
        None => "0".to_owned(),
        Some(winner) if winner == first => format!("B+{how}"),
        Some(_) => format!("W+{how}"),
    }
}

/// A text in which no character ends the value.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        if matches!(c, ']' | '\\' | ':') {
            escaped.push('\\');
        }
        escaped.push(c);
        escaped
    })
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{
        ByMark, Computer, GameId, GameSummary, Participant, PlayerId, RoomSettings, Variant,
    };

    use super::*;

    fn game(board: &str, first: Mark, result: GameResult, moves: &[u16]) -> ArchivedGame {
        let board = board.parse().unwrap();
        let ada = Participant::Human { player: PlayerId(1), name: r"A[d]a\:".parse().unwrap() };
        ArchivedGame {
            summary: GameSummary {
                id: GameId(255),
                ended_at: 1_782_000_000_000,
                players: ByMark { x: ada, o: Participant::Computer(Computer::default()) },
                board,
                variant: Variant::Line,
                result,
                plies: 2,
                rated: false,
                public: false,
            },
            settings: RoomSettings { board, ..RoomSettings::default() },
            first,
            started_at: 0,
            moves: moves.iter().copied().map(Cell).collect(),
            placed: Vec::new(),
            effects: Vec::new(),
            times_ms: vec![0; moves.len()],
        }
    }

    #[test]
    fn a_game_is_written_with_its_players_and_moves() {
        let resigned = GameResult::Resignation { winner: Mark::X };
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            write(&game("15x15x5", Mark::X, resigned, &[0, 14, 224])),
            format!(
                r"(;FF[4]GM[4]CA[UTF-8]AP[Noughts:{version}]SZ[15]DT[2026-06-21]PB[A[d\]a\\\:]PW[computer (minimax, average)]RE[B+R]GN[00000000000000ff];B[aa];W[oa];B[oo])"
            )
        );
    }

    #[test]
    fn o_is_black_if_it_moves_first_and_sides_may_differ() {
        let text = write(&game("7x9x5", Mark::O, GameResult::Time { winner: Mark::X }, &[7]));
        assert!(text.contains("SZ[7:9]") && text.contains("PW[A[d"), "{text}");
        assert!(text.contains("RE[W+T]") && text.ends_with(";B[ab])"), "{text}");
    }

    #[test]
    fn every_result_has_its_letter() {
        let cases = [
            (GameResult::Line { winner: Mark::X, lines: Vec::new() }, "B+"),
            (GameResult::BoardFull, "0"),
            (GameResult::NoLineLeft, "0"),
            (GameResult::Absence { winner: Some(Mark::O), party: None }, "W+F"),
            (GameResult::Absence { winner: None, party: None }, "0"),
        ];
        for (how, expected) in cases {
            assert_eq!(result(&how, Mark::X), expected, "{how:?}");
        }
    }
}
