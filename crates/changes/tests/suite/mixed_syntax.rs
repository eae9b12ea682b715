//! Mixes of lines that have the syntax of neither version.

use crate::world::{PLAIN, files, tree};
use howcome_changes::{Base, Candidate, ChangeSet, ChangeSpace};
use howcome_dd::Configuration;
use howcome_run::{Rejection, Subject};
use std::sync::Arc;

/// The changes of a file by lines. In the text, `-` marks lines of the good version and `+` those of the bad version.
fn space(name: &str, marked: &str) -> ChangeSpace {
    let version = |mark: char| {
        let lines = marked.lines().filter(|line| line.starts_with([' ', mark]));
        let text: String = lines.map(|line| format!("{}\n", &line[1..])).collect();
        let all: &[_] = &[(name, PLAIN, text.as_bytes())];
        tree(&files(if text.is_empty() { &[] } else { all }))
    };
    let (good, bad) = (version('-'), version('+'));
    let changes = Arc::new(ChangeSet::by_lines(&good, &bad).unwrap());
    ChangeSpace::on(&Candidate::of(Base::new(good, b"good")), &changes)
}

/// One letter for each reason.
const REASONS: [(&str, char); 10] = [
    ("not parse", 'p'),
    ("indented wrongly", 'i'),
    ("an empty body", 'e'),
    ("as the body of another", 'b'),
    ("outside of its function or loop", 's'),
    ("no longer returns a value", 'r'),
    ("only a part of a statement", 't'),
    ("without a definition", 'n'),
    ("twice", 'n'),
    ("arguments", 'n'),
];

/// What is said about each delta alone, and about all others without it. A dot stands for nothing.
fn verdicts(name: &str, marked: &str) -> String {
    let space = space(name, marked);
    let all = space.changes.all();
    let letter = |mix: &Configuration| {
        let Some(Rejection { why, .. }) = space.rejects(mix) else { return '.' };
        assert!(why.starts_with(&format!("{name} would ")), "{why}");
        REASONS.iter().find(|(reason, _)| why.contains(reason)).unwrap().1
    };
    let of_delta = |delta| {
        let (alone, without) = (Configuration::empty().with_delta(delta), all.without_delta(delta));
        format!("{}{}", letter(&alone), letter(&without))
    };
    all.iter().map(of_delta).collect::<Vec<_>>().join(" ")
}

