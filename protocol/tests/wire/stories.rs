//! `tests/golden/series`: stories as a client lives them: what it is told, what its player does, the
//! breaks of its connection, and after each step what it must have sent and must show. Both clients are
//! tested with them.
//!
//! What the server tells comes from a room in which facts are decided and applied ([`server`]). What a
//! client shows comes from a plain reference ([`client`]). What it sends is said by each story, and
//! compared with the reference too.
//!
//! A file is a list of stories, and a story is `{story, next_id, steps}`. A step is
//!
//! - `at`: when it happens, in milliseconds;
//! - `do`: `{welcome: MESSAGE}`, `{told: MESSAGE}`, `{asked: INTENT WITHOUT ID}`, `"broke"`, `"time"` (the
//!   client's timer) or `"ended"`;
//! - `sent`: the messages that it leads to, `reconnects` if the client gives the connection up, and
//!   `happened`: what its views are told; each is left out when it is empty;
//! - `shows`: the keys whose values are others than after the step before.
//!
//! With `NOUGHTS_UPDATE=1` in the environment this test writes the files anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use teller::Story;

mod analysis;
mod breaks;
mod chat;
mod client;
mod exhibitions;
mod games;
mod gaps;
mod party;
mod people;
mod random;
mod refusals;
mod restarts;
mod rooms;
mod server;
mod teller;

fn families() -> Vec<(&'static str, Vec<Story>)> {
    vec![
        ("analysis", analysis::stories()),
        ("breaks", breaks::stories()),
        ("chat", chat::stories()),
        ("exhibitions", exhibitions::stories()),
        ("games", games::stories()),
        ("gaps", gaps::stories()),
        ("party", party::stories()),
        ("people", people::stories()),
        ("random", random::stories()),
        ("refusals", refusals::stories()),
        ("restarts", restarts::stories()),
        ("rooms", rooms::stories()),
    ]
}

#[test]
fn stories_are_what_the_rules_make_of_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/series");
    let (mut names, mut steps) = (BTreeSet::new(), 0);
    for (family, mut stories) in families() {
        let texts: Vec<String> = stories.iter_mut().map(Story::text).collect();
        for story in &stories {
            assert!(names.insert(story.name.clone()), "two stories have the name {}", story.name);
            steps += story.len();
        }
        let (file, written) = (folder.join(family).with_extension("json"), texts.join(",\n"));
        let written = format!("[\n{written}\n]\n");
        if std::env::var_os("NOUGHTS_UPDATE").is_some() {
            fs::write(&file, &written).expect("the file can be written");
        }
        let kept = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{family}: {e}"));
        assert!(kept == written, "{family}: NOUGHTS_UPDATE=1 tests/run stories");
    }
    println!("{} stories, {steps} steps", names.len());
}
