//! The password of a whole server: who is let in, how often a wrong one may be tried, and how the terminal
//! asks for it.

use std::fs;
use std::time::Duration;

use noughts_harness::{ServerProcess, Stranger, TestServer, advance_time};
use serde_json::json;

const PASSWORD: &str = "--join-password=correct horse";

/// Says a hello for each of these passwords on one connection; the type or refusal that answers.
async fn say(server: &TestServer, passwords: &[Option<&str>]) -> Vec<String> {
    let mut stranger = Stranger::connect(server).await;
    let mut answers = Vec::new();
    for password in passwords {
        let hello = json!({"type": "hello", "protocol": 2, "name": "Eve", "password": password});
        let answer = stranger.ask(&hello.to_string()).await;
        let said = answer.get("code").unwrap_or(&answer["type"]);
        answers.push(said.as_str().unwrap().to_owned());
    }
    answers
}

#[tokio::test]
async fn only_who_says_it_comes_in() {
    let server = TestServer::start(&[PASSWORD]).await;
    let wrong = ["correct horse ", "Correct horse", "", "\u{1}"].map(Some);
    let answers = say(&server, &[&[None], &wrong[..], &[Some("correct horse")]].concat()).await;
    let expected = [
        "password_required",
        "wrong_password",
        "wrong_password",
        "bad_message",
        "bad_message",
        "welcome",
    ];
    assert_eq!(answers, expected);
    // Without the password the list of games is closed too.
    assert_eq!(server.get("/api/v1/rooms", "").await.0, 401);
    assert_eq!(server.get("/healthz", "").await.0, 200);
    assert_eq!(say(&server, &[Some("again"); 10]).await, vec!["wrong_password"; 10]);
}

#[tokio::test(start_paused = true)]
async fn who_guesses_it_is_not_told_for_a_while() {
    let server = TestServer::virtual_time(&[PASSWORD, "--intents-per-second=1000"]);
    for _ in 0..4 {
        assert_eq!(say(&server, &[Some("guess"); 8]).await, vec!["wrong_password"; 8]);
    }
    // Also the right one, or it could be guessed on.
    let right = [Some("correct horse")];
    assert_eq!(say(&server, &right).await, ["rate_limited"]);
    advance_time(Duration::from_secs(60)).await;
    assert_eq!(say(&server, &right).await, ["welcome"]);
}

#[test]
fn a_pipe_takes_it_from_a_file_or_the_environment_and_the_log_never_has_it() {
    let server = ServerProcess::start(&["--join-password=hunter22", "--log=trace"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    let args = ["play", "--first", "x"];
    let mut refused = server.pipe(folder.path(), &args);
    refused.wait_for("--password-file FILE or in NOUGHTS_PASSWORD");
    assert_eq!(refused.wait_exit(), 2);
    let with_file = ["--password-file", file.to_str().unwrap(), "--remember-password"];
    fs::write(&file, "hunter23\n").unwrap();
    let mut wrong = server.pipe(folder.path(), &[&args[..], &with_file].concat());
    wrong.wait_for("not the password");
    assert_eq!(wrong.wait_exit(), 2);
    fs::write(&file, "hunter22\n").unwrap();
    let mut right = server.pipe(folder.path(), &[&args[..], &with_file].concat());
    right.wait_for("Room ");
    right.line("quit");
    assert_eq!(right.wait_exit(), 0);
    // It was to be remembered.
    let mut again = server.pipe(folder.path(), &args);
    again.wait_for("Room ");
    again.line("quit");
    assert_eq!(again.wait_exit(), 0);
    let log = server.log();
    assert!(log.contains("connection") && !log.contains("hunter"), "{log}");
}

#[test]
fn the_full_screen_asks_without_showing_it() {
    let server = ServerProcess::start(&[PASSWORD]);
    let folder = tempfile::tempdir().unwrap();
    let mut ada = server.terminal(folder.path(), &["play"]);
    let _ = ada.wait_text("asks for a password");
    ada.press("wrong\r");
    let _ = ada.wait_text("that is not the password");
    ada.press("correct horse");
    let screen = ada.wait_text("Password: *************");
    assert!(!screen.contains("horse"), "{screen}");
    ada.press("\r");
    let _ = ada.wait_text("Room code ");
    // The file is complete when the program has ended.
    assert_eq!(ada.leave(), 0);
    let kept = fs::read_to_string(folder.path().join("client.json")).unwrap();
    assert!(!kept.contains("horse"), "it was not to be remembered");
}

/// Fails if another player says the password than shows the pass, or if a line shows it.
#[test]
fn a_pass_is_shown_again_with_the_password() {
    let server = ServerProcess::start(&[PASSWORD]);
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    fs::write(&file, "correct horse\n").unwrap();
    let ada = ["--password-file", file.to_str().unwrap(), "--name", "Ada", "pass"];
    let mut ada = server.pipe(folder.path(), &ada);
    let link = ada.wait_for("#pass=");
    let mut bob = server.terminal(other.path(), &["--name", "Bob", "pass", &link]);
    let _ = bob.wait_text("Password?");
    bob.press("correct horse\r");
    let screen = bob.wait_text("You are Ada on");
    assert!(!screen.contains("horse"), "{screen}");
}
