//! Large letters for room codes, five columns wide and five rows high.

/// The rows of a letter: `#` is ink. Only the letters of room codes have a glyph.
pub(super) const fn glyph(letter: char) -> [&'static str; 5] {
    match letter {
        'B' => ["#### ", "#   #", "#### ", "#   #", "#### "],
        'C' => [" ####", "#    ", "#    ", "#    ", " ####"],
        'D' => ["#### ", "#   #", "#   #", "#   #", "#### "],
        'F' => ["#####", "#    ", "#### ", "#    ", "#    "],
        'G' => [" ####", "#    ", "#  ##", "#   #", " ####"],
        'H' => ["#   #", "#   #", "#####", "#   #", "#   #"],
        'J' => ["  ###", "    #", "    #", "#   #", " ### "],
        'K' => ["#   #", "#  # ", "###  ", "#  # ", "#   #"],
        'L' => ["#    ", "#    ", "#    ", "#    ", "#####"],
        'M' => ["#   #", "## ##", "# # #", "#   #", "#   #"],
        'N' => ["#   #", "##  #", "# # #", "#  ##", "#   #"],
        'P' => ["#### ", "#   #", "#### ", "#    ", "#    "],
        'Q' => [" ### ", "#   #", "# # #", "#  # ", " ## #"],
        'R' => ["#### ", "#   #", "#### ", "#  # ", "#   #"],
        'S' => [" ####", "#    ", " ### ", "    #", "#### "],
        'T' => ["#####", "  #  ", "  #  ", "  #  ", "  #  "],
        'V' => ["#   #", "#   #", "#   #", " # # ", "  #  "],
        'W' => ["#   #", "#   #", "# # #", "## ##", "#   #"],
        'X' => ["#   #", " # # ", "  #  ", " # # ", "#   #"],
        'Z' => ["#####", "   # ", "  #  ", " #   ", "#####"],
        _ => [""; 5],
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::RoomCode;

    use super::*;

    #[test]
    fn every_letter_of_codes_has_its_own_shape() {
        let mut shapes: Vec<_> =
            RoomCode::ALPHABET.iter().map(|letter| glyph(char::from(*letter))).collect();
        assert!(shapes.iter().flatten().all(|row| row.len() == 5));
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes.len(), RoomCode::ALPHABET.len());
    }
}
