//! The effects of a host's act on the connections of this node. The act may have come in at another node of
//! the cluster: the copy of its stream brings it here.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{AnnouncementText, CloseCode, PartyCode, RoomCode, ServerMessage};
use noughts_store::{Act, Ban, Deed, Who};

use crate::outbox::encode;
use crate::state::Shared;
use crate::state::visitors::{Visitor, banned};
use crate::storage::Storage;

/// An act that reaches this node later than this came from a time at which other people were there:
/// nothing is said and nobody's connection ends any more. An act that holds on, such as a ban,
/// holds all the same.
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

/// A connection, and the room or the party in which it hears something.
type Hearer = (Arc<Visitor>, Option<RoomCode>, Option<PartyCode>);

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
        Deed::Say { text, to } if !is_late => announce(&text, own_hearers(shared, to)),
        Deed::Close { closed: true } => shared.lobby.matchmaker.end_waits(|_| true),
        Deed::Switch { .. } => {
            shared.lobby.list_changed();
            let features = shared.lobby.features();
            let frame = encode(&ServerMessage::Features { features });
            for (visitor, ..) in own_hearers(shared, None) {
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
) -> impl Iterator<Item = Hearer> + use<> {
    let all = shared.visitors.all().into_iter();
    all.filter_map(move |visitor| {
        let Some(code) = to else { return Some((visitor, None, None)) };
        let place = visitor.place();
        let room = place.room.filter(|room| *room == code);
        let party = place.party.filter(|party| party.0 == code);
        (room.is_some() || party.is_some()).then_some((visitor, room, party))
    })
}

/// The same without the clients of other nodes, to which the act comes too.
pub(super) fn own_hearers(
    shared: &Shared,
    to: Option<RoomCode>,
) -> impl Iterator<Item = Hearer> + use<> {
    hearers(shared, to).filter(|(visitor, ..)| !visitor.outbox.is_piped())
}

/// Says something to some.
pub(super) fn announce(text: &AnnouncementText, hearers: impl Iterator<Item = Hearer>) {
    // All of them get the same: a code is a room's or a party's.
    let mut frame = None;
    for (visitor, room, party) in hearers {
        let frame = frame.get_or_insert_with(|| {
            encode(&ServerMessage::Announcement { text: text.clone(), room, party })
        });
        visitor.outbox.push(frame.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use clap::Parser;
    use noughts_protocol::{BoardSpec, PlayerId, Variant};

    use super::*;
    use crate::actor::Client;
    use crate::config::Config;
    use crate::config::args::Args;
    use crate::lobby::Requester;
    use crate::lobby::matchmaker::QuickSettings;
    use crate::outbox::{ConnectionId, PipeQueue, outbox, piped_outbox};
    use crate::state::visitors::Whereabouts;
    use crate::storage::Environment;

    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn server(args: &[&str]) -> Shared {
        let args = Args::parse_from(["noughts-server"].iter().chain(args));
        let config = Config::try_from(&args).unwrap();
        Shared::new(config, Environment::REAL, |store| Arc::new(store)).unwrap()
    }

    #[tokio::test]
    async fn who_waits_when_new_rooms_are_stopped_waits_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        let shared = server(&["--data-dir", folder.path().to_str().unwrap()]);
        let name = "Ada".parse().unwrap();
        let id = 1.try_into().unwrap();
        let requester = Requester { player: PlayerId(7), name, address: HOME, id };
        let wanted = QuickSettings {
            board: BoardSpec::default(),
            variant: Variant::Line,
            move_time_ms: Some(30_000),
        };
        let matchmaker = &shared.lobby.matchmaker;
        let mut ticket = Arc::clone(matchmaker).wait(wanted, requester);
        let close = |closed| {
            let act = Act { act: 1, at: 0, by: "test".into(), deed: Deed::Close { closed } };
            carry_out(&shared, shared.storage.as_ref().unwrap(), act);
        };
        close(false);
        assert_eq!(matchmaker.len(), 1);
        close(true);
        assert!(matchmaker.len() == 0 && ticket.found.try_recv().is_err());
    }

    /// Both nodes carry out the act: who is in a room of another one would hear it twice.
    #[test]
    fn what_is_said_is_heard_once_in_a_room_and_by_the_clients_of_this_node_alone() {
        let shared = server(&["--ephemeral"]);
        let metrics = || Arc::clone(&shared.metrics);
        let (queue, _items) = PipeQueue::new();
        let (here, _reader) = outbox(ConnectionId(1), HOME, metrics());
        let (elsewhere, _other_reader) = outbox(ConnectionId(2), HOME, metrics());
        let piped = piped_outbox(ConnectionId(3), HOME, metrics(), queue, 0);
        let room = RoomCode::from_number(7);
        let visits = [(here, Some(room)), (elsewhere, None), (piped, Some(room))];
        let visits = visits.map(|(outbox, room)| {
            let player = PlayerId(outbox.connection().0);
            let name = "Ada".parse().unwrap();
            let visit = shared.visitors.enter(HOME, &Client { player, name, outbox });
            visit.set_place(Whereabouts { room, party: None });
            visit
        });
        let numbers = |to| {
            let own = own_hearers(&shared, to);
            own.map(|(visitor, ..)| visitor.outbox.connection().0).collect::<Vec<_>>()
        };
        assert_eq!([numbers(Some(room)), numbers(None)], [vec![1], vec![1, 2]]);
        assert_eq!(hearers(&shared, Some(room)).count(), visits.len() - 1);
    }
}
