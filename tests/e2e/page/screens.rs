//! Every screen: axe-core finds no violation, and nothing is wider than the window. With
//! `NOUGHTS_PICTURES=1` the tests also save pictures in `target/screenshots`, at several widths, light
//! and dark.

use std::fs;
use std::path::PathBuf;

use noughts_harness::{Device, Tab, TestServer};
use noughts_protocol::{ByMark, RoomSettings, Variant};
use serde_json::{Value, json};

use super::layout::is_whole;
use super::steps::{
    address, against_computer, all_done, game, has, host, menu, my_turn, name, open, play,
    play_out, rare_board,
};

/// axe-core, for the tests alone: <https://github.com/dequelabs/axe-core>, MPL-2.0.
const AXE: &str = include_str!("../../harness/axe/axe.min.js");

/// The folder of the pictures.
fn folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(3).unwrap().join("screenshots");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A phone on its side.
const LANDSCAPE: Device = Device { width: 568, height: 320, ..Device::PHONE };

/// The tested devices, by width.
pub(super) const SHAPES: [(&str, Device); 4] = [
    ("320", Device::SMALL_PHONE),
    ("568", LANDSCAPE),
    ("768", Device::TABLET),
    ("1280", Device::LAPTOP),
];

/// The rules of axe-core: all, or only the contrast, which depends on the colour scheme.
const EVERYTHING: &str = "{ resultTypes: ['violations'] }";
const CONTRAST: &str =
    "{ resultTypes: ['violations'], runOnly: { type: 'rule', values: ['color-contrast'] } }";

/// Checks a screen on every device.
pub(super) async fn check(tab: &Tab, screen: &str) {
    check_as(tab, screen, &SHAPES).await;
}

pub(super) async fn check_as(tab: &Tab, screen: &str, shapes: &[(&str, Device)]) {
    for (at, &(shape, device)) in shapes.iter().enumerate() {
        for (scheme, dark) in [("light", false), ("dark", true)] {
            // The dark scheme only changes colours, so one picture is enough.
            if dark && at > 0 && !wants_pictures() {
                continue;
            }
            tab.become_device(device.dark(dark)).await;
            let here = format!("{screen}-{shape}-{scheme}");
            let wide = tab
                .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                .await;
            assert!(wide.as_f64().unwrap() <= 0.0, "{here} is {wide} px wider than the window");
            // Once for each screen, on the smallest device. The other scheme only changes colours.
            if at == 0 {
                let asked = if dark { CONTRAST } else { EVERYTHING };
                assert_eq!(violations(tab, asked).await, "", "{here}");
            }
            picture(tab, &here).await;
        }
    }
    tab.become_device(Device::LAPTOP).await;
}

/// Saving the pictures takes longer than all checks.
fn wants_pictures() -> bool {
    std::env::var_os("NOUGHTS_PICTURES").is_some_and(|wanted| wanted == "1")
}

/// Saves a picture, if pictures are wanted.
pub(crate) async fn picture(tab: &Tab, name: &str) {
    if !wants_pictures() {
        return;
    }
    fs::write(folder().join(format!("{name}.png")), tab.screenshot().await).unwrap();
}

/// The findings of axe-core, one line for each rule and element.
async fn violations(tab: &Tab, asked: &str) -> String {
    if tab.eval("typeof axe").await == "undefined" {
        tab.eval(&format!("{{ {AXE}; 0 }}")).await;
    }
    let run = format!(
        "axe.run(document, {asked}).then(({{ violations }}) =>
          violations.flatMap(({{ id, help, nodes }}) => nodes.map(({{ target, failureSummary }}) =>
            `${{id}}: ${{help}}: ${{target}} ${{failureSummary}}`)))"
    );
    let found = tab.eval(&run).await;
    let lines = found.as_array().unwrap().iter().filter_map(Value::as_str);
    lines.collect::<Vec<_>>().join("\n")
}

/// WCAG 2.5.8 needs 24 px. The page promises 44 px, except for links in a sentence.
async fn can_be_touched(tab: &Tab, what: &str) {
    let small = "[...document.querySelectorAll('button, a, select, summary, input')]
        .filter((e) => e.checkVisibility())
        .map((e) => ({ e, box: (e.labels?.length ? e.labels[0] : e).getBoundingClientRect() }))
        .filter(({ e, box }) => Math.max(box.height, e.getBoundingClientRect().height) < 43.5)
        .map(({ e }) => e.outerHTML.slice(0, 80)).join('\\n')";
    tab.become_device(Device::SMALL_PHONE).await;
    assert_eq!(tab.eval(small).await, "", "{what}");
    tab.become_device(Device::LAPTOP).await;
}

