//! Games as files: JSON lines, and SGF that another program reads.

use noughts_harness::player::play_out;
use noughts_protocol::{
    BoardSpec, ByMark, ExportFormat, Found, LobbyIntent, MAX_SERVER_FRAME, RoomSettings,
};
use sgf_parse::unknown_game::Prop;
use sgf_parse::{GameTree, parse};

use super::{Player, X_WINS, find, server};

/// The file, from all its pieces.
async fn export(player: &mut Player, format: ExportFormat) -> (String, usize) {
    let mut file = String::new();
    let mut pieces = 0;
    let mut before = None;
    loop {
        let found = find(player, LobbyIntent::Export { format, before }).await;
        assert!(serde_json::to_string(&found).unwrap().len() < MAX_SERVER_FRAME - 1024);
        let Found::Export { text, next } = found else { panic!("no piece") };
        file.push_str(&text);
        pieces += 1;
        let Some(next) = next else { return (file, pieces) };
        before = Some(next);
    }
}

/// The values of a property of the game's first node, as the foreign reader writes them.
fn property(node: &sgf_parse::SgfNode<Prop>, name: &str) -> String {
    node.get_property(name).unwrap_or_else(|| panic!("there is no {name}")).to_string()
}

#[tokio::test]
async fn sgf_holds_the_games_of_five_in_a_row_and_a_foreign_reader_reads_them() {
    let server = server().await;
    let mut ada = server.player(r"A]d\a:").await;
    let mut bob = server.player("Bob").await;
    let wide = BoardSpec::new(7, 9, 5).unwrap();
    for (board, cells) in [
        (BoardSpec::TIC_TAC_TOE, X_WINS.to_vec()),
        (BoardSpec::new(15, 15, 5).unwrap(), vec![0, 15, 1, 16, 2, 17, 3, 18, 4]),
        (wide, vec![0, 8, 1, 62]),
    ] {
        let settings = RoomSettings { board, ..RoomSettings::default() };
        let code = ada.create(settings, ByMark::default()).await;
        bob.join(code, noughts_protocol::Role::Player).await.unwrap();
        play_out(&mut ada, &mut bob, &cells).await;
        if board == wide {
            bob.resign().await.unwrap();
        }
        ada.until_over().await;
        ada.leave().await.unwrap();
        bob.leave().await.unwrap();
    }
    let (file, _) = export(&mut ada, ExportFormat::Sgf).await;
    let trees = parse(&file).unwrap();
    let moves = [
        "B[aa] W[bb] B[ba] W[gi]".split(' ').collect::<Vec<_>>(),
        "B[aa] W[ab] B[ba] W[bb] B[ca] W[cb] B[da] W[db] B[ea]".split(' ').collect(),
    ];
    // The reader writes both sides of a square board.
    let roots = [("SZ[7:9]", "RE[B+R]"), ("SZ[15:15]", "RE[B+]")];
    assert_eq!(trees.len(), moves.len(), "{file}");
    for ((tree, moves), (size, result)) in trees.iter().zip(&moves).zip(roots) {
        let GameTree::Unknown(root) = tree else { panic!("a game of go") };
        root.validate().unwrap();
        assert_eq!((property(root, "GM"), property(root, "FF")), ("GM[4]".into(), "FF[4]".into()));
        assert_eq!((property(root, "SZ"), property(root, "RE")), (size.into(), result.into()));
        let Some(Prop::PB(black)) = root.get_property("PB") else { panic!("no PB") };
        // Its `Display` removes escapes a second time.
        assert_eq!(black.text, r"A]d\a:");
        assert_eq!(property(root, "PW"), "PW[Bob]");
        let nodes = root.main_variation().skip(1);
        let read: Vec<String> = nodes.map(|node| node.get_move().unwrap().to_string()).collect();
        assert_eq!(read, *moves);
        let invalid =
            root.properties().find(|p| matches!(p, Prop::Invalid(..) | Prop::Unknown(..)));
        assert_eq!(invalid, None);
    }
}
