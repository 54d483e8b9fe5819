//! The page in a real browser: tabs of headless Chromium, with separate storage for each visitor.
//! Elements are found as a screen reader finds them, by role and name ([`find`]); a person's actions are
//! in [`actions`]. Errors on the console and violations of the policy fail the test ([`problems`]).

mod actions;
mod chromium;
mod device;
mod devtools;
mod find;
mod problems;
mod traffic;

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::TIMEOUT;
pub use actions::cell_at;
use chromium::Chromium;
pub use device::Device;
pub use traffic::Traffic;

/// A tab. End it with [`Tab::done`], which fails the test for the tab's problems.
#[derive(Debug)]
pub struct Tab {
    target: String,
    /// The connection to the tab, by the name that `DevTools` gives it.
    session: String,
    visitor: Arc<Visitor>,
    /// Problems with one of these texts are none.
    tolerated: Vec<&'static str>,
    device: Device,
    done: bool,
}

/// The storage of a visitor, shared by their tabs.
#[derive(Debug)]
struct Visitor {
    chromium: Arc<Chromium>,
    context: String,
}

impl Tab {
    /// A tab of a new visitor.
    ///
    /// # Panics
    /// If there is no Chromium.
    pub async fn new(device: Device) -> Self {
        let chromium = Chromium::shared();
        let made = chromium.devtools.send(None, "Target.createBrowserContext", json!({})).await;
        let context = id(&made.unwrap()["browserContextId"]);
        Self::of(Arc::new(Visitor { chromium, context }), device).await
    }

    /// A tab of a new visitor in which the page at an address is ready.
    pub async fn open(device: Device, address: &str) -> Self {
        let tab = Self::new(device).await;
        tab.goto(address).await;
        tab
    }

    /// A tab of a new visitor in which a script runs before each page, and the page at an address is ready.
    pub async fn open_with(device: Device, script: &str, address: &str) -> Self {
        let tab = Self::new(device).await;
        tab.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
        tab.goto(address).await;
        tab
    }

    /// Another tab of the same visitor.
    pub async fn another(&self) -> Self {
        Self::of(Arc::clone(&self.visitor), self.device).await
    }

    async fn of(visitor: Arc<Visitor>, device: Device) -> Self {
        let devtools = &visitor.chromium.devtools;
        let tab = json!({"url": "about:blank", "browserContextId": visitor.context});
        let made = devtools.send(None, "Target.createTarget", tab).await.unwrap();
        let target = id(&made["targetId"]);
        let attach = json!({"targetId": target, "flatten": true});
        let attached = devtools.send(None, "Target.attachToTarget", attach).await.unwrap();
        let session = id(&attached["sessionId"]);
        let tab = Self { target, session, visitor, tolerated: Vec::new(), device, done: false };
        tab.cdp("Page.enable", json!({})).await;
        tab.watch_problems().await;
        device.emulate(&tab).await;
        tab
    }

    /// Changes the visitor's device, so that the page is laid out again.
    pub async fn become_device(&self, device: Device) {
        device.emulate(self).await;
        // Two frames: one for the layout, one that shows it.
        self.eval(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        )
        .await;
    }

    /// Opens an address and waits until the page shows a screen.
    pub async fn goto(&self, address: &str) {
        self.goto_any(address).await;
        self.until_ready(address).await;
    }

    /// Opens an address that may show another page than ours.
    pub async fn goto_any(&self, address: &str) {
        let address = json!({ "url": address });
        if self.try_cdp("Page.navigate", address.clone()).await.is_err() {
            // On a busy machine Chromium leaves some navigation without an answer.
            self.cdp("Page.navigate", address).await;
        }
    }

    /// Reloads the page.
    pub async fn reload(&self) {
        self.eval("window.isOld = true").await;
        self.cdp("Page.reload", json!({})).await;
        self.until("a new page", "!window.isOld").await;
        self.until_ready("a reload").await;
    }

    async fn until_ready(&self, what: &str) {
        let ready = "location.href !== 'about:blank' && document.readyState === 'complete' \
                     && document.querySelector('main[data-screen]')";
        self.until(&format!("a screen after {what}"), ready).await;
    }

    /// Waits until the page shows a screen, by its name in `data-screen`.
    pub async fn until_screen(&self, name: &str) {
        let shown = format!("document.querySelector('main[data-screen={name:?}]')");
        self.until(&format!("the screen {name}"), &shown).await;
    }

    /// Waits until a text is visible on the page.
    pub async fn until_text(&self, text: &str) {
        let shown = format!("document.body.innerText.includes({})", json!(text));
        self.until(&format!("the text {text:?}"), &shown).await;
    }

