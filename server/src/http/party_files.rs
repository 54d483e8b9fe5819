//! The files of a party: `/party/CODE/standings.csv` and `.json`, `/party/CODE/games.csv` and
//! `.json`, while it is played and as long as it is kept. Everybody with the code gets them, as
//! they get into the party; a server with a password asks for it as HTTP does (the password with
//! any name).
//!
//! At most [`MAX_LOOKUPS`] requests are answered at once; another one is told to come again. Unknown codes count
//! as those of players do. A file has all games of its party: some thousands at most, read in pieces.

mod table;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router, routing::get};
use noughts_protocol::party::{DecidedBy, PartyState, WIN_POINTS};
use noughts_protocol::{
    Entrant, GameId, Mark, Participant, PartyCode, PartyFormat, PartyPhase, PartySnapshot, Place,
    Refusal,
};
use noughts_store::{ArchiveError, StoredGame};
use tokio::sync::Semaphore;

use crate::http::api::{check_password, refuse};
use crate::http::page::{nothing_here, url};
use crate::lobby::unavailable;
use crate::net::client_addr::ClientAddr;
use crate::party::pairing::places;
use crate::state::Shared;
use table::{Cell, Commas, FileTable};

/// Requests that are answered at once.
const MAX_LOOKUPS: usize = 16;

/// Games that are read at once: the archive answers others in between.
const PIECE: usize = 256;

/// The columns of the games.
const GAME_COLUMNS: [&str; 13] = [
    "round", "table", "pairing", "game", "x", "o", "result", "how", "moves", "started", "ended",
    "id", "link",
];

/// The columns of the standings. `rests` are the points that were not played for.
const STANDINGS_COLUMNS: [&str; 10] =
    ["place", "name", "points", "wins", "draws", "losses", "rests", "tiebreak", "computer", "left"];

/// The routes.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/party/{code}/{file}", get(file))
        .layer(Extension(Arc::new(Semaphore::new(MAX_LOOKUPS))))
}

/// The query that asks for CSV as a German spreadsheet reads it.
const GERMAN: &str = "lang=de";

/// A request for a file.
struct FileRequest<'a> {
    shared: &'a Shared,
    party: PartyState,
    /// Where links lead.
    url: String,
}

async fn file(
    State(shared): State<Arc<Shared>>,
    Path((code, file)): Path<(String, String)>,
    uri: Uri,
    Extension(client): Extension<ClientAddr>,
    Extension(lookups): Extension<Arc<Semaphore>>,
    headers: HeaderMap,
) -> Response {
    let Some((what, kind)) = file.split_once('.') else { return nothing_here() };
    if !["standings", "games"].contains(&what) || !["csv", "json"].contains(&kind) {
        return nothing_here();
    }
    if let Err(refusal) = check_password(&shared, client, &headers) {
        return refused(&refusal);
    }
    let code = match code.parse::<PartyCode>() {
        Ok(code) => code,
        Err(error) => return (StatusCode::NOT_FOUND, format!("{error}\n")).into_response(),
    };
    let Ok(_lookup) = lookups.try_acquire() else { return busy() };
    let party = match find(&shared, client, code).await {
        Ok(party) => party.state,
        Err(refusal) => return refused(&refusal),
    };
    let name = party.name.clone();
    let url = url(&shared.config, client, &headers).unwrap_or_default();
    let request = FileRequest { shared: &shared, party, url };
    let table = match what {
        "standings" => Ok(request.standings()),
        _ => request.games().await,
    };
    let Ok(table) = table else { return busy() };
    let (content_type, body) = match kind {
        "csv" => {
            let commas = if uri.query() == Some(GERMAN) { Commas::German } else { Commas::Plain };
            ("text/csv; charset=utf-8", table.to_csv(commas))
        }
        _ => ("application/json", table.to_json(what, code, &name)),
    };
    let disposition = format!("attachment; filename=\"{code}-{what}.{kind}\"");
    let head = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_DISPOSITION, &disposition),
    ];
    (head, body).into_response()
}

