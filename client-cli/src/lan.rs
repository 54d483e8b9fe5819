//! Which server to use when none was named: one that announces itself on the network, one that was
//! used before, or one on this machine. Finding them is [`mod@discover`]'s, asking them
//! [`mod@ask`]'s; what follows from the answers is decided here.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::net::IpAddr;

use futures::future::join_all;
use noughts_protocol::{DisplayText, RoomCode};

use crate::address::ServerAddress;
use crate::connection::trust::Trust;
use crate::goal::Goal;
use crate::start::{Exit, Start};
use ask::{Answer, ask};
use discover::discover;

mod ask;
mod discover;

/// A server that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Where it is.
    pub server: ServerAddress,
    /// Where else it may be, the likeliest first.
    pub elsewhere: Vec<ServerAddress>,
    /// What it is called, once it said so or announced it.
    pub name: Option<DisplayText>,
    /// How many public rooms wait for somebody, where it announced that.
    pub waiting: Option<u32>,
    /// How we know of it.
    pub origin: Origin,
}

/// How we know of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It announces itself.
    Network,
    /// It was used before.
    Before,
    /// It would be on this machine.
    Here,
}

impl Known {
    /// A server of which only the address is known.
    #[must_use]
    pub const fn at(server: ServerAddress, origin: Origin) -> Self {
        Self { server, elsewhere: Vec::new(), name: None, waiting: None, origin }
    }

    /// The rooms that wait, and how we know of the server.
    fn details(&self) -> String {
        let waiting = match self.waiting {
            Some(1) => ", 1 room waiting".to_owned(),
            Some(rooms @ 2..) => format!(", {rooms} rooms waiting"),
            Some(0) | None => String::new(),
        };
        let origin = match self.origin {
            Origin::Network => "",
            Origin::Before => " (used before)",
            Origin::Here => " (this machine)",
        };
        waiting + origin
    }
}

/// Name, address and what else is known, in words.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_ref().map_or("a server", DisplayText::as_str);
        write!(f, "{name} at {}{}", self.server, self.details())
    }
}

/// What the answers lead to.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// This one.
    Use(Known),
    /// The player has to say which.
    Choose(Vec<Known>),
    /// Nobody answers: the server that is used without a search.
    Usual,
    /// None of these has the room.
    NoRoom(Vec<Known>),
}

/// Finds the server of a run for which none was named. Takes two seconds, four at most;
/// `--server` and `--no-discovery` take none.
///
/// # Errors
/// With the exit, where the player would have to choose and cannot, or no server has the room.
pub async fn settle(mut start: Start) -> Result<Start, Exit> {
    let room = match start.goal {
        Goal::Join { room, .. } => Some(room),
        _ => None,
    };
    // Whoever has a seat goes back to it.
    let seated = room.is_some() && room == start.room();
    if start.server_given || !start.discovery || seated {
        return Ok(start);
    }
    if std::io::stderr().is_terminal() {
        tell("Looking for servers on this network...");
    }
    let last = start.last_server().filter(|_| room.is_none() && start.goal != Goal::Menu);
    let trust = start.trust().clone();
    let search = survey(start.usual(), &trust, room, true);
    let (answers, problems) = tokio::select! {
        biased;
        // A command goes where the last one went, as long as that is there.
        Some(_) = async { ask(last.as_ref()?, &trust, None).await.ok() } => {
            start.discovered.extend(last);
            return Ok(start);
        }
        found = search => found,
    };
    problems.iter().for_each(|problem| tell(problem));
    start.discovered = answers.iter().map(|(known, _)| known.server.clone()).collect();
    match decide(answers, room) {
        Decision::Use(known) => {
            let found = format!("Found {known}.");
            tell(&found);
            start.found = Some(found);
            start.server = known.server;
        }
        Decision::Choose(servers) if !start.plain || start.goal == Goal::Menu => {
            start.server = servers[0].server.clone();
            start.servers = servers;
        }
        Decision::Choose(servers) => return Err(Exit::Refused(several(&servers))),
        Decision::Usual => start.note = start.note.or(problems.into_iter().next()),
        Decision::NoRoom(servers) => {
            let asked = servers.iter().map(|known| known.server.to_string());
            let asked = asked.collect::<Vec<_>>().join(", ");
            let code = room.map(|room| room.to_string()).unwrap_or_default();
            return Err(Exit::Refused(format!(
                "no room {code} on any server that answers ({asked}): check the code, or say where \
                 with --server"
            )));
        }
    }
    Ok(start)
}

