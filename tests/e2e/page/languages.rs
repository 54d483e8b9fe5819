//! Languages, and the page without JavaScript.

use noughts_harness::{Device, Tab, TestServer, until};
use serde_json::json;

use super::steps::{address, my_turn, open, rare_board};

#[tokio::test]
async fn a_german_browser_gets_german_and_anybody_may_choose() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::PHONE.reading("de-AT,de,en"), "/").await;
    assert_eq!(tab.eval("document.documentElement.lang").await, "de");
    tab.until_text("Sprache").await;
    tab.click("link", "Gegen den Computer*").await;
    tab.until_screen("computer").await;
    tab.button("Los").await;
    my_turn(&tab).await;
    tab.until("the title", "/^Sie|^Du|Zug/.test(document.title)").await;
    tab.find("gridcell", "5, Zeile 2, Spalte 2*").await;
    tab.goto(&address(&server, "/")).await;
    tab.choose("Sprache", "English").await;
    tab.until_text("Play the computer").await;
    assert_eq!(tab.eval("document.documentElement.lang").await, "en");
    tab.reload().await;
    tab.until_text("Play the computer").await;
    // A link may name the language.
    tab.goto(&address(&server, "/?lang=de")).await;
    tab.until_text("Gegen den Computer").await;
    tab.done().await;
}

#[tokio::test]
async fn a_language_that_cannot_be_loaded_is_tried_again_and_the_focus_stays() {
    let server = TestServer::start(&[]).await;
    let mut tab = open(&server, Device::PHONE, "/").await;
    tab.tolerate_no_server();
    tab.offline(true).await;
    tab.choose("Language", "Deutsch").await;
    tab.until_text("This language cannot be loaded right now").await;
    tab.until("the language that is spoken", "document.querySelector('select').value === 'en'")
        .await;
    tab.offline(false).await;
    tab.choose("Language", "Deutsch").await;
    tab.until_text("Gegen den Computer").await;
    assert!(tab.focused().await.is_some_and(|thing| thing.is_a("combobox", "Sprache")));
    tab.done().await;
}

#[tokio::test]
async fn a_form_keeps_its_values_in_another_language() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::PHONE, "/play/computer").await;
    rare_board(&tab, "Other…").await;
    let columns = async |typed: u32| {
        let typing = "((field) => {
          field.value = TYPED;
          field.dispatchEvent(new Event('input'));
        })(document.querySelector('[type=number]'))";
        tab.eval(&typing.replace("TYPED", &typed.to_string())).await;
    };
    columns(2).await;
    tab.until_text("Choose 3 to 19 columns").await;
    tab.button("Start").await;
    assert!(tab.focused().await.is_some_and(|thing| thing.is_a("spinbutton", "Columns")));
    tab.choose("Language", "Deutsch").await;
    tab.until_text("Wähle 3 bis 19").await;
    columns(6).await;
    tab.button("Los").await;
    tab.find("grid", "Spielbrett, 6 mal 3, 3 in einer Reihe gewinnen").await;
    tab.done().await;
}

#[tokio::test]
async fn a_page_without_script_says_what_it_needs() {
    let server = TestServer::start(&[]).await;
    let tab = Tab::new(Device::LAPTOP).await;
    tab.cdp("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    tab.cdp("Page.navigate", json!({"url": address(&server, "/")})).await;
    // A tab waits by the timers of its page, which has none here.
    until("the text", async || {
        let text = tab.eval("document.body?.innerText").await;
        text.as_str()?.contains("This page needs JavaScript to play.").then_some(())
    })
    .await;
    tab.done().await;
}
