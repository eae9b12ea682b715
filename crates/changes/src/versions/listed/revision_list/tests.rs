//! Tests of revisions that are fetched by their names.

use super::*;
use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::tree_path::TreePath;
use crate::versions::revision_line::RevisionLine;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Somewhere that revisions come from, and a pool for them.
struct Scene {
    temp: TempDir,
    fetched: Arc<AtomicUsize>,
}

fn line(names: &[&str], list: RevisionList) -> RevisionLine {
    let revisions = names.iter().map(|name| RevisionId::new(*name)).collect();
    RevisionLine { source: Arc::new(list), revisions }
}

type Write = fn(&str, &Path) -> Result<(), NotFetched>;

impl Scene {
    fn new() -> Self {
        Self { temp: tempfile::tempdir().unwrap(), fetched: Arc::default() }
    }

    /// The revisions of a session: what fetches may change from one to the next.
    fn listed(&self, names: &[&str], write: Write) -> RevisionLine {
        line(names, self.list(write))
    }

    fn list(&self, write: Write) -> RevisionList {
        let (fetched, temp) = (Arc::clone(&self.fetched), self.temp.path().to_owned());
        let fetch: FetchRevision = Arc::new(move |name| {
            let number = fetched.fetch_add(1, Ordering::SeqCst);
            let folder = temp.join(format!("checkout-{number}"));
            fs::create_dir(&folder).unwrap();
            write(name, &folder).map(|()| folder)
        });
        RevisionList::new(Pool::new(&self.pool()), fetch, CommonFiles::default())
    }

    fn pool(&self) -> PathBuf {
        self.temp.path().join("run/revisions")
    }

    fn fetched(&self) -> usize {
        self.fetched.load(Ordering::SeqCst)
    }

    /// All files of the pool.
    fn kept(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut open = vec![self.pool()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() { open.push(path) } else { files.push(path) }
            }
        }
        files
    }
}

/// A revision of two files, one of which is the same in all.
fn two_files(name: &str, folder: &Path) -> Result<(), NotFetched> {
    fs::write(folder.join("name"), name).unwrap();
    fs::write(folder.join("same"), "the same").unwrap();
    Ok(())
}

fn files(base: &Base) -> BTreeMap<String, (EntryKind, Vec<u8>)> {
    let read = |entry: &TreeEntry| (entry.kind, entry.contents.read().unwrap().to_vec());
    base.tree().iter().map(|(path, entry)| (path.to_string(), read(entry))).collect()
}

#[test]
fn a_revision_is_fetched_once_even_by_a_later_session() {
    let scene = Scene::new();
    let listed = scene.listed(&["a/1", "a/2"], two_files);
    assert_eq!((listed.len(), listed.name(1), listed.commit(1)), (2, "a/2".to_owned(), None));
    let first = files(&listed.base(0).unwrap());
    assert_eq!(first["name"], (EntryKind::PLAIN, b"a/1".to_vec()));
    listed.base(1).unwrap();
    assert_eq!(scene.kept().len(), 3 + 2, "three contents and two records");
    let again = scene.listed(&["a/1", "a/2"], |_, _| panic!("it is here"));
    assert_eq!(files(&again.base(0).unwrap()), first);
    assert_eq!(scene.fetched(), 2);
    let left = fs::read_dir(scene.temp.path()).unwrap().count();
    assert_eq!(left, 1, "what was checked out is gone");
}

#[test]
fn many_workers_fetch_a_revision_once() {
    let scene = Scene::new();
    let listed = scene.listed(&["1"], two_files);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| listed.base(0).unwrap());
        }
    });
    assert_eq!(scene.fetched(), 1);
}

#[test]
fn revisions_of_the_same_files_are_recognised_without_reading_them() {
    let scene = Scene::new();
    let mut list = scene.list(|_, folder| two_files("any", folder));
    let copied = (TreePath::new(b"test.sh").unwrap(), TreeEntry::of_bytes(EntryKind::PLAIN, b"exit"));
    list.common = CommonFiles::copied(vec![copied]);
    let listed = line(&["1", "2"], list);
    assert_eq!(listed.base(0).unwrap().content(), listed.base(1).unwrap().content());
    assert_eq!(files(&listed.base(1).unwrap())["test.sh"].1, b"exit");
}

