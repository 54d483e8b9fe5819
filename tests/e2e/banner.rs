//! The start-up banner in a real terminal. Its QR code is read by `zbarimg`.

use noughts_harness::Terminal;
use noughts_harness::picture::{Theme, can_read_codes, decode};

/// The options of a server with a public address.
const PUBLIC: [&str; 4] =
    ["--bind", "127.0.0.1:0", "--public-url", "https://games.example/noughts"];

#[test]
fn the_qr_code_says_the_first_address_on_dark_and_light_terminals() {
    let host = Terminal::host(&PUBLIC, 40, 80);
    let screen = host.wait_text("Ctrl-C");
    let url = "https://games.example/noughts/";
    assert!(screen.find(url) < screen.find("http://127.0.0.1"), "{screen}");
    assert!(screen.contains("noughts --server https://games.example/noughts"), "{screen}");
    if can_read_codes() {
        for theme in [Theme::Dark, Theme::Light] {
            let read = host.wait_picture("a QR code", theme, |picture| decode(picture.as_bytes()));
            assert_eq!(read, url, "{theme:?}");
        }
    }
}
