//! Kept games and people on the page: my games, a game by its link, profiles, leaders, an identity that
//! moves to another browser, and a player who is forgotten.

use noughts_harness::player::play_again;
use noughts_harness::{Device, Player, Tab, TestServer};
use noughts_protocol::RoomSettings;

use super::screens::check;
use super::steps::{address, all_done, game, open, path, play_game};

/// Ada has won a game against Bob, with the diagonal.
async fn played(server: &TestServer) -> (Tab, Player) {
    let (ada, mut bob, _) = game(server, Device::LAPTOP).await;
    play_game(&ada, &mut bob, &[(2, 2), (1, 2), (1, 1), (1, 3), (3, 3)]).await;
    ada.until_text("You win").await;
    (ada, bob)
}

#[tokio::test]
async fn a_game_is_looked_at_again_and_its_link_shows_it_to_anybody() {
    let server = TestServer::keeping(&[]).await;
    let (ada, _bob) = played(&server).await;
    ada.goto(&address(&server, "/games")).await;
    ada.find("link", "X Ada O Bob Won 3 × 3 · 5 moves*").await;
    check(&ada, "people-games").await;
    ada.click("link", "X Ada O Bob Won*").await;
    ada.until_text("With a diagonal").await;
    assert_eq!(ada.eval("document.title").await, "Ada – Bob – Noughts");
    check(&ada, "people-game").await;
    // The arrow keys, the list and the slider lead to one place.
    ada.press("ArrowLeft").await;
    ada.until_text("Move 4 of 5: O on 3").await;
    ada.press("Home").await;
    ada.until_text("The empty board").await;
    ada.button("Next").await;
    ada.until_text("Move 1 of 5: X on 5").await;
    ada.button("Review").await;
    ada.button("Next").await;
    ada.until_text("A mistake: 1 was better.").await;
    check(&ada, "people-game-review").await;
    ada.button("Review").await;
    // It plays to the end by itself.
    ada.button("Show the moves").await;
    ada.until_text("With a diagonal").await;
    ada.button("Share…").await;
    ada.find("image", "QR code of the link*").await;
    check(&ada, "people-game-share").await;
    let link = ada.find("textbox", "Link").await.value;
    ada.button("Close").await;

    let eve = Tab::open(Device::PHONE, &link).await;
    eve.until_text("Ada wins").await;
    eve.find("heading", "Ada – Bob").await;
    eve.button("First").await;
    eve.until_text("The empty board").await;
    eve.click("link", "Bob").await;
    eve.find("heading", "Bob").await;
    eve.until_text("0 won, 1 lost, 0 drawn").await;
    // A game among friends is nobody else's.
    eve.until_no("link", "X Ada O Bob*").await;
    eve.back().await;
    eve.find("heading", "Ada – Bob").await;
    all_done([eve, ada]).await;
}

#[tokio::test]
async fn an_unknown_game_player_or_party_is_said_in_plain_words() {
    let server = TestServer::keeping(&[]).await;
    for (what, path, text) in [
        ("game", "/g/0123456789abcdef", "No such game"),
        ("player", "/p/0123456789abcdef", "No such player"),
        ("party", "/party/BCDFG", "No such party"),
    ] {
        let mut tab = open(&server, Device::PHONE, path).await;
        tab.tolerate("status of 404");
        tab.find("heading", text).await;
        check(&tab, &format!("missing-{what}")).await;
        tab.done().await;
    }
}

