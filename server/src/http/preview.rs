//! The preview of a shared link in a messenger: tags in the head of the page with title, description
//! and picture. Messengers run no script. Pure.

use std::fmt;

use noughts_protocol::{GameSummary, Mark, Participant, PartyCode, RoomCode, Variant};

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

/// The page that a link leads to.
#[derive(Debug)]
pub(crate) enum Link<'a> {
    /// The page at a path, which begins with a slash.
    Path(&'a str),
    /// A room. The preview does not tell whether it exists.
    Room(RoomCode),
    /// A party. The preview does not tell whether it exists.
    Party(PartyCode),
    /// A kept game.
    Game(&'a GameSummary),
}

impl Link<'_> {
    /// Whether the first screen is that of a room or takes from it.
    pub(crate) const fn leads_to_a_room(&self) -> bool {
        !matches!(self, Self::Path(_))
    }
}

/// A link to the server. `Display` writes the tags, one a line.
#[derive(Debug)]
pub(crate) struct Preview<'a> {
    /// The server's name.
    pub(crate) server: &'a str,
    /// The server's address without a final slash, if it is known. Messengers accept no relative
    /// address.
    pub(crate) url: Option<&'a str>,
    /// The page of the link.
    pub(crate) link: Link<'a>,
    /// The language of the texts.
    pub(crate) language: Language,
}

impl Preview<'_> {
    fn title(&self) -> String {
        match (&self.link, self.language) {
            (Link::Path(_), _) => "Noughts".to_owned(),
            (Link::Room(room), Language::English) => format!("Noughts: room {room}"),
            (Link::Room(room), Language::German) => format!("Noughts: Raum {room}"),
            (Link::Party(party), Language::English) => format!("Noughts: party {party}"),
            (Link::Party(party), Language::German) => format!("Noughts: Party {party}"),
            (Link::Game(game), language) => title_of(game, language),
        }
    }

    fn description(&self) -> String {
        let text = match (&self.link, self.language) {
            (Link::Path(_), Language::English) => {
                "Play tic-tac-toe on small and large boards with a friend, a stranger or the computer."
            }
            (Link::Path(_), Language::German) => {
                "Tic-Tac-Toe auf kleinen und großen Brettern: mit Freunden, mit anderen oder gegen \
                 den Computer."
            }
            (Link::Room(_), Language::English) => {
                "You are invited to a game of noughts and crosses. Open the link to play; you need \
                 no account."
            }
            (Link::Room(_), Language::German) => {
                "Du bist zu einem Spiel eingeladen: Tic-Tac-Toe. Öffne den Link und spiele mit; du \
                 brauchst kein Konto."
            }
            (Link::Party(_), Language::English) => {
                "You are invited to a party: many people, many games of noughts and crosses, one \
                 winner. Open the link to join; you need no account."
            }
            (Link::Party(_), Language::German) => {
                "Du bist zu einer Party eingeladen: viele Leute, viele Spiele Tic-Tac-Toe und am Ende \
                 gewinnt einer. Öffne den Link und mach mit; du brauchst kein Konto."
            }
            (Link::Game(game), language) => return description_of(game, language),
        };
        text.to_owned()
    }

    /// The address of the page and of its picture, without the server's.
    fn paths(&self) -> (String, String) {
        let general = PICTURE.to_owned();
        match &self.link {
            Link::Path(path) => ((*path).to_owned(), general),
            Link::Room(room) => (format!("/r/{room}"), general),
            Link::Party(party) => (format!("/party/{party}"), general),
            Link::Game(game) => (format!("/g/{}", game.id), format!("/g/{}/picture.png", game.id)),
        }
    }

    /// The alternative text of the picture.
    fn alternative(&self) -> &'static str {
        match (&self.link, self.language) {
            (Link::Game(_), Language::English) => "The board at the end of the game",
            (Link::Game(_), Language::German) => "Das Brett am Ende des Spiels",
            (_, Language::English) => "Noughts and crosses on a board of three by three",
            (_, Language::German) => "Kreise und Kreuze auf einem Brett von drei mal drei Feldern",
        }
    }
}

/// The players of a game and its result: "Ada (X) – Bob (O): X won".
fn title_of(game: &GameSummary, language: Language) -> String {
    let name = |participant: &Participant| match (participant, language) {
        (Participant::Human { name, .. }, _) => name.to_string(),
        (Participant::Somebody, Language::English) => "Somebody".to_owned(),
        (Participant::Somebody, Language::German) => "Jemand".to_owned(),
        (Participant::Computer(_), _) => "Computer".to_owned(),
    };
    let x = name(&game.players[Mark::X]);
    let o = name(&game.players[Mark::O]);
    let result = match (game.result.winner(), language) {
        (Some(mark), Language::English) => format!("{mark} won"),
        (Some(mark), Language::German) => format!("{mark} hat gewonnen"),
        (None, Language::English) => "a draw".to_owned(),
        (None, Language::German) => "unentschieden".to_owned(),
    };
    format!("{x} (X) – {o} (O): {result}")
}

