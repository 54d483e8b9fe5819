//! The promises on which a cluster rests, each broken once: the checks of the simulation find it.

use std::time::Duration;

use futures::future::FutureExt;

use super::super::world::pass;
use super::ledger::{Kind, Ledger, LogReader};
use super::{NODES, Scenario, simulate};
use crate::cluster::engine::fake::faults::{Flaw, Link};
use crate::cluster::engine::{Chain, Delivered};
use crate::cluster::record::{Content, FORMAT, Record};
use crate::journal::entry::{Entry, Payload};
use crate::journal::error::DiskError;
use crate::journal::store::Write;
use crate::shard::Shard;

/// Worlds in which a broken promise must be found.
const SEEDS: u64 = 20;

/// Breaks a promise until the checks find it, and returns whether they do.
fn found(flaw: Flaw, expected: &str) -> bool {
    let scenario = Scenario { flaw: Some(flaw), ..Scenario::ALL };
    (0..SEEDS).any(|seed| {
        let violations = simulate(seed, scenario).violations;
        violations.iter().any(|violation| violation.contains(expected))
    })
}

#[test]
fn without_expectations_two_owners_write() {
    assert!(found(Flaw::NoExpectation, "writes to shard"));
}

#[test]
fn without_a_claim_in_the_log_a_room_is_made_in_the_shard_of_another_node() {
    assert!(found(Flaw::FalseClaims, "writes to shard"));
}

#[test]
fn a_timeout_that_counts_as_a_refusal_is_a_lie() {
    assert!(found(Flaw::RefusedOnTimeout, "told: not stored"));
}

#[test]
fn a_timeout_that_counts_as_stored_is_a_lie() {
    assert!(found(Flaw::StoredOnTimeout, "told: stored"));
}

/// The claims in a world in which nothing happens but that all nodes lose the engine for some seconds.
fn claims_of_outages(flaw: Option<Flaw>) -> usize {
    let disturb: super::Disturb = |world| {
        async {
            for place in 0..NODES {
                world.set_link(place, Link::Cut, Duration::from_secs(5));
            }
            pass(5000).await;
        }
        .boxed()
    };
    let quiet = Scenario { flaw, disturb, has_faults: false };
    (0..3).map(|seed| simulate(seed, quiet).claimed_later).sum()
}

#[test]
fn without_an_echo_of_its_own_beats_a_node_believes_the_others_dead() {
    assert_eq!(claims_of_outages(None), 0, "nobody claims anything when the engine is away");
    let claims = claims_of_outages(Some(Flaw::EchoOfItself));
    assert!(claims > 0, "{claims}");
}

/// A log of a shard in which each record is a node's, with its content.
fn violations(records: &[(&str, Content)]) -> String {
    let shard = Shard::all().next().unwrap();
    let records = (1..).zip(records).map(|(seq, (node, content))| {
        let (node, content) = ((*node).to_owned(), content.clone());
        let record = Record { format: FORMAT, node, number: seq, at: 0, age: 0, content };
        Delivered { seq, chain: Chain::Shard(shard), record: record.encode() }
    });
    let records: Vec<_> = records.collect();
    LogReader::read(&records).violations.join("\n")
}

fn wrote(v: u64, mark: u16) -> Content {
    let room = Shard::all().next().unwrap().first_number(1);
    let entry = Entry { v, run: 1, at: 0, payload: Payload::Move(mark), crc: 0 };
    Content::Wrote(vec![Write::Append { room, entries: vec![entry], kept: None, ended: None }])
}

#[test]
fn every_violation_of_the_log_is_found() {
    let check = |records: &[(&str, Content)], expected: &str| {
        let found = violations(records);
        assert!(found.contains(expected), "{expected:?} in {found:?}");
    };
    let (claimed, released) = (Content::Claimed, Content::Released);
    let a = |content: &Content| ("a", content.clone());
    check(&[("a", wrote(1, 1))], "writes to shard 0 of None");
    check(&[a(&claimed), ("b", wrote(1, 1))], "b writes to shard 0 of Some(\"a\")");
    check(&[a(&claimed), a(&released), ("a", wrote(1, 1))], "a writes to shard 0 of None");
    check(&[a(&claimed), ("b", released)], "b writes to shard 0");
    check(&[a(&claimed), ("a", wrote(1, 1))], "was not made");
    check(&[a(&claimed), ("a", wrote(1, 1)), ("a", wrote(2, 1))], "is there twice");
    assert_eq!(violations(&[a(&claimed)]), "");
}

#[test]
fn every_wrong_answer_is_found() {
    let check = |outcome: Result<u64, DiskError>, expected: &str| {
        let mut ledger = Ledger::default();
        ledger.note((1, 1), &outcome, false);
        ledger.check(&LogReader::with_fact((1, 1), Kind::Room));
        let one = ledger.violations.join("\n");
        let mut ledger = Ledger::default();
        ledger.note((1, 1), &outcome, false);
        ledger.check(&LogReader::default());
        let other = ledger.violations.join("\n");
        assert_eq!([one, other].join("|"), expected);
    };
    check(Ok(1), "|(1, 1) is not in the log, and it was told: stored");
    check(Err(DiskError::Outrun), "(1, 1) is in the log, and it was told: not stored|");
    let unknown = "(1, 1) is unknown for ever";
    check(Err(DiskError::Unknown(String::new())), &format!("{unknown}|{unknown}"));
}
