//! The features of a server: what its configuration allows, without what a host has switched off. The acts of
//! hosts are `noughts-store`'s.

use noughts_protocol::Features;
use noughts_store::{Sqlite, Switch};

use super::Storage;

/// The features as they are from moment to moment. Cheap to clone and to read.
#[derive(Debug, Clone)]
pub(crate) struct Switches {
    configured: Features,
    /// `None` on a server that keeps nothing, and has no host's door.
    sqlite: Option<Sqlite>,
}

impl Switches {
    /// The features of a configuration, and the switches in a store.
    pub(crate) fn new(configured: Features, storage: Option<&Storage>) -> Self {
        Self { configured, sqlite: storage.map(|storage| storage.sqlite.clone()) }
    }

    /// The features that are on now.
    pub(crate) fn now(&self) -> Features {
        let Some(sqlite) = &self.sqlite else { return self.configured };
        let is_on = |switch| !sqlite.acts().is_off(switch);
        Features {
            chat: self.configured.chat && is_on(Switch::Chat),
            listing: self.configured.listing && is_on(Switch::Listing),
            quick_match: self.configured.quick_match && is_on(Switch::QuickMatch),
            ratings: self.configured.ratings && is_on(Switch::Ratings),
            ..self.configured
        }
    }

    /// Whether the configuration allows a feature.
    pub(crate) const fn is_configured(&self, switch: Switch) -> bool {
        match switch {
            Switch::Chat => self.configured.chat,
            Switch::Listing => self.configured.listing,
            Switch::QuickMatch => self.configured.quick_match,
            Switch::Ratings => self.configured.ratings,
        }
    }
}
