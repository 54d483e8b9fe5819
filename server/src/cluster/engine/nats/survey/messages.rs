//! Whether messages pass from each server to each: a node hears only the nodes from which they do.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::join_all;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::super::super::Finding;
use super::Reached;

/// How long the messages may take. The servers tell each other first that somebody waits for them.
const TIME: Duration = Duration::from_secs(3);

/// How often each server is given a message meanwhile.
const EVERY: Duration = Duration::from_millis(100);

/// Sends messages over each server, and waits until all of them have come out of each.
pub(super) async fn pass(reached: &[Reached], prefix: &str) -> Finding {
    let subject = format!("{prefix}.node.check-{:016x}", rand::random::<u64>());
    let sending = async {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            for (server, number) in reached.iter().zip(0_u8..) {
                // One that is lost does not arrive, and that is what is looked for.
                drop(server.client.publish(subject.clone(), Bytes::from(vec![number])).await);
            }
        }
    };
    let hearing = join_all(reached.iter().map(|server| hear(server, &subject, reached.len())));
    let heard = tokio::select! {
        heard = hearing => heard,
        () = sending => Vec::new(),
    };
    for (to, heard) in reached.iter().zip(&heard) {
        if let Some((from, _)) = reached.iter().zip(heard).find(|(_, heard)| !**heard) {
            let subjects = format!("`{prefix}.node.*`");
            return Finding::Problem(if from.address == to.address {
                format!(
                    "NATS server {} does not bring a message back: a node must publish and subscribe to \
                     {subjects}",
                    to.address
                )
            } else {
                format!(
                    "no message passes from NATS server {} to {}: they need routes to each other (port \
                     6222), and a node must publish and subscribe to {subjects}",
                    from.address, to.address
                )
            });
        }
    }
    Finding::Well(match reached {
        [_] => "messages pass, over the one NATS server that is reached".to_owned(),
        _ => format!("messages pass from each of the {} NATS servers to each", reached.len()),
    })
}

/// Returns the servers whose messages come out of a server.
async fn hear(server: &Reached, subject: &str, count: usize) -> Vec<bool> {
    let mut heard = vec![false; count];
    let hearing = async {
        let Ok(mut messages) = server.client.subscribe(subject.to_owned()).await else { return };
        while heard.contains(&false) {
            let Some(message) = messages.next().await else { return };
            let number = message.payload.first().map_or(count, |number| usize::from(*number));
            heard.get_mut(number).into_iter().for_each(|heard| *heard = true);
        }
    };
    // A message that has not come until then is lost.
    let _ = timeout(TIME, hearing).await;
    heard
}
