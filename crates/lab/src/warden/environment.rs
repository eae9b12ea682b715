//! The environment of tests: the warden's own, with the variables of the test.
//!
//! Passing variables to each process copies all of them each time. The tests of a run nearly always have the same
//! variables, so they are set once and inherited.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// The changes to the environment that the warden was started with.
#[derive(Debug, Default)]
pub(super) struct Environment {
    wanted: Vec<(OsString, OsString)>,
    before: Vec<(OsString, Option<OsString>)>,
}

impl Environment {
    /// Sets the variables of a test, and resets all others to their original values.
    pub(super) fn change_to(&mut self, wanted: &[(OsString, OsString)]) {
        if self.wanted == wanted {
            return;
        }
        for (name, value) in self.before.drain(..).rev() {
            set(&name, value.as_deref());
        }
        for (name, value) in wanted {
            self.before.push((name.clone(), env::var_os(name)));
            set(name, Some(value));
        }
        self.wanted = wanted.to_vec();
    }
}

/// Sets or removes a variable. Names and values that no environment can contain are ignored.
#[allow(unsafe_code)]
fn set(name: &OsStr, value: Option<&OsStr>) {
    let is_possible = !name.is_empty() && !name.as_bytes().iter().any(|byte| matches!(byte, b'=' | 0));
    match value.filter(|value| !value.as_bytes().contains(&0)) {
        _ if !is_possible => {}
        // SAFETY: a warden has a single thread, so nobody reads the environment at the same time.
        Some(value) => unsafe { env::set_var(name, value) },
        // SAFETY: as above.
        None => unsafe { env::remove_var(name) },
    }
}
