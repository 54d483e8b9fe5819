//! The last row: the keys of the moment with their labels, as many as fit.

use super::{Act, App, KeyAction, Screen};

/// Keys with their labels in a row, which can be clicked.
#[derive(Debug)]
pub(crate) struct KeyBar(pub(super) Vec<(String, KeyAction)>);

impl KeyBar {
    const BETWEEN: &str = " | ";

    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self.0.iter().map(|(text, _)| text.as_str()).collect();
        texts.join(Self::BETWEEN)
    }

    /// The action at a column of the text.
    pub(in crate::app) fn action_at(&self, column: u16) -> Option<KeyAction> {
        let mut rest = usize::from(column);
        self.0.iter().find_map(|(text, action)| {
            let hit = rest < text.len();
            rest = rest.wrapping_sub(text.len() + Self::BETWEEN.len());
            hit.then_some(*action)
        })
    }
}

impl App {
    /// The keys that fit the last row, the first ones first.
    pub(crate) fn key_bar(&self) -> KeyBar {
        let labelled = self.bindings().map(|binding| (binding, (binding.label)(self)));
        let labelled = labelled.filter(|(_, label)| !label.is_empty());
        let mut bar = KeyBar(
            labelled.map(|(b, label)| (format!("{} {label}", b.name()), b.action)).collect(),
        );
        // The next step and the way out stay, and the help if it fits.
        let in_room = matches!(self.screen, Screen::Room);
        let stays = |action| match action {
            Act::Enter => !in_room,
            action => matches!(action, Act::Back | Act::Close),
        };
        while bar.0.len() > 1 && bar.text().len() + 1 > usize::from(self.size.width) {
            let unless = |kept: fn(KeyAction) -> bool| {
                bar.0.iter().rposition(|(_, action)| !stays(*action) && !kept(*action))
            };
            let place = unless(|action| action == Act::Help).or_else(|| unless(|_| false));
            bar.0.remove(place.unwrap_or_default());
        }
        bar
    }
}
