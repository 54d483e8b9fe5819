//! Tests of the pictures of kept games. `NOUGHTS_DRAW=FOLDER` writes them there, to look at.

use noughts_protocol::{
    ArchivedGame, BoardSpec, ByMark, Cell, Game, GameId, GameResult, GameSummary, Mark,
    Participant, RoomSettings, Rules, Variant,
};
use tiny_skia::Pixmap;

use super::{BOARD_LINE, CONTROL, O_INK, PAPER, SQUARES, X_INK, draw};
use crate::http::preview::SIZE;

/// A game of two people with these moves; a game that goes on ends by resignation.
fn game(board: &str, first: Mark, moves: &[u16]) -> ArchivedGame {
    let board: BoardSpec = board.parse().unwrap();
    let settings = RoomSettings { board, early_draw: Some(false), ..RoomSettings::default() };
    let moves: Vec<Cell> = moves.iter().map(|cell| Cell(*cell)).collect();
    let mut played = Game::replay(Rules::of(&settings), first, &moves, &[]).unwrap();
    played.conclude(GameResult::Resignation { winner: first });
    kept(settings, &played)
}

/// A game of a variant to its end.
fn game_of(variant: Variant) -> ArchivedGame {
    let board = variant.boards()[0].parse().unwrap();
    let settings = RoomSettings { board, variant, ..RoomSettings::default() };
    let mut played = Game::new(Rules::of(&settings), Mark::X);
    while played.turn().is_some() {
        let legal: Vec<_> = played.legal().collect();
        let placed = legal[(usize::from(played.ply()) * 7 + 1) % legal.len()];
        played.apply(played.move_with(placed)).unwrap();
    }
    kept(settings, &played)
}

fn kept(settings: RoomSettings, played: &Game) -> ArchivedGame {
    let somebody = || Participant::Somebody;
    let summary = GameSummary {
        id: GameId(0x0123_4567_89ab_cdef),
        ended_at: 0,
        players: ByMark { x: somebody(), o: somebody() },
        board: settings.board,
        variant: settings.variant,
        result: played.result().unwrap().clone(),
        plies: played.ply(),
        rated: false,
        public: true,
    };
    ArchivedGame {
        summary,
        settings,
        first: played.first(),
        started_at: 0,
        moves: played.moves().to_vec(),
        placed: played.placed().to_vec(),
        effects: played.effects().to_vec(),
        times_ms: vec![0; played.moves().len()],
    }
}

fn picture(name: &str, game: &ArchivedGame) -> Pixmap {
    let png = draw(game).unwrap();
    if let Ok(folder) = std::env::var("NOUGHTS_DRAW") {
        std::fs::write(format!("{folder}/{name}.png"), &png).unwrap();
    }
    // Messengers skip large pictures.
    assert!(png.len() < 200_000, "{name}: {} bytes", png.len());
    Pixmap::decode_png(&png).unwrap()
}

/// How many pixels have exactly this colour.
fn pixels(picture: &Pixmap, [red, green, blue]: [u8; 3]) -> usize {
    let is = |p: &&tiny_skia::PremultipliedColorU8| {
        (p.red(), p.green(), p.blue(), p.alpha()) == (red, green, blue, 255)
    };
    picture.pixels().iter().filter(is).count()
}

#[test]
fn a_win_shows_both_inks_and_the_line() {
    let won = picture("win-3x3", &game("3x3x3", Mark::X, &[0, 1, 4, 2, 8]));
    assert_eq!((won.width(), won.height()), SIZE);
    for color in [PAPER, SQUARES, BOARD_LINE, X_INK, O_INK] {
        assert!(pixels(&won, color) > 1_000, "{color:x?}");
    }
    // The line covers the middle cell from corner to corner: the same game without it has less ink.
    let mut resigned = game("3x3x3", Mark::X, &[0, 1, 4, 2, 8]);
    resigned.summary.result = GameResult::Resignation { winner: Mark::X };
    let resigned = picture("resigned-3x3", &resigned);
    assert!(pixels(&won, X_INK) > pixels(&resigned, X_INK) + 1_000);
    assert_eq!(pixels(&won, O_INK), pixels(&resigned, O_INK));
}

