//! What a visitor holds in their hands, and which language they read.

use serde_json::json;

use super::Tab;

/// A screen and a person before it.
#[derive(Debug, Clone, Copy)]
pub struct Device {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// A phone: touched, not clicked.
    pub touch: bool,
    /// Whether the person prefers dark pages.
    pub dark: bool,
    /// What the browser asks for, as in `Accept-Language`.
    pub language: &'static str,
}

impl Device {
    /// A laptop.
    pub const LAPTOP: Self =
        Self { width: 1280, height: 800, touch: false, dark: false, language: "en-GB" };
    /// A phone of the usual size.
    pub const PHONE: Self = Self { width: 390, height: 844, touch: true, ..Self::LAPTOP };
    /// The narrowest phone that counts.
    pub const SMALL_PHONE: Self = Self { width: 320, height: 568, ..Self::PHONE };
    /// A tablet.
    pub const TABLET: Self = Self { width: 768, height: 1024, ..Self::PHONE };

    /// The same, with a person who reads another language.
    #[must_use]
    pub const fn reading(self, language: &'static str) -> Self {
        Self { language, ..self }
    }

    /// The same, with a person who prefers the dark.
    #[must_use]
    pub const fn dark(self, dark: bool) -> Self {
        Self { dark, ..self }
    }

    pub(super) async fn emulate(self, tab: &Tab) {
        let Self { width, height, touch, dark, language } = self;
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
        let features = json!([
            {"name": "prefers-color-scheme", "value": scheme},
            // A test waits for what is, not for how it moves.
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        tab.cdp("Emulation.setEmulatedMedia", json!({"features": features})).await;
        // Tabs in the background would not be drawn, and would believe that nobody is there.
        tab.cdp("Emulation.setFocusEmulationEnabled", json!({"enabled": true})).await;
    }
}