fn busy() -> Response {
    let message = "too many ask for results: try again in a moment\n";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "5")], message).into_response()
}

fn refused(refusal: &Refusal) -> Response {
    refuse(refusal.code, format!("{refusal}\n"))
}

/// The party with a code. Until one that began again has a game, the results are those of the one before.
async fn find(
    shared: &Shared,
    client: ClientAddr,
    code: PartyCode,
) -> Result<PartySnapshot, Refusal> {
    let party = shared.find_party(code, client.address).await?;
    if party.state.played_before == 0 || party.state.round > 0 {
        return Ok(party);
    }
    let before = shared.kept_party(code).await.map_err(|_| unavailable())?;
    Ok(before.unwrap_or(party))
}

impl FileRequest<'_> {
    fn standings(&self) -> FileTable {
        let party = &self.party;
        // The other formats count no points.
        let counts = matches!(party.settings.format, PartyFormat::RoundRobin | PartyFormat::Swiss);
        let points = |half: Option<u16>| {
            let half = half.filter(|_| counts);
            half.map_or(Cell::Empty, |half| Cell::Number(f64::from(half) / f64::from(WIN_POINTS)))
        };
        let rows = ranked(party).into_iter().map(|(place, entrant)| {
            let played = WIN_POINTS * entrant.wins + entrant.draws;
            vec![
                place.map_or(Cell::Empty, |place| Cell::Number(place.place.into())),
                Cell::Text(entrant.name.to_string()),
                points(Some(entrant.points)),
                Cell::Number(entrant.wins.into()),
                Cell::Number(entrant.draws.into()),
                Cell::Number(entrant.losses.into()),
                points(Some(entrant.points.saturating_sub(played))),
                points(place.map(|place| place.tiebreak)),
                Cell::Bool(entrant.computer.is_some()),
                Cell::Bool(entrant.left),
            ]
        });
        FileTable { columns: STANDINGS_COLUMNS.to_vec(), rows: rows.collect() }
    }

    async fn games(&self) -> Result<FileTable, ArchiveError> {
        let mut rows = Vec::new();
        let Some(storage) = &self.shared.storage else {
            return Ok(FileTable { columns: GAME_COLUMNS.to_vec(), rows });
        };
        let archive = storage.sqlite.archive();
        let code = self.party.code;
        let mut after: Option<GameId> = None;
        let mut played = BTreeSet::new();
        loop {
            let piece = archive.ask(move |archive| archive.games_of_party(code, after, PIECE));
            let piece = piece.await?;
            rows.extend(piece.iter().map(|game| self.game(game)));
            played.extend(
                piece.iter().filter_map(|game| game.game.settings.party).map(|table| table.pairing),
            );
            after = piece.last().map(|game| game.game.summary.id);
            if piece.len() < PIECE {
                rows.extend(self.unplayed(&played));
                return Ok(FileTable { columns: GAME_COLUMNS.to_vec(), rows });
            }
        }
    }

    /// The pairings without a kept game: byes, what the host has decided, and those in which nobody made a move.
    fn unplayed(&self, played: &BTreeSet<u32>) -> Vec<Vec<Cell>> {
        let state = &self.party;
        let name = |number| {
            let entrant = state.entrant(number);
            entrant.map_or(Cell::Empty, |entrant| Cell::Text(entrant.name.to_string()))
        };
        let row = |number| {
            let (first, second, points) = state.decided(number)?;
            let result = match points? {
                [WIN_POINTS, _] => Cell::Text(Mark::X.to_string()),
                [_, WIN_POINTS] => Cell::Text(Mark::O.to_string()),
                [0, 0] => Cell::Empty,
                _ => Cell::Text("draw".to_owned()),
            };
            let now = state.pairing(number);
            let past = state.past_decisions.iter().find(|past| past.pairing == number);
            let outcome =
                now.and_then(|now| now.outcome.as_ref()).or(past.map(|past| &past.outcome));
            let how = match outcome.map(|outcome| outcome.how) {
                _ if second.is_none() => "bye",
                Some(DecidedBy::Host) => "host",
                // The archive may get the game in a moment.
                Some(DecidedBy::Game | DecidedBy::DrawOdds) if state.phase != PartyPhase::Over => {
                    return None;
                }
                // Somebody was not there, or the time ran out before the first move. Of an earlier round it is not
                // known which.
                _ => "no_move",
            };
            let mut row = vec![
                round_of(state, number).map_or(Cell::Empty, |round| Cell::Number(round.into())),
                now.map_or(Cell::Empty, |now| Cell::Number(now.table.into())),
                Cell::Number(number.into()),
                Cell::Empty,
                name(first),
                second.map_or(Cell::Empty, name),
                result,
                Cell::Text(how.to_owned()),
            ];
            row.resize(GAME_COLUMNS.len(), Cell::Empty);
            Some(row)
        };
        let all = state.played_before + 1..=state.last_pairing();
        all.filter(|number| !played.contains(number)).filter_map(row).collect()
    }

    fn game(&self, StoredGame { game, .. }: &StoredGame) -> Vec<Cell> {
        let summary = &game.summary;
        let table = game.settings.party;
        let number = |number: Option<u32>| number.map_or(Cell::Empty, |n| Cell::Number(n.into()));
        let result =
            summary.result.winner().map_or_else(|| "draw".to_owned(), |mark| mark.to_string());
        vec![
            number(table.and_then(|table| round_of(&self.party, table.pairing)).map(u32::from)),
            number(table.map(|table| table.table.into())),
            number(table.map(|table| table.pairing)),
            number(table.map(|table| table.game.into())),
            Cell::Text(name(&summary.players.x)),
            Cell::Text(name(&summary.players.o)),
            Cell::Text(result),
            Cell::Text(summary.result.how().to_owned()),
            Cell::Number(summary.plies.into()),
            Cell::Text(moment(game.started_at)),
            Cell::Text(moment(summary.ended_at)),
            Cell::Text(summary.id.to_string()),
            Cell::Text(format!("{}/g/{}", self.url, summary.id)),
        ]
    }
}

