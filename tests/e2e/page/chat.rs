//! Talk in a room: two people and somebody who watches, in a panel, in a sheet and by the keyboard.

use noughts_harness::{Device, Tab, TestServer};
use noughts_protocol::Role;
use serde_json::json;

use super::screens;
use super::shift;
use super::steps::{address, all_done, begin, game, my_turn, pair_on, play};

/// Says a text as a person with a keyboard does.
async fn say(tab: &Tab, text: &str) {
    tab.fill("Say something", text).await;
    tab.press("Enter").await;
    tab.until("an empty field", "document.querySelector('.composer input').value === ''").await;
}

/// Waits until the log has a text.
async fn hears(tab: &Tab, text: &str) {
    let log = format!(
        "document.querySelector('.chat-log').innerText.replace(/\\s+/g, ' ').includes({})",
        json!(text)
    );
    tab.until(&format!("{text:?} in the chat"), &log).await;
}

/// A text in the bubble, and no button, link or cell below it.
const FREE_BUBBLE: &str = "(() => {
    const bubble = document.querySelector('.chat-bubble')?.getBoundingClientRect();
    const controls = [...document.querySelectorAll('button, a, [role=gridcell]')]
      .map((e) => e.getBoundingClientRect()).filter(({ width }) => width > 0);
    return bubble && controls.every(({ top, bottom }) => bottom <= bubble.top || bubble.bottom <= top);
  })()";

/// The text of the log.
async fn log(tab: &Tab) -> String {
    tab.eval("document.querySelector('.chat-log').innerText").await.as_str().unwrap().to_owned()
}

/// Opens the sheet of a phone.
async fn sheet(tab: &Tab) {
    tab.button("Chat*").await;
    tab.find("dialog", "Chat").await;
}

