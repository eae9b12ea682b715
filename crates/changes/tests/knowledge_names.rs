//! What the names in changed lines tell: which deltas need each other, belong together, repair a mix, or come first.

#![allow(clippy::unwrap_used)]

use howcome_changes::knowledge::{Dependencies, Repairs, Words, by_words, evidence, names_in, related};
use howcome_changes::{ChangeSet, EntryKind, Tree, TreeEntry, TreePath};
use howcome_dd::{Configuration, DeltaId, Relation};
use proptest::prelude::*;

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::empty();
    for (path, text) in files {
        tree.insert(
            TreePath::new(path.as_bytes()).unwrap(),
            TreeEntry::of_bytes(EntryKind::PLAIN, text.as_bytes()),
        )
        .unwrap();
    }
    tree
}

fn changes(good: &[(&str, &str)], bad: &[(&str, &str)]) -> ChangeSet {
    ChangeSet::between(&tree(good), &tree(bad)).unwrap()
}

fn one(delta: u32) -> Configuration {
    Configuration::empty().with_delta(DeltaId(delta))
}

/// Deltas 0 and 1 use what delta 2 defines; delta 3 has nothing to do with them.
fn new_function() -> ChangeSet {
    changes(
        &[
            ("a.c", "int a(void) {\n  return 1;\n}\n\n\nint b(void) {\n  return 2;\n}\n"),
            ("b.h", "int a(void);\n"),
            ("c.c", "int c;\n"),
        ],
        &[
            ("a.c", "int a(void) {\n  return limit(1);\n}\n\n\nint b(void) {\n  return limit(2);\n}\n"),
            ("b.h", "int a(void);\nint limit(int x);\n"),
            ("c.c", "int d;\n"),
        ],
    )
}

#[test]
fn who_uses_a_new_name_needs_who_defines_it() {
    let changes = new_function();
    let words = Words::of(&changes);
    assert!(words.is_new(b"limit") && words.is_gone(b"c") && !words.is_new(b"a"));
    assert_eq!(words.introduces(DeltaId(2)).collect::<Vec<_>>(), [&b"limit"[..], b"x"]);
    let dependencies = Dependencies::of(&changes, &words);
    assert_eq!(dependencies.requires(DeltaId(0)), [DeltaId(2)]);
    assert_eq!(dependencies.requires(DeltaId(2)), []);
    assert_eq!(
        dependencies.relations(),
        [Relation::Needs(DeltaId(0), DeltaId(2)), Relation::Needs(DeltaId(1), DeltaId(2))]
    );
    assert_eq!(dependencies.closure(&one(0), &changes.all()), one(0).with_delta(DeltaId(2)));
    assert_eq!(dependencies.closure(&one(0), &one(0)), one(0));
    assert_eq!(dependencies.pruned(&one(0).with_delta(DeltaId(3))), one(3));
}

#[test]
fn who_removes_a_definition_needs_those_who_remove_its_uses() {
    let changes = changes(
        &[("a.c", "int a(void) {\n  return limit(1);\n}\n"), ("b.h", "int limit(int x);\nint a(void);\n")],
        &[("a.c", "int a(void) {\n  return 1;\n}\n"), ("b.h", "int a(void);\n")],
    );
    let dependencies = Dependencies::of(&changes, &Words::of(&changes));
    assert_eq!(dependencies.requires(DeltaId(1)), [DeltaId(0)]);
    assert_eq!(dependencies.requires(DeltaId(0)), []);
}

#[test]
fn a_function_with_another_argument_and_its_calls_need_each_other() {
    let changes = changes(
        &[("a.c", "int a(void) {\n  return area(1);\n}\n"), ("b.c", "int area(int x) {\n  return x;\n}\n")],
        &[
            ("a.c", "int a(void) {\n  return area(1, 2);\n}\n"),
            ("b.c", "int area(int x, int y) {\n  return x;\n}\n"),
        ],
    );
    let dependencies = Dependencies::of(&changes, &Words::of(&changes));
    assert_eq!(dependencies.requires(DeltaId(0)), [DeltaId(1)]);
    assert_eq!(dependencies.requires(DeltaId(1)), [DeltaId(0)]);
}

