//! Whether a test of a mix says nothing, because of its syntax.

use super::functions::language_of;
use super::mixed_syntax::LARGEST_TO_CHECK;
use super::shape_reader::read_shape;
use super::source_shape::SourceShape;
use crate::trees::tree_path::TreePath;

/// Why a test of a mix says nothing, if that is so: a file that parses in all versions does not parse, and a program that does not even
/// start can pass a careless test; or a loop or branch has another body than in all versions, which builds, and does something that no
/// author meant. Compilers of C tell themselves what does not parse.
pub(crate) fn worthless_mix<'a>(
    path: &TreePath,
    mixed: &[u8],
    versions: impl IntoIterator<Item = &'a [u8]>,
) -> Option<String> {
    let language = language_of(path, mixed).filter(|_| mixed.len() <= LARGEST_TO_CHECK)?;
    let versions: Vec<SourceShape> =
        versions.into_iter().filter_map(|version| read_shape(language, version)).collect();
    let versions: Vec<&SourceShape> = versions.iter().collect();
    let mixed = read_shape(language, mixed)?;
    if let (false, Some((_, line))) = (language.info().is_c_family, mixed.incomplete(&versions)) {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        return Some(format!("{path}{line} would not parse"));
    }
    let (_, line) = mixed.other_body(&versions)?;
    line.map(|line| format!("{path}:{line} would be the body of the statement before it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(path: &str, mixed: &str, versions: [&str; 2]) -> Option<String> {
        worthless_mix(&TreePath::new(path.as_bytes()).unwrap(), mixed.as_bytes(), versions.map(str::as_bytes))
    }

    #[test]
    fn a_branch_without_its_body_takes_the_next_statement() {
        let good = "void f(void) {\n    g();\n}\n";
        let bad = "void f(void) {\n    if (x)\n        h();\n    g();\n}\n";
        let mixed = "void f(void) {\n    if (x)\n    g();\n}\n";
        let other = "a.c:3 would be the body of the statement before it";
        assert_eq!(why("a.c", mixed, [good, bad]).as_deref(), Some(other));
        assert_eq!(why("a.c", bad, [good, bad]), None);
        assert_eq!(why("a.c", "void f(void) {\n    h();\n    g();\n}\n", [good, bad]), None);
    }

    #[test]
    fn a_program_that_does_not_parse_proves_nothing() {
        let good = "def f(x):\n    return x\n";
        let bad = "def f(x):\n    if x:\n        y = 1\n        return y\n    return x\n";
        let torn = "def f(x):\n        y = 1\n    return x\n";
        assert_eq!(why("a.py", torn, [good, bad]).as_deref(), Some("a.py:3 would not parse"));
        assert_eq!(why("a.py", "def f(x):\n    if x:\n        return y\n    return x\n", [good, bad]), None);
        let versions = ["function f() {}\n", "function g() {}\n"];
        assert!(why("a.js", "function f() {\n", versions).is_some());
    }
}
