//! The error of an option whose value cannot be used.

/// An option with a value that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--{option}{problem}")]
pub struct ConfigError {
    option: &'static str,
    /// As it follows the option.
    problem: String,
}

impl ConfigError {
    pub(crate) fn new(option: &'static str, problem: impl Into<String>) -> Self {
        Self { option, problem: format!(": {}", problem.into()) }
    }

    /// The error of `--cluster`.
    pub(crate) fn no_cluster() -> Self {
        let problem = " comes back with the next version: this one runs on one machine";
        Self { option: "cluster", problem: problem.to_owned() }
    }

    /// The option's name, without the dashes.
    #[must_use]
    pub const fn option(&self) -> &'static str {
        self.option
    }

    /// What is wrong with the value, and what is right.
    #[must_use]
    pub fn problem(&self) -> &str {
        self.problem.trim_start_matches([':', ' '])
    }
}
