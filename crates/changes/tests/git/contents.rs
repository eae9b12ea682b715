//! Trees, blobs, the working tree and blame.

use crate::sandbox::Sandbox;
use howcome_changes::versions::git::{
    ChangedPath, GitVersions, Mode, NoBlame, NoObject, NoTree, ObjectId, Repository, WorkingContent,
    WorkingFile, WorkingTree,
};
use howcome_changes::versions::revision_graph::RevisionGraph;
use howcome_changes::versions::revision_id::RevisionId;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

fn ids(revisions: &RevisionGraph) -> Vec<ObjectId> {
    revisions.iter().map(|revision| ObjectId::of(&revision.id).unwrap()).collect()
}

fn file<'a>(tree: &'a WorkingTree, path: &[u8]) -> Option<&'a WorkingFile> {
    tree.files.iter().find(|file| file.path == path)
}

#[test]
fn a_tree_holds_modes_links_submodules_and_names_that_are_no_text() {
    let sandbox = Sandbox::new();
    let odd = b"caf\xe9 \xff\tx\ny\"";
    sandbox.write("run.sh", "#!/bin/sh\n");
    fs::set_permissions(sandbox.path().join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("../away", sandbox.path().join("link")).unwrap();
    sandbox.write(OsStr::from_bytes(odd), b"\x00\r\n\xff");
    sandbox.write("empty", "");
    sandbox.write("dir/plain", "plain");
    sandbox.git(&["add", "-A"]);
    let module = "12".repeat(20);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{module},dir/module")]);
    sandbox.git(&["commit", "-q", "-m", "all kinds"]);
    let repository = sandbox.repository();
    let tree = repository.tree(sandbox.head()).unwrap();
    let mut objects = repository.objects().unwrap();
    let mode = |path: &[u8]| tree.get(path).unwrap().mode;
    assert_eq!(mode(b"run.sh"), Mode::Executable);
    assert_eq!(mode(b"link"), Mode::Symlink);
    assert_eq!(mode(b"dir/plain"), Mode::Regular);
    assert_eq!(mode(b"dir/module"), Mode::Submodule);
    assert_eq!(tree.get(b"dir/module").unwrap().id.to_string(), module);
    assert!(tree.get(b"dir").is_none());
    let mut content = |path: &[u8]| objects.blob(tree.get(path).unwrap().id);
    assert_eq!(content(odd).unwrap(), b"\x00\r\n\xff");
    assert_eq!(content(b"link").unwrap(), b"../away");
    assert_eq!(content(b"empty").unwrap(), b"");
    assert!(matches!(content(b"dir/module"), Err(NoObject::Missing(_))));
    assert_eq!(content(b"dir/plain").unwrap(), b"plain", "a missing object must not end the reader");
    let error = objects.blob(sandbox.head()).unwrap_err();
    assert!(matches!(error, NoObject::OtherKind { .. }), "{error}");
}

#[test]
fn large_contents_come_whole_and_a_reader_may_be_dropped_at_any_time() {
    let sandbox = Sandbox::new();
    let large: Vec<u8> = (0..3_000_000u32).map(|number| (number * 7 % 251) as u8).collect();
    sandbox.write("large", &large);
    let commit = sandbox.commit("large");
    let repository = sandbox.repository();
    let id = repository.tree(commit).unwrap().get(b"large").unwrap().id;
    let mut objects = repository.objects().unwrap();
    assert!(objects.blob(id).unwrap() == large);
    assert!(objects.blob(id).unwrap() == large);
}

#[test]
fn many_contents_come_in_the_order_in_which_they_were_asked_for() {
    let sandbox = Sandbox::new();
    for number in 0..300 {
        sandbox.write(format!("{number}"), format!("{number}\n").repeat(number * 10));
    }
    let commit = sandbox.commit("many");
    let repository = sandbox.repository();
    let tree = repository.tree(commit).unwrap();
    let mut wanted: Vec<ObjectId> = tree.entries().iter().map(|entry| entry.id).collect();
    wanted.insert(100, "1".repeat(40).parse().unwrap());
    let mut objects = repository.objects().unwrap();
    let mut told = Vec::new();
    objects.blobs(&wanted, |id, content| told.push((id, content.ok()))).unwrap();
    let one_by_one: Vec<_> = wanted.iter().map(|id| (*id, objects.blob(*id).ok())).collect();
    assert!(told == one_by_one);
    assert_eq!(told.iter().filter(|(_, content)| content.is_none()).count(), 1);
    objects.blobs(&[], |_, _| unreachable!()).unwrap();
}

#[test]
fn a_tree_of_a_hundred_thousand_files_is_listed() {
    let sandbox = Sandbox::new();
    let blob = sandbox.git_with(&["hash-object", "-w", "--stdin"], b"x");
    let lines: String = (0..100_000)
        .map(|number| format!("100644 {blob}\td{}/e{}/f{number}\n", number % 97, number % 31))
        .collect();
    sandbox.git_with(&["update-index", "--index-info"], lines.as_bytes());
    sandbox.git(&["commit", "-q", "-m", "many"]);
    let tree = sandbox.repository().tree(sandbox.head()).unwrap();
    assert_eq!(tree.entries().len(), 100_000);
    assert!(tree.entries().is_sorted_by(|one, other| one.path < other.path));
    assert!(tree.get(b"d96/e9/f70000").is_none() && tree.get(b"d63/e2/f70000").is_some());
}

#[test]
fn a_forged_tree_is_refused() {
    let sandbox = Sandbox::new();
    let blob: ObjectId = sandbox.git_with(&["hash-object", "-w", "--stdin"], b"x").parse().unwrap();
    let forged = [&b"100644 ..\0"[..], blob.as_bytes()].concat();
    let forge = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    let tree = sandbox.git_with(&forge, &forged);
    let commit = sandbox.git(&["commit-tree", "-m", "forged", &tree]).parse().unwrap();
    let good = sandbox.commit("good");
    let error = sandbox.repository().tree(commit).unwrap_err();
    assert!(matches!(error, NoTree::Leaves(_)), "{error}");
    let error = sandbox.repository().diff(good, commit).unwrap_err();
    assert!(matches!(error, NoTree::Leaves(_)), "{error}");
}

#[test]
fn a_diff_tells_renames_types_modes_and_what_came_and_went() {
    let sandbox = Sandbox::new();
    let text: String = (0..50).map(|number| format!("line {number}\n")).collect();
    sandbox.write(OsStr::from_bytes(b"old\xff"), &text);
    sandbox.write("gone", "gone, and nothing like the rest");
    sandbox.write("mode", "mode");
    sandbox.write("type", "type");
    sandbox.write("same", "same");
    let before = sandbox.commit("before");
    for path in [OsStr::from_bytes(b"old\xff"), OsStr::new("gone"), OsStr::new("type")] {
        fs::remove_file(sandbox.path().join(path)).unwrap();
    }
    sandbox.write(OsStr::from_bytes(b"new\xfe"), text.replace("line 7\n", "line seven\n"));
    sandbox.write("added", "0123456789");
    fs::set_permissions(sandbox.path().join("mode"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("same", sandbox.path().join("type")).unwrap();
    let after = sandbox.commit("after");

    let changes = sandbox.repository().diff(before, after).unwrap();
    let paths: Vec<&[u8]> = changes.iter().map(ChangedPath::path).collect();
    assert_eq!(paths, [&b"added"[..], b"gone", b"mode", b"new\xfe", b"type"]);
    let [added, gone, mode, renamed, kind] = &changes[..] else { unreachable!() };
    assert!(added.before.is_none() && gone.after.is_none());
    assert_eq!(mode.after.as_ref().unwrap().mode, Mode::Executable);
    assert_eq!(mode.before.as_ref().unwrap().id, mode.after.as_ref().unwrap().id);
    assert!(renamed.is_rename() && renamed.before.as_ref().unwrap().path == b"old\xff");
    assert!((80..100).contains(&renamed.similarity.unwrap()), "{:?}", renamed.similarity);
    assert_eq!(kind.after.as_ref().unwrap().mode, Mode::Symlink);
    assert!(sandbox.repository().diff(after, after).unwrap().is_empty());
}

#[test]
fn the_working_tree_holds_what_is_changed_staged_and_new_but_not_what_is_ignored() {
    let sandbox = Sandbox::new();
    for name in ["changed", "deleted", "same", "staged", "run", "folder"] {
        sandbox.write(name, name);
    }
    sandbox.write(".gitignore", "*.o\n");
    sandbox.commit("all");
    sandbox.write("changed", "CHANGED");
    sandbox.write("staged", "STAGED");
    sandbox.git(&["add", "staged"]);
    sandbox.write("ignored.o", "");
    let odd = b"new \xff\n";
    sandbox.write(OsStr::from_bytes(odd), "new");
    symlink("same", sandbox.path().join("link")).unwrap();
    for gone in ["deleted", "folder"] {
        fs::remove_file(sandbox.path().join(gone)).unwrap();
    }
    sandbox.write("folder/inside", "");
    fs::set_permissions(sandbox.path().join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.git(&["init", "-q", "nested"]);
    sandbox.write("nested/file", "");

    let repository = Repository::discover(sandbox.path().join("folder")).unwrap();
    let tree = repository.working_tree().unwrap().unwrap();
    let on_disk = |path: &[u8]| file(&tree, path).map(|file| file.content == WorkingContent::OnDisk);
    let expected: [(&[u8], Option<bool>); 11] = [
        (b"changed", Some(true)),
        (b"same", Some(false)),
        (b"staged", Some(false)),
        (b"run", Some(true)),
        (b"folder/inside", Some(true)),
        (odd, Some(true)),
        (b"link", Some(true)),
        (b"deleted", None),
        (b"folder", None),
        (b"ignored.o", None),
        (b"nested/file", None),
    ];
    for (path, expected) in expected {
        assert_eq!(on_disk(path), expected, "{}", String::from_utf8_lossy(path));
    }
    assert_eq!(tree.deleted, [b"deleted".to_vec(), b"folder".to_vec()]);
    assert_eq!(tree.nested, [b"nested/".to_vec()]);
    assert_eq!(file(&tree, b"run").unwrap().mode, Mode::Executable);
    assert_eq!(file(&tree, b"link").unwrap().mode, Mode::Symlink);
    assert!(!file(&tree, b"link").unwrap().is_tracked);
    let WorkingContent::Stored(staged) = file(&tree, b"staged").unwrap().content else { unreachable!() };
    assert_eq!(repository.objects().unwrap().blob(staged).unwrap(), b"STAGED");
}

#[test]
fn a_conflict_is_in_the_working_tree_once_and_is_said_to_be_one() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "base\n");
    sandbox.commit("base");
    let index: String = (1..4)
        .map(|stage| {
            let blob = sandbox.git_with(&["hash-object", "-w", "--stdin"], format!("{stage}").as_bytes());
            format!("100644 {blob} {stage}\ta\n")
        })
        .collect();
    sandbox.git(&["rm", "-q", "--cached", "a"]);
    sandbox.git_with(&["update-index", "--index-info"], index.as_bytes());
    let tree = sandbox.repository().working_tree().unwrap().unwrap();
    assert_eq!(tree.unmerged, [b"a".to_vec()]);
    assert_eq!(tree.files.len(), 1);
    assert_eq!(tree.files[0].content, WorkingContent::OnDisk);
}

#[test]
fn blame_stops_at_the_good_revision_and_follows_a_rename() {
    let sandbox = Sandbox::new();
    let lines: Vec<String> = (1..=20).map(|number| format!("line {number} of the file\n")).collect();
    sandbox.write("before\n\"x\"", lines.concat());
    sandbox.commit("root");
    let good = sandbox.commit("good");
    let mut changed = lines.clone();
    changed[2] = "changed\n".to_owned();
    sandbox.write("before\n\"x\"", changed.concat());
    let change = sandbox.commit("change");
    fs::rename(sandbox.path().join("before\n\"x\""), sandbox.path().join("-after")).unwrap();
    sandbox.commit("rename");
    changed.insert(10, "new\n".to_owned());
    sandbox.write("-after", changed.concat());
    let bad = sandbox.commit("bad");

    let repository = sandbox.repository();
    let range = repository.range(&[good], bad).unwrap();
    let blamed = repository.blame(&range, b"-after", &[2..=4, 11..=12]).unwrap();
    let commits: Vec<_> = blamed.iter().map(|line| (line.line, line.commit, line.line_then)).collect();
    let expected = [(2, None, 2), (3, Some(change), 3), (4, None, 4), (11, Some(bad), 11), (12, None, 11)];
    assert_eq!(commits, expected);
    assert_eq!(blamed[1].path_then, b"before\n\"x\"");
    assert_eq!(blamed[3].path_then, b"-after");
    assert_eq!(repository.blame(&range, b"-after", &[]).unwrap().len(), 21);
    assert_eq!(repository.blame(&range, b"-after", &[20..=99]).unwrap().len(), 2);

    let error = repository.blame(&range, b"-after", &[50..=60]).unwrap_err();
    assert!(matches!(error, NoBlame::NoLine { line: 50, .. }), "{error}");
    let error = repository.blame(&range, b"none", &[]).unwrap_err();
    assert!(matches!(error, NoBlame::NoFile { .. }), "{error}");
}

#[test]
fn a_removed_line_is_traced_to_the_commit_that_removed_it() {
    let sandbox = Sandbox::new();
    let lines: Vec<String> = (1..=20).map(|number| format!("line {number} of the file\n")).collect();
    sandbox.write("file", lines.concat());
    sandbox.write("other", "other\n");
    let good = sandbox.commit("good");
    sandbox.write("file", lines[1..].concat());
    let first = sandbox.commit("remove line 1");
    fs::rename(sandbox.path().join("file"), sandbox.path().join("moved")).unwrap();
    sandbox.commit("move");
    sandbox.write("moved", lines[2..].concat());
    let second = sandbox.commit("remove line 2");
    fs::remove_file(sandbox.path().join("other")).unwrap();
    let third = sandbox.commit("remove the other file");
    let bad = sandbox.commit("bad");

    let repository = sandbox.repository();
    let range = repository.range(&[good], bad).unwrap();
    let removed = repository.removals(&range, good, b"file", &[1..=3]).unwrap();
    let by: Vec<&[RevisionId]> = removed.iter().map(|line| &line.removed_by[..]).collect();
    assert_eq!(by, [&[first.into()][..], &[second.into()], &[]]);
    assert_eq!(removed[2].last_in, bad);
    let other = repository.removals(&range, good, b"other", &[]).unwrap();
    assert_eq!((other[0].last_in, &other[0].removed_by[..]), (second, &[third.into()][..]));
    let error = repository.removals(&range, good, b"moved", &[]).unwrap_err();
    assert!(matches!(error, NoBlame::NoFile { revision, .. } if revision == good), "{error}");
}

/// A repository that would do something at every turn, and whose index is out of date.
fn booby_trapped(mark: &Path) -> (Sandbox, ObjectId, ObjectId) {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n2\n");
    sandbox.write("b", "same");
    let good = sandbox.commit("good");
    sandbox.write("a", "1\n2\n3\n");
    let bad = sandbox.commit("bad");
    let trap = sandbox.path().join(".git/trap");
    fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    for hook in
        ["post-index-change", "post-checkout", "reference-transaction", "pre-commit", "fsmonitor-watchman"]
    {
        symlink("../trap", sandbox.path().join(".git/hooks").join(hook)).unwrap();
    }
    let trap = trap.to_str().unwrap();
    let settings = ["core.fsmonitor", "filter.trap.clean", "filter.trap.process", "diff.trap.textconv"];
    for setting in settings.into_iter().chain(["diff.trap.command", "diff.external", "core.pager"]) {
        sandbox.git(&["config", setting, trap]);
    }
    sandbox.git(&["config", "filter.trap.required", "true"]);
    // Written when all is committed, so that the traps have not gone off yet.
    fs::write(sandbox.path().join(".git/info/attributes"), "* filter=trap diff=trap\n").unwrap();
    // The same content with another time: `git status` would now write a new index.
    let file = fs::File::options().write(true).open(sandbox.path().join("b")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000))
        .unwrap();
    (sandbox, good, bad)
}

#[test]
fn nothing_in_the_repository_is_run_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let (sandbox, good, bad) = booby_trapped(&mark);
    let _ = fs::remove_file(&mark);
    let before = sandbox.everything();

    let repository = sandbox.repository();
    assert_eq!(repository.resolve("HEAD").unwrap(), bad);
    assert!(repository.resolve("nothing").is_err());
    let range = repository.range(&[good], bad).unwrap();
    let tree = repository.tree(bad).unwrap();
    assert_eq!(repository.diff(good, bad).unwrap().len(), 1);
    let mut objects = repository.objects().unwrap();
    assert_eq!(objects.blob(tree.get(b"a").unwrap().id).unwrap(), b"1\n2\n3\n");
    assert_eq!(objects.commit(bad).unwrap().subject, "bad");
    let working = repository.working_tree().unwrap().unwrap();
    assert!(matches!(file(&working, b"b").unwrap().content, WorkingContent::Stored(_)));
    assert_eq!(repository.blame(&range, b"a", &[3..=3]).unwrap()[0].commit, Some(bad));
    drop(objects);

    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap());
    assert!(sandbox.everything() == before, "something was written");
    // The traps do go off for others.
    let _ = Command::new("git").current_dir(sandbox.path()).arg("status").output().unwrap();
    assert!(mark.exists());
}

