//! The main paths of the page in Firefox and `WebKit`. Each browser starts once, with a window of a
//! laptop and one of a phone.

use noughts_harness::skip::skipped;
use noughts_harness::{
    FaultProxy, Player, TestServer, WebDriverBrowser, cell_at, has_firefox, has_webkit,
};
use noughts_protocol::{BoardSpec, PartyIntent, PartySettings, Role, RoomCode, RoomIntent, Said};

use super::steps::{address, confirmed};

/// The programs that a test in `WebKit` needs, and the packages that have them.
pub(crate) const WEBKIT: &str = "WebKitWebDriver (webkit2gtk-driver) and Xvfb (xvfb)";

#[tokio::test]
async fn the_main_ways_in_firefox() {
    if !has_firefox() {
        return skipped("the page in Firefox", "firefox-esr");
    }
    all_ways(WebDriverBrowser::firefox().await).await;
}

#[tokio::test]
async fn the_main_ways_in_webkit() {
    if !has_webkit() {
        return skipped("the page in WebKit", WEBKIT);
    }
    all_ways(WebDriverBrowser::webkit().await).await;
}

/// Each path has its own server, and so its own storage.
async fn all_ways(mut browser: WebDriverBrowser) {
    for (width, height) in [(1280, 900), (420, 820)] {
        browser.resize(width, height).await;
        the_computer(&mut browser).await;
        a_friend_by_link(&mut browser).await;
    }
    a_large_board(&mut browser).await;
    a_party(&mut browser).await;
    a_lost_connection(&mut browser).await;
    browser.done().await;
}

async fn my_turn(browser: &mut WebDriverBrowser) {
    browser.until("my turn", "document.querySelector('.room-status[data-now=turn]')").await;
}

async fn has(browser: &mut WebDriverBrowser, row: u32, column: u32, mark: char) {
    browser.until("the mark", &confirmed(row, column, mark)).await;
}

pub(crate) async fn play(browser: &mut WebDriverBrowser, row: u32, column: u32, mark: char) {
    my_turn(browser).await;
    let label = browser.eval(&format!("{}.ariaLabel", cell_at(row, column))).await;
    browser.click("gridcell", label.as_str().unwrap()).await;
    has(browser, row, column, mark).await;
}

/// Nothing is wider than the window.
async fn fits(browser: &mut WebDriverBrowser, what: &str) {
    let root = "document.documentElement";
    let wide = browser.eval(&format!("{root}.scrollWidth - {root}.clientWidth")).await;
    assert!(wide.as_f64().unwrap() <= 0.0, "{what} is {wide} px wider than the window");
}

/// An open dialog is as high as its content, and its buttons have their normal height.
async fn dialog_is_compact(browser: &mut WebDriverBrowser, what: &str) {
    browser.until(what, "document.querySelector('dialog[open]')").await;
    let measured = browser
        .eval(
            "(() => {
              const dialog = document.querySelector('dialog[open]');
              const box = dialog.getBoundingClientRect();
              const parts = [...dialog.children].filter((e) => e.checkVisibility());
              const last = Math.max(...parts.map((e) => e.getBoundingClientRect().bottom));
              const buttons = [...dialog.querySelectorAll('button:not(.share-scan *)')].map((b) => b.offsetHeight);
              return { box: [box.top, box.bottom], spare: box.bottom - last, buttons,
                window: innerHeight };
            })()",
        )
        .await;
    let high = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!(high(&measured["spare"]) < 60.0, "{what} has room below its content: {measured}");
    let inside =
        high(&measured["box"][0]) >= 0.0 && high(&measured["box"][1]) <= high(&measured["window"]);
    assert!(inside, "{what} is not within the window: {measured}");
    let buttons = measured["buttons"].as_array().unwrap();
    assert!(
        buttons.iter().all(|button| high(button) < 100.0),
        "{what} has high buttons: {measured}"
    );
}

/// The start, a game against the computer, the dialogs of a room.
async fn the_computer(browser: &mut WebDriverBrowser) {
    let server = TestServer::start(&[]).await;
    browser.goto(&address(&server, "/")).await;
    browser.until_text("Connected").await;
    fits(browser, "the start").await;
    browser.click("link", "Play the computer*").await;
    browser.button("Start").await;
    play(browser, 2, 2, 'X').await;
    let marks = "document.querySelectorAll('[role=gridcell][data-mark]').length === 2";
    browser.until("the computer's move", marks).await;
    my_turn(browser).await;
    fits(browser, "a room").await;

    browser.button("Menu").await;
    browser.button("Continue on another device*").await;
    browser.until("its code", "document.querySelector('dialog[open] .qr')").await;
    dialog_is_compact(browser, "the dialog that links a device").await;
    browser.button("Close").await;
    browser.button("Menu").await;
    browser.button("Leave the room*").await;
    dialog_is_compact(browser, "the question before leaving").await;
    browser.button("Stay").await;
    browser.button("Menu").await;
    browser.button("Resign*").await;
    dialog_is_compact(browser, "the question before resigning").await;
    browser.button("Resign").await;
    browser.until_text("You resigned.").await;
    browser.button("Play again").await;
    browser.until_text("Game 2").await;
}

