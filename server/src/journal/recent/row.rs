//! A row of `batch`: the facts of one commit in few bytes, 11 or so for a move. The form never
//! changes without a migration.
//!
//! First a head: the run and the time of the first fact, the number of facts, and for each its room,
//! its version and the length of its body; then the head's CRC-32. Then the bodies: run and time as
//! the difference to those in the head, the cell plus 1 (or 0 and the fact's JSON), and the fact's
//! own checksum. Numbers are LEB128, those with a sign in zigzag; checksums are 4 bytes,
//! little-endian.
//!
//! So damage in a body concerns one room: its checksum is wrong there. Damage in the head concerns
//! the whole row.

use crate::journal::entry::{Entry, Payload};

/// The run and the time from which those of bodies are counted.
#[derive(Debug, Clone, Copy, Default)]
struct Base {
    run: i64,
    at: i64,
}

/// Facts that are read one number after another.
#[derive(Debug)]
struct Bytes<'a>(&'a [u8]);

/// The row that holds these facts, each with its room.
pub(super) fn encode(facts: &[(i64, &Entry)]) -> Vec<u8> {
    let base = facts.first().map_or_else(Base::default, |(_, entry)| Base::of(entry));
    let (mut head, mut bodies) = (Vec::with_capacity(24 * facts.len()), Vec::new());
    write_signed(&mut head, base.run);
    write_signed(&mut head, base.at);
    write(&mut head, facts.len() as u64);
    for (room, entry) in facts {
        let before = bodies.len();
        write_body(&mut bodies, base, entry);
        write_signed(&mut head, *room);
        write(&mut head, entry.v);
        write(&mut head, (bodies.len() - before) as u64);
    }
    let checksum = crc32fast::hash(&head);
    head.extend_from_slice(&checksum.to_le_bytes());
    head.append(&mut bodies);
    head
}

/// The facts in a row, each with its room; `None` if the head is damaged. A fact with a damaged body
/// has a wrong checksum.
pub(super) fn decode(row: &[u8]) -> Option<Vec<(i64, Entry)>> {
    let mut bytes = Bytes::of(row);
    let base = Base { run: bytes.signed()?, at: bytes.signed()? };
    let count = bytes.number()?;
    let mut places = Vec::new();
    for _ in 0..count {
        places.push((bytes.signed()?, bytes.number()?, bytes.number()?));
    }
    let head = &row[..row.len() - bytes.len()];
    if bytes.checksum()? != crc32fast::hash(head) {
        return None;
    }
    let facts = places.into_iter().map(|(room, v, length)| {
        let body = usize::try_from(length).ok().and_then(|length| bytes.take(length));
        let entry = body.and_then(|body| read_body(body, base, v));
        (room, entry.unwrap_or_else(|| unreadable(v)))
    });
    Some(facts.collect())
}

/// An entry whose checksum is wrong, so that its room counts as damaged.
fn unreadable(v: u64) -> Entry {
    Entry { v, run: 0, at: 0, payload: Payload::Fact(String::new()), crc: 0 }
}

/// Writes a fact of a known room.
pub(super) fn write_fact(to: &mut Vec<u8>, entry: &Entry) {
    write(to, entry.v);
    let mut body = Vec::with_capacity(24);
    write_body(&mut body, Base::default(), entry);
    write(to, body.len() as u64);
    to.append(&mut body);
}

/// Reads so many of the facts that [`write_fact`] has written, and returns how many bytes they are.
pub(super) fn read_facts(written: &[u8], most: usize) -> (Vec<Entry>, usize) {
    let (mut bytes, mut entries) = (Bytes::of(written), Vec::new());
    while entries.len() < most && !bytes.is_empty() {
        // `write_fact` writes nothing else.
        let Some(entry) = read_fact(&mut bytes) else { break };
        entries.push(entry);
    }
    (entries, written.len() - bytes.len())
}

fn read_fact(bytes: &mut Bytes<'_>) -> Option<Entry> {
    let (v, length) = (bytes.number()?, bytes.number()?);
    read_body(bytes.take(usize::try_from(length).ok()?)?, Base::default(), v)
}