#[test]
fn a_partial_clone_fetches_nothing_behind_our_back() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "content");
    let commit = sandbox.commit("one");
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", sandbox.path().display());
    sandbox.git(&["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "clone"]);
    let before = sandbox.everything();
    let clone = Repository::discover(sandbox.path().join("clone")).unwrap();
    let blob = clone.tree(commit).unwrap().get(b"a").unwrap().id;
    let error = clone.objects().unwrap().blob(blob).unwrap_err();
    assert!(error.hint().unwrap().contains("partial clone"), "{error}");
    let range = clone.range(&[], commit).unwrap();
    let error = clone.blame(&range, b"a", &[]).unwrap_err();
    assert!(error.hint().unwrap().contains("partial clone"), "{error}");
    assert!(sandbox.everything() == before, "something was fetched");
}

#[test]
fn a_repository_with_long_names_and_a_second_work_tree_are_read() {
    let long = Sandbox { folder: tempfile::tempdir().unwrap(), clock: 1_700_000_000.into() };
    long.git(&["init", "-q", "--object-format=sha256", "-b", "main", "."]);
    long.write("a", "one\n");
    let one = long.commit("one");
    let two = long.commit("two");
    assert_eq!(one.to_string().len(), 64);
    long.git(&["worktree", "add", "-q", "--detach", "second", &one.to_string()]);
    long.write("second/a", "changed\n");
    let second = Repository::discover(long.path().join("second")).unwrap();
    assert_eq!(second.resolve("HEAD").unwrap(), one);
    assert_eq!(ids(&second.range(&[one], two).unwrap().revisions), [two]);
    let working = second.working_tree().unwrap().unwrap();
    assert_eq!(file(&working, b"a").unwrap().content, WorkingContent::OnDisk);
    let blob = second.tree(two).unwrap().get(b"a").unwrap().id;
    assert_eq!(second.objects().unwrap().blob(blob).unwrap(), b"one\n");
    let range = second.range(&[one], two).unwrap();
    assert_eq!(second.blame(&range, b"a", &[]).unwrap()[0].commit, None);
}

#[test]
fn replaced_objects_are_seen_as_they_were() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "true");
    let one = sandbox.commit("one");
    sandbox.write("a", "false");
    let two = sandbox.commit("two");
    sandbox.git(&["replace", &one.to_string(), &two.to_string()]);
    let commit = sandbox.repository().objects().unwrap().commit(one).unwrap();
    assert_eq!(commit.subject, "one");
}

