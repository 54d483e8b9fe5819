//! A person's actions on a page: clicking or tapping, typing, pressing keys, choosing.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use super::Tab;
use super::find::AxNode;

/// How often a page may replace an element by another one of the same name while it is about to be touched.
const REDRAWS: u32 = 20;

/// The point to touch an element at: its middle, once it is in view, at rest and not covered. If it is
/// too small to be touched, the middle of its label. `null` until then.
const POINT: &str = "async function () {
  const label = this.labels?.[0];
  const box = this.getBoundingClientRect();
  const target = label && (box.width < 10 || box.height < 10) ? label : this;
  const place = () => { const { x, y, width, height } = target.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 }; };
  target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const before = place();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const now = place();
  const hit = document.elementFromPoint(now.x, now.y);
  const is = hit && (target.contains(hit) || hit.closest('label')?.control === this);
  return is && before.x === now.x && before.y === now.y ? now : null;
}";

/// The element of a cell, as an expression of the page; row and column count from 1.
#[must_use]
pub fn cell_at(row: u32, column: u32) -> String {
    format!("document.querySelector('.grid-row:nth-child({row}) > :nth-child({column})')")
}

impl Tab {
    /// Clicks an element by its role and name, or taps it on a phone.
    ///
    /// # Panics
    /// If it is not there, or something lies over it.
    pub async fn click(&self, role: &str, name: &str) {
        for _ in 0..REDRAWS {
            let node = self.find(role, name).await;
            if let Some((x, y)) = self.point(&node).await {
                return self.click_at(x, y).await;
            }
        }
        panic!("{role} {name:?} is made again and again: {}", self.describe().await);
    }

    /// Clicks a button, or taps it.
    pub async fn button(&self, name: &str) {
        self.click("button", name).await;
    }

    /// Clicks a cell of the board, or taps it; row and column count from 1.
    ///
    /// # Panics
    /// If there is no such cell.
    pub async fn cell(&self, row: u32, column: u32) {
        let cell = cell_at(row, column);
        self.until("the board", &cell).await;
        let label = self.eval(&format!("{cell}.ariaLabel")).await;
        // The mark in the cell may change before the click.
        let (name, _) = label.as_str().unwrap().rsplit_once(", ").unwrap();
        self.click("gridcell", &format!("{name},*")).await;
    }

    /// Clicks or taps a point of the window.
    pub async fn click_at(&self, x: f64, y: f64) {
        if self.device.touch {
            let touched = json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]});
            self.cdp("Input.dispatchTouchEvent", touched).await;
            let lifted = json!({"type": "touchEnd", "touchPoints": []});
            self.cdp("Input.dispatchTouchEvent", lifted).await;
            return;
        }
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
            self.cdp("Input.dispatchMouseEvent", event).await;
        }
    }

    /// The point at which an element can be touched, in CSS pixels of the window. `None` if the page has
    /// taken the element away.
    async fn point(&self, node: &AxNode) -> Option<(f64, f64)> {
        let looking = async {
            loop {
                let point = self.call(node, POINT).await;
                if let (Some(x), Some(y)) = (point["x"].as_f64(), point["y"].as_f64()) {
                    return Some((x, y));
                }
                if self.call(node, "function () { return this.isConnected; }").await != true {
                    return None;
                }
            }
        };
        self.in_time(&format!("{node:?} to be touched"), looking).await
    }

    /// Calls a function in the page with an element as `this`; `null` if the element has gone.
    pub(super) async fn call(&self, node: &AxNode, function: &str) -> Value {
        let node = json!({"backendNodeId": node.node});
        let Ok(resolved) = self.try_cdp("DOM.resolveNode", node).await else { return Value::Null };
        let asked = json!({
            "objectId": resolved["object"]["objectId"],
            "functionDeclaration": function, "awaitPromise": true, "returnByValue": true,
        });
        let mut answer = self.cdp("Runtime.callFunctionOn", asked).await;
        answer["result"]["value"].take()
    }

    /// Replaces the text of a field.
    pub async fn fill(&self, name: &str, text: &str) {
        let nodes = self.find("textbox", name).await;
        self.call(&nodes, "function () { this.focus(); this.select(); }").await;
        self.write(text).await;
    }

    /// Types text into the focused field.
    pub async fn write(&self, text: &str) {
        self.cdp("Input.insertText", json!({ "text": text })).await;
    }

    /// Chooses an option of a drop-down list, by the beginning of its text.
    ///
    /// # Panics
    /// If there is no such option.
    pub async fn choose(&self, name: &str, option: &str) {
        let list = self.find("combobox", name).await;
        let function = format!(
            "function () {{
              const option = [...this.options].find((o) => o.text.startsWith({}));
              if (!option) return [...this.options].map((o) => o.text).join();
              this.value = option.value;
              this.dispatchEvent(new Event('input', {{ bubbles: true }}));
              this.dispatchEvent(new Event('change', {{ bubbles: true }}));
              return true;
            }}",
            json!(option)
        );
        let chosen = self.call(&list, &function).await;
        assert_eq!(chosen, true, "{name} has no {option:?}");
    }

    /// Presses a key, by its name in `KeyboardEvent.key`; `Shift+Tab` with shift.
    pub async fn press(&self, key: &str) {
        let (modifiers, key) = key.strip_prefix("Shift+").map_or((0, key), |key| (8, key));
        let (code, number, text) = match key {
            "Enter" => ("Enter", 13, "\r"),
            " " => ("Space", 32, " "),
            "Tab" => ("Tab", 9, ""),
            "Escape" => ("Escape", 27, ""),
            "ArrowLeft" => ("ArrowLeft", 37, ""),
            "ArrowUp" => ("ArrowUp", 38, ""),
            "ArrowRight" => ("ArrowRight", 39, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            "End" => ("End", 35, ""),
            "Home" => ("Home", 36, ""),
            other => ("", i64::from(other.as_bytes()[0].to_ascii_uppercase()), other),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({
                "type": kind, "key": key, "code": code, "modifiers": modifiers,
                "windowsVirtualKeyCode": number,
            });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.cdp("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Goes back one page, as the browser's button does.
    pub async fn back(&self) {
        self.eval("history.back()").await;
    }

    /// Takes the network away, or restores it.
    pub async fn offline(&self, offline: bool) {
        self.cdp("Network.enable", json!({})).await;
        let conditions = json!({
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.cdp("Network.emulateNetworkConditions", conditions).await;
    }

    /// A picture of the window, as a PNG.
    ///
    /// # Panics
    /// If Chromium cannot draw it.
    pub async fn screenshot(&self) -> Vec<u8> {
        let picture = self.cdp("Page.captureScreenshot", json!({"format": "png"})).await;
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }
}
