//! Links to kept games and people, as messengers and terminal programs see them.

use noughts_harness::player::play_out;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{ByMark, Role, RoomSettings};

use super::assets::index;
use super::links::{size, tag};

/// Grace plays a game in a room for her friend, and wins in the first row; returns its id.
async fn kept_game(mut grace: Player, mut heidi: Player) -> String {
    let code = grace.create(RoomSettings::default(), ByMark::default()).await;
    heidi.join(code, Role::Player).await.unwrap();
    play_out(&mut grace, &mut heidi, &[0, 3, 1, 4, 2]).await;
    grace.until_over().await;
    let game = grace.state().game.as_ref().unwrap();
    game.id.unwrap().to_string()
}

#[tokio::test]
async fn a_link_to_a_game_shows_the_game() {
    let server = TestServer::keeping(&[]).await;
    let grace = server.player("<i>Grace").await;
    let heidi = server.player("Heidi \"H\"").await;
    let id = kept_game(grace, heidi).await;
    let (answer, html) = index(&server, &format!("/g/{id}")).await;
    assert_eq!((answer.status, &*answer.headers["x-robots-tag"]), (200, "noindex"));
    let title = "&lt;i&gt;Grace (X) – Heidi &quot;H&quot; (O): X won";
    assert_eq!(tag(&html, "og:title").unwrap(), title);
    let (_, german) = server.get(&format!("/g/{id}"), "accept-language: de\r\n").await;
    assert!(german.contains("(O): X hat gewonnen</title>"), "{german}");
    let picture = tag(&html, "og:image").unwrap();
    let path = picture.strip_prefix("http://localhost").unwrap();
    let picture = server.ask(path, "").await;
    assert_eq!((picture.status, &*picture.headers["content-type"]), (200, "image/png"));
    assert_eq!(size(&picture.body), (1_200, 630));
    let general = server.ask("/preview.png", "").await;
    assert_ne!(picture.body, general.body, "it is the game's own");
    let again = server.ask(path, "").await;
    assert_eq!(again.body, picture.body);
}

#[tokio::test]
async fn a_game_that_is_not_there_has_the_page_and_no_picture() {
    let server = TestServer::keeping(&[]).await;
    let (answer, html) = index(&server, "/g/0123456789abcdef").await;
    assert_eq!(answer.status, 404, "the page says that there is no such game");
    assert_eq!(tag(&html, "og:title").unwrap(), "Noughts");
    assert!(tag(&html, "og:image").unwrap().ends_with("/preview.png"));
    assert_eq!(server.ask("/g/0123456789abcdef/picture.png", "").await.status, 404);
    for path in ["/g/xyz", "/g/0123", "/g/0123456789abcdef0", "/g/xyz/picture.png"] {
        let (status, said) = server.get(path, "user-agent: curl/8\r\n").await;
        assert_eq!((status, &*said), (404, "a game id is 16 hexadecimal digits\n"));
    }
}

#[tokio::test]
async fn a_server_with_a_password_shows_no_game_to_strangers() {
    let folder = tempfile::tempdir().unwrap();
    let data = ["--data-dir", folder.path().to_str().unwrap()];
    let id = {
        let server = TestServer::start(&data).await;
        let grace = server.player("Grace").await;
        let heidi = server.player("Heidi").await;
        let id = kept_game(grace, heidi).await;
        server.stop().await;
        id
    };
    let password = ["--join-password", "correct horse"];
    let server = TestServer::start(&[data, password].concat()).await;
    let (answer, html) = index(&server, &format!("/g/{id}")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(tag(&html, "og:title").unwrap(), "Noughts");
    assert!(!html.contains("Grace"), "{html}");
    assert_eq!(server.ask(&format!("/g/{id}/picture.png"), "").await.status, 404);
}

#[tokio::test]
async fn people_have_pages_and_terminals_a_command() {
    let server = TestServer::start(&[]).await;
    let id = "0123456789abcdef";
    // Nobody has this id, and no game.
    for (path, command, folder, status) in [
        (format!("/g/{id}"), format!("noughts replay {id}"), "../assets/", 404),
        (format!("/p/{id}"), format!("noughts profile {id}"), "../assets/", 404),
        ("/p/me".to_owned(), "noughts profile".to_owned(), "../assets/", 200),
        ("/games".to_owned(), "noughts history".to_owned(), "\"assets/", 200),
        ("/leaders".to_owned(), "noughts leaders".to_owned(), "\"assets/", 200),
    ] {
        let (answer, html) = index(&server, &path).await;
        let robots = &*answer.headers["x-robots-tag"];
        assert_eq!((answer.status, robots), (status, "noindex"), "{path}");
        assert!(html.contains(folder), "{path}: {html}");
        assert_eq!(tag(&html, "og:url").unwrap(), format!("http://localhost{path}"));
        let (_, said) = server.get(&path, "user-agent: curl/8\r\n").await;
        assert!(said.ends_with(&format!("{command} --server http://localhost\n")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let (status, said) = server.get("/p/ada", "user-agent: curl/8\r\n").await;
    assert_eq!((status, &*said), (404, "a player id is 16 hexadecimal digits\n"));
}
