//! The names of a file in any language in which they are known.

use super::c_names::read_c;
use super::file_names::{FileNames, NamesWriter};
use super::python_names::read_python;
use howcome_syntax::Language;

/// The names of a text. `None` if they are not known in this language.
pub(super) fn names_of(language: Language, bytes: &[u8]) -> Option<FileNames> {
    let read: fn(&mut NamesWriter<'_>) = match language.info().name {
        "c" => |writer| read_c(writer, false),
        "c++" => |writer| read_c(writer, true),
        "python" => read_python,
        _ => return None,
    };
    let tree = language.parse(bytes)?;
    let mut writer = NamesWriter::new(bytes, &tree);
    read(&mut writer);
    let errors = tree.nodes().iter().filter(|node| node.is_error).count();
    Some(FileNames { errors, ..writer.names })
}
