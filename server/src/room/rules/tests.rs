//! The room's rules without a runtime. [`check`] is a case in one line: a room and its story, one more
//! step, and what comes of it ([`story`] has the notation). [`property`] takes any sequence of
//! steps. Both run in a [`world::World`], which checks after each step what must always hold. The
//! workspace's `tests` test rules over real sockets.

mod analysis;
mod chat;
mod endings;
mod golden;
mod hearing;
mod joining;
mod moves;
mod pace;
mod presence;
mod property;
mod ratings;
mod rematch;
mod series;
mod stored;
mod story;
mod strength;
mod swap2;
mod take_back;
mod time;
mod told;
mod world;

use story::Story;

/// Checks what comes of the step `when` in the room and after the story of `given`.
///
/// A refusal may be expected by its code alone, or by its code and the start of its message.
#[track_caller]
fn check(given: &str, when: &str, expected: &str) {
    let _case = Case { given, when };
    let (room, before) = given.split_once(" | ").unwrap_or((given, ""));
    let mut story = Story::begin(room);
    for step in before.split(", ").filter(|step| !step.is_empty()) {
        let came = story.take(step);
        assert!(!came.starts_with("refused"), "{step}: {came}");
    }
    let came = story.take(when);
    let refused = came.starts_with("refused ")
        && match expected.split_once(": ") {
            Some(_) => came.starts_with(expected),
            None => came.split(": ").next() == Some(expected),
        };
    assert!(came == expected || refused, "\n    expected: {expected}\n    came:     {came}");
}

/// Names the case if anything in it fails.
struct Case<'a> {
    given: &'a str,
    when: &'a str,
}

impl Drop for Case<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("  in the case: {}\n         step: {}", self.given, self.when);
        }
    }
}
