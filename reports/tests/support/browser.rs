//! A browser for tests of pages: Debian's `chromium` without a window, driven over its debugging protocol.
//!
//! Two named pipes carry the protocol: messages in JSON, each with a zero byte behind it. No port is opened,
//! and the browser ends with the test.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

/// The longest that anything may take: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    process: Child,
    to: File,
    from: BufReader<File>,
    next: u64,
    session: Option<String>,
    /// Its profile and the pipes.
    _dir: tempfile::TempDir,
    /// One browser at a time: several would only wait for each other.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

impl Browser {
    /// Starts it; `None`, and a line that says so, where there is none.
    pub fn start() -> Option<Self> {
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
            Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
        });
        let Some(program) = program else {
            assert!(
                std::env::var_os("REQUIRE_BROWSER").is_none(),
                "there is no chromium: 'scripts/setup.sh --checks' installs it"
            );
            eprintln!("skipped: there is no chromium here; 'scripts/setup.sh --checks' installs it");
            return None;
        };
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let dir = tempfile::tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| dir.path().join(name));
        let made = Command::new("mkfifo").args([&to, &from]).status().unwrap();
        assert!(made.success(), "mkfifo");
        let process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<\"$TO\" 4>\"$FROM\"", program])
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ])
            .args(["--no-first-run", "--remote-debugging-pipe", "--window-size=1280,900"])
            .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
            .env("TO", &to)
            .env("FROM", &from)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Each waits for the other side, in the order in which the shell opens them.
        let to = OpenOptions::new().write(true).open(to).unwrap();
        let from = BufReader::new(File::open(from).unwrap());
        Some(Self { process, to, from, next: 0, session: None, _dir: dir, _alone: alone })
    }

    /// Sends a command and waits for its result.
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(&[0]).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert!(!bytes.is_empty(), "the browser has ended");
            let answer: Value = serde_json::from_slice(&bytes[..bytes.len() - 1]).unwrap();
            // Events are nobody's answer.
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// Opens a file, with `hash` behind its address, and waits until its program is ready.
    pub fn open(&mut self, file: &Path, hash: &str) {
        self.session = None;
        let url = format!("file://{}{hash}", file.display());
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            self.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        self.call("Page.enable", json!({}));
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for("document.documentElement?.dataset.state === 'ready'");
    }

    /// The value of an expression of the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The text of the first element that `selector` finds.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({})?.textContent", json!(selector)));
        text.as_str().unwrap_or_else(|| panic!("there is no {selector}")).to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let began = Instant::now();
        while self.value(expression) != json!(true) {
            assert!(began.elapsed() < PATIENCE, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks on a place of the first element that `selector` finds, from its left upper corner; its middle
    /// without one.
    pub fn click(&mut self, selector: &str, place: Option<(f64, f64)>) {
        let found = self.value(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()",
            json!(selector)
        ));
        let side = |at: usize| found[at].as_f64().unwrap_or_else(|| panic!("there is no {selector}"));
        let (x, y) = place.unwrap_or((side(2) / 2.0, side(3) / 2.0));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let params = json!({ "type": kind, "x": side(0) + x, "y": side(1) + y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Presses a key, such as `Tab` or `ArrowDown`.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            " " => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => panic!("no code for {key}"),
        };
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for kind in [down, "keyUp"] {
            let mut params = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" {
                params["text"] = text.into();
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Types into what has the focus.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// What a reader sees whose system is dark, or light.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// A picture of the window as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let result = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        base64::engine::general_purpose::STANDARD.decode(result["data"].as_str().unwrap()).unwrap()
    }

    /// The page as it is printed, as PDF.
    pub fn printed(&mut self) -> Vec<u8> {
        let result = self.call("Page.printToPDF", json!({}));
        base64::engine::general_purpose::STANDARD.decode(result["data"].as_str().unwrap()).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