#[tokio::test]
async fn who_has_no_game_yet_is_told_how_to_get_one() {
    let server = TestServer::keeping(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/games").await;
    tab.until_text("No game yet. Finish one").await;
    check(&tab, "people-games-empty").await;
    tab.goto(&address(&server, "/p/me")).await;
    tab.until_text("No game yet. Finish one").await;
    check(&tab, "people-profile-empty").await;
    tab.goto(&address(&server, "/")).await;
    tab.until_text("Connected").await;
    tab.click("link", "Leaders").await;
    tab.until_text("Nobody has played enough rated games yet.").await;
    tab.click("radio", "Five in a row").await;
    tab.click("radio", "Ever").await;
    tab.until_text("Nobody has played enough rated games yet.").await;
    check(&tab, "people-leaders-empty").await;
    // Another language brings the texts of this part too.
    tab.choose("Language", "Deutsch").await;
    tab.until_text("Noch hat niemand genug gewertete Spiele.").await;
    tab.done().await;
}

#[tokio::test]
async fn a_part_of_the_page_that_does_not_load_says_so() {
    let server = TestServer::keeping(&[]).await;
    let mut tab = open(&server, Device::PHONE, "/").await;
    tab.tolerate_no_server();
    tab.until_text("Connected").await;
    tab.offline(true).await;
    tab.click("link", "My games").await;
    tab.until_text("This part of the page did not load.").await;
    tab.offline(false).await;
    tab.button("Reload").await;
    tab.until_text("No game yet. Finish one").await;
    tab.done().await;
}

#[tokio::test]
async fn a_server_that_keeps_nothing_says_so() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::PHONE, "/games").await;
    tab.until_text("The host of this server has switched this off.").await;
    // No link leads there.
    tab.button("Back").await;
    tab.until_text("Connected").await;
    tab.until_no("link", "My games").await;
    tab.until_no("link", "Profile").await;
    tab.done().await;
}

/// Ada, who has played this many games against Bob: who moves first wins.
async fn history_of(server: &TestServer, games: u32) -> Player {
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    for game in 1..=games {
        let first = if ada.is_my_turn() { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
        first.0.play(4).await.unwrap();
        first.1.resign().await.unwrap();
        ada.until_over().await;
        bob.until_over().await;
        if game < games {
            play_again(&mut ada, &mut bob).await;
        }
    }
    ada
}

/// Gives a new tab the identity of a player.
async fn be(tab: &Tab, player: &Player) {
    // The page would store its own identity over this one.
    tab.until("its own identity", "JSON.parse(localStorage.getItem('noughts'))?.token").await;
    let token = serde_json::to_string(&player.token).unwrap();
    let stored = format!("{{ name: 'Ada', token: {token} }}");
    tab.eval(&format!("localStorage.setItem('noughts', JSON.stringify({stored}))")).await;
}

/// Keeps the text of a file that the page saves in `saved`.
const KEEP: &str = "void (URL.createObjectURL = (blob) => {
  blob.text().then((text) => { window.saved = text; });
  return 'data:,';
})";

#[tokio::test]
async fn a_long_history_comes_in_pages_and_is_filtered_and_taken_along() {
    let server = TestServer::keeping(&["--intents-per-second", "1000"]).await;
    let ada = history_of(&server, 52).await;
    let tab = open(&server, Device::LAPTOP, "/").await;
    be(&tab, &ada).await;
    tab.goto(&address(&server, "/games")).await;
    let rows = |count: u32| format!("document.querySelectorAll('.kept-row').length === {count}");
    tab.until("a page", &rows(50)).await;
    tab.button("Older games").await;
    tab.until("all games", &rows(52)).await;
    let focused = "document.activeElement === document.querySelectorAll('.kept-row')[50]";
    tab.until("the first older game in focus", focused).await;
    tab.choose("Result", "Lost").await;
    tab.until("the lost games", &rows(26)).await;
    tab.choose("Against", "Computers").await;
    tab.until_text("No game like that.").await;
    tab.button("Show all games").await;
    tab.until("a page again", &rows(50)).await;
    tab.choose("Against", "Bob").await;
    tab.until("the games with Bob", &rows(50)).await;

    tab.eval(KEEP).await;
    tab.button("JSON lines").await;
    tab.until_text("noughts.jsonl is in your downloads.").await;
    tab.until("the file", "window.saved").await;
    let saved = tab.eval("saved").await;
    let lines: Vec<serde_json::Value> =
        saved.as_str().unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 52);
    assert!(lines.iter().all(|game| game["moves"] == serde_json::json!([4])), "{}", lines[0]);
    // Nothing here has five in a row.
    tab.button("SGF").await;
    tab.until_text("There is no game for this file.").await;
    tab.done().await;
}

