//! The preview of a shared link in a messenger: tags in the head of the page with title, description
//! and picture. Messengers run no script. Pure.

use std::fmt;

use noughts_protocol::RoomCode;

/// The line of `index.html` that the tags replace.
pub(crate) const PLACEHOLDER: &str = "<!-- preview -->\n";

/// The path of the picture. It has no version, because a messenger may load the picture long after the
/// page.
pub(crate) const PICTURE: &str = "/preview.png";

/// The size of the picture in pixels, as messengers recommend. A test compares it with the file.
pub(crate) const SIZE: (u32, u32) = (1200, 630);

/// The languages of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Language {
    #[default]
    English,
    German,
}

impl Language {
    /// The language of a tag such as `de-AT`; `None` if the page does not have it.
    pub(crate) fn of(tag: &str) -> Option<Self> {
        match tag.split('-').next()?.to_ascii_lowercase().as_str() {
            "en" => Some(Self::English),
            "de" => Some(Self::German),
            _ => None,
        }
    }

    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

/// A link to the server or to a room. `Display` writes the tags, one a line.
#[derive(Debug)]
pub(crate) struct Preview<'a> {
    /// The server's name.
    pub(crate) server: &'a str,
    /// The server's address without a final slash, if it is known. Messengers accept no relative
    /// address.
    pub(crate) url: Option<&'a str>,
    /// The room of the link. The preview does not tell whether the room exists.
    pub(crate) room: Option<RoomCode>,
    /// The language of the texts.
    pub(crate) language: Language,
}

impl Preview<'_> {
    fn title(&self) -> String {
        match (self.room, self.language) {
            (None, _) => "Noughts".to_owned(),
            (Some(room), Language::English) => format!("Noughts: room {room}"),
            (Some(room), Language::German) => format!("Noughts: Raum {room}"),
        }
    }

    fn description(&self) -> &'static str {
        match (self.room, self.language) {
            (None, Language::English) => {
                "Play tic-tac-toe on small and large boards with a friend, a stranger or the computer."
            }
            (None, Language::German) => {
                "Tic-Tac-Toe auf kleinen und großen Brettern: mit Freunden, mit anderen oder gegen \
                 den Computer."
            }
            (Some(_), Language::English) => {
                "You are invited to a game of noughts and crosses. Open the link to play; you need \
                 no account."
            }
            (Some(_), Language::German) => {
                "Du bist zu einem Spiel eingeladen: Tic-Tac-Toe. Öffne den Link und spiele mit; du \
                 brauchst kein Konto."
            }
        }
    }

    /// The alternative text of the picture.
    fn alternative(&self) -> &'static str {
        match self.language {
            Language::English => "Noughts and crosses on a board of three by three",
            Language::German => "Kreise und Kreuze auf einem Brett von drei mal drei Feldern",
        }
    }
}

impl fmt::Display for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, description) = (self.title(), self.description());
        writeln!(f, "<title>{}</title>", Escaped(&title))?;
        writeln!(f, "<meta name=\"description\" content=\"{}\">", Escaped(description))?;
        let mut tag = |name: &str, content: &str| {
            writeln!(f, "<meta property=\"og:{name}\" content=\"{}\">", Escaped(content))
        };
        tag("type", "website")?;
        tag("site_name", self.server)?;
        tag("title", &title)?;
        tag("description", description)?;
        let Some(url) = self.url else { return Ok(()) };
        let path = self.room.map_or_else(|| "/".to_owned(), |room| format!("/r/{room}"));
        tag("url", &format!("{url}{path}"))?;
        tag("image", &format!("{url}{PICTURE}"))?;
        tag("image:width", &SIZE.0.to_string())?;
        tag("image:height", &SIZE.1.to_string())?;
        tag("image:alt", self.alternative())?;
        writeln!(f, "<meta name=\"twitter:card\" content=\"summary_large_image\">")
    }
}

/// Text with escaped HTML characters, for text and attributes.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                char => fmt::Write::write_char(f, char)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Preview};

    fn preview(server: &str, url: Option<&str>, room: Option<&str>) -> String {
        let room = room.map(|code| code.parse().unwrap());
        Preview { server, url, room, language: Language::default() }.to_string()
    }

    #[test]
    fn every_address_is_absolute() {
        let home = preview("Noughts", Some("https://play.example/x"), None);
        assert!(home.contains("og:url\" content=\"https://play.example/x/\""), "{home}");
        let room = preview("Noughts", Some("https://play.example/x"), Some("kqrzx"));
        assert!(room.contains("og:url\" content=\"https://play.example/x/r/KQRZX\""), "{room}");
        assert!(room.contains("content=\"https://play.example/x/preview.png\""), "{room}");
        assert!(room.contains("<title>Noughts: room KQRZX</title>"), "{room}");
        let unknown = preview("Noughts", None, Some("KQRZX"));
        assert!(!unknown.contains("og:url") && !unknown.contains("og:image"), "{unknown}");
    }

    #[test]
    fn a_name_is_text() {
        let name = "\"><script>alert('1')</script>&";
        let tags = preview(name, Some("http://a.example"), None);
        let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";
        assert!(tags.contains(&format!("og:site_name\" content=\"{escaped}\"")), "{tags}");
        assert!(!tags.contains("<script"), "{tags}");
    }

    #[test]
    fn languages_go_by_the_first_part_of_the_tag() {
        let tags = [
            ("de-AT", Some(Language::German)),
            ("EN", Some(Language::English)),
            ("den", None),
            ("", None),
            ("*", None),
        ];
        for (tag, language) in tags {
            assert_eq!(Language::of(tag), language, "{tag}");
        }
    }
}