#[test]
fn a_member_that_becomes_a_structure_and_its_uses_need_each_other() {
    let changes = changes(
        &[("a.c", "int a(S *s) {\n  return s->top;\n}\n"), ("b.h", "struct S {\n  int top;\n};\n")],
        &[("a.c", "int a(S *s) {\n  return s->top.p;\n}\n"), ("b.h", "struct S {\n  Level top;\n};\n")],
    );
    let dependencies = Dependencies::of(&changes, &Words::of(&changes));
    assert_eq!(dependencies.requires(DeltaId(0)), [DeltaId(1)]);
    assert_eq!(dependencies.requires(DeltaId(1)), [DeltaId(0)]);
}

#[test]
fn an_opened_brace_needs_the_one_that_closes_it() {
    let changes = changes(
        &[("a.c", "void a(void) {\n  b();\n  c();\n  d();\n}\n")],
        &[("a.c", "void a(void) {\n  if (x) {\n  b();\n  c();\n  d();\n  }\n}\n")],
    );
    assert_eq!(changes.len(), 2);
    let dependencies = Dependencies::of(&changes, &Words::of(&changes));
    assert_eq!(dependencies.pruned(&one(0)), Configuration::empty());
    assert_eq!(dependencies.closure(&one(1), &changes.all()), changes.all());
}

#[test]
fn a_name_in_a_comment_or_a_text_for_people_needs_nothing() {
    let changes = changes(
        &[("a.c", "int a;\n"), ("b.h", "int b;\n"), ("README.md", "\n")],
        &[
            ("a.c", "int a; /* see limit */\n"),
            ("b.h", "int b;\nint limit(void);\n"),
            ("README.md", "limit\n"),
        ],
    );
    let dependencies = Dependencies::of(&changes, &Words::of(&changes));
    assert!(changes.all().iter().all(|delta| dependencies.requires(delta).is_empty()));
}

#[test]
fn a_line_that_includes_a_new_file_needs_the_file() {
    let changes = changes(
        &[("a.c", "int a;\n")],
        &[("a.c", "#include \"sub/new.h\"\nint a;\n"), ("sub/new.h", "int n;\n")],
    );
    let dependencies = Dependencies::of(&changes, &Words::of(&changes));
    assert_eq!(dependencies.requires(DeltaId(0)), [DeltaId(1)]);
}

#[test]
fn a_missing_name_is_fixed_by_its_definition_or_by_leaving_out_its_use() {
    let changes = new_function();
    let words = Words::of(&changes);
    // Without dependencies, so that all comes from the complaint.
    let dependencies = Dependencies::default();
    let repairs = Repairs::new(&changes, &words, &dependencies);
    let mix = one(0).with_delta(DeltaId(3));
    let found = repairs.repairs(&mix, b"a.c:2:10: error: 'limit' undeclared (first use in this function)\n");
    assert_eq!(found[0], mix.with_delta(DeltaId(2)));
    assert!(found.contains(&one(3)), "{found:?}");
}

#[test]
fn a_missing_file_is_fixed_by_adding_it() {
    let changes = changes(
        &[("a.c", "int a;\n")],
        &[("a.c", "#include \"sub/new.h\"\nint a;\n"), ("sub/new.h", "int n;\n")],
    );
    let words = Words::of(&changes);
    let dependencies = Dependencies::default();
    let repairs = Repairs::new(&changes, &words, &dependencies);
    let found = repairs.repairs(&one(0), b"a.c:1:10: fatal error: sub/new.h: No such file or directory\n");
    assert_eq!(found, [changes.all(), Configuration::empty()]);
}

#[test]
fn a_complaint_without_a_name_is_about_the_delta_at_its_line_in_the_mix() {
    let many = |head: &str, third: &str| {
        format!("{head}int a;\nint b;\nint c;\nint d;\nint e;\nint f;\nint g;\nint h;\n{third}")
    };
    let changes = changes(&[("a.c", &many("", "int i;\n"))], &[("a.c", &many("\n\n\n\n\n\n", "int i\n"))]);
    let words = Words::of(&changes);
    let dependencies = Dependencies::default();
    let repairs = Repairs::new(&changes, &words, &dependencies);
    // Line 15 of the mix is line 9 of the good version.
    let found = repairs.repairs(&changes.all(), b"a.c:15:6: error: expected ';' at end of declaration\n");
    assert!(found.contains(&one(0)), "{found:?}");
}

