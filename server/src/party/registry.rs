//! The parties of a server by their codes. No guard leaves a function, and none lives across an await.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{PartyCode, PartySettings, PlayerId, PlayerName, Refusal, RefusalCode};
use noughts_store::{Live, Origin};
use parking_lot::Mutex;
use tracing::Instrument;

use super::actor::{NewParty, PartyStart, run};
use super::handle::{PartyHandle, PartyInbox, channel};
use super::{PartyContext, checked_settings, no_such_party};
use crate::lobby::registry::party::ReservedCode;
use crate::lobby::{Lobby, Requester, switched_off};

/// Parties at once on a server. Each is a task, also when nobody follows it. A new one takes the place
/// of one that nobody has followed for [`GIVES_WAY_AFTER`].
pub(crate) const MAX_PARTIES: usize = 256;

/// A party that nobody has followed for this long gives way when the server is full; one that is over
/// gives way at once.
const GIVES_WAY_AFTER: Duration = Duration::from_mins(30);

/// Parties at once that one player made, those that are over not counted.
pub(crate) const MAX_PER_PLAYER: usize = 4;

/// Parties at once that one address made, those that are over not counted.
pub(crate) const MAX_PER_ADDRESS: usize = 32;

/// The parties of one server. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Parties {
    context: PartyContext,
    /// At most [`MAX_PARTIES`], and those of an earlier run.
    parties: Arc<Mutex<BTreeMap<PartyCode, PartySlot>>>,
    /// The parties of an earlier run whose tasks are not started yet.
    asleep: Arc<Mutex<Vec<Live>>>,
}

#[derive(Debug)]
struct PartySlot {
    handle: PartyHandle,
    /// The intent of its host that made it.
    origin: Option<Origin>,
    /// The address of its maker; `None` in an earlier run.
    address: Option<IpAddr>,
}

/// A party's place in the registry. The party's task holds it; dropping it removes the party and frees
/// its code.
#[derive(Debug)]
pub(super) struct PartyEntry {
    parties: Arc<Mutex<BTreeMap<PartyCode, PartySlot>>>,
    code: ReservedCode,
}

impl Drop for PartyEntry {
    fn drop(&mut self) {
        self.parties.lock().remove(&PartyCode(self.code.code()));
    }
}

impl Parties {
    /// A registry without parties; [`Parties::resume`] starts the tasks of those of an earlier run.
    pub(crate) fn new(lobby: Arc<Lobby>, lot: fn() -> u64, asleep: Vec<Live>) -> Self {
        let context = PartyContext { lobby, lot };
        Self { context, parties: Arc::default(), asleep: Arc::new(Mutex::new(asleep)) }
    }

    /// Starts the tasks of the parties that the store holds. Must be called on the runtime that
    /// serves.
    pub(crate) fn resume(&self) {
        self.restore(std::mem::take(&mut *self.asleep.lock()));
    }

    /// Starts the task of a party that this node has taken over, if it has none.
    pub(crate) fn adopt(&self, party: Live) {
        self.restore(vec![party]);
    }

    fn restore(&self, asleep: Vec<Live>) {
        let mut parties = self.parties.lock();
        // All have their codes before the first makes a room.
        let reserve = |live: Live| {
            let reserved = self.context.lobby.registry.reserve_code(live.code);
            if reserved.is_none() {
                tracing::error!(code = %live.code, "a stored party has no code of its own");
            }
            Some((live, reserved?))
        };
        let new = asleep.into_iter().filter(|live| !parties.contains_key(&PartyCode(live.code)));
        let reserved: Vec<_> = new.filter_map(reserve).collect();
        for (live, reserved) in reserved {
            let origin = live.origins.first().copied();
            self.start(PartyStart::Restore, reserved, origin, None, &mut parties);
        }
    }

