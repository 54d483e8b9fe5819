//! A QR code in cells of the terminal: one cell shows two modules, one above the other. Pure.

use qrcode::{Color, EcLevel, QrCode};
use ratatui::layout::Size;

/// The white border round the code in modules, as ISO/IEC 18004 requires.
const QUIET: usize = 4;

/// A QR code.
pub(crate) struct Qr {
    code: QrCode,
}

impl Qr {
    /// The code of a text; `None` if the text is too long for one.
    pub(crate) fn of(text: &str) -> Option<Self> {
        // The lowest error correction makes the smallest code; a screen has no dirt.
        let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
        Some(Self { code })
    }

    fn side(&self) -> usize {
        self.code.width() + 2 * QUIET
    }

    /// Its columns and rows.
    pub(crate) fn size(&self) -> Size {
        let length = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
        Size { width: length(self.side()), height: length(self.side().div_ceil(2)) }
    }

    /// Whether the upper and the lower module of a cell are dark.
    pub(crate) fn cell(&self, column: u16, row: u16) -> (bool, bool) {
        let x = usize::from(column);
        let y = 2 * usize::from(row);
        let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < self.code.width());
        let dark = |y: usize| {
            let module = inside(x).zip(inside(y)).map(|at| self.code[at]);
            module == Some(Color::Dark)
        };
        (dark(y), dark(y + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_a_party_fits_beside_its_people() {
        let qr = Qr::of("http://192.168.100.200:7333/party/KQRZX").unwrap();
        assert_eq!(qr.size(), Size { width: 37, height: 19 });
        // The border is light, and the corner of a finder pattern is dark.
        assert_eq!((qr.cell(0, 0), qr.cell(4, 2)), ((false, false), (true, true)));
        assert!(Qr::of(&"x".repeat(9000)).is_none());
    }
}