/// The chat: a panel in a wide window, a sheet in a narrow one.
async fn talk(browser: &mut WebDriverBrowser, bob: &mut Player) {
    let said = Said::Text("Hello there".parse().unwrap());
    bob.ask_room(RoomIntent::Say { said }).await.unwrap();
    browser.until("the chat", "document.querySelector('.chat-button, .chat-panel')").await;
    let narrow = browser.eval("!!document.querySelector('.chat-button')").await == true;
    browser.button(if narrow { "Chat*" } else { "Emotes" }).await;
    browser.button("Good luck!").await;
    let both = "['Bob: Hello there', 'You: Good luck!'].every((line) =>
        document.querySelector('.chat-log').innerText.replace(/\\s+/g, ' ').includes(line))";
    browser.until("both lines", both).await;
    fits(browser, "a chat").await;
    if narrow {
        dialog_is_compact(browser, "the sheet of the chat").await;
        browser.button("Close").await;
    }
}

/// A friend follows the link of a room, one player wins, and a rematch starts.
async fn a_friend_by_link(browser: &mut WebDriverBrowser) {
    let server = TestServer::start(&[]).await;
    browser.goto(&address(&server, "/play/friend")).await;
    browser.button("Start").await;
    browser.until("its code", "document.querySelector('.share .qr')").await;
    fits(browser, "a room that waits").await;
    let code = browser.eval("location.pathname.split('/').pop()").await;
    let code: RoomCode = code.as_str().unwrap().parse().unwrap();
    let mut bob = server.player("Bob").await;
    bob.join(code, Role::Player).await.unwrap();
    talk(browser, &mut bob).await;
    for (row, column, answer) in [(1, 1, Some(3)), (1, 2, Some(4)), (1, 3, None)] {
        play(browser, row, column, 'X').await;
        if let Some(cell) = answer {
            bob.play(cell).await.unwrap();
        }
    }
    browser.until_text("You win!").await;
    browser.until_text("With row 1.").await;
    fits(browser, "a won game").await;
    browser.button("Review").await;
    browser.button("First").await;
    browser.until_text("The empty board").await;
    browser.button("Next").await;
    browser.until_text("Move 1 of 5").await;
    browser.until_text("Best").await;
    fits(browser, "a review").await;
    browser.button("Review").await;
    browser.button("Play again").await;
    browser.until_text("Waiting for Bob.").await;
}

/// A party by its link: join, ready, a game, the podium.
async fn a_party(browser: &mut WebDriverBrowser) {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let board = BoardSpec::TIC_TAC_TOE;
    let settings = PartySettings { board, move_time_ms: 60_000, ..PartySettings::default() };
    let code = ada.create_party("Friday", settings, true).await;
    browser.goto(&address(&server, &format!("/party/{code}"))).await;
    browser.until_text("Who is in (1)").await;
    browser.until("its code", "document.querySelector('.share .qr')").await;
    fits(browser, "a party that gathers").await;
    browser.button("Join").await;
    browser.until_text("You are in").await;
    ada.until("the other entrant", |ada| ada.party().entrants.len() == 2).await;
    ada.ask_party(PartyIntent::StartParty).await.unwrap();
    browser.until_text("You play Ada at table 1").await;
    fits(browser, "a ready check").await;
    browser.button("Ready").await;
    ada.attend(0, |ada| ada.room.as_ref().is_some_and(|room| room.game.is_some())).await;
    browser.until_text("Table 1").await;
    fits(browser, "a room of a party").await;
    ada.resign().await.unwrap();
    browser.until_text("You have won the party!").await;
    fits(browser, "a podium").await;
}

/// 15 × 15, two players at one phone.
async fn a_large_board(browser: &mut WebDriverBrowser) {
    let server = TestServer::start(&[]).await;
    browser.goto(&address(&server, "/play/friend")).await;
    browser.click("radio", "Both on this screen*").await;
    browser.click("radio", "15 × 15*").await;
    browser.button("Start").await;
    play(browser, 8, 8, 'X').await;
    play(browser, 1, 15, 'O').await;
    play(browser, 15, 1, 'X').await;
    fits(browser, "15 × 15*").await;
    let square = "[...document.querySelectorAll('[role=gridcell]')].every((cell) => {
        const { width, height } = cell.getBoundingClientRect();
        return width > 10 && Math.abs(width - height) < 1.5;
      })";
    assert_eq!(browser.eval(square).await, true, "the cells of 15 × 15 are squares");
}

/// The network breaks and comes back, and the game goes on.
async fn a_lost_connection(browser: &mut WebDriverBrowser) {
    let server = TestServer::start(&[]).await;
    let link = FaultProxy::to(server.address()).await;
    browser.goto(&format!("http://{}/play/computer", link.address())).await;
    browser.button("Start").await;
    my_turn(browser).await;
    link.cut();
    browser.until_text("Offline").await;
    browser.click("gridcell", "5, row 2, column 2,*").await;
    link.restore();
    browser.until_text("Connected").await;
    has(browser, 2, 2, 'X').await;
    my_turn(browser).await;
}
