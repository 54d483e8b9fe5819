//! Removes comments, types and indentation from scripts and styles. Lines stay lines, so that no
//! meaning changes. A test checks that no script has a text of several lines.

/// The file without comments and indentation, if it is a script or style of ours.
pub(crate) fn minify(path: &str, bytes: &[u8]) -> Vec<u8> {
    // The files in `vendor/` contain their licence.
    let ours = [".js", ".css"].iter().any(|ending| path.ends_with(ending));
    if !ours || path.contains("/vendor/") {
        return bytes.to_vec();
    }
    lines(&String::from_utf8_lossy(bytes)).into_bytes()
}

fn lines(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines() {
        let mut line = line.trim();
        if in_comment {
            let Some((_, rest)) = line.split_once("*/") else { continue };
            (line, in_comment) = (rest.trim(), false);
        }
        if line.starts_with("/*") && !line.contains("*/") {
            in_comment = true;
            continue;
        }
        let line = without_notes(line);
        let line = line.trim();
        if !line.is_empty() && !line.starts_with("//") {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

/// A line without `/* .. */` at its start and without `/** @type .. */` anywhere.
fn without_notes(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(at) = if rest.starts_with("/*") { Some(0) } else { rest.find("/** @") } {
        let Some(end) = rest[at..].find("*/") else { break };
        kept += &rest[..at];
        rest = rest[at + end + 2..].trim_start();
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::minify;

    fn check(path: &str, text: &str, expected: &str) {
        let minified = minify(path, text.as_bytes());
        assert_eq!(std::str::from_utf8(&minified).unwrap(), expected, "{text:?}");
    }

    #[test]
    fn comments_types_and_indentation_go() {
        check("js/a.js", "// Head.\n\n/**\n * What.\n */\nlet a;\n", "let a;\n");
        check("js/a.js", "  /** @type {X} */ #a;\n", "#a;\n");
        check("js/a.js", "const a = /** @type {X} */ (b);\n", "const a = (b);\n");
        check("js/a.js", "/** @param {A} a @param {B} b */\nf();\n", "f();\n");
        check(
            "css/a.css",
            "/* One\n   more */\np {\n  a: b; /* why */\n}\n",
            "p {\na: b; /* why */\n}\n",
        );
    }

    #[test]
    fn what_is_not_a_comment_stays() {
        check("js/a.js", "const a = \"http://b\"; // c\n", "const a = \"http://b\"; // c\n");
        check("js/a.js", "const a = \"/* b */\";\n", "const a = \"/* b */\";\n");
        check("js/a.js", "return a\n  / b;\n", "return a\n/ b;\n");
    }

    #[test]
    fn vendored_files_stay_as_they_are() {
        check("js/vendor/a.js", "/*! Licence */\n  let a;\n", "/*! Licence */\n  let a;\n");
        check("icon.svg", "<!-- a -->\n", "<!-- a -->\n");
    }
}
