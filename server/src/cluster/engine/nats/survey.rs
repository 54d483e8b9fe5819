//! A look at the servers of a cluster, for a host who has configured them: whether a node can use them,
//! and what it would find there. It makes no stream and stores nothing.

mod log;
mod messages;

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, Event, ServerAddr, ServerInfo};
use futures::future::join_all;
use parking_lot::Mutex;
use tokio::time::timeout;

use super::super::{Delivered, Finding};
use super::requests::Requests;
use super::{NatsConfig, connection, monitor};
use crate::journal::store::Durability;

/// How long one server may take until the connection stands.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// The first version that writes to the disk at once and is fast.
const VERSION: (u32, u32) = (2, 15);

/// The most complaints of servers that are kept.
const MAX_COMPLAINTS: usize = 16;

/// The complaints of servers about rights that the node lacks.
type Complaints = Arc<Mutex<Vec<String>>>;

/// A server that took the connection.
struct Reached {
    /// Its address without a password, as the host wrote it.
    address: String,
    host: String,
    client: Client,
    requests: Requests,
    info: ServerInfo,
}

/// Looks at the servers. Also returns the newest record of the log, if it could be read.
pub(in super::super) async fn survey(
    config: &NatsConfig,
    durability: Durability,
) -> (Vec<Finding>, Option<Delivered>) {
    let mut findings = Vec::new();
    let servers = match connection::servers(config) {
        Ok(servers) => servers,
        Err(error) => return (vec![Finding::Problem(error.to_string())], None),
    };
    let complaints = Complaints::default();
    let reaching = servers.iter().map(|server| reach(config, &servers, server, &complaints));
    let mut reached = Vec::new();
    for result in join_all(reaching).await {
        match result {
            Ok(server) => {
                findings.push(version(&server, durability));
                reached.push(server);
            }
            Err(problem) => {
                // Credentials that cannot be read are one problem, not one for each server.
                if !findings.contains(&problem) {
                    findings.push(problem);
                }
            }
        }
    }
    let Some(first) = reached.first() else { return (findings, None) };
    findings.extend(same_cluster(&reached));
    findings.push(messages::pass(&reached, &config.prefix).await);
    let (found, newest) = log::look(first, config).await;
    findings.extend(found);
    findings.extend(disks(&reached, durability).await);
    let complaints = std::mem::take(&mut *complaints.lock());
    findings.extend(complaints.split_first().map(|(first, others)| {
        let more = match others.len() {
            0 => String::new(),
            count => format!(" and {count} times alike"),
        };
        Finding::Problem(format!(
            "NATS says {first}{more}: packaging/cluster/nats.conf has the rights that a node needs, with the \
             value of --cluster-name"
        ))
    }));
    (findings, newest)
}

/// Connects to one server, and to no other that it tells of.
async fn reach(
    config: &NatsConfig,
    servers: &[ServerAddr],
    server: &ServerAddr,
    complaints: &Complaints,
) -> Result<Reached, Finding> {
    let options = connection::options(config, servers).await;
    let options = options.map_err(|error| Finding::Problem(error.to_string()))?;
    let complaints = Arc::clone(complaints);
    let options = options.ignore_discovered_servers().event_callback(move |event| {
        note(&event, &complaints);
        std::future::ready(())
    });
    let address = format!("{}:{}", server.host(), server.port());
    let name = format!("NATS server {address}");
    let client = match timeout(CONNECT_TIME, options.connect(server.clone())).await {
        Ok(Ok(client)) => client,
        Ok(Err(error)) => {
            return Err(Finding::Problem(refusal(&name, error.kind(), &error.to_string())));
        }
        Err(_) => return Err(Finding::Problem(format!("{name} does not answer"))),
    };
    let requests = Requests::new(client.clone()).await;
    let requests = requests.map_err(|error| Finding::Problem(format!("{name}: {error}")))?;
    let info = client.server_info();
    Ok(Reached { address, host: server.host().to_owned(), client, requests, info })
}

