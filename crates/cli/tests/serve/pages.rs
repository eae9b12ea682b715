//! What is seen in a browser.

use crate::browser::Browser;
use crate::server::{Server, has_sandbox};
use serde_json::json;

const TAB: &str = "\u{e004}";
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

#[test]
fn a_job_is_cancelled_with_the_keyboard_alone() {
    if !has_sandbox() {
        return;
    }
    let Some(browser) = Browser::start(false, 1100) else { return };
    let server = Server::start(&[]);
    let slow = json!({"question": "items", "list": "a\nb\nc\nd\ne\nf\ng\nh", "script": "sleep 1; ! grep -q c \"$HOWCOME_ITEMS\""});
    let id = server.job(&slow, &[]);
    browser.open(&format!("http://{}/jobs/{id}", server.address));
    for _ in 0..20 {
        browser.press(TAB);
        if browser.run("return document.activeElement.innerText") == "Cancel" {
            break;
        }
    }
    browser.press(ENTER);
    browser.wait_for("Resume");
    assert_eq!(server.info(&id)["status"], "cancelled");
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
    for (is_dark, width) in [(false, 1100), (true, 1100), (false, 500)] {
        let Some(browser) = Browser::start(is_dark, width) else { return };
        for path in ["", "new/changes", "new/state", "status", "api", "jobs", &state, &changes, &input] {
            browser.open(&format!("http://{}/{path}", server.address));
            assert_eq!(browser.accessibility_problems(), json!([]), "dark: {is_dark}, width {width}, {path}");
        }
        assert_eq!(browser.console_errors(), Vec::<String>::new());
        assert!(browser.address().contains(&input));
    }
}