#[test]
fn the_second_may_begin() {
    let begun = picture("o-begins", &game("3x3x3", Mark::O, &[4]));
    assert!(pixels(&begun, O_INK) > 1_000);
    assert_eq!(pixels(&begun, X_INK), 0);
}

#[test]
fn every_size_fits() {
    let draw = picture("draw-3x3", &game("3x3x3", Mark::X, &[4, 0, 2, 6, 3, 5, 1, 7, 8]));
    assert!(pixels(&draw, X_INK) > pixels(&draw, O_INK));
    let gomoku = [
        112, 128, 144, 142, 114, 156, 145, 161, 111, 98, 131, 83, 141, 155, 68, 170, 184, 146, 139,
        132, 162, 52, 130, 38, 169, 69, 153, 70, 53, 167, 126, 185, 158, 160, 129, 173, 188, 82,
        171, 147, 37, 186, 67, 84, 113, 110, 115,
    ];
    let large = picture("win-15x15", &game("15x15x5", Mark::X, &gomoku));
    assert!(pixels(&large, CONTROL) > 1_000);
    // The last mark completes two lines.
    let cross = [1, 7, 2, 14, 3, 6, 11, 20, 18, 27, 25, 34, 4];
    picture("cross-7x5", &game("7x5x4", Mark::X, &cross));
    let whole: Vec<u16> = (0..19 * 19).map(|n| (n * 2) % 361).collect();
    let game = ArchivedGame {
        moves: whole.into_iter().map(Cell).collect(),
        ..game("19x19x5", Mark::X, &[0])
    };
    picture("full-19x19", &game);
    for board in ["19x3x3", "3x19x3"] {
        let picture = picture(board, &self::game(board, Mark::X, &[0, 1, 3, 2, 56]));
        // The corners of the picture are paper: nothing is cut off.
        let corner = picture.pixel(5, 5).unwrap();
        assert_eq!([corner.red(), corner.green(), corner.blue()], PAPER, "{board}");
    }
}

#[test]
fn every_variant_is_drawn_by_what_its_moves_did() {
    for variant in Variant::ALL {
        let drawn = picture(variant.name(), &game_of(variant));
        let corner = drawn.pixel(5, 5).unwrap();
        assert_eq!([corner.red(), corner.green(), corner.blue()], PAPER, "{variant:?}");
    }
    // A small board that is won has a large mark, and the marks of one that is decided are pale.
    let mut ultimate = game_of(Variant::Ultimate);
    let drawn = picture("ultimate", &ultimate);
    ultimate.effects.clear();
    let plain = picture("ultimate-plain", &ultimate);
    assert_ne!(pixels(&drawn, X_INK), pixels(&plain, X_INK));
    // A mark that has gone is not drawn.
    let mut vanish = game_of(Variant::Vanish);
    let drawn = picture("vanish", &vanish);
    vanish.effects.clear();
    let plain = picture("vanish-plain", &vanish);
    assert!(pixels(&drawn, PAPER) > pixels(&plain, PAPER) + 1_000);
}

#[test]
fn the_colours_are_those_of_the_page() {
    let css = include_str!("../../../web/css/base.css");
    for (name, color) in [
        ("--bg", PAPER),
        ("--squares", SQUARES),
        ("--board-line", BOARD_LINE),
        ("--control", CONTROL),
        ("--accent", X_INK),
        ("--o", O_INK),
    ] {
        let [red, green, blue] = color;
        let line = format!("\n  {name}: #{red:02x}{green:02x}{blue:02x};");
        assert!(css.contains(&line), "{line}");
    }
}
