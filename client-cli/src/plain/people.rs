//! People in lines of text: profiles, the strongest players, and who one is: saved to a file, read
//! from one, or forgotten.

use std::io;

use noughts_protocol::{Found, IdentityFile, LobbyIntent, identity_file};
use serde::Serialize;

use super::StdinLines;
use super::query::{Query, found};
use crate::args::{ForgetArgs, LeadersArgs, ProfileArgs};
use crate::client::{Client, Exit};
use crate::config::{Change, Writer};
use crate::console::print_line;
use crate::identity;
use crate::net::connection::Destination;
use crate::strings::people::{self, PeopleTarget};

/// Prints a profile.
pub(super) async fn profile(
    client: &mut Client,
    args: &ProfileArgs,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let ascii = client.options.ascii;
    let mut query = Query::open(client, lines, writer)?;
    let player = args.player.as_ref().map(|player| player.id);
    let asked = query.ask(LobbyIntent::Profile { player }).await?;
    let profile = found!(asked, Found::Profile { profile } => profile);
    if args.json {
        return print_json(&profile);
    }
    let own = query.player() == Some(profile.player);
    print_line(&people::name(&profile, own))?;
    people::profile(&profile, own, ascii).iter().try_for_each(|row| match row.target {
        // The id leads to the game: noughts replay ID.
        Some(PeopleTarget::Game(id)) => print_line(&format!("{}  {id}", row.text)),
        _ => print_line(&row.text),
    })?;
    Ok(Exit::Done)
}

/// Prints the strongest players.
pub(super) async fn leaders(
    client: &mut Client,
    args: &LeadersArgs,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let ascii = client.options.ascii;
    let mut query = Query::open(client, lines, writer)?;
    let class = args.class;
    let period = args.period;
    let asked = query.ask(LobbyIntent::Leaderboard { class, period }).await?;
    let board = found!(asked, Found::Leaderboard { leaderboard } => leaderboard);
    if args.json {
        return print_json(&board);
    }
    print_line(&people::leaders_title(board.class, board.period))?;
    people::leaders(&board, ascii).iter().try_for_each(|row| print_line(&row.text))?;
    Ok(Exit::Done)
}

fn print_json(value: &impl Serialize) -> io::Result<Exit> {
    print_line(&serde_json::to_string(value).map_err(io::Error::other)?)?;
    Ok(Exit::Done)
}

/// Asks to be forgotten.
pub(super) async fn forget(
    client: &mut Client,
    args: ForgetArgs,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let server = client.choice.server.clone();
    if client.profile.saved.token(&server).is_none() {
        return Ok(Exit::Refused(format!("you are nobody on {server} yet")));
    }
    if !args.yes {
        let name = client.profile.name.clone();
        print_line(&format!("You are {name} on {server}. {}", people::FORGET))?;
        if !agrees(lines).await? {
            print_line("Nothing has changed.")?;
            return Ok(Exit::Done);
        }
    }
    let mut query = Query::open(client, lines, writer)?;
    if let Err(exit) = query.forget().await? {
        return Ok(exit);
    }
    print_line(&format!("You are forgotten on {server}."))?;
    Ok(Exit::Done)
}

/// Whether the player types yes.
async fn agrees(lines: &mut StdinLines) -> io::Result<bool> {
    print_line("Type yes to go on.")?;
    let line = lines.next().await.unwrap_or_default();
    Ok(line.trim().eq_ignore_ascii_case("yes"))
}

/// Saves who the player is on the server.
///
/// # Errors
/// If the text cannot be printed.
pub(crate) fn save(client: &Client, file: &std::path::Path) -> io::Result<Exit> {
    let server = &client.choice.server;
    let Some(identity) = client.identity() else {
        return Ok(Exit::Refused(format!("you are nobody on {server} yet: play there first")));
    };
    if let Err(why) = identity::save(file, &identity) {
        return Ok(Exit::Refused(why));
    }
    let name = &identity.name;
    print_line(&format!("Saved to {}: you are {name} on {server}.", file.display()))?;
    print_line(identity_file::WORTH)?;
    print_line("On another device: noughts identity load FILE, or the page's settings.")?;
    Ok(Exit::Done)
}

/// Becomes the player of a file, if the server knows them.
pub(super) async fn load(
    client: &mut Client,
    identity: &IdentityFile,
    yes: bool,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let server = client.choice.server.clone();
    let now = client.profile.saved.token(&server);
    if now == Some(&identity.token) {
        print_line(&format!("You are {} on {server} already.", identity.name))?;
        return Ok(Exit::Done);
    }
    if now.is_some() && !yes {
        let name = &client.profile.name;
        print_line(&format!(
            "You are {name} on {server} now. After this you are {} there, and nobody can be {name} \
             again who has not saved that identity.",
            identity.name
        ))?;
        if !agrees(lines).await? {
            print_line("Nothing has changed.")?;
            return Ok(Exit::Done);
        }
    }
    let destination = Destination {
        name: identity.name.clone(),
        token: Some(identity.token.clone()),
        ..client.destination()
    };
    let mut query = Query::open_as(client, destination, lines, writer)?;
    let welcome = match query.welcome().await? {
        Ok(welcome) => welcome,
        Err(exit) => return Ok(exit),
    };
    if welcome.token != identity.token {
        return Ok(Exit::Refused(format!(
            "{server} does not know this identity: it is of another server, or was forgotten. \
             Nothing has changed"
        )));
    }
    for change in [
        Change::Forgotten(server.clone()),
        Change::Welcomed {
            server: server.clone(),
            name: welcome.name.clone(),
            token: welcome.token.clone(),
            typed: true,
            password: None,
        },
    ] {
        writer.write(change);
    }
    print_line(&format!("You are {} on {server} now.", welcome.name))?;
    Ok(Exit::Done)
}
