//! The table `act`: what hosts have done, and what follows from it: who is banned, and whether new rooms are
//! refused. All of that is a fold over the acts, which is also kept in memory: `hello` asks no disk.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

use noughts_protocol::PlayerId;
use parking_lot::RwLock;
use rusqlite::{Connection, params};

use crate::change::NewAct;
use crate::deed::{Act, Ban, Deed};

/// Bans at once. The caller sees to it.
pub const MAX_BANS: usize = 1_000;

/// Acts that are kept, beside the bans that are in force.
const MAX_ACTS: i64 = 10_000;

/// Acts that are told.
const TOLD: usize = 1_000;

/// What a row has in `until` that is no ban in force.
const NEVER: i64 = 0;

/// Adds an act. One that is so old that nobody needs it any more goes.
pub(crate) fn add(connection: &Connection, act: &NewAct) -> rusqlite::Result<()> {
    let until = match &act.deed {
        Deed::Ban { until, .. } => until.unwrap_or(i64::MAX),
        _ => NEVER,
    };
    let deed = serde_json::to_string(&act.deed).unwrap_or_default();
    let sql = "INSERT INTO act (at, by, until, deed) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, params![act.at, act.by.as_str(), until, deed])?;
    if let Deed::Unban { ban } = act.deed {
        let sql = "UPDATE act SET until = ?2 WHERE n = ?1";
        connection.execute(sql, params![ban.cast_signed(), NEVER])?;
    }
    let sql = "DELETE FROM act WHERE n <= (SELECT max(n) FROM act) - ?1 AND until <= ?2";
    connection.execute(sql, [MAX_ACTS, act.at]).map(drop)
}

/// What hosts have done to a server, and what follows from it.
#[derive(Debug, Default)]
pub struct Acts(RwLock<Fold>);

#[derive(Debug, Default)]
struct Fold {
    bans: BTreeMap<u64, Ban>,
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
        let mut fold = self.0.write();
        let last = fold.told.front().map_or(0, |act| act.act.cast_signed());
        let sql = "SELECT n, at, by, deed FROM act WHERE n > ?1 ORDER BY n";
        let mut select = connection.prepare(sql)?;
        let mut rows = select.query([last])?;
        while let Some(row) = rows.next()? {
            let deed: String = row.get(3)?;
            // A deed of a later version means nothing here.
            let Ok(deed) = serde_json::from_str(&deed) else { continue };
            let by: String = row.get(2)?;
            let act = row.get::<_, i64>(0)?.cast_unsigned();
            fold.apply(Act { act, at: row.get(1)?, by: by.into(), deed });
        }
        Ok(())
    }

    /// The ban of a person who comes from an address at a time, in milliseconds since 1970; of several the one
    /// that ends last.
    #[must_use]
    pub fn ban_of(&self, player: PlayerId, from: IpAddr, now: i64) -> Option<Ban> {
        let fold = self.0.read();
        let bans = fold.in_force(now).filter(|ban| ban.who.means(player, from));
        bans.max_by_key(|ban| ban.until.unwrap_or(i64::MAX)).cloned()
    }

    /// The bans that are in force at a time, in milliseconds since 1970.
    #[must_use]
    pub fn bans(&self, now: i64) -> Vec<Ban> {
        self.0.read().in_force(now).cloned().collect()
    }

    /// Whether new rooms and parties are refused.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.0.read().is_closed
    }

    /// The last acts, the newest first: a thousand at most.
    #[must_use]
    pub fn last(&self) -> Vec<Act> {
        self.0.read().told.iter().cloned().collect()
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
            Deed::EndRoom { .. }
            | Deed::EndParty { .. }
            | Deed::Remove { .. }
            | Deed::Rename { .. }
            | Deed::Say { .. }
            | Deed::Switch { .. }
            | Deed::Disconnect { .. }
            | Deed::Forget { .. } => {}
        }
        self.told.push_front(act);
        self.told.truncate(TOLD);
    }

    fn in_force(&self, now: i64) -> impl Iterator<Item = &Ban> {
        self.bans.values().filter(move |ban| ban.until.is_none_or(|until| until > now))
    }
}
