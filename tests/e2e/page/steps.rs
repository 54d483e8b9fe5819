//! Steps that several modules share: enter a room, play a cell.

use noughts_harness::{Device, Player, Tab, TestServer, cell_at};
use noughts_protocol::Role;

/// The number of marks on the board.
pub(crate) const MARKS: &str = "document.querySelectorAll('[role=gridcell][data-mark]').length";

/// The address of a page on a server.
pub(super) fn address(server: &TestServer, path: &str) -> String {
    format!("http://{}{path}", server.address())
}

/// A new visitor with a page of the server open.
pub(super) async fn open(server: &TestServer, device: Device, path: &str) -> Tab {
    Tab::open(device, &address(server, path)).await
}

/// Types a name.
pub(crate) async fn name(tab: &Tab, name: &str) {
    tab.fill("Your name", name).await;
    tab.press("Enter").await;
}

/// A player in a game against the computer, as X, with the default options.
pub(super) async fn against_computer(server: &TestServer, device: Device) -> Tab {
    let tab = open(server, device, "/").await;
    tab.click("link", "Play the computer*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    tab
}

/// From the first screen to a room that waits for a friend.
pub(crate) async fn friend(tab: &Tab) {
    tab.click("link", "Play a friend*").await;
    tab.button("Start").await;
    tab.until_screen("room").await;
}

/// A player in a room that waits for a friend, and its code.
pub(super) async fn host(server: &TestServer, device: Device, called: &str) -> (Tab, String) {
    let tab = open(server, device, "/").await;
    name(&tab, called).await;
    friend(&tab).await;
    let code = code(&tab).await;
    (tab, code)
}

/// A player who follows a room's link and takes the open seat.
pub(super) async fn accept(server: &TestServer, device: Device, code: &str, called: &str) -> Tab {
    let tab = open(server, device, &format!("/r/{code}")).await;
    tab.until_screen("invite").await;
    name(&tab, called).await;
    tab.button("Play").await;
    tab.until_screen("room").await;
    tab
}

/// Two players in a running game, each on a device of their own: Ada is X, Bob is O.
pub(super) async fn pair_on(
    server: &TestServer,
    device: Device,
    other: Device,
) -> (Tab, Tab, String) {
    let (ada, code) = host(server, device, "Ada").await;
    let bob = accept(server, other, &code, "Bob").await;
    my_turn(&ada).await;
    (ada, bob, code)
}

/// Somebody in a room, at whose page no test looks.
pub(super) async fn join(server: &TestServer, code: &str, called: &str, role: Role) -> Player {
    let mut player = server.player(called).await;
    player.join(code.parse().unwrap(), role).await.unwrap();
    player
}

/// A running game, in which only Ada, who is X, has a page.
pub(super) async fn game(server: &TestServer, device: Device) -> (Tab, Player, String) {
    let ada = open(server, device, "/").await;
    let (bob, code) = begin(server, &ada).await;
    (ada, bob, code)
}

/// From the first screen of Ada's page to her game against Bob, and its code.
pub(super) async fn begin(server: &TestServer, ada: &Tab) -> (Player, String) {
    name(ada, "Ada").await;
    friend(ada).await;
    let code = code(ada).await;
    let bob = join(server, &code, "Bob", Role::Player).await;
    my_turn(ada).await;
    (bob, code)
}

/// Ada, who is X, and Bob play cells of 3 × 3 in turn. She begins.
pub(super) async fn play_game(ada: &Tab, bob: &mut Player, cells: &[(u32, u32)]) {
    for (ply, &(row, column)) in cells.iter().enumerate() {
        if ply % 2 == 0 {
            play(ada, row, column, 'X').await;
        } else {
            let cell = u16::try_from((row - 1) * 3 + column - 1).unwrap();
            bob.play(cell).await.unwrap();
        }
    }
}

/// The path of the address.
pub(super) async fn path(tab: &Tab) -> String {
    tab.eval("location.pathname").await.as_str().unwrap().to_owned()
}

/// The room code in the address.
pub(crate) async fn code(tab: &Tab) -> String {
    tab.until("the address of a room", "location.pathname.startsWith('/r/')").await;
    tab.address().await.rsplit_once('/').unwrap().1.to_owned()
}

/// Waits until the player has a mark.
pub(super) async fn plays(tab: &Tab, mark: char) {
    let chip = format!("document.querySelector('.seat-{} .chip')", mark.to_ascii_lowercase());
    tab.until(&format!("the seat of {mark}"), &format!("{chip}.textContent === 'you'")).await;
}

/// Waits for the player's turn.
pub(crate) async fn my_turn(tab: &Tab) {
    tab.until("my turn", "document.querySelector('.room-status[data-now=turn]')").await;
}

/// Waits until a mark is on a cell and the server has confirmed it. Row and column count from 1.
pub(crate) async fn has(tab: &Tab, row: u32, column: u32, mark: char) {
    tab.until("the mark", &confirmed(row, column, mark)).await;
}

/// Whether a mark is on a cell and the server has confirmed it, as an expression of the page.
pub(super) fn confirmed(row: u32, column: u32, mark: char) -> String {
    let cell = cell_at(row, column);
    format!("{cell}.matches('[aria-label$=\", {mark}\"]:not([aria-description=\"being sent\"])')")
}

/// Waits for the turn and plays a cell.
pub(crate) async fn play(tab: &Tab, row: u32, column: u32, mark: char) {
    my_turn(tab).await;
    tab.cell(row, column).await;
    has(tab, row, column, mark).await;
}

/// Plays the lowest empty cell as X until the game is over.
pub(super) async fn play_on(tab: &Tab) {
    let over = "document.querySelector('.room-status[data-now=over]')";
    loop {
        let next = format!("{over} || document.querySelector('.room-status[data-now=turn]')");
        tab.until("a turn or the end", &next).await;
        if tab.eval(&format!("!!{over}")).await == true {
            return;
        }
        let (row, column) = empty_cell(tab).await;
        play(tab, row, column, 'X').await;
    }
}

/// The row and the column of the lowest empty cell on 3 × 3.
pub(super) async fn empty_cell(tab: &Tab) -> (u32, u32) {
    let free =
        "[...document.querySelectorAll('[role=gridcell]')].findIndex((c) => !c.dataset.mark)";
    let cell = u32::try_from(tab.eval(free).await.as_i64().unwrap()).unwrap();
    (cell / 3 + 1, cell % 3 + 1)
}

/// Chooses a board of the forms that is hidden at first.
pub(super) async fn rare_board(tab: &Tab, name: &str) {
    tab.button("More boards").await;
    tab.click("radio", name).await;
}

/// Chooses an item of the room's menu, by the beginning of its name.
pub(super) async fn menu(tab: &Tab, item: &str) {
    tab.button("Menu").await;
    tab.find("dialog", "Menu").await;
    // An open dialog hides everything below it.
    tab.button(&format!("{item}*")).await;
}

/// Resigns a running game.
pub(super) async fn resign(tab: &Tab) {
    menu(tab, "Resign").await;
    tab.find("dialog", "Resign this game?").await;
    tab.button("Resign").await;
}

/// Two players play cells in turn, `first` begins.
pub(super) async fn play_out(
    (first, mark): (&Tab, char),
    (second, other): (&Tab, char),
    cells: &[(u32, u32)],
) {
    for (ply, &(row, column)) in cells.iter().enumerate() {
        let (tab, mark) = if ply % 2 == 0 { (first, mark) } else { (second, other) };
        play(tab, row, column, mark).await;
    }
}

/// Ends the tabs.
pub(crate) async fn all_done<const N: usize>(tabs: [Tab; N]) {
    for tab in tabs {
        tab.done().await;
    }
}
