//! Tests of beats: when a node is suspected, and when it is not.

use proptest::prelude::*;

use super::*;

const STEP: Duration = Duration::from_millis(100);

fn name(number: u64) -> NodeName {
    NodeName::of(number)
}

fn beat(number: u64, sent: Duration) -> Beat {
    Beat { node: name(number), address: None, sent, leaving: false, format: 1 }
}

/// Node 1, and what it hears in each tenth of a second: itself or not, node 2 or not.
fn listen(beats: &mut Beats, from: Duration, times: u32, itself: bool, other: bool) -> Duration {
    let mut now = from;
    for _ in 0..times {
        now += STEP;
        if itself {
            beats.hear(now, beat(1, now - STEP));
        }
        if other {
            beats.hear(now, beat(2, now));
        }
        beats.tick(now);
    }
    now
}

#[test]
fn a_beat_has_a_text() {
    let beat = Beat { address: Some("wss://two.example".to_owned()), ..beat(2, STEP) };
    let text = beat.encode();
    assert!(text.starts_with(PREFIX));
    assert_eq!(Beat::decode(&text), Some(beat.clone()));
    let stored = br#"{"beat":{"node":"0000000000000002","address":"wss://two.example","sent":{"secs":0,"nanos":100000000},"leaving":false,"format":1,"later":[]}}"#;
    assert_eq!(Beat::decode(stored), Some(beat.clone()), "what a later version adds is ignored");
    let long = Beat { address: Some("x".repeat(MAX_ADDRESS + 1)), ..beat };
    for no_beat in [&b"{}"[..], br#"{"beat":{}}"#, br#"{"list":[]}"#, b"\xff", &long.encode()] {
        assert_eq!(Beat::decode(no_beat), None);
    }
}

#[test]
fn a_silent_node_is_suspected_after_a_second() {
    let mut beats = Beats::new(name(1), None);
    let now = listen(&mut beats, Duration::ZERO, 20, true, true);
    assert_eq!(beats.candidates(), [name(1), name(2)]);
    let now = listen(&mut beats, now, 9, true, false);
    assert!(!beats.suspects(&name(2)));
    listen(&mut beats, now, 1, true, false);
    assert!(beats.suspects(&name(2)));
    assert_eq!(beats.candidates(), [name(1)]);
}

#[test]
fn a_node_writes_what_the_oldest_that_lives_can_read() {
    let mut beats = Beats::new(name(1), None);
    assert_eq!(beats.format(), OLDEST, "it does not know the others yet");
    let mut now = listen(&mut beats, Duration::ZERO, 20, true, true);
    assert_eq!(beats.format(), FORMAT);
    for (format, expected) in [(FORMAT - 1, FORMAT - 1), (FORMAT + 1, FORMAT)] {
        beats.hear(now, Beat { format, ..beat(3, now) });
        assert_eq!(beats.format(), expected);
        // Once it is gone, nobody needs the older one.
        now = listen(&mut beats, now, 11, true, true);
        assert_eq!(beats.format(), FORMAT);
    }
    listen(&mut beats, now, 10, false, true);
    assert_eq!(beats.format(), OLDEST, "it may have missed one");
}

#[test]
fn a_node_that_does_not_hear_itself_suspects_nobody() {
    let mut beats = Beats::new(name(1), None);
    let now = listen(&mut beats, Duration::ZERO, 20, true, true);
    let now = listen(&mut beats, now, 100, false, false);
    assert!(!beats.suspects(&name(2)) && !beats.suspects(&name(3)));
    assert_eq!(beats.candidates(), [name(1), name(2)]);
    // After it hears itself again, the others have a second to be heard.
    let now = listen(&mut beats, now, 9, true, false);
    assert!(!beats.suspects(&name(2)) && !beats.suspects(&name(3)));
    listen(&mut beats, now, 2, true, false);
    assert!(beats.suspects(&name(2)) && beats.suspects(&name(3)));
}

#[test]
fn a_node_that_slept_suspects_nobody() {
    let mut beats = Beats::new(name(1), None);
    let now = listen(&mut beats, Duration::ZERO, 20, true, true);
    beats.tick(now + Duration::from_secs(30));
    assert!(!beats.suspects(&name(2)));
}

#[test]
fn an_owner_that_was_never_heard_is_suspected_after_a_second() {
    let mut beats = Beats::new(name(1), None);
    let now = listen(&mut beats, Duration::ZERO, 9, true, false);
    assert!(!beats.suspects(&name(3)) && !beats.has_listened());
    listen(&mut beats, now, 1, true, false);
    assert!(beats.suspects(&name(3)) && beats.has_listened());
    assert!(!beats.suspects(&name(1)), "nobody suspects itself");
}

#[test]
fn a_node_that_leaves_lives_and_is_no_candidate() {
    let mut beats = Beats::new(name(1), None);
    beats.hear(STEP, Beat { leaving: true, ..beat(2, STEP) });
    assert_eq!(beats.candidates(), [name(1)]);
    assert_eq!(beats.nodes().len(), 2);
    beats.set_leaving();
    assert!(beats.candidates().is_empty());
}

#[test]
fn a_node_that_hears_nothing_is_cut_off_at_last() {
    let mut beats = Beats::new(name(1), None);
    let now = listen(&mut beats, Duration::ZERO, 20, true, true);
    assert_eq!(beats.hearing(), Hearing::Well);
    let now = listen(&mut beats, now, 10, false, true);
    assert_eq!(beats.hearing(), Hearing::Badly);
    let now = listen(&mut beats, now, 140, false, true);
    assert_eq!(beats.hearing(), Hearing::CutOff);
    listen(&mut beats, now, 1, true, true);
    assert_eq!(beats.hearing(), Hearing::Well);
}

#[test]
fn only_so_many_nodes_are_heard() {
    let mut beats = Beats::new(name(0), None);
    for number in 1..200 {
        beats.hear(STEP, beat(number, STEP));
    }
    assert_eq!(beats.nodes().len(), MAX_NODES + 1);
    beats.hear(STEP, Beat { leaving: true, ..beat(1, STEP) });
    assert_eq!(beats.candidates().len(), MAX_NODES, "one that is known is heard");
}

proptest! {
    /// Whatever is lost and however the clock jumps: who is suspected was silent for a second in which
    /// this node heard itself all the time.
    #[test]
    fn a_suspect_was_silent_while_this_node_heard_itself(
        steps in proptest::collection::vec((1_u64..700, any::<bool>(), any::<bool>()), 1..200)
    ) {
        let mut beats = Beats::new(name(1), None);
        let mut now = Duration::ZERO;
        // Since when it has heard itself, and has not heard node 2.
        let (mut echo, mut hears_since, mut silent_since) = (now, now, now);
        for (step, itself, other) in steps {
            let before = now;
            now += Duration::from_millis(step);
            if itself {
                beats.hear(now, beat(1, before));
                echo = before;
            }
            if other {
                beats.hear(now, beat(2, now));
                silent_since = now;
            }
            beats.tick(now);
            if now - echo > ECHO {
                hears_since = now;
            }
            if beats.suspects(&name(2)) {
                prop_assert!(now - silent_since >= SUSPECT_AFTER);
                prop_assert!(now - hears_since >= SUSPECT_AFTER);
            }
        }
    }
}
