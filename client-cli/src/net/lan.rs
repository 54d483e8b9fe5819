//! Chooses a server if none was named: one on the network, one that was used before, or one on this
//! machine. [`mod@discover`] finds servers, [`mod@probe`] asks them, and this module decides.

use std::io::{IsTerminal, Write};
use std::net::IpAddr;

use futures::future::join_all;
use noughts_client::address::ServerAddress;
use noughts_client::connection::Trust;
use noughts_protocol::{LobbyIntent, Reach, RoomCode};

use crate::action::Action;
use crate::client::{Client, Exit};
use crate::net::servers::KnownServer;
use discover::discover;
use probe::{ProbeAnswer, probe};

mod discover;
pub(crate) mod probe;

/// The choice that the answers lead to.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// Use this server.
    Use(KnownServer),
    /// The player has to choose.
    Choose(Vec<KnownServer>),
    /// No server answers: use the default.
    Default,
    /// None of these servers has the room.
    NoRoom(Vec<KnownServer>),
}

/// Chooses the server of a run that names none. This takes two seconds, four at most. With
/// `--server` or `--no-discovery` it returns at once.
///
/// # Errors
/// The exit, if the player cannot choose here, or no server has the room.
pub(crate) async fn choose_server(mut client: Client) -> Result<Client, Exit> {
    let room = match client.options.action {
        Action::Enter(LobbyIntent::Join { room, .. }) => Some(room),
        // A party's code is asked for like a room's.
        Action::Enter(LobbyIntent::JoinParty { party, .. }) => Some(party.0),
        _ => None,
    };
    // A player with a seat returns to it.
    let seated = room.is_some() && room == client.profile.saved.room;
    if client.choice.named || !client.options.discovery || seated {
        return Ok(client);
    }
    if std::io::stderr().is_terminal() {
        print_status("Looking for servers on this network...");
    }
    let command = room.is_none() && client.options.action != Action::Menu;
    let last = client.profile.saved.server().filter(|last| command && !is_bridge(last));
    let trust = client.options.trust.clone();
    let search = find_servers(client.usual_servers(), &trust, room, true);
    let (answers, problems) = tokio::select! {
        biased;
        // A command prefers the last server, if that answers.
        Some(_) = async { probe(last.as_ref()?, &trust, None).await.ok() } => {
            client.choice.discovered.extend(last);
            return Ok(client);
        }
        found = search => found,
    };
    problems.iter().for_each(|problem| print_status(problem));
    client.choice.discovered = answers.iter().map(|(known, _)| known.server.clone()).collect();
    match decide(answers, room) {
        Decision::Use(known) => {
            let found = format!("Found {known}.");
            print_status(&found);
            client.choice.found = Some(found);
            client.choice.server = known.server;
        }
        Decision::Choose(servers)
            if (!client.options.plain && !client.options.action.prints())
                || client.options.action == Action::Menu =>
        {
            client.choice.server = servers[0].server.clone();
            client.choice.candidates = servers;
        }
        Decision::Choose(servers) => return Err(Exit::Refused(several_servers(&servers))),
        Decision::Default => client.warning = client.warning.or(problems.into_iter().next()),
        Decision::NoRoom(servers) => {
            let names = servers.iter().map(|known| known.server.to_string());
            let names = names.collect::<Vec<_>>().join(", ");
            let code = room.map(|room| room.to_string()).unwrap_or_default();
            return Err(Exit::Refused(format!(
                "no room {code} on any server that answers ({names}): check the code, or name \
                 the server with --server"
            )));
        }
    }
    Ok(client)
}

/// Prints the servers that answer, one a line, the address first.
///
/// # Errors
/// If the output cannot be written.
pub(crate) async fn print(client: &Client) -> std::io::Result<Exit> {
    let (answers, problems) =
        find_servers(client.usual_servers(), &client.options.trust, None, client.options.discovery)
            .await;
    let mut out = std::io::stdout().lock();
    for (known, answer) in &answers {
        writeln!(out, "{}  {}{}", known.server, answer.name, known.details())?;
    }
    match (&answers[..], problems) {
        ([], problems) if !problems.is_empty() => Ok(Exit::Lost(problems.join("; "))),
        ([], _) => Ok(Exit::Lost(no_server())),
        (_, problems) => {
            problems.iter().for_each(|problem| print_status(problem));
            Ok(Exit::Done)
        }
    }
}

/// The text if no server is found.
fn no_server() -> String {
    "no server answers here. Some networks hide servers from each other: ask the host for the \
     address, and give it with --server"
        .to_owned()
}

/// The text if several servers are found, in one line.
fn several_servers(servers: &[KnownServer]) -> String {
    let list: Vec<String> = servers.iter().map(ToString::to_string).collect();
    let list = list.join("; ");
    format!(
        "several servers answer (`noughts servers` prints them): choose one with --server: {list}"
    )
}

