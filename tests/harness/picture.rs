//! Draws a terminal's screen as a picture, and reads QR codes in pictures.

use std::fmt::Write;
use std::process::Command;

use vt100::{Cell, Color, Screen};

use crate::skip::is_here;

/// The size of a cell in pixels: the shape of a common font, and even, so that half blocks are halves.
const WIDTH: usize = 8;
const HEIGHT: usize = 16;

/// The default colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// White on black.
    Dark,
    /// Black on white.
    Light,
}

/// The screen as a portable greymap (PGM). Block characters are drawn exactly, any other as a bar
/// in its cell.
#[must_use]
pub fn pgm(screen: &Screen, theme: Theme) -> String {
    let (rows, cols) = screen.size();
    let rows = rows.get();
    let cols = cols.get();
    let mut image =
        format!("P2\n{} {}\n255\n", usize::from(cols) * WIDTH, usize::from(rows) * HEIGHT);
    for y in 0..usize::from(rows) * HEIGHT {
        for x in 0..usize::from(cols) * WIDTH {
            let cell = screen.cell((y / HEIGHT) as u16, (x / WIDTH) as u16);
            let grey = cell.map_or(0, |cell| pixel(cell, x % WIDTH, y % HEIGHT, theme));
            // Writing to a string cannot fail.
            let _ = writeln!(image, "{grey}");
        }
    }
    image
}

fn pixel(cell: &Cell, x: usize, y: usize, theme: Theme) -> u8 {
    let dark = theme == Theme::Dark;
    let ink = match cell.contents() {
        "" | " " => false,
        "▀" => y < HEIGHT / 2,
        "▄" => y >= HEIGHT / 2,
        "█" => true,
        _ => x == WIDTH / 2 && y > 2,
    };
    let ink_grey = grey(cell.fgcolor(), dark);
    let paper = grey(cell.bgcolor(), !dark);
    if ink { ink_grey } else { paper }
}

/// The brightness of a colour; the terminal's own is `white` or black.
fn grey(color: Color, white: bool) -> u8 {
    match color {
        Color::Default => u8::from(white) * 255,
        Color::Idx(16) => 0,
        Color::Idx(231) => 255,
        // The first sixteen are the theme's.
        Color::Idx(_) => 128,
        Color::Rgb(r, g, b) => ((u16::from(r) + u16::from(g) + u16::from(b)) / 3) as u8,
    }
}

/// Whether `zbarimg` is here, of Debian's zbar-tools.
#[must_use]
pub fn can_read_codes() -> bool {
    let found = Command::new("zbarimg").arg("--version").output().is_ok();
    is_here(found, "reading the QR code", "zbarimg (zbar-tools)")
}

/// The text of the QR code in a picture; `None` if there is no whole code.
///
/// # Panics
/// Without `zbarimg`.
#[must_use]
pub fn decode(picture: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture");
    std::fs::write(&path, picture).unwrap();
    let output = Command::new("zbarimg").args(["--raw", "-q"]).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
