//! `howcome demo` and the questions that need git or a compiler.
#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the demo says with these tools, and a `cc` that is this script.
fn told_with(tools: &[&str], compiler: Option<&str>) -> String {
    let place = Place::empty();
    let folder = place.path("tools");
    fs::create_dir(&folder).unwrap();
    for tool in tools {
        let found: Vec<PathBuf> = ["/bin", "/usr/bin"].map(|bin| Path::new(bin).join(tool)).into();
        symlink(found.iter().find(|path| path.exists()).unwrap(), folder.join(tool)).unwrap();
    }
    if let Some(script) = compiler {
        place.script("tools/cc", script);
    }
    let output = place.howcome(&["demo"]).env("PATH", &folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(place.left_behind(), Vec::<PathBuf>::new());
    assert!(text.contains("WHICH OF THESE THINGS?"), "{text}");
    text
}

#[test]
fn the_demo_says_how_a_program_came_to_fail() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: no C compiler is installed");
        return;
    }
    let output = Place::empty().run(&["demo"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let chain = ["argc = 6 ", "prices[5] = 0 ", "prices[0] = 0 ", "the output starts with \"0\" "];
    let mut rest = text.as_str();
    for link in chain {
        let at = rest.find(link).unwrap_or_else(|| panic!("{link:?} comes next in {text}"));
        rest = &rest[at..];
    }
    assert!(text.contains("$ howcome state --run-dir run --fail './prices 9 8 7 6 5'"), "{text}");
}

#[test]
fn the_demo_says_what_broke_it_where_no_old_version_passes() {
    if Command::new("git").arg("--version").output().is_err() {
        howcome_testing::skip("git is not installed");
        return;
    }
    let output = Place::empty().run(&["demo"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let (_, text) = text.split_once("AND IF NO OLD VERSION PASSES?").unwrap();
    let (text, _) = text.split_once("WHICH PART OF THE INPUT?").unwrap();
    assert!(text.contains("(with a back-ported patch of 2 lines)"), "{text}");
    for line in ["> 17 -    if (n >= 10)\n", "> 17 +    if (n > 10)  # for many\n"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains("+    if (article ~ /^[0-9]+x$/)"), "{text}");
    assert!(text.contains("past/forward.patch fixes HEAD"), "{text}");
}

#[test]
fn the_demo_goes_on_where_there_is_no_compiler() {
    let text = told_with(&["sh", "sed", "tail"], None);
    assert!(text.contains("which it cannot do here: neither cc nor gcc is installed."), "{text}");
}

#[test]
fn the_demo_goes_on_where_the_compiler_has_no_headers() {
    let text =
        told_with(&["sh", "sed", "tail"], Some("#!/bin/sh\necho 'stdio.h: no such file' >&2; exit 1\n"));
    assert!(text.contains("cannot do here: cc says: stdio.h: no such file"), "{text}");
}

#[test]
fn the_demo_goes_on_where_the_program_cannot_be_stopped() {
    let script = "#!/bin/sh\nprintf '#!/bin/sh\\n' >prices; chmod +x prices\n";
    let text = told_with(&["sh", "sed", "tail", "chmod"], Some(script));
    assert!(text.contains("It says itself why it cannot do that here"), "{text}");
}
