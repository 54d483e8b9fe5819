//! Two terminals with chaos on both ends of their connections: messages are lost, doubled and late,
//! connections are cut, and the game ends as it should.

use noughts_harness::{PATIENCE, Pipe, ServerProcess};
use tempfile::TempDir;

/// Lost messages cost 10 to 20 s each, until an answer or a heartbeat is missed; most of what
/// happens here is noticed at once.
const CHAOS: &str = "drop=1/300,dup=15%,delay=30ms,kill=1/40";

/// A terminal in a room, and the room's code. One whose very first connection is cut ends, as there
/// is nothing to come back to yet; a person would try again.
fn enter(server: &ServerProcess, name: &str, seed: u32, args: &[&str]) -> (Pipe, String, TempDir) {
    let (address, folder) = (server.address().to_string(), tempfile::tempdir().unwrap());
    for attempt in 0..100 {
        let chaos = format!("{CHAOS},seed={}", seed + 100 * attempt);
        let all = ["--server", &address, "--name", name, "--plain", "--chaos", &chaos];
        let mut pipe = Pipe::run(&[&all[..], args].concat(), folder.path());
        pipe.patience = PATIENCE * 6;
        if let Some(line) = pipe.try_wait_for("Room ") {
            let code = line.split("Room ").nth(1).unwrap()[..5].to_owned();
            return (pipe, code, folder);
        }
    }
    panic!("{name} never comes in");
}

#[test]
fn two_terminals_play_to_the_end_through_chaos_on_both_ends() {
    let server = ServerProcess::start(&[&format!("--chaos={CHAOS},seed=1")]);
    let (mut ada, code, _ada) = enter(&server, "Ada", 2, &["play"]);
    let (mut bob, _, _bob) = enter(&server, "Bob", 3, &["play", &code]);
    for game in 0..3 {
        // X begins the first game, then each in turn.
        let (first, second) =
            if game % 2 == 0 { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
        for cell in ["1", "2", "3"] {
            first.line(cell);
        }
        for cell in ["5", "6"] {
            second.line(cell);
        }
        first.wait_for("You win");
        second.wait_for("wins with");
        first.line("rematch");
        second.line("rematch");
    }
}
