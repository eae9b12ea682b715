//! The environment of tests: the warden's own, changed as a test wants it.
//!
//! To hand variables to each process anew means to copy all of them each time. The tests of a run nearly always want the
//! same ones, so they are set once and inherited.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// What was changed of the environment that the warden was started with.
#[derive(Debug, Default)]
pub(super) struct Environment {
    wanted: Vec<(OsString, OsString)>,
    before: Vec<(OsString, Option<OsString>)>,
}

impl Environment {
    /// Makes the variables what a test wants them to be, and all others what they were.
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

/// Sets a variable, or removes it. What no program could get to see is left out.
#[allow(unsafe_code)]
fn set(name: &OsStr, value: Option<&OsStr>) {
    let is_possible = !name.is_empty() && !name.as_bytes().iter().any(|byte| matches!(byte, b'=' | 0));
    match value.filter(|value| !value.as_bytes().contains(&0)) {
        _ if !is_possible => {}
        // SAFETY: a warden has one thread only, so nobody reads the environment meanwhile.
        Some(value) => unsafe { env::set_var(name, value) },
        // SAFETY: as above.
        None => unsafe { env::remove_var(name) },
    }
}
