//! Enums whose values have names: each name is said once, for the wire, for options and for menus.

/// Gives an enum its names: first the one on the wire and on the command line, then the one for
/// people, and where it has one a short one that is read too. The values stand in the order in which a
/// form offers them.
macro_rules! named {
    ($type:ident { $($variant:ident: $name:literal, $label:literal $(, $short:literal)?;)+ }) => {
        impl $type {
            /// All values, in the order in which a form offers them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name on the wire and the label of each value.
            pub const NAMES: &'static [(&'static str, &'static str)] = &[$(($name, $label)),+];

            /// The name on the wire and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The name for people.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.label())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::settings::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $($(if text == $short {
                    return Ok(Self::$variant);
                })?)+
                let name = $crate::settings::name_of(Self::NAMES, text)?;
                let known = Self::ALL.into_iter().find(|value| value.name() == name);
                Ok(known.expect("each value has a name"))
            }
        }
    };
}
pub(crate) use named;

/// The name that a text means. Case does not count, and `very-weak` and `very weak` are
/// `very_weak`.
pub(crate) fn name_of(
    names: &'static [(&'static str, &'static str)],
    text: &str,
) -> Result<&'static str, UnknownName> {
    let text = text.trim().to_lowercase().replace([' ', '-'], "_");
    let known = names.iter().find(|(name, _)| *name == text);
    known.map(|(name, _)| *name).ok_or(UnknownName(names))
}

/// A text that is none of the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("type {}", alternatives(.0))]
pub struct UnknownName(&'static [(&'static str, &'static str)]);

/// The names as a list for people: "x, o or random".
#[must_use]
pub fn alternatives(names: &[(&str, &str)]) -> String {
    let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