    /// Waits until an expression is truthy in the page.
    ///
    /// # Panics
    /// With the page's text, if it does not become truthy.
    pub async fn until(&self, what: &str, expression: &str) {
        let waiting = async {
            while !self.holds(expression).await {
                self.pause().await;
            }
        };
        self.in_time(what, waiting).await;
    }

    /// The outcome of waiting.
    ///
    /// # Panics
    /// With the page's text, if it does not come in time.
    async fn in_time<T>(&self, what: &str, waiting: impl Future<Output = T>) -> T {
        match timeout(TIMEOUT, waiting).await {
            Ok(outcome) => outcome,
            Err(_) => panic!("waited for {what}: {}", self.describe().await),
        }
    }

    /// Whether an expression becomes truthy soon. The page polls it, which costs less than a command for
    /// each poll, and gives up early, because another page may replace it.
    async fn holds(&self, expression: &str) -> bool {
        let expression = format!(
            "new Promise((done) => {{
              const end = performance.now() + 500;
              const holds = () => {{ try {{ return !!({expression}) }} catch {{ return false }} }};
              const look = () =>
                holds() ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 20);
              look();
            }})"
        );
        // If another page replaces it, the answer is an error.
        self.try_eval(&expression).await == Ok(Value::Bool(true))
    }

    /// Waits for 20 ms in the page.
    async fn pause(&self) {
        drop(self.try_eval("new Promise((resolve) => setTimeout(resolve, 20))").await);
    }

    /// The value of an expression in the page; a promise is awaited.
    ///
    /// # Panics
    /// If it throws.
    pub async fn eval(&self, expression: &str) -> Value {
        let value = self.try_eval(expression).await;
        value.unwrap_or_else(|error| panic!("{expression} throws {error}"))
    }

    async fn try_eval(&self, expression: &str) -> Result<Value, String> {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.try_cdp("Runtime.evaluate", asked).await?;
        match answer.get("exceptionDetails") {
            Some(thrown) => Err(thrown.to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Sends a command of the `DevTools` protocol; its result.
    ///
    /// # Panics
    /// If it fails.
    pub async fn cdp(&self, method: &str, params: Value) -> Value {
        let answer = self.try_cdp(method, params.clone()).await;
        answer.unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    async fn try_cdp(&self, method: &str, params: Value) -> Result<Value, String> {
        self.visitor.chromium.devtools.send(Some(&self.session), method, params).await
    }

    /// Takes the kept events with this method.
    fn take_events(&self, method: &str) -> Vec<Value> {
        self.visitor.chromium.devtools.take_events(&self.session, method)
    }

    /// Accepts every certificate, like a person who has added its authority.
    pub async fn trust_any_certificate(&self) {
        self.cdp("Security.setIgnoreCertificateErrors", json!({ "ignore": true })).await;
    }

    /// The address of the tab.
    pub async fn address(&self) -> String {
        self.eval("location.href").await.as_str().unwrap().to_owned()
    }

    /// Ignores errors on the console that contain a text, for a test that causes them.
    pub fn tolerate(&mut self, text: &'static str) {
        self.tolerated.push(text);
    }

    /// Ignores what the browser says of requests without an answer, for a test that ends the server or the
    /// network: on a slow machine the page may load a later part just then.
    pub fn tolerate_no_server(&mut self) {
        self.tolerate("WebSocket connection to");
        self.tolerate("net::ERR_");
    }

    /// The page's text and tree, for the message of a failed test.
    async fn describe(&self) -> String {
        let text = self.try_eval("location.href + '\\n' + document.body.innerText").await;
        let text = text.map_or_else(|error| error, |text| text.as_str().unwrap_or("").to_owned());
        format!("{text}\n\n{}", self.outline().await)
    }

    /// Ends the tab.
    ///
    /// # Panics
    /// With the problems of the page, if there are any.
    pub async fn done(mut self) {
        self.done = true;
        // Events that were sent before the first answer have arrived with the second one.
        for _ in 0..2 {
            drop(self.try_eval("0").await);
        }
        let found = self.problems();
        assert!(found.is_empty(), "problems on the page:\n{}", found.join("\n"));
        let Visitor { chromium, context } = &*self.visitor;
        let ended = if Arc::strong_count(&self.visitor) == 1 {
            let context = json!({ "browserContextId": context });
            chromium.devtools.send(None, "Target.disposeBrowserContext", context).await
        } else {
            let target = json!({ "targetId": self.target });
            chromium.devtools.send(None, "Target.closeTarget", target).await
        };
        ended.unwrap();
        chromium.devtools.forget(&self.session);
    }
}

/// An id that `DevTools` has given.
fn id(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

impl Drop for Tab {
    fn drop(&mut self) {
        assert!(self.done || std::thread::panicking(), "end the tab with done()");
    }
}
