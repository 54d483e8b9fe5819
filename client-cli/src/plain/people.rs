//! People in lines of text: profiles, the strongest players, and who one is: on another device, saved to
//! a file, read from one, or forgotten.

use std::io::{self, Write};
use std::path::Path;

use noughts_client::connection::Destination;
use noughts_client::session::Welcome;
use noughts_protocol::{Found, IdentityFile, LobbyIntent, PlayerName, identity_file};
use serde::Serialize;

use super::query::{Query, something_else};
use super::{Ended, Plain};
use crate::args::{ForgetArgs, LeadersArgs, PassArgs, ProfileArgs};
use crate::client::{Client, Exit};
use crate::config::Change;
use crate::identity;
use crate::stdio::Stdio;
use crate::strings::people::{self, PeopleTarget};

/// The warning beside a pass.
const PASS: &str = "Who has it is you, once, for two minutes: show it to nobody.";

/// Prints a profile.
pub(super) async fn profile(plain: &mut Plain, args: &ProfileArgs) -> Result<(), Ended> {
    let ascii = plain.client.options.ascii;
    let mut query = Query::open(plain)?;
    let player = args.player.as_ref().map(|player| player.id);
    let Found::Profile { profile } = query.ask(LobbyIntent::Profile { player }).await? else {
        return Err(something_else());
    };
    if args.json {
        return print_json(&mut query.plain.stdio, &profile);
    }
    let own = query.player() == Some(profile.player);
    let stdio = &mut query.plain.stdio;
    stdio.print_line(&people::name(&profile, own))?;
    people::profile(&profile, own, ascii).iter().try_for_each(|row| match row.target {
        // The id leads to the game: noughts replay ID.
        Some(PeopleTarget::Game(id)) => stdio.print_line(&format!("{}  {id}", row.text)),
        _ => stdio.print_line(&row.text),
    })?;
    Ok(())
}

/// Prints the strongest players.
pub(super) async fn leaders(plain: &mut Plain, args: &LeadersArgs) -> Result<(), Ended> {
    let ascii = plain.client.options.ascii;
    let mut query = Query::open(plain)?;
    let intent = LobbyIntent::Leaderboard { class: args.class, period: args.period };
    let Found::Leaderboard { leaderboard } = query.ask(intent).await? else {
        return Err(something_else());
    };
    if args.json {
        return print_json(&mut query.plain.stdio, &leaderboard);
    }
    let stdio = &mut query.plain.stdio;
    stdio.print_line(&people::leaders_title(leaderboard.class, leaderboard.period))?;
    people::leaders(&leaderboard, ascii).iter().try_for_each(|row| stdio.print_line(&row.text))?;
    Ok(())
}

fn print_json(stdio: &mut Stdio, value: &impl Serialize) -> Result<(), Ended> {
    Ok(stdio.print_line(&serde_json::to_string(value).map_err(io::Error::other)?)?)
}

/// Asks to be forgotten.
pub(super) async fn forget(plain: &mut Plain, args: ForgetArgs) -> Result<(), Ended> {
    let Plain { client, stdio, .. } = &mut *plain;
    let server = client.choice.server.clone();
    if client.profile.saved.token(&server).is_none() {
        return Err(Exit::Refused(format!("you are nobody on {server} yet")).into());
    }
    if !args.yes {
        let name = &client.profile.name;
        stdio.print_line(&format!("You are {name} on {server}. {}", people::FORGET))?;
        agree(stdio).await?;
    }
    Query::open(plain)?.forget().await?;
    Ok(plain.stdio.print_line(&format!("You are forgotten on {server}."))?)
}

/// Goes on if the player types yes.
async fn agree(stdio: &mut Stdio) -> Result<(), Ended> {
    stdio.print_line("Type yes to go on.")?;
    let line = stdio.answer().await?.unwrap_or_default();
    if line.trim().eq_ignore_ascii_case("yes") {
        return Ok(());
    }
    stdio.print_line("Nothing has changed.")?;
    Err(Exit::Done.into())
}

