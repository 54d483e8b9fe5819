//! Each variant is chosen in the form and played to its end by two people at one screen.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{address, open};

/// A game by its variant, the value of its board, and the moves. A move is a cell (`b2`), after `x:` or `o:` the mark
/// for it, or after `key:` a key.
async fn check(
    tab: &Tab,
    server: &TestServer,
    variant: &str,
    board: &str,
    moves: &str,
    end: [&str; 2],
) {
    tab.goto(&address(server, "/play/friend")).await;
    tab.until_text("Connected").await;
    tab.click("radio", "Both on this screen*").await;
    tab.fill("Who plays X", "Ada").await;
    tab.fill("Who plays O", "Ben").await;
    tab.eval("document.querySelector('.variant-group button.option')?.click()").await;
    choose(tab, "variant", variant).await;
    if tab.eval("!!document.querySelector('.board-group')").await == true {
        choose(tab, "board", board).await;
    }
    tab.button("Start").await;
    tab.button("Got it").await;
    // The dialog takes the keys until it has closed.
    tab.until_no("dialog", "*").await;
    let width: usize = board.split_once('x').unwrap().0.parse().unwrap();
    for (ply, one) in moves.split(' ').enumerate() {
        tab.until("the next move", &format!("{MOVES} === {ply}")).await;
        make(tab, one, width).await;
        tab.until(one, &format!("{MOVES} === {}", ply + 1)).await;
    }
    tab.until("the end", "document.querySelector('.room-status[data-now=over]')").await;
    for text in end {
        tab.until_text(text).await;
    }
}

/// The number of moves that the room shows.
const MOVES: &str = "document.querySelectorAll('.moves > li').length";

/// Chooses a value of the form.
async fn choose(tab: &Tab, name: &str, value: &str) {
    let input = format!("document.querySelector('input[name={name}][value=\"{value}\"]')");
    tab.until(value, &input).await;
    tab.eval(&format!("{input}.click()")).await;
}

async fn make(tab: &Tab, one: &str, width: usize) {
    // Before the board is there nobody hears a key.
    tab.until("the board", "document.querySelector('[data-cell]')").await;
    let (how, what) = one.split_once(':').unwrap_or(("", one));
    match how {
        "key" => return tab.press(what).await,
        "" => {}
        mark => tab.press(mark).await,
    }
    let column = usize::from(what.as_bytes()[0] - b'a');
    let row: usize = what[1..].parse().unwrap();
    let cell = (row - 1) * width + column;
    tab.eval(&format!("document.querySelector('[data-cell=\"{cell}\"]').click()")).await;
}

#[tokio::test]
async fn each_variant_is_played_to_its_end() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/").await;
    for (variant, board, moves, end) in [
        (
            "ultimate",
            "9x9x3",
            "b8 e6 d7 b3 d8 a6 b9 f9 i8 i6 i9 h9 d9 a9 b7 f3 i7",
            ["Ada wins!", "With boards 7, 8 and 9."],
        ),
        ("misere", "3x3x3", "a1 b2 b1 c3 c1", ["Ben wins!", "Ada completed row 1 and loses."]),
        ("wild", "3x3x3", "o:a1 o:b1 o:c1", ["Ada wins!", "With row 1."]),
        ("wild_misere", "3x3x3", "x:a1 x:b1 x:c1", ["Ben wins!", "Ada completed row 1 and loses."]),
        ("notakto", "6x3x3", "a1 b1 c1 d1 e1 f1", ["Ada wins!", "Ben completed"]),
        ("gravity", "7x6x4", "key:a b1 a1 key:b a3 b2 key:1", ["Ada wins!", "from a3 to a6"]),
        ("vanish", "3x3x3", "a1 a2 b1 b2 c2 a3 c1 b3 c3", ["Ada wins!", "With column 3."]),
        ("qubic", "3x9x3", "a1 b1 a4 b2 a7", ["Ada wins!", "With a line from a1 to a7."]),
        ("exact", "9x9x5", "a1 a3 b1 b3 c1 c3 d1 d3 e1", ["Ada wins!", "from a1 to e1"]),
        ("order", "6x6x5", "x:a1 x:b1 x:c1 x:d1 x:e1", ["Ada wins!", "from a1 to e1"]),
    ] {
        check(&tab, &server, variant, board, moves, end).await;
    }
    tab.done().await;
}
