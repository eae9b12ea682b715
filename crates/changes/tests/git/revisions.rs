//! Repositories, revisions, ranges and commits.

use crate::sandbox::Sandbox;
use howcome_changes::versions::git::{
    GitFailed, NoRange, NoSuchRevision, NotARepository, ObjectId, Repository,
};
use howcome_changes::versions::revision_graph::RevisionGraph;
use howcome_dd::{Ancestry, Answer, Ask, Bisect, Outcome, Search};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

fn ids(revisions: &RevisionGraph) -> Vec<ObjectId> {
    revisions.iter().map(|revision| ObjectId::of(&revision.id).unwrap()).collect()
}

#[test]
fn a_folder_below_the_top_finds_its_repository() {
    let sandbox = Sandbox::new();
    sandbox.write("a/b/c", "");
    let repository = Repository::discover(sandbox.path().join("a/b")).unwrap();
    assert_eq!(repository.work_tree().unwrap(), sandbox.path().canonicalize().unwrap());
    assert!(!repository.is_shallow());
}

#[test]
fn a_bare_repository_is_read_like_any_other() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1");
    let commit = sandbox.commit("one");
    sandbox.git(&["clone", "-q", "--bare", ".", "bare.git"]);
    let bare = Repository::discover(sandbox.path().join("bare.git")).unwrap();
    assert_eq!(bare.resolve("HEAD").unwrap(), commit);
    assert_eq!(bare.tree(commit).unwrap().entries().len(), 1);
    assert_eq!(bare.working_tree().unwrap(), None);
    let range = bare.range(&[], commit).unwrap();
    assert_eq!(bare.blame(&range, b"a", &[]).unwrap()[0].commit, Some(commit));
}

#[test]
fn what_is_no_repository_is_told_from_what_is_no_folder_and_from_no_git() {
    let folder = tempfile::tempdir().unwrap();
    let error = Repository::discover(folder.path()).unwrap_err();
    assert!(matches!(error, NotARepository::None(_)), "{error}");
    assert!(error.hint().unwrap().contains("directories"));
    let error = Repository::discover(folder.path().join("none")).unwrap_err();
    assert!(matches!(error, NotARepository::NoFolder(_)), "{error}");
    let error = Repository::discover_with("no-such-git", folder.path()).unwrap_err();
    assert!(matches!(error, NotARepository::Git(GitFailed::Missing(_))), "{error}");
    assert!(error.hint().unwrap().contains("install git"));
}

#[test]
fn revisions_are_resolved_in_every_syntax() {
    let sandbox = Sandbox::new();
    let one = sandbox.commit("one: begin");
    let two = sandbox.commit("two");
    sandbox.git(&["tag", "-a", "-m", "annotated", "v1", &one.to_string()]);
    sandbox.git(&["branch", "v2", &two.to_string()]);
    sandbox.git(&["tag", "v2", &one.to_string()]);
    let repository = sandbox.repository();
    for name in ["v1", "HEAD~1", "main^", ":/one: beg", "HEAD^{/begin}", "main@{1}", &one.short(), "v2"] {
        assert_eq!(repository.resolve(name).unwrap(), one, "{name}");
    }
    assert_eq!(repository.resolve("heads/v2").unwrap(), two);
}

#[test]
fn a_revision_that_is_not_there_comes_with_names_like_it() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "");
    sandbox.commit("one");
    sandbox.git(&["tag", "v1.2.0"]);
    let repository = sandbox.repository();
    let error = repository.resolve("v1.2.9").unwrap_err();
    assert_eq!(error.to_string(), "unknown revision `v1.2.9`");
    assert_eq!(error.hint().unwrap(), "did you mean v1.2.0?");
    assert_eq!(repository.resolve("mian~3").unwrap_err().hint().unwrap(), "did you mean main?");
    assert!(repository.resolve("main..v1.2.0").unwrap_err().hint().is_some());
    let never = "1".repeat(40);
    for name in ["", "-h", "--all", "--help", "HEAD~9", "^HEAD", "HEAD^@", "main v1.2.0", "a\0b", &never] {
        let error = repository.resolve(name).unwrap_err();
        assert!(matches!(error, NoSuchRevision::Unknown { .. }), "{name}: {error}");
    }
    let error = repository.resolve(OsStr::from_bytes(b"\xff\xfe")).unwrap_err();
    assert!(matches!(error, NoSuchRevision::Unknown { .. }), "{error}");
    let error = repository.resolve("HEAD:a").unwrap_err();
    assert_eq!(error.to_string(), "`HEAD:a` is a blob, not a commit");
}