#[test]
fn links_modes_and_names_of_any_bytes_survive_and_what_belongs_to_version_control_does_not() {
    let scene = Scene::new();
    let listed = scene.listed(&["1"], |_, folder| {
        fs::create_dir_all(folder.join("src/.svn")).unwrap();
        for own in [".git", ".svn", "CVS", ".hg"] {
            fs::create_dir_all(folder.join(own)).unwrap();
            fs::write(folder.join(own).join("entries"), "").unwrap();
        }
        fs::write(folder.join("src/.svn/entries"), "").unwrap();
        fs::write(folder.join("src/CVS"), "a file of that name").unwrap();
        fs::write(folder.join(OsStr::from_bytes(b"src/\xff")), "bytes").unwrap();
        fs::write(folder.join("run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(folder.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("/nowhere", folder.join("link")).unwrap();
        Ok(())
    });
    let base = listed.base(0).unwrap();
    let odd = TreePath::new(b"src/\xff").unwrap();
    assert_eq!(&*base.tree().get(&odd).unwrap().contents.read().unwrap(), b"bytes");
    let files = files(&base);
    let kinds: Vec<_> = files.iter().map(|(path, (kind, _))| (path.as_str(), *kind)).collect();
    let run = EntryKind::File { executable: true };
    let expected = [
        ("link", EntryKind::Symlink),
        ("run", run),
        ("src/CVS", EntryKind::PLAIN),
        ("src/\u{fffd}", EntryKind::PLAIN),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(files["link"].1, b"/nowhere");
}

#[test]
fn a_revision_that_is_not_available_is_fetched_once() {
    let scene = Scene::new();
    let absent: Write = |_, _| Err(NotFetched::Absent("too old".to_owned()));
    let because = Because::DidNotApply("it is not available: too old".to_owned());
    assert_eq!(scene.listed(&["1"], absent).base(0).unwrap_err(), because);
    assert_eq!(scene.listed(&["1"], two_files).base(0).unwrap_err(), because);
    assert_eq!(scene.fetched(), 1);
}

#[test]
fn a_checkout_that_fails_half_way_leaves_nothing_and_is_tried_again() {
    let scene = Scene::new();
    let failing = scene.listed(&["1"], |_, folder| {
        fs::write(folder.join("half"), "").unwrap();
        Err(NotFetched::Failed("the line is down".to_owned()))
    });
    assert_eq!(failing.base(0).unwrap_err(), Because::Broken("the line is down".to_owned()));
    assert!(scene.kept().is_empty());
    assert_eq!(files(&scene.listed(&["1"], two_files).base(0).unwrap()).len(), 2);
}

#[test]
fn a_checkout_without_files_is_an_error() {
    let scene = Scene::new();
    let empty = scene.listed(&["1"], |_, folder| {
        fs::create_dir_all(folder.join(".svn/pristine")).unwrap();
        Ok(())
    });
    assert!(matches!(empty.base(0).unwrap_err(), Because::Broken(why) if why.contains("no files")));
    assert!(scene.kept().is_empty());
}

#[test]
fn a_file_of_the_pool_that_is_lost_or_damaged_is_fetched_again() {
    let scene = Scene::new();
    let whole = files(&scene.listed(&["1"], two_files).base(0).unwrap());
    let kept = scene.kept();
    assert_eq!(kept.len(), 3);
    let harms: [fn(&Path); 3] = [
        |file| fs::remove_file(file).unwrap(),
        |file| fs::write(file, "").unwrap(),
        |file| fs::write(file, "longer than it has ever been").unwrap(),
    ];
    for file in &kept {
        for harm in harms {
            harm(file);
            assert_eq!(files(&scene.listed(&["1"], two_files).base(0).unwrap()), whole, "{}", file.display());
        }
    }
    assert_eq!(scene.fetched(), 1 + 3 * 3);
}

#[test]
fn a_file_with_other_bytes_of_the_same_length_is_noticed_when_it_is_read() {
    let scene = Scene::new();
    let listed = scene.listed(&["1"], two_files);
    let base = listed.base(0).unwrap();
    let same = base.tree().get(&TreePath::new(b"same").unwrap()).unwrap();
    let place = scene.kept().into_iter().find(|file| fs::read(file).unwrap() == b"the same").unwrap();
    fs::write(place, "THE SAME").unwrap();
    assert!(same.contents.read().unwrap_err().to_string().contains("is damaged"));
    let again = scene.listed(&["1"], two_files);
    assert_eq!(files(&again.base(0).unwrap())["same"].1, b"the same");
}

#[test]
fn a_revision_that_has_changed_is_not_mixed_with_what_it_was() {
    let scene = Scene::new();
    scene.listed(&["1"], two_files).base(0).unwrap();
    fs::remove_dir_all(scene.pool().join("files")).unwrap();
    let changed = scene.listed(&["1"], |_, folder| two_files("changed", folder));
    assert!(matches!(changed.base(0).unwrap_err(), Because::Broken(why) if why.contains("has changed")));
}

#[test]
fn a_pool_that_cannot_be_written_ends_the_run_instead_of_judging_the_revision() {
    let scene = Scene::new();
    fs::create_dir_all(scene.pool()).unwrap();
    fs::write(scene.pool().join("files"), "in the way").unwrap();
    let because = scene.listed(&["1"], two_files).base(0).unwrap_err();
    assert!(because.is_no_verdict(), "{because}");
}

#[test]
fn a_pool_that_moves_takes_everything_along() {
    let scene = Scene::new();
    let list = scene.list(two_files);
    let pool = list.pool.clone();
    let listed = line(&["1", "2"], list);
    let base = listed.base(0).unwrap();
    let run = scene.temp.path().join("another/run");
    pool.move_to(&run).unwrap();
    assert!(!scene.pool().exists());
    assert_eq!(files(&base)["name"].1, b"1");
    assert_eq!(files(&listed.base(1).unwrap())["name"].1, b"2");
    assert_eq!(scene.fetched(), 2);
    let empty = Pool::new(&scene.temp.path().join("nothing"));
    empty.move_to(&run).unwrap();
    assert!(empty.complete_record("1").is_some() && empty.complete_record("2").is_some());
}

#[test]
fn a_number_after_the_last_revision_is_an_error() {
    let scene = Scene::new();
    assert!(scene.listed(&["1"], two_files).base(1).unwrap_err().is_no_verdict());
    assert!(scene.listed(&[], two_files).is_empty());
}