fn description_of(game: &GameSummary, language: Language) -> String {
    let width = game.board.width();
    let height = game.board.height();
    let line = game.board.line();
    let plies = game.plies;
    let marks = if plies == 1 { "mark" } else { "marks" };
    let variant = name_on_page(game.variant, language);
    match (game.variant, language) {
        (Variant::Line, Language::English) => format!(
            "A game of noughts and crosses on {width} × {height} with {line} in a row, {plies} \
             {marks} long. Open the link to look at it move by move."
        ),
        (Variant::Line, Language::German) => format!(
            "Ein Spiel Tic-Tac-Toe auf {width} × {height} mit {line} in einer Reihe, {plies} \
             Zeichen lang. Öffne den Link und sieh es dir Zug um Zug an."
        ),
        (_, Language::English) => format!(
            "A game of noughts and crosses by the rules of “{variant}”, {plies} {marks} long. Open \
             the link to look at it move by move."
        ),
        (_, Language::German) => format!(
            "Ein Spiel Tic-Tac-Toe nach den Regeln von „{variant}“, {plies} Zeichen lang. Öffne \
             den Link und sieh es dir Zug um Zug an."
        ),
    }
}

/// The name of a variant in the page's texts, where it stands in a line of its own.
fn name_on_page(variant: Variant, language: Language) -> &'static str {
    let texts = match language {
        Language::English => include_str!("../../web/js/strings/variants-en.js"),
        Language::German => include_str!("../../web/js/strings/variants-de.js"),
    };
    let key = format!("  \"variant.{}\": \"", variant.name());
    let name = texts.lines().find_map(|line| line.strip_prefix(&key)?.strip_suffix("\","));
    name.unwrap_or(variant.label())
}

impl fmt::Display for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.title();
        let description = self.description();
        writeln!(f, "<title>{}</title>", Escaped(&title))?;
        writeln!(f, "<meta name=\"description\" content=\"{}\">", Escaped(&description))?;
        let mut tag = |name: &str, content: &str| {
            writeln!(f, "<meta property=\"og:{name}\" content=\"{}\">", Escaped(content))
        };
        tag("type", "website")?;
        tag("site_name", self.server)?;
        tag("title", &title)?;
        tag("description", &description)?;
        let Some(url) = self.url else { return Ok(()) };
        let (path, picture) = self.paths();
        tag("url", &format!("{url}{path}"))?;
        tag("image", &format!("{url}{picture}"))?;
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
    use noughts_protocol::{
        BoardSpec, ByMark, GameId, GameResult, GameSummary, Mark, Participant, PlayerId, Variant,
    };

    use super::{Language, Link, Preview, name_on_page};

    fn preview(server: &str, url: Option<&str>, room: Option<&str>) -> String {
        let link = room.map_or(Link::Path("/"), |code| Link::Room(code.parse().unwrap()));
        Preview { server, url, link, language: Language::default() }.to_string()
    }

    #[test]
    fn a_game_has_a_title_and_a_picture_of_its_own() {
        let player = PlayerId(1);
        let name = "<b>Ada</b>".parse().unwrap();
        let mut game = GameSummary {
            id: GameId(0xab),
            ended_at: 0,
            players: ByMark { x: Participant::Human { player, name }, o: Participant::Somebody },
            board: BoardSpec::new(5, 4, 4).unwrap(),
            variant: Default::default(),
            result: GameResult::Resignation { winner: Mark::O },
            plies: 7,
            rated: false,
            public: false,
        };
        let tags = |game: &GameSummary, language| {
            let server = "Noughts";
            let url = Some("https://play.example/x");
            Preview { server, url, link: Link::Game(game), language }.to_string()
        };
        let english = tags(&game, Language::English);
        let title = "&lt;b&gt;Ada&lt;/b&gt; (X) – Somebody (O): O won";
        assert!(english.contains(&format!("og:title\" content=\"{title}\"")), "{english}");
        assert!(english.contains("on 5 × 4 with 4 in a row, 7 marks long"), "{english}");
        for address in ["/g/00000000000000ab\"", "/g/00000000000000ab/picture.png\""] {
            let address = format!("content=\"https://play.example/x{address}");
            assert!(english.contains(&address), "{address}: {english}");
        }
        game.plies = 1;
        assert!(tags(&game, Language::English).contains(", 1 mark long"));
        game.result = GameResult::NoLineLeft;
        game.variant = Variant::Gravity;
        let german = tags(&game, Language::German);
        assert!(german.contains("von „Schwerkraft“, 1 Zeichen"), "{german}");
        assert!(german.contains("Jemand (O): unentschieden\""), "{german}");
        assert_eq!(name_on_page(Variant::Exact, Language::English), "Exact five");
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
