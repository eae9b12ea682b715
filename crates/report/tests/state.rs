//! What people read about a cause-effect chain.
#![allow(clippy::unwrap_used)]

mod journal;

use howcome_report::text;
use howcome_run::Ending;
use insta::assert_snapshot;
use journal::state::*;

#[test]
fn the_chain_reads_like_a_sentence() {
    assert_snapshot!(text(&found_chain(sample())));
}

#[test]
fn a_longer_chain_says_what_was_not_confirmed_and_what_was_skipped() {
    assert_snapshot!(text(&ended_with(Ending::Stopped, compiler())));
}