#[tokio::test]
async fn the_menu_and_the_forms() {
    let server = TestServer::start(&["--name", "Grace's games"]).await;
    let mut tab = open(&server, Device::LAPTOP, "/").await;
    tab.tolerate("status of 404");
    tab.until_text("Connected").await;
    for screen in ["", "play/computer", "play/friend", "play/computers", "play/join", "play/quick"]
    {
        tab.goto(&address(&server, &format!("/{screen}"))).await;
        tab.until_text("Connected").await;
        tab.until("the screen", "document.querySelector('.slot h1')").await;
        check(&tab, &screen.replace('/', "-")).await;
        is_whole(&tab, screen).await;
        can_be_touched(&tab, screen).await;
    }
    tab.button("Start").await;
    tab.until_text("Looking for an opponent").await;
    check(&tab, "quick-waiting").await;
    for (typed, why) in [
        ("HELLO", "Five letters, no digits and no A, E"),
        ("KQRZX", "Room KQRZX does not exist or has ended."),
    ] {
        tab.goto(&address(&server, &format!("/r/{typed}"))).await;
        tab.until_text(why).await;
        assert_eq!(tab.find("textbox", "Join by code").await.value, typed);
    }
    check(&tab, "join-failed").await;
    tab.goto(&address(&server, "/play/computer")).await;
    tab.button("Start").await;
    my_turn(&tab).await;
    is_whole(&tab, "a room").await;
    can_be_touched(&tab, "a room").await;
    tab.done().await;
}

#[tokio::test]
async fn the_password_is_asked_for_and_kept_in_the_tab() {
    let server = TestServer::start(&["--join-password=correct horse"]).await;
    let tab = open(&server, Device::LAPTOP, "/play/computer").await;
    tab.until_text("This server asks for a password").await;
    check(&tab, "password").await;
    tab.fill("Password", "wrong").await;
    tab.button("Continue").await;
    tab.until_text("This password is wrong.").await;
    check(&tab, "password-wrong").await;
    tab.fill("Password", "correct horse").await;
    tab.button("Continue").await;
    tab.until_text("Connected").await;
    tab.reload().await;
    tab.until_text("Connected").await;
    let address = tab.address().await;
    assert!(!address.contains("horse"), "{address}");
    let kept = tab.eval("JSON.stringify(localStorage)").await;
    assert!(!kept.to_string().contains("horse"), "{kept}");
    tab.done().await;
}

#[tokio::test]
async fn the_menu_of_a_host_who_switched_things_off() {
    let off =
        ["--no-spectators", "--no-listing", "--no-quick-match", "--no-parties", "--no-ratings"];
    let server = TestServer::keeping(&off).await;
    let tab = open(&server, Device::LAPTOP, "/").await;
    tab.until_text("Connected").await;
    for off in ["Play a stranger", "Watch*", "Public games", "Make a party*", "Leaders"] {
        tab.until_no("link", off).await;
    }
    tab.find("link", "My games").await;
    check(&tab, "welcome-switched-off").await;
    tab.goto(&address(&server, "/play/lobby")).await;
    tab.until_text("has no public list").await;
    tab.until_no("heading", "Waiting for an opponent").await;
    check(&tab, "lobby-switched-off").await;
    tab.button("Join by code").await;
    tab.until_screen("join").await;
    tab.goto(&address(&server, "/play/friend")).await;
    tab.until_text("Connected").await;
    tab.button("Start").await;
    tab.until_text("Waiting for an opponent.").await;
    tab.done().await;
}

/// The shortest side of a cell, in CSS pixels.
const SMALLEST_CELL: &str =
    "Math.min(...[...document.querySelectorAll('.cell')].flatMap((cell) => {
    const { width, height } = cell.getBoundingClientRect();
    return [width, height];
  }))";

#[tokio::test]
async fn the_boards_of_the_variants() {
    let server = TestServer::start(&[]).await;
    let boards = [
        (Variant::Ultimate, "9x9x3"),
        (Variant::Notakto, "15x3x3"),
        (Variant::Gravity, "7x6x4"),
        (Variant::Vanish, "3x3x3"),
        (Variant::Qubic, "4x16x4"),
        (Variant::Order, "6x6x5"),
    ];
    let ada = open(&server, Device::LAPTOP, "/").await;
    for (variant, board) in boards {
        let settings =
            RoomSettings { variant, board: board.parse().unwrap(), ..RoomSettings::default() };
        let mut bob = server.player("Bob").await;
        let code = bob.create(settings, ByMark::default()).await;
        ada.goto(&address(&server, &format!("/r/{code}"))).await;
        ada.button("Play").await;
        ada.find("button", "Got it").await;
        check(&ada, &format!("variant-{variant:?}")).await;
        ada.become_device(Device::SMALL_PHONE).await;
        let cell = ada.eval(SMALLEST_CELL).await.as_f64().unwrap();
        assert!(cell >= 24.0, "a cell of {variant:?} is {cell} px small");
        ada.button("Got it").await;
        ada.become_device(Device::LAPTOP).await;
    }
    ada.reload().await;
    ada.find("grid", "*").await;
    ada.until_no("button", "Got it").await;
    ada.done().await;
}

