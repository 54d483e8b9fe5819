//! Checksums of facts. Each checksum covers the fact and the checksum before it, so that a fact
//! that was changed, removed or inserted shows. The first one follows from what never changes of
//! the room itself. CRC-32 finds every damage of up to 32 consecutive bits, and all but one in four
//! billion of the others. It does not stop somebody who changes facts on purpose.

use crc32fast::Hasher;

use super::entry::{Entry, NewRoom, Payload};

/// What never changes of a room itself, as it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoomColumns<'a> {
    pub(super) id: i64,
    pub(super) code: &'a str,
    pub(super) settings: &'a str,
    pub(super) made: i64,
    /// The origins as in [`NewRoom::origin_columns`].
    pub(super) origins: [Option<i64>; 4],
}

/// The checksum that a room's first fact follows.
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

/// The checksum of a fact that follows the checksum `before`. The entry's own `crc` does not count.
pub(super) fn of_fact(before: u32, entry: &Entry) -> u32 {
    let Entry { v, run, at, payload, crc: _ } = entry;
    let mut hasher = Hasher::new_with_initial(before);
    for number in [v.cast_signed(), *run, *at] {
        hasher.update(&number.to_le_bytes());
    }
    match payload {
        Payload::Move(cell) => update(&mut hasher, Some(i64::from(*cell))),
        Payload::Fact(json) => {
            update(&mut hasher, None);
            hasher.update(json.as_bytes());
        }
    }
    hasher.finalize()
}

/// Sets the checksums of entries that follow the checksum `before`, and returns the last one.
pub fn seal(before: u32, entries: &mut [Entry]) -> u32 {
    entries.iter_mut().fold(before, |before, entry| {
        entry.crc = of_fact(before, entry);
        entry.crc
    })
}

impl NewRoom {
    /// The checksum that the first fact of this room follows; `id` is the room's number, and `made`
    /// is the time in milliseconds since 1970.
    #[must_use]
    pub fn checksum(&self, id: i64, made: i64) -> u32 {
        let (settings, origins) = (self.settings_json(), self.origin_columns());
        let code = self.code.as_str();
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

    fn entries() -> Vec<Entry> {
        let payloads =
            [Payload::Fact("{}".to_owned()), Payload::Move(0), Payload::Move(1), Payload::Move(2)];
        payloads
            .into_iter()
            .zip(1..)
            .map(|(payload, v)| Entry { v, run: 1, at: 9, payload, crc: 0 })
            .collect()
    }

    /// Whether each entry has the checksum that follows from the one before.
    fn holds(entries: &[Entry]) -> bool {
        let before = std::iter::once(7).chain(entries.iter().map(|entry| entry.crc));
        before.zip(entries).all(|(before, entry)| of_fact(before, entry) == entry.crc)
    }

    #[test]
    fn every_change_of_a_sealed_entry_shows() {
        let mut sealed = entries();
        let last = seal(7, &mut sealed);
        assert!(holds(&sealed) && last == sealed[3].crc);
        let changes: [fn(&mut Vec<Entry>); 7] = [
            |entries| entries[1].payload = Payload::Move(4),
            |entries| entries[0].payload = Payload::Fact("{ }".to_owned()),
            |entries| entries[2].v ^= 1 << 40,
            |entries| entries[2].at ^= 1,
            |entries| entries[2].run ^= 1,
            |entries| drop(entries.remove(1)),
            |entries| entries.swap(1, 2),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = sealed.clone();
            change(&mut changed);
            assert!(!holds(&changed), "change {number}");
        }
    }
}