#[test]
fn no_complaint_no_repair() {
    let changes = new_function();
    let words = Words::of(&changes);
    let dependencies = Dependencies::of(&changes, &words);
    assert_eq!(Repairs::new(&changes, &words, &dependencies).repairs(&one(0), b"all is well\n"), []);
}

#[test]
fn text_of_the_outputs_points_to_the_delta_that_changed_it() {
    let changes = changes(
        &[("a.c", "puts(\"usage: run FILE\");\n1\n2\n3\nint unrelated = 1;\n")],
        &[("a.c", "puts(\"how to: run FILE\");\n1\n2\n3\nint unrelated = 2;\n")],
    );
    let ranked = evidence(&changes, b"usage: run FILE\n", b"how to: run FILE\n");
    assert_eq!(ranked.iter().map(|(delta, _)| delta.0).collect::<Vec<_>>(), [0]);
    assert_eq!(evidence(&changes, b"same\n", b"same\n"), []);
}

#[test]
fn a_piece_that_many_deltas_hold_counts_less_than_one_that_few_hold() {
    let good: String = (0..9).map(|i| format!("old {i}\n1\n2\n3\n")).collect();
    let bad: String = (0..9)
        .map(|i| format!("common message{}\n1\n2\n3\n", if i == 5 { " special words" } else { "" }))
        .collect();
    let changes = changes(&[("a.txt", &good)], &[("a.txt", &bad)]);
    let ranked = evidence(&changes, b"", b"common message special words");
    assert_eq!(ranked[0].0, DeltaId(5));
    assert!(ranked[0].1 > ranked[1].1 && ranked.len() == 9);
}

#[test]
fn deltas_that_share_rare_names_or_the_file_are_related() {
    let changes = new_function();
    let names = names_in([&b"return limit + x9 - 7z;"[..]]);
    assert_eq!(names.iter().map(|name| &name[..]).collect::<Vec<_>>(), [&b"limit"[..], b"return", b"x9"]);
    let weights = related(&changes, &[b"limit".to_vec()]);
    assert_eq!(weights, [333, 333, 333, 0]);
    assert_eq!(related(&changes, &[b"c.c"]), [0, 0, 0, 500]);
}

proptest! {
    /// Whatever the names are: groups are partitions, each level refines the one before, and closing and pruning
    /// leave nothing to do.
    #[test]
    fn groups_are_nested_partitions_and_closures_are_closed(
        lines in prop::collection::vec("(int|use|struct) [a-e](;|\\(\\);| \\{|\\})", 1..30),
        other in prop::collection::vec("(int|use|struct) [a-h](;|\\(x\\);| \\{|\\})", 1..30),
        chosen in prop::collection::vec(any::<bool>(), 60),
    ) {
        let [good, bad] = [&lines, &other].map(|lines| lines.join("\n\n\n") + "\n");
        let changes = changes(&[("a.c", &good), ("b.c", "int a;\n")], &[("a.c", &bad), ("c.c", &lines.join("\n"))]);
        let words = Words::of(&changes);
        let dependencies = Dependencies::of(&changes, &words);
        let levels = by_words(&changes, &words);
        for level in &levels {
            prop_assert_eq!(level.iter().map(Configuration::len).sum::<usize>(), changes.len() as usize);
            let union = level.iter().fold(Configuration::empty(), |all, group| all.with(group));
            prop_assert_eq!(union, changes.all());
        }
        for pair in levels.windows(2) {
            let lies_within = |fine: &Configuration| pair[0].iter().any(|coarse| fine.is_subset(coarse));
            prop_assert!(pair[1].iter().all(lies_within));
        }
        let some: Configuration = changes.all().iter().filter(|delta| chosen[delta.index() % 60]).collect();
        for closed in [dependencies.closure(&some, &changes.all()), dependencies.pruned(&some)] {
            let needs = |delta| dependencies.requires(delta).into_iter().all(|needed| closed.contains(needed));
            prop_assert!(closed.iter().all(needs));
        }
        prop_assert!(some.is_subset(&dependencies.closure(&some, &changes.all())));
        prop_assert!(dependencies.pruned(&some).is_subset(&some));
    }
}