/// Writes a line for people to standard error.
fn print_status(line: &str) {
    // A closed standard error is ignored.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The servers that answer, with their answers, and what is wrong with other servers.
type Reachable = (Vec<(KnownServer, ProbeAnswer)>, Vec<String>);

/// Finds all servers that answer: first those on the network, then the `usual` ones.
async fn find_servers(
    usual: Vec<KnownServer>,
    trust: &Trust,
    room: Option<RoomCode>,
    discovery: bool,
) -> Reachable {
    let network = async {
        let found = if discovery { discover().await } else { Vec::new() };
        probe_all(found, trust, room).await
    };
    let ((mut all, problems), (usual, _)) = futures::join!(network, probe_all(usual, trust, room));
    let ours = own_addresses();
    for (known, answer) in usual {
        let same =
            |(other, _): &(KnownServer, ProbeAnswer)| is_same(&known.server, &other.server, &ours);
        if !all.iter().any(same) {
            all.push((known, answer));
        }
    }
    (all, problems)
}

/// Asks servers at all their addresses and keeps the first address that answers. If a server uses
/// TLS and none of its addresses works, the second list says why; often its certificate has another
/// name.
async fn probe_all(servers: Vec<KnownServer>, trust: &Trust, room: Option<RoomCode>) -> Reachable {
    let probes = servers.into_iter().map(|known| async move {
        let places: Vec<ServerAddress> =
            std::iter::once(&known.server).chain(&known.elsewhere).cloned().collect();
        let answers = join_all(places.iter().map(|place| probe(place, trust, room))).await;
        let mut first = None;
        let mut why = None;
        for (server, answer) in places.into_iter().zip(answers) {
            match answer {
                Ok(answer) if first.is_none() => first = Some((server, answer)),
                Err(problem) if server.is_secure() => why = why.or(problem),
                _ => {}
            }
        }
        let (server, answer) = first.ok_or(why.map(|why| why.to_string()))?;
        let name = Some(answer.name.clone());
        Ok::<_, Option<String>>((
            KnownServer { server, name, elsewhere: Vec::new(), ..known },
            answer,
        ))
    });
    let mut there = Vec::new();
    let mut problems = Vec::new();
    for result in join_all(probes).await {
        match result {
            Ok(found) => there.push(found),
            Err(problem) => problems.extend(problem),
        }
    }
    (there, problems)
}

/// The name and an address of an interface of this machine.
type OwnInterface = (String, IpAddr);

fn own_interfaces() -> Vec<OwnInterface> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    let named = |interface: if_addrs::Interface| {
        let ip = interface.ip();
        (interface.name, ip)
    };
    all.into_iter().map(named).collect()
}

/// The reach of an address, which may be one of this machine's own.
fn reach_of(ip: IpAddr, own: &[OwnInterface]) -> Option<Reach> {
    let name = own.iter().find(|(_, other)| *other == ip).map_or("", |(name, _)| name);
    Reach::of(name, ip)
}

/// Whether a server is behind an address that only this machine and its containers can use. A friend
/// who is told such an address cannot come.
fn is_bridge(server: &ServerAddress) -> bool {
    let ip = server.host_and_port().0.parse().ok();
    ip.and_then(|ip| reach_of(ip, &own_interfaces())) == Some(Reach::Virtual)
}

/// The addresses of this machine, as they are written in a URL.
fn own_addresses() -> Vec<String> {
    let written = |ip| match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    own_interfaces().into_iter().map(|(_, ip)| written(ip)).collect()
}

/// Whether two addresses are the same server: both may be this machine, under different names.
fn is_same(one: &ServerAddress, other: &ServerAddress, ours: &[String]) -> bool {
    let here = |server: &ServerAddress| {
        server.is_local() || ours.iter().any(|own| server.host() == own.as_str())
    };
    one == other || (here(one) && here(other) && one.port() == other.port())
}

fn decide(answers: Vec<(KnownServer, ProbeAnswer)>, room: Option<RoomCode>) -> Decision {
    let fits = |answer: &ProbeAnswer| room.is_none() || answer.has_room == Some(true);
    let (mut fit, mut unfit): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|(_, answer)| fits(answer));
    if fit.is_empty() {
        (fit, unfit) = unfit.into_iter().partition(|(_, answer)| answer.has_room.is_none());
    }
    let known = |list: Vec<(KnownServer, ProbeAnswer)>| -> Vec<KnownServer> {
        list.into_iter().map(|(known, _)| known).collect()
    };
    let fit = known(fit);
    let unfit = known(unfit);
    match (&fit[..], &unfit[..]) {
        // A single server without the room refuses the code itself, and the player can correct it
        // there.
        ([one], _) | ([], [one]) => Decision::Use(one.clone()),
        ([], []) => Decision::Default,
        ([], _) => Decision::NoRoom(unfit),
        _ => Decision::Choose(fit),
    }
}

#[cfg(test)]
mod tests;