fn note(event: &Event, complaints: &Mutex<Vec<String>>) {
    if let Event::ServerError(error) = event {
        let text = error.to_string();
        let text = text.strip_prefix("nats: ").unwrap_or(&text).to_owned();
        let mut complaints = complaints.lock();
        if complaints.len() < MAX_COMPLAINTS && !complaints.contains(&text) {
            complaints.push(text);
        }
    }
}

/// Says why a server was not reached, and what to do.
fn refusal(name: &str, kind: ConnectErrorKind, error: &str) -> String {
    match kind {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => format!(
            "{name} refuses this node ({kind}): it has to know the public key of the file of \
             --cluster-credentials"
        ),
        ConnectErrorKind::TimedOut => format!("{name} does not answer"),
        _ if error.contains("corrupt message") => format!(
            "{name} does not speak TLS ({error}): its block `tls` is missing, or else leave --cluster-ca \
             out and write nats:// in place of tls://"
        ),
        _ if error.contains("certificate") => format!(
            "{name} cannot be trusted ({error}): --cluster-ca names the authority that has signed its \
             certificate, which must name this host"
        ),
        _ => format!("{name} cannot be reached ({error})"),
    }
}

/// Says the version of a server, and whether a node can use it.
fn version(server: &Reached, durability: Durability) -> Finding {
    let ServerInfo { version, server_name, .. } = &server.info;
    let is = format!("NATS server {} is {server_name} and has version {version}", server.address);
    if durability == Durability::Power && parse(version).is_none_or(|version| version < VERSION) {
        let (major, minor) = VERSION;
        return Finding::Problem(format!(
            "{is}: moves survive a power cut with {major}.{minor} or later, or say --durability process"
        ));
    }
    Finding::Well(is)
}

fn parse(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Whether servers that were reached say that they are different clusters.
fn same_cluster(reached: &[Reached]) -> Option<Finding> {
    let cluster = |server: &Reached| server.info.cluster.clone();
    let (first, others) = reached.split_first()?;
    let other = others.iter().find(|other| cluster(other) != cluster(first))?;
    Some(Finding::Problem(format!(
        "NATS servers {} and {} are not in one cluster: their block `cluster` needs the same name, and \
         routes to each other",
        first.address, other.address
    )))
}

/// Says whether a move is on the disks before it counts, as far as that can be seen.
async fn disks(reached: &[Reached], durability: Durability) -> Vec<Finding> {
    if durability == Durability::Process {
        let well = "moves survive the end of any one machine, and perhaps no power cut: \
                    --durability process asks for no more";
        return vec![Finding::Well(well.to_owned())];
    }
    let asked = reached.iter().map(|server| async {
        let found = monitor::writes_at_once(&server.host, &server.info.server_id).await;
        (found, server.address.as_str())
    });
    let asked = join_all(asked).await;
    let those = |wanted: Option<bool>| {
        let those = asked.iter().filter(|(found, _)| *found == wanted).map(|(_, address)| *address);
        those.collect::<Vec<_>>().join(", ")
    };
    let (at_once, later, unseen) = (those(Some(true)), those(Some(false)), those(None));
    let mut findings = Vec::new();
    if !at_once.is_empty() {
        findings.push(Finding::Well(format!(
            "a move is on the disk before it counts, on {at_once} (`sync_interval: always`)"
        )));
    }
    if !later.is_empty() {
        findings.push(Finding::Problem(format!(
            "a move counts before it is on the disk, on {later}: for --durability power write \
             `sync_interval: always` into the block `jetstream` of NATS, or say --durability process"
        )));
    }
    if !unseen.is_empty() {
        findings.push(Finding::Unseen(format!(
            "whether a move is on the disk before it counts, on {unseen}: a node may not ask, and the \
             monitoring port 8222 cannot be reached from here. --durability power needs `sync_interval: \
             always` in the block `jetstream` of NATS; `curl -s 127.0.0.1:8222/jsz` there says \
             `sync_always`"
        )));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_compared_by_its_numbers() {
        assert!(parse("2.15.0-beta.1").is_some_and(|version| version >= VERSION));
        assert!(parse("2.9.10").is_some_and(|version| version < VERSION));
        assert_eq!((parse(""), parse("x.y"), parse("3")), (None, None, None));
    }
}