#[test]
fn a_folder_with_a_name_that_is_no_text_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(OsString::from_vec(b"odd \xff\n".to_vec()));
    fs::create_dir(&odd).unwrap();
    let made = Command::new("git").current_dir(&odd).args(["init", "-q"]).status().unwrap();
    assert!(made.success());
    fs::write(odd.join("new"), "").unwrap();
    let repository = Repository::discover(&odd).unwrap();
    assert!(repository.git_dir().is_dir());
    assert_eq!(repository.working_tree().unwrap().unwrap().files.len(), 1);
}

#[test]
fn the_changes_between_two_revisions_are_the_deltas_of_their_trees() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("main.c"), "one\ntwo\nthree\nfour\nfive\n").unwrap();
    fs::write(sandbox.path().join("same"), "same\n").unwrap();
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "-q", "-m", "good"]);
    fs::write(sandbox.path().join("main.c"), "ONE\ntwo\nthree\nfour\nFIVE\n").unwrap();
    fs::write(sandbox.path().join("new"), "new\n").unwrap();
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "-q", "-m", "bad"]);
    let repository = sandbox.repository();
    let objects = std::sync::Arc::new(std::sync::Mutex::new(repository.objects().unwrap()));
    let tree = |revision: &str| repository.tree_of(repository.resolve(revision).unwrap(), &objects).unwrap();
    let (good, bad) = (tree("HEAD~1"), tree("HEAD"));
    let changes = howcome_changes::ChangeSet::between(&good, &bad).unwrap();
    let described: Vec<String> =
        changes.all().iter().map(|delta| changes.describe(delta).unwrap().to_string()).collect();
    assert_eq!(described.len(), 3, "{described:?}");
    let everything = howcome_changes::mix(&changes, &changes.all());
    let path = howcome_changes::TreePath::new(b"main.c").unwrap();
    let version = everything.get(&path).flatten().unwrap();
    assert_eq!(&*version.bytes, b"ONE\ntwo\nthree\nfour\nFIVE\n");
}

