//! Tells `make` to keep going: a mix that does not build then shows all of its problems, not only those of the first file.

use std::ffi::{OsStr, OsString};

/// The variables for a build, if the environment has these flags for `make` already.
pub(super) fn keep_going(flags: Option<&OsStr>) -> Vec<(OsString, OsString)> {
    let flags = flags.unwrap_or_default();
    let first = flags.to_string_lossy();
    let first = first.split_ascii_whitespace().next().unwrap_or_default();
    let mut all = OsString::from("k");
    // Only the first word may be letters without a dash.
    if first.starts_with('-') || first.contains('=') {
        all.push(" ");
    }
    all.push(flags);
    vec![("MAKEFLAGS".into(), all)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_environment_asks_of_make_stays() {
        let flags = |flags: &str| keep_going(Some(OsStr::new(flags)))[0].1.clone();
        assert_eq!(keep_going(None)[0].1, "k");
        assert_eq!(flags("sj2"), "ksj2");
        assert_eq!(flags("-j8 -s"), "k -j8 -s");
        assert_eq!(flags("CC=clang"), "k CC=clang");
    }
}