#[test]
fn digits_that_several_objects_begin_with_are_no_revision() {
    let sandbox = Sandbox::new();
    let blobs: String = (0..1000).map(|number| format!("blob\ndata 4\n{number:04}\n")).collect();
    sandbox.git_with(&["fast-import", "--quiet"], blobs.as_bytes());
    let objects = sandbox.git(&["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]);
    let objects: Vec<&str> = objects.lines().collect();
    let short = objects.windows(2).find(|pair| pair[0][..4] == pair[1][..4]).unwrap()[0];
    let error = sandbox.repository().resolve(&short[..4]).unwrap_err();
    assert!(matches!(error, NoSuchRevision::Ambiguous(_)), "{error}");
    assert_eq!(error.hint().unwrap(), "write more of its digits");
}

#[test]
fn a_repository_without_commits_has_no_head() {
    let error = Sandbox::new().repository().resolve("HEAD").unwrap_err();
    assert!(matches!(error, NoSuchRevision::Unknown { .. }), "{error}");
}

/// `good`, then two commits on the mainline and a branch of two, merged, and one more.
fn with_a_merge(sandbox: &Sandbox) -> [ObjectId; 7] {
    let good = sandbox.commit("good");
    sandbox.git(&["checkout", "-q", "-b", "side"]);
    sandbox.write("side", "1\n");
    let side_one = sandbox.commit("side 1");
    sandbox.write("side", "1\n2\n");
    let side_two = sandbox.commit("side 2");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("main", "1\n");
    let main_one = sandbox.commit("main 1");
    let main_two = sandbox.commit("main 2");
    let merge = sandbox.merge("side");
    let bad = sandbox.commit("bad");
    [good, side_one, side_two, main_one, main_two, merge, bad]
}

#[test]
fn a_merge_is_searched_along_the_mainline_and_then_inside_the_branch() {
    let sandbox = Sandbox::new();
    let [good, side_one, side_two, main_one, main_two, merge, bad] = with_a_merge(&sandbox);
    let range = sandbox.repository().range(&[good], bad).unwrap();
    assert!(range.untested_bases.is_empty());
    let revisions = &range.revisions;
    assert_eq!(revisions.len(), 6);
    assert_eq!(ids(revisions).last(), Some(&bad));

    let culprit = |revisions: &RevisionGraph| {
        let mut search = Bisect::new(revisions.history());
        loop {
            match search.ask() {
                Ask::Done(culprit) => {
                    break ObjectId::of(&revisions.get(culprit.decided().unwrap()).unwrap().id).unwrap();
                }
                Ask::Test(question) => {
                    // The second commit of the branch broke it.
                    let delta = question.configuration.last().unwrap();
                    let tested = ObjectId::of(&revisions.get(delta).unwrap().id).unwrap();
                    let fails = [side_two, merge, bad].contains(&tested);
                    search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
                }
            }
        }
    };
    let mainline = revisions.first_parents();
    assert_eq!(ids(&mainline), [main_one, main_two, merge, bad]);
    assert!(matches!(mainline.history(), Ancestry::Line(4)));
    assert_eq!(culprit(&mainline), merge);
    let inside = revisions.merged_by(&merge.into());
    assert_eq!(ids(&inside), [side_one, side_two, merge]);
    assert_eq!(culprit(&inside), side_two);
    assert_eq!(culprit(revisions), side_two);
}

#[test]
fn a_good_revision_on_another_branch_asks_for_the_place_where_they_parted() {
    let sandbox = Sandbox::new();
    let base = sandbox.commit("base");
    sandbox.git(&["checkout", "-q", "-b", "release"]);
    let good = sandbox.commit("good");
    sandbox.git(&["checkout", "-q", "main"]);
    let next = sandbox.commit("next");
    let bad = sandbox.commit("bad");
    let range = sandbox.repository().range(&[good], bad).unwrap();
    assert_eq!(range.untested_bases, [base.into()]);
    assert_eq!(ids(&range.revisions), [next, bad]);
    // With a later good one on the way, the base no longer matters.
    let range = sandbox.repository().range(&[good, next], bad).unwrap();
    assert!(range.untested_bases.is_empty());
    assert_eq!(ids(&range.revisions), [bad]);
}

#[test]
fn good_and_bad_that_are_the_same_swapped_or_unrelated_are_told_apart() {
    let sandbox = Sandbox::new();
    let one = sandbox.commit("one");
    let two = sandbox.commit("two");
    sandbox.git(&["checkout", "-q", "--orphan", "other"]);
    let other = sandbox.commit("other");
    let repository = sandbox.repository();
    let error = repository.range(&[one], one).unwrap_err();
    assert!(matches!(error, NoRange::Same(_)), "{error}");
    let error = repository.range(&[two], one).unwrap_err();
    assert!(matches!(error, NoRange::Swapped { good, bad } if good == two && bad == one), "{error}");
    assert!(error.hint().unwrap().contains("--fix"));
    let error = repository.range(&[one, other], two).unwrap_err();
    assert!(matches!(error, NoRange::Unrelated { good, .. } if good == other), "{error}");
    assert_eq!(ids(&repository.range(&[], two).unwrap().revisions), [one, two]);
}

#[test]
fn a_shallow_clone_is_refused_only_where_it_is_cut_off() {
    let sandbox = Sandbox::new();
    let ids: Vec<ObjectId> = (0..6).map(|number| sandbox.commit(&format!("commit {number}"))).collect();
    let url = format!("file://{}", sandbox.path().display());
    sandbox.git(&["clone", "-q", "--depth", "3", &url, "clone"]);
    let clone = Repository::discover(sandbox.path().join("clone")).unwrap();
    assert!(clone.is_shallow());
    let error = clone.resolve(ids[0].to_string()).unwrap_err();
    assert!(error.hint().unwrap().contains("--unshallow"), "{error}");
    assert_eq!(clone.range(&[ids[3]], ids[5]).unwrap().revisions.len(), 2);
    let error = clone.range(&[], ids[5]).unwrap_err();
    assert!(matches!(error, NoRange::Shallow { .. }), "{error}");
    assert!(error.hint().unwrap().contains("--unshallow"));
}

#[test]
fn a_commit_tells_who_when_and_why() {
    let sandbox = Sandbox::new();
    let one = sandbox.commit("fix\nthe leak\n\nmore of it");
    let odd = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor \u{0} <> 1 +0000\n";
    let mut raw = odd.replace('\0', "X").into_bytes();
    raw.extend(b"committer X <> 1 +0000\n\nnot \xff UTF-8\n");
    sandbox.git_with(&["hash-object", "-t", "tree", "-w", "--stdin"], b"");
    let odd = sandbox.git_with(&["hash-object", "-t", "commit", "-w", "--stdin"], &raw);
    let mut objects = sandbox.repository().objects().unwrap();
    let commit = objects.commit(one).unwrap();
    assert_eq!((commit.author.as_str(), commit.email.as_str()), ("Ada Lovelace", "ada@example.org"));
    assert_eq!(commit.subject, "fix the leak");
    assert_eq!(commit.date.to_string(), "2023-11-14 23:14:20 +0100");
    assert_eq!(objects.commit(odd.parse().unwrap()).unwrap().subject, "not \u{fffd} UTF-8");
}
