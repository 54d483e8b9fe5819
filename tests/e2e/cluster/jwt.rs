//! Nodes that sign in with a file of credentials, which NATS knows by an operator and an account: nobody
//! writes their keys into its configuration.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use noughts_harness::NatsServers;
use noughts_server::cluster::engine::nats::{NatsConfig, NatsEngine, Permissions};
use serde_json::{Value, json};

use super::contract::config;
use super::nats::do_everything;

/// A token about a key, signed by another one, as `nsc` makes them.
fn token(issuer: &KeyPair, subject: &KeyPair, content: &Value) -> String {
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let claims = json!({
        "jti": subject.public_key(), "iat": 1_700_000_000, "name": "noughts",
        "iss": issuer.public_key(), "sub": subject.public_key(), "nats": content,
    });
    let [header, claims] =
        [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string().as_bytes()));
    let text = format!("{header}.{claims}");
    let signature = URL_SAFE_NO_PAD.encode(issuer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// An account with no limits. The one of NATS itself may not have a `JetStream`.
fn account(operator: &KeyPair, account: &KeyPair, has_streams: bool) -> String {
    let size = if has_streams { -1 } else { 0 };
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
        "conn": -1, "leaf": -1, "mem_storage": size, "disk_storage": size, "streams": size, "consumer": size,
    });
    token(operator, account, &json!({ "type": "account", "version": 2, "limits": limits }))
}

/// The file of credentials of a new user with a node's rights.
fn credentials(account: &KeyPair, prefix: &str) -> String {
    let Permissions { publish, subscribe } = Permissions::new(prefix);
    let user = KeyPair::new_user();
    let content = json!({
        "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1,
        "pub": { "allow": publish }, "sub": { "allow": subscribe },
    });
    let (token, seed) = (token(account, &user, &content), user.seed().unwrap());
    format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

#[tokio::test]
async fn a_node_signs_in_with_a_file_of_credentials() {
    let Some(mut servers) = NatsServers::prepare("a NATS server with an operator", 1) else {
        return;
    };
    let (operator, system, noughts) =
        (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let content = json!({ "type": "operator", "version": 2 });
    let options = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\n\
         resolver_preload: {{ {}: {}, {}: {} }}\n",
        token(&operator, &operator, &content),
        system.public_key(),
        system.public_key(),
        account(&operator, &system, false),
        noughts.public_key(),
        account(&operator, &noughts, true),
    );
    servers.run(&options);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("node.creds");
    let with_file = NatsConfig { credentials: Some(file.clone()), ..config(&servers, "noughts") };

    std::fs::write(&file, credentials(&noughts, "noughts")).unwrap();
    do_everything(&*NatsEngine::connect(&with_file).await.unwrap()).await;
    let options = ["--cluster-name", "whole", "--cluster-credentials", file.to_str().unwrap()];
    std::fs::write(&file, credentials(&noughts, "whole")).unwrap();
    let node = servers.node(0, &options);
    assert_eq!(node.health().unwrap()["status"], "ok", "{}", node.log());

    std::fs::write(&file, credentials(&KeyPair::new_account(), "noughts")).unwrap();
    let refused = NatsEngine::connect(&with_file).await.unwrap_err();
    assert!(refused.0.contains("authorization violation"), "{refused}");
}
