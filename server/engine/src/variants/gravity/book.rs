//! The first moves of the player who begins and wins on 7 × 6 with four in a row. [`super`]'s search to the end has
//! found them, position by position, and a test proves them again.

use super::dropped;
use crate::bits::Bits;
use crate::variants::duel::{Field, Marks};

/// The winning columns from 1, a position after the other: an answer, and then the answers after each column that
/// the opponent can play, from the left. The first answer is the centre, so that its replies on the right are mirror
/// images and left out.
const BOOK: &str = "\
444444414315444444444442325444444444433333334444414315444423254443333333536733234553555544436564\
    444335444444455355554444444444365644444444444335444442222422222213343632232222222422222224222222\
    242222222422222444441444444444443144454441131511444454444444444444444444222322222344334442232222\
    222422222223222222242222222422222444442444444414444443144442222262444414444444144444441444444445\
    444444454443155545544531155444454444444544444445444444441444444444443144454444131511444454444444\
    444444444444444441444444444443144254444131511444454444444444444444444657777773334433357777776666\
    664675555666366565575555455653555544444544444445444444454444443654444445444444454444444544475555\
    333547655566666663666666646666666366666664666666656444475446666666644444414444444244444443444355\
    555554444544444446444444434444444424444444244444443444427252244445444444424444444244444444344444\
    443444444464443237222344443444444434444444344443565556522222262333332333565225555655556626666635\
    255225444445444444454444444344455666156444424444444544444445444444446444444424444444344446236164\
    44454444444644444446444444443444444424444444344435555225444454444444644444443444";
/// The columns of the board.
pub(super) const COLUMNS: u32 = 7;
/// The book ends after so many marks.
const LAST: u32 = 8;

/// The column, from 0, that is proven to win after these columns, if the book has it.
pub(super) fn reply(field: &Field<u64>, columns: &[u32]) -> Option<u32> {
    let is_mirrored = columns.get(1).is_some_and(|column| *column > COLUMNS / 2);
    let image = |column: u32| if is_mirrored { COLUMNS - 1 - column } else { column };
    let columns: Vec<u32> = columns.iter().map(|column| image(*column)).collect();
    let mut reader = Reader { field, answers: BOOK.bytes() };
    reader.read(&Marks::none(), Some(&columns)).map(image)
}

struct Reader<'a> {
    field: &'a Field<u64>,
    answers: std::str::Bytes<'a>,
}

impl Reader<'_> {
    /// Reads the answers from a position on. `columns` leads from there to the position that is looked for; `None`
    /// where that is elsewhere.
    fn read(&mut self, marks: &Marks<u64>, columns: Option<&[u32]>) -> Option<u32> {
        let answer = u32::from(self.answers.next()? - b'1');
        if columns.is_some_and(<[u32]>::is_empty) {
            return Some(answer);
        }
        let wins = marks.own_wins & self.field.legal(marks.taken());
        if !wins.is_empty() || marks.taken().count() == LAST {
            return None;
        }
        let after = dropped(self.field, marks, answer)?;
        let replies = if marks.taken().is_empty() { COLUMNS / 2 + 1 } else { COLUMNS };
        for reply in 0..replies {
            let Some(next) = dropped(self.field, &after, reply) else { continue };
            let rest = columns.and_then(|columns| columns.strip_prefix(&[answer, reply]));
            if let Some(found) = self.read(&next, rest) {
                return Some(found);
            }
        }
        None
    }
}
