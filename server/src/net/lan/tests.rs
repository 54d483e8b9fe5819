//! Tests of which address is best, with made-up interfaces.

use clap::Parser;

use crate::net::lan::{Interface, ServerAddress, announced_addresses, best_url, list};
use crate::{Args, Config};

fn interfaces(all: &[(&str, &str)]) -> Vec<Interface> {
    let one =
        |(name, ip): &(&str, &str)| Interface { name: (*name).to_owned(), ip: ip.parse().unwrap() };
    all.iter().map(one).collect()
}

fn config(options: &[&str]) -> Config {
    Config::try_from(&Args::parse_from([&["noughts-server"], options].concat())).unwrap()
}

fn shown(places: &[ServerAddress]) -> Vec<String> {
    let name = |place: &ServerAddress| place.interface.clone().unwrap_or_default();
    places.iter().map(|place| format!("{} {}", place.url, name(place)).trim().to_owned()).collect()
}

#[track_caller]
fn check(bound: &str, all: &[(&str, &str)], expected: &[&str]) {
    let places = list(bound.parse().unwrap(), &config(&[]), &interfaces(all)).unwrap();
    assert_eq!(shown(&places), expected);
}

const MANY: [(&str, &str); 9] = [
    ("lo", "127.0.0.1"),
    ("docker0", "172.17.0.1"),
    ("eth1", "169.254.7.7"),
    ("tailscale0", "100.64.0.7"),
    ("eth0", "203.0.113.5"),
    ("wlan0", "192.168.1.20"),
    ("lo", "::1"),
    ("wlan0", "fe80::1"),
    ("wlan0", "2001:db8::20"),
];

#[test]
fn the_lan_comes_first_and_what_others_cannot_use_last_or_not_at_all() {
    let v4 = [
        "http://192.168.1.20:7333/ wlan0",
        "http://203.0.113.5:7333/ eth0",
        "http://100.64.0.7:7333/ tailscale0",
        "http://172.17.0.1:7333/ docker0",
        "http://169.254.7.7:7333/ eth1",
    ];
    check("0.0.0.0:7333", &MANY, &v4);
    let mut both = v4.to_vec();
    both.insert(2, "http://[2001:db8::20]:7333/ wlan0");
    check("[::]:7333", &MANY, &both);
}

#[test]
fn one_address_is_what_it_was_bound_to() {
    check("192.168.1.20:80", &MANY, &["http://192.168.1.20/ wlan0"]);
    check("127.0.0.1:7333", &MANY, &["http://127.0.0.1:7333/ lo"]);
    check("[fe80::1]:7333", &MANY, &["http://[fe80::1]:7333/ wlan0"]);
}

#[test]
fn without_a_network_there_is_this_machine() {
    check("0.0.0.0:7333", &MANY[..1], &["http://127.0.0.1:7333/ lo"]);
    check("0.0.0.0:7333", &[], &["http://127.0.0.1:7333/"]);
    check("[::]:7333", &[], &["http://[::1]:7333/"]);
}

#[test]
fn the_host_may_say_otherwise() {
    let bound = "0.0.0.0:7333".parse().unwrap();
    let all = interfaces(&MANY);
    let docker = config(&["--qr-interface", "docker0"]);
    let places = list(bound, &docker, &all).unwrap();
    assert_eq!(
        shown(&places)[..2],
        ["http://172.17.0.1:7333/ docker0", "http://192.168.1.20:7333/ wlan0"]
    );
    let wrong = list(bound, &config(&["--qr-interface", "eth7"]), &all).unwrap_err().to_string();
    assert!(wrong.starts_with("--qr-interface: no address on \"eth7\": there is wlan0, eth0"));
    let public = ["--public-url", "https://play.example/noughts", "--base-path", "/noughts"];
    let places = list(bound, &config(&public), &all).unwrap();
    assert_eq!(places[0].url.as_str(), "https://play.example/noughts/");
    assert_eq!(places[0].server, "https://play.example/noughts");
    assert_eq!(places[1].url.as_str(), "http://192.168.1.20:7333/noughts/");
    assert_eq!(places[1].server, "192.168.1.20:7333/noughts");
}

/// Without them a client takes the address that is the lowest number.
#[test]
fn the_addresses_of_this_machine_are_announced() {
    let bound = "192.0.2.1:7333".parse().unwrap();
    let public = config(&["--public-url", "https://play.example/"]);
    assert_eq!(announced_addresses(bound, &public), "192.0.2.1");
}

#[test]
fn the_best_url_is_for_others_or_there_is_none() {
    let check = |options: &[&str], bound: &str, expected: Option<&str>| {
        let url = best_url(bound.parse().unwrap(), &config(options));
        assert_eq!(url.as_ref().map(url::Url::as_str), expected);
    };
    check(&[], "192.0.2.1:7333", Some("http://192.0.2.1:7333/"));
    check(&[], "[2001:db8::1]:80", Some("http://[2001:db8::1]/"));
    check(&[], "127.0.0.1:7333", None);
    check(&[], "[::1]:7333", None);
    let public = "https://play.example/noughts";
    check(&["--public-url", public], "127.0.0.1:7333", Some("https://play.example/noughts/"));
}
