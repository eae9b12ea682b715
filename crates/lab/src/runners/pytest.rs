//! The output of `pytest`.

use super::{PrintedText, TestReport};

pub(super) fn read(_: &PrintedText) -> Option<TestReport> {
    None
}