    /// Makes a party, or finds the party that the same intent made.
    ///
    /// # Errors
    /// If the settings are out of range or a limit is reached.
    pub(crate) fn create(
        &self,
        requester: &Requester,
        name: PlayerName,
        settings: PartySettings,
        plays: bool,
    ) -> Result<PartyHandle, Refusal> {
        let Requester { player, address, id, .. } = *requester;
        let origin = Origin { player, id };
        // Held until the party is in the map, so that nobody has more than they may.
        let mut parties = self.parties.lock();
        if let Some(known) = parties.values().find(|party| party.origin == Some(origin)) {
            return Ok(known.handle.clone());
        }
        if !self.context.lobby.features().parties {
            return Err(switched_off("makes parties", "make a room"));
        }
        let settings = checked_settings(settings, self.context.lobby.features().chat)?;
        self.context.lobby.check_open()?;
        check_limits(&parties, player, address, self.context.lobby.now())?;
        let reserved = self.context.lobby.registry.draw_code().ok_or_else(full)?;
        let plays_as = plays.then(|| requester.name.clone());
        let start =
            PartyStart::New(NewParty { name, settings, host: player, intent: id, plays_as });
        Ok(self.start(start, reserved, Some(origin), Some(address), &mut parties))
    }

    fn start(
        &self,
        start: PartyStart,
        code: ReservedCode,
        origin: Option<Origin>,
        address: Option<IpAddr>,
        parties: &mut BTreeMap<PartyCode, PartySlot>,
    ) -> PartyHandle {
        let party = PartyCode(code.code());
        let (handle, inbox): (PartyHandle, PartyInbox) = channel(party);
        let slot = PartySlot { handle: handle.clone(), origin, address };
        parties.insert(party, slot);
        let entry = PartyEntry { parties: Arc::clone(&self.parties), code };
        let span = tracing::debug_span!(target: "noughts_server::party", "party", code = %party);
        let running = run(start, inbox, entry, self.context.clone());
        self.context.lobby.spawn(running.instrument(span));
        handle
    }

    /// The party with a code.
    ///
    /// # Errors
    /// If there is no such party.
    pub(crate) fn find(&self, code: PartyCode) -> Result<PartyHandle, Refusal> {
        let parties = self.parties.lock();
        parties.get(&code).map(|slot| slot.handle.clone()).ok_or_else(|| no_such_party(code))
    }

    /// All parties.
    pub(crate) fn all(&self) -> Vec<PartyHandle> {
        self.parties.lock().values().map(|slot| slot.handle.clone()).collect()
    }
}

fn check_limits(
    parties: &BTreeMap<PartyCode, PartySlot>,
    player: PlayerId,
    address: IpAddr,
    now: Duration,
) -> Result<(), Refusal> {
    let running = || parties.values().filter(|slot| !slot.handle.is_over());
    let count = |meant: &dyn Fn(&PartySlot) -> bool| running().filter(|slot| meant(slot)).count();
    if count(&|slot| slot.origin.is_some_and(|origin| origin.player == player)) >= MAX_PER_PLAYER {
        let message = format!(
            "you have {MAX_PER_PLAYER} parties, which is as many as this server allows: end one first"
        );
        return Err(Refusal::new(RefusalCode::TooManyRooms, message));
    }
    if count(&|slot| slot.address == Some(address)) >= MAX_PER_ADDRESS {
        let message = "your address has as many parties as this server allows: end one first";
        return Err(Refusal::new(RefusalCode::TooManyRooms, message));
    }
    // One that was asked to give way is not counted any more.
    let taken = parties.values().filter(|slot| !slot.handle.gives_way()).count();
    if taken >= MAX_PARTIES && !make_way(parties, now) {
        return Err(full());
    }
    Ok(())
}

/// Asks the party to end that nobody has followed for the longest time. Returns whether there is one.
fn make_way(parties: &BTreeMap<PartyCode, PartySlot>, now: Duration) -> bool {
    let empty = parties.values().filter(|slot| !slot.handle.gives_way()).filter_map(|slot| {
        let since = slot.handle.empty_since()?;
        let is_due = slot.handle.is_over() || since + GIVES_WAY_AFTER <= now;
        is_due.then_some((since, slot))
    });
    let Some((_, slot)) = empty.min_by_key(|(since, _)| *since) else { return false };
    slot.handle.give_way()
}

fn full() -> Refusal {
    let message = "the server has as many parties as it can hold: try again later";
    Refusal::new(RefusalCode::Full, message)
}

#[cfg(test)]
mod tests {
    use noughts_protocol::party::{PartyPhase, PartyState};
    use noughts_protocol::{IntentId, RoomCode};

    use super::*;

