//! Which certificates `noughts` trusts, and its messages about the others.

use noughts_harness::tls::Authority;
use noughts_harness::{Pipe, ServerProcess};

use super::process;
use crate::lan::pair;

/// The exit code and output of `noughts rooms` at a server.
fn rooms(server: &str, more: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::run(&[&["rooms", "--server", server], more].concat(), folder.path());
    let code = pipe.wait_exit();
    (code, pipe.seen.join("\n"))
}

#[track_caller]
fn check_refused(server: &str, more: &[&str], expected: &str) {
    let (code, said) = rooms(server, more);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains(expected) && said.lines().count() == 1, "{said}");
}

#[test]
fn a_certificate_is_trusted_by_its_authority_and_problems_say_what_to_do() {
    let (server, authority) = process(&[]);
    let port = server.address().port();
    let here = format!("wss://127.0.0.1:{port}");
    let named = format!("https://localhost:{port}");
    let ca = authority.ca();
    let ca = ["--ca", ca.to_str().unwrap()];
    for place in [&here, &named] {
        let (code, said) = rooms(place, &ca);
        assert_eq!(code, 0, "{said}");
    }
    check_refused(&here, &[], "an authority that this machine does not trust");
    check_refused(&here, &[], "--ca FILE");
    // The authority of somebody else changes nothing.
    let other = Authority::new();
    check_refused(&here, &["--ca", other.ca().to_str().unwrap()], "from another host");
    check_refused(&format!("ws://localhost:{port}"), &[], "encrypted: use https://localhost");
    let plain = ServerProcess::start(&[]);
    check_refused(
        &format!("https://{}", plain.address()),
        &ca,
        "does not encrypt (no TLS): try http://",
    );
}

/// The mark stands before the first certificate of each file, which would be passed over.
#[test]
fn files_that_an_editor_saved_with_a_byte_order_mark_are_read() {
    let (authority, options) = Authority::here();
    authority.save_with_mark();
    let server = ServerProcess::start(&options.each_ref().map(String::as_str));
    let here = format!("https://{}", server.address());
    let (code, said) = rooms(&here, &["--ca", authority.ca().to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_certificate_for_another_name_says_which() {
    let authority = Authority::new();
    authority.sign(&["localhost", "*.play.example"]);
    let options = authority.options();
    let server = ServerProcess::start(&options.each_ref().map(String::as_str));
    let ca = authority.ca();
    let port = server.address().port();
    let expected = format!("is for localhost, *.play.example: try https://localhost:{port}");
    check_refused(
        &format!("https://{}", server.address()),
        &["--ca", ca.to_str().unwrap()],
        &expected,
    );
}

/// A server whose certificate is signed by nobody but itself, and what a client says that is given
/// it.
fn own(is_ca: rcgen::IsCa) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let cert = path("cert.pem");
    let key = path("key.pem");
    let mut params = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
    params.is_ca = is_ca;
    let pair = rcgen::KeyPair::generate().unwrap();
    std::fs::write(&cert, params.self_signed(&pair).unwrap().pem()).unwrap();
    std::fs::write(&key, pair.serialize_pem()).unwrap();
    let server = ServerProcess::start(&["--tls-cert", &cert, "--tls-key", &key]);
    rooms(&format!("https://localhost:{}", server.address().port()), &["--ca", &cert])
}

#[test]
fn a_server_may_show_what_the_host_handed_out_unless_it_is_an_authority() {
    let (code, said) = own(rcgen::IsCa::ExplicitNoCa);
    assert_eq!(code, 0, "{said}");
    let (code, said) = own(rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("needs one made with CA:FALSE"), "{said}");
}

#[test]
fn what_is_no_certificate_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "nothing").unwrap();
    for (file, expected) in [(empty.to_str().unwrap(), "no certificate"), ("/no", "cannot be read")]
    {
        let (code, said) = rooms("localhost", &["--ca", file]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn on_a_lan_it_is_found_where_the_certificate_fits_and_explained_where_not() {
    let Some((here, there)) = pair() else { return };
    let authority = Authority::new();
    authority.sign(&["192.168.77.1"]);
    let options = authority.options();
    let options = [&options.each_ref().map(String::as_str)[..], &["--base-path", "/noughts"]];
    let server = ServerProcess::start_on(&here, &options.concat());
    assert!(server.banner[0].contains("https://192.168.77.1:7333/noughts/  (lan0)"));
    let folder = tempfile::tempdir().unwrap();
    let ca = authority.ca();
    let servers = |more: &[&str]| there.noughts(&[&["servers"], more].concat(), folder.path());
    let found = "https://192.168.77.1:7333/noughts  Noughts\n".to_owned();
    assert_eq!(servers(&["--ca", ca.to_str().unwrap()]), (0, found));
    let (code, said) = servers(&[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("192.168.77.1") && said.contains("--ca FILE"), "{said}");

    let authority = Authority::new();
    authority.sign(&["play.example"]);
    drop(server);
    let options = authority.options();
    let _server = ServerProcess::start_on(&here, &options.each_ref().map(String::as_str));
    let (code, said) = servers(&["--ca", authority.ca().to_str().unwrap()]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("try https://play.example:7333"), "{said}");
}
