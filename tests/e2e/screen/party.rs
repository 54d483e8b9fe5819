//! A party on the full screen: from the code to the podium, and the way to a table and back.

use super::*;

/// The code after "Code", with gaps between its letters.
fn party_code(screen: &str) -> String {
    let after = screen.split("Code ").nth(1).unwrap();
    after.chars().filter(char::is_ascii_uppercase).take(5).collect()
}

#[test]
fn terminals_play_a_party_while_another_one_watches() {
    let server = ServerProcess::start(&[]);
    let new = ["party", "new", "Friday LAN", "--board", "3x3x3"];
    let (mut ada, _ada) = run(&server, "Ada", &new);
    let party = party_code(&ada.wait_text("Start the party when everybody is here."));
    // From the menu, in the place of a room's code.
    let (mut bob, _bob) = run(&server, "Bob", &[]);
    let _ = bob.wait_text("What would you like to do?");
    let _ = bob.wait_new("2", "Which room?");
    let _ = ada.wait_new_after("2  Bob", || bob.press(&format!("{party}\r")));
    let _ = bob.wait_text("You are in. Ada starts the party.");
    let (mut eve, _eve) = run(&server, "Eve", &["party", "watch", &party]);
    let _ = eve.wait_text("People come in.");
    let _ = ada.wait_new("s", "Start the party now?");
    let _ = ada.wait_new("y", "Are you ready?");
    let _ = bob.wait_text("Are you ready?");
    let _ = bob.wait_new(ENTER, "You are ready.");
    let _ = ada.wait_new(ENTER, "party, final, table 1");
    let _ = bob.wait_text("party, final, table 1");
    // The spectator goes to the table and comes back.
    let _ = eve.wait_text(": playing");
    let _ = eve.wait_new(ENTER, "· watching ·");
    let _ = eve.wait_new("q", "[Tables]");
    let first = ada.wait_for("somebody's turn", |screen| screen.contains("turn ("));
    let (mover, waiter) =
        if first.contains("Your turn") { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
    let mut mover = mover;
    let mut waiter = waiter;
    for cell in ["1", "4", "2", "5"] {
        let _ = waiter.wait_new_after(&format!("plays {cell} with"), || mover.press(cell));
        std::mem::swap(&mut mover, &mut waiter);
    }
    let _ = mover.wait_new("3", "You win!");
    let _ = mover.wait_new(ENTER, "You are first!");
    let _ = waiter.wait_new(ESCAPE, "You are 2nd.");
    let _ = eve.wait_text("is 1st.");
}