/// Checks cases, each of which starts with a line `> verdicts`.
fn check(name: &str, cases: &str) {
    let mut wrong = String::new();
    for case in cases.split("\n> ").skip(1) {
        let (expected, marked) = case.split_once('\n').unwrap();
        let seen = verdicts(name, marked);
        if seen != expected {
            wrong += &format!("> {seen}, not {expected}\n{marked}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn lines_of_c_keep_functions_results_and_bodies_together() {
    let cases = r##"
> ps pp tn sr pp
 int x;
+int f(int a)
+{
+    int b = a;
+    return b;
+}
 int z;
> bt tb
 int f(int a)
 {
+    if (a)
+        a = 1;
     return a;
 }
> pp te pp
 int f(int a)
 {
+    if (a) {
+        g();
+    }
     return a;
 }
> .. ..
 int f(int a)
 {
     g(a,
-      1,
-      2);
+      3,
+      4);
 }
> .. ..
 int f(int a)
 {
-    return a;
+    a++;
+    return a + 1;
 }
> r. pp sp pp ..
 int f(int a)
 {
     if (a)
         return 0;
-    return a;
-}
-int other(int b)
-{
-    h(b);
     return b;
 }
> .. ..
 void f(int a)
 {
-    g(a);
+    h(a);
+    k(a);
 }
> pp pp .p p.
 int a;
+/* text
+ * more */
 int b;
+#define TWICE(x) \
+    ((x) + (x))
> .. pp t. pp
 struct s {
+    int a;
     int b;
 };
+struct t {
+    int c;
+};
"##;
    check("a.c", cases);
}

#[test]
fn lines_of_cpp_keep_methods_and_lambdas_together() {
    let cases = r##"
> pp te pp
 class A {
+    void m() {
+        run();
+    }
     int x;
 };
> bt tb
 template <typename T>
 T f(T t) {
+    for (auto &x : t)
+        g(x);
     return t;
 }
> pp se pp
 int x = 1;
+auto f = [](int a) {
+    return a;
+};
"##;
    check("a.cpp", cases);
}

#[test]
fn lines_of_go_keep_blocks_together() {
    let cases = r##"
> pp se pp
 package a
+func f() int {
+	return 1
+}
 func g() {
 	h()
 }
> pp te pp
 package a
 func g() {
+	if x {
+		return
+	}
 	h()
 }
> .. ..
 package a
 var x = []int{
 	1,
+	2,
+	3,
 }
"##;
    check("a.go", cases);
}

#[test]
fn lines_of_java_keep_methods_and_branches_together() {
    let cases = r##"
> .. pp pe pp
 class A {
+    @Override
+    int f() {
+        return 1;
+    }
     int x;
 }
> bt tb
 class A {
     int f() {
+        if (x)
+            g();
         return 1;
     }
 }
> .. ..
 class A {
     int f() {
         return a
-            .b();
+            .c()
+            .d();
     }
 }
"##;
    check("A.java", cases);
}

#[test]
fn lines_of_javascript_keep_callbacks_and_handlers_together() {
    let cases = r##"
> pp se pp
 const a = 1;
+function f() {
+  return a;
+}
 g();
> .. ..
 const a = [
+  1,
   2,
-  3,
+  4,
 ];
> bt tb
 f(a);
+if (a)
+  g(a);
 h(a);
> pp te pp te pp
 f(a);
+try {
+  g(a);
+} catch (e) {
+  k(e);
+}
 h(a);
> pp te pp
 test('x', () => {
   a();
 });
+test('y', () => {
+  b();
+});
"##;
    check("a.js", cases);
}

#[test]
fn lines_of_python_keep_blocks_and_their_indentation() {
    let cases = r##"
> ei in i.
 x = 1
+def f(a):
+    y = a
+    return y
 z = 2
> pp i. i. pp
 x = 1
+total = sum(
+    1,
+    2,
+)
 z = 2
> ei ie
 def f(a):
     x = 1
+    for b in a:
+        print(b)
     return x
> .. ..
 def f(a):
+    """Text."""
+    b = a
     return 1
> ie ni .i
-def f(a):
-    b = a
-    return b
 z = 2
> .. ..
 try:
     a()
-except E:
-    b()
+finally:
+    c()
 d()
> .. e. .e
 try:
     a()
+    b()
+except E:
+    c()
 finally:
     d()
> ..
 total = (
     price
-    * count
+    * count
+    + fee
 )
> p. ep ie
+@cached
+def f():
+    return 1
 x = 1
> .. ..
 a = 1
-b = 2
+b = 3
+c = 3
> ei ie
 for a in b:
     c(a)
+    if a:
+        break
 d()
"##;
    check("a.py", cases);
}

#[test]
fn lines_of_rust_keep_arms_and_blocks_together() {
    let cases = r##"
> ep pp pe pp p.
 fn f() -> i32 {
-    1
+    if g() {
+        return 2;
+    }
+    2
 }
> .. pp pe pp
+#[inline]
+fn f() -> i32 {
+    2
+}
 fn g() {
     h();
 }
> .. pp p. p. pp
 fn f(a: u8) -> u8 {
     match a {
         0 => 1,
+        1 => 2,
+        2 => {
+            g();
+            3
+        }
         _ => 0,
     }
 }
> .. ..
 fn f() {
     a.iter()
+        .map(g)
+        .rev()
         .sum()
 }
"##;
    check("a.rs", cases);
}

#[test]
fn lines_of_json_keep_brackets_together() {
    let cases = r##"
> .. pp p. pp
 {
+  "a": 1,
+  "b": [
+    1
+  ],
   "c": 2
 }
"##;
    check("a.json", cases);
}

#[test]
fn errors_that_good_texts_in_c_have_because_of_macros_do_not_count() {
    let cases = "
> .. .. pp pp
 FOREACH(x, list) BEGIN
     print(x);
+    first(x);
+    second(x);
+    if (x) {
 END
+    }
 }
";
    check("a.c", cases);
}

#[test]
fn files_in_unknown_languages_are_not_judged() {
    check("a.txt", "\n> .. .. ..\n x\n+def f(:\n+{\n+}\n y\n");
}

#[test]
fn a_new_file_is_compared_with_the_only_version_that_exists() {
    let cases = "
> .n ei ie n.
+import os
+def f():
+    return os
+f()
";
    check("a.py", cases);
}
