//! Faces: the drawn animal and its colour beside a person's name, both from closed lists. A person without
//! one has a face all the same: clients derive it from the public id. The drawings are the clients'.

use std::fmt;
use std::str::FromStr;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::PlayerName;
use crate::settings::UnknownName;
use crate::settings::named::named;

/// The drawn animal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Animal {
    Badger,
    Bear,
    Beaver,
    Fox,
    Hare,
    Heron,
    Lynx,
    Otter,
    Owl,
    Raven,
    Seal,
    Wren,
}

named!(Animal {
    Badger: "badger", "badger";
    Bear: "bear", "bear";
    Beaver: "beaver", "beaver";
    Fox: "fox", "fox";
    Hare: "hare", "hare";
    Heron: "heron", "heron";
    Lynx: "lynx", "lynx";
    Otter: "otter", "otter";
    Owl: "owl", "owl";
    Raven: "raven", "raven";
    Seal: "seal", "seal";
    Wren: "wren", "wren";
});

/// The colour of a face. Clients choose a shade that can be seen on their ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Colour {
    Red,
    Orange,
    Yellow,
    Green,
    Teal,
    Blue,
    Violet,
    Pink,
}

named!(Colour {
    Red: "red", "red";
    Orange: "orange", "orange";
    Yellow: "yellow", "yellow";
    Green: "green", "green";
    Teal: "teal", "teal";
    Blue: "blue", "blue";
    Violet: "violet", "violet";
    Pink: "pink", "pink";
});

/// The face of a person. As text it is the two names: `fox blue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Face {
    /// The animal.
    pub animal: Animal,
    /// The colour.
    pub colour: Colour,
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.animal.name(), self.colour.name())
    }
}

impl FromStr for Face {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let (animal, colour) = text.split_once(' ').unwrap_or((text, ""));
        Ok(Self { animal: animal.parse()?, colour: colour.parse()? })
    }
}

/// A person's name, and the face beside it where there is one: two fields of the object that tells the
/// person.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Named<T> {
    /// The name.
    name: T,
    /// The face. A face that is not known counts as none: clients derive it from the public id.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    face: Option<Face>,
}

/// Writes a name and its face as two fields.
///
/// # Errors
/// If the serializer has some.
pub fn serialize<S: Serializer>(name: &PlayerName, serializer: S) -> Result<S::Ok, S::Error> {
    Named { name, face: name.face() }.serialize(serializer)
}

/// Reads a name and its face.
///
/// # Errors
/// If the name is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PlayerName, D::Error> {
    let Named::<PlayerName> { name, face } = Named::deserialize(deserializer)?;
    Ok(name.with_face(face))
}

/// Reads a name that somebody chooses now, and its face.
pub(crate) fn chosen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PlayerName, D::Error> {
    #[derive(Deserialize)]
    struct Chosen(#[serde(deserialize_with = "PlayerName::chosen")] PlayerName);
    let Named::<Chosen> { name, face } = Named::deserialize(deserializer)?;
    Ok(name.0.with_face(face))
}

/// Reads a face. One of a newer version is none.
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Face>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read {
        Known(Face),
        Other(IgnoredAny),
    }
    Ok(match Read::deserialize(deserializer)? {
        Read::Known(face) => Some(face),
        Read::Other(_) => None,
    })
}
