//! The parts of a file's name.

/// The last part of a path.
pub(crate) fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// A file's name without its extension.
pub(crate) fn stem(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// Whether it is a file of C or C++ that others include.
pub(crate) fn is_header(path: &[u8]) -> bool {
    ends_with(path, &[".h", ".hh", ".hpp", ".hxx"])
}

/// Whether it is a file of C, C++ or Objective-C that is compiled on its own.
pub(crate) fn is_compiled(path: &[u8]) -> bool {
    ends_with(path, &[".c", ".cc", ".cpp", ".cxx", ".m", ".mm"])
}

fn ends_with(path: &[u8], endings: &[&str]) -> bool {
    endings.iter().any(|ending| path.ends_with(ending.as_bytes()))
}
