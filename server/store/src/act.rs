//! The table `act`: what hosts have done, and what follows from it: who is banned, who has another
//! name, what is switched off, and whether new rooms are refused. All of that is a fold over the
//! acts, which is also kept in memory: `hello` asks no disk.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;

use noughts_protocol::{PlayerId, PlayerName};
use parking_lot::RwLock;
use rusqlite::{Connection, params};
use tokio::sync::watch;

use crate::change::NewAct;
use crate::deed::{Act, Ban, Deed, Switch};

/// Bans at once. The caller sees to it.
pub const MAX_BANS: usize = 1_000;

/// People at once who have a name of a host's. The caller sees to it.
pub const MAX_RENAMES: usize = 1_000;

/// Acts that are kept, beside those that are in force.
const MAX_ACTS: i64 = 10_000;

/// Acts that are told.
const TOLD: usize = 1_000;

/// Adds an act. One that is so old that nobody needs it any more goes.
pub(crate) fn add(connection: &Connection, act: &NewAct) -> rusqlite::Result<()> {
    let NewAct { at, by, deed } = act;
    let about = deed.about();
    if about.is_some() {
        connection.execute("UPDATE act SET until = 0 WHERE about = ?1", [&about])?;
    }
    if let Deed::Unban { ban } = deed {
        connection.execute("UPDATE act SET until = 0 WHERE n = ?1", [ban.cast_signed()])?;
    }
    let sql = "INSERT INTO act (at, by, until, about, deed) VALUES (?1, ?2, ?3, ?4, ?5)";
    connection.execute(sql, params![at, by.as_str(), deed.until(), about, json(deed)])?;
    let sql = "DELETE FROM act WHERE n <= (SELECT max(n) FROM act) - ?1 AND until <= ?2";
    connection.execute(sql, [MAX_ACTS, *at]).map(drop)
}

/// Takes the names out that hosts have given to a person.
pub(crate) fn forget(connection: &Connection, player: PlayerId) -> rusqlite::Result<()> {
    let unnamed = Deed::Rename { player, name: None };
    let sql = "UPDATE act SET until = 0, deed = ?2 WHERE about = ?1";
    connection.execute(sql, params![unnamed.about(), json(&unnamed)]).map(drop)
}

fn json(deed: &Deed) -> String {
    // Serialization cannot fail: a deed holds no map whose keys are not strings.
    serde_json::to_string(deed).unwrap_or_default()
}

/// The acts of hosts, and their effect on a server.
#[derive(Debug, Default)]
pub struct Acts {
    fold: RwLock<Fold>,
    /// The number of the newest act.
    newest: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Fold {
    bans: BTreeMap<u64, Ban>,
    /// At most [`MAX_RENAMES`].
    names: BTreeMap<PlayerId, PlayerName>,
    /// The features that are switched off.
    off: BTreeSet<Switch>,
    is_closed: bool,
    /// The newest first.
    told: VecDeque<Act>,
}

impl Acts {
    /// Reads them.
    pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let acts = Self::default();
        acts.refresh(connection)?;
        Ok(acts)
    }

    /// Reads those that have come since.
    pub(crate) fn refresh(&self, connection: &Connection) -> rusqlite::Result<()> {
        let last = self.fold.read().newest().cast_signed();
        let sql = "SELECT n, at, by, deed FROM act WHERE n > ?1 ORDER BY n";
        let mut select = connection.prepare(sql)?;
        let mut rows = select.query([last])?;
        let mut new = Vec::new();
        while let Some(row) = rows.next()? {
            let deed: String = row.get(3)?;
            // A deed of a later version means nothing here.
            let Ok(deed) = serde_json::from_str(&deed) else { continue };
            let by: String = row.get(2)?;
            let act = row.get::<_, i64>(0)?.cast_unsigned();
            new.push(Act { act, at: row.get(1)?, by: by.into(), deed });
        }
        let mut fold = self.fold.write();
        new.into_iter().for_each(|act| fold.apply(act));
        self.newest.send_replace(fold.newest());
        Ok(())
    }

