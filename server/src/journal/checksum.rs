//! Checksums of what is stored: each fact's covers the fact and the checksum before it, so that a
//! fact that is another, is missing or does not belong there shows. The first one follows from what
//! never changes of the room's own row. CRC-32 finds every damage of up to 32 bits in a row, and
//! all but one in four billion of the rest; it is no proof against somebody who means harm.

use crc32fast::Hasher;

use crate::journal::entry::{NewRoom, Row, What};

/// What never changes of a room's own row, as it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoomColumns<'a> {
    pub(super) id: i64,
    pub(super) code: &'a str,
    pub(super) settings: &'a str,
    pub(super) made: i64,
    /// The first maker's player and intent, the second's.
    pub(super) origins: [Option<i64>; 4],
}

/// What a room's first fact follows.
pub(super) fn of_room(room: RoomColumns<'_>) -> u32 {
    let RoomColumns { id, code, settings, made, origins } = room;
    let mut hasher = Hasher::new();
    for text in [code, settings] {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    for number in [Some(id), Some(made)].into_iter().chain(origins) {
        update(&mut hasher, number);
    }
    hasher.finalize()
}

/// The checksum of a fact after the one with the checksum `before`; its own does not count.
pub(super) fn of_fact(before: u32, row: &Row) -> u32 {
    let Row { v, run, at, what, crc: _ } = row;
    let mut hasher = Hasher::new_with_initial(before);
    for number in [v.cast_signed(), *run, *at] {
        hasher.update(&number.to_le_bytes());
    }
    match what {
        What::Move(cell) => update(&mut hasher, Some(i64::from(*cell))),
        What::Fact(json) => {
            update(&mut hasher, None);
            hasher.update(json.as_bytes());
        }
    }
    hasher.finalize()
}

/// Gives rows that follow the checksum `before` theirs; the last.
pub fn seal(before: u32, rows: &mut [Row]) -> u32 {
    rows.iter_mut().fold(before, |before, row| {
        row.crc = of_fact(before, row);
        row.crc
    })
}

impl NewRoom {
    /// The checksum that the first fact of this room follows, under its number.
    #[must_use]
    pub fn checksum(&self, id: i64) -> u32 {
        let (settings, origins) = (self.settings_json(), self.origin_columns());
        let (code, made) = (self.code.as_str(), self.made);
        of_room(RoomColumns { id, code, settings: &settings, made, origins })
    }
}

fn update(hasher: &mut Hasher, number: Option<i64>) {
    hasher.update(&[u8::from(number.is_some())]);
    hasher.update(&number.unwrap_or_default().to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let what = [What::Fact("{}".to_owned()), What::Move(0), What::Move(1), What::Move(2)];
        what.into_iter().zip(1..).map(|(what, v)| Row { v, run: 1, at: 9, what, crc: 0 }).collect()
    }

    /// Whether each row has the checksum that follows from the one before.
    fn holds(rows: &[Row]) -> bool {
        let before = std::iter::once(7).chain(rows.iter().map(|row| row.crc));
        before.zip(rows).all(|(before, row)| of_fact(before, row) == row.crc)
    }

    #[test]
    fn every_change_of_a_sealed_row_shows() {
        let mut sealed = rows();
        let last = seal(7, &mut sealed);
        assert!(holds(&sealed) && last == sealed[3].crc);
        let changes: [fn(&mut Vec<Row>); 7] = [
            |rows| rows[1].what = What::Move(4),
            |rows| rows[0].what = What::Fact("{ }".to_owned()),
            |rows| rows[2].v ^= 1 << 40,
            |rows| rows[2].at ^= 1,
            |rows| rows[2].run ^= 1,
            |rows| drop(rows.remove(1)),
            |rows| rows.swap(1, 2),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = sealed.clone();
            change(&mut changed);
            assert!(!holds(&changed), "change {number}");
        }
    }
}