/// Saves who the player is on the server.
pub(crate) fn save(client: &Client, file: &Path) -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    let server = &client.choice.server;
    let Some(identity) = client.identity() else {
        return Ok(Exit::Refused(format!("you are nobody on {server} yet: play there first")));
    };
    if let Err(why) = identity::save(file, &identity) {
        return Ok(Exit::Refused(why));
    }
    let name = &identity.name;
    writeln!(out, "Saved to {}: you are {name} on {server}.", file.display())?;
    writeln!(out, "{}", identity_file::WORTH)?;
    writeln!(out, "On another device: noughts identity load FILE, or the page's settings.")?;
    Ok(Exit::Done)
}

/// Prints a pass for another device, or becomes the player of one.
pub(super) async fn pass(plain: &mut Plain, args: &PassArgs) -> Result<(), Ended> {
    let Some(pass) = &args.pass else { return make_pass(plain).await };
    if !plain.client.profile.is_kept {
        let why =
            "nothing is kept of a guest: come with an ssh key, and it is that player from then on";
        return Err(Exit::Refused(why.to_owned()).into());
    }
    let server = plain.client.choice.server.clone();
    let now = plain.client.profile.saved.token(&server).cloned();
    if now.is_some() && !args.yes {
        agree_to_lose(plain, "the player of that pass").await?;
    }
    let destination = Destination { pass: Some(pass.id.clone()), ..plain.client.destination() };
    let welcome = Query::open_as(plain, destination)?.welcome().await?;
    if now.as_ref() == Some(&welcome.token) {
        let name = &welcome.name;
        return Ok(plain.stdio.print_line(&format!("You are {name} on {server} already."))?);
    }
    let name = welcome.name.clone();
    keep(plain, *welcome, name)
}

async fn make_pass(plain: &mut Plain) -> Result<(), Ended> {
    let mut query = Query::open(plain)?;
    let code = query.pass().await?;
    let welcome = query.welcome().await?;
    let Plain { client, stdio, .. } = plain;
    let address = client.choice.server.share_address(&welcome.server);
    let command = client.options.way_in.invitation(&format!("pass {}", code.reveal()), &address);
    stdio.print_line(&format!(
        "Open this on your other device, or type the line below it. {PASS}"
    ))?;
    stdio.print_line(&address.pass_link(&code))?;
    Ok(stdio.print_line(&command)?)
}

/// Becomes the player of a file, if the server knows them.
pub(super) async fn load(
    plain: &mut Plain,
    identity: &IdentityFile,
    yes: bool,
) -> Result<(), Ended> {
    let server = plain.client.choice.server.clone();
    let now = plain.client.profile.saved.token(&server);
    if now == Some(&identity.token) {
        let name = &identity.name;
        return Ok(plain.stdio.print_line(&format!("You are {name} on {server} already."))?);
    }
    if now.is_some() && !yes {
        agree_to_lose(plain, identity.name.as_str()).await?;
    }
    let destination = Destination {
        name: identity.name.clone(),
        token: Some(identity.token.clone()),
        ..plain.client.destination()
    };
    let welcome = Query::open_as(plain, destination)?.welcome().await?;
    if welcome.token != identity.token {
        let why = format!(
            "{server} does not know this identity: it is of another server, or was forgotten. \
             Nothing has changed"
        );
        return Err(Exit::Refused(why).into());
    }
    // The host of this server may have given another name.
    keep(plain, *welcome, identity.name.clone())
}

/// Goes on if the player agrees to be somebody else from now on.
async fn agree_to_lose(plain: &mut Plain, other: &str) -> Result<(), Ended> {
    let Plain { client, stdio, .. } = plain;
    let server = &client.choice.server;
    let name = &client.profile.name;
    stdio.print_line(&format!(
        "You are {name} on {server} now. After this you are {other} there, and nobody can be {name} \
         again who has not saved that identity."
    ))?;
    agree(stdio).await
}

/// The player of this file is the one of the welcome from now on, and wants this name.
fn keep(plain: &mut Plain, welcome: Welcome, name: PlayerName) -> Result<(), Ended> {
    let server = plain.client.choice.server.clone();
    plain.writer.write(Change::Forgotten(server.clone()));
    let said = format!("You are {} on {server} now.", welcome.name);
    plain.writer.write(Change::Welcomed {
        server,
        name,
        token: welcome.token,
        typed: true,
        password: None,
    });
    Ok(plain.stdio.print_line(&said)?)
}
