//! Kept games in lines of text: a history, a file of games, a game move by move.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use noughts_protocol::{
    ArchivedGame, ExportFormat, Found, Game, GameId, LobbyIntent, OpponentFilter, Participant,
    ReviewedMove, Rules,
};

use super::query::{Query, found};
use super::{StdinLines, board};
use crate::args::{HistoryArgs, OpponentArg, ReplayArgs};
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::console::print_line;
use crate::identity;
use crate::strings::{analysis, archive};

/// Prints the player's games, or writes them to a file.
pub(super) async fn history(
    client: &mut Client,
    args: &HistoryArgs,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let mut query = Query::open(client, lines, writer)?;
    if let Some(file) = &args.export {
        return export(&mut query, file, args.format.unwrap_or_else(|| format_of(file))).await;
    }
    let opponent = match &args.opponent {
        None => None,
        Some(OpponentArg::Filter(filter)) => Some(*filter),
        Some(OpponentArg::Name(name)) => match named(&mut query, name).await? {
            Ok(filter) => Some(filter),
            Err(exit) => return Ok(exit),
        },
    };
    let mut before = args.before;
    let mut any = false;
    loop {
        let board = args.board;
        let outcome = args.result;
        let asked = query.ask(LobbyIntent::History { opponent, board, outcome, before }).await?;
        let (games, more) = found!(asked, Found::History { games, more } => (games, more));
        any |= !games.is_empty();
        let rows = match args.json {
            true => games.iter().filter_map(|game| serde_json::to_string(game).ok()).collect(),
            false => archive::table(&games, query.player()),
        };
        print_rows(&rows)?;
        before = games.last().map(|game| game.id);
        if !more || before.is_none() {
            break;
        }
        if !args.all {
            note(&format!("There are older games: --before {}, or --all.", last(before)));
            break;
        }
    }
    if !any && !args.json {
        print_line("There are no such games.")?;
    }
    Ok(Exit::Done)
}

fn last(before: Option<GameId>) -> String {
    before.map(|id| id.to_string()).unwrap_or_default()
}

/// The person with a name, of those whom the player has met most often.
async fn named(query: &mut Query<'_>, name: &str) -> io::Result<Result<OpponentFilter, Exit>> {
    let profile = match query.ask(LobbyIntent::Profile { player: None }).await? {
        Ok(Found::Profile { profile }) => profile,
        Ok(_) => return Ok(Err(Exit::Lost("the server answered something else".to_owned()))),
        Err(exit) => return Ok(Err(exit)),
    };
    let wanted = name.to_lowercase();
    let mut met = profile.opponents.iter().filter_map(|tally| match &tally.opponent {
        Participant::Human { player, name } if name.as_str().to_lowercase() == wanted => {
            Some(*player)
        }
        _ => None,
    });
    Ok(match (met.next(), met.next()) {
        (Some(player), None) => Ok(OpponentFilter::Player(player)),
        (None, _) => Err(Exit::Refused(format!(
            "nobody called {name} is among those whom you played most often"
        ))),
        (Some(one), Some(other)) => Err(Exit::Refused(format!(
            "two people are called {name}: choose --opponent {one} or --opponent {other}"
        ))),
    })
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
async fn export(query: &mut Query<'_>, file: &Path, format: ExportFormat) -> io::Result<Exit> {
    let to_output = file.as_os_str() == "-";
    let temporary = file.with_extension(format!("{}.part", std::process::id()));
    let failed = |error: io::Error| {
        let _ = fs::remove_file(&temporary);
        let why = crate::strings::without_number(&error.to_string());
        Exit::Refused(format!("cannot write {}: {why}", file.display()))
    };
    if !to_output && let Err(exit) = refuse_existing(file) {
        return Ok(exit);
    }
    let mut out: Box<dyn Write> = match to_output {
        true => Box::new(io::stdout()),
        false => match fs::File::create(&temporary) {
            Ok(created) => Box::new(io::BufWriter::new(created)),
            Err(error) => return Ok(failed(error)),
        },
    };
    let mut before = None;
    let mut bytes = 0;
    loop {
        let asked = query.ask(LobbyIntent::Export { format, before }).await?;
        let (text, next) = match asked {
            Ok(Found::Export { text, next }) => (text, next),
            other => {
                // Half a file would look like a whole one.
                let _ = fs::remove_file(&temporary);
                return Ok(other.err().unwrap_or(Exit::Done));
            }
        };
        bytes += text.len();
        match out.write_all(text.as_bytes()) {
            Err(error) if to_output => return Err(error),
            Err(error) => return Ok(failed(error)),
            Ok(()) => {}
        }
        before = next;
        if before.is_none() {
            break;
        }
    }
    let flushed = out.flush();
    drop(out);
    if to_output {
        return flushed.map(|()| Exit::Done);
    }
    // Another program may have made the file meanwhile.
    if let Err(exit) = refuse_existing(file) {
        let _ = fs::remove_file(&temporary);
        return Ok(exit);
    }
    if let Err(error) = flushed.and_then(|()| fs::rename(&temporary, file)) {
        return Ok(failed(error));
    }
    let empty = match format {
        _ if bytes > 0 => "",
        ExportFormat::Sgf => " It is empty: you have no games of five in a row.",
        ExportFormat::JsonLines => " It is empty: you have no games.",
    };
    print_line(&format!("Wrote your games to {}.{empty}", file.display()))?;
    Ok(Exit::Done)
}

/// Prints a kept game: who played, the moves, the last position and the result.
pub(super) async fn replay(
    client: &mut Client,
    args: &ReplayArgs,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let mut query = Query::open(client, lines, writer)?;
    let game = args.game.id;
    let asked = query.ask(LobbyIntent::Game { game }).await?;
    let kept = found!(asked, Found::Game { game } => game);
    let review = match args.review {
        true => {
            let asked = query.ask(LobbyIntent::ReviewGame { game }).await?;
            Some(found!(asked, Found::Review { moves, proven, .. } => (moves, proven)))
        }
        false => None,
    };
    let mut rows = vec![archive::heading(&kept)];
    rows.extend(archive::move_lines(&kept, review.as_ref().map(|(moves, _)| &moves[..])));
    print_rows(&rows)?;
    print_end(&kept)?;
    if let Some((moves, proven)) = review {
        print_line(&summary(&moves, proven))?;
    }
    print_line(&query.client.choice.server.game_link(game))?;
    Ok(Exit::Done)
}

fn summary(moves: &[ReviewedMove], proven: bool) -> String {
    let mistakes = analysis::mistakes(moves);
    let proven = if proven { "proven" } else { "in part estimated" };
    format!("{mistakes}, {proven}.")
}

fn print_end(kept: &ArchivedGame) -> io::Result<()> {
    let replayed = Game::replay(Rules::of(&kept.settings), kept.first, &kept.moves);
    if let Ok(game) = replayed {
        let mut out = io::stdout().lock();
        out.write_all(board::text(game.board()).as_bytes())?;
    }
    print_line(&archive::result(&kept.summary))
}

fn print_rows(rows: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    rows.iter().try_for_each(|row| writeln!(out, "{}", row.trim_end()))?;
    out.flush()
}

/// A remark that is no part of the list: a pipe does not get it.
fn note(text: &str) {
    if io::stdout().is_terminal() {
        // The list is printed; the remark may be lost.
        let _ = print_line(text);
    } else {
        let _ = writeln!(io::stderr(), "{text}");
    }
}
