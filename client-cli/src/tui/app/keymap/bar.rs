//! The last row: the keys of the moment with their labels, as many as fit.

use super::{Act, App, KeyAction, PartyKey, Screen};

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
    pub(in crate::tui::app) fn action_at(&self, column: u16) -> Option<KeyAction> {
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
        // The next step and the way out stay, and the help and a party's way to people if they fit.
        let in_room = matches!(self.screen, Screen::Room);
        let in_party = matches!(self.screen, Screen::Party) || (in_room && self.is_at_table());
        let kept = move |action| match action {
            Act::Help => true,
            Act::Menu | Act::Talk | Act::Party(PartyKey::Withdraw | PartyKey::Start) => in_party,
            _ => false,
        };
        let stays = |action| match action {
            Act::Enter => !in_room,
            action => matches!(action, Act::Back | Act::Close),
        };
        while bar.0.len() > 1 && bar.text().len() + 1 > usize::from(self.size.width) {
            let last = |goes: &dyn Fn(KeyAction) -> bool| {
                bar.0.iter().rposition(|(_, action)| !stays(*action) && goes(*action))
            };
            let place = last(&|action| !kept(action))
                .or_else(|| last(&|action| action != Act::Help))
                .or_else(|| last(&|_| true));
            bar.0.remove(place.unwrap_or_default());
        }
        bar
    }
}
