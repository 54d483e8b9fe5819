//! Finds elements as a screen reader does: in the accessibility tree, by role and name.

use serde_json::{Value, json};

use super::Tab;

/// A node of the accessibility tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxNode {
    /// Its ARIA role.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// Its description, if it has one.
    pub description: String,
    /// The value of a field.
    pub value: String,
    /// The states that are set: `disabled`, `focused`, `checked`, `selected`, `expanded`.
    pub states: Vec<String>,
    pub(super) node: i64,
}

impl AxNode {
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
        // A screen reader reads a no-break space as a space.
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
    /// Waits for the only node with this role and name, as [`AxNode::is_a`] compares them.
    ///
    /// # Panics
    /// With the tree, if there is none, or more than one.
    pub async fn find(&self, role: &str, name: &str) -> AxNode {
        let finding = async {
            loop {
                if let [found] = &self.all(role, name).await[..] {
                    return found.clone();
                }
                self.pause().await;
            }
        };
        self.in_time(&format!("{role} {name:?}"), finding).await
    }

    /// Waits until there is no node with this role and name.
    ///
    /// # Panics
    /// If it stays.
    pub async fn until_no(&self, role: &str, name: &str) {
        let waiting = async {
            while !self.all(role, name).await.is_empty() {
                self.pause().await;
            }
        };
        self.in_time(&format!("the end of {role} {name:?}"), waiting).await;
    }

    /// All nodes with this role and name, in reading order.
    pub async fn all(&self, role: &str, name: &str) -> Vec<AxNode> {
        let nodes = self.ax_nodes().await;
        nodes.into_iter().filter(|node| node.is_a(role, name)).collect()
    }

    /// The accessibility tree in reading order.
    pub async fn ax_nodes(&self) -> Vec<AxNode> {
        let tree = self.cdp("Accessibility.getFullAXTree", json!({})).await;
        let nodes = tree["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        nodes.iter().filter_map(AxNode::read).collect()
    }

    /// The focused node.
    pub async fn focused(&self) -> Option<AxNode> {
        let nodes = self.ax_nodes().await;
        let focused = |node: &AxNode| node.is("focused") && node.role != "RootWebArea";
        nodes.into_iter().rfind(focused)
    }

    /// The tree as text: role, name and states, one node a line.
    pub(super) async fn outline(&self) -> String {
        let is_listed = |node: &AxNode| {
            !matches!(&*node.role, "InlineTextBox" | "StaticText" | "generic" | "none")
        };
        let nodes = self.ax_nodes().await;
        let lines = nodes.iter().filter(|node| is_listed(node));
        lines.map(|t| format!("{} {:?} {}\n", t.role, t.name, t.states.join(","))).collect()
    }
}
