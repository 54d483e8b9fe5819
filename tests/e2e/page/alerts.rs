//! Sound, vibration and the share sheet. The tests' browser has none of them, so a script records what
//! the page asks for.

use noughts_harness::{Device, Tab, TestServer};
use serde_json::json;

use super::steps::{address, begin, code, friend, has, my_turn, play};

/// Records vibrations in `felt`, tones in `heard`, and shared texts in `shared`. With `declines` the
/// player closes the share sheet.
const DEVICE: &str = "
  const note = (name, value) => Object.defineProperty(navigator, name, { value, writable: true });
  Object.assign(window, { felt: [], heard: [], shared: [], declines: false });
  note('vibrate', (time) => felt.push(time) > 0);
  note('share', async (what) => {
    shared.push(what);
    if (declines) throw new DOMException('closed', 'AbortError');
  });
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    const tone = createOscillator.call(this);
    heard.push(tone);
    return tone;
  };
";

/// A visitor with a phone.
async fn visitor(server: &TestServer) -> Tab {
    Tab::open_with(Device::PHONE, DEVICE, &address(server, "/")).await
}

#[tokio::test]
async fn a_phone_with_sound_vibrates_when_it_is_my_turn() {
    let server = TestServer::start(&[]).await;
    let ada = visitor(&server).await;
    let (mut bob, _) = begin(&server, &ada).await;
    assert_eq!(ada.eval("felt").await, json!([]), "off by default");
    ada.button("Sound: off").await;
    ada.find("button", "Sound: soft").await;
    play(&ada, 2, 2, 'X').await;
    bob.play(0).await.unwrap();
    has(&ada, 1, 1, 'O').await;
    ada.until("a vibration", "felt.length > 0").await;
    assert_eq!(ada.eval("felt").await, json!([120]), "once for each turn");
    ada.button("Sound: soft").await;
    ada.button("Sound: on").await;
    ada.find("button", "Sound: off").await;
    play(&ada, 3, 3, 'X').await;
    bob.play(1).await.unwrap();
    my_turn(&ada).await;
    assert_eq!(ada.eval("felt.length").await, 1, "not any more");
    ada.done().await;
}

#[tokio::test]
async fn the_link_goes_through_the_devices_own_way_of_sharing() {
    let server = TestServer::start(&[]).await;
    let ada = visitor(&server).await;
    friend(&ada).await;
    let code = code(&ada).await;
    ada.button("Share…").await;
    ada.until("something shared", "shared.length > 0").await;
    let shared = ada.eval("shared").await;
    assert_eq!(shared[0]["text"], "Play noughts and crosses with me");
    let url = shared[0]["url"].as_str().unwrap();
    assert!(url.ends_with(&format!("/r/{code}")), "{url}");
    // After the player has closed the sheet, the page says nothing, and the sheet opens again.
    ada.eval("declines = true").await;
    ada.button("Share…").await;
    ada.until("the sheet again", "shared.length > 1").await;
    assert!(ada.focused().await.is_some_and(|thing| thing.is_a("button", "Share…")));
    ada.done().await;
}