#[test]
fn a_tree_that_is_made_from_that_of_another_commit_is_the_one_that_git_lists() {
    let sandbox = Sandbox::new();
    let here = |path: &str| sandbox.path().join(path);
    let mut commits = Vec::new();
    let mut commit = |subject| commits.push(sandbox.commit(subject));
    sandbox.write("a", "1");
    sandbox.write("d/e/f", "1");
    sandbox.write("d/g", "1");
    commit("files");
    fs::remove_file(here("a")).unwrap();
    sandbox.write("a/b", "2");
    fs::remove_dir_all(here("d")).unwrap();
    sandbox.write("d", "2");
    commit("a file becomes a directory, and a directory a file");
    symlink("d", here("link")).unwrap();
    fs::set_permissions(here("a/b"), PermissionsExt::from_mode(0o755)).unwrap();
    commit("a link and a mode");
    fs::remove_file(here("link")).unwrap();
    sandbox.write("link/inside", "3");
    fs::rename(here("d"), here("moved")).unwrap();
    commit("a link becomes a directory, and a file moves");
    sandbox.git(&["rm", "-q", "-r", "."]);
    commit("nothing");
    let trees = |commits: &[ObjectId]| {
        let versions = GitVersions::of(sandbox.repository()).unwrap();
        let tree = |commit: &ObjectId| {
            let tree = versions.original_tree(&RevisionId::from(*commit)).unwrap();
            let entries = tree.iter().map(|(path, entry)| {
                let id = entry.contents.identity().map(<[u8]>::to_vec);
                (path.clone(), entry.kind, id, entry.contents.read().unwrap())
            });
            entries.collect::<Vec<_>>()
        };
        commits.iter().map(tree).collect::<Vec<_>>()
    };
    for first in &commits {
        for second in &commits {
            assert_eq!(trees(&[*first, *second])[1], trees(&[*second])[0], "{first} {second}");
        }
    }
}