/// All entrants, the first first; those without a place stand last.
fn ranked(party: &PartyState) -> Vec<(Option<Place>, &Entrant)> {
    let current = match party.phase {
        PartyPhase::Over => None,
        PartyPhase::Gathering | PartyPhase::Playing => Some(places(party)),
    };
    let places = current.as_ref().unwrap_or(&party.places);
    let place_of = |entrant: &Entrant| places.iter().find(|place| place.entrant == entrant.number);
    let mut all: Vec<_> =
        party.entrants.iter().map(|entrant| (place_of(entrant).copied(), entrant)).collect();
    all.sort_by_key(|(place, entrant)| {
        (place.map_or(u16::MAX, |place| place.place), entrant.number)
    });
    all
}

/// The round of a pairing; `None` if it was played before the party began again.
fn round_of(party: &PartyState, pairing: u32) -> Option<u16> {
    let pairing = pairing.checked_sub(party.played_before).filter(|place| *place > 0)?;
    let mut last = 0;
    for (round, pairings) in (1..).zip(&party.past) {
        last += pairings.len();
        if usize::try_from(pairing).is_ok_and(|pairing| pairing <= last) {
            return Some(round);
        }
    }
    Some(party.round)
}

fn name(participant: &Participant) -> String {
    match participant {
        Participant::Human { name, .. } => name.to_string(),
        Participant::Somebody => "Somebody".to_owned(),
        Participant::Computer(_) => "Computer".to_owned(),
    }
}

/// A time as ISO 8601 writes it, in UTC.
fn moment(ms: u64) -> String {
    humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + Duration::from_millis(ms))
        .to_string()
}
