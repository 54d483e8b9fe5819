//! A laptop of 1280 × 800 shows every screen without scrolling, a phone of 360 × 640 the ways into a
//! game, and nothing is wider than a phone of 320.

use noughts_harness::{Device, Tab, TestServer};
use noughts_protocol::Role;

use super::steps::{address, all_done, host, join, my_turn, open, play_game};

/// How many pixels are below or beside the window.
const HIDDEN: &str = "Math.max(document.documentElement.scrollHeight - innerHeight,
                               document.documentElement.scrollWidth - innerWidth)";

/// Fails if the window shows less than the whole page.
pub(super) async fn is_whole(tab: &Tab, what: &str) {
    let hidden = tab.eval(HIDDEN).await;
    assert!(hidden.as_f64().unwrap() <= 0.0, "{hidden} px of {what} are out of sight");
}

/// A small phone of today.
const SMALL: Device = Device { width: 360, height: 640, ..Device::PHONE };

/// The elements of a selector that are not wholly in the window, or are covered.
async fn out_of_sight(tab: &Tab, selector: &str) -> String {
    let found = "[...document.querySelectorAll(SELECTOR)].map((e) => {
        const { x, y, right, bottom, width, height } = e.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        const inside = x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight;
        return inside && (e.contains(hit) || hit?.contains(e)) ? '' :
          `${e.localName}.${e.className} at ${x},${y} to ${right},${bottom}; `;
      }).join('') || (document.querySelector(SELECTOR) ? '' : 'nothing')";
    let found = tab.eval(&found.replace("SELECTOR", &format!("{selector:?}"))).await;
    found.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_small_phone_shows_the_ways_into_a_game_and_each_start() {
    let server = TestServer::start(&[]).await;
    for (language, name) in [("en-GB", "Your name"), ("de-DE", "Dein Name")] {
        let tab = open(&server, SMALL.reading(language), "/").await;
        // A long name stands on a line of its own.
        tab.fill(name, "Wolfgang Amadeus Mozarts").await;
        tab.press("Enter").await;
        tab.reload().await;
        for selector in [".hero [role=grid]", ".tile-large", ".code-boxes"] {
            assert_eq!(out_of_sight(&tab, selector).await, "", "{selector} in {language}");
        }
        for screen in ["computer", "friend", "computers", "quick"] {
            tab.goto(&address(&server, &format!("/play/{screen}"))).await;
            tab.until("the form", "document.querySelector('.go button')").await;
            for device in [SMALL, Device::PHONE, Device::LAPTOP] {
                tab.become_device(device.reading(language)).await;
                let hidden = out_of_sight(&tab, ".go button").await;
                assert_eq!(hidden, "", "{screen} in {language} on {device:?}");
            }
            // The button covers nothing: at the end of the page it stands below the last field.
            tab.become_device(SMALL.reading(language)).await;
            tab.eval("document.querySelector('.more')?.setAttribute('open', '')").await;
            tab.eval("scrollTo(0, document.body.scrollHeight)").await;
            let over = "document.querySelector('.go').getBoundingClientRect().top -
                Math.max(...[...document.querySelectorAll('.form fieldset, .form .field, .form .more')]
                  .map((e) => e.getBoundingClientRect().bottom))";
            let over = tab.eval(over).await.as_f64().unwrap();
            assert!(over >= 0.0, "{screen}: the button covers {over} px");
        }
        tab.done().await;
    }
}

#[tokio::test]
async fn a_laptop_shows_a_room_whole_for_all_who_are_in_it() {
    // Only a server that keeps games knows who has met.
    let server = TestServer::keeping(&[]).await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    ada.find("image", "QR code*").await;
    is_whole(&ada, "a room that waits").await;
    let mut bob = join(&server, &code, "Bob", Role::Player).await;
    my_turn(&ada).await;
    is_whole(&ada, "a room with a game").await;
    // The start also shows the way back to the seat, and who is here.
    play_game(&ada, &mut bob, &[(2, 2), (1, 1)]).await;
    bob.resign().await.unwrap();
    ada.until_text("You win!").await;
    ada.button("Back*").await;
    ada.find("button", "Back to*").await;
    ada.find("button", "Ask Bob*").await;
    is_whole(&ada, "the start with a seat elsewhere").await;
    let eve = open(&server, Device::LAPTOP, &format!("/r/{code}")).await;
    eve.until_text("You are watching.").await;
    is_whole(&eve, "a room that is watched").await;
    all_done([ada, eve]).await;
}
