//! The stand-in of a party that another node owns: it serves the same inbox as the party, and passes on
//! what comes over the link, as the [stand-in of a room](crate::cluster::stand_in) does.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_protocol::{ClientMessage, PartyCode};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::PartyMembership;
use super::command::Command;
use super::handle::{PartyHandle, PartyInbox, channel};
use super::membership::Lead;
use crate::actor::MembershipId;
use crate::cluster::directory::NodeName;
use crate::cluster::link::{Link, Links, Stand};
use crate::cluster::stand_in::{Entry, IDLE, StandIns, Stays};
use crate::cluster::wire::{As, Join, Place, Reply, Request};

/// The parties of other nodes. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RemoteParties {
    links: Links,
    parties: Arc<StandIns<PartyCode, PartyHandle>>,
}

/// The stand-in of a party.
#[derive(Debug)]
struct StandIn {
    handle: PartyHandle,
    stand: Stand,
    stays: Stays<oneshot::Sender<Option<PartyMembership>>>,
    /// By their stays.
    leads: HashMap<u64, Arc<Lead>>,
}

impl RemoteParties {
    /// The parties at the other ends of these links.
    pub(crate) fn new(links: Links) -> Self {
        Self { links, parties: Arc::default() }
    }

    /// The handle of a party that another node owns. A stand-in serves it.
    pub(crate) fn find(&self, owner: &NodeName, code: PartyCode) -> PartyHandle {
        let link = self.links.to(owner);
        self.parties.find_or_start(&link, code, |entry| start(&link, code, entry))
    }
}

fn start(link: &Arc<Link>, code: PartyCode, entry: Entry<PartyCode, PartyHandle>) -> PartyHandle {
    let (handle, inbox) = channel(code);
    let stand = Stand::open(Arc::clone(link), Place::Party(code));
    tokio::spawn(run(inbox, stand, entry));
    handle
}

async fn run(inbox: PartyInbox, stand: Stand, entry: Entry<PartyCode, PartyHandle>) {
    let PartyInbox { handle, mut commands } = inbox;
    let mut this = StandIn { handle, stand, stays: Stays::new(), leads: HashMap::new() };
    loop {
        let (has_place, is_left) = (this.stand.has_place(), this.stays.are_none());
        tokio::select! {
            biased;
            reply = this.stand.reply() => match reply {
                Some(reply) => this.hear(reply),
                None => break,
            },
            // The stand-in holds a handle, so its inbox never closes.
            Some(command) = commands.recv(), if has_place => this.command(command),
            gone = this.stays.departed(), if has_place => this.depart(&gone),
            () = sleep(IDLE), if is_left => break,
        }
    }
    // Those who come now find another one.
    drop(entry);
}

impl StandIn {
    /// Passes a command on.
    fn command(&mut self, command: Command) {
        match command {
            Command::Join { client, role, id, admitted } => {
                let stay = self.stays.begin(&self.stand, &client.outbox, admitted);
                let (connection, client) = (client.outbox.connection().0, client);
                let (player, name, r#as) = (client.player, client.name, As::Follower(role));
                let join = Join { connection, stay, player, name, r#as, id: Some(id) };
                self.stand.request(Request::Join(Box::new(join)));
            }
            Command::Intent { sender, id, intent } => {
                let party = self.handle.code();
                let message = Box::new(ClientMessage::Party { intent, id, party });
                let connection = sender.connection().0;
                let say = Request::Say { connection, name: None, party_v: None, message };
                self.stand.request(say);
            }
            // Only a party's own node asks for that.
            Command::Forget { .. } | Command::GiveWay => {}
        }
    }

    fn depart(&mut self, gone: &[MembershipId]) {
        for stay in gone {
            self.leads.remove(&stay.number);
        }
        self.stays.depart(&mut self.stand, gone);
    }

    fn hear(&mut self, reply: Reply) {
        match reply {
            Reply::Joined { stay: number, outcome } => {
                let Some((stay, admitted)) = self.stays.decide(&self.stand, number, outcome) else {
                    return;
                };
                let membership = stay.map(|(outbox, stay)| {
                    let lead = Arc::new(Lead::default());
                    self.leads.insert(number, Arc::clone(&lead));
                    PartyMembership {
                        party: self.handle.clone(),
                        outbox,
                        lead,
                        _stay: stay,
                        has_left: false,
                    }
                });
                // If the connection has gone, this is a departure like any other.
                drop(admitted.send(membership));
            }
            Reply::Version(v) => self.handle.publish_version(v),
            Reply::Led { stay, room } => {
                if let Some(lead) = self.leads.get(&stay) {
                    lead.lead_into(room);
                }
            }
            Reply::Said { .. } | Reply::Taken(_) => {}
        }
    }
}
