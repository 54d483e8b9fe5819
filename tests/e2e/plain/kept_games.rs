//! Games that are over, in lines of text: a list for a pipe, a file of games, a game move by move.

use super::*;

/// Plays a game of both sides, and returns its id.
fn play(server: &ServerProcess, folder: &TempDir, board: &str) -> String {
    let args = ["--name", "Ada", "play", "--both", "--board", board];
    let mut ada = server.pipe(folder.path(), &args);
    let cells = if board == "3x3x3" { "1 4 2 5 3" } else { "a1 a2 b1 b2 c1 c2 d1 d2 e1" };
    cells.split(' ').for_each(|cell| ada.line(cell));
    let line = ada.wait_for("noughts replay ");
    ada.line("quit");
    assert_eq!(ada.wait_exit(), 0);
    line.split("noughts replay ").nth(1).unwrap()[..16].to_owned()
}

#[test]
fn a_history_is_a_line_for_each_game() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let ids = [play(&server, &folder, "3x3x3"), play(&server, &folder, "7x7x5")];
    let mut all = server.pipe(folder.path(), &["history"]);
    let newest = all.wait_for("7x7, 5 in a row");
    assert!(newest.contains("X won") && newest.trim_end().ends_with(&ids[1]), "{newest}");
    let oldest = all.wait_for("3x3, 3 in a row");
    assert!(oldest.trim_end().ends_with(&ids[0]), "{oldest}");
    assert_eq!(all.wait_exit(), 0);
    let mut json = server.pipe(folder.path(), &["history", "--json", "--board", "3x3x3"]);
    let line = json.wait_for(&ids[0]);
    let game: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(game["id"], ids[0]);
    let mut none = server.pipe(folder.path(), &["history", "--opponent", "computer"]);
    none.wait_for("There are no such games.");
    let mut wrong = server.pipe(folder.path(), &["history", "--opponent", "Zoe"]);
    assert_eq!(wrong.wait_exit(), 2);
}

#[test]
fn games_are_written_to_a_file() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let ids = [play(&server, &folder, "3x3x3"), play(&server, &folder, "7x7x5")];
    let path = |name: &str| folder.path().join(name);
    let export = |name: &str| {
        let file = path(name);
        let args = ["history", "--export", file.to_str().unwrap()];
        let mut asked = server.pipe(folder.path(), &args);
        asked.wait_for("Wrote your games");
        assert_eq!(asked.wait_exit(), 0);
        std::fs::read_to_string(file).unwrap()
    };
    let lines = export("games.json");
    assert!(ids.iter().all(|id| lines.contains(id)) && lines.lines().count() == 2, "{lines}");
    let sgf = export("games.sgf");
    assert!(sgf.contains("GM[4]") && sgf.matches("(;").count() == 1, "{sgf}");
    let file = path("games.sgf");
    let mut again = server.pipe(folder.path(), &["history", "--export", file.to_str().unwrap()]);
    again.wait_for("games.sgf exists already: choose another file");
    assert_ne!(again.wait_exit(), 0);
    assert_eq!(std::fs::read_to_string(file).unwrap(), sgf, "it is as it was");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert!(left.iter().all(|entry| !entry.path().to_string_lossy().ends_with(".part")));
}

#[test]
fn a_game_is_printed_move_by_move_for_anybody_with_its_link() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let id = play(&server, &folder, "3x3x3");
    let other = tempfile::tempdir().unwrap();
    let link = format!("http://{}/g/{id}", server.address());
    let mut eve = Pipe::run(&["replay", &link, "--review"], other.path());
    eve.wait_for("Ada played both sides, 3x3, 3 in a row");
    eve.wait_for("1. X 1");
    eve.wait_for("mistake");
    eve.wait_for(" X | X | X ");
    eve.wait_for("X wins with row 1.");
    eve.wait_for(&link);
    assert_eq!(eve.wait_exit(), 0);
}