#[tokio::test]
async fn a_profile_tells_more_to_its_owner_than_to_others() {
    let server = TestServer::keeping(&[]).await;
    let (ada, _bob) = played(&server).await;
    ada.goto(&address(&server, "/")).await;
    // These names move the links below them.
    ada.until_text("Here now").await;
    ada.click("link", "Profile").await;
    ada.find("heading", "Ada").await;
    ada.until_text("1 game · 1 won, 0 lost, 0 drawn").await;
    ada.find("table", "Against people").await;
    check(&ada, "people-profile").await;
    ada.click("link", "Bob").await;
    ada.find("heading", "Bob").await;
    ada.until_text("You and Bob:").await;
    ada.until_text("1–0–0").await;
    ada.until_no("table", "Against people").await;
    ada.until_no("button", "Forget me…").await;
    ada.find("link", "X Ada O Bob Lost*").await;
    check(&ada, "people-profile-other").await;
    ada.click("link", "Your games").await;
    ada.find("combobox", "Against").await;
    ada.find("link", "X Ada O Bob Won*").await;
    ada.back().await;
    ada.find("heading", "Bob").await;
    ada.done().await;
}

/// Gives the text to the next chosen file of the page.
const CHOOSE: &str = "((text) => {
  const input = document.querySelector('input[type=file]');
  const files = new DataTransfer();
  files.items.add(new File([text], 'noughts-Ada.json'));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
})";

/// The file of a player of another server.
const UNKNOWN: &str =
    r#"{"noughts_identity":1,"server":"","name":"Eve","token":"0123456789abcdef0123456789abcdef"}"#;

#[tokio::test]
async fn an_identity_moves_to_another_browser_in_a_file() {
    let server = TestServer::keeping(&[]).await;
    let (ada, _bob) = played(&server).await;
    ada.goto(&address(&server, "/p/me")).await;
    ada.find("heading", "Ada").await;
    ada.eval(KEEP).await;
    ada.button("Save to a file").await;
    ada.until_text("noughts-Ada.json is in your downloads.").await;
    ada.until("the file", "window.saved").await;
    let file = ada.eval("saved").await;

    let phone = open(&server, Device::PHONE, "/p/me").await;
    phone.until_text("No game yet.").await;
    phone.until("the way to give a file", "document.querySelector('input[type=file]')").await;
    phone.eval(&format!("{CHOOSE}('{{}}')")).await;
    phone.until_text("This file keeps no identity.").await;
    // The player stays if the server does not know the one of the file.
    let before = phone.eval("JSON.parse(localStorage.noughts).token").await;
    phone.eval(&format!("{CHOOSE}('{UNKNOWN}')")).await;
    phone.button("Be Eve").await;
    phone.until_text("This server does not know that identity. You are still").await;
    assert_eq!(phone.eval("JSON.parse(localStorage.noughts).token").await, before);
    phone.eval(&format!("{CHOOSE}({file})")).await;
    phone.find("dialog", "Be Ada in this browser?").await;
    check(&phone, "people-identity").await;
    phone.button("Be Ada").await;
    phone.find("heading", "Ada").await;
    phone.until_text("1 game · 1 won, 0 lost, 0 drawn").await;
    all_done([phone, ada]).await;
}

#[tokio::test]
async fn who_is_forgotten_is_somebody_new_and_somebody_in_the_games_of_others() {
    let server = TestServer::keeping(&[]).await;
    let (ada, bob) = played(&server).await;
    ada.goto(&address(&server, "/p/me")).await;
    ada.find("heading", "Ada").await;
    let before = ada.eval("JSON.parse(localStorage.noughts).token").await;
    ada.button("Forget me…").await;
    ada.find("dialog", "Forget you for good?").await;
    check(&ada, "people-forget").await;
    ada.button("Forget me").await;
    ada.until_text("You are forgotten here.").await;
    ada.until_text("No game yet.").await;
    ada.until_no("heading", "Ada").await;
    // The button that opened the dialog has gone.
    ada.until("the focus", "document.activeElement.matches('h1')").await;
    let after = ada.eval("JSON.parse(localStorage.noughts).token").await;
    assert!(after.is_string() && after != before, "{after}");
    let bobs = open(&server, Device::LAPTOP, "/").await;
    be(&bobs, &bob).await;
    bobs.goto(&address(&server, "/games")).await;
    bobs.click("link", "X Somebody O Bob Lost*").await;
    bobs.find("heading", "Somebody – Bob").await;
    bobs.until_no("link", "Somebody").await;
    assert!(path(&bobs).await.starts_with("/g/"));
    all_done([ada, bobs]).await;
}
