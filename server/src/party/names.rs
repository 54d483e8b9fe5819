//! Names in a party: nobody has the name of somebody else.

use noughts_protocol::PlayerName;

/// The name, with a number if it is taken: `Ada (2)`. The end of a long name is cut off for the
/// number.
pub(super) fn unique(name: &PlayerName, is_taken: impl Fn(&str) -> bool) -> PlayerName {
    if !is_taken(name.as_str()) {
        return name.clone();
    }
    // More numbers than a party has entrants: one of them is free.
    let mut numbered = (2..=1_000).map(|number| name.numbered(number));
    numbered.find(|name| !is_taken(name.as_str())).unwrap_or_else(|| name.clone())
}

#[cfg(test)]
mod tests {
    use noughts_protocol::MAX_NAME_CHARS;

    use super::*;

    fn apart(name: &str, taken: &[&str]) -> String {
        unique(&name.parse().unwrap(), |text| taken.contains(&text)).to_string()
    }

    #[test]
    fn a_name_gets_the_first_free_number() {
        assert_eq!(apart("Ada", &["Bob"]), "Ada");
        assert_eq!(apart("Ada", &["Ada"]), "Ada (2)");
        assert_eq!(apart("Ada", &["Ada", "Ada (2)"]), "Ada (3)");
        let long = "a".repeat(MAX_NAME_CHARS);
        let cut = format!("{} (2)", "a".repeat(MAX_NAME_CHARS - 4));
        assert_eq!(apart(&long, &[&long]), cut);
        let family = "👨\u{200d}👩\u{200d}👧";
        let long = family.repeat(5);
        let cut = format!("{} (2)", family.repeat(4));
        assert_eq!(apart(&long, &[&long]), cut);
    }
}
