//! Fair openings: swap2 on large boards, with every path and the clock. The order of players in a series is
//! in [`series`], computers are in [`computers`].

mod computers;

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, Mark, Opening, OpeningChoice, OpeningPhase, RefusalCode,
    Role, RoomIntent, RoomSettings,
};

/// Three marks of an opening on 13 × 13, apart from each other, and two more.
const PLACED: [u16; 3] = [84, 98, 60];
const ADDED: [u16; 2] = [30, 140];

fn swap2() -> RoomSettings {
    let board = BoardSpec::new(13, 13, 5).unwrap();
    RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() }
}

async fn pair(server: &TestServer, settings: RoomSettings) -> (Player, Player) {
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = ada.create(settings, ByMark::default()).await;
    bob.join(code, Role::Player).await.unwrap();
    for player in [&mut ada, &mut bob] {
        player.until("the opening", |p| phase(p).is_some()).await;
    }
    (ada, bob)
}

/// The phase of the opening, as a player sees it.
fn phase(player: &Player) -> Option<OpeningPhase> {
    player.room.as_ref()?.running()?.opening
}

fn is_choosing(player: &Player) -> bool {
    matches!(phase(player), Some(OpeningPhase::Choosing { .. }))
}

async fn place(player: &mut Player, cells: &[u16]) {
    for &cell in cells {
        player.play(cell).await.unwrap();
    }
}

fn choice_of(player: &mut Player, choice: OpeningChoice) -> ClientMessage {
    let game = player.number();
    player.room_message(RoomIntent::Choose { game, choice })
}

/// Waits until it is this player's choice, and chooses.
async fn choose(player: &mut Player, choice: OpeningChoice) {
    player.until("my choice", |p| p.is_my_turn() && is_choosing(p)).await;
    let chosen = choice_of(player, choice);
    player.ask(chosen).await.unwrap();
    player.until("the effect", |p| !is_choosing(p)).await;
}

/// Plays a mark each, O first, and checks that both see the same.
async fn go_on(x: &mut Player, o: &mut Player, cells: [u16; 2]) {
    assert_eq!((phase(o), o.marks()), (None, vec![Mark::O]));
    o.play(cells[0]).await.unwrap();
    x.until("the sides", |p| phase(p).is_none()).await;
    x.play(cells[1]).await.unwrap();
    assert_eq!(x.marks(), [Mark::X]);
    o.until("the move", Player::is_my_turn).await;
    assert_eq!(x.state(), o.state());
}

#[tokio::test]
async fn the_opponent_may_add_two_marks_and_leave_the_choice() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    place(&mut ada, &PLACED).await;
    choose(&mut bob, OpeningChoice::Add).await;
    place(&mut bob, &ADDED).await;
    ada.until("her choice", |p| phase(p) == Some(last_choice())).await;
    let more = choice_of(&mut ada, OpeningChoice::Add);
    assert_eq!(ada.ask(more).await, Err(RefusalCode::NotNow));
    choose(&mut ada, OpeningChoice::O).await;
    bob.until("the exchange", |p| p.marks() == [Mark::X]).await;
    go_on(&mut bob, &mut ada, [85, 86]).await;
}

const fn last_choice() -> OpeningPhase {
    OpeningPhase::Choosing { by: Mark::X, may_add: false }
}
