//! Finding things as a screen reader does: in the accessibility tree, by role and name.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::Tab;
use crate::TIMEOUT;

/// Something in the accessibility tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// Its ARIA role.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// Its description, if it has one.
    pub description: String,
    /// What a field holds.
    pub value: String,
    /// Its states that are set: `disabled`, `focused`, `checked`, `selected`, `expanded`.
    pub states: Vec<String>,
    pub(super) node: i64,
}

impl Thing {
    /// Whether a state is set.
    #[must_use]
    pub fn is(&self, state: &str) -> bool {
        self.states.iter().any(|set| set == state)
    }

    /// Whether it has a role and a name; `Ada*` is any name that begins with `Ada`.
    #[must_use]
    pub fn is_a(&self, role: &str, name: &str) -> bool {
        let called = match name.strip_suffix('*') {
            Some(start) => self.name.starts_with(start),
            None => self.name == name,
        };
        self.role == role && called
    }

    fn read(node: &Value) -> Option<Self> {
        if node["ignored"] == true {
            return None;
        }
        // A space that does not break is a space to who hears it.
        let text =
            |key: &str| node[key]["value"].as_str().unwrap_or_default().replace('\u{a0}', " ");
        let properties = node["properties"].as_array().map_or(&[][..], Vec::as_slice);
        let set = |property: &&Value| {
            let value = &property["value"]["value"];
            value == true || value == "true"
        };
        let states = properties.iter().filter(set).filter_map(|p| p["name"].as_str());
        Some(Self {
            role: text("role"),
            name: text("name"),
            description: text("description"),
            value: text("value"),
            states: states.map(str::to_owned).collect(),
            node: node["backendDOMNodeId"].as_i64()?,
        })
    }
}

impl Tab {
    /// Waits for the one thing with this role and name, as [`Thing::is_a`] has them.
    ///
    /// # Panics
    /// With what there is, where there is none, or more than one.
    pub async fn find(&self, role: &str, name: &str) -> Thing {
        let finding = async {
            loop {
                if let Some(found) = self.look(role, name).await {
                    return found;
                }
                self.pause().await;
            }
        };
        match timeout(TIMEOUT, finding).await {
            Ok(found) => found,
            Err(_) => panic!("waited for {role} {name:?}: {}", self.describe().await),
        }
    }

    /// Waits until there is nothing with this role and name.
    ///
    /// # Panics
    /// Where it stays.
    pub async fn until_no(&self, role: &str, name: &str) {
        let waiting = async {
            while !self.all(role, name).await.is_empty() {
                self.pause().await;
            }
        };
        if timeout(TIMEOUT, waiting).await.is_err() {
            panic!("waited for the end of {role} {name:?}: {}", self.describe().await);
        }
    }

    /// Everything with this role and name, in the order of reading.
    pub async fn all(&self, role: &str, name: &str) -> Vec<Thing> {
        let things = self.things().await;
        things.into_iter().filter(|thing| thing.is_a(role, name)).collect()
    }

    async fn look(&self, role: &str, name: &str) -> Option<Thing> {
        let mut found = self.all(role, name).await;
        if found.len() == 1 { found.pop() } else { None }
    }

    /// The accessibility tree in the order of reading.
    pub async fn things(&self) -> Vec<Thing> {
        let tree = self.cdp("Accessibility.getFullAXTree", json!({})).await;
        let nodes = tree["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        nodes.iter().filter_map(Thing::read).collect()
    }

    /// What has the focus.
    pub async fn focused(&self) -> Option<Thing> {
        let things = self.things().await;
        let focused = |thing: &Thing| thing.is("focused") && thing.role != "RootWebArea";
        things.into_iter().rfind(focused)
    }

    /// The tree as text: a role and a name a line.
    pub(super) async fn outline(&self) -> String {
        let told = |thing: &Thing| {
            !matches!(&*thing.role, "InlineTextBox" | "StaticText" | "generic" | "none")
        };
        let things = self.things().await;
        let lines = things.iter().filter(|thing| told(thing));
        lines.map(|t| format!("{} {:?} {}\n", t.role, t.name, t.states.join(","))).collect()
    }
}
