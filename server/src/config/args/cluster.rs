//! The options of a node of a cluster.

use std::path::PathBuf;

use clap::Args;

/// How this server takes part in a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Several servers that are one")]
pub struct ClusterArgs {
    /// Run as one of several servers that are one, over these NATS servers:
    /// `nats://10.0.0.1,nats://10.0.0.2`
    #[arg(
        long,
        env = "NOUGHTS_CLUSTER",
        value_delimiter = ',',
        hide_env_values = true,
        value_name = "URL"
    )]
    pub cluster: Vec<String>,

    /// The file with the credentials or the nkey that the NATS servers ask for
    #[arg(long, env = "NOUGHTS_CLUSTER_CREDENTIALS", value_name = "FILE")]
    pub cluster_credentials: Option<PathBuf>,

    /// The certificates of the authorities that the NATS servers' certificates are from, as PEM
    #[arg(long, env = "NOUGHTS_CLUSTER_CA", value_name = "FILE")]
    pub cluster_ca: Option<PathBuf>,

    /// This node's certificate for the NATS servers, as PEM
    #[arg(long, env = "NOUGHTS_CLUSTER_TLS_CERT", value_name = "FILE")]
    pub cluster_tls_cert: Option<PathBuf>,

    /// The private key of that certificate, as PEM
    #[arg(long, env = "NOUGHTS_CLUSTER_TLS_KEY", value_name = "FILE")]
    pub cluster_tls_key: Option<PathBuf>,

    /// The cluster's name, with which all its buckets, streams and subjects begin [default: noughts]
    #[arg(long, env = "NOUGHTS_CLUSTER_NAME", value_name = "NAME")]
    pub cluster_name: Option<String>,

    /// How many NATS servers keep each room and game: 1, 3 or 5 [default: 3]
    #[arg(long, env = "NOUGHTS_CLUSTER_REPLICAS", value_name = "N")]
    pub cluster_replicas: Option<u8>,

    /// Where the other nodes reach this one, and clients that go on here when their node stops:
    /// `https://one.games.example/` [default: this machine's address, for the nodes alone]
    #[arg(long, env = "NOUGHTS_CLUSTER_ADDRESS", value_name = "URL")]
    pub cluster_address: Option<String>,
}
