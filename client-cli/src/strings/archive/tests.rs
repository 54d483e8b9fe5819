//! The texts about kept games, for a player and for others.

use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, GameId, PlayerName, RoomSettings, Rules, Variant,
};

use super::*;

fn human(player: u64, name: &str) -> Participant {
    let name: PlayerName = name.parse().unwrap();
    Participant::Human { player: PlayerId(player), name }
}

/// A game that Ada won with row 1, as X against Bob.
pub(crate) fn kept() -> ArchivedGame {
    let settings = RoomSettings::default();
    let moves: Vec<Cell> = [0, 3, 1, 4, 2].map(Cell).to_vec();
    let game = Game::replay(Rules::of(&settings), Mark::X, &moves, &[]).unwrap();
    let summary = GameSummary {
        id: GameId(0xabc),
        ended_at: 1_795_000_000_000,
        players: ByMark { x: human(1, "Ada"), o: human(2, "Bob") },
        board: BoardSpec::default(),
        variant: Variant::Line,
        result: game.result().cloned().unwrap(),
        plies: 5,
        rated: false,
        public: false,
    };
    let times_ms = vec![1_000, 2_500, 61_000, 62_000, 3_700_000];
    let started_at = summary.ended_at - 3_700_000;
    ArchivedGame {
        summary,
        settings,
        first: Mark::X,
        started_at,
        moves,
        placed: Vec::new(),
        effects: Vec::new(),
        times_ms,
    }
}

#[test]
fn a_game_is_told_to_its_players_and_to_others() {
    let game = kept().summary;
    let [ada, bob, eve] = [1, 2, 3].map(|player| Some(PlayerId(player)));
    assert_eq!([ada, bob, eve, None].map(|p| word(&game, p)), ["won", "lost", "X won", "X won"]);
    assert_eq!([ada, bob, eve].map(|p| against(&game, p)), ["Bob", "Ada", "Ada - Bob"]);
    assert_eq!(result_text(&game), "Ada wins with row 1.");
    assert!(summary(&game, bob).ends_with("lost   O against Ada  3x3, 3 in a row, 5 moves"));
}

#[test]
fn somebody_computers_and_both_sides_have_words() {
    let mut game = kept().summary;
    game.players.o = Participant::Somebody;
    assert_eq!(against(&game, Some(PlayerId(1))), "Somebody");
    game.players.o = Participant::Computer(Computer::default());
    assert!(against(&game, Some(PlayerId(1))).starts_with("computer ("));
    game.players.o = game.players.x.clone();
    assert_eq!(against(&game, Some(PlayerId(1))), "both sides");
    assert_eq!(outcome(&game, Some(PlayerId(1))), None);
    assert_eq!(result_text(&game), "X wins with row 1.");
    game.players = ByMark { x: Participant::Somebody, o: Participant::Somebody };
    assert_eq!(against(&game, Some(PlayerId(1))), "Somebody - Somebody");
    let text = heading(&ArchivedGame { summary: game, ..kept() });
    assert!(text.starts_with("Somebody (X) against Somebody (O), "), "{text}");
}

#[test]
fn moves_have_their_times_and_a_table_has_columns() {
    let kept = kept();
    let lines = move_lines(&kept, None);
    assert_eq!(lines[0], "  1. X 1      0:01");
    assert_eq!(lines[4], "  5. X 3    1:01:40");
    let mut other = kept.summary.clone();
    other.players.o = human(4, "Some long name");
    other.board = "15x15x5".parse().unwrap();
    let rows = table(&[kept.summary, other], Some(PlayerId(1)));
    let at = |row: &str| row.find("0000000000000abc").unwrap();
    assert_eq!(at(&rows[0]), at(&rows[1]));
    assert!(rows[0].contains("  won    X  Bob "), "{:?}", rows[0]);
}