#[tokio::test]
async fn two_people_talk_in_a_panel_and_in_a_sheet() {
    let server = TestServer::start(&[]).await;
    let (ada, bob, _) = pair_on(&server, Device::LAPTOP, Device::PHONE).await;
    // A line that is there before the chat has loaded gets no bubble.
    bob.find("button", "Chat").await;
    bob.until_no("log", "What was said").await;
    let said = async {
        say(&ada, "Hello <b>Bob</b> \u{202e}&amp;").await;
        hears(&ada, "You: Hello <b>Bob</b> &amp;").await;
    };
    // On the phone it is seen for some seconds only, and hides nothing that can be pressed.
    tokio::join!(said, bob.until("a bubble that hides no control", FREE_BUBBLE));
    bob.find("button", "Chat, 1 new line").await;
    sheet(&bob).await;
    hears(&bob, "Ada: Hello <b>Bob</b> &amp;").await;
    bob.button("Good luck!").await;
    hears(&bob, "You: Good luck!").await;
    hears(&ada, "Bob: Good luck!").await;
    say(&bob, "and have fun").await;
    hears(&ada, "and have fun").await;
    bob.button("Close").await;
    bob.find("button", "Chat").await;
    // Two lines while the sheet is closed, and a game that goes on. Beside a panel the emotes stand in it alone.
    ada.until_no("button", "Wow!").await;
    ada.button("Emotes").await;
    ada.button("Good game!").await;
    play(&ada, 2, 2, 'X').await;
    bob.find("button", "Chat, 1 new line").await;
    bob.reload().await;
    sheet(&bob).await;
    hears(&bob, "Ada: Good game!").await;
    let said = log(&bob).await;
    assert_eq!(said.matches("and have fun").count(), 1, "{said}");
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn a_muted_person_disappears_at_once_and_comes_back() {
    let server = TestServer::start(&[]).await;
    let (ada, mut bob, code) = game(&server, Device::LAPTOP).await;
    bob.say("first").await.unwrap();
    hears(&ada, "Bob: first").await;
    ada.button("Mute Bob").await;
    ada.until_text("You do not hear Bob.").await;
    ada.until("the focus", "document.activeElement.textContent.trim() === 'Unmute'").await;
    assert!(!log(&ada).await.contains("first"));
    bob.say("second").await.unwrap();
    // Ada's own line comes after Bob's.
    say(&ada, "third").await;
    hears(&ada, "You: third").await;
    assert!(!log(&ada).await.contains("second"), "{}", log(&ada).await);
    ada.goto(&address(&server, &format!("/r/{code}"))).await;
    ada.until_text("You do not hear Bob.").await;
    ada.button("Unmute Bob").await;
    hears(&ada, "second").await;
    ada.find("button", "Mute Bob").await;
    ada.done().await;
}

#[tokio::test]
async fn who_talks_too_fast_or_too_long_is_told_and_loses_no_word() {
    let server = TestServer::start(&[]).await;
    let (ada, _bob, code) = game(&server, Device::LAPTOP).await;
    let field = "document.querySelector('.composer input').value";
    // A tab does not know what its player has said elsewhere. The server does. A program says five lines
    // in no time, so that they still count when the tab's line comes.
    let token = ada.eval("JSON.parse(localStorage.noughts).token").await;
    let token = token.as_str().unwrap().parse().unwrap();
    let mut again = server.returning("Ada", Some(token)).await;
    again.join(code.parse().unwrap(), Role::Spectator).await.unwrap();
    ada.fill("Say something", "from the tab").await;
    for line in ["6", "7", "8", "9", "10"] {
        again.say(line).await.unwrap();
    }
    ada.press("Enter").await;
    ada.until_text("You say a lot. Wait a few seconds").await;
    ada.until("the text", &format!("{field} === 'from the tab'")).await;
    ada.fill("Say something", &"x".repeat(143)).await;
    ada.until_text("3 too many").await;
    ada.press("Enter").await;
    ada.until_text("Make it shorter: 3 characters too many.").await;
    ada.fill("Say something", &"x".repeat(120)).await;
    ada.until_text("20 left").await;
    ada.done().await;
}

#[tokio::test]
async fn the_keyboard_opens_says_and_closes() {
    let server = TestServer::start(&[]).await;
    let keyboard = Device { width: 820, height: 700, ..Device::LAPTOP };
    let (ada, mut bob, _) = game(&server, keyboard).await;
    ada.find("button", "Chat").await;
    ada.eval("document.querySelector('.chat-button').focus()").await;
    ada.press("Enter").await;
    ada.find("dialog", "Chat").await;
    ada.until("the field has the focus", "document.activeElement.matches('.composer input')").await;
    // Digits are text here, and no moves.
    say(&ada, "5 or 9?").await;
    bob.until_heard("5 or 9?").await;
    ada.press("Escape").await;
    ada.until_no("dialog", "Chat").await;
    ada.until("the focus is back", "document.activeElement.matches('.chat-button')").await;
    assert_eq!(ada.eval("document.querySelectorAll('[data-mark]').length").await, 0);

    ada.become_device(Device::LAPTOP).await;
    ada.until("the panel", "document.querySelector('.composer-emotes')").await;
    ada.eval("document.querySelector('.composer-emotes').focus()").await;
    ada.press("Enter").await;
    ada.find("button", "Good luck!").await;
    ada.press("Escape").await;
    ada.until_no("button", "Good luck!").await;
    ada.until("the focus is back", "document.activeElement.matches('.composer-emotes')").await;
    ada.done().await;
}

#[tokio::test]
async fn the_last_line_is_in_sight_unless_one_reads_back() {
    let server = TestServer::start(&[]).await;
    let (ada, mut bob, _) = game(&server, Device::SMALL_PHONE).await;
    ada.find("button", "Chat").await;
    for line in ["first", "second", "third", "fourth"] {
        bob.say(&format!("{line} {}", "and many more words ".repeat(6))).await.unwrap();
    }
    ada.find("button", "Chat, 4 new lines").await;
    sheet(&ada).await;
    let log = "document.querySelector('.chat-log')";
    let rest = format!("{log}.scrollHeight - {log}.scrollTop - {log}.clientHeight");
    ada.until("the end", &format!("{rest} < 2 && {log}.scrollTop > 0")).await;
    let back = format!(
        "new Promise((done) => {{ {log}.onscrollend = done; {log}.scrollTop = 0; }}).then(() => 0)"
    );
    ada.eval(&back).await;
    bob.say("fifth").await.unwrap();
    hears(&ada, "fifth").await;
    assert_eq!(ada.eval(&format!("{log}.scrollTop")).await, 0);
    ada.done().await;
}

/// Headless browsers have no keyboard on the screen, so the test tells the page that one is there.
#[tokio::test]
async fn the_sheet_stands_on_the_keyboard_of_a_phone() {
    let server = TestServer::start(&[]).await;
    let (ada, mut bob, _) = game(&server, Device::PHONE).await;
    sheet(&ada).await;
    let keyboard = |height: &str| {
        format!(
            "Object.defineProperty(visualViewport, 'height', {{ value: {height}, configurable: true }});
             visualViewport.dispatchEvent(new Event('resize'))"
        )
    };
    ada.find("button", "Hello!").await;
    ada.eval(&keyboard("420")).await;
    let place = "(({ top, bottom }) => top >= 0 && bottom <= 420)(
        document.querySelector('.chat-sheet').getBoundingClientRect())";
    ada.until("a sheet above the keyboard", place).await;
    ada.until_no("button", "Hello!").await;
    say(&ada, "typed").await;
    bob.until_heard("typed").await;
    ada.eval(&keyboard("innerHeight")).await;
    ada.find("button", "Hello!").await;
    ada.done().await;
}

