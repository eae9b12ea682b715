//! Fuzz targets: functions that give foreign bytes to everything that reads them.
//!
//! A target must not panic and must not take long. Each is a function of this crate and a test in `tests/targets.rs`. `cargo test`
//! runs the kept seeds and some random inputs; `fuzz/run TARGET SECONDS` looks for inputs that reach new code. Seeds are in
//! `tests/__fuzz__/TARGET/corpus`.
//!
//! | file | idea |
//! |---|---|
//! | `service` | requests over HTTP, to a service that runs |

mod service;

pub use service::request;

use howcome_changes::coverage::{parse_gcov_json, parse_lcov};
use howcome_changes::versions::git::{CommitRecord, GitTree, ObjectId};
use howcome_changes::{EntryKind, Tree, TreeEntry, TreePath, apply_patch};
use howcome_dd::{Configuration, DeltaId};
use howcome_input::{Document, DocumentFile, Language};
use howcome_items::ItemList;
use howcome_lab::runners::{PrintedText, read_report, runners_that_understand};
use howcome_lab::{Captured, Condition, Execution, SameAspect, TestEnding, essence};
use howcome_report::{Summary, TextForm, html, json, markdown, text, trail};
use howcome_run::{Algorithm, InputHashes, QuestionName, RunFile, parse_journal, read_run_file};
use howcome_state::debug::{Loaded, Program};
use howcome_state::{Address, PlaceName};
use howcome_web::{Submission, UnpackLimits, unpack};
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// The names that decide how an input is opened.
const INPUT_NAMES: [&str; 12] = [
    "in", "in.png", "in.zip", "in.gz", "in.tar", "in.pem", "in.json", "in.xml", "in.c", "in.html", "in.py",
    "in.yaml",
];

/// Unified diffs, as users and mail programs write them.
pub fn patch(bytes: &[u8]) {
    let mut good = Tree::empty();
    for (name, content) in
        [("a.c", "int main(void)\n{\n    return 0;\n}\n"), ("dir/b.txt", "one\ntwo\nthree")]
    {
        let path = TreePath::new(name.as_bytes()).expect("a plain name");
        good.insert(path, TreeEntry::of_bytes(EntryKind::File { executable: false }, content.as_bytes()))
            .expect("a new path");
    }
    let _ = apply_patch(&good, bytes);
}

/// Commits and listings of trees, as git prints them. No path leaves the workspace.
pub fn git_object(bytes: &[u8]) {
    if let Ok(id) = ObjectId::from_hex(&[b'1'; 40]) {
        let commit = CommitRecord::parse(id, bytes);
        let _ = commit.date.to_string();
    }
    if let Ok(tree) = GitTree::parse(bytes) {
        for entry in tree.entries() {
            assert!(!entry.path.starts_with(b"/"));
            assert!(entry.path.split(|byte| *byte == b'/').all(|name| name != b".." && name != b".git"));
        }
    }
}

/// Archives that strangers send. Nothing is written outside of the folder, and not more than the limits allow.
pub fn archive(bytes: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let (packed, into) = (folder.path().join("packed"), folder.path().join("into"));
    if fs::write(&packed, bytes).is_err() || fs::create_dir(&into).is_err() {
        return;
    }
    let _ = unpack(&packed, &into, &mut UnpackLimits { bytes: 1 << 16, files: 16 });
    let beside = fs::read_dir(folder.path()).map(Iterator::count).unwrap_or_default();
    assert_eq!(beside, 2, "the archive wrote outside of its folder");
}

/// Submissions, as the HTTP interface receives them.
pub fn submission(bytes: &[u8]) {
    if let Ok(submission) = serde_json::from_slice::<Submission>(bytes) {
        let again = serde_json::to_vec(&submission).expect("a submission can be written");
        assert_eq!(serde_json::from_slice::<Submission>(&again).ok(), Some(submission));
    }
}

/// Reports of coverage.
pub fn coverage(bytes: &[u8]) {
    let _ = parse_lcov(bytes);
    let _ = parse_gcov_json(bytes);
}

