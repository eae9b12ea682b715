//! A generated history to stand before, and howcome asked about it.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use crate::histories::{Files, History, Plan};
use crate::howcome::Place;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// The folder in which the user stands has the repository `project` and the test `test.sh` in it.
pub struct Case {
    pub place: Place,
    pub history: History,
}

impl Case {
    pub fn new(plan: Plan) -> Self {
        let place = Place::empty();
        let history = History::new(plan, &place.path(".")).unwrap();
        Self { place, history }
    }

    /// The question as words of the command line.
    pub fn words<'a>(&'a self, flags: &[&'a str]) -> Vec<&'a str> {
        let start = ["history", "-q", "--json", "--repo", "project", "--build", self.history.build];
        [&start, flags, &["--", "./test.sh"]].concat()
    }

    /// The answer.
    pub fn ask(&self, flags: &[&str]) -> Value {
        self.place.json(&self.words(flags))
    }

    /// The answer is exactly right, and a user who applies its patches by git sees what it says.
    pub fn is_right(&self, answer: &Value) {
        let (history, finding) = (&self.history, &answer["finding"]);
        assert_eq!(history.wrong(answer), Vec::<String>::new(), "{answer:#}");
        self.skips_what_does_not_build(answer);
        let Some(passing) = history.truth.passing else {
            // Not all of the commits that the patch comes from needs to fit, but what does fails as well.
            assert_ne!(finding["never_worked"]["whole"], false, "{answer:#}");
            return;
        };
        let minimal = &answer["minimal"];
        assert_eq!((&minimal["of"], &minimal["checked"]), (&"lines".into(), &true.into()), "{minimal}");
        let verified = &answer["verified"];
        assert_eq!(
            (&verified["alone_fails"], &verified["without_passes"]),
            (&true.into(), &true.into()),
            "{verified}"
        );
        let patch = finding["backported_file"].as_str();
        assert_eq!(patch.is_some(), !history.truth.backported.is_empty(), "{finding:#}");
        if patch.is_some() {
            assert_eq!(finding["backported_minimal"], true);
            assert_eq!(finding["backported_lines"], history.truth.backported.len());
        }
        // A hunk may hold more than the lines that are needed; then it can be that it must be made again in between.
        let patches: Vec<Value> =
            array(&finding["patches"]).map(|patch| self.index(&patch["revision"])).collect();
        assert!(
            history.truth.patched.iter().all(|index| patches.contains(&Value::from(*index))),
            "{patches:?}"
        );
        let (code, files) = self.after(passing, patch);
        assert_eq!(code, Some(0), "the passing revision passes with the patch");
        assert!(files == history.truth.with_patch, "{files:#?}");
        let (code, files) = self.after(history.plan.newest(), finding["forward_file"].as_str());
        assert_eq!(code, Some(0), "the patch fixes the newest revision");
        assert!(files == history.truth.fixed, "{files:#?}");
    }

    fn skips_what_does_not_build(&self, answer: &Value) {
        let finding = &answer["finding"];
        let skipped: Vec<Value> =
            array(&finding["skipped_revisions"]).map(|skipped| self.index(&skipped["revision"])).collect();
        assert_eq!(finding["skipped"], skipped.len());
        assert!(skipped.iter().all(|index| self.history.plan.broken.iter().any(|broken| index == broken)));
    }

    /// How the test ends in a revision with a patch applied as the user would, and the files there.
    pub fn after(&self, revision: usize, patch: Option<&str>) -> (Option<i32>, Files) {
        let folder = TempDir::new().unwrap();
        let clone = folder.path().join("clone");
        let patch = patch.map(|patch| self.place.path(patch));
        self.history.clone_of(revision, patch.as_deref(), &clone).unwrap();
        let files = History::files_in(&clone).unwrap();
        (self.history.outcome(&clone).unwrap(), files)
    }

    /// The place of a revision in the history.
    pub fn index(&self, name: &Value) -> Value {
        self.history.index(name)
    }

    /// What git says in the repository.
    pub fn git(&self, words: &[&str]) -> String {
        let words = words.iter().map(Path::new);
        crate::histories::git(&self.history.repository, words, b"").unwrap()
    }
}

pub fn told(answer: &Value) -> u64 {
    answer["tests"]["told"].as_u64().unwrap_or_else(|| panic!("{answer:#}"))
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