fn write_body(to: &mut Vec<u8>, base: Base, entry: &Entry) {
    let Entry { v: _, run, at, payload, crc } = entry;
    write_signed(to, run.wrapping_sub(base.run));
    write_signed(to, at.wrapping_sub(base.at));
    match payload {
        Payload::Move(cell) => write(to, u64::from(*cell) + 1),
        Payload::Fact(json) => {
            to.push(0);
            to.extend_from_slice(json.as_bytes());
        }
    }
    to.extend_from_slice(&crc.to_le_bytes());
}

fn read_body(Bytes(body): Bytes<'_>, base: Base, v: u64) -> Option<Entry> {
    let (body, crc) = body.split_last_chunk()?;
    let mut bytes = Bytes::of(body);
    let run = base.run.wrapping_add(bytes.signed()?);
    let at = base.at.wrapping_add(bytes.signed()?);
    let payload = match bytes.number()?.checked_sub(1) {
        Some(cell) if bytes.is_empty() => Payload::Move(u16::try_from(cell).ok()?),
        Some(_) => return None,
        None => Payload::Fact(str::from_utf8(bytes.0).ok()?.to_owned()),
    };
    Some(Entry { v, run, at, payload, crc: u32::from_le_bytes(*crc) })
}

impl Base {
    const fn of(entry: &Entry) -> Self {
        Self { run: entry.run, at: entry.at }
    }
}

impl<'a> Bytes<'a> {
    const fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    const fn len(&self) -> usize {
        self.0.len()
    }

    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, length: usize) -> Option<Self> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(Self(taken))
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn checksum(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }
}

fn write(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        // The lowest 7 bits, and the sign that more follow.
        to.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    to.push(number.to_le_bytes()[0]);
}

fn write_signed(to: &mut Vec<u8>, number: i64) {
    write(to, ((number << 1) ^ (number >> 63)).cast_unsigned());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_entry() -> impl Strategy<Value = (i64, Entry)> {
        let payload =
            prop_oneof![any::<u16>().prop_map(Payload::Move), ".*".prop_map(Payload::Fact)];
        (any::<i64>(), any::<u64>(), any::<i64>(), any::<i64>(), payload, any::<u32>())
            .prop_map(|(room, v, run, at, payload, crc)| (room, Entry { v, run, at, payload, crc }))
    }

    fn borrowed(facts: &[(i64, Entry)]) -> Vec<(i64, &Entry)> {
        facts.iter().map(|(room, entry)| (*room, entry)).collect()
    }

    fn moves() -> Vec<(i64, Entry)> {
        let entry = |n: u16| Entry {
            v: u64::from(n) + 9,
            run: 3,
            at: 1_800_000_000_000 + i64::from(n),
            payload: Payload::Move(n),
            crc: 0x0102_0304,
        };
        (0..3).map(|n| (i64::from(n) + 5, entry(n))).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(facts in prop::collection::vec(any_entry(), 0..9)) {
            let row = encode(&borrowed(&facts));
            prop_assert_eq!(decode(&row), Some(facts.clone()));
            let mut bytes = Vec::new();
            for (_, entry) in &facts {
                write_fact(&mut bytes, entry);
            }
            let entries: Vec<Entry> = facts.into_iter().map(|(_, entry)| entry).collect();
            prop_assert_eq!(read_facts(&bytes, usize::MAX), (entries, bytes.len()));
        }

        #[test]
        fn any_bytes_can_be_read(row in prop::collection::vec(any::<u8>(), 0..99)) {
            let _ = decode(&row);
        }
    }

    #[test]
    fn the_stored_form_never_changes() {
        let row: String = encode(&borrowed(&moves())).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(
            row,
            "0680c0e285e368030a09070c0a070e0b07b9219943000001040302010002020403020100040304030201"
        );
    }

    #[test]
    fn a_flipped_bit_concerns_one_fact_or_the_whole_row() {
        let facts = moves();
        let row = encode(&borrowed(&facts));
        let (mut whole, mut single) = (0, 0);
        for bit in 0..8 * row.len() {
            let mut damaged = row.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let Some(found) = decode(&damaged) else {
                whole += 1;
                continue;
            };
            let differ = facts.iter().zip(&found).filter(|(right, found)| right != found);
            assert_eq!((found.len(), differ.count()), (3, 1), "bit {bit}");
            single += 1;
        }
        assert!(whole > 0 && single == 8 * 3 * 7, "{whole} {single}");
    }
}
