//! Talk: who may say what and how often, who hears it, and who is muted.

use super::check;

#[test]
fn everybody_hears_a_player() {
    check("ada bob", "ada says hi", "all hear ada X: hi");
    check("ada bob | cid watches", "bob emotes wow", "all hear bob O: wow");
    check("ada bob=ada", "bob says hi", "all hear ada (2) O: hi");
}

#[test]
fn the_players_hear_spectators_after_the_game() {
    let heard = "spectators hear cid: hi";
    check("ada bob | cid watches", "cid says hi", heard);
    let over = "game 1 over, O wins by resignation, 0-1";
    let end = "ada resigns";
    let both = "ada bob | cid watches, cid says hi, cid says ho";
    check(both, end, &format!("{over}; players hear cid: hi, cid: ho"));
    check("ada bob | ada resigns, cid watches", "cid says hi", "all hear cid: hi");
    check("computer computer | cid watches", "cid says hi", heard);
}

#[test]
fn who_comes_in_sees_the_last_lines() {
    let said = "ada bob | cid watches, cid says hi, ada says ho";
    check(said, "dan hears", "cid: hi, ada X: ho");
    check(said, "bob hears", "ada X: ho");
    let over = format!("{said}, ada resigns");
    let next = format!("{over}, ada offers, bob offers, cid says psst");
    check(&next, "bob hears", "cid: hi, ada X: ho");
    check(&next, "dan hears", "cid: hi, ada X: ho, cid: psst");
    check(&format!("{next}, bob leaves"), "bob hears", "cid: hi, ada X: ho, cid: psst");
}

#[test]
fn what_is_said_ends_with_the_room_s_task() {
    check("ada bob | ada says hi, restarts 0 s", "bob hears", "nothing");
    check("ada bob | ada says hi, ada goes, bob goes, sleeps 3 s", "bob hears", "nothing");
}

#[test]
fn only_the_last_lines_are_kept() {
    let mut said = String::from("ada bob");
    for n in 0..31 {
        said += if n == 0 { " | " } else { ", " };
        said += &format!("10 s, ada says {n}");
    }
    let kept: Vec<String> = (1..31).map(|n| format!("ada X: {n}")).collect();
    check(&said, "bob hears", &kept.join(", "));
}

#[test]
fn the_room_says_what_may_be_said() {
    let off = "refused chat_off: nobody can talk in this room";
    check("ada bob silent", "ada says hi", off);
    check("ada bob silent", "ada mutes bob", off);
    let emotes = "refused chat_off: only emotes can be sent here";
    check("ada bob emotes", "ada says hi", emotes);
    check("ada bob emotes", "ada emotes thanks", "all hear ada X: thanks");
}

#[test]
fn five_lines_in_ten_seconds() {
    let four = "ada says 1, ada says 2, 5 s, ada says 3, ada says 4";
    check(&format!("ada bob | {four}"), "ada says 5", "all hear ada X: 5");
    let five = format!("ada bob | {four}, ada says 5");
    check(&five, "ada says 6", "refused rate_limited: you say a lot: wait 5 seconds");
    check(
        &format!("{five}, 4999 ms"),
        "ada says 6",
        "refused rate_limited: you say a lot: wait 1 second",
    );
    check(&format!("{five}, 5 s"), "ada says 6", "all hear ada X: 6");
    check(&five, "bob says 1", "all hear bob O: 1");
    check(&format!("{five}, ada goes, ada joins"), "ada says 6", "refused rate_limited");
    check(&format!("{five}, ada leaves, ada watches"), "ada says 6", "refused rate_limited");
}

#[test]
fn a_repeat_is_heard_once() {
    check("ada bob | ada says hi", "ada repeats hi", "ok");
    check("ada bob | ada says hi, ada goes, 3 s, ada joins", "ada repeats hi", "ok");
    // Two devices may use the same number.
    check("ada bob | ada says hi", "ada repeats ho", "all hear ada X: ho");
    check("ada bob | ada says hi", "bob repeats hi", "all hear bob O: hi");
    check("ada bob | ada says hi", "ada says hi", "all hear ada X: hi");
    let five = "ada says 1, ada says 2, ada says 3, ada says 4, ada says 5";
    check(&format!("ada bob | {five}"), "ada repeats 5", "ok");
}

#[test]
fn who_is_muted_is_not_seen() {
    let muted = "ada bob | cid watches, dan watches, cid says hi, ada says ho, dan mutes cid";
    check(muted, "dan hears", "ada X: ho");
    check(muted, "ada resigns", "game 1 over, O wins by resignation, 0-1; players hear cid: hi");
    check(&format!("{muted}, dan goes, dan watches"), "dan hears", "ada X: ho");
    check(&format!("{muted}, dan mutes cid"), "dan mutes ada", "ok");
    check(muted, "dan unmutes cid", "sees cid: hi");
    check(muted, "dan unmutes bob", "ok");
    check("ada bob | cid watches, cid says hi, ada mutes cid", "ada unmutes cid", "ok");
    check("ada bob", "ada mutes ada", "refused not_now: you cannot mute yourself");
    check("ada bob", "ada mutes dan", "ok");
}

#[test]
fn talk_keeps_a_room() {
    check("ada bob | 50 min, ada says hi", "50 min", "ok");
    check("ada bob | 50 min", "50 min", "closed, idle");
    // Two computers do not wait for those who talk.
    check("computer computer | ada watches, 5 min", "ada says hi", "spectators hear ada: hi");
}