    /// Parties that run, and their inboxes. The code, the host and the last byte of the address are numbers.
    fn parties(
        all: impl Iterator<Item = (u32, u64, u8)>,
    ) -> (BTreeMap<PartyCode, PartySlot>, Vec<PartyInbox>) {
        all.map(|(code, host, address)| {
            let code = PartyCode(RoomCode::from_number(code));
            let (handle, inbox) = channel(code);
            let address = Some(IpAddr::from([10, 0, 0, address]));
            let origin =
                Some(Origin { player: PlayerId(host), id: IntentId::try_from(1).unwrap() });
            let slot = PartySlot { handle, origin, address };
            ((code, slot), inbox)
        })
        .unzip()
    }

    fn check(
        parties: &BTreeMap<PartyCode, PartySlot>,
        host: u64,
        address: u8,
        now: Duration,
    ) -> Result<(), RefusalCode> {
        let address = IpAddr::from([10, 0, 0, address]);
        check_limits(parties, PlayerId(host), address, now).map_err(|refusal| refusal.code)
    }

    /// Ends a party as far as others can read it.
    fn end(slot: &PartySlot) {
        let name = "Evening".parse().unwrap();
        let code = slot.handle.code();
        let host = slot.origin.unwrap().player;
        let mut state = PartyState::new(code, name, PartySettings::default(), host);
        state.phase = PartyPhase::Over;
        slot.handle.publish(&state);
    }

    #[test]
    fn a_host_has_four_parties_that_are_not_over() {
        let (four, _inboxes) = parties((0..4).map(|code| (code, 1, 1)));
        assert_eq!(check(&four, 1, 2, Duration::ZERO), Err(RefusalCode::TooManyRooms));
        assert_eq!(check(&four, 2, 1, Duration::ZERO), Ok(()));
        end(four.values().next().unwrap());
        assert_eq!(check(&four, 1, 2, Duration::ZERO), Ok(()), "one is over");
    }

    #[test]
    fn an_address_has_thirty_two_parties_that_are_not_over() {
        let (many, _inboxes) = parties((0..32).map(|code| (code, code.into(), 1)));
        assert_eq!(check(&many, 99, 1, Duration::ZERO), Err(RefusalCode::TooManyRooms));
        assert_eq!(check(&many, 99, 2, Duration::ZERO), Ok(()));
        end(many.values().next().unwrap());
        assert_eq!(check(&many, 99, 1, Duration::ZERO), Ok(()), "one is over");
    }

    #[test]
    fn an_empty_party_gives_way_when_the_server_is_full() {
        let all = (0..256).map(|code| (code, code.into(), u8::try_from(code).unwrap()));
        let (mut parties, mut inboxes) = parties(all);
        let now = GIVES_WAY_AFTER * 2;
        assert_eq!(check(&parties, 999, 1, now), Err(RefusalCode::Full), "people are everywhere");
        // Nobody has followed one of them for a minute less than it takes, another for a minute more.
        let minute = Duration::from_mins(1);
        inboxes[7].handle.publish_empty_since(Some(now - GIVES_WAY_AFTER + minute));
        assert_eq!(check(&parties, 999, 1, now), Err(RefusalCode::Full));
        inboxes[8].handle.publish_empty_since(Some(now - GIVES_WAY_AFTER - minute));
        assert_eq!(check(&parties, 999, 1, now), Ok(()));
        assert!(inboxes[8].commands.try_recv().is_ok(), "it is asked to end");
        assert!(inboxes[7].commands.try_recv().is_err());
        assert_eq!(
            check(&parties, 999, 1, now),
            Ok(()),
            "its place is free, also before it has ended"
        );
        inboxes[8].handle.stay();
        assert_eq!(check(&parties, 999, 1, now), Ok(()));
        assert!(inboxes[8].commands.try_recv().is_ok(), "it went on, and is asked again");
        // The new one has its place.
        let (new, _inbox) = self::parties(std::iter::once((999, 999, 1)));
        parties.extend(new);
        assert_eq!(check(&parties, 1000, 1, now), Err(RefusalCode::Full));
        // One that is over gives way as soon as nobody follows it.
        inboxes[9].handle.publish_empty_since(Some(now));
        end(&parties[&inboxes[9].handle.code()]);
        assert_eq!(check(&parties, 1000, 1, now), Ok(()));
    }
}
