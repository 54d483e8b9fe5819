//! The device and the language of a visitor.

use serde_json::json;

use super::Tab;

/// A screen, and the preferences of the person who uses it.
#[derive(Debug, Clone, Copy)]
pub struct Device {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Whether it is touched, as a phone is, and not clicked.
    pub touch: bool,
    /// Whether the person prefers dark pages.
    pub dark: bool,
    /// Whether the person likes motion. Animations would only make most tests wait.
    pub motion: bool,
    /// The language of `Accept-Language`.
    pub language: &'static str,
}

impl Device {
    /// A laptop.
    pub const LAPTOP: Self = Self {
        width: 1280,
        height: 800,
        touch: false,
        dark: false,
        motion: false,
        language: "en-GB",
    };
    /// A phone of the usual size.
    pub const PHONE: Self = Self { width: 390, height: 844, touch: true, ..Self::LAPTOP };
    /// The smallest phone that is supported.
    pub const SMALL_PHONE: Self = Self { width: 320, height: 568, ..Self::PHONE };
    /// A tablet.
    pub const TABLET: Self = Self { width: 768, height: 1024, ..Self::PHONE };

    /// The same device, for a reader of another language.
    #[must_use]
    pub const fn reading(self, language: &'static str) -> Self {
        Self { language, ..self }
    }

    /// The same device, for a person who likes motion.
    #[must_use]
    pub const fn moving(self) -> Self {
        Self { motion: true, ..self }
    }

    /// The same device, with or without a preference for dark pages.
    #[must_use]
    pub const fn dark(self, dark: bool) -> Self {
        Self { dark, ..self }
    }

    pub(super) async fn emulate(self, tab: &Tab) {
        let Self { width, height, touch, dark, motion, language } = self;
        let agent = tab.eval("navigator.userAgent").await;
        tab.cdp(
            "Emulation.setUserAgentOverride",
            json!({"userAgent": agent, "acceptLanguage": language}),
        )
        .await;
        tab.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}),
        )
        .await;
        tab.cdp("Emulation.setTouchEmulationEnabled", json!({"enabled": touch})).await;
        let scheme = if dark { "dark" } else { "light" };
        let motion = if motion { "no-preference" } else { "reduce" };
        let features = json!([
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]);
        tab.cdp("Emulation.setEmulatedMedia", json!({"features": features})).await;
        // Without this a tab in the background is not drawn and counts as hidden.
        tab.cdp("Emulation.setFocusEmulationEnabled", json!({"enabled": true})).await;
    }
}
