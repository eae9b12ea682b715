//! What is seen in a browser.

use crate::browser::Browser;
use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::path::Path;
use std::process::Command;

const ENTER: &str = "\u{e007}";

#[test]
fn a_person_submits_watches_reads_asks_further_and_shares() {
    if !has_sandbox() {
        return;
    }
    let Some(browser) = Browser::start(false, 1100) else { return };
    let server = Server::start(&[]);
    let home = format!("http://{}/", server.address);
    browser.open(&home);
    // The form of a list: fill in, submit, watch, read.
    browser.click("a[href='/new/items']");
    let items: Vec<String> = (0..60).map(|item| format!("item{item}")).collect();
    browser.fill("#list", &items.join("\n"));
    browser.fill(
        "#script",
        "sleep 0.05; ! (grep -qx item7 \"$HOWCOME_ITEMS\" && grep -qx item41 \"$HOWCOME_ITEMS\")",
    );
    browser.click("button.strong");
    browser.wait_for("left.");
    // A reload in the middle changes nothing.
    browser.run("location.reload()");
    let page = browser.wait_for("2 of 60 items are enough");
    assert!(page.contains("item41") && page.contains("The trail"), "{page}");
    // The form of an input, with a file.
    browser.open(&format!("{home}new/input"));
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("numbers.txt");
    std::fs::write(&input, "1\n2\n3\nbad\n4\n").unwrap();
    browser.fill("#input_file", input.to_str().unwrap());
    browser.fill("#test", "sh -c '! grep bad numbers.txt'");
    browser.click("button.strong");
    let page = browser.wait_for("The original beside the answer");
    assert!(page.contains("numbers.txt"), "{page}");
    // Something that is wrong is said in the form.
    browser.open(&format!("{home}new/state"));
    browser.fill("#fail", "./x 'y");
    browser.fill("#pass", "./x");
    browser.click("button.strong");
    browser.wait_for("are not closed");
    let alert = "document.querySelector('form [role=alert]')";
    let look = format!(
        "const probe = document.body.appendChild(document.createElement('i')); probe.style.color = 'var(--fail)'; \
        return {alert}.textContent.includes('not closed') && getComputedStyle({alert}).color === getComputedStyle(probe).color"
    );
    assert_eq!(browser.run(&look), true, "the error is an alert in the colour of failures");
    // The browser itself notes the refused request.
    let noted = browser.console_errors();
    assert!(noted.len() == 1 && noted[0].contains("400"), "{noted:?}");
    // An example of `state`: its chain, and how a step came to be.
    browser.open(&home);
    browser.click("form[action='/examples/state'] button");
    browser.wait_for("Therefore at");
    let width = "return document.querySelector('.chain .picture svg').viewBox.baseVal.width";
    let before = browser.run(width).as_f64().unwrap();
    browser.click(".zoom button");
    assert!(browser.run(width).as_f64().unwrap() < before, "the graph is zoomed");
    browser.click("#before-4 button");
    browser.wait_for("hands the cause on");
    // Share: the address works for somebody else.
    browser.click("form[action$='/share'] button");
    browser.wait_for("It is shown only once");
    let address = browser.run("return document.getElementById('address').value").as_str().unwrap().to_owned();
    browser.open(&address);
    let page = browser.wait_for("Therefore at");
    assert!(!page.contains("Run again"), "{page}");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
    assert_eq!(browser.hosts(), [server.address.to_string()]);
}

/// A gzipped tar file of a folder with one file.
fn packed(folder: &Path, name: &str, text: &str) -> String {
    let version = folder.join(name);
    std::fs::create_dir_all(&version).unwrap();
    std::fs::write(version.join("prog.sh"), text).unwrap();
    let archive = folder.join(format!("{name}.tar.gz"));
    let made = Command::new("tar").arg("czf").arg(&archive).arg("-C").arg(folder).arg(name).status();
    assert!(made.unwrap().success());
    archive.to_str().unwrap().to_owned()
}

