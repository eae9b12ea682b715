//! Which memory could not be read, so that the user knows what the answer does not cover.

use crate::graph::MemoryGraph;
use howcome_run::words::count;
use std::sync::{Mutex, PoisonError};

/// What could not be read at any of the places of a run.
#[derive(Debug, Default)]
pub struct UnreadMemory(Mutex<UnreadTally>);

/// The most at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct UnreadTally {
    /// Elements and objects that are too many.
    cut: u64,
    /// Blocks of an unknown allocator.
    unmeasured: u32,
    /// Objects whose type is not known.
    headers_only: u32,
    /// Unions whose member is not known.
    doubtful_unions: u32,
}

impl UnreadMemory {
    /// Takes note of what a graph lacks.
    pub(crate) fn note(&self, graph: &MemoryGraph) {
        let mut tally = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tally.cut = tally.cut.max(graph.left_out);
        tally.unmeasured = tally.unmeasured.max(graph.unmeasured);
        tally.doubtful_unions = tally.doubtful_unions.max(graph.doubtful_unions);
        tally.headers_only = tally.headers_only.max(graph.headers_only);
    }

    /// Sentences about it, for the user.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let UnreadTally { cut, unmeasured, headers_only, doubtful_unions } =
            *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut warnings = Vec::new();
        if cut > 0 {
            warnings.push(format!(
                "the state is too large and was cut: {} or objects were not compared",
                count(cut, "element")
            ));
        }
        if unmeasured > 0 {
            warnings.push(format!(
                "malloc of the GNU C library did not allocate {}, so the length is not known: only the first value of each was read",
                count(unmeasured.into(), "block")
            ));
        }
        if headers_only > 0 {
            warnings.push(format!(
                "of {}, only the header was read: no typed pointer and no name says which type they have",
                count(headers_only.into(), "object")
            ));
        }
        if doubtful_unions > 0 {
            warnings.push(format!(
                "of {}, several members make sense: nothing was read where their pointers lead",
                count(doubtful_unions.into(), "union")
            ));
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_that_a_place_lacks_is_reported_once() {
        let unread = UnreadMemory::default();
        assert!(unread.warnings().is_empty());
        unread.note(&MemoryGraph { left_out: 3, unmeasured: 1, ..MemoryGraph::default() });
        unread.note(&MemoryGraph { left_out: 2, ..MemoryGraph::default() });
        let warnings = unread.warnings();
        assert!(warnings[0].contains("3 elements"), "{warnings:?}");
        assert!(warnings[1].contains("1 block,"), "{warnings:?}");
    }
}