/// Prints the servers that can be used, a line each, the address first.
///
/// # Errors
/// Where the output cannot be written.
pub async fn print(start: &Start) -> std::io::Result<Exit> {
    let (answers, problems) = survey(start.usual(), start.trust(), None, start.discovery).await;
    let mut out = std::io::stdout().lock();
    for (known, answer) in &answers {
        writeln!(out, "{}  {}{}", known.server, answer.name, known.details())?;
    }
    match (&answers[..], problems) {
        ([], problems) if !problems.is_empty() => Ok(Exit::Lost(problems.join("; "))),
        ([], _) => Ok(Exit::Lost(nobody())),
        (_, problems) => {
            problems.iter().for_each(|problem| tell(problem));
            Ok(Exit::Done)
        }
    }
}

/// What to say when no server is found.
fn nobody() -> String {
    "no server answers here: some networks hide them from each other, so ask the host for the \
     address and give it with --server"
        .to_owned()
}

/// One line, as a problem is told; where it is cut, the rest can be asked for.
fn several(servers: &[Known]) -> String {
    let list: Vec<String> = servers.iter().map(ToString::to_string).collect();
    let list = list.join("; ");
    format!(
        "several servers answer (`noughts servers` prints them): say which with --server: {list}"
    )
}

/// For people, beside the program's output.
fn tell(line: &str) {
    // Who closed it does not want to know.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Those that answer, each with its answer, and what is wrong with others that are there.
type Found = (Vec<(Known, Answer)>, Vec<String>);

/// Every server that answers: those on the network first, where it may be searched, then `usual`
/// ones.
async fn survey(
    usual: Vec<Known>,
    trust: &Trust,
    room: Option<RoomCode>,
    discovery: bool,
) -> Found {
    let network = async {
        let found = if discovery { discover().await } else { Vec::new() };
        answering(found, trust, room).await
    };
    let ((mut all, problems), (usual, _)) = futures::join!(network, answering(usual, trust, room));
    let ours = own_addresses();
    for (known, answer) in usual {
        let same = |(other, _): &(Known, Answer)| is_same(&known.server, &other.server, &ours);
        if !all.iter().any(same) {
            all.push((known, answer));
        }
    }
    (all, problems)
}

/// Those of the servers that answer, at the first of their addresses that does. Of one that does
/// at none although it encrypts, it is told why: most likely its certificate names it otherwise.
async fn answering(servers: Vec<Known>, trust: &Trust, room: Option<RoomCode>) -> Found {
    let asked = servers.into_iter().map(|known| async move {
        let places: Vec<ServerAddress> =
            std::iter::once(&known.server).chain(&known.elsewhere).cloned().collect();
        let answers = join_all(places.iter().map(|place| ask(place, trust, room))).await;
        let (mut first, mut why) = (None, None);
        for (server, answer) in places.into_iter().zip(answers) {
            match answer {
                Ok(answer) if first.is_none() => first = Some((server, answer)),
                Err(problem) if server.is_secure() => why = why.or(problem),
                _ => {}
            }
        }
        let (server, answer) = first.ok_or(why.map(|why| why.to_string()))?;
        let name = Some(answer.name.clone());
        Ok::<_, Option<String>>((Known { server, name, elsewhere: Vec::new(), ..known }, answer))
    });
    let (mut there, mut problems) = (Vec::new(), Vec::new());
    for asked in join_all(asked).await {
        match asked {
            Ok(found) => there.push(found),
            Err(problem) => problems.extend(problem),
        }
    }
    (there, problems)
}

/// The addresses of this machine, as they are written in a URL.
fn own_addresses() -> Vec<String> {
    let written = |ip| match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    all.iter().map(|interface| written(interface.ip())).collect()
}

/// Whether two addresses are one server, since one is that of this machine by another name.
fn is_same(one: &ServerAddress, other: &ServerAddress, ours: &[String]) -> bool {
    let here = |server: &ServerAddress| {
        server.is_local() || ours.iter().any(|own| server.host() == own.as_str())
    };
    one == other || (here(one) && here(other) && one.port() == other.port())
}

fn decide(answers: Vec<(Known, Answer)>, room: Option<RoomCode>) -> Decision {
    let fits = |answer: &Answer| room.is_none() || answer.has_room;
    let (fit, unfit): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(_, answer)| fits(answer));
    let known = |list: Vec<(Known, Answer)>| -> Vec<Known> {
        list.into_iter().map(|(known, _)| known).collect()
    };
    let (fit, unfit) = (known(fit), known(unfit));
    match (&fit[..], &unfit[..]) {
        // One alone that lacks the room says so itself, and there the code can be mended.
        ([one], _) | ([], [one]) => Decision::Use(one.clone()),
        ([], []) => Decision::Usual,
        ([], _) => Decision::NoRoom(unfit),
        _ => Decision::Choose(fit),
    }
}

#[cfg(test)]
mod tests;
