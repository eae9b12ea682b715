//! The arrows between crates go one way, as ARCHITECTURE.md draws them.

use std::collections::BTreeSet;
use std::process::Command;

/// Who may import whom. A crate that is not here may not be in the workspace.
const ARROWS: &[(&str, &[&str])] = &[
    ("howcome-dd", &[]),
    ("howcome-run", &["howcome-dd"]),
    ("howcome-lab", &["howcome-dd", "howcome-run"]),
    ("howcome-items", &["howcome-dd", "howcome-run", "howcome-lab"]),
    ("howcome-syntax", &[]),
    ("howcome-changes", &["howcome-dd", "howcome-run", "howcome-lab", "howcome-syntax"]),
    ("howcome-input", &["howcome-dd", "howcome-run", "howcome-lab", "howcome-syntax"]),
    ("howcome-state", &["howcome-dd", "howcome-run", "howcome-lab"]),
    ("howcome-report", &["howcome-dd", "howcome-run"]),
    ("howcome-remote", &["howcome-run", "howcome-lab"]),
    ("howcome-sandbox", &[]),
    ("howcome-testing", &[]),
    ("howcome-web", &["howcome-run", "howcome-report", "howcome-sandbox"]),
    (
        "howcome",
        &[
            "howcome-remote",
            "howcome-sandbox",
            "howcome-web",
            "howcome-changes",
            "howcome-dd",
            "howcome-input",
            "howcome-items",
            "howcome-state",
            "howcome-syntax",
            "howcome-run",
            "howcome-lab",
            "howcome-report",
        ],
    ),
    (
        "howcome-bench",
        &[
            "howcome-changes",
            "howcome-dd",
            "howcome-input",
            "howcome-items",
            "howcome-state",
            "howcome-syntax",
            "howcome-run",
            "howcome-lab",
            "howcome-report",
        ],
    ),
    (
        "howcome-fuzz",
        &[
            "howcome-changes",
            "howcome-dd",
            "howcome-input",
            "howcome-items",
            "howcome-lab",
            "howcome-report",
            "howcome-run",
            "howcome-state",
            "howcome-web",
        ],
    ),
];

#[test]
fn no_crate_imports_what_it_may_not() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let words = ["metadata", "--no-deps", "--format-version", "1", "--offline", "--manifest-path", manifest];
    let output = Command::new(env!("CARGO")).args(words).output().unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) =
            ARROWS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name} is new"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_for_tests = dependency["kind"] == "dev";
            let dependency = dependency["name"].as_str().unwrap();
            assert!(
                !dependency.starts_with("howcome")
                    || allowed.contains(&dependency)
                    || (is_for_tests && dependency == "howcome-testing"),
                "{name} imports {dependency}"
            );
        }
        seen.insert(name);
    }
    assert!(seen.contains("howcome-dd") && seen.contains("howcome"), "{seen:?}");
}
