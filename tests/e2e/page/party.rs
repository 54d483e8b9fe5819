//! Parties on the page: from the form to the podium, a late comer, a no-show, the host's powers, a
//! reload anywhere. The big screen is in `party_screen`.

use noughts_harness::{Device, Tab, TestServer};

use super::screens::check;
use super::steps::{address, all_done, my_turn, name, open, play_out};

/// The code in the address of a party.
async fn code(tab: &Tab) -> String {
    tab.until("the address of a party", "/^\\/party\\/[A-Z]{5}$/.test(location.pathname)").await;
    tab.address().await.rsplit_once('/').unwrap().1.to_owned()
}

/// Ada makes a party on 3 × 3 by the form, of a format.
async fn party(server: &TestServer, format: &str) -> (Tab, String) {
    let tab = open(server, Device::LAPTOP, "/").await;
    name(&tab, "Ada").await;
    tab.click("link", "Make a party*").await;
    tab.find("heading", "Make a party").await;
    tab.fill("Name of the party", "Friday LAN").await;
    tab.click("radio", format).await;
    tab.click("radio", "3 × 3").await;
    // A busy machine may be slow.
    tab.choose("Time for a move", "5 minutes").await;
    tab.button("Make the party").await;
    let code = code(&tab).await;
    tab.until_text("You are in").await;
    (tab, code)
}

/// Somebody who scans the code, types a name and joins.
async fn guest(server: &TestServer, device: Device, code: &str, called: &str) -> Tab {
    let tab = open(server, device, &format!("/party/{code}")).await;
    tab.find("heading", "Friday LAN").await;
    let german = tab.eval("document.documentElement.lang === 'de'").await == true;
    let (label, join, text) = if german {
        ("Dein Name", "Mitmachen", "Du bist dabei")
    } else {
        ("Your name", "Join", "You are in")
    };
    tab.fill(label, called).await;
    tab.press("Enter").await;
    tab.button(join).await;
    tab.until_text(text).await;
    tab
}

/// Both are ready and in the room.
async fn ready(ada: &Tab, bob: &Tab) {
    for tab in [ada, bob] {
        tab.button("Ready").await;
    }
    for tab in [ada, bob] {
        tab.until_screen("room").await;
    }
}

/// Plays a game that `first`, who has X, wins with the first row.
async fn win(first: &Tab, second: &Tab) {
    // A board that has just opened takes no tap.
    let opened = "(document.querySelector('.room-board').seen ??= performance.now())";
    for tab in [first, second] {
        tab.until("a board for taps", &format!("performance.now() - {opened} > 500")).await;
    }
    play_out((first, 'X'), (second, 'O'), &[(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]).await;
}

/// The one of two who has X.
async fn in_order<'a>(one: &'a Tab, other: &'a Tab) -> (&'a Tab, &'a Tab) {
    let is_x = "document.querySelector('.seat-x .chip')?.textContent";
    one.until("a seat", "document.querySelector('.seat .chip')").await;
    if one.eval(is_x).await == "you" { (one, other) } else { (other, one) }
}

#[tokio::test]
async fn a_party_goes_from_the_form_to_the_podium() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Knockout").await;
    // The code leads to the party wherever a room's code does.
    let bob = open(&server, Device::PHONE, "/").await;
    name(&bob, "Bob").await;
    bob.fill("Join by code", &code).await;
    bob.find("heading", "Friday LAN").await;
    bob.button("Join").await;
    bob.until_text("You are in").await;
    check(&bob, "party-gathering").await;
    ada.until_text("Who is in (2)").await;
    check(&ada, "party-host").await;
    ada.button("Start the party").await;
    bob.until_text("You play Ada at table 1").await;
    ada.until_text("You play Bob at table 1").await;
    check(&bob, "party-ready").await;
    ready(&ada, &bob).await;
    bob.until_text("Table 1").await;
    check(&bob, "party-room").await;
    // A reload in the room comes back to the seat and the party.
    bob.reload().await;
    bob.find("link", "Friday LAN").await;
    let (first, second) = in_order(&ada, &bob).await;
    win(first, second).await;
    first.until_text("You win").await;
    // There is no rematch, and the party is over: the page goes to the podium by itself.
    for tab in [&ada, &bob] {
        tab.until("the podium", "document.querySelector('.party-podium')").await;
    }
    first.until_text("You have won the party!").await;
    second.until_text("You are number 2 of 2").await;
    check(&bob, "party-podium").await;
    bob.reload().await;
    bob.until("the podium", "document.querySelector('.party-podium')").await;
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn a_late_comer_plays_from_the_next_round_on_and_can_watch() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Swiss").await;
    let bob = guest(&server, Device::PHONE, &code, "Bob").await;
    ada.button("Start the party").await;
    ready(&ada, &bob).await;
    let eve = open(&server, Device::PHONE, &format!("/party/{code}")).await;
    eve.until_text("You can still join.").await;
    eve.button("Join").await;
    eve.until_text("you play from round 2 on").await;
    eve.click("link", "Watch *").await;
    eve.until_text("You are watching.").await;
    let (first, second) = in_order(&ada, &bob).await;
    win(first, second).await;
    // The next round calls two of the three. The other one has a bye, and goes back by the button.
    for tab in [&ada, &bob, &eve] {
        let here = "document.body.innerText.includes('Round 2 of 5')";
        let ready = format!("{here} || document.querySelector('.actions-next button[data-next]')");
        tab.until("the next round, or the way back", &ready).await;
        if tab.eval(here).await != true {
            tab.button("Back to the party").await;
        }
    }
    ada.until_text("Round 2 of 5").await;
    check(&ada, "party-between").await;
    all_done([ada, bob, eve]).await;
}

