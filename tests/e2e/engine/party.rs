//! Programs that speak the Gomocup protocol in parties, beside people.

use noughts_harness::ServerProcess;
use noughts_protocol::{PartyIntent, PartyPhase, PartyRole, PartySettings};

use super::room::ours;

#[tokio::test]
async fn programs_go_on_after_the_server_was_killed_in_the_middle() {
    let server = ServerProcess::start(&[]);
    let mut host = server.player("Ada").await;
    let settings = PartySettings { board: "9x9x5".parse().unwrap(), ..PartySettings::default() };
    let code = host.create_party("Night", settings, false).await;
    let text = code.to_string();
    let mut bots = ["strong", "average", "weak"].map(|one| ours(&server, &text, one, "1"));
    host.until("everybody", |host| host.party().entrants.len() == 3).await;
    host.ask_party(PartyIntent::StartParty).await.unwrap();
    host.until("a game", |host| host.party().pairings.iter().any(|one| one.game > 0)).await;
    let token = host.token.clone();
    let server = server.restart();
    let mut host = server.returning("Ada", Some(token)).await;
    host.join_party(code, PartyRole::Spectator).await.unwrap();
    host.until("the podium", |host| host.party().phase == PartyPhase::Over).await;
    assert_eq!(host.party().places.len(), 3);
    // The bots end by themselves, after they have told the podium.
    for (bot, _) in &mut bots {
        bot.wait_for(" is 1st.");
        assert_eq!(bot.wait_exit(), 0, "{:?}", bot.seen);
    }
}
