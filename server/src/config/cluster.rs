//! How a server takes part in a cluster.

use std::path::{Path, PathBuf};

use noughts_cluster::Options;
use url::Url;

use super::ConfigError;
use super::args::Args;
use super::args::cluster::ClusterArgs;
use super::validate;

/// The cluster of a node.
#[derive(Debug, Clone)]
pub(crate) struct ClusterConfig {
    /// How the node reaches NATS. The address is that of [`Self::url`], or empty.
    pub(crate) options: Options,
    /// Where nodes and clients reach this node; `None` for an address of this machine, which only nodes
    /// are told.
    pub(crate) url: Option<Url>,
}

/// The cluster that the options name, if they name one.
pub(super) fn cluster(args: &Args) -> Result<Option<ClusterConfig>, ConfigError> {
    let options = &args.cluster;
    if options.cluster.is_empty() {
        let is_alone = *options == ClusterArgs::default();
        let problem =
            "the other options of a cluster are for it: name the NATS servers, or leave them out";
        return if is_alone { Ok(None) } else { Err(ConfigError::new("cluster", problem)) };
    }
    if !cfg!(feature = "cluster") {
        let problem = "this noughts-server was built without clusters";
        return Err(ConfigError::new("cluster", problem));
    }
    if args.ephemeral || args.data_dir.is_none() {
        let problem = "a node keeps a copy of all games: name a folder for it with \
                       --data-dir, which no other node uses";
        return Err(ConfigError::new("cluster", problem));
    }
    let certificate = match (&options.cluster_tls_cert, &options.cluster_tls_key) {
        (Some(certificate), Some(key)) => {
            Some((file("cluster-tls-cert", certificate)?, file("cluster-tls-key", key)?))
        }
        (None, None) => None,
        (Some(_), None) => return Err(ConfigError::new("cluster-tls-cert", TWO_FILES)),
        (None, Some(_)) => return Err(ConfigError::new("cluster-tls-key", TWO_FILES)),
    };
    let address = options.cluster_address.as_deref();
    let url = address.map(|text| validate::base_url("cluster-address", text)).transpose()?;
    let options = Options {
        urls: options.cluster.iter().map(|text| nats_url(text)).collect::<Result<_, _>>()?,
        credentials: optional_file("cluster-credentials", options.cluster_credentials.as_deref())?,
        authorities: optional_file("cluster-ca", options.cluster_ca.as_deref())?,
        certificate,
        name: name(options.cluster_name.as_deref().unwrap_or("noughts"))?,
        replicas: match options.cluster_replicas.unwrap_or(3) {
            replicas @ (1 | 3 | 5) => replicas,
            _ => return Err(ConfigError::new("cluster-replicas", "use 1, 3 or 5")),
        },
        address: url.as_ref().map(Url::to_string).unwrap_or_default(),
    };
    Ok(Some(ClusterConfig { options, url }))
}

const TWO_FILES: &str = "a certificate and its key are two files: name both";

fn optional_file(
    option: &'static str,
    path: Option<&Path>,
) -> Result<Option<PathBuf>, ConfigError> {
    path.map(|path| file(option, path)).transpose()
}

fn file(option: &'static str, path: &Path) -> Result<PathBuf, ConfigError> {
    let problem = || format!("there is no file {}", path.display());
    path.is_file().then(|| path.to_owned()).ok_or_else(|| ConfigError::new(option, problem()))
}

/// The address of a NATS server. An error does not repeat it, because a password may be in it.
fn nats_url(text: &str) -> Result<String, ConfigError> {
    let url = Url::parse(text).ok();
    let is_legal = url.is_some_and(|url| matches!(url.scheme(), "nats" | "tls") && url.has_host());
    let problem = "an address is nats://HOST:PORT or tls://HOST:PORT; write several with commas";
    is_legal.then(|| text.to_owned()).ok_or_else(|| ConfigError::new("cluster", problem))
}

fn name(text: &str) -> Result<String, ConfigError> {
    let is_legal = (1..=32).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let problem = "a name has 1 to 32 letters, digits, - and _";
    is_legal.then(|| text.to_owned()).ok_or_else(|| ConfigError::new("cluster-name", problem))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Config;
    use super::*;

    fn read(words: &str) -> Result<Option<ClusterConfig>, String> {
        let words = ["noughts-server"].into_iter().chain(words.split_whitespace());
        let config = Config::try_from(&Args::parse_from(words));
        config.map(|config| config.cluster).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check(words: &str, expected: &str) {
        let problem = read(words).map(drop).unwrap_err();
        assert!(problem.starts_with(expected), "{words}: {problem}");
    }

    #[test]
    fn a_node_names_its_cluster() {
        assert!(read("--data-dir /tmp/x").unwrap().is_none());
        let two = "--data-dir /tmp/x --cluster nats://a,tls://u:pw@b:4222";
        let cluster = read(two).unwrap().unwrap();
        let Options { urls, name, replicas, .. } = &cluster.options;
        assert_eq!(*urls, ["nats://a", "tls://u:pw@b:4222"]);
        assert_eq!((name.as_str(), *replicas), ("noughts", 3));
        assert!(!format!("{cluster:?}").contains("pw"));
        let more = "--data-dir /tmp/x --cluster nats://a --cluster-name club-2 \
                    --cluster-replicas 1 --cluster-address https://one.example";
        let cluster = read(more).unwrap().unwrap();
        let Options { name, replicas, address, .. } = &cluster.options;
        assert_eq!((name.as_str(), *replicas), ("club-2", 1));
        assert_eq!(address, "https://one.example/");
    }

    #[test]
    fn what_is_wrong_says_what_is_right() {
        check("--cluster-name club", "--cluster: the other options of a cluster are for it");
        check("--cluster nats://a", "--cluster: a node keeps a copy");
        check("--cluster nats://a --ephemeral", "--cluster: a node keeps a copy");
        let node = "--data-dir /tmp/x --cluster nats://a";
        check("--data-dir /tmp/x --cluster http://a", "--cluster: an address is nats://");
        check("--data-dir /tmp/x --cluster nats://a,b", "--cluster: an address is nats://");
        check(&format!("{node} --cluster-replicas 2"), "--cluster-replicas: use 1, 3 or 5");
        check(&format!("{node} --cluster-name a.b"), "--cluster-name: a name has");
        check(&format!("{node} --cluster-ca /nowhere/x"), "--cluster-ca: there is no file");
        check(&format!("{node} --cluster-tls-key /etc/hosts"), "--cluster-tls-key: a certificate");
        check(&format!("{node} --cluster-address one"), "--cluster-address: ");
    }
}
