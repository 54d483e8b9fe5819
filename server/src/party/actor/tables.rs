//! The rooms of a party's games: made when both entrants are ready, read while they are played, and ended
//! when the party needs them no more. The room of a game is made before the fact that opens it is
//! stored; a server that is killed between finds the room again by its origin.

use std::collections::BTreeSet;

use futures::future::join_all;
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    ByMark, Computer, IntentId, MAX_TOLD_BOARDS, Mark, PartyCode, PartySettings, PartyTable,
    PlayerId, RoomCode, RoomSettings, Seat, ServerMessage, TableBoard,
};

use noughts_store::Origin;

use super::PartyActor;
use crate::party::rules::PartyRules;
use crate::party::rules::tables::{DismissedRoom, Opening, TableResult};
use crate::room::RoomHandle;
use crate::room::table::{Table, TableNews, TableReport, TableReporter};

/// The first half of the player id in the origins of a party's rooms: no person has sent such an intent.
const PARTIES: u64 = 0x7061_7274 << 32;

/// Games of a pairing that an origin can tell apart.
const GAMES: u64 = 16;

/// A game that runs, in a room of its own.
#[derive(Debug)]
pub(super) struct OpenTable {
    pub(super) game: u8,
    pub(super) room: RoomCode,
    table: Table,
}

impl OpenTable {
    /// The table of a game in this room.
    pub(super) const fn new(game: u8, room: RoomCode, table: Table) -> Self {
        Self { game, room, table }
    }

    /// Whether the game goes on.
    pub(super) fn is_played(&self) -> bool {
        let TableNews { report, ended } = self.table.news();
        !ended && report.is_none_or(|report| report.result.is_none())
    }

    /// The board; `None` before the room has told it.
    fn board(&self, pairing: u32) -> Option<TableBoard> {
        let TableReport { moves, placed, effects, playable, result, .. } =
            self.table.news().report?;
        Some(TableBoard { pairing, game: self.game, moves, placed, effects, playable, result })
    }
}

impl PartyActor {
    /// Makes the rooms that the rules wish for, stores their opening and leads the entrants there.
    pub(super) async fn open_tables(&mut self) {
        if !self.opening.is_open() {
            return;
        }
        let now = self.now();
        let openings = self.rules.take_openings(now);
        if openings.is_empty() {
            return;
        }
        self.opening.close();
        let making = openings.into_iter().map(|opening| {
            let (table, reporter) = self.reports.table(opening.pairing);
            let room = self.make_room(&opening);
            async move { (opening, attach(opening, room, table, reporter).await) }
        });
        let made = join_all(making.collect::<Vec<_>>()).await;
        let mut opened = Vec::new();
        let mut tables = Vec::new();
        for (Opening { pairing, game, .. }, made) in made {
            let Some(table) = made else {
                self.rules.open_failed(now, pairing, game);
                continue;
            };
            opened.push((pairing, game, table.room));
            tables.push((pairing, table));
        }
        let decided = PartyRules::opened(&opened);
        // The tables are known before the entrants are led there.
        for (pairing, table) in tables {
            self.tables.insert(pairing, table);
        }
        if self.commit(decided).await.is_err() {
            for (pairing, game, _) in opened {
                self.tables.remove(&pairing);
                self.rules.open_failed(now, pairing, game);
            }
            return;
        }
        // A computer may have moved meanwhile.
        self.tables_changed(opened.into_iter().map(|(pairing, ..)| pairing).collect()).await;
    }

    /// Makes a room, or finds it. `None` if there cannot be one now.
    fn make_room(&self, opening: &Opening) -> Option<RoomHandle> {
        let state = self.rules.state();
        let seat = |number| {
            let entrant = state.entrant(number)?;
            Some(match (entrant.computer, entrant.player) {
                (Some(computer), _) => Seat::Computer(computer),
                (None, Some(player)) => Seat::Human { player, name: entrant.name.clone() },
                // Forgotten meanwhile.
                (None, None) => Seat::Computer(Computer::default()),
            })
        };
        let seats = ByMark { x: seat(opening.x)?, o: seat(opening.o)? };
        let Opening { pairing, table, game, .. } = *opening;
        let tag = PartyTable { party: state.code, pairing, table, game };
        let settings =
            room_settings(&state.settings, tag, self.context.lobby.features().spectators);
        let origin = origin(self.code(), opening)?;
        let made = self.context.lobby.open_table(settings, seats, origin);
        let made = made.inspect_err(|refusal| tracing::debug!(code = ?refusal.code, "no room"));
        made.ok().filter(|room| opening.lost != Some(room.code()))
    }