    /// Takes the names out that hosts have given to a person.
    pub(crate) fn forget(&self, player: PlayerId) {
        let mut fold = self.fold.write();
        fold.names.remove(&player);
        for act in &mut fold.told {
            if let Deed::Rename { player: renamed, name } = &mut act.deed
                && *renamed == player
            {
                *name = None;
            }
        }
    }

    /// The number of the newest act, now and later.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// The acts after one, in order: a thousand at most.
    #[must_use]
    pub fn since(&self, act: u64) -> Vec<Act> {
        let fold = self.fold.read();
        let new = fold.told.iter().take_while(|told| told.act > act);
        let mut new: Vec<_> = new.cloned().collect();
        new.reverse();
        new
    }

    /// The number of an act that was stored a moment ago.
    #[must_use]
    pub fn number_of(&self, new: &NewAct) -> Option<u64> {
        let fold = self.fold.read();
        let same = fold.told.iter().find(|act| act.at == new.at && act.deed == new.deed);
        same.map(|act| act.act)
    }

    /// Whether a feature is switched off.
    #[must_use]
    pub fn is_off(&self, switch: Switch) -> bool {
        self.fold.read().off.contains(&switch)
    }

    /// The name that a host has given to a person.
    #[must_use]
    pub fn name_of(&self, player: PlayerId) -> Option<PlayerName> {
        self.fold.read().names.get(&player).cloned()
    }

    /// How many people have a name of a host's.
    #[must_use]
    pub fn renames(&self) -> usize {
        self.fold.read().names.len()
    }

    /// The ban of a person who comes from an address at a time, in milliseconds since 1970; of several the one
    /// that ends last.
    #[must_use]
    pub fn ban_of(&self, player: PlayerId, from: IpAddr, now: i64) -> Option<Ban> {
        let fold = self.fold.read();
        let bans = fold.in_force(now).filter(|ban| ban.who.means(player, from));
        bans.max_by_key(|ban| ban.until.unwrap_or(i64::MAX)).cloned()
    }

    /// The bans that are in force at a time, in milliseconds since 1970.
    #[must_use]
    pub fn bans(&self, now: i64) -> Vec<Ban> {
        self.fold.read().in_force(now).cloned().collect()
    }

    /// Whether new rooms and parties are refused.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.fold.read().is_closed
    }

    /// The last acts, the newest first: a thousand at most.
    #[must_use]
    pub fn last(&self) -> Vec<Act> {
        self.fold.read().told.iter().cloned().collect()
    }
}

impl Fold {
    fn apply(&mut self, act: Act) {
        self.bans.retain(|_, ban| ban.until.is_none_or(|until| until > act.at));
        match &act.deed {
            Deed::Ban { who, until, reason } => {
                let reason = reason.clone();
                let ban = Ban { ban: act.act, who: *who, until: *until, reason };
                self.bans.insert(act.act, ban);
            }
            Deed::Unban { ban } => {
                self.bans.remove(ban);
            }
            Deed::Close { closed } => self.is_closed = *closed,
            Deed::Rename { player, name: Some(name) } => {
                self.names.insert(*player, name.clone());
            }
            Deed::Rename { player, name: None } => {
                self.names.remove(player);
            }
            Deed::Switch { feature, on: true } => {
                self.off.remove(feature);
            }
            Deed::Switch { feature, on: false } => {
                self.off.insert(*feature);
            }
            Deed::EndRoom { .. }
            | Deed::EndParty { .. }
            | Deed::Remove { .. }
            | Deed::Say { .. }
            | Deed::Disconnect { .. }
            | Deed::Forget { .. } => {}
        }
        self.told.push_front(act);
        self.told.truncate(TOLD);
    }

    fn newest(&self) -> u64 {
        self.told.front().map_or(0, |act| act.act)
    }

    fn in_force(&self, now: i64) -> impl Iterator<Item = &Ban> {
        self.bans.values().filter(move |ban| ban.until.is_none_or(|until| until > now))
    }
}
