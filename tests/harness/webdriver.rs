//! The page in Firefox or `WebKit`, driven by `WebDriver` commands ([`protocol`]). It can do what the
//! page's main ways need; the rest is tested in Chromium ([`crate::browser`]). A start takes seconds, so
//! that one browser goes through a whole test.

mod protocol;
mod start;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use crate::TIMEOUT;
use protocol::{DriverCommand, Transport};
use start::BrowserProcesses;
pub(crate) use start::find;
pub use start::{has_firefox, has_webkit};

/// A running browser with one window. End it with [`WebDriverBrowser::done`].
#[derive(Debug)]
pub struct WebDriverBrowser {
    transport: Transport,
    _running: BrowserProcesses,
}

/// Finds the element that a person would touch for a role and a name. Elements below an open dialog are
/// out of reach; for an element that is too small, it finds the label.
const FIND: &str = "
  const [role, name] = arguments;
  const places = { button: 'button', link: 'a[href]', radio: 'input[type=radio]',
    textbox: 'input:not([type])', gridcell: '[role=gridcell]', summary: 'summary' };
  const root = document.querySelector('dialog[open]') ?? document;
  const text = (e) => e.getAttribute('aria-label')
    ?? (e.labels?.length ? e.labels[0] : e).textContent;
  const called = (said) => (name.endsWith('*') ? said.startsWith(name.slice(0, -1)) : said === name);
  const found = [...root.querySelectorAll(places[role])].filter((e) =>
    (e.labels?.[0] ?? e).checkVisibility()
      && called(text(e).replace(/[\\s\\u00a0]+/g, ' ').trim()));
  const box = found[0]?.getBoundingClientRect();
  const small = box && (box.width < 10 || box.height < 10);
  return (small ? found[0].labels?.[0] : null) ?? found[0] ?? null;";

impl WebDriverBrowser {
    /// Firefox, without a window on a screen.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn firefox() -> Self {
        let (running, transport) = start::firefox().await;
        Self::begin(running, transport).await
    }

    /// `WebKitGTK`, on a virtual screen.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn webkit() -> Self {
        let (running, transport) = start::webkit().await;
        Self::begin(running, transport).await
    }

    async fn begin(running: BrowserProcesses, mut transport: Transport) -> Self {
        transport.new_session().await;
        Self { transport, _running: running }
    }

    /// Sets the size of the window, with its frame, in CSS pixels.
    pub async fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height});
        self.transport.must(DriverCommand::SetWindowRect, size).await;
    }

    /// Opens an address and waits until the page shows a screen.
    pub async fn goto(&mut self, address: &str) {
        self.transport.must(DriverCommand::Navigate, json!({ "url": address })).await;
        self.until("a screen", "document.querySelector('main[data-screen]')").await;
    }

    /// The value of an expression in the page.
    ///
    /// # Panics
    /// If it still throws after [`TIMEOUT`].
    pub async fn eval(&mut self, expression: &str) -> Value {
        self.execute(&format!("return ({expression});"), json!([])).await
    }

    /// The result of a script that changes nothing. A page that is being replaced, or that draws a dialog
    /// anew, answers with an error. The script runs again until that has passed.
    async fn execute(&mut self, script: &str, args: Value) -> Value {
        let script = json!({"script": script, "args": args});
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.transport.send(DriverCommand::Execute, script.clone()).await {
                Ok(result) => return result,
                Err(why) => assert!(Instant::now() < deadline, "{script}: {why}"),
            }
        }
    }

    /// Waits until an expression is truthy in the page.
    ///
    /// # Panics
    /// With the page's text, if it does not become truthy.
    pub async fn until(&mut self, what: &str, expression: &str) {
        // The page polls, so that waiting costs no messages.
        let script = "
          const [holds, done] = [() => { try { return Boolean(EXPRESSION) } catch { return false } },
            arguments[0]];
          const look = () => (holds() ? done(true) : setTimeout(look, 20));
          look();"
            .replace("EXPRESSION", expression);
        let asked =
            self.transport.send(DriverCommand::ExecuteAsync, json!({"script": script, "args": []}));
        let answer = timeout(TIMEOUT, asked).await;
        if !matches!(answer, Ok(Ok(Value::Bool(true)))) {
            // A script that never ends may block this one.
            let shown = timeout(TIMEOUT, self.eval("document.body.innerText")).await;
            panic!("waited for {what}: {answer:?}: {shown:?}");
        }
    }

    /// Waits until a text is visible on the page.
    pub async fn until_text(&mut self, text: &str) {
        let shown = format!("document.body.innerText.includes({})", json!(text));
        self.until(&format!("the text {text:?}"), &shown).await;
    }

    /// Clicks an element by its role and name, once it is there and nothing covers it. `Ada*` matches every
    /// name that begins with `Ada`.
    ///
    /// # Panics
    /// If that does not come to be.
    pub async fn click(&mut self, role: &str, name: &str) {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let element = self.execute(FIND, json!([role, name])).await;
            let clicked = match element.as_object().and_then(|id| id.values().next()) {
                Some(id) => self.transport.send(DriverCommand::Click, json!({ "id": id })).await,
                None => Err("it is not there".to_owned()),
            };
            let Err(why) = clicked else { return };
            let shown = self.eval("document.body.innerText").await;
            assert!(Instant::now() < deadline, "{role} {name:?} cannot be clicked: {why}: {shown}");
        }
    }

    /// Clicks a button.
    pub async fn button(&mut self, name: &str) {
        self.click("button", name).await;
    }

    /// Ends the browser.
    pub async fn done(mut self) {
        self.transport.end_session().await;
    }
}
