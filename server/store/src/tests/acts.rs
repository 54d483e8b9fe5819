//! Tests that acts of hosts hold at once, and after a restart; whom they mean.

use std::net::IpAddr;
use std::time::Duration;

use noughts_protocol::PlayerId;

use super::world::*;
use crate::{Act, Acts, Change, Deed, NewAct, Sqlite, Store, Switch, Who};

const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7));

fn act(at: i64, deed: Deed) -> Change {
    Change::Act(NewAct { at, by: "test".into(), deed })
}

fn ban(who: &str, until: Option<i64>) -> Deed {
    Deed::Ban { who: who.parse().unwrap(), until, reason: "be kind".into() }
}

fn rename(name: Option<&str>) -> Deed {
    Deed::Rename { player: ADA, name: name.map(|name| name.parse().unwrap()) }
}

async fn close(store: Sqlite) {
    store.close(Duration::ZERO).await;
}

#[test]
fn the_log_says_how_long_a_ban_lasts() {
    let until = ban("192.0.2.7", Some(1_764_374_400_000));
    assert_eq!(until.to_string(), "banned 192.0.2.7 until 2025-11-29T00:00:00Z: be kind");
    assert_eq!(ban("192.0.2.7", None).to_string(), "banned 192.0.2.7 for ever: be kind");
}

#[tokio::test]
async fn what_a_host_does_holds_at_once_and_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let deeds = [
        ban("0000000000000ada", Some(20)),
        ban("192.0.2.0/24", None),
        ban("198.51.100.1", None),
        Deed::Unban { ban: 3 },
        rename(Some("Ada")),
        rename(Some("Somebody")),
        Deed::Switch { feature: Switch::Chat, on: false },
        Deed::Switch { feature: Switch::Ratings, on: false },
        Deed::Switch { feature: Switch::Ratings, on: true },
        Deed::Close { closed: true },
    ];
    for (at, deed) in (1..).zip(deeds) {
        store.save(vec![act(at, deed)]).await.unwrap();
    }
    let check = |acts: &Acts| {
        let numbers = |now| acts.bans(now).iter().map(|ban| ban.ban).collect::<Vec<_>>();
        assert_eq!([numbers(10), numbers(20)], [vec![1, 2], vec![2]]);
        let ban_of = |player, from| acts.ban_of(player, from, 10).map(|ban| ban.ban);
        assert_eq!(ban_of(ADA, HOME), Some(2), "the ban that ends last");
        assert_eq!(ban_of(ADA, IpAddr::from([203, 0, 113, 1])), Some(1));
        assert_eq!(ban_of(BOB, IpAddr::from([198, 51, 100, 1])), None);
        assert!(acts.is_closed());
        assert_eq!(acts.name_of(ADA).unwrap().as_str(), "Somebody");
        assert_eq!([Switch::Chat, Switch::Ratings].map(|it| acts.is_off(it)), [true, false]);
        let last = acts.last();
        assert_eq!((last.len(), &last[0].deed), (10, &Deed::Close { closed: true }));
        let since: Vec<_> = acts.since(8).iter().map(|act| act.act).collect();
        assert_eq!((since, *acts.watch().borrow()), (vec![9, 10], 10));
    };
    check(store.acts());
    close(store).await;
    let (store, _) = open(&folder);
    check(store.acts());
    store.save(vec![act(11, Deed::Close { closed: false })]).await.unwrap();
    assert!(!store.acts().is_closed());
    store.save(vec![Change::Forget { player: ADA, at: 12 }]).await.unwrap();
    let is_unnamed = |acts: &Acts| {
        let is_rename = |act: &&Act| matches!(act.deed, Deed::Rename { .. });
        assert!(acts.last().iter().filter(is_rename).all(|act| act.deed == rename(None)));
        assert_eq!(acts.name_of(ADA), None);
    };
    is_unnamed(store.acts());
    close(store).await;
    let (store, _) = open(&folder);
    is_unnamed(store.acts());
    close(store).await;
}

/// So many acts that the first are deleted: what holds on is kept, what an act has replaced is not.
#[tokio::test]
async fn what_is_switched_or_renamed_outlasts_thousands_of_acts() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let say = |at| act(at, Deed::Say { text: "hello".parse().unwrap(), to: None });
    let off = Deed::Switch { feature: Switch::Chat, on: false };
    let first = [rename(Some("First")), rename(Some("Last")), off];
    let first = first.into_iter().zip(1..).map(|(deed, at)| act(at, deed));
    store.save(first.chain((4..10_100).map(say)).collect()).await.unwrap();
    close(store).await;
    let (store, _) = open(&folder);
    assert_eq!(store.acts().name_of(ADA).unwrap().as_str(), "Last");
    assert!(store.acts().is_off(Switch::Chat));
    close(store).await;
    let file = rusqlite::Connection::open(folder.path().join("noughts.db")).unwrap();
    let count: i64 = file.query_row("SELECT count(*) FROM act", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 10_002);
}

#[test]
fn a_host_means_a_player_an_address_or_a_network() {
    let check = |who: &str, from: &str, expected: bool| {
        let parsed: Who = who.parse().unwrap();
        let from: IpAddr = from.parse().unwrap();
        assert_eq!(parsed.means(PlayerId(0x2a), from), expected, "{who} {from}");
        assert_eq!(parsed.to_string().parse(), Ok(parsed));
    };
    check("000000000000002a", "192.0.2.7", true);
    check("000000000000002b", "192.0.2.7", false);
    check("192.0.2.7", "192.0.2.7", true);
    check("192.0.2.7", "192.0.2.8", false);
    check("192.0.2.7", "::ffff:192.0.2.7", true);
    check("192.0.2.9/24", "192.0.2.7", true);
    check("192.0.2.0/24", "192.0.3.7", false);
    check("2001:db8:1:2::/64", "2001:db8:1:2::7", true);
    check("0.0.0.0/0", "2001:db8::1", false);
    for nobody in ["", "Ada", "300.1.1.1", "192.0.2.0/33", "2a"] {
        assert!(nobody.parse::<Who>().is_err(), "{nobody}");
    }
}
