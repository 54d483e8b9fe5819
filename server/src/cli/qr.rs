//! A QR code as lines of text with colours for a terminal. Pure.

use qrcode::{Color, EcLevel, QrCode};

/// The white border round the code in modules, as ISO/IEC 18004 requires.
const QUIET: usize = 4;

/// Black and white in the colour cube of the 256-colour palette. The terminal's theme sets the first
/// sixteen colours, so that they may be inverted.
const BLACK: u8 = 16;
const WHITE: u8 = 231;

/// One cell shows two modules, one above the other. The upper one has the foreground colour.
const UPPER_HALF: char = '▀';

/// The lines of a QR code; `None` if it does not fit into this many columns and rows.
#[must_use]
pub(crate) fn lines(text: &str, columns: usize, rows: usize) -> Option<Vec<String>> {
    // The lowest error correction makes the smallest code; a screen has no dirt.
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let width = code.width();
    let side = width + 2 * QUIET;
    if side > columns || side.div_ceil(2) > rows {
        return None;
    }
    let dark = |x: usize, y: usize| {
        let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < width);
        let module = inside(x).zip(inside(y)).map(|at| code[at]);
        module == Some(Color::Dark)
    };
    let colour = |dark| if dark { BLACK } else { WHITE };
    let line = |upper: usize| {
        let mut line = String::new();
        let mut before = None;
        for x in 0..side {
            let pair = (dark(x, upper), dark(x, upper + 1));
            if before.replace(pair) != Some(pair) {
                let upper = colour(pair.0);
                let lower = colour(pair.1);
                line += &format!("\u{1b}[38;5;{upper};48;5;{lower}m");
            }
            line.push(UPPER_HALF);
        }
        line + "\u{1b}[0m"
    };
    Some((0..side).step_by(2).map(line).collect())
}

/// The width in columns of a code from [`lines`].
#[must_use]
pub(crate) fn width(code: &[String]) -> usize {
    code.first().map_or(0, |row| row.matches(UPPER_HALF).count())
}

#[cfg(test)]
mod tests {
    use qrcode::render::unicode::Dense1x2;

    use super::{EcLevel, QrCode, lines};

    /// Catches modules that are exchanged or inverted, also by the theme of a terminal, and a narrow border.
    #[test]
    fn a_cell_shows_two_modules_in_colours_that_no_theme_changes() {
        let url = "http://192.168.100.200:7333/";
        let code = QrCode::with_error_correction_level(url, EcLevel::L).unwrap();
        let expected = code.render::<Dense1x2>().build();
        let ink = |run: &str| {
            let (colours, cells) = run.split_once('m').unwrap();
            let ink = match colours {
                "38;5;231;48;5;231" => " ",
                "38;5;231;48;5;16" => "▄",
                "38;5;16;48;5;231" => "▀",
                "38;5;16;48;5;16" => "█",
                _ => "",
            };
            ink.repeat(cells.chars().count())
        };
        let drawn = lines(url, 80, 24).unwrap();
        let drawn =
            drawn.iter().map(|row| row.split("\u{1b}[").skip(1).map(ink).collect::<String>());
        assert_eq!(drawn.collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn a_lan_url_fits_a_common_window_and_not_a_small_one() {
        let url = "http://192.168.100.200:7333/";
        let code = lines(url, 80, 24).unwrap();
        assert_eq!(code.len(), 17);
        assert!(code.iter().all(|line| line.matches('▀').count() == 33));
        assert!(lines(url, 32, 24).is_none() && lines(url, 80, 16).is_none());
    }

    #[test]
    fn a_text_that_is_too_long_has_no_code() {
        assert!(lines(&"x".repeat(9000), 4000, 4000).is_none());
    }
}