    /// Reads the tables that have something new, and stores the results: all in one write, told in one
    /// message.
    pub(super) async fn tables_changed(&mut self, changed: BTreeSet<u32>) {
        self.reading.close();
        let mut ends = Vec::new();
        for pairing in changed {
            let Some(open) = self.tables.get(&pairing) else { continue };
            let game = open.game;
            let room = open.room;
            let news = open.table.news();
            if let Some(board) = open.board(pairing) {
                self.boards.note(board);
            }
            let Some(result) = result(&news) else { continue };
            // A room that ends because the server stops is found again.
            if matches!(result, TableResult::Lost) && self.context.lobby.is_stopping() {
                continue;
            }
            ends.push((pairing, game, room, result));
        }
        let decided = self.rules.table_results(self.now(), ends);
        // A table whose result is not stored stays, and is read again.
        self.commit_or_retry(decided).await;
    }

    /// The boards of all games that run.
    pub(super) fn all_boards(&self) -> Vec<TableBoard> {
        self.tables.iter().filter_map(|(pairing, table)| table.board(*pairing)).collect()
    }

    /// Ends the games whose pairings were decided without them.
    pub(super) fn end_dismissed(&mut self) {
        for DismissedRoom { room, ruling } in self.rules.take_dismissed() {
            if let Ok(room) = self.context.lobby.find(room) {
                room.dismiss(ruling);
            }
        }
    }
}

/// The boards in messages that fit into frames.
pub(super) fn messages(
    party: PartyCode,
    boards: &[TableBoard],
) -> impl Iterator<Item = ServerMessage> {
    let chunks = boards.chunks(MAX_TOLD_BOARDS);
    chunks.map(move |boards| ServerMessage::Boards { party, boards: boards.to_vec() })
}

/// Has a room tell its party what goes on; `None` if the room could not be stored.
async fn attach(
    opening: Opening,
    room: Option<RoomHandle>,
    table: Table,
    reporter: TableReporter,
) -> Option<OpenTable> {
    let room = room?;
    room.attach(reporter).await.ok()?;
    Some(OpenTable::new(opening.game, room.code(), table))
}

/// The result of a table; `None` while its game goes on.
fn result(TableNews { report, ended }: &TableNews) -> Option<TableResult> {
    let end = report.as_ref().and_then(|report| Some((report.result.as_ref()?, report.x_sits_at)));
    match end {
        Some((result, x_sits_at)) => Some(match result.winner() {
            Some(winner) if x_sits_at == Mark::X => TableResult::Won(winner),
            Some(winner) => TableResult::Won(winner.other()),
            None => TableResult::Drawn,
        }),
        None => ended.then_some(TableResult::Lost),
    }
}

/// The settings of the room of a game. The server watches its clock also when nobody is there.
fn room_settings(party: &PartySettings, tag: PartyTable, spectators: bool) -> RoomSettings {
    RoomSettings {
        board: party.board,
        variant: party.variant,
        move_time_ms: Some(party.move_time_ms),
        listed: false,
        spectators,
        first: FirstMove::X,
        opening: party.opening,
        hints: Some(false),
        evaluation: false,
        chat: party.chat,
        party: Some(tag),
        ..RoomSettings::default()
    }
}

/// The origin of the room of a game, the same after a restart.
fn origin(party: PartyCode, opening: &Opening) -> Option<Origin> {
    let player = PlayerId(PARTIES | u64::from(party.0.number()));
    let id = u64::from(opening.pairing) * GAMES + u64::from(opening.game);
    Some(Origin { player, id: IntentId::try_from(id).ok()? })
}
