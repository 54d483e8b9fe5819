//! Variables of the environment that begin as those of the options, and are none of them.

use std::ffi::OsString;

use clap::{Arg, Command};

/// All variables of Noughts begin with this; the client and the tests have theirs too.
const PREFIX: &str = "NOUGHTS_";

/// A name that becomes that of an option by so many letters is a slip of the pen.
const SLIP: usize = 2;

/// Variables that set nothing here.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UnknownVariables {
    /// Those that are nearly the variable of an option, each with a sentence that names it.
    pub slips: Vec<String>,
    /// The names of the others. A host may have set them for something else: for the client on the same
    /// machine, or Kubernetes for a service with the name `noughts`.
    pub others: Vec<String>,
}

impl UnknownVariables {
    /// Those among the names of all variables.
    pub(super) fn find(options: &Command, names: impl Iterator<Item = OsString>) -> Self {
        let known =
            || options.get_arguments().filter_map(Arg::get_env).filter_map(|env| env.to_str());
        let mut unknown = Self::default();
        let ours = names.filter_map(|name| name.into_string().ok());
        for name in ours.filter(|name| name.starts_with(PREFIX) && known().all(|env| env != name)) {
            let distances = known().map(|env| (strsim::osa_distance(env, &name), env));
            // Of a short name that many letters would be most of it.
            let most = SLIP.min((name.len() - PREFIX.len()).div_ceil(2).saturating_sub(1));
            match distances.min().filter(|(distance, _)| *distance <= most) {
                Some((_, env)) => {
                    unknown.slips.push(format!("{name} is no option: did you mean {env}?"));
                }
                None => unknown.others.push(name),
            }
        }
        unknown.slips.sort();
        unknown.others.sort();
        unknown
    }

    /// A sentence about the others, if there are some.
    #[must_use]
    pub fn ignored(&self) -> Option<String> {
        let names = self.others.join(", ");
        (!names.is_empty()).then(|| format!("variables that set nothing here: {names}"))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::config::args::Args;

    fn find(names: &[&str]) -> UnknownVariables {
        UnknownVariables::find(&Args::command(), names.iter().map(OsString::from))
    }

    #[test]
    fn a_slip_of_the_pen_names_the_option() {
        for (name, meant) in [
            ("NOUGHTS_MAX_ROMS", "NOUGHTS_MAX_ROOMS"),
            ("NOUGHTS_MAXROOMS", "NOUGHTS_MAX_ROOMS"),
            ("NOUGHTS_DATA_DRI", "NOUGHTS_DATA_DIR"),
            ("NOUGHTS_JOIN_PASWORD_FILE", "NOUGHTS_JOIN_PASSWORD_FILE"),
        ] {
            let slips = vec![format!("{name} is no option: did you mean {meant}?")];
            assert_eq!(find(&[name]), UnknownVariables { slips, others: Vec::new() });
        }
    }

    /// A variable of the client or of a test that counted as a slip would make `check` fail beside them.
    #[test]
    fn variables_of_others_are_no_slips_and_options_are_known() {
        let others = "NOUGHTS_ NOUGHTS_CA NOUGHTS_CONFIG_DIR NOUGHTS_DRAW NOUGHTS_FOO NOUGHTS_KEY \
                      NOUGHTS_NAME NOUGHTS_NO_BELL NOUGHTS_NO_DISCOVERY NOUGHTS_NO_MOTION \
                      NOUGHTS_PASSWORD NOUGHTS_PASSWORD_FILE NOUGHTS_PICTURES NOUGHTS_PORT \
                      NOUGHTS_SEED NOUGHTS_SERVER NOUGHTS_SERVICE_HOST NOUGHTS_SIMULATIONS \
                      NOUGHTS_THEME NOUGHTS_UPDATE";
        let unknown = find(&others.split(' ').collect::<Vec<_>>());
        assert_eq!((unknown.slips.len(), unknown.others.join(" ").as_str()), (0, others));
        assert!(unknown.ignored().unwrap().ends_with("NOUGHTS_THEME, NOUGHTS_UPDATE"));
        assert_eq!(find(&["NOUGHTS_MAX_ROOMS", "NOUGHTS_SERVER_NAME", "PATH"]), find(&[]));
        assert_eq!(find(&[]).ignored(), None);
    }
}
