//! A party in a world of faults: a host who makes it and starts it, and guests who play it and come back
//! after every break. All that they were told and got `ok` for is in one [`PartyHistory`].

pub mod history;

use std::sync::Arc;
use std::time::Duration;

use noughts_client::address::ServerAddress;
use noughts_client::connection::network::Network;
use noughts_protocol::{BoardSpec, PartyCode, PartyFormat, PartyPhase, PartySettings, PlayerToken};
use parking_lot::Mutex;
use rand::Rng;
use rand::seq::IndexedRandom;
use tokio::task::JoinSet;

use crate::ordered_watch::OrderedWatch;
use crate::{Player, delay};
use history::PartyHistory;

/// Somebody who hears nothing for this long connects again.
const PATIENCE: Duration = Duration::from_secs(40);

/// The wait before another try to connect.
const AGAIN: Duration = Duration::from_millis(200);

/// The cells from which guests look for a free one: they do not all play the same game.
const FIRST_CELLS: [u16; 5] = [0, 4, 8, 2, 6];

/// The things that the people of one party share.
pub type SharedHistory = Arc<Mutex<PartyHistory>>;

/// The way of somebody to the server.
#[derive(Debug, Clone)]
pub struct Way<N> {
    /// The network.
    pub network: N,
    /// The server's address there.
    pub address: ServerAddress,
}

/// The settings of a short party of some format.
///
/// # Panics
/// Never: there are formats.
pub fn short_party(rng: &mut impl Rng) -> PartySettings {
    let formats = [
        PartyFormat::Knockout,
        PartyFormat::RoundRobin,
        PartyFormat::Swiss,
        PartyFormat::WinnerStays,
    ];
    PartySettings {
        format: *formats.choose(rng).unwrap(),
        board: BoardSpec::TIC_TAC_TOE,
        first_to: Some(4),
        tables: 2,
        ..PartySettings::default()
    }
}

/// A party that is played. Dropping it ends its people.
#[derive(Debug)]
pub struct PlayedParty {
    history: SharedHistory,
    people: JoinSet<()>,
}

impl PlayedParty {
    /// Begins a party with a host and guests, who notify `history` of all that they see.
    pub fn begin<N: Network>(
        settings: PartySettings,
        host: Way<N>,
        guests: Vec<Way<N>>,
        history: PartyHistory,
    ) -> Self {
        let history: SharedHistory = Arc::new(Mutex::new(history));
        let mut people = JoinSet::new();
        let code = OrderedWatch::new(None);
        people.spawn(lead(Visitor::new("Host", host), settings, guests.len(), code.clone()));
        for (number, (way, from)) in
            guests.into_iter().zip(FIRST_CELLS.into_iter().cycle()).enumerate()
        {
            let visitor = Visitor::new(&format!("Guest {number}"), way);
            people.spawn(attend(visitor, from, code.clone(), Arc::clone(&history)));
        }
        Self { history, people }
    }

    /// The deeds and sights of its people so far.
    #[must_use]
    pub fn history(&self) -> PartyHistory {
        self.history.lock().clone()
    }

    /// Waits until everybody has seen the end of the party. After `within` the history has a violation.
    ///
    /// # Panics
    /// If one of its people did.
    pub async fn until_over(mut self, within: Duration) -> PartyHistory {
        let all = async {
            while let Some(ended) = self.people.join_next().await {
                ended.unwrap();
            }
        };
        let is_over = tokio::time::timeout(within, all).await.is_ok();
        let mut history = self.history.lock().clone();
        if !is_over {
            history.violation("the party does not end".to_owned());
        }
        history
    }
}

/// Somebody with one identity over all connections.
struct Visitor<N> {
    name: String,
    way: Way<N>,
    token: Option<PlayerToken>,
}

impl<N: Network> Visitor<N> {
    fn new(name: &str, way: Way<N>) -> Self {
        Self { name: name.to_owned(), way, token: None }
    }

    /// Connects, however long that takes.
    async fn connect(&mut self) -> Player {
        loop {
            if let Ok(stream) = self.way.network.connect(&self.way.address).await {
                let token = self.token.clone();
                let greeted = Player::try_greet(Box::new(stream), &self.name, token, PATIENCE);
                if let Ok(player) = greeted.await {
                    self.token = Some(player.token.clone());
                    return player;
                }
            }
            delay(AGAIN).await;
        }
    }
}

/// Makes the party, and starts it when all guests are in it.
async fn lead<N: Network>(
    mut host: Visitor<N>,
    settings: PartySettings,
    guests: usize,
    code: OrderedWatch<Option<PartyCode>>,
) {
    loop {
        let mut player = host.connect().await;
        if player.try_create_party(settings).await {
            code.set(Some(player.party().code));
            let all = |player: &Player| player.party().entrants.len() == guests;
            let has_begun = |player: &Player| player.party().phase != PartyPhase::Gathering;
            if player.try_until(all).await
                && (has_begun(&player) || player.try_start_party().await)
                && player.try_until(has_begun).await
            {
                return;
            }
        }
        delay(AGAIN).await;
    }
}

/// Plays in the party until it is over.
async fn attend<N: Network>(
    mut guest: Visitor<N>,
    from: u16,
    code: OrderedWatch<Option<PartyCode>>,
    history: SharedHistory,
) {
    code.wait_for(|code| code.is_some()).await;
    let code = code.get().unwrap();
    loop {
        let mut player = guest.connect().await;
        if player.try_join_party(code).await {
            let mut seen = (0, 0, 0);
            let look = |player: &Player| {
                history.lock().observe(player, &mut seen);
                false
            };
            if player.try_attend(from, look).await {
                return;
            }
        }
        delay(AGAIN).await;
    }
}