#[tokio::test]
async fn the_host_pauses_sets_aside_changes_a_result_and_ends_it() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Round robin").await;
    let bob = guest(&server, Device::PHONE, &code, "Bob").await;
    let eve = guest(&server, Device::PHONE, &code, "Eve").await;
    ada.button("Start the party").await;
    ada.find("button", "Change a result…").await;
    ada.button("Pause").await;
    bob.until_text("The host has paused the party").await;
    // No clock of the party runs out meanwhile, however slow this machine is.
    ada.button("Change a result…").await;
    ada.find("dialog", "Change a result…").await;
    check(&ada, "party-decide").await;
    let none = "document.querySelector('dialog select').value === '0' && !document.querySelector('dialog input[type=radio]')";
    ada.until("no choice", none).await;
    ada.eval("{ const which = document.querySelector('dialog select'); which.selectedIndex = 1; which.dispatchEvent(new Event('change')); }").await;
    ada.until("who played", "document.querySelector('dialog input[type=radio]')").await;
    ada.eval("document.querySelector('dialog input[type=radio]').click()").await;
    ada.fill("Note (not needed)", "agreed").await;
    ada.button("Change it").await;
    bob.until_text("“agreed”").await;
    ada.button("Set somebody aside…").await;
    ada.until("nobody chosen", "document.querySelector('dialog select').value === '0'").await;
    ada.choose("Player", "Eve").await;
    ada.button("Set aside").await;
    eve.until_text("You are not playing").await;
    eve.until_text("The host has set you aside.").await;
    eve.until("no button that is refused", "!document.querySelector('.party-come')").await;
    ada.button("Set aside or bring back…").await;
    ada.choose("Player", "Eve (not playing)").await;
    ada.button("Bring back").await;
    eve.until("a place", "!document.body.innerText.includes('You are not playing')").await;
    ada.button("Go on").await;
    bob.until("no pause", "!document.querySelector('.party-paused')").await;
    ada.button("End the party").await;
    ada.find("dialog", "End the party?").await;
    ada.eval("document.querySelector('dialog .button-danger').click()").await;
    for tab in [&ada, &bob] {
        tab.until("the podium", "document.querySelector('.party-podium')").await;
    }
    all_done([ada, bob, eve]).await;
}

/// A device has lost its storage: the host renames its entrant, and gives the place to a new browser.
#[tokio::test]
async fn the_host_renames_somebody_and_gives_their_place_to_another_browser() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Knockout").await;
    let bob = guest(&server, Device::PHONE, &code, "Bob").await;
    ada.button("Bob: what you can do").await;
    ada.fill("Name", "Bob from table 2").await;
    ada.button("Rename").await;
    bob.until_text("Bob from table 2").await;
    bob.until("no menu for a guest", "!document.querySelector('.party-name')").await;
    ada.button("Bob from table 2: what you can do").await;
    ada.button("Another device or a substitute…").await;
    ada.find("heading", "Another device or a substitute for Bob from table 2").await;
    ada.until("a link", "document.querySelector('dialog .share-link')?.value.includes('#place=')")
        .await;
    let link = ada.eval("new URL(document.querySelector('dialog .share-link').value).hash").await;
    let path = format!("/party/{code}{}", link.as_str().unwrap());
    let new = open(&server, Device::PHONE, &path).await;
    new.find("heading", "Take the place of Bob from table 2 in this party?").await;
    new.button("Take the place").await;
    new.until_text("You are in").await;
    ada.until_text("Done. The place has gone over.").await;
    // The pass is used, and not in the address.
    let late = open(&server, Device::PHONE, &path).await;
    late.button("Take the place").await;
    late.until_text("Ask the host for a new one").await;
    bob.find("button", "Join").await;
    all_done([ada, bob, new, late]).await;
}