#[tokio::test]
async fn a_room_from_the_invitation_to_the_review() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    // The widest code is seen whole, too.
    ada.until("the code", "document.querySelector('.share-code')").await;
    ada.eval("document.querySelector('.share-code').firstChild.data = 'MMMMM'").await;
    check(&ada, "room-waiting").await;
    ada.button("Show the QR code full screen").await;
    ada.find("dialog", "*").await;
    check(&ada, "room-qr").await;
    ada.button("Close").await;
    let bob = open(&server, Device::LAPTOP, &format!("/r/{code}")).await;
    bob.until_screen("invite").await;
    check(&bob, "invite").await;
    name(&bob, "Bob").await;
    bob.button("Play").await;
    play_out((&ada, 'X'), (&bob, 'O'), &[(2, 2), (1, 1), (1, 3), (3, 1)]).await;
    my_turn(&ada).await;
    check(&ada, "room-turn").await;
    ada.button("Menu").await;
    ada.find("dialog", "Menu").await;
    check(&ada, "room-menu").await;
    ada.button("Share this room*").await;
    ada.find("image", "QR code*").await;
    check(&ada, "room-share").await;
    ada.button("Close").await;
    menu(&ada, "Continue on another device").await;
    ada.find("image", "QR code that opens*").await;
    check(&ada, "room-pass").await;
    ada.button("Close").await;
    menu(&ada, "Resign").await;
    ada.find("dialog", "Resign this game?").await;
    check(&ada, "room-resign").await;
    ada.button("Keep playing").await;
    play_out((&ada, 'X'), (&bob, 'O'), &[(2, 3), (2, 1)]).await;
    has(&ada, 2, 1, 'O').await;
    check(&ada, "room-lost").await;
    check(&bob, "room-won").await;
    ada.button("Series").await;
    ada.find("dialog", "New series").await;
    check(&ada, "room-series").await;
    ada.button("Cancel").await;
    bob.button("Play again").await;
    ada.until_text("Bob wants to play again.").await;
    check(&ada, "room-offer").await;
    bob.button("Cancel the offer").await;
    let forced = json!({"features": [{"name": "forced-colors", "value": "active"}]});
    ada.cdp("Emulation.setEmulatedMedia", forced).await;
    picture(&ada, "room-lost-1280-forced").await;
    ada.become_device(Device::LAPTOP).await;
    ada.button("Review").await;
    ada.button("First").await;
    ada.until_text("proven").await;
    check(&ada, "room-review").await;
    for _ in 0..5 {
        ada.button("Next").await;
    }
    ada.until_text("4 was better.").await;
    check(&ada, "room-review-mistake").await;
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn an_absence_and_a_lost_connection() {
    let server = TestServer::start(&["--absence-grace", "3s"]).await;
    let (mut ada, bob, _) = game(&server, Device::LAPTOP).await;
    ada.eval("document.querySelector('[name=\"room.resign\"]').focus()").await;
    drop(bob);
    ada.find("button", "Claim the win").await;
    // Enter does what it did before the button moved.
    ada.until("the focus where it was", "document.activeElement.name === 'room.resign'").await;
    check(&ada, "room-claim").await;
    ada.button("Claim the win").await;
    ada.until_text("Bob was away too long.").await;
    ada.tolerate_no_server();
    server.stop().await;
    ada.until_text("Offline").await;
    check(&ada, "room-offline").await;
    ada.done().await;
}

#[tokio::test]
async fn a_draw() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/friend").await;
    tab.click("radio", "Both on this screen*").await;
    tab.button("Start").await;
    let draw = [(2, 2), (1, 1), (1, 2), (3, 2), (2, 1), (2, 3), (1, 3), (3, 1), (3, 3)];
    play_out((&tab, 'X'), (&tab, 'O'), &draw).await;
    tab.until_text("Draw.").await;
    check(&tab, "room-draw").await;
    tab.done().await;
}

#[tokio::test]
async fn a_large_board() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/friend").await;
    tab.click("radio", "Both on this screen*").await;
    rare_board(&tab, "19 × 19*").await;
    tab.button("Start").await;
    for (ply, (row, column)) in
        [(10, 10), (10, 11), (9, 9), (11, 11), (8, 8)].into_iter().enumerate()
    {
        play(&tab, row, column, if ply % 2 == 0 { 'X' } else { 'O' }).await;
    }
    my_turn(&tab).await;
    check(&tab, "room-19").await;
    tab.done().await;
}

#[tokio::test]
async fn text_of_twice_the_size_still_fits() {
    let server = TestServer::start(&[]).await;
    let tab = against_computer(&server, Device::LAPTOP).await;
    // A browser's text setting also moves the breakpoints of layouts, a style does not. So only devices
    // with one column in both cases are meaningful.
    let narrow = [SHAPES[0], SHAPES[2]];
    let larger = "document.documentElement.style.fontSize = '200%'";
    tab.eval(larger).await;
    check_as(&tab, "room-turn-200", &narrow).await;
    tab.goto(&address(&server, "/")).await;
    tab.eval(larger).await;
    check_as(&tab, "welcome-200", &narrow).await;
    tab.done().await;
}