#[test]
fn each_form_sends_its_files_and_shows_how_far_they_are() {
    if !has_sandbox() || !howcome_testing::need_program("gcc") || !howcome_testing::need_program("git") {
        return;
    }
    let Some(browser) = Browser::start(false, 1100) else { return };
    let server = Server::start(&[]);
    let form = |question: &str| browser.open(&format!("http://{}/new/{question}", server.address));
    let folder = tempfile::tempdir().unwrap();
    // Two archives.
    let good = packed(folder.path(), "good", "echo start\ntrue\necho end\n");
    let bad = packed(folder.path(), "bad", "echo start\nexit 3\necho end\n");
    form("changes");
    assert!(browser.text().contains("At most 100 MiB in all"));
    browser.fill("#good_archive", &good);
    browser.fill("#bad_archive", &bad);
    browser.fill("#test", "sh prog.sh");
    browser.click("button.strong");
    let page = browser.wait_for("The trail");
    assert!(page.contains("exit 3") && page.contains("the patch"), "{page}");
    assert!(
        browser
            .run("return !!document.querySelector('a[href$=\"/download/culprit.patch\"]')")
            .as_bool()
            .unwrap()
    );
    // A git bundle.
    let script = "git init -q r && cd r && git config user.email a@b && git config user.name a && echo 1 >f && git add f && \
        git commit -qm one && git tag v1 && echo 2 >f && git commit -qam two && git bundle create -q ../b HEAD --all";
    assert!(Command::new("sh").args(["-c", script]).current_dir(folder.path()).status().unwrap().success());
    form("history");
    browser.fill("#bundle", folder.path().join("b").to_str().unwrap());
    browser.fill("#script", "grep -q 1 f");
    browser.click("button.strong");
    let page = browser.wait_for("The trail");
    assert!(page.contains("broke it") || page.contains("made it fail"), "{page}");
    // A program with its source, on a slow line.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/list/prices.c");
    let ballast = folder.path().join("ballast");
    std::fs::write(&ballast, vec![b'x'; 2_000_000]).unwrap();
    form("state");
    browser.fill("#fail", "./prices 9 8 7 6 5");
    browser.fill("#pass", "./prices 9 8 7 6 5 4");
    browser.fill("#file", source.to_str().unwrap());
    browser.fill("#file", ballast.to_str().unwrap());
    browser.fill("#setup", "gcc -g -O0 -o prices prices.c");
    browser.slow_down(500_000);
    browser.click("button.strong");
    let shown = "const bar = document.querySelector('.progress progress'); return bar && !bar.closest('[hidden]') ? bar.value : -1";
    let mut values = Vec::new();
    while values.last().is_none_or(|value| (0.0..100.0).contains(value)) && values.len() < 10_000 {
        values.push(browser.run(shown).as_f64().unwrap());
    }
    assert!(values.iter().any(|value| *value > 0.0 && *value < 100.0), "{values:?}");
    browser.wait_for("Therefore at");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn a_graph_is_moved_with_mouse_and_keyboard_and_a_job_is_run_again() {
    if !has_sandbox() {
        return;
    }
    let Some(browser) = Browser::start(false, 1100) else { return };
    let server = Server::start(&[]);
    let id = server.example("state");
    server.end_of(&id);
    browser.open(&format!("http://{}/jobs/{id}", server.address));
    let left = || {
        browser
            .run("return document.querySelector('.chain .picture svg').viewBox.baseVal.x")
            .as_f64()
            .unwrap()
    };
    let start = left();
    browser.drag(".chain .picture svg", -60, 0);
    let moved = left();
    assert!(moved > start, "{start} {moved}");
    browser.run("document.querySelector('.chain .picture').focus()");
    browser.press("\u{e012}");
    assert!(left() < moved, "the arrow key moves it back");
    browser.press("0");
    assert!((left() - start).abs() < 0.01, "0 shows the whole graph");
    // Wrong diagnosis: say what the failure is, with the same files.
    browser.click("input[value=wrong]");
    browser.fill("#comment", "that is not it");
    browser.click("form[action$='/feedback'] button");
    browser.wait_for("that is not it");
    browser.click("a[href*='?from=']");
    browser.fill("#fails_when", "stdout~^0");
    browser.click("button.strong");
    let page = browser.wait_for("Therefore at");
    assert!(!page.contains("that is not it"), "it is another job");
    let earlier = browser.address();
    browser.click("form[action$='/again'] button");
    browser.wait_until_it_leaves(&earlier);
    browser.wait_for("Therefore at");
    assert_eq!(server.get("/api/v1/jobs").json().as_array().unwrap().len(), 3);
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn a_page_that_watches_goes_on_when_the_service_is_killed_and_comes_back() {
    if !has_sandbox() {
        return;
    }
    let Some(browser) = Browser::start(false, 1100) else { return };
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start_in(&data, &[]);
    let slow = json!({"question": "items", "list": "a\nb\nc\nd\ne\nf\ng\nh", "script": "sleep 0.5; ! grep -q c \"$HOWCOME_ITEMS\""});
    let id = server.job(&slow, &[]);
    browser.open(&format!("http://{}/jobs/{id}", server.address));
    browser.wait_for("left.");
    server.kill();
    let listen = server.address.to_string();
    let _server = Server::start_by(crate::server::howcome(), &listen, &data, &[]);
    browser.wait_for("1 of 8 items is enough");
}

#[test]
fn everything_can_be_done_with_the_keyboard_alone() {
    if !has_sandbox() {
        return;
    }
    let Some(browser) = Browser::start(false, 1100) else { return };
    let server = Server::start(&[]);
    browser.open(&format!("http://{}/", server.address));
    browser.tab_to("Which of these flags");
    browser.press(ENTER);
    browser.wait_for("A list, one item a line");
    browser.tab_to("The list");
    browser.type_text("a\u{e007}b\u{e007}c\u{e007}d\u{e007}e\u{e007}f\u{e007}g\u{e007}h");
    browser.tab_to("The test: a command");
    browser.type_text("sleep 1; ! grep -q c $HOWCOME_ITEMS");
    browser.tab_to("Submit");
    browser.press(ENTER);
    browser.wait_for("running");
    browser.tab_to("Cancel");
    browser.press(ENTER);
    browser.wait_for("Resume");
    let job = server.get("/api/v1/jobs").json()[0].clone();
    assert_eq!(job["status"], "cancelled", "{job}");
    browser.tab_to("Resume");
    browser.press(ENTER);
    browser.wait_for("1 of 8 items is enough");
}

#[test]
fn pages_have_names_and_contrast_in_light_and_dark_and_on_a_narrow_screen() {
    if !has_sandbox() {
        return;
    }
    let server = Server::start(&[]);
    let jobs = ["state", "changes", "input"].map(|name| server.example(name));
    jobs.iter().for_each(|id| drop(server.end_of(id)));
    let [state, changes, input] = jobs.map(|id| format!("jobs/{id}"));
    for (is_dark, width) in [(false, 1100), (true, 1100), (false, 500), (true, 500)] {
        let Some(browser) = Browser::start(is_dark, width) else { return };
        for path in [
            "",
            "new/changes",
            "new/history",
            "new/input",
            "new/items",
            "new/state",
            "status",
            "api",
            "jobs",
            &state,
            &changes,
            &input,
        ] {
            browser.open(&format!("http://{}/{path}", server.address));
            assert_eq!(browser.accessibility_problems(), json!([]), "dark: {is_dark}, width {width}, {path}");
        }
        assert_eq!(browser.console_errors(), Vec::<String>::new());
        assert!(browser.address().contains(&input));
    }
}