/// The clocks stand still on the board. A removed player hears why, and does not come in again.
#[tokio::test]
async fn the_host_gives_time_stops_the_clocks_and_removes_somebody() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Swiss").await;
    let bob = guest(&server, Device::PHONE, &code, "Bob").await;
    ada.button("Start the party").await;
    bob.until_text("You play Ada at table 1").await;
    ada.button("Wait 1 min at table 1").await;
    bob.until("more time", "Number(document.querySelector('.party-count')?.textContent) > 60")
        .await;
    ready(&ada, &bob).await;
    ada.click("link", "Friday LAN").await;
    ada.button("Stop the clocks").await;
    bob.until_text("The game is paused").await;
    check(&bob, "party-room-paused").await;
    check(&ada, "party-host-paused").await;
    ada.button("Go on").await;
    bob.until("no pause", "!document.body.innerText.includes('The game is paused')").await;
    ada.eval("document.querySelector('.party-more summary').click()").await;
    ada.button("Bob: what you can do").await;
    check(&ada, "party-menu").await;
    ada.button("Remove…").await;
    ada.find("dialog", "Remove Bob?").await;
    ada.eval("document.querySelector('dialog .button-danger').click()").await;
    bob.until_text("The host has removed you").await;
    bob.goto(&address(&server, &format!("/party/{code}"))).await;
    bob.find("heading", "You were removed").await;
    check(&bob, "party-removed").await;
    all_done([ada, bob]).await;
}

/// A person who watches another table sees that their own game waits, and is ready from there. A missed game is said.
#[tokio::test]
async fn who_watches_another_table_is_called_from_there() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Swiss").await;
    let mut tabs = vec![ada];
    for name in ["Bob", "Eve", "Kim"] {
        tabs.push(guest(&server, Device::PHONE, &code, name).await);
    }
    tabs[0].button("Start the party").await;
    let mut tables = [Vec::new(), Vec::new()];
    for tab in tabs {
        tab.until("the ready check", "document.querySelector('button[data-next]')").await;
        let first = tab.eval("document.body.innerText.includes('at table 1')").await == true;
        tables[usize::from(!first)].push(tab);
    }
    let [first, second] = tables;
    for tab in &first {
        tab.button("Ready").await;
    }
    my_turn(in_order(&first[0], &first[1]).await.0).await;
    // The last one is a guest. A phone has a window over everything, until it is put off.
    second[1].button("Not yet").await;
    second[1].click("link", "Watch *").await;
    second[1].until("the call", "document.querySelector('.party-call .party-count')").await;
    check(&second[1], "party-call").await;
    second[1].button("Ready").await;
    second[0].button("Ready").await;
    in_order(&second[0], &second[1]).await;
    second[1].until("no call", "!document.querySelector('.party-call')").await;
    for tab in first.into_iter().chain(second) {
        tab.done().await;
    }
}

/// The page tells whom it waits for, and a reload between two rounds comes back to the party.
#[tokio::test]
async fn a_reload_between_rounds_comes_back_and_leaving_asks_first() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = party(&server, "Winner stays on").await;
    let bob = guest(&server, Device::PHONE, &code, "Bob").await;
    let eve = guest(&server, Device::PHONE.reading("de-DE"), &code, "Eve").await;
    ada.button("Start the party").await;
    eve.until_text("Du spielst als Nächstes").await;
    eve.reload().await;
    eve.until_text("Du spielst als Nächstes").await;
    check(&eve, "party-queue").await;
    eve.button("Party verlassen").await;
    eve.button("Nein, zurück").await;
    eve.button("Party verlassen").await;
    eve.find("dialog", "Die Party verlassen?").await;
    eve.eval("document.querySelector('dialog .button-danger').click()").await;
    eve.until_text("Du spielst nicht mit").await;
    eve.button("Zurückkommen").await;
    eve.until_text("Du spielst als Nächstes").await;
    // The start page leads back.
    eve.goto(&address(&server, "/")).await;
    eve.until_text("Friday LAN").await;
    eve.button(&format!("Back to {code}*")).await;
    eve.until("the party", "document.querySelector('.party-queue')").await;
    all_done([ada, bob, eve]).await;
}
