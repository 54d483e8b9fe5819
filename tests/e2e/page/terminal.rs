//! A server process that is killed during a game of two browsers.

use noughts_harness::{Device, ServerProcess, Tab};

use super::steps::{all_done, code, my_turn, play};

async fn open(server: &ServerProcess, path: &str) -> Tab {
    Tab::open(Device::LAPTOP, &format!("http://{}{path}", server.address())).await
}

/// Two players in a game. The second is to move.
async fn two_browsers(server: &ServerProcess) -> (Tab, Tab) {
    let ada = open(server, "/").await;
    ada.click("link", "Play a friend*").await;
    ada.button("Start").await;
    let room = code(&ada).await;
    let bob = open(server, &format!("/r/{room}")).await;
    bob.button("Play").await;
    play(&ada, 2, 2, 'X').await;
    my_turn(&bob).await;
    for tab in [&ada, &bob] {
        // The page loads the chat after the board: a server that is killed meanwhile is an error on the console.
        tab.until("the chat", "!!document.querySelector('.chat-panel, .chat-button')").await;
    }
    (ada, bob)
}

/// Changes the server's database, also while the server runs.
fn change_record(server: &ServerProcess, sql: &str) {
    let file = rusqlite::Connection::open(server.folder().join("noughts.db")).unwrap();
    assert_eq!(file.execute(sql, []).unwrap(), 1);
}

#[tokio::test]
async fn a_room_that_cannot_be_read_just_now_is_asked_for_again() {
    let mut server = ServerProcess::start(&[]);
    let (mut ada, mut bob) = two_browsers(&server).await;
    server.kill();
    change_record(&server, "UPDATE live SET state = '?' || state");
    let server = server.restart();
    let told = "The server cannot open this room right now. The page keeps trying.";
    for tab in [&mut ada, &mut bob] {
        tab.tolerate_no_server();
        tab.until_text(told).await;
    }
    change_record(&server, "UPDATE live SET state = substr(state, 2)");
    for tab in [&ada, &bob] {
        tab.until("no notice", "!document.body.innerText.includes('cannot open')").await;
    }
    play(&bob, 1, 1, 'O').await;
    play(&ada, 3, 3, 'X').await;
    all_done([ada, bob]).await;
}