/// What tests print: the reports of test runners, and errors of programs and compilers.
pub fn test_output(bytes: &[u8]) {
    let (stdout, stderr) = bytes.split_at(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
    let printed = PrintedText::of_streams(stdout, stderr);
    let understood = runners_that_understand(&printed);
    assert_eq!(read_report(&printed).is_some(), !understood.is_empty());
    let mut execution = Execution::new(TestEnding::Exit(1));
    execution.stdout = Captured::whole(stdout);
    execution.stderr = Captured::whole(stderr);
    let _ = essence(&execution);
}

/// Words of the command line and of forms: conditions, aspects, places, configurations.
pub fn words(bytes: &[u8]) {
    let Ok(word) = str::from_utf8(bytes) else { return };
    if let Ok(condition) = word.parse::<Condition>() {
        assert_eq!(condition.to_string(), word);
    }
    let _ = word.parse::<SameAspect>();
    let _ = word.parse::<PlaceName>();
    let _ = word.parse::<Configuration>();
}

/// The journal of a run, which can be damaged, and every report that is made from it.
pub fn journal(bytes: &[u8]) {
    let path = Path::new("journal.jsonl");
    let Ok(recorded) = parse_journal(bytes, path) else { return };
    for question in QuestionName::ALL {
        let run = RunFile {
            howcome: "0".into(),
            version: 1,
            question,
            algorithm: Algorithm::Ddmin.into(),
            jobs: 1,
            started: 0,
            request: serde_json::Value::Null,
            inputs: InputHashes::new(),
        };
        let summary = Summary::of(&run, Path::new("run"), &recorded.entries);
        let _ = text(&summary, TextForm::PLAIN);
        let _ = trail(&summary, TextForm::PLAIN);
        let _ = json(&summary);
        let _ = html(&summary);
        let _ = markdown(&summary);
    }
}

/// What a run was asked: `run.json`. What is read can be written and read again.
pub fn run_file(bytes: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("run.json");
    if fs::write(&path, bytes).is_err() {
        return;
    }
    if let Ok(run) = read_run_file(folder.path()) {
        let again = serde_json::to_vec(&run).expect("a request can be written");
        assert!(fs::write(&path, again).is_err() || read_run_file(folder.path()).is_ok());
    }
}

/// Sources in all languages: each node of a tree lies inside of its parent. The first byte chooses the language.
pub fn language(bytes: &[u8]) {
    let Some((first, source)) = bytes.split_first() else { return };
    let language = Language::ALL[usize::from(*first) % Language::ALL.len()];
    let Some(tree) = language.parse(source) else { return };
    for (id, node) in tree.iter() {
        assert!(node.range.end <= source.len(), "{language:?}: {node:?} lies outside of the source");
        for child in tree.children(id) {
            let inside = &tree.node(child).range;
            assert!(
                node.range.start <= inside.start && inside.end <= node.range.end,
                "{language:?}: {node:?}"
            );
        }
    }
}

/// Inputs in packed formats and in languages: opened and packed again, they are what they were. The first byte chooses the name.
pub fn document(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let name = INPUT_NAMES[usize::from(*first) % INPUT_NAMES.len()];
    let document = Document::of_file(name, bytes);
    let files = document.files();
    assert_eq!(files.len(), 1);
    assert!(
        matches!(&files[0].1, DocumentFile::Bytes(packed, _) if packed == bytes),
        "{name} is not packed as it was"
    );
}

/// Lists of items: all items written are the list as it was.
pub fn item_list(bytes: &[u8]) {
    let list = ItemList::parse(bytes.to_vec());
    let all = (0..list.len() as u32).map(DeltaId).collect();
    let mut written = Vec::new();
    list.write_to(&all, &mut written).expect("memory can be written");
    let _ = list.texts(&all);
}

/// Programs with debug information: all functions, lines and types.
pub fn program(bytes: &[u8]) {
    let Ok(file) = rustix::fs::memfd_create("program", rustix::fs::MemfdFlags::CLOEXEC) else { return };
    let mut file = File::from(file);
    if file.write_all(bytes).is_err() {
        return;
    }
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    let Ok(program) = Program::load(&[Loaded { path, bias: 0 }], &[]) else { return };
    let _ = program.entries();
    for function in program.functions() {
        let _ = program.functions_named(&function.name);
    }
    let _ = program.type_named("int");
    for at in [0, 0x1000, 0x1139, 0x40_1000] {
        let _ = program.function_at(Address(at));
        let _ = program.line_at(Address(at));
        let _ = program.name_at(Address(at));
    }
}
