//! Whether a mix gives a loop or branch the next statement as its body.

use super::functions::language_of;
use super::mixed_syntax::LARGEST_TO_CHECK;
use super::shape_reader::read_shape;
use super::source_shape::SourceShape;
use crate::trees::tree_path::TreePath;

/// The line, counted from 1, of a statement that is the body of a loop or branch, and is that in none of the versions. Such a mix
/// builds, and does something that no author meant.
pub(crate) fn other_body<'a>(
    path: &TreePath,
    mixed: &[u8],
    versions: impl IntoIterator<Item = &'a [u8]>,
) -> Option<u32> {
    let language = language_of(path, mixed).filter(|_| mixed.len() <= LARGEST_TO_CHECK)?;
    let versions: Vec<SourceShape> =
        versions.into_iter().filter_map(|version| read_shape(language, version)).collect();
    let (_, line) = read_shape(language, mixed)?.other_body(&versions.iter().collect::<Vec<_>>())?;
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mixed: &str, versions: [&str; 2]) -> Option<u32> {
        other_body(&TreePath::new(b"a.c").unwrap(), mixed.as_bytes(), versions.map(str::as_bytes))
    }

    #[test]
    fn a_branch_without_its_body_takes_the_next_statement() {
        let good = "void f(void) {\n    g();\n}\n";
        let bad = "void f(void) {\n    if (x)\n        h();\n    g();\n}\n";
        assert_eq!(line("void f(void) {\n    if (x)\n    g();\n}\n", [good, bad]), Some(3));
        assert_eq!(line(bad, [good, bad]), None);
        assert_eq!(line("void f(void) {\n    h();\n    g();\n}\n", [good, bad]), None);
    }
}
