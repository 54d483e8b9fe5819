//! Kept games in lines of text: a history, a file of games, a game move by move.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use noughts_protocol::text::without_number;
use noughts_protocol::{
    ArchivedGame, ExportFormat, Found, Game, LobbyIntent, OpponentFilter, Participant, Rules,
};

use super::query::{Query, something_else};
use super::{Ended, Plain, board};
use crate::args::{HistoryArgs, OpponentArg, ReplayArgs};
use crate::boards::Boards;
use crate::client::Exit;
use crate::identity;
use crate::stdio::Stdio;
use crate::strings::{analysis, archive};

/// Prints the player's games, or writes them to a file.
pub(super) async fn history(plain: &mut Plain, args: &HistoryArgs) -> Result<(), Ended> {
    let mut query = Query::open(plain)?;
    if let Some(file) = &args.export {
        return export(&mut query, file, args.format.unwrap_or_else(|| format_of(file))).await;
    }
    let opponent = match &args.opponent {
        None => None,
        Some(OpponentArg::Filter(filter)) => Some(*filter),
        Some(OpponentArg::Name(name)) => Some(named(&mut query, name).await?),
    };
    let mut before = args.before;
    let mut any = false;
    loop {
        let intent = LobbyIntent::History {
            opponent,
            board: args.board,
            variant: args.variant,
            outcome: args.result,
            before,
        };
        let Found::History { games, more } = query.ask(intent).await? else {
            return Err(something_else());
        };
        any |= !games.is_empty();
        let rows = match args.json {
            true => games.iter().filter_map(|game| serde_json::to_string(game).ok()).collect(),
            false => archive::table(&games, query.player()),
        };
        print_rows(&mut query.plain.stdio, &rows)?;
        before = games.last().map(|game| game.id);
        let Some(last) = before.filter(|_| more) else { break };
        if !args.all {
            let text = format!("There are older games: --before {last}, or --all.");
            query.plain.stdio.remark(&text).await;
            break;
        }
    }
    if !any && !args.json {
        query.plain.stdio.print_line("There are no such games.")?;
    }
    Ok(())
}

/// The person with a name, of those whom the player has met most often.
async fn named(query: &mut Query<'_>, name: &str) -> Result<OpponentFilter, Ended> {
    let Found::Profile { profile } = query.ask(LobbyIntent::Profile { player: None }).await? else {
        return Err(something_else());
    };
    let wanted = name.to_lowercase();
    let mut met = profile.opponents.iter().filter_map(|tally| match &tally.opponent {
        Participant::Human { player, name } if name.as_str().to_lowercase() == wanted => {
            Some(*player)
        }
        _ => None,
    });
    let why = match (met.next(), met.next()) {
        (Some(player), None) => return Ok(OpponentFilter::Player(player)),
        (None, _) => format!("nobody called {name} is among those whom you played most often"),
        (Some(one), Some(other)) => {
            format!("two people are called {name}: choose --opponent {one} or --opponent {other}")
        }
    };
    Err(Exit::Refused(why).into())
}

/// The format that the ending of a file asks for.
fn format_of(file: &Path) -> ExportFormat {
    match file.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("sgf") => ExportFormat::Sgf,
        _ => ExportFormat::JsonLines,
    }
}

/// Refuses a file that is there already, as `identity save` does.
fn refuse_existing(file: &Path) -> Result<(), Exit> {
    // A link to nowhere is there too.
    match fs::symlink_metadata(file) {
        Ok(_) => Err(Exit::Refused(identity::exists_already(file))),
        Err(_) => Ok(()),
    }
}

/// Writes the player's games to a new file. It is whole, or it is not there.
async fn export(query: &mut Query<'_>, file: &Path, format: ExportFormat) -> Result<(), Ended> {
    if file.as_os_str() == "-" {
        write_games(query, format, Stdio::print).await?;
        return Ok(());
    }
    refuse_existing(file)?;
    let temporary = file.with_extension(format!("{}.part", std::process::id()));
    let written = write_file(query, file, &temporary, format).await;
    if written.is_err() {
        // Half a file would look like a whole one. It may not be there.
        let _ = fs::remove_file(&temporary);
    }
    let bytes = written.map_err(|ended| match ended {
        Ended::Failed(error) => {
            let why = without_number(&error.to_string());
            Exit::Refused(format!("cannot write {}: {why}", file.display())).into()
        }
        ended @ Ended::Exit(_) => ended,
    })?;
    let empty = match format {
        _ if bytes > 0 => "",
        ExportFormat::Sgf => " It is empty: you have no games of five in a row.",
        ExportFormat::JsonLines => " It is empty: you have no games.",
    };
    Ok(query.plain.stdio.print_line(&format!("Wrote your games to {}.{empty}", file.display()))?)
}

async fn write_file(
    query: &mut Query<'_>,
    file: &Path,
    temporary: &Path,
    format: ExportFormat,
) -> Result<usize, Ended> {
    let mut out = io::BufWriter::new(fs::File::create(temporary)?);
    let write = |_: &mut Stdio, text: &str| out.write_all(text.as_bytes());
    let bytes = write_games(query, format, write).await?;
    out.flush()?;
    // Another program may have made the file meanwhile.
    refuse_existing(file)?;
    fs::rename(temporary, file)?;
    Ok(bytes)
}

/// Writes all games. Returns their length in bytes.
async fn write_games(
    query: &mut Query<'_>,
    format: ExportFormat,
    mut write: impl FnMut(&mut Stdio, &str) -> io::Result<()>,
) -> Result<usize, Ended> {
    let mut before = None;
    let mut bytes = 0;
    loop {
        let intent = LobbyIntent::Export { format, before };
        let Found::Export { text, next } = query.ask(intent).await? else {
            return Err(something_else());
        };
        write(&mut query.plain.stdio, &text)?;
        bytes += text.len();
        before = next;
        if before.is_none() {
            return Ok(bytes);
        }
    }
}

/// Prints a kept game: who played, the moves, the last position and the result.
pub(super) async fn replay(plain: &mut Plain, args: &ReplayArgs) -> Result<(), Ended> {
    let mut query = Query::open(plain)?;
    let game = args.game.id;
    let Found::Game { game: kept } = query.ask(LobbyIntent::Game { game }).await? else {
        return Err(something_else());
    };
    let mut review = None;
    if args.review {
        let found = query.ask(LobbyIntent::ReviewGame { game }).await?;
        let Found::Review { moves, proven, .. } = found else { return Err(something_else()) };
        review = Some((moves, proven));
    }
    let mut rows = vec![archive::heading(&kept)];
    rows.extend(archive::move_lines(&kept, review.as_ref().map(|(moves, _)| &moves[..])));
    let Plain { client, stdio, .. } = query.plain;
    print_rows(stdio, &rows)?;
    print_end(stdio, &kept)?;
    if let Some((moves, proven)) = review {
        stdio.print_line(&analysis::judgement(&moves, "", proven))?;
    }
    Ok(stdio.print_line(&client.choice.server.game_link(game))?)
}

fn print_end(stdio: &mut Stdio, kept: &ArchivedGame) -> io::Result<()> {
    let replayed = Game::replay(Rules::of(&kept.settings), kept.first, &kept.moves, &kept.placed);
    let boards = Boards::of(kept.settings.variant, kept.settings.board);
    if let Ok(game) = replayed {
        stdio.print(&board::text(&game, boards))?;
    }
    stdio.print_line(&archive::result_text(&kept.summary))
}

fn print_rows(stdio: &mut Stdio, rows: &[String]) -> io::Result<()> {
    rows.iter().try_for_each(|row| stdio.print_line(row.trim_end()))
}
