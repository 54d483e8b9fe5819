//! The error of an option whose value cannot be used.

/// An option with a value that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--{option}: {problem}")]
pub struct ConfigError {
    option: &'static str,
    problem: String,
}

impl ConfigError {
    pub(crate) fn new(option: &'static str, problem: impl Into<String>) -> Self {
        Self { option, problem: problem.into() }
    }

    /// The option's name, without the dashes.
    #[must_use]
    pub const fn option(&self) -> &'static str {
        self.option
    }

    /// The problem of the value, and a right one.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}
