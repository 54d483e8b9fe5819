//! What an act of a host means for those who are connected to this node. It may have come in at another node of
//! the cluster: the copy of its stream brings it here.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{AnnouncementText, CloseCode, PartyCode, RoomCode, ServerMessage};
use noughts_store::{Act, Ban, Deed, Who};

use crate::outbox::encode;
use crate::state::Shared;
use crate::state::visitors::{Visitor, banned};
use crate::storage::Storage;

/// An act that reaches this node later than this came from a time at which other people were there: nothing
/// is said and nobody's connection ends any more. What holds on, such as a ban, holds all the same.
const LATE: Duration = Duration::from_secs(60);

/// Follows the acts, for ever.
pub(crate) async fn run(shared: &Arc<Shared>) {
    let Some(storage) = &shared.storage else { return };
    let acts = storage.sqlite.acts();
    let mut newest = acts.watch();
    let mut done = *newest.borrow_and_update();
    while newest.changed().await.is_ok() {
        newest.borrow_and_update();
        for act in acts.since(done) {
            done = act.act;
            carry_out(shared, storage, act);
        }
    }
}

fn carry_out(shared: &Shared, storage: &Storage, Act { act, at, deed, .. }: Act) {
    let now = storage.unix_ms();
    let is_late = u128::try_from(now - at).is_ok_and(|late| late > LATE.as_millis());
    match deed {
        Deed::Ban { who, until, reason } => {
            let told = banned(&Ban { ban: act, who, until, reason }, now);
            for visitor in meant(shared, who) {
                visitor.outbox.reject(None, told.clone());
                visitor.outbox.close(CloseCode::Banned);
            }
        }
        Deed::Disconnect { who } if !is_late => {
            meant(shared, who).for_each(|visitor| visitor.outbox.close(CloseCode::Removed));
        }
        // They come back under the other name.
        Deed::Rename { player, .. } => {
            let theirs = meant(shared, Who::Player(player));
            theirs.for_each(|visitor| visitor.outbox.close(CloseCode::Restart));
        }
        Deed::Say { text, to } if !is_late => announce(shared, &text, to),
        Deed::Switch { .. } => {
            shared.lobby.list_changed();
            let features = shared.lobby.features();
            let frame = encode(&ServerMessage::Features { features });
            for visitor in shared.visitors.all() {
                visitor.outbox.push(frame.clone());
            }
        }
        Deed::Disconnect { .. }
        | Deed::Say { .. }
        | Deed::EndRoom { .. }
        | Deed::EndParty { .. }
        | Deed::Remove { .. }
        | Deed::Unban { .. }
        | Deed::Close { .. }
        | Deed::Forget { .. } => {}
    }
}

/// The connections of the people who are meant.
pub(super) fn meant(shared: &Shared, who: Who) -> impl Iterator<Item = Arc<Visitor>> {
    let all = shared.visitors.all().into_iter();
    all.filter(move |visitor| who.means(visitor.player, visitor.address))
}

/// The connections that hear what is said in a room or a party, or everywhere.
pub(super) fn hearers(
    shared: &Shared,
    to: Option<RoomCode>,
) -> impl Iterator<Item = (Arc<Visitor>, Option<RoomCode>, Option<PartyCode>)> {
    let all = shared.visitors.all().into_iter();
    all.filter_map(move |visitor| {
        let Some(code) = to else { return Some((visitor, None, None)) };
        let place = visitor.place();
        let room = place.room.filter(|room| *room == code);
        let party = place.party.filter(|party| party.0 == code);
        (room.is_some() || party.is_some()).then_some((visitor, room, party))
    })
}

/// Says something to them.
pub(super) fn announce(shared: &Shared, text: &AnnouncementText, to: Option<RoomCode>) {
    // All of them get the same: a code is a room's or a party's.
    let mut frame = None;
    for (visitor, room, party) in hearers(shared, to) {
        let frame = frame.get_or_insert_with(|| {
            encode(&ServerMessage::Announcement { text: text.clone(), room, party })
        });
        visitor.outbox.push(frame.clone());
    }
}