/// Every part of the chat: axe-core finds nothing, nothing is wider than the window.
#[tokio::test]
async fn the_chat_fits_every_screen() {
    let server = TestServer::start(&[]).await;
    let (ada, bob, code) = pair_on(&server, Device::LAPTOP, Device::PHONE).await;
    let mut eve = server.player("Eve").await;
    eve.join(code.parse().unwrap(), Role::Spectator).await.unwrap();
    sheet(&bob).await;
    say(&bob, &"a long text of many words ".repeat(5)).await;
    bob.button("Well played!").await;
    hears(&ada, "Bob: Well played!").await;
    screens::check(&ada, "room-chat").await;
    say(&ada, "X").await;
    ada.button("Emotes").await;
    screens::check_as(&ada, "room-chat-emotes", &screens::SHAPES[3..]).await;
    screens::check(&bob, "room-chat-sheet").await;
    bob.become_device(Device::PHONE).await;
    sheet(&bob).await;
    bob.button("Mute Ada").await;
    bob.until_text("You do not hear Ada.").await;
    screens::check(&bob, "room-chat-muted").await;
    all_done([ada, bob]).await;
}

/// Lines, bubbles, emotes and errors move nothing.
#[tokio::test]
async fn talk_moves_nothing() {
    let server = TestServer::start(&[]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        let ada = shift::watched(device, &address(&server, "/")).await;
        let (mut bob, _) = begin(&server, &ada).await;
        shift::begin(&ada).await;
        for line in
            ["Hello", "a longer line that does not fit the bubble above the name of the speaker"]
        {
            bob.say(line).await.unwrap();
            ada.until_text(line).await;
        }
        play(&ada, 2, 2, 'X').await;
        if device.touch {
            sheet(&ada).await;
            ada.button("Hello!").await;
            hears(&ada, "You: Hello!").await;
            ada.button("Close").await;
        } else {
            ada.button("Emotes").await;
            ada.button("Good luck!").await;
            hears(&ada, "You: Good luck!").await;
        }
        bob.play(0).await.unwrap();
        my_turn(&ada).await;
        shift::check(&ada, &format!("talk at {} px", device.width)).await;
        ada.done().await;
    }
}
