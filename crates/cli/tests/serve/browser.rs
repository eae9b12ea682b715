//! A real browser, through the protocol of its driver.

use crate::requests::send;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a page may take to show something. A bound for errors.
const PATIENCE: Duration = Duration::from_secs(90);
/// The name of an element in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

pub(crate) struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// `None` if there is no browser here.
    pub(crate) fn start(is_dark: bool, width: u32) -> Option<Self> {
        if !howcome_testing::need_program("chromium") || !howcome_testing::need_program("chromedriver") {
            return None;
        }
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(port) = line
                .split("successfully on port ")
                .nth(1)
                .and_then(|rest| rest.trim_end_matches('.').parse::<u16>().ok())
            {
                break port;
            }
        };
        // Its later lines must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let profile = tempfile::tempdir().unwrap();
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            format!("--window-size={width},1200"),
            format!("--user-data-dir={}", profile.path().display()),
        ];
        if is_dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let mut browser = Self { driver, address, session: String::new(), _profile: profile };
        browser.session =
            browser.command("POST", "/session", &wanted)["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let reply = send(self.address, method, path, "Content-Type: application/json\r\n", body.as_bytes());
        let mut value: Value = reply.json();
        assert_eq!(reply.status, 200, "{method} {path}: {value}");
        value["value"].take()
    }

    fn in_session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.command(method, &format!("/session/{}{path}", self.session), body)
    }

    pub(crate) fn open(&self, address: &str) {
        self.in_session("POST", "/url", &json!({"url": address}));
    }

    pub(crate) fn address(&self) -> String {
        self.in_session("GET", "/url", &Value::Null).as_str().unwrap().to_owned()
    }

    /// Runs a script in the page.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.in_session("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    fn element(&self, selector: &str) -> String {
        let found = self.in_session("POST", "/element", &json!({"using": "css selector", "value": selector}));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    pub(crate) fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.in_session("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Types into a field, or names the file of a file field.
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.in_session("POST", &format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Makes the line slow: bytes a second in each direction.
    pub(crate) fn slow_down(&self, bytes: u32) {
        let line = json!({"network_conditions": {"latency": 20, "download_throughput": bytes, "upload_throughput": bytes}});
        self.in_session("POST", "/chromium/network_conditions", &line);
    }

    /// Drags from the middle of an element.
    pub(crate) fn drag(&self, selector: &str, x: i32, y: i32) {
        let from = json!({ELEMENT: self.element(selector)});
        let moves = json!({"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "origin": from, "x": 0, "y": 0}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "origin": "pointer", "x": x, "y": y}, {"type": "pointerUp", "button": 0}]}]});
        self.in_session("POST", "/actions", &moves);
    }

    /// Types a text wherever the focus is.
    pub(crate) fn type_text(&self, text: &str) {
        text.chars().for_each(|key| self.press(&key.to_string()));
    }

    /// Presses Tab until the element with this text, label or name has the focus.
    pub(crate) fn tab_to(&self, text: &str) {
        for _ in 0..60 {
            self.press("\u{e004}");
            let shown = "const e = document.activeElement; return [e.innerText, e.labels?.[0]?.innerText, e.ariaLabel].join('|')";
            if self.run(shown).as_str().is_some_and(|shown| shown.contains(text)) {
                return;
            }
        }
        panic!("{text:?} cannot be reached with the keyboard: {}", self.text());
    }

    /// Presses a key wherever the focus is.
    pub(crate) fn press(&self, key: &str) {
        let keys = json!({"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]});
        self.in_session("POST", "/actions", &keys);
    }

    pub(crate) fn text(&self) -> String {
        self.run("return document.body ? document.body.innerText : ''")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until the page shows a text.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let shown = self.text();
            if shown.contains(text) {
                return shown;
            }
            assert!(began.elapsed() < PATIENCE, "waiting for {text:?}: {shown}");
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }

    /// Waits until the page is another one.
    pub(crate) fn wait_until_it_leaves(&self, address: &str) {
        let began = Instant::now();
        while self.address() == address {
            assert!(began.elapsed() < PATIENCE, "{}", self.text());
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }

    /// Errors in the console so far.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let log = self.in_session("POST", "/se/log", &json!({"type": "browser"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        lines.iter().filter(|line| line["level"] == "SEVERE").map(ToString::to_string).collect()
    }

    /// The hosts that were asked for anything so far.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let log = self.in_session("POST", "/se/log", &json!({"type": "performance"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        let mut hosts: Vec<String> = lines
            .iter()
            .filter_map(|line| serde_json::from_str::<Value>(line["message"].as_str()?).ok())
            .filter(|line| line["message"]["method"] == "Network.requestWillBeSent")
            .filter_map(|line| Some(line["message"]["params"]["request"]["url"].as_str()?.to_owned()))
            .filter_map(|url| Some(url.strip_prefix("http")?.split('/').nth(2)?.to_owned()))
            .collect();
        hosts.sort();
        hosts.dedup();
        hosts
    }

    /// Interactive elements without a name, and texts with too little contrast.
    pub(crate) fn accessibility_problems(&self) -> Value {
        self.run(include_str!("accessibility.js"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = send(self.address, "DELETE", &format!("/session/{}", self.session), "", b"");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
